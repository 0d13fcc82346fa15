//! Instructions of AVX2 in our own encoding: those that compute, which have the opcodes of AVX-512's, and a few whose
//! operands dynasm 5.1 takes in the wrong order. In: an opcode, and operands. Out: its bytes in the code.

use dynasmrt::DynasmApi;

use super::Asm;
use crate::emit::evex::{Place, Rm, V, Vex, Width};

impl Asm {
    /// A destination and two sources of one width.
    pub(super) fn vex_three(&mut self, vex: Vex, d: V, a: V, b: Rm) {
        assert!(a.width == d.width && is(b, d.width), "widths in AVX2: {d:?} {a:?} {b:?}");
        self.vex(vex, d.width, d.number, a.number, b);
    }

    /// Three registers and an immediate.
    pub(super) fn vex_imm(&mut self, vex: Vex, d: V, a: V, b: V, imm: u8) {
        debug_assert!(d.number < 16 && a.number < 16 && b.number < 16);
        let b = Place::Register(b.number);
        // With three bytes of prefix, as dynasm has it where registers are known only when it runs.
        self.ops.extend(&vex.encode_long(d.width != Width::X, d.number, a.number, b));
        self.ops.push(imm);
    }

    /// ModRM.reg, vvvv and ModRM.rm; an immediate comes behind it.
    pub(super) fn vex(&mut self, vex: Vex, width: Width, reg: u8, with: u8, rm: Rm) {
        let place = match rm {
            Rm::V(v) => Place::Register(v.number),
            Rm::M(m) => Place::Memory(m),
            Rm::B(_) | Rm::E(_) => no_operand(rm),
        };
        self.vex_place(vex, width, reg, with, place);
    }

    pub(super) fn vex_place(&mut self, vex: Vex, width: Width, reg: u8, with: u8, place: Place) {
        let exists = match place {
            Place::Register(number) => number < 16,
            Place::Memory(m) => m.base < 16 && m.index.is_none_or(|(index, _)| index < 16),
        };
        assert!(
            width != Width::Z && reg < 16 && with < 16 && exists,
            "no such instruction in AVX2: {vex:?} {width:?} {reg} {with} {place:?}"
        );
        self.ops.extend(&vex.encode(width == Width::Y, reg, with, place));
    }
}

/// Whether it is no register of another width.
pub(super) fn is(rm: Rm, width: Width) -> bool {
    !matches!(rm, Rm::V(v) if v.width != width)
}

/// What stands in an operand's place by mistake.
pub(super) fn no_operand(rm: Rm) -> ! {
    match rm {
        Rm::B(_) => panic!("AVX2 has no operand that is one element in every lane: {rm:?}"),
        Rm::E(_) => panic!("only gathers have an address for each lane: {rm:?}"),
        Rm::V(_) | Rm::M(_) => panic!("no such operand here: {rm:?}"),
    }
}
