//! From layouts to strands: dims, or dims that are linear together, as one position with both sides'
//! digits over it. In: two layouts and masks. Out: the problem's lines, folds and tails, unrefined.

use std::borrow::Cow;
use std::ops::Range;

use smallvec::SmallVec;

use super::{Bases, Fold, OPERANDS, Operand, Problem, Strides, Tail, refine};
use crate::attr::{Attr, Sizes};
use crate::layout::{Axis, Digit, Window};
use crate::{Layout, Result};

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

/// A layout's axes, without the dims that have one position and so change nothing.
struct Side<'a> {
    layout: &'a Layout,
    axes: Vec<(Dims, &'a Axis, &'a [Digit])>,
}

type Dims = SmallVec<[usize; 4]>;

struct Pair<'a> {
    src: Side<'a>,
    dst: Side<'a>,
    /// For each dim, what an index adds for operands that are neither source nor destination.
    values: Vec<Strides>,
}

/// A merged axis that is split at run time.
struct Folded<'a> {
    fold: Fold,
    /// How far an index of each dim leads along it.
    weights: Vec<isize>,
    axis: &'a Axis,
}

/// Fills the problem with a line for each strand.
pub(super) fn lines(
    problem: &mut Problem,
    bases: &mut Bases,
    src: &Layout,
    dst: &Layout,
    attr: &Attr,
    sizes: &Sizes,
) -> Result<()> {
    let mut values = value_strides(attr, dst, sizes, bases);
    let mask = turned(src, dst, problem.arith.is_compensated());
    let (src, dst) = match mask {
        0 => (Cow::Borrowed(src), Cow::Borrowed(dst)),
        _ => (Cow::Owned(src.flip(mask)?), Cow::Owned(dst.flip(mask)?)),
    };
    for (d, values) in values.iter_mut().enumerate().filter(|(d, _)| mask >> d & 1 == 1) {
        for (base, value) in bases.0.iter_mut().zip(values) {
            *base = base.wrapping_add(value.wrapping_mul(dst.dims()[d] as isize - 1));
            *value = value.wrapping_neg();
        }
    }
    bases.0[Operand::Src as usize] = src.offset().wrapping_mul(src.dtype().size() as isize);
    bases.0[Operand::Dst as usize] = dst.offset().wrapping_mul(dst.dtype().size() as isize);
    // Sums count the positions of each dim by itself.
    let whole = problem.arith.is_compensated();
    let pair = Pair { src: Side::of(&src, whole), dst: Side::of(&dst, whole), values };
    for group in pair.groups() {
        match pair.linear(&group, bases) {
            Some(strand) => refine::push(problem, bases, strand),
            None => pair.fold(&group, problem, bases),
        }
    }
    Ok(())
}

/// The dims to count backwards on both sides, so that those of a merged axis, the destination's first,
/// run forwards and can be one position.
fn turned(src: &Layout, dst: &Layout, compensated: bool) -> u32 {
    let reversed = |layout: &Layout| {
        let merged = layout.axes().filter(|(axis, _)| axis.dims.len() > 1);
        let dims = merged.flat_map(|(axis, _)| axis.dims.iter().map(|&d| d as usize));
        dims.fold((0u32, 0u32), |(merged, reversed), d| {
            let window = &layout.windows()[d];
            (merged | 1 << d, reversed | u32::from(window.reversed) << d)
        })
    };
    let fixed = |d: usize| src.windows()[d].fixed.is_some() || dst.windows()[d].fixed.is_some();
    let free = (0..dst.rank()).filter(|&d| !fixed(d)).fold(0u32, |mask, d| mask | 1 << d);
    let (merged, mut mask) = reversed(dst);
    if !compensated {
        mask |= reversed(src).1 & !merged;
    }
    mask & free
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
                bases.0[operand] = bases.0[operand].wrapping_add(stride * dst.lower(d) as isize);
            }
            stride *= extents[d] as isize;
        }
    }
    values
}

impl<'a> Side<'a> {
    fn of(layout: &'a Layout, whole: bool) -> Side<'a> {
        let axes = layout.axes().map(|(axis, digits)| {
            let all = axis.dims.iter().map(|&d| d as usize);
            let wide = |d: &usize| whole || layout.windows()[*d].extent() > 1;
            let mut dims: Dims = all.clone().filter(wide).collect();
            if dims.is_empty() {
                dims.extend(all.take(1));
            }
            (dims, axis, digits)
        });
        Side { layout, axes: axes.collect() }
    }

    fn window(&self, d: usize) -> &'a Window {
        &self.layout.windows()[d]
    }

    /// The axis that a dim has to itself.
    fn own(&self, d: usize) -> Option<(&'a Axis, &'a [Digit])> {
        let own = self.axes.iter().find(|(dims, ..)| dims.as_slice() == [d]);
        own.map(|(_, axis, digits)| (*axis, *digits))
    }

    /// Digits with strides in bytes.
    fn chain(&self, digits: &[Digit]) -> Chain {
        let size = self.layout.dtype().size() as isize;
        digits.iter().map(|d| (d.radix, d.stride.wrapping_mul(size))).collect()
    }

    /// The digits of a dim that has an axis to itself; nothing for one that is merged.
    fn own_chain(&self, d: usize) -> Chain {
        match self.own(d) {
            Some((_, digits)) => self.chain(digits),
            None => SmallVec::from_iter([(self.window(d).extent().max(1), 0)]),
        }
    }

    /// The digits of a group, if its dims in this order are one position.
    fn linear(&self, order: &[usize], row: isize) -> Option<Chain> {
        let dims = self.layout.dims();
        if !order[1..].iter().all(|&d| *self.window(d) == Window::plain(dims[d] as isize)) {
            return None;
        }
        if let Some((.., digits)) = self.axes.iter().find(|(dims, ..)| dims.as_slice() == order) {
            return Some(self.chain(digits));
        }
        let mut running: Option<isize> = None;
        let mut inner = 0;
        for &d in order.iter().rev() {
            let stored = self.window(d).extent();
            let (axis, digit) = match self.own(d) {
                None if stored == 1 => continue,
                Some((axis, _)) if axis.extent == 1 => continue,
                Some((axis, [digit])) => (axis, digit),
                _ => return None,
            };
            if axis.extent != stored || running.is_some_and(|running| running != digit.stride) {
                return None;
            }
            if running.is_none() {
                inner = digit.stride;
            }
            running = digit.stride.checked_mul(stored);
        }
        // A parent of so many rows may be longer than can be counted.
        let extent = row.checked_mul(self.window(order[0]).extent())?;
        let size = self.layout.dtype().size() as isize;
        Some(SmallVec::from_iter([(extent.max(1), inner.wrapping_mul(size))]))
    }
}

impl Pair<'_> {
    /// Dims that merged axes of either side tie together, each group in order.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut group: Vec<usize> = (0..self.dst.layout.rank()).collect();
        for (dims, ..) in self.src.axes.iter().chain(&self.dst.axes) {
            for &d in dims {
                let (from, to) = (group[d], group[dims[0]]);
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
        let order = match group {
            [d] => SmallVec::from_iter([*d]),
            _ => {
                let mut axes = self.dst.axes.iter().chain(&self.src.axes);
                let whole =
                    axes.find(|(dims, ..)| dims.len() == group.len() && group.contains(&dims[0]));
                whole.map(|(dims, ..)| dims.clone())?
            }
        };
        let (outer, inner) = order.split_first()?;
        let dims = self.dst.layout.dims();
        let row: isize = inner.iter().map(|&d| dims[d] as isize).product();
        let merged = !inner.is_empty();
        let mut values = [0; OPERANDS];
        for (operand, value) in values.iter_mut().enumerate().skip(2) {
            let mut running = None;
            let wide = |d: &&usize| !merged || self.dst.window(**d).extent() > 1;
            for &d in order.iter().rev().filter(wide) {
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
        let (src, dst) = match group {
            [d] => (self.src.own_chain(*d), self.dst.own_chain(*d)),
            _ => (self.src.linear(&order, row)?, self.dst.linear(&order, row)?),
        };
        let (from, to) = (self.src.window(*outer), self.dst.window(*outer));
        if row > 1 && (from.reversed || to.reversed) {
            return None;
        }
        let own = to.owned();
        let mut owned = own.start * row..own.end * row;
        let axis = self.dst.axes.iter().find(|(dims, ..)| *dims == order).map(|(_, axis, _)| *axis);
        if let Some(axis) = axis.filter(|axis| self.dst.layout.owns_tail(axis)) {
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
        let folded = self.folded(group);
        let (first_line, first_fold) = (problem.lines.len(), problem.folds.len());
        problem.folds.extend(folded.iter().map(|own| own.fold.clone()));
        let mut owner = vec![None; self.dst.layout.rank()];
        for &d in group {
            let (from, to) = (self.src.window(d), self.dst.window(d));
            let (src, dst) = (self.src.own_chain(d), self.dst.own_chain(d));
            let mut owned = to.owned();
            if let Some((axis, _)) = self.dst.own(d).filter(|own| self.dst.layout.owns_tail(own.0))
            {
                owned.end = axis.extent;
            }
            let mut strand = relate(from, to, 1, owned, src, dst, self.values[d], bases);
            for (at, Folded { fold, weights, .. }) in (first_fold..).zip(&folded) {
                let way = if !fold.dst && from.reversed != to.reversed { -1 } else { 1 };
                if weights[d] != 0 {
                    let shift = if fold.dst { 0 } else { source_shift(from, to) };
                    strand.folds.push((at as u8, way * weights[d]));
                    // What is far in windows of several dims may cancel.
                    let start = &mut problem.folds[at].start;
                    *start = start.wrapping_add(weights[d].wrapping_mul(shift));
                }
            }
            owner[d] = Some(problem.lines.len() as u8);
            refine::push(problem, bases, strand);
        }
        debug_assert_eq!(problem.lines.len(), first_line + group.len());
        for (at, own) in (first_fold..).zip(&folded).filter(|(_, own)| own.fold.dst) {
            let lines = own.axis.dims.iter().filter_map(|&d| owner[d as usize]).collect();
            problem.tails.extend(self.tail(problem, own, at as u8, lines));
        }
    }

    /// The merged axes of a group, the source's before the destination's.
    fn folded(&self, group: &[usize]) -> Vec<Folded<'_>> {
        let mut folded = Vec::new();
        for side in [&self.src, &self.dst] {
            let merged = side.axes.iter().filter(|(dims, ..)| dims.len() > 1);
            for (dims, axis, digits) in merged.filter(|(dims, ..)| group.contains(&dims[0])) {
                let mut weights = vec![0; side.layout.rank()];
                let mut weight = 1;
                for &d in dims.iter().rev() {
                    weights[d] = weight;
                    weight *= side.window(d).extent();
                }
                let mut digits = side.chain(digits);
                refine::simplify(&mut digits);
                let digits = digits.into_iter().collect();
                let dst = std::ptr::eq(side, &self.dst);
                folded.push(Folded { fold: Fold { dst, start: 0, digits }, weights, axis });
            }
        }
        folded
    }

    /// The tail of a merged axis of the destination, whose dims are these lines, if the layout owns one.
    fn tail(
        &self,
        problem: &Problem,
        own: &Folded<'_>,
        fold: u8,
        lines: SmallVec<[u8; 4]>,
    ) -> Option<Tail> {
        let end = self.dst.layout.stored_extent(own.axis);
        if !self.dst.layout.owns_tail(own.axis) || end == own.axis.extent {
            return None;
        }
        let strand = Strand {
            owned: end..own.axis.extent,
            padded: end..end,
            data: end..end,
            dst: own.fold.digits.iter().copied().collect(),
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
        Some(Tail { lines, fold, base, instead })
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
    // Of the same element on both sides. Where ours is 0 may be further out than can be said.
    let (mut first_src, first_dst) = (from.position(0), to.position(0));
    if from.reversed != to.reversed {
        // Counted backwards, each digit is what its radix leaves of it.
        let mut positions = 1;
        for (radix, stride) in &mut src {
            let far = (*radix - 1).wrapping_mul(*stride);
            bases.0[Operand::Src as usize] = bases.0[Operand::Src as usize].wrapping_add(far);
            *stride = stride.wrapping_neg();
            positions *= *radix;
        }
        first_src = positions - 1 - first_src;
    }
    let shift = (first_src - first_dst) * row;
    // The index of the element at position 0.
    let (way, first) = match to.reversed {
        false => (1, -(to.before + to.lower) * row),
        true => (-1, to.extent() - 1 - to.before - to.lower),
    };
    for (base, value) in bases.0.iter_mut().zip(&mut values) {
        *base = base.wrapping_add(first.wrapping_mul(*value));
        *value = value.wrapping_mul(way);
    }
    Strand { owned, padded, data, dst, src, shift, values, folds: SmallVec::new() }
}

/// The source's position where the destination's is 0; it may come round, as in a window far along a parent that runs
/// the other way.
fn source_shift(from: &Window, to: &Window) -> isize {
    let (first_src, first_dst) = (from.position(0), to.position(0));
    match from.reversed == to.reversed {
        true => first_src - first_dst,
        false => first_src.wrapping_add(first_dst),
    }
}
