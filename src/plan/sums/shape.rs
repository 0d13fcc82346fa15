//! How sums lie. In: where the sum of each lane is. Out: whether these are in a row, all in one, or in runs, so that
//! they are met together.

use super::{BLOCK, Class, Kind, Lanes, Together, all_of};

/// No more blocks of lanes have room in words when they are added up in one.
const BLOCKS: usize = 256;

/// How sums lie.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// All in one.
    One(i32),
    /// One behind the other, so many.
    Row(i32, usize),
    /// So many one behind the other, half of a register or a block, again and again.
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
    if let Some(n) = [4, 8].into_iter().find(again) {
        return Shape::Again(first, n);
    }
    match own.iter().enumerate().all(|(i, at)| is_behind(first, i, *at)) {
        true => Shape::Row(first, count),
        false => Shape::Anywhere,
    }
}

/// Whether a sum lies so many behind the first; that may be further than any lies.
fn is_behind(first: i32, sums: usize, at: Option<i32>) -> bool {
    at.is_some_and(|at| i64::from(at) == i64::from(first) + 4 * sums as i64)
}

/// By so many, where the sums of each so many lanes lie one behind the other.
pub(crate) fn in_runs(lanes: &[Option<i32>], length: usize) -> Option<Lanes> {
    let run = |own: &[Option<i32>]| match own[0] {
        None => own.iter().all(Option::is_none).then_some(None),
        Some(at) => {
            let all = own.iter().enumerate().all(|(i, own)| is_behind(at, i, *own));
            all.then_some(Some(at))
        }
    };
    lanes.chunks(length).map(run).collect()
}

/// Sums that a block of a register has.
const FOUR: usize = 4;

/// The first so many classes, if all have four sums in a row, in each block of a register, and these follow one
/// another.
pub(crate) fn joined(classes: &[Class], count: usize) -> Option<&[Class]> {
    let classes = classes.get(..count)?;
    let first = &classes[0];
    let behind = |class: &Class, i: usize| {
        let sums = |kind: &Kind| match shape(&kind.lanes) {
            Shape::Again(at, FOUR) => Some((kind.operand, i64::from(at))),
            _ => None,
        };
        let mut kinds = class.kinds.iter().zip(&first.kinds).map(|two| (sums(two.0), sums(two.1)));
        let own = |(operand, at): (usize, i64)| (operand, at + (i * BLOCK) as i64);
        class.together == first.together
            && class.kinds.len() == first.kinds.len()
            && kinds.all(|(one, first)| one.is_some() && one == first.map(own))
    };
    let grouped = first.together != Together::Singles;
    let all = classes.iter().enumerate().all(|(i, class)| behind(class, i));
    (grouped && all).then_some(classes)
}

/// Where the sums of two times eight lanes are, one behind the other, and how many.
pub(crate) type Runs = [(i32, usize); 2];

impl Class {
    /// For each kind, the sums of 16 lanes that those of all blocks of 16 add up to, if words have room for them.
    pub(crate) fn blocks(&self) -> Option<Vec<Runs>> {
        let runs = |kind: &Kind| {
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
        self.kinds.iter().map(runs).collect()
    }
}

/// Lanes whose sums lie one behind the other.
fn run(lanes: &[Option<i32>]) -> Option<(i32, usize)> {
    let count = lanes.iter().flatten().count();
    let first = lanes[0].unwrap_or(0);
    let in_a_row = |(i, at): (usize, &Option<i32>)| is_behind(first, i, *at);
    lanes[..count].iter().enumerate().all(in_a_row).then_some((first, count))
}
