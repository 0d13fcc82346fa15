//! Other dims for the same elements. In: a layout and extents of as many. Out: the layout that says the same memory by
//! them, or why none does.
//!
//! ```text
//! group     the shortest runs of old and new dims that hold the same elements
//! keep      dims that lie beside each other in an axis hand their place in it on to the new ones
//! dissolve  axes that are one stride each and go on from one another become axes of the new dims
//! ```
//!
//! Dims of extent 1 have no part in that: wherever they were they are left out, or made anew.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::build::{AxisParts, Parts, check_rank};
use super::{Axis, Digit, Layout, MAX_RANK, Window};
use crate::Result;
use crate::error::invalid;

impl Layout {
    /// The same elements in the same row-major order under other dims, where strides can say it:
    /// unpadded dims may be split anywhere, and joined where they are contiguous or already merged.
    pub fn reshape(&self, dims: &[usize]) -> Result<Layout> {
        check_rank(dims.len())?;
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
        let mut windows = vec![Window::default(); dims.len()];
        let mut reshape = Reshape {
            layout: self,
            dims,
            axes: self.axes().collect(),
            heirs: vec![Dims::new(); self.dims().len()],
            dissolved: vec![false; self.axes().count()],
            plain: Vec::new(),
        };
        for (old, new) in groups(self.dims(), dims) {
            if old.len() == 1 && new.len() == 1 {
                // One to one, with all that lies around it.
                windows[new.start] = self.windows()[old.start];
                reshape.heirs[old.start].push(new.start as u8);
            } else {
                new.clone().for_each(|d| windows[d] = Window::plain(dims[d] as isize));
                reshape.regroup(old, new)?;
            }
        }
        Parts { axes: reshape.axes()?, windows, ..Parts::of(self) }.assemble()
    }
}

type Dims = ArrayVec<u8, MAX_RANK>;

/// A layout on its way to other dims.
struct Reshape<'a> {
    layout: &'a Layout,
    dims: &'a [usize],
    axes: Vec<(&'a Axis, &'a [Digit])>,
    /// By old dim, the new ones that take its place in its axis.
    heirs: Vec<Dims>,
    /// By axis, whether others stand for it.
    dissolved: Vec<bool>,
    /// These.
    plain: Vec<AxisParts>,
}

impl Reshape<'_> {
    fn refuse<T>(&self, why: &str) -> Result<T> {
        invalid!("{:?} cannot be reshaped to {:?} in place: {why}", self.layout.dims(), self.dims)
    }

    /// Gives the dims `new` the place of the dims `old`, which have as many elements.
    fn regroup(&mut self, old: Range<usize>, new: Range<usize>) -> Result<()> {
        let extents = self.layout.dims();
        let plain = |d: usize| self.layout.windows()[d] == Window::plain(extents[d] as isize);
        if !old.clone().all(plain) {
            return self.refuse("margins, regions and reversed dims keep their extents");
        }
        let lead: ArrayVec<usize, MAX_RANK> = old.clone().filter(|d| extents[*d] > 1).collect();
        let holders: ArrayVec<usize, MAX_RANK> = lead.iter().map(|d| self.holder(*d)).collect();
        let Some(&first) = holders.first() else {
            self.plain.extend(new.map(|d| AxisParts::plain(d, 1, 1)));
            return Ok(());
        };
        // Of one stride, and nothing but the dim.
        let is_plain = |(&h, &d): (&usize, &usize)| {
            self.axes[h].0.extent == extents[d] as isize && self.axes[h].1.len() == 1
        };
        if holders.iter().zip(&lead).all(is_plain) {
            return self.dissolve(&lead, &holders, new);
        }
        let places = self.axes[first].0.dims.iter().map(|d| usize::from(*d));
        let wide = |d: &usize| self.layout.windows()[*d].extent() > 1;
        let beside = places.skip_while(|d| *d != lead[0]).filter(wide);
        if !beside.take(lead.len()).eq(lead.iter().copied()) {
            return self.refuse("blocked, padded or merged dims are not contiguous with others");
        }
        self.heirs[lead[0]] = new.map(|d| d as u8).collect();
        Ok(())
    }

    fn holder(&self, d: usize) -> usize {
        let held = self.axes.iter().position(|(axis, _)| axis.dims.contains(&(d as u8)));
        held.expect("every dim has an axis")
    }

    /// Makes new axes of some that are of one stride each.
    fn dissolve(&mut self, lead: &[usize], holders: &[usize], new: Range<usize>) -> Result<()> {
        let strides = || holders.iter().map(|h| self.axes[*h].1[0].stride);
        let outer = strides().zip(lead.iter().zip(strides()).skip(1));
        for (stride, (&d, inner)) in outer {
            if stride as i128 != inner as i128 * self.layout.dims()[d] as i128 {
                return self.refuse("the dims are not contiguous");
            }
        }
        let mut stride = strides().next_back().expect("dims that have an axis");
        for &h in holders {
            self.dissolved[h] = true;
        }
        for d in new.rev() {
            let extent = self.dims[d] as isize;
            self.plain.push(AxisParts::plain(d, extent, stride));
            stride = stride.saturating_mul(extent);
        }
        Ok(())
    }

    /// All axes, those that were kept with the new dims.
    fn axes(self) -> Result<Vec<AxisParts>> {
        let mut axes = Vec::new();
        for (&(axis, digits), &dissolved) in self.axes.iter().zip(&self.dissolved) {
            let dims: Dims =
                axis.dims.iter().flat_map(|&d| self.heirs[usize::from(d)].clone()).collect();
            if dissolved {
                // Of extent 1, beside a dim whose axis it was.
                axes.extend(dims.iter().map(|&d| AxisParts::plain(d.into(), 1, 1)));
            } else if !dims.is_empty() {
                axes.push(AxisParts { dims, extent: axis.extent, digits: digits.to_vec() });
            } else if axis.extent > 1 {
                return self.refuse("a blocked dim would be lost");
            }
        }
        axes.extend(self.plain);
        Ok(axes)
    }
}

/// The shortest runs of old and new dims that hold the same elements.
fn groups(old: &[usize], new: &[usize]) -> Vec<(std::ops::Range<usize>, std::ops::Range<usize>)> {
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
