//! Any bytes as a pair of layouts: machine code of every tier of this CPU against the reference.
#![no_main]

#[path = "../../tests/common/draw.rs"]
mod common;
#[path = "../../tests/harness/machine.rs"]
mod harness;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[path = "../../tests/fuzzed/kernel.rs"]
mod kernel;
#[allow(dead_code)] // pairs are run by a target of their own
#[path = "../../tests/fuzzed/pair.rs"]
mod pair;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
libfuzzer_sys::fuzz_target!(|data: &[u8]| kernel::check(data));

// There is no machine code to run.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
libfuzzer_sys::fuzz_target!(|_: &[u8]| {});
