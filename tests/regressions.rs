//! What once failed: each line of regressions.txt, kernel against reference.
#![cfg(not(miri))] // plans for every target; tests/exact.rs has small ones

mod common;
mod harness;
mod model;

use common::Failures;
use harness::{Depth, judge, lines};

#[test]
fn what_once_failed() {
    let mut failures = Failures::default();
    let lines: Vec<&str> = lines(include_str!("regressions.txt")).collect();
    for line in &lines {
        judge(line, Depth::Full, &mut failures);
    }
    failures.none(lines.len());
}
