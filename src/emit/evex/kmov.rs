//! Moves of masks. In: a mask register, and memory or a general register. Out: the bytes of the instruction between
//! them: VEX, not EVEX, and of one shape.

use super::operand::*;
use super::row::{Bytes, M0F};
use super::vex::{Place, Vex};

/// One line of the table: prefix, W and opcode for memory, and for a general register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) memory: [u8; 3],
    pub(super) register: [u8; 3],
}

impl Row {
    /// Whether there is such an instruction.
    pub(super) fn legal(&self, to: K, from: Gm) -> bool {
        let from = match from {
            Gm::R(r) => r.0 < 16,
            Gm::M(m) => m.legal(),
        };
        to.0 < 8 && from
    }

    /// The bytes of what is legal; of anything else some bytes, which are no such instruction.
    pub(super) fn encode(&self, to: K, from: Gm) -> Bytes {
        let ([pp, w, opcode], from) = match from {
            Gm::R(r) => (self.register, Place::Register(r.0)),
            Gm::M(m) => (self.memory, Place::Memory(m)),
        };
        Vex { pp, map: M0F, w, opcode }.encode(false, to.0, 0, from)
    }
}
