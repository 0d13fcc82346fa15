//! The plan. In: a problem and a target. Out: boxes, and the loops that walk each of them; data that
//! prints, compares, and can be interpreted without machine code.

mod boxes;
mod carry;
mod change;
mod cost;
mod decide;
mod demand;
mod fetch;
mod folds;
mod locality;
mod memo;
mod nests;
mod order;
mod rows;
mod stage;
mod stores;
pub(crate) mod sums;
mod tasks;
mod text;
mod tile;
mod view;

pub use boxes::{FoldSteps, Part, Region, boxes};
pub use carry::Carry;
pub(crate) use carry::LINE as CARRIED_LINE;
pub(crate) use change::bytewise::Bytewise;
pub(crate) use change::trust::{Trust, Twice};
pub use cost::Bounds;
pub use cost::length::MOST_CODE;
pub(crate) use cost::length::ROUNDS;
pub use fetch::ask::Ask;
pub use fetch::onward::Onward;
pub use folds::within::Within;
pub use locality::Locality;
pub use nests::{Nest, Work};
pub use order::{OrderName, Step};
pub use stage::{Across, Stage};
pub use stores::{Stores, Why};
pub use tasks::Cut;
pub(crate) use tile::chunks_of;
pub use tile::{Chunk, Converts, Takes, Tile, Tiling};
pub(crate) use view::{TEMPS, temps};

use crate::problem::{OPERANDS, Operand, Problem};
use crate::target::Target;
use change::given::given;
use cost::length::{self, Thrift};
use demand::Demand;
use memo::Memo;

/// Everything decided about how a problem is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What moves.
    pub problem: Problem,
    /// What it is made for.
    pub target: Target,
    /// Parts of the positions that together are all of them, each once.
    pub boxes: Vec<PlanBox>,
    /// Loops that set the appended sums to zero, before all others.
    pub clear: Vec<Nest>,
    /// How tasks share the work.
    pub sharing: Sharing,
    /// Bytes of the destination's footprint.
    pub(crate) bytes: usize,
    /// Of which tiles sequences are there twice, where they take anything for granted.
    pub(crate) twice: Twice,
    /// Of which operands values are taken as the caller gave them.
    pub(crate) given: [bool; OPERANDS],
    /// Bytes of the sums that code writes where they lie, if all are that it meets; none where it adds to some.
    pub(crate) written_sums: Option<usize>,
}

/// One box with the loops that walk it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanBox {
    /// Its positions.
    pub region: Region,
    /// Elements, margins and tails apart.
    pub nests: Vec<Nest>,
}

/// How tasks share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sharing {
    /// Each nest is cut by itself: no two positions write the same byte.
    Nests,
    /// By the positions of one line, of which there are so many: sums belong to them.
    Line {
        /// The line's index.
        line: usize,
        /// The steps of its outermost node.
        steps: usize,
        /// So many of them stay together.
        granule: usize,
    },
    /// Not at all: the first task does everything.
    Whole,
}

/// Decides how a problem is run on a target. The same on every machine.
pub fn plan(problem: &Problem, target: &Target) -> Plan {
    plan_with(problem, target, Locality::Auto)
}

/// Like [`plan`], for a caller who knows what becomes of the destination.
pub fn plan_with(problem: &Problem, target: &Target, locality: Locality) -> Plan {
    let memo = Memo::default();
    let mut ways = &length::THRIFT[..];
    // The first that would be short enough with each sequence once.
    let mut careful: Option<Plan> = None;
    loop {
        let (thrift, rest) = ways.split_first().expect("the last way is taken");
        let mut plan = plan_within(problem, target, locality, *thrift, &memo);
        let room = length::room(&plan);
        plan.twice = room.unwrap_or(Twice::None);
        if room.is_some_and(|twice| twice != Twice::None) || rest.is_empty() {
            return careful.filter(|careful| careful.is_worth_care(&plan)).unwrap_or(plan);
        }
        // Ways that would change nothing are passed over.
        let longest = length::longest(&plan);
        let same = |next: &&Thrift| next.ops as usize >= longest && next.is_like(thrift);
        let idle = rest[..rest.len() - 1].iter().take_while(same).count();
        ways = &rest[idle..];
        careful = careful.or(room.map(|_| plan));
    }
}

/// One attempt of [`plan_with`], within the limits on the length of code that `thrift` sets.
fn plan_within(
    problem: &Problem,
    target: &Target,
    locality: Locality,
    thrift: Thrift,
    memo: &Memo,
) -> Plan {
    let mut problem = problem.clone();
    problem.limit_boxes(thrift.boxes);
    let sharing = tasks::sharing(&problem, target);
    let stored = cost::bytes(&problem).1;
    let regions = boxes(&problem, target);
    // A single nest has no tiles in common with others, but weighs its last ones before it has them, without masks.
    let several = regions.len() > 1 || regions.iter().any(Region::is_padded);
    let memo = (several || !target.tier.masks()).then_some(memo);

    let scene = nests::Scene {
        problem: &problem,
        sharing: &sharing,
        target,
        locality,
        demand: Demand::of(&problem, target.line),
        stored,
        thrift,
        off_lines: false,
        memo,
    };
    let boxes = regions.into_iter().map(|region| {
        let nests = nests::nests(&scene, &region);
        PlanBox { region, nests }
    });
    let boxes: Vec<PlanBox> = boxes.collect();
    let clear = nests::clear(&scene);
    let positions: usize = boxes.iter().map(|one| one.region.positions()).sum();
    let bytes = positions * problem.dst.size();
    let given = given(&problem, &boxes, target);
    let (target, twice, written_sums) = (*target, Twice::All, None);
    let plan = Plan { problem, target, boxes, clear, sharing, bytes, twice, given, written_sums };
    Plan { written_sums: sums::written(&plan), ..plan }
}

impl Plan {
    /// What is done, one after the other, whatever box it is in.
    pub fn nests(&self) -> impl Iterator<Item = &Nest> {
        self.boxes.iter().flat_map(|one| &one.nests)
    }

    /// These, and behind each what is done in its place where the destination does not start on a line.
    pub fn all_nests(&self) -> impl Iterator<Item = &Nest> {
        self.nests().flat_map(|nest| std::iter::once(nest).chain(nest.off_lines.as_deref()))
    }

    /// Whether code takes values of an operand as the caller gave them; else they are made ready for it before.
    pub fn takes_as_given(&self, operand: Operand) -> bool {
        self.given[operand as usize]
    }

    /// The bytes of the destination's footprint.
    pub fn bytes_written(&self) -> usize {
        self.bytes
    }

    /// A number of tasks worth starting for so many threads; 0 counts as 1.
    pub fn task_count(&self, threads: usize) -> usize {
        let bytes = self.bytes;
        match self.sharing {
            Sharing::Whole => 1,
            Sharing::Nests | Sharing::Line { .. } if bytes < TASK_BYTES => 1,
            Sharing::Nests => threads.clamp(1, bytes / TASK_BYTES + 1),
            Sharing::Line { steps, granule, .. } => {
                threads.clamp(1, steps.div_ceil(granule).max(1).min(bytes / TASK_BYTES + 1))
            }
        }
    }
}

/// Less than this is not worth a second thread.
const TASK_BYTES: usize = 16 << 10;

/// The plan of a pair as tests write it.
#[cfg(test)]
fn planned(pair: &str, target: Target, locality: Locality) -> Plan {
    planned_by(pair, &crate::Attr::new(), target, locality)
}

/// The same with arithmetic.
#[cfg(test)]
pub(crate) fn planned_by(
    pair: &str,
    attr: &crate::Attr,
    target: Target,
    locality: Locality,
) -> Plan {
    let (src, dst) = pair.split_once(' ').unwrap();
    let src: crate::Layout = src.parse().unwrap();
    let dst = src.destination(dst).unwrap();
    let (problem, _) = Problem::new(&src, &dst, attr).unwrap();
    plan_with(&problem, &target, locality)
}
