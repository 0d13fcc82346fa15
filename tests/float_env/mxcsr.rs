//! The floating-point environment of a caller.

use std::arch::asm;

const DEFAULT: u32 = 0x1f80;
/// Round down, up, to zero; flush results; treat denormals as zero; and some together.
pub(crate) const CHANGED: [u32; 6] = [0x3f80, 0x5f80, 0x7f80, 0x9f80, 0x1fc0, 0xffc0];
/// Exceptions that are not masked, all of them and some: whoever raises one ends the process.
pub(crate) const UNMASKED: [u32; 2] = [0x0000, 0x7d00];
const STICKY: u32 = 0x3f;

fn set(value: u32) {
    // SAFETY: a value of the register without reserved bits; the tests put the default back before
    // they compute with floats themselves.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value) };
}

fn get() -> u32 {
    let mut value = 0u32;
    // SAFETY: stores the register to four bytes of ours.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value) };
    value
}

/// Runs `work` in an environment, and checks that it is still there afterwards.
pub(crate) fn within(mxcsr: u32, work: impl FnOnce()) {
    set(mxcsr);
    work();
    let left = get();
    set(DEFAULT);
    assert_eq!(left & !STICKY, mxcsr, "the caller's environment is changed");
}
