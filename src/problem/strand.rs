//! From layouts to strands: dims, or dims that are linear together, as one position with both sides'
//! digits over it. In: two layouts and masks. Out: the problem's lines, folds and tails, unrefined.

use std::ops::Range;

use smallvec::SmallVec;

use super::{Bases, Fold, OPERANDS, Operand, Problem, Strides, Tail, refine};
use crate::Layout;
use crate::attr::{Attr, Sizes};
use crate::layout::{Axis, Digit, Window};

/// Radix and stride in bytes, innermost first.
pub(super) type Chain = SmallVec<[(isize, isize); 4]>;

/// One position, counted as the destination stores it, and what both sides make of it.
#[derive(Clone, Debug)]
pub(super) struct Strand {
    pub(super) owned: Range<isize>,
    pub(super) padded: Range<isize>,
    pub(super) data: Range<isize>,
    pub(super) dst: Chain,
    pub(super) src: Chain,
    /// The source's position where ours is 0.
    pub(super) shift: isize,
    /// What a position adds for operands that are neither source nor destination.
    pub(super) values: Strides,
    /// What a position leads on along folds.
    pub(super) folds: SmallVec<[(u8, isize); 1]>,
}

struct Pair<'a> {
    src: &'a Layout,
    dst: &'a Layout,
    /// For each dim, what an index adds for operands that are neither source nor destination.
    values: Vec<Strides>,
}

/// Fills the problem with a line for each strand.
pub(super) fn lines(
    problem: &mut Problem,
    bases: &mut Bases,
    src: &Layout,
    dst: &Layout,
    attr: &Attr,
    sizes: &Sizes,
) {
    bases.0[Operand::Src as usize] = src.offset().wrapping_mul(src.dtype().size() as isize);
    bases.0[Operand::Dst as usize] = dst.offset().wrapping_mul(dst.dtype().size() as isize);
    let pair = Pair { src, dst, values: value_strides(attr, dst, sizes, bases) };
    for group in pair.groups() {
        match pair.linear(&group, bases) {
            Some(strand) => refine::push(problem, bases, strand),
            None => pair.fold(&group, problem, bases),
        }
    }
}

/// The strides of scales and zero points in values, and of sums in bytes from the destination's start.
/// The latter are indexed by padded coordinate.
fn value_strides(attr: &Attr, dst: &Layout, sizes: &Sizes, bases: &mut Bases) -> Vec<Strides> {
    let mut values = vec![[0; OPERANDS]; dst.rank()];
    let padded = dst.padded_dims();
    bases.0[Operand::S8s8 as usize] = sizes.s8s8.unwrap_or(0) as isize;
    bases.0[Operand::Asymmetric as usize] = sizes.asymmetric.unwrap_or(0) as isize;
    for (operand, (_, mask)) in (Operand::SrcScale as usize..).zip(attr.masks()) {
        let sums = operand >= Operand::S8s8 as usize;
        let extents = if sums { &padded[..] } else { dst.dims() };
        let mut stride = if sums { size_of::<i32>() as isize } else { 1 };
        for d in (0..dst.rank()).rev().filter(|d| mask.unwrap_or(0) >> d & 1 == 1) {
            values[d][operand] = stride;
            if sums {
                bases.0[operand] += stride * dst.lower(d) as isize;
            }
            stride *= extents[d] as isize;
        }
    }
    values
}

impl Pair<'_> {
    /// Dims that merged axes of either side tie together, each group in order.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut group: Vec<usize> = (0..self.dst.rank()).collect();
        for (axis, _) in self.src.axes().chain(self.dst.axes()) {
            let first = axis.dims[0] as usize;
            for &d in &axis.dims {
                let (from, to) = (group[d as usize], group[first]);
                group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
            }
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); group.len()];
        for (d, g) in group.into_iter().enumerate() {
            groups[g].push(d);
        }
        groups.retain(|dims| !dims.is_empty());
        groups
    }

    /// A group as one strand, where a single position says it on both sides.
    fn linear(&self, group: &[usize], bases: &mut Bases) -> Option<Strand> {
        let order = (self.dst.axes().chain(self.src.axes()))
            .find(|(axis, _)| {
                axis.dims.len() == group.len() && group.contains(&(axis.dims[0] as usize))
            })
            .map(|(axis, _)| axis.dims.iter().map(|&d| d as usize).collect::<Vec<_>>())?;
        let (outer, inner) = order.split_first()?;
        let dims = self.dst.dims();
        let row: isize = inner.iter().map(|&d| dims[d] as isize).product();
        let merged = !inner.is_empty();
        let mut values = [0; OPERANDS];
        for (operand, value) in values.iter_mut().enumerate().skip(2) {
            let mut running = None;
            for &d in order.iter().rev().filter(|d| !merged || self.dst.windows()[**d].extent() > 1)
            {
                let stride = self.values[d][operand];
                if running.is_some_and(|running| running != stride) {
                    return None;
                }
                if running.is_none() {
                    *value = stride;
                }
                running = Some(stride * dims[d] as isize);
            }
        }
        let src = linear_side(self.src, &order, row)?;
        let dst = linear_side(self.dst, &order, row)?;
        let from = &self.src.windows()[*outer];
        let to = &self.dst.windows()[*outer];
        if row > 1 && (from.reversed || to.reversed) {
            return None;
        }
        let own = to.owned();
        let mut owned = own.start * row..own.end * row;
        let of_group = |(axis, _): &(&Axis, &[Digit])| {
            axis.dims.len() == order.len() && axis.dims[0] as usize == *outer
        };
        let axis = self.dst.axes().find(of_group).map(|(axis, _)| axis);
        if let Some(axis) = axis.filter(|axis| self.dst.owns_tail(axis)) {
            // No sum belongs to the tail of a merged axis.
            let summed = values[Operand::S8s8 as usize..].iter().any(|&stride| stride != 0);
            if merged && summed && axis.extent > owned.end {
                return None;
            }
            owned.end = axis.extent;
        }
        Some(relate(from, to, row, owned, src, dst, values, bases))
    }

    /// A group whose merged axes are split at run time.
    fn fold(&self, group: &[usize], problem: &mut Problem, bases: &mut Bases) {
        let first_line = problem.lines.len();
        let mut folds: Vec<(Fold, Vec<isize>, Axis)> = Vec::new();
        for (side, layout) in [self.src, self.dst].into_iter().enumerate() {
            for (axis, digits) in layout.axes().filter(|(axis, _)| axis.dims.len() > 1) {
                if !group.contains(&(axis.dims[0] as usize)) {
                    continue;
                }
                let size = layout.dtype().size() as isize;
                let mut weights = vec![0; layout.rank()];
                let mut weight = 1;
                for &d in axis.dims.iter().rev() {
                    weights[d as usize] = weight;
                    weight *= layout.windows()[d as usize].extent();
                }
                let digits = digits.iter().map(|d| (d.radix, d.stride * size)).collect();
                folds.push((Fold { dst: side == 1, start: 0, digits }, weights, axis.clone()));
            }
        }
        let first_fold = problem.folds.len();
        problem.folds.extend(folds.iter().map(|fold| fold.0.clone()));
        let mut owner = vec![SmallVec::<[u8; 4]>::new(); self.dst.rank()];
        for &d in group {
            let (from, to) = (&self.src.windows()[d], &self.dst.windows()[d]);
            let (src, dst) = (own_chain(self.src, d), own_chain(self.dst, d));
            let mut owned = to.owned();
            if let Some((axis, _)) =
                self.dst.axes().find(|(axis, _)| axis.dims.as_slice() == [d as u8])
                && self.dst.owns_tail(axis)
            {
                owned.end = axis.extent;
            }
            let mut strand = relate(from, to, 1, owned, src, dst, self.values[d], bases);
            for (k, (fold, weights, _)) in folds.iter().enumerate() {
                let at = first_fold + k;
                let way = if !fold.dst && from.reversed != to.reversed { -1 } else { 1 };
                if weights[d] != 0 {
                    let shift = if fold.dst { 0 } else { source_shift(from, to) };
                    strand.folds.push((at as u8, way * weights[d]));
                    problem.folds[at].start += weights[d] * shift;
                }
            }
            owner[d].push(problem.lines.len() as u8);
            refine::push(problem, bases, strand);
        }
        debug_assert_eq!(problem.lines.len(), first_line + group.len());
        for (k, (fold, _, axis)) in folds.iter().enumerate() {
            let stored = self.dst.windows();
            let end = axis.dims.iter().map(|&d| stored[d as usize].extent()).product::<isize>();
            if !fold.dst || !self.dst.owns_tail(axis) || end == axis.extent {
                continue;
            }
            let lines = axis.dims.iter().flat_map(|&d| owner[d as usize].clone()).collect();
            let strand = Strand {
                owned: end..axis.extent,
                padded: end..end,
                data: end..end,
                dst: fold.digits.iter().copied().collect(),
                src: SmallVec::from_iter([(1, 0)]),
                shift: 0,
                values: [0; OPERANDS],
                folds: SmallVec::new(),
            };
            let mut base = Bases::default();
            let (mut apart, before) = (problem.clone(), problem.lines.len());
            refine::push(&mut apart, &mut base, strand);
            let instead = apart.lines.into_iter().skip(before).collect();
            let base = base.0[Operand::Dst as usize];
            problem.tails.push(Tail { lines, fold: (first_fold + k) as u8, base, instead });
        }
    }
}

/// Both windows of one dim (times the length of a row, where inner dims are merged into it) over one
/// position, counted as the destination stores it.
#[allow(clippy::too_many_arguments)]
fn relate(
    from: &Window,
    to: &Window,
    row: isize,
    owned: Range<isize>,
    mut src: Chain,
    dst: Chain,
    mut values: Strides,
    bases: &mut Bases,
) -> Strand {
    let zone = |start: isize, len: isize| match to.reversed {
        false => start * row..(start + len) * row,
        true => (to.extent() - start - len) * row..(to.extent() - start) * row,
    };
    let padded = zone(to.before, to.padded());
    let data = zone(to.before + to.lower, to.n);
    let mut shift = source_shift(from, to) * row;
    if from.reversed != to.reversed {
        // Counted backwards, each digit is what its radix leaves of it.
        let mut positions = 1;
        for (radix, stride) in &mut src {
            let far = (*radix - 1).wrapping_mul(*stride);
            bases.0[Operand::Src as usize] = bases.0[Operand::Src as usize].wrapping_add(far);
            *stride = -*stride;
            positions *= *radix;
        }
        shift = positions - 1 - shift;
    }
    // The index of the element at position 0.
    let (way, first) = match to.reversed {
        false => (1, -(to.before + to.lower) * row),
        true => (-1, to.extent() - 1 - to.before - to.lower),
    };
    for (base, value) in bases.0.iter_mut().zip(&mut values) {
        *base += first * *value;
        *value *= way;
    }
    Strand { owned, padded, data, dst, src, shift, values, folds: SmallVec::new() }
}

/// The source's position where the destination's is 0.
fn source_shift(from: &Window, to: &Window) -> isize {
    let index = match to.reversed {
        false => -(to.before + to.lower),
        true => to.extent() - 1 - to.before - to.lower,
    };
    from.position(index)
}

/// The digits of a dim that has an axis to itself; nothing for one that is merged.
fn own_chain(layout: &Layout, d: usize) -> Chain {
    let size = layout.dtype().size() as isize;
    match layout.axes().find(|(axis, _)| axis.dims.as_slice() == [d as u8]) {
        Some((_, digits)) => {
            digits.iter().map(|d| (d.radix, d.stride.wrapping_mul(size))).collect()
        }
        None => SmallVec::from_iter([(layout.windows()[d].extent().max(1), 0)]),
    }
}

/// The digits of one side of a group, if its dims in this order are one position.
fn linear_side(layout: &Layout, order: &[usize], row: isize) -> Option<Chain> {
    let size = layout.dtype().size() as isize;
    let trivial = |d: &usize| layout.windows()[*d] == Window::plain(layout.dims()[*d] as isize);
    if !order[1..].iter().all(trivial) {
        return None;
    }
    let merged = layout.axes().find(|(axis, _)| {
        axis.dims.len() == order.len()
            && axis.dims.iter().zip(order).all(|(a, b)| *a as usize == *b)
    });
    if let Some((_, digits)) = merged {
        return Some(digits.iter().map(|d| (d.radix, d.stride.wrapping_mul(size))).collect());
    }
    let mut running: Option<isize> = None;
    let mut inner = 0;
    let mut extent = row;
    for &d in order.iter().rev() {
        let (axis, digits) = layout.axes().find(|(axis, _)| axis.dims.contains(&(d as u8)))?;
        let [digit] = digits else { return None };
        let stored = layout.windows()[d].extent();
        if axis.dims.len() > 1 || axis.extent != stored {
            return None;
        }
        if d == order[0] {
            extent = row * stored;
        }
        if stored == 1 {
            continue;
        }
        if running.is_some_and(|running| running != digit.stride) {
            return None;
        }
        if running.is_none() {
            inner = digit.stride;
        }
        running = digit.stride.checked_mul(stored);
    }
    Some(SmallVec::from_iter([(extent.max(1), inner.wrapping_mul(size))]))
}
