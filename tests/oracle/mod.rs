//! What conversions have to give, worked out without the library.
//!
//! In: the bits of an element. Out: a panic that names the pair and the bits, if the library's
//! answer differs. `exact` is the oracle; for f16 and bf16 the crate `half` is a second one, which
//! happens to have our rule for NaNs too.
#![allow(dead_code, reason = "each test program uses its part")]

mod exact;
pub(crate) mod sample;

use retile::DType;
use retile::dtype::{bf16_to_float, convert, float_to_bf16, float_to_half, half_to_float};

pub(crate) use exact::{Exact, Format, saturated};

const F64: Format = Format::F64;
const F32: Format = Format::F32;
const F16: Format = Format::F16;
const BF16: Format = Format::BF16;

#[track_caller]
pub(crate) fn check(from: DType, to: DType, bits: u64, expected: u64) {
    let found = convert::element(from, to, bits);
    assert!(
        found == expected,
        "{from} {bits:#x} to {to}: expected {expected:#x}, found {found:#x}"
    );
}

/// All that can be asked about one f32.
pub(crate) fn judge_f32(bits: u32) {
    let (value, wide) = (f32::from_bits(bits), u64::from(bits));
    let exact = F32.decode(wide);
    let plain = |to, expected| check(DType::F32, to, wide, expected);
    let stored = |to, expected| {
        let found = convert::store_f32(to, value);
        assert!(
            found == expected,
            "{bits:#x} stored as {to}: expected {expected:#x}, found {found:#x}"
        );
    };

    let integer = exact.to_integer();
    for to in [DType::S32, DType::S8, DType::U8] {
        plain(to, saturated(to, integer));
        stored(to, saturated(to, integer));
    }
    let (f16, bf16) = (F16.encode(exact), BF16.encode(exact));
    plain(DType::F16, f16);
    plain(DType::Bf16, bf16);
    plain(DType::F64, F64.encode(exact));
    plain(DType::F32, wide);
    assert_eq!(convert::load_f32(DType::F32, wide).to_bits(), bits);
    assert_eq!(u64::from(float_to_half(value)), f16, "{bits:#x}");
    assert_eq!(u64::from(float_to_bf16(value)), bf16, "{bits:#x}");

    let by_half = half::f16::from_f32(value).to_bits();
    assert_eq!(f16, by_half.into(), "{bits:#x}");
    let by_half = half::bf16::from_f32(value).to_bits();
    assert_eq!(bf16, by_half.into(), "{bits:#x}");

    if exact.is_nan() {
        stored(DType::F32, F32.canonical_nan());
        stored(DType::F16, F16.canonical_nan());
        stored(DType::Bf16, BF16.canonical_nan());
    } else {
        stored(DType::F32, wide);
        stored(DType::F16, f16);
        stored(DType::Bf16, bf16);
    }
}

/// All that can be asked about one s32.
pub(crate) fn judge_s32(bits: u32) {
    let value = bits as i32;
    let plain = |to, expected| check(DType::S32, to, bits.into(), expected);
    for to in [DType::S8, DType::U8, DType::S64] {
        plain(to, saturated(to, value.into()));
    }
    let float = F32.encode(Exact::of_integer(value.into()));
    plain(DType::F32, float);
    plain(DType::F16, F16.encode(F32.decode(float)));
    plain(DType::Bf16, BF16.encode(F32.decode(float)));
    plain(DType::S32, bits.into());
    let loaded = convert::load_f32(DType::S32, bits.into()).to_bits();
    assert_eq!(u64::from(loaded), float, "s32 {bits:#x} loaded");
}

/// All that can be asked about the same 16 bits as an f16 and as a bf16.
pub(crate) fn judge_16_bits(bits: u16) {
    let by_half = [half::f16::from_bits(bits).to_f32(), half::bf16::from_bits(bits).to_f32()];
    let ours = [half_to_float(bits), bf16_to_float(bits)];
    let types = [(DType::F16, F16), (DType::Bf16, BF16)];
    for (i, (from, format)) in types.iter().enumerate() {
        let exact = format.decode(bits.into());
        let plain = |to, expected| check(*from, to, bits.into(), expected);
        for to in [DType::S32, DType::S8, DType::U8] {
            plain(to, saturated(to, exact.to_integer()));
        }
        let float = F32.encode(exact);
        plain(DType::F32, float);
        for (to, format) in &types {
            let same = from == to;
            plain(*to, if same { bits.into() } else { format.encode(exact) });
        }
        assert_eq!(u64::from(ours[i].to_bits()), float, "{from} {bits:#x}");
        let loaded = convert::load_f32(*from, bits.into()).to_bits();
        assert_eq!(u64::from(loaded), float, "{from} {bits:#x} loaded");
        assert_eq!(u64::from(by_half[i].to_bits()), float, "{from} {bits:#x}");
    }
}

/// The f32 of one f64.
pub(crate) fn judge_f64(bits: u64) {
    let expected = F32.encode(F64.decode(bits));
    check(DType::F64, DType::F32, bits, expected);
    check(DType::F64, DType::F64, bits, bits);
}
