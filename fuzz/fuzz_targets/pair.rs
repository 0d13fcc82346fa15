//! Any bytes as a pair of layouts with arithmetic: the kernel against the reference.
#![no_main]

#[path = "../../tests/fuzzed/pair.rs"]
mod pair;

libfuzzer_sys::fuzz_target!(|data: &[u8]| pair::check(data));
