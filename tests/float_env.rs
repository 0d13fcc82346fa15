//! The caller's floating-point environment changes no bit: rounding modes, flushed denormals.
#![cfg(all(target_arch = "x86_64", not(retile_portable)))]
#![allow(unsafe_code)] // The harness sets MXCSR.

use std::arch::asm;

use retile::{Attr, Layout, Reorder, Values, reference};

const DEFAULT: u32 = 0x1f80;
/// Round down, up, to zero; flush results; treat denormals as zero; and some together.
const CHANGED: [u32; 6] = [0x3f80, 0x5f80, 0x7f80, 0x9f80, 0x1fc0, 0xffc0];
const STICKY: u32 = 0x3f;

fn set(value: u32) {
    // SAFETY: a value of the register without reserved bits; the tests put the default back before
    // they compute with floats themselves.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value) };
}

fn get() -> u32 {
    let mut value = 0u32;
    // SAFETY: stores the register to four bytes of ours.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value) };
    value
}

/// Runs `work` in an environment, and checks that it is still there afterwards.
fn within(mxcsr: u32, work: impl FnOnce()) {
    set(mxcsr);
    work();
    let left = get();
    set(DEFAULT);
    assert_eq!(left & !STICKY, mxcsr, "the caller's environment is changed");
}

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
