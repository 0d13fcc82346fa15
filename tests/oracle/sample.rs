//! Bits worth trying: every exponent with the fractions around each tie, and a stride through the rest.

/// Patterns of `width` bits about every tie: for each cut, even, odd and full upper parts, each
/// with a lower part about 0, about half and about the whole unit.
pub(crate) fn corners(width: u32) -> Vec<u64> {
    let all = (1u128 << width) - 1;
    let mut patterns = vec![0, all];
    for cut in 1..=width {
        let (unit, half) = (1 << cut, 1 << (cut - 1));
        let upper = [0, unit, 2 * unit, 3 * unit, all & !(unit - 1)];
        let lower = [0, 1, half - 1, half, half + 1, unit - 1];
        for high in upper {
            patterns.extend(lower.map(|low| (high | low) & all));
        }
    }
    patterns.sort_unstable();
    patterns.dedup();
    if cfg!(miri) {
        patterns = patterns.into_iter().step_by(1 + 3 * width as usize).collect();
    }
    patterns.into_iter().map(|bits| bits as u64).collect()
}

/// Every sign and exponent of a format with every corner of its fraction.
pub(crate) fn float_corners(exponent_bits: u32, fraction_bits: u32) -> impl Iterator<Item = u64> {
    let fractions = corners(fraction_bits);
    let all = 0..1u64 << (1 + exponent_bits);
    all.step_by(if cfg!(miri) { 173 } else { 1 }).flat_map(move |top| {
        let fractions = fractions.clone();
        fractions.into_iter().map(move |f| top << fraction_bits | f)
    })
}

/// 2^20 values of 32 bits, evenly spread.
pub(crate) fn stride() -> impl Iterator<Item = u32> {
    (0..1u32 << 20).step_by(if cfg!(miri) { 100_003 } else { 1 }).map(|i| i.wrapping_mul(4097))
}

/// Every corner of 32 bits with both signs, and ties below a leading bit of any height, where floats cut integers.
pub(crate) fn integer_corners() -> impl Iterator<Item = u32> {
    let below = |height| corners(height).into_iter().map(move |low| 1 << height | low as u32);
    let heights = (1..32).flat_map(below);
    let all = corners(32).into_iter().map(|bits| bits as u32).chain(heights);
    all.flat_map(|bits| [bits, bits.wrapping_neg()])
}
