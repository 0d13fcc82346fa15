//! The table of bytes. In: arithmetic that makes a byte, or two, of a byte, by the same values wherever it lies. Out:
//! code that does it for each of all bytes before anything else, as a row of them, into the frame, where leaves look
//! them up. Of elements of two bytes there is a table for the lower ones, and one for the upper.

use std::rc::Rc;

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::asm::{RCX, RDI, RSI};
use super::convert::{Convert, PARTS};
use super::evex::{Evex, V, Width};
use super::leaf::Manner;
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
        let bytewise = Bytewise::of(&self.plan.problem, &self.plan.target);
        let tables = bytewise.map_or(0, Bytewise::tables);
        if tables == 0 {
            return;
        }
        self.notes.push((self.a.here(), Note::Table));
        // What becomes longer is converted as it is stored.
        let looks_up = self.converting(Vec::new(), tables == 1);
        let slot = looks_up.table(0);
        let convert = Some(Rc::new(Convert { bytewise: None, ..looks_up.clone() }));
        let mut strides = [0; OPERANDS];
        (strides[SRC], strides[DST]) = (PART as isize, (tables * PART) as isize);
        let moves = Moves { convert, ..Moves::plain(part()) };
        let (label, _) =
            self.leaf(moves, Some(strides), Manner { often: true, twice: true }, Note::Table);
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
        if tables == 2 {
            self.part_pairs(&looks_up);
        }
    }

    /// Parts two by two, of elements of two bytes: their lower bytes come first, then their upper ones.
    fn part_pairs(&mut self, looks_up: &Convert) {
        let [one, two, low, index] = [0, 1, 2, 3].map(|number| V { number, width: Width::Z });
        let apart: Vec<u8> = (0..PART as u8).map(|i| i % 32 * 2 + i / 32).collect();
        let place = self.a.constant(&apart);
        self.a.vmovdqu(index, place);
        for part in 0..PARTS as u8 {
            let slots = [2 * part, 2 * part + 1].map(|part| looks_up.table(part));
            for (v, slot) in [one, two].into_iter().zip(slots) {
                self.a.ops.vpermb(v, index, slot);
            }
            self.a.blocks(low, one, two, [0, 1, 0, 1]);
            self.a.blocks(one, one, two, [2, 3, 2, 3]);
            for (v, slot) in [low, one].into_iter().zip(slots) {
                self.a.vmovdqu_store(slot, v);
            }
        }
    }
}

/// The sequence that makes one part of it.
fn part() -> Program {
    let load = Op::Load { at: 0, place: 0, count: PART as u8, keep: NONE };
    let store = Op::Store { a: 0, at: 0, place: 0, count: PART as u8, blank: 0 };
    let lines = vec![Line { to: 0, op: load }, Line { to: NONE, op: store }];
    Program { lanes: PART, lane: 1, lines, registers: 1, ..Program::default() }
}
