//! Units straight from the source. In: a sequence that only brings runs of elements together, each as long as a unit,
//! as blocks of channels are. Out: for each unit of what is stored where its run lies.
//!
//! A load makes the elements of a run longer on the way; what would bring runs together in registers, to take them
//! apart there again, is left out.

use smallvec::SmallVec;

use super::super::moves::Moves;
use super::script::{Deed, Piece, Source};
use super::windows::{Origin, rows_of};
use super::{Convert, Unit};
use crate::shuffle::{NONE, Op, Program};

/// Units of a register at most.
const UNITS: usize = 4;

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
        let mut rows = rows_of(program, self.from.size()).into_iter();
        let mut script = vec![Deed::Nothing; program.lines.len()];
        for (number, line) in program.lines.iter().enumerate() {
            let Op::Store { a, at, place, count, blank } = line.op else { continue };
            let row = rows.next()?;
            if a == NONE || blank != 0 {
                return None;
            }
            let piece = Piece { line: number, at, place, count };
            let own: Option<SmallVec<[isize; UNITS]>> =
                (0..unit.count).map(|u| self.run_of_unit(unit, &piece, &row, u)).collect();
            let mut starts = [0; UNITS];
            starts[..unit.count].copy_from_slice(&own?);
            script[number] = Deed::Store(piece, Source::Runs(starts));
        }
        Some(script)
    }

    /// Where the first lane of a unit would lie, if its elements lie in a row.
    fn run_of_unit(
        &self,
        unit: Unit,
        piece: &Piece,
        row: &[Option<Origin>],
        u: usize,
    ) -> Option<isize> {
        let (place, size) = (piece.place as usize, self.from.size() as isize);
        let (first, end) = (place.max(u * unit.per), (place + row.len()).min((u + 1) * unit.per));
        let lane = |i: usize| Some(row[i - place]?.0? - size * (i - u * unit.per) as isize);
        if first >= end {
            return Some(0);
        }
        let start = lane(first)?;
        (first..end).all(|i| lane(i) == Some(start)).then_some(start)
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
