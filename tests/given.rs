//! Values that tiles make ready themselves: lists as long as blocks are and shorter, between guard pages, so that nothing
//! past them is read.
#![cfg(not(miri))] // plans for every target; tests/exact.rs has small ones

mod common;
mod harness;
mod model;

use common::Failures;
use harness::case::Case;
use harness::{Depth, judge};
use retile::Problem;
use retile::plan::plan;
use retile::problem::Operand;

/// Depthwise weights of so many groups, each of which has a scale and maybe a zero point.
fn lines() -> impl Iterator<Item = String> {
    let types = [("f32", "s8"), ("bf16", "u8"), ("f16", "s8"), ("s32", "u8")];
    let formats = ["Goihw16g", "Goihw8g"];
    let attrs = [
        "--dst-scale=mask:3",
        "--src-scale=mask:1 --src-zp=mask:1",
        "--dst-scale=mask:1 --dst-zp=mask:3",
    ];
    [9, 16, 24, 33, 40].into_iter().flat_map(move |groups| {
        types.into_iter().flat_map(move |(from, to)| {
            formats.into_iter().flat_map(move |format| {
                attrs.map(|attr| format!("{from}:goihw:{groups}x1x1x3x3 {to}:{format} {attr}"))
            })
        })
    })
}

#[test]
fn no_tile_reads_past_the_values_that_are_given() {
    let (mut failures, mut given, mut all) = (Failures::default(), 0, 0);
    for line in lines() {
        let case = Case::parse(&line).unwrap();
        let (problem, _) = Problem::new(&case.src, &case.dst, &case.attr()).unwrap();
        let plan = plan(&problem, &"spr".parse().unwrap());
        let own = [Operand::SrcScale, Operand::DstScale];
        given += usize::from(own.into_iter().any(|operand| plan.takes_as_given(operand)));
        all += 1;
        judge(&line, Depth::Full, &mut failures);
    }
    assert!(2 * given > all, "values of {given} in {all} pairs are taken as given");
    failures.none(all);
}
