//! Exact conversions of single elements.
//!
//! In: an element type and the bits of one element, in the low bytes of a `u64`. Out: the bits of
//! the element in another type, zero-extended, or its value as the `f32` that arithmetic works on.
//!
//! | from \ to    | integer                              | float                                 |
//! |--------------|--------------------------------------|---------------------------------------|
//! | same type    | bits copied                          | bits copied                           |
//! | integer      | saturated in integers                | nearest even, `f16`, `bf16` via `f32` |
//! | float        | nearest even, saturated, NaN gives 0 | nearest even, NaN kept and made quiet |
//!
//! Every machine-code kernel gives these bits, so nothing here depends on what Rust leaves open.

use super::float::{narrow, quiet, widen};
use super::{DType, bf16_to_float, float_to_bf16, float_to_half, half_to_float};

/// Whether [`element`] converts between these types.
///
/// That is every type to itself, the pairs of [`arithmetic_allowed`], `f64` and `f32`, `s64` and
/// `s32`, `bool` and `u8`, each in both directions.
pub const fn allowed(from: DType, to: DType) -> bool {
    use DType::*;
    arithmetic_allowed(from, to)
        || from as u8 == to as u8
        || matches!(
            (from, to),
            (F64, F32) | (F32, F64) | (S64, S32) | (S32, S64) | (Bool, U8) | (U8, Bool)
        )
}

/// Whether scales, zero points and sums are possible between these types: both are among `f32`,
/// `f16`, `bf16`, `s32`, `s8` and `u8`.
pub const fn arithmetic_allowed(from: DType, to: DType) -> bool {
    takes_arithmetic(from) && takes_arithmetic(to)
}

const fn takes_arithmetic(dtype: DType) -> bool {
    use DType::*;
    matches!(dtype, F32 | F16 | Bf16 | S32 | S8 | U8)
}

/// The plain conversion of one element, without arithmetic; the pair must be [`allowed`].
///
/// For other pairs there is no promise which bits come back, and debug builds panic: who refuses
/// them is the one who takes the layouts, once, and not this function for every element.
///
/// ```
/// use retile::dtype::{DType, convert};
///
/// let minus_one_and_a_half = u64::from((-1.5f32).to_bits());
/// assert_eq!(convert::element(DType::F32, DType::S8, minus_one_and_a_half), 0xfe);
/// assert_eq!(convert::element(DType::F32, DType::U8, minus_one_and_a_half), 0);
/// ```
#[inline]
pub fn element(from: DType, to: DType, bits: u64) -> u64 {
    debug_assert!(allowed(from, to), "no conversion from {from} to {to}");
    if from == to { bits } else { Value::load(from, bits).store(to) }
}

/// The value of an element as arithmetic takes it: exact, but for `s32` the nearest `f32`, ties
/// to even. The type must be one that takes arithmetic, as for [`element`].
#[inline]
pub fn load_f32(dtype: DType, bits: u64) -> f32 {
    debug_assert!(takes_arithmetic(dtype), "no arithmetic on {dtype}");
    Value::load(dtype, bits).float()
}

/// The element that the result of arithmetic becomes: to nearest, ties to even, integers saturated
/// and floats overflowing to infinity; a NaN becomes the type's canonical quiet NaN, or 0. The
/// type must be one that takes arithmetic, as for [`element`].
#[inline]
pub fn store_f32(dtype: DType, value: f32) -> u64 {
    debug_assert!(takes_arithmetic(dtype), "no arithmetic on {dtype}");
    store_float(dtype, canonical(value))
}

/// The same value, a NaN made the canonical one. Which NaN arithmetic gives differs by instruction and by operand
/// order; that of f32 converts to those of f16 and bf16.
#[inline]
pub(super) fn canonical(value: f32) -> f32 {
    if value.is_nan() { f32::from_bits(0x7fc0_0000) } else { value }
}

/// The element that a float becomes, whatever NaN it is.
#[inline]
pub(super) fn store_float(dtype: DType, value: f32) -> u64 {
    Value::Float(value).store(dtype)
}

/// The element that an integer becomes.
#[inline]
pub(super) fn store_integer(dtype: DType, value: i64) -> u64 {
    Value::Integer(value).store(dtype)
}

/// The value of an element of integers.
#[inline]
pub(super) fn load_integer(dtype: DType, bits: u64) -> i64 {
    Value::load(dtype, bits).integer()
}

/// The element that a layout's fill value becomes, of any type: to floats the nearest, ties to
/// even, a NaN made quiet; to integers toward zero, saturated, NaN 0; to `bool` 1 where the value
/// is neither 0 nor NaN.
pub fn fill(dtype: DType, value: f32) -> u64 {
    if dtype == DType::Bool {
        u64::from(value != 0.0 && !value.is_nan())
    } else if dtype.is_float() {
        Value::Float(value).store(dtype)
    } else {
        // This cast is toward zero, saturates and takes NaN to 0; the store saturates further.
        Value::Integer(value as i64).store(dtype)
    }
}

/// An element out of its type, exactly. There are three kinds because no one type holds all: s64
/// has more significant bits than f64, and floats have infinities and NaNs.
#[derive(Clone, Copy)]
enum Value {
    Integer(i64),
    Float(f32),
    Double(f64),
}

impl Value {
    #[inline(always)]
    fn load(dtype: DType, bits: u64) -> Value {
        match dtype {
            DType::F64 => Value::Double(f64::from_bits(bits)),
            DType::F32 => Value::Float(f32::from_bits(bits as u32)),
            DType::F16 => Value::Float(half_to_float(bits as u16)),
            DType::Bf16 => Value::Float(bf16_to_float(bits as u16)),
            DType::S64 => Value::Integer(bits as i64),
            DType::S32 => Value::Integer(i64::from(bits as i32)),
            DType::S16 => Value::Integer(i64::from(bits as i16)),
            DType::U16 => Value::Integer(i64::from(bits as u16)),
            DType::S8 => Value::Integer(i64::from(bits as i8)),
            DType::U8 => Value::Integer(i64::from(bits as u8)),
            DType::Bool => Value::Integer(i64::from(bits as u8 != 0)),
        }
    }

    #[inline(always)]
    fn store(self, dtype: DType) -> u64 {
        let within = |low: i64, high: i64| self.integer().clamp(low, high);
        match dtype {
            DType::F64 => self.double().to_bits(),
            DType::F32 => u64::from(quiet(self.float()).to_bits()),
            DType::F16 => u64::from(float_to_half(self.float())),
            DType::Bf16 => u64::from(float_to_bf16(self.float())),
            DType::S64 => self.integer() as u64,
            DType::S32 => within(i32::MIN.into(), i32::MAX.into()) as u32 as u64,
            DType::S16 => within(i16::MIN.into(), i16::MAX.into()) as u16 as u64,
            DType::U16 => within(0, u16::MAX.into()) as u64,
            DType::S8 => within(i8::MIN.into(), i8::MAX.into()) as u8 as u64,
            DType::U8 => within(0, u8::MAX.into()) as u64,
            DType::Bool => u64::from(self.integer() != 0),
        }
    }

    /// Nearest, ties to even, saturated to 64 bits; NaN is 0, as the casts have it.
    #[inline]
    fn integer(self) -> i64 {
        match self {
            Value::Integer(value) => value,
            Value::Float(value) => value.round_ties_even() as i64,
            Value::Double(value) => value.round_ties_even() as i64,
        }
    }

    #[inline]
    fn float(self) -> f32 {
        match self {
            Value::Integer(value) => value as f32,
            Value::Float(value) => value,
            Value::Double(value) => narrow(value),
        }
    }

    #[inline]
    fn double(self) -> f64 {
        match self {
            Value::Integer(value) => value as f64,
            Value::Float(value) => widen(value),
            Value::Double(value) => value,
        }
    }
}
