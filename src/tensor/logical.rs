//! Tensors and lists of their elements. In: elements in row-major order of their coordinates, or one for all. Out: a
//! tensor of them, and the way back; by kernels, as any other conversion.

use super::{Tensor, zeroed};
use crate::buffer::check_type;
use crate::dtype::convert;
use crate::{Element, Error, Layout, Reorder, Result, Values};

impl Tensor<'static> {
    /// A new buffer with `value` in every element, the layout's fill in its margins and zero in its
    /// tails. The value is converted as fills are.
    pub fn filled(layout: Layout, value: f32) -> Result<Tensor<'static>> {
        let (dtype, dims) = (layout.dtype(), layout.dims().to_vec());
        let bits = [convert::fill(dtype, value)];
        let size = dtype.size();
        let used = if cfg!(target_endian = "big") { 8 - size..8 } else { 0..size };
        // One element, over and over.
        let one = Layout::strided(dtype, &dims, &vec![0; dims.len()], 0)?;
        Tensor::made(layout, &one, &bytemuck::cast_slice(&bits)[used])
    }

    /// A new buffer with these elements, given in row-major order of their coordinates; margins get
    /// the layout's fill, tails zero.
    pub fn from_logical<T: Element>(layout: Layout, elements: &[T]) -> Result<Tensor<'static>> {
        check_type::<T>("buffer", layout.dtype())?;
        if elements.len() != layout.elements() {
            let (found, needed) = (elements.len(), layout.elements());
            return Err(Error::Buffer(format!("{found} elements given, {needed} needed")));
        }
        let plain = Layout::row_major(layout.dtype(), layout.dims())?;
        Tensor::made(layout, &plain, bytemuck::cast_slice(elements))
    }

    fn made(layout: Layout, from: &Layout, bytes: &[u8]) -> Result<Tensor<'static>> {
        let reorder = Reorder::new(from, &layout)?;
        let tensor = Tensor::zeroed(layout)?;
        reorder.run_bytes(bytes, tensor.lock_mut()?.bytes_mut()?, &Values::default())?;
        Ok(tensor)
    }
}

impl Tensor<'_> {
    /// The elements in row-major order of their coordinates.
    pub fn to_logical<T: Element>(&self) -> Result<Vec<T>> {
        let elements = self.read::<T>()?;
        let plain = Layout::row_major(self.layout.dtype(), self.layout.dims())?;
        let mut list: Vec<T> = zeroed(self.layout.elements())?;
        let reorder = Reorder::new(&self.layout, &plain)?;
        let bytes = bytemuck::cast_slice_mut(&mut list);
        reorder.run_bytes(bytemuck::cast_slice(&elements), bytes, &Values::default())?;
        Ok(list)
    }
}
