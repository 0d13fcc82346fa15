//! The caller's floating-point environment changes no bit: rounding modes, flushed denormals.
#![cfg(all(target_arch = "x86_64", not(retile_portable), not(miri)))]
#![allow(unsafe_code)] // The harness sets MXCSR, and runs kernels on pointers.

mod common;
#[path = "float_env/forms.rs"]
mod forms;
mod harness;
mod model;
#[path = "float_env/mxcsr.rs"]
mod mxcsr;

use common::{Failures, Xorshift};
use harness::case::Case;
use harness::{tiers, words};
use mxcsr::{CHANGED, UNMASKED, within};
use retile::{Attr, Isa, Kernel, Layout, Options, Reorder, Tier, Values, reference};

#[test]
fn no_environment_changes_a_bit() {
    let attr = Attr::new().src_scale(0).dst_scale(0).sum(0.3);
    let scales = [0.7f32];
    let values = Values { src_scale: &scales, dst_scale: &scales, ..Values::default() };
    for (src, dst, attr, values) in [
        ("f32:ab:16x64", "s8:ba", Attr::new(), Values::default()),
        ("f32:ab:16x64", "f16:ba", Attr::new(), Values::default()),
        ("f32:ab:16x64", "bf16:aB16b", Attr::new(), Values::default()),
        ("s32:ab:16x64", "f32:ba", Attr::new(), Values::default()),
        ("f64:ab:16x64", "f32:ba", Attr::new(), Values::default()),
        ("f32:ab:16x64", "f32:ba", attr.clone(), values),
        ("f16:ab:16x64", "bf16:ba", attr.clone(), values),
    ] {
        let src: Layout = src.parse().unwrap();
        let dst = src.destination(dst).unwrap();
        let words: Vec<u64> = (0..1024u64)
            .map(|i| {
                // Small exponents among them, so that denormals are met.
                let low = (i.wrapping_mul(0x9e37_79b9) as u32) >> if i % 3 == 0 { 8 } else { 0 };
                u64::from(low) | i.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11 << 32
            })
            .collect();
        let source: &[u8] = &bytemuck::cast_slice(&words)[..src.size_bytes()];
        let reorder = Reorder::with_attr(&src, &dst, &attr).unwrap();
        let run = |by_reference: bool| {
            let mut out = vec![0u64; dst.size_bytes() / 8 + 1];
            let bytes = &mut bytemuck::cast_slice_mut(&mut out)[..dst.size_bytes()];
            match by_reference {
                true => reference::reorder(&src, source, &dst, bytes, &attr, &values).unwrap(),
                false => reorder.run_bytes(source, bytes, &values).unwrap(),
            }
            out
        };
        let expected = run(true);
        assert_eq!(run(false), expected, "{src} {dst}");
        for mxcsr in CHANGED {
            for by_reference in [true, false] {
                let mut found = Vec::new();
                within(mxcsr, || found = run(by_reference));
                assert_eq!(
                    found, expected,
                    "{src} {dst} under {mxcsr:#x}, reference: {by_reference}"
                );
            }
        }
    }
}

/// Types in turn, every value special among ordinary ones: each tier's kernels in each environment.
#[test]
fn no_environment_changes_the_formula() {
    tiers::say();
    let isa = Isa::of_this_cpu();
    let tiers = Tier::ALL.into_iter().filter(|tier| isa.runs(*tier));
    let targets: Vec<_> = tiers.map(|tier| isa.capped(tier).target()).collect();
    let mut failures = Failures::default();
    let mut many = 0;
    let lines = forms::lines();
    for line in &lines {
        let case = Case::parse(line).unwrap_or_else(|error| panic!("{error}"));
        let (src, dst, attr, drawn) = (&case.src, &case.dst, case.attr(), case.values());
        let sizes = attr.sizes(src, dst).unwrap();
        let mut draw = Xorshift::new(case.seed);
        let mut source = Aligned::of(&words::source(src, &mut draw));
        let before = words::destination(dst, sizes.dst, &mut draw);
        let mut expected = before.clone();
        let (values, bytes) = (drawn.values(), source.bytes());
        reference::reorder(src, bytes, dst, &mut expected, &attr, &values).unwrap();
        many += usize::from(attr.value_counts(src.dims()).iter().any(|count| *count > 2048));
        for target in &targets {
            let options = Options::new().target(*target);
            let kernel = Kernel::with_options(src, dst, &attr, &options).unwrap();
            failures
                .check(kernel.tier() == target.tier, || format!("{line}: no code for {target}"));
            for mxcsr in CHANGED.into_iter().chain(UNMASKED) {
                let mut found = Aligned::of(&before);
                let out = found.bytes().as_mut_ptr();
                within(mxcsr, || {
                    // SAFETY: the buffers hold what the sizes say, aligned to 8 bytes; the lists what the
                    // attributes ask for.
                    unsafe { kernel.run_raw(source.bytes().as_ptr(), out, &values) }
                });
                let found = found.bytes();
                if *found != expected {
                    let at = (0..found.len()).find(|at| found[*at] != expected[*at]).unwrap();
                    failures.add(format!(
                        "{line}\n    for {target} under {mxcsr:#x}: byte {at} is {:#04x}, expected {:#04x}",
                        found[at], expected[at]
                    ));
                    break;
                }
            }
        }
    }
    assert!(many > 30, "{many} cases of more values than are made ready at once");
    failures.none(lines.len());
}

/// Bytes aligned for every element.
struct Aligned(Vec<u64>, usize);

impl Aligned {
    fn of(bytes: &[u8]) -> Aligned {
        let mut aligned = Aligned(vec![0; bytes.len().div_ceil(8) + 1], bytes.len());
        aligned.bytes().copy_from_slice(bytes);
        aligned
    }

    fn bytes(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.0)[..self.1]
    }
}
