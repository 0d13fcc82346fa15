//! Floats that become bf16 by the instruction for it where a CPU has it, which does not know denormals: one that is
//! somewhere among ordinary numbers, many, none, and NaNs that values make of whole numbers.

use retile::target::TARGETS;
use retile::{Attr, Isa, Kernel, Layout, Options, Values, reference};

/// What each target that runs here makes of a source's bytes, given as words, is what the reference does.
#[track_caller]
fn same(src: &Layout, dst: &str, attr: &Attr, source: &[u32], values: &Values<'_>) {
    let dst = src.destination(dst).unwrap();
    let source: &[u8] = &bytemuck::cast_slice(source)[..src.size_bytes()];
    let mut wanted = vec![1u16; dst.size_elements()];
    let out = bytemuck::cast_slice_mut(&mut wanted);
    reference::reorder(src, source, &dst, out, attr, values).unwrap();
    for target in TARGETS.iter().filter(|target| Isa::of_this_cpu().runs_target(target)) {
        let kernel = match target.tier.vector() {
            0 => continue,
            _ => Kernel::with_options(src, &dst, attr, &Options::new().target(*target)).unwrap(),
        };
        let mut found = vec![2u16; wanted.len()];
        kernel.run_bytes(source, bytemuck::cast_slice_mut(&mut found), values).unwrap();
        let at = found.iter().zip(&wanted).position(|(found, wanted)| found != wanted);
        assert!(at.is_none(), "{src} {dst} {attr} for {target}, element {at:?}");
    }
}

const PAIRS: [(&str, &str); 4] = [
    ("f32:ab:6x64", "bf16:ab"),
    ("f32:ab:6x64", "bf16:ba"),
    ("f32:ab:6x64", "bf16:aB16b"),
    ("f32:ab:6x64", "bf16:BA16b64a2b"),
];

/// Bits whose rounding tells that a denormal was kept: just below, at and above half of the last bit, and those that
/// become the least number that is none.
const DENORMALS: [u32; 8] = [
    0x0000_8001,
    0x0001_8000,
    0x0002_8000,
    0x007f_ffff,
    0x8000_8001,
    0x8049_1234,
    0x807f_8000,
    0x0000_0001,
];

fn ordinary(i: usize) -> u32 {
    ((i as f32 - 150.0) * 1.001_953_1).to_bits()
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn one_denormal_among_numbers() {
    for (src, dst) in PAIRS {
        let src: Layout = src.parse().unwrap();
        let numbers: Vec<u32> = (0..src.size_elements()).map(ordinary).collect();
        same(&src, dst, &Attr::new(), &numbers, &Values::default());
        for (i, bits) in (0..numbers.len()).zip(DENORMALS.into_iter().cycle()) {
            let mut numbers = numbers.clone();
            numbers[i] = bits;
            same(&src, dst, &Attr::new(), &numbers, &Values::default());
        }
    }
}

#[test]
fn denormals_nans_and_infinities_together() {
    let others = [0x7f80_0001, 0xffc1_2345, 0x7f80_0000, 0xff80_0000, 0x8000_0000, 0x7f7f_ffff];
    for (src, dst) in PAIRS {
        let src: Layout = src.parse().unwrap();
        for every in [1, 2, 3, 17] {
            let mixed = DENORMALS.into_iter().chain(others).cycle();
            let numbers = (0..src.size_elements()).zip(mixed);
            let numbers: Vec<u32> =
                numbers.map(|(i, one)| if i % every == 0 { one } else { ordinary(i) }).collect();
            same(&src, dst, &Attr::new(), &numbers, &Values::default());
            let (attr, scale) = (Attr::new().src_scale(0), [0.75]);
            let values = Values { src_scale: &scale, ..Values::default() };
            same(&src, dst, &attr, &numbers, &values);
        }
    }
}

#[test]
fn products_that_are_denormal_or_nothing() {
    let scales = [1.0, 1e-39, -3e-41, 1e-45, f32::NAN, f32::INFINITY, 0.0, f32::MAX];
    for (from, to) in [("s8", "ab"), ("s8", "ba"), ("s32", "ab"), ("s32", "ba"), ("f16", "ab")] {
        let src: Layout = format!("{from}:ab:8x96").parse().unwrap();
        let dst = format!("bf16:{to}");
        let words: Vec<u32> =
            (0..src.size_bytes() as u32 / 4).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
        let (whole, per_row) = (Attr::new().src_scale(0), Attr::new().src_scale(1));
        for scale in scales {
            let scale = [scale];
            let values = Values { src_scale: &scale, ..Values::default() };
            same(&src, &dst, &whole, &words, &values);
        }
        let values = Values { src_scale: &scales, ..Values::default() };
        same(&src, &dst, &per_row, &words, &values);
    }
}
