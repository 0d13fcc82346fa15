//! How fast this core's clock is. In: nothing. Out: cycles of a nanosecond, as a chain of multiplications
//! shows them.

use std::hint::black_box;
use std::sync::OnceLock;
use std::time::Instant;

/// The cycles from one 64-bit multiplication to the next that needs its result, on every x86 since 2011.
const CYCLES: f64 = 3.0;

/// Multiplications of a sample, about a millisecond, and samples.
const CHAIN: u32 = 1 << 20;
const SAMPLES: u32 = 25;

/// Measured once: whoever else runs only makes samples longer, so the shortest is it.
pub(crate) fn ghz() -> f64 {
    static GHZ: OnceLock<f64> = OnceLock::new();
    *GHZ.get_or_init(|| {
        let least = (0..SAMPLES).map(|_| sample()).fold(f64::INFINITY, f64::min);
        f64::from(CHAIN) * CYCLES / least.max(1.0)
    })
}

/// Nanoseconds of a chain. Squares of squares: no shorter way to the same number is known to compilers.
fn sample() -> f64 {
    let mut number = black_box(0x9e37_79b9_7f4a_7c15u64);
    let start = Instant::now();
    for _ in 0..CHAIN {
        number = number.wrapping_mul(number);
    }
    black_box(number);
    start.elapsed().as_nanos() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_of_this_world() {
        let ghz = ghz();
        assert!((0.3..12.0).contains(&ghz), "{ghz}");
        assert_eq!(ghz, super::ghz());
    }
}
