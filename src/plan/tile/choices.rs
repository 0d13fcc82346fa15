//! Choices. In: the loops of a nest. Out: how much of each a tile may take, to be weighed.

use smallvec::SmallVec;

use super::{Converts, Takes};
use crate::layout::gcd;
use crate::plan::boxes::listed::SHORT;
use crate::plan::order::common;
use crate::plan::rows::PAGE;
use crate::plan::stores::BLOCK;
use crate::plan::view::View;
use crate::problem::{DST, SRC};

/// What tiles may take, the most first, of which the first is taken whose sequence is not too long.
pub(super) struct Group {
    pub(super) takes: SmallVec<[Takes; 4]>,
    /// Of no more positions they are put together from whole registers.
    pub(super) merged: usize,
    /// Operations of a sequence that is not too long.
    pub(super) ops: u32,
    /// Whether tiles have many rows of the destination, written by turns.
    pub(super) rows: bool,
}

impl Group {
    pub(super) fn of(takes: SmallVec<[Takes; 4]>) -> Group {
        Group { takes, merged: MERGED, ops: OPS, rows: false }
    }

    /// Of one choice.
    pub(super) fn single(takes: Takes) -> Group {
        Group::of(SmallVec::from_iter([takes]))
    }
}

/// Sequences longer than this are code that is better rolled up.
pub(in crate::plan) const OPS: u32 = 320;

/// The longest of joined runs: no shorter sequence stores as much of each row.
pub(super) const OPS_JOINED: u32 = 640;

/// So many lines of a row are copied at once.
const COPIED: usize = 4;

/// No more positions than this go into a tile.
pub(super) const POSITIONS: usize = 4096;

/// No more are put together from whole registers, which takes long to find, where there is another way.
pub(super) const MERGED: usize = 192;

/// No more go into a tile whose rows are whole lines or registers of other extents than powers of two, where lanes can
/// be masked. Where not, [`MERGED`] holds for these too: how to gather them takes longest to find there.
const WHOLE: usize = 640;

impl View<'_> {
    /// The most positions of a tile of such rows.
    pub(super) fn whole(&self) -> usize {
        if self.target.tier.masks() { WHOLE } else { MERGED }
    }

    /// What a tile may take, in groups: of each the first whose sequence is not too long.
    pub(super) fn choices(&self) -> SmallVec<[Group; 2]> {
        let lane = self.lane();
        let vector = (self.target.tier.vector() / lane).max(1);
        let line = (self.target.line / lane).max(vector);
        let (dst, src) = (self.chain(DST), self.chain(SRC));
        // Where rows of the destination are one element each, there are no rows of the source to take, but what of them
        // is converted at once.
        let repeats = dst.first().is_some_and(|&l| self.stride(l, SRC) == 0);
        let (run, block) = match self.converts {
            Converts::Loads if repeats => [usize::from(self.change.unit).max(1); 2].into(),
            _ if repeats => (1, 1),
            _ => (vector, (BLOCK / lane).max(1)),
        };
        // Rows that are rows on both sides are copied, several lines of them at once.
        // Of short ones that takes many rows of the source, which is worth it where they are near.
        let alike = !dst.is_empty() && dst.first() == src.first();
        let copies = alike && (self.copies() || !self.is_far());
        let far = if copies { COPIED * line } else { line };
        let read_on = copies && self.reads_on(line);
        let group = |whole: bool| {
            let mut choices: SmallVec<[Takes; 4]> = SmallVec::new();
            // Whole lines and runs where that is not too much, else registers and blocks, and of a
            // table its own steps alone.
            for (across, along, beside) in [
                (far, run, true),
                (line, run, true),
                (line, block, true),
                (vector, run, true),
                (vector, block, true),
                (vector, block, false),
            ] {
                let mut takes = self.least();
                if read_on {
                    self.take(&mut takes, src, across, false);
                    self.take(&mut takes, dst, across.min(line), whole);
                } else {
                    self.take(&mut takes, dst, across, whole);
                    self.take(&mut takes, src, along, false);
                }
                self.take_tables(&mut takes, vector, beside);
                let most = if whole { self.whole() } else { POSITIONS };
                if takes.iter().product::<usize>() <= most && !choices.contains(&takes) {
                    choices.push(takes);
                }
            }
            choices
        };
        let mut bits = group(false);
        if bits.is_empty() {
            bits.push(self.least());
        }
        let joined = self.joined_runs([run, block]);
        // Joined runs leave nothing to be put together from whole registers.
        let merged = if joined.is_some() { MERGED } else { self.whole() };
        let whole = Some(group(true)).filter(|whole| *whole != bits && !whole.is_empty());
        let mut groups: SmallVec<[Group; 2]> = SmallVec::from_iter([Group::of(bits)]);
        groups.extend(whole.map(|takes| Group { merged, ..Group::of(takes) }));
        groups.extend(joined);
        groups.extend(self.units(vector));
        groups.extend(self.joined_rows(line));
        groups
    }

    /// Short runs that both sides have, of no power of two, as units that change places: as many on either side as a
    /// register has room for, each with what is left to the next power of two.
    fn units(&self, vector: usize) -> Option<Group> {
        let runs = common(self);
        let unit: usize = runs.iter().map(|&l| self.loops[l].extent).product();
        let room = vector / unit.next_power_of_two();
        let [src, dst] = [SRC, DST].map(|side| self.chain(side).get(runs.len()).copied());
        let (src, dst) = (src?, dst?);
        if unit.is_power_of_two() || room < 4 || src == dst {
            return None;
        }
        let mut takes = self.least();
        runs.iter().for_each(|&l| takes[l] = self.loops[l].extent);
        for l in [src, dst] {
            self.take(&mut takes, &[l], room, false);
        }
        Some(Group::single(takes))
    }

    /// Whether tiles of short runs take what lies on in the source, of which the machine foresees little otherwise, and
    /// leave no parts of lines.
    fn reads_on(&self, line: usize) -> bool {
        let runs = common(self);
        let run: usize = runs.iter().map(|&l| self.loops[l].extent).product();
        let even = run.is_multiple_of(line) || line.is_multiple_of(run);
        let next = self.chain(DST)[runs.len()..].first();
        let apart = next.map_or(0, |&l| self.stride(l, SRC).unsigned_abs());
        self.target.memory.reads_on && even && (self.is_beyond() || apart >= PAGE)
    }

    /// Takes of contiguous loops what makes so many lanes; with `whole`, a multiple of them.
    pub(super) fn take(&self, takes: &mut Takes, chain: &[usize], lanes: usize, whole: bool) {
        let mut have = 1;
        for &l in chain {
            let extent = self.loops[l].extent;
            let more = match whole {
                true => lanes / gcd(have as isize, lanes as isize).unsigned_abs(),
                false => lanes.div_ceil(have).next_power_of_two(),
            };
            if more <= 1 {
                return;
            }
            let mut taken = self.folds.most(takes, l, takes[l].max(extent.min(more)));
            if let Some(shared) = self.shared_at(l) {
                // Tasks do not cut tiles.
                taken = gcd(shared.granule as isize, taken as isize).unsigned_abs();
            }
            takes[l] = taken;
            have *= taken;
            // A part of a loop ends the run; so does what is no power of two, where lanes are bits, and a long row.
            let long = self.is_listed(l) && extent > SHORT;
            if takes[l] < extent || long || !(whole || extent.is_power_of_two()) || have > 4 * lanes
            {
                return;
            }
        }
    }

    /// A table is short steps between runs: all of it, and of the loop beside it what fills registers.
    fn take_tables(&self, takes: &mut Takes, vector: usize, beside: bool) {
        let is_table = |l: &usize| {
            let node = &self.loops[*l];
            let fixed = !node.folds.is_empty() || self.is_shared(*l) || self.is_listed(*l);
            node.table.is_some() && !fixed
        };
        let Some(table) = (0..self.loops.len()).find(is_table) else { return };
        let extent = self.loops[table].extent;
        let taken: usize = takes.iter().product();
        let beside = (0..self.loops.len())
            .filter(|&l| beside && self.plain(l) && !self.is_shared(l) && takes[l] == 1)
            .filter(|&l| !self.limited(l))
            .filter(|&l| self.stride(l, DST) > 0)
            .min_by_key(|&l| self.stride(l, DST));
        if extent * taken > POSITIONS / 8 {
            return;
        }
        takes[table] = extent;
        if let Some(l) = beside {
            let run = self.stride(l, DST) as usize / self.sizes[DST];
            takes[l] = (vector / run.max(1)).clamp(1, self.loops[l].extent);
        }
    }
}
