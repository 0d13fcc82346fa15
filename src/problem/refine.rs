//! From a strand to a line. In: one position with the digits of both sides over it. Out: nodes that
//! say both, a table where the digits do not divide one another, or folds where that grows too long.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::strand::{Chain, Strand};
use super::{Bases, DST, Fold, Line, Node, Problem, SRC, Strides, TABLE_LIMIT, Zone, digits_at};
use crate::layout::{gcd, lcm, round_up};

/// A table up to this many entries is always taken.
const SHORT_TABLE: isize = 64;

/// Adds the line of a strand to the problem.
pub(super) fn push(problem: &mut Problem, bases: &mut Bases, mut strand: Strand) {
    trim(&mut strand, problem, bases);
    let (to, from) = (unit(&strand.dst), unit(&strand.src));
    let line = match common_grid(&strand, to, from) {
        Some((origin, weights)) => {
            start_at(&mut strand, problem, bases, origin);
            on_grid(&strand, &weights)
        }
        None => {
            let origin = strand.owned.start.div_euclid(to) * to;
            start_at(&mut strand, problem, bases, origin);
            tabled(&strand, to, from).unwrap_or_else(|| folded(&mut strand, problem, bases))
        }
    };
    problem.lines.push(line);
}

/// The product of all radices but the top one.
fn unit(chain: &Chain) -> isize {
    chain[..chain.len() - 1].iter().map(|digit| digit.0).product()
}

/// Drops top digits that are constant over the positions used, digits of radix 1, and cuts between
/// digits that go on where the one inside ends.
fn trim(strand: &mut Strand, problem: &mut Problem, bases: &mut Bases) {
    simplify(&mut strand.dst);
    simplify(&mut strand.src);
    while strand.dst.len() > 1 {
        let unit = unit(&strand.dst);
        let block = strand.owned.start.div_euclid(unit);
        if block != (strand.owned.end - 1).div_euclid(unit) {
            break;
        }
        let (_, stride) = strand.dst.pop().expect("a chain has a digit");
        bases.0[DST] = bases.0[DST].wrapping_add(block.wrapping_mul(stride));
        // Positions now count from the start of that block.
        move_origin(strand, problem, bases, block * unit);
    }
    while strand.src.len() > 1 && !strand.data.is_empty() {
        let unit = unit(&strand.src);
        let block = (strand.data.start + strand.shift).div_euclid(unit);
        if block != (strand.data.end - 1 + strand.shift).div_euclid(unit) {
            break;
        }
        let (_, stride) = strand.src.pop().expect("a chain has a digit");
        bases.0[SRC] = bases.0[SRC].wrapping_add(block.wrapping_mul(stride));
        strand.shift -= block * unit;
    }
    if strand.data.is_empty() {
        strand.src = SmallVec::from_iter([(1, 0)]);
    }
}

pub(super) fn simplify(chain: &mut Chain) {
    let top = chain.len() - 1;
    let mut kept: Chain = SmallVec::new();
    for (i, &(radix, stride)) in chain.iter().enumerate() {
        match kept.last_mut() {
            _ if radix == 1 && i != top => {}
            Some(last) if last.0.checked_mul(last.1) == Some(stride) => last.0 *= radix,
            _ => kept.push((radix, stride)),
        }
    }
    *chain = kept;
}

/// Makes `origin` the position 0 of everything but the destination's digits: what these give there has been moved into
/// the base already.
fn move_origin(strand: &mut Strand, problem: &mut Problem, bases: &mut Bases, origin: isize) {
    for zone in [&mut strand.owned, &mut strand.padded, &mut strand.data] {
        *zone = zone.start - origin..zone.end - origin;
    }
    strand.shift += origin;
    for (base, stride) in bases.0.iter_mut().zip(&strand.values) {
        *base = base.wrapping_add(stride.wrapping_mul(origin));
    }
    for &(fold, weight) in &strand.folds {
        let start = &mut problem.folds[fold as usize].start;
        *start = start.wrapping_add(weight.wrapping_mul(origin));
    }
}

/// Makes `origin` position 0 and puts what both sides have there into the bases.
fn start_at(strand: &mut Strand, problem: &mut Problem, bases: &mut Bases, origin: isize) {
    bases.0[DST] = bases.0[DST].wrapping_add(digits_at(&strand.dst, origin));
    bases.0[SRC] = bases.0[SRC].wrapping_add(digits_at(&strand.src, origin + strand.shift));
    move_origin(strand, problem, bases, origin);
}

/// Where a grid starts that both sides' cuts lie on, and the cuts within one period of it; `None`
/// where the digits do not divide one another or are out of phase, and where the grid would lie around more positions
/// than can be counted.
fn common_grid(strand: &Strand, to: isize, from: isize) -> Option<(isize, Vec<isize>)> {
    let start = strand.owned.start;
    let origin = if to == 1 && from == 1 {
        start
    } else if to % from == 0 && strand.shift.rem_euclid(from) == 0 {
        start.div_euclid(to) * to
    } else if from % to == 0 && strand.shift.rem_euclid(to) == 0 {
        // The source's position there is as far before.
        let back = (start + strand.shift).rem_euclid(from);
        (start + strand.shift).checked_sub(back)?;
        start - back
    } else {
        return None;
    };
    round_up(strand.owned.end.checked_sub(origin)?, to.max(from))?;
    let mut weights = Vec::new();
    for chain in [&strand.dst, &strand.src] {
        let mut weight = 1;
        for &(radix, _) in &chain[..chain.len() - 1] {
            weight *= radix;
            weights.push(weight);
        }
    }
    weights.sort_unstable();
    weights.dedup();
    let divide = weights.windows(2).all(|pair| pair[1] % pair[0] == 0);
    divide.then_some((origin, weights))
}

/// What a step of `weight` positions adds on every operand, from the start of a period.
fn strides(strand: &Strand, weight: isize) -> Strides {
    let mut strides = strand.values.map(|value| value.wrapping_mul(weight));
    strides[SRC] = digits_at(&strand.src, weight);
    strides[DST] = digits_at(&strand.dst, weight);
    strides
}

fn node(strand: &Strand, extent: isize, strides: Strides, weight: isize) -> Node {
    // What is far beyond what is owned may come round. No operand is long enough for the longest step: nothing takes
    // it, and nobody need turn it round.
    let taken = |step: isize| if step == isize::MIN { 0 } else { step };
    let mut node = Node::plain(extent as usize, strides.map(taken));
    let folds = strand.folds.iter();
    node.folds = folds.map(|&(fold, step)| (fold, taken(step.wrapping_mul(weight)))).collect();
    node
}

/// Nodes between the cuts, both sides' positions being 0 at the start.
fn on_grid(strand: &Strand, weights: &[isize]) -> Line {
    let mut nodes = SmallVec::new();
    let mut weight = 1;
    for &next in weights {
        nodes.push(node(strand, next / weight, strides(strand, weight), weight));
        weight = next;
    }
    let top = div_ceil(strand.owned.end, weight);
    nodes.push(node(strand, top, strides(strand, weight), weight));
    line(strand, nodes)
}

/// Short runs, a table of where they start, and whole periods.
fn tabled(strand: &Strand, to: isize, from: isize) -> Option<Line> {
    let phase = strand.shift;
    let period = lcm(to, from)?;
    let run = gcd(gcd(strand.dst[0].0, strand.src[0].0), phase.rem_euclid(strand.src[0].0));
    if strand.owned.end > period {
        round_up(strand.owned.end, period)?;
    }
    let used = strand.owned.end.min(period);
    let entries = div_ceil(used, run);
    // A long table of runs much shorter than what lies between the cuts is not worth its entries:
    // taken apart at run time, the same positions are a few long runs.
    let cuts = (used / strand.dst[0].0).saturating_add(used / strand.src[0].0 + 1);
    if entries > TABLE_LIMIT as isize || (entries > SHORT_TABLE && entries > cuts.saturating_mul(4))
    {
        return None;
    }
    let at = |position: isize| {
        // Behind the elements it may be further out than can be said, and nothing is read there.
        let at = position.wrapping_add(phase);
        let src = digits_at(&strand.src, at).wrapping_sub(digits_at(&strand.src, phase));
        (src, digits_at(&strand.dst, position))
    };
    let inner = strand.values;
    let mut nodes: SmallVec<[Node; 2]> = SmallVec::new();
    let mut first = inner;
    (first[SRC], first[DST]) = (strand.src[0].1, strand.dst[0].1);
    nodes.push(node(strand, run, first, 1));
    let mut starts = inner.map(|value| value.wrapping_mul(run));
    (starts[SRC], starts[DST]) = (0, 0);
    let mut table = node(strand, entries, starts, run);
    table.table = Some((0..entries).map(|k| at(k * run)).collect::<Arc<[_]>>());
    nodes.push(table);
    let periods = div_ceil(strand.owned.end, period);
    if periods > 1 {
        let mut whole = inner.map(|value| value.wrapping_mul(period));
        (whole[SRC], whole[DST]) = at(period);
        nodes.push(node(strand, periods, whole, period));
    }
    Some(line(strand, nodes))
}

/// Both sides taken apart at run time.
fn folded(strand: &mut Strand, problem: &mut Problem, bases: &mut Bases) -> Line {
    // What both sides have at position 0 is the folds' to say from now on.
    bases.0[SRC] = bases.0[SRC].wrapping_sub(digits_at(&strand.src, strand.shift));
    let origin = [(false, &strand.src, strand.shift), (true, &strand.dst, 0)];
    for (dst, chain, start) in origin {
        strand.folds.push((problem.folds.len() as u8, 1));
        problem.folds.push(Fold { dst, start, digits: chain.iter().copied().collect() });
    }
    let mut strides = strand.values;
    (strides[SRC], strides[DST]) = (0, 0);
    let extent = strand.owned.end;
    let node = node(strand, extent, strides, 1);
    line(strand, SmallVec::from_iter([node]))
}

/// How many times `unit` it takes to hold `n`, which is positive.
fn div_ceil(n: isize, unit: isize) -> isize {
    n / unit + isize::from(n % unit != 0)
}

/// A line whose nodes become the digits of folds, and its positions one loop.
pub(super) fn fold(line: &mut Line, folds: &mut Vec<Fold>) {
    // Values and other folds step evenly along all nodes, so the innermost says it for all.
    let mut one = Node { extent: line.extent(), ..line.nodes[0].clone() };
    for (dst, operand) in [(false, SRC), (true, DST)] {
        let digits = line.nodes.iter().map(|node| (node.extent as isize, node.strides[operand]));
        one.folds.push((folds.len() as u8, 1));
        folds.push(Fold { dst, start: 0, digits: digits.collect() });
        one.strides[operand] = 0;
    }
    line.nodes = SmallVec::from_iter([one]);
}

fn line(strand: &Strand, nodes: SmallVec<[Node; 2]>) -> Line {
    let zone = |range: &Range<isize>| Zone { start: range.start as usize, end: range.end as usize };
    let (owned, padded) = (zone(&strand.owned), zone(&strand.padded));
    Line { nodes, owned, padded, data: zone(&strand.data) }
}
