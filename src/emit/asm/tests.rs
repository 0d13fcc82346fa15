//! Every spelling for AVX2, as another's decoder reads it: the assembler behind it has had operands in the
//! wrong order.

use iced_x86::{Decoder, DecoderOptions, Formatter, NasmFormatter};

use super::*;
use crate::emit::evex::{at, zmm};

const fn x(number: u8) -> V {
    V { number, width: Width::X }
}

const fn y(number: u8) -> V {
    V { number, width: Width::Y }
}

/// What the code is, each instruction a line.
fn read(code: &[u8]) -> String {
    let mut formatter = NasmFormatter::new();
    formatter.options_mut().set_space_after_operand_separator(true);
    formatter.options_mut().set_hex_prefix("0x");
    formatter.options_mut().set_hex_suffix("");
    formatter.options_mut().set_use_pseudo_ops(false);
    let mut lines = Vec::new();
    for instruction in Decoder::with_ip(64, code, 0, DecoderOptions::NONE) {
        assert!(!instruction.is_invalid(), "{code:02x?}");
        let mut line = String::new();
        formatter.format(&instruction, &mut line);
        lines.push(line);
    }
    lines.join("\n")
}

fn is(text: &str, emit: impl FnOnce(&mut Asm)) {
    is_on(Tier::Avx2, text, emit);
}

fn is_on(tier: Tier, text: &str, emit: impl FnOnce(&mut Asm)) {
    let mut a = Asm::new(tier);
    emit(&mut a);
    let code = a.ops.finalize().unwrap();
    assert_eq!(read(&code), text);
}

/// Two sources and a place in memory, in both widths, with low and high registers.
macro_rules! three {
    ($($name:ident)*) => { $(
        is(concat!(stringify!($name), " ymm1, ymm9, ymm14"), |a| a.$name(y(1), y(9), y(14)));
        is(concat!(stringify!($name), " ymm9, ymm14, ymm1"), |a| a.$name(y(9), y(14), y(1)));
        is(concat!(stringify!($name), " xmm14, xmm1, xmm9"), |a| a.$name(x(14), x(1), x(9)));
        is(concat!(stringify!($name), " ymm12, ymm3, [r11+0x80]"), |a| {
            a.$name(y(12), y(3), at(CONSTANTS, 128));
        });
        is(concat!(stringify!($name), " xmm2, xmm13, [rdi-0x40]"), |a| {
            a.$name(x(2), x(13), at(RDI, -64));
        });
    )* };
}

macro_rules! three_and_a_number {
    ($($name:ident)*) => { $(
        is(concat!(stringify!($name), " ymm1, ymm9, ymm14, 0x88"), |a| {
            a.$name(y(1), y(9), y(14), 0x88);
        });
        is(concat!(stringify!($name), " ymm14, ymm1, ymm9, 0x1B"), |a| {
            a.$name(y(14), y(1), y(9), 0x1b);
        });
        is(concat!(stringify!($name), " xmm9, xmm14, xmm1, 0xDD"), |a| {
            a.$name(x(9), x(14), x(1), 0xdd);
        });
    )* };
}

mod arith; // Behind the macros that it uses.

#[test]
fn two_sources() {
    three! {
        vpunpcklbw vpunpcklwd vpunpckldq vpunpcklqdq vpunpckhbw vpunpckhwd vpunpckhdq vpunpckhqdq
        vpshufb vpor vpand
    }
    three_and_a_number! { vshufps vshufpd vpblendd vpblendw }
    is("vpblendvb ymm1, ymm9, ymm14, ymm3", |a| a.vpblendvb(y(1), y(9), y(14), y(3)));
    is("vpblendvb xmm9, xmm14, xmm1, xmm15", |a| a.vpblendvb(x(9), x(14), x(1), x(15)));
    is("vperm2i128 ymm1, ymm9, ymm14, 0x21", |a| a.blocks(y(1), y(9), y(14), [1, 0, 0, 0]));
    is("vperm2i128 ymm9, ymm1, ymm3, 0x30", |a| a.blocks(y(9), y(1), y(3), [0, 1, 0, 0]));
    is("vpermd ymm1, ymm9, ymm14", |a| a.vpermd(y(1), y(9), y(14)));
    is("vpermq ymm9, ymm1, 0x4E", |a| a.vpermq(y(9), y(1), 0x4e));
    is("vinserti128 ymm1, ymm9, xmm14, 1", |a| a.vinserti128(y(1), y(9), x(14), 1));
    is("vinserti128 ymm9, ymm1, [rdi+0x400], 1", |a| a.vinserti128(y(9), y(1), at(RDI, 1024), 1));
    is("vextracti128 xmm1, ymm9, 1", |a| a.vextracti128(x(1), y(9), 1));
    is("vextracti128 [rsi+0x10], ymm9, 1", |a| a.vextracti128_store(at(RSI, 16), y(9), 1));
}

#[test]
fn moves() {
    is("vmovdqu ymm9, [rdi+0x20]", |a| a.vmovdqu(y(9), at(RDI, 32)));
    is("vmovdqu xmm1, [rax]", |a| a.vmovdqu(x(1), at(RAX, 0)));
    is("vmovdqu [rsi-0x20], ymm14", |a| a.vmovdqu_store(at(RSI, -32), y(14)));
    is("vmovdqu [rsi+0x12345], xmm3", |a| a.vmovdqu_store(at(RSI, 0x12345), x(3)));
    is("vmovdqa ymm1, ymm9", |a| a.vmovdqa(y(1), y(9)));
    is("vmovdqa xmm9, xmm1", |a| a.vmovdqa(x(9), x(1)));
    is("vmovntdq [rsi+0x40], ymm9", |a| a.vmovntdq(at(RSI, 64), y(9)));
    is("vmovd xmm9, [rdi+4]", |a| a.vmovd(y(9), at(RDI, 4)));
    is("vmovd [rsi+4], xmm9", |a| a.vmovd_store(at(RSI, 4), y(9)));
    is("vmovq xmm9, [rdi+8]", |a| a.vmovq(y(9), at(RDI, 8)));
    is("vmovq [rsi+8], xmm9", |a| a.vmovq_store(at(RSI, 8), y(9)));
    is("vpmaskmovd ymm1, ymm9, [rdi+0xC]", |a| a.vpmaskmovd(y(1), y(9), at(RDI, 12)));
    is("vpmaskmovd xmm9, xmm1, [rdi]", |a| a.vpmaskmovd(x(9), x(1), at(RDI, 0)));
    is("prefetchw [rsi+0x100]", |a| a.prefetchw(at(RSI, 256)));
    is("prefetcht0 [rdi+0x100]", |a| a.prefetcht0(at(RDI, 256)));
    is("prefetcht1 [rax+0x100]", |a| a.prefetcht1(at(RAX, 256)));
    for (bytes, name) in [(1, "b"), (2, "w"), (4, "d"), (8, "q")] {
        is(&format!("vpbroadcast{name} ymm9, [rdi+0x10]"), |a| {
            a.broadcast(y(9), at(RDI, 16), bytes)
        });
        is(&format!("vpbroadcast{name} xmm1, [rdi+0x10]"), |a| {
            a.broadcast(x(1), at(RDI, 16), bytes)
        });
    }
    is("vbroadcasti128 ymm9, [rdi]", |a| a.broadcast(y(9), at(RDI, 0), 16));
}

#[test]
fn pieces() {
    for (bytes, name, i) in [(1, "b", 5), (2, "w", 3), (4, "d", 2), (8, "q", 1)] {
        is(&format!("vpinsr{name} xmm9, xmm14, [rdi+3], {i}"), |a| {
            a.vpinsr(x(9), x(14), at(RDI, 3), bytes, i * bytes);
        });
    }
    is("vpextrb [rsi+3], xmm9, 5", |a| a.vpextr(at(RSI, 3), x(9), 1, 5));
    is("vpextrw [rsi+3], xmm9, 3", |a| a.vpextr(at(RSI, 3), x(9), 2, 6));
    is("vpextrd [rsi+3], xmm9, 2", |a| a.vpextr(at(RSI, 3), x(9), 4, 8));
    is("vmovd [rsi+3], xmm9", |a| a.vpextr(at(RSI, 3), x(9), 4, 0));
    is("vmovq [rsi+3], xmm9", |a| a.vpextr(at(RSI, 3), x(9), 8, 0));
    is("vmovhps [rsi+3], xmm9", |a| a.vpextr(at(RSI, 3), x(9), 8, 8));
}

/// Each side by itself, under the mask of ones where there is no other; the frame as ever, and what has no mask.
#[test]
fn reached_alone() {
    let one = |text: &str, alone: [bool; 2], emit: fn(&mut Asm)| {
        is_on(Tier::Avx512, text, |a| {
            a.alone = alone;
            emit(a);
        });
    };
    let load = |a: &mut Asm| {
        let m = a.place(RDI, 64);
        a.vmovdqu(zmm(1), m);
    };
    let store = |a: &mut Asm| {
        let m = a.place(RSI, 64);
        a.vmovdqu_store(m, zmm(1));
    };
    one("vmovdqu64 zmm1{k5}{z}, [rdi+0x40]", [true, false], load);
    one("vmovdqu64 zmm1, [rdi+0x40]", [false, true], load);
    one("vmovdqu64 [rsi+0x40]{k5}, zmm1", [false, true], store);
    one("vmovdqu64 [rsi+0x40], zmm1", [true, false], store);
    one("mov rax, 0x100000000\nadd rax, rdi\nvmovdqu64 zmm1{k5}{z}, [rax]", [true; 2], |a| {
        let m = a.place(RDI, 1 << 32);
        a.vmovdqu(zmm(1), m);
    });
    one("vpmovzxbd zmm1{k5}{z}, [rdi]", [true; 2], |a| {
        let m = a.place(RDI, 0);
        a.ops.vpmovzxbd(zmm(1), m);
    });
    one("vmovdqu8 zmm1{k2}, [rdi]", [true; 2], |a| {
        let m = a.place(RDI, 0);
        a.ops.vmovdqu8(zmm(1).keep(K(2)), m);
    });
    one("vmovntdq [rsi], zmm1", [true; 2], |a| {
        let m = a.place(RSI, 0);
        a.vmovntdq(m, zmm(1));
    });
    one("vmovd xmm1, [rdi]", [true; 2], |a| {
        let m = a.place(RDI, 0);
        a.vmovd(x(1), m);
    });
    one("vmovdqu64 zmm1, [r10]", [true; 2], |a| {
        let m = a.place(FRAME, 0);
        a.vmovdqu(zmm(1), m);
    });
}

#[test]
fn numbers_of_any_length() {
    is("add rdi, 0x40", |a| a.add(RDI, 64));
    is("add rsi, 0xFFFFFFFFFFFFFF80", |a| a.add(RSI, -128));
    is("add rdi, 0x12345678", |a| a.add(RDI, 0x12345678));
    is("mov rax, 0x123456789A\nadd rdi, rax", |a| a.add(RDI, 0x12_3456_789a));
    is("", |a| a.add(RDI, 0));
    is("xor ecx, ecx", |a| a.set(1, 0));
    is("mov ecx, 0xFFFFFFFF", |a| a.set(1, 0xffff_ffff));
    is("mov rcx, 0x100000000", |a| a.set(1, 1 << 32));
    is("mov rcx, 0xFFFFFFFFFFFFFFFF", |a| a.set(1, -1));
    is("imul rcx, rcx, 0x40", |a| a.times(1, 64));
    is("mov rax, 0x100000000\nimul rcx, rax", |a| a.times(1, 1 << 32));
    is("mov rax, 0x100000000\nadd rax, rdi", |a| assert_eq!(a.place(RDI, 1 << 32), at(RAX, 0)));
    is("", |a| assert_eq!(a.place(RDI, -5), at(RDI, -5)));
}
