//! Lines that come alone. In: a tile, the steps around it, and how it is stored. Out: which sides are reached under
//! masks.
//!
//! A core that sees loads or stores go on from line to line brings the next one before it is wanted. It keeps no more
//! than some rows in mind; of more each line that is missed brings another that is of no use by then, and takes as long
//! as itself. On some cores what is reached under a mask, be it one of ones, brings nothing along: within the second
//! level that is up to twice as fast, for an operation more for each load and each store.

use super::Stores;
use crate::plan::order::Step;
use crate::plan::stage::Stage;
use crate::plan::tile::Tile;
use crate::plan::view::View;
use crate::problem::{DST, SRC};
use crate::target::PARTS;

/// What stays in the caches comes alone up to such a part of what goes past them: of more it is better to have lines
/// brought.
const KEPT: (usize, usize) = (5, 8);

impl View<'_> {
    /// Whether the source is reached under masks, and the destination.
    pub(in crate::plan) fn alone(
        &self,
        takes: &[usize],
        steps: &[Step],
        stores: &Stores,
        stage: Option<&Stage>,
        tile: &Tile,
    ) -> [bool; 2] {
        let (target, demand) = (self.target, self.terms.demand);
        let foreseen = usize::from(target.memory.foreseen);
        if foreseen == 0 || !target.tier.masks() || demand.places <= target.l1 {
            return [false; 2];
        }
        let on = |side: usize| self.next(takes, side).filter(|&l| self.stride(l, side) > 0);
        let rows = |side: usize| on(side).and_then(|_| self.by_turns(takes, steps, side));
        let rows = [SRC, DST].map(|side| rows(side).unwrap_or(usize::MAX));
        if rows[SRC].saturating_add(rows[DST]) <= foreseen {
            return [false; 2];
        }
        let many = rows.map(|rows| rows > foreseen);
        match stores {
            // Tiles that make elements shorter take long enough for lines to come meanwhile.
            _ if self.narrows() && self.is_far() => [false; 2],
            // What is copied from memory comes the sooner for being foreseen, however little of it is.
            Stores::Stream { .. } => [stage.is_none(), false],
            Stores::Keep { .. } if demand.bytes > target.memory.stream_from / KEPT.1 * KEPT.0 => {
                [many == [true, false], false]
            }
            Stores::Keep { .. } if !self.waits(tile) => [false; 2],
            // Of few rows lines are foreseen, and from far off it pays to have those that are stored to.
            Stores::Keep { .. } => [true, many[DST] || !self.is_far()],
        }
    }

    /// Whether a tile waits for its lines, not for ports, with an operation more for each access.
    fn waits(&self, tile: &Tile) -> bool {
        let memory = &self.target.memory;
        let rate = if self.is_far() { memory.far_rate } else { memory.l2_rate };
        let positions: usize = tile.chunks.iter().map(|chunk| chunk.extent).product();
        let bytes = positions.saturating_mul(self.sizes[SRC] + self.sizes[DST]) as u64;
        let ports = tile.found.masked([true; 2]).bound(self.target);
        ports.saturating_mul(rate.into()) < bytes.saturating_mul(PARTS)
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Locality, planned};

    /// Which sides come alone in each nest of a pair.
    fn alone(target: &str, pair: &str) -> Vec<[bool; 2]> {
        let plan = planned(pair, target.parse().unwrap(), Locality::Auto);
        plan.nests().filter_map(|nest| Some(nest.tiling.as_ref()?.alone)).collect()
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn lines_of_many_rows_come_alone() {
        for (pair, sides) in [
            // In the first level, and in the second.
            ("f32:ab:64x64 ba", [false; 2]),
            ("f32:ab:320x320 ba", [true; 2]),
            ("u8:nhwc:1x64x56x56 nchw", [true; 2]),
            ("f32:nchw:1x64x28x28 nChw16c", [true; 2]),
            // Farther off one side by itself, where the other has few rows.
            ("f32:ab:1000x1000 ba", [true; 2]),
            ("f32:ab:1100x1150 ba", [true; 2]),
            ("f32:nchw:4x64x56x56 nChw16c", [true, false]),
            ("f32:nchw:8x64x56x56 nChw16c", [true, false]),
            ("f32:ab:1300x1400 ba", [false; 2]),
            // Past the caches.
            ("f32:nchw:32x256x56x56 nhwc", [true, false]),
        ] {
            assert_eq!(alone("zen5", pair), [sides], "{pair}");
            assert_eq!(alone("spr", pair), [[false; 2]], "{pair}");
            assert_eq!(alone("zen5:avx2", pair)[0], [false; 2], "{pair}");
        }
        // Rows that are copied first.
        assert_eq!(alone("zen5", "u8:ab:512x1024 ba"), [[true; 2]]);
        assert_eq!(alone("zen5", "u8:ab:4096x4096 ba"), [[false; 2]]);
    }

    /// Nor where arithmetic takes longer than lines do, or long enough.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn lines_of_few_rows_or_for_long_work_do_not() {
        for pair in [
            "f32:nchw:1x64x40x40 nchw",
            "u8:nhwc:1x3x200x200 nchw",
            "f16:nchw:1x64x56x56 s8:nchw",
            "f32:nchw:8x64x56x56 s8:nhwc",
        ] {
            assert_eq!(alone("zen5", pair), [[false; 2]], "{pair}");
        }
        // Rows that are walked backwards are not foreseen, be they one.
        let back = "f32:strides(40000,200,-1):2x200x200:offset=199 abc";
        assert_eq!(alone("zen5", back), [[true; 2]]);
    }
}
