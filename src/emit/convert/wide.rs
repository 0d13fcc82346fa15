//! Elements as arithmetic takes them. In: elements of a type in memory. Out: a unit of them, as f32, f64 or whole
//! numbers.

use super::super::asm::Asm;
use super::super::bits::every;
use super::super::edges;
use super::super::evex::{Evex, Mem, Rm, To, V, Width};
use super::{Part, Work, width};
use crate::DType;

impl Work<'_, '_> {
    /// Loads a unit in parts; the other lanes are zero.
    pub(super) fn wide(&mut self, t: V, from: DType, parts: &[Part]) {
        let unit = self.unit();
        let size = from.size();
        if size == unit.element {
            self.parts(t, size, parts);
        } else if let [Part { base, at, first: 0, count }] = *parts
            && count == unit.per
        {
            let m = self.a.place(base, at);
            widen(self.a, from, t, m.into());
        } else if self.a.masks() {
            for (i, part) in parts.iter().enumerate() {
                let k = self.held.mask(self.a, every(part.count) << part.first);
                let to = if i == 0 { t.zero(k) } else { t.keep(k) };
                let m = self.a.place(part.base, part.at);
                let m = super::after(m, -((part.first * size) as isize));
                widen_masked(self.a, from, to, m);
            }
        } else {
            let narrow = V { width: width(unit.per * size), ..t };
            self.parts(narrow, size, parts);
            widen(self.a, from, t, narrow.into());
        }
        self.widened(t, from);
    }

    /// Whether units are parts of registers that can be taken out of them, and better are.
    pub(super) fn extracts(&self) -> bool {
        let bytes = self.unit().per * self.convert.from.size();
        self.convert.extracts && self.a.masks() && matches!(bytes, 16 | 32)
    }

    /// A unit of a register, so many bytes from its start.
    pub(super) fn wide_part(&mut self, t: V, from: DType, v: V, at: usize) {
        let part = self.extract(t, v, at);
        widen(self.a, from, t, part.into());
        self.widened(t, from);
    }

    /// The same as it is; in the register itself, or in `t`.
    fn extract(&mut self, t: V, v: V, at: usize) -> V {
        let width = width(self.unit().per * self.convert.from.size());
        let part = V { width, ..t };
        match width {
            _ if at == 0 => return V { width, ..v },
            Width::X => self.a.ops.vextracti32x4(part, v, (at / 16) as u8),
            _ => self.a.ops.vextracti64x4(part, v, (at / 32) as u8),
        }
        part
    }

    /// Loads elements as they are.
    pub(super) fn parts(&mut self, t: V, size: usize, parts: &[Part]) {
        let mut kept = 0;
        for part in parts {
            let bytes = every(part.count * size) << (part.first * size);
            let m = self.a.place(part.base, part.at);
            edges::load(self.a, self.held, t, m, bytes, kept);
            kept |= bytes;
        }
    }

    /// What is left to do where elements are as long as arithmetic has them.
    pub(super) fn widened(&mut self, t: V, from: DType) {
        if from == DType::Bf16 {
            self.a.vpslld(t, t, 16);
        } else if let Some(base) = self.convert.base(self.unit()) {
            let base = self.number(base);
            self.a.vpaddd(t, t, base);
        } else if !from.is_float() && self.convert.floats() {
            self.a.vcvtdq2ps(t, t);
        }
    }
}

/// Elements to more bytes each.
pub(super) fn widen(a: &mut Asm, from: DType, t: V, m: Rm) {
    match from {
        DType::F16 => a.vcvtph2ps(t, m),
        DType::Bf16 => a.vpmovzxwd(t, m),
        DType::S8 => a.vpmovsxbd(t, m),
        DType::U8 => a.vpmovzxbd(t, m),
        DType::F32 => a.vcvtps2pd(t, m),
        DType::S32 => a.vpmovsxdq(t, m),
        other => unreachable!("{other} becomes no wider"),
    }
}

fn widen_masked(a: &mut Asm, from: DType, to: To<V>, m: Mem) {
    match from {
        DType::F16 => a.ops.vcvtph2ps(to, m),
        DType::Bf16 => a.ops.vpmovzxwd(to, m),
        DType::S8 => a.ops.vpmovsxbd(to, m),
        DType::U8 => a.ops.vpmovzxbd(to, m),
        DType::F32 => a.ops.vcvtps2pd(to, m),
        DType::S32 => a.ops.vpmovsxdq(to, m),
        other => unreachable!("{other} becomes no wider"),
    }
}
