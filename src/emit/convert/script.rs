//! What is done at each line of a sequence that converts. In: its operations. Out: loads that make up one register
//! together, and stores of what was loaded just so.

use smallvec::SmallVec;

use super::super::moves::Moves;
use super::windows::Spread;
use super::{Convert, PASSED};
use crate::shuffle::{Line, NONE, Op, Program, Reg};

/// What a line does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Deed {
    /// As it says.
    Plain,
    /// Another line does it.
    Nothing,
    /// Loads and converts pieces of its register; whether the other lanes are kept.
    Load(SmallVec<[Piece; 4]>, bool),
    /// Loads and converts a piece whose elements are repeated.
    Repeat(Piece),
    /// Loads windows, into registers from the first on.
    Windows(SmallVec<[isize; 4]>),
    /// Converts and stores.
    Store(Piece, Source),
}

/// Elements in a row, the line that they belong to, and their lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Piece {
    pub(in super::super) line: usize,
    pub(in super::super) at: isize,
    pub(in super::super) place: u8,
    pub(in super::super) count: u8,
}

/// Where the lanes of a store come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Source {
    /// A register, and the line in whose slot it is, if it has to be in one: that which is stored, or one before; and
    /// whether nothing reads it afterwards.
    Register { register: Reg, slot: usize, last: bool },
    /// Windows, each unit's elements spread over one.
    Windows([Spread; 4]),
    /// The source, from where each unit's first lane would lie on.
    Runs([isize; 4]),
    /// The source, from where lane 0 would lie on.
    Memory(isize),
    /// Nowhere: all are padding.
    Blank,
}

impl Convert {
    /// What each line does, where registers have no more than so many bytes.
    pub(in super::super) fn script(&self, moves: &Moves<'_>, most: usize) -> Vec<Deed> {
        match self.loads {
            true => loads(&moves.program),
            false => {
                let units = self.straight(moves, most).or_else(|| self.windowed(moves));
                units.unwrap_or_else(|| self.stores(moves))
            }
        }
    }

    /// Stores, each from where its elements were last.
    fn stores(&self, moves: &Moves<'_>) -> Vec<Deed> {
        let lines = &moves.program.lines;
        let size = self.from.size() as isize;
        // The line that each register was loaded by, if that is all that it holds.
        let mut loaded = [None; 32];
        // The last one in whose slot it is.
        let mut passed: [Option<usize>; 32] = [None; 32];
        let mut read = vec![false; lines.len()];
        let mut script = vec![Deed::Plain; lines.len()];
        let last = last_reads(lines);
        // What units fill as it is needs no way round.
        let passes =
            self.bytewise.is_none() && size < self.from.size().max(self.to.size()).max(4) as isize;
        for (number, line) in lines.iter().enumerate() {
            if let Op::Store { a, at, place, count, .. } = line.op {
                let piece = Piece { line: number, at, place, count };
                let known = (a != NONE).then(|| loaded[a as usize]).flatten().filter(|_| passes);
                let within = known.filter(|&known: &usize| match lines[known].op {
                    Op::Load { place: own, count: all, .. } => {
                        own <= place && place + count <= own + all
                    }
                    _ => false,
                });
                let source = match (a, within.map(|known| lines[known].op)) {
                    (NONE, _) => Source::Blank,
                    (_, Some(Op::Load { at, place, .. })) => {
                        Source::Memory(at - isize::from(place) * size)
                    }
                    _ => {
                        if let Some(known) = known {
                            read[known] = true;
                        }
                        let there =
                            passed[a as usize].filter(|&slot| number - slot < PASSED.into());
                        let slot = there.unwrap_or(number);
                        passed[a as usize] = Some(slot);
                        Source::Register { register: a, slot, last: last[number] }
                    }
                };
                script[number] = Deed::Store(piece, source);
                continue;
            }
            for register in line.op.reads() {
                if let Some(known) = (register != NONE).then(|| loaded[register as usize]).flatten()
                {
                    read[known] = true;
                }
            }
            if line.to != NONE {
                let plain = matches!(line.op, Op::Load { keep: NONE, .. });
                (loaded[line.to as usize], passed[line.to as usize]) =
                    (plain.then_some(number), None);
            }
        }
        for (number, line) in lines.iter().enumerate() {
            let idle = passes && matches!(line.op, Op::Load { keep: NONE, .. }) && !read[number];
            if idle {
                script[number] = Deed::Nothing;
            }
        }
        script
    }
}

/// Which lines are the last to read their registers, as these are.
fn last_reads(lines: &[Line]) -> Vec<bool> {
    let mut wanted = 0u32;
    let bit = |register: Reg| if register == NONE { 0 } else { 1u32 << register };
    let mut last: Vec<bool> = (lines.iter().rev())
        .map(|line| {
            let reads = line.op.reads().into_iter().fold(0, |all, register| all | bit(register));
            wanted &= !bit(line.to);
            let last = wanted & reads == 0;
            wanted |= reads;
            last
        })
        .collect();
    last.reverse();
    last
}

/// Loads; those that fill one register piece by piece are one, done where the last of them stands.
pub(super) fn loads(program: &Program) -> Vec<Deed> {
    let lines = &program.lines;
    let mut script = vec![Deed::Plain; lines.len()];
    for (number, line) in lines.iter().enumerate() {
        match line.op {
            Op::Repeat { at, count } => {
                script[number] = Deed::Repeat(Piece { line: number, at, place: 0, count });
            }
            Op::Load { at, place, count, keep } => {
                let piece = Piece { line: number, at, place, count };
                let before = lines[..number].iter().rposition(|before| {
                    before.to == line.to || before.op.reads().contains(&line.to)
                });
                let chain = before.filter(|_| keep != NONE).map(|before| &mut script[before]);
                let earlier = match chain {
                    Some(chain @ Deed::Load(..)) => Some(std::mem::replace(chain, Deed::Nothing)),
                    _ => None,
                };
                script[number] = match earlier {
                    Some(Deed::Load(mut pieces, keeps)) => {
                        pieces.push(piece);
                        Deed::Load(pieces, keeps)
                    }
                    _ => Deed::Load(SmallVec::from_iter([piece]), keep != NONE),
                };
            }
            _ => {}
        }
    }
    script
}
