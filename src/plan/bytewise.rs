//! Bytes that become other bytes, or pairs of them, each for itself. In: a problem and a target. Out: what is done to a
//! register of them in place of arithmetic on longer elements.

use crate::problem::{Line, Operand, Problem, Zone};
use crate::target::Target;

/// What is done to a register of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bytewise {
    /// They are kept within what both types hold.
    Clamped,
    /// The values of one operand are added or taken off.
    Shifted(Operand),
    /// Each is looked up in a table of all that there are, which is made at the start of a run.
    LookedUp,
    /// The same in two tables: elements of two bytes become of it.
    InPairs,
}

/// Of fewer elements a table takes longer to make than it saves, and so do two.
const WORTH_A_TABLE: usize = 512;
const WORTH_TWO: usize = 2048;

impl Bytewise {
    /// None where elements are longer than bytes, or have to become so, or stay what they are.
    pub(crate) fn of(problem: &Problem, target: &Target) -> Option<Bytewise> {
        let (from, to, arith) = (problem.src, problem.dst, &problem.arith);
        match arith.shifts_bytes(from, to) {
            _ if from.size() == 1 && to.size() == 2 => {
                let pairs = target.spreads() && !is_padded(problem);
                (pairs && looks_up(problem, target, WORTH_TWO)).then_some(Bytewise::InPairs)
            }
            _ if from.size() != 1 || to.size() != 1 => None,
            Some(operand) => Some(Bytewise::Shifted(operand)),
            None if !arith.is_formula() => (from != to).then_some(Bytewise::Clamped),
            None => looks_up(problem, target, WORTH_A_TABLE).then_some(Bytewise::LookedUp),
        }
    }

    /// How many tables there are of all bytes.
    pub(crate) fn tables(self) -> usize {
        match self {
            Bytewise::Clamped | Bytewise::Shifted(_) => 0,
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

/// Elements of all lines, or more than a number counts.
fn count(problem: &Problem, zone: impl Fn(&Line) -> Zone) -> usize {
    problem.lines.iter().map(|line| zone(line).len()).fold(1, usize::saturating_mul)
}

/// Whether more than a third of what is stored is padding, which would be looked up with the rest of its registers.
fn is_padded(problem: &Problem) -> bool {
    let [data, owned] = [count(problem, |line| line.data), count(problem, |line| line.owned)];
    owned - data.min(owned) > owned / 3
}

/// Whether what becomes of a byte is the same wherever it lies and whatever lay there before, and registers hold it for
/// all bytes, of which there are so many at least.
fn looks_up(problem: &Problem, target: &Target, worth: usize) -> bool {
    let values = Operand::SrcScale as usize..=Operand::DstZeroPoint as usize;
    target.tier.permute_grain() == 1
        && problem.arith.sum.is_none()
        && count(problem, |line| line.data) >= worth
        && { values }.all(|operand| problem.values(operand).1 == 1)
}
