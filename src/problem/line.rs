//! The verbs on a single line. In: a line as it was refined. Out: the same movement in its one form.

use smallvec::SmallVec;

use super::{Bases, Fold, Line, Node, Operand, SRC, VALUES, Zone};

impl Line {
    /// All positions of the nodes.
    pub fn extent(&self) -> usize {
        self.nodes.iter().map(|node| node.extent).product()
    }

    /// Whether every position is an element.
    pub fn is_full(&self) -> bool {
        self.data == Zone::all(self.extent())
    }

    pub(super) fn of(node: Node) -> Line {
        let zone = Zone::all(node.extent);
        Line { nodes: SmallVec::from_iter([node]), owned: zone, padded: zone, data: zone }
    }

    /// In how many parts elements lie: a main part, and an edge where a block holds elements and
    /// others, or several where it is not ours alone.
    pub(super) fn parts(&self) -> usize {
        let Some((_, inner)) = self.nodes.split_last() else { return 1 };
        if inner.is_empty() || self.nodes.iter().any(|node| node.table.is_some()) {
            return 1;
        }
        let block: usize = inner.iter().map(|node| node.extent).product();
        let edge = |data: usize, owned: usize| match (data % block, owned % block) {
            (0, _) => 0,
            (_, 0) => 1,
            _ => inner.len(),
        };
        1 + edge(self.data.start, self.owned.start) + edge(self.data.end, self.owned.end)
    }

    /// Where there is one element, no step leads on from it: its place is the start.
    pub(super) fn stand_still(&mut self, bases: &mut Bases, folds: &mut [Fold]) {
        if self.data.len() != 1 || self.nodes.iter().any(|node| node.table.is_some()) {
            return;
        }
        let elements = [SRC].into_iter().chain(VALUES);
        let mut position = self.data.start;
        for node in &mut self.nodes {
            let first = (position % node.extent) as isize;
            position /= node.extent;
            node.folds.retain(|&mut (fold, step)| {
                let fold = &mut folds[fold as usize];
                if !fold.dst {
                    fold.start = fold.start.wrapping_add(step.wrapping_mul(first));
                }
                fold.dst
            });
            for operand in elements.clone() {
                let stride = std::mem::take(&mut node.strides[operand]);
                bases.0[operand] = bases.0[operand].wrapping_add(stride.wrapping_mul(first));
            }
        }
    }

    /// Turns a line round whose innermost node leads downwards in the destination, or, where that
    /// stands still, in the source.
    pub(super) fn walk_upwards(&mut self, bases: &mut Bases) {
        let extent = self.extent();
        let stride = |operand: Operand| {
            let mut strides = self.nodes.iter().map(|node| node.strides[operand as usize]);
            strides.find(|stride| *stride != 0)
        };
        let downwards =
            stride(Operand::Dst).or(stride(Operand::Src)).is_some_and(|stride| stride < 0);
        // Sums along a line are kept by its positions, padding and all, which would be counted from the other end.
        let sums = stride(Operand::S8s8).or(stride(Operand::Asymmetric)).is_some();
        if !downwards || (sums && !self.is_full()) || !self.nodes.iter().all(Node::is_plain) {
            return;
        }
        for node in &mut self.nodes {
            for (base, stride) in bases.0.iter_mut().zip(&mut node.strides) {
                *base = base.wrapping_add(stride.wrapping_mul(node.extent as isize - 1));
                *stride = stride.wrapping_neg();
            }
        }
        for zone in [&mut self.owned, &mut self.padded, &mut self.data] {
            *zone = Zone { start: extent - zone.end, end: extent - zone.start };
        }
    }

    /// Fuses what is contiguous within the line, and drops nodes of extent 1.
    pub(super) fn simplify(&mut self) {
        if self.nodes.len() > 1 {
            self.nodes.retain(|node| node.extent != 1);
        }
        let mut i = 1;
        while i < self.nodes.len() {
            if self.nodes[i - 1].continues(&self.nodes[i]) {
                self.nodes[i - 1].extent *= self.nodes[i].extent;
                self.nodes.remove(i);
            } else {
                i += 1;
            }
        }
    }
}
