//! Register permutations, found by calculation. In: what a tile moves, and a target. Out: a short
//! sequence of loads, shuffles and stores that moves it; data, which prints as a listing, and which
//! a machine of lanes can run.
//!
//! ```text
//! movement   for every element its place in the source and in the destination
//! network    index bits change places: stages of two-input shuffles        (powers of two)
//! merge      each destination row gathered from the registers it needs     (everything)
//! cost       candidates held against the ports of the target
//! mix        where much is done to elements on the way, that goes between shuffles
//! reach      parts of registers are stored with what the next store writes over
//! schedule   virtual registers become real ones; what does not fit waits on the stack
//! ```
//!
//! Lanes are elements; where the two sides' elements differ in size, mostly the smaller ones. Loads and stores
//! count elements, and what is done to them on the way is not this module's matter.

mod cost;
mod machine;
mod merge;
mod mix;
mod network;
mod op;
mod reach;
mod schedule;
mod text;

pub use crate::target::PARTS;
pub use cost::{Change, Cost, Counts};
pub(crate) use cost::{TIES, extracted, loads_by_mask};
pub use machine::{Lane, Machine, Stored, check};
pub(crate) use op::every;
pub use op::{Line, NONE, Op, Program, Reg, Table};
pub(crate) use reach::reaching;

use smallvec::SmallVec;

use crate::target::Target;

/// What a tile moves: the product of its dims, each position an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// Bytes of an element in the source.
    pub src_size: usize,
    /// Bytes of an element in the destination.
    pub dst_size: usize,
    /// Bytes of a lane: of either, the smaller unless elements have to stay as they are for longer.
    pub lane: usize,
    /// Registers that are left alone, for what is done to elements on the way.
    pub spare: usize,
    /// What that is.
    pub change: Change,
    /// Whether runs of the source are loaded whole and not in pieces, as their lines drive each other out of the first
    /// level between one piece and the next.
    pub whole: bool,
    /// Whether loads may have what lies between elements of the source, padding or others, of which nothing is wanted.
    pub over: bool,
    /// In any order.
    pub dims: SmallVec<[Dim; 6]>,
}

/// One dim of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dim {
    /// How many positions.
    pub extent: usize,
    /// Which of them are elements; at all others there is no source, and the store is blank.
    pub data: std::ops::Range<usize>,
    /// Bytes into the source, for each position.
    pub src: Side,
    /// Bytes into the destination.
    pub dst: Side,
}

/// Where the positions of a dim lie on one side.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Side {
    /// So many bytes from each to the next.
    Stride(isize),
    /// As listed.
    Table(Box<[isize]>),
}

/// One way to move a tile, and what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// How it goes about it.
    pub name: &'static str,
    /// What its operations add up to.
    pub cost: Cost,
    /// By which candidates are compared: [`Cost::cycles`].
    pub price: u64,
}

/// What came out: the sequence, and what it was chosen from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The cheapest sequence.
    pub program: Program,
    /// The chosen way and all others that were weighed, but for those given up as they came to cost more than another.
    pub candidates: SmallVec<[Candidate; 4]>,
}

impl Found {
    /// What the sequence costs.
    pub fn cost(&self) -> Cost {
        self.candidates[0].cost
    }

    /// What the sequence costs with all loads, and all stores, under masks. That takes an operation more, as a blend
    /// does: for each load but those that keep other lanes, which count as one as it is, and for each store that goes
    /// by no mask, those to slots among them.
    pub(crate) fn masked(&self, [src, dst]: [bool; 2]) -> Cost {
        let mut cost = self.cost();
        if src {
            let bare =
                |line: &&Line| matches!(line.op, Op::Load { keep: NONE, .. } | Op::Repeat { .. });
            cost.counts.blends += self.program.lines.iter().filter(bare).count() as u32;
        }
        if dst {
            cost.counts.blends += cost.counts.stores - cost.counts.masked;
        }
        cost
    }
}

impl Side {
    /// The bytes of a position.
    pub fn at(&self, position: usize) -> isize {
        match self {
            Side::Stride(stride) => stride.wrapping_mul(position as isize),
            Side::Table(table) => table[position],
        }
    }

    /// The stride, where there is one.
    pub fn stride(&self) -> Option<isize> {
        match self {
            Side::Stride(stride) => Some(*stride),
            Side::Table(_) => None,
        }
    }
}

/// What of the source lies in one piece, and how far it is from each to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pieces {
    pub(crate) bytes: usize,
    pub(crate) stride: usize,
}

impl Dim {
    /// A dim of elements alone.
    pub fn even(extent: usize, src: isize, dst: isize) -> Dim {
        Dim { extent, data: 0..extent, src: Side::Stride(src), dst: Side::Stride(dst) }
    }
}

impl Movement {
    /// Elements of so many bytes as they are, with nothing besides.
    pub fn plain(size: usize, dims: impl IntoIterator<Item = Dim>) -> Movement {
        Movement {
            src_size: size,
            dst_size: size,
            lane: size,
            spare: 0,
            change: Change::default(),
            whole: false,
            over: false,
            dims: dims.into_iter().collect(),
        }
    }

    /// How many positions.
    pub fn positions(&self) -> usize {
        self.dims.iter().map(|dim| dim.extent).product()
    }

    /// Whether places of the source are listed for steps that lie side by side in the destination.
    fn is_listed(&self) -> bool {
        let beside = |dim: &Dim| dim.dst.stride() == Some(self.dst_size as isize);
        self.dims.iter().any(|dim| matches!(dim.src, Side::Table(_)) && beside(dim))
    }

    /// What of the source follows one another with up to so many bytes between; of what is listed, the most there is.
    pub(crate) fn pieces_within(&self, within: usize) -> Option<Pieces> {
        let mut steps = SmallVec::<[(usize, usize); 6]>::new();
        for dim in self.dims.iter().filter(|dim| dim.data.len() > 1) {
            match dim.src.stride() {
                Some(0) => {}
                Some(stride) => steps.push((stride.unsigned_abs(), dim.data.len())),
                None => return Some(Pieces { bytes: usize::MAX, stride: usize::MAX }),
            }
        }
        steps.sort_unstable();
        let mut run = self.src_size;
        let apart = steps.into_iter().find(|&(stride, count)| {
            let goes_on = stride == run;
            run = if goes_on { run.saturating_mul(count) } else { run };
            !goes_on
        });
        let near = |stride: usize| stride > run && stride - run <= within;
        apart.filter(|&(stride, _)| near(stride)).map(|(stride, _)| Pieces { bytes: run, stride })
    }

    /// Every position's place in the destination, and in the source where it is an element; the first
    /// dim runs fastest.
    pub fn places(&self) -> Vec<(isize, Option<isize>)> {
        places_of(&self.dims.iter().collect::<SmallVec<[&Dim; 6]>>())
    }
}

/// The places of every position of some dims, the first of them running fastest.
fn places_of(dims: &[&Dim]) -> Vec<(isize, Option<isize>)> {
    let mut places = vec![(0isize, Some(0isize))];
    for dim in dims {
        let inner = std::mem::take(&mut places);
        places.reserve(inner.len() * dim.extent);
        for position in 0..dim.extent {
            let (dst, src) = (dim.dst.at(position), dim.src.at(position));
            let element = dim.data.contains(&position);
            let further = |from: isize| element.then(|| from.wrapping_add(src));
            let place = |&(to, from): &(isize, Option<isize>)| {
                (to.wrapping_add(dst), from.and_then(further))
            };
            places.extend(inner.iter().map(place));
        }
    }
    places
}

/// A movement weighed.
#[derive(Debug)]
pub(crate) struct Weighed {
    way: WayOut,
    candidates: SmallVec<[Candidate; 4]>,
}

/// The cheapest way, written out or not.
#[derive(Debug)]
enum WayOut {
    Network(Box<network::Chosen>),
    Written(schedule::Draft),
}

/// Weighs the ways to move a tile; merges of more than `merged` elements are not weighed against a network.
pub(crate) fn weigh(movement: &Movement, target: &Target, merged: usize) -> Weighed {
    let merged = match movement.is_listed() {
        true => merged.max(MERGE_LISTED),
        false if movement.over => merged.max(MERGE_OVER_GAPS),
        false => merged,
    };
    let mut candidates = SmallVec::new();
    let Networks { best, parts, pieces } = networks(movement, target, &mut candidates);
    let beaten = best.as_ref().is_some_and(|(_, beaten)| *beaten);
    let mut way = best.map(|(way, _)| way);
    let least = candidates.first().filter(|_| way.is_some()).map_or(u64::MAX, |best| best.price);
    // What anything else may cost, up to which parts of registers are not stored; without masks that is in the price.
    let quarters = if target.tier.masks() { u64::from(target.ports.stores_parts) } else { 4 };
    let worth = |price: u64| price.saturating_mul(quarters) / 4;
    let place = |name: &str, candidates: &[Candidate]| {
        candidates.iter().position(|known| known.name == name).unwrap_or(0)
    };
    let ceiling = parts.as_ref().map_or(u64::MAX, |(_, name)| {
        let known = place(name, &candidates);
        worth(candidates[known].price)
    });
    let ceiling = ceiling.min(least);
    let elements: usize = movement.dims.iter().map(|dim| dim.data.len()).product();
    let none = way.is_none() && parts.is_none();
    if !beaten && (none || elements <= merged && movement.positions() <= 4 * merged) {
        let before = candidates.len();
        if let Some(merged) = merge::merge(movement, target, ceiling, &mut candidates) {
            let known = candidates[before..].iter().position(|known| known.price == merged.price);
            candidates[..=before + known.unwrap_or(0)].rotate_right(1);
            way = Some(WayOut::Written(merged.draft));
        }
    }
    // Nor are shorter parts any better.
    let in_parts = |own: &Candidate, best: &Candidate| match best.cost.is_in_parts() {
        true => own.price,
        false => worth(own.price),
    };
    // One that loads more registers takes longer than it seems, and one that loads more pieces.
    let of_pieces = |own: &Candidate, best: &Candidate| match best.cost.counts.loads {
        loads if loads > own.cost.counts.loads => own.price / PIECES.1 * PIECES.0,
        loads if loads < own.cost.counts.loads => own.price / PIECES.0 * PIECES.1,
        _ => own.price,
    };
    type Price<'a> = &'a dyn Fn(&Candidate, &Candidate) -> u64;
    let others: [(_, Price<'_>); 2] = [(parts, &in_parts), (pieces, &of_pieces)];
    for (other, price) in others {
        let Some((other, name)) = other else { continue };
        let known = place(name, &candidates);
        if way.is_none() || price(&candidates[known], &candidates[0]) <= candidates[0].price {
            candidates[..=known].rotate_right(1);
            way = Some(other);
        }
    }
    if let Some((_, others)) = candidates.split_first_mut() {
        others.sort_by_key(|candidate| candidate.price);
    }
    let way = way.unwrap_or_else(|| unreachable!("merges move everything"));
    Weighed { way, candidates }
}

/// The networks there are.
struct Networks {
    /// The cheapest, which is the first of the candidates, and whether merges cannot be cheaper.
    best: Option<(WayOut, bool)>,
    /// The cheapest that stores parts of registers one behind the other, and the name of its candidate.
    parts: Option<(WayOut, &'static str)>,
    /// The cheapest of those that load short pieces of runs laid anew, likewise.
    pieces: Option<(WayOut, &'static str)>,
}

fn networks(
    movement: &Movement,
    target: &Target,
    candidates: &mut SmallVec<[Candidate; 4]>,
) -> Networks {
    // A single row of listed places has none but one that moves elements one by one.
    if movement.dims.len() == 1 && movement.is_listed() {
        return Networks { best: None, parts: None, pieces: None };
    }
    let whole = |dim: &Dim| dim.extent.is_power_of_two() && dim.data == (0..dim.extent);
    let even = movement.dims.iter().all(whole);
    let network = network::best(movement, target, candidates);
    let reaches = !even && network.as_ref().is_some_and(network::Chosen::reaches);
    let estimate = network.as_ref().map_or(u64::MAX, |chosen| chosen.price);
    let estimate = if even { estimate } else { estimate.saturating_mul(GUESS.0) / GUESS.1 };
    let network::BestRelaid { least, parts, pieces } =
        network::best_relaid(movement, target, candidates);
    let joined = network::best_joined(movement, target, candidates);
    let others = least.into_iter().chain(joined).filter(|chosen| chosen.price < estimate);
    // What is cut off at ends, and what reaches over others there, is only known once it is written out: there all are
    // that do not seem far dearer.
    let written = |chosen: network::Chosen, candidates: &mut SmallVec<[Candidate; 4]>| {
        let known = candidates.iter().position(|known| known.name == chosen.name).unwrap_or(0);
        if even || movement.positions() > WRITE_AT_MOST {
            return (WayOut::Network(Box::new(chosen)), known);
        }
        let draft = network::generate(movement, &chosen);
        let cost = draft.cost(target);
        (candidates[known].cost, candidates[known].price) = (cost, cost.cycles(target));
        (WayOut::Written(draft), known)
    };
    let mut best = None;
    for chosen in network.into_iter().chain(others) {
        // Merges over gaps have fewer loads.
        let beaten = even && !movement.over && chosen.beats_merges(movement, target);
        let (way, known) = written(chosen, candidates);
        // One permutation more on the way is not worth fewer operations alone, but fewer stores that reach over others.
        let bound = |candidate: &Candidate| candidate.cost.bound(target);
        let least = best.as_ref().map_or(u64::MAX, |_| bound(&candidates[0]) + u64::from(reaches));
        if bound(&candidates[known]) < least {
            best = Some((way, beaten));
            // The chosen one stands first.
            candidates[..=known].rotate_right(1);
        }
    }
    // Pieces may be worth as much more as others with more loads are dearer than they seem.
    let most = candidates.first().map_or(u64::MAX, |least| {
        least.price.saturating_mul(GUESS.0 * PIECES.1) / (GUESS.1 * PIECES.0)
    });
    let [parts, pieces] = [parts, pieces].map(|chosen| {
        chosen.filter(|chosen| chosen.price <= most).map(|chosen| {
            let name = chosen.name;
            (written(chosen, candidates).0, name)
        })
    });
    Networks { best, parts, pieces }
}

impl Weighed {
    /// What the cheapest costs.
    pub(crate) fn cost(&self) -> Cost {
        self.candidates[0].cost
    }

    /// Writes the cheapest out, of what was weighed.
    pub(crate) fn write(self, movement: &Movement, target: &Target) -> Found {
        let Weighed { way, mut candidates } = self;
        let draft = match way {
            WayOut::Network(chosen) => network::generate(movement, &chosen),
            WayOut::Written(draft) => draft,
        };
        let lines = draft.lines.len();
        let program = schedule::schedule(draft, movement.spare, target);
        if program.lines.len() != lines {
            // What did not fit into registers comes on top.
            let Program { lines, lane, lanes, .. } = &program;
            let cost = Cost::of_lines(lines, *lane, *lanes, movement.change, target);
            (candidates[0].cost, candidates[0].price) = (cost, cost.cycles(target));
        }
        Found { program, candidates }
    }
}

/// The cheapest sequence for a movement.
pub fn synthesize(movement: &Movement, target: &Target) -> Found {
    weigh(movement, target, MERGE_AT_MOST).write(movement, target)
}

/// No way is written out that seems to cost more than so many times what another does.
const GUESS: (u64, u64) = (5, 4);

/// A way that loads short pieces is taken up to 5/4 of the price of one that loads a register for each unit, which lie on
/// two lines nearly always; and only below 4/5 of the price of one that loads less often, as some pieces lie on two
/// lines as well.
const PIECES: (u64, u64) = (4, 5);

/// Past so many elements merges are not weighed against a network.
const MERGE_AT_MOST: usize = 4096;

/// So many always are where they are loaded over gaps, which networks are not.
const MERGE_OVER_GAPS: usize = 256;

/// So many always are where runs are listed: each is as much of a row, and there is little to find.
const MERGE_LISTED: usize = 1024;

/// Past so many positions what ends cut off is a small part of the whole.
const WRITE_AT_MOST: usize = 1024;
