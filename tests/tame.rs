//! Whole numbers with scales and zero points at which code changes from the sequence that looks for nothing to the one
//! for any values: just within what is tame, just outside, and far from it, against the reference on every tier.
#![cfg(not(any(miri, retile_portable)))] // kernels by the dozen

mod common;

use common::tiers;
use retile::{Attr, DType, Kernel, Layout, Options, Values, reference};

const ROWS: usize = 40;
const COLUMNS: usize = 48;

/// From the least that is tame to the largest, and beyond.
fn scales() -> Vec<f32> {
    let most = 2f32.powi(60);
    let whole = 2f32.powi(22);
    let ends =
        [most, 1.0 / most, most.next_up(), (1.0 / most).next_down(), whole, 2.0 * whole, 1e9];
    let others = [1.0, 0.0, -0.0, 2f32.powi(-126), 1e-40, 1e38, f32::INFINITY, f32::NAN, 0.37];
    ends.into_iter().flat_map(|scale| [scale, -scale]).chain(others).collect()
}

fn points() -> Vec<i32> {
    let near = [1 << 22, (1 << 22) + 1, 1 << 23, 1 << 24, i32::MAX, 128, 0, 77];
    near.into_iter().flat_map(|point| [point, -point]).chain([i32::MIN]).collect()
}

/// Which values there are, and of how many columns each: of all or of one.
const WAYS: [(bool, bool, bool, bool); 6] = [
    (true, false, false, false),
    (true, false, true, false),
    (false, true, true, false),
    (true, true, true, true),
    (false, false, true, false),
    (true, false, false, true),
];

/// Elements of all kinds: every byte, and whole numbers from one end to the other.
fn source(dtype: DType) -> Vec<u8> {
    let count = ROWS * COLUMNS;
    match dtype {
        DType::S32 => {
            let ends = [0, 1, -1, i32::MAX, i32::MIN, (1 << 24) + 1, 255, -128];
            let number = |i: usize| match ends.get(i) {
                Some(end) => *end,
                None => (i as i32).wrapping_mul(0x9e37_79b9_u32 as i32) >> (i % 32),
            };
            (0..count).flat_map(|i| number(i).to_ne_bytes()).collect()
        }
        _ => (0..count).map(|i| i as u8).collect(),
    }
}

fn attr((src_scale, dst_scale, src_point, dst_point): (bool, bool, bool, bool), mask: u32) -> Attr {
    let mut attr = Attr::new();
    if src_scale {
        attr = attr.src_scale(mask);
    }
    if dst_scale {
        attr = attr.dst_scale(mask);
    }
    if src_point {
        attr = attr.src_zero_point(mask);
    }
    if dst_point {
        attr = attr.dst_zero_point(mask);
    }
    attr
}

#[test]
fn code_for_tame_values_is_told_of_others() {
    let (scales, points) = (scales(), points());
    let mut runs = 0;
    for from in [DType::S8, DType::U8, DType::S32] {
        let bytes = source(from);
        let src: Layout = format!("{from}:ab:{ROWS}x{COLUMNS}").parse().unwrap();
        for to in [DType::F32, DType::F16, DType::Bf16, DType::S32, DType::S8, DType::U8] {
            for (format, mask) in [("ab", 0), ("ba", 0), ("ba", 2), ("aB16b", 2)] {
                let dst = src.destination(&format!("{to}:{format}")).unwrap();
                for way in WAYS {
                    let attr = attr(way, mask);
                    let kernels: Vec<Kernel> = (tiers("tame values").into_iter())
                        .map(|tier| Options::new().max_tier(tier))
                        .map(|options| Kernel::with_options(&src, &dst, &attr, &options).unwrap())
                        .collect();
                    for turn in 0..scales.len() {
                        // One of a kind among ordinary ones, and of the other kind another.
                        let count = if mask == 0 { 1 } else { COLUMNS };
                        let at = turn * 5 % count;
                        let own = |present: bool, turn: usize| -> Vec<f32> {
                            let mut own = vec![0.25; if present { count } else { 0 }];
                            own.iter_mut()
                                .skip(at)
                                .take(1)
                                .for_each(|one| *one = scales[turn % scales.len()]);
                            own
                        };
                        let whole = |present: bool, turn: usize| -> Vec<i32> {
                            let mut own = vec![3; if present { count } else { 0 }];
                            own.iter_mut()
                                .skip(at)
                                .take(1)
                                .for_each(|one| *one = points[turn % points.len()]);
                            own
                        };
                        let values = Values {
                            src_scale: &own(way.0, turn),
                            dst_scale: &own(way.1, turn * 3 + 1),
                            src_zero_point: &whole(way.2, turn),
                            dst_zero_point: &whole(way.3, turn + 5),
                        };
                        let mut expected = vec![0u64; dst.size_bytes() / 8 + 1];
                        let room = &mut bytemuck::cast_slice_mut(&mut expected)[..dst.size_bytes()];
                        let aligned: Vec<u64> = aligned(&bytes);
                        let given = &bytemuck::cast_slice(&aligned)[..bytes.len()];
                        reference::reorder(&src, given, &dst, room, &attr, &values).unwrap();
                        for kernel in &kernels {
                            let mut found = vec![0u64; dst.size_bytes() / 8 + 1];
                            let room =
                                &mut bytemuck::cast_slice_mut(&mut found)[..dst.size_bytes()];
                            kernel.run_bytes(given, room, &values).unwrap();
                            let tier = kernel.tier();
                            assert!(found == expected, "{src} {dst} {tier} {attr:?} {values:?}");
                            runs += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(runs > 7000, "{runs} runs");
}

/// The same bytes, where longer elements may start.
fn aligned(bytes: &[u8]) -> Vec<u64> {
    let mut words = vec![0u64; bytes.len() / 8 + 1];
    bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
    words
}
