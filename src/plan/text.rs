//! A plan as text. In: a plan. Out: lines to read and to compare; the loops of each nest outermost
//! first, as nodes of the problem's own text.
//!
//! ```text
//! target spr (avx512vbmi, 48 KiB L1, 2048 KiB L2)
//! problem s32>s32 src-dense 64(s12544,d4) 3136(s4,d256)
//! tasks cut each nest by itself
//! predicted 57344 cycles: 31360 by ports beside 57344 by memory for 1605632 bytes; 0.0% stored in narrow rows
//! box 1 of 1: 200704 elements
//!   move 64(s12544,d4) 3136(s4,d256), cut at steps 1 and 2 by 1
//!     around 64 by 16; 3136 by 16
//!     order along destination rows 0, along source rows 0
//!     stores keep (both sides are less than 2621440 bytes)
//!     tile 16x16: 32 loads, 40 shuffles, 32 blends, 16 stores in 9 registers; 32-byte pieces and blends 40.0
//! ```

use std::fmt;

use super::{
    Ask, Bounds, Bytewise, Carry, Converts, Cut, Nest, Onward, Plan, PlanBox, Sharing, Stage, Tile,
    Tiling, Trust, Twice, Within, Work,
};
use crate::problem::Operand;
use crate::shuffle::{Counts, PARTS};
use crate::target::Target;

/// Operands that have values.
const NAMES: [(&str, Operand); 4] = [
    ("src-scale", Operand::SrcScale),
    ("dst-scale", Operand::DstScale),
    ("src-zp", Operand::SrcZeroPoint),
    ("dst-zp", Operand::DstZeroPoint),
];

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target = &self.target;
        let (l1, l2) = (target.l1 >> 10, target.l2 >> 10);
        writeln!(f, "target {target} ({}, {l1} KiB L1, {l2} KiB L2)", target.tier)?;
        writeln!(f, "problem {}", self.problem)?;
        if Bytewise::of(&self.problem, target).is_some_and(|own| own.tables() > 0) {
            writeln!(
                f,
                "bytes looked up in a table of all, made at the start: nothing else decides what one becomes"
            )?;
        }
        let tails = match self.twice {
            Twice::First => "; tails but once, with care",
            Twice::All | Twice::None => "",
        };
        match Trust::of(&self.problem, target) {
            Trust::Nothing => {}
            _ if self.twice == Twice::None => {
                writeln!(f, "sequences once, with care, as there would be too much code")?;
            }
            Trust::Values => writeln!(f, "sequences twice: for tame values, and for any{tails}")?,
            Trust::Elements => writeln!(
                f,
                "sequences twice: as if nothing were to mend, and for the tile where it was and those after it{tails}"
            )?,
        }
        match self.sharing {
            Sharing::Nests => writeln!(f, "tasks cut each nest by itself")?,
            Sharing::Line { line, steps, granule } => {
                write!(f, "tasks share the {steps} steps of line {}", line + 1)?;
                match granule {
                    1 => writeln!(f)?,
                    _ => writeln!(f, ", {granule} together")?,
                }
            }
            Sharing::Whole => writeln!(f, "tasks: the first does everything")?,
        }
        for (name, _) in NAMES.into_iter().filter(|(_, operand)| self.takes_as_given(*operand)) {
            writeln!(f, "{name} as given, made ready in tiles")?;
        }
        if target.tier.vector() > 0 {
            writeln!(f, "{}", self.bounds())?;
        }
        match self.written_sums {
            Some(bytes) => writeln!(f, "sums written as they come out, {bytes} bytes")?,
            None => self.clear.iter().try_for_each(|nest| writeln!(f, "first\n  {nest}"))?,
        }
        for (i, one) in self.boxes.iter().enumerate() {
            writeln!(f, "box {} of {}: {one}", i + 1, self.boxes.len())?;
            for nest in &one.nests {
                writeln!(f, "  {nest}")?;
                if let Some(tiling) = &nest.tiling {
                    write!(f, "{}", Tiled { nest, tiling, target })?;
                }
                if let Some(nest) = &nest.off_lines
                    && let Some(tiling) = &nest.tiling
                {
                    writeln!(f, "  off lines {nest}")?;
                    write!(f, "{}", Tiled { nest, tiling, target })?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds { ports, memory, again, bytes, moved, stored, narrow } = self;
        write!(
            f,
            "predicted {} cycles: {ports} by ports beside {memory} by memory",
            self.cycles()
        )?;
        write!(f, " for {bytes} bytes")?;
        if moved > bytes {
            write!(f, " in lines of {moved}")?;
        }
        if *again > 0 {
            write!(f, ", {again} for what comes again")?;
        }
        let share = 100.0 * *narrow as f64 / (*stored).max(1) as f64;
        write!(f, "; {share:.1}% stored in narrow rows")
    }
}

/// `16 of f0:2+1` for a radix of 16, 2 positions a step along fold 0, and up to 1 more further in.
impl fmt::Display for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Within { fold, radix, weight, below, above } = self;
        write!(f, "{radix} of f{fold}:{weight}")?;
        if *below > 0 {
            write!(f, "-{below}")?;
        }
        if *above > 0 { write!(f, "+{above}") } else { Ok(()) }
    }
}

/// What is inside the loops of a nest.
struct Tiled<'a> {
    nest: &'a Nest,
    tiling: &'a Tiling,
    target: &'a Target,
}

impl fmt::Display for Tiled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tiled { nest, tiling, .. } = self;
        let around = tiling.steps.iter().map(|step| {
            let overlaps = match step.last {
                0 => String::new(),
                last if last == step.by => ", the last earlier".to_string(),
                last => format!(", the last {last} earlier"),
            };
            let within =
                step.within.iter().map(Within::to_string).collect::<Vec<_>>().join(" and ");
            let within = if within.is_empty() { within } else { format!(" within {within}") };
            let turns = if tiling.turns == Some(step.index) { ", parts abreast" } else { "" };
            let extent = nest.loops[step.index].extent;
            format!("{extent} by {}{within}{overlaps}{turns}", step.by)
        });
        let around: Vec<String> = around.collect();
        if !around.is_empty() {
            writeln!(f, "    around {}", around.join("; "))?;
        }
        if tiling.orders.len() > 1 {
            let orders = tiling.orders.iter().map(|(name, again)| format!("{name} {again}"));
            writeln!(f, "    order {}", orders.collect::<Vec<_>>().join(", "))?;
        }
        self.lines(f)?;
        tiling.tiles.iter().try_for_each(|tile| self.tile(f, tile))
    }
}

impl Tiled<'_> {
    /// How lines of both sides are reached: what is stored, copied and asked for.
    fn lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tiled { nest, tiling, target } = self;
        write!(f, "    stores {}", tiling.stores)?;
        if let Some(Carry { bytes, rows, waiting, size, .. }) = &tiling.carry {
            let s = if *rows == 1 { "" } else { "s" };
            write!(f, ": {rows} row{s} of {bytes} bytes in a buffer of {size}")?;
            if waiting > rows {
                write!(f, ", {waiting} by turns")?;
            }
        }
        if tiling.part > 0 {
            let known = target.memory.pages_known;
            write!(
                f,
                "; rows of the source in parts of {}, which lead to {known} pages at most",
                tiling.part
            )?;
        }
        if let Some(Stage { bytes, pitch, size, ahead, .. }) = &tiling.stage {
            let rows = size / pitch;
            match rows {
                1 => write!(f, "; a row of {bytes} bytes of the source is copied first")?,
                _ => write!(f, "; {rows} rows of {bytes} bytes of the source are copied first")?,
            }
            if *ahead != 0 {
                write!(f, ", lines {ahead} bytes ahead asked for into the second level")?;
            }
        }
        if tiling.fetch != 0 {
            let into = if target.memory.asks_near() { "" } else { " into the second level" };
            write!(f, "; lines of the source asked for {} bytes ahead{into}", tiling.fetch)?;
            if tiling.evenly {
                f.write_str(", every other one a line further")?;
            }
        }
        if let Some(Onward { ahead, bytes, .. }) = &tiling.onward {
            let what = format_args!("{bytes} bytes of the block {ahead} bytes ahead");
            write!(f, "; each tile asks for {what}")?;
        }
        if let Some(Ask { rows, bytes, .. }) = &tiling.ask {
            write!(f, "; the source asked for in blocks, {rows} rows of {bytes} bytes")?;
        }
        match tiling.alone {
            [false, false] => {}
            [true, false] => f.write_str("; lines of the source come alone, under masks")?,
            [false, true] => f.write_str("; lines of the destination come alone, under masks")?,
            [true, true] => f.write_str("; lines of both sides come alone, under masks")?,
        }
        match tiling.converts {
            Converts::Never => writeln!(f),
            Converts::Loads => writeln!(f, "; converts as it loads"),
            Converts::Stores => writeln!(f, "; converts as it stores"),
            Converts::Staged => {
                let instead = tiling.stage.as_ref().map_or(0, |stage| stage.instead);
                let [own, instead] =
                    [nest.parts(tiling, target), instead].map(|parts| parts.div_ceil(PARTS));
                let whose = "cycles of ports, where tiles that convert would take";
                writeln!(f, ", and converted with it: {own} {whose} {instead}")
            }
        }
    }

    /// What a tile does, and what its candidates take.
    fn tile(&self, f: &mut fmt::Formatter<'_>, tile: &Tile) -> fmt::Result {
        let chunks = tile.chunks.iter().map(|chunk| match (chunk.start, chunk.end) {
            (0, end) if end == chunk.extent => chunk.extent.to_string(),
            (start, end) if start == end => format!("{}(padding)", chunk.extent),
            (start, end) => format!("{}({start}..{end})", chunk.extent),
        });
        let chunks = chunks.collect::<Vec<_>>().join("x");
        let found = &tile.found;
        let Counts { loads, shuffles, blends, stores, .. } = found.cost().counts;
        write!(f, "    tile {}: ", if chunks.is_empty() { "1" } else { &chunks })?;
        write!(f, "{loads} loads, {shuffles} shuffles, {blends} blends, {stores} stores")?;
        write!(f, " in {} registers", found.program.registers)?;
        if found.program.slots > 0 {
            write!(f, " and {} slots", found.program.slots)?;
        }
        for candidate in &found.candidates {
            let bound = candidate.cost.bound(self.target);
            let (whole, part) = (bound / PARTS, bound % PARTS * 10 / PARTS);
            write!(f, "; {} {whole}.{part}", candidate.name)?;
        }
        writeln!(f)
    }
}

impl Plan {
    /// The plan, and behind each tile its sequence.
    pub fn listing(&self) -> String {
        let mut text = self.to_string();
        let nests = self.all_nests();
        for (i, tiling) in nests.filter_map(|nest| nest.tiling.as_ref()).enumerate() {
            for (k, tile) in tiling.tiles.iter().enumerate() {
                text += &format!("\nnest {} tile {}\n{}", i + 1, k + 1, tile.found.program);
            }
        }
        text
    }
}

/// What a box holds: elements, or a part of each line where some of it is padding.
impl fmt::Display for PlanBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = &self.region.parts;
        let positions = self.region.positions();
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
        for (node, zone) in self.loops.iter().zip(&self.zones) {
            write!(f, " {node}")?;
            if self.work == Work::Move && zone.len() != node.extent {
                write!(f, "[{}..{}]", zone.start, zone.end)?;
            }
        }
        if self.blank != 0 && self.work == Work::Move {
            write!(f, ", padding {:#x}", self.blank)?;
        }
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
                match &self.tiling {
                    None => write!(f, ", cut at {loops} loop{s} by {granule}"),
                    Some(tiling) => {
                        let steps = tiling.shares[..loops].iter().map(|k| (k + 1).to_string());
                        let steps = steps.collect::<Vec<_>>().join(" and ");
                        write!(f, ", cut at step{s} {steps} by {granule}")
                    }
                }
            }
            Cut::Shared { walks: true, first } => write!(f, ", shared from step {first}"),
            Cut::Shared { walks: false, first } => write!(f, ", shared at step {first}"),
        }
    }
}
