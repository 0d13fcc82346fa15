//! Conversions of single elements against oracles of their own, on a sample of all inputs: every
//! exponent with the fractions around each tie, and a stride through the rest. `tests/prove.rs`
//! asks the same of every input.

mod oracle;

use oracle::sample::{corners, float_corners, integer_corners, stride};
use oracle::{Exact, Format, check, saturated};
use retile::DType;
use retile::dtype::convert;

const ARITHMETIC: [DType; 6] =
    [DType::F32, DType::F16, DType::Bf16, DType::S32, DType::S8, DType::U8];

#[test]
fn f32_to_all() {
    float_corners(8, 23).for_each(|bits| oracle::judge_f32(bits as u32));
    stride().for_each(oracle::judge_f32);
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn s32_to_all() {
    integer_corners().for_each(oracle::judge_s32);
    stride().for_each(oracle::judge_s32);
}

#[test]
fn s32_to_bf16_rounds_twice() {
    // Just above a tie of bf16, but not of f32, which rounds it onto the tie.
    check(DType::S32, DType::Bf16, 0x4040_0001, 0x4e80);
}

#[test]
fn every_f16_and_bf16_to_all() {
    (0..=u16::MAX).step_by(if cfg!(miri) { 4003 } else { 1 }).for_each(oracle::judge_16_bits);
}

#[test]
fn every_s8_and_u8_to_all() {
    for bits in 0..=u8::MAX {
        let types = [(DType::S8, i64::from(bits as i8)), (DType::U8, bits.into())];
        for (from, value) in types {
            for to in [DType::S32, DType::S8, DType::U8] {
                check(from, to, bits.into(), saturated(to, value.into()));
            }
            let exact = Exact::of_integer(value);
            check(from, DType::F32, bits.into(), Format::F32.encode(exact));
            check(from, DType::F16, bits.into(), Format::F16.encode(exact));
            check(from, DType::Bf16, bits.into(), Format::BF16.encode(exact));
            let loaded = convert::load_f32(from, bits.into()).to_bits();
            assert_eq!(u64::from(loaded), Format::F32.encode(exact), "{from} {bits:#x}");
        }
    }
}

#[test]
fn s64_to_s32() {
    let sample = corners(64).into_iter();
    let near = stride().map(|bits| bits as i32 as u64);
    for bits in sample.chain(near) {
        let expected = saturated(DType::S32, (bits as i64).into());
        check(DType::S64, DType::S32, bits, expected);
    }
}

#[test]
fn f64_to_f32() {
    for bits in float_corners(11, 52) {
        oracle::judge_f64(bits);
    }
    // The stride lies where f32 is; all of f64 is mostly zeros and infinities to it.
    for bits in stride() {
        let near = Format::F64.encode(Format::F32.decode(bits.into()));
        oracle::judge_f64(near ^ u64::from(bits.wrapping_mul(0x9e37_79b9)) >> 3);
    }
}

#[test]
fn bool_and_u8() {
    for bits in 0..=255 {
        check(DType::Bool, DType::U8, bits, u64::from(bits != 0));
        check(DType::U8, DType::Bool, bits, u64::from(bits != 0));
        check(DType::Bool, DType::Bool, bits, bits);
    }
}

#[test]
fn equal_types_copy_bits() {
    // Signalling NaNs, negative zeros, denormals and a bool of 2 among them.
    for dtype in DType::ALL.into_iter().step_by(if cfg!(miri) { 4 } else { 1 }) {
        for bits in corners(8 * dtype.size() as u32) {
            check(dtype, dtype, bits, bits);
        }
    }
}

#[test]
fn allowed_pairs() {
    use DType::*;
    let beyond = [(F64, F32), (S64, S32), (Bool, U8)];
    for from in DType::ALL {
        for to in DType::ALL {
            let arithmetic = ARITHMETIC.contains(&from) && ARITHMETIC.contains(&to);
            let plain = beyond.contains(&(from, to)) || beyond.contains(&(to, from));
            let pair = format!("{from} to {to}");
            assert_eq!(convert::arithmetic_allowed(from, to), arithmetic, "{pair}");
            assert_eq!(convert::allowed(from, to), arithmetic || plain || from == to, "{pair}");
        }
    }
}

#[test]
fn store_makes_nans_canonical() {
    for bits in [0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0xffff_ffff, 0x7fa5_5aaa] {
        let nan = f32::from_bits(bits);
        let stored = ARITHMETIC.map(|dtype| convert::store_f32(dtype, nan));
        assert_eq!(stored, [0x7fc0_0000, 0x7e00, 0x7fc0, 0, 0, 0], "{bits:#x}");
    }
}

#[test]
fn fill_to_integers() {
    #[rustfmt::skip]
    let rows: [(f32, i64, u64, i64, u64, i64, i64); 14] = [
        // value       s8    u8     s16    u16         s32                 s64
        (2.7,           2,    2,      2,      2,          2,                  2),
        (-2.7,         -2,    0,     -2,      0,         -2,                 -2),
        (0.5,           0,    0,      0,      0,          0,                  0),
        (-0.5,          0,    0,      0,      0,          0,                  0),
        (-0.0,          0,    0,      0,      0,          0,                  0),
        (127.9,       127,  127,    127,    127,        127,                127),
        (-128.9,     -128,    0,   -128,      0,       -128,               -128),
        (255.9,       127,  255,    255,    255,        255,                255),
        (300.0,       127,  255,    300,    300,        300,                300),
        (-4e4,       -128,    0, -32768,      0,     -40000,             -40000),
        (1e10,        127,  255,  32767,  65535,   i32::MAX.into(), 10_000_000_000),
        (f32::INFINITY, 127, 255, 32767,  65535,   i32::MAX.into(),    i64::MAX),
        (f32::NEG_INFINITY, -128, 0, -32768, 0,    i32::MIN.into(),    i64::MIN),
        (f32::NAN,      0,    0,      0,      0,          0,                  0),
    ];
    for (value, s8, u8, s16, u16, s32, s64) in rows {
        assert_eq!(convert::fill(DType::S8, value), s8 as u8 as u64, "{value}");
        assert_eq!(convert::fill(DType::U8, value), u8, "{value}");
        assert_eq!(convert::fill(DType::S16, value), s16 as u16 as u64, "{value}");
        assert_eq!(convert::fill(DType::U16, value), u16, "{value}");
        assert_eq!(convert::fill(DType::S32, value), s32 as u32 as u64, "{value}");
        assert_eq!(convert::fill(DType::S64, value), s64 as u64, "{value}");
    }
}

#[test]
fn fill_to_floats() {
    // Rounding is that of conversions; a NaN is kept but for the quiet bit, and so is the f32.
    for bits in float_corners(8, 23).step_by(7) {
        let (value, exact) = (f32::from_bits(bits as u32), Format::F32.decode(bits));
        assert_eq!(convert::fill(DType::F64, value), Format::F64.encode(exact));
        assert_eq!(convert::fill(DType::F32, value), Format::F32.encode(exact));
        assert_eq!(convert::fill(DType::F16, value), Format::F16.encode(exact));
        assert_eq!(convert::fill(DType::Bf16, value), Format::BF16.encode(exact));
    }
    assert_eq!(convert::fill(DType::F16, 65519.996), 0x7bff);
    assert_eq!(convert::fill(DType::F16, 65520.0), 0x7c00);
    assert_eq!(convert::fill(DType::F16, -1e9), 0xfc00);
    assert_eq!(convert::fill(DType::F32, f32::from_bits(0xff80_0001)), 0xffc0_0001);
}

#[test]
fn fill_to_bool() {
    let cases = [(0.0, 0), (-0.0, 0), (1.0, 1), (0.3, 1), (-2.0, 1), (1e-45, 1)];
    for (value, expected) in cases {
        assert_eq!(convert::fill(DType::Bool, value), expected, "{value}");
    }
    assert_eq!(convert::fill(DType::Bool, f32::INFINITY), 1);
    assert_eq!(convert::fill(DType::Bool, f32::NAN), 0);
}
