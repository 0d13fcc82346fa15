//! What moves, in canonical form. In: two layouts and arithmetic. Out: lines of nodes whose offsets
//! add up, the same for all pairs that move the same bytes the same way.
//!
//! ```text
//! strand   each dim (or dims that are linear together): both sides' digits over one position
//! refine   cut the digits of both sides to their common refinement       -> a line of nodes
//! split    a line without padding becomes a line for each node
//! drop     nodes of extent 1 go, negative destination strides turn round
//! fold     folds that nothing steps along go, the others stand in order
//! fuse     neighbours contiguous on every operand become one
//! order    a total order, so that equal movements compare equal
//! limit    where edges would multiply to more boxes than code is worth, lines become folds
//! ```
//!
//! A node is one loop: an extent, and a stride for every operand. A line is a mixed-radix number of
//! nodes with the zones that margins and tails make of it. What digits cannot say together is a
//! table of up to 1024 offsets, and past that a fold: an axis whose digits are taken apart at run
//! time, the nodes stepping along it.

mod arith;
mod check;
mod line;
mod refine;
mod strand;
mod tame;
#[cfg(test)]
mod tests;
mod text;
mod zone;

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

pub use self::arith::Arith;
pub(crate) use self::tame::{are_tame, stays_within};
pub use self::zone::Zone;
use crate::attr::{Attr, Sizes};
use crate::dtype::convert;
use crate::{DType, Layout, MAX_RANK, Result};

/// What a node has a stride for. Strides of source, destination and sums are in bytes, of scales and
/// zero points in values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Operand {
    Src,
    Dst,
    SrcScale,
    DstScale,
    SrcZeroPoint,
    DstZeroPoint,
    S8s8,
    Asymmetric,
}

/// The source's place among strides.
pub(crate) const SRC: usize = Operand::Src as usize;

/// The destination's.
pub(crate) const DST: usize = Operand::Dst as usize;

/// Scales and zero points, which stand one behind the other.
pub(crate) const VALUE_OPERANDS: [Operand; 4] =
    [Operand::SrcScale, Operand::DstScale, Operand::SrcZeroPoint, Operand::DstZeroPoint];

/// Their places among strides.
pub(crate) const VALUES: Range<usize> = Operand::SrcScale as usize..Operand::S8s8 as usize;

/// Both kinds of sums.
pub(crate) const SUMS: [Operand; 2] = [Operand::S8s8, Operand::Asymmetric];

/// How many operands there can be.
pub const OPERANDS: usize = 8;

/// A number for each operand, indexed by [`Operand`].
pub type Strides = [isize; OPERANDS];

/// The most boxes with elements that edges may multiply to.
pub const BOX_LIMIT: usize = 64;

/// The most folds a problem can have: two for each dim whose digits do not divide one another or make
/// too many edges, and one for each axis of either side that merges dims.
pub const MAX_FOLDS: usize = 3 * MAX_RANK;

/// So many values of an operand are made ready before a run, where there are no more: zero points as floats,
/// reciprocals of scales.
pub(crate) const READY: usize = 2048;

/// The most entries a table may have.
pub const TABLE_LIMIT: usize = 1024;

/// One loop.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    /// How often.
    pub extent: usize,
    /// Where a step leads.
    pub strides: Strides,
    /// Offsets in bytes of source and destination, for each step, where no stride says them.
    pub table: Option<Arc<[(isize, isize)]>>,
    /// Positions along folds, by their index, that a step leads on.
    pub folds: SmallVec<[(u8, isize); 1]>,
}

/// A mixed-radix number of nodes, innermost first, and what its positions are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// Innermost first.
    pub nodes: SmallVec<[Node; 2]>,
    /// The positions that the destination owns.
    pub owned: Zone,
    /// Of these, elements and explicit margins; what is owned outside is tail.
    pub padded: Zone,
    /// Of these, elements.
    pub data: Zone,
}

/// An axis that no node can say: at run time, the sum of the nodes' steps along it is split into
/// digits, and these give bytes of one operand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fold {
    /// Source or destination.
    pub dst: bool,
    /// The position where all nodes are at 0.
    pub start: isize,
    /// Radix and stride in bytes, innermost first; the radix of the last is not needed.
    pub digits: SmallVec<[(isize, isize); 2]>,
}

/// The tail of an axis that merges several dims: zero-filled beside the product of their lines.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tail {
    /// The lines, by their index, whose place this takes.
    pub lines: SmallVec<[u8; 4]>,
    /// The fold whose place this takes.
    pub fold: u8,
    /// Bytes of the destination from its base.
    pub base: isize,
    /// Lines that are tail all over.
    pub instead: Vec<Line>,
}

/// What lies between elements of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Between {
    /// It may be anyone's, and is not touched.
    #[default]
    Anything,
    /// Nothing but other elements, which may be loaded too.
    Elements,
    /// These and padding, which may be loaded too.
    Padding,
}

impl Between {
    fn of(src: &Layout) -> Between {
        match src.is_filled() {
            false => Between::Anything,
            true if src.is_padded() => Between::Padding,
            true => Between::Elements,
        }
    }
}

/// What moves, and which arithmetic it passes on the way. One that was made of layouts, or read from its text, can be
/// planned; one whose fields were written over may be none that any layouts make, and planning it may panic.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Problem {
    /// The type of the source's elements.
    pub src: DType,
    /// The type of the destination's elements.
    pub dst: DType,
    /// The arithmetic; of its masks only which there are counts here.
    pub arith: Arith,
    /// What lies between elements of the source, from the first to the last.
    pub src_between: Between,
    /// The bits of what margins are filled with.
    pub fill: u64,
    /// Their product is all positions of elements and padding.
    pub lines: Vec<Line>,
    /// What the nodes cannot say.
    pub folds: Vec<Fold>,
    /// Padding beside the lines' product.
    pub tails: Vec<Tail>,
}

/// Where all nodes are at 0: bytes into source and destination, values into the others. Apart from
/// the problem, so that moving a tensor elsewhere is the same problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bases(pub Strides);

impl Fold {
    /// The operand that it gives bytes of, [`SRC`] or [`DST`].
    pub(crate) fn side(&self) -> usize {
        if self.dst { DST } else { SRC }
    }

    /// The bytes that a position stands for.
    pub(crate) fn bytes(&self, position: isize) -> isize {
        digits_at(&self.digits, position)
    }
}

/// What digits, innermost first, each a radix and a stride, give at a position; the lower ones go on periodically, the
/// top one without end.
fn digits_at(digits: &[(isize, isize)], mut position: isize) -> isize {
    let Some((top, rest)) = digits.split_last() else { return 0 };
    let mut sum = 0isize;
    for &(radix, stride) in rest {
        sum = sum.wrapping_add(position.rem_euclid(radix).wrapping_mul(stride));
        position = position.div_euclid(radix);
    }
    sum.wrapping_add(position.wrapping_mul(top.1))
}

impl Node {
    /// A loop with strides alone.
    pub fn plain(extent: usize, strides: Strides) -> Node {
        Node { extent, strides, table: None, folds: SmallVec::new() }
    }

    /// Whether it has strides alone, neither a table nor folds.
    pub fn is_plain(&self) -> bool {
        self.table.is_none() && self.folds.is_empty()
    }

    /// Whether `outer`, stepped around this node, goes on where it ends, on every operand.
    fn continues(&self, outer: &Node) -> bool {
        let n = self.extent as isize;
        let strides = self.strides.iter().zip(&outer.strides);
        self.table.is_none()
            && outer.table.is_none()
            && strides.into_iter().all(|(inner, outer)| inner.checked_mul(n) == Some(*outer))
            && self.folds.len() == outer.folds.len()
            && (self.folds.iter().zip(&outer.folds))
                .all(|(inner, outer)| inner.0 == outer.0 && inner.1.checked_mul(n) == Some(outer.1))
    }
}

impl Problem {
    /// The canonical form of a pair, and where it starts in the buffers; an error where the pair
    /// cannot be, as [`Attr::sizes`] has it.
    pub fn new(src: &Layout, dst: &Layout, attr: &Attr) -> Result<(Problem, Bases)> {
        Problem::with_sizes(src, dst, attr, &attr.sizes(src, dst)?)
    }

    /// Like [`new`](Problem::new), of a pair that can be, as its sizes say.
    pub(crate) fn with_sizes(
        src: &Layout,
        dst: &Layout,
        attr: &Attr,
        sizes: &Sizes,
    ) -> Result<(Problem, Bases)> {
        let mut bases = Bases::default();
        let (from, to) = match attr.moves_bits(src.dtype(), dst.dtype()) {
            true => (bits_of(src.dtype()), bits_of(dst.dtype())),
            false => (src.dtype(), dst.dtype()),
        };
        let mut problem = Problem {
            src: from,
            dst: to,
            arith: attr.arith(),
            src_between: Between::of(src),
            fill: 0,
            lines: Vec::with_capacity(8),
            folds: Vec::new(),
            tails: Vec::new(),
        };
        if dst.is_empty() {
            problem.arith = Arith::default();
            problem.src_between = Between::Anything;
            problem.lines.push(Line::of(Node::plain(0, [0; OPERANDS])));
            return Ok((problem, bases));
        }
        strand::lines(&mut problem, &mut bases, src, dst, attr, sizes)?;
        problem.split();
        problem.drop_ones(&mut bases);
        problem.settle_folds(&mut bases);
        problem.fuse();
        problem.order();
        problem.limit_boxes(BOX_LIMIT);
        problem.fill = convert::fill(dst.dtype(), dst.fill());
        problem.settle_fill();
        Ok((problem, bases))
    }

    /// Whether elements are copied as they are.
    pub fn moves_bits(&self) -> bool {
        self.src == self.dst && !self.arith.is_formula() && !self.arith.is_compensated()
    }

    /// The values of an operand that elements lead to: the least of them, from its base on, and how many from
    /// there on.
    pub(crate) fn values(&self, operand: usize) -> (isize, usize) {
        let nodes = self.lines.iter().flat_map(|line| &line.nodes);
        let steps = nodes.map(|node| (node.strides[operand], node.extent.saturating_sub(1)));
        let (mut least, mut most) = (0isize, 0isize);
        for (stride, times) in steps {
            let far = stride.saturating_mul(times as isize);
            (least, most) = (least.saturating_add(far.min(0)), most.saturating_add(far.max(0)));
        }
        (least, most.saturating_sub(least).unsigned_abs().saturating_add(1))
    }

    /// Whether the values of an operand are too many to be made ready before a run.
    pub(crate) fn is_raw(&self, operand: usize) -> bool {
        self.values(operand).1 > READY
    }

    /// A line without padding becomes a line for each of its nodes.
    fn split(&mut self) {
        for line in &mut self.lines {
            line.simplify();
        }
        for tail in &mut self.tails {
            tail.instead.iter_mut().for_each(Line::simplify);
        }
        let mut i = 0;
        while i < self.lines.len() {
            if self.lines[i].is_full() && self.lines[i].nodes.len() > 1 {
                let nodes = std::mem::take(&mut self.lines[i].nodes);
                let mut nodes = nodes.into_iter();
                self.lines[i] = Line::of(nodes.next().expect("a line has a node"));
                for node in nodes {
                    self.share_tails(i, self.lines.len());
                    self.lines.push(Line::of(node));
                }
            }
            i += 1;
        }
    }

    /// What a tail stands in place of stays so when a line is split.
    fn share_tails(&mut self, from: usize, to: usize) {
        for tail in self.tails.iter_mut().filter(|tail| tail.lines.contains(&(from as u8))) {
            tail.lines.push(to as u8);
        }
    }

    /// Single steps go; the destination is walked upwards.
    fn drop_ones(&mut self, bases: &mut Bases) {
        for i in (0..self.lines.len()).rev() {
            let line = &mut self.lines[i];
            if line.nodes.len() == 1 && line.nodes[0].extent == 1 && line.is_full() {
                self.remove(i);
            } else {
                line.walk_upwards(bases);
                line.stand_still(bases, &mut self.folds);
            }
        }
    }

    fn remove(&mut self, i: usize) {
        self.lines.remove(i);
        for tail in &mut self.tails {
            tail.lines.retain(|line| *line as usize != i);
            tail.lines.iter_mut().filter(|line| **line as usize > i).for_each(|line| *line -= 1);
        }
    }

    /// Folds that no node steps along are a part of the start, the others stand in order.
    fn settle_folds(&mut self, bases: &mut Bases) {
        let stepped = |problem: &Problem, k: usize| {
            let nodes = problem.lines.iter().flat_map(|line| &line.nodes);
            nodes.flat_map(|node| &node.folds).any(|step| step.0 as usize == k && step.1 != 0)
                || problem.tails.iter().any(|tail| tail.fold as usize == k)
        };
        let mut kept: Vec<usize> = (0..self.folds.len()).filter(|&k| stepped(self, k)).collect();
        for (_, fold) in self.folds.iter().enumerate().filter(|(k, _)| !kept.contains(k)) {
            let operand = fold.side();
            bases.0[operand] = bases.0[operand].wrapping_add(fold.bytes(fold.start));
        }
        kept.sort_by_key(|&k| &self.folds[k]);
        let place = |k: u8| kept.iter().position(|&kept| kept == k as usize);
        for node in self.lines.iter_mut().flat_map(|line| &mut line.nodes) {
            node.folds.retain(|step| place(step.0).is_some());
            node.folds.iter_mut().for_each(|step| step.0 = place(step.0).unwrap_or(0) as u8);
            node.folds.sort_unstable();
        }
        for tail in &mut self.tails {
            tail.fold = place(tail.fold).unwrap_or(0) as u8;
        }
        self.folds = kept.iter().map(|&k| self.folds[k].clone()).collect();
    }

    /// Neighbours contiguous on every operand become one.
    fn fuse(&mut self) {
        // Lines that a tail may take the place of stay apart.
        let single = |line: &Line| line.nodes.len() == 1 && line.is_full();
        let same_tails = |problem: &Problem, i: usize, j: usize| {
            let held = |tail: &Tail, i: usize| tail.lines.contains(&(i as u8));
            problem.tails.iter().all(|tail| held(tail, i) == held(tail, j))
        };
        let mut i = 0;
        while i < self.lines.len() {
            let fits = |j: &usize| {
                *j != i
                    && single(&self.lines[i])
                    && single(&self.lines[*j])
                    && same_tails(self, i, *j)
                    && self.lines[i].nodes[0].continues(&self.lines[*j].nodes[0])
            };
            match (0..self.lines.len()).find(fits) {
                Some(j) => {
                    let extent = self.lines[i].nodes[0].extent * self.lines[j].nodes[0].extent;
                    let mut node = self.lines[i].nodes[0].clone();
                    node.extent = extent;
                    self.lines[i] = Line::of(node);
                    self.remove(j);
                    i = 0;
                }
                None => i += 1,
            }
        }
        if self.lines.is_empty() {
            self.lines.push(Line::of(Node::plain(1, [0; OPERANDS])));
        }
    }

    /// Sorts the lines by their strides in the destination, outermost first.
    fn order(&mut self) {
        let key = |line: &Line| {
            let node = &line.nodes[0];
            (
                std::cmp::Reverse(node.strides[DST].unsigned_abs()),
                std::cmp::Reverse(node.strides[SRC].unsigned_abs()),
            )
        };
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (&self.lines[a], &self.lines[b]);
            key(a).cmp(&key(b)).then_with(|| a.cmp(b))
        });
        self.lines = order.iter().map(|&i| self.lines[i].clone()).collect();
        for tail in &mut self.tails {
            for line in &mut tail.lines {
                *line = order.iter().position(|i| *i == *line as usize).unwrap_or(0) as u8;
            }
            tail.lines.sort_unstable();
        }
        self.tails.sort_unstable();
    }

    /// Each line of blocks has a main part and up to two edges, and boxes are their product. Past
    /// `most` the lines with the shortest blocks are taken apart at run time, where a line of elements
    /// is one part.
    pub(crate) fn limit_boxes(&mut self, most: usize) {
        let parts = |lines: &[Line]| lines.iter().map(Line::parts).fold(1, usize::saturating_mul);
        while parts(&self.lines) > most {
            let blocks = |line: &Line| {
                line.nodes.iter().rev().skip(1).map(|node| node.extent).product::<usize>()
            };
            let cut = self.lines.iter_mut().filter(|line| line.parts() > 1);
            let Some(line) = cut.min_by_key(|line| blocks(line)) else { return };
            refine::fold(line, &mut self.folds);
        }
    }

    /// A margin of zeros is as good as a tail, and a fill without margins nothing.
    fn settle_fill(&mut self) {
        if self.fill == 0 {
            self.lines.iter_mut().for_each(|line| line.padded = line.data);
        }
        if self.lines.iter().all(|line| line.padded == line.data) {
            self.fill = 0;
        }
    }
}

/// The type that stands for all of its size where bits are only moved.
fn bits_of(dtype: DType) -> DType {
    match dtype.size() {
        1 => DType::U8,
        2 => DType::U16,
        4 => DType::S32,
        _ => DType::S64,
    }
}
