//! Rows gathered block by block. In: a row whose elements no permutation of whole registers brings
//! together. Out: registers of 16-byte windows of the source, a window for each block of the row, which
//! are permuted within blocks and put together.

use smallvec::SmallVec;

use super::rows::{BLANK, Row};
use super::ways::Writer;
use crate::shuffle::op::every;
use crate::shuffle::{NONE, Op, Reg, Table};

/// Consecutive elements of a run: the run, the first, and how many.
pub(super) type Window = (u32, u32, u8);

impl Writer<'_> {
    /// The register of a row.
    pub(super) fn windows(&mut self, row: &Row) -> Reg {
        let block = self.rows.block;
        let blocks: SmallVec<[SmallVec<[Window; 4]>; 4]> =
            row.from.chunks(block).map(|lanes| self.block_windows(lanes)).collect();
        let rounds = blocks.iter().map(|windows| windows.len()).max().unwrap_or(0);
        let mut register = NONE;
        for round in 0..rounds {
            let key: SmallVec<[Option<Window>; 4]> =
                blocks.iter().map(|windows| windows.get(round).copied()).collect();
            let a = self.window_register(&key);
            let mut table = Table(SmallVec::from_elem(Table::ZERO, self.rows.lanes));
            let mut mask = 0u64;
            for (lane, (run, element)) in row.from.iter().enumerate() {
                let Some(window) = key[lane / block] else { continue };
                let own = *run != BLANK
                    && window_of(&blocks[lane / block], *run, *element) == Some(round);
                if own {
                    let start = lane / block * block;
                    table.0[lane] = (start + (element - window.1) as usize) as u8;
                    mask |= 1 << lane;
                }
            }
            register = self.within(register, a, table, mask, rounds == 1);
        }
        register
    }

    /// Lanes of `a` within blocks, where `mask` says, beside what is there already; `alone` if nothing
    /// comes beside it.
    fn within(&mut self, register: Reg, a: Reg, table: Table, mask: u64, alone: bool) -> Reg {
        let all = every(self.rows.lanes);
        let still = (table.0.iter().enumerate())
            .all(|(lane, from)| *from == Table::ZERO || *from as usize == lane);
        let masks = self.target.tier.masks();
        if register == NONE && still && (masks || alone) {
            return a;
        }
        self.permutes += 1;
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
    fn block_windows(&self, lanes: &[(u32, u32)]) -> SmallVec<[Window; 4]> {
        let mut wanted: SmallVec<[(u32, u32); 16]> =
            lanes.iter().copied().filter(|(run, _)| *run != BLANK).collect();
        wanted.sort_unstable();
        let cover = |aligned: bool| {
            let mut windows: SmallVec<[Window; 4]> = SmallVec::new();
            for &(run, element) in &wanted {
                if window_of(&windows, run, element).is_some() {
                    continue;
                }
                let (length, block) = (self.rows.runs[run as usize].1, self.rows.block);
                let first = match aligned {
                    true => element as usize / block * block,
                    false => (element as usize).min(length.saturating_sub(block)),
                };
                let count = block.min(length - first) as u8;
                windows.push((run, first as u32, count));
            }
            windows
        };
        let (aligned, tight) = (cover(true), cover(false));
        if aligned.len() <= tight.len() { aligned } else { tight }
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

fn window_of(windows: &[Window], run: u32, element: u32) -> Option<usize> {
    windows.iter().position(|(from, first, count)| {
        *from == run && (*first..first + u32::from(*count)).contains(&element)
    })
}
