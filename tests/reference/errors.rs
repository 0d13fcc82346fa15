//! What is refused, before a byte is written, and tensors without elements.

use std::cell::Cell;

use crate::support::{canary, layout, refused};
use retile::{Attr, ErrorKind, Layout, Result, Values, reference};

/// Both ways in, with bytes enough of zeros and of canaries; nothing may be written.
#[track_caller]
fn refuses(
    src: &Layout,
    dst: &Layout,
    attr: &Attr,
    values: &Values<'_>,
    kind: ErrorKind,
) -> String {
    let (from, to) = (src.size_bytes(), dst.size_bytes() + 64);
    sized(src, from, dst, to, attr, values, kind)
}

#[track_caller]
fn sized(
    src: &Layout,
    from: usize,
    dst: &Layout,
    to: usize,
    attr: &Attr,
    values: &Values<'_>,
    kind: ErrorKind,
) -> String {
    let mut bytes = vec![0; from];
    let mut out = canary(to);
    let alone = reference::reorder(src, &bytes, dst, &mut out, attr, values);
    assert_eq!(out, canary(to), "refused, and wrote");
    let shared: Result<()> = reference::reorder_shared(
        src,
        Cell::from_mut(&mut bytes[..]).as_slice_of_cells(),
        dst,
        Cell::from_mut(&mut out[..]).as_slice_of_cells(),
        attr,
        values,
    );
    assert_eq!(out, canary(to), "refused, and wrote");
    assert_eq!(shared, alone, "both ways in refuse alike");
    refused(alone, kind).to_string()
}

#[test]
fn dims_that_differ() {
    let src = layout("u8:ab:2x3");
    for dst in ["u8:ab:3x2", "u8:ab:2x4", "u8:abc:2x3x1", "u8:a:6"] {
        let dst = layout(dst);
        refuses(&src, &dst, &Attr::new(), &Values::default(), ErrorKind::Invalid);
    }
    // Padding does not make up for it.
    let dst = layout("u8:ab:2x2:upper=0,1");
    refuses(&src, &dst, &Attr::new(), &Values::default(), ErrorKind::Invalid);
}

#[test]
fn mask_bits_past_the_rank() {
    let (src, dst) = (layout("f32:ab:2x3"), layout("f32:ba:2x3"));
    for mask in [0b100, 0b101, 1 << 31, u32::MAX] {
        for attr in [
            Attr::new().src_scale(mask),
            Attr::new().dst_scale(mask),
            Attr::new().src_zero_point(mask),
            Attr::new().dst_zero_point(mask),
        ] {
            refused(attr.sizes(&src, &dst), ErrorKind::Invalid);
            refuses(&src, &dst, &attr, &Values::default(), ErrorKind::Invalid);
        }
    }
}

#[test]
fn a_factor_that_is_not_finite() {
    let (src, dst) = (layout("f32:ab:2x3"), layout("f32:ba:2x3"));
    for beta in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -f32::NAN] {
        let attr = Attr::new().sum(beta);
        refuses(&src, &dst, &attr, &Values::default(), ErrorKind::Invalid);
    }
    for beta in [0.0, -0.0, f32::MAX, f32::MIN_POSITIVE / 2.0] {
        let attr = Attr::new().sum(beta);
        assert_eq!(attr.beta().map(f32::to_bits), Some(beta.to_bits()));
        assert!(attr.sizes(&src, &dst).is_ok());
    }
    assert_eq!(Attr::new().beta(), None);
}

#[test]
fn destinations_that_overlap_themselves() {
    let src = layout("u8:abc:2x3x4");
    for dst in [
        "u8:strides(0,4,1):2x3x4",
        "u8:strides(12,3,1):2x3x4",
        "u8:strides(8,1,3):2x3x4",
        "u8:strides(1,2,-4):2x3x4:offset=12",
        "u8:strides(12,4,0):2x3x4",
    ] {
        let dst = layout(dst);
        refuses(&src, &dst, &Attr::new(), &Values::default(), ErrorKind::Invalid);
    }
    // The error names both dims: b steps into c.
    let dst = layout("u8:strides(12,3,1):2x3x4");
    let text = refuses(&src, &dst, &Attr::new(), &Values::default(), ErrorKind::Invalid);
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    assert!(words.contains(&"b") && words.contains(&"c"), "{text}");
    // A repeated one.
    let dst = layout("u8:ab:3x4").broadcast(&[2, 3, 4]).unwrap();
    refuses(&src, &dst, &Attr::new(), &Values::default(), ErrorKind::Invalid);
    // Dims of one element may have any stride.
    let (src, dst) = (layout("u8:ab:1x4"), layout("u8:strides(0,1):1x4"));
    let mut out = [0; 4];
    let found =
        reference::reorder(&src, &[1, 2, 3, 4], &dst, &mut out, &Attr::new(), &Values::default());
    assert_eq!((found, out), (Ok(()), [1, 2, 3, 4]));
}

#[test]
fn buffers_a_byte_short() {
    let none = (&Attr::new(), &Values::default());
    for (src, dst) in [
        ("u8:ab:2x3", "u8:ba:2x3"),
        ("f32:aB8b:2x3", "f16:ab:2x3:offset=2:upper=0,1"),
        ("s32:strides(5,1):2x3:offset=1", "s8:AB4a4b:2x3"),
        ("f32:ab:2x3", "f64:ab:2x3:lower=1,1"),
        ("f16:ab:2x3", "u8:strides(-7,2):2x3:offset=7"),
    ] {
        let (src, dst) = (layout(src), layout(dst));
        let (from, to) = (src.size_bytes(), dst.size_bytes());
        let sizes = Attr::new().sizes(&src, &dst).unwrap();
        assert_eq!((sizes.src, sizes.dst), (from, to));
        sized(&src, from - 1, &dst, to, none.0, none.1, ErrorKind::Buffer);
        sized(&src, from, &dst, to - 1, none.0, none.1, ErrorKind::Buffer);
        sized(&src, 0, &dst, to, none.0, none.1, ErrorKind::Buffer);
        sized(&src, from, &dst, 0, none.0, none.1, ErrorKind::Buffer);
        let mut out = canary(to);
        let found = reference::reorder(&src, &vec![0; from], &dst, &mut out, none.0, none.1);
        assert_eq!(found, Ok(()));
    }
    // Own padding of the source is part of what the buffer must hold.
    let (src, dst) = (layout("u8:aB8b:1x3:upper=0,1"), layout("u8:ab:1x3"));
    sized(&src, 7, &dst, 3, none.0, none.1, ErrorKind::Buffer);
    // The slack of the last row as well.
    let (src, dst) = (layout("u8:image_2d_rgba:1x3x2x5:pitch=32"), layout("u8:abcd:1x3x2x5"));
    sized(&src, 63, &dst, 30, none.0, none.1, ErrorKind::Buffer);
    sized(&dst, 30, &src, 63, none.0, none.1, ErrorKind::Buffer);
}

#[test]
fn counts_of_values() {
    let (src, dst) = (layout("f32:abc:2x3x4"), layout("s8:cba:2x3x4"));
    let floats = [1.0f32; 25];
    let points = [0i32; 25];
    for (mask, count) in [(0, 1), (0b001, 2), (0b010, 3), (0b101, 8), (0b111, 24)] {
        for wrong in [0, count - 1, count + 1] {
            let (scales, points) = (&floats[..wrong], &points[..wrong]);
            let none = Values::default();
            for (attr, values) in [
                (Attr::new().src_scale(mask), Values { src_scale: scales, ..none }),
                (Attr::new().dst_scale(mask), Values { dst_scale: scales, ..none }),
                (Attr::new().src_zero_point(mask), Values { src_zero_point: points, ..none }),
                (Attr::new().dst_zero_point(mask), Values { dst_zero_point: points, ..none }),
            ] {
                refuses(&src, &dst, &attr, &values, ErrorKind::Buffer);
                assert!(attr.check_values(src.dims(), &values).is_err());
            }
        }
        let attr = Attr::new().src_scale(mask).dst_zero_point(mask);
        let right = Values {
            src_scale: &floats[..count],
            dst_zero_point: &points[..count],
            ..Values::default()
        };
        assert_eq!(attr.check_values(src.dims(), &right), Ok(()));
        // Values for the other side than was asked for.
        let swapped = Values {
            dst_scale: &floats[..count],
            src_zero_point: &points[..count],
            ..Values::default()
        };
        refuses(&src, &dst, &attr, &swapped, ErrorKind::Buffer);
    }
}

#[test]
fn values_count_elements_and_not_padding() {
    let (src, dst) = (layout("f32:aB8b:2x3:lower=1,0"), layout("f32:AB4a8b:2x3:upper=0,2"));
    let attr = Attr::new().src_scale(0b10);
    let values = Values { src_scale: &[1.0; 3], ..Values::default() };
    assert_eq!(attr.check_values(src.dims(), &values), Ok(()));
    let padded = Values { src_scale: &[1.0; 8], ..Values::default() };
    refuses(&src, &dst, &attr, &padded, ErrorKind::Buffer);
}

#[test]
fn empty_tensors_write_nothing() {
    for (dims, text) in [
        ("0", "a"),
        ("0x3", "ab"),
        ("2x0", "aB8b"),
        ("2x0x3", "ABc4a8b"),
        ("1x0x2x2", "bf8_xy16"),
        ("2x0", "ab:lower=1,1:upper=2,2:fill=7"),
        ("0x8", "aB8b:upper=0,3"),
        ("2x0", "strides(100,1):offset=5"),
    ] {
        let plain: String = ('a'..).take(dims.split('x').count()).collect();
        let src = layout(&format!("f32:{plain}:{dims}"));
        let dst = src.destination(&format!("u8:{text}")).unwrap();
        assert!(src.is_empty() && dst.is_empty());
        assert_eq!((src.size_bytes(), dst.size_bytes()), (0, 0), "{dst}");
        for attr in [Attr::new(), Attr::new().sum(2.0), Attr::new().src_scale(0)] {
            let one = [1.0];
            let values = Values {
                src_scale: if attr == Attr::new().src_scale(0) { &one } else { &[] },
                ..Values::default()
            };
            for len in [0, 64] {
                let mut out = canary(len);
                let found = reference::reorder(&src, &[], &dst, &mut out, &attr, &values);
                assert_eq!(found, Ok(()), "{src} to {dst}");
                assert_eq!(out, canary(len), "{src} to {dst}");
            }
        }
    }
    // A region of no elements, in the middle of something.
    let part = layout("u8:aB8b:4x9").region(&[1, 4], &[2, 0]).unwrap();
    let src = layout("u8:ab:2x0");
    let mut out = canary(64);
    reference::reorder(&src, &[], &part, &mut out, &Attr::new(), &Values::default()).unwrap();
    reference::reorder(&part, &[], &src, &mut out, &Attr::new(), &Values::default()).unwrap();
    assert_eq!(out, canary(64));
    // Other extents must still agree, and masks still count.
    let (src, dst) = (layout("u8:ab:2x0"), layout("u8:ab:3x0"));
    refuses(&src, &dst, &Attr::new(), &Values::default(), ErrorKind::Invalid);
    let attr = Attr::new().src_scale(0b01);
    refuses(&src, &src, &attr, &Values::default(), ErrorKind::Buffer);
    let attr = Attr::new().src_scale(0b10);
    let mut out = [];
    reference::reorder(&src, &[], &src, &mut out, &attr, &Values::default()).unwrap();
}
