//! Layouts as oneDNN describes them. In: a layout. Out: outer strides and inner blocks, where these
//! say it, and the size oneDNN would give it.

use super::{Blocking, Layout};

/// oneDNN's blocking descriptor of a layout: an outer stride for each dim, and inner blocks that lie
/// densely inside, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlockingDesc {
    /// Logical extents.
    pub dims: Vec<usize>,
    /// Extents with padding.
    pub padded_dims: Vec<usize>,
    /// The strides of the outer digits, in elements.
    pub strides: Vec<isize>,
    /// Sizes of the inner blocks, outermost first.
    pub inner_sizes: Vec<usize>,
    /// The dim that each inner block belongs to.
    pub inner_dims: Vec<usize>,
    /// Elements before the first.
    pub offset: isize,
}

impl BlockingDesc {
    /// The layout that it describes, as [`Layout::blocked`] takes it.
    ///
    /// ```
    /// use retile::Layout;
    ///
    /// let layout: Layout = "f32:nChw8c:1x11x2x3".parse()?;
    /// let desc = layout.blocking().expect("one of oneDNN's");
    /// let again = Layout::blocked(layout.dtype(), &desc.as_blocking())?;
    /// assert_eq!(again.offset_of(&[0, 9, 1, 2])?, layout.offset_of(&[0, 9, 1, 2])?);
    /// assert_eq!(again.size_bytes(), layout.size_bytes());
    /// # Ok::<(), retile::Error>(())
    /// ```
    pub fn as_blocking(&self) -> Blocking<'_> {
        let BlockingDesc { dims, padded_dims, strides, inner_sizes, inner_dims, offset } = self;
        Blocking { dims, padded_dims, strides, inner_sizes, inner_dims, offset: *offset }
    }

    /// The product of a dim's inner blocks.
    pub fn block(&self, d: usize) -> usize {
        let inner = self.inner_sizes.iter().zip(&self.inner_dims);
        inner.filter(|block| *block.1 == d).map(|block| block.0).product()
    }

    /// The offset leads so many elements of a dim on, if they are whole blocks.
    fn lead(&mut self, d: usize, elements: usize) -> Option<()> {
        let block = self.block(d);
        let blocks = elements.is_multiple_of(block).then_some(elements / block)?;
        let step = self.strides[d].checked_mul(blocks as isize)?;
        self.offset = self.offset.checked_add(step)?;
        Some(())
    }
}

impl Layout {
    /// This layout as oneDNN's blocking descriptor, where that grammar can say its order.
    ///
    /// Margins before the elements and a parent's extents have no place in the descriptor: the offset leads past them,
    /// and the padded dims count our own from there on. A region or margins that start or end inside of a block, with
    /// more of the parent's behind them, have none.
    ///
    /// ```
    /// use retile::Layout;
    ///
    /// let layout: Layout = "f32:ab:2x3:lower=0,1".parse()?;
    /// let desc = layout.blocking().expect("rows with a gap before each");
    /// assert_eq!((desc.offset, &desc.padded_dims[..]), (1, &[2, 3][..]));
    /// # Ok::<(), retile::Error>(())
    /// ```
    pub fn blocking(&self) -> Option<BlockingDesc> {
        let mut desc = self.stored_blocks()?;
        for d in 0..self.rank() {
            let lower = self.lower(d);
            desc.lead(d, lower)?;
            desc.padded_dims[d] -= lower;
        }
        Some(desc)
    }

    /// The descriptor of all that is stored, from the first element of a margin on, where there is one.
    fn stored_blocks(&self) -> Option<BlockingDesc> {
        let mut desc = self.order_of_blocks()?;
        for (d, window) in self.windows().iter().enumerate() {
            desc.lead(d, window.before as usize)?;
            if !desc.padded_dims[d].is_multiple_of(desc.block(d)) {
                return None;
            }
        }
        Some(desc)
    }

    /// The descriptor of the tensor that this is a part of, but for its dims.
    pub(super) fn order_of_blocks(&self) -> Option<BlockingDesc> {
        if self.row.is_some() {
            return None;
        }
        let mut strides = vec![0; self.rank()];
        // (stride, size, dim, place among the dim's own), from the innermost outwards.
        let mut inner: Vec<(isize, usize, usize, usize)> = Vec::new();
        for (axis, digits) in self.axes() {
            let (&[d], Some((top, rest))) = (axis.dims.as_slice(), digits.split_last()) else {
                return None;
            };
            let d = d as usize;
            if self.windows()[d].reversed {
                return None;
            }
            strides[d] = top.stride;
            let blocks = rest.iter().enumerate();
            inner.extend(blocks.map(|(i, digit)| (digit.stride, digit.radix as usize, d, i)));
        }
        // Blocks of one element share their stride with the block outside them.
        inner.sort();
        let mut running = 1;
        let mut reached = vec![0; self.rank()];
        for &(stride, size, d, place) in &inner {
            // The blocks of one dim must go from high to low.
            if stride != running || place != reached[d] {
                return None;
            }
            reached[d] += 1;
            running = stride.checked_mul(size as isize)?;
        }
        inner.reverse();
        Some(BlockingDesc {
            dims: self.dims().to_vec(),
            padded_dims: self.padded_dims(),
            strides,
            inner_sizes: inner.iter().map(|block| block.1).collect(),
            inner_dims: inner.iter().map(|block| block.2).collect(),
            offset: self.offset(),
        })
    }

    /// The bytes that oneDNN's `get_size` gives, where its descriptor can say this layout.
    ///
    /// That is the furthest that any one dim reaches, its blocks counted whole; the offset is not
    /// counted, and nothing is 0 where an extent is 0.
    pub fn onednn_size_bytes(&self) -> Option<usize> {
        let desc = self.stored_blocks()?;
        if self.is_empty() {
            return Some(0);
        }
        let reach = |d: usize| {
            let blocks = desc.padded_dims[d] / desc.block(d);
            let stride = if blocks == 1 { 1 } else { desc.strides[d].unsigned_abs() };
            blocks.checked_mul(stride)
        };
        let furthest =
            (0..self.rank()).map(reach).collect::<Option<Vec<_>>>()?.into_iter().max()?;
        let elements = match furthest {
            1 => desc.inner_sizes.iter().product(),
            _ => furthest,
        };
        elements.checked_mul(self.dtype().size())
    }
}
