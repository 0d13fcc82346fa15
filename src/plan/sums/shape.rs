//! How sums lie. In: where the sum of each lane is. Out: whether these are in a row, all in one, or in runs, so that
//! they are met together.

use std::ops::Range;

use super::{BLOCK, Class, Kind, Lanes, Order, all_of};
use crate::target::Tier;

/// No more blocks of lanes have room in words when they are added up in one.
const BLOCKS: usize = 256;

/// How sums lie.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// All in one.
    One(i32),
    /// One behind the other, so many.
    Row(i32, usize),
    /// So many one behind the other, half of a register, a block or half of that, again and again.
    Again(i32, usize),
    Anywhere,
}

pub(crate) fn shape(lanes: &[Option<i32>]) -> Shape {
    let count = lanes.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let first = lanes.iter().flatten().next().copied().unwrap_or(0);
    if lanes.iter().flatten().all(|at| *at == first) {
        return Shape::One(first);
    }
    let own = &lanes[..count];
    // Lanes that belong to no sum are zero, and add nothing to any.
    let again = |n: &usize| {
        let all = |runs: Lanes| runs.into_iter().flatten().all(|at| at == first);
        lanes.len() > *n && count > *n && in_runs(lanes, *n).is_some_and(all)
    };
    if let Some(n) = [2, 4, 8].into_iter().find(again) {
        return Shape::Again(first, n);
    }
    match own.iter().enumerate().all(|(i, at)| is_behind(first, i, *at)) {
        true => Shape::Row(first, count),
        false => Shape::Anywhere,
    }
}

/// How they lie that are anywhere, once they come in an order: the first of each sum, then the second of each, as long
/// as there are any; those of no sum last.
pub(crate) fn shape_in_order(lanes: &[Option<i32>]) -> (Option<Order>, Shape) {
    let as_they_are = shape(lanes);
    if as_they_are != Shape::Anywhere {
        return (None, as_they_are);
    }
    let turn = |i: usize| lanes[..i].iter().filter(|before| **before == lanes[i]).count();
    let mut order: Order = (0..lanes.len() as u8).collect();
    order.sort_by_cached_key(|&i| {
        let i = usize::from(i);
        lanes[i].map_or((true, 0, 0), |at| (false, turn(i), at))
    });
    let in_order: Lanes = order.iter().map(|&i| lanes[usize::from(i)]).collect();
    match shape(&in_order) {
        Shape::Anywhere => (None, Shape::Anywhere),
        found => (Some(order), found),
    }
}

/// Whether a sum lies so many behind the first; that may be further than any lies.
fn is_behind(first: i32, sums: usize, at: Option<i32>) -> bool {
    at.is_some_and(|at| i64::from(at) == i64::from(first) + 4 * sums as i64)
}

/// By so many, where the sums of each so many lanes lie one behind the other.
fn in_runs(lanes: &[Option<i32>], length: usize) -> Option<Lanes> {
    let run = |own: &[Option<i32>]| match own[0] {
        None => own.iter().all(Option::is_none).then_some(None),
        Some(at) => {
            let all = own.iter().enumerate().all(|(i, own)| is_behind(at, i, *own));
            all.then_some(Some(at))
        }
    };
    lanes.chunks(length).map(run).collect()
}

/// Sums that a block of a register has, and the bytes of one.
const FOUR: usize = 4;
pub(crate) const SUM: usize = BLOCK / FOUR;

/// What no more rows add up to has room in words when all lanes of half a block are one.
const PACKED_ROWS: usize = 32;

/// Classes that meet their sums together, or each for itself.
pub(crate) fn groups(classes: &[Class], tier: Tier) -> impl Iterator<Item = Range<usize>> {
    let mut first = 0;
    std::iter::from_fn(move || {
        let start = first;
        let rest = classes.get(start..).filter(|rest| !rest.is_empty())?;
        first += joined(rest, tier.vector() / BLOCK).map_or(1, <[Class]>::len);
        Some(start..first)
    })
}

/// The first classes that meet their sums together, if these follow one another: as many as a register has blocks, of
/// four sums in a row in each block, or up to four of one sum.
pub(super) fn joined(classes: &[Class], blocks: usize) -> Option<&[Class]> {
    let first = classes.first().filter(|first| first.together.by_fours())?;
    let sums = |class: &Class, kind: usize, apart: usize| {
        let kind = class.kinds.get(kind)?;
        let at = match (shape(&kind.lanes), apart) {
            (Shape::Again(at, FOUR), BLOCK) | (Shape::One(at), SUM) => i64::from(at),
            _ => return None,
        };
        Some((kind.operand, at))
    };
    let behind = |class: &Class, i: usize, apart: usize| {
        class.together == first.together
            && class.kinds.len() == first.kinds.len()
            && (0..first.kinds.len()).all(|kind| {
                let on = (i * apart) as i64;
                let own = sums(first, kind, apart).map(|(operand, at)| (operand, at + on));
                own.is_some() && sums(class, kind, apart) == own
            })
    };
    let following = |apart: usize| {
        let classes = classes.iter().take(FOUR).enumerate();
        classes.take_while(|(i, class)| behind(class, *i, apart)).count()
    };
    let packed = |class: &&Class| class.rows.len() <= PACKED_ROWS;
    let few = classes.iter().take(FOUR).take_while(packed).count();
    let count = match following(SUM).min(few) {
        ones @ 2.. => ones,
        _ if following(BLOCK) >= blocks => blocks,
        _ => return None,
    };
    classes.get(..count)
}

/// Lanes whose sums lie one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) lane: usize,
    pub(crate) at: i32,
    pub(crate) count: usize,
}

/// The runs of lanes, none of them longer than a register has double words; none where they are not of one length, but
/// for what is left of it.
pub(crate) fn runs(lanes: &[Option<i32>], most: usize) -> Option<Vec<Run>> {
    let of = |length: usize| {
        let own = |(i, lanes): (usize, &[Option<i32>])| {
            let (at, count) = run(lanes)?;
            Some(Run { lane: i * length, at, count })
        };
        let all: Option<Vec<Run>> = lanes.chunks(length).enumerate().map(own).collect();
        Some(all?.into_iter().filter(|run| run.count > 0).collect())
    };
    [16, 8, 4].into_iter().filter(|length| *length <= most).find_map(of)
}

/// Where the sums of two times eight lanes are, one behind the other, and how many.
pub(crate) type Runs = [(i32, usize); 2];

impl Class {
    /// For each kind, the sums of 16 lanes that those of all blocks of 16 add up to, if words have room for them.
    pub(crate) fn blocks(&self) -> Option<Vec<Runs>> {
        let own = |kind: &Kind| {
            if self.rows.len() * kind.lanes.len() / 16 > BLOCKS {
                return None;
            }
            let mut blocks = kind.lanes.chunks(16).map(Lanes::from_slice);
            let first = blocks.next()?;
            let lanes = blocks.try_fold(first, |all, block| {
                let mut both = all.iter().zip(&block).filter_map(|(a, b)| a.zip(*b));
                both.all(|(a, b)| a == b).then(|| all_of(&all, &block))
            })?;
            Some([run(&lanes[..8])?, run(&lanes[8..])?])
        };
        self.kinds.iter().map(own).collect()
    }
}

/// Lanes whose sums lie one behind the other.
fn run(lanes: &[Option<i32>]) -> Option<(i32, usize)> {
    let count = lanes.iter().flatten().count();
    let first = lanes[0].unwrap_or(0);
    let in_a_row = |(i, at): (usize, &Option<i32>)| is_behind(first, i, *at);
    lanes[..count].iter().enumerate().all(in_a_row).then_some((first, count))
}
