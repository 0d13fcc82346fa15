//! Rows from whole registers. In: rows, and which way to go. Out: operations.

use smallvec::SmallVec;

use super::rows::{BLANK, Row, Rows};
use super::windows::Window;
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

/// What a row takes of one register: for each lane the lane it comes from, or [`Table::ZERO`].
struct Share {
    /// The run, and which of its registers.
    input: (u32, u32),
    from: SmallVec<[u8; 64]>,
    mask: u64,
}

/// Lanes of a row that lie in the source as they do here.
struct Segment {
    place: u8,
    run: u32,
    first: u32,
    count: u8,
}

/// Registers blended into one.
struct Layer {
    register: Reg,
    /// The lanes that are taken.
    taken: u64,
    /// Where they go, and which lanes those are.
    from: SmallVec<[u8; 64]>,
    mask: u64,
}

/// A permutation of a register that several rows have use for.
struct Common {
    input: (u32, u32),
    from: SmallVec<[u8; 64]>,
    register: Reg,
}

pub(super) struct Writer<'a> {
    pub(super) rows: &'a Rows,
    pub(super) movement: &'a Movement,
    pub(super) target: &'a Target,
    pub(super) draft: Draft,
    pub(super) windowed: Vec<(SmallVec<[Option<Window>; 4]>, Reg)>,
    inputs: Vec<((u32, u32), Reg)>,
    commons: Vec<Common>,
    /// Whether any row went this way and no other.
    differs: bool,
}

impl Writer<'_> {
    pub(super) fn write(
        rows: &Rows,
        movement: &Movement,
        target: &Target,
        way: Way,
    ) -> (Draft, bool) {
        let mut writer = Writer {
            rows,
            movement,
            target,
            draft: Draft::new(rows.lane, rows.lanes),
            windowed: Vec::new(),
            inputs: Vec::new(),
            commons: Vec::new(),
            differs: false,
        };
        if way == Way::Shared {
            writer.gather_commons();
        }
        for row in &rows.rows {
            let register = writer.row(row, way);
            let blank = row.from.iter().enumerate().filter(|(_, from)| from.0 == BLANK);
            let blank = blank.fold(0u64, |mask, (lane, _)| mask | 1 << lane);
            let count = row.from.len() as u8;
            writer.draft.store(Op::Store { a: register, at: row.at, place: 0, count, blank });
        }
        (writer.draft, writer.differs)
    }

    fn row(&mut self, row: &Row, way: Way) -> Reg {
        if let Some(register) = self.repeated(row) {
            return register;
        }
        let shares = self.shares(row);
        if shares.is_empty() {
            return NONE;
        }
        if let Some(segments) = self.segments(row, shares.len()) {
            return self.loaded(&segments);
        }
        if shares.iter().any(|share| !self.can_permute(&share.from)) {
            return self.windows(row);
        }
        self.differs |= way != Way::Each && shares.len() > 1;
        match way {
            Way::Each => {
                let parts = shares.iter().map(|share| (share.input, share));
                let parts: SmallVec<[_; 8]> = parts.collect();
                let mut register = NONE;
                for (input, share) in parts {
                    let input = self.input(input);
                    register = self.add(register, input, &share.from, share.mask);
                }
                register
            }
            Way::Shared => {
                let mut register = NONE;
                for share in &shares {
                    let common = self.common(share);
                    register = match register {
                        NONE => common,
                        a => self.draft.push(Op::Blend { a, b: common, mask: share.mask }),
                    };
                }
                register
            }
            Way::Blended => self.blended(&shares),
        }
    }

    /// All lanes the same few elements again and again.
    fn repeated(&mut self, row: &Row) -> Option<Reg> {
        if row.from.len() != self.rows.lanes || row.from[0].0 == BLANK {
            return None;
        }
        let (run, first) = row.from[0];
        let period = (0..=4).map(|log| 1usize << log).find(|&period| {
            let wanted = |lane: usize| (run, first + (lane % period) as u32);
            (0..row.from.len()).all(|lane| row.from[lane] == wanted(lane))
        })?;
        if period * self.rows.lane > 16 || period == self.rows.lanes {
            return None;
        }
        let at = self.rows.place(run, first, self.movement.src_size);
        let load = Op::Repeat { at, count: period as u8 };
        let known = self.draft.lines.iter().find(|line| line.op == load).map(|line| line.to);
        Some(known.unwrap_or_else(|| self.draft.push(load)))
    }

    /// The row's elements by the register they are in.
    fn shares(&self, row: &Row) -> SmallVec<[Share; 8]> {
        let lanes = self.rows.lanes;
        let mut shares: SmallVec<[Share; 8]> = SmallVec::new();
        for (lane, &(run, element)) in row.from.iter().enumerate() {
            if run == BLANK {
                continue;
            }
            let input = (run, element / lanes as u32);
            let known = shares.iter().position(|share| share.input == input);
            let share = known.unwrap_or_else(|| {
                let from = SmallVec::from_elem(Table::ZERO, lanes);
                shares.push(Share { input, from, mask: 0 });
                shares.len() - 1
            });
            shares[share].from[lane] = (element % lanes as u32) as u8;
            shares[share].mask |= 1 << lane;
        }
        shares
    }

    /// The row as runs that lie in the source as they do here, where loading them in their places is
    /// cheaper than permuting as many registers as it takes otherwise.
    fn segments(&self, row: &Row, inputs: usize) -> Option<SmallVec<[Segment; 8]>> {
        let mut segments: SmallVec<[Segment; 8]> = SmallVec::new();
        for (lane, &(run, element)) in row.from.iter().enumerate() {
            if run == BLANK {
                continue;
            }
            match segments.last_mut() {
                Some(last)
                    if last.run == run
                        && (last.place + last.count) as usize == lane
                        && last.first + u32::from(last.count) == element =>
                {
                    last.count += 1;
                }
                _ => segments.push(Segment { place: lane as u8, run, first: element, count: 1 }),
            }
        }
        let simple = |segment: &Segment| {
            let start = segment.place as usize * self.rows.lane;
            let bytes = segment.count as usize * self.rows.lane;
            self.target.tier.masks()
                || (start.is_multiple_of(16) && matches!(bytes, 4 | 8 | 16 | 32))
                || (start == 0 && bytes.is_multiple_of(4))
        };
        let few = segments.len() <= inputs + 1 && segments.iter().all(simple);
        (segments.len() == 1 || few).then_some(segments)
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
        let first = part as usize * lanes;
        let count = lanes.min(self.rows.runs[run as usize].1 - first) as u8;
        let at = self.rows.place(run, first as u32, self.movement.src_size);
        let register = self.draft.push(Op::Load { at, place: 0, count, keep: NONE });
        self.inputs.push((input, register));
        register
    }

    /// Groups of lanes, as large as can be, that move together; none within blocks.
    fn grain(&self, from: &[u8]) -> Option<usize> {
        let block = self.rows.block;
        let inside =
            |(lane, at): (usize, &u8)| *at == Table::ZERO || *at as usize / block == lane / block;
        if from.iter().enumerate().all(inside) {
            return None;
        }
        let mut grain = block.min(8 / self.rows.lane).max(1);
        let together = |grain: usize| {
            from.chunks(grain).all(|group| {
                let base = group.iter().enumerate().find(|(_, at)| **at != Table::ZERO);
                let Some((k, at)) = base else { return true };
                let Some(start) = (*at as usize).checked_sub(k) else { return false };
                let fits = |(i, at): (usize, &u8)| *at == Table::ZERO || *at as usize == start + i;
                start.is_multiple_of(grain) && group.iter().enumerate().all(fits)
            })
        };
        while grain > 1 && !together(grain) {
            grain /= 2;
        }
        Some(grain)
    }

    fn can_permute(&self, from: &[u8]) -> bool {
        let least = self.target.tier.permute_grain();
        self.grain(from).is_none_or(|grain| grain * self.rows.lane >= least)
    }

    /// A register permuted, or itself where nothing moves.
    fn permuted(&mut self, a: Reg, from: &[u8], mask: u64, keep: Reg) -> Reg {
        let grain = self.grain(from);
        let mut table: SmallVec<[u8; 64]> = SmallVec::from_slice(from);
        // Lanes that nobody asks for move with their group, or stay.
        let group = grain.unwrap_or(1);
        for start in (0..table.len()).step_by(group) {
            let lanes = start..start + group;
            let known = lanes.clone().find(|&lane| table[lane] != Table::ZERO);
            for lane in lanes {
                let at = known.map_or(lane, |known| table[known] as usize + lane - known);
                table[lane] = at as u8;
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
        let still =
            (from.iter().enumerate()).all(|(lane, at)| *at == Table::ZERO || *at as usize == lane);
        let all = every(self.rows.lanes);
        match (register, still) {
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

    /// As few permutations of each register as serve all rows.
    fn gather_commons(&mut self) {
        for row in &self.rows.rows {
            for share in self.shares(row) {
                let agrees = |common: &Common| {
                    common.input == share.input
                        && (common.from.iter().zip(&share.from))
                            .all(|(a, b)| *a == Table::ZERO || *b == Table::ZERO || a == b)
                };
                match self.commons.iter_mut().find(|common| agrees(common)) {
                    Some(common) => {
                        for (a, b) in common.from.iter_mut().zip(&share.from) {
                            *a = (*a).min(*b);
                        }
                    }
                    None => self.commons.push(Common {
                        input: share.input,
                        from: share.from,
                        register: NONE,
                    }),
                }
            }
        }
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
            let register = match self.can_permute(&from) {
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

    /// Registers whose lanes are apart become one before they are permuted.
    fn blended(&mut self, shares: &[Share]) -> Reg {
        let mut layers: SmallVec<[Layer; 4]> = SmallVec::new();
        for share in shares {
            let lanes = share.from.iter().filter(|at| **at != Table::ZERO);
            let taken = lanes.fold(0u64, |mask, at| mask | 1 << at);
            let register = self.input(share.input);
            match layers.iter_mut().find(|layer| layer.taken & taken == 0) {
                Some(layer) => {
                    let (a, b) = (layer.register, register);
                    layer.register = self.draft.push(Op::Blend { a, b, mask: taken });
                    layer.taken |= taken;
                    layer.mask |= share.mask;
                    for (a, b) in layer.from.iter_mut().zip(&share.from) {
                        *a = (*a).min(*b);
                    }
                }
                None => {
                    let (from, mask) = (share.from.clone(), share.mask);
                    layers.push(Layer { register, taken, from, mask });
                }
            }
        }
        let mut register = NONE;
        for layer in &layers {
            register = match self.can_permute(&layer.from) {
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
