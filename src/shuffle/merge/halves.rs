//! Rows joined from halves. In: rows that no permutation of whole registers brings together, each half of
//! which has its elements in the same half of several registers. Out: registers in which both halves are
//! worked on at once, as shares like those of rows, and which halves of them make each row.

use smallvec::SmallVec;

use super::rows::{BLANK, Rows};
use super::shares::{Share, Shares, overlay};

/// What rows are joined from.
pub(super) struct Halves {
    /// Registers that are worked on.
    pub(super) work: Vec<Work>,
    /// For each row, the register and the half of it that each of its halves is; none for other rows.
    pub(super) rows: Vec<Option<[Half; 2]>>,
}

/// A register, by its number in [`Halves::work`], and a half of it.
pub(super) type Half = (u32, u8);

/// A register that two halves of rows are made in.
pub(super) struct Work {
    pub(super) shares: Vec<Share>,
    /// Whether each half has been taken.
    taken: [bool; 2],
}

impl Halves {
    /// None where registers have no two halves, or a half of a row has elements of both, or of none.
    pub(super) fn of(rows: &Rows, shares: &[Shares]) -> Option<Halves> {
        if rows.lanes != 2 * rows.block {
            return None;
        }
        let mut halves = Halves { work: Vec::new(), rows: Vec::new() };
        for (row, shares) in rows.rows.iter().zip(shares) {
            if !matches!(shares, Shares::Windowed(_)) {
                halves.rows.push(None);
                continue;
            }
            let mut own = [(0, 0); 2];
            let lanes = rows.places(row);
            for (half, lanes) in own.iter_mut().zip(lanes.chunks(rows.block)) {
                *half = halves.half(rows, lanes)?;
            }
            if lanes.len() <= rows.block {
                own[1] = own[0];
            }
            halves.rows.push(Some(own));
        }
        halves.rows.iter().any(Option::is_some).then_some(halves)
    }

    /// Where a half of a row is made.
    fn half(&mut self, rows: &Rows, lanes: &[(u32, u32)]) -> Option<Half> {
        let (all, block) = (rows.lanes as u32, rows.block);
        let mut half = None;
        let mut shares: Vec<Share> = Vec::new();
        for (lane, &(run, element)) in lanes.iter().enumerate().filter(|(_, from)| from.0 != BLANK)
        {
            let (input, from) = ((run, element / all), (element % all) as usize);
            let side = from / block;
            if *half.get_or_insert(side) != side {
                return None;
            }
            let lane = side * block + lane;
            Share::gather(&mut shares, input, (lane, from as u8), rows.lanes);
        }
        let side = half?;
        shares.sort_by_key(|share| share.input);
        let inputs = |shares: &[Share]| -> SmallVec<[(u32, u32); 4]> {
            shares.iter().map(|share| share.input).collect()
        };
        let own = inputs(&shares);
        let free = |work: &Work| !work.taken[side] && inputs(&work.shares) == own;
        let at = self.work.iter().position(free).unwrap_or_else(|| {
            let shares = own.iter().map(|input| Share::empty(*input, rows.lanes)).collect();
            self.work.push(Work { shares, taken: [false; 2] });
            self.work.len() - 1
        });
        let work = &mut self.work[at];
        work.taken[side] = true;
        for (all, own) in work.shares.iter_mut().zip(&shares) {
            all.mask |= own.mask;
            overlay(&mut all.from, &own.from);
        }
        Some((at as u32, side as u8))
    }
}
