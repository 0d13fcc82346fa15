//! What a plan will cost. In: nests and their tiles. Out: cycles by the ports and by the memory, and how
//! many bytes go in registers narrower than the target's.

pub(super) mod length;

use smallvec::SmallVec;

use super::boxes::listed::{is_even, runs_of};
use super::demand::{Demand, piece};
use super::tile::{Tile, Tiling, chunks_of, last_step};
use super::{Nest, Plan, Work, sums};
use crate::problem::{DST, Operand, Problem, SRC};
use crate::shuffle::{Counts, PARTS};
use crate::target::Target;

/// The cycles that a plan takes, by the ways to count them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// By the ports of the core.
    pub ports: u64,
    /// By the lines that move.
    pub memory: u64,
    /// For lines that come again, or are not there when they are come to, and values that are made anew, as the orders
    /// were weighed.
    pub again: u64,
    /// Bytes of both sides.
    pub bytes: u64,
    /// Bytes of all lines that these are in.
    pub moved: u64,
    /// Bytes of the destination.
    pub stored: u64,
    /// Of these, those of tiles whose rows are narrower than a register though the nest's are not; a
    /// masked register is a whole one.
    pub narrow: u64,
}

impl Bounds {
    /// What is predicted: ports and memory work side by side, what comes again is waited for.
    pub fn cycles(&self) -> u64 {
        self.ports.max(self.memory).saturating_add(self.again)
    }

    /// Which of the two takes longer: `ports` or `memory`.
    pub fn limit(&self) -> &'static str {
        if self.ports > self.memory { "ports" } else { "memory" }
    }
}

/// Bytes of the source, those that are repeated counted once, and of the destination.
pub(super) fn bytes(problem: &Problem) -> (usize, usize) {
    let mut bytes = (problem.src.size(), problem.dst.size());
    for line in &problem.lines {
        let still = line
            .nodes
            .iter()
            .all(|node| node.strides[Operand::Src as usize] == 0 && node.is_plain());
        bytes.0 =
            bytes.0.saturating_mul(if still { line.data.len().min(1) } else { line.data.len() });
        bytes.1 = bytes.1.saturating_mul(line.owned.len());
    }
    bytes
}

impl Plan {
    /// The cycles that the tiles and the lines take.
    pub fn bounds(&self) -> Bounds {
        let (read, owned) = bytes(&self.problem);
        let (bytes, stored) = (read.saturating_add(owned) as u64, self.bytes_written() as u64);
        let mut bounds = Bounds { bytes, stored, ..Bounds::default() };
        let target = &self.target;
        let mut parts = 0u64;
        for nest in self.nests() {
            let Some(tiling) = &nest.tiling else {
                let bytes = nest.positions().saturating_mul(self.problem.dst.size());
                bounds.narrow = bounds.narrow.saturating_add(bytes as u64);
                parts = parts.saturating_add((nest.positions() as u64).saturating_mul(PARTS));
                continue;
            };
            for (tile, times) in tiling.tiles.iter().zip(nest.times(tiling)) {
                let bytes = times.saturating_mul(narrow(nest, tile, self));
                bounds.narrow = bounds.narrow.saturating_add(bytes);
            }
            let sums = |tile: &Tile| sums::counts(nest, tile, self);
            parts = parts.saturating_add(nest.parts_beside(tiling, target, sums));
            for side in [SRC, DST] {
                bounds.moved = bounds.moved.saturating_add(moved(nest, side, self));
            }
            let again = tiling.orders.first().map_or(0, |order| order.1);
            bounds.again = bounds.again.saturating_add(again);
        }
        bounds.moved = bounds.moved.max(bounds.bytes);
        let places = Demand::of(&self.problem, target.line).places;
        if places <= target.l1 {
            bounds.again = 0;
        }
        bounds.ports = parts / PARTS;
        bounds.memory = bounds.moved / target.rate(places);
        bounds
    }
}

impl Nest {
    /// What tiles take of the ports, and rows that are converted before, in parts of a cycle.
    pub(super) fn parts(&self, tiling: &Tiling, target: &Target) -> u64 {
        self.parts_beside(tiling, target, |_| Counts::default())
    }

    /// What tiles take of the ports, with what else is done in each of them.
    fn parts_beside(
        &self,
        tiling: &Tiling,
        target: &Target,
        beside: impl Fn(&Tile) -> Counts,
    ) -> u64 {
        let bound = |tile: &Tile| {
            let mut cost = tile.found.masked(tiling.alone);
            cost.counts += beside(tile);
            cost.bound(target)
        };
        let tiles = tiling.tiles.iter().zip(self.times(tiling));
        let tiles = tiles.map(|(tile, times)| times.saturating_mul(bound(tile)));
        let staged = tiling.stage.as_ref().map_or(0, |stage| stage.price);
        tiles.fold(staged, u64::saturating_add)
    }
}

/// The bytes of the lines of one side that a nest touches.
fn moved(nest: &Nest, side: usize, plan: &Plan) -> u64 {
    if side == SRC && nest.work != Work::Move {
        return 0;
    }
    let size = [plan.problem.src.size(), plan.problem.dst.size()][side];
    let mut anywhere = 1usize;
    let mut loops = SmallVec::<[(usize, usize); 8]>::new();
    for (l, (node, zone)) in nest.loops.iter().zip(&nest.zones).enumerate() {
        let count = if side == SRC { zone.len() } else { node.extent };
        match nest.strides(l, &plan.problem)[side].unsigned_abs() {
            _ if !is_even(node, side) && is_even(node, DST) => loops.extend(runs_of(node)),
            // Other tables lead anywhere; mostly that is everywhere.
            _ if !is_even(node, side) => anywhere = anywhere.saturating_mul(count),
            0 => {}
            stride => loops.push((stride, count)),
        }
    }
    loops.sort_unstable();
    let (bytes, inside) = piece(size, anywhere, loops.iter().copied(), plan.target.line);
    let pieces = loops[inside..].iter().map(|one| one.1).fold(1, usize::saturating_mul);
    (pieces as u64).saturating_mul(bytes as u64)
}

/// The bytes that a tile stores in rows narrower than a register, where those of the nest are not.
fn narrow(nest: &Nest, tile: &Tile, plan: &Plan) -> u64 {
    if nest.tiling.as_ref().is_some_and(|tiling| tiling.carry.is_some()) {
        // Where rows come together first, whole lines are stored of them.
        return 0;
    }
    let target = &plan.target;
    let size = plan.problem.dst.size();
    let (mut row, mut run, mut whole) = (1usize, 1usize, true);
    loop {
        let next = (0..nest.loops.len()).find(|&l| {
            let node = &nest.loops[l];
            let plain = is_even(node, DST) && node.extent > 1;
            plain && nest.strides(l, &plan.problem)[DST] == (row * size) as isize
        });
        let Some(l) = next else { break };
        run *= if whole { tile.chunks[l].extent } else { 1 };
        whole &= tile.chunks[l].extent == nest.loops[l].extent;
        if nest.ends_rows(l, &plan.problem) {
            // What a digit holds of a row.
            row = row.saturating_mul(nest.tiling.as_ref().map_or(1, |tiling| tiling.takes[l]));
            break;
        }
        row = row.saturating_mul(nest.loops[l].extent);
    }
    let program = &tile.found.program;
    // Of what becomes longer a register holds fewer.
    let lanes = target.tier.vector() / program.lane.max(size);
    // A masked register is a whole one.
    let filled = run >= lanes || (target.tier.masks() && program.lanes >= lanes);
    if row < lanes || filled {
        return 0;
    }
    tile.chunks.iter().map(|chunk| chunk.extent as u64).product::<u64>() * size as u64
}

impl Nest {
    /// How often each tile is run.
    fn times(&self, tiling: &Tiling) -> SmallVec<[u64; 8]> {
        let times = |tile: &Tile| {
            let loops = self.loops.iter().zip(&self.zones).zip(&tiling.takes).enumerate();
            let each = loops.map(|(l, ((node, zone), &take))| {
                let step = last_step(&tiling.steps, l);
                let kinds = chunks_of(node.extent, take, *zone, step, self.work != Work::Move);
                let same = kinds.iter().filter(|kind| kind.0 == tile.chunks[l]);
                same.map(|kind| kind.1).sum::<u64>()
            });
            each.product()
        };
        tiling.tiles.iter().map(times).collect()
    }
}
