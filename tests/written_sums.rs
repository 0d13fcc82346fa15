//! Compensation of weights a tile of which has all elements of each sum, as those of depthwise convolutions: sums are
//! written over what was there, by whole runs and by tasks, and where a tile is done again for what its elements are.
#![cfg(not(any(miri, retile_portable)))] // kernels by the dozen

mod common;
mod harness;
mod model;

use common::Failures;
use harness::case::Case;
use harness::{Depth, judge};
use retile::Problem;
use retile::plan::plan;

/// Whether a plan for Sapphire Rapids says that it writes them.
fn writes(line: &str) -> bool {
    let case = Case::parse(line).unwrap();
    let (problem, _) = Problem::new(&case.src, &case.dst, &case.attr()).unwrap();
    plan(&problem, &"spr".parse().unwrap()).to_string().contains("\nsums written as they come out")
}

#[test]
fn sums_of_depthwise_weights() {
    let mut failures = Failures::default();
    let (mut cases, mut written) = (0, 0);
    let blocks = ["Goihw16g", "Goihw8g", "Goihw4g", "Goihw32g", "goihw"];
    let attributes = ["", "--dst-scale=mask:1", "--src-scale=mask:3", "--dst-scale=common"];
    // Of one tile, of several, and with a part of a block.
    let groups = [32, 16, 64, 40, 144];
    let taps = ["3x3", "5x5", "1x1", "2x7", "7x7"];
    for from in ["f32", "s8", "bf16", "f16"] {
        for (turn, block) in blocks.into_iter().enumerate() {
            for sums in ["s8s8:3", "zp:1", "s8s8:1+zp:3", "s8s8:3+zp:0"] {
                let (groups, taps) = (groups[(turn + cases) % 5], taps[(cases / 5 + turn) % 5]);
                let attr = attributes[(cases + cases / 4) % 4];
                let line =
                    format!("{from}:goihw:{groups}x1x1x{taps} s8:{block} {attr} --comp={sums}");
                judge(&line, Depth::Full, &mut failures);
                written += usize::from(writes(&line));
                cases += 1;
            }
        }
    }
    println!("{cases} cases, {written} of which write their sums");
    failures.none(cases);
    assert!(written > cases / 4, "{written} of {cases}");
}
