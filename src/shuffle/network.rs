//! Networks. In: a movement whose lanes are index bits on both sides. Out: loads of runs, stages in which
//! a bit of the register's number and a bit of the lane's change places, and stores of runs.
//!
//! ```text
//! lanes   b3 b2 b1 b0     the bits of the index that tell lanes apart, as loaded
//! stage   b3 b2 b1 r0     two registers that differ in r0 become two that differ in the bit pushed out
//! lanes   r3 r2 r1 r0     as stored
//! ```
//!
//! Bits above a 16-byte block (or half a register) may be any when a register is loaded in pieces of
//! that size. What is left in the wrong order is put right by a permutation of each register. Runs whose dims are no
//! bits as they lie are laid anew first, or their dims are joined.

mod emit;
mod frame;
mod joined;
mod relaid;
mod search;
mod sort;
mod stage;

use smallvec::SmallVec;

use super::cost::{Cost, TIES};
use super::{Candidate, Dim, Movement, NONE, Op};
use crate::target::Target;
pub(super) use emit::generate;
use frame::{Frame, Lanes, NO};
use joined::joined;
use relaid::{Laid, Relaid, Runs};
use search::Order;
use sort::Sorted;
use stage::{Kind, Stage, Swap};

/// A network as it was weighed.
#[derive(Debug)]
pub(super) struct Chosen {
    /// [`Cost::cycles`] of its operations.
    pub(super) price: u64,
    pub(super) name: &'static str,
    frame: Frame,
    form: Form,
    seen: Seen,
}

/// How a movement was seen, so that its lanes are bits of the index.
#[derive(Debug)]
enum Seen {
    AsItIs,
    Joined(Box<Movement>),
    Relaid(Box<Relaid>),
}

/// Everything that tells how the registers are filled and mixed.
#[derive(Clone, Debug)]
struct Form {
    /// Lanes of a piece, as a power of two.
    piece: usize,
    /// The bits that tell lanes apart, as loaded.
    loaded: Lanes,
    stages: SmallVec<[Stage; 6]>,
    /// The bits of the register's number: as loaded, and as stored.
    slots: SmallVec<[(u8, u8); 6]>,
    /// After the stages.
    mixed: Lanes,
    /// How many of the stages blend in place of half of their shuffles.
    blended: usize,
    /// How runs are laid anew, each register by one permutation, ahead of all or behind.
    laid: Option<Laid>,
    /// Permutations of each register ahead of the stages.
    before: Sorted,
    /// And behind them.
    after: Sorted,
    /// So many rows follow one another with something left over at their ends: that of each but the last may reach over
    /// the next one. 1 where none does.
    in_a_row: usize,
}

impl Form {
    /// The operations ahead of the stages, of any register; their tables are the first of all.
    fn ahead(&self) -> SmallVec<[Op; 3]> {
        self.ops(Runs::Source, &self.before, 0)
    }

    /// And behind them; their tables have the numbers from `first` on.
    fn behind(&self, first: u16) -> SmallVec<[Op; 3]> {
        self.ops(Runs::Destination, &self.after, first)
    }

    fn ops(&self, runs: Runs, sorted: &Sorted, table: u16) -> SmallVec<[Op; 3]> {
        let (a, mask, keep) = (NONE, u64::MAX, NONE);
        match self.laid.filter(|laid| laid.has(runs)) {
            // Laid, and put in order, in one.
            Some(Laid { within: false, .. }) => {
                SmallVec::from_elem(Op::Permute { a, table, grain: 1, mask, keep }, 1)
            }
            Some(_) if runs == Runs::Source => {
                let laid = Op::Within { a, table, mask, keep };
                [laid].into_iter().chain(sorted.ops(table + 1)).collect()
            }
            Some(_) => {
                let mut ops = sorted.ops(table);
                ops.push(Op::Within { a, table: table + ops.len() as u16, mask, keep });
                ops
            }
            None => sorted.ops(table),
        }
    }
}

/// The destination's side for the source's.
fn turn(dims: &mut [Dim]) {
    dims.iter_mut().for_each(|dim| std::mem::swap(&mut dim.src, &mut dim.dst));
}

/// The cheapest network, if the movement is one.
pub(super) fn best(
    movement: &Movement,
    target: &Target,
    weighed: &mut SmallVec<[Candidate; 4]>,
) -> Option<Chosen> {
    Search { movement, names: &NAMES, laid: None, target, weighed }.best()
}

/// The cheapest networks in which runs are laid anew, where there is anything to it.
#[derive(Default)]
pub(super) struct BestRelaid {
    /// With the source's runs or the destination's rows.
    pub(super) least: Option<Chosen>,
    /// With rows which go on one behind the other, of which parts of registers are stored.
    pub(super) parts: Option<Chosen>,
    /// With the runs of both sides, or with the source's as long as blocks: of either there are short pieces.
    pub(super) pieces: Option<Chosen>,
}

/// The cheapest of each kind that lays runs anew.
pub(super) fn best_relaid(
    movement: &Movement,
    target: &Target,
    weighed: &mut SmallVec<[Candidate; 4]>,
) -> BestRelaid {
    let mut all = BestRelaid::default();
    let ways = [
        (Runs::Source, &NAMES_RELAID),
        (Runs::Destination, &NAMES_ROWS),
        (Runs::Both, &NAMES_BOTH),
    ];
    for (runs, names) in ways {
        let Some(relaid) = Relaid::of(movement, runs, target) else { continue };
        let (movement, laid) = (&relaid.movement, Some(relaid.laid));
        let found = Search { movement, names, laid, target, weighed: &mut *weighed }.best();
        let best = match runs {
            Runs::Both => &mut all.pieces,
            Runs::Source if relaid.laid.within => &mut all.pieces,
            _ if relaid.goes_on => &mut all.parts,
            _ => &mut all.least,
        };
        let found = found.filter(|found| best.as_ref().is_none_or(|l| found.price < l.price));
        if let Some(found) = found {
            *best = Some(Chosen { seen: Seen::Relaid(Box::new(relaid)), ..found });
        }
    }
    all
}

/// A way that the destination's dims are joined in counts for so much more than one of the source's: what the source's
/// runs are then is loaded in short pieces.
const DESTINATION_JOINED: (u64, u64) = (9, 8);

/// The cheapest with dims of runs joined, likewise. Where both sides want the same dims the destination has them if
/// that saves a ninth.
pub(super) fn best_joined(
    movement: &Movement,
    target: &Target,
    weighed: &mut SmallVec<[Candidate; 4]>,
) -> Option<Chosen> {
    let mut best: Option<Chosen> = None;
    // What both ways are called is the same, so that each has a list of its own.
    let mut own = SmallVec::new();
    for joined in joined(movement) {
        let (movement, names) = (&joined, &NAMES_JOINED);
        let mut noted = SmallVec::new();
        let found = Search { movement, names, laid: None, target, weighed: &mut noted }.best();
        let least = best.as_ref().map_or(u64::MAX, |best| best.price);
        if let Some(found) =
            found.filter(|found| found.price / DESTINATION_JOINED.1 * DESTINATION_JOINED.0 < least)
        {
            best = Some(Chosen { seen: Seen::Joined(Box::new(joined)), ..found });
            own = noted;
        }
    }
    weighed.append(&mut own);
    best
}

/// What candidates are called that load whole runs, pieces of 16 bytes and of 32; without blends and with them.
type Names = [[&'static str; 2]; 3];

const NAMES: Names = [
    ["whole runs", "whole runs and blends"],
    ["16-byte pieces", "16-byte pieces and blends"],
    ["32-byte pieces", "32-byte pieces and blends"],
];

/// What is loaded is a run, and no piece of it.
const NAMES_RELAID: Names = [["runs laid anew", "runs laid anew and blends"]; 3];

/// Likewise where rows of the destination are laid anew besides.
const NAMES_BOTH: Names = [["both sides laid anew", "both sides laid anew, and blends"]; 3];

const NAMES_ROWS: Names = [
    ["rows laid anew", "rows laid anew and blends"],
    ["16-byte pieces, rows laid anew", "16-byte pieces and blends, rows laid anew"],
    ["32-byte pieces, rows laid anew", "32-byte pieces and blends, rows laid anew"],
];

const NAMES_JOINED: Names = [
    ["joined runs", "joined runs and blends"],
    ["16-byte pieces, joined", "16-byte pieces and blends, joined"],
    ["32-byte pieces, joined", "32-byte pieces and blends, joined"],
];

/// What is looked through, and where what is found on the way is noted.
struct Search<'a> {
    movement: &'a Movement,
    names: &'static Names,
    /// How runs are laid anew.
    laid: Option<Laid>,
    target: &'a Target,
    weighed: &'a mut SmallVec<[Candidate; 4]>,
}

impl Search<'_> {
    fn best(mut self) -> Option<Chosen> {
        let mut best: Option<Chosen> = None;
        for frame in Frame::both(self.movement, self.target) {
            let found = self.best_in(frame);
            let least = best.as_ref().map_or(u64::MAX, |best| best.price);
            best = found.filter(|found| found.price < least).or(best);
        }
        best
    }

    /// The cheapest with registers of one width.
    fn best_in(&mut self, frame: Frame) -> Option<Chosen> {
        let (movement, target) = (self.movement, self.target);
        let mut best: Option<(u64, &'static str, Form)> = None;
        let run = frame.src_bits.min(frame.lanes_log);
        let can = |piece: usize| piece < run && !movement.whole;
        let [whole, blocks, halves] = *self.names;
        let pieces = [(blocks, frame.cross), (halves, frame.cross + 1)];
        let pieces = pieces.into_iter().filter(|(_, piece)| can(*piece));
        let top = frame.lanes_log.saturating_sub(1);
        let swaps = Swap::all(&frame);
        let in_a_row = match movement.change.reaches(target) {
            true => frame.ends_in_a_row(movement),
            false => 1,
        };
        for (names, piece) in [(whole, run)].into_iter().chain(pieces) {
            // Half a register has two bits to choose its upper one from, if it has more than a block; nothing else has.
            let two = piece == frame.cross + 1 && frame.cross != top;
            let uppers = if two { &[frame.cross, top][..] } else { &[top] };
            let never = uppers.iter().map(|&upper| Order::Never { upper });
            for order in never.chain([Order::After, Order::Before]) {
                let Some(mut form) = search::form(&frame, &swaps, piece, order) else { continue };
                (form.laid, form.in_a_row) = (self.laid, in_a_row);
                let straddling = form.stages.iter().filter(|stage| stage.straddles(&frame)).count();
                let blended = if target.tier.masks() { straddling } else { 0 };
                let costs = costs(movement, &frame, &form, target);
                let forms = [(0, costs.0, names[0]), (blended, costs.1, names[1])];
                for (blended, cost, name) in forms.into_iter().take(1 + (blended > 0) as usize) {
                    form.blended = blended;
                    let price = self.note(name, cost);
                    if best.as_ref().is_none_or(|(least, ..)| price < *least) {
                        best = Some((price, name, form.clone()));
                    }
                }
                // Where the order comes out right by itself, nothing else is shorter.
                let sorted = form.before.steps.is_empty() && form.after.steps.is_empty();
                let full = !form.loaded[..frame.lanes_log].contains(&NO);
                if sorted && full && form.stages.len() <= frame.missing(&form.loaded) {
                    break;
                }
            }
        }
        best.map(|(price, name, form)| Chosen { price, name, frame, form, seen: Seen::AsItIs })
    }

    /// Of each name the cheapest. Out: the price of this one.
    fn note(&mut self, name: &'static str, cost: Cost) -> u64 {
        let price = cost.cycles(self.target);
        match self.weighed.iter_mut().find(|candidate| candidate.name == name) {
            Some(known) if known.price <= price => {}
            Some(known) => (known.cost, known.price) = (cost, price),
            None => self.weighed.push(Candidate { name, cost, price }),
        }
        price
    }
}

impl Chosen {
    /// Whether stores may reach over others.
    pub(super) fn reaches(&self) -> bool {
        self.form.in_a_row > 1
    }

    /// Whether a merge of full rows and runs, where all extents are powers of two, permutes more: each
    /// row as many registers as its bits tell apart.
    pub(super) fn beats_merges(&self, movement: &Movement, target: &Target) -> bool {
        let frame = &self.frame;
        let whole = frame.lane << frame.dst_bits == target.tier.vector();
        let runs = frame.src_bits >= frame.cross;
        let loaded = &frame.src[..frame.src_bits];
        let apart = frame.dst[..frame.dst_bits].iter().filter(|id| !loaded.contains(id)).count();
        let permutes = (movement.positions() >> frame.dst_bits << apart) as u64;
        let plain = permutes * TIES * u64::from(target.ports.of(frame.width()).shuffle);
        whole && runs && self.price <= plain
    }
}

/// How many pieces a form takes a movement apart into.
struct Pieces {
    loads: usize,
    /// Registers as they are loaded, and as they are mixed.
    registers: usize,
    stored: usize,
    stores: usize,
    /// Stores of whole runs, and the lanes that others have.
    whole: usize,
    rest: Option<u8>,
}

impl Pieces {
    fn of(movement: &Movement, frame: &Frame, form: &Form) -> Pieces {
        let own = |positions: &[u8]| {
            let mut own = [0u8; 16];
            for id in positions.iter().filter(|id| **id != NO) {
                own[frame.bits[*id as usize].0 as usize] += 1;
            }
            own
        };
        let pieces = |own: [u8; 16], extent: &dyn Fn(&super::Dim) -> usize| -> usize {
            let dims = movement.dims.iter().zip(own);
            dims.map(|(dim, own)| (extent(dim) + (1 << own) - 1) >> own).product()
        };
        let own_dst = own(&frame.dst[..frame.dst_bits]);
        let each = || movement.dims.iter().zip(own_dst);
        Pieces {
            loads: pieces(own(&form.loaded[..form.piece]), &|dim| dim.data.len()),
            registers: pieces(own(&form.loaded), &|dim| dim.data.len()),
            stored: pieces(own(&form.mixed), &|dim| dim.extent),
            stores: pieces(own_dst, &|dim| dim.extent),
            whole: each().map(|(dim, own)| dim.extent >> own).product(),
            // Of a run that is no power of two the last store is a part.
            rest: each().find_map(|(dim, own)| {
                let rest = dim.extent & ((1 << own) - 1);
                (rest > 0).then(|| (rest << (frame.dst_bits - own as usize)) as u8)
            }),
        }
    }
}

/// What a form costs, without writing it out: plain, and with all the blends that it can have.
fn costs(movement: &Movement, frame: &Frame, form: &Form, target: &Target) -> (Cost, Cost) {
    let (lane, width) = (frame.lane, frame.width());
    let Pieces { loads, registers, stored, stores, whole, rest } =
        Pieces::of(movement, frame, form);
    // Where nothing is loaded there is nothing to shuffle: padding is stored as it is.
    let most = if loads == 0 { 0 } else { registers.max(stored).next_power_of_two() };
    let mut cost = Cost { change: movement.change, ..Cost::default() };
    // Pieces of a register differ in where they go.
    let mut parts = |total: usize, log: usize, op: &dyn Fn(u8) -> Op| {
        let each = 1usize << (frame.lanes_log - log);
        for k in 0..each.min(total) {
            let times = (total - k).div_ceil(each);
            cost.add(&op((k << log) as u8), times as u32, lane, width, target);
        }
    };
    let count = 1u8 << form.piece;
    let keep = |place: u8| if place == 0 { NONE } else { 0 };
    parts(loads, form.piece, &|place| Op::Load { at: 0, place, count, keep: keep(place) });
    let count = 1u8 << frame.dst_bits;
    let store = |place, count| Op::Store { a: 0, at: 0, place, count, blank: 0 };
    parts(whole, frame.dst_bits, &|place| store(place, count));
    let ends = stores - whole;
    let reach = ends - ends.div_ceil(form.in_a_row);
    parts(ends - reach, frame.dst_bits, &|place| store(place, rest.unwrap_or(count)));
    parts(reach, frame.dst_bits, &|place| store(place, count));
    cost.reach(reach, reach * usize::from(count) * lane, target);
    for op in &form.ahead() {
        cost.add(op, registers as u32, lane, width, target);
    }
    for op in &form.behind(0) {
        cost.add(op, stored.min(most) as u32, lane, width, target);
    }
    let blend = Op::Blend { a: 0, b: 0, mask: 0 };
    let mut blended = cost;
    for (k, stage) in form.stages.iter().enumerate() {
        let live = (stored << (form.stages.len() - 1 - k)).min(most) as u32;
        let shuffle = match stage.kind {
            Kind::Unpack { .. } | Kind::Quads => Op::Straddle { a: 0, b: 0 },
            Kind::Halves | Kind::Blocks => Op::Blocks { a: 0, b: 0, pick: [0; 4] },
        };
        cost.add(&shuffle, live, lane, width, target);
        if stage.straddles(frame) {
            blended.add(&shuffle, live.div_ceil(2), lane, width, target);
            blended.add(&blend, live, lane, width, target);
        } else {
            blended.add(&shuffle, live, lane, width, target);
        }
    }
    // Registers that stages mix are alive together; each stage stores those that there are not, and loads them again.
    let stages = form.stages.len();
    let together = most.min(1 << form.slots.len());
    let excess = (together + 1).saturating_sub(target.tier.registers() - movement.spare - 1);
    let passed = (excess * (most / together.max(1))) as u32;
    for cost in [&mut cost, &mut blended].into_iter().filter(|_| passed > 0) {
        cost.add(&Op::Spill { a: 0, slot: 0 }, passed * stages as u32, lane, width, target);
        let reloads = passed * stages.saturating_sub(1) as u32;
        cost.add(&Op::Reload { slot: 0 }, reloads, lane, width, target);
    }
    (cost, blended)
}
