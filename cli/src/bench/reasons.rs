//! Why a conversion is far from a copy. In: its plan and what was measured. Out: facts, and sentences of them.
//! Nothing here is measured again: all of it follows from layouts, plan and model.

use std::collections::HashSet;

use retile::plan::{Nest, Plan, Stores, Tile, Tiling, Work};
use retile::problem::Operand;
use retile::shuffle::PARTS;
use retile::{Layout, Target, Tier};

use super::means::SMALL;
use super::report::Row;
use crate::memory::Memory;
use crate::pair::Pair;

/// What a copy's share must be, so that nothing is to be explained; a small copy is done before another has
/// begun.
pub(crate) const ENOUGH: f64 = 0.6;
pub(crate) const ENOUGH_SMALL: f64 = 0.3;

pub(crate) fn is_slow(row: &Row) -> bool {
    row.bytes > 0 && row.ratio < if row.bytes <= SMALL { ENOUGH_SMALL } else { ENOUGH }
}

/// What a plan and its layouts have to say.
#[derive(Debug, PartialEq)]
struct Facts {
    /// Of the destination's footprint.
    padding: f64,
    /// Of all bytes that are counted.
    written: f64,
    /// How often an element of the source is read.
    repeats: f64,
    /// Of a line of the source and of the destination, the bytes that count.
    used: [f64; 2],
    /// All of the lines, to the bytes that count.
    lines: f64,
    /// Of the destination, in rows narrower than a register.
    narrow: f64,
    tile: Option<TileFacts>,
}

/// Of the tile that most of the work is done in.
#[derive(Debug, PartialEq)]
struct TileFacts {
    extents: String,
    /// Bytes of both sides.
    bytes: f64,
    cycles: f64,
    busiest: Busiest,
    /// The mean bytes of a load and of a store.
    moved: [f64; 2],
    /// How many rows lie how far apart, where they fall into the same few sets of the first level.
    crowded: [Option<(usize, usize)>; 2],
    /// Whether rows of a side start elsewhere than lines do.
    askew: [bool; 2],
    /// Whether rows of the source are copied before tiles take them.
    copied: bool,
    stores: Stores,
}

/// The ports that a tile waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Busiest {
    what: &'static str,
    count: u32,
    each_cycle: f64,
}

/// What explains a row, as sentences; the first weighs most.
pub(crate) fn reasons(pair: &Pair, plan: &Plan, row: &Row) -> Vec<String> {
    if plan.target.tier == Tier::Portable {
        return vec!["It runs on the portable tier, which interprets its plan.".into()];
    }
    Facts::of(pair, plan, row.bytes).sentences(&plan.target, row)
}

impl Facts {
    fn of(pair: &Pair, plan: &Plan, bytes: usize) -> Facts {
        let (src, dst) = (&pair.src, &pair.dst);
        let counts = Memory::of(dst).counts;
        let written = counts.all() * dst.dtype().size();
        let read = bytes.saturating_sub(written);
        let line = plan.target.line;
        let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
        let from = lines_read(src, read, line);
        let to = lines_written(dst, written, line);
        Facts {
            padding: share(counts.margins + counts.tails, counts.all()),
            written: share(written, bytes),
            repeats: share(src.elements() * src.dtype().size(), read),
            used: [share(read, from), share(written, to)],
            lines: share((from + to) * line, bytes),
            narrow: share(plan.bounds().narrow as usize, written),
            tile: main_tile(plan),
        }
    }

    fn sentences(&self, target: &Target, row: &Row) -> Vec<String> {
        let mut said = Vec::new();
        let line = target.line;
        let ports = self.tile.as_ref().and_then(|tile| tile.ports(row));
        let by_ports = ports.is_some();
        said.extend(ports);
        if self.lines > 1.15 {
            let part = |(side, used): (&str, f64)| {
                (used < 0.9 * line as f64).then(|| format!("of the {side} {used:.0}"))
            };
            let sides = [("source", self.used[0]), ("destination", self.used[1])];
            let parts: Vec<String> = sides.into_iter().filter_map(part).collect();
            let (parts, times) = (parts.join(" and "), self.lines);
            let far = row.bytes <= target.l2 && row.bytes as f64 * times > target.l2 as f64;
            let far = if far { ", and no longer fit in the second level" } else { "" };
            said.push(format!(
                "Of each line of {line} bytes {parts} count, so that the lines that move are {times:.1} times the bytes counted{far}."
            ));
        }
        if self.padding > 0.3 {
            said.push(format!("The destination is {:.0}% padding.", self.padding * 100.0));
        }
        if self.written > 0.7 && row.bytes > target.l1 {
            let written = self.written * 100.0;
            said.push(format!("{written:.0}% of the bytes are written, where a copy writes half."));
        }
        if self.repeats > 1.5 {
            said.push(format!("Each element of the source is read {:.0} times.", self.repeats));
        }
        if self.narrow > 0.2 {
            said.push(format!(
                "{:.0}% of the destination is stored in rows narrower than a register.",
                self.narrow * 100.0
            ));
        }
        if let Some(tile) = &self.tile {
            if !by_ports {
                said.extend(tile.pieces(target));
            }
            said.extend(tile.memory(target, row));
        }
        said.extend(rest(row, by_ports, said.is_empty()));
        said
    }
}

/// What remains when the model has been heard.
fn rest(row: &Row, by_ports: bool, nothing: bool) -> Option<String> {
    let fastest = row.ratio * row.run_ns / row.run_ns_least.max(1e-3);
    let (bound, model) = (row.bound?, row.predicted_gbs?);
    let most = model / row.copy_gbs().max(1e-9);
    if row.spread > 0.5 && fastest > 1.3 * row.ratio {
        Some(format!("The rounds differ much: the fastest comes to {fastest:.2} of the copy."))
    } else if model > 1.5 * row.ours_gbs {
        let allows = match most {
            _ if by_ports => "What takes the rest the model does not count.".into(),
            most if most < 1.0 => format!(
                "The model, bound by {bound}, allows {most:.2} of the copy; what takes the rest it does not count."
            ),
            _ => "The model allows as much as the copy: what takes the rest it does not count."
                .into(),
        };
        Some(allows)
    } else {
        nothing.then(|| format!("The model agrees: it is bound by {bound}."))
    }
}

impl TileFacts {
    /// Where the ports alone keep it from being as fast as a copy.
    fn ports(&self, row: &Row) -> Option<String> {
        let each = self.bytes / self.cycles.max(1e-9);
        let most = each * row.clock_ghz / row.copy_gbs().max(1e-9);
        if most > 0.9 {
            return None;
        }
        let Busiest { what, count, each_cycle } = self.busiest;
        Some(format!(
            "Bound by {what}: {count} at {each_cycle} a cycle in each tile of {}, {each:.0} bytes a cycle of both sides, which is {most:.2} of the copy.",
            self.extents
        ))
    }

    /// Where loads and stores move less than they could.
    fn pieces(&self, target: &Target) -> Vec<String> {
        let vector = target.tier.vector();
        let small = |moved: f64| moved < 0.55 * vector as f64;
        let sides = [("load brings", self.moved[0]), ("store takes", self.moved[1])];
        let say = |(side, moved)| {
            format!("A {side} {moved:.0} bytes of a register's {vector} in the mean.")
        };
        sides.into_iter().filter(|(_, moved)| small(*moved)).map(say).collect()
    }

    fn memory(&self, target: &Target, row: &Row) -> Vec<String> {
        let mut said = Vec::new();
        let askew = ["source", "destination"].into_iter().zip(self.askew);
        let askew: Vec<&str> = askew.filter(|side| side.1).map(|side| side.0).collect();
        if !askew.is_empty() {
            said.push(format!(
                "Rows of the {} start anywhere in a line, so that a register's bytes lie in two.",
                askew.join(" and of the ")
            ));
        }
        for (side, crowded) in ["source", "destination"].into_iter().zip(self.crowded) {
            if let Some((rows, apart)) = crowded {
                let ways = target.memory.ways;
                said.push(format!(
                    "The {rows} rows of a tile lie {apart} bytes apart in the {side}, and share sets of the first level, of {ways} ways."
                ));
            }
        }
        if self.copied {
            said.push(
                "What is read is copied first: its lines are loaded and stored once more.".into(),
            );
        }
        if let Stores::Keep { why, .. } = self.stores
            && row.bytes > target.l2
        {
            said.push(format!(
                "Its lines go through the caches ({why}): each is read before it is written."
            ));
        }
        said
    }
}

/// The lines that a source is read from, so many bytes of it being elements.
fn lines_read(src: &Layout, bytes: usize, line: usize) -> usize {
    match bytes >= src.size_bytes() {
        true => bytes.div_ceil(line),
        false => lines(src.offsets(), src, line),
    }
}

/// The lines that a destination is written to, where so many bytes of it are.
fn lines_written(dst: &Layout, bytes: usize, line: usize) -> usize {
    match bytes >= dst.size_bytes() {
        true => bytes.div_ceil(line),
        false => lines(dst.cells().map(|cell| cell.offset), dst, line),
    }
}

fn lines(offsets: impl Iterator<Item = usize>, layout: &Layout, line: usize) -> usize {
    let (size, mut last) = (layout.dtype().size(), usize::MAX);
    // Neighbours mostly share one.
    let lines =
        offsets.map(|at| at * size / line).filter(|at| std::mem::replace(&mut last, *at) != *at);
    lines.collect::<HashSet<_>>().len()
}

/// The first tile of the nest with most elements.
fn main_tile(plan: &Plan) -> Option<TileFacts> {
    let nests = plan.nests();
    let moves = nests.filter(|nest| nest.work == Work::Move);
    let nest = moves.max_by_key(|nest| nest.elements())?;
    let tiling = nest.tiling.as_ref()?;
    let tile = tiling.tiles.first()?;
    let extents = tile.chunks.iter().map(|chunk| chunk.extent).filter(|extent| *extent > 1);
    let extents: Vec<String> = extents.map(|extent| extent.to_string()).collect();
    let count = |of: fn(&retile::plan::Chunk) -> usize| -> f64 {
        tile.chunks.iter().map(|chunk| of(chunk) as f64).product()
    };
    let read = count(|chunk| chunk.end - chunk.start) * plan.problem.src.size() as f64;
    let stored = count(|chunk| chunk.extent) * plan.problem.dst.size() as f64;
    let counts = tile.found.candidates.first()?.cost.counts;
    let busiest = busiest(tile, &plan.target)?;
    let each = |bytes: f64, count: u32| bytes / f64::from(count.max(1));
    let crowded = |side| crowded(nest, tiling, side, &plan.target);
    Some(TileFacts {
        extents: if extents.is_empty() { "1".into() } else { extents.join("x") },
        bytes: read + stored,
        cycles: f64::from(busiest.count) / busiest.each_cycle,
        busiest,
        moved: [each(read, counts.loads), each(stored, counts.stores)],
        crowded: [crowded(Operand::Src), crowded(Operand::Dst)],
        askew: [askew(nest, Operand::Src, &plan.target), askew(nest, Operand::Dst, &plan.target)],
        copied: tiling.stage.as_ref().is_some_and(|stage| !stage.converts()),
        stores: tiling.stores,
    })
}

fn busiest(tile: &Tile, target: &Target) -> Option<Busiest> {
    let cost = tile.found.candidates.first()?.cost;
    let program = &tile.found.program;
    let (counts, ports) = (cost.counts, target.ports.of(program.lanes * program.lane));
    let busy = |what, count, parts: u16| {
        // Whole numbers, halves and thirds are all there are.
        let each_cycle = PARTS as f64 / f64::from(parts.max(1));
        Busiest { what, count, each_cycle }
    };
    // What any port interleaves waits for none of those that shuffle.
    let elsewhere = if target.ports.unpacks_everywhere { counts.unpacks } else { 0 };
    let all = [
        busy("shuffles", counts.shuffles - elsewhere, ports.shuffle),
        busy("vector operations", counts.shuffles + counts.blends, ports.vector),
        busy("loads", counts.loads, ports.load),
        busy("stores", counts.stores, ports.store),
        busy("operations", cost.ops, target.ports.issue),
    ];
    let cycles = |one: &Busiest| f64::from(one.count) / one.each_cycle;
    all.into_iter().reduce(|most, one| if cycles(&one) > cycles(&most) { one } else { most })
}

/// Rows that are not a multiple of lines apart.
fn askew(nest: &Nest, side: Operand, target: &Target) -> bool {
    nest.loops.iter().any(|node| {
        let apart = node.strides[side as usize].unsigned_abs();
        apart > target.line && !apart.is_multiple_of(target.line) && node.extent > 1
    })
}

/// Rows of a tile that lie so far apart that they cannot all be in the first level at once.
fn crowded(nest: &Nest, tiling: &Tiling, side: Operand, target: &Target) -> Option<(usize, usize)> {
    /// Bytes after which lines fall into the same set again.
    const ALIAS: usize = 4096;
    let crowded = nest.loops.iter().zip(&tiling.takes).filter_map(|(node, &take)| {
        let apart = node.strides[side as usize].unsigned_abs();
        if node.table.is_some() || !node.folds.is_empty() || apart < target.line {
            return None;
        }
        // As many sets as multiples of the stride reach before they come back.
        let together = 1 << apart.trailing_zeros();
        let sets = (ALIAS / target.line).min(ALIAS / together.min(ALIAS));
        (take > sets * usize::from(target.memory.ways)).then_some((take, apart))
    });
    crowded.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(line: &str, target: &str, change: impl Fn(&mut Row)) -> String {
        let pair = Pair::of_line(line).unwrap_or_else(|failure| panic!("{line}: {failure}"));
        let target: Target = target.parse().unwrap();
        let (problem, _) = retile::Problem::new(&pair.src, &pair.dst, &pair.attr).unwrap();
        let plan = retile::plan::plan(&problem, &target);
        let bounds = plan.bounds();
        let mut row = Row {
            bytes: bounds.bytes as usize,
            ours_gbs: 10.0,
            memcpy_gbs: 100.0,
            ratio: 0.1,
            clock_ghz: 4.0,
            run_ns: 1.0,
            run_ns_least: 1.0,
            ..Row::default()
        };
        row.predict(&bounds);
        change(&mut row);
        reasons(&pair, &plan, &row).join(" ")
    }

    #[test]
    fn slow_is_far_from_a_copy() {
        let row = |bytes, ratio| Row { bytes, ratio, ..Row::default() };
        assert!(is_slow(&row(1 << 20, 0.59)) && !is_slow(&row(1 << 20, 0.61)));
        assert!(is_slow(&row(32 << 10, 0.29)) && !is_slow(&row(32 << 10, 0.31)));
        assert!(!is_slow(&row(0, 0.0)));
    }

    #[test]
    fn each_reason_is_found_where_it_holds() {
        for (line, target, part) in [
            ("u8:ab:384x384 ba", "haswell", "Bound by shuffles: "),
            (
                "f32:nChw16c:1x3x224x224 nchw",
                "spr",
                "Of each line of 64 bytes of the source 12 count, so that the lines that move are 3.2 times the bytes counted, and no longer fit",
            ),
            (
                "f32:strides(32,16):64x2 ab",
                "spr",
                "Of each line of 64 bytes of the source 4 count, so that the lines that move are 8.5 times",
            ),
            ("f32:nchw:1x3x224x224 nChw16c", "spr", "The destination is 81% padding."),
            ("f32:strides(0,1,0,0):8x64x56x56 nhwc", "spr", "100% of the bytes are written, "),
            ("f32:strides(0,1,0,0):8x64x56x56 nhwc", "spr", "is read 25088 times."),
            ("u8:nhwc:8x256x15x15 nchw", "spr", "Rows of the destination start anywhere in a line"),
            ("f32:ab:1024x1024 ba", "zen5", "What is read is copied first"),
            ("f32:a:1000 a", "portable", "interprets its plan"),
            ("f32:ab:4096x4096 ba", "spr", "bound by memory, allows 0."),
        ] {
            let said = explained(line, target, |_| ());
            assert!(said.contains(part), "{line} for {target}: {part:?} in {said:?}");
        }
        let said = explained("f32:ab:4096x4096 ba", "spr", |row| {
            (row.spread, row.run_ns_least) = (2.0, 0.25);
        });
        assert!(said.contains("the fastest comes to 0.40 of the copy"), "{said}");
    }

    #[test]
    fn crowds_share_sets() {
        let layout: Layout = "f32:ab:64x1024".parse().unwrap();
        assert_eq!(lines(layout.offsets(), &layout, 64), 64 * 64);
        let plan = |line: &str| {
            let pair = Pair::of_line(line).unwrap_or_else(|failure| panic!("{line}: {failure}"));
            let (problem, _) = retile::Problem::new(&pair.src, &pair.dst, &pair.attr).unwrap();
            main_tile(&retile::plan::plan(&problem, &"spr".parse().unwrap())).unwrap()
        };
        // 16 or more rows of a tile, 4096 bytes and 4160 bytes apart.
        let (aliased, apart) = (plan("f32:ab:1024x1024 ba"), plan("f32:ab:1024x1040 ba"));
        assert!(aliased.crowded.iter().flatten().all(|(rows, apart)| *rows > 12 && *apart == 4096));
        assert!(aliased.crowded.iter().any(Option::is_some), "{aliased:?}");
        assert_eq!(apart.crowded[0], None);
    }
}
