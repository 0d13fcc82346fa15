//! What a problem must be for it to be planned. In: one that was read from text. Out: whether the layouts and attributes
//! of any pair could have made the like, or an error.

use super::{DST, Line, MAX_FOLDS, Node, OPERANDS, Problem, SRC, Tail};
use crate::dtype::convert;
use crate::{DType, Error, MAX_RANK, Result};

/// Types that become one another, and arithmetic that they have.
pub(super) fn types(problem: &Problem, types: &str) -> Result<()> {
    let Problem { src, dst, arith, .. } = problem;
    let arithmetic =
        !(arith.is_formula() || arith.is_compensated()) || convert::arithmetic_allowed(*src, *dst);
    let sums = !arith.is_compensated() || *dst == DType::S8;
    let finite = arith.sum.is_none_or(|beta| f32::from_bits(beta).is_finite());
    match convert::allowed(*src, *dst) && arithmetic && sums && finite {
        true => Ok(()),
        false => Err(Error::text(types, "types that a conversion is between, with its arithmetic")),
    }
}

/// No operand is longer than memory.
pub(super) fn reach(problem: &Problem, text: &str) -> Result<()> {
    let tails = problem.tails.iter().flat_map(|tail| &tail.instead);
    let nodes = || problem.lines.iter().chain(tails.clone()).flat_map(|line| &line.nodes);
    let steps = |node: &Node| node.extent.saturating_sub(1).max(1) as i128;
    let far = |offset: &isize| offset.unsigned_abs();
    let mut reach = [0i128; OPERANDS];
    for node in nodes() {
        for (reach, &stride) in reach.iter_mut().zip(&node.strides) {
            lead(reach, stride, steps(node));
        }
        let entries = || node.table.iter().flat_map(|table| table.iter());
        lead(&mut reach[SRC], entries().map(|entry| entry.0).max_by_key(far).unwrap_or(0), 1);
        lead(&mut reach[DST], entries().map(|entry| entry.1).max_by_key(far).unwrap_or(0), 1);
    }
    for (k, fold) in problem.folds.iter().enumerate() {
        let mut positions = 0;
        lead(&mut positions, fold.start, 1);
        for node in nodes() {
            let own = node.folds.iter().filter(|step| step.0 as usize == k);
            own.for_each(|step| lead(&mut positions, step.1, steps(node)));
        }
        let reach = &mut reach[if fold.dst { DST } else { SRC }];
        // Positions are counted, whatever they stand for.
        lead(reach, 1, if positions > isize::MAX as i128 { positions } else { 0 });
        for (i, &(radix, stride)) in fold.digits.iter().enumerate() {
            let last = i + 1 == fold.digits.len();
            lead(reach, stride, if last { positions } else { positions.min(radix as i128 - 1) });
            positions /= radix as i128;
        }
    }
    problem.tails.iter().for_each(|tail| lead(&mut reach[DST], tail.base, 1));
    match reach.iter().all(|&reach| reach <= isize::MAX as i128) {
        true => Ok(()),
        false => Err(Error::text(text, "a problem whose operands are shorter than memory")),
    }
}

/// Leads on, so many times by so much.
fn lead(reach: &mut i128, by: isize, times: i128) {
    *reach = reach.saturating_add((by as i128).abs().saturating_mul(times));
}

/// Steps along folds that there are, and tails in place of lines that there are.
pub(super) fn references(problem: &Problem, text: &str) -> Result<()> {
    let folds = |line: &Line| {
        line.nodes
            .iter()
            .flat_map(|node| &node.folds)
            .all(|step| (step.0 as usize) < problem.folds.len())
    };
    let tails = |tail: &Tail| {
        (tail.fold as usize) < problem.folds.len()
            && tail.lines.iter().all(|line| (*line as usize) < problem.lines.len())
            && tail.instead.iter().all(folds)
    };
    if problem.tails.len() > MAX_RANK || problem.folds.len() > MAX_FOLDS {
        return Err(Error::text(text, "a problem of as many folds and tails as layouts can give"));
    }
    let nodes = || problem.lines.iter().flat_map(|line| &line.nodes);
    if nodes().any(|node| node.extent == 0) && nodes().count() > 1 {
        return Err(Error::text(text, "a problem of nothing as one node, like 0(s0,d0)"));
    }
    let most = isize::MAX as usize / problem.dst.size();
    let mut extents = problem.lines.iter().map(Line::extent);
    if extents.try_fold(1usize, |n, e| n.checked_mul(e)).is_none_or(|n| n > most) {
        return Err(Error::text(text, "a problem of fewer positions than memory has bytes"));
    }
    match problem.lines.iter().all(folds) && problem.tails.iter().all(tails) {
        true => Ok(()),
        false => {
            Err(Error::text(text, "a problem whose nodes and tails name its own folds and lines"))
        }
    }
}
