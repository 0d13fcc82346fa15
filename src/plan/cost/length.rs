//! Length of code. In: a plan. Out: about how many bytes of machine code it becomes, constants and all, so
//! that one with too many or too long sequences is planned again with shorter ones.

use smallvec::SmallVec;

use crate::DType;
use crate::plan::change::change;
use crate::plan::{
    Ask, Bytewise, Converts, Cut, Nest, Plan, Stage, Stores, Tile, Tiling, Twice, sums,
};
use crate::problem::{BOX_LIMIT, DST, Operand, SRC};
use crate::shuffle::{Change, Line, Op, Program};
use crate::target::Tier;

/// No kernel is to become longer: as much as the smallest first level of code. It is aimed at, by a count of about how
/// long code becomes, and held by tests over plans of all kinds; longer code works, and takes its time.
pub const MOST_CODE: usize = 32 << 10;

/// What plans keep to, as the count below is about right and no more.
pub(in crate::plan) const PLANNED: usize = MOST_CODE / 8 * 7;

/// Bytes of an operation with a far place in memory, of one between registers, without masks and with them, and of a
/// line asked for ahead.
const PLACED: usize = 10;
const BETWEEN: [usize; 2] = [6, 7];
const ASKED: usize = 8;

/// Of a mask that is loaded where it is used, as some are.
const MASK: usize = 4;

/// Operations of several rounds of a short sequence that are done at once.
pub(crate) const ROUNDS: usize = 16;

/// Of an operation on elements that change on the way, likewise, and of two on such as change where they are loaded and
/// lanes can be masked, which find all but those elements in registers; and of what makes every NaN the same.
const CHANGED: [usize; 2] = [8, 10];
const CHANGED_TWICE: usize = 13;
const REPAIRED: usize = 22;

/// Of values that a unit of elements has of its own, and of one for all of it.
const VALUED: usize = 60;
const SAME: usize = 10;

/// Of what such values shift bytes by: of the whole numbers that a unit's become, and of the halves of a register's.
const APART: usize = 40;
const HALVED: usize = 90;

/// Parts of registers that change as they are stored take so much more where lanes cannot be masked, past the caches,
/// where they take most.
const IN_PARTS: (usize, usize) = (7, 5);

/// Bytes of a nest, of each loop of it as often as it is written, what more that is along folds, and of what is
/// always there.
const NEST: usize = 80;
const LOOP: usize = 60;
const FOLDED: usize = 280;

/// Of what stores lines of rows that came together, and of each of these: it takes 16 bytes of a table, and parts of
/// loops that lead to other rows have tables of their own.
const CARRIED: usize = 400;
const CARRIED_ROW: usize = 48;
const ALWAYS: usize = 256;

/// What more it takes where tasks cut a nest, at several steps, and for each loop of which they do a part.
const CUT: usize = 50;
const CUTS: usize = 150;
const SHARED: usize = 80;

/// How thrifty a plan is.
#[derive(Clone, Copy, Debug)]
pub(in crate::plan) struct Thrift {
    /// No sequence is longer, where a shorter one is to be had.
    pub(in crate::plan) ops: u32,
    /// Nests of less than one part of so many are not cut: the first task does them.
    pub(in crate::plan) uncut: usize,
    /// Where padding would take more nests than this, elements are stored over it.
    pub(in crate::plan) layered: usize,
    /// Positions are cut into no more boxes with elements.
    pub(in crate::plan) boxes: usize,
    /// Whether there is another nest where the destination does not start on a line.
    pub(in crate::plan) off_lines: bool,
}

/// One after the other, until the code is short enough. The last has one box, so a nest or a few.
#[rustfmt::skip]
pub(in crate::plan) const THRIFT: [Thrift; 9] = [
    Thrift { ops: 1000, uncut: usize::MAX, layered: 48, boxes: BOX_LIMIT, off_lines: true },
    Thrift { ops: 1000, uncut: usize::MAX, layered: 48, boxes: BOX_LIMIT, off_lines: false },
    Thrift { ops: 320, uncut: usize::MAX, layered: 48, boxes: BOX_LIMIT, off_lines: false },
    Thrift { ops: 160, uncut: 32, layered: 24, boxes: BOX_LIMIT, off_lines: false },
    Thrift { ops: 64, uncut: 8, layered: 8, boxes: BOX_LIMIT, off_lines: false },
    Thrift { ops: 16, uncut: 1, layered: 2, boxes: BOX_LIMIT, off_lines: false },
    Thrift { ops: 16, uncut: 1, layered: 2, boxes: 8, off_lines: false },
    Thrift { ops: 4, uncut: 1, layered: 2, boxes: 8, off_lines: false },
    Thrift { ops: 4, uncut: 1, layered: 2, boxes: 1, off_lines: false },
];

impl Thrift {
    /// Whether they differ by the length of sequences alone.
    pub(in crate::plan) fn is_like(&self, other: &Thrift) -> bool {
        let of = |thrift: &Thrift| (thrift.uncut, thrift.layered, thrift.boxes, thrift.off_lines);
        of(self) == of(other)
    }
}

/// Of which tiles there is room for two sequences, if a plan is short enough with any: those of all, of whole ones, or
/// none.
pub(in crate::plan) fn room(plan: &Plan) -> Option<Twice> {
    let length = Length::of(plan);
    let ways = [Twice::All, Twice::First, Twice::None];
    let ways = if plan.is_twice(0) { &ways[..] } else { &ways[..1] };
    ways.iter().copied().find(|&twice| length.with(twice) <= PLANNED)
}

/// Lines of the longest sequence.
pub(in crate::plan) fn longest(plan: &Plan) -> usize {
    let nests = plan.all_nests();
    let tiles = nests.filter_map(|nest| nest.tiling.as_ref()).flat_map(|tiling| &tiling.tiles);
    tiles.map(|tile| tile.found.program.lines.len()).max().unwrap_or(0)
}

/// About how many bytes a plan becomes, whichever of its tiles have two sequences.
struct Length<'a> {
    /// All but sequences.
    around: usize,
    /// What converts rows, once and twice.
    rows: [usize; 2],
    sequences: Vec<Sequence<'a>>,
}

struct Sequence<'a> {
    program: &'a Program,
    /// Of a whole tile.
    first: bool,
    /// Once and twice.
    bytes: [usize; 2],
}

impl<'a> Length<'a> {
    fn of(plan: &'a Plan) -> Length<'a> {
        let mut length = Length { around: 0, rows: [0; 2], sequences: Vec::new() };
        if plan.target.tier == Tier::Portable {
            return length;
        }
        let versions = if plan.is_twice(0) { 2 } else { 1 };
        length.around = ALWAYS;
        for nest in plan.all_nests() {
            let Some(tiling) = &nest.tiling else { continue };
            length.around += around(nest, tiling, plan);
            let rows = tiling.stage.as_ref().map_or(0, |stage| copied_rows(stage, plan));
            length.rows[0] += rows;
            length.rows[1] += rows * versions;
            for (number, tile) in tiling.tiles.iter().enumerate() {
                let bytes = of_sequence(nest, tiling, tile, versions, plan);
                let program = &tile.found.program;
                length.sequences.push(Sequence { program, first: number == 0, bytes });
            }
        }
        length
    }

    fn with(&self, twice: Twice) -> usize {
        let versions = |first: bool| match twice {
            Twice::All => 1,
            Twice::First => usize::from(first),
            Twice::None => 0,
        };
        let bytes = |own: &Sequence<'_>| own.bytes[versions(own.first)];
        let around = self.around + self.rows[versions(true)];
        // Only where it matters is looked which of them are the same.
        let all: usize = self.sequences.iter().map(bytes).sum();
        if around + all <= PLANNED {
            return around + all;
        }
        let mut apart: Vec<&Sequence<'_>> = Vec::new();
        for one in &self.sequences {
            let same =
                |known: &&Sequence<'_>| bytes(known) == bytes(one) && known.program == one.program;
            if !apart.iter().any(same) {
                apart.push(one);
            }
        }
        around + apart.into_iter().map(bytes).sum::<usize>()
    }
}

/// Of a nest but for its sequences and the rows that it converts.
fn around(nest: &Nest, tiling: &Tiling, plan: &Plan) -> usize {
    let runs: usize = tiling.tiles.len() * tiling.steps.len().max(1);
    // Each kind of block asks for its own lines.
    let lines = |ask: &Ask| ask.bytes.div_ceil(plan.target.line) * ASKED + LOOP;
    let asked = tiling.ask.as_ref().map_or(0, lines) * tiling.tiles.len();
    let folded = tiling.steps.iter().filter(|step| !nest.loops[step.index].folds.is_empty());
    let folded = folded.count() * FOLDED * tiling.tiles.len();
    let carried = tiling.carry.as_ref().map_or(0, |carry| CARRIED + CARRIED_ROW * carry.rows);
    let bodies = if may_stream(tiling) { 2 } else { 1 };
    // Cuts are found once, loops of which a task does a part are in each body.
    let (cuts, shared) = match nest.cut {
        Cut::Outer { loops: 0, .. } => (0, 0),
        Cut::Outer { loops: 1, .. } => (CUT, SHARED * tiling.tiles.len()),
        Cut::Outer { loops, .. } => (CUT + CUTS + loops * CUT, loops * SHARED * tiling.tiles.len()),
        Cut::Shared { .. } => (CUT, 0),
    };
    let tables = nest.loops.iter().filter(|node| node.table.is_some());
    let tables: usize = tables.map(|node| node.extent * 8).sum();
    NEST + cuts + (LOOP * runs + folded + shared + asked) * bodies + carried + tables
}

/// Of what converts a row before tiles take it, or asks for the next; what but copies is a few operations.
fn copied_rows(stage: &Stage, plan: &Plan) -> usize {
    let change = match stage.converts() {
        true => change(&plan.problem, Converts::Loads, &plan.target),
        false if stage.ahead != 0 => Change::default(),
        false => return 0,
    };
    let asked = if stage.ahead != 0 { ASKED } else { 0 };
    // And what is left of a single row, less than one sequence of it.
    let bytes = stage.once + stage.bytes % stage.once;
    let program = stage.row(plan.target.tier.vector(), bytes / stage.sizes[DST]);
    let line = |line: &Line| {
        let (shuffles, others) = change.of(&line.op);
        (shuffles + others) as usize * CHANGED[1] + PLACED + MASK + asked
    };
    program.lines.iter().map(line).sum()
}

/// Whether there are two bodies, one of which streams.
fn may_stream(tiling: &Tiling) -> bool {
    matches!(tiling.stores, Stores::Stream { carry: false, .. })
}

/// The values of a unit of elements that change: those of lanes in a row are an operand in memory, one for all is
/// looked up, and others are loaded and put into the lanes' order, or gathered.
fn of_values(nest: &Nest, tiling: &Tiling, tile: &Tile, unit: usize, plan: &Plan) -> usize {
    let (problem, target) = (&plan.problem, &plan.target);
    let arith = &problem.arith;
    let bytewise = Bytewise::of(problem, target);
    if bytewise.is_some_and(|own| own.tables() > 0) {
        return 0;
    }
    let shifts = bytewise.is_some_and(|own| own.shift().is_some());
    // What shifts bytes is made of values a unit at a time, however many bytes it is added to.
    let unit = if shifts { target.tier.vector() / size_of::<f32>() } else { unit };
    let (side, size) = match tiling.converts {
        Converts::Loads => (SRC, problem.src.size()),
        _ => (DST, problem.dst.size()),
    };
    let of = |operand: Operand| {
        let loops: SmallVec<[(isize, usize, usize); 8]> = (tile.chunks.iter().enumerate())
            .filter(|(_, chunk)| chunk.extent > 1)
            .map(|(l, chunk)| (nest.strides(l, problem), chunk.extent))
            .map(|(own, extent)| (own[operand as usize], own[side].unsigned_abs() / size, extent))
            .collect();
        // One behind the other, as elements are.
        let mut row = 1;
        while let Some((.., extent)) =
            loops.iter().find(|own| own.0 == row as isize && own.1 == row)
        {
            row *= extent;
        }
        let (mut rows, mut others, mut outside) = (0, 0, 0);
        for (own, step, _) in loops {
            match (own, step < unit) {
                (0, _) => {}
                (own, true) if row >= unit && own == step as isize => rows += 1,
                (_, true) => others += 1,
                _ => outside += 1,
            }
        }
        let each = match (rows + others + outside, rows, others, plan.takes_as_given(operand)) {
            (0, _, _, false) => 0,
            (_, 0, 0, false) => SAME,
            (_, _, 0, false) => 0,
            (_, _, 0, true) => VALUED,
            (.., true) => 2 * VALUED + target.tier.vector(),
            (.., false) => VALUED,
        };
        match (rows + others, outside) {
            _ if !shifts => each,
            (0, 0) => 0,
            (0, _) => HALVED + APART + each,
            _ => HALVED + target.tier.vector() / unit * (APART + each),
        }
    };
    arith.values().map(of).sum()
}

/// Of a tile's sequence, once and in so many versions.
fn of_sequence(
    nest: &Nest,
    tiling: &Tiling,
    tile: &Tile,
    versions: usize,
    plan: &Plan,
) -> [usize; 2] {
    let (program, problem) = (&tile.found.program, &plan.problem);
    let masks = plan.target.tier.masks();
    let change = change(problem, tiling.converts, &plan.target);
    let sums = sums::code_bytes(nest, tile, plan);
    let width = program.lanes * program.lane;
    let asks = matches!(tiling.stores, Stores::Keep { ahead: 1.., .. });
    let pieces = |count: u8, place: u8| {
        let (from, bytes) = (place as usize * program.lane, count as usize * program.lane);
        let whole = bytes == width || from == 0 && bytes.is_power_of_two() && bytes >= 4;
        match (whole, masks) {
            (true, _) => PLACED,
            (_, true) => PLACED + MASK,
            (_, false) => (2 + (bytes % 16).count_ones() as usize) * PLACED,
        }
    };
    let (between, each) = (BETWEEN[usize::from(masks)], CHANGED[usize::from(masks)]);
    let op = |op: &Op| match *op {
        Op::Load { count, place, .. } => {
            pieces(count, place) + if tiling.fetch != 0 { ASKED } else { 0 }
        }
        Op::Store { count, place, blank, .. } => {
            let blanked = if blank != 0 { 2 * PLACED } else { 0 };
            pieces(count, place) + blanked + if asks { ASKED } else { 0 }
        }
        Op::Repeat { .. } | Op::Spill { .. } | Op::Reload { .. } => PLACED,
        Op::Within { .. } => PLACED + 2,
        Op::Blend { .. } | Op::Permute { .. } => PLACED + between,
        _ => between,
    };
    // What is done to elements on the way.
    let repaired = problem.dst.is_float() && problem.arith.is_formula();
    let values = of_values(nest, tiling, tile, change.unit.into(), plan)
        + if repaired { REPAIRED } else { 0 };
    let loads = masks && tiling.converts == Converts::Loads;
    let (bytes, operations) = if loads { (CHANGED_TWICE, 2) } else { (each, 1) };
    // The conversion that makes them longer is the load.
    let loaded = u32::from(loads && problem.src == DType::F16);
    let changed = |op: &Op| {
        let ((shuffles, others), units) = (change.of(op), change.units(op));
        let own = shuffles + others - loaded * units;
        own as usize * bytes / operations + units as usize * values
    };
    let ops = || program.lines.iter().map(|line| &line.op);
    let plain = change == Change::default() && sums == 0;
    let changes = if plain { 0 } else { ops().map(changed).sum::<usize>() + sums };
    let asked = tiling.onward.map_or(0, |onward| onward.bytes / plan.target.line * ASKED + LOOP);
    let ops = ops().map(op).sum::<usize>() + changes + asked;
    let constants = program.tables.len() * width + nest.loops.len() * 8 + 64;
    let bodies = if may_stream(tiling) { 2 } else { 1 };
    // What is short goes round several at once.
    let rounds = 1 + if plain && program.lines.len() <= ROUNDS / 2 {
        ROUNDS / program.lines.len().max(1)
    } else {
        0
    };
    let parts = !masks && bodies > 1 && tiling.converts == Converts::Stores;
    let ops = if parts { ops / IN_PARTS.1 * IN_PARTS.0 } else { ops };
    // What is done again is taken back first.
    [1, versions].map(|own| (ops * rounds * own + (own - 1) * sums) * bodies + constants)
}
