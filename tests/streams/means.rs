//! Which means a plan has, by name, and how many plans had them.

use std::collections::BTreeMap;

use retile::plan::{Converts, Cut, Nest, Plan, Stores, Tiling, Work};
use retile::problem::Operand;

/// So many rows of a block come together, where they do not all at once.
const ROWS: usize = 64;

pub(super) fn tiled(plan: &Plan) -> impl Iterator<Item = (&Nest, &Tiling)> {
    let nests = plan.nests();
    nests.filter_map(|nest| Some((nest, nest.tiling.as_ref()?)))
}

pub(super) fn tilings(plan: &Plan) -> impl Iterator<Item = &Tiling> {
    tiled(plan).map(|(_, tiling)| tiling)
}

/// How many steps of a loop are taken together at first, where its steps are taken in blocks.
fn blocks(tiling: &Tiling) -> Option<usize> {
    let again =
        |&k: &usize| tiling.steps[k + 1..].iter().any(|step| step.index == tiling.steps[k].index);
    (0..tiling.steps.len()).find(again).map(|k| tiling.steps[k].by)
}

/// Whether tiles of two steps take their source from a copy.
fn copies_blocks(tiling: &Tiling) -> bool {
    let inner = |step: usize| tiling.steps.len() - step == 2;
    tiling.converts != Converts::Staged && tiling.stage.as_ref().is_some_and(|s| inner(s.step))
}

/// Whether rows are those of two loops.
fn two_loops(tiling: &Tiling) -> bool {
    tiling.stage.as_ref().is_some_and(|stage| stage.across.len() == 2)
}

/// Whether what comes together several times takes its source from one copy.
fn copies_and_carries(tiling: &Tiling) -> bool {
    let inside = tiling.carry.as_ref().map_or(0, |carry| carry.inside);
    tiling.converts != Converts::Staged && tiling.stage.as_ref().is_some_and(|s| s.step < inside)
}

/// Whether the innermost step leads on along a loop whose steps are elements on both sides.
fn along_runs(nest: &Nest, tiling: &Tiling) -> bool {
    let own = |k: usize| nest.loops[tiling.steps[k].index].strides;
    let last = tiling.steps.len().checked_sub(1);
    let [src, dst] = [Operand::Src as usize, Operand::Dst as usize];
    last.is_some_and(|k| own(k)[src] == own(k)[dst] && own(k)[dst] <= 8)
}

/// The step along the line that tasks share, if they share one that this nest walks.
fn shares(nest: &Nest, tiling: &Tiling) -> Option<usize> {
    match nest.cut {
        Cut::Shared { walks: true, .. } => tiling.steps.iter().position(|step| step.index == 0),
        _ => None,
    }
}

/// Which means a plan has.
fn means(plan: &Plan) -> Vec<&'static str> {
    let mut found = Vec::new();
    for (nest, tiling) in tiled(plan) {
        let streams = matches!(tiling.stores, Stores::Stream { .. });
        let adds = plan.problem.arith.is_compensated();
        let blocked = tiling.carry.as_ref().is_some_and(|carry| {
            let own = tiling.steps[carry.step].index;
            tiling.steps[..carry.step].iter().any(|step| step.index == own)
        });
        let single = tiling.carry.as_ref().is_some_and(|carry| carry.rows == 1);
        let turns = tiling.carry.as_ref().is_some_and(|carry| carry.waiting > carry.rows);
        for (there, name) in [
            (tiling.carry.is_some() && !single, "rows carried"),
            (single, "one row carried"),
            (blocked, "rows carried in blocks"),
            (turns, "rows carried by turns"),
            (single && blocks(tiling).is_some_and(|by| by < ROWS), "part of a block carried"),
            (tiling.turns.is_some(), "parts abreast"),
            (tiling.part > 0, "rows in parts of known pages"),
            (streams && along_runs(nest, tiling), "runs in common led on"),
            (streams && copies_blocks(tiling), "blocks copied past the caches"),
            (tiling.stage.is_some(), "rows staged"),
            (tiling.stage.is_some() && tiling.carry.is_some(), "rows staged and carried"),
            (copies_blocks(tiling), "blocks copied"),
            (copies_and_carries(tiling), "blocks copied and carried"),
            (two_loops(tiling), "blocks of rows of two loops copied"),
            (tiling.converts == Converts::Staged, "rows converted first"),
            (tiling.fetch != 0, "source asked for"),
            (tiling.evenly, "lines asked for evenly"),
            (tiling.stage.as_ref().is_some_and(|stage| stage.ahead != 0), "copies ask"),
            (tiling.ask.is_some(), "blocks asked for"),
            (tiling.onward.is_some(), "next block asked for by tiles"),
            (matches!(tiling.stores, Stores::Keep { ahead: 1.., .. }), "destination asked for"),
            (tiling.alone[0], "source's lines alone"),
            (tiling.alone[1], "destination's lines alone"),
            (matches!(tiling.stores, Stores::Keep { group: 1.., .. }), "groups of rows kept"),
            (matches!(tiling.stores, Stores::Stream { carry: false, .. }), "past the caches"),
            (streams && adds && nest.work == Work::Move, "rows added up past the caches"),
            (shares(nest, tiling).is_some_and(|step| step > 0), "tasks share inner steps"),
        ] {
            if there && !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

/// How many plans had which means.
#[derive(Debug, Default)]
pub(super) struct Seen(BTreeMap<&'static str, usize>);

impl Seen {
    pub(super) fn add(&mut self, plan: &Plan) {
        for name in means(plan) {
            *self.0.entry(name).or_default() += 1;
        }
    }

    #[track_caller]
    pub(super) fn had(&self, name: &str) {
        assert!(self.0.contains_key(name), "no plan has {name}: {self:?}");
    }
}
