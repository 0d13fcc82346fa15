//! What oneDNN makes of an element. In: the element, and the rules by which it differs from us. Out: the bits,
//! to be compared with what it wrote.

use retile::DType;
use retile::dtype::convert;

use super::element::Element;
use super::rules::Rule;

/// What is foretold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    Bits(u64),
    /// Some NaN: which one is by the instruction and the order of its operands.
    Nan,
}

/// The largest f32 below 2^31, as an integer.
const S32_CEILING: u64 = 0x7fff_ff80;

/// 2^31, the first that s32 does not hold.
const S32_END: f32 = 2_147_483_648.0;

/// By our own formula where no rule is given.
pub(super) fn model(e: &Element, rules: &[Rule]) -> Made {
    let on = |rule| rules.contains(&rule);
    let e = &match on(Rule::SumOfZero) {
        true => Element { sum: None, ..*e },
        false => *e,
    };
    if e.tail {
        return tail(e, &on);
    }
    if !e.is_arithmetic()
        && let Some(bits) = plain(e, &on)
    {
        return Made::Bits(bits);
    }
    let shifted = !on(Rule::ZeroPointsForgotten);
    if on(Rule::IntegerZeroPoints) {
        let zero_point = |value: Option<i32>| value.filter(|_| shifted).unwrap_or(0) as u32;
        let t = (e.src as u32).wrapping_sub(zero_point(e.src_zero_point));
        return Made::Bits(t.wrapping_add(zero_point(e.dst_zero_point)).into());
    }
    let sum = e.sum.map(|beta| beta * convert::load_f32(e.to, e.before));
    let mut t = e.value();
    if let Some(zero_point) = e.src_zero_point.filter(|_| shifted) {
        t -= zero_point as f32;
    }
    if on(Rule::ScalesJoined) {
        t = e.src_scale.unwrap_or(1.0) * (1.0 / e.dst_scale.unwrap_or(1.0)) * t
            + sum.unwrap_or(0.0);
        return store(e.to, t, &on);
    }
    if let Some(scale) = e.src_scale {
        t *= scale;
    }
    if let Some(sum) = sum {
        t += sum;
    }
    if let Some(scale) = e.dst_scale {
        t *= 1.0 / scale;
    }
    if let Some(zero_point) = e.dst_zero_point.filter(|_| shifted) {
        t += zero_point as f32;
    }
    if on(Rule::ZeroAdded) {
        t += 0.0;
    }
    store(e.to, t, &on)
}

/// Without arithmetic; none where it goes through f32.
fn plain(e: &Element, on: &impl Fn(Rule) -> bool) -> Option<u64> {
    let nan = e.from.is_float() && e.value().is_nan();
    if e.from == e.to {
        let quiet = match e.to {
            DType::F32 => 1 << 22,
            DType::F16 => 1 << 9,
            DType::Bf16 => 1 << 6,
            _ => 0,
        };
        return match on(Rule::ThroughFloat) {
            true if nan => Some(e.src | quiet),
            true => None,
            false => Some(e.src),
        };
    }
    if nan && on(Rule::SignallingKept) {
        return Some(e.src << 16);
    }
    // NaNs stay what they are, and integers are not rounded.
    let exact = (nan && e.to.is_float()) || !(e.from.is_float() || e.to.is_float());
    (exact && !on(Rule::S32Ceiling)).then(|| convert::element(e.from, e.to, e.src))
}

fn tail(e: &Element, on: &impl Fn(Rule) -> bool) -> Made {
    if !on(Rule::TailComputed) {
        return Made::Bits(0);
    }
    let mut t = e.src_scale.map_or(0.0, |scale| 0f32.copysign(scale));
    if e.is_summed() {
        t += convert::load_f32(e.to, e.before);
    }
    if let Some(scale) = e.dst_scale {
        t *= 1.0 / scale;
    }
    store(e.to, t, on)
}

fn store(to: DType, t: f32, on: &impl Fn(Rule) -> bool) -> Made {
    let least = match to {
        DType::S8 => 0x80,
        DType::S32 => 0x8000_0000,
        _ => 0,
    };
    let most = match to {
        DType::S8 => 0x7f,
        _ => S32_CEILING,
    };
    let bits = match () {
        () if t.is_nan() && on(Rule::NanKept) => return Made::Nan,
        () if t.is_nan() && on(Rule::NanIsMost) => most,
        () if t.is_nan() && on(Rule::NanIsLeast) => least,
        () if t >= S32_END && on(Rule::OverflowIsLeast) => least,
        () if t >= S32_END && on(Rule::S32Ceiling) => S32_CEILING,
        () if t.is_subnormal() && on(Rule::Bf16Flushed) => u64::from(t.to_bits() >> 31) << 15,
        () => convert::store_f32(to, t),
    };
    Made::Bits(bits)
}
