//! What adding up takes. In: a tile whose rows belong to sums. Out: about how many bytes of code: those of each row, and
//! those of rows that are added up together, since their lanes belong to the same sums.

use smallvec::SmallVec;

use super::{Nest, Plan, Tile};
use crate::problem::{DST, Operand};
use crate::shuffle::{NONE, Op};

/// Bytes of a row whose lanes are added up by fours, of one whose lanes are added up singly, and of one that is loaded in
/// pieces.
const BY_FOURS: usize = 28;
const SINGLY: usize = 46;
const IN_PIECES: usize = 24;

/// Of what rows of the same sums end with, for each kind of sums. A line of sums is read, made less and written.
const ENDS: usize = 48;
const LINE: usize = 28;
/// Halves come together until a line, or a single sum, is left.
const FOLDS: usize = 30;
const ACROSS: usize = 24;
/// All lanes in blocks of 16, or in lines of four, wherever these lie, each read again.
const BLOCKS: usize = 60;
const FOURS: usize = 84;
const READ: usize = 8;
/// Sums looked up one by one, each by an entry of a table.
const LOOP: usize = 70;
const ENTRY: usize = 8;
/// What one kind leaves for the other.
const KEPT: usize = 80;

/// Lanes of a register and a byte's place in the destination, by loops from the one with the longest steps on.
struct Lanes {
    steps: SmallVec<[Step; 8]>,
    kinds: [bool; 2],
    width: usize,
    masks: bool,
}

/// A loop of a tile.
struct Step {
    dst: isize,
    extent: usize,
    data: std::ops::Range<usize>,
    sums: [i32; 2],
}

/// Where each lane's sums are; none where no element is.
type Sums = SmallVec<[Option<[i32; 2]>; 64]>;

/// Bytes of code that add up the rows of a tile.
pub(super) fn code_bytes(nest: &Nest, tile: &Tile, plan: &Plan) -> usize {
    let arith = &plan.problem.arith;
    if !arith.is_compensated() {
        return 0;
    }
    let lanes = Lanes::of(nest, tile, plan);
    let mut classes: Vec<(Sums, usize)> = Vec::new();
    let (mut bytes, mut singly) = (0, 0);
    for line in &tile.found.program.lines {
        let Op::Store { a, at, count, .. } = line.op else { continue };
        for first in (0..usize::from(count)).step_by(lanes.width).filter(|_| a != NONE) {
            let own = (usize::from(count) - first).min(lanes.width);
            if own < lanes.width && !lanes.masks {
                bytes += IN_PIECES;
            }
            let Some(sums) = lanes.sums(at.wrapping_add(first as isize), own) else {
                singly += 1;
                continue;
            };
            match classes.iter_mut().find(|(known, _)| *known == sums) {
                Some((_, rows)) => *rows += 1,
                None => classes.push((sums, 1)),
            }
        }
    }
    let mut tables = Vec::new();
    let class = |(sums, rows): &(Sums, usize)| lanes.class(sums, *rows, &mut tables);
    bytes += classes.iter().map(class).sum::<usize>() + singly * lanes.one_by_one();
    let entries = tables.iter().flatten().flatten().count();
    bytes + entries * ENTRY
}

impl Lanes {
    fn of(nest: &Nest, tile: &Tile, plan: &Plan) -> Lanes {
        let (problem, tier) = (&plan.problem, plan.target.tier);
        let loops = tile.chunks.iter().enumerate().filter(|(_, chunk)| chunk.extent > 1);
        let step = |(l, chunk): (usize, &super::Chunk)| {
            let strides = nest.strides(l, problem);
            let sums =
                [Operand::S8s8, Operand::Asymmetric].map(|kind| strides[kind as usize] as i32);
            // A table's places are none of a stride's.
            let dst = if nest.loops[l].table.is_some() { 0 } else { strides[DST] };
            Step { dst, extent: chunk.extent, data: chunk.start..chunk.end, sums }
        };
        let mut steps: SmallVec<[Step; 8]> = loops.map(step).collect();
        steps.sort_by_key(|step| std::cmp::Reverse(step.dst));
        Lanes {
            steps,
            kinds: [problem.arith.s8s8, problem.arith.asymmetric],
            width: if tier.masks() { 64 } else { 32 },
            masks: tier.masks(),
        }
    }

    /// The sums of so many lanes from one on, where loops tell them.
    fn sums(&self, at: isize, count: usize) -> Option<Sums> {
        let mut sums: Sums = (0..count)
            .map(|lane| self.sum(at.wrapping_add(lane as isize)))
            .collect::<Option<_>>()?;
        sums.resize(self.width, None);
        Some(sums)
    }

    /// The sums of a byte of the destination; none where loops do not tell.
    fn sum(&self, mut at: isize) -> Option<Option<[i32; 2]>> {
        let (mut sums, mut element) = ([0i32; 2], true);
        for step in &self.steps {
            let last = step.extent as isize - 1;
            let k = at.checked_div(step.dst).filter(|_| step.dst > 0 && at >= 0)?.min(last);
            at -= k * step.dst;
            element &= step.data.contains(&(k as usize));
            for (sum, own) in sums.iter_mut().zip(step.sums) {
                *sum = sum.wrapping_add(own.wrapping_mul(k as i32));
            }
        }
        (at == 0).then_some(element.then_some(sums))
    }

    /// Rows of the same sums, and tables that others may have too.
    fn class(&self, sums: &Sums, rows: usize, tables: &mut Vec<Own>) -> usize {
        let kinds = [0, 1].into_iter().filter(|kind| self.kinds[*kind]);
        let of = |order: &dyn Fn(usize) -> usize| {
            kinds
                .clone()
                .map(|kind| fours(sums, kind, order))
                .collect::<Option<SmallVec<[Own; 2]>>>()
        };
        // As they lie, or rows and columns of four turned.
        let turned = |lane: usize| lane - lane % 16 + 4 * (lane % 4) + lane / 4 % 4;
        if let Some(kinds) = of(&|lane| lane).or_else(|| of(&turned)) {
            return rows * BY_FOURS
                + ENDS
                + kinds.iter().map(|own| groups(own, tables)).sum::<usize>();
        }
        let kinds: SmallVec<[Own; 2]> = kinds
            .map(|kind| sums.iter().map(|lane| lane.map(|sums| sums[kind])).collect())
            .collect();
        let kept = if kinds.len() > 1 { KEPT } else { 0 };
        // Or an order in which they lie by fours after all.
        let order = self.width;
        rows * SINGLY
            + ENDS
            + kept
            + order
            + kinds.iter().map(|own| singles(own, tables)).sum::<usize>()
    }

    /// A row of whose sums nothing is known.
    fn one_by_one(&self) -> usize {
        let kinds = self.kinds.iter().filter(|kind| **kind).count();
        SINGLY + ENDS + KEPT + kinds * (LOOP + ENTRY * self.width)
    }
}

/// The sums of one kind, of each lane or of each four.
type Own = SmallVec<[Option<i32>; 64]>;

/// One sum for each four lanes in this order, where there is but one.
fn fours(sums: &Sums, kind: usize, order: &dyn Fn(usize) -> usize) -> Option<Own> {
    let four = |group: usize| {
        let mut own = (4 * group..4 * group + 4).filter_map(|lane| sums[order(lane)]);
        let first = own.next().map(|sums| sums[kind]);
        own.all(|sums| Some(sums[kind]) == first).then_some(first)
    };
    (0..sums.len() / 4).map(four).collect()
}

/// Whether lanes' sums lie one behind the other, in runs of so many.
fn in_runs(own: &[Option<i32>], length: usize) -> bool {
    let run = |run: &[Option<i32>]| {
        let first = run[0].unwrap_or_default();
        run.iter()
            .enumerate()
            .all(|(i, at)| at.is_none_or(|at| at == first.wrapping_add(4 * i as i32)))
    };
    own.chunks(length).all(run)
}

/// What groups end with that are sums already.
fn groups(own: &Own, tables: &mut Vec<Own>) -> usize {
    let mut known = own.iter().flatten();
    let first = known.next().copied();
    if known.all(|at| Some(*at) == first) {
        return FOLDS + ACROSS + LINE;
    }
    match in_runs(own, 4) {
        true => FOLDS + LINE,
        false => look_up(own, tables),
    }
}

/// Sums that are looked up in a table, the same one where there is one.
fn look_up(own: &Own, tables: &mut Vec<Own>) -> usize {
    if !tables.contains(own) {
        tables.push(own.clone());
    }
    LOOP
}

/// The same of lanes that are sums by themselves.
fn singles(own: &Own, tables: &mut Vec<Own>) -> usize {
    let blocks = own.chunks(16).all(|block| {
        let same = |(at, first): (&Option<i32>, &Option<i32>)| at.is_none() || at == first;
        block.iter().zip(&own[..16]).all(same)
    });
    if blocks && in_runs(&own[..16], 8) {
        return BLOCKS + 2 * LINE;
    }
    if !in_runs(own, 4) {
        return look_up(own, tables);
    }
    let mut lines: SmallVec<[i32; 16]> = own.chunks(4).filter_map(|line| line[0]).collect();
    lines.sort_unstable();
    lines.dedup();
    FOURS + lines.len() * LINE + own.len() / 4 * READ
}
