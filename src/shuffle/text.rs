//! A sequence as text. In: a program. Out: a listing, a line for each operation.
//!
//! ```text
//! r0 = load 16 from s+0
//! r0[4..8] = load 4 from s+256
//! r2 = unpack low 1: r0, r1
//! store 16 to d+0: r2
//! ```

use std::fmt;

use super::{Line, NONE, Op, Program, Table};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Table(table)) in self.tables.iter().enumerate() {
            write!(f, "t{i} =")?;
            write_table(f, &table[..self.lanes])?;
            writeln!(f)?;
        }
        self.lines.iter().try_for_each(|line| writeln!(f, "{}", Shown { line, lanes: self.lanes }))
    }
}

/// Runs of lanes that follow one another as `a..b`, zeros as `-`.
fn write_table(f: &mut fmt::Formatter<'_>, table: &[u8]) -> fmt::Result {
    let mut i = 0;
    while i < table.len() {
        let mut end = i + 1;
        while end < table.len() && table[i] != Table::ZERO && table[end] == table[end - 1] + 1 {
            end += 1;
        }
        match table[i] {
            Table::ZERO => f.write_str(" -")?,
            first if end - i > 2 => write!(f, " {first}..{}", table[end - 1])?,
            first => {
                write!(f, " {first}")?;
                end = i + 1;
            }
        }
        i = end;
    }
    Ok(())
}

struct Shown<'a> {
    line: &'a Line,
    lanes: usize,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { to, op } = *self.line;
        let every = super::op::every(self.lanes);
        match op {
            Op::Load { place, count, .. } if place == 0 && count as usize == self.lanes => {
                write!(f, "r{to} = ")?;
            }
            Op::Load { place, count, .. } => {
                write!(f, "r{to}[{place}..{}] = ", place + count)?;
            }
            _ if to != NONE => write!(f, "r{to} = ")?,
            _ => {}
        }
        let masked = |f: &mut fmt::Formatter<'_>, mask: u64| match mask == every {
            true => Ok(()),
            false => write!(f, " where {mask:#x}"),
        };
        match op {
            Op::Load { at, count, keep, .. } => {
                write!(f, "load {count} from s{at:+}")?;
                if keep != NONE {
                    f.write_str(", keeping the rest")?;
                }
                Ok(())
            }
            Op::Repeat { at, count } => write!(f, "repeat {count} from s{at:+}"),
            Op::Unpack { a, b, grain, high } => {
                write!(f, "unpack {} {grain}: r{a}, r{b}", if high { "high" } else { "low" })
            }
            Op::Quads { a, b, pick: [p, q, r, s] } => {
                write!(f, "quads {p} {q} of r{a}, {r} {s} of r{b}")
            }
            Op::Straddle { a, b } => write!(f, "straddle r{a}, r{b}"),
            Op::Blocks { a, b, pick } => {
                let half = (self.lanes_blocks() / 2).max(1);
                let list = |f: &mut fmt::Formatter<'_>, picks: &[u8]| {
                    picks.iter().try_for_each(|pick| write!(f, " {pick}"))
                };
                f.write_str("blocks")?;
                list(f, &pick[..half])?;
                write!(f, " of r{a},")?;
                list(f, &pick[half..2 * half])?;
                write!(f, " of r{b}")
            }
            Op::Within { a, table, mask, .. } => {
                write!(f, "within blocks t{table}: r{a}")?;
                masked(f, mask)
            }
            Op::Permute { a, table, grain, mask, .. } => {
                write!(f, "permute by {grain} t{table}: r{a}")?;
                masked(f, mask)
            }
            Op::Blend { a, b, mask } => write!(f, "blend r{a}, r{b} where {mask:#x}"),
            Op::Or { a, b } => write!(f, "or r{a}, r{b}"),
            Op::Copy { a } => write!(f, "r{a}"),
            Op::Store { a, at, place, count, blank } => {
                write!(f, "store {count} to d{at:+}: ")?;
                match (a, place) {
                    (NONE, _) => return f.write_str("padding"),
                    (_, 0) => write!(f, "r{a}")?,
                    _ => write!(f, "r{a}[{place}..{}]", place + count)?,
                }
                match blank {
                    0 => Ok(()),
                    _ => write!(f, ", padding where {blank:#x}"),
                }
            }
            Op::Spill { a, slot } => write!(f, "spill r{a} to {slot}"),
            Op::Reload { slot } => write!(f, "reload {slot}"),
        }
    }
}

impl Shown<'_> {
    /// Blocks of a register, by what picks there can be.
    fn lanes_blocks(&self) -> usize {
        match self.line.op {
            Op::Blocks { pick, .. } if pick[2..] == [u8::MAX; 2] => 2,
            _ => 4,
        }
    }
}
