//! Asking ahead. In: blocks of the source's rows. Out: a loop that asks for all lines of one, one row's after the
//! other's; or what each tile asks for of the next one. A line that is not there does no harm.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::Emitter;
use super::asm::{Asm, RCX, RDX};
use super::carry::Carried;
use super::evex::at;
use super::frame::Word;
use super::nest::Walk;
use crate::plan::Onward;
use crate::problem::SRC;
use crate::shuffle::{Op, Program};

/// What each tile asks for of the next block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Requests {
    bytes: usize,
    line: usize,
    /// Where the next tile's part starts.
    next: Word,
}

/// Requests within a sequence, spread evenly over its loads.
pub(super) struct Asking {
    requests: Requests,
    loads: usize,
    /// Loads that are done, and bytes that are asked for.
    done: usize,
    asked: usize,
}

impl<'p> Emitter<'p> {
    /// What is inside a step, if that is a block.
    pub(super) fn ask(&mut self, walk: &Walk<'p>, k: usize) {
        let ask = walk.tiling.ask.as_ref().filter(|ask| ask.step == k && reads(walk));
        let Some(ask) = ask else { return };
        let strides = |l: usize| walk.nest.loops[l].strides[SRC];
        let rows = walk.chunks[ask.across].extent;
        let bytes = (walk.chunks[ask.along].extent * strides(ask.along) as usize).min(ask.bytes);
        let again = self.a.ops.new_dynamic_label();
        dynasm!(self.a.ops ; .arch x64 ; mov rdx, rdi);
        self.a.add(RDX, walk.owed[SRC]);
        self.a.set(RCX, rows as isize);
        dynasm!(self.a.ops ; .arch x64 ; =>again);
        for on in (0..bytes).step_by(self.plan.target.line) {
            self.a.prefetcht1(at(RDX, on as i32));
        }
        self.a.add(RDX, strides(ask.across));
        dynasm!(self.a.ops ; .arch x64 ; dec rcx ; jnz =>again);
    }

    /// Where the block starts that comes after the one inside a step.
    pub(super) fn start_onward(&mut self, walk: &Walk<'p>, k: usize) {
        let onward = walk.tiling.onward.filter(|onward| onward.step == k && reads(walk));
        let (Some(Onward { ahead, .. }), Some(next)) = (onward, walk.onward) else { return };
        dynasm!(self.a.ops ; .arch x64 ; mov rdx, rdi);
        self.a.add(RDX, walk.owed[SRC].wrapping_add(ahead));
        dynasm!(self.a.ops ; .arch x64 ; mov [r10 + next.0], rdx);
    }

    /// What a tile asks for of the next block, if it reads anything itself.
    pub(super) fn requests(&self, walk: &Walk<'p>) -> Option<Requests> {
        let (onward, next) = walk.tiling.onward.zip(walk.onward).filter(|_| reads(walk))?;
        Some(Requests { bytes: onward.bytes, line: self.plan.target.line, next })
    }
}

impl Requests {
    /// Begins a sequence.
    pub(super) fn start(self, a: &mut Asm, program: &Program) -> Asking {
        dynasm!(a.ops ; .arch x64 ; mov rdx, [r10 + self.next.0]);
        let loads = program.lines.iter().filter(|line| is_load(&line.op)).count();
        Asking { requests: self, loads, done: 0, asked: 0 }
    }
}

impl Asking {
    /// What is asked for once an operation is done.
    pub(super) fn after(&mut self, a: &mut Asm, op: &Op) {
        if is_load(op) {
            self.done += 1;
            self.ask(a, self.requests.bytes * self.done / self.loads);
        }
    }

    /// Ends a sequence: what is left is asked for, and the next tile's part begins behind it.
    pub(super) fn end(mut self, a: &mut Asm) {
        let Requests { bytes, next, .. } = self.requests;
        self.ask(a, bytes);
        a.add(RDX, bytes as isize);
        dynasm!(a.ops ; .arch x64 ; mov [r10 + next.0], rdx);
    }

    /// Asks for whole lines, up to so many bytes.
    fn ask(&mut self, a: &mut Asm, end: usize) {
        while self.asked + self.requests.line <= end {
            a.prefetcht1(at(RDX, self.asked as i32));
            self.asked += self.requests.line;
        }
    }
}

/// Where rows end that were carried nothing is read.
fn reads(walk: &Walk<'_>) -> bool {
    walk.carried != Carried::Ends
}

fn is_load(op: &Op) -> bool {
    matches!(op, Op::Load { .. } | Op::Repeat { .. })
}
