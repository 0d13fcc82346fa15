//! Floats to floats, bit for bit.
//!
//! In: a float of one format. Out: the float of another that is nearest to it, ties to even;
//! denormals are kept, overflow is infinity, and a NaN keeps its sign and the top of its payload
//! and is made quiet.
//!
//! NaNs are always built from bits: which NaN a Rust float operation or cast returns is not
//! specified, and results here must be the same bits as a kernel's.

const F32_SIGN: u32 = 0x8000_0000;
const F32_INFINITY: u32 = 0x7f80_0000;
const F32_QUIET: u32 = 0x0040_0000;

/// What a half's exponent lacks to an f32's: the difference of the biases, 127 - 15.
const HALF_REBIAS: u32 = 112 << 23;

/// The f32 that a half says.
///
/// ```
/// assert_eq!(retile::dtype::half_to_float(0x3c00), 1.0);
/// ```
#[inline]
pub fn half_to_float(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    let magnitude = u32::from(half & 0x7fff);
    let float = match magnitude {
        // Denormals count units of 2^-24; they are normal in an f32, and the quotient is exact.
        0..0x0400 => (magnitude as f32 / 16_777_216.0).to_bits(),
        0x0400..0x7c00 => (magnitude << 13) + HALF_REBIAS,
        0x7c00 => F32_INFINITY,
        _ => F32_INFINITY | F32_QUIET | magnitude << 13,
    };
    f32::from_bits(sign | float)
}

/// The half nearest to an f32.
///
/// ```
/// assert_eq!(retile::dtype::float_to_half(65520.0), 0x7c00);
/// ```
#[inline]
pub fn float_to_half(value: f32) -> u16 {
    const SMALLEST_NORMAL: u32 = 113 << 23; // 2^-14
    const PAST_EXPONENTS: u32 = 143 << 23; // 2^16
    let (sign, magnitude) = split(value);
    let half = if magnitude > F32_INFINITY {
        0x7e00 | (magnitude >> 13 & 0x03ff)
    } else if magnitude >= PAST_EXPONENTS {
        0x7c00
    } else if magnitude >= SMALLEST_NORMAL {
        // A carry out of the fraction is the next exponent, and out of the last one infinity.
        shift_to_even(magnitude - HALF_REBIAS, 13)
    } else {
        // fraction * 2^(exponent - 150), counted in units of 2^-24. An f32 denormal lacks the
        // hidden bit that is set here, but it is far below half a unit with or without.
        let exponent = magnitude >> 23;
        let fraction = (magnitude & 0x007f_ffff) | 0x0080_0000;
        shift_to_even(fraction, (126 - exponent).min(31))
    };
    (sign >> 16 | half) as u16
}

/// The f32 that a bf16 says.
#[inline]
pub fn bf16_to_float(bf16: u16) -> f32 {
    quiet(f32::from_bits(u32::from(bf16) << 16))
}

/// The bf16 nearest to an f32.
#[inline]
pub fn float_to_bf16(value: f32) -> u16 {
    let (sign, magnitude) = split(quiet(value));
    let bf16 =
        if magnitude > F32_INFINITY { magnitude >> 16 } else { shift_to_even(magnitude, 16) };
    (sign >> 16 | bf16) as u16
}

/// The f32 nearest to an f64.
#[inline]
pub(super) fn narrow(value: f64) -> f32 {
    if !value.is_nan() {
        return value as f32;
    }
    let bits = value.to_bits();
    let sign = (bits >> 32) as u32 & F32_SIGN;
    let payload = (bits >> 29) as u32 & 0x007f_ffff;
    f32::from_bits(sign | F32_INFINITY | F32_QUIET | payload)
}

/// The f64 that an f32 says.
#[inline]
pub(super) fn widen(value: f32) -> f64 {
    if !value.is_nan() {
        return f64::from(value);
    }
    let (sign, magnitude) = split(quiet(value));
    let payload = u64::from(magnitude - F32_INFINITY) << 29;
    f64::from_bits(u64::from(sign) << 32 | f64::INFINITY.to_bits() | payload)
}

/// The same f32, a signalling NaN made quiet.
#[inline]
pub(super) fn quiet(value: f32) -> f32 {
    if value.is_nan() { f32::from_bits(value.to_bits() | F32_QUIET) } else { value }
}

/// The sign bit in its place, and the rest.
#[inline]
fn split(value: f32) -> (u32, u32) {
    let bits = value.to_bits();
    (bits & F32_SIGN, bits & !F32_SIGN)
}

/// `bits / 2^count` to nearest, ties to even, for `count` from 1 to 31. To add half a unit, less
/// one where the quotient is even, carries exactly where the quotient is to be rounded up; `bits`
/// must leave room for that.
#[inline]
fn shift_to_even(bits: u32, count: u32) -> u32 {
    let half = 1 << (count - 1);
    let odd = bits >> count & 1;
    (bits + half - 1 + odd) >> count
}
