//! Tiles. In: the loops of a nest. Out: how much of each loop is done in registers, and the sequences
//! that do it: one for the inside, others where a loop's end or its padding cuts a tile short.

mod added;
pub(super) mod choices;
mod joins;
mod lengthened;
mod overlap;

use smallvec::SmallVec;

use super::carry::Carry;
use super::demand::Demand;
use super::fetch::ask::Ask;
use super::fetch::onward::Onward;
use super::order::{OrderName, Step, Steps};
use super::stage::Stage;
use super::stores::Stores;
use super::view::{Terms, View};
use super::{Nest, Plan};
use crate::problem::{DST, SRC, Zone};
use crate::shuffle::{self, Cost, Found, Movement, PARTS, TIES, Weighed};
use choices::{Group, MERGED, OPS};

/// How a nest is done in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiling {
    /// How much of each loop a tile takes; 1 where it takes a step.
    pub takes: Takes,
    /// The loops around the tiles, outermost first.
    pub steps: Steps,
    /// The loop whose steps are parts of a nest that go on by turns.
    pub turns: Option<usize>,
    /// So many steps along rows of the source are taken in one part, which leads to no more pages of the destination
    /// than are known; 0 where rows are whole.
    pub part: usize,
    /// The steps that tasks share, by number, as [`Cut::Outer`](super::Cut::Outer) counts them.
    pub shares: SmallVec<[usize; 8]>,
    /// The orders that were weighed, the chosen one first, and the cycles that lines cost in each which
    /// have to come again.
    pub orders: SmallVec<[(OrderName, u64); 3]>,
    /// The sequences, that of the inside first.
    pub tiles: Vec<Tile>,
    /// How the destination is stored.
    pub stores: Stores,
    /// Where rows come together before they are stored.
    pub carry: Option<Carry>,
    /// Where rows of the source are copied before tiles take them apart.
    pub stage: Option<Stage>,
    /// The source's lines so many bytes further on are asked for; 0 for none.
    pub fetch: isize,
    /// Whether every other one is asked for a line further.
    pub evenly: bool,
    /// Where blocks of the source are asked for before they are read.
    pub ask: Option<Ask>,
    /// What each tile asks for of the block that comes next.
    pub onward: Option<Onward>,
    /// Whether the source is reached under masks, and the destination, so that its lines come alone.
    pub alone: [bool; 2],
    /// Where elements change their type.
    pub converts: Converts,
}

/// A number for each loop of a nest.
pub type Takes = SmallVec<[usize; 8]>;

/// Where elements change their type, or pass the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Converts {
    /// Nowhere.
    Never,
    /// As they are loaded, which makes them narrower, or comes before padding does.
    Loads,
    /// As rows of the source are copied first: tiles move what they have become.
    Staged,
    /// As they are stored: where they become wider, where the old value is needed, or where one element
    /// of the source becomes several that differ.
    Stores,
}

/// A sequence, and the part of each loop that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Of each loop.
    pub chunks: SmallVec<[Chunk; 8]>,
    /// What is done.
    pub found: Found,
}

/// So many steps of a loop, and which of them are elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Steps.
    pub extent: usize,
    /// From here on they are elements.
    pub start: usize,
    /// Up to here.
    pub end: usize,
}

/// What going on to the next tile takes, in parts of a cycle.
const NEXT: u64 = PARTS;

/// One part in so many of a whole tile's price is the least that what is left over costs.
const LEFT_OVER: u64 = 4;

/// Tiles of more rows by turns, each of which is written by a line at a time, are weighed as if they took five cycles for
/// four: they are to save a fifth. Tiles whose code is better rolled up, as nine for eight.
const MORE_ROWS: (u64, u64) = (5, 4);
const LONG_CODE: (u64, u64) = (9, 8);

impl Chunk {
    /// The part of a loop's elements that lies in `extent` steps from `first` on.
    pub(crate) fn of(zone: Zone, first: usize, extent: usize) -> Chunk {
        match zone.seen_from(Zone { start: first, end: first + extent }) {
            Zone { start, end } if start < end => Chunk { extent, start, end },
            _ => Chunk::padding(extent),
        }
    }

    /// So many steps, none of which is an element.
    pub(crate) fn padding(extent: usize) -> Chunk {
        Chunk { extent, start: 0, end: 0 }
    }
}

impl Tiling {
    /// The tile whose loops are such parts.
    pub(crate) fn tile_of(&self, chunks: &[Chunk]) -> usize {
        let found = self.tiles.iter().position(|tile| tile.chunks[..] == *chunks);
        found.unwrap_or_else(|| unreachable!("a tile for {chunks:?}"))
    }
}

/// The chunks that a loop is walked in, and how many of each there are, no digit of a fold ending
/// before its time.
pub(crate) fn chunks_of(
    extent: usize,
    take: usize,
    zone: Zone,
    step: Option<&Step>,
    fills: bool,
) -> SmallVec<[(Chunk, u64); 6]> {
    if let Some(step) = step.filter(|step| !step.within.is_empty()) {
        let mut left = extent;
        let kind = |size: usize| {
            let times = left / size;
            left %= size;
            (Chunk { extent: size, start: 0, end: if fills { 0 } else { size } }, times as u64)
        };
        return step.sizes().map(kind).collect();
    }
    let last = step.map_or(0, |step| step.last);
    let count = extent.div_ceil(take);
    // Between these all are alike.
    let (start, end) = (zone.start / take, zone.end / take);
    let mut cuts = [0, start, start + 1, end, end + 1, count - 1, count].map(|cut| cut.min(count));
    cuts.sort_unstable();
    let alike = cuts.windows(2).filter(|pair| pair[0] < pair[1]);
    let kind = |pair: &[usize]| {
        let steps = match extent - pair[0] * take {
            left if left < take && last > 0 => last,
            left => left.min(take),
        };
        let chunk = match (fills, last) {
            (true, _) => Chunk::padding(steps),
            (_, 0) => Chunk::of(zone, pair[0] * take, steps),
            _ => Chunk { extent: steps, start: 0, end: steps },
        };
        (chunk, (pair[1] - pair[0]) as u64)
    };
    alike.map(kind).collect()
}

impl View<'_> {
    /// The cheapest choice, by the cycles of the ports and a little for every line that is touched, and
    /// the sequence of its inside.
    pub(super) fn choose(&self) -> (Takes, Found) {
        let mut best: Option<((u64, u64), Takes, Wanted)> = None;
        let mut known: SmallVec<[Takes; 4]> = SmallVec::new();
        let groups = match self.lengthened() {
            Some(takes) => SmallVec::from_iter([Group::single(takes)]),
            None => self.choices(),
        };
        for group in &groups {
            let last = group.takes.len() - 1;
            for (i, takes) in group.takes.iter().enumerate() {
                // What is in several groups is weighed once.
                if known.contains(takes) {
                    break;
                }
                let same = groups.iter().filter(|other| other.takes.contains(takes));
                let merged = same.map(|other| other.merged).max().unwrap_or(group.merged);
                let weighed = self.weigh(self.movement(&self.inside(takes)), merged);
                let cost = weighed.sequence.cost();
                let long = cost.ops > group.ops.min(self.terms.ops);
                if long && i < last {
                    continue;
                }
                known.push(takes.clone());
                let lines = self.lines_touched(takes);
                let lines = lines.0 * PARTS / 2 + lines.1 * PARTS + self.again_in(takes);
                let tile = cost.cycles(self.target) / TIES + lines + NEXT;
                let tile = match (group.rows, cost.ops > OPS) {
                    (true, _) => tile / MORE_ROWS.1 * MORE_ROWS.0,
                    (false, true) => tile / LONG_CODE.1 * LONG_CODE.0,
                    (false, false) => tile,
                };
                let price = (u64::from(long), self.price_of_all(takes, tile));
                if best.as_ref().is_none_or(|(least, ..)| price < *least) {
                    best = Some((price, takes.clone(), weighed));
                }
                break;
            }
        }
        let (_, mut takes, weighed) = best.expect("there is a choice");
        let mut found = self.write(weighed);
        while found.cost().ops > self.terms.ops && self.shorten(&mut takes) {
            found = self.rest(&takes);
        }
        (takes, found)
    }

    /// What all tiles of a choice cost. Where registers have masks, what is left over at the end of a loop costs less
    /// than a whole tile by what it stores less, but for a share that it has whatever it stores.
    fn price_of_all(&self, takes: &[usize], tile: u64) -> u64 {
        if !self.target.tier.masks() {
            return tile.saturating_mul(self.count(takes) as u64);
        }
        let stores = |takes: &[usize]| {
            let (rows, bytes) = self.rows_of(takes, DST);
            (rows * bytes.div_ceil(self.target.tier.vector())) as u128
        };
        let whole = stores(takes);
        let mut narrower: SmallVec<[usize; 8]> = takes.into();
        self.loops.iter().enumerate().fold(tile, |price, (l, node)| {
            let (times, left) = ((node.extent / takes[l]) as u64, node.extent % takes[l]);
            narrower[l] = left;
            let part = match left {
                0 => 0,
                _ => {
                    let (least, own) = (price / LEFT_OVER, stores(&narrower).min(whole));
                    least + (u128::from(price - least) * own / whole) as u64
                }
            };
            narrower[l] = takes[l];
            price.saturating_mul(times).saturating_add(part)
        })
    }

    /// What lines of the source cost that a tile takes in parts, where rows of several loops drive each other out
    /// before the next parts are taken; rows of one loop can be copied first.
    pub(super) fn again_in(&self, takes: &[usize]) -> u64 {
        // Of what is listed there are few rows.
        if (0..takes.len()).any(|l| self.is_listed(l)) {
            return 0;
        }
        let (line, apart) = (self.target.line, self.apart(takes));
        let parts = self.run(takes, SRC) * self.sizes[SRC] < line;
        if apart.len() < 2 || !parts || !self.drives_out(&apart, 1) {
            return 0;
        }
        let rows = apart.iter().map(|(_, times)| times).product::<usize>();
        (rows * line) as u64 * PARTS / u64::from(self.target.memory.l2_rate)
    }

    /// The sequence of the inside of tiles that take so much.
    pub(super) fn sequence(&self, takes: &[usize]) -> Found {
        self.found(self.movement(&self.inside(takes)), self.whole())
    }

    /// The sequence of what ends leave over for a tile.
    pub(super) fn rest(&self, takes: &[usize]) -> Found {
        self.found(self.movement(&self.inside(takes)), MERGED)
    }

    /// The cheapest sequence.
    fn found(&self, movement: Movement, merged: usize) -> Found {
        self.write(self.weigh(movement, merged))
    }

    fn weigh(&self, movement: Movement, merged: usize) -> Wanted {
        let known = self.terms.memo.and_then(|memo| memo.find(&movement, merged));
        let sequence = match known {
            Some(found) => Sequence::Known(found),
            None => Sequence::New(shuffle::weigh(&movement, self.target, merged)),
        };
        Wanted { movement, merged, sequence }
    }

    fn write(&self, wanted: Wanted) -> Found {
        let Wanted { movement, merged, sequence } = wanted;
        match sequence {
            Sequence::Known(found) => found,
            Sequence::New(weighed) => {
                let found = weighed.write(&movement, self.target);
                if let Some(memo) = self.terms.memo {
                    memo.keep(movement, merged, &found);
                }
                found
            }
        }
    }

    /// Takes less of what most is taken of; false where nothing is taken.
    fn shorten(&self, takes: &mut [usize]) -> bool {
        let loops = (0..takes.len()).filter(|&l| takes[l] > 1 && !self.is_listed(l));
        let Some(l) = loops.max_by_key(|&l| takes[l]) else { return false };
        // A table is in a tile whole, and of what tasks share tiles are a part without a rest.
        let singly = self.loops[l].table.is_some() || self.is_shared(l);
        takes[l] = if singly { 1 } else { takes[l].next_power_of_two() / 2 };
        true
    }

    /// Whether steps can come to these chunks: where one takes several at once along a fold, what is
    /// decided further in is as long as it ever is.
    fn occurs(&self, chunks: &[Chunk], takes: &[usize], steps: &[Step]) -> bool {
        let ends = |step: &Step| {
            let l = step.index;
            let kinds =
                chunks_of(self.loops[l].extent, takes[l], self.zones[l], Some(step), self.fills);
            kinds.iter().any(|&(chunk, times)| chunk == chunks[l] && times == 0)
        };
        !steps.iter().enumerate().any(|(k, step)| {
            let taken = chunks[step.index].extent;
            steps[k + 1..].iter().any(|inner| inner.fits_within(step, taken) && ends(inner))
        })
    }

    /// The chunks of a tile that no end cuts short.
    fn inside(&self, takes: &[usize]) -> SmallVec<[Chunk; 8]> {
        let chunk = |(l, &take): (usize, &usize)| match self.fills {
            true => Chunk::padding(take),
            false => {
                let zone = self.zones[l];
                let first = zone.start.next_multiple_of(take);
                let first = if first + take <= zone.end { first } else { zone.start / take * take };
                Chunk::of(zone, first, take.min(self.loops[l].extent - first))
            }
        };
        takes.iter().enumerate().map(chunk).collect()
    }

    /// All sequences that the loops come to.
    pub(super) fn tiles(&self, takes: &[usize], steps: &[Step], found: Found) -> Vec<Tile> {
        let mut lists: SmallVec<[SmallVec<[Chunk; 4]>; 8]> = SmallVec::new();
        let inside = self.inside(takes);
        for (l, &take) in takes.iter().enumerate() {
            let mut list = SmallVec::from_iter([inside[l]]);
            let step = last_step(steps, l);
            for (chunk, _) in chunks_of(self.loops[l].extent, take, self.zones[l], step, self.fills)
            {
                if !list.contains(&chunk) {
                    list.push(chunk);
                }
            }
            lists.push(list);
        }
        let mut tiles = Vec::new();
        let mut inside = Some(found);
        let mut at: SmallVec<[usize; 8]> = SmallVec::from_elem(0, lists.len());
        loop {
            let chunks: SmallVec<[Chunk; 8]> =
                lists.iter().zip(&at).map(|(list, &i)| list[i]).collect();
            let synthesize = || self.found(self.movement(&chunks), MERGED);
            if inside.is_some() || self.occurs(&chunks, takes, steps) {
                let found = inside.take().unwrap_or_else(synthesize);
                tiles.push(Tile { chunks, found });
            }
            let mut l = 0;
            loop {
                if l == lists.len() {
                    return tiles;
                }
                at[l] += 1;
                if at[l] < lists[l].len() {
                    break;
                }
                at[l] = 0;
                l += 1;
            }
        }
    }
}

/// What tiles are to move, and the sequence that does.
struct Wanted {
    movement: Movement,
    merged: usize,
    sequence: Sequence,
}

/// A sequence that a nest before has found, or one that is weighed.
enum Sequence {
    Known(Found),
    New(Weighed),
}

impl Sequence {
    fn cost(&self) -> Cost {
        match self {
            Sequence::Known(found) => found.cost(),
            Sequence::New(weighed) => weighed.cost(),
        }
    }
}

/// The innermost step of a loop.
pub(super) fn last_step(steps: &[Step], l: usize) -> Option<&Step> {
    steps.iter().rfind(|step| step.index == l)
}

impl Nest {
    /// What a tile of this nest moves, places counted from where the tile starts.
    pub fn movement(&self, chunks: &[Chunk], plan: &Plan) -> Movement {
        self.view(plan).movement(chunks)
    }

    /// What tiles of this nest were decided by, but for how long sequences may be.
    pub(super) fn view<'a>(&'a self, plan: &'a Plan) -> View<'a> {
        let converts = self.tiling.as_ref().map_or(Converts::Never, |tiling| tiling.converts);
        let terms = Terms {
            shared: self.shared(&plan.sharing),
            turns: self.tiling.as_ref().and_then(|tiling| tiling.turns),
            off_lines: false,
            ops: u32::MAX,
            demand: Demand::of(&plan.problem, plan.target.line),
            memo: None,
        };
        View::of(self, &plan.problem, &plan.target, converts, terms)
    }
}
