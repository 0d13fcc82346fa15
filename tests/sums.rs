//! Compensation of weights that are a case of their own: where a tile has all elements of each sum, as of depthwise
//! convolutions, sums are written over what was there, by whole runs and by tasks, and again where a tile is done again;
//! where each element of a row belongs to another sum, rows are added up first.
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

#[test]
fn sums_along_rows() {
    let mut failures = Failures::default();
    let mut cases = 0;
    let shapes = ["ab:37x100 ab 2", "ab:64x64 ab 2", "ab:5x513 ab 2", "nhwc:2x96x5x7 nhwc 2"];
    let more = ["hwio:64x48x3x3 hwio 1", "abc:9x17x65 abc 4", "ab:40x33 ab:upper=3,2 2"];
    let attributes = ["", "--dst-scale=mask:2", "--src-scale=common"];
    for shape in shapes.into_iter().chain(more) {
        for from in ["f32", "s8", "bf16", "f16", "s32"] {
            let (attr, own) = (attributes[cases % 3], shape.split(' ').collect::<Vec<_>>());
            let mask = own[2];
            for sums in [format!("s8s8:{mask}"), format!("zp:{mask}+s8s8:0"), format!("zp:{mask}")]
            {
                let line = format!("{from}:{} s8:{} {attr} --comp={sums}", own[0], own[1]);
                judge(&line, Depth::Full, &mut failures);
                cases += 1;
            }
        }
    }
    println!("{cases} cases");
    failures.none(cases);
}
