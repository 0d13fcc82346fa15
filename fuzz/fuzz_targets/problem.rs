//! Any bytes as a problem's text.
#![no_main]

#[path = "../../tests/fuzzed/problem.rs"]
mod problem;

libfuzzer_sys::fuzz_target!(|data: &[u8]| problem::check(data));
