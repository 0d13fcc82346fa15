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

/// Scales of no more than this, nor of less than one part in so many, are tame.
const TAME_SCALE: f32 = (1u64 << 60) as f32;

/// Zero points no further from 0 are tame: with more of them floats would not hold each whole number.
const TAME_POINT: u32 = 1 << 22;

/// Whether whole numbers by such scales, two at most, and whatever is added then, are neither denormal nor no number.
pub(crate) fn is_tame_scale(scale: f32) -> bool {
    scale == 0.0 || (1.0 / TAME_SCALE..=TAME_SCALE).contains(&scale.abs())
}

/// Whether the float of a byte's bits that count ones, less a zero point, holds every byte less that.
pub(crate) fn is_tame_point(point: i32) -> bool {
    point.unsigned_abs() <= TAME_POINT
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

    /// Whether there is less to do where all values are tame.
    pub(crate) fn is_tamed(&self, from: DType) -> bool {
        let whole = !from.is_float() && self.sum.is_none();
        whole && (self.is_scaled() || self.src_zero_point)
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

    /// Whether sums are appended.
    pub fn is_compensated(&self) -> bool {
        self.s8s8 || self.asymmetric
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the largest scales to the least, and next to them those that are not tame.
    #[test]
    fn tame_scales_make_numbers() {
        let most = TAME_SCALE;
        let tame = [0.0, -0.0, 1.0, -1.0 / 3.0, most, -most, 1.0 / most, -1.0 / most];
        let next = [most.next_up(), (1.0 / most).next_down()];
        let wild = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e-45, next[0], next[1]];
        assert!(tame.into_iter().all(is_tame_scale) && !wild.into_iter().any(is_tame_scale));
        let whole = [0, 1, -1, 255, (1 << 24) + 1, i32::MAX, i32::MIN].map(|x| x as f32);
        // A zero point of the source is taken off before, which leaves whole numbers.
        let whole = whole.into_iter().flat_map(|x| [x, x - i32::MIN as f32, x - 77.0]);
        for (x, one) in whole.flat_map(|x| tame.map(|one| (x, one))) {
            for (two, point) in tame.into_iter().flat_map(|two| [0, -1, i32::MAX].map(|p| (two, p)))
            {
                for y in [x * one, x * one * two, x * one * two + point as f32] {
                    assert!(y == 0.0 || y.abs() >= f32::MIN_POSITIVE, "{y}: {x} * {one} * {two}");
                }
            }
        }
    }

    #[test]
    fn tame_points_leave_room_for_bytes() {
        let most = TAME_POINT as i32;
        assert!(is_tame_point(most) && is_tame_point(-most));
        assert!(![most + 1, -most - 1, i32::MIN, i32::MAX].into_iter().any(is_tame_point));
        let large = (1 << 23) as f32;
        for point in [-most, -most + 1, -129, 0, 1, 128, most - 1, most] {
            let less = large + 128.0 + point as f32;
            for byte in 0..=255u8 {
                let x = f32::from_bits(large.to_bits() | u32::from(byte));
                assert_eq!(x - less, f32::from(byte) - 128.0 - point as f32, "{byte} less {point}");
            }
        }
    }
}
