//! Many elements of one type. In: their bits. Out: their bits in another type, or the floats that arithmetic works on,
//! as [`convert`] has them one by one.
//!
//! Types are looked at outside of the loops, so that the compiler can make vectors of these.

use super::{DType, convert};

/// So many at most.
pub(crate) const MOST: usize = 64;

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

/// Plain conversions, as [`convert::element`].
pub(crate) fn elements(from: DType, to: DType, lanes: &mut [u64]) {
    if from == to {
        return;
    }
    if from == DType::F64 {
        lanes.iter_mut().for_each(|lane| *lane = convert::element(from, to, *lane));
    } else if from.is_float() {
        let mut floats = [0f32; MOST];
        let floats = &mut floats[..lanes.len()];
        load(from, lanes, floats);
        store_any(to, floats, lanes);
    } else {
        let mut integers = [0i64; MOST];
        let integers = &mut integers[..lanes.len()];
        let both = integers.iter_mut().zip(lanes.iter());
        known!(from, FROM => both.for_each(|(i, lane)| *i = convert::load_integer(FROM, *lane)));
        let both = lanes.iter_mut().zip(integers.iter());
        known!(to, TO => both.for_each(|(lane, i)| *lane = convert::store_integer(TO, *i)));
    }
}

/// What arithmetic takes elements for, as [`convert::load_f32`].
pub(crate) fn load(from: DType, lanes: &[u64], floats: &mut [f32]) {
    let both = floats.iter_mut().zip(lanes);
    known!(from, FROM => both.for_each(|(t, lane)| *t = convert::load_f32(FROM, *lane)));
}

/// What results of arithmetic become, as [`convert::store_f32`].
pub(crate) fn store(to: DType, floats: &mut [f32], lanes: &mut [u64]) {
    floats.iter_mut().for_each(|t| *t = convert::canonical(*t));
    store_any(to, floats, lanes);
}

fn store_any(to: DType, floats: &[f32], lanes: &mut [u64]) {
    let both = lanes.iter_mut().zip(floats);
    match to {
        DType::S8 => {
            both.for_each(|(lane, t)| *lane = u64::from(nearest(*t, -128.0, 127.0) as u8));
        }
        DType::U8 => {
            both.for_each(|(lane, t)| *lane = u64::from(nearest(*t, 0.0, 255.0) as u8));
        }
        _ => known!(to, TO => both.for_each(|(lane, t)| *lane = convert::store_float(TO, *t))),
    }
}

/// To nearest, ties to even, within limits that are small whole numbers; NaN is 0.
///
/// The last bit of a float between 2^23 and 2^24 counts ones. The sum is rounded as the environment has it, which is to
/// nearest while a kernel runs: to ask for that by name, and to cast with all that a cast promises, is a call for each
/// lane.
#[inline]
fn nearest(t: f32, low: f32, high: f32) -> u32 {
    const ONES: f32 = (3 << 22) as f32;
    let t = if t.is_nan() { 0.0 } else { t.clamp(low, high) };
    (t + ONES).to_bits().wrapping_sub(ONES.to_bits())
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
                    for (lane, found) in lanes.iter().zip(found) {
                        let one = convert::element(from, to, *lane);
                        assert_eq!(found, one, "{from} to {to}: {lane:#x}");
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
                let mut lanes = vec![0; floats.len()];
                store(dtype, &mut floats, &mut lanes);
                assert_eq!(lanes, ones, "{dtype}: {bits:x?}");
            });
        }
    }
}
