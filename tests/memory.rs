//! What kernels take of a process's memory, and give back. In a process of their own, one after the other, since all of
//! it counts.
#![cfg(not(miri))] // machine code, and what the system says of a process
#![cfg(target_os = "linux")]

use std::sync::{Mutex, PoisonError};

use retile::{Attr, Layout, Reorder, cache};

static ONE: Mutex<()> = Mutex::new(());

/// KiB that this process has, and its mappings.
fn here() -> (usize, usize) {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let kib = line.trim().strip_suffix("kB").unwrap().trim().parse().unwrap();
    (kib, std::fs::read_to_string("/proc/self/maps").unwrap().lines().count())
}

/// Kernels come and go, and take what they had with them.
#[test]
fn nothing_leaks() {
    come_and_go(20_000);
}

/// The same very often.
#[test]
#[ignore = "takes a minute: `just prove`"]
fn nothing_leaks_in_a_million() {
    come_and_go(1_000_000);
}

fn come_and_go(times: usize) {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let src: Layout = "f32:ab:4x4".parse().unwrap();
    let dst = src.destination("ba").unwrap();
    let mut before = (0, 0);
    for i in 0..times {
        drop(Reorder::uncached(&src, &dst, &Attr::new()).unwrap());
        if i == times / 10 {
            before = here();
        }
    }
    let after = here();
    let (kib, maps) = (after.0.saturating_sub(before.0), after.1.saturating_sub(before.1));
    // A page of each would be 70 MiB at least.
    assert!(kib < 2048 && maps < 20, "{kib} KiB and {maps} mappings more");
}

#[test]
fn a_thousand_kernels_in_16_mib() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    cache::clear();
    let pairs: Vec<(Layout, Layout)> = (0..1000)
        .map(|i| {
            let text = format!("f32:nchw:1x{}x{}x7", 16 + i / 40, 3 + i % 40);
            let src: Layout = text.parse().unwrap();
            let dst = src.destination(["nChw16c", "nhwc"][i % 2]).unwrap();
            (src, dst)
        })
        .collect();
    let before = here().0;
    pairs.iter().for_each(|(src, dst)| drop(Reorder::new(src, dst).unwrap()));
    let kib = here().0.saturating_sub(before);
    assert_eq!(cache::stats().entries, 1000);
    assert!(kib <= 16 << 10, "{kib} KiB");
}
