//! Numbers drawn from a seed, the same on every machine. In: a seed. Out: choices, and the bytes of
//! elements.

use retile::DType;
use retile::dtype::convert;

/// A xorshift generator; not for secrets.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Draw {
        let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        // The first numbers of seeds near one another are alike.
        (0..4).for_each(|_| _ = draw.next());
        draw
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// 0 to n - 1.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 16) % n as u64) as usize
    }

    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in 1..list.len() {
            list.swap(i, self.below(i + 1));
        }
    }
}

/// Which numbers are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// All there are: NaNs with payloads, infinities, denormals, what saturates.
    Any,
    /// What tensors are made of, so that no core stumbles over denormals while it is timed.
    Ordinary,
    /// Of moderate size, so that they round and saturate, but overflow nowhere; scales are powers of two, by
    /// which whoever multiplies or divides has the same.
    Moderate,
    /// All there are, with powers of two for scales, very large and very small ones among them.
    Extreme,
}

impl Numbers {
    /// Whether anything may come.
    fn any(self) -> bool {
        matches!(self, Numbers::Any | Numbers::Extreme)
    }
}

/// Fills a buffer with elements.
pub(crate) fn fill(bytes: &mut [u8], dtype: DType, numbers: Numbers, draw: &mut Draw) {
    for element in bytes.chunks_mut(dtype.size()) {
        let bits = bits(dtype, numbers, draw).to_le_bytes();
        element.copy_from_slice(&bits[..element.len()]);
    }
}

/// What rounds, saturates or is no number at all, of the types that f32 reaches.
const SPECIAL: [f32; 20] = [
    -0.0,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    f32::MAX,
    1e-40,
    -1e-45,
    6e-8,
    65519.9,
    65520.0,
    127.5,
    128.5,
    254.5,
    255.5,
    -128.5,
    0.5,
    1.5,
    2_147_483_648.0,
    -2_147_483_904.0,
    16_777_217.0,
];

/// What saturates of s64.
const WHOLE: [i64; 7] = [0, -1, i64::MAX, i64::MIN, i32::MAX as i64, 1 << 31, -(1 << 31) - 1];

/// What rounds, overflows or is no number at all, of f64.
const DOUBLE: [f64; 7] = [-0.0, f64::INFINITY, f64::NAN, -1e300, 1e-310, 3.5e38, 1e-40];

fn bits(dtype: DType, numbers: Numbers, draw: &mut Draw) -> u64 {
    if numbers == Numbers::Moderate {
        return moderate(dtype, draw);
    }
    let kind = if numbers == Numbers::Ordinary { 3 } else { draw.below(4) };
    if kind < 2 {
        // Any bits: payloads and denormals come with them.
        return draw.next();
    }
    let small = draw.below(255) as i32 - 127;
    match dtype {
        DType::F64 if kind == 2 => draw.pick(&DOUBLE).to_bits(),
        DType::S64 if kind == 2 => draw.pick(&WHOLE) as u64,
        DType::F64 => (f64::from(small) / 8.0).to_bits(),
        DType::S64 | DType::S16 | DType::U16 | DType::Bool => small as i64 as u64,
        _ if kind == 2 => convert::store_f32(dtype, draw.pick(&SPECIAL)),
        _ if dtype.is_float() => convert::store_f32(dtype, small as f32 / 8.0),
        _ => small as i64 as u64,
    }
}

/// Floats of any mantissa up to about 500, small ones and ties; integers as large as a product is exact.
fn moderate(dtype: DType, draw: &mut Draw) -> u64 {
    let small = draw.below(1023) as i32 - 511;
    let value = match draw.below(4) {
        0 => small as f32 / 2.0,
        1 => small as f32 / 8.0,
        _ => {
            let power = 2f32.powi(draw.between(0, 16) as i32 - 8);
            (1.0 + draw.below(1 << 23) as f32 / (1 << 23) as f32) * power * small.signum() as f32
        }
    };
    match dtype {
        DType::F64 => f64::from(value).to_bits(),
        DType::S32 => (draw.below(1 << 17) as i32 - (1 << 16)) as u32 as u64,
        _ if dtype.is_float() => convert::store_f32(dtype, value),
        _ => draw.next(),
    }
}

/// A scale.
pub(crate) fn scale(numbers: Numbers, draw: &mut Draw) -> f32 {
    let power = match numbers {
        Numbers::Moderate => Some(draw.between(0, 10) as i32 - 5),
        Numbers::Extreme if draw.once_in(6) => Some(draw.between(0, 276) as i32 - 149),
        Numbers::Extreme => Some(draw.between(0, 20) as i32 - 10),
        _ => None,
    };
    if let Some(power) = power {
        let sign = if draw.once_in(4) { -1.0 } else { 1.0 };
        // A power below the normal ones in one step might be 0.
        return sign * 2f32.powi(power / 2) * 2f32.powi(power - power / 2);
    }
    let special = [0.0, -0.0, f32::INFINITY, f32::NAN, 1e-42, 3.4e38, -1.0, 1.0];
    match draw.below(8) {
        0 if numbers == Numbers::Any => draw.pick(&special),
        1 if numbers == Numbers::Any => f32::from_bits(draw.next() as u32),
        2..5 => draw.pick(&[0.5, 2.0, 0.25, -4.0]),
        _ => (draw.below(2000) as f32 + 1.0) / 256.0,
    }
}

/// A zero point.
pub(crate) fn zero_point(numbers: Numbers, draw: &mut Draw) -> i32 {
    match draw.below(8) {
        0 if numbers.any() => draw.pick(&[0, i32::MIN, i32::MAX, 16_777_217]),
        1 if numbers.any() => draw.next() as i32,
        _ => draw.below(256) as i32 - 128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_draws_the_same_and_others_differ() {
        let drawn = |seed| {
            let mut bytes = [0; 64];
            fill(&mut bytes, DType::F32, Numbers::Any, &mut Draw::new(seed));
            bytes
        };
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
    }

    #[test]
    fn ordinary_numbers_are_normal_or_zero() {
        let mut bytes = [0; 4096];
        fill(&mut bytes, DType::F32, Numbers::Ordinary, &mut Draw::new(1));
        let floats = bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap()));
        assert!(floats.clone().all(|value| value == 0.0 || value.is_normal()));
        assert!(floats.clone().any(|value| value < 0.0) && floats.clone().any(|v| v > 0.0));
        let mut draw = Draw::new(1);
        assert!((0..1000).all(|_| scale(Numbers::Ordinary, &mut draw).is_normal()));
    }

    #[test]
    fn powers_of_two_are_scales_by_which_nothing_is_rounded() {
        for numbers in [Numbers::Moderate, Numbers::Extreme] {
            let mut draw = Draw::new(2);
            let scales: Vec<f32> = (0..2000).map(|_| scale(numbers, &mut draw)).collect();
            let power = |scale: &f32| f64::from(*scale).abs().log2();
            assert!(scales.iter().all(|scale| power(scale).fract() == 0.0), "{scales:?}");
            let wide = scales.iter().any(|scale| power(scale) < -140.0);
            assert_eq!(wide, numbers == Numbers::Extreme);
        }
        let mut bytes = [0; 4096];
        fill(&mut bytes, DType::F32, Numbers::Moderate, &mut Draw::new(1));
        let mut floats = bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap()));
        assert!(floats.all(|value| value == 0.0 || (1e-3..600.0).contains(&value.abs())));
    }

    #[test]
    fn any_numbers_have_nans_of_every_float() {
        for dtype in [DType::F32, DType::F16, DType::Bf16] {
            let mut draw = Draw::new(3);
            let drawn = (0..1000).map(|_| bits(dtype, Numbers::Any, &mut draw));
            let size = 8 * dtype.size();
            let drawn = drawn.map(|bits| bits & (u64::MAX >> (64 - size)));
            assert!(drawn.filter(|&bits| convert::load_f32(dtype, bits).is_nan()).count() > 3);
        }
    }
}
