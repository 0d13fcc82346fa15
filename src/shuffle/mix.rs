//! Order. In: operations as they are found, all loads first, all of one kind of permutation after the other, and stores
//! last. Out: the same, each as soon as what it reads is there, and loads as late as they are wanted.
//!
//! What changes elements as they are loaded or stored has ports of its own for the most part, and permutations have
//! theirs. A core looks no further ahead than a few hundred operations: of a long sequence it sees only the one or only
//! the other, and one of both kinds of ports waits. Mixed, each has something to do.

use super::op::{Line, NONE, Reg};

/// Lines on their way into another order.
struct Mix<'a> {
    lines: &'a [Line],
    /// The line that makes each register.
    makers: Vec<u32>,
    /// Where those that read it start among all readers, and these.
    starts: Vec<u32>,
    readers: Vec<u32>,
    /// How many operands of each line are still to come; [`DONE`] of those that are there.
    unmet: Vec<u8>,
    mixed: Vec<Line>,
}

const DONE: u8 = u8::MAX;

/// Lines in the other order; each of so many registers is made by one of them. What leads to no store may stay out.
pub(super) fn mix(lines: &[Line], registers: usize) -> Vec<Line> {
    let mut mix = Mix {
        lines,
        makers: vec![0; registers],
        starts: vec![0; registers + 1],
        readers: Vec::new(),
        unmet: Vec::with_capacity(lines.len()),
        mixed: Vec::with_capacity(lines.len()),
    };
    for (at, line) in lines.iter().enumerate() {
        if line.to != NONE {
            mix.makers[line.to as usize] = at as u32;
        }
        mix.unmet.push(operands(line).map(|reg| mix.starts[reg as usize] += 1).count() as u8);
    }
    // From counts to ends, and from there back to starts.
    let mut all = 0;
    for start in &mut mix.starts {
        all += *start;
        *start = all;
    }
    mix.readers.resize(all as usize, 0);
    for (at, line) in lines.iter().enumerate().rev() {
        for reg in operands(line) {
            let start = &mut mix.starts[reg as usize];
            *start -= 1;
            mix.readers[*start as usize] = at as u32;
        }
    }
    for at in (0..lines.len()).filter(|&at| lines[at].to == NONE) {
        mix.want(at);
    }
    mix.mixed
}

/// The registers that a line reads, one as often as it reads it.
fn operands(line: &Line) -> impl Iterator<Item = Reg> + use<> {
    line.op.reads().into_iter().filter(|reg| *reg != NONE)
}

impl Mix<'_> {
    /// A line, and first all that it comes from.
    fn want(&mut self, at: usize) {
        if self.unmet[at] == DONE {
            return;
        }
        for reg in operands(&self.lines[at]) {
            self.want(self.makers[reg as usize] as usize);
        }
        // With the last of its operands it has come, if it has any.
        if self.unmet[at] == 0 {
            self.put(at);
        }
    }

    /// A line whose operands are there, and all that have theirs with it.
    fn put(&mut self, at: usize) {
        self.unmet[at] = DONE;
        self.mixed.push(self.lines[at]);
        let to = self.lines[at].to;
        if to == NONE {
            return;
        }
        let [start, end] = [0, 1].map(|k| self.starts[to as usize + k] as usize);
        for k in start..end {
            let reader = self.readers[k] as usize;
            self.unmet[reader] -= 1;
            if self.unmet[reader] == 0 {
                self.put(reader);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shuffle::Op;

    /// Each once, behind what it reads, those that are ready at once before the next load; what nobody stores stays out.
    #[test]
    fn operations_come_as_soon_as_they_can() {
        let load = |at| Op::Load { at, place: 0, count: 16, keep: NONE };
        let unpack = |a, b, high| Op::Unpack { a, b, grain: 1, high };
        let store = |a, at| Op::Store { a, at, place: 0, count: 16, blank: 0 };
        let padding = store(NONE, 512);
        let ops = [
            (0, load(0)),
            (1, load(64)),
            (2, load(128)),
            (3, load(192)),
            (4, load(256)),
            (5, unpack(0, 1, false)),
            (6, unpack(0, 1, true)),
            (7, unpack(2, 2, false)),
            (8, Op::Or { a: 7, b: 5 }),
            (NONE, store(8, 0)),
            (NONE, store(6, 64)),
            (NONE, store(3, 128)),
            (NONE, padding),
        ];
        let lines = ops.map(|(to, op)| Line { to, op });
        let expected = [2, 7, 0, 1, 5, 8, 9, 6, 10, 3, 11, 12].map(|at| lines[at]);
        assert_eq!(mix(&lines, 9), expected);
    }
}
