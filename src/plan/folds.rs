//! Folds in tiles. In: the loops of a nest and the folds that they step along. Out: where a step leads
//! while no digit ends, how many steps one digit can hold, and where that needs no looking at.
//!
//! Within one value of a fold's innermost digit positions lie evenly: a loop along it has strides like
//! any other, and a tile may take as many of its steps as lie there. Where every tile does, by what the
//! other steps lead on, a fold is nothing special; elsewhere steps decide as they go.

pub(super) mod within;

use smallvec::SmallVec;

use super::nests::reach;
use super::{Nest, Work};
use crate::layout::gcd;
use crate::problem::{DST, Fold, Node, Problem, Strides};
use within::below;

/// A loop's step along a fold of several digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) fold: u8,
    pub(super) weight: isize,
    pub(super) radix: isize,
    side: usize,
}

/// A loop, folds included.
#[derive(Debug)]
struct Along {
    strides: Strides,
    reach: usize,
    limits: SmallVec<[Limit; 2]>,
}

/// The folds of a nest.
#[derive(Debug, Default)]
pub(super) struct Folds {
    /// Of each loop; none where no loop steps along any.
    loops: Vec<Along>,
    /// Where each fold starts.
    starts: SmallVec<[isize; 4]>,
    /// Those within whose digits all tiles are, bit by bit.
    even: u64,
}

impl Folds {
    /// Of a nest's loops; folds in `nest.without`, and the source's where the nest only fills, do not count.
    pub(super) fn of(nest: &Nest, problem: &Problem) -> Folds {
        if nest.loops.iter().all(|node| node.folds.is_empty()) {
            return Folds::default();
        }
        let along = |l: usize| Along {
            strides: nest.strides(l, problem),
            reach: reach(&nest.loops[l], &problem.folds, &nest.without),
            limits: nest.limits(l, problem),
        };
        let loops = (0..nest.loops.len()).map(along);
        Folds { loops: loops.collect(), starts: nest.fold_starts(problem).collect(), even: 0 }
    }

    /// Whether no loop steps along any.
    pub(super) fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// Bytes that a step of a loop leads on while no digit ends, where that is not its own stride.
    pub(super) fn stride(&self, l: usize, side: usize) -> Option<isize> {
        self.loops.get(l).map(|one| one.strides[side])
    }

    /// How far a step leads in the destination, digits that end included, where a loop knows it.
    pub(super) fn reach(&self, l: usize) -> Option<usize> {
        self.loops.get(l).map(|one| one.reach)
    }

    pub(super) fn limits(&self, l: usize) -> &[Limit] {
        self.loops.get(l).map_or(&[], |one| &one.limits)
    }

    /// Whether digits of the destination end along a loop.
    pub(super) fn ends_rows(&self, l: usize) -> bool {
        self.limits(l).iter().any(|limit| limit.side == DST)
    }

    /// Those that some tile might not be within.
    pub(super) fn uneven(&self, l: usize) -> impl Iterator<Item = &Limit> {
        self.limits(l).iter().filter(|limit| self.even >> limit.fold & 1 == 0)
    }

    /// Whether taking so much at once has to be decided step by step.
    pub(super) fn decides(&self, l: usize, take: usize) -> bool {
        take > 1 && self.uneven(l).next().is_some()
    }

    /// Whether one loop moves the other along.
    pub(super) fn shared(&self, a: usize, b: usize) -> bool {
        self.uneven(a).any(|a| self.uneven(b).any(|b| a.fold == b.fold))
    }

    /// Whether some place has all of `takes` within one digit of each fold of a side, or of both.
    pub(super) fn fit(&self, takes: &[usize], side: Option<usize>) -> bool {
        let on_side = |limit: &&Limit| side.is_none_or(|side| side == limit.side);
        let all = || (0..takes.len()).flat_map(|l| self.limits(l).iter().map(move |m| (l, m)));
        all().filter(|one| on_side(&one.1)).all(|(_, limit)| {
            let same = all().filter(|one| one.1.fold == limit.fold);
            let span =
                |(l, m): (usize, &Limit)| m.weight.unsigned_abs().saturating_mul(takes[l] - 1);
            same.map(span).fold(0, usize::saturating_add) < limit.radix.unsigned_abs()
        })
    }

    /// So many steps of a loop beside what is taken of the others, or the power of two below that fits.
    pub(super) fn most(&self, takes: &[usize], l: usize, wanted: usize) -> usize {
        if self.limits(l).is_empty() {
            return wanted;
        }
        let mut takes: SmallVec<[usize; 8]> = SmallVec::from_slice(takes);
        takes[l] = wanted;
        while takes[l] > 1 && !self.fit(&takes, None) {
            takes[l] = below(takes[l]).unwrap_or(1);
        }
        takes[l]
    }

    /// Finds the folds that need not be looked at: those of which every tile, starting at multiples of
    /// what is taken, is within one digit.
    pub(super) fn settle(&mut self, takes: &[usize], loops: &[Node]) {
        for fold in 0..self.starts.len() {
            let (mut unit, mut below, mut above) = (0, 0, 0);
            for (l, &take) in takes.iter().enumerate() {
                let limits = self.limits(l);
                let Some(limit) = limits.iter().find(|m| m.fold as usize == fold) else { continue };
                // Where another fold decides, it may start anywhere.
                let steps = if limits.len() > 1 { 1 } else { take };
                if loops[l].extent > steps {
                    unit = gcd(unit, limit.weight.saturating_mul(steps as isize));
                }
                unit = gcd(unit, limit.radix);
                let span = limit.weight.saturating_mul(take as isize - 1);
                below -= span.min(0);
                above += span.max(0);
            }
            let (unit, first) = match unit.abs() {
                0 => continue,
                unit => (unit, self.starts[fold].rem_euclid(unit)),
            };
            self.even |= u64::from(first >= below && first.saturating_add(above) < unit) << fold;
        }
    }
}

impl Nest {
    /// Whether a fold counts, by its number: those of the destination may be left out.
    pub(crate) fn counts(&self, index: u8, fold: &Fold) -> bool {
        !(fold.dst && self.without.contains(&index))
    }

    /// The position along each fold where the nest starts.
    pub(crate) fn fold_starts(&self, problem: &Problem) -> impl Iterator<Item = isize> {
        (0..).zip(&problem.folds).map(|(index, fold)| {
            let own = self.folds.iter().filter(|own| own.0 == index);
            own.fold(fold.start, |at, own| at.wrapping_add(own.1))
        })
    }

    /// Where a step of a loop leads on every operand while no digit of a fold ends.
    pub fn strides(&self, l: usize, problem: &Problem) -> Strides {
        let mut strides = self.loops[l].strides;
        for (fold, weight) in self.along(&self.loops[l], problem) {
            if let Some((_, stride)) = fold.1.digits.first() {
                let side = fold.1.side();
                strides[side] = strides[side].wrapping_add(stride.wrapping_mul(weight));
            }
        }
        strides
    }

    /// Whether digits of the destination end along a loop.
    pub(super) fn ends_rows(&self, l: usize, problem: &Problem) -> bool {
        self.limits(l, problem).iter().any(|limit| limit.side == DST)
    }

    fn limits(&self, l: usize, problem: &Problem) -> SmallVec<[Limit; 2]> {
        let limit = |((index, fold), weight): ((u8, &Fold), isize)| Limit {
            fold: index,
            weight,
            radix: fold.digits[0].0,
            side: fold.side(),
        };
        let along = self.along(&self.loops[l], problem);
        along.filter(|((_, fold), _)| fold.digits.len() > 1).map(limit).collect()
    }

    /// The folds that a loop steps along and that count here.
    pub(crate) fn along<'a>(
        &'a self,
        node: &'a Node,
        problem: &'a Problem,
    ) -> impl Iterator<Item = ((u8, &'a Fold), isize)> {
        // Nothing is read where there is only padding.
        let counts = |index: u8, fold: &Fold| match fold.dst {
            true => self.counts(index, fold),
            false => self.work == Work::Move,
        };
        let steps = node.folds.iter().filter(|(_, weight)| *weight != 0);
        let steps = steps.map(|&(index, weight)| ((index, &problem.folds[index as usize]), weight));
        steps.filter(move |((index, fold), _)| counts(*index, fold))
    }
}
