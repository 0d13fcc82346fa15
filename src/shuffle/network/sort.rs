//! Lanes put in order. In: the bits that lanes tell apart, and those that they should. Out: permutations
//! of a register, one after the other, that make the one the other.

use smallvec::SmallVec;

use super::frame::{Frame, Lanes, NO};
use crate::shuffle::{NONE, Op, Reg, Table};

/// Permutations of a register, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sorted {
    pub(super) steps: SmallVec<[Step; 3]>,
    /// The lanes when all are done.
    pub(super) lanes: Lanes,
}

/// One permutation: which bit is where before and after, and which are turned round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    within: bool,
    grain_log: usize,
    before: Lanes,
    after: Lanes,
    flips: u32,
}

impl Frame {
    /// The stored lanes, as far as they are among these; all others where there is room.
    pub(super) fn goal(&self, lanes: Lanes) -> Lanes {
        let mut goal = lanes;
        let mut idle: SmallVec<[u8; 6]> = lanes[..self.lanes_log]
            .iter()
            .copied()
            .filter(|id| self.stored_at(*id).is_none() || *id == NO)
            .collect();
        for (q, bit) in goal[..self.lanes_log].iter_mut().enumerate() {
            match self.dst[..self.dst_bits].get(q) {
                Some(id) if lanes.contains(id) => *bit = *id,
                _ => {
                    let same = idle.iter().position(|id| *id == lanes[q]).unwrap_or(0);
                    *bit = idle.remove(same);
                }
            }
        }
        goal
    }

    pub(super) fn lanes_mask(&self, lanes: &[u8]) -> u32 {
        lanes.iter().filter(|id| **id != NO).fold(0, |mask, id| mask | 1u32 << id)
    }
}

impl Sorted {
    pub(super) fn none(lanes: Lanes) -> Sorted {
        Sorted { steps: SmallVec::new(), lanes }
    }

    /// The operations, of any register; their tables have the numbers from `first` on.
    pub(super) fn ops(&self, first: u16) -> SmallVec<[Op; 3]> {
        self.steps.iter().zip(first..).map(|(step, table)| step.op(NONE, table)).collect()
    }

    /// A table for each of them.
    pub(super) fn tables(&self, frame: &Frame) -> impl Iterator<Item = Table> {
        self.steps.iter().map(|step| step.table(frame))
    }

    /// From lanes as they are to a goal, `flips` being bits that are turned round.
    pub(super) fn from(frame: &Frame, lanes: Lanes, goal: Lanes, flips: u32) -> Sorted {
        let turned = |q: usize| goal[q] != NO && flips >> goal[q] & 1 == 1;
        let moved: SmallVec<[usize; 6]> =
            (0..frame.lanes_log).filter(|&q| goal[q] != lanes[q] || turned(q)).collect();
        let mut sorted = Sorted { steps: SmallVec::new(), lanes: goal };
        let (Some(&low), Some(&high)) = (moved.first(), moved.last()) else { return sorted };
        let mut step = |within, grain_log, before, after, flips| {
            sorted.steps.push(Step { within, grain_log, before, after, flips });
        };
        let floor = frame.floor;
        if high < frame.cross {
            step(true, 0, lanes, goal, flips);
        } else if low >= floor {
            step(false, low, lanes, goal, flips);
        } else if let Some((grain, middle)) = frame.low_first(&lanes, &goal) {
            // Within blocks what is to end up lowest, then whole groups to anywhere.
            let below = (0..grain).filter(|&q| turned(q)).fold(0u32, |mask, q| mask | 1 << goal[q]);
            if middle != lanes || below != 0 {
                step(true, 0, lanes, middle, below);
            }
            step(false, grain, middle, goal, flips & !below);
        } else {
            // The bits whose end is above the block must first be where whole groups move.
            let mut middle = lanes;
            for (q, id) in goal.iter().enumerate().take(frame.lanes_log).skip(frame.cross) {
                let at = middle.iter().position(|bit| bit == id).unwrap_or(q);
                if at < floor {
                    // One that goes down takes its place, or any.
                    let other = (floor..frame.cross)
                        .find(|&p| !goal[frame.cross..frame.lanes_log].contains(&middle[p]));
                    let Some(other) = other else { continue };
                    middle.swap(at, other);
                }
            }
            if middle != lanes {
                step(true, 0, lanes, middle, 0);
            }
            let mut across = middle;
            for (q, id) in goal.iter().enumerate().take(frame.lanes_log).skip(frame.cross) {
                let at = across.iter().position(|bit| bit == id).unwrap_or(q);
                across.swap(at, q);
            }
            let above = (frame.cross..frame.lanes_log).filter(|&q| turned(q));
            let above = above.fold(0u32, |mask, q| mask | 1 << goal[q]);
            if across != middle || above != 0 {
                let moved = (floor..frame.cross).find(|&q| across[q] != middle[q]);
                step(false, moved.unwrap_or(frame.cross), middle, across, above);
            }
            let below = flips & !above;
            if across != goal || below != 0 {
                step(true, 0, across, goal, below);
            }
        }
        sorted
    }
}

impl Frame {
    /// Lanes whose lowest positions are as they will be, all within blocks, so that groups of those can
    /// move as one; and how many positions that is. None where some of them come from above.
    fn low_first(&self, lanes: &Lanes, goal: &Lanes) -> Option<(usize, Lanes)> {
        let inside = |id: &u8| lanes[..self.cross].contains(id) && *id != NO;
        let grain = (self.floor..self.cross).rev().find(|&q| goal[..q].iter().all(inside))?;
        let mut middle = *lanes;
        for (q, id) in goal[..grain].iter().enumerate() {
            let at = middle.iter().position(|bit| bit == id).unwrap_or(q);
            middle.swap(at, q);
        }
        Some((grain, middle))
    }
}

impl Step {
    /// The operation, of a register and a table.
    fn op(&self, a: Reg, table: u16) -> Op {
        let mask = u64::MAX;
        match self.within {
            true => Op::Within { a, table, mask, keep: NONE },
            false => Op::Permute { a, table, grain: 1 << self.grain_log, mask, keep: NONE },
        }
    }

    /// Which lane each lane comes from.
    fn table(&self, frame: &Frame) -> Table {
        let lane = |to: usize| {
            let mut from = 0;
            for q in 0..frame.lanes_log {
                let id = self.after[q];
                let turned = id != NO && self.flips >> id & 1 == 1;
                // Positions without a bit stay where they are among themselves.
                let at = match id {
                    NO => q,
                    id => self.before.iter().position(|bit| *bit == id).unwrap_or(q),
                };
                from |= ((to >> q & 1) ^ turned as usize) << at;
            }
            from as u8
        };
        Table((0..frame.lanes()).map(lane).collect())
    }
}
