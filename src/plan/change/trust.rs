//! Sequences that look for less. In: a problem and a target. Out: what the first of two sequences trusts in; the second
//! looks for all there may be, and is what runs where that trust is not met.

use super::bytewise::Bytewise;
use crate::DType;
use crate::plan::Plan;
use crate::plan::tile::Converts;
use crate::problem::{Problem, VALUES, stays_within};
use crate::target::Target;

/// What a sequence takes for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Nothing, so that there is one sequence.
    Nothing,
    /// All scales and zero points are tame. That is known before anything is done.
    Values,
    /// No element is a NaN, or past all whole numbers of 4 bytes, where it becomes a byte. Conversions leave the least
    /// of these in its place, which is looked for in what a tile has packed: that tile is done again, and all others
    /// after it with care.
    Elements,
}

impl Trust {
    /// What sequences trust in, where that leaves them less to do; else nothing. Very many values are not looked at:
    /// that would take as long as what they are for. Bytes that stay bytes have steps of their own, and the table that
    /// they may be looked up in is made by those for any values.
    pub(crate) fn of(problem: &Problem, target: &Target) -> Trust {
        let (from, to, arith) = (problem.src, problem.dst, &problem.arith);
        // What is done twice must not be added twice to what was there; what it was added up to comes off again.
        // Without masks registers are few, and permutations decide.
        let again = arith.sum.is_none() && target.tier.masks();
        let floats = from.is_float() || arith.is_formula();
        if again && floats && from.size() > 1 && matches!(to, DType::S8 | DType::U8) {
            return Trust::Elements;
        }
        let whole = !from.is_float() && arith.is_formula() && arith.sum.is_none();
        // What bytes are left upon is taken off with their zero point.
        let based = arith.has_byte_points(from) && target.spreads();
        let less = arith.is_scaled() || based || stays_within(from, to);
        let tamed = whole
            && less
            && Bytewise::of(problem, target).is_none()
            && !{ VALUES }.any(|operand| problem.is_raw(operand));
        if tamed { Trust::Values } else { Trust::Nothing }
    }
}

/// Of which tiles there are two sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Twice {
    All,
    /// Of the first, which is whole; those of tails look for all there may be.
    First,
    /// Of none, where there is no room for so much code.
    None,
}

/// To look for all there may be takes at most so many times as long.
const CARE: (u64, u64) = (3, 2);

/// Whether elements are taken to be ordinary ones as they are loaded, which takes a register more: what is looked at
/// afterwards is in it.
pub(in crate::plan) fn hopes(problem: &Problem, converts: Converts, target: &Target) -> bool {
    converts == Converts::Loads && Trust::of(problem, target) == Trust::Elements
}

impl Plan {
    /// Whether there are two sequences for a tile, by number, as something is taken for granted.
    pub(crate) fn is_twice(&self, tile: usize) -> bool {
        let twice = match self.twice {
            Twice::All => true,
            Twice::First => tile == 0,
            Twice::None => false,
        };
        twice && Trust::of(&self.problem, &self.target) != Trust::Nothing
    }

    /// Whether a plan with each sequence once is better than another, of shorter ones.
    pub(in crate::plan) fn is_worth_care(&self, other: &Plan) -> bool {
        let [own, other] = [self, other].map(|plan| plan.bounds().cycles());
        own.saturating_mul(CARE.0) <= other.saturating_mul(CARE.1)
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Locality, TEMPS, planned};

    /// Where sequences need slots: two besides those that conversions work with, one for a moment, and one for what is
    /// looked at.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn sequences_that_hope_leave_registers_for_it() {
        for pair in [
            "bf16:oihw:256x64x5x5 s8:OIhw4i64o4i",
            "bf16:oihw:32x128x5x5 s8:ohwi",
            "f32:oihw:64x32x5x5 u8:hwio",
        ] {
            let plan = planned(pair, "spr".parse().unwrap(), Locality::Auto);
            for tiling in plan.nests().filter_map(|nest| nest.tiling.as_ref()) {
                let registers = tiling.tiles.iter().map(|tile| tile.found.program.registers);
                assert!(registers.max().unwrap() + TEMPS + 2 <= 32, "{pair}");
            }
        }
    }
}
