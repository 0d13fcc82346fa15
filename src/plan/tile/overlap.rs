//! Overlaps. In: a tile, and the steps around it. Out: which loops end with a tile that starts early enough to store
//! whole registers.
//!
//! Without masks what is left over at the end of a loop is moved in shorter registers, by a tile of its own, or once
//! more by a whole one, or a half of one, part of which has been moved before. That is for what would cost more
//! otherwise, and where more than a hundredth of the rows would be stored in parts of registers. Where the loop is
//! walked in blocks, the last of these starts as much earlier.

use smallvec::SmallVec;

use crate::plan::carry::Carry;
use crate::plan::order::Steps;
use crate::plan::view::View;
use crate::problem::{DST, Zone};
use crate::shuffle::Found;

/// Where more than one of so many elements would be stored in rows that do not fill a register, all are whole.
const MOST_NARROW: usize = 100;

impl View<'_> {
    /// Has the last tile of a loop start early enough to be whole, where that takes less than a narrower one would.
    /// What is read before it is written must not be written twice, nor anything summed twice, nor lines past the
    /// caches.
    pub(in crate::plan) fn overlap(
        &self,
        takes: &[usize],
        inside: &Found,
        steps: &mut Steps,
        carry: Option<&Carry>,
    ) {
        let blocked = |l: usize| steps.iter().filter(|step| step.index == l).count() > 1;
        let may = |l: usize| {
            let full = self.fills || self.zones[l] == Zone::all(self.loops[l].extent);
            // Rows that are carried go on where they were, each in its turn, and blocks inside stay.
            let led = |carry: &Carry| steps[carry.step..carry.inside].iter().any(|s| s.index == l);
            let carried = carry.is_some_and(|carry| led(carry) || blocked(l));
            full && takes[l] > 1 && !self.is_shared(l) && !self.limited(l) && !carried
        };
        let whole = inside.cost().bound(self.target);
        let last = |l: usize| {
            let (extent, take) = (self.loops[l].extent, takes[l]);
            let left = if extent > take { extent % take } else { 0 };
            match left > 0 && may(l) {
                // Of a loop that is walked in blocks the last tile is whole.
                true => self.last_of(takes, l, left, whole, !blocked(l)),
                false => 0,
            }
        };
        let all: SmallVec<[usize; 8]> = (0..takes.len()).map(last).collect();
        for step in steps.iter_mut().filter(|step| all[step.index] > 0) {
            // So does the last block, which is whole tiles then.
            let (l, left) = (step.index, self.loops[step.index].extent % step.by);
            step.last = left - left % takes[l] + all[l];
        }
    }

    /// What moves best what is left over of a loop: a whole tile, which takes so much of the ports, a part of one that
    /// stores whole registers as well, if it may be a part, or, as 0, one that takes no more than that.
    fn last_of(&self, takes: &[usize], l: usize, left: usize, whole: u64, part: bool) -> usize {
        let narrower = |last: usize| {
            let mut narrower: SmallVec<[usize; 8]> = takes.into();
            narrower[l] = last;
            narrower
        };
        let cost = |last: usize| self.rest(&narrower(last)).cost().bound(self.target);
        let vector = self.target.tier.vector();
        let fills = |last: usize| self.run(&narrower(last), DST) * self.sizes[DST] >= vector;
        let mut best = (takes[l], whole);
        while part && best.0.is_multiple_of(2) && best.0 / 2 > left && fills(best.0 / 2) {
            match cost(best.0 / 2) {
                half if half < best.1 => best = (best.0 / 2, half),
                _ => break,
            }
        }
        let many = left.saturating_mul(MOST_NARROW) > self.loops[l].extent;
        let narrow = many && !fills(left);
        // A part of a tile is a sequence more, as is what is left, and moves more than that.
        let better = |left: u64| best.1 < left || best.1 == left && best.0 == takes[l];
        if narrow || better(cost(left)) { best.0 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Locality, planned};

    /// A loop overlaps where nearly a whole tile is left over, and not where little is, nor past the caches.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn what_is_left_over_is_moved_twice_only_where_that_takes_less() {
        for (pair, expected) in [
            // 30 of 32 pixels, 9 of 16 that are converted eight at a time, and parts of registers.
            ("u8:nchw:4x32x30x33 nChw16c", 1),
            ("bf16:nchw:2x96x13x13 s8:nhwc", 1),
            ("f32:nchw:8x17x31x31 nhwc", 1),
            // One pixel, of few or of many.
            ("f32:nchw:8x48x15x15 nhwc", 0),
            ("u8:nchw:256x32x30x33 nChw16c", 0),
        ] {
            let plan = planned(pair, "spr:avx2".parse().unwrap(), Locality::Auto);
            let nest = plan.nests().next().unwrap();
            let tiling = nest.tiling.as_ref().unwrap();
            let of_tiles = tiling.steps.iter().filter(|step| step.by == tiling.takes[step.index]);
            assert_eq!(of_tiles.filter(|step| step.overlaps()).count(), expected, "{pair}");
        }
    }

    /// Of a loop that is walked in blocks the last block starts earlier, and with it the last tile.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn the_last_block_is_whole_tiles() {
        for (pair, expected) in [
            ("bf16:ab:300x255 ba", [(32, 32), (16, 16)]),
            ("bf16:ab:300x237 ba", [(32, 16), (16, 16)]),
            ("bf16:ab:300x252 ba", [(32, 0), (16, 0)]),
        ] {
            let plan = planned(pair, "spr:avx2".parse().unwrap(), Locality::Auto);
            let nest = plan.nests().next().unwrap();
            let steps = nest.tiling.as_ref().unwrap().steps.iter();
            let columns: Vec<_> = steps.filter(|s| s.index == 0).map(|s| (s.by, s.last)).collect();
            assert_eq!(columns, expected, "{pair}");
        }
    }

    /// One of 17 is moved by a half of a tile, which stores a register of each row; not of a loop that is walked in
    /// blocks.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn little_is_moved_by_a_part_of_a_tile() {
        for (pair, expected) in [
            ("f32:abcd:2x32x17x64 abdc", &[(16, 8)][..]),
            ("f32:abcd:2x32x31x64 abdc", &[(16, 16)]),
            ("f32:abcd:2x32x24x64 abdc", &[]),
            ("f32:abcd:2x16x17x17 cdab", &[]),
        ] {
            let plan = planned(pair, "spr:avx2".parse().unwrap(), Locality::Auto);
            let nest = plan.nests().next().unwrap();
            let steps = nest.tiling.as_ref().unwrap().steps.iter();
            let last: Vec<_> = steps.filter(|s| s.overlaps()).map(|s| (s.by, s.last)).collect();
            assert_eq!(last, expected, "{pair}");
        }
    }
}
