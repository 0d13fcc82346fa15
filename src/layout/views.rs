//! Other layouts of the same memory. In: a layout. Out: a part of it, or its dims in another order,
//! direction or number. No element moves.

use super::build::{AxisParts, Parts, check_rank, too_large};
use super::{Layout, Window, dim_name};
use crate::error::invalid;
use crate::{Error, Result};

impl Layout {
    /// The sub-tensor of extents `dims` at `offsets`, oneDNN's submemory. Offsets need not be
    /// multiples of a block.
    ///
    /// Its surroundings stay the parent's: margins are never touched, and a block's tail belongs to
    /// the region only where it reaches the end of that dim in memory, which of a reversed dim is its
    /// first element.
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
            let own = parts.axes.iter().position(|axis| axis.dims.contains(&(d as u8)));
            let axis = &mut parts.axes[own.expect("a dim is of an axis")];
            let repeated = AxisParts::plain(d, n as isize, 0);
            if axis.dims.len() == 1 {
                // The one element's place becomes part of the offset, its blocks and margins are gone.
                let position = parts.windows[d].position(0);
                let place = super::place::contribution(&axis.digits, position);
                parts.base = parts.base.wrapping_add(place);
                *axis = repeated;
            } else if parts.windows[d].extent() == 1 {
                // A single position is nothing in the number that merged dims make.
                axis.dims.retain(|own| *own != d as u8);
                parts.axes.push(repeated);
            } else {
                let name = dim_name(d);
                return Err(Error::Unsupported(format!(
                    "repeating dim {name}, one element of a longer one that is merged with others"
                )));
            }
            parts.windows[d] = Window::plain(repeat(n)?);
        }
        parts.assemble()
    }
}
