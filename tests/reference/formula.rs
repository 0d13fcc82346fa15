//! The arithmetic, element by element, with one value of each kind.

use crate::support::formula::Ask;
use crate::support::{Rng, f32_bits, pack, rows, run_into, unpack};
use retile::DType::{self, *};
use retile::{Attr, Layout, Values};

/// Elements of a row through the arithmetic, onto what the destination held.
#[track_caller]
fn onto(ask: &Ask, (from, src): (DType, &[u64]), (to, before): (DType, &[u64])) -> Vec<u64> {
    let (a, b) = (
        Layout::row_major(from, &[src.len()]).unwrap(),
        Layout::row_major(to, &[src.len()]).unwrap(),
    );
    let mut out = pack(to, before);
    run_into(&a, &pack(from, src), &b, &mut out, &ask.attr(0), &ask.values());
    unpack(to, &out)
}

/// The same without a sum, for f32 to f32.
#[track_caller]
fn floats(ask: &Ask, src: &[u32]) -> Vec<u64> {
    let src: Vec<u64> = src.iter().map(|&v| v.into()).collect();
    rows((F32, &src), F32, &[src.len()], &ask.attr(0), &ask.values())
}

#[test]
fn no_product_is_fused_with_the_sum_after_it() {
    let near_one = 1.0 + 2f32.powi(-12);
    let square = 1.0 + 2f32.powi(-11); // of near_one, without its last 2^-24
    let left = 2f32.powi(-24);

    assert_eq!(near_one.mul_add(near_one, -square), left);
    let scaled = Ask { src_scale: Some(near_one), sum: Some(1.0), ..Ask::default() };
    let found = onto(&scaled, (F32, &f32_bits(&[near_one])), (F32, &f32_bits(&[-square])));
    assert_eq!(found, [0], "scale * src fused with + sum");

    let summed = Ask { sum: Some(near_one), ..Ask::default() };
    let found = onto(&summed, (F32, &f32_bits(&[-square])), (F32, &f32_bits(&[near_one])));
    assert_eq!(found, [0], "sum * before fused with + t");

    let third: f32 = 1.0 / 0.75;
    assert_eq!(third.mul_add(3.0, -4.0), 2f32.powi(-23));
    let quantized = Ask { dst_scale: Some(0.75), dst_zp: Some(-4), ..Ask::default() };
    assert_eq!(
        floats(&quantized, &[3f32.to_bits()]),
        [0],
        "t * reciprocal fused with + zero point"
    );
}

#[test]
fn the_zero_point_is_subtracted_before_the_scale() {
    // 2^24 + 1 is a tie and goes down to 2^24, 2^24 + 3 up to + 4, before the scale sees them.
    let ask = Ask { src_scale: Some(3.0), src_zp: Some(-(1 << 24)), ..Ask::default() };
    let src = f32_bits(&[1.0, 3.0, -3.0]);
    let expected = f32_bits(&[50_331_648.0, 50_331_660.0, 50_331_640.0]);
    assert_eq!(onto(&ask, (F32, &src), (F32, &[0; 3])), expected);
    assert_eq!(onto(&ask, (S8, &[1, 3, 0xfd]), (F32, &[0; 3])), expected);
}

#[test]
fn the_destination_scale_is_a_reciprocal_taken_once() {
    let (mut floats_differ, mut integers_differ) = (0, 0);
    for divisor in (1..=100u8).step_by(if cfg!(miri) { 48 } else { 1 }) {
        let divisor = f32::from(divisor);
        let ask = Ask { dst_scale: Some(divisor), ..Ask::default() };
        let src: Vec<f32> = (1..=40u8).map(|i| f32::from(i) * 0.5 * divisor).collect();
        let expected: Vec<f32> = src.iter().map(|x| x * (1.0 / divisor)).collect();
        let quotients: Vec<f32> = src.iter().map(|x| x / divisor).collect();
        let whole: Vec<f32> = expected.iter().map(|x| x.round_ties_even()).collect();
        floats_differ += usize::from(expected != quotients);
        integers_differ +=
            (whole.iter().zip(&quotients)).filter(|(a, b)| **a != b.round_ties_even()).count();

        let found = rows((F32, &f32_bits(&src)), F32, &[40], &ask.attr(0), &ask.values());
        assert_eq!(found, f32_bits(&expected), "by {divisor}");
        let found = rows((F32, &f32_bits(&src)), U8, &[40], &ask.attr(0), &ask.values());
        let whole: Vec<u64> = whole.iter().map(|&x| x as u64).collect();
        assert_eq!(found, whole, "by {divisor}");
    }
    let told = floats_differ > 0 && integers_differ > 0;
    assert!(told || cfg!(miri), "a division would not be told");
}

#[test]
fn s32_beyond_24_bits_is_rounded_before_the_first_step() {
    let src = [0x0100_0001, 0x0100_0003, 0x7fff_ffff, 0x8000_0000];
    let one = Ask { src_scale: Some(1.0), ..Ask::default() };
    let found = rows((S32, &src), S32, &[4], &one.attr(0), &one.values());
    assert_eq!(found, [0x0100_0000, 0x0100_0004, 0x7fff_ffff, 0x8000_0000]);

    let less = Ask { src_zp: Some(1), ..Ask::default() };
    let found = rows((S32, &src[..2]), S32, &[2], &less.attr(0), &less.values());
    assert_eq!(found, [0x00ff_ffff, 0x0100_0004]);

    let zp = Ask { src_zp: Some((1 << 24) + 1), ..Ask::default() };
    let found = rows((S32, &[1 << 24]), S32, &[1], &zp.attr(0), &zp.values());
    assert_eq!(found, [0], "the zero point is rounded too");

    let sum = Ask { sum: Some(1.0), ..Ask::default() };
    let found = onto(&sum, (S32, &[0x0100_0001]), (S32, &[0x0100_0003]));
    assert_eq!(found, [0x0200_0004]);
    let zp = Ask { dst_zp: Some((1 << 24) + 3), ..Ask::default() };
    let found = rows((S32, &[0]), S32, &[1], &zp.attr(0), &zp.values());
    assert_eq!(found, [0x0100_0004]);
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn scales_of_any_value_follow_the_formula() {
    let src_scale = |scale, src: &[u32]| {
        let ask = Ask { src_scale: Some(scale), ..Ask::default() };
        floats(&ask, src)
    };
    let dst_scale = |scale, src: &[u32]| {
        let ask = Ask { dst_scale: Some(scale), ..Ask::default() };
        floats(&ask, src)
    };
    const ONE: u32 = 0x3f80_0000;
    const MINUS_ONE: u32 = 0xbf80_0000;
    const INF: u32 = 0x7f80_0000;
    const NAN: u64 = 0x7fc0_0000;
    let (inf, minus_inf) = (u64::from(INF), 0xff80_0000);
    let minus_zero = 0x8000_0000;

    assert_eq!(src_scale(0.0, &[ONE, MINUS_ONE, INF]), [0, minus_zero, NAN]);
    assert_eq!(src_scale(f32::INFINITY, &[ONE, MINUS_ONE, 0]), [inf, minus_inf, NAN]);
    assert_eq!(src_scale(-f32::NAN, &[ONE, 0, INF]), [NAN; 3]);
    assert_eq!(src_scale(1.0, &[1, 0x8000_0001]), [1, 0x8000_0001]);
    assert_eq!(src_scale(0.5, &[1, 3]), [0, 2], "denormals round to even");

    assert_eq!(dst_scale(0.0, &[ONE, MINUS_ONE, 0]), [inf, minus_inf, NAN]);
    assert_eq!(dst_scale(-0.0, &[ONE, MINUS_ONE]), [minus_inf, inf]);
    assert_eq!(dst_scale(f32::INFINITY, &[ONE, MINUS_ONE, INF]), [0, minus_zero, NAN]);
    assert_eq!(dst_scale(f32::NAN, &[ONE, 0, INF]), [NAN; 3]);
    // The reciprocal of a small denormal overflows, that of a huge number is a denormal and kept.
    assert_eq!(dst_scale(1e-40, &[ONE, 0]), [inf, NAN]);
    assert_eq!(dst_scale(2f32.powi(127), &[0x7f00_0000]), [ONE.into()]);
}

#[test]
fn nan_from_arithmetic_is_canonical() {
    let nans = [0x7f80_0001, 0xffc0_0001, 0x7fff_ffff, 0xffff_ffff];
    let asks = [
        Ask { src_scale: Some(1.0), ..Ask::default() },
        Ask { src_zp: Some(0), ..Ask::default() },
        Ask { dst_scale: Some(1.0), ..Ask::default() },
        Ask { dst_zp: Some(-1), ..Ask::default() },
        Ask { sum: Some(0.0), ..Ask::default() },
    ];
    let canonical = [(F32, 0x7fc0_0000), (F16, 0x7e00), (Bf16, 0x7fc0)];
    let zero = [(S32, 0), (S8, 0), (U8, 0)];
    for ask in asks {
        for (to, expected) in canonical.into_iter().chain(zero) {
            let found = onto(&ask, (F32, &nans), (to, &[0; 4]));
            assert_eq!(found, [expected; 4], "{ask:?} to {to}");
        }
        assert_eq!(onto(&ask, (F16, &[0xfc01, 0xffff]), (F16, &[0; 2])), [0x7e00; 2]);
        assert_eq!(onto(&ask, (Bf16, &[0xff81, 0xffff]), (Bf16, &[0; 2])), [0x7fc0; 2]);
    }
    // And where none was before.
    let sum = Ask { sum: Some(1.0), ..Ask::default() };
    let found = onto(&sum, (F32, &[0x7f80_0000]), (F32, &[0xff80_0000]));
    assert_eq!(found, [0x7fc0_0000]);
    let found = onto(&sum, (F32, &[0]), (Bf16, &[0xff81]));
    assert_eq!(found, [0x7fc0]);
}

#[test]
fn a_step_not_asked_for_is_not_done() {
    const MINUS_ZERO: u32 = 0x8000_0000;
    let alone = |ask: Ask| floats(&ask, &[MINUS_ZERO])[0];
    let minus_zero = u64::from(MINUS_ZERO);
    let none = Ask::default();
    assert_eq!(alone(none), minus_zero);
    let src_scale = Some(1.0);
    assert_eq!(alone(Ask { src_scale, ..none }), minus_zero);
    let src_zp = Some(0);
    assert_eq!(alone(Ask { src_zp, ..none }), minus_zero);
    let dst_scale = Some(1.0);
    assert_eq!(alone(Ask { dst_scale, ..none }), minus_zero);
    // -0 + 0 is 0.
    let dst_zp = Some(0);
    assert_eq!(alone(Ask { dst_zp, ..none }), 0);
    let sum = Ask { sum: Some(0.0), ..none };
    let before = f32_bits(&[1.0, -1.0, f32::INFINITY]);
    let found = onto(&sum, (F32, &[minus_zero; 3]), (F32, &before));
    assert_eq!(found, [0, minus_zero, 0x7fc0_0000]);
}

#[test]
fn sums_onto_what_the_destination_held() {
    let sum = |beta| Ask { sum: Some(beta), ..Ask::default() };
    let src = f32_bits(&[10.0, 20.0, -30.5, 100.0]);
    // 10 - 2, 20 + 4, -30.5 - 50 to even, 100 + 64 saturated
    let found = onto(&sum(-0.5), (F32, &src), (S8, &[4, 0xf8, 100, 0x80]));
    assert_eq!(found, [8, 24, 0xb0, 0x7f]);
    let found = onto(&sum(-1.0), (F32, &src), (U8, &[200, 5, 0, 1]));
    assert_eq!(found, [0, 15, 0, 99]);
    // Ties of f16, its largest number, its least denormal, its NaN.
    let src = f32_bits(&[1.0, 1.0, 16.0, 0.0, 0.0]);
    let found = onto(&sum(1.0), (F32, &src), (F16, &[0x3c01, 0x3c03, 0x7bff, 1, 0xfc01]));
    assert_eq!(found, [0x4000, 0x4002, 0x7c00, 1, 0x7e00]);
    // The sum stands between the two scales.
    let all = Ask {
        src_scale: Some(2.0),
        src_zp: Some(3),
        sum: Some(-4.0),
        dst_scale: Some(0.5),
        dst_zp: Some(7),
    };
    // (2 * (5 - 3) - 4 * 6) / 0.5 + 7
    let found = onto(&all, (U8, &[5]), (S32, &[6]));
    assert_eq!(found, [(-33i32 as u32).into()]);
}

#[test]
fn every_pair_and_every_choice_of_steps() {
    let six = [F32, F16, Bf16, S32, S8, U8];
    let scales = [1.0, -0.37, 3.1e-3, 129.3, 0.0, f32::INFINITY, 2e-39];
    let points = [0, 1, -7, 128, 16_777_217, i32::MIN];
    let mut rng = Rng::new(2);
    let (step, count) = if cfg!(miri) { (2, 3) } else { (1, 24) };
    for from in six.into_iter().step_by(step) {
        for to in six.into_iter().step_by(step) {
            for choice in (1..32).step_by(if cfg!(miri) { 30 } else { 1 }) {
                let ask = Ask {
                    src_scale: (choice & 1 != 0).then(|| *rng.pick(&scales)),
                    src_zp: (choice & 2 != 0).then(|| *rng.pick(&points)),
                    sum: (choice & 4 != 0).then(|| *rng.pick(&[1.0, -1.0, 0.3, -2e-3, 0.0])),
                    dst_scale: (choice & 8 != 0).then(|| *rng.pick(&scales)),
                    dst_zp: (choice & 16 != 0).then(|| *rng.pick(&points)),
                };
                let src = unpack(from, &rng.bytes(count * from.size()));
                let before = unpack(to, &rng.bytes(count * to.size()));
                let expected: Vec<u64> = (src.iter().zip(&before))
                    .map(|(&s, &b)| ask.apply((from, s), (to, b)))
                    .collect();
                let found = onto(&ask, (from, &src), (to, &before));
                assert_eq!(found, expected, "{from} to {to}, {ask:?}, {src:x?}");
            }
        }
    }
}

#[test]
fn one_value_serves_all_dims() {
    let src: Vec<u64> = (0..24).collect();
    let attr = Attr::new().src_scale(0).dst_zero_point(0);
    let values = Values { src_scale: &[2.0], dst_zero_point: &[1], ..Values::default() };
    let found = rows((U8, &src), U8, &[2, 3, 4], &attr, &values);
    assert_eq!(found, (0..24).map(|i| 2 * i + 1).collect::<Vec<u64>>());
}
