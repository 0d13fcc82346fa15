//! Packs. In: rows. Out: the same rows, of registers that pieces of several runs are loaded into side by side:
//! one such register has all that a row needs, so that a row is one permutation.

use smallvec::SmallVec;

use super::rows::{BLANK, Row, Rows};
use crate::target::Target;

/// Pieces of the source, loaded one beside the other: where each starts, and its elements.
pub(super) struct Pack {
    pub(super) pieces: SmallVec<[(isize, u8); 16]>,
    /// Lanes that a piece has for itself.
    pub(super) room: usize,
}

/// A piece, as its run and its number there.
type Piece = (u32, u32);

/// Bytes of a piece.
const PIECES: [usize; 4] = [32, 16, 8, 4];

impl Rows {
    /// With the longest pieces of which a register has room for all that a row needs; none where that
    /// is not to be had, or rows come from single registers anyhow.
    pub(super) fn packed(&self, src_size: usize, target: &Target) -> Option<Rows> {
        let several = self.rows.iter().any(|row| row.inputs(self) > 1);
        if !target.tier.masks() || !several || self.lanes * self.lane < 64 {
            return None;
        }
        let rooms = PIECES.into_iter().map(|bytes| bytes / self.lane);
        { rooms }.filter(|room| *room > 0).find_map(|room| self.packed_by(room, src_size))
    }

    fn packed_by(&self, room: usize, src_size: usize) -> Option<Rows> {
        let slots = self.lanes / room;
        let mut packs: Vec<SmallVec<[Piece; 16]>> = Vec::new();
        let mut rows = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let pieces = pieces(row, room, slots)?;
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
            let place = |&(run, element): &(u32, u32)| {
                let slot = |piece: Piece| packs[found].iter().position(|own| *own == piece);
                match (run, slot((run, element / room as u32))) {
                    (BLANK, _) | (_, None) => (BLANK, 0),
                    (_, Some(slot)) => {
                        (found as u32, (slot * room + element as usize % room) as u32)
                    }
                }
            };
            rows.push(Row { at: row.at, from: row.from.iter().map(place).collect() });
        }
        let load = |&(run, piece): &Piece| {
            let (at, length) = self.runs[run as usize];
            let first = piece as usize * room;
            (at + (first * src_size) as isize, room.min(length - first) as u8)
        };
        let packs = packs.iter().map(|pack| Pack { pieces: pack.iter().map(load).collect(), room });
        let packs: Vec<Pack> = packs.collect();
        let runs = packs.iter().map(|pack| (0, pack.pieces.len() * room)).collect();
        let Rows { lane, lanes, block, loads_plainly, .. } = *self;
        Some(Rows { lane, lanes, block, loads_plainly, runs, rows, packs })
    }
}

/// What a row needs; none where that is more than a register has room for.
fn pieces(row: &Row, room: usize, slots: usize) -> Option<SmallVec<[Piece; 16]>> {
    let mut pieces: SmallVec<[Piece; 16]> = SmallVec::new();
    for &(run, element) in row.from.iter().filter(|from| from.0 != BLANK) {
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
