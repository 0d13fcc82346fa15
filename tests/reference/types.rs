//! Every pair of element types without arithmetic, with the bits spelt out.

use crate::support::{layout, pack, refused, rows, unpack};
use retile::DType::{self, *};
use retile::{Attr, ErrorKind, Layout, Values, reference};

/// From, to, and elements with what becomes of them.
type Case = (DType, DType, &'static [(u64, u64)]);

#[rustfmt::skip]
const CASES: &[Case] = &[
    // The same type: bits are copied, signalling NaNs and denormals too.
    (F64, F64, &[(0x7ff0_0000_0000_0001, 0x7ff0_0000_0000_0001), (1, 1), (1 << 63, 1 << 63), (u64::MAX, u64::MAX)]),
    (F32, F32, &[(0x7f80_0001, 0x7f80_0001), (0xffa5_5a5a, 0xffa5_5a5a), (1, 1), (0x8000_0000, 0x8000_0000), (0x807f_ffff, 0x807f_ffff)]),
    (F16, F16, &[(0x7c01, 0x7c01), (0xfdff, 0xfdff), (1, 1), (0x8000, 0x8000), (0x83ff, 0x83ff)]),
    (Bf16, Bf16, &[(0x7f81, 0x7f81), (0xffa5, 0xffa5), (1, 1), (0x8000, 0x8000)]),
    (S64, S64, &[(1 << 63, 1 << 63), (u64::MAX, u64::MAX), (0x0123_4567_89ab_cdef, 0x0123_4567_89ab_cdef)]),
    (S32, S32, &[(0x8000_0000, 0x8000_0000), (0x0100_0001, 0x0100_0001), (0x7fff_ffff, 0x7fff_ffff)]),
    (S16, S16, &[(0x8000, 0x8000), (0x7fff, 0x7fff), (0xffff, 0xffff)]),
    (U16, U16, &[(0x8000, 0x8000), (0xffff, 0xffff), (0x1234, 0x1234)]),
    (S8, S8, &[(0x80, 0x80), (0x7f, 0x7f), (0xff, 0xff)]),
    (U8, U8, &[(0x80, 0x80), (0xff, 0xff), (0, 0)]),
    (Bool, Bool, &[(0, 0), (1, 1), (2, 2), (0xff, 0xff)]),
    // Float to float: nearest even, denormals kept, NaN keeps sign and top payload bits, made quiet.
    (F64, F32, &[
        (0x3ff0_0000_0000_0000, 0x3f80_0000), (0x8000_0000_0000_0000, 0x8000_0000),
        (0x3ff0_0000_1000_0000, 0x3f80_0000), (0x3ff0_0000_1000_0001, 0x3f80_0001), (0x3ff0_0000_3000_0000, 0x3f80_0002),
        (0x47ef_ffff_efff_ffff, 0x7f7f_ffff), (0x47ef_ffff_f000_0000, 0x7f80_0000), (0xfff0_0000_0000_0000, 0xff80_0000),
        (0x36a0_0000_0000_0000, 1), (0x3690_0000_0000_0000, 0), (0xb690_0000_0000_0001, 0x8000_0001), (0x36a8_0000_0000_0000, 2),
        (0x7ff0_0000_0000_0001, 0x7fc0_0000), (0xfff8_0000_2000_0000, 0xffc0_0001), (0x7ff4_0000_2000_0000, 0x7fe0_0001)]),
    (F32, F64, &[
        (0x3f80_0000, 0x3ff0_0000_0000_0000), (1, 0x36a0_0000_0000_0000), (0x8000_0000, 1 << 63),
        (0x7f7f_ffff, 0x47ef_ffff_e000_0000), (0xff80_0000, 0xfff0_0000_0000_0000),
        (0x7f80_0001, 0x7ff8_0000_2000_0000), (0xffc0_0000, 0xfff8_0000_0000_0000)]),
    (F32, F16, &[
        (0x3f80_0000, 0x3c00), (0x8000_0000, 0x8000), (0x477f_efff, 0x7bff), (0x477f_f000, 0x7c00), (0xff7f_ffff, 0xfc00),
        (0x3380_0000, 0x0001), (0x3300_0000, 0x0000), (0x3300_0001, 0x0001), (0x33c0_0000, 0x0002), (0xb300_0001, 0x8001),
        (0x387f_c000, 0x03ff), (0x387f_e000, 0x0400), (0x0000_0001, 0x0000), (0x8000_0001, 0x8000),
        (0x3f80_1000, 0x3c00), (0x3f80_3000, 0x3c02), (0x3f80_1001, 0x3c01),
        (0x7f80_0000, 0x7c00), (0x7f80_0001, 0x7e00), (0x7fa0_2000, 0x7f01), (0xffc0_0000, 0xfe00), (0xffff_ffff, 0xffff)]),
    (F32, Bf16, &[
        (0x3f80_8000, 0x3f80), (0x3f81_8000, 0x3f82), (0x3f80_8001, 0x3f81), (0x7f7f_7fff, 0x7f7f), (0x7f7f_8000, 0x7f80),
        (0x0000_8000, 0x0000), (0x0001_8000, 0x0002), (0x0000_8001, 0x0001), (0x8000_0001, 0x8000), (0xff80_0000, 0xff80),
        (0x7f80_0001, 0x7fc0), (0xffa1_0000, 0xffe1), (0x7fff_ffff, 0x7fff)]),
    (F16, F32, &[
        (0x3c00, 0x3f80_0000), (0x8000, 0x8000_0000), (0x0001, 0x3380_0000), (0x83ff, 0xb87f_c000), (0x7bff, 0x477f_e000),
        (0xfc00, 0xff80_0000), (0x7e00, 0x7fc0_0000), (0x7c01, 0x7fc0_2000), (0xfe01, 0xffc0_2000)]),
    (F16, Bf16, &[
        (0x3c00, 0x3f80), (0x3c04, 0x3f80), (0x3c0c, 0x3f82), (0x3c05, 0x3f81), (0x0001, 0x3380), (0x7bff, 0x4780), (0x8000, 0x8000),
        (0x7c00, 0x7f80), (0x7c01, 0x7fc0), (0xfdff, 0xffff)]),
    (Bf16, F32, &[
        (0x3f80, 0x3f80_0000), (0x0001, 0x0001_0000), (0x8000, 0x8000_0000), (0xff80, 0xff80_0000),
        (0x7f81, 0x7fc1_0000), (0xffc1, 0xffc1_0000)]),
    (Bf16, F16, &[
        (0x3f80, 0x3c00), (0x7f7f, 0x7c00), (0x4780, 0x7c00), (0x477f, 0x7bf8), (0x3300, 0x0000), (0x3301, 0x0001), (0xb301, 0x8001),
        (0x8001, 0x8000), (0xff80, 0xfc00), (0x7f81, 0x7e08), (0x7fff, 0x7ff8)]),
    // Float to integer: nearest even, saturated, NaN 0.
    (F32, S32, &[
        (0x4eff_ffff, 0x7fff_ff80), (0x4f00_0000, 0x7fff_ffff), (0xcf00_0000, 0x8000_0000), (0xcf00_0001, 0x8000_0000),
        (0x3f00_0000, 0), (0xbf00_0000, 0), (0x3fc0_0000, 2), (0x4020_0000, 2), (0xc020_0000, 0xffff_fffe),
        (0x4a80_0001, 0x0040_0000), (0x4a80_0003, 0x0040_0002), (0x4b00_0001, 0x0080_0001),
        (0x7fc0_0000, 0), (0xff80_0001, 0), (0x7f80_0000, 0x7fff_ffff), (0xff80_0000, 0x8000_0000)]),
    (F32, S8, &[
        (0x42fe_0000, 0x7f), (0x42ff_0000, 0x7f), (0x42fd_0000, 0x7e), (0xc300_0000, 0x80), (0xc300_8000, 0x80), (0xc301_0000, 0x80),
        (0x3f00_0000, 0), (0x3fc0_0000, 2), (0xbfc0_0000, 0xfe), (0x8000_0000, 0), (0x0000_0001, 0),
        (0x7f80_0001, 0), (0xffff_ffff, 0), (0x7f80_0000, 0x7f), (0xff80_0000, 0x80)]),
    (F32, U8, &[
        (0x437f_0000, 0xff), (0x437f_8000, 0xff), (0x437e_8000, 0xfe), (0xbf00_0000, 0), (0xbf80_0000, 0), (0x4020_0000, 2), (0x4060_0000, 4),
        (0x4f80_0000, 0xff), (0x7fc0_0000, 0), (0x7f80_0000, 0xff), (0xff80_0000, 0)]),
    (F16, S32, &[
        (0x3e00, 2), (0x4100, 2), (0x7bff, 0xffe0), (0xfbff, 0xffff_0020), (0x8000, 0), (0x0001, 0), (0xb800, 0),
        (0x7c00, 0x7fff_ffff), (0xfc00, 0x8000_0000), (0x7e00, 0), (0xfc01, 0)]),
    (F16, S8, &[
        (0x57f0, 0x7f), (0x57f8, 0x7f), (0x5800, 0x7f), (0xd800, 0x80), (0xd801, 0x80), (0x3e00, 2), (0xbe00, 0xfe),
        (0x7c01, 0), (0xfc00, 0x80), (0x7c00, 0x7f)]),
    (F16, U8, &[
        (0x5bf8, 0xff), (0x5bfc, 0xff), (0x5bf4, 0xfe), (0xbc00, 0), (0x3800, 0), (0x3a00, 1), (0x7e00, 0), (0x7c00, 0xff), (0xfc00, 0)]),
    (Bf16, S32, &[
        (0x4eff, 0x7f80_0000), (0x4f00, 0x7fff_ffff), (0xcf00, 0x8000_0000), (0xff7f, 0x8000_0000), (0x3fc0, 2), (0x4020, 2), (0xbf00, 0),
        (0x7fc0, 0), (0xff80, 0x8000_0000)]),
    (Bf16, S8, &[(0x42fe, 0x7f), (0x42ff, 0x7f), (0xc300, 0x80), (0xc301, 0x80), (0x3f00, 0), (0x3fc0, 2), (0x7f81, 0), (0xff80, 0x80)]),
    (Bf16, U8, &[(0x437f, 0xff), (0x4380, 0xff), (0xbf80, 0), (0x4060, 4), (0x4020, 2), (0xffff, 0), (0x7f80, 0xff), (0xff80, 0)]),
    // Integer to float: nearest even; 16-bit floats through f32, each step rounded.
    (S32, F32, &[
        (0x0100_0001, 0x4b80_0000), (0x0100_0003, 0x4b80_0002), (0x7fff_ffff, 0x4f00_0000), (0x8000_0000, 0xcf00_0000),
        (0xffff_ffff, 0xbf80_0000), (0, 0)]),
    (S32, F16, &[
        (0xffef, 0x7bff), (0xfff0, 0x7c00), (0x7fff_ffff, 0x7c00), (0x8000_0000, 0xfc00), (0x801, 0x6800), (0x803, 0x6802), (0xffff_f7ff, 0xe800), (0, 0)]),
    (S32, Bf16, &[
        (0x4040_0001, 0x4e80), (0x4040_0041, 0x4e81), (0x7fff_ffff, 0x4f00), (0x8000_0000, 0xcf00), (0x101, 0x4380), (0x103, 0x4382), (0xffff_ffff, 0xbf80)]),
    (S8, F32, &[(0x80, 0xc300_0000), (0x7f, 0x42fe_0000), (0xff, 0xbf80_0000), (0, 0)]),
    (S8, F16, &[(0x80, 0xd800), (0x7f, 0x57f0), (0xff, 0xbc00), (0, 0)]),
    (S8, Bf16, &[(0x80, 0xc300), (0x7f, 0x42fe), (0xff, 0xbf80), (0, 0)]),
    (U8, F32, &[(0xff, 0x437f_0000), (0x80, 0x4300_0000), (0, 0)]),
    (U8, F16, &[(0xff, 0x5bf8), (1, 0x3c00), (0, 0)]),
    (U8, Bf16, &[(0xff, 0x437f), (0x81, 0x4301), (0, 0)]),
    // Integer to integer: saturated, never through a float.
    (S64, S32, &[
        (0x7fff_ffff, 0x7fff_ffff), (0x8000_0000, 0x7fff_ffff), (0xffff_ffff_8000_0000, 0x8000_0000), (0xffff_ffff_7fff_ffff, 0x8000_0000),
        (1 << 63, 0x8000_0000), (u64::MAX, 0xffff_ffff), (1 << 32, 0x7fff_ffff), (0x0100_0001, 0x0100_0001)]),
    (S32, S64, &[(0x8000_0000, 0xffff_ffff_8000_0000), (0x7fff_ffff, 0x7fff_ffff), (0xffff_ffff, u64::MAX)]),
    (S32, S8, &[(0x7f, 0x7f), (0x80, 0x7f), (0xffff_ff80, 0x80), (0xffff_ff7f, 0x80), (0x7fff_ffff, 0x7f), (0x8000_0000, 0x80), (0x100, 0x7f)]),
    (S32, U8, &[(0xff, 0xff), (0x100, 0xff), (0xffff_ffff, 0), (0x8000_0000, 0), (0x7fff_ffff, 0xff)]),
    (S8, S32, &[(0x80, 0xffff_ff80), (0x7f, 0x7f), (0xff, 0xffff_ffff)]),
    (S8, U8, &[(0x80, 0), (0xff, 0), (0x7f, 0x7f)]),
    (U8, S32, &[(0xff, 0xff), (0x80, 0x80)]),
    (U8, S8, &[(0x80, 0x7f), (0xff, 0x7f), (0x7f, 0x7f), (1, 1)]),
    (Bool, U8, &[(0, 0), (1, 1), (2, 1), (0xff, 1)]),
    (U8, Bool, &[(0, 0), (1, 1), (0x80, 1), (0xff, 1)]),
];

/// The six types that convert to one another and take arithmetic.
const SIX: [DType; 6] = [F32, F16, Bf16, S32, S8, U8];

fn all_pairs() -> impl Iterator<Item = (DType, DType)> {
    let each = |from| DType::ALL.map(move |to| (from, to));
    DType::ALL.into_iter().flat_map(each).step_by(if cfg!(miri) { 6 } else { 1 })
}

#[test]
fn every_pair_gives_the_bits_spelt_out() {
    for &(from, to, elements) in CASES.iter().step_by(if cfg!(miri) { 6 } else { 1 }) {
        let (src, expected): (Vec<u64>, Vec<u64>) = elements.iter().copied().unzip();
        let found = rows((from, &src), to, &[src.len()], &Attr::new(), &Values::default());
        for ((bits, found), expected) in src.iter().zip(found).zip(expected) {
            assert_eq!(
                found, expected,
                "{from} {bits:#x} to {to}: {found:#x}, expected {expected:#x}"
            );
        }
    }
}

#[test]
fn the_pairs_with_cases_are_those_allowed_and_all_others_are_refused() {
    for (from, to) in all_pairs() {
        let has_cases = CASES.iter().any(|case| (case.0, case.1) == (from, to));
        let src = Layout::row_major(from, &[1]).unwrap();
        let dst = Layout::row_major(to, &[1]).unwrap();
        let mut out = [0xa5; 8];
        let found =
            reference::reorder(&src, &[0; 8], &dst, &mut out, &Attr::new(), &Values::default());
        if has_cases {
            assert_eq!(found, Ok(()), "{from} to {to}");
        } else {
            refused(found, ErrorKind::Unsupported);
            assert_eq!(out, [0xa5; 8], "{from} to {to} is refused and wrote");
        }
    }
}

#[test]
fn arithmetic_is_between_six_types() {
    let asked = [
        Attr::new().src_scale(0),
        Attr::new().dst_scale(0),
        Attr::new().src_zero_point(0),
        Attr::new().dst_zero_point(0),
        Attr::new().sum(1.0),
    ];
    for (from, to) in all_pairs() {
        let src = Layout::row_major(from, &[1]).unwrap();
        let dst = Layout::row_major(to, &[1]).unwrap();
        for attr in &asked {
            assert!(attr.is_arithmetic());
            let found = attr.sizes(&src, &dst);
            if SIX.contains(&from) && SIX.contains(&to) {
                assert!(found.is_ok(), "{from} to {to}: {found:?}");
            } else {
                refused(found, ErrorKind::Unsupported);
            }
        }
    }
}

#[test]
fn an_element_may_lie_anywhere_in_its_buffer() {
    // The buffers of the reference are bytes; they need no alignment.
    let (src, dst) = (layout("f32:a:3:offset=2"), layout("f64:a:3:offset=1"));
    let mut bytes = vec![0xee; 1];
    bytes.extend(pack(F32, &[9, 9, 0x3f80_0000, 0x4000_0000, 0xbf80_0000, 9]));
    let mut out = [0x77; 1 + 8 * 5];
    reference::reorder(&src, &bytes[1..], &dst, &mut out[1..], &Attr::new(), &Values::default())
        .unwrap();
    assert_eq!(out[0], 0x77);
    let expected = [
        0x7777_7777_7777_7777,
        1f64.to_bits(),
        2f64.to_bits(),
        (-1f64).to_bits(),
        0x7777_7777_7777_7777,
    ];
    assert_eq!(unpack(F64, &out[1..]), expected);
}
