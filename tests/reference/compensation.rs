//! The sums that int8 weights carry behind their data.

use crate::support::{Rng, canary, coordinates, f32_bits, inside, layout, pack, refused, run_with};
use retile::DType::F32;
use retile::{Attr, DType, ErrorKind, Layout, Sizes, Values, reference};

fn s8s8(mask: u32) -> Attr {
    Attr::new().s8s8_compensation(mask)
}

fn asymmetric(mask: u32) -> Attr {
    Attr::new().asymmetric_compensation(mask)
}

/// The s32 from a byte on.
fn s32s(bytes: &[u8]) -> Vec<i32> {
    assert_eq!(bytes.len() % 4, 0);
    let words = bytes.chunks_exact(4);
    words.map(|word| i32::from_ne_bytes(word.try_into().unwrap())).collect()
}

/// Reorders s8 rows, and returns the destination's bytes and both arrays.
#[track_caller]
fn sums(
    dst: &Layout,
    elements: &[i8],
    attr: &Attr,
) -> (Vec<u8>, Option<Vec<i32>>, Option<Vec<i32>>) {
    let src = Layout::row_major(DType::S8, dst.dims()).unwrap();
    let Sizes { s8s8, asymmetric, .. } = attr.sizes(&src, dst).unwrap();
    let bytes: Vec<u8> = elements.iter().map(|&x| x as u8).collect();
    let out = run_with(&src, &bytes, dst, attr, &Values::default());
    let end = asymmetric.unwrap_or(out.len());
    let first = s8s8.map(|start| s32s(&out[start..end]));
    let second = asymmetric.map(|start| s32s(&out[start..]));
    (out, first, second)
}

#[test]
fn arrays_lie_behind_the_data_from_a_multiple_of_four() {
    let src = layout("s8:ab:2x3");
    for (dst, data) in
        [("ab", 6), ("aB4b", 8), ("ab:upper=0,1", 8), ("ab:offset=3", 9), ("strides(4,1)", 7)]
    {
        let dst = src.destination(dst).unwrap();
        let start = 8 + 4 * usize::from(data == 9);
        assert_eq!(dst.size_bytes(), data);
        let check = |attr: Attr| {
            let sizes = attr.sizes(&src, &dst).unwrap();
            assert_eq!(sizes.src, 6);
            (sizes.dst, sizes.s8s8, sizes.asymmetric)
        };
        let b = dst.padded_dims()[1];
        assert_eq!(check(s8s8(0)), (start + 4, Some(start), None));
        assert_eq!(check(asymmetric(0)), (start + 4, None, Some(start)));
        assert_eq!(check(asymmetric(1)), (start + 8, None, Some(start)));
        assert_eq!(check(s8s8(2)), (start + 4 * b, Some(start), None));
        assert_eq!(
            check(asymmetric(2).s8s8_compensation(1)),
            (start + 8 + 4 * b, Some(start), Some(start + 8))
        );
        assert_eq!(
            check(s8s8(3).asymmetric_compensation(0)),
            (start + 8 * b + 4, Some(start), Some(start + 8 * b))
        );
        assert_eq!(check(Attr::new()), (data, None, None));
    }
}

#[test]
fn sums_over_one_dim_two_dims_and_all() {
    let dst = layout("s8:abc:2x3x2");
    let elements = [1, 2, 3, 4, 5, 6, -7, -8, -9, -10, -11, 127];
    let of = |attr: Attr| sums(&dst, &elements, &attr);

    let (out, first, second) = of(s8s8(0b001));
    assert_eq!(first, Some(vec![-128 * 21, -128 * 82]));
    assert_eq!(second, None);
    assert_eq!(out[..12], elements.map(|x| x as u8));

    assert_eq!(of(asymmetric(0b010)).2, Some(vec![12, 12, -127]));
    assert_eq!(of(asymmetric(0b100)).2, Some(vec![18, -121]));
    assert_eq!(of(asymmetric(0)).2, Some(vec![-103]));
    // Row-major over the masked dims, neighbours or not.
    assert_eq!(of(asymmetric(0b011)).2, Some(vec![-3, -7, -11, 15, 19, -116]));
    assert_eq!(of(s8s8(0b101)).1, Some(vec![-1152, -1536, 3456, -13952]));
    // All masked: each element by itself.
    let negated = elements.map(|x| -i32::from(x)).to_vec();
    assert_eq!(of(asymmetric(0b111)).2, Some(negated));

    let (_, first, second) = of(asymmetric(0b001).s8s8_compensation(0b010));
    assert_eq!(first, Some(vec![1536, 1536, -16256]));
    assert_eq!(second, Some(vec![-21, -82]));
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn the_order_of_the_destination_does_not_matter() {
    let elements: Vec<i8> = (0..60).map(|i| (i * 7 % 256) as u8 as i8).collect();
    let plain = layout("s8:abcd:2x5x3x2");
    for mask in [0, 0b0001, 0b0010, 0b1010, 0b0101, 0b1111] {
        let attr = s8s8(mask).asymmetric_compensation(mask);
        let (_, first, second) = sums(&plain, &elements, &attr);
        for text in ["dcba", "cadb", "strides(1,2,10,31)"] {
            let dst = plain.destination(text).unwrap();
            let (_, other_first, other_second) = sums(&dst, &elements, &attr);
            assert_eq!((&first, &second), (&other_first, &other_second), "{dst}, mask {mask:b}");
        }
    }
}

#[test]
fn padded_extents_hold_zero_in_the_padding() {
    let elements = [1, 2, 3, 4, 5, 6];
    let of = |text: &str, attr: Attr| {
        let dst = layout(text);
        let (_, first, second) = sums(&dst, &elements, &attr);
        first.or(second).unwrap()
    };
    // Tails.
    assert_eq!(of("s8:aB4b:2x3", asymmetric(0b10)), [-5, -7, -9, 0]);
    assert_eq!(of("s8:AB4a4b:2x3", s8s8(0b01)), [-128 * 6, -128 * 15, 0, 0]);
    // Two dims, both padded.
    assert_eq!(
        of("s8:AB4a4b:2x3", asymmetric(0b11)),
        [-1, -2, -3, 0, -4, -5, -6, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    );
    // Margins shift the index; the fill is not summed, nor that of the dims summed over.
    assert_eq!(
        of("s8:ab:2x3:lower=0,2:upper=1,1:fill=50", asymmetric(0b10)),
        [0, 0, -5, -7, -9, 0]
    );
    assert_eq!(of("s8:ab:2x3:lower=1,2:upper=1,1:fill=50", asymmetric(0b01)), [0, -6, -15, 0]);
    // Both: 1 + 3 + 1 in blocks of four.
    assert_eq!(
        of("s8:aB4b:2x3:lower=0,1:upper=0,1:fill=-3", asymmetric(0b10)),
        [0, -5, -7, -9, 0, 0, 0, 0]
    );
    assert_eq!(
        of("s8:aB4b:2x3:lower=1,1:fill=-3", s8s8(0b11)),
        [0, 0, 0, 0, 0, -128, -256, -384, 0, -512, -640, -768]
    );
    // No mask, padding or not: one sum.
    assert_eq!(of("s8:AB4a4b:2x3:lower=1,1", asymmetric(0)), [-21]);
}

#[test]
fn elements_are_summed_as_they_are_stored() {
    let (src, dst) = (layout("f32:ab:2x2"), layout("s8:ba:2x2"));
    let attr = s8s8(0b01).asymmetric_compensation(0).src_scale(0b10).dst_zero_point(0);
    let values = Values { src_scale: &[1.0, 100.0], dst_zero_point: &[1], ..Values::default() };
    let bytes = pack(F32, &f32_bits(&[1.5, 7.0, f32::NAN, -9.0]));
    let out = run_with(&src, &bytes, &dst, &attr, &values);
    // 2.5 to 2, 701 saturated; NaN to 0, -899 saturated.
    assert_eq!(out[..4], [2, 0, 127, 0x80]);
    assert_eq!(s32s(&out[4..]), [-128 * 129, 128 * 128, -1]);
    // Without arithmetic too: u8 saturates on its way.
    let (src, dst) = (layout("u8:a:3"), layout("s8:a:3"));
    let out = run_with(&src, &[200, 255, 1], &dst, &asymmetric(0), &Values::default());
    assert_eq!(out[..3], [127, 127, 1]);
    assert_eq!(out[3], canary(4)[3], "the bytes before the arrays");
    assert_eq!(s32s(&out[4..]), [-255]);
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn sums_wrap() {
    let n: usize = 140_000;
    let dst = Layout::row_major(DType::S8, &[n]).unwrap();
    let (_, first, second) = sums(&dst, &vec![-128; n], &s8s8(0).asymmetric_compensation(0));
    // 128 * 128 * 140_000 is 2_293_760_000.
    assert_eq!(first, Some(vec![(2_293_760_000i64 - (1 << 32)) as i32]));
    assert_eq!(second, Some(vec![17_920_000]));
    let (_, first, _) = sums(&dst, &vec![127; n], &s8s8(0));
    assert_eq!(first, Some(vec![(-2_275_840_000i64 + (1 << 32)) as i32]));
}

#[test]
fn merged_axes_count_each_dim_by_itself() {
    // The tail of m = y * 3 + x belongs to neither y nor x.
    let dst = layout("s8:bf8_xy16:1x2x2x3");
    let elements: Vec<i8> = (1..=12).collect();
    let (_, _, second) = sums(&dst, &elements, &asymmetric(0b1100));
    assert_eq!(second, Some(vec![-8, -10, -12, -14, -16, -18]));
    let (_, _, second) = sums(&dst, &elements, &asymmetric(0b0010));
    assert_eq!(second, Some(vec![-21, -57, 0, 0, 0, 0, 0, 0]));
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn weights_as_inference_libraries_keep_them() {
    // Grouped weights by output channel: g and o of goihw.
    let dst = layout("s8:gOIhw4i16o4i:2x17x5x3x3");
    let mut rng = Rng::new(9);
    let elements: Vec<i8> = rng.bytes(2 * 17 * 5 * 9).iter().map(|&x| x as i8).collect();
    let attr = s8s8(0b11).asymmetric_compensation(0b11);
    let (out, first, second) = sums(&dst, &elements, &attr);
    let mut expected = vec![0i32; 2 * 32];
    for (row, channel) in elements.chunks(45).enumerate() {
        expected[row / 17 * 32 + row % 17] = channel.iter().map(|&x| i32::from(x)).sum();
    }
    assert_eq!(first.unwrap(), expected.iter().map(|sum| -128 * sum).collect::<Vec<_>>());
    assert_eq!(second.unwrap(), expected.iter().map(|sum| -sum).collect::<Vec<_>>());
    for (at, element) in coordinates(&dst).iter().zip(&elements) {
        assert!(inside(&dst, at));
        assert_eq!(out[dst.offset_of(at).unwrap()], *element as u8);
    }
}

#[test]
fn refused_where_it_means_nothing() {
    let src = layout("f32:ab:2x3");
    for attr in [s8s8(1), asymmetric(1), s8s8(0).asymmetric_compensation(0)] {
        for dst in ["f32:ab:2x3", "u8:ab:2x3", "s32:ab:2x3", "bf16:ab:2x3"] {
            refused(attr.sizes(&src, &layout(dst)), ErrorKind::Invalid);
        }
        let dst = layout("s8:ab:2x3");
        refused(attr.clone().sum(1.0).sizes(&src, &dst), ErrorKind::Invalid);
        refused(attr.clone().sum(0.0).sizes(&src, &dst), ErrorKind::Invalid);
        for region in [
            layout("s8:ab:4x3").region(&[1, 0], &[2, 3]).unwrap(),
            layout("s8:ab:2x4").region(&[0, 0], &[2, 3]).unwrap(),
            layout("s8:ab:2x3:in=2x5:at=0,1"),
        ] {
            refused(attr.sizes(&src, &region), ErrorKind::Invalid);
        }
        // A region as the source is nothing special.
        let part = layout("f32:ab:4x3").region(&[1, 0], &[2, 3]).unwrap();
        attr.sizes(&part, &dst).unwrap();
    }
    for attr in [s8s8(0b100), asymmetric(1 << 31)] {
        refused(attr.sizes(&src, &layout("s8:ab:2x3")), ErrorKind::Invalid);
    }
}

#[test]
fn the_arrays_are_part_of_the_buffer_that_is_checked() {
    let (src, dst) = (layout("s8:ab:2x3"), layout("s8:ab:2x3"));
    let attr = s8s8(0b10).asymmetric_compensation(0b01);
    let sizes = attr.sizes(&src, &dst).unwrap();
    assert_eq!(sizes.dst, 8 + 12 + 8);
    let mut out = canary(sizes.dst - 1);
    let short = reference::reorder(&src, &[1; 6], &dst, &mut out, &attr, &Values::default());
    refused(short, ErrorKind::Buffer);
    assert_eq!(out, canary(sizes.dst - 1));
}
