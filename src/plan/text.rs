//! A plan as text. In: a plan. Out: lines to read and to compare; the loops of each nest outermost
//! first, as nodes of the problem's own text.
//!
//! ```text
//! target portable (portable, 32 KiB L1, 512 KiB L2)
//! problem s32>s32 64(s12544,d4) 3136(s4,d256)
//! tasks cut each nest by itself
//! box 1 of 1: 200704 elements
//!   move 64(s12544,d4) 3136(s4,d256), cut at 1 loop by 16
//! ```

use std::fmt;

use super::{Cut, Nest, Part, Plan, PlanBox, Sharing, Work};
use crate::problem::Operand;

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target = &self.target;
        let (l1, l2) = (target.l1 >> 10, target.l2 >> 10);
        writeln!(f, "target {} ({}, {l1} KiB L1, {l2} KiB L2)", target.name, target.tier)?;
        writeln!(f, "problem {}", self.problem)?;
        match self.sharing {
            Sharing::Nests => writeln!(f, "tasks cut each nest by itself")?,
            Sharing::Line { line, steps } => {
                writeln!(f, "tasks share the {steps} steps of line {}", line + 1)?;
            }
            Sharing::Whole => writeln!(f, "tasks: the first does everything")?,
        }
        for nest in &self.clear {
            writeln!(f, "first\n  {nest}")?;
        }
        for (i, one) in self.boxes.iter().enumerate() {
            writeln!(f, "box {} of {}: {one}", i + 1, self.boxes.len())?;
            one.nests.iter().try_for_each(|nest| writeln!(f, "  {nest}"))?;
        }
        Ok(())
    }
}

/// What a box holds: elements, or a part of each line where some of it is padding.
impl fmt::Display for PlanBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = &self.region.parts;
        let positions: usize = parts.iter().map(Part::extent).product();
        let elements: usize =
            parts.iter().map(|part| part.data.end.saturating_sub(part.data.start)).product();
        match (elements, positions - elements) {
            (0, padding) => write!(f, "{padding} of padding"),
            (elements, 0) => write!(f, "{elements} elements"),
            (elements, padding) => write!(f, "{elements} elements and {padding} of padding"),
        }
    }
}

impl fmt::Display for Nest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.work {
            Work::Move => f.write_str("move")?,
            Work::Fill(bits) => write!(f, "fill {bits:#x}")?,
            Work::Clear(Operand::S8s8) => f.write_str("clear s8s8")?,
            Work::Clear(_) => f.write_str("clear asym")?,
        }
        self.loops.iter().try_for_each(|node| write!(f, " {node}"))?;
        let [src, dst, ..] = self.start;
        if (src, dst) != (0, 0) {
            write!(f, ", from s{src},d{dst}")?;
        }
        for (fold, at) in self.folds.iter().filter(|(_, at)| *at != 0) {
            write!(f, ", fold {fold} from {at}")?;
        }
        match self.cut {
            Cut::Outer { loops: 0, .. } => Ok(()),
            Cut::Outer { loops, granule } => {
                let s = if loops == 1 { "" } else { "s" };
                write!(f, ", cut at {loops} loop{s} by {granule}")
            }
            Cut::Shared { walks: true, first } => write!(f, ", shared from step {first}"),
            Cut::Shared { walks: false, first } => write!(f, ", shared at step {first}"),
        }
    }
}
