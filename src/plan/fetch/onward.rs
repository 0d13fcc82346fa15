//! Asking onward. In: the steps around a nest's tiles. Out: the part of the source's next block that each tile asks for
//! while it is at work on this one.
//!
//! Memory gives what lies in one piece fast, and single lines of many rows slowly. Where a source lies in one piece,
//! and tiles take a line of each of its many rows by turns, to ask for the next line of the same rows is no better than
//! to wait for it. So each tile asks for its part of the block that comes next, as it lies in memory, wherever in the
//! block the tile itself is. There are always some lines under way then, never too many, and all are in the second
//! level by the time that tiles come to them.

use smallvec::SmallVec;

use super::ask::PART;
use crate::plan::demand::piece;
use crate::plan::order::Step;
use crate::plan::rows::PAGE;
use crate::plan::view::View;
use crate::problem::{DST, SRC};

/// What each tile asks for of the next block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Onward {
    /// A block is what is inside of this step, by number.
    pub step: usize,
    /// Bytes of the source from one block to the next.
    pub ahead: isize,
    /// Bytes of a tile's part, whole lines; those of all tiles lie one behind the other.
    pub bytes: usize,
}

/// Fewer blocks than this are over when the first of them that was asked for is there.
const BLOCKS: usize = 4;

/// Of blocks of fewer bytes the next one is there before it could be asked for.
const LEAST: usize = 2 << 10;

/// No more than one line in so many is asked for behind a block's end.
const BEHIND: usize = 4;

/// Where tiles take lines of many rows, one part in so many is enough.
const NEARER: usize = 8;

/// Pieces of rows of so many lines come fast as they are, up to those of so many, for which it is worth asking again.
const FAST: usize = 2;
const LONG: usize = 8;

impl View<'_> {
    /// What tiles ask for of the next block, of all that is far beyond the caches, if blocks of the source lie in one
    /// piece each.
    pub(in crate::plan) fn onward(&self, takes: &[usize], steps: &[Step]) -> Option<Onward> {
        let memory = &self.target.memory;
        let near = |part: usize| self.lines_below(memory.onward_from, part);
        let moved = || steps.iter().any(Step::overlaps);
        // What is added up takes the register that would lead through the block.
        if near(NEARER) || self.fills || self.sums || !self.folds.is_empty() || moved() {
            return None;
        }
        // Lines of more rows than are foreseen, all at once, are worth it in a last level too, unless most of what
        // moves is stored.
        let (apart, streams) = (self.apart(takes), usize::from(memory.streams));
        let further = |(stride, _): &&(isize, usize)| stride.unsigned_abs() > self.target.line;
        let together: usize = apart.iter().filter(further).map(|(_, times)| times).product();
        if near(1) && (together <= streams || self.sizes[SRC] < self.sizes[DST]) {
            return None;
        }
        // A few rows are foreseen, one or two of a page.
        let rows = self.by_turns(takes, steps, SRC).unwrap_or(1);
        let pages = apart.iter().any(|(stride, _)| stride.unsigned_abs() >= PAGE / 2);
        let lines = (self.run(takes, SRC) * self.sizes[SRC]).div_ceil(self.target.line);
        if pages && (2..=streams).contains(&rows) || (FAST..LONG).contains(&lines) {
            return None;
        }
        (0..steps.len()).find_map(|k| self.onward_inside(steps, k))
    }

    /// What tiles ask for of the next block, where blocks are what is inside of a step.
    fn onward_inside(&self, steps: &[Step], k: usize) -> Option<Onward> {
        let Step { index, by, .. } = steps[k];
        let ahead = self.stride(index, SRC).checked_mul(by as isize)?;
        if self.extent_of(steps, k) / by < BLOCKS || ahead == 0 || !self.plain(index) {
            return None;
        }
        let block = self.in_one_piece(&self.inside_of(&steps[..=k]))?;
        let inner = (k + 1..steps.len()).map(|k| self.extent_of(steps, k).div_ceil(steps[k].by));
        let tiles = inner.fold(1, usize::saturating_mul);
        let bytes = block.div_ceil(tiles).next_multiple_of(self.target.line);
        let behind = bytes.saturating_mul(tiles) - block;
        let fits = (LEAST..=self.target.l2 / PART).contains(&block) && behind <= block / BEHIND;
        (tiles > 1 && fits).then_some(Onward { step: k, ahead, bytes })
    }

    /// Bytes of the source that so much of each loop is, if it lies in one piece.
    fn in_one_piece(&self, inside: &[usize]) -> Option<usize> {
        let several = (0..inside.len()).filter(|l| inside[*l] > 1 && !self.stands_still(*l, SRC));
        let step = |l: usize| {
            let stride = usize::try_from(self.stride(l, SRC)).ok()?;
            self.loops[l].table.is_none().then_some((stride, inside[l]))
        };
        let mut steps: SmallVec<[(usize, usize); 8]> = several.map(step).collect::<Option<_>>()?;
        steps.sort_unstable();
        let (bytes, within) = piece(self.sizes[SRC], 1, steps.iter().copied(), 1);
        (within == steps.len()).then_some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Locality, planned};

    /// How many bytes on blocks start, and how many of them each tile asks for.
    fn asked(pair: &str) -> Option<(isize, usize)> {
        let plan = planned(pair, "spr".parse().unwrap(), Locality::Auto);
        let tiling = plan.nests().next().unwrap().tiling.as_ref().unwrap();
        assert!(tiling.onward.is_none() || tiling.fetch == 0 && tiling.ask.is_none(), "{pair}");
        tiling.onward.map(|onward| (onward.ahead, onward.bytes))
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn blocks_in_one_piece_are_asked_for_by_tiles() {
        assert_eq!(asked("f32:nhwc:32x128x56x56 u8:nchw"), Some((131_072, 4096)));
        assert_eq!(asked("u8:nhwc:64x192x56x56 nchw"), Some((49_152, 1024)));
        assert_eq!(asked("f32:nChw16c:32x256x56x56 s8:nchw"), Some((200_704, 1984)));
        assert_eq!(asked("bf16:nChw16c:32x256x56x56 nchw"), Some((100_352, 512)));
        assert_eq!(asked("f32:nhwc:32x256x56x56 nChw16c"), Some((4096, 256)));
        // Few rows at a time, but not in pages of their own.
        assert_eq!(asked("f32:nChw32c:32x64x64x64 bf16:nchw"), Some((16_384, 1024)));
        // Less of it, but lines of many rows.
        assert_eq!(asked("f32:nhwc:8x128x56x56 u8:nchw"), Some((131_072, 4096)));
        assert_eq!(asked("u8:nhwc:16x256x56x56 nchw"), Some((65_536, 1024)));
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn but_not_where_lines_come_fast_as_they_are() {
        for pair in [
            // Less than a last level.
            "f32:nhwc:8x96x56x56 nchw",
            "u8:nhwc:8x256x28x28 f32:nchw",
            // Rows in blocks far from one another.
            "f32:nchw:32x256x56x56 s8:nhwc",
            // Few rows.
            "f32:nchw:32x256x56x56 s8:nChw16c",
            // Blocks of a few lines.
            "f32:nhwc:32x64x112x112 nChw16c",
            // Two lines of each.
            "f32:nhwc:32x96x64x64 bf16:nchw",
        ] {
            assert_eq!(asked(pair), None, "{pair}");
        }
    }

    /// However much there is, where the table has no number for it.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn nothing_is_asked_for_where_it_was_not_measured() {
        let pair = "u8:nhwc:1073741824x256x1024x8192 nchw";
        let plan = planned(pair, "zen4".parse().unwrap(), Locality::Auto);
        let asks = |tiling: &crate::plan::Tiling| tiling.onward.is_some();
        assert!(!plan.nests().any(|nest| nest.tiling.as_ref().is_some_and(asks)));
    }
}
