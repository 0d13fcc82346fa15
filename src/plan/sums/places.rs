//! Where the sums of a tile's elements are. In: a byte of the destination. Out: the sums of both kinds that the element
//! there belongs to.

use std::collections::HashMap;

use smallvec::SmallVec;

use super::super::{Chunk, Nest, Tile};
use crate::problem::{DST, Problem, SUMS};

/// Where sums are, in bytes from the first of each kind.
type At = [i32; 2];

pub(super) enum Places {
    /// Steps from the longest on, each longer than all that is inside of it leads: a byte tells its element.
    Nested(SmallVec<[Step; 4]>),
    /// Each element by itself.
    Listed(HashMap<isize, At>),
}

/// A loop of a tile.
pub(super) struct Step {
    dst: isize,
    extent: usize,
    /// What is no element belongs to no sum.
    data: std::ops::Range<usize>,
    sums: At,
}

impl Places {
    pub(super) fn of(problem: &Problem, nest: &Nest, tile: &Tile) -> Places {
        let step = |l: usize, chunk: &Chunk| {
            let strides = nest.strides(l, problem);
            let sums = SUMS.map(|kind| strides[kind as usize] as i32);
            Step { dst: strides[DST], extent: chunk.extent, data: chunk.start..chunk.end, sums }
        };
        let loops = || tile.chunks.iter().enumerate().filter(|(_, chunk)| chunk.extent > 1);
        let mut steps: SmallVec<[Step; 4]> = loops().map(|(l, chunk)| step(l, chunk)).collect();
        let tabled = loops().any(|(l, _)| nest.loops[l].table.is_some());
        if !tabled {
            steps.sort_by_key(|step| std::cmp::Reverse(step.dst));
            let mut inside = 0isize;
            let nested = steps.iter().rev().all(|step| {
                let longer = step.dst > inside;
                let whole = step.dst.saturating_mul(step.extent as isize - 1);
                inside = inside.saturating_add(whole);
                longer
            });
            if nested {
                return Places::Nested(steps);
            }
        }
        let mut places = vec![(0isize, At::default())];
        for (l, chunk) in loops() {
            let own = step(l, chunk);
            let table = nest.loops[l].table.as_deref();
            let lead = |&(at, sums): &(isize, At), k: usize| {
                let place = table.map_or(0, |table| table[k].1);
                let at = at.wrapping_add(own.dst.wrapping_mul(k as isize)).wrapping_add(place);
                (at, own.lead(sums, k))
            };
            let lead = |place| own.data.clone().map(move |k| lead(place, k));
            places = places.iter().flat_map(lead).collect();
        }
        Places::Listed(places.into_iter().collect())
    }

    /// The sums of a byte; none where no element is.
    pub(super) fn sums(&self, mut at: isize) -> Option<At> {
        let steps = match self {
            Places::Nested(steps) => steps,
            Places::Listed(places) => return places.get(&at).copied(),
        };
        let mut sums = At::default();
        for step in steps {
            let k = usize::try_from(at / step.dst).ok().filter(|k| step.data.contains(k))?;
            at -= k as isize * step.dst;
            sums = step.lead(sums, k);
        }
        (at == 0).then_some(sums)
    }
}

impl Step {
    fn lead(&self, sums: At, k: usize) -> At {
        [0, 1].map(|kind| sums[kind].wrapping_add(self.sums[kind].wrapping_mul(k as i32)))
    }
}
