//! Which rows of a tile are added up together, for compensation. In: a tile whose rows belong to sums. Out: its rows in
//! classes, those of one class alike in which lane belongs to which sum: of both kinds of sums, or classes for each.
//! The plan counts the code that it takes, and the emitter writes it.

mod bytes;
mod counts;
mod once;
mod places;
mod shape;
#[cfg(test)]
mod tests;

use smallvec::SmallVec;

use super::stores::BLOCK;
pub(super) use bytes::code_bytes;
pub(super) use counts::counts;
pub(super) use once::written;
pub(crate) use shape::{Run, Runs, SUM, Shape, groups, runs, shape, shape_in_order};

use super::{Nest, Tile, Work};
use crate::problem::{Operand, Problem};
use crate::shuffle::{NONE, Op};
use crate::target::Tier;
use places::Places;

/// Rows that are added up together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) rows: Vec<Row>,
    pub(crate) together: Together,
    pub(crate) kinds: SmallVec<[Kind; 2]>,
}

/// Bytes in a row of the destination, no more than a register has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Which of the tile's stores it is, or a part of.
    pub(crate) number: usize,
    pub(crate) at: isize,
    pub(crate) count: usize,
    /// Those that are elements.
    pub(crate) elements: u64,
}

/// Which lanes belong to the same sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Together {
    /// Each four in a row.
    Fours,
    /// Each four in a row once these lanes have come where they are listed.
    Brought(Order),
    /// Each two in a row.
    Twos,
    /// None.
    Singles,
}

impl Together {
    /// The order in which lanes are brought together, if they are not so already.
    pub(crate) fn order(&self) -> Option<&Order> {
        match self {
            Together::Brought(order) => Some(order),
            _ => None,
        }
    }

    /// Whether what lanes are added up to are double words, of four each.
    pub(crate) fn by_fours(&self) -> bool {
        matches!(self, Together::Fours | Together::Brought(_))
    }
}

/// One kind of sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) operand: usize,
    /// What it counts is this power of two.
    pub(crate) shift: u8,
    /// Where each lane's sum is; of fours or twos where these belong together. None where no element is.
    pub(crate) lanes: Lanes,
}

/// The lane that comes to each place.
pub(crate) type Order = SmallVec<[u8; 64]>;

/// Where sums are, in bytes from the first, or of no sum.
pub(crate) type Lanes = SmallVec<[Option<i32>; 64]>;

/// Where the sums of each lane are, for each of both kinds of sums.
type Both = [Lanes; 2];

/// No more rows have room in words.
const ROWS: usize = 127;

/// The rows that a tile stores, by the sums that they belong to.
pub(crate) fn classes(problem: &Problem, tier: Tier, nest: &Nest, tile: &Tile) -> Vec<Class> {
    let arith = &problem.arith;
    if !arith.is_compensated() || nest.work != Work::Move {
        return Vec::new();
    }
    let places = Places::of(problem, nest, tile);
    let width = tier.vector();
    let rows = rows(tile, width, &places, nest.blank != 0);
    let whole = classified(&rows, [arith.s8s8, arith.asymmetric], tier);
    if !(arith.s8s8 && arith.asymmetric) || whole.len() == 1 {
        return whole;
    }
    // Rows of the same sums of one kind may be of others of the other.
    let mut each = classified(&rows, [true, false], tier);
    each.extend(classified(&rows, [false, true], tier));
    if bytes::of_classes(&each, tier) < bytes::of_classes(&whole, tier) { each } else { whole }
}

/// Rows of the same sums, of the kinds that count.
fn classified(rows: &[(Row, Both)], counts: [bool; 2], tier: Tier) -> Vec<Class> {
    let kinds = [(Operand::S8s8, 7), (Operand::Asymmetric, 0)];
    let mut classes: Vec<(Vec<Row>, Both)> = Vec::new();
    for (row, lanes) in rows {
        // One that does not count is as the other.
        let lanes = [0, 1].map(|k| &lanes[if counts[k] { k } else { 1 - k }]);
        let known = classes.iter_mut().find(|one| one.0.len() < ROWS && alike(&one.1, lanes));
        match known {
            Some((rows, own)) => {
                rows.push(row.clone());
                *own = [0, 1].map(|k| all_of(&own[k], lanes[k]));
            }
            None => classes.push((vec![row.clone()], lanes.map(Clone::clone))),
        }
    }
    let anywhere = tier.permute_grain() == 1;
    let class = |(rows, lanes): (Vec<Row>, Both)| {
        let (together, groups) = together(lanes, anywhere);
        let own = kinds.iter().zip(groups).zip(counts).filter(|(_, counts)| *counts);
        let kind =
            |((&(operand, shift), lanes), _)| Kind { operand: operand as usize, shift, lanes };
        Class { rows, together, kinds: own.map(kind).collect() }
    };
    let mut classes: Vec<Class> = classes.into_iter().map(class).collect();
    classes.sort_by_key(|class| class.kinds[0].lanes.iter().flatten().min().copied());
    classes
}

/// The rows that a tile stores, in pieces of a register, with each of their lanes' sums; `marked` where padding is not
/// zero.
fn rows(tile: &Tile, width: usize, places: &Places, marked: bool) -> Vec<(Row, Both)> {
    let mut rows = Vec::new();
    let lines = tile.found.program.lines.iter();
    let stores = lines.filter(|line| matches!(line.op, Op::Store { .. }));
    for (number, line) in stores.enumerate() {
        let Op::Store { a, at, place, count, blank } = line.op else { continue };
        let (count, mut first) = (count as usize, 0);
        while a != NONE && first < count {
            let own = (count - first).min(width);
            let at = at.wrapping_add(first as isize);
            let elements = |j: usize| blank >> (place as usize + first + j) & 1 == 0;
            let mut lanes = [Lanes::from_elem(None, width), Lanes::from_elem(None, width)];
            let mut mask = 0u64;
            for j in (0..own).filter(|&j| elements(j)) {
                let Some(sums) = places.sums(at.wrapping_add(j as isize)) else { continue };
                mask |= 1 << j;
                (lanes[0][j], lanes[1][j]) = (Some(sums[0]), Some(sums[1]));
            }
            // Zeros add nothing.
            let all = if marked { mask } else { u64::MAX >> (64 - own) };
            if mask != 0 {
                rows.push((Row { number, at, count: own, elements: all }, lanes));
            }
            first += own;
        }
    }
    rows
}

/// Whether the lanes of one row are some of another's, and belong to the same sums: those that it does not have are
/// zero.
fn alike(one: &Both, other: [&Lanes; 2]) -> bool {
    let one = [&one[0], &one[1]];
    let some = |few: [&Lanes; 2], all: [&Lanes; 2]| {
        let mut lanes = few.into_iter().flatten().zip(all.into_iter().flatten());
        lanes.all(|(few, all)| few.is_none() || few == all)
    };
    some(one, other) || some(other, one)
}

fn all_of(one: &[Option<i32>], other: &[Option<i32>]) -> Lanes {
    one.iter().zip(other).map(|(one, other)| one.or(*other)).collect()
}

/// How lanes belong together, and the sums of both kinds: one for each four lanes then, or two, or one for each lane.
/// Lanes may be brought anywhere in a register, or only within blocks.
fn together(lanes: Both, anywhere: bool) -> (Together, Both) {
    let by = |count: usize, lanes: &Both| Some([by(count, &lanes[0])?, by(count, &lanes[1])?]);
    let by_fours = |lanes: &Both| by(4, lanes);
    if let Some(groups) = by_fours(&lanes) {
        return (Together::Fours, groups);
    }
    let brought = |order: Order| {
        let bring = |lanes: &Lanes| order.iter().map(|from| lanes[usize::from(*from)]).collect();
        let groups = by_fours(&[bring(&lanes[0]), bring(&lanes[1])])?;
        Some((Together::Brought(order), groups))
    };
    // What is looked up sum by sum takes longer than lanes that are added up by themselves.
    let sorted = || {
        brought(sorted(&lanes).filter(|_| anywhere)?)
            .filter(|(_, groups)| groups.iter().all(|sums| shape(sums) != Shape::Anywhere))
    };
    let twos = || Some((Together::Twos, by(2, &lanes)?));
    let found = brought(turned(lanes[0].len())).or_else(sorted).or_else(twos);
    found.unwrap_or((Together::Singles, lanes))
}

/// One sum for each so many lanes, where there is but one.
fn by(count: usize, lanes: &[Option<i32>]) -> Option<Lanes> {
    let one = |lanes: &[Option<i32>]| {
        let mut own = lanes.iter().flatten();
        let first = own.next().copied();
        own.all(|at| Some(*at) == first).then_some(first)
    };
    lanes.chunks(count).map(one).collect()
}

/// Rows and columns of four change places within each 16.
fn turned(lanes: usize) -> Order {
    let from = |lane: usize| lane - lane % 16 + 4 * (lane % 4) + lane / 4 % 4;
    (0..lanes).map(|lane| from(lane) as u8).collect()
}

/// Lanes of the same sums by fours: the first four of each sum, in the order of sums, then the second of each. What
/// is left of a four is lanes of no sum.
fn sorted(lanes: &Both) -> Option<Order> {
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
