//! What adding up asks of the ports. In: rows in classes. Out: about how often each kind of port is used, beside what
//! their tile's own sequence asks.

use super::super::{Nest, Plan, Tile};
use super::{Class, Kind, SUM, Shape, Together, classes, groups, runs, shape_in_order};
use crate::shuffle::Counts;
use crate::target::Tier;

/// What sums that lie in a row take in memory: they are read, made less by what was shifted, and written.
const MET: Counts = Counts { loads: 1, stores: 1, ..vectors(0, 2) };
/// Sums looked up one by one.
const LOOKED_UP: Counts = Counts { loads: 3, stores: 1, ..vectors(0, 4) };
/// Halves come together until a block is left, and elements of a block.
const FOLD: Counts = vectors(2, 2);
const ACROSS: Counts = vectors(2, 2);
/// Words of lanes come to their order, in slots, or blocks of them are folded. Those of twos have it.
const IN_ORDER: Counts = Counts { loads: 0, stores: 2, ..vectors(4, 0) };
const KEPT: Counts = Counts { loads: 0, stores: 1, ..vectors(0, 0) };

/// Permutations, and other operations on registers.
const fn vectors(shuffles: u32, blends: u32) -> Counts {
    Counts { shuffles, blends, loads: 0, across: 0, unpacks: 0, stores: 0, masked: 0, inside: 0 }
}

/// Of the rows of a tile.
pub(in super::super) fn counts(nest: &Nest, tile: &Tile, plan: &Plan) -> Counts {
    let tier = plan.target.tier;
    let classes = classes(&plan.problem, tier, nest, tile);
    let mut all = Counts::default();
    for group in groups(&classes, tier) {
        let group = &classes[group];
        for class in group {
            let each = match class.together {
                Together::Fours | Together::Twos => vectors(0, 2),
                Together::Brought(_) | Together::Singles => vectors(1, 2),
            };
            class.rows.iter().for_each(|_| all += each);
        }
        of_ends(&mut all, group, tier);
    }
    all
}

/// What classes that meet their sums together end with.
fn of_ends(all: &mut Counts, group: &[Class], tier: Tier) {
    let (class, count) = (&group[0], group.len() as u32);
    if !class.together.by_fours() {
        *all += if class.together == Together::Twos { KEPT } else { IN_ORDER };
        class.kinds.iter().for_each(|kind| of_lanes(all, class, kind, tier));
        return;
    }
    // Pairs of words, and what joins classes: packed and added up again, or block by block.
    *all += vectors(0, count);
    if count > 1 {
        *all += vectors(count, count);
    }
    for kind in &class.kinds {
        let (order, shape) = shape_in_order(&kind.lanes);
        if order.is_some() {
            *all += vectors(1, 0);
        }
        match shape {
            Shape::One(_) if count > 1 => *all += FOLD,
            Shape::One(_) => {
                *all += FOLD;
                *all += ACROSS;
            }
            Shape::Again(..) if count == 1 => *all += FOLD,
            Shape::Row(..) | Shape::Again(..) => {}
            Shape::Anywhere => kind.lanes.iter().flatten().for_each(|_| *all += LOOKED_UP),
        }
        *all += MET;
    }
}

/// Lanes that are sums by themselves, each run made longer.
fn of_lanes(all: &mut Counts, class: &Class, kind: &Kind, tier: Tier) {
    let blocks = Some(class).filter(|class| class.together == Together::Singles);
    let met = match (blocks.and_then(Class::blocks), runs(&kind.lanes, tier.vector() / SUM)) {
        (Some(_), _) => 1,
        (None, Some(runs)) => runs.len(),
        (None, None) => {
            return kind.lanes.iter().flatten().for_each(|_| *all += LOOKED_UP);
        }
    };
    for _ in 0..met {
        *all += vectors(1, 0);
        *all += MET;
    }
}
