//! Stores that reach over. In: lines of a sequence, where lanes cannot be masked. Out: the parts of registers that are
//! stored with lanes behind their own, since that takes fewer instructions: whatever these write is written over.
//!
//! ```text
//! 7 elements, then the next 7, ..    8 of the one, 8 of the next, ..    the last as 4, 2 and 1
//! ```
//!
//! That may be where all that is written beyond the own elements is stored by lines further down.

use std::ops::Range;

use smallvec::SmallVec;

use super::cost::stored;
use super::{Line, Op};

/// The stores that do, last first: each by its line, with as many lanes as it stores then.
pub(crate) fn reaching(lines: &[Line], lane: usize, lanes: usize) -> SmallVec<[(usize, u8); 16]> {
    let width = lane * lanes;
    let mut behind = Stored::default();
    let mut all = SmallVec::new();
    for (number, line) in lines.iter().enumerate().rev() {
        let Op::Store { at, place, count, .. } = line.op else { continue };
        let (from, bytes) = (place as usize * lane, count as usize * lane);
        let end = at.saturating_add(bytes as isize);
        let pieces = |bytes: usize| stored(from, bytes, width).operations();
        if pieces(bytes) > 1 {
            let most = (behind.from(end) - end) as usize + bytes;
            let longer = (bytes..=most.min(width - from)).step_by(lane);
            let best = longer.min_by_key(|longer| pieces(*longer)).unwrap_or(bytes);
            if best > bytes {
                all.push((number, (best / lane) as u8));
            }
        }
        behind.add(at..end);
    }
    all
}

/// Bytes that are stored, in runs that do not touch.
#[derive(Default)]
struct Stored(SmallVec<[Range<isize>; 8]>);

impl Stored {
    /// Where the bytes end that are stored from one on.
    fn from(&self, at: isize) -> isize {
        self.0.iter().find(|run| run.contains(&at)).map_or(at, |run| run.end)
    }

    fn add(&mut self, mut new: Range<isize>) {
        self.0.retain(|run| {
            let apart = run.end < new.start || new.end < run.start;
            if !apart {
                new = run.start.min(new.start)..run.end.max(new.end);
            }
            apart
        });
        self.0.push(new);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::{Dim, Machine, Movement, NONE, synthesize, weigh};
    use super::*;

    fn store(at: isize, place: u8, count: u8) -> Line {
        Line { to: NONE, op: Op::Store { a: 0, at, place, count, blank: 0 } }
    }

    /// Of bytes, in registers of 32.
    fn of(lines: &[Line]) -> Vec<(usize, u8)> {
        reaching(lines, 1, 32).into_vec()
    }

    #[test]
    fn stores_reach_over_what_is_stored_behind_them() {
        // The last one does not, nor one that is stored after what follows it, or before a gap.
        assert_eq!(of(&[store(0, 0, 7), store(7, 0, 7)]), [(0, 8)]);
        assert_eq!(of(&[store(7, 0, 7), store(0, 0, 7)]), []);
        assert_eq!(of(&[store(0, 0, 7), store(8, 0, 7)]), []);
        // No further than what is stored goes, or the register.
        assert_eq!(of(&[store(0, 0, 5), store(5, 0, 1)]), []);
        assert_eq!(of(&[store(0, 0, 5), store(5, 0, 2)]), []);
        assert_eq!(of(&[store(0, 0, 5), store(5, 0, 1), store(6, 0, 2)]), [(0, 8)]);
        assert_eq!(of(&[store(0, 16, 13), store(13, 0, 32)]), [(0, 16)]);
        assert_eq!(of(&[store(0, 20, 11), store(11, 0, 32)]), [(0, 12)]);
        assert_eq!(of(&[store(0, 0, 19), store(19, 0, 32)]), [(0, 32)]);
        // What is one piece stays.
        assert_eq!(of(&[store(0, 0, 8), store(8, 0, 32)]), []);
    }

    /// A store a pixel, but for the last of each half: lower halves of registers have the first pixels, upper ones the
    /// others, and come by turns.
    #[test]
    fn pixels_of_odd_lengths_are_stored_at_once() {
        for (channels, ends) in [(11, 3), (12, 2), (13, 3), (14, 3)] {
            let dims = [Dim::even(32, 1, channels), Dim::even(channels as usize, 1000, 1)];
            let (movement, target) = (Movement::plain(1, dims), "haswell".parse().unwrap());
            let program = weigh(&movement, &target, 0).write(&movement, &target).program;
            let longer = reaching(&program.lines, program.lane, program.lanes);
            let all = program.lines.iter().enumerate().filter_map(|(number, line)| {
                let Op::Store { place, count, .. } = line.op else { return None };
                let longer = longer.iter().find(|(line, _)| *line == number);
                let count = longer.map_or(count, |(_, longer)| *longer);
                Some(stored(place.into(), count.into(), program.lanes).parts)
            });
            assert_eq!(all.sum::<u32>(), 30 + 2 * ends, "{channels}");
        }
    }

    /// What is stored last is right everywhere, and nothing besides is stored.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn all_is_right_in_the_end() {
        let mut seen = 0;
        for target in ["haswell", "zen3", "spr:avx2"].map(|name| name.parse().unwrap()) {
            for (size, rows) in [(1, 32), (2, 16), (4, 8)] {
                for channels in 3..16 {
                    let at = |elements: usize| (elements * size) as isize;
                    let dims = [(rows, at(1), at(channels)), (channels, at(1000), at(1))];
                    let dims = dims.map(|(n, src, dst)| Dim::even(n, src, dst));
                    let movement = Movement::plain(size, dims);
                    let mut program = synthesize(&movement, &target).program;
                    for (line, longer) in reaching(&program.lines, program.lane, program.lanes) {
                        let Op::Store { count, .. } = &mut program.lines[line].op else { panic!() };
                        *count = longer;
                        seen += 1;
                    }
                    let mut memory = HashMap::new();
                    let load = |at, i: usize| (at + (i * size) as isize + 1) as u64;
                    Machine::<u64>::new(&program).run(&program, load, |(at, row)| {
                        let place = |i: usize| at + (i * size) as isize;
                        memory.extend(row.iter().enumerate().map(|(i, own)| (place(i), *own)));
                    });
                    let expected = movement.places().into_iter();
                    let expected = expected.map(|(dst, src)| (dst, src.map(|at| at as u64 + 1)));
                    assert_eq!(
                        memory,
                        expected.collect::<HashMap<_, _>>(),
                        "{channels} of {size} bytes: {target}"
                    );
                }
            }
        }
        assert!(seen > 100, "{seen}");
    }
}
