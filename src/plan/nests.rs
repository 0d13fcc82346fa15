//! Loop nests. In: a box. Out: loops over its elements, margins and tails, each apart, ordered by how
//! they walk the destination, and where tasks may cut them.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::Sharing;
use super::boxes::{FoldSteps, Part, Region, product};
use crate::layout::gcd;
use crate::problem::{Line, Node, OPERANDS, Operand, Problem, Strides};
use crate::target::Target;

const SRC: usize = Operand::Src as usize;
const DST: usize = Operand::Dst as usize;

/// What a nest does at each of its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Work {
    /// Moves an element, with all arithmetic.
    Move,
    /// Stores these bits.
    Fill(u64),
    /// Sets a sum of this operand to zero.
    Clear(Operand),
}

/// Loops around one kind of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nest {
    /// What is done.
    pub work: Work,
    /// Where it starts, from the bases on.
    pub start: Strides,
    /// Where folds start, from their own starts on.
    pub folds: FoldSteps,
    /// Folds that do not count.
    pub without: SmallVec<[u8; 2]>,
    /// Outermost first.
    pub loops: Vec<Node>,
    /// Where tasks cut it.
    pub cut: Cut,
}

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

impl Nest {
    /// How many positions it walks.
    pub fn positions(&self) -> usize {
        self.loops.iter().map(|node| node.extent).product()
    }
}

/// The line by whose positions tasks share a problem that appends sums: all sums are masked along it.
pub(super) fn sharing(problem: &Problem) -> Sharing {
    if !problem.arith.is_compensated() {
        return Sharing::Nests;
    }
    let sums =
        [(Operand::S8s8, problem.arith.s8s8), (Operand::Asymmetric, problem.arith.asymmetric)];
    let masked = |line: &Line| {
        let node = line.nodes.last().expect("a line has a node");
        sums.iter().all(|(operand, present)| !present || node.strides[*operand as usize] != 0)
    };
    // Along a dim that is counted backwards, the sums of a tail do not lie where its positions lead.
    let backwards = |line: &Line| {
        let sums = |node: &Node| node.strides[Operand::S8s8 as usize..].iter().any(|&s| s < 0);
        line.owned != line.data && line.nodes.iter().any(sums)
    };
    if problem.lines.iter().any(backwards) {
        return Sharing::Whole;
    }
    let steps = |line: &Line| line.nodes.last().map_or(0, |node| node.extent);
    let shared = (problem.lines.iter().enumerate())
        .filter(|(_, line)| masked(line))
        .max_by_key(|(i, line)| (steps(line), usize::MAX - i));
    match shared {
        Some((line, shared)) => Sharing::Line { line, steps: steps(shared) },
        None => Sharing::Whole,
    }
}

/// The loops of a box.
pub(super) fn nests(
    problem: &Problem,
    region: &Region,
    sharing: &Sharing,
    target: &Target,
) -> Vec<Nest> {
    let mut nests = Vec::new();
    let mut walk = |work: Work, parts: Vec<Part>| {
        let mut start = [0; OPERANDS];
        start[DST] = region.base;
        let nest = Nest {
            work,
            start,
            folds: SmallVec::new(),
            without: region.without.clone(),
            loops: Vec::new(),
            cut: Cut::Outer { loops: 0, granule: 1 },
        };
        nests.push(assemble(nest, &parts, problem, sharing, target));
    };
    let pieces: Vec<Pieces> =
        region.parts.iter().map(|part| Pieces::of(part, problem.fill)).collect();
    let data: Vec<&[Part]> = pieces.iter().map(|piece| &piece.data[..]).collect();
    product(&data, &mut |parts| walk(Work::Move, parts));
    // As with boxes: the first part that is padding decides, those behind it are anything.
    for j in 0..pieces.len() {
        let choose = |(i, piece): (usize, &Pieces)| match i.cmp(&j) {
            Ordering::Less => piece.data.clone(),
            Ordering::Equal => piece.padding.clone(),
            Ordering::Greater => piece.cover.clone(),
        };
        let chosen: Vec<Vec<Part>> = pieces.iter().enumerate().map(choose).collect();
        product(&chosen.iter().map(|parts| &parts[..]).collect::<Vec<_>>(), &mut |parts| {
            let margin = parts.iter().all(|part| part.padded.len() == part.extent());
            walk(Work::Fill(if margin { problem.fill } else { 0 }), parts);
        });
    }
    nests
}

/// Loops that set the sums to zero, for each kind over the lines it is masked along; none where one
/// task does everything, which can do so at once.
pub(super) fn clear(problem: &Problem, sharing: &Sharing, target: &Target) -> Vec<Nest> {
    let sums =
        [(Operand::S8s8, problem.arith.s8s8), (Operand::Asymmetric, problem.arith.asymmetric)];
    let mut nests = Vec::new();
    if *sharing == Sharing::Whole {
        return nests;
    }
    for (operand, _) in sums.into_iter().filter(|(_, present)| *present) {
        let masked =
            |line: &Line| line.nodes.iter().any(|node| node.strides[operand as usize] != 0);
        let mut pieces = Vec::new();
        for (i, line) in problem.lines.iter().enumerate() {
            let mut cover = Vec::new();
            let whole = Part::whole(line, Some(i));
            match masked(line) {
                true => whole.cut(line.owned.range(), &mut cover),
                false => cover.push(Part { nodes: SmallVec::new(), ..whole }),
            }
            pieces.push(cover);
        }
        product(&pieces.iter().map(|parts| &parts[..]).collect::<Vec<_>>(), &mut |parts| {
            let nest = Nest {
                work: Work::Clear(operand),
                start: [0; OPERANDS],
                folds: SmallVec::new(),
                without: SmallVec::new(),
                loops: Vec::new(),
                cut: Cut::Outer { loops: 0, granule: 1 },
            };
            nests.push(assemble(nest, &parts, problem, sharing, target));
        });
    }
    nests
}

/// A part cut by what its positions are.
struct Pieces {
    /// Elements.
    data: Vec<Part>,
    /// What is not, margins and tails apart.
    padding: Vec<Part>,
    /// All of it, margins and tails apart.
    cover: Vec<Part>,
}

impl Pieces {
    fn of(part: &Part, fill: u64) -> Pieces {
        let end = part.extent();
        let data = part.data.start.min(end)..part.data.end.min(end);
        // Where margins are filled with zeros too, nothing tells them from tails.
        let padded = match fill {
            0 => 0..end,
            _ => part.padded.start.min(end)..part.padded.end.min(end),
        };
        let mut pieces = Pieces { data: Vec::new(), padding: Vec::new(), cover: Vec::new() };
        part.cut(data.clone(), &mut pieces.data);
        let (data, padding) = match data.is_empty() {
            true => (0, [0..padded.start, padded.clone(), padded.end..end, end..end]),
            false => (
                data.len(),
                [
                    0..padded.start.min(data.start),
                    padded.start.min(data.start)..data.start,
                    data.end..padded.end.max(data.end),
                    padded.end.max(data.end)..end,
                ],
            ),
        };
        debug_assert_eq!(data + padding.iter().map(|range| range.len()).sum::<usize>(), end);
        padding.into_iter().for_each(|range| part.cut(range, &mut pieces.padding));
        for range in [0..padded.start, padded.clone(), padded.end..end] {
            part.cut(range, &mut pieces.cover);
        }
        pieces
    }
}

fn assemble(
    mut nest: Nest,
    parts: &[Part],
    problem: &Problem,
    sharing: &Sharing,
    target: &Target,
) -> Nest {
    let mut loops: Vec<(Node, bool)> = Vec::new();
    let mut first = 0;
    for part in parts {
        for (start, at) in nest.start.iter_mut().zip(&part.at) {
            *start = start.wrapping_add(*at);
        }
        nest.folds.extend(part.folds.iter().copied());
        let shared = match sharing {
            Sharing::Line { line, .. } if part.line == Some(*line) => Some(&problem.lines[*line]),
            _ => None,
        };
        if let Some(line) = shared {
            first = first_step(line, part);
        }
        let top = shared.map(|line| line.nodes.len());
        for (k, node) in part.nodes.iter().enumerate() {
            loops.push((node.clone(), top == Some(k + 1)));
        }
    }
    for (node, _) in loops.iter_mut().filter(|(node, _)| node.extent == 1) {
        // A table of one place is a start.
        if let Some(table) = node.table.take() {
            nest.start[SRC] = nest.start[SRC].wrapping_add(table[0].0);
            nest.start[DST] = nest.start[DST].wrapping_add(table[0].1);
        }
    }
    loops.retain(|(node, shared)| node.extent != 1 || *shared);
    let key = |node: &Node| {
        let table =
            |t: &[(isize, isize)]| t.iter().map(|at| at.1.unsigned_abs()).max().unwrap_or(0);
        let stride = node.strides[DST].unsigned_abs();
        let table = node.table.as_deref().map_or(0, table) / node.extent.max(1);
        let fold = node.folds.iter().map(|fold| fold.1.unsigned_abs()).max().unwrap_or(0);
        std::cmp::Reverse(stride.max(table).max(fold))
    };
    loops.sort_by_key(|(node, _)| key(node));
    // The source walks its lines best where its shortest steps are next to the innermost loop.
    if nest.work == Work::Move && loops.len() > 2 {
        let plain = |node: &Node| node.table.is_none() && node.folds.is_empty();
        let last = loops.len() - 1;
        let nearest = (0..last)
            .filter(|&i| plain(&loops[i].0) && loops[i].0.strides[SRC] != 0)
            .min_by_key(|&i| loops[i].0.strides[SRC].unsigned_abs());
        if let Some(i) = nearest.filter(|_| plain(&loops[last].0)) {
            loops[i..last].rotate_left(1);
        }
    }
    nest.cut = match sharing {
        Sharing::Line { .. } => {
            let at = loops.iter().position(|(_, shared)| *shared);
            // Tasks take their steps of it, so it goes around all others.
            loops[..at.map_or(0, |at| at + 1)].rotate_right(at.is_some() as usize);
            Cut::Shared { walks: at.is_some(), first }
        }
        _ => outer_cut(&loops, target.line),
    };
    nest.loops = loops.into_iter().map(|(node, _)| node).collect();
    nest
}

/// The step of a line's outermost node that a part starts at.
fn first_step(line: &Line, part: &Part) -> usize {
    let (_, inner) = line.nodes.split_last().expect("a line has a node");
    part.first / inner.iter().map(|node| node.extent).product::<usize>()
}

/// As many outer loops as give enough steps to share, and how many of these stay together so that
/// tasks do not write to the same line.
fn outer_cut(loops: &[(Node, bool)], line: usize) -> Cut {
    const ENOUGH: usize = 64;
    let (mut most, mut steps) = (0, 1);
    while most < loops.len().saturating_sub(1) && steps < ENOUGH {
        steps *= loops[most].0.extent;
        most += 1;
    }
    // A single loop is cut too, in whole lines.
    most = most.max(loops.len().min(1));
    let granule = |count: usize| match loops[count - 1].0.strides[DST].unsigned_abs() {
        0 => 1,
        stride => line / gcd(stride as isize, line as isize).unsigned_abs(),
    };
    // Steps of several loops walked as one stay together within the innermost of them.
    let whole =
        |count: &usize| *count == 1 || loops[count - 1].0.extent.is_multiple_of(granule(*count));
    match (1..=most).rev().find(whole) {
        None => Cut::Outer { loops: 0, granule: 1 },
        Some(1) if most > 1 && loops[0].0.extent < ENOUGH / 8 * granule(1) => {
            // Whole lines would leave too few steps.
            Cut::Outer { loops: most, granule: 1 }
        }
        Some(count) => Cut::Outer { loops: count, granule: granule(count) },
    }
}
