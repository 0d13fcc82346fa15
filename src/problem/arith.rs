//! Arithmetic. In: types, and which steps of the formula there are. Out: what kernels may make of that: whether
//! elements pass through f32, and which numbers they are then.

use super::{Operand, VALUE_OPERANDS};
use crate::DType;

/// Which steps of the formula are done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Arith {
    pub src_scale: bool,
    pub dst_scale: bool,
    pub src_zero_point: bool,
    pub dst_zero_point: bool,
    /// The bits of beta.
    pub sum: Option<u32>,
    pub s8s8: bool,
    pub asymmetric: bool,
}

impl Arith {
    /// Whether elements pass through f32.
    pub fn is_formula(&self) -> bool {
        self.src_scale
            || self.dst_scale
            || self.src_zero_point
            || self.dst_zero_point
            || self.sum.is_some()
    }

    /// The zero point that makes bytes of bytes, with nothing else: no more than bytes are needed for that.
    pub(crate) fn shifts_bytes(&self, from: DType, to: DType) -> Option<Operand> {
        let bytes = from.size() == 1 && to.size() == 1;
        let scaled = self.src_scale || self.dst_scale || self.sum.is_some();
        match (self.src_zero_point, self.dst_zero_point) {
            _ if !bytes || scaled => None,
            (true, false) => Some(Operand::SrcZeroPoint),
            (false, true) => Some(Operand::DstZeroPoint),
            _ => None,
        }
    }

    /// Whether bytes are added to others as they are, with nothing else.
    pub(crate) fn adds_bytes(&self, from: DType, to: DType) -> bool {
        let alone = Arith { sum: None, ..*self };
        from.size() == 1 && to.size() == 1 && self.adds_once() && !alone.is_formula()
    }

    /// Whether what was there before is added as it is.
    pub(crate) fn adds_once(&self) -> bool {
        self.sum == Some(1f32.to_bits())
    }

    /// Whether the float that an element becomes is a whole number of a byte, all of which its upper half holds.
    pub(crate) fn keeps_bytes(&self, from: DType) -> bool {
        from.size() == 1 && !self.is_formula()
    }

    /// Whether that float has 11 bits and, but for infinity, is less than 2^16.
    pub(crate) fn keeps_f16(&self, from: DType) -> bool {
        from == DType::F16 && !self.is_formula()
    }

    /// Whether there are scales.
    pub(crate) fn is_scaled(&self) -> bool {
        self.src_scale || self.dst_scale
    }

    /// Whether a zero point is taken off bytes.
    pub(crate) fn has_byte_points(&self, from: DType) -> bool {
        self.src_zero_point && from.size() == 1
    }

    /// Whether that float may be denormal: what is one already may, and what sums and products make; `tame` where those
    /// are tame that whole numbers are multiplied by.
    pub(crate) fn has_denormals(&self, from: DType, tame: bool) -> bool {
        match from.is_float() {
            true => from == DType::F32 || self.is_formula(),
            false => self.sum.is_some() || self.is_scaled() && !tame,
        }
    }

    /// Whether elements are upper halves of floats, of which pairs lie where one becomes a byte: two units at once.
    pub(crate) fn pairs_halves(from: DType, to: DType) -> bool {
        from == DType::Bf16 && to.size() == 1
    }

    /// Which of [`VALUE_OPERANDS`] there are.
    pub(crate) fn present(&self) -> [bool; VALUE_OPERANDS.len()] {
        [self.src_scale, self.dst_scale, self.src_zero_point, self.dst_zero_point]
    }

    /// The scales and zero points that there are.
    pub(crate) fn values(&self) -> impl Iterator<Item = Operand> {
        let all = VALUE_OPERANDS.into_iter().zip(self.present());
        all.filter_map(|(operand, present)| present.then_some(operand))
    }

    /// The sums that are appended.
    pub(crate) fn sums(&self) -> impl Iterator<Item = Operand> {
        let all = [(Operand::S8s8, self.s8s8), (Operand::Asymmetric, self.asymmetric)];
        all.into_iter().filter_map(|(operand, present)| present.then_some(operand))
    }

    /// Whether sums are appended.
    pub fn is_compensated(&self) -> bool {
        self.s8s8 || self.asymmetric
    }
}
