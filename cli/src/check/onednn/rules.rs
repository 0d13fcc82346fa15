//! The rules by which oneDNN's results are not ours: one table. In: an element, and what oneDNN made of it.
//! Out: the fewest rules that foretell these very bits; none where no rules do.
//!
//! docs/onednn.md shows an example of each, and says why ours is as it is.

use retile::DType;
use retile::dtype::convert;

use super::element::Element;
use super::model::{Made, model};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    NanKept,
    NanIsMost,
    NanIsLeast,
    SignallingKept,
    OverflowIsLeast,
    S32Ceiling,
    Bf16Flushed,
    ZeroAdded,
    ThroughFloat,
    SumOfZero,
    ScalesJoined,
    IntegerZeroPoints,
    ZeroPointsForgotten,
    TailComputed,
}

/// What is known of a rule.
pub(super) struct Row {
    pub(super) rule: Rule,
    pub(super) name: &'static str,
    /// What oneDNN does.
    pub(super) what: &'static str,
    /// Whether it may be so, of an element and by what oneDNN calls its code. What then comes out is the
    /// model's to say, to the bit.
    when: fn(&Element, &str) -> bool,
}

/// Code of oneDNN's: compiled for the pair, and its plain loops.
const COMPILED: &str = "jit:uni";
const PLAIN: &str = "simple:any";

/// No more of them at once.
const AT_ONCE: u32 = 3;

/// Those that foretell every bit come first: they are tried first.
pub(super) const ROWS: [Row; 14] = [
    Row {
        rule: Rule::NanIsMost,
        name: "nan-is-most",
        what: "NaN to s8 or s32 is the largest that it saturates to",
        when: |e, by| by == COMPILED && matches!(e.to, DType::S8 | DType::S32),
    },
    Row {
        rule: Rule::NanIsLeast,
        name: "nan-is-least",
        what: "NaN is the least integer: f16 or bf16 to s8 without arithmetic, and to s32 by plain loops",
        when: |e, by| {
            (is_short_to_byte(e, by) || by == PLAIN) && matches!(e.to, DType::S8 | DType::S32)
        },
    },
    Row {
        rule: Rule::SignallingKept,
        name: "signalling-kept",
        what: "a signalling NaN of bf16 is one of f32",
        when: |e, _| (e.from, e.to) == (DType::Bf16, DType::F32) && e.is_plain(),
    },
    Row {
        rule: Rule::OverflowIsLeast,
        name: "overflow-is-least",
        what: "2^31 and more, of f16 or bf16 without arithmetic, is the least integer",
        when: is_short_to_byte,
    },
    Row {
        rule: Rule::S32Ceiling,
        name: "s32-ceiling",
        what: "s32 saturates to the largest f32 below 2^31, 2147483520",
        when: |e, _| e.to == DType::S32,
    },
    Row {
        rule: Rule::Bf16Flushed,
        name: "bf16-flushed",
        what: "denormals become zeros on the way to bf16",
        when: |e, _| e.to == DType::Bf16,
    },
    Row {
        rule: Rule::ZeroAdded,
        name: "zero-added",
        what: "-0 becomes 0: plain loops add 0 where there is nothing to add",
        when: |e, by| by == PLAIN && e.to.is_float(),
    },
    Row {
        rule: Rule::ThroughFloat,
        name: "through-float",
        what: "a move goes through f32: NaNs become quiet, s32 is rounded",
        when: |e, by| e.from == e.to && e.is_plain() && (e.to.is_float() || by == PLAIN),
    },
    Row {
        rule: Rule::SumOfZero,
        name: "sum-of-zero",
        what: "a sum with the factor 0 adds nothing, not even NaN",
        when: |e, _| e.sum == Some(0.0),
    },
    Row {
        rule: Rule::ScalesJoined,
        name: "scales-joined",
        what: "plain loops of equal layouts multiply the scales first, and add the old value unscaled",
        when: |e, by| {
            let two = e.dst_scale.is_some() && (e.src_scale.is_some() || e.is_summed());
            by == PLAIN && two && !e.masked && !e.is_shifted()
        },
    },
    Row {
        rule: Rule::IntegerZeroPoints,
        name: "integer-zero-points",
        what: "s32 to s32 with zero points alone: integers that wrap, not f32",
        when: |e, by| {
            let integers = (e.from, e.to) == (DType::S32, DType::S32);
            by == COMPILED && integers && e.is_shifted() && !e.is_scaled() && !e.is_summed()
        },
    },
    Row {
        rule: Rule::ZeroPointsForgotten,
        name: "zero-points-forgotten",
        what: "zero points are left out where four neighbours of the source go to four places",
        when: |e, by| by == COMPILED && e.is_shifted() && !e.masked && !e.is_summed(),
    },
    Row {
        rule: Rule::TailComputed,
        name: "tail-computed",
        what: "the tail of a block is what arithmetic makes of 0: the old value with a sum, or -0",
        when: |e, by| by == COMPILED && e.tail && (e.is_scaled() || e.is_summed()),
    },
    Row {
        rule: Rule::NanKept,
        name: "nan-kept",
        what: "arithmetic gives the NaN that its instructions give, not the canonical one",
        when: |e, _| e.to.is_float() && !e.is_plain(),
    },
];

/// Compiled code that converts without f32 between: bytes of short floats.
fn is_short_to_byte(e: &Element, by: &str) -> bool {
    by == COMPILED
        && matches!(e.from, DType::F16 | DType::Bf16)
        && matches!(e.to, DType::S8 | DType::U8)
        && e.is_plain()
}

/// The fewest rules by which oneDNN's code of this name makes these bits.
pub(super) fn explain(e: &Element, by: &str, theirs: u64) -> Option<Vec<Rule>> {
    if !convert::arithmetic_allowed(e.from, e.to) {
        return None;
    }
    let able = ROWS.iter().filter(|row| (row.when)(e, by)).map(|row| row.rule);
    let able: Vec<Rule> =
        able.filter(|rule| *rule == Rule::TailComputed || !e.tail || rule.of_stores()).collect();
    let nan = e.to.is_float() && convert::load_f32(e.to, theirs).is_nan();
    let sets = (1..=AT_ONCE)
        .flat_map(|count| (1u32..1 << able.len()).filter(move |set| set.count_ones() == count));
    sets.map(|set| {
        let rules = able.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
        rules.map(|(_, rule)| *rule).collect::<Vec<_>>()
    })
    .find(|rules| match model(e, rules) {
        Made::Bits(bits) => bits == theirs,
        Made::Nan => nan,
    })
}

impl Rule {
    pub(super) fn name(self) -> &'static str {
        ROWS.iter().find(|row| row.rule == self).map_or("", |row| row.name)
    }

    /// How a result is stored is the same wherever it lies.
    fn of_stores(self) -> bool {
        matches!(self, Rule::NanKept | Rule::NanIsMost | Rule::S32Ceiling | Rule::Bf16Flushed)
    }
}

#[cfg(test)]
mod tests;
