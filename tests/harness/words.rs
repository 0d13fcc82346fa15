//! What buffers hold: elements with every special value among them, and a pattern that gives itself
//! away wherever there is no element.

use retile::{DType, Layout};

use crate::common::Draw;

/// A source: its gaps, margins and tails signal.
pub(crate) fn source(layout: &Layout, draw: &mut impl Draw) -> Vec<u8> {
    let (dtype, size) = (layout.dtype(), layout.dtype().size());
    let pattern = signal(dtype).to_le_bytes();
    let mut bytes: Vec<u8> =
        pattern[..size].iter().copied().cycle().take(layout.size_bytes()).collect();
    for offset in layout.offsets() {
        bytes[offset * size..][..size].copy_from_slice(&word(dtype, draw).to_le_bytes()[..size]);
    }
    bytes
}

/// What a destination holds before: elements of its type everywhere.
pub(crate) fn destination(layout: &Layout, bytes: usize, draw: &mut impl Draw) -> Vec<u8> {
    let (dtype, size) = (layout.dtype(), layout.dtype().size());
    let words = (0..bytes.div_ceil(size)).map(|_| word(dtype, draw).to_le_bytes());
    words.flat_map(|word| word.into_iter().take(size)).take(bytes).collect()
}

/// A signalling NaN, or the like.
fn signal(dtype: DType) -> u64 {
    match dtype {
        DType::F64 => 0x7ff4_dead_beef_5151,
        DType::F32 => 0x7fa0_beef,
        DType::F16 => 0x7d51,
        DType::Bf16 => 0x7fa5,
        DType::S64 => 0x8000_dead_beef_5151,
        DType::S32 => 0x8bad_f00d,
        DType::S16 | DType::U16 => 0x8b5a,
        _ => 0xa7,
    }
}

/// The bits of an element: any, a special one, or an ordinary number.
fn word(dtype: DType, draw: &mut impl Draw) -> u64 {
    let small = draw.below(601) as i64 - 300;
    match draw.below(4) {
        0 => draw.next() << 32 ^ draw.next(),
        1 => special(dtype, draw),
        _ => match dtype {
            DType::F64 => (small as f64 / 8.0).to_bits(),
            DType::F32 => u64::from((small as f32 / 8.0).to_bits()),
            DType::F16 => u64::from(half::f16::from_f32(small as f32 / 8.0).to_bits()),
            DType::Bf16 => u64::from(half::bf16::from_f32(small as f32 / 8.0).to_bits()),
            _ => small as u64,
        },
    }
}

/// NaNs with payloads, negative zero, denormals, infinities, and what saturates.
fn special(dtype: DType, draw: &mut impl Draw) -> u64 {
    match dtype {
        DType::F64 => {
            let doubles = [-0.0, f64::INFINITY, -1e300, 1e-310, 3.5e38, 1e-40, 0.1, -2.5, 127.5];
            let nans = [0x7ff0_0000_0000_0001, 0xfff8_1234_5678_9abc, 0x7ff0_0000_2000_0000];
            if draw.below(3) == 0 { draw.pick(&nans) } else { draw.pick(&doubles).to_bits() }
        }
        DType::F32 => u64::from(single(draw)),
        DType::F16 => draw.pick(&[
            0x8000, 0x7c00, 0xfc00, 0x7c01, 0xfe55, 0x7fff, 0x0001, 0x83ff, 0x7bff, 0xc100, 0x57f8,
        ]),
        DType::Bf16 => u64::from(single(draw) >> 16),
        _ => draw.pick(&[
            0,
            u64::MAX,
            1 << 63,
            i64::MAX as u64,
            1 << 31,
            i32::MAX as u64,
            i32::MIN as u64,
            0x7f,
            0x80,
            0x7fff,
            0x8000,
            16_777_217,
        ]),
    }
}

fn single(draw: &mut impl Draw) -> u32 {
    let floats = [
        -0.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        1e-40,
        -1e-45,
        65519.9,
        65520.0,
        127.5,
        128.5,
        254.5,
        255.5,
        -128.5,
        -129.0,
        0.5,
        1.5,
        2_147_483_648.0,
        -2_147_483_904.0,
        4e9,
    ];
    let nans = [0x7f80_0001, 0xffc0_0000, 0x7fa5_5aa5, 0xffff_ffff, 0x7f80_8000];
    if draw.below(4) == 0 { draw.pick(&nans) } else { draw.pick(&floats).to_bits() }
}
