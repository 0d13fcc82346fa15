//! The table of bytes. In: arithmetic that makes a byte of a byte, by the same values wherever it lies. Out: code that
//! does it for each of all bytes before anything else, as a row of them, into the frame, where leaves look them up.

use std::rc::Rc;

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::asm::{RCX, RDI, RSI};
use super::convert::{Convert, PARTS};
use super::moves::Moves;
use super::{Emitter, Note};
use crate::plan::Bytewise;
use crate::problem::{DST, OPERANDS, SRC};
use crate::shuffle::{Line, NONE, Op, Program};

/// Bytes of a part.
const PART: usize = 64;

impl Emitter<'_> {
    /// Makes the table, if bytes are looked up.
    pub(super) fn make_table(&mut self) {
        if Bytewise::of(&self.plan.problem, &self.plan.target) != Some(Bytewise::LookedUp) {
            return;
        }
        self.notes.push((self.a.here(), Note::Table));
        let looks_up = self.converting(Vec::new(), true);
        let slot = looks_up.table(0);
        let convert = Some(Rc::new(Convert { bytewise: None, ..(*looks_up).clone() }));
        let mut strides = [0; OPERANDS];
        (strides[SRC], strides[DST]) = (PART as isize, PART as isize);
        let label = self.leaf(Moves { convert, ..Moves::plain(part()) }, strides, Note::Table);
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        let source = self.a.constant(&bytes);
        for &(operand, register) in self.pointers.iter().skip(2) {
            let base = self.bases[operand].0;
            dynasm!(self.a.ops ; .arch x64 ; mov Rq(register), [r10 + base]);
        }
        for (register, place) in [(RDI, source), (RSI, slot)] {
            dynasm!(self.a.ops ; .arch x64 ; lea Rq(register), [Rq(place.base) + place.disp]);
        }
        self.a.set(RCX, PARTS as isize);
        dynasm!(self.a.ops ; .arch x64 ; call =>label);
    }
}

/// The sequence that makes one part of it.
fn part() -> Program {
    let load = Op::Load { at: 0, place: 0, count: PART as u8, keep: NONE };
    let store = Op::Store { a: 0, at: 0, place: 0, count: PART as u8, blank: 0 };
    let lines = vec![Line { to: 0, op: load }, Line { to: NONE, op: store }];
    Program { lanes: PART, lane: 1, lines, tables: Vec::new(), registers: 1, slots: 0 }
}
