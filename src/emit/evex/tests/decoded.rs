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
    let reg = |at| is_vector(i, at, o.reg);
    let rm = |at| match o.rm {
        Rm::V(v) => is_vector(i, at, v),
        Rm::M(m) => is_memory(i, at, m),
    };
    let with = |at| o.with.is_none_or(|v| is_vector(i, at, v));
    let vectors = 2 + o.with.map_or(0, |_| 1);
    let imm = match o.imm {
        Some(imm) => i.op_kind(vectors) == OpKind::Immediate8 && i.immediate8() == imm,
        None => true,
    };
    let operands = match row.form {
        Form::mr | Form::mri | Form::store => rm(0) && reg(1),
        _ => reg(0) && with(1) && rm(vectors - 1),
    };
    let mask = if o.mask == K(0) { Register::None } else { Register::K0 + u32::from(o.mask.0) };
    i.op_count() == vectors + o.imm.map_or(0, |_| 1)
        && operands
        && imm
        && i.op_mask() == mask
        && i.zeroing_masking() == o.zeroing
        && i.encoding() == EncodingKind::EVEX
        && !i.is_broadcast()
}

fn is_vector(i: &Instruction, at: u32, v: V) -> bool {
    let first = [Register::XMM0, Register::YMM0, Register::ZMM0][v.width as usize];
    i.op_kind(at) == OpKind::Register && i.op_register(at) == first + u32::from(v.number)
}

pub(super) fn is_memory(i: &Instruction, at: u32, m: Mem) -> bool {
    let general = |number| Register::RAX + u32::from(number);
    let (index, scale) =
        m.index.map_or((Register::None, 1), |(index, scale)| (general(index), scale));
    i.op_kind(at) == OpKind::Memory
        && i.memory_base() == general(m.base)
        && i.memory_index() == index
        && i.memory_index_scale() == u32::from(scale)
        && i.memory_displacement64() == i64::from(m.disp) as u64
}

/// ModRM, SIB and displacement at their shortest, where that of one byte counts in units.
pub(super) fn modrm_bytes(rm: Rm, unit: usize) -> usize {
    let Rm::M(m) = rm else { return 1 };
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
