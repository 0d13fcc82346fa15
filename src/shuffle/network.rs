//! Networks. In: a movement whose lanes are index bits on both sides. Out: loads of runs, stages in which
//! a bit of the register's number and a bit of the lane's change places, and stores of runs.
//!
//! ```text
//! lanes   b3 b2 b1 b0     the bits of the index that tell lanes apart, as loaded
//! stage   b3 b2 b1 r0     two registers that differ in r0 become two that differ in the bit pushed out
//! lanes   r3 r2 r1 r0     as stored
//! ```
//!
//! Bits above a 16-byte block (or half a register) may be any when a register is loaded in pieces of
//! that size. What is left in the wrong order is put right by a permutation of each register.

mod emit;
mod frame;
mod search;

use smallvec::SmallVec;

use super::cost::Cost;
use super::{Candidate, Movement, NONE, Op};
use crate::target::Target;
pub(super) use emit::generate;
use frame::{Frame, Lanes, NO};
use search::{Order, Sorted, Stage};

/// A network as it was weighed.
pub(super) struct Chosen {
    pub(super) cost: Cost,
    frame: Frame,
    form: Form,
}

/// Everything that tells how the registers are filled and mixed.
#[derive(Clone, Debug)]
struct Form {
    /// Lanes of a piece, as a power of two.
    piece: usize,
    /// The bits that tell lanes apart, as loaded.
    loaded: Lanes,
    stages: SmallVec<[Stage; 6]>,
    /// The bits of the register's number: as loaded, and as stored.
    slots: SmallVec<[(u8, u8); 6]>,
    /// After the stages.
    mixed: Lanes,
    /// How many of the stages blend in place of half of their shuffles.
    blended: usize,
    /// Permutations of each register ahead of the stages.
    before: Sorted,
    /// And behind them.
    after: Sorted,
}

/// The cheapest network, if the movement is one.
pub(super) fn best(
    movement: &Movement,
    target: &Target,
    weighed: &mut SmallVec<[Candidate; 4]>,
) -> Option<Chosen> {
    let mut best: Option<Chosen> = None;
    for frame in Frame::both(movement, target) {
        let found = best_of(movement, frame, target, weighed);
        let least = best.as_ref().map_or(u64::MAX, |best| best.cost.cycles(target));
        best = found.filter(|found| found.cost.cycles(target) < least).or(best);
    }
    best
}

/// The cheapest with registers of one width.
fn best_of(
    movement: &Movement,
    frame: Frame,
    target: &Target,
    weighed: &mut SmallVec<[Candidate; 4]>,
) -> Option<Chosen> {
    let mut best: Option<(Cost, Form)> = None;
    let blocks = [("16-byte pieces", frame.cross), ("32-byte pieces", frame.cross + 1)];
    let run = frame.src_bits;
    let whole = [("whole runs", run.min(frame.lanes_log))];
    let pieces = blocks.into_iter().filter(|(_, piece)| *piece < run.min(frame.lanes_log));
    let top = frame.lanes_log.saturating_sub(1);
    let orders = [
        Order::Never { upper: top },
        Order::Never { upper: frame.cross },
        Order::After,
        Order::Before,
    ];
    for (name, piece) in whole.into_iter().chain(pieces) {
        for order in orders {
            // Half a register has two bits to choose its upper one from, nothing else has.
            if matches!(order, Order::Never { upper } if upper != top) && piece != frame.cross + 1 {
                continue;
            }
            let Some(form) = search::form(&frame, piece, order) else { continue };
            for blended in [0, usize::MAX] {
                let mut form = form.clone();
                let stages = form.stages.iter().filter(|stage| stage.straddles(&frame)).count();
                form.blended = blended.min(stages);
                if blended > 0 && (form.blended == 0 || !target.tier.masks()) {
                    continue;
                }
                let cost = cost(movement, &frame, &form, target);
                let name = match (name, form.blended) {
                    (name, 0) => name,
                    ("whole runs", _) => "whole runs and blends",
                    ("32-byte pieces", _) => "32-byte pieces and blends",
                    _ => "16-byte pieces and blends",
                };
                match weighed.iter_mut().find(|candidate| candidate.name == name) {
                    Some(known) if known.cost.cycles(target) <= cost.cycles(target) => {}
                    Some(known) => known.cost = cost,
                    None => weighed.push(Candidate { name, cost }),
                }
                if best.as_ref().is_none_or(|(least, _)| cost.cycles(target) < least.cycles(target))
                {
                    best = Some((cost, form));
                }
            }
            // Where the order comes out right by itself, nothing else is shorter.
            let sorted = form.before.steps.is_empty() && form.after.steps.is_empty();
            let full = !form.loaded[..frame.lanes_log].contains(&NO);
            if sorted && full && form.stages.len() <= frame.missing(&form.loaded) {
                break;
            }
        }
    }
    best.map(|(cost, form)| Chosen { cost, frame, form })
}

impl Chosen {
    /// Whether rows are as long as registers, and runs as blocks, so that a merge cannot gain anything.
    pub(super) fn fills_rows(&self) -> bool {
        self.frame.dst_bits == self.frame.lanes_log && self.frame.src_bits >= self.frame.cross
    }
}

/// What a form costs, without writing it out.
fn cost(movement: &Movement, frame: &Frame, form: &Form, target: &Target) -> Cost {
    let (lane, width) = (frame.lane, frame.width());
    let mut cost = Cost::default();
    let own = |positions: &[u8]| {
        let mut own = [0u32; 16];
        for id in positions.iter().filter(|id| **id != NO) {
            own[frame.bits[*id as usize].0 as usize] += 1;
        }
        own
    };
    let pieces = |own: [u32; 16], extent: &dyn Fn(&super::Dim) -> usize| -> usize {
        let dims = movement.dims.iter().zip(own);
        dims.map(|(dim, own)| extent(dim).div_ceil(1 << own)).product()
    };
    let loads = pieces(own(&form.loaded[..form.piece]), &|dim| dim.data.len());
    let registers = pieces(own(&form.loaded), &|dim| dim.data.len());
    let stored = pieces(own(&form.mixed), &|dim| dim.extent);
    let stores = pieces(own(&frame.dst[..frame.dst_bits]), &|dim| dim.extent);
    let count = 1u8 << form.piece;
    let load = |place, keep| Op::Load { at: 0, place, count, keep };
    cost.add(&load(0, NONE), registers.min(loads) as u32, lane, width, target);
    let second = (count as usize % frame.lanes()) as u8;
    cost.add(&load(second, 0), loads.saturating_sub(registers) as u32, lane, width, target);
    // Where nothing is loaded there is nothing to shuffle: padding is stored as it is.
    let most = if loads == 0 { 0 } else { registers.max(stored) };
    let rounded = if most == 0 { 0 } else { most.next_power_of_two() };
    let mut blended = form.blended;
    for (k, stage) in form.stages.iter().enumerate() {
        let live = (stored << (form.stages.len() - 1 - k)).min(rounded) as u32;
        let blends = stage.straddles(frame) && blended > 0;
        blended -= blends as usize;
        let shuffle = Op::Straddle { a: 0, b: 0 };
        cost.add(&shuffle, if blends { live.div_ceil(2) } else { live }, lane, width, target);
        if blends {
            cost.add(&Op::Blend { a: 0, b: 0, mask: 0 }, live, lane, width, target);
        }
    }
    for (steps, times) in [(&form.before, registers), (&form.after, stored.min(rounded))] {
        for step in &steps.steps {
            cost.add(&step.op(0, 0), times as u32, lane, width, target);
        }
    }
    let store = Op::Store { a: 0, at: 0, place: 0, count: 1 << frame.dst_bits, blank: 0 };
    cost.add(&store, stores as u32, lane, width, target);
    cost
}
