//! Arithmetic. In: types, and which steps of the formula there are. Out: what kernels may make of that: whether elements
//! pass through f32, and which numbers they are then.

use super::Operand;
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

/// What is done to scales as they are made ready, so that code has less to do about NaNs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scales {
    /// Nothing.
    Kept,
    /// Their product has its sign turned, and NaNs are those that the hardware makes, which are negative: of what comes
    /// out the sign is turned again, and all NaNs are the one that they should be.
    Turned,
    /// Infinities are the largest number, which takes whole numbers just as far past all bounds, and NaNs are 0, which
    /// is what becomes of them in the end: products of whole numbers are none then.
    Finite,
}

impl Scales {
    /// A scale of which this is done; `turns` where it is the one that takes the sign along.
    pub(crate) fn ready(self, scale: f32, turns: bool) -> f32 {
        match self {
            Scales::Kept => scale,
            Scales::Turned if scale.is_nan() => f32::from_bits(NEGATIVE_NAN),
            Scales::Turned => {
                if turns {
                    -scale
                } else {
                    scale
                }
            }
            Scales::Finite if scale.is_nan() => 0.0,
            Scales::Finite => scale.clamp(f32::MIN, f32::MAX),
        }
    }
}

/// What x86 makes where there was no NaN before.
const NEGATIVE_NAN: u32 = 0xffc0_0000;

impl Arith {
    /// What is done to scales that are made ready. Of sums signs come out otherwise, and a zero point would be added to
    /// what is 0 instead of a NaN.
    pub(crate) fn scales(&self, from: DType, to: DType) -> Scales {
        let count = u8::from(self.src_scale) + u8::from(self.dst_scale);
        let whole = !from.is_float() && self.sum.is_none() && !self.dst_zero_point;
        match to {
            _ if count == 0 || !whole => Scales::Kept,
            DType::F32 | DType::F16 => Scales::Turned,
            DType::S32 | DType::S8 | DType::U8 if count == 1 => Scales::Finite,
            _ => Scales::Kept,
        }
    }

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

    /// Whether the float that an element becomes is a whole number of a byte, all of which its upper half holds.
    pub(crate) fn keeps_bytes(&self, from: DType) -> bool {
        from.size() == 1 && !self.is_formula()
    }

    /// Whether that float has 11 bits and, but for infinity, is less than 2^16.
    pub(crate) fn keeps_f16(&self, from: DType) -> bool {
        from == DType::F16 && !self.is_formula()
    }

    /// Whether that float may be denormal: what is one already may, and what sums and products make.
    pub(crate) fn has_denormals(&self, from: DType) -> bool {
        from == DType::F32 || self.is_formula()
    }

    /// Whether elements are upper halves of floats, of which pairs lie where one becomes a byte: two units at once.
    pub(crate) fn pairs_halves(from: DType, to: DType) -> bool {
        from == DType::Bf16 && to.size() == 1
    }

    /// Whether sums are appended.
    pub fn is_compensated(&self) -> bool {
        self.s8s8 || self.asymmetric
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALES: [f32; 12] = [
        0.0,
        -0.0,
        1.0,
        -2.5,
        1e-45,
        -1e-39,
        f32::MAX,
        f32::MIN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::from_bits(0x7fa0_0001),
        f32::from_bits(0xffff_ffff),
    ];
    const WHOLE: [i32; 9] = [0, 1, -1, 127, -128, 255, 1 << 24, i32::MAX, i32::MIN];

    /// All that a product may be: NaNs the one that they should be, all else what it is.
    #[test]
    fn turned_scales_are_turned_back() {
        for (x, scale) in WHOLE.into_iter().flat_map(|x| SCALES.map(|scale| (x as f32, scale))) {
            let product = x * scale;
            let expected = if product.is_nan() { 0x7fc0_0000 } else { product.to_bits() };
            let turned = x * Scales::Turned.ready(scale, true);
            // What this machine makes of no NaNs is what x86 makes there.
            let made = if turned.is_nan() { NEGATIVE_NAN } else { turned.to_bits() };
            assert_eq!(made ^ 1 << 31, expected, "{x} * {scale}");
            let other = Scales::Turned.ready(scale, false);
            assert_eq!(other.is_nan(), scale.is_nan(), "{scale}");
            assert!(scale.is_nan() || other.to_bits() == scale.to_bits(), "{scale}");
        }
    }

    /// Whole numbers of 4 bytes come out the same, and so do shorter ones.
    #[test]
    fn finite_scales_make_the_same_whole_numbers() {
        for (x, scale) in WHOLE.into_iter().flat_map(|x| SCALES.map(|scale| (x as f32, scale))) {
            let finite = x * Scales::Finite.ready(scale, true);
            assert!(!finite.is_nan(), "{x} * {scale}");
            assert_eq!(
                finite.round_ties_even() as i32,
                (x * scale).round_ties_even() as i32,
                "{x} * {scale}"
            );
        }
    }

    /// Where a NaN of the source would pass, a sum or a zero point would come after, or two scales make 1 of what is
    /// none, scales are as they are.
    #[test]
    fn scales_are_kept_where_they_count() {
        let scaled = Arith { src_scale: true, ..Arith::default() };
        let both = Arith { dst_scale: true, ..scaled };
        let shifted = Arith { dst_zero_point: true, ..scaled };
        let summed = Arith { sum: Some(0), ..scaled };
        for (arith, from, to, expected) in [
            (scaled, DType::S8, DType::F32, Scales::Turned),
            (both, DType::S32, DType::F16, Scales::Turned),
            (scaled, DType::S32, DType::S8, Scales::Finite),
            (scaled, DType::F32, DType::F32, Scales::Kept),
            (scaled, DType::F32, DType::S8, Scales::Kept),
            (scaled, DType::S8, DType::Bf16, Scales::Kept),
            (both, DType::S32, DType::S8, Scales::Kept),
            (shifted, DType::S32, DType::U8, Scales::Kept),
            (shifted, DType::S8, DType::F32, Scales::Kept),
            (summed, DType::S8, DType::F32, Scales::Kept),
            (Arith::default(), DType::S8, DType::F32, Scales::Kept),
        ] {
            assert_eq!(arith.scales(from, to), expected, "{arith:?} from {from} to {to}");
        }
    }
}
