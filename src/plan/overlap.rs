//! Overlaps. In: a tile, and the steps around it. Out: which loops end with a tile that starts early enough to be
//! whole.
//!
//! Without masks what is left over at the end of a loop is moved in shorter registers, by a tile of its own, or once
//! more by a whole one, part of which has been moved before. The whole one is for what would cost more otherwise, and
//! where more than a hundredth of the rows would be stored in parts of registers.

use smallvec::SmallVec;

use super::carry::Carry;
use super::order::Steps;
use super::view::View;
use crate::problem::{DST, Zone};
use crate::shuffle::Found;

/// Where more than one of so many elements would be stored in rows that do not fill a register, all are whole.
const MOST_NARROW: usize = 100;

impl View<'_> {
    /// Has the last tile of a loop start early enough to be whole, where that takes less than a narrower one would.
    /// What is read before it is written must not be written twice, nor anything summed twice, nor lines past the
    /// caches.
    pub(super) fn overlap(
        &self,
        takes: &[usize],
        inside: &Found,
        steps: &mut Steps,
        carry: Option<&Carry>,
    ) {
        let may = |l: usize| {
            let full = self.fills || self.zones[l] == Zone::all(self.loops[l].extent);
            // Rows that are carried go on where they were, each in its turn, and blocks inside stay.
            let blocked = || steps.iter().filter(|step| step.index == l).count() > 1;
            let led = |carry: &Carry| steps[carry.step..carry.inside].iter().any(|s| s.index == l);
            let carried = carry.is_some_and(|carry| led(carry) || blocked());
            full && takes[l] > 1 && !self.is_shared(l) && !self.limited(l) && !carried
        };
        let whole = inside.cost().bound(self.target);
        let overlaps = |l: usize| {
            let (extent, take) = (self.loops[l].extent, takes[l]);
            let left = if extent > take { extent % take } else { 0 };
            left > 0 && may(l) && self.is_better_whole(takes, l, left, whole)
        };
        let all: SmallVec<[bool; 8]> = (0..takes.len()).map(overlaps).collect();
        steps.retain(|step| !all[step.index] || step.by == takes[step.index]);
        steps.iter_mut().for_each(|step| step.overlaps = all[step.index]);
    }

    /// Whether what is left over of a loop is better moved by a whole tile, which takes so much of the ports.
    fn is_better_whole(&self, takes: &[usize], l: usize, left: usize, whole: u64) -> bool {
        let mut narrower: SmallVec<[usize; 8]> = takes.into();
        narrower[l] = left;
        let row = self.run(&narrower, DST) * self.sizes[DST];
        let many = left.saturating_mul(MOST_NARROW) > self.loops[l].extent;
        let narrow = many && row < self.target.tier.vector();
        narrow || whole <= self.rest(&narrower).cost().bound(self.target)
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
            let steps = &nest.tiling.as_ref().unwrap().steps;
            assert_eq!(steps.iter().filter(|step| step.overlaps).count(), expected, "{pair}");
        }
    }
}
