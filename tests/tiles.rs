//! Tiles of plans: every sequence of every public case moves what its tile should, on each target with
//! vector registers, and registers are as wide as the target's where rows fill them.
#![cfg(not(miri))] // plans by the hundred

mod common;
mod harness;
mod model;

use std::collections::HashSet;

use common::*;
use harness::case::Case;
use harness::{lines, tiers};
use retile::plan::{Locality, Nest, Plan, Work, plan_with};
use retile::problem::Operand;
use retile::shuffle::check;
use retile::{Problem, Target};

const PERF: [&str; 2] =
    [include_str!("data/cases/perf-moves.txt"), include_str!("data/cases/perf-convert.txt")];

fn planned(line: &str, target: &str, locality: Locality) -> Plan {
    let case = Case::parse(line).unwrap_or_else(|error| panic!("{error}"));
    let (problem, _) = Problem::new(&case.src, &case.dst, &case.attr()).unwrap();
    plan_with(&problem, &target.parse::<Target>().unwrap(), locality)
}

/// Each line on some targets.
fn on_targets<'a>(
    lines: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = (&'a str, &'static str)> {
    let named = lines.enumerate();
    named.flat_map(|(turn, line)| tiers::names(turn).map(move |target| (line, target)))
}

#[test]
fn every_sequence_moves_its_tile() {
    let mut failures = Failures::default();
    let mut seen = HashSet::new();
    let cases = lines(include_str!("data/cases/check.txt")).chain(PERF.into_iter().flat_map(lines));
    for (line, target) in on_targets(cases) {
        for locality in [Locality::Auto, Locality::Stream] {
            let plan = planned(line, target, locality);
            for nest in plan.nests() {
                let Some(tiling) = &nest.tiling else {
                    failures.add(format!("{target} {line}: no tiles for {nest}"));
                    continue;
                };
                for tile in &tiling.tiles {
                    let movement = nest.movement(&tile.chunks, &plan);
                    let program = &tile.found.program;
                    if seen.insert((target, format!("{movement:?}"))) {
                        let told = check(&movement, program, &plan.target);
                        failures.check(told.is_ok(), || {
                            format!(
                                "{target} {line}\n  {nest}\n  {movement:?}\n{}\n{program}",
                                told.unwrap_err()
                            )
                        });
                    }
                }
            }
        }
    }
    failures.none(seen.len());
}

/// Of the bytes of each line that are in rows as long as a register, no more than a hundredth go in
/// narrower ones; where elements become others, ends of rows may be two.
#[test]
fn rows_that_fill_registers_use_them() {
    let mut failures = Failures::default();
    let mut count = 0;
    for (line, target) in on_targets(PERF.into_iter().flat_map(lines)) {
        let plan = planned(line, target, Locality::Auto);
        let bounds = plan.bounds();
        let (narrow, stored) = (bounds.narrow, bounds.stored);
        count += 1;
        // The last 16 of 784 are a little more than two hundredths.
        let most = if plan.problem.moves_bits() { 10 } else { 21 };
        failures.check(narrow * 1000 <= most * stored, || {
            format!("{target} {line}: {narrow} of {stored} bytes\n{plan}")
        });
    }
    failures.none(count);
}

/// Whether two steps of a loop lie side by side on either side, wherever folds along it start.
fn has_run(nest: &Nest, plan: &Plan) -> bool {
    let side_by_side = |l: usize| {
        let (node, strides) = (&nest.loops[l], nest.strides(l, &plan.problem));
        let (from, to) = (strides[Operand::Src as usize], strides[Operand::Dst as usize]);
        let size = |size: usize| size as isize;
        let reads = nest.work == Work::Move && from.abs() == size(plan.problem.src.size());
        let digit = |fold: u8| plan.problem.folds[fold as usize].digits[0].0;
        node.extent > 1
            && node.table.is_none()
            && node.folds.iter().all(|&(fold, weight)| weight.abs() < digit(fold))
            && (reads || to == size(plan.problem.dst.size()))
    };
    (0..nest.loops.len()).any(side_by_side)
}

/// What moves bits is not left to loops over single elements where there is anything in a row, along folds
/// as elsewhere.
#[test]
fn rows_are_not_moved_one_by_one() {
    let mut failures = Failures::default();
    let (mut count, mut folds) = (0, 0);
    let cases = lines(include_str!("data/cases/check.txt")).chain(PERF.into_iter().flat_map(lines));
    // Blocks that do not divide one another, more than a table lists.
    let cases = cases.chain(["u8:aBc1000b:2x5000x3 aBc1024b"]);
    for (line, target) in on_targets(cases) {
        let plan = planned(line, target, Locality::Auto);
        if !plan.problem.moves_bits() {
            continue;
        }
        for nest in plan.nests().filter(|n| has_run(n, &plan)) {
            count += 1;
            folds += usize::from(nest.loops.iter().any(|node| !node.folds.is_empty()));
            let elements: usize = nest.tiling.iter().flat_map(|tiling| &tiling.takes).product();
            failures.check(elements > 1, || format!("{target} {line}: {nest}"));
        }
    }
    assert!(folds > 20, "{folds} nests along folds");
    failures.none(count);
}
