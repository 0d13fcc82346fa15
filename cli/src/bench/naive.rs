//! The loops that one would write by hand. In: a pair. Out: the same conversion, an element at a time, in
//! the order of the logical dims.

use retile::dtype::convert;
use retile::{GivenValues, Layout, reference};

use crate::memory::Memory;
use crate::pair::Pair;

pub(crate) struct Naive<'a> {
    pair: &'a Pair,
    values: &'a GivenValues,
    /// None where the loops are the reference's.
    loops: Option<Loops>,
    padded: bool,
}

/// What each index of each dim adds to the bytes of either side.
struct Loops {
    src: Sums,
    dst: Sums,
}

struct Sums {
    base: usize,
    dims: Vec<Vec<usize>>,
}

impl<'a> Naive<'a> {
    pub(crate) fn new(pair: &'a Pair, values: &'a GivenValues) -> Naive<'a> {
        let plain = pair.attr == retile::Attr::new() && !pair.src.is_empty();
        let sums = || Some(Loops { src: Sums::of(&pair.src)?, dst: Sums::of(&pair.dst)? });
        // The loops below take the bytes of an element for a number as x86 has them.
        let plain =
            plain && (cfg!(target_endian = "little") || pair.src.dtype() == pair.dst.dtype());
        let counts = Memory::of(&pair.dst).counts;
        Naive {
            pair,
            values,
            loops: plain.then(sums).flatten(),
            padded: counts.margins + counts.tails > 0,
        }
    }

    /// Runs the conversion. Padding is set to zero before, with whatever lies between, as one would do.
    pub(crate) fn run(&self, src: &[u8], dst: &mut [u8]) {
        let (from, to) = (self.pair.src.dtype(), self.pair.dst.dtype());
        let Some(loops) = &self.loops else {
            let Pair { src: s, dst: d, attr, .. } = self.pair;
            let ran = reference::reorder(s, src, d, dst, attr, &self.values.as_values());
            return ran.expect("the kernel was made for the same");
        };
        if self.padded {
            dst[..self.pair.dst.size_bytes()].fill(0);
        }
        let convert = |bits| convert::element(from, to, bits);
        match (from == to, from.size(), to.size()) {
            (true, 1, _) => loops.run::<1, 1>(src, dst, |element| element),
            (true, 2, _) => loops.run::<2, 2>(src, dst, |element| element),
            (true, 4, _) => loops.run::<4, 4>(src, dst, |element| element),
            (true, _, _) => loops.run::<8, 8>(src, dst, |element| element),
            (_, 1, 1) => loops.run::<1, 1>(src, dst, |e| narrow(convert(wide(e)))),
            (_, 1, 2) => loops.run::<1, 2>(src, dst, |e| narrow(convert(wide(e)))),
            (_, 1, _) => loops.run::<1, 4>(src, dst, |e| narrow(convert(wide(e)))),
            (_, 2, 1) => loops.run::<2, 1>(src, dst, |e| narrow(convert(wide(e)))),
            (_, 2, 2) => loops.run::<2, 2>(src, dst, |e| narrow(convert(wide(e)))),
            (_, 2, _) => loops.run::<2, 4>(src, dst, |e| narrow(convert(wide(e)))),
            (_, 4, 1) => loops.run::<4, 1>(src, dst, |e| narrow(convert(wide(e)))),
            (_, 4, 2) => loops.run::<4, 2>(src, dst, |e| narrow(convert(wide(e)))),
            (_, 4, 4) => loops.run::<4, 4>(src, dst, |e| narrow(convert(wide(e)))),
            (_, 4, _) => loops.run::<4, 8>(src, dst, |e| narrow(convert(wide(e)))),
            (_, _, _) => loops.run::<8, 4>(src, dst, |e| narrow(convert(wide(e)))),
        }
    }
}

fn wide<const N: usize>(element: [u8; N]) -> u64 {
    let mut bytes = [0; 8];
    bytes[..N].copy_from_slice(&element);
    u64::from_le_bytes(bytes)
}

fn narrow<const N: usize>(bits: u64) -> [u8; N] {
    let bytes = bits.to_le_bytes();
    std::array::from_fn(|i| bytes[i])
}

impl Loops {
    fn run<const S: usize, const D: usize>(
        &self,
        src: &[u8],
        dst: &mut [u8],
        one: impl Fn([u8; S]) -> [u8; D],
    ) {
        let rank = self.src.dims.len();
        let mut at = vec![0; rank];
        loop {
            let (from, to) = (self.src.row(&at), self.dst.row(&at));
            for (s, d) in self.src.dims[rank - 1].iter().zip(&self.dst.dims[rank - 1]) {
                let (s, d) = (from.wrapping_add(*s), to.wrapping_add(*d));
                let element = src[s..s + S].try_into().expect("as long as said");
                dst[d..d + D].copy_from_slice(&one(element));
            }
            let next = (0..rank - 1).rev().find(|&d| {
                at[d] = (at[d] + 1) % self.src.dims[d].len();
                at[d] != 0
            });
            if next.is_none() {
                return;
            }
        }
    }
}

impl Sums {
    /// None where dims are merged, so that what one adds depends on the others.
    fn of(layout: &Layout) -> Option<Sums> {
        if layout.digits().iter().any(|digit| digit.dims.len() > 1) {
            return None;
        }
        let size = layout.dtype().size();
        let mut at = vec![0; layout.rank()];
        let base = layout.offset_of(&at).ok()? * size;
        let mut dims = Vec::new();
        for d in 0..layout.rank() {
            let mut sums = Vec::new();
            for i in 0..layout.dims()[d] {
                at[d] = i as isize;
                sums.push((layout.offset_of(&at).ok()? * size).wrapping_sub(base));
            }
            at[d] = 0;
            dims.push(sums);
        }
        Some(Sums { base, dims })
    }

    /// Where a row starts: the sum of all dims but the last.
    fn row(&self, at: &[usize]) -> usize {
        let outer = self.dims.iter().zip(at).take(at.len() - 1);
        outer.fold(self.base, |sum, (dim, &i)| sum.wrapping_add(dim[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{self, Draw, Numbers};

    #[test]
    fn loops_write_what_the_reference_writes() {
        for (line, of_loops) in [
            ("f32:nchw:2x17x3x5 nChw16c", true),
            ("u8:nhwc:2x3x4x5 nchw", true),
            ("f64:ab:3x7 ba", true),
            ("f16:a:5 a", true),
            ("f32:nchw:1x9x3x3 s8:nhwc", true),
            ("bf16:ab:5x7 f32:ba", true),
            ("s64:ab:5x7 s32:ba", true),
            ("f32:strides(-4,1):3x4:offset=8 ba", true),
            ("f32:nchw:1x9x3x3 bf8_xy16", false),
            ("f32:ab:5x7 s8:ba --dst-scale=mask:2", false),
            ("f32:ab:0x7 ba", false),
        ] {
            let pair = Pair::of_line(line).unwrap_or_else(|failure| panic!("{line}: {failure}"));
            let sizes = pair.sizes().unwrap();
            let mut draw = Draw::new(1);
            let mut src = vec![0; sizes.src];
            draw::fill(&mut src, pair.src.dtype(), Numbers::Any, &mut draw);
            let values = pair.values(Numbers::Any, &mut draw);
            let naive = Naive::new(&pair, &values);
            assert_eq!(naive.loops.is_some(), of_loops, "{line}");
            let (mut found, mut expected) = (vec![0; sizes.dst], vec![0; sizes.dst]);
            naive.run(&src, &mut found);
            let values = values.as_values();
            reference::reorder(&pair.src, &src, &pair.dst, &mut expected, &pair.attr, &values)
                .unwrap();
            assert_eq!(found, expected, "{line}");
        }
    }
}
