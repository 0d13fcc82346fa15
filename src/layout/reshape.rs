//! Other dims for the same elements. In: a layout and extents of as many. Out: the layout that says the same memory by
//! them, or why none does.
//!
//! ```text
//! group     the shortest runs of old and new dims that hold the same elements
//! cut       axes come apart between groups, where a digit ends there; dims of extent 1 drop out
//! fold      a part of a parent, or a reversed dim, becomes a place to start from and strides of its own
//! join      the digits of a group's dims make one number, if each dim's go on from those of the next
//! cut       that number comes apart where a digit, or a whole part of one, ends with a new dim
//! ```
//!
//! A group whose dims are merged with others has no number of its own: the new dims take their place in the axis.

use std::collections::VecDeque;
use std::mem;
use std::ops::Range;

use arrayvec::ArrayVec;

use super::build::{AxisParts, Parts, check_rank};
use super::{Digit, Layout, MAX_RANK, Window};
use crate::Result;
use crate::error::invalid;

impl Layout {
    /// The same elements in the same row-major order under other dims, where strides can say it.
    ///
    /// Dims are split anywhere, and joined where they are contiguous or merged already: blocked ones too, and parts of
    /// a parent that are cut along its blocks. Margins, and padding between elements, are refused. Where an extent is
    /// 0 the dims become row-major.
    ///
    /// ```
    /// # use retile::Layout;
    /// let rows: Layout = "f32:ab:4x64".parse()?;
    /// let heads = rows.region(&[0, 16], &[4, 32])?.reshape(&[4, 2, 16])?;
    /// assert_eq!(heads, "f32:strides(64,16,1):4x2x16:offset=16".parse()?);
    /// # Ok::<(), retile::Error>(())
    /// ```
    pub fn reshape(&self, dims: &[usize]) -> Result<Layout> {
        check_rank(dims.len())?;
        if self.dims() == dims {
            return Ok(self.clone());
        }
        let product = dims.iter().try_fold(1usize, |product, &n| product.checked_mul(n));
        let count = if dims.contains(&0) { Some(0) } else { product };
        if count != Some(self.elements()) {
            let (own, wanted) = (self.elements(), count.map(|n| n.to_string()));
            let wanted = wanted.unwrap_or_else(|| format!("more than {}", usize::MAX));
            let from = self.dims();
            return invalid!(
                "{from:?} cannot be reshaped to {dims:?}: {own} elements against {wanted}"
            );
        }
        if self.is_empty() {
            let mut parts = Parts::of(&Layout::row_major(self.dtype(), dims)?);
            (parts.base, parts.fill) = (self.offset(), self.fill());
            return parts.assemble();
        }
        let groups = groups(self.dims(), dims);
        let kept = |(old, new): &(Range<usize>, Range<usize>)| old.len() == 1 && new.len() == 1;
        let mut group_of = vec![None; self.rank()];
        for (i, (old, _)) in groups.iter().enumerate().filter(|(_, group)| !kept(group)) {
            group_of[old.clone()].fill(Some(i));
        }
        let parts = Parts::of(self);
        let mut reshape = Reshape {
            layout: self,
            dims,
            base: parts.base,
            segments: segments(&parts, &group_of),
            axes: Vec::new(),
        };
        let mut windows: Vec<Window> = dims.iter().map(|&n| Window::plain(n as isize)).collect();
        let mut heirs: Vec<Dims> = vec![Dims::new(); self.rank()];
        for group in groups {
            let (old, new) = group.clone();
            if kept(&group) {
                // With all that lies around it.
                windows[new.start] = self.windows()[old.start];
                heirs[old.start].push(new.start as u8);
            } else if let Some(lead) = reshape.regroup(old, new.clone())? {
                heirs[usize::from(lead)] = new.map(|d| d as u8).collect();
            }
        }
        for segment in mem::take(&mut reshape.segments) {
            let dims = segment.dims.iter().flat_map(|&d| heirs[usize::from(d)].clone()).collect();
            reshape.axes.push(AxisParts { dims, ..segment });
        }
        if reshape.axes.iter().any(|axis| axis.dims.is_empty()) {
            return reshape.refuse(LOST);
        }
        let Reshape { base, mut axes, .. } = reshape;
        let is_placed = |d: &usize| axes.iter().any(|axis| axis.dims.contains(&(*d as u8)));
        let single: Vec<usize> = (0..dims.len()).filter(|d| !is_placed(d)).collect();
        axes.extend(single.into_iter().map(|d| AxisParts::plain(d, 1, 1)));
        Parts { axes, windows, base, ..parts }.assemble()
    }
}

type Dims = ArrayVec<u8, MAX_RANK>;

/// A layout on its way to other dims.
struct Reshape<'a> {
    layout: &'a Layout,
    dims: &'a [usize],
    base: isize,
    /// Of old dims, parts of axes that are left.
    segments: Vec<AxisParts>,
    /// Of new dims, those that stand for the others.
    axes: Vec<AxisParts>,
}

impl Reshape<'_> {
    fn refuse<T>(&self, why: &str) -> Result<T> {
        invalid!("{:?} cannot be reshaped to {:?} in place: {why}", self.layout.dims(), self.dims)
    }

    fn window(&self, d: u8) -> &Window {
        &self.layout.windows()[usize::from(d)]
    }

    /// Gives the dims `new` the elements of the dims `old`, which are as many: axes of their own, or in a segment the
    /// place of the dim that is returned.
    fn regroup(&mut self, old: Range<usize>, new: Range<usize>) -> Result<Option<u8>> {
        let old: Dims = old.map(|d| d as u8).collect();
        if old.iter().any(|&d| self.window(d).lower != 0 || self.window(d).upper != 0) {
            return self.refuse("margins keep the extents of their dims");
        }
        if old.iter().any(|&d| self.window(d).fixed.is_some()) {
            return self.refuse("a dim of fixed extent keeps it");
        }
        let own = |d: &u8| old.contains(d);
        let is_own = |segment: &AxisParts| segment.dims.iter().all(own);
        let holds = |segment: &&AxisParts| segment.dims.iter().any(own);
        let mut holders = self.segments.iter().filter(holds);
        if let Some(shared) = holders.clone().find(|segment| !is_own(segment)) {
            let run = shared.dims.iter().copied().skip_while(|d| !own(d)).take_while(own);
            let held: Dims = run.collect();
            let beside = held.len() == shared.dims.iter().filter(|d| own(d)).count();
            if holders.nth(1).is_some() || !beside || !held.is_sorted() {
                return self.refuse("some of its dims are merged with others");
            }
            if !held.iter().all(|&d| is_plain(self.window(d))) {
                return self.refuse(MERGED_PART);
            }
            return Ok(Some(held[0]));
        }
        let taken = self.segments.extract_if(.., |segment| is_own(segment));
        let mut taken: Vec<AxisParts> = taken.collect();
        taken.sort_by_key(|segment| segment.dims[0]);
        if !taken.iter().flat_map(|segment| &segment.dims).is_sorted() {
            return self.refuse("merged dims lie in another order");
        }
        let number = self.join(taken)?;
        let wide = new.clone().filter(|&d| self.dims[d] > 1).map(|d| d as u8);
        let mut wide: Dims = wide.collect();
        if wide.is_empty() && !number.is_empty() {
            // One element, and padding.
            wide.extend(new.clone().next().map(|d| d as u8));
            if wide.is_empty() {
                return self.refuse(LOST);
            }
        }
        if !wide.is_empty() {
            let runs =
                wide.iter().map(|&d| (Dims::from_iter([d]), self.dims[usize::from(d)] as isize));
            self.axes.extend(cut(number, &runs.collect::<Vec<_>>()));
        }
        Ok(None)
    }

    /// The digits of segments, outermost first, as those of one number.
    fn join(&mut self, segments: Vec<AxisParts>) -> Result<Vec<Digit>> {
        let mut number: Vec<Digit> = Vec::new();
        let mut count = Some(1isize);
        for (i, mut segment) in segments.into_iter().enumerate().rev() {
            self.fold(&mut segment)?;
            let stored = segment.dims.iter().map(|&d| self.window(d).n).product();
            if i > 0 && segment.extent > stored {
                return self.refuse("the padding of a blocked dim would lie between elements");
            }
            count = count.and_then(|count| count.checked_mul(segment.extent));
            let mut digits = segment.digits.into_iter().filter(|digit| digit.radix > 1).peekable();
            if let (Some(inner), Some(outer)) = (number.last_mut(), digits.peek()) {
                if inner.stride.checked_mul(inner.radix) != Some(outer.stride) {
                    return self.refuse("the dims are not contiguous");
                }
                // No more than all of them, which are counted.
                inner.radix = inner.radix.saturating_mul(outer.radix);
                digits.next();
            }
            number.extend(digits);
        }
        match count {
            Some(_) => Ok(number),
            None => self.refuse("with their padding they are more than an address can say"),
        }
    }

    /// Makes a part of a parent, or a reversed dim, one that starts at its own first element and has nothing around it.
    fn fold(&mut self, segment: &mut AxisParts) -> Result<()> {
        if segment.dims.iter().all(|&d| is_plain(self.window(d))) {
            return Ok(());
        }
        let &[d] = segment.dims.as_slice() else { return self.refuse(MERGED_PART) };
        let window = *self.window(d);
        // Sums wrap: only the last one is known to be in range.
        if window.reversed {
            if segment.extent != window.extent() {
                return self.refuse("the padding of a reversed dim lies before its elements");
            }
            for digit in &mut segment.digits {
                self.base = self.base.wrapping_add(digit.stride.wrapping_mul(digit.radix - 1));
                digit.stride = digit.stride.wrapping_neg();
            }
        }
        // A tail belongs to what reaches the end.
        let mut first = window.before;
        segment.extent = if window.after == 0 { segment.extent - first } else { window.n };
        loop {
            let (top, rest) = segment.digits.split_last_mut().expect("an axis has a digit");
            let unit: isize = rest.iter().map(|digit| digit.radix).product();
            let (from, last) = (first / unit, (first + segment.extent - 1) / unit);
            let whole = first % unit == 0 && segment.extent % unit == 0;
            if !whole && from != last {
                return self.refuse("a region of it is cut within a block");
            }
            self.base = self.base.wrapping_add(from.wrapping_mul(top.stride));
            if whole {
                top.radix = segment.extent / unit;
                return Ok(());
            }
            // All within one value of the outermost digit.
            segment.digits.pop();
            first %= unit;
        }
    }
}

const LOST: &str = "the padding of a blocked dim would be lost";
const MERGED_PART: &str = "a region or a reversed dim is merged with others";

fn is_plain(window: &Window) -> bool {
    *window == Window::plain(window.n)
}

/// The axes of a layout, those that have regrouped dims in as many parts as there are groups, where they can be.
fn segments(parts: &Parts, group_of: &[Option<usize>]) -> Vec<AxisParts> {
    let mut segments = Vec::new();
    for axis in &parts.axes {
        let window = |d: &u8| &parts.windows[usize::from(*d)];
        let group = |d: u8| group_of[usize::from(d)];
        let stored: isize = axis.dims.iter().map(|d| window(d).extent()).product();
        if !axis.dims.iter().any(|&d| group(d).is_some()) {
            segments.push(axis.clone());
            continue;
        }
        let wide: Dims = axis.dims.iter().copied().filter(|d| window(d).extent() > 1).collect();
        if wide.is_empty() {
            segments.extend((axis.extent > 1).then(|| axis.clone()));
        } else if axis.extent == stored || axis.dims.iter().all(|d| is_plain(window(d))) {
            let next = |a: u8, b: u8| a < b && (a + 1..b).all(|d| window(&d).extent() == 1);
            let one = |&a: &u8, &b: &u8| group(a).is_some() && group(a) == group(b) && next(a, b);
            let runs = wide.chunk_by(one);
            let extent = |run: &[u8]| run.iter().map(|d| window(d).extent()).product();
            let runs: Vec<_> =
                runs.map(|run| (Dims::from_iter(run.iter().copied()), extent(run))).collect();
            segments.extend(cut(axis.digits.clone(), &runs));
        } else {
            // The tail belongs to what reaches the end of all of them together.
            segments.push(AxisParts { dims: wide, ..axis.clone() });
        }
    }
    segments
}

/// The number that `digits` make, innermost first, as axes of runs of dims, outermost first: one for each, and for some
/// together where no digit ends between them. Padding is the first one's.
fn cut(digits: Vec<Digit>, runs: &[(Dims, isize)]) -> Vec<AxisParts> {
    let mut rest: VecDeque<Digit> = digits.into();
    let mut axes = Vec::new();
    let none = || AxisParts { dims: Dims::new(), extent: 1, digits: Vec::new() };
    let mut axis = none();
    let (outermost, inner) = runs.split_first().expect("dims of a number");
    let mut stored = 1;
    for (dims, extent) in inner.iter().rev() {
        axis.dims = dims.iter().chain(&axis.dims).copied().collect();
        stored *= extent;
        while let Some(digit) = rest.pop_front() {
            let part = stored / axis.extent;
            if digit.radix <= part {
                axis.extent *= digit.radix;
                axis.digits.push(digit);
                continue;
            }
            let outer = digit.stride.checked_mul(part);
            match outer.filter(|_| stored % axis.extent == 0 && digit.radix % part == 0 && part > 1)
            {
                Some(stride) => {
                    axis.digits.push(Digit { radix: part, ..digit });
                    axis.extent = stored;
                    rest.push_front(Digit { radix: digit.radix / part, stride });
                }
                None => rest.push_front(digit),
            }
            break;
        }
        if axis.extent == stored {
            axes.push(mem::replace(&mut axis, none()));
            stored = 1;
        }
    }
    axis.dims = outermost.0.iter().chain(&axis.dims).copied().collect();
    axis.extent *= rest.iter().map(|digit| digit.radix).product::<isize>();
    axis.digits.extend(rest);
    axes.push(axis);
    axes
}

/// The shortest runs of old and new dims that hold the same elements.
fn groups(old: &[usize], new: &[usize]) -> Vec<(Range<usize>, Range<usize>)> {
    let (mut i, mut j) = (0, 0);
    let mut groups = Vec::new();
    while i < old.len() || j < new.len() {
        let (start_i, start_j) = (i, j);
        let (mut p, mut q) = (1, 1);
        if i < old.len() && j < new.len() {
            (p, q) = (old[i], new[j]);
            (i, j) = (i + 1, j + 1);
        }
        while p != q || (start_i == i && start_j == j) {
            if (p < q && i < old.len()) || j == new.len() {
                p *= old[i];
                i += 1;
            } else {
                q *= new[j];
                j += 1;
            }
        }
        groups.push((start_i..i, start_j..j));
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_the_shortest() {
        assert_eq!(groups(&[2, 3, 4], &[6, 4]), [(0..2, 0..1), (2..3, 1..2)]);
        assert_eq!(groups(&[12], &[3, 4]), [(0..1, 0..2)]);
        assert_eq!(groups(&[5], &[5, 1, 1]), [(0..1, 0..1), (1..1, 1..2), (1..1, 2..3)]);
        assert_eq!(groups(&[5, 1], &[5]), [(0..1, 0..1), (1..2, 1..1)]);
        assert_eq!(groups(&[1, 6], &[6]), [(0..2, 0..1)]);
    }
}
