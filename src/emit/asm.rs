//! The assembler. In: the manual's mnemonics, one spelling for all tiers. Out: bytes, and constants to stand
//! behind them.
//!
//! What AVX2 and AVX-512 call by one name is one row of a list here; what differs is written twice, side by
//! side. General registers and control flow are dynasm's own, on `ops`.

use std::ops::Range;

use dynasmrt::x64::X64Relocation;
use dynasmrt::{DynasmApi, VecAssembler, dynasm};

use super::evex::{self, Evex, K, M0F, M3A, Mem, NP, P66, Rm, V, Vex, Width};
use crate::target::Tier;

mod arith;
mod vex;

/// For a moment's use: [`Asm::place`], [`Asm::add`] and [`Asm::times`] may change `rax`. `rcx` is how often a leaf
/// goes round.
pub(super) const RAX: u8 = 0;
pub(super) const RCX: u8 = 1;
/// Where a leaf asks for blocks, if it does, until it has done so: what adds up rows counts in it.
pub(super) const RDX: u8 = 2;
/// Where the walk is in the destination, and in the source.
pub(super) const RSI: u8 = 6;
pub(super) const RDI: u8 = 7;
/// The stack frame, on a line.
pub(super) const FRAME: u8 = 10;
/// The constants.
pub(super) const CONSTANTS: u8 = 11;

/// Code under way.
pub(super) struct Asm {
    pub(super) ops: VecAssembler<X64Relocation>,
    pub(super) tier: Tier,
    /// What stands behind the code, each piece on a multiple of its size, up to a line.
    pub(super) constants: Vec<u8>,
    /// Where its pieces are.
    pieces: Vec<(u32, u32)>,
    /// Room between them.
    gaps: Vec<Range<usize>>,
    /// Whether what follows reaches the source alone, and the destination: [`ALL`](evex::ALL) holds ones then.
    pub(super) alone: [bool; 2],
    /// What the code does out of its way.
    pub(super) far: Vec<super::convert::Far>,
}

/// Names that both encodings have, for registers and memory.
macro_rules! same_name {
    ($($name:ident)*) => { $(
        pub(super) fn $name(&mut self, d: V, a: V, b: impl Into<Rm>) {
            let b = b.into();
            if self.masks() {
                return self.ops.$name(d, a, b);
            }
            match (d.width, b) {
                (Width::X, Rm::V(b)) => dynasm!(self.ops ; .arch x64
                    ; $name Rx(d.number), Rx(a.number), Rx(b.number)),
                (Width::X, Rm::M(m)) => dynasm!(self.ops ; .arch x64
                    ; $name Rx(d.number), Rx(a.number), [Rq(m.base) + m.disp]),
                (_, Rm::V(b)) => dynasm!(self.ops ; .arch x64
                    ; $name Ry(d.number), Ry(a.number), Ry(b.number)),
                (_, Rm::M(m)) => dynasm!(self.ops ; .arch x64
                    ; $name Ry(d.number), Ry(a.number), [Rq(m.base) + m.disp]),
                (.., b) => vex::no_operand(b),
            }
        }
    )* };
}

/// Names that both encodings have, with an immediate. dynasm 5.1 takes the two sources of these in the wrong order, so
/// they are encoded here.
macro_rules! same_name_imm {
    ($($name:ident $vex:expr),*) => { $(
        pub(super) fn $name(&mut self, d: V, a: V, b: V, imm: u8) {
            match self.masks() {
                true => self.ops.$name(d, a, b, imm),
                false => self.vex_imm($vex, d, a, b, imm),
            }
        }
    )* };
}

/// Where the names differ by the element that masks count.
macro_rules! two_names {
    ($($name:ident $wide:ident)*) => { $(
        pub(super) fn $name(&mut self, d: V, a: V, b: impl Into<Rm>) {
            let b = b.into();
            match (self.masks(), d.width, b) {
                (true, ..) => self.ops.$wide(d, a, b),
                (_, Width::X, Rm::V(b)) => dynasm!(self.ops ; .arch x64
                    ; $name Rx(d.number), Rx(a.number), Rx(b.number)),
                (_, Width::X, Rm::M(m)) => dynasm!(self.ops ; .arch x64
                    ; $name Rx(d.number), Rx(a.number), [Rq(m.base) + m.disp]),
                (_, _, Rm::V(b)) => dynasm!(self.ops ; .arch x64
                    ; $name Ry(d.number), Ry(a.number), Ry(b.number)),
                (_, _, Rm::M(m)) => dynasm!(self.ops ; .arch x64
                    ; $name Ry(d.number), Ry(a.number), [Rq(m.base) + m.disp]),
                (.., b) => vex::no_operand(b),
            }
        }
    )* };
}

const fn vex(pp: u8, map: u8, opcode: u8) -> Vex {
    Vex { pp, map, w: 0, opcode }
}

impl Asm {
    pub(super) fn new(tier: Tier) -> Asm {
        Asm {
            ops: VecAssembler::new(0),
            tier,
            constants: Vec::with_capacity(256),
            pieces: Vec::new(),
            gaps: Vec::new(),
            alone: [false; 2],
            far: Vec::new(),
        }
    }

    pub(super) fn masks(&self) -> bool {
        self.tier.masks()
    }

    /// Where the next instruction will be.
    pub(super) fn here(&self) -> u32 {
        self.ops.offset().0 as u32
    }

    /// Bytes that stand behind the code, the same ones once.
    pub(super) fn constant(&mut self, bytes: &[u8]) -> Mem {
        let known =
            |&&(at, len): &&(u32, u32)| self.constants[at as usize..(at + len) as usize] == *bytes;
        let at = match self.pieces.iter().find(known) {
            Some(&(at, _)) => at as usize,
            None => {
                let at = self.room(bytes.len());
                self.constants[at..at + bytes.len()].copy_from_slice(bytes);
                self.pieces.push((at as u32, bytes.len() as u32));
                at
            }
        };
        evex::at(CONSTANTS, at as i32)
    }

    /// A place among the constants for so many bytes, on no more lines than they need: where there is room between
    /// others, or behind them.
    fn room(&mut self, count: usize) -> usize {
        let place = |from: usize| from.next_multiple_of(count.next_power_of_two().min(64));
        let fits = |gap: &Range<usize>| place(gap.start) + count <= gap.end;
        let room = match self.gaps.iter().position(fits) {
            Some(gap) => self.gaps.swap_remove(gap),
            None => self.constants.len()..place(self.constants.len()) + count,
        };
        self.constants.resize(self.constants.len().max(room.end), 0);
        let at = place(room.start);
        let left = [room.start..at, at + count..room.end];
        self.gaps.extend(left.into_iter().filter(|gap| !gap.is_empty()));
        at
    }

    /// A place so many bytes from a register, by way of `rax` where it is too far for an instruction.
    pub(super) fn place(&mut self, base: u8, at: isize) -> Mem {
        // What is taken in pieces counts up to a register's bytes from here, or down.
        let near = i32::MIN as isize + 64..=i32::MAX as isize - 64;
        let [src, dst] = self.alone;
        let alone = src && base == RDI || dst && base == RSI;
        if near.contains(&at) {
            return Mem { alone, ..evex::at(base, at as i32) };
        }
        dynasm!(self.ops ; .arch x64 ; mov rax, QWORD at as i64 ; add rax, Rq(base));
        Mem { alone, ..evex::at(RAX, 0) }
    }

    /// Leads a pointer on.
    pub(super) fn add(&mut self, register: u8, bytes: isize) {
        match i32::try_from(bytes) {
            Ok(0) => {}
            Ok(bytes) => match i8::try_from(bytes) {
                Ok(bytes) => dynasm!(self.ops ; .arch x64 ; add Rq(register), BYTE bytes),
                Err(_) => dynasm!(self.ops ; .arch x64 ; add Rq(register), DWORD bytes),
            },
            Err(_) => dynasm!(self.ops ; .arch x64
                ; mov rax, QWORD bytes as i64
                ; add Rq(register), rax),
        }
    }

    /// `register = register * factor`, by way of `rax` where the factor is long.
    pub(super) fn times(&mut self, register: u8, factor: isize) {
        debug_assert_ne!(register, RAX);
        match i32::try_from(factor) {
            Ok(1) => {}
            Ok(factor) => dynasm!(self.ops ; .arch x64
                ; imul Rq(register), Rq(register), DWORD factor),
            Err(_) => dynasm!(self.ops ; .arch x64
                ; mov rax, QWORD factor as i64
                ; imul Rq(register), rax),
        }
    }

    /// A number into a register.
    pub(super) fn set(&mut self, register: u8, value: isize) {
        match u32::try_from(value) {
            Ok(0) => dynasm!(self.ops ; .arch x64 ; xor Rd(register), Rd(register)),
            Ok(value) => dynasm!(self.ops ; .arch x64 ; mov Rd(register), DWORD value as i32),
            Err(_) => dynasm!(self.ops ; .arch x64 ; mov Rq(register), QWORD value as i64),
        }
    }

    /// Asks for a line that is about to be written; one that is not there does no harm.
    pub(super) fn prefetchw(&mut self, m: Mem) {
        dynasm!(self.ops ; .arch x64 ; prefetchw [Rq(m.base) + m.disp]);
    }

    /// Asks for a line that is about to be read; one that is not there does no harm.
    pub(super) fn prefetcht0(&mut self, m: Mem) {
        dynasm!(self.ops ; .arch x64 ; prefetcht0 [Rq(m.base) + m.disp]);
    }

    /// Asks for a line that is about to be read, into the second level; one that is not there does no harm.
    pub(super) fn prefetcht1(&mut self, m: Mem) {
        dynasm!(self.ops ; .arch x64 ; prefetcht1 [Rq(m.base) + m.disp]);
    }

    // ---- alike on all tiers ----

    same_name! {
        vpunpcklbw vpunpcklwd vpunpckldq vpunpcklqdq
        vpunpckhbw vpunpckhwd vpunpckhdq vpunpckhqdq
        vpshufb
    }

    same_name_imm! {
        vshufps vex(NP, M0F, 0xc6),
        vshufpd vex(P66, M0F, 0xc6)
    }

    two_names! { vpor vpord vpand vpandd }

    /// Any bytes of memory.
    pub(super) fn vmovdqu(&mut self, d: V, m: Mem) {
        match (self.masks(), d.width) {
            (true, _) => self.ops.vmovdqu64(d, m),
            (_, Width::X) => dynasm!(self.ops ; .arch x64
                ; vmovdqu Rx(d.number), [Rq(m.base) + m.disp]),
            _ => dynasm!(self.ops ; .arch x64 ; vmovdqu Ry(d.number), [Rq(m.base) + m.disp]),
        }
    }

    pub(super) fn vmovdqu_store(&mut self, m: Mem, a: V) {
        match (self.masks(), a.width) {
            (true, _) => self.ops.vmovdqu64_store(m, a),
            (_, Width::X) => dynasm!(self.ops ; .arch x64
                ; vmovdqu [Rq(m.base) + m.disp], Rx(a.number)),
            _ => dynasm!(self.ops ; .arch x64 ; vmovdqu [Rq(m.base) + m.disp], Ry(a.number)),
        }
    }

    /// From register to register.
    pub(super) fn vmovdqa(&mut self, d: V, a: V) {
        match (self.masks(), d.width) {
            (true, _) => self.ops.vmovdqa64(d, a),
            (_, Width::X) => dynasm!(self.ops ; .arch x64 ; vmovdqa Rx(d.number), Rx(a.number)),
            _ => dynasm!(self.ops ; .arch x64 ; vmovdqa Ry(d.number), Ry(a.number)),
        }
    }

    /// Past the caches; the place is a multiple of the register's bytes.
    pub(super) fn vmovntdq(&mut self, m: Mem, a: V) {
        match (self.masks(), a.width) {
            (true, _) => self.ops.vmovntdq(m, a),
            (_, Width::X) => dynasm!(self.ops ; .arch x64
                ; vmovntdq [Rq(m.base) + m.disp], Rx(a.number)),
            _ => dynasm!(self.ops ; .arch x64 ; vmovntdq [Rq(m.base) + m.disp], Ry(a.number)),
        }
    }

    /// The low 4 bytes; the others of the register become zero.
    pub(super) fn vmovd(&mut self, d: V, m: Mem) {
        match self.masks() {
            true => self.ops.vmovd(V { width: Width::X, ..d }, m),
            false => dynasm!(self.ops ; .arch x64 ; vmovd Rx(d.number), [Rq(m.base) + m.disp]),
        }
    }

    pub(super) fn vmovd_store(&mut self, m: Mem, a: V) {
        match self.masks() {
            true => self.ops.vmovd_store(m, V { width: Width::X, ..a }),
            false => dynasm!(self.ops ; .arch x64 ; vmovd [Rq(m.base) + m.disp], Rx(a.number)),
        }
    }

    /// The low 8 bytes; the others of the register become zero.
    pub(super) fn vmovq(&mut self, d: V, m: Mem) {
        match self.masks() {
            true => self.ops.vmovq(V { width: Width::X, ..d }, m),
            false => dynasm!(self.ops ; .arch x64 ; vmovq Rx(d.number), [Rq(m.base) + m.disp]),
        }
    }

    pub(super) fn vmovq_store(&mut self, m: Mem, a: V) {
        match self.masks() {
            true => self.ops.vmovq_store(m, V { width: Width::X, ..a }),
            false => dynasm!(self.ops ; .arch x64 ; vmovq [Rq(m.base) + m.disp], Rx(a.number)),
        }
    }

    /// So many bytes, again and again through the register.
    pub(super) fn broadcast(&mut self, d: V, m: Mem, bytes: usize) {
        let (to, base, disp) = (d.number, m.base, m.disp);
        match (self.masks(), bytes, d.width) {
            (true, 1, _) => self.ops.vpbroadcastb(d, m),
            (true, 2, _) => self.ops.vpbroadcastw(d, m),
            (true, 4, _) => self.ops.vpbroadcastd(d, m),
            (true, 8, _) => self.ops.vpbroadcastq(d, m),
            (true, 16, Width::Y | Width::Z) => self.ops.vbroadcasti32x4(d, m),
            (true, 32, Width::Z) => self.ops.vbroadcasti64x4(d, m),
            (false, 1, Width::X) => {
                dynasm!(self.ops ; .arch x64 ; vpbroadcastb Rx(to), BYTE [Rq(base) + disp])
            }
            (false, 2, Width::X) => {
                dynasm!(self.ops ; .arch x64 ; vpbroadcastw Rx(to), WORD [Rq(base) + disp])
            }
            (false, 4, Width::X) => {
                dynasm!(self.ops ; .arch x64 ; vpbroadcastd Rx(to), DWORD [Rq(base) + disp])
            }
            (false, 8, Width::X) => {
                dynasm!(self.ops ; .arch x64 ; vpbroadcastq Rx(to), QWORD [Rq(base) + disp])
            }
            (false, 1, _) => {
                dynasm!(self.ops ; .arch x64 ; vpbroadcastb Ry(to), BYTE [Rq(base) + disp])
            }
            (false, 2, _) => {
                dynasm!(self.ops ; .arch x64 ; vpbroadcastw Ry(to), WORD [Rq(base) + disp])
            }
            (false, 4, _) => {
                dynasm!(self.ops ; .arch x64 ; vpbroadcastd Ry(to), DWORD [Rq(base) + disp])
            }
            (false, 8, _) => {
                dynasm!(self.ops ; .arch x64 ; vpbroadcastq Ry(to), QWORD [Rq(base) + disp])
            }
            (false, 16, Width::Y) => {
                dynasm!(self.ops ; .arch x64 ; vbroadcasti128 Ry(to), [Rq(base) + disp])
            }
            _ if bytes == d.width.bytes() => self.vmovdqu(d, m),
            _ => unreachable!("{bytes} bytes through a register of {}", d.width.bytes()),
        }
    }

    /// Blocks of 16 bytes: of `a` in the lower half, of `b` in the upper.
    pub(super) fn blocks(&mut self, d: V, a: V, b: V, pick: [u8; 4]) {
        match (self.masks(), d.width) {
            (true, Width::Z) => {
                let imm = pick[0] | pick[1] << 2 | pick[2] << 4 | pick[3] << 6;
                self.ops.vshufi64x2(d, a, b, imm);
            }
            (true, _) => self.ops.vshufi64x2(d, a, b, pick[0] | pick[1] << 1),
            (false, _) => dynasm!(self.ops ; .arch x64
                ; vperm2i128 Ry(d.number), Ry(a.number), Ry(b.number), (pick[0] | (2 + pick[1]) << 4) as i8),
        }
    }

    // ---- AVX-512 alone ----

    /// Which elements count, from a constant.
    pub(super) fn kmovq(&mut self, k: K, m: Mem) {
        self.ops.kmovq(k, m);
    }

    // ---- AVX2 alone ----

    pub(super) fn vpmaskmovd(&mut self, d: V, mask: V, m: Mem) {
        match d.width {
            Width::X => dynasm!(self.ops ; .arch x64
                ; vpmaskmovd Rx(d.number), Rx(mask.number), [Rq(m.base) + m.disp]),
            _ => dynasm!(self.ops ; .arch x64
                ; vpmaskmovd Ry(d.number), Ry(mask.number), [Rq(m.base) + m.disp]),
        }
    }

    pub(super) fn vpermd(&mut self, d: V, index: V, a: V) {
        dynasm!(self.ops ; .arch x64 ; vpermd Ry(d.number), Ry(index.number), Ry(a.number));
    }

    pub(super) fn vpermq(&mut self, d: V, a: V, imm: u8) {
        dynasm!(self.ops ; .arch x64 ; vpermq Ry(d.number), Ry(a.number), imm as i8);
    }

    pub(super) fn vpblendd(&mut self, d: V, a: V, b: V, imm: u8) {
        self.vex_imm(vex(P66, M3A, 0x02), d, a, b, imm);
    }

    pub(super) fn vpblendw(&mut self, d: V, a: V, b: V, imm: u8) {
        self.vex_imm(vex(P66, M3A, 0x0e), d, a, b, imm);
    }

    pub(super) fn vpblendvb(&mut self, d: V, a: V, b: V, mask: V) {
        match d.width {
            Width::X => dynasm!(self.ops ; .arch x64
                ; vpblendvb Rx(d.number), Rx(a.number), Rx(b.number), Rx(mask.number)),
            _ => dynasm!(self.ops ; .arch x64
                ; vpblendvb Ry(d.number), Ry(a.number), Ry(b.number), Ry(mask.number)),
        }
    }

    /// One half of a register, from memory or another register.
    pub(super) fn vinserti128(&mut self, d: V, a: V, b: impl Into<Rm>, half: u8) {
        match b.into() {
            Rm::V(b) => dynasm!(self.ops ; .arch x64
                ; vinserti128 Ry(d.number), Ry(a.number), Rx(b.number), half as i8),
            Rm::M(m) => dynasm!(self.ops ; .arch x64
                ; vinserti128 Ry(d.number), Ry(a.number), [Rq(m.base) + m.disp], half as i8),
            b => vex::no_operand(b),
        }
    }

    pub(super) fn vextracti128(&mut self, d: V, a: V, half: u8) {
        dynasm!(self.ops ; .arch x64 ; vextracti128 Rx(d.number), Ry(a.number), half as i8);
    }

    pub(super) fn vextracti128_store(&mut self, m: Mem, a: V, half: u8) {
        dynasm!(self.ops ; .arch x64
            ; vextracti128 [Rq(m.base) + m.disp], Ry(a.number), half as i8);
    }

    /// 1, 2, 4 or 8 bytes into the low half, at a multiple of them; the upper half becomes zero.
    pub(super) fn vpinsr(&mut self, d: V, a: V, m: Mem, bytes: usize, at: usize) {
        let (d, a, base, disp, i) = (d.number, a.number, m.base, m.disp, (at / bytes) as i8);
        match bytes {
            1 => dynasm!(self.ops ; .arch x64 ; vpinsrb Rx(d), Rx(a), BYTE [Rq(base) + disp], i),
            2 => dynasm!(self.ops ; .arch x64 ; vpinsrw Rx(d), Rx(a), WORD [Rq(base) + disp], i),
            4 => dynasm!(self.ops ; .arch x64 ; vpinsrd Rx(d), Rx(a), DWORD [Rq(base) + disp], i),
            _ => dynasm!(self.ops ; .arch x64 ; vpinsrq Rx(d), Rx(a), QWORD [Rq(base) + disp], i),
        }
    }

    /// 1, 2, 4 or 8 bytes out of the low half, from a multiple of them on.
    pub(super) fn vpextr(&mut self, m: Mem, a: V, bytes: usize, at: usize) {
        let (a, base, disp, i) = (a.number, m.base, m.disp, (at / bytes) as i8);
        match (bytes, at) {
            (1, _) => dynasm!(self.ops ; .arch x64 ; vpextrb BYTE [Rq(base) + disp], Rx(a), i),
            (2, _) => dynasm!(self.ops ; .arch x64 ; vpextrw WORD [Rq(base) + disp], Rx(a), i),
            (4, 0) => dynasm!(self.ops ; .arch x64 ; vmovd [Rq(base) + disp], Rx(a)),
            (4, _) => dynasm!(self.ops ; .arch x64 ; vpextrd DWORD [Rq(base) + disp], Rx(a), i),
            (8, 0) => dynasm!(self.ops ; .arch x64 ; vmovq [Rq(base) + disp], Rx(a)),
            _ => dynasm!(self.ops ; .arch x64 ; vmovhps [Rq(base) + disp], Rx(a)),
        }
    }
}

#[cfg(all(test, not(miri)))] // machine code
mod tests;
