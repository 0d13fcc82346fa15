//! Bytes looked up. In: a register of bytes, and a table of what each of all bytes becomes. Out: what these become.
//!
//! A permutation out of two registers finds one of 128 bytes, by the seven lower bits; the highest bit says whether it was
//! to be found there or in the other two. The code makes the table as it starts, in slots of the frame.

use super::super::evex::{Evex, Mem, Rm, V, Width};
use super::super::frame::spill;
use super::super::held::Constant;
use super::values::MOMENT;
use super::{Convert, TABLE, Work};
use crate::plan::Bytewise;

/// Registers that hold a table.
pub(in super::super) const PARTS: usize = 4;

impl Convert {
    /// The parts of a table, which are best held.
    pub(in super::super) fn looks_up(&self) -> impl Iterator<Item = Constant> {
        let parts = if self.bytewise == Some(Bytewise::LookedUp) { PARTS } else { 0 };
        (0..parts as u8).map(Constant::Table)
    }

    /// The slot that a part of a table lies in.
    pub(in super::super) fn table(&self, part: u8) -> Mem {
        spill(self.scratch + TABLE + u16::from(part))
    }
}

impl Work<'_, '_> {
    /// What bytes become, whichever of a register's they are.
    pub(super) fn looked_up(&mut self, t: V, a: V) {
        let wide = |v: V| V { width: Width::Z, ..v };
        let (low, high) = (wide(t), self.temp(1, Width::Z));
        for (found, first) in [(low, 0), (high, 2)] {
            self.a.vmovdqa(found, wide(a));
            let one = self.held_part(first).unwrap_or_else(|| {
                let moment = self.temp(2, Width::Z);
                self.a.vmovdqu(moment, self.convert.table(first));
                moment
            });
            let other = match self.held_part(first + 1) {
                Some(part) => Rm::V(part),
                None => Rm::M(self.convert.table(first + 1)),
            };
            self.a.ops.vpermi2b(found, one, other);
        }
        self.a.ops.vpmovb2m(MOMENT, wide(a));
        self.a.ops.vmovdqu8(low.keep(MOMENT), high);
    }

    /// The register that holds a part of the table.
    fn held_part(&self, part: u8) -> Option<V> {
        let number = self.held.vector(Constant::Table(part))?;
        Some(V { number, width: Width::Z })
    }
}
