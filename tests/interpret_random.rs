//! Kernels against the reference, over layouts and arithmetic drawn at random. `RETILE_CASES` and
//! `RETILE_SEED` draw more, and others.
#![cfg(not(miri))] // kernels and plans by the hundred; tests/exact.rs has small ones

mod common;
mod harness;
mod model;

use common::*;
use harness::case::Case;
use harness::search::{self, Tape};
use harness::{Depth, compare, pairs};
use retile::Target;
use retile::plan::plan;
use retile::problem::Problem;

/// What the cases drawn have in common with one another, and in which they differ.
#[derive(Debug, Default)]
struct Reached {
    run: usize,
    refused: usize,
    empty: usize,
    tables: usize,
    folds: usize,
    along_folds: usize,
    tails: usize,
    multiple: usize,
    formulas: usize,
    conversions: usize,
    sums: usize,
    many_values: usize,
    regions: usize,
    margins: usize,
}

impl Reached {
    /// Whether so few cases were asked for that they need not have everything in them.
    fn few(&self) -> bool {
        self.run < 400
    }

    fn add(&mut self, case: &Case) {
        let (problem, _) = Problem::new(&case.src, &case.dst, &case.attr()).unwrap();
        let nodes = || problem.lines.iter().flat_map(|line| &line.nodes);
        let margins =
            |layout: &Layout| (0..layout.rank()).any(|d| layout.lower(d) + layout.upper(d) != 0);
        self.run += 1;
        self.empty += usize::from(case.dst.is_empty());
        self.tables += usize::from(nodes().any(|node| node.table.is_some()));
        self.folds += usize::from(!problem.folds.is_empty());
        self.along_folds += usize::from(along_folds(&problem));
        self.tails += usize::from(!problem.tails.is_empty());
        self.multiple += usize::from(problem.lines.iter().any(|line| line.nodes.len() > 1));
        self.formulas += usize::from(problem.arith.is_formula());
        self.conversions += usize::from(problem.src != problem.dst);
        self.sums += usize::from(problem.arith.is_compensated());
        let counts = case.attr().value_counts(case.src.dims());
        self.many_values += usize::from(counts.iter().any(|count| *count > 2048));
        self.regions += usize::from(case.src.is_region() || case.dst.is_region());
        self.margins += usize::from(margins(&case.src) || margins(&case.dst));
    }
}

/// Whether a plan decides at run time how many steps along folds a tile takes.
fn along_folds(problem: &Problem) -> bool {
    let plan = plan(problem, &"spr".parse::<Target>().unwrap());
    let tilings = plan.nests().filter_map(|nest| nest.tiling.as_ref());
    tilings.flat_map(|tiling| &tiling.steps).any(|step| !step.within.is_empty())
}

fn search(usual: u64, draw: impl Fn(&mut Tape) -> Case) -> Reached {
    let mut reached = Reached::default();
    let failures = search::failures(search::cases(usual), 12, |tape| {
        let case = draw(tape);
        match compare(&case, Depth::Full)? {
            true => reached.add(&case),
            false => reached.refused += 1,
        }
        Ok(())
    });
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
    reached
}

#[test]
fn any_pair() {
    let names = names();
    let reached = search(1500, |tape| pairs::case(tape, &names));
    if reached.few() {
        return;
    }
    let part = reached.run / 80;
    let Reached { tables, folds, multiple, formulas, conversions, sums, .. } = reached;
    let often = [tables, folds, multiple, formulas, conversions, sums];
    let Reached { refused, regions, margins, .. } = reached;
    assert!(often.into_iter().chain([regions, margins]).all(|n| n > part), "{reached:?}");
    assert!(refused * 4 < reached.run, "{reached:?}");
}

/// Lists of about as many values as are made ready before a run, and of more.
#[test]
fn long_lists_of_values() {
    let names = names();
    let reached = search(400, |tape| pairs::valued(tape, &names));
    let often = reached.many_values * 4 > reached.run && reached.formulas * 10 > 9 * reached.run;
    assert!(often || reached.few(), "{reached:?}");
}

/// Tables of more than 1024 entries, which are folds, among them.
#[test]
fn long_digits() {
    let names = names();
    let reached = search(500, |tape| pairs::long(tape, &names));
    let often = reached.folds * 8 > reached.run && reached.tables * 32 > reached.run;
    assert!(often || reached.few(), "{reached:?}");
}

/// Axes that merge dims, in digits that no loop ends at.
#[test]
fn merged_axes() {
    let names = names();
    let reached = search(600, |tape| pairs::merged(tape, &names));
    let often = reached.folds * 4 > reached.run && reached.along_folds * 8 > reached.run;
    assert!(often || reached.few(), "{reached:?}");
}
