//! A nest's tiles. In: its loops. Out: all that is decided about how registers do it, one decision after the other,
//! each in a module of its own.

use smallvec::SmallVec;

use super::Sharing;
use super::carry::Carry;
use super::nests::{Nest, Scene, Work};
use super::order::{Steps, orders};
use super::stores::{Stores, fewer_rows, stores};
use super::tasks::{Cut, cut_steps};
use super::tile::{Converts, Tiling};
use super::view::{Terms, View};
use crate::DType;
use crate::problem::{Arith, Node, Operand, Problem, SRC, Zone};
use crate::shuffle::{Change, Found, Op};
use crate::target::{Target, Tier};

/// Decides tiles, stores, order and what comes together, overlaps, what is copied first, which blocks are asked for,
/// how far ahead tiles ask for lines, and cuts, in this order.
pub(super) fn tile(
    scene: &Scene<'_>,
    nest: &mut Nest,
    shared: Option<(usize, usize)>,
    turns: Option<usize>,
) {
    let Scene { problem, target, thrift, memo, .. } = *scene;
    let converts = match problem.moves_bits() || nest.work != Work::Move {
        true => Converts::Never,
        false => converts(problem, &nest.loops, &nest.zones),
    };
    let terms = Terms { shared, turns, lines: thrift.lines, bytes: scene.bytes, memo };
    let mut view = View::of(nest, problem, target, converts, terms);
    let (cut, tiling) = arrange(scene, nest, &mut view).expect("tiles convert by themselves");
    let pieces = view.has_pieces(&tiling);
    let staged = pieces.then(|| arrange(scene, nest, &mut view.staged())).flatten();
    (nest.cut, nest.tiling) = (cut, Some(tiling));
    if let Some((cut, tiling)) = staged {
        let other = Nest { cut, tiling: Some(tiling), ..nest.clone() };
        // What they leave to the loads is not counted.
        if other.parts(target) * 10 < nest.parts(target) * 9 {
            *nest = other;
        }
    }
}

/// Decides one thing after the other; none where rows are to be converted first and cannot be.
fn arrange(scene: &Scene<'_>, nest: &Nest, view: &mut View<'_>) -> Option<(Cut, Tiling)> {
    let Scene { problem, sharing, target, locality, bytes, thrift, .. } = *scene;
    let loops = view.loops;
    let (mut takes, mut inside) = view.choose();
    view.folds.settle(&takes, loops);
    let view = &*view;
    let sums = problem.arith.sum.is_some();
    let reads = sums || problem.arith.is_compensated();
    let policy = |takes: &[usize], inside: &Found, in_vain| {
        let program = &inside.program;
        stores(view, takes, program, bytes, locality, reads, in_vain)
    };
    let mut stores = policy(&takes, &inside, false);
    if let Some(fewer) = fewer_rows(view, &takes, &stores) {
        if fewer.takes != takes {
            takes = fewer.takes;
            inside = view.sequence(&takes);
        }
        stores = fewer.stores.unwrap_or_else(|| policy(&takes, &inside, false));
    }
    let mut ordered = orders(view, &takes, &stores);
    let mut carry = None;
    if let Stores::Stream { carry: true, even, .. } = stores {
        // Several rows come together only where they have to.
        let otherwise = policy(&takes, &inside, true);
        let free = matches!(otherwise, Stores::Stream { .. });
        let found = ordered.iter_mut().position(|order| {
            let found = view.carry(&takes, even, &order.steps);
            let Some((steps, found)) = found.filter(|found| !free || found.1.rows == 1) else {
                return false;
            };
            (order.steps, carry) = (steps, Some(found));
            true
        });
        match found {
            Some(k) => ordered[..=k].rotate_right(1),
            None => {
                stores = otherwise;
                ordered = orders(view, &takes, &stores);
            }
        }
    }
    let weighed = ordered.iter().map(|order| (order.name, order.again)).collect();
    let mut steps = std::mem::take(&mut ordered[0].steps);
    if !target.tier.masks() && !reads {
        overlap(view, &takes, &mut steps, carry.as_ref());
    }
    let mut stage = match view.converts {
        Converts::Staged => {
            let change = change(problem, Converts::Loads, target);
            let from = carry.as_ref().map_or(0, |carry| carry.inside);
            Some(view.converting(&steps, from, change)?)
        }
        _ => view
            .stage(&takes, &steps)
            .filter(|_| target.tier > Tier::Portable && bytes >= target.l1),
    };
    let fetch = |steps: &Steps, carry: &Option<Carry>, there| {
        view.fetch(&takes, steps, &stores, carry.as_ref(), there)
    };
    // Lines that come to the second level one tile's after the other are better than all of a block's at once.
    let singly = target.memory.flight_rows > 0 && fetch(&steps, &carry, stage.is_some()) != 0;
    let staged = stage.as_ref().map_or(steps.len(), |stage| stage.step);
    let asked =
        (view.is_beyond() && !singly).then(|| view.ask(&takes, &mut steps, staged)).flatten();
    if let Some(new) = asked.as_ref().and_then(|asked| asked.new) {
        if let Some(carry) = &mut carry {
            carry.step += usize::from(carry.step >= new);
            carry.inside += usize::from(carry.inside > new);
        }
        if let Some(stage) = &mut stage {
            stage.step += usize::from(stage.step > new);
        }
    }
    let there = asked.is_some() || stage.is_some();
    let fetch = fetch(&steps, &carry, there);
    // Rows that come together, and what is copied for several steps, stay together.
    let together = carry.as_ref().map_or(steps.len(), |carry| carry.step + 1);
    let together = stage.as_ref().map_or(together, |stage| together.min(stage.step));
    // So do parts that go abreast, unless a tile takes them all.
    let turns = view.terms.turns.filter(|&turns| steps.iter().any(|step| step.index == turns));
    let together = together.min(steps.len() - usize::from(turns.is_some()));
    let stored = nest.positions() * view.sizes.1;
    let (shares, own) = cut_steps(view, &steps, together, stored);
    let small = stored < bytes / thrift.uncut.saturating_mul(2);
    let cut = match *sharing {
        Sharing::Nests if small => Cut::Outer { loops: 0, granule: 1 },
        Sharing::Nests => own,
        _ => nest.cut,
    };
    let tiles = view.tiles(&takes, &steps, inside);
    let converts = view.converts;
    let tiling = Tiling {
        takes,
        steps,
        turns,
        shares,
        orders: weighed,
        tiles,
        stores,
        carry,
        stage,
        fetch,
        ask: asked.map(|asked| asked.ask),
        converts,
    };
    Some((cut, tiling))
}

/// Without masks a tile at the end of a loop starts early enough to be whole. What is read before it is
/// written must not be written twice, nor anything summed twice.
fn overlap(view: &View<'_>, takes: &[usize], steps: &mut Steps, carry: Option<&Carry>) {
    let overlaps = |l: usize, take: usize| {
        let (extent, zone) = (view.loops[l].extent, view.zones[l]);
        let full = view.fills || zone == Zone::all(extent);
        let ragged = extent > take && !extent.is_multiple_of(take);
        // Rows that are carried go on where they were, each in its turn, and blocks inside stay.
        let blocked = || steps.iter().filter(|step| step.index == l).count() > 1;
        let led = |carry: &Carry| steps[carry.step..carry.inside].iter().any(|s| s.index == l);
        let carried = carry.is_some_and(|carry| led(carry) || blocked());
        let moves = take > 1 && !view.is_shared(l) && !view.limited(l) && !carried;
        full && ragged && moves
    };
    let all: SmallVec<[bool; 8]> =
        takes.iter().enumerate().map(|(l, &take)| overlaps(l, take)).collect();
    steps.retain(|step| !all[step.index] || step.by == takes[step.index]);
    steps.iter_mut().for_each(|step| step.overlaps = all[step.index]);
}

/// Where elements change their type: at the narrower end, if each of them becomes one; where most of what is stored
/// is padding, before that comes to them.
fn converts(problem: &Problem, loops: &[Node], zones: &[Zone]) -> Converts {
    let narrows = problem.src.size() > problem.dst.size();
    let positions = loops.iter().map(|node| node.extent).fold(1, usize::saturating_mul);
    let elements = zones.iter().map(Zone::len).fold(1, usize::saturating_mul);
    let arith = &problem.arith;
    let computes = arith.is_formula() && arith.shifts_bytes(problem.src, problem.dst).is_none();
    let changes = problem.src.size() < problem.dst.size() || computes;
    let padded = changes && positions >= 2 * elements.max(1);
    if !(narrows || padded) || problem.arith.sum.is_some() {
        return Converts::Stores;
    }
    // Where the source repeats, or rows lie over one another, values may still differ.
    let values = Operand::SrcScale as usize..Operand::S8s8 as usize;
    let valued = loops.iter().any(|node| node.strides[values.clone()].iter().any(|s| *s != 0));
    let mut steps: SmallVec<[(usize, usize); 8]> = (loops.iter().zip(zones))
        .map(|(node, zone)| (node.strides[SRC].unsigned_abs(), zone.len()))
        .collect();
    steps.sort_unstable();
    let mut reach = problem.src.size();
    let apart = steps.iter().all(|&(stride, extent)| {
        let apart = stride >= reach;
        reach = stride.saturating_mul(extent);
        apart
    });
    let plain = loops.iter().all(|node| node.table.is_none() && node.folds.is_empty());
    if valued && !(apart && plain) { Converts::Stores } else { Converts::Loads }
}

impl<'a> View<'a> {
    /// Whether tiles convert pieces of the source that are shorter than registers, so that it may be better to have
    /// rows of it converted first.
    fn has_pieces(&self, tiling: &Tiling) -> bool {
        let short = |op: &Op| match *op {
            Op::Load { count, .. } => !count.is_multiple_of(self.change.unit.max(1)),
            _ => false,
        };
        let can = self.converts == Converts::Loads && self.sizes.0 > self.sizes.1;
        can && self.folds.is_empty()
            && tiling.tiles[0].found.program.lines.iter().any(|line| short(&line.op))
    }

    /// The same, rows converted first.
    fn staged(self) -> View<'a> {
        View { converts: Converts::Staged, change: Change::default(), ..self }
    }
}

/// What changing elements costs: so many operations for as many as a register holds in their longer form.
pub(super) fn change(problem: &Problem, converts: Converts, target: &Target) -> Change {
    let (from, to, arith) = (problem.src, problem.dst, &problem.arith);
    let still = matches!(converts, Converts::Never | Converts::Staged);
    if still || from == to && !arith.is_formula() {
        return Change::default();
    }
    let element = from.size().max(to.size()).max(4);
    let unit = (target.tier.vector() / element).max(1) as u8;
    let shifts = arith.shifts_bytes(from, to).is_some();
    if from.size() == 1 && to.size() == 1 && (shifts || !arith.is_formula()) {
        // Each byte for itself.
        let unit = target.tier.vector() as u8;
        let unsigned = [from, to].into_iter().filter(|t| *t == DType::U8).count() as u8;
        let each = if shifts { 2 + unsigned } else { 1 };
        return Change { unit, stores: (each, 0), ..Change::default() };
    }
    let steps = [arith.src_zero_point, arith.src_scale, arith.dst_scale, arith.dst_zero_point];
    let formula: u8 = steps.into_iter().map(u8::from).sum();
    let formula = formula + if arith.sum.is_some() { 4 } else { 0 };
    // Elements that are halves of floats become so two at a time, if their order is put right with that of the rest.
    let halves = Arith::pairs_halves(from, to) && converts == Converts::Loads;
    let longer = u8::from(from.size() < element);
    let (widens, places) = match from {
        DType::Bf16 if halves => (1, 0),
        DType::Bf16 | DType::F16 => (2, 1),
        _ => (longer, longer),
    };
    let float = u8::from(!from.is_float() && (arith.is_formula() || to.is_float()));
    let (short, small) = (arith.keeps_bytes(from), arith.keeps_f16(from));
    let instructed = target.makes_bf16() && arith.sum.is_none();
    let narrows = match to {
        DType::Bf16 if short => 1,
        DType::Bf16 if instructed => 1 + u8::from(arith.has_denormals(from)),
        DType::S8 if small && target.tier.masks() => 2,
        DType::S8 => 3,
        DType::U8 => 2,
        DType::S32 if from.is_float() || arith.is_formula() => 4,
        DType::Bf16 if small => 4,
        DType::Bf16 => 5,
        DType::F16 => 1,
        _ => 0,
    };
    let joins = u8::from(to.size() < element);
    let all = (widens + float + formula + narrows + joins, places + joins);
    match converts {
        Converts::Loads => {
            let whole = if halves { 2 * unit } else { unit };
            Change { unit, whole, loads: all, ..Change::default() }
        }
        _ => Change { unit, stores: all, ..Change::default() },
    }
}
