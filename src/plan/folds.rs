//! Folds in tiles. In: the loops of a nest and the folds that they step along. Out: where a step leads
//! while no digit ends, how many steps fit into one, and what decides that at run time.
//!
//! Within one value of a fold's innermost digit positions lie evenly, so a loop along it has strides like
//! any other, and a tile may take as many of its steps as lie there. Where every tile does, by what
//! the other steps lead on, nothing is left to decide. Elsewhere a step takes as much as fits at the
//! position that it has come to: what a tile takes, or a power of two below.

use smallvec::SmallVec;

use super::nests::reach;
use super::{Nest, Step, Work};
use crate::layout::gcd;
use crate::problem::{DST, Fold, Node, Problem, SRC, Strides};

/// A fold that a step leads along. Several of the step's steps are taken at once only where all
/// positions of the tile have the same innermost digit, whatever is chosen further in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Within {
    /// By its index in the problem.
    pub fold: u8,
    /// Of its innermost digit.
    pub radix: isize,
    /// Positions that one step leads on.
    pub weight: isize,
    /// Positions that what is taken further in leads back at the most, not below 0.
    pub below: isize,
    /// Positions that it leads on at the most.
    pub above: isize,
}

impl Within {
    /// Whether so many steps, and all that is taken further in, have one innermost digit from
    /// `position` on.
    pub fn fits(&self, count: usize, position: isize) -> bool {
        let digit = position.rem_euclid(self.radix);
        let own = self.weight * (count as isize - 1);
        digit - self.below + own.min(0) >= 0 && digit + self.above + own.max(0) < self.radix
    }
}

impl Step {
    /// What it may take at once, the most first: where there is something to decide, `by` and the
    /// powers of two below.
    pub fn sizes(&self) -> impl Iterator<Item = usize> + use<> {
        let below = if self.within.is_empty() { None } else { below(self.by) };
        let halves = std::iter::successors(below, |size| (*size > 1).then_some(size / 2));
        std::iter::once(self.by).chain(halves)
    }

    /// How many of the `left` steps it takes at once, `position` being where each fold has come to: one
    /// by one it always may.
    pub fn size(&self, left: usize, position: impl Fn(u8) -> isize) -> usize {
        if self.within.is_empty() {
            return self.by.min(left);
        }
        let fits = |size: usize| {
            let within = |within: &Within| within.fits(size, position(within.fold));
            size <= left && self.within.iter().all(within)
        };
        self.sizes().find(|&size| size == 1 || fits(size)).unwrap_or(1)
    }
}

/// The largest power of two below.
fn below(size: usize) -> Option<usize> {
    (size > 1).then(|| size.next_power_of_two() / 2)
}

/// A loop's step along a fold of several digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) fold: u8,
    pub(super) weight: isize,
    radix: isize,
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
    /// Of loops; those of `without` and, where there are only `fills`, those of the source do not count.
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
        let mut starts: SmallVec<_> = problem.folds.iter().map(|fold| fold.start).collect();
        nest.folds.iter().for_each(|&(fold, steps)| starts[fold as usize] += steps);
        Folds { loops: loops.collect(), starts, even: 0 }
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
    fn uneven(&self, l: usize) -> impl Iterator<Item = &Limit> {
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
            self.even |= u64::from(first >= below && first + above < unit) << fold;
        }
    }

    /// Moves steps that decide to the inside of all others along their folds, which must not move on
    /// what has been decided.
    pub(super) fn nest(&self, takes: &[usize], steps: &mut [Step]) {
        for k in (0..steps.len()).rev() {
            let own = steps[k].index;
            if !self.decides(own, takes[own]) || self.is_blocked(takes, steps, k) {
                continue;
            }
            let inner = (k + 1..steps.len()).rev().find(|&i| self.shared(own, steps[i].index));
            if let Some(inner) = inner {
                steps[k..=inner].rotate_left(1);
            }
        }
    }

    /// Whether another step that decides moves on along a fold of this one, further in.
    fn is_blocked(&self, takes: &[usize], steps: &[Step], k: usize) -> bool {
        let own = steps[k].index;
        steps[k + 1..]
            .iter()
            .any(|step| self.decides(step.index, takes[step.index]) && self.shared(own, step.index))
    }

    /// Gives the steps that decide what they have to look at. What a tile takes whole, and what moves on
    /// outside of another that decides, is decided innermost.
    pub(super) fn decide(&self, takes: &[usize], loops: &[Node], steps: &mut SmallVec<[Step; 8]>) {
        if self.loops.is_empty() {
            return;
        }
        let decides = |l: usize| self.decides(l, takes[l]);
        let blocked: SmallVec<[usize; 4]> = (0..steps.len())
            .filter(|&k| decides(steps[k].index) && self.is_blocked(takes, steps, k))
            .map(|k| steps[k].index)
            .collect();
        let whole = (0..loops.len()).filter(|&l| decides(l) && takes[l] == loops[l].extent);
        let mut last: SmallVec<[usize; 4]> = whole.chain(blocked.iter().copied()).collect();
        let weight = |l: usize| self.uneven(l).map(|limit| limit.weight.abs()).max();
        last.sort_by_key(|&l| std::cmp::Reverse(weight(l)));
        let outer = steps.len();
        steps.extend(last.iter().map(|&index| Step::new(index, takes[index])));
        for k in 0..steps.len() {
            let own = steps[k].index;
            if !decides(own) || (k < outer && blocked.contains(&own)) {
                continue;
            }
            let within = |limit: &Limit| {
                let mut within = Within {
                    fold: limit.fold,
                    radix: limit.radix,
                    weight: limit.weight,
                    below: 0,
                    above: 0,
                };
                for step in &steps[k + 1..] {
                    let same = self.limits(step.index).iter().filter(|m| m.fold == limit.fold);
                    let span: isize =
                        same.map(|m| m.weight * (takes[step.index] as isize - 1)).sum();
                    within.below -= span.min(0);
                    within.above += span.max(0);
                }
                within
            };
            steps[k].within = self.uneven(own).map(within).collect();
        }
    }
}

impl Nest {
    /// Where a step of a loop leads on every operand while no digit of a fold ends.
    pub fn strides(&self, l: usize, problem: &Problem) -> Strides {
        let mut strides = self.loops[l].strides;
        for (fold, weight) in self.along(&self.loops[l], problem) {
            if let Some((_, stride)) = fold.1.digits.first() {
                let side = if fold.1.dst { DST } else { SRC };
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
            side: if fold.dst { DST } else { SRC },
        };
        let along = self.along(&self.loops[l], problem);
        along.filter(|((_, fold), _)| fold.digits.len() > 1).map(limit).collect()
    }

    /// The folds that a loop steps along and that count here.
    fn along<'a>(
        &'a self,
        node: &'a Node,
        problem: &'a Problem,
    ) -> impl Iterator<Item = ((u8, &'a Fold), isize)> {
        let counts = |index: u8, fold: &Fold| match fold.dst {
            true => !self.without.contains(&index),
            false => self.work == Work::Move,
        };
        let steps = node.folds.iter().filter(|(_, weight)| *weight != 0);
        let steps = steps.map(|&(index, weight)| ((index, &problem.folds[index as usize]), weight));
        steps.filter(move |((index, fold), _)| counts(*index, fold))
    }
}
