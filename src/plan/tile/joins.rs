//! Joins. In: the loops of a nest. Out: what tiles may take of loops that are contiguous on one side, as lanes of the
//! same registers, where one of them is no power of two and ends within a register.
//!
//! A register need not be full, and what is over at the end of a loop fills one less. The first way that fills them
//! well is the one to weigh, or the one that fills them best; shorter ones stand in where its sequence is too long.

use std::cmp::Reverse;

use smallvec::SmallVec;

use super::Takes;
use super::choices::{Group, OPS_JOINED, POSITIONS};
use crate::plan::rows::Rows;
use crate::plan::stores::BLOCK;
use crate::plan::view::View;
use crate::problem::{DST, SRC};

/// Of joined runs no more positions go into a tile where fewer would do.
const APT: usize = 1024;

/// Registers that the steps of several loops fill together, so that little of the last is left over.
const MOST_JOINED: usize = 8;

/// Steps leave no more of their last register empty than one of so many parts of what they fill; if none are as good as
/// the first of these, the second will do.
const EMPTY: [usize; 2] = [16, 8];

/// So many parts of a register are all of it, and so many are enough.
const FULL: u128 = 100;
const WELL: u128 = 90;

/// Steps of one more loop are to fill so much more than those before do alone: an eighth.
const FULLER: (u128, u128) = (9, 8);

/// Steps of several loops.
struct Join {
    takes: Takes,
    steps: usize,
    /// Parts of the registers, of [`FULL`] each, that all steps of these loops fill.
    fill: u128,
}

impl View<'_> {
    /// Joined loops of the destination's rows, beside so much of the source's or a block of it.
    pub(super) fn joined_runs(&self, [run, block]: [usize; 2]) -> Option<Group> {
        // Pieces of the source's lines rather than all, where that is too much at once; but not such as drive each
        // other out before the next are taken.
        let apt = |group: &Group| group.takes[0].iter().product::<usize>() <= APT;
        let runs = self.joined(DST, run);
        let pieces = match runs.as_ref().is_some_and(apt) {
            true => None,
            false => self.joined(DST, block),
        };
        let pieces = pieces.filter(|group| self.again_in(&group.takes[0]) == 0);
        pieces.or(runs)
    }

    /// Joined loops of the source's rows, beside a line of the destination's. Lines of as many rows of the destination
    /// come in time where they are near and have room beside each other.
    pub(super) fn joined_rows(&self, line: usize) -> Option<Group> {
        let group = self.joined(SRC, line).filter(|_| !self.is_far())?;
        let crowd = Rows::of(self, &group.takes[0], DST).crowd(self, 1, 0);
        (!crowd).then_some(Group { rows: true, ..group })
    }

    /// The steps of several loops on one side, beside so many of the other's.
    fn joined(&self, side: usize, beside: usize) -> Option<Group> {
        let mut all = self.joins(side);
        all.retain(|join| {
            self.take(&mut join.takes, self.chain(1 - side), beside, false);
            join.takes.iter().product::<usize>() <= POSITIONS
        });
        let best = all.iter().map(|join| join.fill).max()?;
        let at = all.iter().position(|join| join.fill >= best.min(WELL))?;
        let first = all.remove(at);
        all.retain(|join| join.steps < first.steps);
        all.sort_by_key(|join| Reverse(join.steps));
        let takes = [first].into_iter().chain(all).map(|join| join.takes);
        Some(Group { ops: OPS_JOINED, ..Group::of(takes.collect()) })
    }

    /// All ways, in the order of the loops.
    fn joins(&self, side: usize) -> SmallVec<[Join; 4]> {
        // Without masks registers are stored in parts of their lanes, so that these have to be full.
        let masks = self.target.tier.masks();
        let bytes = if masks { self.target.tier.vector() } else { BLOCK };
        let lanes = (bytes / self.lane()).max(1);
        let mut takes = self.least();
        let (mut have, mut alone) = (1, None);
        let mut joins = SmallVec::new();
        for &l in self.chain(side) {
            let extent = self.loops[l].extent;
            let fixed = !self.loops[l].is_plain() || self.is_shared(l);
            let most = extent.min(MOST_JOINED * lanes / have);
            if fixed || self.chain(1 - side).first() == Some(&l) {
                break;
            }
            if let Some(alone) = alone {
                let full = |n: usize, parts: usize| {
                    let empty = (have * n).next_multiple_of(lanes) - have * n;
                    if masks { empty * parts <= have * n } else { empty == 0 }
                };
                let first = |parts| (1..=most).find(|&n| full(n, parts));
                let whole = Some(extent).filter(|&n| masks && n <= most);
                let [fuller, full] = EMPTY.map(first);
                for n in [fuller, full.filter(|_| full != fuller), whole].into_iter().flatten() {
                    let fill = if masks { fill(have, n, extent, lanes) } else { FULL };
                    if fill * FULLER.1 >= alone * FULLER.0 {
                        takes[l] = n;
                        joins.push(Join { takes: takes.clone(), steps: have * n, fill });
                    }
                }
            }
            if most < extent {
                break;
            }
            takes[l] = extent;
            have *= extent;
            if !extent.is_power_of_two() {
                let own = if masks { fill(1, have, have, lanes) } else { 0 };
                alone = alone.or(Some(own));
            }
        }
        joins
    }
}

/// How full registers of so many lanes are by `have` lanes for each of so many steps, `n` of them at a time.
fn fill(have: usize, n: usize, extent: usize, lanes: usize) -> u128 {
    let registers = |n: usize| (have * n).div_ceil(lanes) as u128;
    let all = (extent / n) as u128 * registers(n) + registers(extent % n);
    (have as u128 * extent as u128 * FULL) / (all * lanes as u128)
}

#[cfg(test)]
mod tests {
    use super::fill;
    use crate::plan::{Locality, planned};

    /// What the first tile of a pair takes, and by which candidate.
    fn taken(target: &str, pair: &str) -> (Vec<usize>, &'static str) {
        let plan = planned(pair, target.parse().unwrap(), Locality::Auto);
        let tiling = plan.nests().next().and_then(|nest| nest.tiling.clone()).unwrap();
        let mut takes: Vec<usize> = tiling.takes.into_iter().filter(|take| *take > 1).collect();
        takes.sort_unstable();
        (takes, tiling.tiles[0].found.candidates[0].name)
    }

    #[test]
    fn what_is_over_fills_less() {
        for (have, n, extent, lanes, expected) in [
            (9, 7, 70, 64, 98),
            (9, 7, 8, 64, 56),
            (20, 4, 192, 16, 100),
            (6, 5, 7, 16, 87),
            (1, usize::MAX >> 8, usize::MAX >> 8, 64, 99),
        ] {
            assert_eq!(fill(have, n, extent, lanes), expected, "{have} {n} {extent} {lanes}");
        }
    }

    /// Steps of two loops that fill a register, or most of one.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn runs_of_several_loops_are_joined() {
        for (target, pair, takes, name) in [
            ("spr", "s8:hwio:128x128x3x3 oihw", [7, 9, 16], "joined runs"),
            ("spr", "bf16:hwio:64x64x3x3 oihw", [7, 8, 9], "joined runs"),
            ("spr", "f32:hwio:64x64x3x3 oihw", [7, 9, 16], "16-byte pieces, joined"),
            ("spr", "s8:oihw:200x200x3x3 hwio", [7, 9, 64], "16-byte pieces, joined"),
            ("zen5", "s8:hwio:128x128x3x3 oihw", [7, 9, 16], "joined runs"),
        ] {
            assert_eq!(taken(target, pair), (takes.to_vec(), name), "{pair} for {target}");
        }
        // Powers of two are bits as they are; what is far is not stored to so many rows.
        for pair in ["s8:hwio:128x128x4x2 oihw", "s8:oihw:1024x1024x3x3 hwio"] {
            let (_, name) = taken("spr", pair);
            assert!(!name.contains("joined"), "{pair}: {name}");
        }
    }

    /// Where two loops leave much of a register empty, or of what is over at the end, a third one goes in, or none
    /// does; where all of them are too long for that, less has to do.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn as_many_loops_as_fill_registers() {
        for (pair, expected) in [
            // 5 x 6 of a register of 32; 5 x 5 of one of 64, so 5 of these.
            ("bf16:abcd:5x6x24x256 dcba", &[5, 6, 32][..]),
            ("u8:abcd:5x5x512x12 dcba", &[5, 5, 5, 12]),
            // 42 of 48 lanes, by five of the 7: three times all of them are 126 of 128.
            ("f32:abcd:6x7x256x9 dcba", &[3, 6, 7, 9]),
            // 20 x 16 are five registers, and too many with them.
            ("u8:abc:20x512x64 cba", &[3, 20, 64]),
        ] {
            let (takes, name) = taken("spr", pair);
            assert!(takes == expected && name.contains("joined"), "{pair}: {takes:?} by {name}");
        }
        // Twice 56 leave as much empty as 56 do.
        assert_eq!(taken("spr", "u8:abcde:56x2x9x4x48 edcba").0, [16, 56]);
        // 20 rows 2 KiB apart.
        let (_, name) = taken("spr", "f32:abcde:8x64x3x4x5 edcba");
        assert!(!name.contains("joined"), "{name}");
    }
}
