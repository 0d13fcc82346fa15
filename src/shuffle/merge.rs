//! Merges. In: any movement. Out: for each row of the destination a register put together from those
//! that hold its elements: loaded in place, permuted and blended, or gathered block by block.
//!
//! Three ways are weighed for the rows that are not simply loaded: each row permutes what it needs; rows
//! share permutations, where one of a register serves them all (as with 3 channels, since 3 and the
//! number of lanes have no common divisor); or registers are blended before they are permuted, the
//! same the other way round.

mod rows;
mod ways;
mod windows;

use smallvec::SmallVec;

use super::schedule::Draft;
use super::{Candidate, Cost, Movement};
use crate::target::Target;
use rows::Rows;
use ways::{Way, Writer};

/// The cheapest merge, and its cost.
pub(super) fn merge(
    movement: &Movement,
    target: &Target,
    weighed: &mut SmallVec<[Candidate; 4]>,
) -> (Cost, Draft) {
    let rows = Rows::of(movement, target);
    let mut best: Option<(Cost, Draft)> = None;
    for (way, name) in [
        (Way::Each, "merged rows"),
        (Way::Shared, "shared permutes"),
        (Way::Blended, "blends first"),
    ] {
        let (draft, differs) = Writer::write(&rows, movement, target, way);
        if way != Way::Each && !differs {
            continue;
        }
        let cost = draft.cost(target);
        weighed.push(Candidate { name, cost });
        if best.as_ref().is_none_or(|(least, _)| cost.cycles(target) < least.cycles(target)) {
            best = Some((cost, draft));
        }
    }
    best.expect("there is always a way")
}
