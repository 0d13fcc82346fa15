//! Staged rows. In: where rows of the source go in the buffer. Out: a leaf that copies them, and what follows with
//! the buffer for its source.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::Emitter;
use super::asm::RCX;
use super::frame::Word;
use super::moves::Moves;
use super::nest::Walk;
use crate::plan::{Stage, Tile};
use crate::problem::{DST, OPERANDS, SRC};
use crate::shuffle::{Line, NONE, Op, Program};

/// A buffer, and the words that keep the pointers of the walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Staged<'p> {
    pub(super) stage: &'p Stage,
    kept: [Word; 2],
}

impl Staged<'_> {
    /// The sequence of a tile as it loads from the buffer.
    pub(super) fn placed(&self, mut program: Program, tile: &Tile) -> Program {
        let rows = tile.chunks[self.stage.across].extent;
        for line in &mut program.lines {
            if let Op::Load { at, .. } | Op::Repeat { at, .. } = &mut line.op {
                *at = self.stage.place(*at, rows);
            }
        }
        program
    }
}

impl<'p> Emitter<'p> {
    pub(super) fn new_stage(&mut self, stage: &'p Stage) -> Staged<'p> {
        Staged { stage, kept: self.frame.words() }
    }

    /// The steps from one on, their source copied before.
    pub(super) fn staged(&mut self, walk: &mut Walk<'p>, k: usize) {
        let Some(Staged { stage, kept: [src, dst] }) = walk.stage else { return };
        self.pay(walk);
        let size = self.plan.problem.src.size();
        let along = stage.along.iter().map(|&l| walk.chunks[l].extent);
        let program = self.row(size, along.product());
        let rows = walk.chunks[stage.across].extent;
        let buffer = self.frame.stage();
        dynasm!(self.a.ops ; .arch x64
            ; mov [r10 + src.0], rdi
            ; mov [r10 + dst.0], rsi
            ; lea rsi, [r10 + buffer]
        );
        let moves = Moves::plain(program);
        let mut strides = [0; OPERANDS];
        (strides[SRC], strides[DST]) = (stage.stride, stage.pitch as isize);
        let label = self.leaf(moves, strides, true);
        self.a.set(RCX, rows as isize);
        dynasm!(self.a.ops ; .arch x64
            ; call =>label
            ; mov rsi, [r10 + dst.0]
            ; lea rdi, [r10 + buffer]
        );
        walk.staged = true;
        self.steps(walk, k);
        walk.staged = false;
        walk.owed[SRC] = 0;
        dynasm!(self.a.ops ; .arch x64 ; mov rdi, [r10 + src.0]);
    }

    /// So many elements copied.
    fn row(&self, lane: usize, count: usize) -> Program {
        let lanes = self.vector() as usize / lane;
        let mut lines = Vec::new();
        for first in (0..count).step_by(lanes) {
            let (at, count) = ((first * lane) as isize, lanes.min(count - first) as u8);
            let load = Op::Load { at, place: 0, count, keep: NONE };
            lines.push(Line { to: 0, op: load });
            lines.push(Line { to: NONE, op: Op::Store { a: 0, at, place: 0, count, blank: 0 } });
        }
        Program { lanes, lane, lines, tables: Vec::new(), registers: 1, slots: 0 }
    }
}
