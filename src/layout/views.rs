//! Other layouts of the same memory. In: a layout. Out: a part of it, or its dims in another order,
//! direction, grouping or number. No element moves.

use arrayvec::ArrayVec;

use super::build::{AxisParts, Parts, check_rank, too_large};
use super::{Layout, Window, dim_name};
use crate::error::invalid;
use crate::{Error, Result};

impl Layout {
    /// The sub-tensor of extents `dims` at `offsets`, oneDNN's submemory. Offsets need not be
    /// multiples of a block.
    ///
    /// Its surroundings stay the parent's: margins are never touched, and a block's tail belongs to
    /// the region only where it reaches the end of that dim.
    ///
    /// ```
    /// # use retile::Layout;
    /// let whole: Layout = "f32:nChw16c:1x48x7x7".parse()?;
    /// let part = whole.region(&[0, 17, 0, 0], &[1, 31, 7, 7])?;
    /// assert_eq!(part.offset_of(&[0, 0, 2, 3])?, whole.offset_of(&[0, 17, 2, 3])?);
    /// # Ok::<(), retile::Error>(())
    /// ```
    pub fn region(&self, offsets: &[usize], dims: &[usize]) -> Result<Layout> {
        if offsets.len() != self.rank() || dims.len() != self.rank() {
            let (o, d) = (offsets.len(), dims.len());
            return invalid!("{o} offsets and {d} extents given for {} dims", self.rank());
        }
        let mut parts = Parts::of(self);
        for (d, window) in parts.windows.iter_mut().enumerate() {
            let (at, n, whole) = (offsets[d], dims[d], self.dims()[d]);
            if at > whole || n > whole - at {
                let name = dim_name(d);
                return invalid!("{n} elements of dim {name} from {at} on are outside its {whole}");
            }
            let (at, n) = (at as isize, n as isize);
            *window = Window {
                n,
                lower: 0,
                upper: 0,
                before: window.before + window.lower + at,
                after: window.after + window.upper + window.n - at - n,
                ..*window
            };
        }
        parts.assemble()
    }

    /// The dims in another order: dim `i` of the result is dim `axes[i]` of this layout.
    pub fn permute(&self, axes: &[usize]) -> Result<Layout> {
        let mut inverse = vec![usize::MAX; self.rank()];
        for (to, &from) in axes.iter().enumerate() {
            match inverse.get_mut(from) {
                Some(slot) if *slot == usize::MAX => *slot = to,
                _ => return invalid!("{axes:?} is not an order of {} dims", self.rank()),
            }
        }
        if axes.len() != self.rank() {
            return invalid!("{axes:?} is not an order of {} dims", self.rank());
        }
        let mut parts = Parts::of(self);
        parts.windows = axes.iter().map(|&from| self.windows()[from]).collect();
        for axis in &mut parts.axes {
            for d in &mut axis.dims {
                *d = inverse[*d as usize] as u8;
            }
        }
        parts.assemble()
    }

    /// The dims of the mask's set bits the other way round.
    pub fn flip(&self, mask: u32) -> Result<Layout> {
        if u64::from(mask) >> self.rank() != 0 {
            return invalid!("the mask {mask:#b} has bits past {} dims", self.rank());
        }
        let mut parts = Parts::of(self);
        for (d, window) in parts.windows.iter_mut().enumerate().filter(|(d, _)| mask >> d & 1 == 1)
        {
            if window.fixed.is_some() {
                let name = dim_name(d);
                return Err(Error::Unsupported(format!(
                    "flipping dim {name}, whose extent is fixed"
                )));
            }
            *window = Window {
                lower: window.upper,
                upper: window.lower,
                before: window.after,
                after: window.before,
                reversed: !window.reversed,
                ..*window
            };
        }
        parts.assemble()
    }

    /// More dims and larger extents by repeating what there is, by NumPy's rule: extents of 1 are
    /// repeated, missing dims are added in front. Only a source can be repeated.
    pub fn broadcast(&self, dims: &[usize]) -> Result<Layout> {
        check_rank(dims.len())?;
        let Some(added) = dims.len().checked_sub(self.rank()) else {
            return invalid!("{} dims cannot be repeated to {}", self.rank(), dims.len());
        };
        let mut parts = Parts::of(self);
        for axis in &mut parts.axes {
            axis.dims.iter_mut().for_each(|d| *d += added as u8);
        }
        let repeat = |n: usize| {
            isize::try_from(n).or_else(|_| too_large(format_args!("a dim of {n} elements")))
        };
        for (d, &n) in dims[..added].iter().enumerate() {
            parts.windows.insert(d, Window::plain(repeat(n)?));
            parts.axes.push(AxisParts::plain(d, n as isize, 0));
        }
        for (d, (&n, &old)) in dims[added..].iter().zip(self.dims()).enumerate() {
            if n == old {
                continue;
            }
            let d = d + added;
            if old != 1 {
                return invalid!("dim {} of {old} elements cannot be repeated to {n}", dim_name(d));
            }
            let own = parts.axes.iter().position(|axis| axis.dims.as_slice() == [d as u8]);
            let Some(a) = own else {
                let name = dim_name(d);
                return Err(Error::Unsupported(format!(
                    "repeating dim {name}, which is merged with others"
                )));
            };
            // The one element's place becomes part of the offset, its blocks and margins are gone.
            let position = parts.windows[d].position(0);
            let place = super::place::contribution(&parts.axes[a].digits, position);
            parts.base = parts.base.wrapping_add(place);
            parts.windows[d] = Window::plain(repeat(n)?);
            parts.axes[a] = AxisParts::plain(d, n as isize, 0);
        }
        parts.assemble()
    }

    /// The same elements in the same row-major order under other dims, where strides can say it:
    /// unpadded dims may be split anywhere, and joined where they are contiguous or already merged.
    pub fn reshape(&self, dims: &[usize]) -> Result<Layout> {
        check_rank(dims.len())?;
        let product = dims.iter().try_fold(1usize, |product, &n| product.checked_mul(n));
        let count = if dims.contains(&0) { Some(0) } else { product };
        if count != Some(self.elements()) {
            return invalid!("{:?} cannot be reshaped to {dims:?}: other elements", self.dims());
        }
        if self.is_empty() {
            let mut parts = Parts::of(&Layout::row_major(self.dtype(), dims)?);
            (parts.base, parts.fill) = (self.offset(), self.fill());
            return parts.assemble();
        }
        let mut parts = Parts::of(self);
        parts.windows = vec![Window::default(); dims.len()];
        parts.axes.clear();
        let mut taken: Vec<(usize, AxisParts)> = Vec::new();
        for (old, new) in groups(self.dims(), dims) {
            let windows = &mut parts.windows;
            if old.len() == 1 && new.len() == 1 {
                windows[new.start] = self.windows()[old.start];
            } else {
                new.clone().for_each(|d| windows[d] = Window::plain(dims[d] as isize));
            }
            self.regroup(old, new, dims, &mut taken)?;
        }
        parts.axes = taken.into_iter().map(|(_, axis)| axis).collect();
        if parts.axes.iter().any(|axis| axis.dims.is_empty()) {
            return invalid!(
                "{:?} cannot be reshaped to {dims:?}: a blocked dim would be lost",
                self.dims()
            );
        }
        parts.assemble()
    }

    /// Gives the dims `new` the place of the dims `old`. `taken` holds the axes so far, each with its
    /// index in this layout, `usize::MAX` for one made here.
    fn regroup(
        &self,
        old: std::ops::Range<usize>,
        new: std::ops::Range<usize>,
        dims: &[usize],
        taken: &mut Vec<(usize, AxisParts)>,
    ) -> Result<()> {
        let refuse = |why: &str| -> Result<()> {
            invalid!("{:?} cannot be reshaped to {dims:?} in place: {why}", self.dims())
        };
        let same = old.len() == 1 && new.len() == 1;
        if !same && old.clone().any(|d| self.windows()[d] != Window::plain(self.dims()[d] as isize))
        {
            return refuse("margins, regions and reversed dims keep their extents");
        }
        let axes: Vec<_> = self.axes().collect();
        let holder = |d: usize| {
            let held = axes.iter().position(|(axis, _)| axis.dims.contains(&(d as u8)));
            held.expect("every dim has an axis")
        };
        let holders: Vec<usize> = old.clone().map(holder).collect();
        let Some(&first) = holders.first() else {
            // Extents of 1 that nothing stands for.
            taken.extend(new.map(|d| (usize::MAX, AxisParts::plain(d, 1, 1))));
            return Ok(());
        };
        let (axis, digits) = axes[first];
        let in_order = axis.dims.windows(2).all(|pair| pair[1] == pair[0] + 1);
        if axis.dims.len() > 1 || digits.len() > 1 || axis.extent != self.stored_extent(axis) {
            if holders.iter().any(|&h| h != first) || (axis.dims.len() > 1 && !in_order && !same) {
                return refuse("blocked or padded dims are not contiguous with others");
            }
            let at = taken.iter().position(|(from, _)| *from == first).unwrap_or(taken.len());
            if at == taken.len() {
                let digits = digits.to_vec();
                let dims = if in_order { ArrayVec::new() } else { axis.dims.clone() };
                taken.push((first, AxisParts { dims, extent: axis.extent, digits }));
            }
            if !in_order {
                // One to one: each dim keeps its place within the axis.
                let place = axis.dims.iter().position(|&d| d as usize == old.start);
                taken[at].1.dims[place.unwrap_or(0)] = new.start as u8;
                return Ok(());
            }
            taken[at].1.dims.extend(new.map(|d| d as u8));
            return Ok(());
        }
        // Plain dims: contiguous from the innermost outwards, extents of 1 apart.
        let mut running: Option<i128> = None;
        let mut inner = 1;
        for (&h, d) in holders.iter().zip(old).rev() {
            let (axis, digits) = axes[h];
            let [digit] = digits else {
                return refuse("blocked dims are not contiguous with others");
            };
            if axis.extent != self.dims()[d] as isize && !same {
                return refuse("padded dims are not contiguous with others");
            }
            if axis.extent == 1 && !same {
                continue;
            }
            let stride = digit.stride as i128;
            match running {
                None => inner = digit.stride,
                Some(running) if running != stride => return refuse("the dims are not contiguous"),
                Some(_) => {}
            }
            running = Some(stride * axis.extent as i128);
        }
        for d in new.rev() {
            let extent = if same { axis.extent } else { dims[d] as isize };
            taken.push((usize::MAX, AxisParts::plain(d, extent, inner)));
            inner = inner.saturating_mul(extent);
        }
        Ok(())
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
