//! What a decoder says of bytes, held against the operands they were made of.

use std::collections::HashMap;

use iced_x86::{
    Decoder, DecoderError, DecoderOptions, EncodingKind, Instruction, Mnemonic, OpKind, Register,
};

use super::row::Bytes;
use super::*;

/// The one instruction that the bytes are.
pub(super) fn decode(bytes: &Bytes) -> Option<Instruction> {
    let mut decoder = Decoder::new(64, bytes, DecoderOptions::NONE);
    let instruction = decoder.decode();
    let whole = decoder.last_error() == DecoderError::None && instruction.len() == bytes.len();
    whole.then_some(instruction)
}

pub(super) fn is_same(row: &Row, o: &Operands, i: &Instruction) -> bool {
    let reg = |at| match row.form.is_compare() {
        true => is_mask(i, at, K(o.reg.number)),
        false => is_vector(i, at, o.reg),
    };
    let rm = |at| match o.rm {
        Rm::V(v) => is_vector(i, at, v),
        Rm::M(m) => is_memory(i, at, m) && !i.is_broadcast(),
        Rm::B(m) => {
            is_memory(i, at, m)
                && i.is_broadcast()
                && i.memory_size().element_size() == 1 << row.log_element()
        }
        Rm::E(e) => is_each(i, at, e),
    };
    let with = |at| o.with.is_none_or(|v| is_vector(i, at, v));
    let vectors = 2 + o.with.map_or(0, |_| 1);
    let imm = match o.imm {
        Some(imm) => i.op_kind(vectors) == OpKind::Immediate8 && i.immediate8() == imm,
        None => true,
    };
    let operands = match row.form {
        Form::mr | Form::mri | Form::narrow | Form::store => rm(0) && reg(1),
        _ => reg(0) && with(1) && rm(vectors - 1),
    };
    let mask = if o.mask == K(0) { Register::None } else { Register::K0 + u32::from(o.mask.0) };
    i.op_count() == vectors + o.imm.map_or(0, |_| 1)
        && operands
        && imm
        && i.op_mask() == mask
        && i.zeroing_masking() == o.zeroing
        && i.encoding() == EncodingKind::EVEX
}

fn vector(v: V) -> Register {
    [Register::XMM0, Register::YMM0, Register::ZMM0][v.width as usize] + u32::from(v.number)
}

fn general(number: u8) -> Register {
    Register::RAX + u32::from(number)
}

fn is_vector(i: &Instruction, at: u32, v: V) -> bool {
    i.op_kind(at) == OpKind::Register && i.op_register(at) == vector(v)
}

pub(super) fn is_mask(i: &Instruction, at: u32, k: K) -> bool {
    i.op_kind(at) == OpKind::Register && i.op_register(at) == Register::K0 + u32::from(k.0)
}

pub(super) fn is_memory(i: &Instruction, at: u32, m: Mem) -> bool {
    let index = m.index.map_or((Register::None, 1), |(index, scale)| (general(index), scale));
    is_address(i, at, m.base, index, m.disp)
}

fn is_each(i: &Instruction, at: u32, e: Each) -> bool {
    is_address(i, at, e.base, (vector(e.index), e.scale), e.disp)
}

fn is_address(i: &Instruction, at: u32, base: u8, index: (Register, u8), disp: i32) -> bool {
    i.op_kind(at) == OpKind::Memory
        && i.memory_base() == general(base)
        && i.memory_index() == index.0
        && i.memory_index_scale() == u32::from(index.1)
        && i.memory_displacement64() == i64::from(disp) as u64
}

/// ModRM, SIB and displacement at their shortest, where that of one byte counts in units.
pub(super) fn modrm_bytes(rm: Rm, unit: usize) -> usize {
    let m = match rm {
        Rm::V(_) => return 1,
        Rm::M(m) | Rm::B(m) => m,
        Rm::E(e) => e.mem(),
    };
    let unit = unit as i32;
    let sib = m.index.is_some() || matches!(m.base, 4 | 12);
    let disp = match m.disp {
        0 if !matches!(m.base, 5 | 13) => 0,
        disp if disp % unit == 0 && (-128..128).contains(&(disp / unit)) => 1,
        _ => 4,
    };
    1 + usize::from(sib) + disp
}

/// Mnemonics by their names, which methods have with an ending where forms differ.
pub(super) struct Mnemonics(HashMap<String, Mnemonic>);

impl Mnemonics {
    pub(super) fn new() -> Mnemonics {
        Mnemonics(Mnemonic::values().map(|m| (format!("{m:?}").to_lowercase(), m)).collect())
    }

    pub(super) fn of(&self, name: &str) -> Mnemonic {
        self.0[name.trim_end_matches("_store").trim_end_matches("_imm")]
    }
}
