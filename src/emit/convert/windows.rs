//! Units out of what was loaded. In: a sequence that takes elements apart which lie in a run, as the channels of pixels
//! do. Out: windows, registers of that run as it lies, and for each unit of what is stored which of a window's elements
//! it is.
//!
//! One permutation takes them out and makes them longer, where the sequence takes several to bring them together
//! before. Nothing but bytes that the sequence loads is read: a window that would go on behind them starts earlier.

use smallvec::SmallVec;

use super::super::moves::Moves;
use super::script::{Deed, Piece, Source};
use super::{Convert, Unit};
use crate::shuffle::{Lane, Machine, NONE, Op, Program};

/// Bytes of a window.
const WINDOW: isize = 64;

/// Units of a register at most.
const UNITS: usize = 4;

/// A unit's elements: those of a register from a byte on, every so many bytes; both up to multiples of a register, as
/// where a unit's first lanes are not stored they would lie before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Spread {
    pub(in super::super) register: u8,
    pub(in super::super) from: u8,
    pub(in super::super) step: u8,
}

/// Where an element was loaded from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin(pub(super) Option<isize>);

impl Lane for Origin {
    const ZERO: Origin = Origin(None);

    fn or(self, other: Origin) -> Origin {
        Origin(self.0.or(other.0))
    }
}

/// The windows of a sequence.
struct Windows {
    /// The bytes that are loaded, without a gap.
    run: std::ops::Range<isize>,
    starts: SmallVec<[isize; 4]>,
}

impl Convert {
    /// What each line does, if units are better taken out of windows.
    pub(super) fn windowed(&self, moves: &Moves<'_>) -> Option<Vec<Deed>> {
        let program = &*moves.program;
        let unit = self.unit(program.lanes, WINDOW as usize);
        let moved = |op: &Op| !matches!(op, Op::Load { .. } | Op::Store { .. });
        let between = program.lines.iter().filter(|line| moved(&line.op)).count();
        if !self.is_spread(unit) || between == 0 {
            return None;
        }
        let (run, loads) = run_of(program, self.from.size())?;
        let mut windows = Windows { run, starts: SmallVec::new() };
        let mut stores = rows_of(program, self.from.size()).into_iter();
        let mut script = vec![Deed::Nothing; program.lines.len()];
        for (number, line) in program.lines.iter().enumerate() {
            let Op::Store { a, at, place, count, blank } = line.op else { continue };
            let row = stores.next()?;
            if a == NONE || blank != 0 {
                return None;
            }
            let piece = Piece { line: number, at, place, count };
            let own = |u: usize| self.spread_of(&mut windows, unit, &piece, &row, u);
            let all: Option<SmallVec<[Spread; UNITS]>> = (0..unit.count).map(own).collect();
            let mut units = [Spread::default(); UNITS];
            units[..unit.count].copy_from_slice(&all?);
            script[number] = Deed::Store(piece, Source::Windows(units));
        }
        let few = windows.starts.len() <= program.registers;
        if !few || windows.starts.len() >= loads + between {
            return None;
        }
        *script.first_mut()? = Deed::Windows(windows.starts);
        Some(script)
    }

    /// Where the elements of a unit are, of a row that is stored, if they are in one window.
    fn spread_of(
        &self,
        windows: &mut Windows,
        unit: Unit,
        piece: &Piece,
        row: &[Option<Origin>],
        u: usize,
    ) -> Option<Spread> {
        let place = piece.place as usize;
        let first = place.max(u * unit.per);
        let end = (place + row.len()).min((u + 1) * unit.per);
        if first >= end {
            return Some(Spread::default());
        }
        let at = |i: usize| row[i - place]?.0;
        let start = at(first)?;
        let step = if end - first > 1 { at(first + 1)? - start } else { 0 };
        for i in first..end {
            if at(i)? != start + step * (i - first) as isize {
                return None;
            }
        }
        let last = start + step * (end - first - 1) as isize;
        let size = self.from.size() as isize;
        let (register, window) = windows.of(start.min(last), start.max(last) + size)?;
        // From where lane 0 would be.
        let from = start - window - step * (first - u * unit.per) as isize;
        Some(Spread { register, from: from as u8, step: step as u8 })
    }
}

impl Windows {
    /// The number and the start of a window that has some bytes.
    fn of(&mut self, first: isize, end: isize) -> Option<(u8, isize)> {
        let has = |start: &isize| *start <= first && end <= start + WINDOW;
        let known = self.starts.iter().position(has);
        let number = match known {
            Some(number) => number,
            None => {
                let start = first.min(self.run.end - WINDOW);
                if !has(&start) || start < self.run.start {
                    return None;
                }
                self.starts.push(start);
                self.starts.len() - 1
            }
        };
        Some((number as u8, self.starts[number]))
    }
}

/// The bytes that a sequence loads, if they are a run, and by how many loads.
fn run_of(program: &Program, size: usize) -> Option<(std::ops::Range<isize>, usize)> {
    let mut loads: SmallVec<[(isize, isize); 16]> = SmallVec::new();
    for line in &program.lines {
        match line.op {
            Op::Load { at, count, .. } => loads.push((at, at + (count as usize * size) as isize)),
            Op::Repeat { .. } | Op::Spill { .. } | Op::Reload { .. } => return None,
            _ => {}
        }
    }
    loads.sort_unstable();
    let (first, mut end) = *loads.first()?;
    for &(from, to) in &loads {
        if from > end {
            return None;
        }
        end = end.max(to);
    }
    (end - first >= WINDOW).then_some((first..end, loads.len()))
}

/// For each store where its elements were loaded from.
pub(super) fn rows_of(program: &Program, size: usize) -> Vec<Vec<Option<Origin>>> {
    let mut rows = Vec::new();
    let load = |at: isize, i: usize| Origin(Some(at + (i * size) as isize));
    Machine::new(program).run(program, load, |(_, row)| rows.push(row.to_vec()));
    rows
}
