//! What a sequence costs. In: operations and a target. Out: how often each group of ports is used, and
//! the cycles that the busiest of them needs.

use std::ops::{AddAssign, Mul, Range};

use smallvec::SmallVec;

use super::reach::reaching;
use super::{Line, NONE, Op};
use crate::target::{PARTS, Target};

/// How often each kind of port is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Loads.
    pub loads: u32,
    /// Permutations.
    pub shuffles: u32,
    /// Those of them that move lanes from one 16-byte block to another.
    pub across: u32,
    /// Those of them that take elements of two registers by turns, within 16-byte blocks.
    pub unpacks: u32,
    /// Other vector operations: blends and masked moves.
    pub blends: u32,
    /// Stores.
    pub stores: u32,
    /// Those of them that a mask lets through in part, or others write over in part, of which no core is known to do two
    /// in a cycle.
    pub masked: u32,
    /// Those that do not start where their register does, nor are a block of it.
    pub inside: u32,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.loads += other.loads;
        self.shuffles += other.shuffles;
        self.across += other.across;
        self.unpacks += other.unpacks;
        self.blends += other.blends;
        self.stores += other.stores;
        self.masked += other.masked;
        self.inside += other.inside;
    }
}

impl Mul<u32> for Counts {
    type Output = Counts;

    fn mul(self, times: u32) -> Counts {
        Counts {
            loads: self.loads * times,
            shuffles: self.shuffles * times,
            across: self.across * times,
            unpacks: self.unpacks * times,
            blends: self.blends * times,
            stores: self.stores * times,
            masked: self.masked * times,
            inside: self.inside * times,
        }
    }
}

/// Counts, and the number of operations as they are issued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// By kind of port.
    pub counts: Counts,
    /// Operations, each a line of the listing.
    pub ops: u32,
    /// Bytes of the registers, by which ports differ, or of those in which elements change.
    pub width: u8,
    /// What is done to elements on the way.
    pub change: Change,
}

/// What changing elements costs, where they do as they are loaded or stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// So many elements at once.
    pub unit: u8,
    /// As many as are packed beside others when they are loaded; fewer must be blended with them.
    pub whole: u8,
    /// Operations on these as they are loaded, and permutations among them.
    pub loads: (u8, u8),
    /// So many more permutations, or fewer, that two units take which are loaded into one register.
    pub pairs: i8,
    /// Operations on these as they are stored, and permutations among them.
    pub stores: (u8, u8),
    /// So many at most of what is stored fill a register; 0 where that is as many as a register of a sequence has.
    pub stored: u8,
}

impl Change {
    /// Permutations, and other operations, that a load or a store of elements takes besides.
    pub(crate) fn of(&self, op: &Op) -> (u32, u32) {
        let (units, (all, shuffles)) = self.own_units(op);
        let pairs =
            if matches!(op, Op::Store { .. }) { 0 } else { units.end / 2 - units.start / 2 };
        let (units, shuffles) = (units.len() as u32, u32::from(shuffles));
        let beside = i32::from(self.pairs) * i32::from(pairs);
        ((units * shuffles).saturating_add_signed(beside), units * (u32::from(all) - shuffles))
    }

    /// Whether stores may reach over others: lanes cannot be masked, and elements are stored as they are.
    pub(super) fn reaches(&self, target: &Target) -> bool {
        !target.tier.masks() && self.stores == (0, 0)
    }

    /// How many units of elements change in an operation.
    pub(crate) fn units(&self, op: &Op) -> u32 {
        self.own_units(op).0.len() as u32
    }

    /// Which units of a register change in an operation, and what each takes. What is loaded beside others changes with
    /// them, but for units that are its own.
    fn own_units(&self, op: &Op) -> (Range<u8>, (u8, u8)) {
        let units = |count: u8| count.div_ceil(self.unit.max(1));
        let (own, each) = match *op {
            Op::Load { place, count, keep, .. } if keep != NONE => {
                (units(place)..units(place + count), self.loads)
            }
            Op::Load { count, .. } | Op::Repeat { count, .. } => (0..units(count), self.loads),
            Op::Store { a, count, .. } if a != NONE => (0..units(count), self.stores),
            _ => (0..0, (0, 0)),
        };
        (if each.0 == 0 { 0..0 } else { own }, each)
    }

    /// Bytes of the registers in which elements change as they are loaded, of so many at once.
    fn width(&self, lanes: usize, target: &Target) -> usize {
        match usize::from(self.unit) {
            unit if unit > 0 && self.loads.0 > 0 => target.tier.vector() / unit * lanes.min(unit),
            _ => 0,
        }
    }

    /// How many stores one is that stores elements which have become longer.
    fn several(&self, op: &Op) -> u32 {
        match *op {
            Op::Store { count, .. } if self.stored > 0 => count.div_ceil(self.stored).into(),
            _ => 0,
        }
    }

    /// What a load is that loads whole ones alone: so many of them.
    fn packed(&self, op: &Op) -> Option<Counts> {
        if self.whole == 0 {
            return None;
        }
        match *op {
            Op::Load { place, count, .. } => {
                let whole = place.is_multiple_of(self.whole) && count.is_multiple_of(self.whole);
                whole.then(|| Counts { loads: u32::from(count / self.whole), ..Counts::default() })
            }
            _ => None,
        }
    }
}

/// Prices are bounds so many times, and below that operations, by which ties are decided.
pub(crate) const TIES: u64 = 64;

impl Cost {
    /// The cycles of the busiest ports, in [`PARTS`] of a cycle, and a little for every operation, by
    /// which ties are decided.
    pub fn cycles(&self, target: &Target) -> u64 {
        self.bound(target) * TIES + u64::from(self.issued())
    }

    /// The cycles of the busiest ports, in [`PARTS`] of a cycle.
    pub fn bound(&self, target: &Target) -> u64 {
        let (counts, parts) = (&self.counts, target.ports.of(self.width.into()));
        let per = |count: u32, parts: u16| u64::from(count) * u64::from(parts);
        let elsewhere = if target.ports.unpacks_everywhere { counts.unpacks } else { 0 };
        [
            per(counts.shuffles - elsewhere, parts.shuffle),
            per(counts.across, parts.across),
            per(counts.shuffles + counts.blends, parts.vector),
            per(counts.loads, parts.load),
            per(counts.stores - counts.masked, parts.store)
                + per(counts.masked, parts.store.max(PARTS as u16))
                + per(counts.inside, target.ports.stores_inside),
            per(self.issued(), target.ports.issue),
        ]
        .into_iter()
        .max()
        .unwrap_or(0)
    }

    /// Whether most of what is stored are parts of registers.
    pub(super) fn is_in_parts(&self) -> bool {
        2 * self.counts.masked > self.counts.stores
    }

    fn issued(&self) -> u32 {
        let counts = &self.counts;
        self.ops.max(counts.loads + counts.shuffles + counts.blends + counts.stores)
    }

    /// So many of the same.
    pub(super) fn add(&mut self, op: &Op, times: u32, lane: usize, width: usize, target: &Target) {
        let one = self.change.packed(op).unwrap_or_else(|| counts(op, lane, width, target));
        self.ops += times;
        self.counts += Counts { stores: one.stores.max(self.change.several(op)), ..one } * times;
        self.width = width as u8;
        if self.change.unit > 0 {
            let (shuffles, others) = self.change.of(op);
            self.counts.shuffles += shuffles * times;
            self.counts.blends += others * times;
            self.width = width.max(self.change.width(width / lane, target)) as u8;
        }
    }

    /// Of a whole sequence.
    pub fn of<'a>(
        ops: impl IntoIterator<Item = &'a Op>,
        lane: usize,
        width: usize,
        change: Change,
        target: &Target,
    ) -> Cost {
        let mut cost = Cost { change, ..Cost::default() };
        ops.into_iter().for_each(|op| cost.add(op, 1, lane, width, target));
        cost
    }

    /// What so many stores take besides, so many bytes in all, since they reach over others: one at a time, and as they
    /// are off lines, those two that reach over their ends.
    pub(super) fn reach(&mut self, stores: usize, bytes: usize, target: &Target) {
        let twice = (bytes / target.line) as u32;
        self.counts.stores += twice;
        self.counts.masked += stores as u32 + twice;
    }

    /// Of all lines, in registers of so many lanes: stores that may reach over others do.
    pub(super) fn of_lines(
        lines: &[Line],
        lane: usize,
        lanes: usize,
        change: Change,
        target: &Target,
    ) -> Cost {
        let longer = match change.reaches(target) {
            true => reaching(lines, lane, lanes),
            false => SmallVec::new(),
        };
        let mut cost = Cost { change, ..Cost::default() };
        let bytes = longer.iter().map(|(_, longer)| usize::from(*longer) * lane).sum();
        cost.reach(longer.len(), bytes, target);
        let mut longer = longer.into_iter().peekable();
        for (number, line) in lines.iter().enumerate().rev() {
            let mut op = line.op;
            if let Some((_, longer)) = longer.next_if(|(own, _)| *own == number)
                && let Op::Store { count, .. } = &mut op
            {
                *count = longer;
            }
            cost.add(&op, 1, lane, lane * lanes, target);
        }
        cost
    }
}

/// What one operation uses, `lane` bytes a lane and `width` a register.
fn counts(op: &Op, lane: usize, width: usize, target: &Target) -> Counts {
    let masks = target.tier.masks();
    let none = Counts::default();
    match *op {
        Op::Load { place, count, keep, .. } => {
            let (from, bytes) = (place as usize * lane, count as usize * lane);
            let kept = (keep != NONE) as u32;
            if masks {
                // A register of a few odd bytes, loaded from so far ahead of them, reaches over two lines nearly always.
                let split =
                    from > 0 && bytes < 8 && !bytes.is_power_of_two() && width >= target.line;
                return Counts { loads: 1 + u32::from(split), blends: kept, ..none };
            }
            if loads_by_mask(from, bytes, width, keep != NONE) {
                return Counts { loads: 2, blends: kept, ..none };
            }
            let Pieces { parts, shuffles, across } = pieces(from, bytes, width);
            // What is not at the front of a block is inserted there; blocks join at last.
            let shuffles = parts - 1 + shuffles;
            let blends = if from == 16 { kept } else { 0 };
            Counts { loads: parts, shuffles, across, blends, ..none }
        }
        Op::Repeat { count, .. } => {
            let shuffles = (count as usize * lane < 4) as u32;
            Counts { loads: 1, shuffles, across: shuffles, ..none }
        }
        Op::Unpack { .. } | Op::Quads { .. } | Op::Straddle { .. } => {
            Counts { shuffles: 1, unpacks: 1, ..none }
        }
        Op::Within { .. } => Counts { shuffles: 1, ..none },
        Op::Blocks { .. } => Counts { shuffles: 1, across: 1, ..none },
        Op::Permute { grain, .. } => {
            let narrow = (grain as usize * lane) < 4;
            let shuffles = if narrow { u32::from(target.ports.narrow_single) } else { 1 };
            Counts { shuffles, across: shuffles, ..none }
        }
        Op::Blend { .. } => Counts { blends: if masks || lane >= 4 { 1 } else { 2 }, ..none },
        Op::Or { .. } => Counts { blends: 1, ..none },
        Op::Copy { .. } => none,
        Op::Store { a, place, count, blank, .. } => {
            let (from, bytes) = (place as usize * lane, count as usize * lane);
            let blends = (blank != 0 && a != NONE) as u32;
            match masks {
                true => {
                    let whole = matches!(bytes, 16 | 32) && from.is_multiple_of(bytes);
                    let slow = !whole && !(from + bytes).is_multiple_of(4);
                    let front = from == 0 && matches!(bytes, 4 | 8 | 16 | 32);
                    let masked = blends > 0 || !(front || bytes == width);
                    let stores = 1 + slow as u32;
                    // Whole blocks go by themselves.
                    let inside = from > 0 && !whole;
                    let [masked, inside] = [masked, inside].map(|own| stores * u32::from(own));
                    Counts { stores, masked, inside, blends, ..none }
                }
                false => {
                    let Pieces { parts, shuffles, across } = stored(from, bytes, width);
                    Counts { stores: parts, shuffles, across, blends, ..none }
                }
            }
        }
        Op::Spill { .. } => Counts { stores: 1, ..none },
        Op::Reload { .. } => Counts { loads: 1, ..none },
    }
}

/// How a part of a register moves where lanes cannot be masked.
pub(super) struct Pieces {
    /// In so many pieces.
    pub(super) parts: u32,
    /// And so many more permutations, that bring these to the front.
    shuffles: u32,
    /// Those of them that leave a block.
    across: u32,
}

impl Pieces {
    pub(super) fn operations(&self) -> u32 {
        self.parts + self.shuffles
    }
}

/// The pieces of a store, no part of which goes by a mask. Permutations are all of them.
pub(super) fn stored(from: usize, bytes: usize, width: usize) -> Pieces {
    if bytes == width {
        return Pieces { parts: 1, shuffles: 0, across: 0 };
    }
    let end = from + bytes;
    let half = |from: usize, end: usize| match end.saturating_sub(from) {
        0 => (0, 0),
        16 => (1, 0),
        // What is in front goes as it is, all else is extracted.
        len => {
            let parts = extracted(from, len).count() as u32;
            (parts, parts - u32::from(from == 0 && len >= 4))
        }
    };
    let (low, high) = (half(from, end.min(16)), half(from.max(16) - 16, end.max(16) - 16));
    // An upper half is stored from where it is, parts of one from the front.
    let across = u32::from(!matches!(end.saturating_sub(from.max(16)), 0 | 16));
    Pieces { parts: low.0 + high.0, shuffles: low.1 + high.1 + across, across }
}

/// The pieces of 1, 2, 4 and 8 bytes that lie on multiples of themselves, of bytes of one half of a register: where
/// each is, and how long.
pub(crate) fn extracted(from: usize, bytes: usize) -> impl Iterator<Item = (usize, usize)> {
    let (mut at, end) = (from, from + bytes);
    std::iter::from_fn(move || {
        let fits = |len: &usize| at.is_multiple_of(*len) && at + *len <= end;
        let len = [8, 4, 2, 1].into_iter().find(fits).filter(|_| at < end)?;
        at += len;
        Some((at - len, len))
    })
}

/// The pieces of a load, no part of which goes by a mask.
fn pieces(from: usize, bytes: usize, width: usize) -> Pieces {
    if bytes == width || (bytes == 16 && from.is_multiple_of(16)) {
        return Pieces { parts: 1, shuffles: 0, across: 0 };
    }
    let parts = (bytes / 16) as u32 + (bytes % 16).count_ones();
    let across = (from >= 16 || from + bytes > 16) as u32;
    let shuffles = across + (!from.is_multiple_of(16)) as u32;
    Pieces { parts: parts.max(1), shuffles, across }
}

/// Whether bytes in a row are loaded under a mask of double words, which is loaded too, where registers cannot be
/// masked; and not whole, or in one or two pieces of a kind that take no longer.
pub(crate) fn loads_by_mask(from: usize, bytes: usize, width: usize, keeps: bool) -> bool {
    let simple = match (from, bytes) {
        (0, 4 | 8) if !keeps => true,
        (_, 4 | 8) if keeps && width == 16 => from.is_multiple_of(bytes),
        (_, 16) => from.is_multiple_of(16),
        _ => bytes == width,
    };
    from.is_multiple_of(4) && bytes.is_multiple_of(4) && !simple
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of one register change together, each time as many as are a unit.
    #[test]
    fn what_is_loaded_beside_others_changes_with_them() {
        let change = Change { unit: 16, loads: (3, 2), ..Change::default() };
        let load = |place, count, keep| change.of(&Op::Load { at: 0, place, count, keep });
        assert_eq!(load(0, 4, NONE), (2, 1));
        assert_eq!(load(4, 12, 0), (0, 0));
        assert_eq!(load(16, 4, 0), (2, 1));
        assert_eq!(load(12, 8, 0), (2, 1));
        assert_eq!(load(0, 32, NONE), (4, 2));
        // Two of which take a permutation less.
        let change = Change { pairs: -1, ..change };
        let load = |place, count, keep| change.of(&Op::Load { at: 0, place, count, keep });
        assert_eq!(
            [load(0, 16, NONE), load(16, 16, 0), load(0, 64, NONE)],
            [(2, 1), (1, 1), (6, 4)]
        );
    }
}
