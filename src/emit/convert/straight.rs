//! Units straight from the source. In: a sequence that only brings runs of elements together, each as long as a unit,
//! as blocks of channels are. Out: for each unit of what is stored where its run lies.
//!
//! A load makes the elements of a run longer on the way; what would bring runs together in registers, to take them
//! apart there again, is left out.

use super::super::moves::Moves;
use super::Convert;
use super::origins::{Along, UNITS};
use super::script::{Deed, Source};
use crate::shuffle::{NONE, Op, Program};

impl Convert {
    /// What each line does, if every unit is a run of the source.
    pub(super) fn straight(&self, moves: &Moves<'_>, most: usize) -> Option<Vec<Deed>> {
        let program = &*moves.program;
        let unit = self.unit(program.lanes, most);
        // What one permutation takes out of a register takes no longer.
        let longer = self.bytewise.is_none() && self.from.size() < unit.element;
        if !longer
            || self.is_spread(unit)
            || unit.count > UNITS
            || !brings_runs_together(program, unit.per)
        {
            return None;
        }
        let size = self.from.size() as isize;
        let run = |along: Along| {
            let behind = along.lanes.len() == 1 || along.step == size;
            // From where lane 0 would be.
            behind.then(|| along.start - size * along.lanes.start as isize)
        };
        self.by_units(program, unit, run, Source::Runs)
    }
}

/// Whether a sequence does more than to load and to store, and loads whole units each time.
fn brings_runs_together(program: &Program, per: usize) -> bool {
    let mut moves = false;
    let whole = program.lines.iter().all(|line| match line.op {
        Op::Load { count, keep, .. } => {
            moves |= keep != NONE;
            usize::from(count).is_multiple_of(per)
        }
        Op::Repeat { .. } | Op::Spill { .. } | Op::Reload { .. } => false,
        Op::Store { .. } => true,
        _ => {
            moves = true;
            true
        }
    });
    whole && moves
}
