//! The portable tier is no second reference: without arithmetic it is many times faster. The bound is far
//! below what it does, in any profile and on any machine.
#![cfg(not(miri))] // the clock

use std::time::{Duration, Instant};

use retile::{Attr, Layout, Reorder, Tier, Values, reference};

fn best(mut work: impl FnMut()) -> Duration {
    let time = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    std::iter::repeat_with(time).take(3).min().unwrap_or_default()
}

#[test]
fn moves_and_conversions_take_an_eighth_of_the_references_time_at_most() {
    for (src, dst) in [
        ("f32:nchw:1x64x56x56", "nChw16c"),
        ("f32:nchw:1x64x56x56", "nhwc"),
        ("u8:nchw:1x64x56x56", "nChw16c"),
        ("u8:nchw:1x64x56x56", "nhwc"),
        ("f32:nchw:1x64x56x56", "s8:nhwc"),
        ("u8:nhwc:1x64x56x56", "f32:nchw"),
        ("bf16:nchw:1x64x56x56", "f32:nChw16c"),
    ] {
        let src: Layout = src.parse().unwrap();
        let dst = src.destination(dst).unwrap();
        let source = vec![0x40404040u32; src.size_bytes() / 4];
        let mut out = vec![0u32; dst.size_bytes() / 4];
        let (source, out) = (bytemuck::cast_slice(&source), bytemuck::cast_slice_mut(&mut out));
        let (attr, values) = (Attr::new(), Values::default());
        let reorder = Reorder::builder(&src, &dst).max_tier(Tier::Portable).build().unwrap();
        assert_eq!(reorder.tier(), Tier::Portable);
        let slow = best(|| reference::reorder(&src, source, &dst, out, &attr, &values).unwrap());
        let fast = best(|| reorder.run_bytes(source, out, &values).unwrap());
        assert!(fast * 8 <= slow, "{src} {dst}: {fast:?}, the reference {slow:?}");
    }
}
