//! Which stages make the loaded lanes the stored ones. In: bits. Out: the fewest stages, and the
//! permutations that put right what they leave in the wrong order.

use arrayvec::ArrayVec;
use smallvec::SmallVec;

use super::Form;
use super::frame::{Frame, Lanes, MOST_BITS, NO};
use super::sort::Sorted;
use super::stage::{Packed, Stage, Swap, pack, unpack};

/// When a register's lanes are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// By the stages themselves; half registers are loaded with this bit of the stored lanes.
    Never { upper: usize },
    /// After them.
    After,
    /// Before them.
    Before,
}

/// Steps that are tried before the search for stages is given up, so that planning stays short.
const MOST_TRIES: usize = 250;

/// Bits that came in are numbered from here until it is known which they are.
const CAME_IN: u8 = 100;

/// The fewest stages from pieces of so many lanes, of the kinds there are.
pub(super) fn form(frame: &Frame, swaps: &[Swap], piece: usize, order: Order) -> Option<Form> {
    let loaded = fill(frame, piece, order);
    let (mut walk, depth) = Walk::of(frame, swaps, order, loaded);
    let start = match order {
        Order::Before => pack(std::array::from_fn(|q| q as u8)),
        _ => pack(loaded),
    };
    // Within blocks first, then across: any other order comes to the same, but where a bit has to
    // cross over.
    let found = walk.deeper(start, depth, 0);
    let (start, came) = match found {
        Some(found) => found,
        None => {
            walk.mixed = true;
            walk.deeper(start, depth, 0)?
        }
    };
    let mut lanes = pack(start);
    let mut stages = SmallVec::new();
    // Which bit of the register's number each stage works on.
    let mut slots: SmallVec<[(u8, u8); 6]> = SmallVec::new();
    for ((swap, _), id) in walk.steps.iter().zip(came) {
        let known = slots.iter().position(|(_, now)| *now == id && id != NO);
        let slot = known.unwrap_or_else(|| {
            slots.push((id, id));
            slots.len() - 1
        });
        slots[slot].1 = swap.gone(lanes);
        lanes = swap.apply(lanes, id);
        stages.push(Stage { kind: swap.kind, slot: slot as u8 });
    }
    let lanes = unpack(lanes);
    let own = loaded[..piece].iter().fold(0, |mask, id| mask | 1u32 << id);
    let flips = frame.downwards & own & frame.lanes_mask(&frame.dst[..frame.dst_bits]);
    let (before, after) = match order {
        Order::Before => (Sorted::from(frame, loaded, start, flips), Sorted::none(lanes)),
        _ => (Sorted::none(loaded), Sorted::from(frame, lanes, frame.goal(lanes), flips)),
    };
    Some(Form {
        piece,
        loaded,
        stages,
        slots,
        mixed: lanes,
        blended: 0,
        laid: None,
        before,
        after,
        in_a_row: 1,
    })
}

/// The bits that a register is loaded with: the source's own up to a piece, above them any.
fn fill(frame: &Frame, piece: usize, order: Order) -> Lanes {
    let mut lanes = [NO; 6];
    lanes[..piece].copy_from_slice(&frame.src[..piece]);
    let stored = &frame.dst[..frame.dst_bits];
    let top = frame.lanes_log.wrapping_sub(1);
    let wanted = |q: usize| match order {
        Order::Never { upper } if q == top && piece == top => stored.get(upper),
        _ => stored.get(q),
    };
    for q in piece..frame.lanes_log {
        if let Some(id) = wanted(q).filter(|id| !lanes.contains(id)) {
            lanes[q] = *id;
        }
    }
    for q in piece..frame.lanes_log {
        if lanes[q] != NO {
            continue;
        }
        let ids = 0..frame.bits.len() as u8;
        // In any order: what is missing elsewhere. Else what takes no lane in the end.
        let exact = matches!(order, Order::Never { .. });
        let missing = stored.iter().copied().find(|id| !exact && !lanes.contains(id));
        let idle = || ids.clone().find(|id| !stored.contains(id) && !lanes.contains(id));
        lanes[q] = missing.or_else(idle).unwrap_or(NO);
    }
    lanes
}

struct Walk<'a> {
    frame: &'a Frame,
    order: Order,
    loaded: Lanes,
    /// Of each bit the lane position where it is stored.
    goals: [u8; MOST_BITS],
    swaps: &'a [Swap],
    /// What was done, and the bits that went.
    steps: ArrayVec<(&'a Swap, u8), 6>,
    /// How many bits still have to come in within blocks, and across: none crosses over after.
    wanted: [usize; 2],
    /// Steps that may still be tried, mixed or not.
    left: usize,
    /// Whether stages within blocks may follow such as go across.
    mixed: bool,
    /// How many swaps stay within blocks; they come first.
    within: usize,
}

/// The lanes before the first stage, and which bits came in, in turn.
type Arrived = (Lanes, ArrayVec<u8, 6>);

impl<'a> Walk<'a> {
    /// From registers loaded so; and how many bits are not where they are stored, each of which takes a stage.
    fn of(frame: &'a Frame, swaps: &'a [Swap], order: Order, loaded: Lanes) -> (Walk<'a>, usize) {
        let here = |id: u8| loaded.iter().position(|bit| *bit == id);
        let right = |q: usize, id: u8| match here(id) {
            Some(at) => !matches!(order, Order::Never { .. }) || frame.together(at, q),
            None => false,
        };
        let mut wrong = [0; 2];
        let mut goals = [NO; MOST_BITS];
        for (q, id) in frame.dst[..frame.dst_bits].iter().enumerate() {
            wrong[usize::from(q >= frame.cross)] += usize::from(!right(q, *id));
            goals[*id as usize] = q as u8;
        }
        let depth = wrong[0] + wrong[1];
        let walk = Walk {
            frame,
            order,
            loaded,
            goals,
            swaps,
            steps: ArrayVec::new(),
            // In any order a bit may come in wherever there is room.
            wanted: if order == Order::After { [depth; 2] } else { wrong },
            left: MOST_TRIES,
            mixed: false,
            within: swaps.iter().take_while(|swap| !swap.across).count(),
        };
        (walk, depth)
    }

    /// All ways from some lanes on, by swaps from `first` on.
    fn deeper(&mut self, lanes: Packed, depth: usize, first: usize) -> Option<Arrived> {
        if depth == 0 {
            let lanes = unpack(lanes);
            return match self.order {
                Order::Never { .. } => self.in_order(&lanes),
                Order::After => self.in_any_order(&lanes),
                Order::Before => self.ordered_before(&lanes),
            };
        }
        if matches!(self.order, Order::Never { .. }) && !self.may_end_right(lanes, depth) {
            return None;
        }
        let swaps = self.swaps;
        for swap in &swaps[first..] {
            let side = usize::from(swap.across);
            if self.wanted[side] == 0 {
                continue;
            }
            let entry = usize::from(swap.entry);
            if self.order != Order::After && entry >= self.frame.dst_bits {
                continue;
            }
            let gone = swap.gone(lanes);
            if self.left == 0 || !self.may_go(gone, entry) {
                continue;
            }
            self.left -= 1;
            let next = swap.apply(lanes, CAME_IN + self.steps.len() as u8);
            self.steps.push((swap, gone));
            self.wanted[side] -= 1;
            let first = if side > 0 && !self.mixed { self.within } else { 0 };
            if let Some(found) = self.deeper(next, depth - 1, first) {
                return Some(found);
            }
            self.wanted[side] += 1;
            self.steps.pop();
        }
        None
    }

    /// The lane position where a bit is stored; none that came in has one.
    fn goal(&self, id: u8) -> Option<usize> {
        let goal = *self.goals.get(id as usize)?;
        (goal != NO).then_some(goal as usize)
    }

    /// Whether so many stages can lead what stays to its place: each leads it no more than one up within a block, past
    /// nothing else that stays; down from the top alone, by one.
    fn may_end_right(&self, lanes: Packed, depth: usize) -> bool {
        let frame = self.frame;
        let mut ends = [0; 2];
        lanes.to_le_bytes()[..frame.lanes_log].iter().enumerate().all(|(at, id)| {
            let goal = self.goal(*id).filter(|goal| frame.together(at, *goal));
            let Some(goal) = goal else { return true };
            let across = at >= frame.cross;
            let end = &mut ends[usize::from(across)];
            let later = goal >= *end;
            *end = goal + 1;
            let top = if across { frame.lanes_log } else { frame.cross };
            let up = if across { 0 } else { depth };
            later && goal <= at + up && (goal >= at || at + 1 == top && goal + 2 == top)
        })
    }

    /// What is needed stays, but for what is on the wrong side of a block's border.
    fn may_go(&self, gone: u8, from: usize) -> bool {
        match self.order {
            _ if gone == NO => true,
            _ if gone >= CAME_IN => false,
            Order::Before => true,
            order => match self.goal(gone) {
                None => true,
                Some(at) => order != Order::After && !self.frame.together(at, from),
            },
        }
    }

    /// The bits that came in, if that makes the stored lanes.
    fn in_order(&self, lanes: &Lanes) -> Option<Arrived> {
        let frame = self.frame;
        let mut came: ArrayVec<u8, 6> = self.steps.iter().map(|_| NO).collect();
        for (q, id) in frame.dst[..frame.dst_bits].iter().enumerate() {
            match lanes[q] {
                NO => return None,
                k if k >= CAME_IN => came[(k - CAME_IN) as usize] = *id,
                other if other != *id => return None,
                _ => {}
            }
        }
        for (k, id) in came.iter().enumerate() {
            // It is in the register's number from the start, or since it went there.
            let went = self.steps[..k].iter().any(|(_, gone)| gone == id);
            if *id == NO || (self.loaded.contains(id) && !went) {
                return None;
            }
        }
        Some((self.loaded, came))
    }

    /// All that is missing came in, wherever.
    fn in_any_order(&self, lanes: &Lanes) -> Option<Arrived> {
        let stored = &self.frame.dst[..self.frame.dst_bits];
        let came: ArrayVec<u8, 6> =
            stored.iter().copied().filter(|id| !lanes.contains(id)).collect();
        (came.len() == self.steps.len()).then_some((self.loaded, came))
    }

    /// What came in is what is missing, in its place; what stayed can have been put where it had to be.
    fn ordered_before(&self, lanes: &Lanes) -> Option<Arrived> {
        let frame = self.frame;
        let mut start = [NO; 6];
        let mut came: ArrayVec<u8, 6> = self.steps.iter().map(|_| NO).collect();
        for (q, id) in frame.dst[..frame.dst_bits].iter().enumerate() {
            let loaded = self.loaded.contains(id);
            match lanes[q] {
                k if k >= CAME_IN && k != NO && !loaded => came[(k - CAME_IN) as usize] = *id,
                at if at < CAME_IN && loaded => start[at as usize] = *id,
                _ => return None,
            }
        }
        if came.contains(&NO) {
            return None;
        }
        let mut rest = self.loaded.iter().filter(|id| **id != NO && !start.contains(id));
        let rest: SmallVec<[u8; 6]> = rest.by_ref().copied().collect();
        let free = start[..frame.lanes_log].iter_mut().filter(|id| **id == NO);
        free.zip(rest).for_each(|(place, id)| *place = id);
        Some((start, came))
    }
}
