//! Where stored elements come from. In: a sequence that only moves elements. Out: for each store where its elements
//! were loaded from, and a script of stores alone, if every unit of each is found by that.

use std::ops::Range;

use smallvec::SmallVec;

use super::script::{Deed, Piece, Source};
use super::{Convert, Unit};
use crate::shuffle::{Lane, Machine, NONE, Op, Program};

/// Units of a register at most.
pub(super) const UNITS: usize = 4;

/// Where an element was loaded from.
#[derive(Clone, Copy, Debug)]
struct Origin(Option<isize>);

impl Lane for Origin {
    const ZERO: Origin = Origin(None);

    fn or(self, other: Origin) -> Origin {
        Origin(self.0.or(other.0))
    }
}

/// The elements of a unit: where the first of them lies, how far each is from the one before, and their lanes.
pub(super) struct Along {
    pub(super) start: isize,
    pub(super) step: isize,
    pub(super) lanes: Range<usize>,
}

impl Convert {
    /// What each line does if nothing but stores is left, `found` being what is to be known of a unit's elements; none
    /// where those of one are not evenly apart, or not found, or where padding is stored.
    pub(super) fn by_units<T: Copy + Default>(
        &self,
        program: &Program,
        unit: Unit,
        mut found: impl FnMut(Along) -> Option<T>,
        source: impl Fn([T; UNITS]) -> Source,
    ) -> Option<Vec<Deed>> {
        let mut rows = rows_of(program, self.from.size()).into_iter();
        let mut script = vec![Deed::Nothing; program.lines.len()];
        for (number, line) in program.lines.iter().enumerate() {
            let Op::Store { a, at, place, count, blank } = line.op else { continue };
            let row = rows.next()?;
            if a == NONE || blank != 0 {
                return None;
            }
            let own = |u: usize| match along(unit, place.into(), &row, u)? {
                along if along.lanes.is_empty() => Some(T::default()),
                along => found(along),
            };
            let all: Option<SmallVec<[T; UNITS]>> = (0..unit.count).map(own).collect();
            let mut units = [T::default(); UNITS];
            units[..unit.count].copy_from_slice(&all?);
            let piece = Piece { line: number, at, place, count };
            script[number] = Deed::Store(piece, source(units));
        }
        Some(script)
    }
}

/// The elements of a unit, by number, of a row that is stored from a lane on, if they are evenly apart.
fn along(unit: Unit, place: usize, row: &[Option<Origin>], u: usize) -> Option<Along> {
    let from = u * unit.per;
    let (first, end) = (place.max(from), (place + row.len()).min(from + unit.per));
    if first >= end {
        return Some(Along { start: 0, step: 0, lanes: 0..0 });
    }
    let at = |i: usize| row[i - place]?.0;
    let start = at(first)?;
    let step = if end - first > 1 { at(first + 1)? - start } else { 0 };
    for i in first..end {
        if at(i)? != start + step * (i - first) as isize {
            return None;
        }
    }
    Some(Along { start, step, lanes: first - from..end - from })
}

/// For each store where its elements were loaded from.
fn rows_of(program: &Program, size: usize) -> Vec<Vec<Option<Origin>>> {
    let mut rows = Vec::new();
    let load = |at: isize, i: usize| Origin(Some(at + (i * size) as isize));
    Machine::new(program).run(program, load, |(_, row)| rows.push(row.to_vec()));
    rows
}
