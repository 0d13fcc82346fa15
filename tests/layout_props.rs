//! Properties of layouts drawn at random, of every kind a text can say.

mod common;
mod model;

use common::*;
use model::random::{self, Sample};
use model::tags;
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet};

fn sample(draw: &mut Choices) -> Sample {
    random::any(draw, &names())
}

/// A layout in five is empty here: one of its extents is 0.
fn empty_or_not(draw: &mut Choices) -> String {
    let sample = sample(draw);
    let window = &sample.placed.window;
    if window.parent.is_some() || !draw.once_in(5) {
        return sample.text;
    }
    let mut dims = window.n.clone();
    dims[draw.below(window.n.len())] = 0;
    let options = &sample.text[sample.head.len() + join(&window.n, "x").len()..];
    format!("{}{}{options}", sample.head, join(&dims, "x"))
}

/// Prints, reads and prints again.
fn round_trip(l: &Layout) -> Result<(), TestCaseError> {
    let text = l.to_string();
    let again = text.parse::<Layout>();
    let again = again.map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
    prop_assert_eq!(&again, l, "printed as {}", text);
    prop_assert_eq!(again.to_string(), text);
    prop_assert_eq!(again.size_bytes(), l.size_bytes());
    prop_assert_eq!(again.padded_dims(), l.padded_dims());
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn text_and_layout_are_inverse(choices in choices()) {
        let text = empty_or_not(&mut Choices::new(choices));
        round_trip(&layout(&text))?;
    }

    #[test]
    fn offsets_are_the_models(choices in choices()) {
        let sample = sample(&mut Choices::new(choices));
        let (l, placed) = (sample.layout(), &sample.placed);
        let (low, high) = placed.window.bounds();
        for i in grid(&low, &high) {
            let expected = placed.offset_of(&i);
            prop_assert_eq!(offset(&l, &i) as i64, expected, "{} at {:?}", sample.text, i);
        }
        let printed = layout(&l.to_string());
        for i in grid(&low, &high).step_by(7) {
            prop_assert_eq!(offset(&printed, &i), offset(&l, &i), "{} at {:?}", printed, i);
        }
        let in_order: Vec<usize> = l.offsets().collect();
        let expected: Vec<usize> = elements(l.dims()).map(|i| offset(&l, &i)).collect();
        prop_assert_eq!(in_order, expected, "{}", sample.text);
    }

    #[test]
    fn footprints_are_the_models(choices in choices()) {
        let sample = sample(&mut Choices::new(choices));
        let l = sample.layout();
        let mut expected: Vec<(usize, char)> = sample.placed.cells().into_iter()
            .map(|(offset, role)| (offset as usize, letter(role))).collect();
        expected.sort_unstable();
        prop_assert_eq!(footprint(&l), expected, "{}", sample.text);
        if sample.placed.window.parent.is_none() || !sample.placed.format.has_pitch() {
            prop_assert_eq!(l.size_elements() as i64, sample.placed.size(), "{}", sample.text);
        }
    }

    #[test]
    fn everything_lies_inside_the_size(choices in choices()) {
        let sample = sample(&mut Choices::new(choices));
        let l = sample.layout();
        let size = l.size_bytes();
        prop_assert_eq!(size, l.size_elements() * l.dtype().size());
        let places: Vec<usize> = l.cells().map(|cell| cell.offset).collect();
        for &place in &places {
            prop_assert!((place + 1) * l.dtype().size() <= size, "{} at {place}", sample.text);
        }
        let distinct: BTreeSet<usize> = places.iter().copied().collect();
        if sample.injective {
            prop_assert_eq!(distinct.len(), places.len(), "{}", sample.text);
        }
        if sample.placed.format.axes.iter().all(|axis| axis.len() == 1) {
            let padded: usize = l.padded_dims().iter().product();
            prop_assert_eq!(padded, places.len(), "{}", sample.text);
        }
        let covered = distinct.len() == places.len() && places.len() == l.size_elements();
        if sample.injective || l.is_dense() {
            prop_assert_eq!(l.is_dense(), covered, "{}", sample.text);
        }
        if l.check_destination().is_ok() {
            prop_assert_eq!(distinct.len(), places.len(), "{} repeats an element", sample.text);
        }
        prop_assert_eq!(l.is_empty(), places.is_empty());
    }

    /// Whatever part of a block is one's own: what may be written repeats nothing.
    #[test]
    fn destinations_repeat_nothing(choices in choices()) {
        let mut draw = Choices::new(choices);
        for _ in 0..16 {
            let block = draw.between(2, 6);
            let [outer, inner, other] = [0; 3].map(|_| draw.between(1, 12));
            let (n, m, at) = (draw.between(1, 5), draw.between(1, 3), draw.below(9));
            let l = layout(&format!(
                "u8:digits(ab; a/{block}@{outer} a%{block}@{inner} b@{other}):{n}x{m}\
                 :offset=0:in={}x{m}:at={at},0", at + n + draw.below(4)
            ));
            let places: Vec<usize> = l.cells().map(|cell| cell.offset).collect();
            let distinct: BTreeSet<usize> = places.iter().copied().collect();
            if l.check_destination().is_ok() {
                prop_assert_eq!(distinct.len(), places.len(), "{} repeats an element", l);
            }
        }
    }

    #[test]
    fn strides_say_the_offsets(choices in choices()) {
        let sample = sample(&mut Choices::new(choices));
        let l = sample.layout();
        let zero = vec![0; l.rank()];
        if let Some(strides) = l.strides() {
            for i in elements(l.dims()) {
                let sum: isize = i.iter().zip(&strides).map(|(i, s)| i * s).sum();
                let expected = offset(&l, &zero) as isize + sum;
                prop_assert_eq!(offset(&l, &i) as isize, expected, "{} at {:?}", sample.text, i);
            }
        } else {
            prop_assert!(!sample.text.contains(":strides("), "{}", sample.text);
        }
    }

    /// oneDNN's get_size, recomputed from the tag's letters.
    #[test]
    fn onednn_size_of_tags(choices in choices()) {
        let mut draw = Choices::new(choices);
        let rank = draw.between(1, 6);
        let tag = random::random_tag(&mut draw, rank);
        let dims: Vec<usize> = (0..rank).map(|_| draw.pick(&[3, 1, 16, 17, 5, 0, 8])).collect();
        let l = layout(&format!("f32:{tag}:{}", join(&dims, "x")));
        let (outer, blocks) = tags::outer(&tag, &dims);
        prop_assert_eq!(l.onednn_size_bytes(), Some(4 * get_size(&dims, &outer, blocks)));
        if dims.iter().all(|&n| n > 0) {
            prop_assert_eq!(l.onednn_size_bytes(), Some(l.size_bytes()), "{}", tag);
        }
    }

    /// The same of a descriptor whose outer strides leave gaps, and not the offset with it.
    #[test]
    fn onednn_size_of_descriptors(choices in choices()) {
        let mut draw = Choices::new(choices);
        let rank = draw.between(1, 4);
        let tag = random::random_tag(&mut draw, rank);
        let dims: Vec<usize> = (0..rank).map(|_| draw.pick(&[3, 1, 16, 17, 5])).collect();
        let (mut outer, blocks) = tags::outer(&tag, &dims);
        let (order, inner) = tags::parts(&tag);
        let mut running = blocks;
        for &d in order.iter().rev() {
            outer[d].1 = running + draw.pick(&[0, 1, 7]);
            running = outer[d].0 * outer[d].1;
        }
        let block = |d| tags::block(&inner, d);
        let padded_dims: Vec<usize> = (0..rank).map(|d| outer[d].0 * block(d)).collect();
        let strides: Vec<isize> = outer.iter().map(|part| part.1 as isize).collect();
        let (inner_sizes, inner_dims): (Vec<usize>, Vec<usize>) = inner.iter().copied().unzip();
        let offset = draw.below(10) as isize;
        let l = Layout::blocked(DType::F16, &Blocking {
            dims: &dims,
            padded_dims: &padded_dims,
            strides: &strides,
            inner_sizes: &inner_sizes,
            inner_dims: &inner_dims,
            offset,
        }).unwrap();
        prop_assert_eq!(l.onednn_size_bytes(), Some(2 * get_size(&dims, &outer, blocks)));
        prop_assert_eq!(l.padded_dims(), padded_dims);
        prop_assert_eq!(l.offset(), offset);
        round_trip(&l)?;
        // Outer strides by themselves, inner digits as the tag has them.
        let tight = layout(&format!("f16:{tag}:{}", join(&dims, "x")));
        for i in some(elements(&dims), 997) {
            let outside = |d: usize| i[d] as usize / block(d);
            let tight_outer: usize = tags::outer(&tag, &dims).0.iter().enumerate()
                .map(|(d, part)| outside(d) * part.1).sum();
            let wide_outer: usize = outer.iter().enumerate().map(|(d, part)| outside(d) * part.1).sum();
            let within = self::offset(&tight, &i) - tight_outer;
            prop_assert_eq!(self::offset(&l, &i), offset as usize + wide_outer + within);
        }
    }

    /// Any extents at all: a size is exact or refused, never wrapped.
    #[test]
    fn huge_extents(dims in prop::collection::vec(huge(), 1..5), block in 2..100usize, wide in huge()) {
        let bound = isize::MAX as u128;
        let check = |text: String, bytes: Option<u128>| match text.parse::<Layout>() {
            Ok(l) => {
                let found = Some(l.size_bytes() as u128);
                prop_assert!(bytes <= Some(bound) && found == bytes, "{text}: {found:?}, not {bytes:?}");
                Ok(())
            }
            Err(error) => {
                // A last factor of 16 is left to the judgement of the library.
                prop_assert!(bytes.is_none_or(|b| b > bound / 16), "{text}: {error}");
                prop_assert_eq!(error.kind(), ErrorKind::Invalid);
                Ok(())
            }
        };
        let product = |dims: &[usize]| dims.iter()
            .try_fold(8u128, |product, &n| product.checked_mul(n as u128));
        let letters: String = ('a'..).take(dims.len()).collect();
        check(format!("f64:{letters}:{}", join(&dims, "x")), product(&dims))?;
        let mut padded = dims.clone();
        let rounded = dims[0].checked_next_multiple_of(block);
        padded[0] = rounded.unwrap_or(usize::MAX);
        let others = join(letters[1..].chars().map(|l| format!("{l} ")), "");
        let blocked = format!("digits({letters}; a/{block} {others}a%{block})");
        let bytes = rounded.and(product(&padded));
        check(format!("f64:{}:{}", blocked, join(&dims, "x")), bytes)?;
        let bytes = dims.len().eq(&1).then(|| {
            (dims[0] as u128 - 1).saturating_mul(wide as u128).saturating_mul(8).saturating_add(8)
        });
        if let Some(bytes) = bytes {
            check(format!("f64:strides({wide}):{}", dims[0]), Some(bytes))?;
            let margin = (dims[0] as u128 + wide as u128) * 8;
            check(format!("f64:a:{}:lower={wide}", dims[0]), Some(margin))?;
            check(format!("f64:a:{}:upper={wide}", dims[0]), Some(margin))?;
            check(format!("f64:a:{}:offset={wide}", dims[0]), Some(margin))?;
        }
    }
}

/// oneDNN's get_size in elements, of (padded / block, outer stride) per dim.
fn get_size(dims: &[usize], outer: &[(usize, usize)], blocks: usize) -> usize {
    if dims.contains(&0) {
        return 0;
    }
    let reach = |&(count, stride): &(usize, usize)| count * if count == 1 { 1 } else { stride };
    match outer.iter().map(reach).max() {
        Some(1) | None => blocks,
        Some(most) => most,
    }
}

/// get_size speaks of what oneDNN can say.
#[test]
fn onednn_size_outside_its_grammar() {
    for text in [
        "f32:bf8_xy16:2x9x5x5",
        "f32:os_is_yx_osv32_isv4_swizzled_by_2:40x6x2x2",
        "f32:gs_oi_yxs_gsv4_yxsv4:6x1x1x3x3",
        "f32:image_2d_rgba:1x3x2x5:pitch=32",
        "f32:digits(ab; a%3 b a/3):7x5",
    ] {
        assert_eq!(layout(text).onednn_size_bytes(), None, "{text}");
    }
    for (text, bytes) in [
        ("f32:bfyx_f16:2x31x5x3", 4 * 2 * 32 * 5 * 3),
        ("f32:abcd:1x1x1x1", 4),
        ("f32:aBcd16b:1x3x1x1", 64),
        ("f32:ABcd16b16a:1x3x1x1", 4 * 256),
        ("u8:strides(100,1):3x5:offset=40", 300),
        ("u8:strides(100,1):1x5", 5),
        ("u8:nchw:3x0x2x2", 0),
    ] {
        assert_eq!(layout(text).onednn_size_bytes(), Some(bytes), "{text}");
    }
}

fn huge() -> impl Strategy<Value = usize> {
    let max = isize::MAX as usize;
    prop_oneof![
        1..100usize,
        (0..63u32, 0..3usize)
            .prop_map(|(bit, off)| ((1usize << bit) + off).saturating_sub(1).max(1)),
        (0..40usize).prop_map(move |below| max - below),
        1..=max,
    ]
}

#[test]
fn sizes_past_the_address_space() {
    for text in [
        "u8:ab:3037000500x3037000500",
        "f64:a:1152921504606846976",
        "u8:abc:4294967296x4294967296x1",
        "u8:abcd:65536x65536x65536x65536",
        "u8:aB16b:1x9223372036854775800",
        "u8:a:9223372036854775807:upper=1",
        "u8:a:1:lower=18446744073709551615",
        "u8:a:2:upper=18446744073709551615",
        "u8:a:1:offset=9223372036854775807",
        "f32:a:1:offset=4611686018427387904",
        "u8:ab:2x2:in=9223372036854775807x9223372036854775807:at=0,0",
        "u8:strides(9223372036854775807,1):2x2",
        "u8:strides(9223372036854775807,9223372036854775807):2x2",
        "u8:strides(-9223372036854775808):2:offset=9223372036854775807",
        "u8:strides(-9223372036854775808):3",
        "u8:digits(ab; a b@9223372036854775807):3x3",
        "u8:digits(ab; a/4611686018427387904 b a%4611686018427387904):5x3",
        "u8:digits(ab; a b; align a:9223372036854775807 b:4611686018427387905):2x2",
        "u8:digits(ab; a b; fix a:9223372036854775807 b:3):2x2",
        "u8:digits(ab; a | b):3x3:pitch=9223372036854775807",
        "u8:image_2d_rgba:4x4x4x4:pitch=4611686018427387904",
        "u8:bf8_xy16:1x1x4294967296x4294967296",
        "u8:a:18446744073709551616",
        "u8:strides(9223372036854775808):1",
    ] {
        assert_eq!(refused(text).kind(), ErrorKind::Invalid, "{text}");
    }
    let (max, half) = (isize::MAX, isize::MAX as usize / 2);
    assert!(Layout::strided(DType::U8, &[3], &[max], 0).is_err());
    assert!(Layout::strided(DType::U8, &[2], &[isize::MIN], max).is_err());
    assert!(Layout::byte_strided(DType::F32, &[3, 3], &[max - 3, 4]).is_err());
    assert!(Layout::byte_strided(DType::F32, &[2], &[isize::MIN]).is_err());
    assert!(Layout::byte_strided(DType::F32, &[2; 200], &[5; 200]).is_err());
    assert!(Layout::row_major(DType::U8, &[usize::MAX, 2]).is_err());
    let far = Layout::row_major(DType::U8, &[half, 1]).unwrap();
    assert_eq!(offset(&far, &[half as isize - 1, 0]), half - 1);
    // As many elements as no loop can count, though they lie in less memory.
    let repeated = far.broadcast(&[3, half, 1]).unwrap_err();
    assert_eq!(repeated.kind(), ErrorKind::Invalid);
    assert!(far.reshape(&[half, usize::MAX, 2]).is_err());
}

/// An extent of 0: nothing lies anywhere, whatever the rest says.
#[test]
fn empty_layouts() {
    for text in [
        "f32:nchw:8x0x31x31",
        "f32:nChw16c:0x17x2x2",
        "f32:nChw16c:1x0x2x2:lower=0,1,0,0:upper=0,0,1,1:fill=3",
        "u8:strides(5,-1):2x0:offset=7",
        "u8:bf8_xy16:1x9x0x5",
        "u8:image_2d_rgba:0x3x2x5:pitch=32",
        "u8:a:0",
    ] {
        let l = layout(text);
        assert!(l.is_empty(), "{text}");
        assert_eq!((l.size_bytes(), l.size_elements()), (0, 0), "{text}");
        assert_eq!((l.cells().count(), l.offsets().count()), (0, 0), "{text}");
        assert_eq!(layout(&l.to_string()), l);
    }
}

/// What a tag or strides say is printed so, whichever way it was said.
#[test]
fn equal_layouts_print_equally() {
    for [left, right] in [
        ["f32:nchw:2x3x5x7", "f32:strides(105,35,7,1):2x3x5x7"],
        ["f32:bfyx:2x3x5x7", "f32:abcd:2x3x5x7"],
        ["f32:nChw16c:2x30x5x7", "f32:digits(nchw; n c/16 h w c%16):2x30x5x7"],
        ["f32:nChw16c:2x30x5x7", "f32:b_fs_yx_fsv16:2x30x5x7"],
        ["f32:cldnn/byxf:2x3x5x7", "f32:nhwc:2x3x5x7"],
        ["u8:digits(ab; a@9 b):4x5", "u8:strides(9,1):4x5"],
        ["u8:digits(pq; p q; flip q):4x5", "u8:strides(5,-1):4x5:offset=4"],
        ["u8:abcd:1x2x3x4:lower=0,0,0,0:offset=0", "u8:abcd:1x2x3x4"],
    ] {
        let (left, right) = (layout(left), layout(right));
        assert_eq!(left, right);
        assert_eq!(left.to_string(), right.to_string());
    }
    for [left, right] in [
        ["u8:abcd:2x3x5x7", "s8:abcd:2x3x5x7"],
        ["u8:abcd:2x3x5x7", "u8:abcd:2x3x5x7:offset=1"],
        ["u8:abcd:2x3x5x7", "u8:abdc:2x3x5x7"],
        ["u8:ab:2x3:upper=0,1:fill=1", "u8:ab:2x3:upper=0,1:fill=2"],
        ["u8:ab:2x3:upper=0,1", "u8:strides(4,1):2x3"],
        ["u8:aB16b:2x17", "u8:aB16b:2x32"],
    ] {
        let (left, right) = (layout(left), layout(right));
        assert_ne!(left, right);
        assert_ne!(left.to_string(), right.to_string());
    }
    let same: HashSet<Layout> =
        ["f32:nchw:2x3x5x7", "f32:bfyx:2x3x5x7", "f32:NCHW:2x3x5x7"].map(layout).into();
    assert_eq!(same.len(), 1);
    let nan = layout("f32:ab:2x3:upper=1,1:fill=nan");
    assert!(nan.fill().is_nan());
    assert_eq!(layout(&nan.to_string()), nan);
}
