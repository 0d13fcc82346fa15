//! What a problem must be for it to be planned. In: one that was read from text. Out: whether the layouts and
//! attributes of any pair could have made the like, or an error.

use super::{DST, Fold, Line, MAX_FOLDS, Node, OPERANDS, Operand, Problem, SRC, Tail, Zone};
use crate::dtype::convert;
use crate::{DType, Error, MAX_RANK, Result};

/// Types that become one another, and arithmetic that they have.
pub(super) fn types(problem: &Problem, types: &str) -> Result<()> {
    let Problem { src, dst, arith, .. } = problem;
    let arithmetic =
        !(arith.is_formula() || arith.is_compensated()) || convert::arithmetic_allowed(*src, *dst);
    let sums = !arith.is_compensated() || *dst == DType::S8;
    let finite = arith.sum.is_none_or(|beta| f32::from_bits(beta).is_finite());
    match convert::allowed(*src, *dst) && arithmetic && sums && finite {
        true => Ok(()),
        false => Err(Error::text(types, "types that a conversion is between, with its arithmetic")),
    }
}

/// No operand is longer than memory, of which it may be that only a part is led to.
pub(super) fn reach(problem: &Problem, text: &str) -> Result<()> {
    let beside = |tail: &Tail| {
        let lines = (0u8..).zip(&problem.lines);
        let kept = lines.filter(|(i, _)| !tail.lines.contains(i)).map(|(_, line)| line);
        stay_within_memory(problem, &kept.chain(&tail.instead).collect::<Vec<_>>(), Some(tail.fold))
    };
    let all: Vec<&Line> = problem.lines.iter().collect();
    match stay_within_memory(problem, &all, None) && problem.tails.iter().all(beside) {
        true => Ok(()),
        false => Err(Error::text(text, "a problem whose operands are shorter than memory")),
    }
}

/// Whether lines, with all folds but one, lead no further than memory is long.
fn stay_within_memory(problem: &Problem, lines: &[&Line], but: Option<u8>) -> bool {
    if lines.iter().flat_map(|line| &line.nodes).any(is_far) {
        return false;
    }
    let mut spans = [Span::default(); OPERANDS];
    for (operand, span) in spans.iter_mut().enumerate() {
        let leads = |node: &Node, at: usize| {
            let entry = node.table.as_ref().map_or((0, 0), |table| table[at]);
            let entry = [entry.0, entry.1].get(operand).copied().unwrap_or(0);
            Span::of(node.strides[operand] as i128 * at as i128 + entry as i128)
        };
        lines.iter().for_each(|line| span.add(led(line, operand, &leads)));
    }
    for (k, fold) in (0u8..).zip(&problem.folds).filter(|(k, _)| but != Some(*k)) {
        let operand = fold.side();
        let leads = |node: &Node, at: usize| {
            let steps = node.folds.iter().filter(|step| step.0 == k);
            steps
                .map(|step| Span::of(step.1 as i128 * at as i128))
                .fold(Span::default(), Span::plus)
        };
        let mut positions = Span::of(fold.start as i128);
        lines.iter().for_each(|line| positions.add(led(line, operand, &leads)));
        // They are counted, whatever they stand for; a start that is far may have come round.
        let Ok(long) = isize::try_from(positions.most.saturating_sub(positions.least)) else {
            return false;
        };
        let least = positions.least as isize;
        if least.checked_add(long).is_none() {
            return false;
        }
        let positions = Span { least: least as i128, most: (least + long) as i128 };
        spans[operand].add(bytes(fold, positions));
    }
    let one = [problem.src.size(), problem.dst.size(), 1, 1, 1, 1, 4, 4];
    spans.iter().zip(one).all(|(span, one)| span.fits_memory(one))
}

/// Whether a step leads further than one can come back, or one of a table and of a stride beside it past memory's end.
fn is_far(node: &Node) -> bool {
    let mut steps = node.strides.iter().copied().chain(node.folds.iter().map(|step| step.1));
    let beside = [SRC, DST].map(|side| {
        let far = node.strides[side].unsigned_abs().saturating_mul(node.extent);
        far.saturating_add(size_of::<u64>())
    });
    let past = |at: isize, far: usize| at.unsigned_abs().saturating_add(far) > isize::MAX as usize;
    let mut table = node.table.iter().flat_map(|table| table.iter());
    steps.any(|by| by == isize::MIN)
        || table.any(|at| past(at.0, beside[SRC]) || past(at.1, beside[DST]))
}

/// The least and the greatest of what there is.
#[derive(Clone, Copy, Default)]
struct Span {
    least: i128,
    most: i128,
}

impl Span {
    fn of(at: i128) -> Span {
        Span { least: at, most: at }
    }

    /// Whether there is memory for all of it, and one more.
    fn fits_memory(self, one: usize) -> bool {
        let long = self.most.saturating_sub(self.least);
        long.saturating_add(one as i128) <= isize::MAX as i128
    }

    fn add(&mut self, by: Span) {
        *self = self.plus(by);
    }

    /// Everything, where a sum is more than can be said, and whatever is added to that: ends that both stopped at what
    /// can be said would be near each other.
    fn plus(self, by: Span) -> Span {
        match (self.least.checked_add(by.least), self.most.checked_add(by.most)) {
            (Some(least), Some(most)) => Span { least, most },
            _ => Span { least: i128::MIN, most: i128::MAX },
        }
    }

    fn join(self, other: Span) -> Span {
        Span { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
}

/// Where an operand is led by a line: the source by elements alone, as are values of scales and zero points.
fn led(line: &Line, operand: usize, leads: &impl Fn(&Node, usize) -> Span) -> Span {
    let owned = operand == DST || operand >= Operand::S8s8 as usize;
    let zone = if owned { line.owned } else { line.data };
    if zone.start == zone.end { Span::default() } else { steps(&line.nodes, zone, leads) }
}

/// Where nodes, innermost first, lead in a zone that is not empty.
fn steps(nodes: &[Node], zone: Zone, leads: &impl Fn(&Node, usize) -> Span) -> Span {
    let Some((outer, inner)) = nodes.split_last() else { return Span::default() };
    let block: usize = inner.iter().map(|node| node.extent).product();
    let (first, last) = (zone.start / block, (zone.end - 1) / block);
    let within = |from: usize, to: usize, zone: Zone| {
        // Of steps between the ends only those of tables may lead further.
        let most = if outer.table.is_some() { to } else { from };
        let ends = (from..=most).chain([to]).map(|at| leads(outer, at));
        let mut span = ends.reduce(Span::join).unwrap_or_default();
        span.add(steps(inner, zone, leads));
        span
    };
    let (start, end) = (zone.start - first * block, zone.end - last * block);
    if first == last {
        return within(first, last, Zone { start, end });
    }
    // A part of the first block, whole ones, a part of the last.
    let (from, to) = (first + usize::from(start > 0), last + usize::from(end == block));
    let head = (start > 0).then(|| within(first, first, Zone { start, end: block }));
    let whole = (from < to).then(|| within(from, to - 1, Zone::all(block)));
    let tail = (end < block).then(|| within(last, last, Zone { start: 0, end }));
    [head, whole, tail].into_iter().flatten().reduce(Span::join).unwrap_or_default()
}

/// What positions along a fold may stand for.
fn bytes(fold: &Fold, positions: Span) -> Span {
    let mut span = Span::default();
    let Span { mut least, mut most } = positions;
    for (i, &(radix, stride)) in fold.digits.iter().enumerate() {
        let (radix, stride) = (radix as i128, stride as i128);
        let (outer, last) = (least.div_euclid(radix), most.div_euclid(radix));
        let (from, to) = match () {
            () if i + 1 == fold.digits.len() => (least, most),
            () if outer == last => (least - outer * radix, most - outer * radix),
            () => (0, radix - 1),
        };
        span.add(Span::of(from * stride).join(Span::of(to * stride)));
        (least, most) = (outer, last);
    }
    span
}

/// Steps along folds that there are, and tails in place of lines that there are.
pub(super) fn references(problem: &Problem, text: &str) -> Result<()> {
    let folds = |line: &Line| {
        line.nodes
            .iter()
            .flat_map(|node| &node.folds)
            .all(|step| (step.0 as usize) < problem.folds.len())
    };
    let tails = |tail: &Tail| {
        (tail.fold as usize) < problem.folds.len()
            && tail.lines.iter().all(|line| (*line as usize) < problem.lines.len())
            && tail.instead.iter().all(folds)
    };
    // Tails know lines by numbers of a byte, one of which may be counted past.
    let lines = problem.lines.len() >= u8::MAX.into();
    if lines || problem.tails.len() > MAX_RANK || problem.folds.len() > MAX_FOLDS {
        let wanted = "a problem of as many lines, folds and tails as layouts can give";
        return Err(Error::text(text, wanted));
    }
    let nodes = || problem.lines.iter().flat_map(|line| &line.nodes);
    if nodes().any(|node| node.extent == 0) && nodes().count() > 1 {
        return Err(Error::text(text, "a problem of nothing as one node, like 0(s0,d0)"));
    }
    // A line of edges may become two folds.
    let edged = problem.lines.iter().filter(|line| line.parts() > 1).count();
    if problem.folds.len() + 2 * edged > MAX_FOLDS {
        return Err(Error::text(
            text,
            "a problem of no more lines with edges, and folds, than dims can give",
        ));
    }
    if !problem.lines.iter().all(folds) || !problem.tails.iter().all(tails) {
        let wanted = "a problem whose nodes and tails name its own folds and lines";
        return Err(Error::text(text, wanted));
    }
    let most = isize::MAX as usize / problem.dst.size();
    match positions(problem).is_some_and(|positions| positions <= most) {
        true => Ok(()),
        false => Err(Error::text(text, "a problem of fewer positions than memory has bytes")),
    }
}

/// The positions of the lines, and beside them those where tails stand in their place, by themselves or together;
/// `None` where these, or where tails start, are more than can be said.
fn positions(problem: &Problem) -> Option<usize> {
    let mut all = 0usize;
    for set in 0u32..1 << problem.tails.len() {
        let tails = || {
            (problem.tails.iter().enumerate())
                .filter(|(t, _)| set >> t & 1 == 1)
                .map(|(_, tail)| tail)
        };
        let kept = (0u8..)
            .zip(&problem.lines)
            .filter(|(i, _)| tails().all(|tail| !tail.lines.contains(i)));
        let mut lines = kept.map(|(_, line)| line).chain(tails().flat_map(|tail| &tail.instead));
        let beside = lines.try_fold(1usize, |n, line| n.checked_mul(line.owned.len()))?;
        all = all.checked_add(beside)?;
        tails().try_fold(0isize, |base, tail| base.checked_add(tail.base))?;
    }
    Some(all)
}
