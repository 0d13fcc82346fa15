//! Steps along folds. In: what a tile takes, and the steps around it. Out: which of them look, as they
//! go, how much lies within the innermost digits of their folds, and what they look at.
//!
//! Such a step takes what a tile takes where that fits at the position it has come to, else the
//! largest power of two below that does. Whatever is taken further in counts in full, so that nothing
//! decided there can spoil what was decided outside; and nothing else may move on along the same folds in
//! between. So these steps go inside of all others along their folds, and where two of them walk one
//! fold, the outer one is cut into blocks where it stood and decides within its block, innermost.

use std::ops::Range;

use smallvec::SmallVec;

use super::{Folds, Limit};
use crate::plan::Step;
use crate::plan::order::Steps;
use crate::problem::Node;

/// A fold that a step leads along. It takes several of its loop's steps at once only where all positions of
/// the tile have the same innermost digit, whatever is chosen further in.
///
/// The position is counted from the fold's start, and the nest's along it, by what all loops have been
/// stepped so far, those further in from the start of their block or, where they have none, from 0.
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
        self.digits(count).contains(&position.rem_euclid(self.radix))
    }

    /// The innermost digits from which so many steps fit.
    pub(crate) fn digits(&self, count: usize) -> Range<isize> {
        let own = self.weight * (count as isize - 1);
        self.below - own.min(0)..self.radix - self.above - own.max(0)
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

    /// Whether all of this step fits until its loop ends, as `outer`, a step further out that has taken
    /// `taken`, several, looked at the same folds.
    pub(crate) fn fits_within(&self, outer: &Step, taken: usize) -> bool {
        let known = |fold: u8| outer.within.iter().any(|within| within.fold == fold);
        taken > 1 && !self.within.is_empty() && self.within.iter().all(|within| known(within.fold))
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
pub(super) fn below(size: usize) -> Option<usize> {
    (size > 1).then(|| size.next_power_of_two() / 2)
}

impl Folds {
    /// Moves steps that decide to the inside of all others along their folds, which must not move on
    /// what has been decided.
    pub(in crate::plan) fn nest(&self, takes: &[usize], steps: &mut [Step]) {
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

    /// Gives the steps that decide what they have to look at. What a tile takes whole, and what is cut into
    /// blocks outside of another that decides, is decided innermost.
    pub(in crate::plan) fn decide(&self, takes: &[usize], loops: &[Node], steps: &mut Steps) {
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
        let looks = |k: usize, l: usize| decides(l) && (k >= outer || !blocked.contains(&l));
        for k in 0..steps.len() {
            let own = steps[k].index;
            if !looks(k, own) {
                continue;
            }
            debug_assert!(
                (k + 1..steps.len())
                    .all(|i| looks(i, steps[i].index) || !self.shared(own, steps[i].index)),
                "nothing else moves on along the same folds"
            );
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
