//! Sequences for tame values. In: a problem and a target. Out: whether each sequence is there twice, once for values
//! that leave less to do and once for any.

use super::bytewise::Bytewise;
use crate::problem::{Problem, VALUES, stays_within};
use crate::target::Target;

/// Whether tame values leave less to do. Very many are not looked at: that would take as long as what they are for.
/// Bytes that stay bytes have steps of their own, and the table that they may be looked up in is made by those for any
/// values.
pub(crate) fn is_tamed(problem: &Problem, target: &Target) -> bool {
    let (from, to, arith) = (problem.src, problem.dst, &problem.arith);
    let whole = !from.is_float() && arith.is_formula() && arith.sum.is_none();
    // What bytes are left upon is taken off with their zero point.
    let based = arith.has_byte_points(from) && target.spreads();
    let less = arith.is_scaled() || based || stays_within(from, to);
    whole
        && less
        && Bytewise::of(problem, target).is_none()
        && !{ VALUES }.any(|operand| problem.is_raw(operand))
}
