//! Tiles whose elements become longer. In: the loops of a nest. Out: how much of each a tile takes, where that is not
//! weighed by its operations.
//!
//! Most of such a tile's time its rows are stored, several registers of each one that its sequence has. The loads of
//! the next tile begin meanwhile if the core has room for them, which ports do not tell: tiles are small, whatever
//! their sequences take. That was tried on cores alone which take units out of registers.

use smallvec::SmallVec;

use super::{Converts, Takes};
use crate::plan::rows::Rows;
use crate::plan::view::View;
use crate::problem::{DST, SRC};

/// Rows of the source are short whose elements fill fewer bytes of the destination than this: tiles of them are better
/// longer.
const SHORT: usize = 16;

impl View<'_> {
    /// Tiles of a line of the destination and half a line of the source, where elements become longer and part from
    /// those beside them. Past the caches more of each line goes together.
    pub(super) fn lengthened(&self) -> Option<Takes> {
        let (target, sizes) = (self.target, self.sizes);
        let [dst, src] = [DST, SRC].map(|side| self.chain(side));
        let [down, along] = [*dst.first()?, *src.first()?];
        let longer = self.converts == Converts::Stores && sizes[DST] > sizes[SRC];
        let tables = self.loops.iter().any(|node| node.table.is_some());
        // A register of bytes that are looked up in pairs is two of the destination.
        let single = usize::from(self.change.unit) <= target.line / sizes[DST];
        let tried = target.ports.extracts && longer && single;
        if !tried || down == along || tables || self.is_beyond() {
            return None;
        }
        let mut takes: Takes = SmallVec::from_elem(1, self.loops.len());
        self.take(&mut takes, dst, target.line / sizes[DST], true);
        self.take(&mut takes, src, target.line / 2 / sizes[SRC], true);
        // Neither where rows are short, nor where much of a line is left over, nor where lines drive each other out.
        let [rows, row] = [down, along].map(|l| self.loops[l].extent);
        let bytes = |extent: usize| extent.saturating_mul(sizes[DST]);
        let long = bytes(row) >= SHORT && bytes(rows) >= target.line;
        let even = rows.is_multiple_of(takes[down]) || rows >= 4 * takes[down];
        (long && even && !Rows::of(self, &takes, DST).crowd(self, 1, 0)).then_some(takes)
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Locality, planned};

    /// What a pair's tiles take.
    fn takes(target: &str, pair: &str) -> Vec<usize> {
        let plan = planned(pair, target.parse().unwrap(), Locality::Auto);
        let tiling = plan.nests().next().and_then(|nest| nest.tiling.clone()).unwrap();
        let mut takes: Vec<usize> = tiling.takes.into_iter().filter(|take| *take > 1).collect();
        takes.sort_unstable();
        takes
    }

    /// A line of the destination, and half a line of the source or all of a row.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn lines_of_what_is_longer() {
        for (pair, expected) in [
            ("s8:nhwc:1x64x56x56 f32:nchw", [16, 32]),
            ("s8:nchw:1x64x56x56 f32:nhwc", [16, 32]),
            ("bf16:nhwc:1x64x56x56 f32:nchw", [16, 16]),
            ("u8:nhwc:1x6x56x56 f32:nchw", [6, 16]),
        ] {
            assert_eq!(takes("zen4", pair), expected, "{pair}");
        }
    }

    /// Few channels, rows that drive each other out or end within lines, what lies beyond the caches or is looked up in
    /// pairs, other cores.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn others_are_weighed() {
        for (target, pair, expected) in [
            ("zen4", "u8:nhwc:1x3x56x56 f32:nchw", [3, 64]),
            ("zen4", "s8:nhwc:2x64x32x32 f32:nchw", [16, 64]),
            ("zen4", "s8:nchw:4x24x28x28 f32:nhwc", [16, 24]),
            ("zen4", "s8:nhwc:32x256x56x56 f32:nchw", [16, 64]),
            ("zen4", "u8:nhwc:1x64x56x56 f16:nchw", [16, 64]),
            ("spr", "s8:nhwc:1x64x56x56 f32:nchw", [16, 64]),
        ] {
            assert_eq!(takes(target, pair), expected, "{pair} for {target}");
        }
    }
}
