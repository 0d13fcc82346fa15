//! Kernels against the reference: named formats in pairs, and the public cases.
#![cfg(not(miri))] // kernels and plans by the hundred; tests/exact.rs has small ones

mod common;
mod harness;
mod model;

use common::*;
use harness::case::Case;
use harness::{Depth, judge, lines, search};
use std::collections::HashSet;

/// Formats by rank; all pairs of one rank are tried, `RETILE_CASES` times each (at most 40).
#[rustfmt::skip]
const FORMATS: [&[&str]; 6] = [
    &["a", "A4a", "A16a", "digits(a; a/3 a%3)", "digits(a; a%4 a/4)"],
    &["ab", "ba", "AB16b16a", "BA8b4a", "BA16b64a4b", "AB48a16b", "Ab16a", "aB8b", "aB12b", "BA48b32a",
      "bs_xs_xsv8_bsv16"],
    &["abc", "bca", "cab", "acb", "aBc8b", "aBc16b", "ABc16a16b", "ABc4b16a4b", "BAc16b16a"],
    &["nchw", "nhwc", "chwn", "cdba", "nChw4c", "nChw16c", "nChw32c", "aBcd12b", "aBcd24b", "ABcd2a8b8a2b",
      "AcdB16b16a", "BAcd16a16b", "OIhw4i16o4i", "bs_fs_yx_bsv16_fsv16", "b_fs_yx_fsv4", "bf8_xy16",
      "fs_b_yx_fsv32", "byxf_af32", "openvino/yxfb", "megengine/CHWN4", "megengine/NHWCD4",
      "os_is_yx_isa8_osv8_isv4_swizzled_by_4"],
    &["abcde", "acdeb", "edcba", "aBcde16b", "aBcde8b", "ABcde16b16a", "aBCde16c16b", "b_fs_zyx_fsv16",
      "bs_fs_zyx_bsv16_fsv16"],
    &["abcdef", "fedcba", "aBCdef16b16c", "bfwzyx"],
];

const TYPES: [&str; 4] = ["f32", "u8", "u16", "f64"];

/// The most elements that one side may have, tails included.
const MOST: usize = 12_000;

#[test]
fn all_pairs_of_formats() {
    assert_eq!(FORMATS.iter().map(|formats| formats.len()).sum::<usize>(), 60);
    let mut failures = Failures::default();
    let mut run = 0;
    for (formats, rank) in FORMATS.iter().zip(1..) {
        for (src, dst) in formats.iter().flat_map(|src| formats.iter().map(move |dst| (src, dst))) {
            for _ in 0..search::cases(2).min(40) {
                let dtype = TYPES[run % TYPES.len()];
                let mut draw = Xorshift::new(run as u64 + search::seed());
                let dims = dims(&mut draw, src, dst, rank);
                let line = format!("{dtype}:{src}:{} {dst}", join(&dims, "x"));
                let depth = if run % 5 == 0 { Depth::Full } else { Depth::Quick };
                run += 1;
                judge(&line, depth, &mut failures);
            }
        }
    }
    failures.none(run);
}

/// Extents near the edges of the blocks of either format.
fn dims(draw: &mut impl Draw, src: &str, dst: &str, rank: usize) -> Vec<usize> {
    let block = |format: &str| {
        let one = layout(&format!("u8:{format}:{}", join(vec![1; rank], "x")));
        one.padded_dims()
    };
    let (from, to) = (block(src), block(dst));
    for _ in 0..20 {
        let mut extent = |d: usize| {
            let block = if draw.below(2) == 0 { from[d] } else { to[d] };
            match draw.below(6) {
                0 => 1,
                _ => edge(draw, block),
            }
        };
        let dims: Vec<usize> = (0..rank).map(&mut extent).collect();
        let size =
            |format: &str| layout(&format!("u8:{format}:{}", join(&dims, "x"))).size_elements();
        if size(src).max(size(dst)) <= MOST {
            return dims;
        }
    }
    vec![1; rank]
}

#[test]
fn public_cases() {
    let mut failures = Failures::default();
    let mut count = 0;
    for line in lines(include_str!("data/cases/check.txt")).step_by(search::every()) {
        judge(&fitting(line, MOST * 4), Depth::Quick, &mut failures);
        count += 1;
    }
    failures.none(count);
}

#[test]
fn benchmarked_cases_in_small() {
    let mut failures = Failures::default();
    let texts =
        [include_str!("data/cases/perf-moves.txt"), include_str!("data/cases/perf-convert.txt")];
    let mut seen = HashSet::new();
    let texts = texts.into_iter().flat_map(lines).step_by(search::every());
    for line in texts.map(|line| fitting(line, MOST)) {
        if seen.insert(line.clone()) {
            judge(&line, Depth::Full, &mut failures);
        }
    }
    failures.none(seen.len());
}

/// The same line with smaller extents that leave the same remainders, where it has more elements than
/// `most`: what is long becomes 64, 16 or 8 and the remainder by that.
fn fitting(line: &str, most: usize) -> String {
    let mut line = line.to_string();
    for unit in [64, 32, 16, 8] {
        let case = Case::parse(&line).unwrap_or_else(|error| panic!("{error}"));
        let dims = case.src.dims();
        if dims.iter().product::<usize>() <= most {
            break;
        }
        let mut fewer: Vec<usize> = dims.to_vec();
        // The spatial dims first: channels and weights carry the blocks.
        let spatial = if dims.len() > 2 { 2.min(dims.len() - 1) } else { 0 };
        for (d, n) in fewer.iter_mut().enumerate() {
            let unit = if d >= spatial && dims.len() > 2 { unit.min(8) } else { unit };
            if *n > 2 * unit {
                *n = unit + *n % unit;
            }
        }
        line = line.replacen(&join(dims, "x"), &join(&fewer, "x"), 1);
    }
    line
}
