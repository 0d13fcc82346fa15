//! What computes and converts: every spelling for AVX2 as before, and for AVX-512 by the name it has there.

use super::*;
use crate::emit::evex::{Each, xmm, ymm, zmm};

/// One way to write an instruction for all tiers.
fn both(narrow: &str, wide: &str, operands: &str, emit: impl Fn(&mut Asm)) {
    is(&format!("{narrow} {operands}"), &emit);
    is_on(Tier::Avx512, &format!("{wide} {operands}"), &emit);
}

/// Three operands on all tiers.
macro_rules! on_all {
    ($($name:ident $wide:ident)*) => { $(
        let (narrow, wide) = (stringify!($name), stringify!($wide));
        both(narrow, wide, "ymm1, ymm9, ymm14", |a| a.$name(ymm(1), ymm(9), ymm(14)));
        both(narrow, wide, "ymm9, ymm14, ymm1", |a| a.$name(ymm(9), ymm(14), ymm(1)));
        both(narrow, wide, "xmm14, xmm1, xmm9", |a| a.$name(xmm(14), xmm(1), xmm(9)));
        both(narrow, wide, "ymm12, ymm3, [r11+0x80]", |a| a.$name(ymm(12), ymm(3), at(CONSTANTS, 128)));
        both(narrow, wide, "xmm2, xmm13, [rdi-0x40]", |a| a.$name(xmm(2), xmm(13), at(RDI, -64)));
        both(narrow, wide, "ymm2, ymm13, [rbp+r12*8+1]", |a| {
            a.$name(ymm(2), ymm(13), Mem { index: Some((12, 8)), ..at(5, 1) });
        });
        is_on(Tier::Avx512, &format!("{wide} zmm17, zmm9, zmm30"), |a| a.$name(zmm(17), zmm(9), zmm(30)));
    )* };
}

#[test]
fn three_operands() {
    on_all! {
        vaddps vaddps vsubps vsubps vmulps vmulps vdivps vdivps vminps vminps
        vfmadd132ps vfmadd132ps vfnmadd231ps vfnmadd231ps
        vpaddsb vpaddsb vpsubsb vpsubsb vpaddusb vpaddusb vpsubusb vpsubusb vpaddw vpaddw vpsubw vpsubw vpaddd vpaddd vpsubd vpsubd vpminsd vpminsd vpmaxsd vpmaxsd
        vpminub vpminub vpmaxsb vpmaxsb
        vpackssdw vpackssdw vpackusdw vpackusdw vpacksswb vpacksswb vpackuswb vpackuswb
        vpmaddubsw vpmaddubsw vpmaddwd vpmaddwd vpxor vpxord
    }
    three! { vpcmpgtq }
    three_and_a_number! { vcmpps }
    is("vcmpps ymm9, ymm1, [rdi+0x20], 0x11", |a| a.vcmpps(y(9), y(1), at(RDI, 32), 0x11));
    is("vblendvps ymm1, ymm9, ymm14, ymm3", |a| a.vblendvps(y(1), y(9), y(14), y(3)));
    is("vblendvps xmm9, xmm14, xmm1, xmm15", |a| a.vblendvps(x(9), x(14), x(1), x(15)));
    is("vblendvps ymm9, ymm1, [rdi], ymm12", |a| a.vblendvps(y(9), y(1), at(RDI, 0), y(12)));
}

#[test]
fn shifts() {
    macro_rules! by_number {
        ($($name:ident)*) => { $(
            let name = stringify!($name);
            both(name, name, "ymm1, ymm9, 0x1F", |a| a.$name(ymm(1), ymm(9), 31));
            both(name, name, "ymm14, ymm1, 1", |a| a.$name(ymm(14), ymm(1), 1));
            both(name, name, "xmm9, xmm14, 0x80", |a| a.$name(xmm(9), xmm(14), 0x80));
            is_on(Tier::Avx512, &format!("{name} zmm30, zmm17, 7"), |a| a.$name(zmm(30), zmm(17), 7));
        )* };
    }
    by_number! { vpslld vpsrld vpsrad vpsraw }
    both("vpshufd", "vpshufd", "ymm1, ymm9, 0x4E", |a| a.vpshufd(ymm(1), ymm(9), 0x4e));
    both("vpshufd", "vpshufd", "xmm9, xmm1, 0xB1", |a| a.vpshufd(xmm(9), xmm(1), 0xb1));
    both("vpshufd", "vpshufd", "ymm9, [rdi+0x20], 0", |a| a.vpshufd(ymm(9), at(RDI, 32), 0));
}

/// From a register or memory, under one name.
macro_rules! conversions {
    ($of:ident $zof:ident $($name:ident)*) => { $(
        let name = stringify!($name);
        let (of, zof) = (stringify!($of), stringify!($zof));
        both(name, name, &format!("ymm1, {of}9"), |a| a.$name(ymm(1), $of(9)));
        both(name, name, &format!("ymm14, {of}1"), |a| a.$name(ymm(14), $of(1)));
        both(name, name, "xmm9, xmm14", |a| a.$name(xmm(9), xmm(14)));
        both(name, name, "ymm12, [r11+0x80]", |a| a.$name(ymm(12), at(CONSTANTS, 128)));
        both(name, name, "xmm2, [rdi-0x43]", |a| a.$name(xmm(2), at(RDI, -67)));
        let text = format!("{name} zmm30, {zof}17");
        is_on(Tier::Avx512, &text, |a| a.$name(zmm(30), $zof(17)));
    )* };
}

#[test]
fn conversions() {
    conversions! { xmm xmm vpmovsxbd vpmovzxbd }
    conversions! {
        xmm ymm vpmovsxwd vpmovzxwd vpmovsxdq vcvtph2ps vcvtps2pd
    }
    conversions! { ymm zmm vcvtdq2ps vcvtps2dq }
    let name = "vcvtps2ph";
    both(name, name, "xmm1, ymm9, 0", |a| a.vcvtps2ph(xmm(1), ymm(9)));
    both(name, name, "xmm14, xmm1, 0", |a| a.vcvtps2ph(xmm(14), xmm(1)));
    both(name, name, "[rsi-0x21], ymm14, 0", |a| a.vcvtps2ph(at(RSI, -33), ymm(14)));
    both(name, name, "[r11+8], xmm1, 0", |a| a.vcvtps2ph(at(CONSTANTS, 8), xmm(1)));
    is_on(Tier::Avx512, "vcvtps2ph ymm30, zmm17, 0", |a| a.vcvtps2ph(ymm(30), zmm(17)));
    let name = "vcvtpd2ps";
    both(name, name, "xmm1, ymm9", |a| a.vcvtpd2ps(xmm(1), ymm(9)));
    both(name, name, "xmm14, xmm1", |a| a.vcvtpd2ps(xmm(14), xmm(1)));
    both(name, name, "xmm9, yword [rdi+0x40]", |a| a.vcvtpd2ps(xmm(9), at(RDI, 64)));
    is_on(Tier::Avx512, "vcvtpd2ps ymm30, zmm17", |a| a.vcvtpd2ps(ymm(30), zmm(17)));
}

#[test]
fn lanes_apart() {
    let from = |base, index, disp| Each { base, index, scale: 4, disp };
    is("vgatherdps ymm1, [rdi+ymm9*4+0x10], ymm14", |a| {
        a.vgatherdps(y(1), from(RDI, y(9), 16), y(14));
    });
    is("vgatherdps xmm9, [r11+xmm14*4], xmm1", |a| {
        a.vgatherdps(x(9), from(CONSTANTS, x(14), 0), x(1));
    });
}

/// What becomes of mistakes.
mod mistakes {
    use super::*;

    fn with(emit: impl FnOnce(&mut Asm)) {
        emit(&mut Asm::new(Tier::Avx2));
    }

    #[test]
    #[should_panic(expected = "AVX2 has no operand that is one element in every lane: B(Mem")]
    fn everywhere() {
        with(|a| a.vmulps(y(0), y(1), at(RDI, 0).everywhere()));
    }

    #[test]
    #[should_panic(expected = "widths in AVX2")]
    fn mixed_widths() {
        with(|a| a.vaddps(y(0), y(1), x(2)));
    }

    #[test]
    #[should_panic(expected = "widths in AVX2")]
    fn wide_source() {
        with(|a| a.vpmovsxbd(y(0), y(1)));
    }

    #[test]
    #[should_panic(expected = "no such instruction in AVX2")]
    fn high_register() {
        with(|a| a.vpaddd(y(0), y(16), y(1)));
    }

    #[test]
    #[should_panic(expected = "no such gather in AVX2")]
    fn gather_over_its_index() {
        with(|a| a.vgatherdps(y(0), at(RDI, 0).each(y(0), 4), y(1)));
    }
}
