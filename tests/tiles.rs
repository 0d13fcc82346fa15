//! Tiles of plans: every sequence of every public case moves what its tile should, on each target with
//! vector registers, and registers are as wide as the target's where rows fill them.

mod common;
mod harness;
mod model;

use std::collections::HashSet;

use common::*;
use harness::case::Case;
use harness::lines;
use retile::plan::{Locality, Plan, plan_with};
use retile::shuffle::check;
use retile::{Problem, Target};

const TARGETS: [&str; 4] = ["haswell", "skx", "spr", "zen5"];

const PERF: [&str; 2] =
    [include_str!("data/cases/perf-moves.txt"), include_str!("data/cases/perf-convert.txt")];

fn planned(line: &str, target: &str, locality: Locality) -> Plan {
    let case = Case::parse(line).unwrap_or_else(|error| panic!("{error}"));
    let (problem, _) = Problem::new(&case.src, &case.dst, &case.attr()).unwrap();
    plan_with(&problem, &target.parse::<Target>().unwrap(), locality)
}

#[test]
fn every_sequence_moves_its_tile() {
    let mut failures = Failures::default();
    let mut seen = HashSet::new();
    let cases = lines(include_str!("data/cases/check.txt")).chain(PERF.into_iter().flat_map(lines));
    for (line, target) in cases.flat_map(|line| TARGETS.map(|target| (line, target))) {
        for locality in [Locality::Auto, Locality::Stream] {
            let plan = planned(line, target, locality);
            for nest in plan.boxes.iter().flat_map(|one| &one.nests) {
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
/// narrower ones.
#[test]
fn rows_that_fill_registers_use_them() {
    let mut failures = Failures::default();
    let mut count = 0;
    for (line, target) in
        PERF.into_iter().flat_map(lines).flat_map(|line| TARGETS.map(|target| (line, target)))
    {
        let plan = planned(line, target, Locality::Auto);
        let bounds = plan.bounds();
        let (narrow, stored) = (bounds.narrow, bounds.stored);
        count += 1;
        failures.check(narrow * 100 <= stored, || {
            format!("{target} {line}: {narrow} of {stored} bytes\n{plan}")
        });
    }
    failures.none(count);
}
