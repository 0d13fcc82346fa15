//! Overlaps. In: a tile, and the steps around it. Out: which loops end with a tile that starts early enough to be
//! whole.
//!
//! Without masks what is left over at the end of a loop is moved in shorter registers, by a tile of its own, or once
//! more by a whole one, part of which has been moved before. The whole one is for what the other would cost more than.

use smallvec::SmallVec;

use super::carry::Carry;
use super::order::Steps;
use super::view::View;
use crate::problem::Zone;
use crate::shuffle::Found;

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
            left > 0 && may(l) && whole <= self.left_over(takes, l, left)
        };
        let all: SmallVec<[bool; 8]> = (0..takes.len()).map(overlaps).collect();
        steps.retain(|step| !all[step.index] || step.by == takes[step.index]);
        steps.iter_mut().for_each(|step| step.overlaps = all[step.index]);
    }

    /// What a tile of no more than what is left over along a loop takes of the ports.
    fn left_over(&self, takes: &[usize], l: usize, left: usize) -> u64 {
        let mut narrower: SmallVec<[usize; 8]> = takes.into();
        narrower[l] = left;
        self.rest(&narrower).cost().bound(self.target)
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
            // 30 of 32 pixels, and 9 of 16 that are converted eight at a time.
            ("u8:nchw:4x32x30x33 nChw16c", 1),
            ("bf16:nchw:2x96x13x13 s8:nhwc", 1),
            // One pixel or channel.
            ("f32:nchw:8x17x31x31 nhwc", 0),
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
