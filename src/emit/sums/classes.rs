//! Which rows are added up together. In: a tile of a nest. Out: its rows in classes, those of one class alike in which
//! lane belongs to which sum, and how these sums lie.

use std::collections::HashMap;

use smallvec::SmallVec;

use super::super::bits::every;
use super::meet::{Shape, shape};
use crate::plan::{Nest, Plan, Tile};
use crate::problem::{DST, Operand, Strides};
use crate::shuffle::{NONE, Op};

/// What a tile's rows add up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Sums {
    pub(in super::super) classes: Vec<Class>,
    /// The first of the slots that hold what comes out.
    pub(in super::super) scratch: u16,
}

/// Rows that are added up together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Class {
    pub(super) rows: Vec<Row>,
    pub(super) together: Together,
    pub(super) kinds: SmallVec<[Kind; 2]>,
}

/// Which lanes belong to the same sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Together {
    /// Each four in a row.
    Fours,
    /// Each four in a row once these lanes have come where they are listed.
    Brought(Order),
    /// None.
    Singles,
}

/// The lane that comes to each place.
pub(super) type Order = SmallVec<[u8; 64]>;

/// Rows and columns of four change places within each 16.
fn turned(lanes: usize) -> Order {
    let from = |lane: usize| lane - lane % 16 + 4 * (lane % 4) + lane / 4 % 4;
    (0..lanes).map(|lane| from(lane) as u8).collect()
}

/// Lanes of the same sums by fours: the first four of each sum, in the order of sums, then the second of each. What
/// is left of a four is lanes of no sum.
fn sorted(lanes: &[Lanes; 2]) -> Option<Order> {
    let count = lanes[0].len();
    let sums = |lane: &u8| [0, 1].map(|kind| lanes[kind][usize::from(*lane)]);
    let (mut own, none): (Order, Order) =
        (0..count as u8).partition(|lane| sums(lane)[0].is_some());
    own.sort_by_key(sums);
    let same = own.chunk_by(|a, b| sums(a) == sums(b));
    let mut fours: Vec<(usize, &[u8])> = same.flat_map(|own| own.chunks(4).enumerate()).collect();
    fours.sort_by_key(|(round, _)| *round);
    let mut order = Order::new();
    for (_, four) in fours {
        order.extend_from_slice(four);
        if four.len() < 4 {
            order.resize(order.len().next_multiple_of(4), *none.first()?);
        }
    }
    order.resize(count.max(order.len()), none.first().copied().unwrap_or(0));
    Some(order).filter(|order| order.len() == count)
}

/// Bytes in a row of the destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) at: isize,
    pub(super) count: usize,
    /// Those that are elements.
    pub(super) elements: u64,
}

/// One kind of sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Kind {
    pub(in super::super) operand: usize,
    pub(in super::super) register: u8,
    /// What it counts is this power of two.
    pub(super) shift: u8,
    /// Where each lane's sum is; of fours where these belong together. None where no element is.
    pub(super) lanes: Lanes,
}

pub(super) type Lanes = Vec<Option<i32>>;

/// No more rows have room in words.
const ROWS: usize = 127;

/// A row as it is found: where each of its lanes' sums are, for both kinds.
type Found = (Row, [Lanes; 2]);

/// The sums of a tile, in registers of so many bytes.
pub(in super::super) fn sums(
    plan: &Plan,
    nest: &Nest,
    tile: &Tile,
    pointers: &[(usize, u8)],
    scratch: u16,
) -> Sums {
    let width = if plan.target.tier.masks() { 64 } else { 32 };
    let places = places(plan, nest, tile);
    let mut classes: Vec<(Vec<Row>, [Lanes; 2])> = Vec::new();
    for (row, lanes) in rows(tile, width, &places, nest.blank != 0) {
        let known = classes.iter_mut().find(|one| one.0.len() < ROWS && alike(&one.1, &lanes));
        match known {
            Some((rows, own)) => {
                rows.push(row);
                *own = [0, 1].map(|k| all_of(&own[k], &lanes[k]));
            }
            None => classes.push((vec![row], lanes)),
        }
    }
    let arith = &plan.problem.arith;
    let kinds = [(Operand::S8s8, arith.s8s8, 7), (Operand::Asymmetric, arith.asymmetric, 0)];
    let anywhere = plan.target.tier.permute_grain() == 1;
    let class = |(rows, lanes): (Vec<Row>, [Lanes; 2])| {
        let (together, groups) = together(&lanes, anywhere);
        let kind = |(k, kind): (usize, &(Operand, bool, u8))| Kind {
            operand: kind.0 as usize,
            register: pointers.iter().find(|one| one.0 == kind.0 as usize).map_or(0, |one| one.1),
            shift: kind.2,
            lanes: groups[k].clone(),
        };
        let own = kinds.iter().enumerate().filter(|(_, kind)| kind.1);
        Class { rows, together, kinds: own.map(kind).collect() }
    };
    Sums { classes: classes.into_iter().map(class).collect(), scratch }
}

/// How lanes belong together, and the sums of both kinds: one for each four lanes then, or one for each lane. Lanes may
/// be brought anywhere in a register, or only within blocks.
fn together(lanes: &[Lanes; 2], anywhere: bool) -> (Together, [Lanes; 2]) {
    let by_fours = |lanes: &[Lanes; 2]| Some([fours(&lanes[0])?, fours(&lanes[1])?]);
    if let Some(groups) = by_fours(lanes) {
        return (Together::Fours, groups);
    }
    let brought = |order: Order| {
        let bring = |lanes: &Lanes| order.iter().map(|from| lanes[usize::from(*from)]).collect();
        let groups = by_fours(&[bring(&lanes[0]), bring(&lanes[1])])?;
        Some((Together::Brought(order), groups))
    };
    // What is looked up sum by sum takes longer than lanes that are added up by themselves.
    let sorted = || {
        brought(sorted(lanes).filter(|_| anywhere)?)
            .filter(|(_, groups)| groups.iter().all(|sums| shape(sums) != Shape::Anywhere))
    };
    (brought(turned(lanes[0].len())).or_else(sorted))
        .unwrap_or_else(|| (Together::Singles, lanes.clone()))
}

/// Whether the lanes of one row are some of another's, and belong to the same sums: those that it does not have are
/// zero.
fn alike(one: &[Lanes; 2], other: &[Lanes; 2]) -> bool {
    let some = |few: &[Lanes; 2], all: &[Lanes; 2]| {
        let lanes = few.iter().flatten().zip(all.iter().flatten());
        lanes.into_iter().all(|(few, all)| few.is_none() || few == all)
    };
    some(one, other) || some(other, one)
}

pub(super) fn all_of(one: &[Option<i32>], other: &[Option<i32>]) -> Lanes {
    one.iter().zip(other).map(|(one, other)| one.or(*other)).collect()
}

/// One sum for each four lanes, where there is but one.
fn fours(lanes: &Lanes) -> Option<Lanes> {
    let four = |lanes: &[Option<i32>]| {
        let mut own = lanes.iter().flatten();
        let first = own.next().copied();
        own.all(|at| Some(*at) == first).then_some(first)
    };
    lanes.chunks(4).map(four).collect()
}

/// Where the sums of each position are, by the destination's bytes.
fn places(plan: &Plan, nest: &Nest, tile: &Tile) -> HashMap<isize, [i32; 2]> {
    let mut places = vec![(0isize, [0i32; 2])];
    for (l, chunk) in tile.chunks.iter().enumerate().filter(|(_, chunk)| chunk.extent > 1) {
        let strides: Strides = nest.strides(l, &plan.problem);
        let table = nest.loops[l].table.as_deref();
        let sums = [Operand::S8s8, Operand::Asymmetric].map(|kind| strides[kind as usize] as i32);
        // What is no element belongs to no sum.
        let steps = chunk.start..chunk.end;
        let step = |&(at, own): &(isize, [i32; 2]), k: usize| {
            let place = table.map_or(0, |table| table[k].1);
            let at = at.wrapping_add(strides[DST].wrapping_mul(k as isize)).wrapping_add(place);
            (at, [0, 1].map(|i| own[i].wrapping_add(sums[i].wrapping_mul(k as i32))))
        };
        places =
            places.iter().flat_map(|place| steps.clone().map(move |k| step(place, k))).collect();
    }
    places.into_iter().collect()
}

/// The rows that a tile stores, in pieces of a register; `marked` where padding is not zero.
fn rows(tile: &Tile, width: usize, places: &HashMap<isize, [i32; 2]>, marked: bool) -> Vec<Found> {
    let mut rows = Vec::new();
    for line in &tile.found.program.lines {
        let Op::Store { a, at, place, count, blank } = line.op else { continue };
        let (count, mut first) = (count as usize, 0);
        while a != NONE && first < count {
            let own = (count - first).min(width);
            let at = at + first as isize;
            let of = |j: usize| places.get(&(at + j as isize)).copied();
            let elements = |j: usize| blank >> (place as usize + first + j) & 1 == 0;
            let mut lanes = [vec![None; width], vec![None; width]];
            let mut mask = 0u64;
            for j in (0..own).filter(|&j| elements(j)) {
                let Some(sums) = of(j) else { continue };
                mask |= 1 << j;
                (lanes[0][j], lanes[1][j]) = (Some(sums[0]), Some(sums[1]));
            }
            // Zeros add nothing.
            let all = if marked { mask } else { every(own) };
            if mask != 0 {
                rows.push((Row { at, count: own, elements: all }, lanes));
            }
            first += own;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The groups of 64 lanes whose sums are these.
    fn groups(sum: impl Fn(usize) -> Option<i32>) -> Option<Vec<Option<i32>>> {
        let lanes: Lanes = (0..64).map(sum).collect();
        let none = lanes.iter().map(|lane| lane.map(|_| 0)).collect();
        match together(&[lanes, none], true) {
            (Together::Brought(_), [groups, _]) => Some(groups),
            _ => None,
        }
    }

    #[test]
    fn lanes_of_the_same_sums_are_brought_together() {
        let row = |count: i32| (0..16).map(|i| Some(4 * (i % count))).collect::<Vec<_>>();
        assert_eq!(groups(|lane| Some(4 * (lane as i32 % 16))), Some(row(16)));
        assert_eq!(groups(|lane| Some(4 * (lane as i32 % 8))), Some(row(8)));
        // Three lanes and one of no sum.
        assert_eq!(groups(|lane| (lane < 48).then_some(4 * (lane as i32 % 16))), Some(row(16)));
    }

    #[test]
    fn or_each_by_itself() {
        // More sums than groups, no lane to be the fourth, and sums anywhere.
        assert_eq!(groups(|lane| Some(4 * (lane as i32 % 32))), None);
        assert_eq!(groups(|lane| Some(4 * (lane as i32 % 21))), None);
        assert_eq!(groups(|lane| Some(12 * (lane as i32 % 16))), None);
    }
}
