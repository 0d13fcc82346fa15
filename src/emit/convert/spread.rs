//! Units out of a register by one permutation each. In: a register of short elements. Out: a unit of them, each moved
//! to its place among longer ones, with zeros or what makes a float of it in its other bytes.
//!
//! To take a part out of a register and to make its elements longer are two permutations, and one can do both where
//! bytes can be permuted. Elements of bf16 are floats then. Those of a byte without a sign are whole numbers. Bytes
//! with one are turned into such by 128 more, and become the lowest bits of a float that is so large that these count
//! ones; so do those without where a zero point is taken off, which takes that float off with it.

use super::super::asm::RDI;
use super::super::evex::{Evex, K, Rm, V, Width};
use super::super::held::Constant;
use super::bytes::SIGNS;
use super::script::{Deed, Source};
use super::windows::Spread;
use super::{Convert, Unit, Work};
use crate::DType;
use crate::target::Tier;

/// 2^23, the last bit of which is 1; and 128 more.
const LARGE: u32 = 0x4b00_0000;
const LARGE_SIGNED: u32 = 0x4b00_0080;

impl Convert {
    /// Whether units of a register are made by a permutation.
    pub(super) fn is_spread(&self, unit: Unit) -> bool {
        let longer = match self.from {
            DType::U8 | DType::Bf16 => true,
            DType::S8 => self.floats(),
            _ => false,
        };
        self.permutes_bytes
            && self.bytewise.is_none()
            && (unit.width, unit.element) == (Width::Z, 4)
            && longer
    }

    /// What is best held for the stores of a sequence, but for the mask.
    pub(in super::super) fn spreading(
        &self,
        script: &[Deed],
        lanes: usize,
        tier: Tier,
    ) -> Vec<Constant> {
        let unit = self.unit(lanes, tier.vector());
        let mut indices = Vec::new();
        for deed in script.iter().filter(|_| self.is_spread(unit)) {
            let Deed::Store(piece, source) = deed else { continue };
            let (first, end) = (piece.place as usize, (piece.place + piece.count) as usize);
            for u in first / unit.per..end.div_ceil(unit.per) {
                let Spread { from, step, .. } = match source {
                    Source::Register { .. } => self.unit_of(unit, u),
                    Source::Windows(units) => units[u],
                    _ => continue,
                };
                let constant = Constant::Spread(from, step);
                if !indices.contains(&constant) {
                    indices.push(constant);
                }
            }
        }
        if indices.is_empty() {
            return indices;
        }
        let unsigned = |deed: &Deed| match deed {
            Deed::Windows(_) => true,
            Deed::Store(_, Source::Register { last, .. }) => *last,
            _ => false,
        };
        let numbers = match self.from {
            DType::S8 if script.iter().any(unsigned) => &[LARGE, LARGE_SIGNED, SIGNS][..],
            DType::S8 => &[LARGE_SIGNED],
            DType::U8 if self.base(unit).is_some() => &[LARGE],
            _ => &[],
        };
        let numbers = numbers.iter().map(|bits| Constant::Number(*bits));
        indices.into_iter().chain(numbers).collect()
    }

    /// The elements of a unit, where a register has them in a row.
    fn unit_of(&self, unit: Unit, u: usize) -> Spread {
        let size = self.from.size();
        Spread { register: 0, from: (u * unit.per * size) as u8, step: size as u8 }
    }

    /// The float that bytes are left upon, to be taken off with their zero point. Of one that is not tame the sum would
    /// not be a number of ones.
    pub(super) fn base(&self, unit: Unit) -> Option<u32> {
        let left = self.is_tame() && self.arith.has_byte_points(self.from) && self.is_spread(unit);
        match self.from {
            DType::S8 if left => Some(LARGE_SIGNED),
            DType::U8 if left => Some(LARGE),
            _ => None,
        }
    }

    /// The bytes of a unit that are an element's.
    pub(in super::super) fn spread_mask(&self) -> u64 {
        match self.from {
            // The upper half of a float.
            DType::Bf16 => 0xcccc_cccc_cccc_cccc,
            _ => 0x1111_1111_1111_1111,
        }
    }

    /// Where each byte of a unit comes from, whose elements lie from a byte on, every so many bytes.
    pub(in super::super) fn spread_index(&self, from: u8, step: u8) -> Vec<u8> {
        let size = self.from.size() as u8;
        let element = |i: u8| from.wrapping_add(i.wrapping_mul(step));
        // Those that the mask leaves out come from anywhere.
        (0..64).map(|at| element(at / 4).wrapping_add(at & (size - 1)) & 63).collect()
    }
}

impl Work<'_, '_> {
    /// Bytes that have a sign become such as have none, before units are made of them.
    fn unsigned(&mut self, v: V) {
        let signs = self.number(SIGNS);
        self.a.vpxor(v, v, signs);
    }

    /// Loads windows into their registers, for units to be made of.
    pub(super) fn load_windows(&mut self, starts: &[isize]) {
        for (number, start) in starts.iter().enumerate() {
            let v = V { number: number as u8, width: Width::Z };
            let m = self.a.place(RDI, *start);
            self.a.vmovdqu(v, m);
            if self.convert.from == DType::S8 {
                self.unsigned(v);
            }
        }
    }

    /// What all units of a register need before any is made, if nothing else reads it afterwards.
    pub(super) fn spread_first(&mut self, v: V, last: bool) {
        if self.convert.from == DType::S8 && last {
            self.unsigned(V { width: self.unit().width, ..v });
        }
    }

    /// A unit of a register that has them in a row.
    pub(super) fn spread_part(&mut self, t: V, v: V, u: usize, last: bool) {
        let spread = self.convert.unit_of(self.unit(), u);
        if self.convert.from != DType::S8 || last {
            return self.spread(t, v, spread);
        }
        let k = self.held.mask(self.a, self.convert.spread_mask());
        let bytes = V { width: t.width, ..v };
        self.spread_in_zeros(t, bytes, Constant::Spread(spread.from, spread.step), k);
        // The sign turned over, below what makes a float of it.
        let large = self.number(LARGE_SIGNED);
        self.a.vpxor(t, t, large);
        self.spread_less(t);
    }

    /// A unit of a register, the bytes of which have no sign.
    pub(super) fn spread(&mut self, t: V, bytes: V, Spread { from, step, .. }: Spread) {
        let bytes = V { width: t.width, ..bytes };
        let k = self.held.mask(self.a, self.convert.spread_mask());
        let constant = Constant::Spread(from, step);
        let base = self.convert.base(self.unit());
        if self.convert.from != DType::S8 && base.is_none() {
            self.spread_in_zeros(t, bytes, constant, k);
            return self.spread_float(t);
        }
        let large = self.number(LARGE);
        match (self.held.vector(constant), large) {
            (Some(index), Rm::V(large)) => {
                self.a.vmovdqa(t, large);
                self.a.ops.vpermb(t.keep(k), V { number: index, ..t }, bytes);
            }
            _ => {
                self.spread_in_zeros(t, bytes, constant, k);
                self.a.vpor(t, t, large);
            }
        }
        self.spread_less(t);
    }

    /// Takes off what bytes with a sign are left upon, unless their zero point does.
    fn spread_less(&mut self, t: V) {
        if self.convert.base(self.unit()).is_none() {
            let large = self.number(LARGE_SIGNED);
            self.a.vsubps(t, t, large);
        }
    }

    fn spread_in_zeros(&mut self, t: V, v: V, constant: Constant, k: K) {
        let index = match self.held.vector(constant) {
            Some(number) => V { number, ..t },
            None => {
                self.moves.load_constant(self.a, constant, t);
                t
            }
        };
        self.a.ops.vpermb(t.zero(k), index, v);
    }

    /// Whole numbers as floats, where these are wanted.
    fn spread_float(&mut self, t: V) {
        if self.convert.from == DType::U8 && self.convert.floats() {
            self.a.vcvtdq2ps(t, t);
        }
    }
}
