//! Even lines and odd ones. In: a tile, and the steps around it, within the caches. Out: how far on in the source its
//! lines are asked for where a whole sweep of rows reads few, whether every other one is asked for a line further, and
//! whether tiles take two lines of each row for one.
//!
//! The second level of some cores serves even lines and odd ones each by a part of its own. Where rows are an even
//! number of lines apart, all that a tile reads is of one kind, and so is all that it asks for, so far on: half of the
//! level waits. With every other row a line ahead of the rest each tile asks for both kinds.

use smallvec::SmallVec;

use crate::plan::order::Step;
use crate::plan::rows::Rows;
use crate::plan::stores::Stores;
use crate::plan::tile::choices::OPS;
use crate::plan::tile::{Converts, Takes};
use crate::plan::view::View;
use crate::problem::{DST, SRC};
use crate::shuffle::{Found, Op, Program};

/// As much of the first level as lines of one sweep may fill while those of the next come: with all that is stored
/// beside them, a sixth of it was faster, a third slower.
const SWEPT: usize = 6;

/// Fewer sweeps than this end before much of what was asked for is read.
const SWEEPS: usize = 8;

/// Rows closer than so many lines have lines of each other between theirs.
const APART: isize = 8;

/// Fewer lines than these take no time to speak of.
const FEW: usize = 4;

impl View<'_> {
    /// How far on the next lines of all rows lie that are read before any of them goes on, in bytes, if there are many
    /// and they have room: within the caches, where each tile reads whole lines.
    pub(super) fn fetch_sweep(
        &self,
        takes: &[usize],
        steps: &[Step],
        stores: &Stores,
    ) -> Option<isize> {
        let (target, line) = (self.target, self.target.line);
        let keeps = matches!(stores, Stores::Keep { ahead: 1.., .. });
        let still = self.fills || !self.folds.is_empty();
        if !target.memory.even_apart || !keeps || still || self.is_far() {
            return None;
        }
        let along = self.next(takes, SRC).filter(|along| self.plain(*along))?;
        let k = steps.iter().rposition(|step| step.index == along)?;
        let piece = self.run(takes, SRC) * self.sizes[SRC];
        let far = self.stride(along, SRC).saturating_mul(steps[k].by as isize);
        let inside = self.inside_of(&steps[..=k]);
        let bytes = self.bytes_read(&inside);
        let whole = far.unsigned_abs() == piece && piece.is_multiple_of(line);
        let many = bytes >= usize::from(target.memory.streams) * piece;
        let room = bytes <= target.l1 / SWEPT && !Rows::of(self, &inside, SRC).crowd(self, 1, line);
        let often = self.loops[along].extent / steps[k].by >= SWEEPS;
        (whole && many && room && often).then_some(far)
    }

    /// Whether every other line of those so far on is asked for a line further: all of them are even, or all odd, and
    /// there is room for more of each row.
    pub(in crate::plan) fn evenly(&self, takes: &[usize], program: &Program, fetch: isize) -> bool {
        let room = || !Rows::of(self, takes, SRC).crowd(self, 1, 2 * self.target.line);
        fetch != 0 && !self.is_far() && room() && self.is_one_kind(program)
    }

    /// More of what a tile takes, and its sequence, where it takes one line of each row, all of them even or all odd:
    /// two of each. Not where its lines are asked for ahead, as they are where rows are few or far apart.
    pub(in crate::plan) fn both_kinds(
        &self,
        takes: &[usize],
        inside: &Found,
    ) -> Option<(Takes, Found)> {
        let line = self.target.line;
        let alike = self.converts != Converts::Loads && self.sizes[SRC] == self.sizes[DST];
        if !alike || self.is_far() || self.fills || !self.folds.is_empty() {
            return None;
        }
        // Tasks do not cut tiles, and of parts that go on by turns a tile has one.
        let along = self.next(takes, SRC).filter(|along| {
            let whole = self.has_blocks(*along, 2 * takes[*along]);
            self.plain(*along) && whole && self.terms.turns != Some(*along)
        })?;
        let run = self.run(takes, SRC);
        if run * self.sizes[SRC] != line {
            return None;
        }
        let rows = Rows::of(self, takes, SRC);
        let own = |l: &usize| *l != along && !self.stands_still(*l, SRC);
        let others = { 0..takes.len() }.filter(own).map(|l| self.loops[l].extent);
        let all = others.fold(line, usize::saturating_mul) / (run / takes[along]);
        let asked = rows.pages(1) >= usize::from(self.target.memory.streams);
        let few = all <= self.target.l1 / SWEPT || self.loops[along].extent < 4 * takes[along];
        if asked || few || !self.is_one_kind(&inside.program) {
            return None;
        }
        let mut takes: Takes = takes.into();
        takes[along] *= 2;
        // Twice as many rows are stored by turns.
        let stored = Rows::of(self, &takes, DST);
        if !stored.on_lines(line) || stored.crowd(self, 1, line) {
            return None;
        }
        let inside = self.sequence(&takes);
        (inside.cost().ops <= self.terms.ops.min(OPS)).then_some((takes, inside))
    }

    /// Whether the lines that a sequence reads are all even or all odd, and far from one another.
    fn is_one_kind(&self, program: &Program) -> bool {
        if !self.target.memory.even_apart {
            return false;
        }
        let (size, line) = (self.sizes[SRC] as isize, self.target.line);
        let loaded = |op: &Op| match *op {
            Op::Load { at, count, .. } | Op::Repeat { at, count } => Some((at, isize::from(count))),
            _ => None,
        };
        let pieces = program.lines.iter().filter_map(|line| loaded(&line.op));
        let lines_of = |(at, count): (isize, isize)| {
            (0..count * size).step_by(line).map(move |on| at.saturating_add(on))
        };
        let mut lines: SmallVec<[isize; 64]> =
            pieces.flat_map(lines_of).map(|at| at.div_euclid(line as isize)).collect();
        lines.sort_unstable();
        lines.dedup();
        let odd = lines.iter().filter(|line| **line % 2 != 0).count();
        let few = odd.min(lines.len() - odd);
        let apart = lines.windows(2).all(|two| two[1] - two[0] >= APART);
        lines.len() >= FEW && few * 4 < lines.len() && apart
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Locality, planned};

    /// What the first tile of a pair's nest takes, how far on it asks for lines, and whether evenly.
    fn chosen(target: &str, pair: &str) -> (Vec<usize>, isize, bool) {
        let plan = planned(pair, target.parse().unwrap(), Locality::Auto);
        let tiling = plan.nests().find_map(|nest| nest.tiling.as_ref()).unwrap();
        (tiling.takes.to_vec(), tiling.fetch, tiling.evenly)
    }

    /// Rows an even number of lines apart ask for two kinds of lines, all others as they come.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn sweeps_of_few_rows_are_asked_for() {
        for (pair, found) in [
            ("f32:abc:1x64x3136 acb", (64, true)),
            ("f32:abc:1x64x3152 acb", (64, false)),
            ("f32:abc:1x128x1600 acb", (64, true)),
            ("f32:abc:1x64x3136 s8:acb", (64, true)),
            ("f32:abc:1x64x3152 s8:acb", (64, false)),
            // Too few to be more than are foreseen, in each other's places, or too many.
            ("f32:abc:1x16x3136 acb", (0, false)),
            ("f32:abc:1x128x1024 acb", (0, false)),
            ("f32:abc:1x256x784 acb", (0, false)),
        ] {
            let (_, fetch, evenly) = chosen("spr", pair);
            assert_eq!((fetch, evenly), found, "{pair}");
        }
        assert!(!chosen("icelake", "f32:abc:1x64x3136 s8:acb").2);
    }

    /// Not where rows of the destination are off lines, or in each other's places; nor beyond the second level.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn many_rows_are_read_by_two_lines() {
        for (pair, takes) in [
            ("f32:ab:384x384 ba", [32, 16]),
            ("f32:strides(400,1):384x384 ba", [16, 16]),
            ("f64:ab:256x256 ba", [16, 8]),
            ("f32:nhwc:1x128x40x40 nchw", [32, 16]),
            ("f32:ab:400x384 ba", [32, 16]),
            ("f32:ab:389x384 ba", [16, 16]),
            ("f32:ab:512x320 ba", [16, 16]),
            ("f32:ab:1056x1056 ba", [16, 16]),
        ] {
            assert_eq!(chosen("spr", pair).0, takes, "{pair}");
        }
        assert_eq!(chosen("zen4", "f32:ab:384x384 ba").0, [16, 16]);
    }
}
