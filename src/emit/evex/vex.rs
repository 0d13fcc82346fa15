//! VEX, the older prefix, for masks and for vectors of AVX2. In: an opcode, and operands. Out: the bytes of the
//! instruction.

use super::operand::Mem;
use super::row::{Bytes, address, bit, high_bits};

/// What tells an instruction from others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vex {
    pub(crate) pp: u8,
    pub(crate) map: u8,
    pub(crate) w: u8,
    pub(crate) opcode: u8,
}

/// ModRM.rm: a register, of whatever kind, or memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Register(u8),
    Memory(Mem),
}

impl Vex {
    /// Up to the immediate, at its shortest. Of what is no register, some bytes.
    ///
    /// A form of one byte less has R3 in W's place; W, rm3, rm4 and another map than that behind 0F rule it
    /// out.
    pub(crate) fn encode(self, long: bool, reg: u8, with: u8, rm: Place) -> Bytes {
        let mut bytes = self.encode_long(long, reg, with, rm);
        if bytes[1] & 0x7f == 0x61 && self.w == 0 {
            let first = bytes[1] & 0x80;
            bytes.remove(0);
            bytes[0] = 0xc5;
            bytes[1] = first | bytes[1] & 0x7f;
        }
        bytes
    }

    /// The instruction with three bytes of prefix.
    ///
    /// ```text
    ///     7     6     5     4     3     2     1     0
    /// |  1     1     0     0     0     1     0     0  |
    /// |  R3'|  rm4'  rm3'|            map             |     R: ModRM.reg
    /// |  W  |  v3'   v2'   v1'   v0'|long |    pp     |     v: vvvv, 0 where there is none
    /// ```
    ///
    /// What has a stroke is inverted.
    pub(crate) fn encode_long(self, long: bool, reg: u8, with: u8, rm: Place) -> Bytes {
        let (rm4, rm3) = match rm {
            Place::Register(number) => (0, bit(number, 3)),
            Place::Memory(m) => high_bits(m),
        };
        let high = bit(reg, 3) << 7 | rm4 << 6 | rm3 << 5;
        let last = self.w << 7 | (!with & 15) << 3 | u8::from(long) << 2 | self.pp;
        let mut bytes = Bytes::new();
        bytes.extend([0xc4, high ^ 0xe0 | self.map, last, self.opcode]);
        match rm {
            Place::Register(number) => bytes.push(0xc0 | (reg & 7) << 3 | number & 7),
            Place::Memory(m) => address(&mut bytes, reg, m, 0),
        }
        bytes
    }
}
