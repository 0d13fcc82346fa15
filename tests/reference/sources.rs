//! What may be read: any source, its elements alone, from the same memory as well.

use std::cell::Cell;

use crate::support::{
    BEHIND, Rng, canary, coordinates, f32_bits, inside, layout, pack, put, run, run_with,
};
use retile::DType::{F16, F32, S8};
use retile::{Attr, Layout, Values, reference};

#[test]
fn broadcast_sources() {
    let dst = layout("u8:ab:2x3");
    let row = layout("u8:a:3").broadcast(&[2, 3]).unwrap();
    assert_eq!(run(&row, &[1, 2, 3], &dst), [1, 2, 3, 1, 2, 3]);
    let column = layout("u8:strides(1,0):2x3");
    assert_eq!(run(&column, &[1, 2], &dst), [1, 1, 1, 2, 2, 2]);
    let one = layout("u8:strides(0,0):2x3:offset=1");
    assert_eq!(run(&one, &[9, 4], &dst), [4; 6]);
    // A block's first channel, for all.
    let blocked = layout("u8:aB4b:2x1").broadcast(&[2, 3]).unwrap();
    assert_eq!(run(&blocked, &[1, 9, 9, 9, 2, 9, 9, 9], &dst), [1, 1, 1, 2, 2, 2]);
}

#[test]
fn negative_strides_and_overlaps() {
    let dst = layout("u8:ab:2x3");
    let reversed = layout("u8:strides(-4,-1):2x3:offset=6");
    assert_eq!(reversed.size_bytes(), 7);
    assert_eq!(run(&reversed, &[0, 1, 2, 3, 4, 5, 6], &dst), [6, 5, 4, 2, 1, 0]);
    let (numpy, before) = Layout::byte_strided(retile::DType::U8, &[2, 3], &[3, -1]).unwrap();
    assert_eq!(before, 2);
    assert_eq!(run(&numpy, &[1, 2, 3, 4, 5, 6], &dst), [3, 2, 1, 6, 5, 4]);
    let sliding = layout("u8:strides(1,1):2x3");
    assert_eq!(run(&sliding, &[1, 2, 3, 4], &dst), [1, 2, 3, 2, 3, 4]);
    let both = layout("u8:strides(1,-1):2x3:offset=2");
    assert_eq!(run(&both, &[1, 2, 3, 4], &dst), [3, 2, 1, 4, 3, 2]);
}

/// A source with margins, tails and a gap, its elements set, everything else to `rest`.
fn dirty(src: &Layout, rest: u64) -> Vec<u8> {
    let dtype = src.dtype();
    let mut bytes = pack(dtype, &vec![rest; src.size_elements()]);
    let elements = coordinates(src);
    for (i, at) in (elements.iter().filter(|at| inside(src, at))).enumerate() {
        let value = f32_bits(&[i as f32 - 7.0])[0];
        put(dtype, &mut bytes, src.offset_of(at).unwrap(), value);
    }
    bytes
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn margins_and_tails_of_the_source_never_arrive() {
    let sources = [
        layout("f32:ABc4a8b:3x5x2:lower=1,2,0:upper=0,1,1:fill=6"),
        layout("f32:aBc8b:5x6x3").region(&[1, 1, 0], &[3, 5, 2]).unwrap(),
        layout("f32:strides(31,3,1):3x5x2"),
        layout("f32:abc:3x5x2:fill=nan:upper=0,0,1").flip(0b110).unwrap(),
    ];
    let destinations = [
        layout("f32:aBc8b:3x5x2"),
        layout("f16:ABc4a8b:3x5x2:lower=1,0,1:upper=0,2,0:fill=3"),
        layout("s8:cba:3x5x2:upper=0,0,2"),
    ];
    let quantize = Attr::new().src_scale(0b10).dst_zero_point(0);
    let values = Values {
        src_scale: &[1.0, 0.5, 2.0, 0.25, 4.0],
        dst_zero_point: &[1],
        ..Values::default()
    };
    for dst in &destinations {
        let plain = Layout::row_major(F32, dst.dims()).unwrap();
        for (attr, values) in [(&Attr::new(), &Values::default()), (&quantize, &values)] {
            let expected = run_with(&plain, &dirty(&plain, 0), dst, attr, values);
            for src in &sources {
                for rest in [0x7f80_0001, 0xffff_ffff, 0x7f80_0000, 0x3f80_0000] {
                    let found = run_with(src, &dirty(src, rest), dst, attr, values);
                    assert_eq!(found, expected, "{src} with {rest:#x} around to {dst}");
                }
            }
        }
    }
    // Nor in the sums of compensation.
    let dst = layout("s8:aBc4b:3x5x2:lower=0,0,1");
    let attr = Attr::new().s8s8_compensation(0b10).asymmetric_compensation(1);
    let plain = layout("f32:abc:3x5x2");
    let expected = run_with(&plain, &dirty(&plain, 0), &dst, &attr, &Values::default());
    for src in &sources {
        let bytes = dirty(src, 0x7f80_0000);
        let found = run_with(src, &bytes, &dst, &attr, &Values::default());
        assert_eq!(found, expected, "{src}");
    }
}

#[test]
fn the_destination_has_its_own_fill() {
    let src = layout("u8:a:2:upper=1:fill=5");
    let dst = layout("u8:a:2:lower=1:upper=1:fill=6");
    assert_eq!(run(&src, &[1, 2, 5], &dst), [6, 1, 2, 6]);
    let dst = layout("u8:a:2:lower=1:upper=1");
    assert_eq!(run(&src, &[1, 2, 5], &dst), [0, 1, 2, 0]);
}

#[test]
fn two_parts_of_one_memory() {
    // Columns 0 to 2 to columns 4 to 6, rows the other way round and quantized.
    let whole = layout("s8:ab:4x8");
    let src = whole.region(&[0, 0], &[4, 3]).unwrap();
    let dst = whole.region(&[0, 4], &[4, 3]).unwrap().flip(1).unwrap();
    let attr = Attr::new().src_scale(0);
    let values = Values { src_scale: &[2.0], ..Values::default() };
    let mut memory: Vec<u8> = (0..32).collect();
    let mut expected = memory.clone();
    for row in 0..4 {
        for column in 0..3 {
            expected[(3 - row) * 8 + column + 4] = 2 * (row * 8 + column) as u8;
        }
    }
    let cells = Cell::from_mut(&mut memory[..]).as_slice_of_cells();
    reference::reorder_shared(&src, cells, &dst, cells, &attr, &values).unwrap();
    assert_eq!(memory, expected);
}

#[test]
fn shared_and_separate_buffers_agree() {
    let (src, dst) = (layout("f32:aBc4b:3x5x2"), layout("f16:cba:3x5x2:lower=0,1,0:fill=1"));
    let bytes = Rng::new(3).bytes(src.size_bytes());
    let separate = run(&src, &bytes, &dst);
    let mut read = bytes.clone();
    let mut out = canary(dst.size_bytes() + BEHIND);
    reference::reorder_shared(
        &src,
        Cell::from_mut(&mut read[..]).as_slice_of_cells(),
        &dst,
        Cell::from_mut(&mut out[..]).as_slice_of_cells(),
        &Attr::new(),
        &Values::default(),
    )
    .unwrap();
    assert_eq!(read, bytes, "the source was written");
    assert_eq!(out[..separate.len()], separate);
    assert_eq!(out[separate.len()..], canary(out.len())[separate.len()..]);
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn one_and_twelve_dims() {
    assert_eq!(run(&layout("u8:a:3"), &[1, 2, 3], &layout("u8:A4a:3")), [1, 2, 3, 0]);
    let src = layout("s8:abcdefghijkl:2x1x2x1x1x3x1x1x1x2x1x2");
    let dst = src.destination("f32:lkjihgfedcba").unwrap();
    let bytes: Vec<u8> = (0..48).collect();
    let out = run(&src, &bytes, &dst);
    for (i, at) in coordinates(&src).iter().enumerate() {
        // The first dim is innermost.
        let offset = at.iter().zip(src.dims()).rev().fold(0, |o, (&i, &n)| o * n + i as usize);
        let found = f32::from_ne_bytes(out[4 * offset..][..4].try_into().unwrap());
        assert_eq!(found, i as f32, "{at:?}");
    }
    let back = run(&dst, &out, &src);
    assert_eq!(back, bytes);
    // Blocks, margins and scales on the last dim too.
    let dst = src.destination("abcdefghijkL4l:lower=0,0,0,0,0,0,0,0,0,0,0,1:fill=5").unwrap();
    let out = run(&src, &bytes, &dst);
    for (row, pair) in out.chunks(4).zip(bytes.chunks(2)) {
        assert_eq!(row, [5, pair[0], pair[1], 0]);
    }
}

#[test]
fn elements_move_between_types_of_any_width() {
    // Widths that differ, in both directions, at odd strides.
    let src = layout("f16:strides(7,-2):3x2:offset=3");
    let dst = layout("s8:strides(-1,5):3x2:offset=2");
    let mut bytes = pack(F16, &[0x7c01; 20]);
    for (offset, half) in
        [(3, 0x3c00), (1, 0x4000), (10, 0x4200), (8, 0x4400), (17, 0xc500), (15, 0xd800)]
    {
        put(F16, &mut bytes, offset, half);
    }
    let mut expected = canary(8);
    for (offset, value) in [(2, 1), (7, 2), (1, 3), (6, 4), (0, 0xfb), (5, 0x80)] {
        put(S8, &mut expected, offset, value);
    }
    assert_eq!(run(&src, &bytes, &dst), expected);
}
