//! Fetching. In: the steps around a nest's tiles, and how these are stored. Out: how far on in the source every tile asks for
//! lines.
//!
//! A machine foresees what is read in a row, but begins late and ends at each page. What is a few tiles on is asked for
//! meanwhile, as much as memory has under way anyway: beyond the second level. Within it lines come in time
//! where they are foreseen; they are asked for where tiles read more rows than that.

use super::carry::Carry;
use super::order::{Rows, Step};
use super::stores::{Stores, on_lines};
use super::view::View;
use crate::problem::SRC;

/// Fewer tiles one behind the other are over before lines that are asked for have come.
const SWEEP: usize = 8;

/// Of the steps along which tiles ask for lines no more than one part of so many leads past their end: those are never read.
const PAST: usize = 4;

impl View<'_> {
    /// How far on in the source lines are asked for, in bytes; 0 for none.
    pub(super) fn fetch(&self, takes: &[usize], steps: &[Step], stores: &Stores) -> isize {
        let (target, size) = (self.target, self.sizes.0);
        let narrows = self.narrows();
        let rows = Rows::of(self, takes, SRC);
        let streams = usize::from(target.memory.streams);
        let worth = match stores {
            Stores::Keep { ahead: 0, .. } => false,
            _ if self.far => narrows || !rows.crowd(self, 1),
            _ if narrows => 2 * rows.pages(1) >= streams,
            _ => rows.pages(1) >= streams,
        };
        let most = usize::from(target.memory.flight);
        let whole = self.run(takes, SRC) * size >= target.tier.vector();
        if !worth || !whole || most == 0 || self.fills || !self.folds.is_empty() {
            return 0;
        }
        // What a tile reads, and then what all of it does that is inside of a step.
        let read = { 0..takes.len() }.filter(|l| self.stride(*l, SRC) != 0);
        let mut inside = read.map(|l| takes[l]).product::<usize>() * size;
        for (k, step) in steps.iter().enumerate().rev() {
            let block = steps[..k].iter().rfind(|outer| outer.index == step.index);
            let times = block.map_or(self.loops[step.index].extent, |block| block.by) / step.by;
            let ahead = (most / inside).max(1);
            let stride = self.stride(step.index, SRC);
            if times >= PAST * ahead && stride != 0 && self.plain(step.index) {
                return stride.saturating_mul((step.by * ahead) as isize);
            }
            inside = inside.saturating_mul(times);
            if inside > target.l1 / 2 {
                break;
            }
        }
        0
    }

    /// The same where rows of the destination come together: of long rows those lines that come with the next rows, which are a
    /// long way off; of one row at once those of the next tile.
    pub(super) fn fetch_carried(&self, takes: &[usize], carry: &Carry, steps: &[Step]) -> isize {
        let along = steps[carry.step].index;
        let blocked = steps[..carry.step].iter().any(|step| step.index == along);
        let step = match steps.last() {
            Some(last) if carry.rows == 1 => {
                let times = self.loops[last.index].extent / last.by;
                if times < SWEEP {
                    return 0;
                }
                last
            }
            Some(_) if carry.inside > carry.step + 1 => &steps[carry.inside - 1],
            Some(last) if blocked && !on_lines(self, takes) => {
                steps.iter().find(|step| step.index == last.index).unwrap_or(last)
            }
            _ => return 0,
        };
        self.stride(step.index, SRC).saturating_mul(step.by as isize)
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Locality, plan_with};
    use crate::{Attr, Layout, Problem, Target};

    /// How far on each nest of a pair asks for lines.
    fn fetched(pair: &str, locality: Locality) -> Vec<isize> {
        let (src, dst) = pair.split_once(' ').unwrap();
        let src: Layout = src.parse().unwrap();
        let dst = src.destination(dst).unwrap();
        let (problem, _) = Problem::new(&src, &dst, &Attr::new()).unwrap();
        let plan = plan_with(&problem, &"spr".parse::<Target>().unwrap(), locality);
        let nests = plan.boxes.iter().flat_map(|one| &one.nests);
        nests.filter_map(|nest| Some(nest.tiling.as_ref()?.fetch)).collect()
    }

    /// So many bytes are under way, of one row or of several.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn what_is_far_is_asked_for() {
        assert_eq!(fetched("f32:nchw:16x256x56x56 s8:nchw", Locality::Auto), [2048]);
        assert_eq!(fetched("f32:nchw:16x256x56x56 nChw16c", Locality::Auto), [128]);
        // Small blocks lie one behind the other.
        assert_eq!(fetched("f32:nchw:20000x16x4x4 nChw16c", Locality::Auto), [2048]);
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn what_is_near_only_where_rows_are_many() {
        assert_eq!(fetched("f32:nchw:1x64x56x56 s8:nhwc", Locality::Keep), [64]);
        for pair in
            ["f32:nchw:1x64x56x56 s8:nchw", "f32:nchw:1x64x56x56 nChw16c", "f32:ab:64x64 s8:ba"]
        {
            assert_eq!(fetched(pair, Locality::Keep), [0], "{pair}");
        }
    }

    /// Not what would drive out what it came for.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn rows_in_each_others_way_are_not_asked_for() {
        assert_eq!(fetched("f32:ab:2048x2048 ba", Locality::Auto), [0]);
    }
}
