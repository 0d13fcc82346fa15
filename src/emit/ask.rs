//! Asking ahead. In: a block of the source's rows. Out: a loop that asks for all of its lines, one row's after the
//! other's. A line that is not there does no harm.

use dynasmrt::{DynasmLabelApi, dynasm};

use super::Emitter;
use super::asm::{RCX, RDX};
use super::carry::Carried;
use super::evex::at;
use super::nest::Walk;
use crate::problem::SRC;

impl<'p> Emitter<'p> {
    /// What is inside a step, if that is a block.
    pub(super) fn ask(&mut self, walk: &Walk<'p>, k: usize) {
        // Where rows end that were carried nothing is read.
        let reads = walk.carried != Carried::Ends;
        let ask = walk.tiling.ask.as_ref().filter(|ask| ask.step == k && reads);
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
}
