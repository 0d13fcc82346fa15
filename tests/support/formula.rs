//! The arithmetic of a reorder once more, one rounded f32 operation to a line, on the conversions
//! of `half` and of Rust.

use half::{bf16, f16};
use retile::{Attr, DType, Values};

/// What is asked for, with one value each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ask {
    pub(crate) src_scale: Option<f32>,
    pub(crate) src_zp: Option<i32>,
    pub(crate) sum: Option<f32>,
    pub(crate) dst_scale: Option<f32>,
    pub(crate) dst_zp: Option<i32>,
}

impl Ask {
    /// The same as attributes, each with this mask.
    pub(crate) fn attr(&self, mask: u32) -> Attr {
        let mut attr = Attr::new();
        if self.src_scale.is_some() {
            attr = attr.src_scale(mask);
        }
        if self.src_zp.is_some() {
            attr = attr.src_zero_point(mask);
        }
        if let Some(beta) = self.sum {
            attr = attr.sum(beta);
        }
        if self.dst_scale.is_some() {
            attr = attr.dst_scale(mask);
        }
        if self.dst_zp.is_some() {
            attr = attr.dst_zero_point(mask);
        }
        attr
    }

    /// The values of a mask of 0.
    pub(crate) fn values(&self) -> Values<'_> {
        Values {
            src_scale: self.src_scale.as_slice(),
            src_zero_point: self.src_zp.as_slice(),
            dst_scale: self.dst_scale.as_slice(),
            dst_zero_point: self.dst_zp.as_slice(),
        }
    }

    /// Each operation is rounded to f32; one that is not asked for is not done.
    pub(crate) fn steps(&self, src: f32, before: f32) -> f32 {
        let mut t = src;
        if let Some(zp) = self.src_zp {
            let zp = zp as f32;
            t -= zp;
        }
        if let Some(scale) = self.src_scale {
            t *= scale;
        }
        if let Some(beta) = self.sum {
            let product = beta * before;
            t += product;
        }
        if let Some(scale) = self.dst_scale {
            let reciprocal = 1.0 / scale;
            t *= reciprocal;
        }
        if let Some(zp) = self.dst_zp {
            let zp = zp as f32;
            t += zp;
        }
        t
    }

    /// From the bits of the source and of what the destination held to those it holds then.
    pub(crate) fn apply(&self, (from, src): (DType, u64), (to, before): (DType, u64)) -> u64 {
        narrow(to, self.steps(widen(from, src), widen(to, before)))
    }
}

/// The f32 of an element.
pub(crate) fn widen(dtype: DType, bits: u64) -> f32 {
    match dtype {
        DType::F32 => f32::from_bits(bits as u32),
        DType::F16 => f16::from_bits(bits as u16).to_f32(),
        DType::Bf16 => bf16::from_bits(bits as u16).to_f32(),
        DType::S32 => bits as i32 as f32,
        DType::S8 => f32::from(bits as i8),
        DType::U8 => f32::from(bits as u8),
        _ => panic!("{dtype} takes no arithmetic"),
    }
}

/// The element of an f32: nearest even, saturated, a NaN canonical or 0.
pub(crate) fn narrow(dtype: DType, t: f32) -> u64 {
    let whole = t.round_ties_even(); // and `as` saturates and takes NaN to 0
    match dtype {
        DType::F32 if t.is_nan() => 0x7fc0_0000,
        DType::F16 if t.is_nan() => 0x7e00,
        DType::Bf16 if t.is_nan() => 0x7fc0,
        DType::F32 => t.to_bits().into(),
        DType::F16 => f16::from_f32(t).to_bits().into(),
        DType::Bf16 => bf16::from_f32(t).to_bits().into(),
        DType::S32 => (whole as i32 as u32).into(),
        DType::S8 => (whole as i8 as u8).into(),
        DType::U8 => (whole as u8).into(),
        _ => panic!("{dtype} takes no arithmetic"),
    }
}
