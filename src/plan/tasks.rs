//! Tasks. In: a problem, and the loops of a nest. Out: where tasks cut them, so that no two write the
//! same byte, nor the same line where that can be had.

use smallvec::SmallVec;

use super::Sharing;
use super::boxes::Part;
use super::order::Step;
use super::view::View;
use crate::layout::gcd;
use crate::problem::{DST, Line, Node, Operand, Problem, SRC};
use crate::target::Target;

/// Where tasks cut a nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cut {
    /// The so many outermost loops, walked as one, in multiples of `granule`.
    Outer {
        /// How many loops.
        loops: usize,
        /// So many steps stay together, that tasks do not share lines.
        granule: usize,
    },
    /// By the line that tasks share.
    Shared {
        /// Whether the outermost loop walks along it, else the nest stands at one step.
        walks: bool,
        /// The first step.
        first: usize,
    },
}

/// The line by whose positions tasks share a problem that appends sums: all sums are masked along it.
pub(super) fn sharing(problem: &Problem, target: &Target) -> Sharing {
    if !problem.arith.is_compensated() {
        return Sharing::Nests;
    }
    let masked = |line: &Line| {
        let node = line.nodes.last().expect("a line has a node");
        problem.arith.sums().all(|operand| node.strides[operand as usize] != 0)
    };
    // Along a dim that is counted backwards, the sums of a tail do not lie where its positions lead.
    let backwards = |line: &Line| {
        let sums = |node: &Node| node.strides[Operand::S8s8 as usize..].iter().any(|&s| s < 0);
        line.owned != line.data && line.nodes.iter().any(sums)
    };
    if problem.lines.iter().any(backwards) {
        return Sharing::Whole;
    }
    // Best is one whose steps are lines apart; else registers take several of its steps at once.
    let steps = |line: &Line| line.nodes.last().map_or(0, |node| node.extent);
    let apart = |line: &Line| {
        let node = line.nodes.last().expect("a line has a node");
        node.strides[DST].unsigned_abs() >= target.line && node.extent > 1
    };
    // A loop along rows of the source is better left to registers.
    let reads_apart = |line: &Line| {
        let node = line.nodes.last().expect("a line has a node");
        node.strides[SRC].unsigned_abs() >= target.line
    };
    let shared = (problem.lines.iter().enumerate())
        .filter(|(_, line)| masked(line))
        .max_by_key(|(i, line)| (apart(line), reads_apart(line), steps(line), usize::MAX - i));
    match shared {
        Some((line, shared)) => {
            let granule = match apart(shared) {
                true => line_steps(shared, target.line),
                false if shared.nodes.len() == 1 => TOGETHER,
                false => 1,
            };
            Sharing::Line { line, steps: steps(shared), granule }
        }
        None => Sharing::Whole,
    }
}

/// Steps of a loop within a line that tasks take together, so that registers can.
const TOGETHER: usize = 64;

/// Steps that tasks take together where these are lines apart in the destination: as many as lead along a line of the
/// source, and along the lines beside it as long as that leaves shares for threads.
fn line_steps(shared: &Line, line: usize) -> usize {
    let Some(node) = shared.nodes.last() else { return 1 };
    let step = node.strides[SRC].unsigned_abs().max(1);
    let mut together = line.div_ceil(step).next_power_of_two();
    while 2 * together * step <= BESIDE * line && node.extent >= SHARES * 2 * together {
        together *= 2;
    }
    together
}

/// Lines of the source side by side that are worth reading together: as many as blocks of it that are asked for.
const BESIDE: usize = 16;

/// Shares that are left to threads at least.
const SHARES: usize = 8;

/// The step of a line's outermost node that a part starts at.
pub(super) fn first_step(line: &Line, part: &Part) -> usize {
    let (_, inner) = line.nodes.split_last().expect("a line has a node");
    part.first / inner.iter().map(|node| node.extent).product::<usize>()
}

/// More steps than this need not be cut finer.
const ENOUGH: usize = 64;

/// Fewer shares than this leave threads idle; many more are needed of what is large.
const FEW: usize = 3;

/// Bytes of a share that is large.
const LARGE: usize = 128 << 10;

/// As many outer loops as give enough steps to share, and how many of these stay together so that
/// tasks do not write to the same line.
pub(super) fn cut_loops(loops: &[Node], line: usize) -> Cut {
    // A single loop is cut too, in whole lines.
    let most = loops.len().saturating_sub(1).max(loops.len().min(1));
    let steps = |node: &Node| (node.extent, node.strides[DST].unsigned_abs());
    cut(&loops[..most].iter().map(steps).collect::<Vec<_>>(), line)
}

/// The steps around tiles that tasks may share, and where they cut them: by number, those that lead
/// furthest in the destination first, whatever order they are walked in. Steps from `inside` on stay together;
/// `bytes` are all that is stored.
pub(super) fn cut_steps(
    view: &View<'_>,
    steps: &[Step],
    inside: usize,
    bytes: usize,
) -> (SmallVec<[usize; 8]>, Cut) {
    let (loops, line) = (view.loops, view.target.line);
    // A loop that comes twice is cut once, in its blocks; what tiles take whole is not.
    let again = |k: usize| steps[..k].iter().any(|step| step.index == steps[k].index);
    let whole =
        |k: usize| !steps[k].within.is_empty() && steps[k].by == loops[steps[k].index].extent;
    let cuts = (0..inside).filter(|&k| !again(k) && !whole(k));
    let mut order: SmallVec<[usize; 8]> = cuts.collect();
    order.sort_by_key(|&k| std::cmp::Reverse(view.reach(steps[k].index)));
    let stride = |l: usize| view.stride(l, DST).unsigned_abs();
    let count = |k: &usize| {
        let step = &steps[*k];
        (step.times(loops[step.index].extent), stride(step.index).saturating_mul(step.by))
    };
    // Where rows do not start on lines, tasks that cut along them would share those.
    let off_lines = |l: usize| {
        stride(l) >= line && !stride(l).is_multiple_of(line) || !loops[l].folds.is_empty()
    };
    let ragged = (0..loops.len()).any(off_lines);
    let along = |k: &usize| ragged && stride(steps[*k].index) < line;
    let apart = order.iter().skip(1).position(along).map_or(order.len(), |k| k + 1);
    // Nor is it needed where the others are enough.
    let outer = &order[..apart.saturating_sub(1)];
    let outer = outer.iter().map(|k| count(k).0).fold(1, usize::saturating_mul);
    let most = if outer >= ENOUGH / 4 { apart - 1 } else { apart };
    let counts: SmallVec<[_; 8]> = order.iter().map(count).collect();
    let best = cut(&counts[..most], line);
    let groups = |cut: &Cut| match *cut {
        Cut::Outer { loops, granule } => {
            let steps = counts[..loops].iter().map(|step| step.0).fold(1, usize::saturating_mul);
            steps.div_ceil(granule).max(1)
        }
        Cut::Shared { .. } => 1,
    };
    // Better some lines that two tasks write to than tasks with nothing to do.
    let any = (1..=order.len()).find(|&loops| {
        let cut = Cut::Outer { loops, granule: 1 };
        groups(&cut) >= ENOUGH / 4 || loops == order.len()
    });
    let any = Cut::Outer { loops: any.unwrap_or(0), granule: 1 };
    let enough = match bytes / groups(&best) {
        share if share > LARGE => ENOUGH / 4,
        _ => FEW,
    };
    let few = groups(&best) < enough && groups(&any) > groups(&best);
    (order, if few { any } else { best })
}

/// Of loops as their steps, and the bytes of the destination that each leads on.
fn cut(loops: &[(usize, usize)], line: usize) -> Cut {
    let (mut most, mut steps) = (0, 1);
    while most < loops.len() && steps < ENOUGH {
        steps *= loops[most].0;
        most += 1;
    }
    let granule = |count: usize| match loops[count - 1].1 {
        0 => 1,
        stride => line / gcd(stride as isize, line as isize).unsigned_abs(),
    };
    // Steps of several loops walked as one stay together within the innermost of them.
    let whole = |count: &usize| *count == 1 || loops[count - 1].0.is_multiple_of(granule(*count));
    match (1..=most).rev().find(whole) {
        None => Cut::Outer { loops: 0, granule: 1 },
        Some(1) if most > 1 && loops[0].0 < ENOUGH / 8 * granule(1) => {
            // Whole lines would leave too few steps.
            Cut::Outer { loops: most, granule: 1 }
        }
        Some(count) => Cut::Outer { loops: count, granule: granule(count) },
    }
}
