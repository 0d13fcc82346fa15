//! Asking ahead. In: the steps around a nest's tiles. Out: blocks of the source's rows that are asked for before tiles
//! take them.
//!
//! A machine foresees what is read from a few rows by turns, and fetches it before it is needed. Of more rows than that
//! it does so only where the pieces of each are long, and else a core can but wait for the few lines that it has under
//! way. So all of a block is asked for, one row's long piece after the other, into the second level, whatever order
//! tiles take it in then. To ask for the next block while tiles are at work on this one is no better: what they read
//! comes between the pieces, and the machine sees no rows any more.

use crate::plan::order::{Step, Steps};
use crate::plan::rows::PAGE;
use crate::plan::view::View;
use crate::problem::SRC;

/// How blocks of the source are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// A block is what is inside of this step, by number.
    pub step: usize,
    /// The loop whose steps are rows.
    pub across: usize,
    /// As many of them as a block has.
    pub rows: usize,
    /// The loop that leads on along rows.
    pub along: usize,
    /// Bytes of a row that are a block's.
    pub bytes: usize,
}

/// Bytes of a row in a block, the most first: what is asked for is worth the way from row to row, and longer pieces are
/// foreseen.
const PIECES: [usize; 2] = [1 << 10, 1 << 9];

/// A block takes no more of the second level than one part of so many.
pub(in crate::plan) const PART: usize = 8;

impl View<'_> {
    /// The blocks that are asked for, if the machine does not foresee them; a step may become blocks of it, and is a
    /// number further in then, as is all that is inside of it. What is copied inside of step `staged` is read there,
    /// and so no block begins further in.
    pub(in crate::plan) fn ask(
        &self,
        takes: &[usize],
        steps: &mut Steps,
        staged: usize,
    ) -> Option<Asked> {
        if self.fills || !self.folds.is_empty() {
            return None;
        }
        let along = self.next(takes, SRC)?;
        let own = self.chain(SRC).iter().position(|&l| l == along)?;
        let own = &self.chain(SRC)[..=own];
        let stride = |l: usize| self.stride(l, SRC);
        let plain = |l: usize| self.loops[l].table.is_none();
        let moved = steps.iter().any(Step::overlaps);
        if moved || !plain(along) || stride(along) <= 0 {
            return None;
        }
        let apart = stride(along) as usize;
        // Inside of the last step is but a tile, which comes to its lines at once.
        for k in 0..steps.len().min(staged + 1) {
            let inside = self.inside_of(&steps[..k]);
            let mut others = { 0..self.loops.len() }
                .filter(|l| inside[*l] > 1 && !self.stands_still(*l, SRC) && !own.contains(l));
            let (Some(across), None) = (others.next(), others.next()) else { continue };
            let rows = inside[across];
            let pages = rows.saturating_mul(stride(across).unsigned_abs().min(PAGE)) / PAGE;
            if pages < 2 * usize::from(self.target.memory.streams) || !plain(across) {
                return None;
            }
            let most = (self.target.l2 / PART / rows).min(PIECES[0]);
            let bytes = inside[along].saturating_mul(apart);
            if bytes <= most {
                // Further in, pieces only get shorter.
                let step = k.checked_sub(1).filter(|_| bytes >= PIECES[1])?;
                let ask = Ask { step, across, rows, along, bytes };
                return Some(Asked { ask, new: None });
            }
            if steps[k].index != along || k >= staged {
                continue;
            }
            let by = |bytes: &usize| (bytes / apart / steps[k].by * steps[k].by).max(steps[k].by);
            let fits = |by: &usize| by.saturating_mul(apart) <= most && self.has_blocks(along, *by);
            let Some(by) = PIECES.iter().map(by).find(fits) else { continue };
            let new = (by > steps[k].by).then_some(k);
            if new.is_some() {
                steps.insert(k, Step::new(along, by));
            }
            let ask = Ask { step: k, across, rows, along, bytes: by * apart };
            return (k + 1 < steps.len()).then_some(Asked { ask, new });
        }
        None
    }
}

/// What is asked for, and the number of the step that is new.
pub(in crate::plan) struct Asked {
    pub(in crate::plan) ask: Ask,
    pub(in crate::plan) new: Option<usize>,
}

#[cfg(test)]
mod tests {
    use crate::plan::{Locality, planned};

    /// Rows and bytes of the blocks that are asked for.
    fn asked(pair: &str, locality: Locality) -> Vec<(usize, usize)> {
        let plan = planned(pair, "spr".parse().unwrap(), locality);
        let nests = plan.nests();
        let asks = nests.filter_map(|nest| nest.tiling.as_ref()?.ask.as_ref());
        asks.map(|ask| (ask.rows, ask.bytes)).collect()
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn many_rows_are_asked_for_in_long_pieces() {
        assert_eq!(asked("u8:ab:4992x4992 ba", Locality::Auto), [(128, 1024)]);
        assert_eq!(asked("s8:ab:200x150000 ba", Locality::Auto), [(200, 1024)]);
        // Rows that end within lines too.
        assert_eq!(asked("u8:ab:5000x5000 ba", Locality::Auto), [(128, 1024)]);
        assert_eq!(asked("bf16:nchw:16x256x56x56 nhwc", Locality::Auto), [(64, 1024)]);
    }

    /// Tiles do so themselves where a last level has both sides, and copies wherever rows are copied first.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn but_not_where_tiles_or_copies_ask_for_lines() {
        for pair in [
            "u8:ab:4001x4001 ba",
            "bf16:nchw:8x384x56x56 nhwc",
            "u8:ab:4096x4096 ba",
            "f32:nchw:32x256x56x56 s8:nhwc",
        ] {
            assert_eq!(asked(pair, Locality::Auto), [], "{pair}");
        }
    }

    /// Few rows are foreseen, or such as lie on few pages; more than have room in the second level are not asked for,
    /// nor what is small.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn others_are_not() {
        for pair in [
            "f32:ab:4096x4096 ba",
            "f32:nchw:8x64x56x56 nhwc",
            "f32:nhwc:32x256x14x14 nchw",
            "f32:ab:3000x5001 ba",
        ] {
            assert_eq!(asked(pair, Locality::Auto), [], "{pair}");
        }
        assert_eq!(asked("u8:ab:400x400 ba", Locality::Keep), []);
    }
}
