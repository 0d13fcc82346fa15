//! Any bytes as a layout's text.
#![no_main]

#[path = "../../tests/fuzzed/parse.rs"]
mod parse;

libfuzzer_sys::fuzz_target!(|data: &[u8]| parse::check(data));
