//! Staged rows. In: where rows of the source go in the buffer. Out: a leaf that copies them, and what follows with
//! the buffer for its source.

use std::rc::Rc;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use smallvec::SmallVec;

use super::asm::{RCX, RDI, RSI};
use super::frame::Word;
use super::leaf::Manner;
use super::moves::{Asks, Fetch, Moves};
use super::nest::Walk;
use super::pointers::bytes_of;
use super::{Emitter, Note};
use crate::plan::{Across, Stage, Tile};
use crate::problem::{DST, OPERANDS, SRC, Strides};
use crate::shuffle::{Line, Op, Program};

/// Bytes of a load that may be for nothing, fewer than the frame has behind the buffer.
const ROOM: usize = 32;

/// A buffer, and the words that keep the pointers of the walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Staged<'p> {
    pub(super) stage: &'p Stage,
    kept: [Word; 2],
}

impl Staged<'_> {
    /// The sequence of a tile as it loads from the buffer.
    pub(super) fn placed(&self, mut program: Program, tile: &Tile) -> Program {
        let across = self.stage.across.iter();
        let rows: SmallVec<[usize; 2]> = across.map(|row| tile.chunks[row.index].extent).collect();
        for line in &mut program.lines {
            if let Op::Load { at, .. } | Op::Repeat { at, .. } = &mut line.op {
                *at = self.stage.place(*at, &rows);
            }
        }
        longer(&mut program);
        program
    }
}

/// Loads as long as an instruction has it, where lanes behind them are nobody's: in the frame there is room behind the
/// last row, and nothing that must not be read.
fn longer(program: &mut Program) {
    let blank = |line: &Line| matches!(line.op, Op::Store { blank: 1.., .. });
    if program.lines.iter().any(blank) {
        return;
    }
    let places: Vec<u8> = (program.lines.iter())
        .filter_map(|line| match line.op {
            Op::Load { place, .. } => Some(place),
            _ => None,
        })
        .collect();
    for line in &mut program.lines {
        let Op::Load { place, count, .. } = &mut line.op else { continue };
        let all = count.next_power_of_two();
        let end = usize::from(*place) + usize::from(all);
        let alone = !places.iter().any(|other| (*place + 1..*place + all).contains(other));
        let bytes = usize::from(all) * program.lane;
        if alone && place.is_multiple_of(all) && end <= program.lanes && bytes <= ROOM {
            *count = all;
        }
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
        dynasm!(self.a.ops ; .arch x64 ; mov [r10 + src.0], rdi);
        // Padding has no source, and tiles of it load nothing.
        if walk.chunks.iter().all(|chunk| chunk.start < chunk.end) {
            self.copy_rows(walk, stage, dst);
        }
        walk.staged = true;
        self.steps(walk, k);
        walk.staged = false;
        walk.owed[SRC] = 0;
        dynasm!(self.a.ops ; .arch x64 ; mov rdi, [r10 + src.0]);
    }

    /// Copies rows to the buffer, which is the source from there on; the destination's pointer is kept meanwhile.
    fn copy_rows(&mut self, walk: &Walk<'p>, stage: &Stage, dst: Word) {
        let along = stage.along.iter().map(|&l| walk.chunks[l].extent);
        let row: usize = along.product();
        let buffer = self.frame.stage();
        dynasm!(self.a.ops ; .arch x64
            ; mov [r10 + dst.0], rsi
            ; lea rsi, [r10 + buffer]
        );
        match stage.across[..] {
            [] => self.copy_row(walk, stage, row),
            [inner, ref outer @ ..] => self.copy_across(walk, stage, row, inner, outer.first()),
        }
        dynasm!(self.a.ops ; .arch x64
            ; mov rsi, [r10 + dst.0]
            ; lea rdi, [r10 + buffer]
        );
    }

    /// Copies a single row of so many elements, a part of it at a time.
    fn copy_row(&mut self, walk: &Walk<'p>, stage: &Stage, row: usize) {
        let once = stage.once / stage.sizes[DST];
        for (count, times) in [(once, row / once), (row % once, 1)] {
            if count > 0 && times > 0 {
                let mut strides = [0; OPERANDS];
                [strides[SRC], strides[DST]] = stage.sizes.map(|size| (count * size) as isize);
                let label = self.copying(walk, stage, count, strides);
                self.a.set(RCX, times as isize);
                dynasm!(self.a.ops ; .arch x64 ; call =>label);
            }
        }
    }

    /// Copies rows of so many elements, of one loop or of two.
    fn copy_across(
        &mut self,
        walk: &Walk<'p>,
        stage: &Stage,
        row: usize,
        inner: Across,
        outer: Option<&Across>,
    ) {
        let rows = walk.chunks[inner.index].extent;
        let mut strides = match stage.converts() {
            true => bytes_of(&walk.nest.loops[inner.index].strides),
            false => [0; OPERANDS],
        };
        (strides[SRC], strides[DST]) = (inner.stride, inner.pitch);
        let label = self.copying(walk, stage, row, strides);
        let outer = outer.map(|outer| (outer, walk.chunks[outer.index].extent));
        let outer = outer.filter(|(_, times)| *times > 1).map(|(outer, times)| {
            let (left, again) = (self.frame.word(), self.a.ops.new_dynamic_label());
            dynasm!(self.a.ops ; .arch x64 ; mov QWORD [r10 + left.0], times as i32 ; =>again);
            (outer, left, again)
        });
        self.a.set(RCX, rows as isize);
        dynasm!(self.a.ops ; .arch x64 ; call =>label);
        if let Some((outer, left, again)) = outer {
            // From the end of the inner rows to the next of the outer ones.
            let on = |outer: isize, inner: isize| outer - inner * rows as isize;
            self.a.add(RDI, on(outer.stride, inner.stride));
            self.a.add(RSI, on(outer.pitch, inner.pitch));
            dynasm!(self.a.ops ; .arch x64 ; dec QWORD [r10 + left.0] ; jne =>again);
        }
        for &(operand, register) in self.pointers.iter().skip(2) {
            self.a.add(register, -strides[operand] * rows as isize);
        }
    }

    /// The leaf that copies so many elements, again and again, led on by strides.
    fn copying(
        &mut self,
        walk: &Walk<'p>,
        stage: &Stage,
        count: usize,
        strides: Strides,
    ) -> DynamicLabel {
        let program = stage.row(self.vector() as usize, count);
        let convert = stage.converts().then(|| {
            let mut convert = self.converting(Vec::new(), true);
            convert.halves = convert.may_halve(&program, self.plan.target.tier, &[0; OPERANDS]);
            Rc::new(convert)
        });
        let alone = [walk.tiling.alone[SRC], false];
        let fetch = Fetch { on: stage.ahead, evenly: false, near: false };
        let asks = Asks { fetch: (fetch.on != 0).then_some(fetch), ..Asks::default() };
        let moves = Moves { convert, alone, asks, ..Moves::plain(program) };
        let manner = Manner { often: true, twice: self.plan.is_twice(0) };
        self.leaf(moves, Some(strides), manner, Note::Rows).0
    }
}
