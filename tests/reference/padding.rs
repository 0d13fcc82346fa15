//! What is written besides elements, and what is not: margins get the fill, tails zero, gaps and
//! the margins of a parent keep what they held. Offsets are computed here, by the published formulas.

use crate::support::formula::Ask;
use crate::support::{canary, f32_bits, get, layout, pack, run, run_into};
use retile::DType::{self, *};
use retile::{Attr, Layout, Values};

/// What a byte of a destination should be.
enum Byte {
    /// The element at these coordinates.
    At([usize; 4]),
    /// Fill or zero.
    Is(u8),
    /// Nothing is written.
    Kept,
}
use Byte::{At, Is, Kept};

/// Coordinates as bytes, so that each element of a small tensor differs.
fn code(at: [usize; 4]) -> u8 {
    (at[0] * 64 + at[1] * 17 + at[2] * 5 + at[3]) as u8
}

/// Reorders bytes that tell their coordinates, and holds every byte against `expected`.
#[track_caller]
fn check(dst: &Layout, expected: impl Fn(usize) -> Byte) {
    let dims = dst.dims();
    assert_eq!(dims.len(), 4);
    let src = Layout::row_major(U8, dims).unwrap();
    let mut bytes = Vec::new();
    for a in 0..dims[0] {
        for b in 0..dims[1] {
            for c in 0..dims[2] {
                bytes.extend((0..dims[3]).map(|d| code([a, b, c, d])));
            }
        }
    }
    let found = run(&src, &bytes, dst);
    for (offset, (&found, kept)) in found.iter().zip(canary(found.len())).enumerate() {
        let expected = match expected(offset) {
            At(at) => code(at),
            Is(byte) => byte,
            Kept => kept,
        };
        assert_eq!(found, expected, "{dst} at offset {offset}");
    }
}

#[test]
fn block_tails_are_zero() {
    let src = layout("u8:ab:2x3");
    let blocked = layout("u8:aB4b:2x3");
    assert_eq!(run(&src, &[1, 2, 3, 4, 5, 6], &blocked), [1, 2, 3, 0, 4, 5, 6, 0]);
    // Two blocked dims, neither full: blocks of 2 x 4.
    check(&layout("u8:ABcd2a4b:3x5x1x1"), |offset| {
        let a = offset / 16 * 2 + offset % 8 / 4;
        let b = offset % 16 / 8 * 4 + offset % 4;
        if a < 3 && b < 5 { At([a, b, 0, 0]) } else { Is(0) }
    });
    // Alignment without a digit: rows of 8 times 4.
    check(&layout("u8:byx8_f4:2x3x2x5"), |offset| {
        let (b, f, y, x) = (offset / 64, offset % 4, offset / 32 % 2, offset / 4 % 8);
        if f < 3 && x < 5 { At([b, f, y, x]) } else { Is(0) }
    });
}

#[test]
fn margins_on_both_sides_come_before_the_rounding() {
    let src = layout("u8:ab:1x3");
    let dst = layout("u8:aB4b:1x3:lower=0,2:upper=0,1:fill=7");
    assert_eq!(run(&src, &[1, 2, 3], &dst), [7, 7, 1, 2, 3, 7, 0, 0]);

    let dst = layout("u8:aBcd4b:1x5x2x2:lower=0,1,1,0:upper=0,0,1,2:fill=9");
    check(&dst, |offset| {
        let b = offset / 64 * 4 + offset % 4;
        let (y, x) = (offset / 16 % 4, offset / 4 % 4);
        match b {
            6.. => Is(0),
            1.. if (1..3).contains(&y) && x < 2 => At([0, b - 1, y - 1, x]),
            _ => Is(9),
        }
    });
}

#[test]
fn fills_are_converted() {
    #[rustfmt::skip]
    let cases: &[(DType, &str, u64)] = &[
        (F32, "0.1", 0x3dcc_cccd), (F64, "0.1", 0x3fb9_9999_a000_0000), (F16, "0.1", 0x2e66), (Bf16, "0.1", 0x3dcd),
        (F32, "-0", 0x8000_0000), (F16, "-0", 0x8000), (F64, "1e-45", 0x36a0_0000_0000_0000), (Bf16, "1e-45", 0),
        (F16, "65519", 0x7bff), (F16, "65520", 0x7c00), (F16, "-1e9", 0xfc00), (F16, "5.9604645e-8", 1), (F16, "1e-8", 0),
        (F16, "1.00048828125", 0x3c00), (F16, "1.00146484375", 0x3c02), (Bf16, "1.00390625", 0x3f80), (Bf16, "1.01171875", 0x3f82),
        (Bf16, "3.4e38", 0x7f80), (F16, "inf", 0x7c00), (F32, "-inf", 0xff80_0000),
        (F32, "nan", 0x7fc0_0000), (F16, "nan", 0x7e00), (Bf16, "nan", 0x7fc0), (F64, "nan", 0x7ff8 << 48),
        (S8, "2.7", 2), (S8, "-2.7", 0xfe), (S8, "-0.5", 0), (S8, "300", 0x7f), (S8, "-300", 0x80), (S8, "127.9", 0x7f), (S8, "-128.9", 0x80),
        (U8, "2.7", 2), (U8, "-2.7", 0), (U8, "-0.5", 0), (U8, "300", 0xff), (U8, "254.99", 0xfe), (U8, "nan", 0), (U8, "inf", 0xff), (S8, "-inf", 0x80),
        (S32, "1.99", 1), (S32, "-1.99", 0xffff_ffff), (S32, "3e9", 0x7fff_ffff), (S32, "-3e9", 0x8000_0000), (S32, "nan", 0), (S32, "16777217", 0x0100_0000),
        (S64, "1e10", 10_000_000_000), (S64, "-1.5", u64::MAX), (S64, "1e30", i64::MAX as u64), (S64, "-inf", 1 << 63), (S64, "nan", 0),
        (S16, "1e5", 0x7fff), (S16, "-1e5", 0x8000), (S16, "-7.9", 0xfff9), (U16, "1e5", 0xffff), (U16, "-1", 0), (U16, "40000.5", 40_000),
        (Bool, "0", 0), (Bool, "1", 1), (Bool, "2", 1),
    ];
    for &(dtype, fill, expected) in cases.iter().step_by(if cfg!(miri) { 9 } else { 1 }) {
        let src = Layout::row_major(dtype, &[1]).unwrap();
        let dst = layout(&format!("{dtype}:A4a:1:lower=1:upper=1:fill={fill}"));
        let out = run(&src, &[0x55; 8], &dst);
        for (offset, expected) in [(0, expected), (2, expected), (3, 0)] {
            let found = get(dtype, &out, offset);
            assert_eq!(found, expected, "{dtype}, fill {fill}, offset {offset}: {found:#x}");
        }
    }
}

#[test]
fn arithmetic_leaves_margins_and_tails_alone() {
    let ask = Ask {
        src_scale: Some(3.0),
        src_zp: Some(2),
        sum: Some(1.0),
        dst_scale: Some(f32::NAN),
        dst_zp: Some(100),
    };
    let src = layout("f32:a:2");
    let dst = layout("f32:A8a:2:lower=2:upper=3:fill=2.5");
    let mut out = pack(F32, &[0x7f80_0001; 8]);
    let bytes = pack(F32, &f32_bits(&[1.0, 2.0]));
    run_into(&src, &bytes, &dst, &mut out, &ask.attr(0), &ask.values());
    let found: Vec<u64> = (0..8).map(|i| get(F32, &out, i)).collect();
    let (fill, nan) = (0x4020_0000, 0x7fc0_0000);
    assert_eq!(found, [fill, fill, nan, nan, fill, fill, fill, 0]);
    // One element for each dim's own zero point: none is taken for the margins.
    let attr = Attr::new().dst_zero_point(1);
    let values = Values { dst_zero_point: &[10, 20], ..Values::default() };
    run_into(&src, &bytes, &dst, &mut out, &attr, &values);
    let found: Vec<u64> = (0..8).map(|i| get(F32, &out, i)).collect();
    let (a, b) = (0x4130_0000, 0x41b0_0000); // 11, 22
    assert_eq!(found, [fill, fill, a, b, fill, fill, fill, 0]);
}

#[test]
fn a_region_inside_blocks_touches_nothing_else() {
    let parent = layout("u8:aBcd8b:2x20x1x2");
    // Channels 3 to 9 of the second image.
    let part = parent.region(&[1, 3, 0, 0], &[1, 7, 1, 2]).unwrap();
    check(&part, |offset| {
        let b = offset % 48 / 16 * 8 + offset % 8;
        if offset >= 48 && (3..10).contains(&b) { At([0, b - 3, 0, offset / 8 % 2]) } else { Kept }
    });
    // Channels 15 to 19 reach the end of the dim: the tail is theirs, but only beside them.
    let part = parent.region(&[0, 15, 0, 1], &[1, 5, 1, 1]).unwrap();
    assert_eq!(part.size_bytes(), 48);
    check(&part, |offset| {
        let b = offset / 16 * 8 + offset % 8;
        match b {
            _ if offset / 8 % 2 == 0 => Kept,
            20.. => Is(0),
            15.. => At([0, b - 15, 0, 0]),
            _ => Kept,
        }
    });
}

#[test]
fn a_region_leaves_the_margins_of_its_parent() {
    let parent = layout("u8:abcd:1x1x3x4:lower=0,0,1,1:upper=0,0,1,2:fill=9");
    let whole = parent.region(&[0, 0, 0, 0], &[1, 1, 3, 4]).unwrap();
    check(&whole, |offset| match (offset / 7, offset % 7) {
        (y @ 1..4, x @ 1..5) => At([0, 0, y - 1, x - 1]),
        _ => Kept,
    });
    // With a tail behind the parent's margin, which is not the region's either.
    let parent = layout("u8:abcD8d:1x1x1x4:lower=0,0,0,1:upper=0,0,0,1:fill=9");
    let part = parent.region(&[0, 0, 0, 2], &[1, 1, 1, 2]).unwrap();
    check(&part, |offset| match offset {
        3 | 4 => At([0, 0, 0, offset - 3]),
        _ => Kept,
    });
}

#[test]
fn a_window_has_margins_of_its_own_and_of_its_parent() {
    // Ours are 1 row above and 1 column right of 2 x 3, at row 1 and column 2 of 5 x 8.
    let text = "u8:abcd:1x1x2x3:lower=0,0,1,0:upper=0,0,0,1:fill=9:in=1x1x5x8:at=0,0,1,2";
    check(&layout(text), |offset| match (offset / 8, offset % 8) {
        (1, 2..6) | (2..4, 5) => Is(9),
        (y @ 2..4, x @ 2..5) => At([0, 0, y - 2, x - 2]),
        _ => Kept,
    });
}

#[test]
fn strides_with_gaps_and_an_offset() {
    check(&layout("u8:strides(40,1,10,2):1x2x3x4:offset=3"), |offset| {
        let Some(at) = offset.checked_sub(3) else {
            return Kept;
        };
        let (b, c, d) = (at % 2, at / 10, at % 10 / 2);
        if d < 4 { At([0, b, c, d]) } else { Kept }
    });
    // Rows from the last to the first, and every second place of them.
    check(&layout("u8:strides(99,77,-10,2):1x1x3x4:offset=25"), |offset| {
        let Some(at) = offset.checked_sub(5) else {
            return Kept;
        };
        let (c, d) = (2 - at / 10, at % 10 / 2);
        if at % 2 == 0 && d < 4 { At([0, 0, c, d]) } else { Kept }
    });
}

#[test]
fn image_pitch_and_fixed_channels() {
    // (y * 32) + 4 x + f: the missing fourth channel is tail, what the pitch adds is nobody's.
    let image = layout("u8:image_2d_rgba:1x3x2x5:pitch=32");
    assert_eq!(image.size_bytes(), 64);
    check(&image, |offset| {
        let (y, x, f) = (offset / 32, offset % 32 / 4, offset % 4);
        match (x, f) {
            (0..5, 0..3) => At([0, f, y, x]),
            (0..5, _) => Is(0),
            _ => Kept,
        }
    });
    // Rows of i y x, of 18 elements that pixels of 4 round to 20 and the pitch to 32.
    let image = layout("u8:image_2d_weights_c4_fyx_b:3x2x3x3:pitch=16");
    assert_eq!(image.size_bytes(), 96);
    check(&image, |offset| match offset % 32 {
        at @ 0..18 => At([offset / 32, at / 9, at / 3 % 3, at % 3]),
        18..20 => Is(0),
        _ => Kept,
    });
    // A region of full rows' last pixels.
    let image = layout("u8:image_2d_weights_c1_b_fyx:5x1x1x3:pitch=8");
    let part = image.region(&[3, 0, 0, 0], &[2, 1, 1, 2]).unwrap();
    check(&part, |offset| match (offset / 8, offset % 8) {
        (x @ 0..2, o @ 3..5) => At([o - 3, 0, 0, x]),
        _ => Kept,
    });
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn merged_axes() {
    let offset_of = |offset: usize| (offset / 128 * 8 + offset % 128 / 16, offset % 16);
    check(&layout("u8:bf8_xy16:1x9x3x3"), |offset| {
        let (f, m) = offset_of(offset);
        if f < 9 && m < 9 { At([0, f, m / 3, m % 3]) } else { Is(0) }
    });
    // Margins act before the merge: rows of 1 + 3 + 1, 2 of them and 1 below.
    let dst = layout("u8:bf8_xy16:1x5x2x3:lower=0,1,0,1:upper=0,0,1,1:fill=3");
    check(&dst, |offset| {
        let (f, m) = offset_of(offset);
        let (y, x) = (m / 5, m % 5);
        match f {
            6.. => Is(0),
            _ if y == 3 => Is(0),
            1.. if y < 2 && (1..4).contains(&x) => At([0, f - 1, y, x - 1]),
            _ => Is(3),
        }
    });
    // The tail is a region's that has the end of both dims.
    let parent = layout("u8:bf8_xy16:1x8x3x3");
    let part = parent.region(&[0, 2, 1, 1], &[1, 3, 2, 2]).unwrap();
    check(&part, |offset| {
        let (f, m) = offset_of(offset);
        let (y, x) = (m / 3, m % 3);
        match f {
            2..5 if m >= 9 => Is(0),
            2..5 if y >= 1 && x >= 1 => At([0, f - 2, y - 1, x - 1]),
            _ => Kept,
        }
    });
    for (at, dims) in [([0, 2, 0, 1], [1, 3, 2, 2]), ([0, 2, 1, 0], [1, 3, 2, 2])] {
        check(&parent.region(&at, &dims).unwrap(), |offset| {
            let (f, m) = offset_of(offset);
            let (y, x) = ((m / 3).wrapping_sub(at[2]), (m % 3).wrapping_sub(at[3]));
            if (2..5).contains(&f) && y < 2 && x < 2 { At([0, f - 2, y, x]) } else { Kept }
        });
    }
}

#[test]
fn flips() {
    let dst = layout("u8:os_iyx_osv16_rotate_180:5x2x3x3");
    check(&dst, |offset| {
        let (o, i, y, x) = (offset % 16, offset / 144, offset / 48 % 3, offset / 16 % 3);
        if o < 5 { At([o, i, 2 - y, 2 - x]) } else { Is(0) }
    });
    // Margins change sides with the elements: 1 before and 2 behind, seen from behind.
    let dst = layout("u8:abcD8d:2x1x1x4:lower=0,0,0,1:upper=0,0,0,2:fill=9");
    check(&dst.flip(0b1000).unwrap(), |offset| match offset % 8 {
        at @ 1..5 => At([offset / 8, 0, 0, 4 - at]),
        7 => Is(0),
        _ => Is(9),
    });
    // A region of the flip is a region from the other end, and no longer reaches the tail.
    let dst = layout("u8:aBcd4b:1x6x1x1").flip(0b10).unwrap();
    let part = dst.region(&[0, 2, 0, 0], &[1, 4, 1, 1]).unwrap();
    check(&part, |offset| match offset {
        0..4 => At([0, 3 - offset, 0, 0]),
        _ => Kept,
    });
    let part = dst.region(&[0, 0, 0, 0], &[1, 2, 1, 1]).unwrap();
    check(&part, |offset| match offset {
        4..6 => At([0, 5 - offset, 0, 0]),
        6.. => Is(0),
        _ => Kept,
    });
}
