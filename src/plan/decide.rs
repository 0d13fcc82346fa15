//! A nest's tiles. In: its loops. Out: all that is decided about how registers do it, one decision after the other,
//! each in a module of its own.

use smallvec::SmallVec;

use super::Sharing;
use super::carry::Carry;
use super::change::bytewise::Bytewise;
use super::change::change;
use super::fetch::ask::{Ask, Asked};
use super::fetch::onward::Onward;
use super::nests::{Nest, Scene, SharedLoop, Work};
use super::order::{Order, Step, Steps, orders};
use super::rows::turns::{Fewer, come_once, fewer_rows, stores_drive_out};
use super::stage::Stage;
use super::stores::{Attempt, Stores, stores};
use super::tasks::{Cut, cut_steps};
use super::tile::{Converts, Takes, Tiling};
use super::view::{Terms, View};
use crate::problem::{DST, Node, Problem, SRC, VALUES, Zone};
use crate::shuffle::{Change, Found, Op, Program};
use crate::target::{PARTS, Target, Tier};

/// Cycles that a short row by itself takes beside its own: it is converted in whole registers, of which ports can do
/// fewer, and is looked at when it is packed, and stored under a mask.
const ALONE: u64 = 5;

/// Decides all about the tiles of a nest, with elements converted in each of the places where that can be: within
/// tiles, or before them.
pub(super) fn tile(
    scene: &Scene<'_>,
    nest: &mut Nest,
    shared: Option<SharedLoop>,
    turns: Option<usize>,
) {
    let Scene { problem, target, thrift, off_lines, memo, .. } = *scene;
    let converts = match problem.moves_bits() || nest.work != Work::Move {
        true => Converts::Never,
        false => converts(problem, &nest.loops, &nest.zones, target),
    };
    let terms = Terms { shared, turns, off_lines, ops: thrift.ops, demand: scene.demand, memo };
    let mut view = View::of(nest, problem, target, converts, terms);
    let (cut, tiling) = arrange(scene, nest, &mut view).expect("tiles convert by themselves");
    let pieces = view.has_pieces(&tiling);
    let tiles = view.count(&tiling.takes) as u64;
    let tenths = match tiling.ask.is_some() {
        true => target.ports.converts_rows_asked,
        false => target.ports.converts_rows,
    };
    let staged = pieces.then(|| arrange(scene, nest, &mut view.staged())).flatten();
    let mut best = (cut, tiling);
    // Prices of the largest tensors are as large as numbers are.
    let wide = |parts: u64| u128::from(parts);
    let price = |(_, tiling): &(Cut, Tiling)| nest.parts(tiling, target);
    if let Some(mut other) = staged
        && let (own, instead) = (price(&other), price(&best))
        && let Some(stage) = other.1.stage.as_mut()
        && wide(own.saturating_add(stage.handicap)) * 10 < wide(instead) * u128::from(tenths)
    {
        stage.instead = instead;
        best = other;
    } else if pieces && is_short_row(nest, &best.1, target) {
        // Of longer elements registers have room for more rows that are listed.
        let mut view = View::of(nest, problem, target, Converts::Stores, terms);
        let other = arrange(scene, nest, &mut view).expect("tiles convert by themselves");
        let alone = wide(tiles) * wide(ALONE * PARTS);
        if wide(price(&other)) < wide(price(&best)) + alone {
            best = other;
        }
    }
    (nest.cut, nest.tiling) = (best.0, Some(best.1));
}

/// Whether tiles are a single row of listed places, in shorter registers than there are.
fn is_short_row(nest: &Nest, tiling: &Tiling, target: &Target) -> bool {
    let program = &tiling.tiles[0].found.program;
    let mut taken = nest.loops.iter().zip(&tiling.takes).filter(|(_, take)| **take > 1);
    let listed = |(node, take): (&Node, &usize)| node.table.is_some() && *take == node.extent;
    let short = program.lanes * program.lane < target.tier.vector();
    short && target.tier.masks() && taken.next().is_some_and(listed) && taken.next().is_none()
}

/// Decides one thing after the other: tiles, which take even and odd lines, or rows of the same sums; stores, order and what
/// comes together; overlaps, what is copied first and how far ahead that is asked for, and parts whose pages are known;
/// then what tiles ask for of the next block, or else which blocks are asked for before and which lines by tiles; cuts,
/// and which sides are reached alone. None where rows are to be converted first and cannot.
fn arrange(scene: &Scene<'_>, nest: &Nest, view: &mut View<'_>) -> Option<(Cut, Tiling)> {
    let Scene { problem, sharing, target, locality, thrift, .. } = *scene;
    let (takes, inside) = view.choose();
    let (takes, inside) = view.both_kinds(&takes, &inside).unwrap_or((takes, inside));
    let (takes, inside) = view.rows_added_up(&takes, &inside).unwrap_or((takes, inside));
    view.folds.settle(&takes, view.loops);
    let view = &*view;
    let reads = problem.arith.sum.is_some() || problem.arith.is_compensated();
    let policy = |takes: &[usize], inside: &Found, attempt| {
        let sums = problem.arith.sum.is_some();
        stores(view, takes, &inside.program, locality, sums, attempt)
    };
    let Chosen { takes, inside, stores } = rows_by_turns(view, takes, inside, policy);
    let otherwise = || policy(&takes, &inside, Attempt::CarriedInVain);
    let (stores, mut ordered, carry) = rows_together(view, &takes, stores, otherwise);
    let weighed = ordered.iter().map(|order| (order.name, order.again)).collect();
    let (mut steps, copied) = (std::mem::take(&mut ordered[0].steps), ordered[0].copied.take());
    // A line past the caches that is stored to again waits until it has come to memory.
    let once = matches!(stores, Stores::Stream { carry: false, .. });
    if !target.tier.masks() && !reads && !once && copied.is_none() {
        view.overlap(&takes, &inside, &mut steps, carry.as_ref());
    }
    let stage = match (copied, view.converts) {
        (Some(block), _) => Some(block),
        (None, Converts::Staged) => Some(converted_first(scene, view, &mut steps, carry.as_ref())?),
        (None, _) => copied_first(scene, view, &takes, &steps),
    };
    let mut around = Around { steps, carry, stage };
    around.copy_longer(view, &takes, &inside.program);
    around.copy_ahead(view, &takes);
    let part = around.in_parts(view, &takes, &stores);
    let onward = around.onward(view, &takes);
    let (ask, fetch) = match onward {
        Some(_) => (None, 0),
        None => {
            let ask = around.ask(view, &takes, &stores);
            let fetch = around.fetch(view, &takes, &stores, ask.is_some());
            (ask, fetch)
        }
    };
    // Parts that go abreast stay together, unless a tile takes them all.
    let turns = view.terms.turns.filter(|&l| around.steps.iter().any(|step| step.index == l));
    let stored = nest.positions() * view.sizes[DST];
    let apart = around.apart(onward, turns.is_some());
    let (shares, own) = cut_steps(view, &around.steps, apart, stored);
    let small = stored < scene.stored / thrift.uncut;
    let cut = match *sharing {
        Sharing::Nests if small => Cut::Outer { loops: 0, granule: 1 },
        Sharing::Nests => own,
        _ => nest.cut,
    };
    let evenly = view.evenly(&takes, &inside.program, fetch);
    let tiles = view.tiles(&takes, &around.steps, inside);
    let converts = view.converts;
    let alone = view.alone(&takes, &around.steps, &stores, around.stage.as_ref(), &tiles[0]);
    let Around { steps, carry, stage } = around;
    let tiling = Tiling {
        takes,
        steps,
        turns,
        part,
        shares,
        orders: weighed,
        tiles,
        stores,
        carry,
        stage,
        fetch,
        evenly,
        ask,
        onward,
        alone,
        converts,
    };
    Some((cut, tiling))
}

/// What tiles take, the sequence inside of them, and how that stores.
#[derive(Clone)]
struct Chosen {
    takes: Takes,
    inside: Found,
    stores: Stores,
}

/// A part of the rows of tiles, where they would store lines of too many by turns; and how these are stored: past the
/// caches where even so they drive each other out.
fn rows_by_turns(
    view: &View<'_>,
    takes: Takes,
    inside: Found,
    policy: impl Fn(&[usize], &Found, Attempt) -> Stores,
) -> Chosen {
    let stores = policy(&takes, &inside, Attempt::First);
    let all = Chosen { takes, inside, stores };
    let fewer = |copies| fewer_rows(view, &all.takes, &all.stores, copies);
    let written = |Fewer { takes, stores, .. }: Fewer| {
        let inside = if takes == all.takes { all.inside.clone() } else { view.sequence(&takes) };
        let stores = stores.unwrap_or_else(|| policy(&takes, &inside, Attempt::First));
        Chosen { takes, inside, stores }
    };
    let mut chosen = match fewer(true) {
        None => all,
        Some(own) if !own.for_copies => written(own),
        Some(own) => {
            let copied = written(own);
            let other = fewer(false).map(written).unwrap_or_else(|| all.clone());
            if is_worth_copies(view, &copied, &other) { copied } else { other }
        }
    };
    if stores_drive_out(view, &chosen.takes, &chosen.stores)
        && let Stores::Stream { group, carry, even: even @ true, .. } =
            policy(&chosen.takes, &chosen.inside, Attempt::DrivenOut)
    {
        chosen.stores = Stores::Stream { group, carry, even, met: true };
    }
    chosen
}

/// Whether fewer rows by turns, whose source is to be copied for that, are better than what there is without a copy.
/// Tiles of few rows load lines of the source more often; where no line would come again without a copy either, that is
/// to save more than it takes.
fn is_worth_copies(view: &View<'_>, copied: &Chosen, other: &Chosen) -> bool {
    let best = |own: &Chosen| orders(view, &own.takes, &own.stores).swap_remove(0);
    let price = |own: &Chosen, order: &Order| {
        let parts = own.inside.candidates[0].cost.bound(view.target);
        order.again.saturating_add(parts.saturating_mul(view.count(&own.takes) as u64) / PARTS)
    };
    let order = best(copied);
    let saves = || price(copied, &order) < price(other, &best(other));
    order.copied.is_some() && (!come_once(view, &other.takes) || saves())
}

/// The orders, the best first, and where rows come together in it; stores are otherwise where they should and cannot.
fn rows_together(
    view: &View<'_>,
    takes: &[usize],
    stores: Stores,
    otherwise: impl Fn() -> Stores,
) -> (Stores, SmallVec<[Order; 3]>, Option<Carry>) {
    let mut ordered = orders(view, takes, &stores);
    let Stores::Stream { carry: true, even, .. } = stores else { return (stores, ordered, None) };
    let otherwise = otherwise();
    // Several rows come together only where they have to, and one that leaves lines in the best order alone.
    let free = matches!(otherwise, Stores::Stream { .. });
    let tried = if free && !even { 1 } else { ordered.len() };
    for k in 0..tried {
        let found = view.carry(takes, even, &ordered[k].steps);
        if let Some((steps, carry)) = found.filter(|found| !free || found.1.rows == 1) {
            ordered[k].steps = steps;
            ordered[..=k].rotate_right(1);
            return (stores, ordered, Some(carry));
        }
    }
    let ordered = orders(view, takes, &otherwise);
    (otherwise, ordered, None)
}

/// The rows of the source that are copied first, and converted with it; none where they cannot be.
fn converted_first(
    scene: &Scene<'_>,
    view: &View<'_>,
    steps: &mut Steps,
    carry: Option<&Carry>,
) -> Option<Stage> {
    let change = change(scene.problem, Converts::Loads, scene.target);
    let from = carry.map_or(0, |carry| carry.inside);
    let stage = view.converting(steps, from, change)?;
    Some(match carry {
        None => view.converting_longer(steps, from, change, stage),
        Some(_) => stage,
    })
}

/// The rows of the source that are copied first as they are, if that is worth it.
fn copied_first(
    scene: &Scene<'_>,
    view: &View<'_>,
    takes: &[usize],
    steps: &[Step],
) -> Option<Stage> {
    let worth = scene.target.tier > Tier::Portable && scene.demand.places >= scene.target.l1;
    if worth { view.stage(takes, steps) } else { None }
}

/// The steps around tiles, and what is done at some of them, each known by its place.
struct Around {
    steps: Steps,
    carry: Option<Carry>,
    stage: Option<Stage>,
}

impl Around {
    /// Copies more of each row of the source first, where rows that come together are made of many.
    fn copy_longer(&mut self, view: &View<'_>, takes: &[usize], program: &Program) {
        let Some(carry) = &self.carry else { return };
        if self.stage.as_ref().is_some_and(Stage::converts) {
            return;
        }
        if let Some((steps, carry, stage)) = view.copied_carried(takes, &self.steps, carry, program)
        {
            *self = Around { steps, carry: Some(carry), stage: Some(stage) };
        }
    }

    /// How far ahead tiles ask for lines of the source, where others may ask for blocks. They ask for none of what is
    /// copied first.
    fn fetch(&self, view: &View<'_>, takes: &[usize], stores: &Stores, asked: bool) -> isize {
        match self.stage {
            Some(_) => 0,
            None => view.fetch(takes, &self.steps, stores, self.carry.as_ref(), asked),
        }
    }

    /// What is copied asks for what is to be copied, of all that is beyond the caches. Not where several rows come
    /// together, a part of them at a time: of each part the first lines would be asked for too late.
    fn copy_ahead(&mut self, view: &View<'_>, takes: &[usize]) {
        let several = self.carry.as_ref().is_some_and(|carry| carry.rows > 1);
        if let Some(stage) = self.stage.as_mut().filter(|_| view.is_beyond() && !several) {
            stage.ahead = view.copies_ahead(takes, &self.steps[..stage.step]);
        }
    }

    /// Takes rows of the source in parts that lead to pages which are known, of so many steps; 0 where they stay whole.
    fn in_parts(&mut self, view: &View<'_>, takes: &[usize], stores: &Stores) -> usize {
        let Some((at, step)) = view.parts_of_pages(takes, &self.steps, stores) else { return 0 };
        let part = step.by;
        self.steps.insert(at, step);
        self.inserted(at);
        part
    }

    /// What tiles ask for of the next block, unless that is copied first.
    fn onward(&self, view: &View<'_>, takes: &[usize]) -> Option<Onward> {
        if self.stage.is_some() { None } else { view.onward(takes, &self.steps) }
    }

    /// Which blocks of the source are asked for, of all that are beyond the caches, where nothing else asks for lines.
    fn ask(&mut self, view: &View<'_>, takes: &[usize], stores: &Stores) -> Option<Ask> {
        // Lines that come one tile's after the other, while the tile is at work, are better than all of a block's at
        // once, as long as they are not from memory itself.
        let copies = self.stage.as_ref().is_some_and(|stage| stage.ahead != 0);
        let singly = || view.asks_singly() && self.fetch(view, takes, stores, false) != 0;
        if !view.is_beyond() || copies || singly() {
            return None;
        }
        let staged = self.stage.as_ref().map_or(self.steps.len(), |stage| stage.step);
        let Asked { ask, new } = view.ask(takes, &mut self.steps, staged)?;
        if let Some(new) = new {
            self.inserted(new);
        }
        Some(ask)
    }

    /// A step came in at a place, and those from there on are one further in.
    fn inserted(&mut self, new: usize) {
        if let Some(carry) = &mut self.carry {
            carry.step += usize::from(carry.step >= new);
            carry.inside += usize::from(carry.inside > new);
        }
        if let Some(stage) = &mut self.stage {
            stage.step += usize::from(stage.step > new);
        }
    }

    /// So many of the outer steps may be cut: rows that come together, what is copied for several steps, blocks of
    /// which tiles ask for the next, and parts that go abreast stay together.
    fn apart(&self, onward: Option<Onward>, abreast: bool) -> usize {
        let carried = self.carry.as_ref().map_or(usize::MAX, |carry| carry.step + 1);
        let staged = self.stage.as_ref().map_or(usize::MAX, |stage| stage.step);
        let asked = onward.map_or(usize::MAX, |onward| onward.step + 1);
        carried.min(staged).min(asked).min(self.steps.len() - usize::from(abreast))
    }
}

/// Where elements change their type: at the narrower end, if each of them becomes one; where most of what is stored
/// is padding, before that comes to them.
fn converts(problem: &Problem, loops: &[Node], zones: &[Zone], target: &Target) -> Converts {
    let narrows = problem.src.size() > problem.dst.size();
    let positions = loops.iter().map(|node| node.extent).fold(1, usize::saturating_mul);
    let elements = zones.iter().map(Zone::len).fold(1, usize::saturating_mul);
    let changes = problem.src.size() < problem.dst.size() || problem.arith.is_formula();
    let padded = changes && positions >= 2 * elements.max(1);
    // What is done to registers of bytes is done as they are stored.
    let bytewise = Bytewise::of(problem, target).is_some();
    if bytewise || !(narrows || padded) || problem.arith.sum.is_some() {
        return Converts::Stores;
    }
    // Where the source repeats, or rows lie over one another, values may still differ.
    let valued = loops.iter().any(|node| node.strides[VALUES].iter().any(|s| *s != 0));
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
    let plain = loops.iter().all(Node::is_plain);
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
        let can = self.converts == Converts::Loads && self.sizes[SRC] > self.sizes[DST];
        can && self.folds.is_empty()
            && tiling.tiles[0].found.program.lines.iter().any(|line| short(&line.op))
    }

    /// This view, of rows that are converted first.
    fn staged(self) -> View<'a> {
        View { converts: Converts::Staged, change: Change::default(), ..self }
    }
}
