//! Tiles. In: the loops of a nest. Out: how much of each loop is done in registers, and the sequences
//! that do it: one for the inside, others where a loop's end or its padding cuts a tile short.

use smallvec::SmallVec;

use super::ask::Ask;
use super::carry::Carry;
use super::order::{OrderName, Step, Steps, common};
use super::rows::PAGE;
use super::stage::Stage;
use super::stores::Stores;
use super::view::{Terms, View};
use super::{Nest, Plan};
use crate::layout::gcd;
use crate::problem::{DST, SRC, Zone};
use crate::shuffle::{self, Cost, Found, Movement, PARTS, TIES, Weighed};

/// How a nest is done in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiling {
    /// How much of each loop a tile takes; 1 where it takes a step.
    pub takes: Takes,
    /// The loops around the tiles, outermost first.
    pub steps: Steps,
    /// The loop whose steps are parts of a nest that go on by turns.
    pub turns: Option<usize>,
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
    /// Where blocks of the source are asked for before they are read.
    pub ask: Option<Ask>,
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

/// Sequences longer than this are code that is better rolled up.
const LINES: u32 = 320;

/// So many lines of a row are copied at once.
const COPIED: usize = 4;

/// What going on to the next tile takes, in parts of a cycle.
const NEXT: u64 = PARTS;

/// No more positions than this go into a tile.
const POSITIONS: usize = 4096;

/// No more are put together from whole registers, which takes long to find, where there is another way.
const MERGED: usize = 192;

/// No more go into a tile whose rows are whole lines or registers of other extents than powers of two, where lanes can
/// be masked. Where not, [`MERGED`] holds for these too: how to gather them takes longest to find there.
const WHOLE: usize = 640;

impl Chunk {
    /// The part of a loop's elements that lies in `extent` steps from `first` on.
    pub(crate) fn of(zone: Zone, first: usize, extent: usize) -> Chunk {
        let clip = |at: usize| at.clamp(first, first + extent) - first;
        match (clip(zone.start), clip(zone.end)) {
            (start, end) if start < end => Chunk { extent, start, end },
            _ => Chunk { extent, start: 0, end: 0 },
        }
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
    let overlaps = step.is_some_and(|step| step.overlaps);
    let count = extent.div_ceil(take);
    // Between these all are alike.
    let (start, end) = (zone.start / take, zone.end / take);
    let mut cuts = [0, start, start + 1, end, end + 1, count - 1, count].map(|cut| cut.min(count));
    cuts.sort_unstable();
    let alike = cuts.windows(2).filter(|pair| pair[0] < pair[1]);
    let kind = |pair: &[usize]| {
        let steps = if overlaps { take } else { take.min(extent - pair[0] * take) };
        let chunk = match (fills, overlaps) {
            (true, _) => Chunk { extent: steps, start: 0, end: 0 },
            (_, true) => Chunk { extent: steps, start: 0, end: steps },
            _ => Chunk::of(zone, pair[0] * take, steps),
        };
        (chunk, (pair[1] - pair[0]) as u64)
    };
    alike.map(kind).collect()
}

impl View<'_> {
    /// The most positions of a tile of such rows.
    fn whole(&self) -> usize {
        if self.target.tier.masks() { WHOLE } else { MERGED }
    }

    /// What a tile may take, in groups: of each the first whose sequence is not too long.
    fn choices(&self) -> SmallVec<[SmallVec<[Takes; 4]>; 2]> {
        let lane = self.lane();
        let vector = (self.target.tier.vector() / lane).max(1);
        let line = (self.target.line / lane).max(vector);
        let (dst, src) = (self.chain(DST), self.chain(SRC));
        // Where rows of the destination are one element each, there are no rows of the source to take.
        let repeats = dst.first().is_some_and(|&l| self.stride(l, SRC) == 0);
        let (run, block) = if repeats { (1, 1) } else { (vector, (16 / lane).max(1)) };
        // Rows that are rows on both sides are copied, several lines of them at once.
        // Of short ones that takes many rows of the source, which is worth it where they are near.
        let alike = !dst.is_empty() && dst.first() == src.first();
        let copies = alike && (self.copies() || !self.is_far());
        let far = if copies { COPIED * line } else { line };
        let read_on = copies && self.reads_on(line);
        let group = |whole: bool| {
            let mut choices: SmallVec<[Takes; 4]> = SmallVec::new();
            // Whole lines and runs where that is not too much, else registers and blocks, and of a
            // table its own steps alone.
            for (across, along, beside) in [
                (far, run, true),
                (line, run, true),
                (line, block, true),
                (vector, run, true),
                (vector, block, true),
                (vector, block, false),
            ] {
                let mut takes: Takes = SmallVec::from_elem(1, self.loops.len());
                if read_on {
                    self.take(&mut takes, src, across, false);
                    self.take(&mut takes, dst, across.min(line), whole);
                } else {
                    self.take(&mut takes, dst, across, whole);
                    self.take(&mut takes, src, along, false);
                }
                self.take_tables(&mut takes, vector, beside);
                let most = if whole { self.whole() } else { POSITIONS };
                if takes.iter().product::<usize>() <= most && !choices.contains(&takes) {
                    choices.push(takes);
                }
            }
            choices
        };
        let mut bits = group(false);
        if bits.is_empty() {
            bits.push(SmallVec::from_elem(1, self.loops.len()));
        }
        let whole = group(true);
        match bits == whole || whole.is_empty() {
            true => SmallVec::from_iter([bits]),
            false => SmallVec::from_iter([bits, whole]),
        }
    }

    /// Whether tiles of short runs take what lies on in the source, of which the machine foresees little otherwise, and
    /// leave no parts of lines.
    fn reads_on(&self, line: usize) -> bool {
        let runs = common(self);
        let run: usize = runs.iter().map(|&l| self.loops[l].extent).product();
        let even = run.is_multiple_of(line) || line.is_multiple_of(run);
        let next = self.chain(DST)[runs.len()..].first();
        let apart = next.map_or(0, |&l| self.stride(l, SRC).unsigned_abs());
        self.target.memory.reads_on && even && (self.is_beyond() || apart >= PAGE)
    }

    /// Takes of contiguous loops what makes so many lanes; with `whole`, a multiple of them.
    pub(super) fn take(&self, takes: &mut Takes, chain: &[usize], lanes: usize, whole: bool) {
        let mut have = 1;
        for &l in chain {
            let extent = self.loops[l].extent;
            let more = match whole {
                true => lanes / gcd(have as isize, lanes as isize).unsigned_abs(),
                false => lanes.div_ceil(have).next_power_of_two(),
            };
            if more <= 1 {
                return;
            }
            let mut taken = self.folds.most(takes, l, takes[l].max(extent.min(more)));
            if let Some((_, granule)) = self.terms.shared.filter(|(shared, _)| *shared == l) {
                // Tasks do not cut tiles.
                taken = if granule.is_multiple_of(taken) { taken } else { 1 };
            }
            takes[l] = taken;
            have *= taken;
            // A part of a loop ends the run; so does what is no power of two, where lanes are bits.
            if takes[l] < extent || (!whole && !extent.is_power_of_two()) || have > 4 * lanes {
                return;
            }
        }
    }

    /// A table is short steps between runs: all of it, and of the loop beside it what fills registers.
    fn take_tables(&self, takes: &mut Takes, vector: usize, beside: bool) {
        let is_table = |l: &usize| {
            let node = &self.loops[*l];
            node.table.is_some() && node.folds.is_empty() && !self.is_shared(*l)
        };
        let Some(table) = (0..self.loops.len()).find(is_table) else { return };
        let extent = self.loops[table].extent;
        let taken: usize = takes.iter().product();
        let beside = (0..self.loops.len())
            .filter(|&l| beside && self.plain(l) && !self.is_shared(l) && takes[l] == 1)
            .filter(|&l| !self.limited(l))
            .filter(|&l| self.stride(l, DST) > 0)
            .min_by_key(|&l| self.stride(l, DST));
        if extent * taken > POSITIONS / 8 {
            return;
        }
        takes[table] = extent;
        if let Some(l) = beside {
            let run = self.stride(l, DST) as usize / self.sizes.1;
            takes[l] = (vector / run.max(1)).clamp(1, self.loops[l].extent);
        }
    }

    /// The cheapest choice, by the cycles of the ports and a little for every line that is touched, and
    /// the sequence of its inside.
    pub(super) fn choose(&self) -> (Takes, Found) {
        let mut best: Option<((u64, u64), Takes, Found)> = None;
        let mut known: SmallVec<[Takes; 4]> = SmallVec::new();
        let groups = match self.lengthened() {
            Some(takes) => SmallVec::from_iter([SmallVec::from_iter([takes])]),
            None => self.choices(),
        };
        for (k, group) in groups.iter().enumerate() {
            let last = group.len() - 1;
            for (i, takes) in group.iter().enumerate() {
                // What is in both groups is weighed once, as in the second.
                if known.contains(takes) {
                    break;
                }
                let whole = k > 0 || groups.get(1).is_some_and(|other| other.contains(takes));
                let merged = if whole { self.whole() } else { MERGED };
                let movement = self.movement(&self.inside(takes));
                let weighed = self.weigh(&movement, merged);
                let cost = weighed.cost();
                let long = cost.lines > LINES.min(self.terms.lines);
                if long && i < last {
                    continue;
                }
                known.push(takes.clone());
                let lines = self.lines_touched(takes);
                let lines = lines.0 * PARTS / 2 + lines.1 * PARTS;
                let tile = cost.cycles(self.target) / TIES + lines + NEXT;
                let price = (u64::from(long), tile.saturating_mul(self.count(takes) as u64));
                if best.as_ref().is_none_or(|(least, ..)| price < *least) {
                    let found = self.write(weighed, &movement, merged);
                    best = Some((price, takes.clone(), found));
                }
                break;
            }
        }
        let (_, mut takes, mut found) = best.expect("there is a choice");
        while found.cost().lines > self.terms.lines && self.shorten(&mut takes) {
            let movement = self.movement(&self.inside(&takes));
            found = self.found(&movement, MERGED);
        }
        (takes, found)
    }

    /// The sequence of the inside of tiles that take so much.
    pub(super) fn sequence(&self, takes: &[usize]) -> Found {
        self.found(&self.movement(&self.inside(takes)), self.whole())
    }

    /// The cheapest sequence.
    fn found(&self, movement: &Movement, merged: usize) -> Found {
        self.write(self.weigh(movement, merged), movement, merged)
    }

    fn weigh<'m>(&self, movement: &'m Movement, merged: usize) -> Sequence<'m>
    where
        Self: 'm,
    {
        match self.terms.memo.and_then(|memo| memo.find(movement, merged)) {
            Some(found) => Sequence::Known(found),
            None => Sequence::New(shuffle::weigh_up_to(movement, self.target, merged)),
        }
    }

    fn write(&self, sequence: Sequence<'_>, movement: &Movement, merged: usize) -> Found {
        match sequence {
            Sequence::Known(found) => found,
            Sequence::New(weighed) => {
                let found = weighed.write();
                if let Some(memo) = self.terms.memo {
                    memo.keep(movement, merged, &found);
                }
                found
            }
        }
    }

    /// Takes less of what most is taken of; false where nothing is taken.
    fn shorten(&self, takes: &mut [usize]) -> bool {
        let Some(l) = (0..takes.len()).max_by_key(|&l| takes[l]).filter(|&l| takes[l] > 1) else {
            return false;
        };
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
            true => Chunk { extent: take, start: 0, end: 0 },
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
            let synthesize = || {
                let movement = self.movement(&chunks);
                self.found(&movement, MERGED)
            };
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

/// A sequence that a nest before has found, or one that is weighed.
enum Sequence<'a> {
    Known(Found),
    New(Weighed<'a>),
}

impl Sequence<'_> {
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
        let converts = self.tiling.as_ref().map_or(Converts::Never, |tiling| tiling.converts);
        let terms = Terms {
            shared: self.shared(&plan.sharing),
            turns: self.tiling.as_ref().and_then(|tiling| tiling.turns),
            lines: u32::MAX,
            bytes: super::cost::bytes(&plan.problem),
            memo: None,
        };
        View::of(self, &plan.problem, &plan.target, converts, terms).movement(chunks)
    }
}
