//! Tasks. In: where a plan lets tasks cut a nest. Out: the steps that this task has of it, found when the
//! code runs; a call that does everything has all of them.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use smallvec::SmallVec;

use super::Emitter;
use super::asm::{RAX, RCX, RDX};
use super::frame::Word;
use crate::plan::{Cut, Nest, Sharing, Step, Tiling};

/// Words that hold the first step of a task, and the end of its steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) lo: Word,
    pub(super) hi: Word,
}

/// A step that tasks share: how many times it has, and which of them are this task's.
struct Shared {
    times: usize,
    range: Range,
}

impl<'p> Emitter<'p> {
    /// Runs `body` over the steps of a nest that are this task's.
    pub(super) fn own_steps(
        &mut self,
        nest: &'p Nest,
        tiling: &'p Tiling,
        body: impl FnOnce(&mut Self, SmallVec<[Option<Range>; 8]>),
    ) {
        let mut ranges: SmallVec<[Option<Range>; 8]> =
            SmallVec::from_elem(None, tiling.steps.len());
        let done = self.a.ops.new_dynamic_label();
        match nest.cut {
            Cut::Shared { walks, first } => {
                self.shared_line(nest, tiling, walks, first, &mut ranges, done);
                body(self, ranges);
            }
            Cut::Outer { loops: 0, .. } => {
                // The first task's.
                dynasm!(self.a.ops ; .arch x64 ; cmp QWORD [r10 + self.task.0], 0 ; jne =>done);
                body(self, ranges);
            }
            Cut::Outer { loops, granule } => {
                let mut shared: SmallVec<[Shared; 8]> = SmallVec::new();
                for &k in &tiling.shares[..loops] {
                    let [lo, hi] = self.frame.words();
                    let times = tiling.steps[k].times(nest.loops[tiling.steps[k].index].extent);
                    ranges[k] = Some(Range { lo, hi });
                    shared.push(Shared { times, range: Range { lo, hi } });
                }
                let all = shared.iter().map(|own| own.times).product();
                self.own_share(all, granule, done);
                match &shared[..] {
                    [Shared { range, .. }] => {
                        dynasm!(self.a.ops ; .arch x64
                            ; mov [r10 + range.lo.0], rax
                            ; mov [r10 + range.hi.0], rdx
                        );
                        body(self, ranges);
                    }
                    several => self.in_rows(several, all, |emitter| body(emitter, ranges)),
                }
            }
        }
        dynasm!(self.a.ops ; .arch x64 ; =>done);
    }

    /// Of so many steps those of this task are `rax` to `rdx`, in multiples of `granule`; it is done where there are
    /// none.
    fn own_share(&mut self, all: usize, granule: usize, done: DynamicLabel) {
        let [part, go] = std::array::from_fn(|_| self.a.ops.new_dynamic_label());
        self.unless_alone(part);
        self.a.set(RDX, all as isize);
        dynasm!(self.a.ops ; .arch x64 ; xor eax, eax ; jmp =>go ; =>part);
        self.a.set(RAX, all.div_ceil(granule) as isize);
        let share = self.share;
        dynasm!(self.a.ops ; .arch x64 ; call =>share);
        if granule > 1 {
            self.a.set(RCX, granule as isize);
            dynasm!(self.a.ops ; .arch x64 ; imul rax, rcx ; imul rdx, rcx);
            self.a.set(RCX, all as isize);
            dynasm!(self.a.ops ; .arch x64 ; cmp rdx, rcx ; cmovg rdx, rcx);
        }
        dynasm!(self.a.ops ; .arch x64 ; cmp rax, rdx ; jge =>done ; =>go);
    }

    /// Goes on at `part` but where a task is the only one, and has all.
    fn unless_alone(&mut self, part: DynamicLabel) {
        let count = self.count.0;
        dynasm!(self.a.ops ; .arch x64 ; cmp QWORD [r10 + count], 1 ; jne =>part);
    }

    /// Steps `rax` to `rdx` of several that are walked as one, in rows of the innermost, the first and the last of them
    /// in part; all at once where they are all.
    fn in_rows(&mut self, shared: &[Shared], all: usize, body: impl FnOnce(&mut Self)) {
        let [from, to] = self.frame.words();
        let [again, part, go] = std::array::from_fn(|_| self.a.ops.new_dynamic_label());
        dynasm!(self.a.ops ; .arch x64
            ; mov [r10 + from.0], rax
            ; mov [r10 + to.0], rdx
            ; =>again
            ; mov rax, [r10 + from.0]
            ; mov r8, [r10 + to.0]
            ; sub r8, rax
        );
        self.a.set(RCX, all as isize);
        dynasm!(self.a.ops ; .arch x64 ; cmp r8, rcx ; jne =>part ; mov [r10 + from.0], r8);
        for Shared { times, range } in shared {
            self.a.set(RAX, *times as isize);
            dynasm!(self.a.ops ; .arch x64
                ; mov QWORD [r10 + range.lo.0], 0
                ; mov [r10 + range.hi.0], rax
            );
        }
        dynasm!(self.a.ops ; .arch x64 ; jmp =>go ; =>part);
        self.next_row(shared, from);
        dynasm!(self.a.ops ; .arch x64 ; =>go);
        body(self);
        dynasm!(self.a.ops ; .arch x64
            ; mov rax, [r10 + from.0]
            ; cmp rax, [r10 + to.0]
            ; jl =>again
        );
    }

    /// The row that step `rax` is in, of `r8` that are left: the innermost goes to the end of its row, or of the task,
    /// the others stand at one of their steps.
    fn next_row(&mut self, shared: &[Shared], from: Word) {
        let (Shared { times, range }, outer) = shared.split_last().expect("a cut is at a step");
        self.a.set(RCX, *times as isize);
        dynasm!(self.a.ops ; .arch x64
            ; xor edx, edx
            ; div rcx
            ; mov [r10 + range.lo.0], rdx
            ; sub rcx, rdx
            ; cmp rcx, r8
            ; cmovg rcx, r8
            ; add [r10 + from.0], rcx
            ; add rdx, rcx
            ; mov [r10 + range.hi.0], rdx
        );
        for Shared { times, range } in outer.iter().rev() {
            self.a.set(RCX, *times as isize);
            dynasm!(self.a.ops ; .arch x64
                ; xor edx, edx
                ; div rcx
                ; mov [r10 + range.lo.0], rdx
                ; inc rdx
                ; mov [r10 + range.hi.0], rdx
            );
        }
    }

    /// The steps of a nest along the line that tasks share, of which it has some, or stands at one.
    fn shared_line(
        &mut self,
        nest: &'p Nest,
        tiling: &'p Tiling,
        walks: bool,
        first: usize,
        ranges: &mut SmallVec<[Option<Range>; 8]>,
        done: DynamicLabel,
    ) {
        let Sharing::Line { steps, granule, .. } = self.plan.sharing else {
            unreachable!("nests are cut as the plan shares")
        };
        let extent = if walks { nest.loops[0].extent } else { 1 };
        // The one that walks it, and which of its steps are the task's.
        let own = walks.then(|| {
            let k = tiling.steps.iter().position(|step| step.index == 0);
            let [lo, hi] = self.frame.words();
            (k.expect("orders keep the loop that tasks share"), Range { lo, hi })
        });
        let [part, go] = std::array::from_fn(|_| self.a.ops.new_dynamic_label());
        let share = self.share;
        self.unless_alone(part);
        if let Some((k, range)) = &own {
            self.a.set(RAX, tiling.steps[*k].times(extent) as isize);
            dynasm!(self.a.ops ; .arch x64
                ; mov QWORD [r10 + range.lo.0], 0
                ; mov [r10 + range.hi.0], rax
            );
        }
        dynasm!(self.a.ops ; .arch x64 ; jmp =>go ; =>part);
        self.a.set(RAX, steps.div_ceil(granule) as isize);
        dynasm!(self.a.ops ; .arch x64 ; call =>share);
        self.a.set(RCX, granule as isize);
        dynasm!(self.a.ops ; .arch x64 ; imul rax, rcx ; imul rdx, rcx);
        // Of the line's steps those of this nest, counted from its own first.
        self.a.set(RCX, first as isize);
        dynasm!(self.a.ops ; .arch x64 ; xor r8d, r8d ; sub rax, rcx ; cmovl rax, r8 ; sub rdx, rcx);
        self.a.set(RCX, extent as isize);
        dynasm!(self.a.ops ; .arch x64
            ; cmp rdx, rcx
            ; cmovg rdx, rcx
            ; cmp rax, rdx
            ; jge =>done
        );
        if let Some((k, range)) = own {
            self.steps_of(&tiling.steps[k], range);
            ranges[k] = Some(range);
        }
        dynasm!(self.a.ops ; .arch x64 ; =>go);
    }

    /// The times that a step takes elements `rax` to `rdx`: of those that take several a task has all, or starts at a
    /// multiple.
    fn steps_of(&mut self, step: &Step, Range { lo, hi }: Range) {
        dynasm!(self.a.ops ; .arch x64 ; mov [r10 + hi.0], rdx);
        if step.by > 1 {
            self.a.set(RCX, step.by as isize);
            dynasm!(self.a.ops ; .arch x64
                ; xor edx, edx
                ; div rcx
                ; mov r8, rax
                ; mov rax, [r10 + hi.0]
                ; add rax, rcx
                ; dec rax
                ; xor edx, edx
                ; div rcx
                ; mov [r10 + hi.0], rax
                ; mov rax, r8
            );
        }
        dynasm!(self.a.ops ; .arch x64 ; mov [r10 + lo.0], rax);
    }

    /// `rax` groups of steps: those of this task, of several, are `rax` to `rdx`.
    pub(super) fn emit_share(&mut self) {
        let (share, task, count) = (self.share, self.task.0, self.count.0);
        dynasm!(self.a.ops ; .arch x64
            ; .align 16
            ; =>share
            ; mov rcx, rax
            ; mul QWORD [r10 + task]
            ; div QWORD [r10 + count]
            ; mov r8, rax
            ; mov rax, [r10 + task]
            ; inc rax
            ; mul rcx
            ; div QWORD [r10 + count]
            ; mov rdx, rax
            ; mov rax, r8
            ; ret
        );
    }
}
