//! Bytes that become other bytes, or pairs of them, each for itself. In: a problem and a target. Out: what is done to a
//! register of them in place of arithmetic on longer elements.

use crate::problem::{DST, Line, Operand, Problem, SRC, VALUES, Zone};
use crate::target::Target;

/// What is done to a register of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bytewise {
    /// They are kept within what both types hold.
    Clamped,
    /// The values of one operand are added or taken off.
    Shifted(Operand),
    /// What was there before is added.
    Added,
    /// Each is looked up in a table of all that there are, which is made at the start of a run.
    LookedUp,
    /// Each is looked up in two tables: elements of two bytes become of it.
    InPairs,
}

/// Of fewer elements a table takes longer to make than it saves, and so do two.
const WORTH_A_TABLE: usize = 512;
const WORTH_TWO: usize = 2048;

impl Bytewise {
    /// None where the source has no bytes, or they have to become longer before anything is done to them, or stay what
    /// they are.
    pub(crate) fn of(problem: &Problem, target: &Target) -> Option<Bytewise> {
        let (from, to, arith) = (problem.src, problem.dst, &problem.arith);
        match (to.size(), arith.shifts_bytes(from, to)) {
            _ if from.size() != 1 => None,
            (2, _) => in_pairs(problem, target).then_some(Bytewise::InPairs),
            (1, Some(operand)) => Some(Bytewise::Shifted(operand)),
            (1, None) if arith.adds_bytes(from, to) => Some(Bytewise::Added),
            (1, None) if !arith.is_formula() => (from != to).then_some(Bytewise::Clamped),
            (1, None) => looks_up(problem, target, WORTH_A_TABLE).then_some(Bytewise::LookedUp),
            _ => None,
        }
    }

    /// How many tables there are of all bytes.
    pub(crate) fn tables(self) -> usize {
        match self {
            Bytewise::Clamped | Bytewise::Shifted(_) | Bytewise::Added => 0,
            Bytewise::LookedUp => 1,
            Bytewise::InPairs => 2,
        }
    }

    /// The operand whose values are added or taken off.
    pub(crate) fn shift(self) -> Option<Operand> {
        match self {
            Bytewise::Shifted(operand) => Some(operand),
            _ => None,
        }
    }
}

/// Whether elements of two bytes are looked up: where permutations are cheap, and most of a register's bytes become
/// some.
fn in_pairs(problem: &Problem, target: &Target) -> bool {
    let full = !is_padded(problem) && !leaves_room(problem, target.line);
    let cheap = target.ports.extracts && target.spreads();
    cheap && full && looks_up(problem, target, WORTH_TWO)
}

/// Elements of all lines, or more than a number counts.
fn count(problem: &Problem, zone: impl Fn(&Line) -> Zone) -> usize {
    problem.lines.iter().map(|line| zone(line).len()).fold(1, usize::saturating_mul)
}

/// Whether more than a third of what is stored is padding, which would be looked up with the rest of its registers.
fn is_padded(problem: &Problem) -> bool {
    let [data, owned] = [count(problem, |line| line.data), count(problem, |line| line.owned)];
    owned - data.min(owned) > owned / 3
}

/// Whether rows that are columns of the source leave a part of a line that has no room for another: what is looked up
/// for one of them is less than half a register.
fn leaves_room(problem: &Problem, line: usize) -> bool {
    let mut nodes = problem.lines.iter().flat_map(|line| &line.nodes);
    let row = nodes.find(|node| node.strides[DST] == problem.dst.size() as isize);
    row.is_some_and(|row| {
        let bytes = row.extent.saturating_mul(problem.dst.size());
        row.strides[SRC] != problem.src.size() as isize && bytes > line / 2 && bytes < line
    })
}

/// Whether what becomes of a byte is the same wherever it lies and whatever lay there before, and registers hold it for
/// all bytes, of which there are so many at least.
fn looks_up(problem: &Problem, target: &Target, worth: usize) -> bool {
    target.tier.permute_grain() == 1
        && problem.arith.sum.is_none()
        && count(problem, |line| line.data) >= worth
        && { VALUES }.all(|operand| problem.values(operand).1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Locality, planned};
    use crate::{Attr, Layout};

    /// Whether a pair's bytes are looked up in two tables.
    fn is_looked_up(target: &str, pair: &str) -> bool {
        let plan = planned(pair, target.parse().unwrap(), Locality::Auto);
        Bytewise::of(&plan.problem, &plan.target) == Some(Bytewise::InPairs)
    }

    /// Where nothing else is done.
    #[test]
    fn bytes_are_added_as_they_are() {
        let target: Target = "haswell".parse().unwrap();
        let own = |to: &str, attr: Attr| {
            let src: Layout = "u8:ab:32x32".parse().unwrap();
            let (problem, _) = Problem::new(&src, &src.destination(to).unwrap(), &attr).unwrap();
            Bytewise::of(&problem, &target)
        };
        let once = Attr::new().sum(1.0);
        assert_eq!(own("s8:ba", once.clone()), Some(Bytewise::Added));
        assert_eq!(own("u8:ba", once.clone()), Some(Bytewise::Added));
        assert_eq!(own("f32:ba", once.clone()), None);
        for more in [Attr::new().sum(0.5), once.clone().src_scale(0), once.dst_zero_point(0)] {
            assert_eq!(own("u8:ba", more.clone()), None, "{more:?}");
        }
    }

    /// Of full registers, on cores that permute cheaply.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn pairs_are_looked_up_where_registers_are_full() {
        for (target, pair, expected) in [
            ("zen4", "u8:nhwc:1x64x56x56 f16:nchw", true),
            ("zen4", "s8:nchw:8x12x31x31 bf16:nhwc", true),
            ("zen4", "u8:nchw:8x24x32x32 bf16:nhwc", false),
            ("zen4", "u8:nhwc:8x24x32x32 bf16:nhwc", true),
            ("zen4", "u8:nchw:1x17x57x57 f16:nChw16c", false),
            ("zen4", "u8:ab:32x32 f16:ba", false),
            ("zen4:avx512", "u8:nhwc:1x64x56x56 f16:nchw", false),
            ("spr", "u8:nhwc:1x64x56x56 f16:nchw", false),
        ] {
            assert_eq!(is_looked_up(target, pair), expected, "{pair} for {target}");
        }
    }
}
