//! Any bytes as a pair of layouts of one element type: machine code of every tier that this CPU has, under
//! guard pages and held to the calling convention, against the reference.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(retile_portable), not(miri)))]
#![allow(unsafe_code)] // machine code is called

use std::cell::RefCell;

use retile::plan::Locality;
use retile::target::TARGETS;
use retile::{Attr, Isa, Kernel, Layout, Options, Tier, Values, reference};

use crate::common::{Draw, Xorshift};
use crate::harness::call::Rules;
use crate::harness::entry::Entry;
use crate::harness::guard::{Arena, told};
use crate::pair::{Choices, decode};

/// Bytes that each side may have; the arenas have some more.
const MOST_BYTES: usize = 1 << 16;

thread_local! {
    static ARENAS: RefCell<[Arena; 2]> =
        RefCell::new([Arena::new(MOST_BYTES + 4096), Arena::new(MOST_BYTES + 4096)]);
}

/// Runs what the bytes say, where that is a move.
pub(crate) fn check(data: &[u8]) {
    let mut choices = Choices(data);
    let Some((src, dst, _)) = decode(&mut choices) else { return };
    // One type for both: code moves bits.
    let text = dst.to_string();
    let Some((_, format)) = text.split_once(':') else { return };
    let Ok(dst) = format!("{}:{format}", src.dtype()).parse::<Layout>() else { return };
    let attr = Attr::new();
    let Ok(sizes) = attr.sizes(&src, &dst) else { return };
    if sizes.src > MOST_BYTES || sizes.dst > MOST_BYTES {
        return;
    }
    let seed = choices.word();
    let line = format!("{src} {dst}");
    ARENAS.with_borrow_mut(|arenas| {
        told(&line, || {
            if let Err(what) = compare(&src, &dst, [sizes.src, sizes.dst], seed, arenas) {
                panic!("{line}\n{what}");
            }
        })
    });
}

fn compare(
    src: &Layout,
    dst: &Layout,
    sizes: [usize; 2],
    seed: u64,
    arenas: &mut [Arena; 2],
) -> Result<(), String> {
    let mut draw = Xorshift::new(seed);
    let [source, before] =
        sizes.map(|size| (0..size).map(|_| draw.next() as u8).collect::<Vec<u8>>());
    let mut expected = before.clone();
    let (attr, none) = (Attr::new(), Values::default());
    reference::reorder(src, &source, dst, &mut expected, &attr, &none)
        .map_err(|error| format!("the reference refuses it: {error}"))?;
    let locality = draw.pick(&[Locality::Auto, Locality::Keep, Locality::Stream]);
    let isa = Isa::of_this_cpu();
    // On each tier as one of the microarchitectures that have it.
    for tier in Tier::ALL.into_iter().filter(|tier| tier.vector() > 0 && isa.runs(*tier)) {
        let have: Vec<_> = TARGETS.into_iter().filter(|target| target.tier >= tier).collect();
        let target = draw.pick(&have).capped(tier);
        let how = format!("for {}, {locality:?}", target);
        let options = Options::new().target(target).locality(locality);
        let kernel = Kernel::with_options(src, dst, &attr, &options)
            .map_err(|error| format!("{how}: {error}"))?;
        if kernel.code().is_none() {
            return Err(format!("{how}: there is no code: {:?}", kernel.why_portable()));
        }
        let entry = Entry::new(&kernel)?;
        // Against the guard behind, against the one before, and between them where only elements are aligned.
        for place in 0..3 {
            let size = src.dtype().size();
            let starts = [0, 1].map(|side| match place {
                0 => arenas[side].len() - sizes[side],
                1 => 0,
                _ => size * (1 + draw.below(64)),
            });
            let count = draw.pick(&[1, 1, 2, 3, 7]);
            let mut order: Vec<usize> = (0..count).collect();
            draw.shuffle(&mut order);
            let how = format!("{how}, source and destination at {starts:?}, tasks {order:?}");
            arenas[0].bytes_mut()[starts[0]..][..sizes[0]].copy_from_slice(&source);
            arenas[1].bytes_mut().fill(0x5a);
            arenas[1].bytes_mut()[starts[1]..][..sizes[1]].copy_from_slice(&before);
            let [from, to] = [0, 1].map(|side| arenas[side].at(starts[side] as isize));
            for task in order {
                let rules = Rules::default();
                // SAFETY: both buffers hold what the sizes say, aligned for elements; the pointers were made
                // of arenas that live on.
                unsafe { entry.call(rules, (task, count), from, to, draw.next()) }
                    .map_err(|what| format!("{how}: {what}"))?;
            }
            let found = arenas[1].bytes();
            let right = |at: usize| match at.checked_sub(starts[1]).and_then(|at| expected.get(at))
            {
                Some(&expected) => found[at] == expected,
                None => found[at] == 0x5a,
            };
            if let Some(at) = (0..found.len()).find(|&at| !right(at)) {
                let (own, is) = (at as isize - starts[1] as isize, found[at]);
                return Err(format!("{how}: byte {own} is {is:#04x}"));
            }
            if arenas[0].bytes()[starts[0]..][..sizes[0]] != source {
                return Err(format!("{how}: the source was written"));
            }
        }
    }
    Ok(())
}
