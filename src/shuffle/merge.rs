//! Merges. In: any movement. Out: for each row of the destination a register put together from those
//! that hold its elements: loaded in place, permuted and blended, or gathered block by block.
//!
//! Four ways are weighed for the rows that are not simply loaded. First, where a register has room for pieces of all
//! runs that a row needs, these are loaded into it side by side, and the row is one permutation. Then each row permutes
//! what it needs of every register; rows share permutations, where one of a register serves them all (as with 3
//! channels, since 3 and the number of lanes have no common divisor); or registers are blended before they are
//! permuted, the same the other way round. Where no permutation reaches across a register, rows are joined from halves
//! that share permutations, or gathered from 16-byte windows of the source.
//!
//! All of this again where registers may be loaded over gaps, if there are any between the elements; and of runs with
//! gaps between their elements, where one lies in the gaps of another, pieces that hold both.
//!
//! Each is written row by row, and given up as soon as what there is of it, and what is known to come, costs as much as
//! a way that was found before; most are before their first row.

mod halves;
mod packs;
mod rows;
mod shares;
mod ways;
mod windows;

use smallvec::SmallVec;

use super::schedule::Draft;
use super::{Candidate, Movement};
use crate::target::Target;
use rows::{Elements, Rows};
use shares::Shares;
use ways::{Way, Writer};

/// A merge written out.
pub(super) struct Merged {
    /// [`Cost::cycles`] of its operations.
    pub(super) price: u64,
    pub(super) draft: Draft,
}

/// What the ways are called where runs are of elements alone and where they go on over gaps.
const NAMES: [[&str; 4]; 2] = [
    ["packed pieces", "merged rows", "shared permutes", "blends first"],
    ["packed pieces over gaps", "rows over gaps", "shared permutes over gaps", "blends over gaps"],
];

/// The cheapest merge, if one is cheaper than `ceiling`.
pub(super) fn merge(
    movement: &Movement,
    target: &Target,
    ceiling: u64,
    weighed: &mut SmallVec<[Candidate; 4]>,
) -> Option<Merged> {
    let elements = Elements::of(movement);
    let rows = Rows::of(&elements, movement, 0, target);
    if !movement.over || rows.runs.len() == 1 {
        return merge_rows(&rows, movement, target, ceiling, NAMES[0], weighed);
    }
    // Over gaps first, as that is mostly cheaper; the others are as good if they cost as much.
    let over = Rows::of(&elements, movement, target.line, target);
    let best = merge_rows(&over, movement, target, ceiling, NAMES[1], weighed);
    let least = best.as_ref().map_or(ceiling, |best| best.price + 1);
    let best = merge_rows(&rows, movement, target, least, NAMES[0], weighed).or(best);
    let ceiling = best.as_ref().map_or(ceiling, |best| best.price);
    let within = over.interleaved(movement.src_size, target);
    let within = within.and_then(|rows| {
        merge_packs(&rows, movement, target, ceiling, "runs within gaps", weighed)
    });
    within.or(best)
}

/// Rows that are permuted of packs, each of its own.
fn merge_packs(
    rows: &Rows,
    movement: &Movement,
    target: &Target,
    ceiling: u64,
    name: &'static str,
    weighed: &mut SmallVec<[Candidate; 4]>,
) -> Option<Merged> {
    if rows.least_of_packs().cycles(target) >= ceiling {
        return None;
    }
    let shares: Vec<Shares> = rows.rows.iter().map(|row| Shares::of(rows, row, target)).collect();
    if shares.iter().any(|row| matches!(row, Shares::Windowed(_))) {
        return None;
    }
    let (draft, cost) = Writer::write(rows, &shares, movement, target, Way::Each, ceiling)?;
    let price = cost.cycles(target);
    weighed.push(Candidate { name, cost, price });
    Some(Merged { price, draft })
}

fn merge_rows(
    rows: &Rows,
    movement: &Movement,
    target: &Target,
    ceiling: u64,
    [packed_name, names @ ..]: [&'static str; 4],
    weighed: &mut SmallVec<[Candidate; 4]>,
) -> Option<Merged> {
    if rows.stored.cycles(target) >= ceiling {
        return None;
    }
    // A row takes a blend, or a masked permutation or load, for each register but one.
    let joins: usize = rows.rows.iter().map(|row| row.inputs(rows).saturating_sub(1)).sum();
    let packed = if joins > 0 { rows.packed(movement.src_size, ceiling, target) } else { None };
    let mut best =
        packed.and_then(|rows| merge_packs(&rows, movement, target, ceiling, packed_name, weighed));
    let mut least = rows.stored;
    least.counts.blends += joins as u32;
    if least.cycles(target) >= ceiling {
        return best;
    }
    let shares: Vec<Shares> = rows.rows.iter().map(|row| Shares::of(rows, row, target)).collect();
    // Where no registers are permuted that are to be blended the ways are one.
    let permuted = shares.iter().any(|row| row.permuted().len() > 1);
    let windowed = shares.iter().any(|row| matches!(row, Shares::Windowed(2..)));
    let shared = permuted || windowed && rows.lanes == 2 * rows.block;
    let blended = permuted || windowed;
    for (way, name) in [Way::Each, Way::Shared, Way::Blended].into_iter().zip(names) {
        if way == Way::Shared && !shared || way == Way::Blended && !blended {
            continue;
        }
        let least = best.as_ref().map_or(ceiling, |best| best.price);
        let Some((draft, cost)) = Writer::write(rows, &shares, movement, target, way, least) else {
            continue;
        };
        let price = cost.cycles(target);
        weighed.push(Candidate { name, cost, price });
        best = Some(Merged { price, draft });
    }
    best
}
