//! What computes with elements, and changes their types. In: an instruction in the spelling of [`Asm`], and registers.
//! Out: its bytes in the code, VEX or EVEX as the tier has it.

use dynasmrt::DynasmApi;

use super::vex::is;
use super::{Asm, vex};
use crate::emit::evex::{Each, Evex, M0F, M3A, M38, NP, P66, Place, Rm, V, Vex, Width};

/// A destination and two sources, under the name that AVX-512 has, which may count elements for masks.
macro_rules! three {
    ($($name:ident $wide:ident $pp:ident $map:ident $opcode:literal;)*) => { $(
        pub(in crate::emit) fn $name(&mut self, d: V, a: V, b: impl Into<Rm>) {
            let b = b.into();
            match self.masks() {
                true => self.ops.$wide(d, a, b),
                false => self.vex_three(vex($pp, $map, $opcode), d, a, b),
            }
        }
    )* };
}

/// A destination and two sources in AVX2 alone: AVX-512 has masks for destinations.
macro_rules! three_avx2 {
    ($($name:ident $pp:ident $map:ident $opcode:literal;)*) => { $(
        pub(in crate::emit) fn $name(&mut self, d: V, a: V, b: impl Into<Rm>) {
            self.vex_three(vex($pp, $map, $opcode), d, a, b.into());
        }
    )* };
}

/// By so many bits; a part of the opcode stands in ModRM.reg, and the destination in vvvv.
macro_rules! by_number {
    ($($name:ident $opcode:literal $extension:literal;)*) => { $(
        pub(in crate::emit) fn $name(&mut self, d: V, a: V, imm: u8) {
            match self.masks() {
                true => self.ops.$name(d, a, imm),
                false => self.vex_by(vex(P66, M0F, $opcode), $extension, d, a, imm),
            }
        }
    )* };
}

/// From a register, as wide or an xmm, or from memory.
macro_rules! two {
    ($($name:ident $pp:ident $map:ident $opcode:literal $source:ident;)*) => { $(
        pub(in crate::emit) fn $name(&mut self, d: V, from: impl Into<Rm>) {
            let from = from.into();
            match self.masks() {
                true => self.ops.$name(d, from),
                false => self.vex_two(vex($pp, $map, $opcode), d, from, source!($source d)),
            }
        }
    )* };
}

macro_rules! source {
    (alike $d:ident) => {
        $d.width
    };
    (xmm $d:ident) => {
        Width::X
    };
}

impl Asm {
    // ---- alike on all tiers ----

    three! {
        vaddps     vaddps     NP  M0F 0x58;
        vsubps     vsubps     NP  M0F 0x5c;
        vmulps     vmulps     NP  M0F 0x59;
        vdivps     vdivps     NP  M0F 0x5e;
        vminps     vminps     NP  M0F 0x5d;
        vfmadd132ps  vfmadd132ps  P66 M38 0x98;
        vfnmadd231ps vfnmadd231ps P66 M38 0xbc;
        vpaddsb    vpaddsb    P66 M0F 0xec;
        vpsubsb    vpsubsb    P66 M0F 0xe8;
        vpaddusb   vpaddusb   P66 M0F 0xdc;
        vpsubusb   vpsubusb   P66 M0F 0xd8;
        vpaddw     vpaddw     P66 M0F 0xfd;
        vpaddd     vpaddd     P66 M0F 0xfe;
        vpsubw     vpsubw     P66 M0F 0xf9;
        vpsubd     vpsubd     P66 M0F 0xfa;
        vpminsd    vpminsd    P66 M38 0x39;
        vpmaxsd    vpmaxsd    P66 M38 0x3d;
        vpminub    vpminub    P66 M0F 0xda;
        vpmaxsb    vpmaxsb    P66 M38 0x3c;
        vpackssdw  vpackssdw  P66 M0F 0x6b;
        vpackusdw  vpackusdw  P66 M38 0x2b;
        vpacksswb  vpacksswb  P66 M0F 0x63;
        vpackuswb  vpackuswb  P66 M0F 0x67;
        vpmaddubsw vpmaddubsw P66 M38 0x04;
        vpmaddwd   vpmaddwd   P66 M0F 0xf5;
        vpxor      vpxord     P66 M0F 0xef;
    }

    by_number! {
        vpslld 0x72 6;
        vpsrld 0x72 2;
        vpsrad 0x72 4;
        vpsraw 0x71 4;
    }

    /// Elements of 4 bytes within blocks of 16.
    pub(in crate::emit) fn vpshufd(&mut self, d: V, a: impl Into<Rm>, imm: u8) {
        let a = a.into();
        match self.masks() {
            true => self.ops.vpshufd(d, a, imm),
            false => {
                self.vex_two(vex(P66, M0F, 0x70), d, a, d.width);
                self.ops.push(imm);
            }
        }
    }

    two! {
        vpmovsxbd  P66 M38 0x21 xmm;
        vpmovzxbd  P66 M38 0x31 xmm;
        vpmovsxwd  P66 M38 0x23 xmm;
        vpmovzxwd  P66 M38 0x33 xmm;
        vpmovsxdq  P66 M38 0x25 xmm;
        vcvtdq2ps  NP  M0F 0x5b alike;
        vcvtps2dq  P66 M0F 0x5b alike;
        vcvtph2ps  P66 M38 0x13 xmm;
        vcvtps2pd  NP  M0F 0x5a xmm;
    }

    /// To the nearest, of two as near to the even one, whatever MXCSR says. The place is half as wide; a
    /// register is at least an xmm.
    pub(in crate::emit) fn vcvtps2ph(&mut self, to: impl Into<Rm>, a: V) {
        let to = to.into();
        match (self.masks(), to) {
            (true, Rm::V(d)) => self.ops.vcvtps2ph(d, a, 0),
            (true, Rm::M(m)) => self.ops.vcvtps2ph(m, a, 0),
            (true, _) => panic!("no destination: {to:?}"),
            (false, _) => {
                assert!(is(to, Width::X), "widths in AVX2: {to:?} {a:?}");
                self.vex(vex(P66, M3A, 0x1d), a.width, a.number, 0, to);
                self.ops.push(0);
            }
        }
    }

    /// From a register twice as wide, or of an xmm to an xmm; from memory twice as wide.
    pub(in crate::emit) fn vcvtpd2ps(&mut self, d: V, from: impl Into<Rm>) {
        let from = from.into();
        if self.masks() {
            return self.ops.vcvtpd2ps(d, from);
        }
        assert!(d.width == Width::X, "widths in AVX2: {d:?} {from:?}");
        let width = match from {
            Rm::V(v) => v.width,
            _ => Width::Y,
        };
        self.vex(vex(P66, M0F, 0x5a), width, d.number, 0, from);
    }

    // ---- AVX2 alone ----

    three_avx2! {
        vpcmpgtq P66 M38 0x37;
    }

    /// All bits of the lanes that compare, as the manual numbers comparisons.
    pub(in crate::emit) fn vcmpps(&mut self, d: V, a: V, b: impl Into<Rm>, imm: u8) {
        self.vex_three(vex(NP, M0F, 0xc2), d, a, b.into());
        self.ops.push(imm);
    }

    /// Of `b` where the mask's elements are negative, else of `a`.
    pub(in crate::emit) fn vblendvps(&mut self, d: V, a: V, b: impl Into<Rm>, mask: V) {
        assert!(mask.width == d.width && mask.number < 16, "no mask in AVX2: {d:?} {mask:?}");
        self.vex_three(vex(P66, M3A, 0x4a), d, a, b.into());
        self.ops.push(mask.number << 4);
    }

    /// Where the mask's elements are negative; it becomes zero.
    pub(in crate::emit) fn vgatherdps(&mut self, d: V, from: Each, mask: V) {
        self.vex_gather(vex(P66, M38, 0x92), d, from, mask);
    }

    fn vex_two(&mut self, vex: Vex, d: V, from: Rm, width: Width) {
        assert!(is(from, width), "widths in AVX2: {d:?} {from:?}");
        self.vex(vex, d.width, d.number, 0, from);
    }

    fn vex_by(&mut self, vex: Vex, extension: u8, d: V, a: V, imm: u8) {
        assert!(a.width == d.width, "widths in AVX2: {d:?} {a:?}");
        self.vex(vex, d.width, extension, d.number, a.into());
        self.ops.push(imm);
    }

    fn vex_gather(&mut self, vex: Vex, d: V, from: Each, mask: V) {
        let Each { index, .. } = from;
        let apart =
            d.number != index.number && d.number != mask.number && index.number != mask.number;
        assert!(
            apart && index.width == d.width && mask.width == d.width && index.number < 16,
            "no such gather in AVX2: {d:?} {from:?} {mask:?}"
        );
        self.vex_place(vex, d.width, d.number, mask.number, Place::Memory(from.mem()));
    }
}
