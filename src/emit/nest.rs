//! Loops. In: the steps around a nest's tiles. Out: rolled loops that lead `rsi` and `rdi` from tile to tile
//! and call its sequence; what a loop's end or its padding cuts short has a sequence of its own.
//!
//! Three kinds of loops:
//!
//! ```text
//! walked   so many bytes on at each step; what is left over at the end is taken back once
//! shared   the same, of which a task does steps `lo..hi`, known only at run time
//! placed   each step is placed anew from where the loop started: tables and folds
//! ```

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use smallvec::SmallVec;

use super::asm::{RAX, RCX};
use super::carry::{Carried, Flush};
use super::frame::Word;
use super::pointers::bytes_of;
use super::stage::Staged;
use super::tasks::Range;
use super::{Emitter, Note};
use crate::plan::{Chunk, Nest, Tiling, Work, chunks_of};
use crate::problem::{DST, Node, OPERANDS, SRC, Strides};

/// Loops of so many times may do several at once.
const OFTEN: usize = 8;

/// A nest on its way into code.
pub(super) struct Walk<'p> {
    pub(super) nest: &'p Nest,
    pub(super) tiling: &'p Tiling,
    /// The part of each loop that is walked just now.
    pub(super) chunks: SmallVec<[Chunk; 8]>,
    /// What tasks share, by the number of the step.
    pub(super) ranges: SmallVec<[Option<Range>; 8]>,
    /// Bytes that the pointers still have to be led on.
    pub(super) owed: Strides,
    /// Whether rows are stored past the caches.
    pub(super) streams: bool,
    /// How far the destination is from where the nest starts, up to multiples of a register; none
    /// where that differs from step to step.
    pub(super) phase: Option<isize>,
    /// What stores rows that come together in the buffer.
    pub(super) flush: Option<Flush<'p>>,
    pub(super) carried: Carried,
    /// Where rows of the source are copied first, and whether they are.
    pub(super) stage: Option<Staged<'p>>,
    pub(super) staged: bool,
    /// Where the part of the next block starts that the next tile asks for.
    pub(super) onward: Option<Word>,
}

impl<'p> Walk<'p> {
    pub(super) fn new(
        nest: &'p Nest,
        tiling: &'p Tiling,
        ranges: SmallVec<[Option<Range>; 8]>,
        streams: bool,
    ) -> Walk<'p> {
        let chunk = |(l, node): (usize, &Node)| nest.chunk(l, 0, node.extent);
        let chunks = nest.loops.iter().enumerate().map(chunk).collect();
        Walk {
            nest,
            tiling,
            chunks,
            ranges,
            owed: [0; OPERANDS],
            streams,
            phase: Some(0),
            flush: None,
            carried: Carried::Led,
            stage: None,
            staged: false,
            onward: None,
        }
    }

    /// Bytes that one time of a step leads on.
    fn strides(&self, k: usize) -> Strides {
        let step = &self.tiling.steps[k];
        self.step_strides(step.index).map(|stride| stride.wrapping_mul(step.by as isize))
    }

    /// Bytes that one step of a loop leads on.
    fn step_strides(&self, index: usize) -> Strides {
        let mut strides = bytes_of(&self.nest.loops[index].strides);
        if let Some(staged) = self.stage.filter(|_| self.staged) {
            strides[SRC] = staged.stage.strides[index];
        }
        if let Some(flush) = self.buffer() {
            strides[DST] = flush.carry.strides[index];
        }
        strides
    }

    /// Where the destination is the buffer.
    pub(super) fn buffer(&self) -> Option<Flush<'p>> {
        self.flush.filter(|_| self.carried == Carried::Buffered)
    }

    /// Whether rows of the source are copied before the steps from one on; while rows end, nothing is read.
    fn stages(&self, k: usize) -> bool {
        let can = !self.staged && self.carried != Carried::Ends;
        can && self.stage.is_some_and(|staged| staged.stage.step == k)
    }

    /// Whether nothing but a tile is inside a step.
    fn is_leaf(&self, k: usize) -> bool {
        k + 1 == self.tiling.steps.len() && !self.unites(k + 1) && !self.stages(k + 1)
    }

    /// Whether a step leads rows on that come together inside of it.
    pub(super) fn carries(&self, k: usize) -> bool {
        self.flush.as_ref().is_some_and(|flush| flush.carry.step == k)
    }

    /// Whether rows come together in the steps from one on.
    fn unites(&self, k: usize) -> bool {
        let inside = |flush: &Flush<'_>| flush.carry.inside == k;
        self.buffer().is_none() && self.flush.as_ref().is_some_and(inside)
    }

    pub(super) fn owe(&mut self, strides: Strides, times: isize) {
        for (owed, stride) in self.owed.iter_mut().zip(strides) {
            *owed = owed.wrapping_add(stride.wrapping_mul(times));
        }
    }
}

/// The last time of a step, which starts before the one before it ends.
pub(super) struct Moved {
    pub(super) chunk: Chunk,
    pub(super) start: usize,
    /// From where that one ends.
    back: isize,
}

/// Times of a step that are alike.
pub(super) struct Alike {
    pub(super) chunk: Chunk,
    /// The first of them.
    pub(super) from: usize,
    pub(super) count: usize,
}

impl<'p> Emitter<'p> {
    /// Pays what the pointers are owed.
    pub(super) fn pay(&mut self, walk: &mut Walk<'p>) {
        let owed = std::mem::take(&mut walk.owed);
        for &(operand, register) in &self.pointers {
            self.a.add(register, owed[operand]);
        }
    }

    /// All times of the steps from one on. The pointers are where they were before, but for what they are
    /// owed.
    pub(super) fn steps(&mut self, walk: &mut Walk<'p>, k: usize) {
        if walk.unites(k) {
            return self.together(walk, k);
        }
        if walk.stages(k) {
            return self.staged(walk, k);
        }
        if k == walk.tiling.steps.len() {
            return self.call_once(walk);
        }
        let step = &walk.tiling.steps[k];
        let node = &walk.nest.loops[step.index];
        self.notes.push((self.a.here(), Note::Step { index: step.index, by: step.by }));
        let mark = self.frame.mark();
        let (chunk, phase) = (walk.chunks[step.index], walk.phase);
        if walk.carries(k) {
            self.start_carry(walk);
        }
        if !node.folds.is_empty() {
            self.folded(walk, k);
        } else if node.table.is_some() {
            self.table(walk, k);
        } else if let Some(range) = walk.ranges[k] {
            self.shared(walk, k, range);
        } else {
            self.walked(walk, k);
        }
        if walk.carries(k) {
            self.end_carry(walk);
        }
        (walk.chunks[step.index], walk.phase) = (chunk, phase);
        self.frame.back_to(mark);
    }

    /// What the times of a step are: runs of those that are alike, and the last one where it is moved back.
    pub(super) fn runs(&self, walk: &Walk<'p>, k: usize) -> (SmallVec<[Alike; 4]>, Option<Moved>) {
        let step = &walk.tiling.steps[k];
        let chunk = walk.chunks[step.index];
        let zone = crate::problem::Zone { start: chunk.start, end: chunk.end };
        let fills = walk.nest.work != Work::Move;
        let overlaps = step.overlaps() && chunk.extent >= step.by;
        let mut runs: SmallVec<[Alike; 4]> = SmallVec::new();
        let mut from = 0;
        for (chunk, count) in
            chunks_of(chunk.extent, step.by, zone, overlaps.then_some(step), fills)
        {
            let count = count as usize;
            // No task begins between a run and what is left over of it.
            match runs.last_mut().filter(|run| run.chunk == chunk) {
                Some(run) => run.count += count,
                None => runs.push(Alike { chunk, from, count }),
            }
            from += count;
        }
        let ragged = overlaps && !chunk.extent.is_multiple_of(step.by);
        let moved = runs.last_mut().filter(|_| ragged).map(|last| {
            last.count -= 1;
            let (start, end) = (chunk.extent - step.last, chunk.extent / step.by * step.by);
            Moved { chunk: last.chunk, start, back: start as isize - end as isize }
        });
        runs.retain(|run| run.count > 0);
        (runs, moved)
    }

    /// A loop whose steps are known.
    fn walked(&mut self, walk: &mut Walk<'p>, k: usize) {
        let strides = walk.strides(k);
        let index = walk.tiling.steps[k].index;
        let (runs, moved) = self.runs(walk, k);
        let start = walk.phase;
        let mut times = 0;
        for run in &runs {
            walk.chunks[index] = run.chunk;
            walk.phase = self.phase(start, strides[DST], run);
            self.times(walk, k, run.count, strides);
            times += run.count as isize;
        }
        if let Some(Moved { chunk, back, .. }) = moved {
            let steps = walk.step_strides(index);
            walk.chunks[index] = chunk;
            walk.owe(steps, back);
            walk.phase = start.map(|at| at + strides[DST] * times + steps[DST] * back);
            self.steps(walk, k + 1);
            walk.owe(steps, -back);
        }
        walk.owe(strides, -times);
    }

    /// So many times of a step, all alike; the pointers come to stand behind them.
    fn times(&mut self, walk: &mut Walk<'p>, k: usize, count: usize, strides: Strides) {
        if walk.is_leaf(k) {
            self.pay(walk);
            self.a.set(RCX, count as isize);
            return self.call_leaf(walk, strides, count >= OFTEN);
        }
        if count == 1 {
            self.inside(walk, k);
            return walk.owe(strides, 1);
        }
        let left = self.frame.word();
        self.pay(walk);
        self.a.set(RAX, count as isize);
        dynasm!(self.a.ops ; .arch x64 ; mov [r10 + left.0], rax);
        self.rolled(walk, k, left, strides);
    }

    /// What is inside a step, once.
    fn inside(&mut self, walk: &mut Walk<'p>, k: usize) {
        self.ask(walk, k);
        self.start_onward(walk, k);
        match walk.carries(k) {
            true => self.carried(walk, k),
            false => self.steps(walk, k + 1),
        }
    }

    /// A loop as often as a word says.
    fn rolled(&mut self, walk: &mut Walk<'p>, k: usize, left: Word, strides: Strides) {
        let again = self.a.ops.new_dynamic_label();
        dynasm!(self.a.ops ; .arch x64 ; =>again);
        self.inside(walk, k);
        walk.owe(strides, 1);
        self.pay(walk);
        dynasm!(self.a.ops ; .arch x64 ; dec QWORD [r10 + left.0] ; jnz =>again);
    }

    /// Leads the pointers on by so many steps as a word says, of which there mostly are none.
    fn lead_on(&mut self, strides: &Strides, steps: Word) {
        let there = self.a.ops.new_dynamic_label();
        dynasm!(self.a.ops ; .arch x64 ; cmp QWORD [r10 + steps.0], 0 ; je =>there);
        for (operand, register) in self.pointers.clone() {
            let stride = strides[operand];
            if stride != 0 {
                dynasm!(self.a.ops ; .arch x64 ; mov rcx, [r10 + steps.0]);
                self.a.times(RCX, stride);
                dynasm!(self.a.ops ; .arch x64 ; add Rq(register), rcx);
            }
        }
        dynasm!(self.a.ops ; .arch x64 ; =>there);
    }

    /// A loop of which a task does a part.
    fn shared(&mut self, walk: &mut Walk<'p>, k: usize, range: Range) {
        let strides = walk.strides(k);
        let index = walk.tiling.steps[k].index;
        let (runs, moved) = self.runs(walk, k);
        let kept = self.keep_place(walk);
        let left = self.frame.word();
        self.lead_on(&strides, range.lo);
        let start = walk.phase;
        let single = runs.len() == 1;
        for run in &runs {
            walk.chunks[index] = run.chunk;
            walk.phase = self.phase(start, strides[DST], run);
            let past = self.a.ops.new_dynamic_label();
            // The steps of this run that are the task's, to rcx.
            dynasm!(self.a.ops ; .arch x64
                ; mov rcx, [r10 + range.hi.0]
                ; mov rdx, [r10 + range.lo.0]
            );
            if !single || moved.is_some() {
                self.clip(run);
            }
            dynasm!(self.a.ops ; .arch x64 ; sub rcx, rdx ; jle =>past);
            if walk.is_leaf(k) {
                self.call_leaf(walk, strides, run.count >= OFTEN);
            } else {
                dynasm!(self.a.ops ; .arch x64 ; mov [r10 + left.0], rcx);
                self.rolled(walk, k, left, strides);
            }
            dynasm!(self.a.ops ; .arch x64 ; =>past);
        }
        if let Some(Moved { chunk, back, .. }) = moved {
            let past = self.a.ops.new_dynamic_label();
            walk.chunks[index] = chunk;
            let steps = walk.step_strides(index);
            self.a.set(RAX, runs[0].count as isize);
            dynasm!(self.a.ops ; .arch x64 ; cmp [r10 + range.hi.0], rax ; jl =>past);
            walk.owe(steps, back);
            walk.phase = None;
            self.steps(walk, k + 1);
            walk.owed = [0; OPERANDS];
            dynasm!(self.a.ops ; .arch x64 ; =>past);
        }
        self.back_to_place(walk, &kept);
    }

    /// A loop through a table.
    fn table(&mut self, walk: &mut Walk<'p>, k: usize) {
        let step = &walk.tiling.steps[k];
        let node = &walk.nest.loops[step.index];
        let Some(table) = node.table.as_deref() else { return };
        let places: Vec<[isize; 2]> = (table.iter().enumerate())
            .map(|(i, at)| {
                let at = [at.0, at.1];
                [SRC, DST]
                    .map(|side| at[side].wrapping_add(node.strides[side].wrapping_mul(i as isize)))
            })
            .collect();
        let (table, long) = self.table_of(&places);
        let kept = self.keep_place(walk);
        let [at, end] = self.frame.words();
        let start = walk.phase;
        let grain = self.vector();
        let even = places.iter().all(|place| place[1].rem_euclid(grain) == 0);
        let (runs, _) = self.runs(walk, k);
        for run in &runs {
            walk.chunks[step.index] = run.chunk;
            walk.phase = start.filter(|_| even);
            let (again, past) = (self.a.ops.new_dynamic_label(), self.a.ops.new_dynamic_label());
            self.clipped(walk.ranges[k], run, at, end, past);
            dynasm!(self.a.ops ; .arch x64 ; =>again ; mov rax, [r10 + at.0]);
            match long {
                false => dynasm!(self.a.ops ; .arch x64
                    ; movsxd rdi, DWORD [r11 + rax * 8 + table]
                    ; movsxd rsi, DWORD [r11 + rax * 8 + table + 4]
                ),
                true => dynasm!(self.a.ops ; .arch x64
                    ; add rax, rax
                    ; mov rdi, [r11 + rax * 8 + table]
                    ; mov rsi, [r11 + rax * 8 + table + 8]
                ),
            }
            dynasm!(self.a.ops ; .arch x64
                ; add rdi, [r10 + kept[SRC].0]
                ; add rsi, [r10 + kept[DST].0]
            );
            self.place_values(walk.nest, step.index, &kept, at, 1);
            self.inside(walk, k);
            self.next(walk, 1, at, end, again);
            dynasm!(self.a.ops ; .arch x64 ; =>past);
        }
        self.back_to_place(walk, &kept);
    }

    /// Goes on so many steps of a loop that places the pointers anew.
    pub(super) fn next(
        &mut self,
        walk: &mut Walk<'p>,
        steps: usize,
        at: Word,
        end: Word,
        again: DynamicLabel,
    ) {
        walk.owed = [0; OPERANDS];
        dynasm!(self.a.ops ; .arch x64
            ; mov rax, [r10 + at.0]
            ; add rax, steps as i32
            ; mov [r10 + at.0], rax
            ; cmp rax, [r10 + end.0]
            ; jl =>again
        );
    }

    /// The offsets of a table behind the code, and whether they take 8 bytes each.
    fn table_of(&mut self, places: &[[isize; 2]]) -> (i32, bool) {
        let all = || places.iter().flatten();
        let short = all().all(|at| i32::try_from(*at).is_ok());
        let bytes: Vec<u8> = match short {
            true => all().flat_map(|at| (*at as i32).to_le_bytes()).collect(),
            false => all().flat_map(|at| (*at as i64).to_le_bytes()).collect(),
        };
        (self.a.constant(&bytes).disp, !short)
    }

    /// The first and the end of the steps that a run has, of what a task has to do; past it where these
    /// are none.
    pub(super) fn clipped(
        &mut self,
        range: Option<Range>,
        run: &Alike,
        at: Word,
        end: Word,
        past: DynamicLabel,
    ) {
        match range {
            None => {
                for (word, value) in [(at, run.from), (end, run.from + run.count)] {
                    self.a.set(RAX, value as isize);
                    dynasm!(self.a.ops ; .arch x64 ; mov [r10 + word.0], rax);
                }
            }
            Some(range) => {
                dynasm!(self.a.ops ; .arch x64
                    ; mov rcx, [r10 + range.hi.0]
                    ; mov rdx, [r10 + range.lo.0]
                );
                self.clip(run);
                dynasm!(self.a.ops ; .arch x64
                    ; mov [r10 + at.0], rdx
                    ; mov [r10 + end.0], rcx
                    ; cmp rdx, rcx
                    ; jge =>past
                );
            }
        }
    }

    /// `rdx..rcx` to what of it is in a run.
    fn clip(&mut self, run: &Alike) {
        self.a.set(RAX, (run.from + run.count) as isize);
        dynasm!(self.a.ops ; .arch x64 ; cmp rcx, rax ; cmovg rcx, rax);
        self.a.set(RAX, run.from as isize);
        dynasm!(self.a.ops ; .arch x64 ; cmp rdx, rax ; cmovl rdx, rax);
    }

    /// Bytes of a register.
    pub(super) fn vector(&self) -> isize {
        self.plan.target.tier.vector() as isize
    }

    /// Where the destination is within a run of times, `start` being where it is before the first time of
    /// all.
    pub(super) fn phase(&self, start: Option<isize>, stride: isize, run: &Alike) -> Option<isize> {
        match run.count {
            1 => start.map(|at| at.wrapping_add(stride.wrapping_mul(run.from as isize))),
            _ => start.filter(|_| stride.rem_euclid(self.vector()) == 0),
        }
    }
}
