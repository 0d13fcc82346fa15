//! Leaves. In: a tile, and how far each of its times leads. Out: its sequence in a loop of its own, as often
//! as `rcx` says, with what the sequence can hold loaded before; a subroutine, that nests with the same
//! tile share.

use std::borrow::Cow;
use std::rc::Rc;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::convert::{ADDED, Convert, Offsets, offsets};
use super::held::Needs;
use super::moves::{Asks, Fetch, Moves};
use super::nest::Walk;
use super::sums::{Passing, Sums};
use super::{Emitter, Note};
use crate::plan::sums::classes;
use crate::plan::{Bytewise, Converts, ROUNDS, Stores, Tiling, Trust, Work, temps};
use crate::problem::{DST, OPERANDS, Strides};
use crate::shuffle::{Op, Program};

/// A sequence and its loop.
pub(super) struct Leaf<'p> {
    moves: Moves<'p>,
    strides: Strides,
    label: DynamicLabel,
    /// Whether it goes round often.
    often: bool,
    /// Whether it is there twice, where anything is taken for granted.
    twice: bool,
    /// What it is: of a tile, where that was first met.
    note: Note,
}

/// How a leaf is written.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// Whether it goes round often.
    pub(super) often: bool,
    /// Whether it is there twice, where anything is taken for granted.
    pub(super) twice: bool,
}

impl<'p> Emitter<'p> {
    /// Does the tile that a nest is at, once; the pointers are owed what they were led on.
    pub(super) fn call_once(&mut self, walk: &mut Walk<'p>) {
        self.pay(walk);
        dynasm!(self.a.ops ; .arch x64 ; mov ecx, 1);
        let strides = self.call(walk, None, false);
        walk.owe(strides, -1);
    }

    /// Calls the leaf of the tile that a nest is at, `rcx` being how often.
    pub(super) fn call_leaf(&mut self, walk: &mut Walk<'p>, strides: Strides, often: bool) {
        self.call(walk, Some(strides), often);
    }

    /// How the elements of a tile change on the way.
    fn convert(&self, walk: &Walk<'p>, tile: usize, strides: &Strides) -> Option<Rc<Convert>> {
        let (problem, tiling) = (&self.plan.problem, walk.tiling);
        let same = problem.src == problem.dst && !problem.arith.is_formula();
        if matches!(tiling.converts, Converts::Never | Converts::Staged) || same {
            return None;
        }
        let loads = tiling.converts == Converts::Loads;
        let offsets = offsets(self.plan, walk.nest, &tiling.tiles[tile], loads);
        let mut convert = self.converting(offsets, loads);
        let program = &tiling.tiles[tile].found.program;
        convert.halves = convert.may_halve(program, self.plan.target.tier, strides);
        Some(Rc::new(convert))
    }

    /// How elements change one by one, whose values lie so far from where the pointers are.
    pub(super) fn converting(&self, offsets: Vec<Offsets>, loads: bool) -> Convert {
        let problem = &self.plan.problem;
        let registers = self.registers();
        Convert {
            from: problem.src,
            to: problem.dst,
            arith: problem.arith,
            bytewise: Bytewise::of(problem, &self.plan.target),
            loads,
            temps: temps(problem, loads, self.plan.target.tier),
            registers,
            trust: Trust::Nothing,
            raw: self.plan.given,
            halves: false,
            offsets,
            has_bf16: self.plan.target.makes_bf16(),
            extracts: self.plan.target.ports.extracts,
            packed: false,
            permutes_bytes: self.plan.target.tier.permute_grain() == 1,
            compares_bits: self.plan.target.ports.compares_bits,
            scratch: self.scratch,
        }
    }

    /// What a tile's rows are added to.
    fn sums(&self, walk: &Walk<'p>, tile: usize) -> Option<Rc<Sums>> {
        let adds = self.plan.problem.arith.is_compensated() && walk.nest.work == Work::Move;
        adds.then(|| {
            let (problem, tier) = (&self.plan.problem, self.plan.target.tier);
            let tile = &walk.tiling.tiles[tile];
            let classes = classes(problem, tier, walk.nest, tile);
            // Else a row is stored in parts.
            let whole = walk.tiling.converts != Converts::Stores || problem.src.size() == 1;
            let passes = tier.masks() && whole;
            let passing =
                passes.then(|| Passing::of(&classes, &tile.found.program, tier)).flatten();
            let (registers, written) = (self.registers(), self.plan.written_sums.is_some());
            let (scratch, copies) = (self.scratch + ADDED, self.copies);
            Rc::new(Sums { classes, registers, scratch, copies, passing, written })
        })
    }

    /// The registers that lead through operands, by operand.
    fn registers(&self) -> [u8; OPERANDS] {
        let mut registers = [0; OPERANDS];
        self.pointers.iter().for_each(|&(operand, register)| registers[operand] = register);
        registers
    }

    /// Calls the leaf of the tile that a nest is at; without strides one that leads on anyhow will do. Gives how far it
    /// leads.
    fn call(&mut self, walk: &Walk<'p>, strides: Option<Strides>, often: bool) -> Strides {
        let (tile, moves) = self.moves_of(walk, strides);
        let note = Note::Tile { nest: self.nest, tile, streams: moves.streams };
        let manner = Manner { often, twice: self.plan.is_twice(tile) };
        let (label, strides) = self.leaf(moves, strides, manner, note);
        dynasm!(self.a.ops ; .arch x64 ; call =>label);
        strides
    }

    /// The tile that a nest is at, and how it is done there.
    fn moves_of(&mut self, walk: &Walk<'p>, strides: Option<Strides>) -> (usize, Moves<'p>) {
        let found = walk.tiling.tile_of(&walk.chunks);
        let tile = &walk.tiling.tiles[found];
        let mut program = match walk.buffer() {
            Some(flush) => Cow::Owned(flush.placed(tile, walk.nest)),
            None => Cow::Borrowed(&tile.found.program),
        };
        if let Some(staged) = walk.stage.filter(|_| walk.staged) {
            program = Cow::Owned(staged.placed(program.into_owned(), tile));
        }
        let ahead = match walk.tiling.stores {
            Stores::Keep { ahead, .. } => ahead,
            // What should have passed the caches by, if it lay on lines.
            Stores::Stream { .. } if !walk.streams && walk.buffer().is_none() => self.askew(),
            Stores::Stream { .. } => 0,
        };
        let streams = walk.streams
            && walk.phase.is_some_and(|phase| {
                let even = |strides: Strides| strides[DST].rem_euclid(self.vector()) == 0;
                let (from, to) = (self.plan.problem.src.size(), self.plan.problem.dst.size());
                let changes = walk.tiling.converts == Converts::Stores;
                // Parts of registers cannot be.
                let parts = changes && from > to;
                let longer = (changes && from < to).then_some(to);
                let phase = phase.wrapping_sub(stream_start(walk.tiling));
                !parts && strides.is_none_or(even) && self.streams(&program, longer, phase)
            });
        self.streamed |= streams;
        let mut convert = self.convert(walk, found, &strides.unwrap_or_default());
        if let Some(own) = convert.as_deref()
            && let Some(packed) = own.left_packed(&program, self.plan.target.tier)
        {
            program = Cow::Owned(packed);
            convert = Some(Rc::new(Convert { packed: true, ..own.clone() }));
        }
        let sums = self.sums(walk, found);
        let [src, dst] = walk.tiling.alone;
        // Buffers are near, and what lies in them is loaded as soon as it was stored.
        let alone = [src && !walk.staged, dst && walk.buffer().is_none()];
        let fetch = (walk.tiling.fetch != 0 && !walk.staged).then(|| Fetch {
            on: walk.tiling.fetch,
            evenly: walk.tiling.evenly,
            near: self.plan.target.memory.asks_near(),
        });
        let asks = Asks { ahead, fetch, onward: self.requests(walk) };
        let blank = walk.nest.padding();
        let moves = Moves { program, streams, asks, alone, blank, convert, sums };
        (found, moves)
    }

    /// The leaf of a sequence, the same one where there is one, and how far it leads; without strides one that leads on
    /// anyhow will do.
    pub(super) fn leaf(
        &mut self,
        moves: Moves<'p>,
        strides: Option<Strides>,
        Manner { often, twice }: Manner,
        note: Note,
    ) -> (DynamicLabel, Strides) {
        let same = |leaf: &&mut Leaf<'_>| {
            strides.is_none_or(|strides| leaf.strides == strides) && leaf.moves.same(&moves)
        };
        if let Some(leaf) = self.leaves.iter_mut().find(same) {
            (leaf.often, leaf.twice) = (leaf.often | often, leaf.twice | twice);
            return (leaf.label, leaf.strides);
        }
        let (label, strides) = (self.a.ops.new_dynamic_label(), strides.unwrap_or_default());
        self.leaves.push(Leaf { moves, strides, label, often, twice, note });
        (label, strides)
    }

    /// How far ahead lines are asked for where rows do not start on them.
    fn askew(&self) -> usize {
        let target = &self.plan.target;
        usize::from(target.memory.prefetch_ahead) + target.line
    }

    /// All leaves that are called.
    pub(super) fn emit_leaves(&mut self) {
        let mut known = [None, None];
        for leaf in std::mem::take(&mut self.leaves) {
            let Leaf { moves, strides, label, often, twice, note } = leaf;
            dynasm!(self.a.ops ; .arch x64 ; .align 16);
            self.notes.push((self.a.here(), note));
            dynasm!(self.a.ops ; .arch x64 ; =>label);
            let [first, any] = &mut known;
            if let Some(wild) = self.wild.filter(|_| twice)
                && let Some(trusting) = moves.trusting(self.trust, self.a.tier)
            {
                let other = self.a.ops.new_dynamic_label();
                let found = trusting.hopes().then(|| self.a.ops.new_dynamic_label());
                dynasm!(self.a.ops ; .arch x64 ; cmp QWORD [r10 + wild.0], 0 ; jne =>other);
                self.emit_leaf(trusting, strides, often, first, found);
                self.notes.push((self.a.here(), Note::Wild));
                if let Some(found) = found {
                    dynasm!(self.a.ops ; .arch x64 ; =>found ; mov QWORD [r10 + wild.0], 1);
                }
                dynasm!(self.a.ops ; .arch x64 ; =>other);
            }
            self.emit_leaf(moves, strides, often, any, None);
        }
    }

    /// One of them; `known` is what the one before needed. Where it hopes, it goes on at `wild`, which is right behind it,
    /// with a tile that had something to mend, before that is counted.
    fn emit_leaf(
        &mut self,
        moves: Moves<'p>,
        strides: Strides,
        often: bool,
        known: &mut Option<(Moves<'p>, Rc<Needs>)>,
        wild: Option<DynamicLabel>,
    ) {
        let like = known.take().filter(|(before, _)| before.is_like(&moves));
        let needs = like.map_or_else(|| Rc::new(moves.needs(&self.a)), |(_, needs)| needs);
        self.a.alone = moves.alone;
        let mut held = moves.hold(&mut self.a, &strides, Rc::clone(&needs));
        let (again, done) = (self.a.ops.new_dynamic_label(), self.a.ops.new_dynamic_label());
        let rounds = if often { rounds(&moves, strides) } else { 1 };
        if rounds > 1 {
            let (several, rest) = (self.a.ops.new_dynamic_label(), self.a.ops.new_dynamic_label());
            let times = rounds as i32;
            dynasm!(self.a.ops ; .arch x64 ; sub rcx, times ; jl =>rest ; =>several);
            for round in 0..rounds as isize {
                moves.emit(&mut self.a, &mut held, strides.map(|stride| stride * round));
            }
            for &(operand, register) in &self.pointers {
                self.a.add(register, strides[operand] * rounds as isize);
            }
            dynasm!(self.a.ops ; .arch x64
                ; sub rcx, times
                ; jge =>several
                ; =>rest
                ; add rcx, times
                ; jz =>done
            );
        }
        dynasm!(self.a.ops ; .arch x64 ; =>again);
        moves.emit(&mut self.a, &mut held, [0; OPERANDS]);
        let adds = moves.sums.as_deref().is_some_and(|sums| !sums.written);
        let undo = wild.filter(|_| adds).map(|_| self.a.ops.new_dynamic_label());
        if let Some(wild) = undo.or(wild) {
            moves.look_back(&mut self.a, &mut held);
            dynasm!(self.a.ops ; .arch x64 ; jnz =>wild);
        }
        for &(operand, register) in &self.pointers {
            self.a.add(register, strides[operand]);
        }
        dynasm!(self.a.ops ; .arch x64 ; dec rcx ; jnz =>again ; =>done ; ret);
        if let Some(undo) = undo {
            dynasm!(self.a.ops ; .arch x64 ; =>undo);
            moves.take_back(&mut self.a, &mut held);
        }
        self.a.alone = [false; 2];
        *known = Some((moves, needs));
    }

    /// Whether all rows of a sequence are whole registers on multiples of these where `phase` is one; or become
    /// several, as elements become so much longer.
    fn streams(&self, program: &Program, longer: Option<usize>, phase: isize) -> bool {
        let whole = |bytes: usize| (bytes as isize).rem_euclid(self.vector()) == 0;
        let all = |place: u8, count: u8| match longer {
            Some(size) => whole(place as usize * size) && whole(count as usize * size),
            None => place == 0 && count as usize == program.lanes,
        };
        (longer.is_some() || whole(program.lanes * program.lane))
            && program.lines.iter().all(|line| match line.op {
                Op::Store { at, place, count, .. } => {
                    all(place, count) && at.wrapping_add(phase).rem_euclid(self.vector()) == 0
                }
                _ => true,
            })
    }
}

/// How often a sequence is written one behind the other, that going round is a small part of it.
fn rounds(moves: &Moves<'_>, strides: Strides) -> usize {
    const NEAR: isize = 1 << 20;
    let near = strides.iter().all(|stride| (-NEAR..=NEAR).contains(stride));
    // Where elements change there is enough to do as it is.
    let lines = if moves.is_plain() { moves.program.lines.len() } else { ROUNDS };
    match ROUNDS / lines.max(1) {
        rounds if near && rounds > 1 => 1 << rounds.ilog2(),
        _ => 1,
    }
}

/// Where the first row of a nest's inside tile is stored.
pub(super) fn stream_start(tiling: &Tiling) -> isize {
    let stores = tiling.tiles[0].found.program.lines.iter().filter_map(|line| match line.op {
        Op::Store { at, .. } => Some(at),
        _ => None,
    });
    stores.min().unwrap_or(0)
}
