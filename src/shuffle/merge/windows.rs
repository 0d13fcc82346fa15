//! Rows gathered block by block. In: a row whose elements no permutation of whole registers brings
//! together. Out: registers of 16-byte windows of the source, a window for each block of the row, which
//! are permuted within blocks and put together.

use smallvec::SmallVec;

use super::rows::{BLANK, Row};
use super::shares::is_still;
use super::ways::{Layer, Writer};
use crate::shuffle::op::every;
use crate::shuffle::{NONE, Op, Reg, Table};

/// Consecutive elements of a run: the run, the first, and how many.
pub(super) type Window = (u32, u32, u8);

/// The windows of a block, and for each of its lanes which it is in.
type Covered = (SmallVec<[Window; 4]>, SmallVec<[u8; 16]>);

/// The lane is padding.
const NOWHERE: u8 = u8::MAX;

impl Writer<'_> {
    /// The register of a row, unless it costs too much; `blended` if its windows may be blended before they are
    /// permuted.
    pub(super) fn windows(&mut self, row: &Row, blended: bool) -> Option<Reg> {
        let (block, lanes) = (self.rows.block, self.rows.lanes);
        let places = self.rows.places(row);
        let blocks: SmallVec<[Covered; 4]> =
            places.chunks(block).map(|lanes| self.block_windows(lanes)).collect();
        let rounds = blocks.iter().map(|(windows, _)| windows.len()).max().unwrap_or(0);
        let least = if blended { 1 } else { rounds as u32 };
        if self.exceeds(least) {
            return None;
        }
        let mut parts: SmallVec<[Layer; 4]> = SmallVec::new();
        for round in 0..rounds {
            let key: SmallVec<[Option<Window>; 4]> =
                blocks.iter().map(|(windows, _)| windows.get(round).copied()).collect();
            let register = self.window_register(&key);
            let from = SmallVec::from_elem(Table::ZERO, lanes);
            let mut part = Layer { register, from, mask: 0, taken: 0 };
            for (k, (window, (_, lanes))) in key.iter().zip(&blocks).enumerate() {
                let Some((_, first, _)) = *window else { continue };
                for (i, _) in lanes.iter().enumerate().filter(|(_, of)| **of == round as u8) {
                    let lane = k * block + i;
                    let from = k * block + (places[lane].1 - first) as usize;
                    part.from[lane] = from as u8;
                    part.mask |= 1 << lane;
                    part.taken |= 1 << from;
                }
            }
            parts.push(part);
        }
        if blended {
            let windows = std::mem::take(&mut parts);
            windows.into_iter().for_each(|window| self.blend(&mut parts, window));
        }
        let (mut register, alone) = (NONE, parts.len() == 1);
        for Layer { register: a, from, mask, .. } in parts {
            register = self.within(register, a, Table(from), mask, alone);
        }
        Some(register)
    }

    /// Lanes of `a` within blocks, where `mask` says, beside what is there already; `alone` if nothing
    /// comes beside it.
    fn within(&mut self, register: Reg, a: Reg, table: Table, mask: u64, alone: bool) -> Reg {
        let all = every(self.rows.lanes);
        let masks = self.target.tier.masks();
        if register == NONE && is_still(&table.0) && (masks || alone) {
            return a;
        }
        if masks && register != NONE {
            let table = self.draft.table(table);
            return self.draft.push(Op::Within { a, table, mask, keep: register });
        }
        let table = self.draft.table(table);
        let moved = self.draft.push(Op::Within { a, table, mask: all, keep: NONE });
        match register {
            NONE => moved,
            _ => self.draft.push(Op::Or { a: register, b: moved }),
        }
    }

    /// The windows that hold all elements of a block: at whole blocks of a run where that takes no
    /// more of them, since other rows have use for those too.
    fn block_windows(&self, lanes: &[(u32, u32)]) -> Covered {
        let lanes = lanes.iter().zip(0u8..).filter(|((run, _), _)| *run != BLANK);
        let mut wanted: SmallVec<[(u32, u32, u8); 16]> =
            lanes.map(|(&(run, element), lane)| (run, element, lane)).collect();
        wanted.sort_unstable();
        let cover = |aligned: bool| {
            let mut windows: SmallVec<[Window; 4]> = SmallVec::new();
            let mut of = SmallVec::from_elem(NOWHERE, self.rows.block);
            for &(run, element, lane) in &wanted {
                // They are wanted in order, so no other window than the last can hold it.
                let last = windows.last().is_some_and(|(from, first, count)| {
                    *from == run && (*first..first + u32::from(*count)).contains(&element)
                });
                if !last {
                    let (length, block) = (self.rows.runs[run as usize].1, self.rows.block);
                    let first = match aligned {
                        true => element as usize / block * block,
                        false => (element as usize).min(length.saturating_sub(block)),
                    };
                    let count = block.min(length - first) as u8;
                    windows.push((run, first as u32, count));
                }
                of[lane as usize] = (windows.len() - 1) as u8;
            }
            (windows, of)
        };
        let (aligned, tight) = (cover(true), cover(false));
        if aligned.0.len() <= tight.0.len() { aligned } else { tight }
    }

    /// A register with a window in each block, the same one if it was asked for before.
    fn window_register(&mut self, key: &[Option<Window>]) -> Reg {
        if let Some((_, register)) = self.windowed.iter().find(|(known, _)| known[..] == *key) {
            return *register;
        }
        let (size, block) = (self.movement.src_size, self.rows.block);
        let follows = |pair: &[Option<Window>]| match pair {
            [Some(a), Some(b)] => {
                a.0 == b.0 && a.1 + u32::from(a.2) == b.1 && a.2 as usize == block
            }
            _ => false,
        };
        let mut register = NONE;
        match (key, key.windows(2).all(follows)) {
            ([Some((run, first, _)), ..], true) if key.len() * block == self.rows.lanes => {
                let count = key.iter().flatten().map(|window| window.2).sum();
                let at = self.rows.place(*run, *first, size);
                register = self.draft.push(Op::Load { at, place: 0, count, keep: NONE });
            }
            _ => {
                for (i, window) in key.iter().enumerate() {
                    let Some((run, first, count)) = *window else { continue };
                    let (at, place) = (self.rows.place(run, first, size), (i * block) as u8);
                    register = self.draft.push(Op::Load { at, place, count, keep: register });
                }
            }
        }
        self.windowed.push((SmallVec::from_slice(key), register));
        register
    }
}
