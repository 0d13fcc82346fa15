//! Many elements of one type. In: their bits. Out: their bits in another type, or the floats that arithmetic works on,
//! as [`convert`] has them one by one.
//!
//! Types are looked at outside of the loops, so that the compiler can make vectors of these.

use super::{DType, convert};

/// So many at most.
pub(crate) const MOST: usize = 128;

/// A body for each type, which the compiler knows inside of it by that name.
macro_rules! known {
    ($dtype:expr, $known:ident => $body:expr) => {
        known!(@ $dtype, $known => $body; F64 F32 F16 Bf16 S64 S32 S16 U16 S8 U8 Bool)
    };
    (@ $dtype:expr, $known:ident => $body:expr; $($name:ident)*) => {
        match $dtype {
            $(DType::$name => {
                const $known: DType = DType::$name;
                $body
            })*
        }
    };
}

/// Bits of an element, in the low ones of a word. Vectors hold twice as many of the shorter words.
pub(crate) trait Word: Copy {
    /// Of 0.
    const NONE: Self;

    fn of(bits: u64) -> Self;

    fn bits(self) -> u64;
}

impl Word for u32 {
    const NONE: u32 = 0;

    #[inline(always)]
    fn of(bits: u64) -> u32 {
        bits as u32
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self.into()
    }
}

impl Word for u64 {
    const NONE: u64 = 0;

    #[inline(always)]
    fn of(bits: u64) -> u64 {
        bits
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self
    }
}

/// Plain conversions, as [`convert::element`]; words hold elements of either type.
pub(crate) fn elements<W: Word>(from: DType, to: DType, lanes: &mut [W]) {
    if from == to {
        return;
    }
    if from == DType::F64 {
        let each = lanes.iter_mut();
        let one = |to: DType, bits: u64| W::of(convert::element(DType::F64, to, bits));
        known!(to, TO => each.for_each(|lane| *lane = one(TO, lane.bits())));
    } else if from.is_float() {
        let mut floats = [0f32; MOST];
        let floats = &mut floats[..lanes.len()];
        load(from, lanes, floats);
        store_any(to, floats, lanes);
    } else if from.size().max(to.size()) == 8 {
        integers::<W, i64>(from, to, lanes);
    } else {
        integers::<W, i32>(from, to, lanes);
    }
}

/// Of integers, each of which an `I` holds.
fn integers<W: Word, I: Copy + Default + TryFrom<i64> + Into<i64>>(
    from: DType,
    to: DType,
    lanes: &mut [W],
) {
    let mut integers = [I::default(); MOST];
    let integers = &mut integers[..lanes.len()];
    let held = |i: i64| I::try_from(i).unwrap_or_else(|_| unreachable!("{from} has {i}"));
    let both = integers.iter_mut().zip(lanes.iter());
    known!(from, FROM => {
        both.for_each(|(i, lane)| *i = held(convert::load_integer(FROM, lane.bits())))
    });
    let both = lanes.iter_mut().zip(integers.iter());
    known!(to, TO => both.for_each(|(lane, i)| *lane = W::of(convert::store_integer(TO, (*i).into()))));
}

/// What arithmetic takes elements for, as [`convert::load_f32`].
pub(crate) fn load<W: Word>(from: DType, lanes: &[W], floats: &mut [f32]) {
    let both = floats.iter_mut().zip(lanes);
    match from {
        DType::F16 => both.for_each(|(t, lane)| *t = of_half(lane.bits() as u32)),
        _ => {
            known!(from, FROM => both.for_each(|(t, lane)| *t = convert::load_f32(FROM, lane.bits())))
        }
    }
}

/// What results of arithmetic become, as [`convert::store_f32`].
pub(crate) fn store<W: Word>(to: DType, floats: &mut [f32], lanes: &mut [W]) {
    floats.iter_mut().for_each(|t| *t = convert::canonical(*t));
    store_any(to, floats, lanes);
}

fn store_any<W: Word>(to: DType, floats: &[f32], lanes: &mut [W]) {
    let both = lanes.iter_mut().zip(floats);
    let of = |bits: u32| W::of(bits.into());
    match to {
        DType::S8 => both.for_each(|(lane, t)| *lane = of(nearest(*t, -128.0, 127.0) & 0xff)),
        DType::U8 => both.for_each(|(lane, t)| *lane = of(nearest(*t, 0.0, 255.0))),
        DType::S32 => both.for_each(|(lane, t)| *lane = of(whole(*t) as i32 as u32)),
        DType::F16 => both.for_each(|(lane, t)| *lane = of(half(*t))),
        _ => {
            known!(to, TO => both.for_each(|(lane, t)| *lane = W::of(convert::store_float(TO, *t))))
        }
    }
}

/// To nearest, ties to even, within limits that are small whole numbers; NaN is 0.
///
/// The last bit of a float between 2^23 and 2^24 counts ones. The sum is rounded as the environment has it, which is to
/// nearest while a kernel runs: to ask for that by name, and to cast with all that a cast promises, is a call for each
/// lane. So it is with those below.
#[inline]
fn nearest(t: f32, low: f32, high: f32) -> u32 {
    const ONES: f32 = (3 << 22) as f32;
    let t = if t.is_nan() { 0.0 } else { t.clamp(low, high) };
    (t + ONES).to_bits().wrapping_sub(ONES.to_bits())
}

/// The whole number nearest to a float, ties to even.
#[inline]
fn whole(t: f32) -> f32 {
    // From here on all are whole.
    const ONES: f32 = (1 << 23) as f32;
    let ones = ONES.copysign(t);
    if t.abs() < ONES { t + ones - ones } else { t }
}

/// The float that a half says, as [`half_to_float`](super::half_to_float): all of its kinds are computed, and one
/// taken.
#[inline]
fn of_half(half: u32) -> f32 {
    const INFINITY: u32 = 0x7f80_0000;
    const UNIT: f32 = 1.0 / (1 << 24) as f32;
    let (sign, magnitude) = ((half & 0x8000) << 16, half & 0x7fff);
    let normal = (magnitude << 13) + (112 << 23);
    let denormal = (magnitude as i32 as f32 * UNIT).to_bits();
    let quiet = if magnitude > 0x7c00 { 1 << 22 } else { 0 };
    let other = INFINITY | quiet | magnitude << 13;
    let finite = if magnitude < 0x0400 { denormal } else { normal };
    f32::from_bits(sign | if magnitude < 0x7c00 { finite } else { other })
}

/// The half nearest to a float, as [`float_to_half`](super::float_to_half): shifts as long as the exponent says are not
/// to be had of every vector.
#[inline]
fn half(t: f32) -> u32 {
    const INFINITY: u32 = 0x7f80_0000;
    const SMALLEST_NORMAL: u32 = 113 << 23; // 2^-14
    const PAST_EXPONENTS: u32 = 143 << 23; // 2^16
    // The last bit of a float from here on counts as much as that of a half that is denormal.
    const UNITS: f32 = 0.5;
    let (sign, magnitude) = (t.to_bits() >> 16 & 0x8000, t.to_bits() & 0x7fff_ffff);
    let small = (f32::from_bits(magnitude) + UNITS).to_bits().wrapping_sub(UNITS.to_bits());
    let odd = magnitude >> 13 & 1;
    let normal = magnitude.wrapping_sub(112 << 23).wrapping_add(0x0fff + odd) >> 13;
    let finite = if magnitude < SMALLEST_NORMAL { small } else { normal };
    let nan = 0x7e00 | (magnitude >> 13 & 0x03ff);
    let other = if magnitude > INFINITY { nan } else { 0x7c00 };
    sign | if magnitude < PAST_EXPONENTS { finite } else { other }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits that are something special in some type, and others.
    fn bits() -> impl Iterator<Item = u64> {
        let halves = (0..=u16::MAX).map(u64::from);
        let shifted = (0..64).flat_map(|k| [1u64 << k, (1u64 << k).wrapping_sub(1), !0 << k]);
        let near = (-520..=520).map(|i| u64::from((i as f32 / 2.0).to_bits()));
        let large = (0..4096u64).map(|i| i * 0x0010_0001 + 0x4a80_0000);
        let signed = (0..4096u64).map(|i| (i * 0x0010_0001 + 0xca80_0000) & 0xffff_ffff);
        let spread = (0..20_000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        halves.chain(shifted).chain(near).chain(large).chain(signed).chain(spread)
    }

    fn each(dtype: DType, mut check: impl FnMut(&[u64])) {
        let mask = !0 >> (64 - 8 * dtype.size());
        let all: Vec<u64> = bits().map(|bits| bits & mask).collect();
        all.chunks(MOST).for_each(&mut check);
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn many_are_converted_as_one_is() {
        for from in DType::ALL {
            for to in DType::ALL.into_iter().filter(|to| convert::allowed(from, *to)) {
                each(from, |lanes| {
                    let mut found = lanes.to_vec();
                    elements(from, to, &mut found);
                    let mut short: Vec<u32> = lanes.iter().map(|lane| *lane as u32).collect();
                    if from.size().max(to.size()) <= 4 {
                        elements(from, to, &mut short);
                    }
                    for (i, (lane, found)) in lanes.iter().zip(found).enumerate() {
                        let one = convert::element(from, to, *lane);
                        assert_eq!(found, one, "{from} to {to}: {lane:#x}");
                        let long = from.size().max(to.size()) > 4;
                        assert!(long || u64::from(short[i]) == one, "{from} to {to}: {lane:#x}");
                    }
                });
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn many_floats_are_loaded_and_stored_as_one_is() {
        let all = DType::ALL.into_iter().filter(|t| convert::arithmetic_allowed(*t, *t));
        for dtype in all {
            each(dtype, |lanes| {
                let mut floats = [0f32; MOST];
                load(dtype, lanes, &mut floats[..lanes.len()]);
                for (lane, found) in lanes.iter().zip(floats) {
                    let one = convert::load_f32(dtype, *lane);
                    assert_eq!(found.to_bits(), one.to_bits(), "{dtype}: {lane:#x}");
                }
            });
            each(DType::F32, |bits| {
                let mut floats: Vec<f32> = bits.iter().map(|b| f32::from_bits(*b as u32)).collect();
                let ones: Vec<u64> = floats.iter().map(|t| convert::store_f32(dtype, *t)).collect();
                let mut lanes = vec![0u64; floats.len()];
                store(dtype, &mut floats, &mut lanes);
                assert_eq!(lanes, ones, "{dtype}: {bits:x?}");
            });
        }
    }
}
