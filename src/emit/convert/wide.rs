//! Elements as arithmetic takes them. In: elements of a type in memory. Out: a unit of them, as f32, f64 or whole
//! numbers.

use super::super::asm::{Asm, RDI};
use super::super::bits::every;
use super::super::edges;
use super::super::evex::{Evex, Mem, Rm, To, V, Width};
use super::{Part, Work, width};
use crate::DType;
use crate::shuffle::Op;

impl Work<'_, '_> {
    /// Loads a unit in parts; the other lanes are zero, unless it says that they are not.
    pub(super) fn wide(&mut self, t: V, from: DType, parts: &[Part]) -> bool {
        let unit = self.unit();
        let size = from.size();
        let more = self.reads_more(size, parts);
        if size == unit.element {
            self.parts(t, size, parts);
        } else if let [Part { base, at, first: 0, count }] = *parts
            && count == unit.per
        {
            let m = self.a.place(base, at);
            widen(self.a, from, t, m.into());
        } else if let Some(count) = more {
            let m = self.a.place(parts[0].base, parts[0].at);
            widen(self.a, from, V { width: width(count * unit.element), ..t }, m.into());
        } else if self.a.masks() {
            for (i, part) in parts.iter().enumerate() {
                let k = self.held.mask(self.a, every(part.count) << part.first);
                let to = if i == 0 { t.zero(k) } else { t.keep(k) };
                let m = self.a.place(part.base, part.at);
                let m = m.on(-((part.first * size) as isize));
                widen_masked(self.a, from, to, m);
            }
        } else {
            let narrow = V { width: width(unit.per * size), ..t };
            self.parts(narrow, size, parts);
            widen(self.a, from, t, narrow.into());
        }
        self.widened(t, from);
        more.is_some_and(|own| own > parts[0].count)
    }

    /// Where registers have no masks, so many elements from the first of a few on as one instruction makes longer, if
    /// the sequence reads all of them anyway: that is fewer operations than to put those few together.
    fn reads_more(&self, size: usize, parts: &[Part]) -> Option<usize> {
        let unit = self.unit();
        let &[Part { base: RDI, at, first: 0, count }] = parts else { return None };
        let short = size < unit.element && unit.element == 4 && count < unit.per;
        if self.a.masks() || !short {
            return None;
        }
        let loads = self.moves.program.lines.iter().filter_map(|line| match line.op {
            Op::Load { at, count, .. } => Some(at..at + (usize::from(count) * size) as isize),
            _ => None,
        });
        let own = [4, unit.per].into_iter().find(|&own| count <= own)?;
        // From the end of one load to that of the next.
        let (mut read, all) = (at, at + (own * size) as isize);
        while read < all {
            read = loads.clone().filter(|load| load.contains(&read)).map(|load| load.end).max()?;
        }
        Some(own)
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

    /// A unit as it is, not yet converted: in the register itself, or in `t`.
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
