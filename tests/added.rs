//! Bytes added to bytes: every pair of what is read and what lay there before, of all types of one byte that have
//! arithmetic, on every tier, against whole numbers where the factor is 1, and against the reference.
#![cfg(not(any(miri, retile_portable)))] // kernels by the dozen

mod common;

use common::tiers;
use retile::{Attr, DType, Kernel, Layout, Options, Values, reference};

/// All there are of a byte.
const ALL: usize = 256;

/// What a byte counts.
fn number(dtype: DType, byte: u8) -> i32 {
    match dtype {
        DType::S8 => i32::from(byte as i8),
        _ => i32::from(byte),
    }
}

/// The sum as the destination holds it.
fn saturated(dtype: DType, sum: i32) -> u8 {
    match dtype {
        DType::S8 => sum.clamp(-128, 127) as u8,
        _ => sum.clamp(0, 255) as u8,
    }
}

#[test]
fn every_pair_of_bytes() {
    let mut runs = 0;
    let source: Vec<u8> = (0..ALL * ALL).map(|i| (i / ALL) as u8).collect();
    let before: Vec<u8> = (0..ALL * ALL).map(|i| (i % ALL + i / ALL * 7) as u8).collect();
    let pairs = [DType::S8, DType::U8].map(|from| [DType::S8, DType::U8].map(|to| (from, to)));
    for (from, to) in pairs.into_iter().flatten() {
        let src: Layout = format!("{from}:ab:{ALL}x{ALL}").parse().unwrap();
        for (format, beta) in [("ab", 1.0), ("ba", 1.0), ("ab", -1.0), ("ba", 0.37), ("ab", 3e38)] {
            let dst = src.destination(&format!("{to}:{format}")).unwrap();
            let attr = Attr::new().sum(beta);
            let mut expected = before.clone();
            let values = Values::default();
            reference::reorder(&src, &source, &dst, &mut expected, &attr, &values).unwrap();
            if beta == 1.0 {
                for (i, &sum) in expected.iter().enumerate() {
                    let at = if format == "ab" { i } else { i % ALL * ALL + i / ALL };
                    let whole = number(from, source[at]) + number(to, before[i]);
                    assert_eq!(sum, saturated(to, whole), "{src} {dst}, byte {i}");
                }
            }
            for tier in tiers("bytes added to bytes") {
                let options = Options::new().max_tier(tier);
                let kernel = Kernel::with_options(&src, &dst, &attr, &options).unwrap();
                let mut found = before.clone();
                kernel.run_bytes(&source, &mut found, &values).unwrap();
                assert!(found == expected, "{src} {dst} {tier} {beta}");
                runs += 1;
            }
        }
    }
    assert!(runs >= 4 * 5, "{runs} runs");
}
