//! Pointers. In: the operands that a plan's nests read and write. Out: a register for each, and how they are
//! kept, led on and placed together.

use dynasmrt::{DynasmApi, dynasm};
use smallvec::SmallVec;

use super::Emitter;
use super::asm::{RCX, RDI, RSI};
use super::frame::Word;
use super::nest::Walk;
use crate::plan::Nest;
use crate::problem::{DST, OPERANDS, Problem, SRC, Strides, VALUES};

/// Operands, and the registers that point at them.
pub(super) type Pointers = SmallVec<[(usize, u8); 8]>;

/// Where each operand's pointer is kept.
pub(super) type Places = [Word; OPERANDS];

/// Registers that point at operands and that callees keep: rbx and r12 to r15.
pub(super) const KEPT: [u8; 5] = [3, 12, 13, 14, 15];

/// Registers for operands besides source and destination: those, and r9, which rows that are carried need; what is
/// compensated is never carried.
const OTHERS: [u8; 6] = [KEPT[0], KEPT[1], KEPT[2], KEPT[3], KEPT[4], 9];

/// Strides in bytes.
pub(super) fn bytes_of(strides: &Strides) -> Strides {
    let mut bytes = *strides;
    for stride in &mut bytes[VALUES] {
        *stride = stride.wrapping_mul(4);
    }
    bytes
}

/// The operands of a problem, source and destination first.
pub(super) fn pointers(problem: &Problem) -> Pointers {
    let others = problem.arith.values().chain(problem.arith.sums());
    let others = others.zip(OTHERS).map(|(operand, register)| (operand as usize, register));
    [(SRC, RDI), (DST, RSI)].into_iter().chain(others).collect()
}

impl<'p> Emitter<'p> {
    /// Sets all pointers to where a nest starts.
    pub(super) fn start_pointers(&mut self, nest: &Nest, folds: [isize; 2]) {
        let start = bytes_of(&nest.start);
        for (operand, register) in self.pointers.clone() {
            let base = self.bases[operand].0;
            dynasm!(self.a.ops ; .arch x64 ; mov Rq(register), [r10 + base]);
        }
        for &(operand, register) in &self.pointers {
            let folds = folds.get(operand).copied().unwrap_or(0);
            self.a.add(register, start[operand].wrapping_add(folds));
        }
    }

    /// Keeps where the pointers are.
    pub(super) fn keep_place(&mut self, walk: &mut Walk<'p>) -> Places {
        self.pay(walk);
        let mut places = [Word(0); OPERANDS];
        for (operand, register) in self.pointers.clone() {
            places[operand] = self.frame.word();
            dynasm!(self.a.ops ; .arch x64 ; mov [r10 + places[operand].0], Rq(register));
        }
        places
    }

    /// The pointers are where they were kept, whatever they were owed since.
    pub(super) fn back_to_place(&mut self, walk: &mut Walk<'p>, places: &Places) {
        for (operand, register) in self.pointers.clone() {
            dynasm!(self.a.ops ; .arch x64 ; mov Rq(register), [r10 + places[operand].0]);
        }
        walk.owed = [0; OPERANDS];
    }

    /// Places all pointers but those of source and destination at a step of a loop, from where it started.
    pub(super) fn place_values(
        &mut self,
        nest: &Nest,
        index: usize,
        starts: &Places,
        at: Word,
        scale: isize,
    ) {
        let strides = bytes_of(&nest.loops[index].strides);
        for (operand, register) in self.pointers.clone().into_iter().skip(2) {
            dynasm!(self.a.ops ; .arch x64 ; mov Rq(register), [r10 + starts[operand].0]);
            if strides[operand] != 0 {
                dynasm!(self.a.ops ; .arch x64 ; mov rcx, [r10 + at.0]);
                self.a.times(RCX, strides[operand].wrapping_mul(scale));
                dynasm!(self.a.ops ; .arch x64 ; add Rq(register), rcx);
            }
        }
    }
}
