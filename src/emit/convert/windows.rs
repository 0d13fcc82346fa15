//! Units out of what was loaded. In: a sequence that takes elements apart which lie in a run, as the channels of pixels
//! do. Out: windows, registers of that run as it lies, and for each unit of what is stored which of a window's elements
//! it is.
//!
//! One permutation takes them out and makes them longer, where the sequence takes several to bring them together
//! before. Nothing but bytes that the sequence loads is read: a window that would go on behind them starts earlier.

use smallvec::SmallVec;

use super::super::moves::Moves;
use super::Convert;
use super::script::{Deed, Source};
use crate::shuffle::{Op, Program};

/// Bytes of a window.
const WINDOW: isize = 64;

/// A unit's elements: those of a register from a byte on, every so many bytes; both up to multiples of a register, as
/// where a unit's first lanes are not stored they would lie before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Spread {
    pub(in super::super) register: u8,
    pub(in super::super) from: u8,
    pub(in super::super) step: u8,
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
        let mut script = self.by_units(
            program,
            unit,
            |along| {
                let size = self.from.size() as isize;
                let last = along.start + along.step * (along.lanes.len() - 1) as isize;
                let (first, end) = (along.start.min(last), along.start.max(last) + size);
                let (register, window) = windows.of(first, end)?;
                // From where lane 0 would be.
                let from = along.start - window - along.step * along.lanes.start as isize;
                Some(Spread { register, from: from as u8, step: along.step as u8 })
            },
            Source::Windows,
        )?;
        let few = windows.starts.len() <= program.registers;
        if !few || windows.starts.len() >= loads + between {
            return None;
        }
        *script.first_mut()? = Deed::Windows(windows.starts);
        Some(script)
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
