//! Folds. In: loops that step along an axis which no node can say. Out: its position taken apart into digits
//! when the code runs, once for each tile.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use smallvec::SmallVec;

use super::Emitter;
use super::asm::{RAX, RCX, RDI, RSI};
use super::frame::Word;
use super::nest::{Alike, Moved, Walk};
use super::pointers::Places;
use crate::plan::{Chunk, Nest, Step, Work, chunks_of};
use crate::problem::{DST, Fold, SRC, Zone};

/// A loop along folds, and where it started.
struct Along {
    index: usize,
    /// By index, how far a step leads, and the word with the position where the loop started.
    folds: SmallVec<[(usize, isize, Word); 2]>,
    starts: Places,
    /// Where it would have started, had the folds nothing to add.
    bases: [Word; 2],
}

impl<'p> Emitter<'p> {
    /// The bytes of folds where a nest starts; those that its loops step along are kept in their words.
    pub(super) fn start_folds(&mut self, nest: &Nest) -> [isize; 2] {
        let mut bytes = [0isize; 2];
        let problem = &self.plan.problem;
        for ((i, fold), at) in problem.folds.iter().enumerate().zip(nest.fold_starts(problem)) {
            if !nest.counts(i as u8, fold) {
                continue;
            }
            let side = fold.side();
            bytes[side] = bytes[side].wrapping_add(fold.bytes(at));
            let stepped =
                |node: &crate::problem::Node| node.folds.iter().any(|own| own.0 as usize == i);
            if nest.loops.iter().any(stepped) {
                self.a.set(RAX, at);
                let word = self.positions[i];
                dynasm!(self.a.ops ; .arch x64 ; mov [r10 + word.0], rax);
            }
        }
        bytes
    }

    /// A loop along folds.
    pub(super) fn folded(&mut self, walk: &mut Walk<'p>, k: usize) {
        let step = &walk.tiling.steps[k];
        let along = self.enter_folds(walk, step.index);
        let [at, end] = self.frame.words();
        let (again, past) = (self.a.ops.new_dynamic_label(), self.a.ops.new_dynamic_label());
        let start = walk
            .phase
            .filter(|_| along.folds.iter().all(|one| !self.plan.problem.folds[one.0].dst));
        let stride = walk.nest.loops[step.index].strides[DST];
        if !step.within.is_empty() {
            walk.phase = start.filter(|_| stride.rem_euclid(self.vector()) == 0);
            self.elements(walk, k, at, end, past);
            dynasm!(self.a.ops ; .arch x64 ; =>again);
            self.place(walk.nest, &along, at, 1);
            self.decide(walk, k, at, end, again);
            dynasm!(self.a.ops ; .arch x64 ; =>past);
            return self.leave_folds(walk, &along);
        }
        let (runs, moved) = self.runs(walk, k);
        for run in &runs {
            walk.chunks[step.index] = run.chunk;
            walk.phase = self.phase(start, stride.wrapping_mul(step.by as isize), run);
            let (again, past) = (self.a.ops.new_dynamic_label(), self.a.ops.new_dynamic_label());
            self.clipped(walk.ranges[k], run, at, end, past);
            dynasm!(self.a.ops ; .arch x64 ; =>again);
            self.place(walk.nest, &along, at, step.by as isize);
            self.steps(walk, k + 1);
            self.next(walk, 1, at, end, again);
            dynasm!(self.a.ops ; .arch x64 ; =>past);
        }
        if let Some(Moved { chunk, start, .. }) = moved {
            let past = self.a.ops.new_dynamic_label();
            if let Some(range) = walk.ranges[k] {
                self.a.set(RAX, runs[0].count as isize);
                dynasm!(self.a.ops ; .arch x64 ; cmp [r10 + range.hi.0], rax ; jl =>past);
            }
            self.a.set(RAX, start as isize);
            dynasm!(self.a.ops ; .arch x64 ; mov [r10 + at.0], rax);
            self.place(walk.nest, &along, at, 1);
            walk.chunks[step.index] = chunk;
            walk.phase = None;
            self.steps(walk, k + 1);
            dynasm!(self.a.ops ; .arch x64 ; =>past);
        }
        self.leave_folds(walk, &along);
    }

    /// The first element of a loop that is this task's, and the end of them; past it where there are none.
    fn elements(&mut self, walk: &Walk<'p>, k: usize, at: Word, end: Word, past: DynamicLabel) {
        let step = &walk.tiling.steps[k];
        let (by, chunk) = (step.by, walk.chunks[step.index]);
        let extent = chunk.extent;
        let Some(range) = walk.ranges[k] else {
            let whole = Alike { count: extent, chunk, from: 0 };
            return self.clipped(None, &whole, at, end, past);
        };
        let whole = Alike { count: extent.div_ceil(by), chunk, from: 0 };
        self.clipped(Some(range), &whole, at, end, past);
        // From times to elements.
        for word in [at, end] {
            self.a.set(RAX, extent as isize);
            dynasm!(self.a.ops ; .arch x64 ; mov rcx, [r10 + word.0]);
            dynasm!(self.a.ops ; .arch x64
                ; imul rcx, rcx, by as i32
                ; cmp rcx, rax
                ; cmovg rcx, rax
                ; mov [r10 + word.0], rcx
            );
        }
    }

    /// Takes as many elements at once as fit where the loop has come to, and goes on behind them.
    fn decide(&mut self, walk: &mut Walk<'p>, k: usize, at: Word, end: Word, again: DynamicLabel) {
        let step = &walk.tiling.steps[k];
        let chunk = walk.chunks[step.index];
        let mut ends: SmallVec<[DynamicLabel; 8]> = SmallVec::new();
        let digits: SmallVec<[Word; 2]> = step.within.iter().map(|_| self.frame.word()).collect();
        for (within, digit) in step.within.iter().zip(&digits) {
            let position = self.positions[within.fold as usize];
            dynasm!(self.a.ops ; .arch x64 ; mov rax, [r10 + position.0]);
            self.digit(within.radix);
            dynasm!(self.a.ops ; .arch x64 ; mov [r10 + digit.0], rdx);
        }
        // Where a step further out has taken several, all of this one fits: only its end takes less.
        let known = |outer: &Step| step.fits_within(outer, walk.chunks[outer.index].extent);
        let fits = walk.tiling.steps[..k].iter().any(known);
        let extent = walk.nest.loops[step.index].extent;
        let fills = walk.nest.work != Work::Move;
        let zone = Zone::all(extent);
        let kinds = chunks_of(extent, step.by, zone, Some(step), fills);
        let occurs = |kind: &&(Chunk, u64)| kind.0.extent <= chunk.extent && (!fits || kind.1 > 0);
        let sizes: SmallVec<[usize; 8]> =
            kinds.iter().filter(occurs).map(|kind| kind.0.extent).collect();
        for (i, &size) in sizes.iter().enumerate() {
            let other = self.a.ops.new_dynamic_label();
            let last = i + 1 == sizes.len();
            if !last {
                dynasm!(self.a.ops ; .arch x64
                    ; mov rax, [r10 + end.0]
                    ; sub rax, [r10 + at.0]
                    ; cmp rax, size as i32
                    ; jl =>other
                );
            }
            if !last && !fits {
                for (within, digit) in step.within.iter().zip(&digits) {
                    let fit = within.digits(size);
                    dynasm!(self.a.ops ; .arch x64 ; mov rcx, [r10 + digit.0]);
                    if fit.start > 0 {
                        self.a.set(RAX, fit.start);
                        dynasm!(self.a.ops ; .arch x64 ; cmp rcx, rax ; jl =>other);
                    }
                    self.a.set(RAX, fit.end);
                    dynasm!(self.a.ops ; .arch x64 ; cmp rcx, rax ; jge =>other);
                }
            }
            let data = if chunk.end > 0 { size } else { 0 };
            walk.chunks[step.index] = Chunk { extent: size, start: 0, end: data };
            self.steps(walk, k + 1);
            self.next(walk, size, at, end, again);
            if !last {
                let past = self.a.ops.new_dynamic_label();
                dynasm!(self.a.ops ; .arch x64 ; jmp =>past ; =>other);
                ends.push(past);
            }
        }
        for past in ends {
            dynasm!(self.a.ops ; .arch x64 ; =>past);
        }
    }

    /// Keeps where a loop starts, and the same without what its folds add there.
    fn enter_folds(&mut self, walk: &mut Walk<'p>, index: usize) -> Along {
        let folds = walk.nest.along(&walk.nest.loops[index], &self.plan.problem);
        let folds: SmallVec<[_; 2]> =
            folds.map(|((fold, _), weight)| (fold as usize, weight, self.frame.word())).collect();
        let starts = self.keep_place(walk);
        let [base_src, base_dst] = self.frame.words();
        for &(fold, _, start) in &folds {
            let position = self.positions[fold];
            dynasm!(self.a.ops ; .arch x64
                ; mov rax, [r10 + position.0]
                ; mov [r10 + start.0], rax
            );
            let register = self.bytes_of(fold);
            dynasm!(self.a.ops ; .arch x64 ; sub Rq(register), rax);
        }
        dynasm!(self.a.ops ; .arch x64
            ; mov [r10 + base_src.0], rdi
            ; mov [r10 + base_dst.0], rsi
        );
        Along { index, folds, starts, bases: [base_src, base_dst] }
    }

    /// Places the pointers, and the positions along folds, at a step of a loop, counted in `scale` of its
    /// own.
    fn place(&mut self, nest: &Nest, along: &Along, at: Word, scale: isize) {
        let node = &nest.loops[along.index];
        for (register, base, side) in [(RDI, along.bases[0], SRC), (RSI, along.bases[1], DST)] {
            dynasm!(self.a.ops ; .arch x64 ; mov Rq(register), [r10 + base.0]);
            if node.strides[side] != 0 {
                dynasm!(self.a.ops ; .arch x64 ; mov rcx, [r10 + at.0]);
                self.a.times(RCX, node.strides[side].wrapping_mul(scale));
                dynasm!(self.a.ops ; .arch x64 ; add Rq(register), rcx);
            }
        }
        self.place_values(nest, along.index, &along.starts, at, scale);
        for &(fold, weight, start) in &along.folds {
            let position = self.positions[fold];
            dynasm!(self.a.ops ; .arch x64 ; mov rcx, [r10 + at.0]);
            self.a.times(RCX, weight.wrapping_mul(scale));
            dynasm!(self.a.ops ; .arch x64
                ; mov rax, [r10 + start.0]
                ; add rax, rcx
                ; mov [r10 + position.0], rax
            );
            let register = self.bytes_of(fold);
            dynasm!(self.a.ops ; .arch x64 ; add Rq(register), rax);
        }
    }

    /// Goes back to where a loop started.
    fn leave_folds(&mut self, walk: &mut Walk<'p>, along: &Along) {
        for &(fold, _, start) in &along.folds {
            let position = self.positions[fold];
            dynasm!(self.a.ops ; .arch x64
                ; mov rax, [r10 + start.0]
                ; mov [r10 + position.0], rax
            );
        }
        self.back_to_place(walk, &along.starts);
    }

    /// The bytes of the position in `rax`, to `rax`, and the pointer that they belong to.
    fn bytes_of(&mut self, fold: usize) -> u8 {
        let label = match self.folds[fold] {
            Some(label) => label,
            None => {
                let label = self.a.ops.new_dynamic_label();
                self.folds[fold] = Some(label);
                label
            }
        };
        dynasm!(self.a.ops ; .arch x64 ; call =>label);
        if self.plan.problem.folds[fold].dst { RSI } else { RDI }
    }

    /// What takes positions apart.
    pub(super) fn emit_folds(&mut self) {
        for (fold, label) in self.plan.problem.folds.iter().zip(std::mem::take(&mut self.folds)) {
            if let Some(label) = label {
                dynasm!(self.a.ops ; .arch x64 ; .align 16 ; =>label);
                self.digits(fold);
                dynasm!(self.a.ops ; .arch x64 ; ret);
            }
        }
    }

    /// Digits from the innermost on: what is left of the position in `rax`, their bytes in `r8`.
    fn digits(&mut self, fold: &Fold) {
        let Some((top, rest)) = fold.digits.split_last() else {
            return dynasm!(self.a.ops ; .arch x64 ; xor eax, eax);
        };
        dynasm!(self.a.ops ; .arch x64 ; xor r8d, r8d);
        for &(radix, stride) in rest {
            self.digit(radix);
            dynasm!(self.a.ops ; .arch x64 ; mov rcx, rdx ; mov rdx, rax);
            self.a.times(RCX, stride);
            dynasm!(self.a.ops ; .arch x64 ; mov rax, rdx ; add r8, rcx);
        }
        dynasm!(self.a.ops ; .arch x64 ; mov rcx, rax);
        self.a.times(RCX, top.1);
        dynasm!(self.a.ops ; .arch x64 ; lea rax, [rcx + r8]);
    }

    /// The innermost digit of the position in `rax` to `rdx`, and what is left of it.
    fn digit(&mut self, radix: isize) {
        if radix > 0 && radix <= 1 << 30 && (radix as usize).is_power_of_two() {
            return dynasm!(self.a.ops ; .arch x64
                ; mov rdx, rax
                ; and edx, (radix - 1) as i32
                ; sar rax, radix.trailing_zeros() as i8
            );
        }
        self.a.set(RCX, radix);
        let floor = self.a.ops.new_dynamic_label();
        dynasm!(self.a.ops ; .arch x64
            ; cqo
            ; idiv rcx
            ; test rdx, rdx
            ; jns =>floor
            ; add rdx, rcx
            ; dec rax
            ; =>floor
        );
    }
}
