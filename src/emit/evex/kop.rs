//! What is asked of two masks. In: a row of the table, and the masks. Out: the bytes of the instruction.

use super::operand::K;
use super::row::{Bytes, M0F};
use super::vex::{Place, Vex};

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) w: u8,
    pub(super) opcode: u8,
}

impl Row {
    /// Whether there is such an instruction.
    pub(super) fn legal(&self, a: K, b: K) -> bool {
        a.0 < 8 && b.0 < 8
    }

    /// The bytes of what is legal; of anything else some bytes, which are no such instruction.
    pub(super) fn encode(&self, a: K, b: K) -> Bytes {
        let vex = Vex { pp: 0, map: M0F, w: self.w, opcode: self.opcode };
        vex.encode(false, a.0, 0, Place::Register(b.0))
    }
}
