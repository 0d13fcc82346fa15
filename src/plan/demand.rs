//! Demand. In: a problem. Out: the bytes of the lines that both sides lie in, and of a cache that these take.
//!
//! A cache has its place for a line by the line's address, the same for lines that lie a power of two apart. Pieces
//! with such a pitch, as of blocks that are mostly padding, have but a part of the places, and the others are of no use
//! to them.

use smallvec::SmallVec;

use super::rows::PAGE;
use crate::problem::{DST, Line, Node, Problem, SRC};

/// Of both sides together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Demand {
    /// Bytes of all lines in which there is something.
    pub(super) bytes: usize,
    /// Bytes of a cache that these lines take, with places that none of them can.
    pub(super) places: usize,
}

impl Demand {
    pub(super) fn of(problem: &Problem, line: usize) -> Demand {
        let [src, dst] = [SRC, DST].map(|side| of_side(problem, side, line));
        Demand {
            bytes: src.bytes.saturating_add(dst.bytes),
            places: src.places.saturating_add(dst.places),
        }
    }
}

/// Positions of an axis that are a stride from one to the next.
struct Lead {
    stride: usize,
    extent: usize,
    /// Positions from here on outward.
    left: usize,
    axis: usize,
}

impl Lead {
    fn times(&self) -> usize {
        self.left.min(self.extent)
    }
}

fn of_side(problem: &Problem, side: usize, line: usize) -> Demand {
    let count = |axis: &Line| if side == SRC { axis.data.len() } else { axis.owned.len() };
    let folded = |node: &Node| {
        node.folds.iter().any(|fold| problem.folds[fold.0 as usize].dst == (side == DST))
    };
    let size = [problem.src.size(), problem.dst.size()][side];
    let mut anywhere = 1usize;
    let mut leads = SmallVec::<[Lead; 12]>::new();
    // Of each axis what is in a piece, or in one place.
    let mut within = SmallVec::<[usize; 12]>::new();
    for (axis, line) in problem.lines.iter().enumerate() {
        let mut left = count(line).max(1);
        let mut still = 1usize;
        for node in &line.nodes {
            let extent = node.extent.max(1);
            let lead = Lead { stride: node.strides[side].unsigned_abs(), extent, left, axis };
            left = left.div_ceil(extent);
            let goes_on = |inner: &&mut Lead| {
                inner.axis == axis && inner.stride.checked_mul(inner.extent) == Some(lead.stride)
            };
            if folded(node) || node.table.is_some() {
                // Where digits lead is known at run time, and tables lead anywhere; mostly that is everywhere.
                anywhere = anywhere.saturating_mul(lead.times());
                still = still.saturating_mul(extent);
            } else if lead.stride == 0 {
                still = still.saturating_mul(extent);
            } else if let Some(inner) = leads.last_mut().filter(goes_on) {
                inner.extent = inner.extent.saturating_mul(extent);
            } else {
                leads.push(lead);
            }
        }
        within.push(still);
    }
    leads.sort_unstable_by_key(|lead| (lead.stride, lead.times()));
    let steps = leads.iter().map(|lead| (lead.stride, lead.times()));
    let (piece, inside) = piece(size, anywhere, steps, line);
    for lead in &leads[..inside] {
        within[lead.axis] = within[lead.axis].saturating_mul(lead.times());
    }
    let apart = leads[inside..].iter().filter(|lead| lead.times() > 1);
    let apart = apart.fold(0, |all, lead| all | lead.stride);
    let apart = if apart == 0 { 0 } else { 1 << apart.trailing_zeros() };
    let pieces = problem.lines.iter().zip(&within);
    let pieces = pieces.map(|(line, within)| count(line).div_ceil(*within));
    let pieces = pieces.fold(1, usize::saturating_mul);
    Demand {
        bytes: pieces.saturating_mul(piece),
        // Further apart than pages are, which lie anywhere, addresses say nothing of places.
        places: pieces.saturating_mul(piece.max(apart.min(PAGE))),
    }
}

/// The bytes of the lines of a piece, and how many steps from the nearest on lead on within one: such as between which
/// there is nothing but what is in their lines. Steps are strides, the least first, and how often;
/// so many times the same are taken to be in these lines too, as nobody knows where.
pub(super) fn piece(
    size: usize,
    anywhere: usize,
    steps: impl Iterator<Item = (usize, usize)>,
    line: usize,
) -> (usize, usize) {
    let (mut bytes, mut inside) = (size, 0);
    for (stride, times) in steps {
        if stride >= bytes.saturating_add(line) {
            break;
        }
        bytes = stride.saturating_mul(times.saturating_sub(1)).saturating_add(bytes);
        inside += 1;
    }
    let all = bytes.saturating_mul(anywhere);
    (all.checked_next_multiple_of(line).unwrap_or(usize::MAX), inside)
}

#[cfg(test)]
mod tests {
    use super::Demand;
    use crate::plan::{Locality, planned};

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn lines_are_counted_and_the_places_that_they_have() {
        for (pair, lines, places) in [
            // Dense on both sides; rows that leave less than a line between them.
            ("f32:ab:100x160 ba", 128_000, 128_000),
            ("u8:strides(128,1):100x100 ab", 12_800 + 10_048, 12_800 + 10_048),
            // A line of 4, of 16 of 16 bytes each, and the same of 8 rows in a block: each line once.
            ("u8:BAcd16a16b:1x16x10x10 nhwc", 6_400 + 1_600, 25_600 + 1_600),
            ("u8:BAcd16a16b:4x8x10x10 nhwc", 6_400 + 3_200, 25_600 + 3_200),
            // Blocks that follow one another count as whole.
            ("u8:BAcd16a16b:17x16x10x10 nhwc", 51_200 + 27_200, 51_200 + 27_200),
            // Rows that are far less than their pitch.
            ("f32:strides(512,1):100x16 ab", 6_400 + 6_400, 204_800 + 6_400),
            ("f32:strides(528,1):100x16 ab", 6_400 + 6_400, 6_400 + 6_400),
            ("f32:strides(5120,1):100x16 ab", 6_400 + 6_400, 409_600 + 6_400),
            // What is repeated is there once.
            ("f32:strides(0,1):100x16 ab", 64 + 6_400, 64 + 6_400),
        ] {
            let plan = planned(pair, "spr".parse().unwrap(), Locality::Auto);
            let demand = Demand::of(&plan.problem, 64);
            assert_eq!((demand.bytes, demand.places), (lines, places), "{pair}");
        }
    }
}
