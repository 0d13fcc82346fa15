//! What adding up takes. In: classes of rows. Out: about how many bytes of code: those of each row, and what rows that
//! are added up together end with.

use super::super::{Nest, Plan, Tile};
use super::shape::SUM;
use super::{BLOCK, Class, Kind, Lanes, Shape, Together, classes, groups, runs, shape_in_order};
use crate::target::Tier;

/// Bytes of a row whose lanes are added up by fours, of one whose lanes are added up singly, and of one that is loaded
/// in pieces.
const BY_FOURS: usize = 28;
const SINGLY: usize = 40;
const IN_PIECES: usize = 24;

/// Of what rows of the same sums end with, for each kind of sums, and of each class more that ends with them. A line of
/// sums is read, made less and written.
const ENDS: usize = 48;
const JOINED: usize = 28;
const LINE_OF_SUMS: usize = 28;
/// Halves come together until a line, or a single sum, is left.
const FOLDS: usize = 30;
/// Sums come to an order, which is a constant.
const ORDER: usize = 16 + BLOCK * SUM;
const ACROSS: usize = 24;
/// All lanes in blocks of 16, or in their order, each run made longer.
const BLOCKS: usize = 60;
const IN_ORDER: usize = 50;
const READ: usize = 10;
/// Sums looked up one by one, each by an entry of a table.
const LOOP: usize = 70;
const ENTRY: usize = 8;

/// Bytes of code that add up the rows of a tile.
pub(in super::super) fn code_bytes(nest: &Nest, tile: &Tile, plan: &Plan) -> usize {
    let tier = plan.target.tier;
    of_classes(&classes(&plan.problem, tier, nest, tile), tier)
}

/// Bytes of code that add up rows in classes.
pub(super) fn of_classes(classes: &[Class], tier: Tier) -> usize {
    let width = tier.vector();
    // The same table serves all who look up the same.
    let mut tables: Vec<&Lanes> = Vec::new();
    let mut bytes = 0;
    for group in groups(classes, tier) {
        let group = &classes[group];
        for class in group {
            let pieces = class.rows.iter().filter(|row| row.count < width && !tier.masks()).count();
            bytes += pieces * IN_PIECES;
            bytes += match class.together {
                Together::Fours | Together::Brought(_) | Together::Twos => {
                    class.rows.len() * BY_FOURS
                }
                // Or an order in which they lie by fours after all.
                Together::Singles => class.rows.len() * SINGLY + width,
            };
        }
        bytes += ENDS + (group.len() - 1) * JOINED;
        for ends in ends(&group[0], tier) {
            bytes += match ends {
                Ends::Bytes(bytes) => bytes,
                Ends::Table(lanes) => {
                    if !tables.contains(&lanes) {
                        tables.push(lanes);
                    }
                    LOOP
                }
            };
        }
    }
    let entries = tables.into_iter().flatten().flatten().count();
    bytes + entries * ENTRY
}

/// What a kind of sums of a class ends with.
enum Ends<'a> {
    Bytes(usize),
    /// A table of these.
    Table(&'a Lanes),
}

fn ends(class: &Class, tier: Tier) -> Vec<Ends<'_>> {
    let kinds = class.kinds.iter();
    if class.together.by_fours() {
        return kinds.map(of_groups).collect();
    }
    if class.together == Together::Singles && class.blocks().is_some() {
        return vec![Ends::Bytes(kinds.len() * (BLOCKS + 2 * LINE_OF_SUMS))];
    }
    kinds.map(|kind| of_lanes(kind, tier)).chain([Ends::Bytes(IN_ORDER)]).collect()
}

/// Groups that are sums already.
fn of_groups(kind: &Kind) -> Ends<'_> {
    match shape_in_order(&kind.lanes) {
        (_, Shape::Anywhere) => Ends::Table(&kind.lanes),
        (_, Shape::One(_)) => Ends::Bytes(FOLDS + ACROSS + LINE_OF_SUMS),
        (None, _) => Ends::Bytes(FOLDS + LINE_OF_SUMS),
        (Some(_), _) => Ends::Bytes(ORDER + FOLDS + LINE_OF_SUMS),
    }
}

/// Lanes that are sums by themselves.
fn of_lanes(kind: &Kind, tier: Tier) -> Ends<'_> {
    match runs(&kind.lanes, tier.vector() / SUM) {
        Some(runs) => Ends::Bytes(runs.len() * (LINE_OF_SUMS + READ)),
        None => Ends::Table(&kind.lanes),
    }
}
