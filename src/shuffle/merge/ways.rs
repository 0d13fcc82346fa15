//! Rows from whole registers. In: rows, and which way to go. Out: operations.

use smallvec::SmallVec;

use super::halves::{Half, Halves};
use super::packs::{Loaded, Pack};
use super::rows::{BLANK, Row, Rows};
use super::shares::{Segment, Share, Shares, is_still, overlay};
use super::windows::Window;
use crate::shuffle::cost::Cost;
use crate::shuffle::op::every;
use crate::shuffle::schedule::Draft;
use crate::shuffle::{Movement, NONE, Op, Reg, Table};
use crate::target::Target;

/// How rows come by their elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Each row permutes the registers it needs.
    Each,
    /// Permutations are shared between rows, which blend them.
    Shared,
    /// Registers are blended first, and permuted once a row.
    Blended,
}

/// A register, or several blended into one.
pub(super) struct Layer {
    pub(super) register: Reg,
    /// The lanes that are taken.
    pub(super) taken: u64,
    /// Where they go, and which lanes those are.
    pub(super) from: SmallVec<[u8; 64]>,
    pub(super) mask: u64,
}

/// A permutation of a register that several rows have use for.
struct Common {
    input: (u32, u32),
    from: SmallVec<[u8; 64]>,
    register: Reg,
}

/// More shared permutations than this are not shared by many.
const MANY: usize = 48;

pub(super) struct Writer<'a> {
    pub(super) rows: &'a Rows,
    pub(super) movement: &'a Movement,
    pub(super) target: &'a Target,
    pub(super) draft: Draft,
    pub(super) windowed: Vec<(SmallVec<[Option<Window>; 4]>, Reg)>,
    inputs: Vec<((u32, u32), Reg)>,
    commons: Vec<Common>,
    /// What all rows' stores and the operations so far cost, and of how many lines these are.
    spent: Cost,
    counted: usize,
    /// What it must not cost.
    ceiling: u64,
    /// Rows that are joined, and the registers that have been worked on.
    halves: Option<Halves>,
    worked: SmallVec<[(u32, Reg); 8]>,
}

impl Writer<'_> {
    /// All rows, if they are cheaper than `ceiling`.
    pub(super) fn write(
        rows: &Rows,
        shares: &[Shares],
        movement: &Movement,
        target: &Target,
        way: Way,
        ceiling: u64,
    ) -> Option<(Draft, Cost)> {
        let mut writer = Writer {
            rows,
            movement,
            target,
            draft: Draft::new(rows.lane, rows.lanes, movement.change),
            windowed: Vec::new(),
            inputs: Vec::new(),
            commons: Vec::new(),
            spent: rows.stored,
            counted: 0,
            ceiling,
            halves: if way == Way::Shared { Halves::of(rows, shares) } else { None },
            worked: SmallVec::new(),
        };
        // Its permutations alone, before any is written.
        let permutes = match way {
            Way::Each => shares.iter().map(Shares::moved).sum(),
            Way::Shared => writer.gather_commons(shares)?,
            Way::Blended => 0,
        };
        if writer.exceeds(permutes) {
            return None;
        }
        for (number, (row, shares)) in rows.rows.iter().zip(shares).enumerate() {
            let joined = writer.halves.as_ref().and_then(|halves| halves.rows[number]);
            let register = match joined {
                Some(halves) => writer.joined_halves(halves),
                None => writer.row(row, shares, way)?,
            };
            if writer.exceeds(0) {
                return None;
            }
            writer.draft.store(row.store(register));
        }
        Some((writer.draft, writer.spent))
    }

    /// Whether it costs too much, with so many more permutations.
    pub(super) fn exceeds(&mut self, permutes: u32) -> bool {
        for number in self.counted..self.draft.lines.len() {
            let op = &self.draft.lines[number].op;
            if !matches!(op, Op::Store { .. }) {
                let Rows { lane, lanes, .. } = *self.rows;
                self.spent.add(op, 1, lane, lane * lanes, self.target);
            }
        }
        self.counted = self.draft.lines.len();
        let mut cost = self.spent;
        cost.counts.shuffles += permutes;
        cost.cycles(self.target) >= self.ceiling
    }

    /// A row's register, unless it costs too much.
    fn row(&mut self, row: &Row, shares: &Shares, way: Way) -> Option<Reg> {
        if let Some(register) = self.repeated(row) {
            return Some(register);
        }
        let shares = match shares {
            Shares::Loaded(segments) => return Some(self.loaded(segments)),
            Shares::Windowed(_) => return self.windows(row, way == Way::Blended),
            Shares::Permuted(shares) => shares,
        };
        Some(match way {
            Way::Each => {
                let mut register = NONE;
                for share in shares {
                    let input = self.input(share.input);
                    register = self.add(register, input, &share.from, share.mask);
                }
                register
            }
            Way::Shared => self.shared(shares),
            Way::Blended => self.blended(shares),
        })
    }

    /// Blended from permutations that others have use for too.
    fn shared(&mut self, shares: &[Share]) -> Reg {
        let mut register = NONE;
        for share in shares {
            let common = self.common(share);
            register = match register {
                NONE => common,
                a => self.draft.push(Op::Blend { a, b: common, mask: share.mask }),
            };
        }
        register
    }

    /// A row joined from halves of registers.
    fn joined_halves(&mut self, halves: [Half; 2]) -> Reg {
        let [a, b] = halves.map(|(number, _)| self.work(number));
        match halves.map(|(_, side)| side) {
            [0, 1] if a == b => a,
            [one, other] => {
                self.draft.push(Op::Blocks { a, b, pick: [one, other, u8::MAX, u8::MAX] })
            }
        }
    }

    /// A register that halves of rows are made in.
    fn work(&mut self, number: u32) -> Reg {
        if let Some((_, register)) = self.worked.iter().find(|known| known.0 == number) {
            return *register;
        }
        let halves = self.halves.as_mut().expect("there are rows that are joined");
        let shares = std::mem::take(&mut halves.work[number as usize].shares);
        let register = self.shared(&shares);
        self.worked.push((number, register));
        register
    }

    /// All lanes the same few elements again and again.
    fn repeated(&mut self, row: &Row) -> Option<Reg> {
        let packed = !self.rows.packs.is_empty();
        let from = self.rows.places(row);
        if packed || from.len() != self.rows.lanes || from[0].0 == BLANK {
            return None;
        }
        let (run, first) = from[0];
        let period = (0..=4).map(|log| 1usize << log).find(|&period| {
            let wanted = |lane: usize| (run, first + (lane % period) as u32);
            (0..from.len()).all(|lane| from[lane] == wanted(lane))
        })?;
        if period * self.rows.lane > 16 || period == self.rows.lanes {
            return None;
        }
        let at = self.rows.place(run, first, self.movement.src_size);
        let load = Op::Repeat { at, count: period as u8 };
        let known = self.draft.lines.iter().find(|line| line.op == load).map(|line| line.to);
        Some(known.unwrap_or_else(|| self.draft.push(load)))
    }

    fn loaded(&mut self, segments: &[Segment]) -> Reg {
        let mut register = NONE;
        for &Segment { place, run, first, count } in segments {
            let at = self.rows.place(run, first, self.movement.src_size);
            register = self.draft.push(Op::Load { at, place, count, keep: register });
        }
        register
    }

    /// A register full of a run.
    fn input(&mut self, input: (u32, u32)) -> Reg {
        if let Some((_, register)) = self.inputs.iter().find(|known| known.0 == input) {
            return *register;
        }
        let (lanes, (run, part)) = (self.rows.lanes, input);
        if let Some(Pack { loads }) = self.rows.packs.get(run as usize) {
            let mut register = NONE;
            for &Loaded { at, place, count, moved } in loads {
                register = match moved.filter(|_| register != NONE) {
                    None => self.draft.push(Op::Load { at, place, count, keep: register }),
                    Some((by, mask)) => {
                        let a = self.draft.push(Op::Load { at, place, count, keep: NONE });
                        let from = |lane: u8| match mask >> lane & 1 {
                            0 => Table::ZERO,
                            _ => lane - by,
                        };
                        let from: SmallVec<[u8; 64]> =
                            (0..self.rows.lanes as u8).map(from).collect();
                        self.permuted(a, &from, mask, register)
                    }
                };
            }
            self.inputs.push((input, register));
            return register;
        }
        let first = part as usize * lanes;
        let count = lanes.min(self.rows.runs[run as usize].1 - first) as u8;
        let at = self.rows.place(run, first as u32, self.movement.src_size);
        let register = self.draft.push(Op::Load { at, place: 0, count, keep: NONE });
        self.inputs.push((input, register));
        register
    }

    /// A register permuted, or itself where nothing moves.
    fn permuted(&mut self, a: Reg, from: &[u8], mask: u64, keep: Reg) -> Reg {
        let grain = self.rows.grain(from, mask);
        let mut table: SmallVec<[u8; 64]> = SmallVec::from_slice(from);
        // Lanes that nobody asks for move with their group, or stay.
        match grain.unwrap_or(1) {
            1 => {
                let lanes = (0u8..).zip(&mut table);
                lanes.for_each(|(lane, at)| *at = if *at == Table::ZERO { lane } else { *at });
            }
            group => {
                for (number, lanes) in table.chunks_exact_mut(group).enumerate() {
                    let known = lanes.iter().position(|at| *at != Table::ZERO);
                    let first = known.map_or(number * group, |known| lanes[known] as usize - known);
                    lanes.iter_mut().zip(first as u8..).for_each(|(lane, at)| *lane = at);
                }
            }
        }
        let table = self.draft.table(Table(table));
        self.draft.push(match grain {
            None => Op::Within { a, table, mask, keep },
            Some(grain) => Op::Permute { a, table, grain: grain as u8, mask, keep },
        })
    }

    /// Lanes of `a` beside those that a register has already.
    fn add(&mut self, register: Reg, a: Reg, from: &[u8], mask: u64) -> Reg {
        let all = every(self.rows.lanes);
        match (register, is_still(from)) {
            (NONE, true) => a,
            (NONE, false) => self.permuted(a, from, all, NONE),
            (register, true) => self.draft.push(Op::Blend { a: register, b: a, mask }),
            (register, false) if self.target.tier.masks() => self.permuted(a, from, mask, register),
            (register, false) => {
                let b = self.permuted(a, from, all, NONE);
                self.draft.push(Op::Blend { a: register, b, mask })
            }
        }
    }

    /// As few permutations of each register as serve all rows, and how many; none where they are too
    /// many to be worth it.
    fn gather_commons(&mut self, rows: &[Shares]) -> Option<u32> {
        let work = self.halves.iter().flat_map(|halves| &halves.work);
        let work = work.flat_map(|work| &work.shares);
        for share in rows.iter().flat_map(Shares::permuted).chain(work) {
            let agrees = |common: &Common| {
                common.input == share.input
                    && (common.from.iter().zip(&share.from))
                        .all(|(a, b)| *a == Table::ZERO || *b == Table::ZERO || a == b)
            };
            match self.commons.iter().position(agrees) {
                Some(common) => {
                    overlay(&mut self.commons[common].from, &share.from);
                }
                None if self.commons.len() == MANY => return None,
                None => self.commons.push(Common {
                    input: share.input,
                    from: share.from.clone(),
                    register: NONE,
                }),
            }
        }
        Some(self.commons.len() as u32)
    }

    /// The permutation that a row shares with others.
    fn common(&mut self, share: &Share) -> Reg {
        let serves = |common: &Common| {
            common.input == share.input
                && (common.from.iter().zip(&share.from)).all(|(a, b)| *b == Table::ZERO || a == b)
        };
        let found = self.commons.iter().position(serves).expect("every share was gathered");
        if self.commons[found].register == NONE {
            let from = std::mem::take(&mut self.commons[found].from);
            let input = self.input(share.input);
            let register = match self.rows.can_permute(&from, u64::MAX, self.target) {
                true => self.add(NONE, input, &from, every(self.rows.lanes)),
                // Together they are more than one permutation can do: each by itself.
                false => {
                    self.commons[found].from = from;
                    return self.add(NONE, input, &share.from, every(self.rows.lanes));
                }
            };
            self.commons[found] = Common { input: share.input, from, register };
        }
        self.commons[found].register
    }

    /// Blends a register into the first whose lanes are apart from its own.
    pub(super) fn blend(&mut self, layers: &mut SmallVec<[Layer; 4]>, layer: Layer) {
        let Some(one) = layers.iter_mut().find(|one| one.taken & layer.taken == 0) else {
            return layers.push(layer);
        };
        let (a, b) = (one.register, layer.register);
        one.register = self.draft.push(Op::Blend { a, b, mask: layer.taken });
        one.taken |= layer.taken;
        one.mask |= layer.mask;
        overlay(&mut one.from, &layer.from);
    }

    /// Registers whose lanes are apart become one before they are permuted.
    fn blended(&mut self, shares: &[Share]) -> Reg {
        let mut layers: SmallVec<[Layer; 4]> = SmallVec::new();
        for share in shares {
            let lanes = share.from.iter().filter(|at| **at != Table::ZERO);
            let taken = lanes.fold(0u64, |mask, at| mask | 1 << at);
            let register = self.input(share.input);
            let (from, mask) = (share.from.clone(), share.mask);
            self.blend(&mut layers, Layer { register, taken, from, mask });
        }
        let mut register = NONE;
        for layer in &layers {
            register = match self.rows.can_permute(&layer.from, layer.mask, self.target) {
                true => self.add(register, layer.register, &layer.from, layer.mask),
                false => {
                    // Blended, the lanes move in smaller groups than one permutation can: as they were.
                    for share in shares.iter().filter(|share| share.mask & layer.mask != 0) {
                        let input = self.input(share.input);
                        register = self.add(register, input, &share.from, share.mask);
                    }
                    register
                }
            };
        }
        register
    }
}
