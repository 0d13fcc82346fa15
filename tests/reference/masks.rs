//! Values for each index of the masked dims: row-major over logical coordinates, however the
//! elements lie.

use crate::support::formula::Ask;
use crate::support::{
    Rng, canary, coordinates, count, f32_bits, get, index, layout, put, rows, run_into, run_with,
};
use retile::DType::{F32, S8, S32};
use retile::{Attr, Layout, Values};

/// Ones, scaled: the scales where they were used.
#[track_caller]
fn used(mask: u32, dims: &[usize], scales: &[f32]) -> Vec<f32> {
    let ones = f32_bits(&vec![1.0; dims.iter().product()]);
    let values = Values { src_scale: scales, ..Values::default() };
    let found = rows((F32, &ones), F32, dims, &Attr::new().src_scale(mask), &values);
    found.into_iter().map(|bits| f32::from_bits(bits as u32)).collect()
}

#[test]
fn one_masked_dim() {
    assert_eq!(used(0b01, &[2, 3], &[5.0, 7.0]), [5.0, 5.0, 5.0, 7.0, 7.0, 7.0]);
    assert_eq!(used(0b10, &[2, 3], &[5.0, 7.0, 9.0]), [5.0, 7.0, 9.0, 5.0, 7.0, 9.0]);
    assert_eq!(used(0b10, &[2, 1], &[5.0]), [5.0, 5.0]);
}

#[test]
fn several_masked_dims_are_row_major() {
    let six = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    assert_eq!(used(0b11, &[2, 3], &six), six);
    // Dims 0 and 2 of three, the one between them repeated.
    assert_eq!(
        used(0b101, &[2, 2, 3], &six),
        [0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 3.0, 4.0, 5.0]
    );
    // Dims 0 and 3 of four.
    assert_eq!(
        used(0b1001, &[2, 1, 2, 3], &six),
        [0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 3.0, 4.0, 5.0]
    );
}

#[test]
fn the_twelfth_dim_can_be_masked() {
    let dims = [1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2];
    assert_eq!(used(1 << 11, &dims, &[3.0, 4.0]), [3.0, 4.0, 3.0, 4.0]);
    assert_eq!(used(1 << 11 | 1 << 1, &dims, &[3.0, 4.0, 5.0, 6.0]), [3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn a_region_counts_its_own_coordinates() {
    let src = layout("u8:ab:4x6").region(&[1, 2], &[2, 3]).unwrap();
    let dst = layout("u8:aB4b:4x9").region(&[2, 3], &[2, 3]).unwrap();
    let mut bytes = vec![0xee; 24];
    for at in coordinates(&src) {
        bytes[src.offset_of(&at).unwrap()] = 1;
    }
    let attr = Attr::new().src_scale(0b11);
    let values = Values { src_scale: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], ..Values::default() };
    let out = run_with(&src, &bytes, &dst, &attr, &values);
    let mut expected = canary(dst.size_bytes());
    // Rows of 12 bytes; channels 3, 4 and 5.
    for (offset, value) in [(27, 1), (28, 2), (29, 3), (39, 4), (40, 5), (41, 6)] {
        expected[offset] = value;
    }
    assert_eq!(out, expected);
}

/// A different mask for each kind of value, and elements in unlike orders.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn each_kind_has_its_own_mask() {
    let src = layout("s32:bcad:2x3x5x2");
    let pairs: [(Layout, Layout); 4] = [
        (src.clone(), layout("s8:aBcd4b:2x3x5x2")),
        (src.flip(0b0110).unwrap(), layout("s8:dcba:2x3x5x2")),
        (src.clone(), layout("s8:cabd:2x3x5x2").flip(0b1001).unwrap()),
        (src.clone(), layout("s8:ABcd2a2b:2x3x5x2:lower=0,1,0,1")),
    ];
    let mut rng = Rng::new(5);
    let dims = src.dims();
    for masks in
        [[0b0010, 0b0001, 0b1000, 0b0100], [0b1010, 0b0101, 0b1111, 0], [0, 0b1001, 0b0110, 0b1110]]
    {
        let mut scales = |mask| -> Vec<f32> {
            (0..count(mask, dims)).map(|_| 0.25 * (1 + rng.below(9)) as f32).collect()
        };
        let (src_scale, dst_scale) = (scales(masks[0]), scales(masks[1]));
        let mut points = |mask| -> Vec<i32> {
            (0..count(mask, dims)).map(|_| rng.below(40) as i32 - 20).collect()
        };
        let (src_zp, dst_zp) = (points(masks[2]), points(masks[3]));
        let attr = Attr::new()
            .src_scale(masks[0])
            .dst_scale(masks[1])
            .src_zero_point(masks[2])
            .dst_zero_point(masks[3])
            .sum(-0.5);
        let values = Values {
            src_scale: &src_scale,
            dst_scale: &dst_scale,
            src_zero_point: &src_zp,
            dst_zero_point: &dst_zp,
        };
        for (src, dst) in &pairs {
            let mut bytes = vec![0; src.size_bytes()];
            for at in coordinates(src) {
                let value = rng.below(100) as i32 - 50;
                put(S32, &mut bytes, src.offset_of(&at).unwrap(), u64::from(value as u32));
            }
            let before = canary(dst.size_bytes());
            let mut out = before.clone();
            run_into(src, &bytes, dst, &mut out, &attr, &values);
            for at in coordinates(src) {
                let ask = Ask {
                    src_scale: Some(src_scale[index(masks[0], dims, &at)]),
                    dst_scale: Some(dst_scale[index(masks[1], dims, &at)]),
                    src_zp: Some(src_zp[index(masks[2], dims, &at)]),
                    dst_zp: Some(dst_zp[index(masks[3], dims, &at)]),
                    sum: Some(-0.5),
                };
                let offset = dst.offset_of(&at).unwrap();
                let expected = ask.apply(
                    (S32, get(S32, &bytes, src.offset_of(&at).unwrap())),
                    (S8, before[offset].into()),
                );
                assert_eq!(u64::from(out[offset]), expected, "{src} to {dst} at {at:?}: {ask:?}");
            }
        }
    }
}
