//! Numbers as the formats define them: a whole number times a power of two.
//!
//! In: the bits of an element. Out: its exact value, and the bits of the nearest value of another
//! type, ties to even. Rounding is long division of integers; no float operation takes part.

use retile::DType;

/// A binary interchange format of IEEE 754, or bf16, which is built like one.
pub(crate) struct Format {
    exponent_bits: u32,
    fraction_bits: u32,
}

#[rustfmt::skip]
impl Format {
    pub(crate) const F64: Format = Format { exponent_bits: 11, fraction_bits: 52 };
    pub(crate) const F32: Format = Format { exponent_bits: 8, fraction_bits: 23 };
    pub(crate) const F16: Format = Format { exponent_bits: 5, fraction_bits: 10 };
    pub(crate) const BF16: Format = Format { exponent_bits: 8, fraction_bits: 7 };
}

/// The value of an element, with nothing lost.
#[derive(Clone, Copy)]
pub(crate) struct Exact {
    negative: bool,
    magnitude: Magnitude,
}

#[derive(Clone, Copy)]
enum Magnitude {
    /// `significand * 2^exponent`
    Finite {
        significand: u64,
        exponent: i32,
    },
    Infinite,
    /// The payload with its top bit at bit 63, so that formats agree about it.
    Nan {
        payload: u64,
    },
}

impl Exact {
    pub(crate) fn of_integer(value: i64) -> Exact {
        let significand = value.unsigned_abs();
        let magnitude = Magnitude::Finite { significand, exponent: 0 };
        Exact { negative: value < 0, magnitude }
    }

    /// To nearest, ties to even; NaN is 0, and what is beyond 64 bits some value beyond them.
    pub(crate) fn to_integer(self) -> i128 {
        let magnitude = match self.magnitude {
            Magnitude::Nan { .. } => 0,
            Magnitude::Infinite => 1 << 100,
            Magnitude::Finite { significand: 0, .. } => 0,
            Magnitude::Finite { exponent, .. } if exponent > 63 => 1 << 100,
            Magnitude::Finite { significand, exponent } => scaled(significand, exponent),
        };
        let magnitude = magnitude as i128;
        if self.negative { -magnitude } else { magnitude }
    }

    pub(crate) fn is_nan(self) -> bool {
        matches!(self.magnitude, Magnitude::Nan { .. })
    }
}

impl Format {
    pub(crate) fn decode(&self, bits: u64) -> Exact {
        let fraction = bits & ((1 << self.fraction_bits) - 1);
        let exponent = bits >> self.fraction_bits & self.top_exponent();
        let negative = bits >> (self.fraction_bits + self.exponent_bits) & 1 == 1;
        let magnitude = if exponent == self.top_exponent() && fraction == 0 {
            Magnitude::Infinite
        } else if exponent == self.top_exponent() {
            Magnitude::Nan { payload: fraction << (64 - self.fraction_bits) }
        } else if exponent == 0 {
            Magnitude::Finite { significand: fraction, exponent: self.least_exponent() }
        } else {
            Magnitude::Finite {
                significand: fraction | 1 << self.fraction_bits,
                exponent: self.least_exponent() + exponent as i32 - 1,
            }
        };
        Exact { negative, magnitude }
    }

    pub(crate) fn encode(&self, exact: Exact) -> u64 {
        let infinity = self.top_exponent() << self.fraction_bits;
        let magnitude = match exact.magnitude {
            Magnitude::Infinite => infinity,
            Magnitude::Nan { payload } => {
                let quiet = 1 << (self.fraction_bits - 1);
                infinity | quiet | payload >> (64 - self.fraction_bits)
            }
            Magnitude::Finite { significand: 0, .. } => 0,
            Magnitude::Finite { significand, exponent } => {
                // The exponent of the last place: what leaves fraction_bits + 1 bits, where the
                // format reaches down so far.
                let bits = 64 - significand.leading_zeros() as i32;
                let wanted = exponent + bits - 1 - self.fraction_bits as i32;
                let place = wanted.max(self.least_exponent());
                let digits = scaled(significand, exponent - place) as u64;
                // The hidden bit of a normal number counts once in the exponent field.
                let steps = (place - self.least_exponent()) as u64;
                (digits + (steps << self.fraction_bits)).min(infinity)
            }
        };
        let sign = u64::from(exact.negative) << (self.fraction_bits + self.exponent_bits);
        sign | magnitude
    }

    /// The quiet NaN with nothing else in it.
    pub(crate) fn canonical_nan(&self) -> u64 {
        self.encode(Exact { negative: false, magnitude: Magnitude::Nan { payload: 0 } })
    }

    fn top_exponent(&self) -> u64 {
        (1 << self.exponent_bits) - 1
    }

    /// The exponent of a denormal's last place.
    fn least_exponent(&self) -> i32 {
        let bias = (1 << (self.exponent_bits - 1)) - 1;
        1 - bias - self.fraction_bits as i32
    }
}

/// `value * 2^exponent` to nearest, ties to even; `exponent` is at most 63.
fn scaled(value: u64, exponent: i32) -> u128 {
    let value = u128::from(value);
    if exponent >= 0 {
        return value << exponent;
    }
    if exponent < -100 {
        return 0;
    }
    let unit = 1u128 << -exponent;
    let (quotient, remainder) = (value >> -exponent, value & (unit - 1));
    match (2 * remainder).cmp(&unit) {
        std::cmp::Ordering::Less => quotient,
        std::cmp::Ordering::Equal => quotient + (quotient & 1),
        std::cmp::Ordering::Greater => quotient + 1,
    }
}

/// The bits of an integer type's nearest value.
pub(crate) fn saturated(dtype: DType, value: i128) -> u64 {
    let (low, high) = match dtype {
        DType::S64 => (-(1 << 63), (1 << 63) - 1),
        DType::S32 => (-(1 << 31), (1 << 31) - 1),
        DType::S16 => (-(1 << 15), (1 << 15) - 1),
        DType::U16 => (0, (1 << 16) - 1),
        DType::S8 => (-128, 127),
        DType::U8 => (0, 255),
        other => panic!("{other} is no integer type"),
    };
    // Two's complement in as many bytes as the element has.
    value.clamp(low, high) as u64 & (u64::MAX >> (64 - 8 * dtype.size()))
}
