//! What changing elements costs. In: a problem, and where its tiles convert. Out: the operations that as many elements
//! take as a register holds in their longer form.

pub(super) mod bytewise;
pub(super) mod given;
pub(super) mod trust;

use super::tile::Converts;
use crate::DType;
use crate::problem::{Arith, Problem};
use crate::shuffle::Change;
use crate::target::Target;
use bytewise::Bytewise;
use trust::hopes;

/// What changing elements costs: so many operations for as many as a register holds in their longer form.
pub(super) fn change(problem: &Problem, converts: Converts, target: &Target) -> Change {
    let (from, to, arith) = (problem.src, problem.dst, &problem.arith);
    let still = matches!(converts, Converts::Never | Converts::Staged);
    if still || from == to && !arith.is_formula() {
        return Change::default();
    }
    let element = from.size().max(to.size()).max(4);
    let unit = (target.tier.vector() / element).max(1) as u8;
    if let Some(bytewise) = Bytewise::of(problem, target) {
        let unit = target.tier.vector() as u8;
        let stores = match bytewise {
            Bytewise::Clamped => (1, 0),
            Bytewise::Shifted(_) => (2 + u8::from(from != to), 0),
            Bytewise::Added => (1 + 2 * u8::from(from != to), 0),
            Bytewise::LookedUp => (4, 2),
            Bytewise::InPairs => (10, 7),
        };
        let stored = if to.size() > 1 { unit / to.size() as u8 } else { 0 };
        return Change { unit, stores, stored, ..Change::default() };
    }
    let formula = arith.values().count() as u8 + sum(to, element, arith);
    // Elements that are halves of floats become so two at a time, if their order is put right with that of the rest.
    let halves = Arith::pairs_halves(from, to) && converts == Converts::Loads;
    let longer = u8::from(from.size() < element);
    let (widens, places) = match from {
        DType::Bf16 if halves => (1, 0),
        DType::Bf16 if target.spreads() && converts == Converts::Stores => (1, 1),
        DType::Bf16 | DType::F16 => (2, 1),
        _ => (longer, longer),
    };
    let float = u8::from(!from.is_float() && (arith.is_formula() || to.is_float()));
    let (short, small) = (arith.keeps_bytes(from), arith.keeps_f16(from));
    let hopes = hopes(problem, converts, target);
    let instructed = target.makes_bf16() && (arith.sum.is_none() || from.size() < element);
    let looks = u8::from(arith.has_denormals(from, true));
    let narrows = match to {
        DType::Bf16 if short => 1,
        DType::Bf16 if instructed => 1 + looks,
        // The conversion, and what two of them are looked at by.
        DType::S8 | DType::U8 if hopes => 2,
        DType::S8 if small && target.tier.masks() => 2,
        DType::S8 => 3,
        DType::U8 => 2,
        DType::S32 if from.is_float() || arith.is_formula() => 4,
        DType::Bf16 if small => 4,
        DType::Bf16 => 5,
        DType::F16 => 1,
        _ => 0,
    };
    let joins = u8::from(to.size() < element);
    // Where masks come of permutations' port, so does what looks for denormals; the instruction takes two of these for a
    // unit as for two, and halves of a register are put together by one.
    let (more, alone, pairs) = match to {
        DType::Bf16 if instructed && !short && !target.ports.compares_bits => (1, 1 + looks, -2),
        DType::F16 if target.tier.masks() && !target.ports.compares_bits => (0, 0, 1),
        _ => (0, 0, 0),
    };
    let all = (widens + float + formula + narrows + joins + more, places + joins + alone);
    match converts {
        Converts::Loads => {
            let whole = if halves { 2 * unit } else { unit };
            Change { unit, whole, loads: all, pairs, ..Change::default() }
        }
        _ => {
            let longer = to.size() > from.size();
            let stored = if longer { (target.tier.vector() / to.size()) as u8 } else { 0 };
            Change { unit, stores: all, stored, ..Change::default() }
        }
    }
}

/// Operations that add what was there before: to make it longer, and a float, to multiply it and to add it.
fn sum(to: DType, element: usize, arith: &Arith) -> u8 {
    let steps = [to.size() < element, !to.is_float(), !arith.adds_once(), true];
    if arith.sum.is_some() { steps.into_iter().map(u8::from).sum() } else { 0 }
}
