//! Sums that are whole when they meet memory. In: a plan. Out: whether each of its sums is met by one tile, once: then it
//! is written as it came out, and nothing need be there before.
//!
//! ```text
//! one nest      moves all elements, and nothing of it is listed or led by folds
//! its loops     those that lead on sums do so one behind the other, from the first; tiles take all others whole
//! its tiles     add up each sum in one class of rows, and meet as many as their steps lead to
//! ```

use std::collections::BTreeSet;

use super::{Class, SUM, Shape, classes, shape_in_order};
use crate::plan::{Nest, Plan, Tile, Tiling, Work};
use crate::problem::Operand;

/// Bytes of the sums that are written where they lie, if all are that are met; none where some are added to.
pub(in super::super) fn written(plan: &Plan) -> Option<usize> {
    let problem = &plan.problem;
    let mut moves = plan.nests().filter(|nest| nest.work == Work::Move);
    let nest = moves.next().filter(|_| problem.arith.is_compensated() && moves.next().is_none())?;
    let tiling = nest.tiling.as_ref().filter(|_| problem.folds.is_empty())?;
    let mut bytes = 0;
    for kind in problem.arith.sums() {
        bytes += SUM * in_a_row(nest, kind).filter(|_| takes_rest(nest, tiling, kind))?;
    }
    let once = |tile: &Tile| {
        let classes = classes(problem, plan.target.tier, nest, tile);
        problem.arith.sums().all(|kind| met(&classes, kind) == Some(led(nest, tile, kind)))
    };
    tiling.tiles.iter().all(once).then_some(bytes)
}

/// Whether a step of a loop leads on to other sums.
fn leads(nest: &Nest, l: usize, kind: Operand) -> bool {
    nest.loops[l].strides[kind as usize] != 0
}

/// How many sums elements belong to, if these lie one behind the other from the first on.
fn in_a_row(nest: &Nest, kind: Operand) -> Option<usize> {
    let mut own: Vec<usize> = (0..nest.loops.len()).filter(|&l| leads(nest, l, kind)).collect();
    own.sort_by_key(|&l| nest.loops[l].strides[kind as usize]);
    let behind = |sums: usize, l: usize| {
        let node = &nest.loops[l];
        let whole = nest.zones[l].len() == node.extent && node.table.is_none();
        let on = node.strides[kind as usize] == (SUM * sums) as isize;
        (whole && on).then(|| sums.checked_mul(node.extent)).flatten()
    };
    own.into_iter().try_fold(1, behind).filter(|_| nest.start[kind as usize] == 0)
}

/// Whether tiles take all loops whole that do not lead on sums.
fn takes_rest(nest: &Nest, tiling: &Tiling, kind: Operand) -> bool {
    let mut rest = (0..nest.loops.len()).filter(|&l| !leads(nest, l, kind));
    let whole = |l: usize, tile: &Tile| tile.chunks[l].extent == nest.loops[l].extent;
    rest.all(|l| nest.loops[l].table.is_none() && tiling.tiles.iter().all(|tile| whole(l, tile)))
}

/// How many sums the steps of a tile lead to.
fn led(nest: &Nest, tile: &Tile, kind: Operand) -> usize {
    let own = (0..nest.loops.len()).filter(|&l| leads(nest, l, kind));
    own.map(|l| tile.chunks[l].extent).product()
}

/// How many sums of a kind classes meet, if each is met once.
fn met(classes: &[Class], kind: Operand) -> Option<usize> {
    let (mut all, mut count) = (BTreeSet::new(), 0);
    for class in classes {
        for own in class.kinds.iter().filter(|own| own.operand == kind as usize) {
            if !class.together.by_fours() || shape_in_order(&own.lanes).1 == Shape::Anywhere {
                return None;
            }
            let mut sums: BTreeSet<i32> = own.lanes.iter().flatten().copied().collect();
            count += sums.len();
            all.append(&mut sums);
        }
    }
    (all.len() == count).then_some(count)
}

#[cfg(test)]
mod tests {
    use crate::Attr;
    use crate::plan::{Locality, planned_by};

    /// Bytes of sums that are written, of such as are masked along these dims.
    fn written(pair: &str, s8s8: u32, zero_point: Option<u32>) -> Option<usize> {
        let attr = Attr::new().s8s8_compensation(s8s8);
        let attr = zero_point.map_or(attr.clone(), |mask| attr.asymmetric_compensation(mask));
        planned_by(pair, &attr, "spr".parse().unwrap(), Locality::Auto).written_sums
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn sums_of_one_tile_are_written() {
        for (pair, expected) in [
            ("f32:goihw:32x1x1x3x3 s8:Goihw16g", 128),
            ("s8:goihw:64x1x1x5x5 s8:Goihw16g", 256),
            ("bf16:goihw:32x1x1x3x3 s8:Goihw8g", 128),
        ] {
            assert_eq!(written(pair, 1, None), Some(expected), "{pair}");
            assert_eq!(written(pair, 1, Some(1)), Some(2 * expected), "{pair}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn sums_of_several_are_added_to() {
        for (pair, mask) in [
            // Tiles take parts of what belongs to a sum.
            ("f32:goihw:32x1x1x7x7 s8:Goihw16g", 1),
            ("s8:ab:384x384 s8:BA16b64a4b", 2),
            // Groups beside the elements; several nests.
            ("f32:goihw:20x1x1x3x3 s8:Goihw16g", 1),
            // Lanes of a sum that come singly.
            ("f32:goihw:64x1x1x3x3 s8:goihw", 1),
            // All in one; those of one kind and not of the other.
            ("f32:goihw:32x1x1x3x3 s8:Goihw16g", 0),
        ] {
            assert_eq!(written(pair, mask, None), None, "{pair}");
        }
        assert_eq!(written("f32:goihw:32x1x1x3x3 s8:Goihw16g", 1, Some(0)), None);
    }
}
