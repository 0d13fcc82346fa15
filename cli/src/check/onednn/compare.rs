//! One pair by oneDNN, by the reference and by the kernels. In: a pair. Out: how many of its elements differ, by
//! which rules, and the first that no rule explains.

use std::collections::BTreeMap;

use retile::{Kernel, Layout, Options, Role, Tier, Values, reference};

use super::element::Masks;
use super::rules::{Rule, explain};
use crate::bench::onednn::Reorder;
use crate::buffer::{Buffer, LINE};
use crate::draw::{self, Draw, Numbers};
use crate::pair::Pair;
use crate::run;

/// What came of a pair with some numbers.
#[derive(Default)]
pub(super) struct Found {
    /// Elements and tails that were compared.
    pub(super) cells: usize,
    /// Those that are not what ours are, by what explains them.
    pub(super) explained: usize,
    pub(super) rules: BTreeMap<Rule, usize>,
    /// The first that the same rules explain.
    pub(super) examples: BTreeMap<Vec<Rule>, String>,
    /// Those that nothing explains, and what is said of the first.
    pub(super) unexplained: usize,
    pub(super) first: Option<String>,
}

/// Bytes as both sides have them.
struct Bytes {
    src: Buffer,
    before: Buffer,
    expected: Buffer,
    found: Buffer,
}

pub(super) enum Fault {
    /// oneDNN does not run it.
    Theirs(crate::bench::onednn::Refused),
    Ours(retile::Error),
}

impl From<retile::Error> for Fault {
    fn from(error: retile::Error) -> Fault {
        Fault::Ours(error)
    }
}

pub(super) fn compare(
    pair: &Pair,
    theirs: &Reorder<'_>,
    tiers: &[Tier],
    numbers: Numbers,
    seed: u64,
) -> Result<Found, Fault> {
    let mut draw = Draw::new(pair.seed(seed));
    let given = pair.values(numbers, &mut draw);
    let values = given.as_values();
    let mut bytes = Bytes::draw(pair, theirs.reach(), numbers, &mut draw)?;
    let (src, before) = (bytes.src.bytes(), bytes.before.bytes());
    bytes.expected.set(before);
    let out = bytes.expected.bytes_mut();
    reference::reorder(&pair.src, src, &pair.dst, out, &pair.attr, &values)?;
    let mut found = Found::default();
    for &tier in tiers {
        bytes.found.set(before);
        let options = Options::new().max_tier(tier);
        let kernel = Kernel::with_options(&pair.src, &pair.dst, &pair.attr, &options)?;
        run::tasks(&kernel, src, bytes.found.bytes_mut(), values, 1)?[0].run();
        if bytes.found.bytes() != bytes.expected.bytes() {
            found.fail(|| format!("the kernel of {tier} and the reference differ"));
        }
    }
    bytes.found.set(before);
    // oneDNN may write to what it takes to be zero.
    let mut copy = Buffer::new(src.len(), LINE, 0)?;
    copy.set(src);
    theirs.run(copy.bytes_mut(), bytes.found.bytes_mut(), &values).map_err(Fault::Theirs)?;
    let by = theirs.implementation();
    found.cells(pair, &values, &bytes, by)?;
    if let Some(at) = between(&pair.dst, &bytes) {
        found.fail(|| format!("oneDNN's {by} writes byte {at}, which lies between elements"));
    }
    Ok(found)
}

impl Bytes {
    /// As much as either side reaches.
    fn draw(
        pair: &Pair,
        reach: (usize, usize),
        numbers: Numbers,
        draw: &mut Draw,
    ) -> retile::Result<Bytes> {
        let sizes = pair.sizes()?;
        let dst = || Buffer::new(reach.1.max(sizes.dst), LINE, 0);
        let src = Buffer::new(reach.0.max(sizes.src), LINE, 0)?;
        let mut bytes = Bytes { src, before: dst()?, expected: dst()?, found: dst()? };
        draw::fill(bytes.src.bytes_mut(), pair.src.dtype(), numbers, draw);
        draw::fill(bytes.before.bytes_mut(), pair.dst.dtype(), numbers, draw);
        clear_tails(&pair.src, bytes.src.bytes_mut());
        Ok(bytes)
    }
}

impl Found {
    /// Compares elements and tails as oneDNN makes them, by the code of this name, with what they should be.
    fn cells(
        &mut self,
        pair: &Pair,
        values: &Values<'_>,
        bytes: &Bytes,
        by: &str,
    ) -> retile::Result<()> {
        let masks = Masks::of(pair);
        for cell in pair.dst.cells() {
            self.cells += 1;
            let at = |buffer: &Buffer| bits(&pair.dst, buffer.bytes(), cell.offset);
            let (ours, theirs) = (at(&bytes.expected), at(&bytes.found));
            if ours == theirs {
                continue;
            }
            let old = at(&bytes.before);
            let mut src = 0;
            let elements = match cell.role {
                Role::Element => {
                    let from = pair.src.offset_of(&cell.coords[..pair.src.rank()])?;
                    src = bits(&pair.src, bytes.src.bytes(), from);
                    vec![masks.element(pair, values, &cell.coords, [src, old])]
                }
                _ => masks.tails(pair, values, old),
            };
            match elements.iter().find_map(|element| explain(element, by, theirs)) {
                Some(rules) => {
                    self.explained += 1;
                    rules.iter().for_each(|rule| *self.rules.entry(*rule).or_default() += 1);
                    let what = || format!("{src:#x} over {old:#x} is {theirs:#x}, ours {ours:#x}");
                    self.examples.entry(rules).or_insert_with(what);
                }
                None => self.fail(|| {
                    let coords = &cell.coords[..pair.dst.rank()];
                    format!(
                        "{:?} {coords:?} at offset {}: oneDNN's {by} makes {theirs:#x}, the \
                         reference {ours:#x}, of {src:#x}, before {old:#x}",
                        cell.role, cell.offset
                    )
                }),
            }
        }
        Ok(())
    }

    fn fail(&mut self, what: impl FnOnce() -> String) {
        self.unexplained += 1;
        self.first.get_or_insert_with(what);
    }
}

/// oneDNN takes the source's tails to be zero, and some of its code carries them on.
fn clear_tails(layout: &Layout, bytes: &mut [u8]) {
    let size = layout.dtype().size();
    let tails = layout.cells().filter(|cell| cell.role == Role::Tail);
    tails.for_each(|cell| bytes[cell.offset * size..][..size].fill(0));
}

/// The bits of an element of a buffer.
fn bits(layout: &Layout, bytes: &[u8], offset: usize) -> u64 {
    let size = layout.dtype().size();
    let mut bits = [0; 8];
    bits[..size].copy_from_slice(&bytes[offset * size..][..size]);
    u64::from_le_bytes(bits)
}

/// A byte that was written and is none of an element or a tail.
fn between(dst: &Layout, bytes: &Bytes) -> Option<isize> {
    if let Some(at) = bytes.found.trespass() {
        return Some(at);
    }
    let size = dst.dtype().size();
    let mut rest = bytes.found.bytes().to_vec();
    let before = bytes.before.bytes();
    for cell in dst.cells() {
        let range = cell.offset * size..(cell.offset + 1) * size;
        rest[range.clone()].copy_from_slice(&before[range]);
    }
    rest.iter().zip(before).position(|(now, before)| now != before).map(|at| at as isize)
}
