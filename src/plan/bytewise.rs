//! Bytes that become other bytes, each for itself. In: a problem and a target. Out: what is done to a register of them in
//! place of arithmetic on longer elements.

use crate::problem::{Operand, Problem};
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
}

/// Of fewer elements a table takes longer to make than it saves.
const WORTH_A_TABLE: usize = 512;

impl Bytewise {
    /// None where elements are longer than bytes, or have to become so, or stay what they are.
    pub(crate) fn of(problem: &Problem, target: &Target) -> Option<Bytewise> {
        let (from, to, arith) = (problem.src, problem.dst, &problem.arith);
        match arith.shifts_bytes(from, to) {
            _ if from.size() != 1 || to.size() != 1 => None,
            Some(operand) => Some(Bytewise::Shifted(operand)),
            None if !arith.is_formula() => (from != to).then_some(Bytewise::Clamped),
            None => looks_up(problem, target).then_some(Bytewise::LookedUp),
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

/// Whether what becomes of a byte is the same wherever it lies and whatever lay there before, and registers hold it for
/// all bytes.
fn looks_up(problem: &Problem, target: &Target) -> bool {
    let values = Operand::SrcScale as usize..=Operand::DstZeroPoint as usize;
    let elements = problem.lines.iter().map(|line| line.data.len());
    target.tier.permute_grain() == 1
        && problem.arith.sum.is_none()
        && elements.fold(1, usize::saturating_mul) >= WORTH_A_TABLE
        && { values }.all(|operand| problem.values(operand).1 == 1)
}
