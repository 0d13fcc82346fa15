//! Fetching. In: the steps around a nest's tiles, and how these are stored. Out: how far on in the source every tile
//! asks for lines, or what copies it first does.
//!
//! A machine foresees what is read in a row, but begins late and ends at each page. What is a few tiles on is asked for
//! meanwhile, as much as memory has under way anyway: beyond the second level. Within it lines come in time where they
//! are foreseen; they are asked for where tiles read more rows than that. So are those between the second level and
//! memory, where elements become shorter: such tiles take long enough for none of the next one's loads to begin. And
//! one row within the second level whose elements become words: several lines are stored for each of its own then, and
//! keep the first level so busy that what is foreseen comes late.
//!
//! Where lines are asked for into the first level, that is few tiles on. Where they are into the second, it is as far
//! as it has to be for them to follow one another: each tile asks for the lines that its like in the next block reads.

pub(super) mod ask;
mod evenly;
pub(super) mod onward;

use super::carry::Carry;
use super::order::Step;
use super::rows::Rows;
use super::stores::Stores;
use super::view::View;
use crate::problem::{DST, SRC};
use ask::PART;

/// Fewer tiles one behind the other than this end before the first line that was asked for is there.
const SWEEP: usize = 8;

/// At most one request in so many leads past the end of its loop, to lines that are never read.
const PAST: usize = 4;

/// Bytes of a word.
const WORD: usize = 4;

/// Of both sides, where they are so many times as much as the first level holds or more, most is not there.
const BEYOND_L1: usize = 2;

impl View<'_> {
    /// How far on in the source lines are asked for, in bytes; 0 for none. Blocks of it may be `there` before tiles
    /// take them.
    pub(super) fn fetch(
        &self,
        takes: &[usize],
        steps: &[Step],
        stores: &Stores,
        carry: Option<&Carry>,
        there: bool,
    ) -> isize {
        let even = matches!(stores, Stores::Stream { even: true, .. });
        let rows = || carry.and_then(|carry| self.fetch_carried(takes, carry, steps, even, there));
        let tiles = || if there { None } else { self.fetch_tiles(takes, steps, stores) };
        // What becomes narrower on the way takes longer, so that what is few tiles on comes in time; as does what is to
        // come to the second level only.
        let one = carry.is_some_and(|carry| carry.rows == 1);
        let further = !self.target.memory.asks_near();
        let soon = self.narrows() || one && further;
        let sweep = || if there { None } else { self.fetch_sweep(takes, steps, stores) };
        let first = || if soon { tiles().or_else(rows) } else { rows().or_else(tiles) };
        let far = sweep().or_else(first).unwrap_or(0);
        let piece = (self.run(takes, SRC) * self.sizes[SRC]).min(self.target.line) as isize;
        if further && far != 0 { Self::to_the_end(far, piece) } else { far }
    }

    /// Where pieces do not start on lines, one has part of the line that the next begins in: what is asked for is the
    /// line that it ends in.
    fn to_the_end(far: isize, piece: isize) -> isize {
        far.saturating_add(piece - 1)
    }

    /// How far on lines are asked for as rows inside of some steps are copied, in bytes; 0 for none. That is on along
    /// the rows, to those that are copied once so much else has been.
    pub(super) fn copies_ahead(&self, takes: &[usize], outer: &[Step]) -> isize {
        let lead = usize::from(self.target.memory.copies_lead);
        let Some(along) = self.next(takes, SRC).filter(|along| lead > 0 && self.plain(*along))
        else {
            return 0;
        };
        let Some(k) = outer.iter().rposition(|step| step.index == along) else { return 0 };
        let inside = self.inside_of(&outer[..=k]);
        let steps = lead.div_ceil(self.bytes_read(&inside)) * outer[k].by;
        // Past the end is nothing that is copied soon.
        if steps > self.loops[along].extent / PAST {
            return 0;
        }
        let piece = self.target.tier.vector().min(self.target.line) as isize;
        Self::to_the_end(self.stride(along, SRC).saturating_mul(steps as isize), piece)
    }

    /// Whether elements become words, several lines for each that is read, and most of both is not in the first level.
    fn stores_much(&self) -> bool {
        let longer = self.sizes[DST] > self.sizes[SRC] && self.sizes[DST] >= WORD;
        longer && self.terms.demand.bytes >= self.target.l1.saturating_mul(BEYOND_L1)
    }

    /// As much ahead of a tile as memory has under way.
    fn fetch_tiles(&self, takes: &[usize], steps: &[Step], stores: &Stores) -> Option<isize> {
        let (target, size) = (self.target, self.sizes[SRC]);
        let narrows = self.narrows();
        let rows = Rows::of(self, takes, SRC);
        let streams = usize::from(target.memory.streams);
        // What comes to the first level has to be read soon.
        let near = target.memory.asks_near();
        // There it drives out neither itself nor what the tile reads meanwhile.
        let has_room = || match near {
            true => !rows.crowded(self, 2 * self.rows_of_elements(takes, SRC), 0),
            false => !rows.crowd(self, 1, 0),
        };
        let worth = match stores {
            Stores::Keep { ahead: 0, .. } => {
                let parts = narrows && !self.copies() && !target.memory.asks_near();
                parts && self.is_far() && self.by_turns(takes, steps, SRC).unwrap_or(1) > streams
            }
            _ if self.is_far() => narrows || has_room(),
            _ if narrows => 2 * rows.pages(1) >= streams && has_room(),
            _ if self.stores_much() && rows.count == 1 => near,
            _ => rows.pages(1) >= streams && has_room(),
        };
        let [row, rows] = [target.memory.flight, target.memory.flight_rows].map(usize::from);
        let pieces = near && self.run(takes, SRC) * size < target.tier.vector();
        if !worth || pieces || row == 0 || self.fills || !self.folds.is_empty() {
            return None;
        }
        let room = if near { target.l1 / 2 } else { target.l2 / PART };
        let mut elsewhere = None;
        // What a tile reads, and then what all of it does that is inside of a step.
        let mut inside = self.bytes_read(takes);
        for (k, step) in steps.iter().enumerate().rev() {
            let times = (self.extent_of(steps, k) / step.by).max(1);
            let stride = self.stride(step.index, SRC).saturating_mul(step.by as isize);
            let on = stride.unsigned_abs() == inside;
            // Of one row of several no more than half of what is asked for of one.
            let each = || (row / 2).saturating_mul(inside) / stride.unsigned_abs().max(1);
            let most = if on || near { row } else { rows.min(each()) };
            let ahead = (most / inside).max(1);
            if times >= PAST * ahead && stride != 0 && self.plain(step.index) {
                // Those of several loops are not foreseen to drive each other out by how far apart they are.
                let mut both = self.apart(takes);
                both.push((stride, 2));
                if both.len() > 2 && self.drives_out(&both, 1) {
                    return None;
                }
                let far = stride.saturating_mul(ahead as isize);
                // What waits a level further off may wait for all of a block that comes behind this one.
                if near || on {
                    return Some(far);
                }
                elsewhere = Some(far);
            }
            inside = inside.saturating_mul(times);
            if inside > room {
                break;
            }
        }
        elsewhere
    }

    /// How far ahead tiles ask where rows of the destination come together: of long rows those lines that come with the
    /// next rows, which are a long way off; of one row at once those of the next tile.
    fn fetch_carried(
        &self,
        takes: &[usize],
        carry: &Carry,
        steps: &[Step],
        even: bool,
        there: bool,
    ) -> Option<isize> {
        let along = steps[carry.step].index;
        let blocked = steps[..carry.step].iter().any(|step| step.index == along);
        let step = match steps.last() {
            Some(last) if carry.rows == 1 => {
                // Past the end of a block too: without that bytes of 75 channels are slower.
                let times = self.loops[last.index].extent / last.by;
                Some(last).filter(|_| times >= SWEEP)?
            }
            // Rows by turns are in the second level by then.
            _ if there => return None,
            Some(_) if carry.inside > carry.step + 1 => {
                let [outer, inner] = [carry.step, carry.inside - 1].map(|k| &steps[k]);
                if self.block_waits(takes, outer.by) { outer } else { inner }
            }
            Some(last) if blocked && !even => {
                steps.iter().find(|step| step.index == last.index).unwrap_or(last)
            }
            _ => return None,
        };
        Some(self.stride(step.index, SRC).saturating_mul(step.by as isize))
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Locality, planned};

    /// How far on each nest of a pair asks for lines.
    fn fetched(pair: &str, locality: Locality) -> Vec<isize> {
        fetched_for("spr", pair, locality)
    }

    fn fetched_for(target: &str, pair: &str, locality: Locality) -> Vec<isize> {
        let plan = planned(pair, target.parse().unwrap(), locality);
        let nests = plan.nests();
        nests.filter_map(|nest| Some(nest.tiling.as_ref()?.fetch)).collect()
    }

    /// So many bytes are under way, of one row or of several: here of four parts of one.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn what_is_far_is_asked_for() {
        assert_eq!(fetched("f32:nchw:16x256x56x56 s8:nchw", Locality::Auto), [1024]);
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

    /// One row that becomes words, as most of it is not in the first level.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn what_is_near_where_much_is_stored() {
        for (target, pair, on) in [
            ("spr", "u8:nchw:1x64x56x56 f32:nchw", 2048),
            ("spr", "bf16:nchw:1x64x56x56 f32:nchw", 2048),
            ("spr", "u8:nhwc:1x3x224x224 f32:nchw", 1920),
            ("spr:avx2", "u8:nchw:1x64x56x56 f32:nchw", 2048),
            ("spr", "u8:nchw:1x64x56x56 bf16:nchw", 0),
            ("spr", "f32:nchw:1x64x56x56 s32:nchw", 0),
            ("spr", "u8:nchw:1x16x32x32 f32:nchw", 0),
            // Several rows; and where lines are asked for into the second level.
            ("spr", "u8:nchw:1x64x56x56 f32:nhwc", 0),
            ("zen4", "u8:nchw:1x64x56x56 f32:nchw", 0),
        ] {
            assert_eq!(fetched_for(target, pair, Locality::Auto), [on], "{pair} for {target}");
        }
    }

    /// Of whole rows, and of such as are led on.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn rows_apart_are_asked_for_whole_or_not() {
        for pair in ["f32:strides(100,1):1000000x16 ba", "f32:strides(100,1):1000000x17 ba"] {
            let found = fetched(pair, Locality::Keep);
            assert_eq!(found, [12800], "{pair}");
        }
    }

    /// Not what would drive out what it came for.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn rows_in_each_others_way_are_not_asked_for() {
        for pair in ["f32:ab:2048x2048 ba", "bf16:ab:1056x512 ba", "f32:ab:64x4096 s8:ba"] {
            assert_eq!(fetched(pair, Locality::Auto), [0], "{pair}");
        }
        // Of padding there are no rows.
        assert_ne!(fetched("f32:nchw:1x3x224x224 nChw16c", Locality::Auto), [0]);
    }

    /// Nor what is asked for in blocks.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn rows_of_blocks_are_there() {
        assert_eq!(fetched("u8:ab:5000x5000 ba", Locality::Auto), [0]);
    }

    /// Into the second level: a block on where that follows this one, else a few lines of each row, of few rows no more
    /// than memory has under way, and pieces of lines too.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn what_waits_a_level_further_off_is_asked_for_sooner() {
        for (pair, on) in [
            ("f32:nhwc:64x64x56x56 nchw", 64 * 64 * 4 + 31),
            ("f32:nhwc:32x256x56x56 nchw", 64 * 256 * 4 + 31),
            ("u8:nhwc:64x64x112x56 nchw", 256 * 64 + 15),
            ("f32:nchw:32x256x56x56 nhwc", 256 + 63),
            ("f32:nchw:32x256x56x56 nChw16c", 512 + 63),
            ("f32:nchw:32x256x56x56 bf16:nchw", 1024 + 63),
            ("f32:nchw:1x64x56x56 nhwc", 0),
        ] {
            assert_eq!(fetched_for("zen4", pair, Locality::Auto), [on], "{pair}");
        }
    }

    /// Between the second level and memory: where elements become shorter, and more rows are read by turns than are
    /// foreseen.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn what_is_in_the_last_level_where_it_becomes_shorter() {
        for (pair, on) in [
            ("f32:ab:768x2080 bf16:BA16b64a2b", 128 + 63),
            ("f32:ab:768x2048 bf16:BA16b64a2b", 0),
            ("f32:nchw:4x256x40x40 s8:nhwc", 64 + 63),
            ("f32:nchw:3x256x40x40 nhwc", 0),
            ("f32:nchw:4x256x40x40 s8:nChw16c", 0),
            ("f32:nhwc:4x256x40x40 bf16:nChw16c", 0),
            ("f32:nchw:12x256x28x28 s8:nchw", 0),
            ("f32:ab:384x384 bf16:BA16b64a2b", 0),
        ] {
            assert_eq!(fetched_for("zen4", pair, Locality::Auto), [on], "{pair}");
        }
        assert_eq!(fetched_for("spr", "f32:ab:768x2080 bf16:BA16b64a2b", Locality::Keep), [133120]);
        assert_eq!(fetched_for("spr", "f32:ab:1536x2080 bf16:BA16b64a2b", Locality::Keep), [0]);
    }

    /// While rows are copied: to the end of what comes next along them, or of what comes once some thousand bytes were
    /// copied. Not of a part of rows that come together, nor within the caches.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn copies_ask_for_what_is_copied_soon() {
        for (pair, ahead) in [
            ("f32:nchw:32x256x28x28 s8:nhwc", 256 + 63),
            ("f32:nchw:32x256x56x56 s8:nhwc", 256 + 63),
            ("u8:ab:4096x4096 ba", 128 + 63),
            ("u8:ab:4097x4097 ba", 0),
            ("u8:ab:1024x1024 ba", 0),
        ] {
            let plan = planned(pair, "spr".parse().unwrap(), Locality::Auto);
            let stages = plan.nests().filter_map(|nest| nest.tiling.as_ref()?.stage.as_ref());
            let found: Vec<isize> = stages.map(|stage| stage.ahead).collect();
            assert_eq!(found, [ahead], "{pair}");
            assert_eq!(fetched(pair, Locality::Auto), [0], "{pair}");
        }
    }

    /// The line that the next piece ends in: where rows are off lines, this one ends where that begins.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn next_pieces_are_asked_for_to_their_end() {
        for (pair, on) in [
            ("f32:ab:3000x3001 ba", 32 + 31),
            ("bf16:ab:3000x5001 ba", 32 + 31),
            ("u8:ab:5000x5000 ba", 16 + 15),
            ("f32:ab:900x9000 ba", 64 + 63),
        ] {
            assert_eq!(fetched_for("zen4", pair, Locality::Auto), [on], "{pair}");
        }
    }

    /// A block of rows that lie one right behind the other.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn short_rows_are_asked_for_a_block_on() {
        for (pair, on) in [
            ("f32:nhwc:8x57x57x300 nchw", 64 * 57 * 4 + 31),
            ("u8:nhwc:32x100x113x113 nchw", 256 * 100 + 15),
            ("u8:ab:30000x900 ba", 31),
        ] {
            assert_eq!(fetched_for("zen4", pair, Locality::Auto), [on], "{pair}");
        }
    }
}
