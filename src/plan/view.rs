//! What there is to know of a nest's loops. In: nodes, and which of their positions are elements. Out:
//! which loops are contiguous one around the other, and what a part of them moves.

use smallvec::SmallVec;

use super::boxes::listed::{MOST_LISTED, is_even, runs_of};
use super::change::bytewise::Bytewise;
use super::change::change;
use super::change::trust::hopes;
use super::demand::{Demand, piece};
use super::folds::Folds;
use super::memo::Memo;
use super::nests::{SharedLoop, reach};
use super::rows::Rows;
use super::stores::BLOCK;
use super::tile::{Chunk, Converts, Takes};
use super::{Nest, Step, Work};
use crate::problem::{Between, DST, Node, Operand, Problem, SRC, VALUES, Zone};
use crate::shuffle::{Change, Dim, Movement, Pieces, Side};
use crate::target::{Target, Tier};

/// Registers that a conversion needs for itself, at most.
pub(crate) const TEMPS: usize = 5;

/// As many where elements only become longer as they are stored: one for them, if anything is computed one that this
/// takes, and one for what it finds.
const TEMPS_LONGER: usize = 3;

/// How many of them that is. Where registers can be masked there are twice as many, and some of them always free.
pub(crate) fn temps(problem: &Problem, loads: bool, tier: Tier) -> usize {
    let (from, to, arith) = (problem.src, problem.dst, &problem.arith);
    let longer = from.size() < 4 && to.size() == 4 && !loads;
    match longer && !tier.masks() && !arith.is_compensated() {
        false => TEMPS,
        true if from.is_float() || arith.is_formula() => TEMPS_LONGER,
        true => 1,
    }
}

/// Rows of a tile share the first level with as many of the other side.
const BOTH: usize = 2;

/// What tiles need to know of a nest.
pub(super) struct View<'a> {
    pub(super) loops: &'a [Node],
    pub(super) folds: Folds,
    pub(super) zones: &'a [Zone],
    pub(super) sizes: [usize; 2],
    pub(super) target: &'a Target,
    /// What was said of the nest from outside.
    pub(super) terms: Terms<'a>,
    /// Whether there are no elements, only padding.
    pub(super) fills: bool,
    /// Where elements change their type.
    pub(super) converts: Converts,
    /// Registers that it takes.
    pub(super) temps: usize,
    /// What that costs.
    pub(super) change: Change,
    /// Whether what is stored is added up.
    pub(super) sums: bool,
    /// What lies between elements of the source, may be loaded, and may become anything as elements do.
    pub(super) between: Between,
    /// The operand whose values bytes are shifted by, if they are.
    pub(super) shifts: Option<Operand>,
    /// Whether scales or zero points have several values, which lie on the stack too.
    pub(super) valued: bool,
    /// Of each side, loops that are contiguous one around the other.
    pub(super) chains: [Chain; 2],
}

/// What is decided of a nest before its loops are looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms<'a> {
    /// The loop that tasks share.
    pub(super) shared: Option<SharedLoop>,
    /// A loop whose steps are taken by turns, inside of all others.
    pub(super) turns: Option<usize>,
    /// Whether the destination is taken not to start on a line.
    pub(super) off_lines: bool,
    /// No sequence may be longer, where a shorter one is to be had.
    pub(super) ops: u32,
    /// That both sides of the whole problem need.
    pub(super) demand: Demand,
    /// Sequences that other nests of the plan have found.
    pub(super) memo: Option<&'a Memo>,
}

/// Loops, by their index.
type Chain = SmallVec<[usize; 8]>;

impl<'a> View<'a> {
    /// Of a nest, elements of a problem changing their type where it is said.
    pub(super) fn of(
        nest: &'a Nest,
        problem: &Problem,
        target: &'a Target,
        converts: Converts,
        terms: Terms<'a>,
    ) -> View<'a> {
        let (src, dst) = (problem.src.size(), problem.dst.size());
        let fills = nest.work != Work::Move;
        let mut view = View {
            loops: &nest.loops,
            folds: Folds::of(nest, problem),
            zones: &nest.zones,
            sizes: [if fills { dst } else { src }, dst],
            target,
            terms,
            fills,
            converts,
            temps: temps(problem, converts == Converts::Loads, target.tier)
                + usize::from(hopes(problem, converts, target)),
            change: change(problem, converts, target),
            sums: problem.arith.is_compensated(),
            // Where elements are computed with as they are loaded, there are no values for anything else.
            between: match converts {
                _ if problem.arith.is_compensated() => Between::Anything,
                Converts::Loads if problem.arith.is_formula() => Between::Anything,
                _ => problem.src_between,
            },
            shifts: match fills {
                true => None,
                false => Bytewise::of(problem, target).and_then(Bytewise::shift),
            },
            valued: VALUES.clone().any(|operand| problem.values(operand).1 > 1),
            chains: Default::default(),
        };
        view.chains = [SRC, DST].map(|side| view.find_chain(side));
        view
    }
}

impl View<'_> {
    /// Whether both sides together are more than the second level holds.
    pub(super) fn is_far(&self) -> bool {
        self.terms.demand.places > self.target.l2
    }

    /// Whether both sides are beyond all caches.
    pub(super) fn is_beyond(&self) -> bool {
        self.terms.demand.bytes >= self.stream_from()
    }

    /// Whether tiles rather ask for lines one by one than for blocks before.
    pub(super) fn asks_singly(&self) -> bool {
        let from = self.target.memory.blocks_from;
        self.lines_below(from, if self.narrows() { 4 } else { 1 })
    }

    /// Whether both sides have fewer lines than make a part of so many bytes; all have fewer than no number of them.
    pub(super) fn lines_below(&self, from: usize, part: usize) -> bool {
        from == usize::MAX || self.terms.demand.bytes < from / part
    }

    /// From how many bytes of both sides on these are beyond all caches.
    pub(super) fn stream_from(&self) -> usize {
        let memory = &self.target.memory;
        let [src, dst] = [SRC, DST].map(|side| self.chain(side).first());
        if src == dst { memory.stream_from } else { memory.turned_from }
    }

    /// Whether lines of so many tiles' rows come from behind the second level, and of those that are under way at a
    /// time some wait for their place in the first.
    pub(super) fn waits_for_places(&self, rows: &Rows, tiles: usize, side: usize) -> bool {
        let memory = &self.target.memory;
        let most = [memory.under_way_read, memory.under_way][side];
        let at_once = tiles.saturating_mul(rows.count).min(most.into());
        let waits = || rows.count > 1 && rows.meet(self, at_once, 0) > memory.ways.into();
        memory.reads_whole && self.is_far() && waits()
    }

    pub(super) fn stride(&self, l: usize, side: usize) -> isize {
        self.folds.stride(l, side).unwrap_or(self.loops[l].strides[side])
    }

    /// Whether rows of the destination are put together from blocks at least that are rows on both sides.
    pub(super) fn copies(&self) -> bool {
        let [src, dst] = [SRC, DST].map(|side| self.chain(side));
        let alike = src.iter().zip(dst).take_while(|(a, b)| a == b);
        let run: usize = alike.map(|(l, _)| self.loops[*l].extent).product();
        run > 1 && run.saturating_mul(self.sizes[DST]) >= BLOCK
    }

    /// Whether elements become shorter before tiles move them.
    pub(super) fn narrows(&self) -> bool {
        self.converts == Converts::Loads && self.sizes[SRC] > self.sizes[DST]
    }

    /// Whether steps of a loop have values of their own.
    pub(super) fn leads(&self, l: usize, operand: Operand) -> bool {
        self.loops[l].strides[operand as usize] != 0
    }

    /// Bytes of the source that so many steps of each loop read.
    pub(super) fn bytes_read(&self, amounts: &[usize]) -> usize {
        let read = { 0..amounts.len() }.filter(|&l| !self.stands_still(l, SRC));
        read.map(|l| amounts[l]).fold(self.sizes[SRC], usize::saturating_mul)
    }

    /// Whether all steps of a loop are at the same place of one side.
    pub(super) fn stands_still(&self, l: usize, side: usize) -> bool {
        self.stride(l, side) == 0 && self.loops[l].table.is_none()
    }

    /// Whether a tile can take several steps of a loop, a stride from one to the next.
    pub(super) fn plain(&self, l: usize) -> bool {
        !self.is_single(l) && self.leads_evenly(l)
    }

    /// Whether the steps of a loop are a stride from one to the next.
    fn leads_evenly(&self, l: usize) -> bool {
        let node = &self.loops[l];
        node.extent > 1 && node.table.is_none() && (!self.limited(l) || self.holds_several(l))
    }

    /// Whether a loop may lead on along rows: those of the source are read on where lines are far, though tiles have but
    /// one step of it.
    fn leads_on(&self, l: usize, side: usize) -> bool {
        let far = || side == SRC && self.is_beyond() && self.leads_evenly(l);
        self.plain(l) || far() || self.is_listed(l) && is_even(&self.loops[l], side)
    }

    /// Whether positions of the source are listed, of rows that go on along a loop. A tile has them all.
    pub(super) fn is_listed(&self, l: usize) -> bool {
        let node = &self.loops[l];
        node.table.is_some()
            && is_even(node, DST)
            && (2..=MOST_LISTED).contains(&node.extent)
            && node.folds.is_empty()
            && !self.is_shared(l)
    }

    /// The least that a tile takes of each loop.
    pub(super) fn least(&self) -> Takes {
        let least = |l: usize| if self.is_listed(l) { self.loops[l].extent } else { 1 };
        (0..self.loops.len()).map(least).collect()
    }

    /// Whether digits of folds end along a loop.
    pub(super) fn limited(&self, l: usize) -> bool {
        !self.folds.limits(l).is_empty()
    }

    /// Whether a digit holds several steps of a loop, all of them alike.
    fn holds_several(&self, l: usize) -> bool {
        let zone = Zone::all(self.loops[l].extent);
        !self.is_shared(l)
            && (self.fills || self.zones[l] == zone)
            && self.folds.most(&Takes::from_elem(1, self.loops.len()), l, 2) > 1
    }

    /// How far a step of a loop leads in the destination, tables and digits that end included.
    pub(super) fn reach(&self, l: usize) -> usize {
        self.folds.reach(l).unwrap_or_else(|| reach(&self.loops[l], &[], &[]))
    }

    /// Whether tasks may take any steps of a loop, so that a tile can have but one.
    fn is_single(&self, l: usize) -> bool {
        self.shared_at(l).is_some_and(|shared| shared.granule == 1)
    }

    /// Whether a loop can be walked in blocks of so many steps, which neither digits nor tasks end within.
    pub(super) fn has_blocks(&self, l: usize, by: usize) -> bool {
        let whole = |granule: usize| granule.is_multiple_of(by);
        !self.limited(l) && self.shared_at(l).is_none_or(|shared| whole(shared.granule))
    }

    /// Whether a loop goes around all others: what tasks share, so that sums are near, where lines are near anyway.
    pub(super) fn goes_around(&self, l: usize) -> bool {
        self.is_shared(l) && !self.is_beyond()
    }

    /// Whether tasks share a loop.
    pub(super) fn is_shared(&self, l: usize) -> bool {
        self.shared_at(l).is_some()
    }

    /// A loop as tasks share it, if they do.
    pub(super) fn shared_at(&self, l: usize) -> Option<SharedLoop> {
        self.terms.shared.filter(|shared| shared.index == l)
    }

    /// Loops that are contiguous one around the other.
    pub(super) fn chain(&self, side: usize) -> &[usize] {
        &self.chains[side]
    }

    fn find_chain(&self, side: usize) -> Chain {
        let mut chain = Chain::new();
        if side == SRC && self.fills {
            return chain;
        }
        let mut run = self.sizes[side] as isize;
        loop {
            let next = (0..self.loops.len()).find(|&l| {
                self.leads_on(l, side)
                    && !chain.contains(&l)
                    && match side {
                        SRC => self.stride(l, side).abs() == run,
                        _ => self.stride(l, side) == run,
                    }
            });
            let Some(next) = next else { return chain };
            chain.push(next);
            if self.limited(next) && !self.folds.fit(&self.wholes(&chain), Some(side)) {
                return chain;
            }
            run = run.saturating_mul(self.loops[next].extent as isize);
        }
    }

    /// All of some loops.
    fn wholes(&self, loops: &[usize]) -> Takes {
        let whole = |l: usize| if loops.contains(&l) { self.loops[l].extent } else { 1 };
        (0..self.loops.len()).map(whole).collect()
    }

    /// Bytes of a lane.
    pub(super) fn lane(&self) -> usize {
        match self.converts {
            Converts::Stores => self.sizes[SRC],
            Converts::Loads | Converts::Staged => self.sizes[DST],
            Converts::Never => self.sizes[SRC].min(self.sizes[DST]),
        }
    }

    /// What a tile of these chunks moves.
    pub(super) fn movement(&self, chunks: &[Chunk]) -> Movement {
        let mut dims = SmallVec::new();
        for (l, (node, chunk)) in self.loops.iter().zip(chunks).enumerate() {
            let data = chunk.start..chunk.end;
            if chunk.extent == 1 && data.len() == 1 {
                continue;
            }
            // A single step has been taken on the way to the tile.
            let table = node.table.as_ref().filter(|_| chunk.extent > 1);
            let side = |side: usize| match table.filter(|_| !is_even(node, side)) {
                None => Side::Stride(self.stride(l, side)),
                Some(table) => Side::Table(
                    (table.iter().enumerate().take(chunk.extent))
                        .map(|(k, at)| {
                            let at = if side == SRC { at.0 } else { at.1 };
                            at.wrapping_add(self.stride(l, side).wrapping_mul(k as isize))
                        })
                        .collect(),
                ),
            };
            dims.push(Dim { extent: chunk.extent, data, src: side(SRC), dst: side(DST) });
        }
        if self.fills && dims.is_empty() {
            let still = || Side::Stride(0);
            dims.push(Dim { extent: 1, data: 0..0, src: still(), dst: still() });
        }
        let [src_size, dst_size] = self.sizes;
        let spare = match self.converts {
            Converts::Never | Converts::Staged if !self.sums => 0,
            _ => self.temps,
        };
        let crowded = || {
            let takes: Takes = chunks.iter().map(|chunk| chunk.extent).collect();
            Rows::of(self, &takes, SRC).crowd(self, BOTH, 0)
        };
        let whole = self.target.memory.reads_whole && !self.is_beyond() && crowded();
        let (lane, change) = (self.lane(), self.change);
        let movement =
            Movement { src_size, dst_size, lane, spare, change, whole, over: false, dims };
        let over =
            movement.pieces_within(self.target.line).is_some_and(|pieces| self.goes_over(pieces));
        Movement { over, ..movement }
    }

    /// Whether these are loaded with what lies between. Other elements are where there are few of them or pieces are
    /// short; not where elements change as they are loaded, as all would.
    fn goes_over(&self, pieces: Pieces) -> bool {
        // Rows that are converted before do not have it.
        let has = !self.fills && self.converts != Converts::Staged;
        let Pieces { bytes, stride } = pieces;
        let short = bytes < BLOCK / 2 || bytes < BLOCK && stride <= 2 * bytes;
        match self.between {
            Between::Anything => false,
            Between::Elements => has && short && self.converts != Converts::Loads,
            Between::Padding => has,
        }
    }

    /// How many tiles a choice needs.
    pub(super) fn count(&self, takes: &[usize]) -> usize {
        self.loops.iter().zip(takes).map(|(node, take)| node.extent.div_ceil(*take)).product()
    }

    /// How many steps of a loop lead anywhere on one side: padding has no place in the source.
    pub(super) fn most(&self, l: usize, side: usize) -> usize {
        if side == SRC && !self.fills { self.zones[l].len() } else { self.loops[l].extent }
    }

    /// How many tiles have anything on one side.
    pub(super) fn count_of(&self, takes: &[usize], side: usize) -> usize {
        takes.iter().enumerate().map(|(l, take)| self.most(l, side).div_ceil(*take)).product()
    }

    /// The loop that leads on along rows of one side, where a tile does not take them whole.
    pub(super) fn next(&self, takes: &[usize], side: usize) -> Option<usize> {
        self.chain(side).iter().copied().find(|&l| takes[l] < self.loops[l].extent)
    }

    /// A loop that a tile takes a part of and that leads on within a line, past what is no element, where rows of one
    /// side end before.
    pub(super) fn next_in_line(&self, takes: &[usize], side: usize) -> Option<usize> {
        let chain = self.chain(side);
        let own = |l: &usize| self.stride(*l, side).unsigned_abs();
        let beside = |l: &usize| {
            let part = takes[*l] < self.loops[*l].extent && !self.stands_still(*l, side);
            part && own(l) < self.target.line
                && !chain.contains(l)
                && self.loops[*l].table.is_none()
        };
        let loops = if side == SRC && self.fills { 0..0 } else { 0..self.loops.len() };
        loops.filter(beside).max_by_key(own)
    }

    /// Bytes of a whole row of the destination.
    pub(super) fn row_bytes(&self) -> usize {
        self.chain(DST).iter().map(|&l| self.loops[l].extent).product::<usize>() * self.sizes[DST]
    }

    /// The loops of a row, up to the one that a tile takes a part of.
    pub(super) fn own(&self, takes: &[usize], side: usize) -> &[usize] {
        let chain = self.chain(side);
        let end = chain.iter().position(|&l| takes[l] < self.loops[l].extent);
        &chain[..end.map_or(chain.len(), |end| end + 1)]
    }

    /// How much of its loop a step goes over: all, or what is inside of a step of the same further out.
    pub(super) fn extent_of(&self, steps: &[Step], k: usize) -> usize {
        let block = steps[..k].iter().rfind(|outer| outer.index == steps[k].index);
        block.map_or(self.loops[steps[k].index].extent, |block| block.by)
    }

    /// How much of each loop is done inside of some steps.
    pub(super) fn inside_of(&self, around: &[Step]) -> Takes {
        let inside = |l: usize| {
            let around = around.iter().rfind(|step| step.index == l);
            around.map_or(self.loops[l].extent, |step| step.by)
        };
        (0..self.loops.len()).map(inside).collect()
    }

    /// Elements that a tile takes in a row of one side.
    pub(super) fn run(&self, takes: &[usize], side: usize) -> usize {
        let mut run = 1;
        for &l in self.chain(side) {
            run *= takes[l];
            if takes[l] < self.loops[l].extent {
                break;
            }
        }
        run
    }

    /// Rows of the destination that a tile writes beside one another.
    pub(super) fn rows(&self, takes: &[usize]) -> usize {
        takes.iter().product::<usize>() / self.run(takes, DST)
    }

    /// Rows of one side that a tile has, and the bytes of each.
    pub(super) fn rows_of(&self, takes: &[usize], side: usize) -> (usize, usize) {
        let size = self.sizes[side];
        let loops = 0..self.loops.len();
        if side == SRC && loops.clone().any(|l| self.is_listed(l)) {
            let steps = loops.flat_map(|l| match self.is_listed(l) {
                true => runs_of(&self.loops[l]),
                false => [(self.stride(l, SRC).unsigned_abs(), takes[l]), (0, 1)],
            });
            let mut steps: SmallVec<[(usize, usize); 8]> =
                steps.filter(|step| step.0 > 0).collect();
            steps.sort_unstable();
            // What goes on without a gap is a row.
            let (bytes, inside) = piece(size, 1, steps.iter().copied(), 1);
            return (steps[inside..].iter().map(|step| step.1).product(), bytes);
        }
        let run = self.run(takes, side);
        let still: usize =
            loops.filter(|&l| self.stands_still(l, side)).map(|l| takes[l]).product();
        ((takes.iter().product::<usize>() / run / still.max(1)).max(1), run * size)
    }

    /// Lines of either side that a tile touches.
    pub(super) fn lines_touched(&self, takes: &[usize]) -> (u64, u64) {
        let touched = |side: usize| {
            let (rows, bytes) = self.rows_of(takes, side);
            (rows * bytes.div_ceil(self.target.line)) as u64
        };
        (touched(SRC), touched(DST))
    }
}
