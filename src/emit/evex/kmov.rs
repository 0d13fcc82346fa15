//! Masks from memory and from general registers: VEX, not EVEX, and of one shape.

use super::operand::*;
use super::row::{Bytes, address, bit, high_bits};

/// One line of the table: prefix, W and opcode for memory, and for a register.
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
    ///
    /// ```text
    ///     7     6     5     4     3     2     1     0
    /// |  1     1     0     0     0     1     0     0  |
    /// |  1  |  rm4'  rm3'| 0     0     0     0     1  |     opcodes behind 0F
    /// |  W  |  1     1     1     1  |  0  |    pp     |
    /// ```
    ///
    /// What has a stroke is inverted. VEX has a form of one byte less, which W, rm3 and rm4 rule out.
    pub(super) fn encode(&self, to: K, from: Gm) -> Bytes {
        let ([pp, w, opcode], (rm4, rm3)) = match from {
            Gm::R(r) => (self.register, (0, bit(r.0, 3))),
            Gm::M(m) => (self.memory, high_bits(m)),
        };
        let mut bytes = Bytes::new();
        if w == 0 && rm4 == 0 && rm3 == 0 {
            bytes.extend([0xc5, 0xf8 | pp, opcode]);
        } else {
            bytes.extend([0xc4, (rm4 << 6 | rm3 << 5) ^ 0xe0 | 1, w << 7 | 0x78 | pp, opcode]);
        }
        match from {
            Gm::R(r) => bytes.push(0xc0 | (to.0 & 7) << 3 | r.0 & 7),
            Gm::M(m) => address(&mut bytes, to.0, m, 0),
        }
        bytes
    }
}
