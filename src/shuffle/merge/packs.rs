//! Packs. In: rows. Out: the same rows, of registers that pieces of several runs are loaded into side by side:
//! one such register has all that a row needs, so that a row is one permutation. Or registers of runs with gaps, in
//! whose gaps others come, moved on within their blocks: so that there are fewer to permute.

use smallvec::SmallVec;

use super::rows::{BLANK, Place, Rows};
use crate::shuffle::cost::Cost;
use crate::target::Target;

/// Pieces of the source, loaded one beside the other.
pub(super) struct Pack {
    pub(super) loads: SmallVec<[Loaded; 16]>,
}

/// Elements from a place in the source on, and the lane that the first of them comes to.
pub(super) struct Loaded {
    pub(super) at: isize,
    pub(super) place: u8,
    pub(super) count: u8,
    /// So many lanes further on comes what is wanted of them, and to which; none: what there is comes to its place.
    pub(super) moved: Option<(u8, u64)>,
}

/// A piece, as its run and its number there.
type Piece = (u32, u32);

/// Bytes of a piece.
const PIECES: [usize; 4] = [32, 16, 8, 4];

impl Rows {
    /// With the longest pieces of which a register has room for all that a row needs; none where that is not to be had,
    /// or is no cheaper than `ceiling`.
    pub(super) fn packed(&self, src_size: usize, ceiling: u64, target: &Target) -> Option<Rows> {
        if !target.tier.masks() || self.lanes * self.lane < 64 {
            return None;
        }
        // Shorter pieces are more, each beside another in a pack but the first.
        let is_cheap = |room: &usize| {
            let mut least = self.stored;
            let loads = self.elements.div_ceil(*room) as u32;
            least.counts.loads += loads;
            if self.loads_plainly {
                least.counts.blends += loads.saturating_sub(self.rows.len() as u32);
            }
            least.cycles(target) < ceiling
        };
        let rooms = PIECES.into_iter().map(|bytes| bytes / self.lane).filter(|room| *room > 0);
        rooms.take_while(is_cheap).find_map(|room| self.packed_by(room, src_size))
    }

    fn packed_by(&self, room: usize, src_size: usize) -> Option<Rows> {
        let slots = self.lanes / room;
        let mut packs: Vec<SmallVec<[Piece; 16]>> = Vec::new();
        let mut places = Vec::new();
        for row in &self.rows {
            let lanes = self.places(row);
            let pieces = pieces(lanes, room, slots)?;
            // The latest two are the likeliest.
            let fits = |pack: &SmallVec<[Piece; 16]>| {
                let more = pieces.iter().filter(|piece| !pack.contains(piece)).count();
                pack.len() + more <= slots
            };
            let near = packs.len().saturating_sub(2);
            let found = packs[near..].iter().rposition(fits).map(|at| near + at);
            let found = found.unwrap_or_else(|| {
                packs.push(SmallVec::new());
                packs.len() - 1
            });
            for piece in pieces {
                if !packs[found].contains(&piece) {
                    packs[found].push(piece);
                }
            }
            // Elements of a piece mostly follow one another.
            let mut slot = 0;
            let place = |&(run, element): &Place| {
                let (piece, pack) = ((run, element / room as u32), &packs[found]);
                if run == BLANK {
                    return (BLANK, 0);
                }
                if pack[slot] != piece {
                    slot = pack.iter().position(|own| *own == piece).expect("all have a slot");
                }
                (found as u32, (slot * room) as u32 + element % room as u32)
            };
            places.extend(lanes.iter().map(place));
        }
        let load = |(slot, &(run, piece)): (usize, &Piece)| {
            let (at, length) = self.runs[run as usize];
            let first = piece as usize * room;
            let (at, count) = (at + (first * src_size) as isize, room.min(length - first) as u8);
            Loaded { at, place: (slot * room) as u8, count, moved: None }
        };
        let packs = packs.iter().map(|pack| Pack { loads: (0..).zip(pack).map(load).collect() });
        Some(self.of_packs(packs.collect(), places))
    }

    /// What these packs cost at least, with the stores of their rows.
    pub(super) fn least_of_packs(&self) -> Cost {
        let mut least = self.stored;
        for Pack { loads } in &self.packs {
            least.counts.loads += loads.len() as u32;
            for beside in loads.iter().skip(1) {
                match beside.moved {
                    Some(_) => least.counts.shuffles += 1,
                    // Where elements change as they are loaded that may be all there is to it.
                    None => least.counts.blends += u32::from(self.loads_plainly),
                }
            }
        }
        least
    }

    /// With registers in whose gaps others lie; none where there is no room for any.
    pub(super) fn interleaved(&self, src_size: usize, target: &Target) -> Option<Rows> {
        if !target.tier.masks() {
            return None;
        }
        let elements = self.rows.iter().flat_map(|row| self.places(row));
        let elements = elements.filter(|from| from.0 != BLANK);
        let input = |&(run, element): &Place| {
            ((run, self.register(element)), 1u64 << self.lane_of(element))
        };
        let mut inputs: Vec<(Piece, u64)> = elements.map(input).collect();
        inputs.sort_unstable();
        inputs.dedup_by(|next, known| {
            let same = next.0 == known.0;
            known.1 |= if same { next.1 } else { 0 };
            same
        });
        // Of each register its number among the packs, and how many lanes further on it lies.
        let mut places: Vec<(Piece, (u32, usize))> = Vec::new();
        let mut packs: Vec<(Pack, u64)> = Vec::new();
        for &(input, wanted) in &inputs {
            let step = longest(wanted).next_power_of_two();
            let lanes = (0..self.lanes).filter(|lane| wanted >> lane & 1 == 1);
            let last = lanes.map(|lane| lane % self.block).max().unwrap_or(0);
            let free = |(_, taken): &(Pack, u64)| {
                let mut within = (0..self.block - last).step_by(step);
                within.find(|by| taken & wanted << by == 0)
            };
            let by = packs.last().and_then(free);
            if by.is_none() {
                packs.push((Pack { loads: SmallVec::new() }, 0));
            }
            let (by, (pack, taken)) = (by.unwrap_or(0), packs.last_mut()?);
            let (run, first) = (input.0, input.1 as usize * self.lanes);
            let count = self.lanes.min(self.runs[run as usize].1 - first) as u8;
            let at = self.place(run, first as u32, src_size);
            let moved = Some((by as u8, wanted << by));
            pack.loads.push(Loaded { at, place: 0, count, moved });
            *taken |= wanted << by;
            places.push((input, (packs.len() as u32 - 1, by)));
        }
        if packs.len() == inputs.len() {
            return None;
        }
        let place = |&(run, element): &Place| {
            let input = (run, self.register(element));
            let known = places.binary_search_by_key(&input, |known| known.0);
            known.map_or((BLANK, 0), |known| {
                let (pack, by) = places[known].1;
                (pack, self.lane_of(element) + by as u32)
            })
        };
        let lanes = self.rows.iter().flat_map(|row| self.places(row));
        let packs = packs.into_iter().map(|pack| pack.0).collect();
        Some(self.of_packs(packs, lanes.map(place).collect()))
    }
}

/// The most lanes that follow one another.
fn longest(mut lanes: u64) -> usize {
    let mut most = 0;
    while lanes != 0 {
        lanes &= lanes << 1;
        most += 1;
    }
    most
}

/// What a row needs; none where that is more than a register has room for.
fn pieces(lanes: &[Place], room: usize, slots: usize) -> Option<SmallVec<[Piece; 16]>> {
    let mut pieces: SmallVec<[Piece; 16]> = SmallVec::new();
    for &(run, element) in lanes.iter().filter(|from| from.0 != BLANK) {
        let piece = (run, element / room as u32);
        if pieces.last() != Some(&piece) && !pieces.contains(&piece) {
            if pieces.len() == slots {
                return None;
            }
            pieces.push(piece);
        }
    }
    Some(pieces)
}
