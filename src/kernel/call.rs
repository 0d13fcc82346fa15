//! Checked calls. In: slices of elements, and values. Out: the destination written, or an error that says what does not
//! fit, and nothing written.

use std::mem::MaybeUninit;

use super::Kernel;
use crate::attr::Values;
use crate::buffer::{check_alignment, check_type};
use crate::{Element, Error, Result};

impl Kernel {
    /// Runs it on the elements of two buffers, from their starts.
    ///
    /// ```
    /// use retile::{Layout, Reorder};
    /// let src: Layout = "f32:ab:2x3".parse()?;
    /// let kernel = Reorder::new(&src, &src.destination("ba")?)?.into_kernel();
    /// let mut turned = [0f32; 6];
    /// kernel.run(&[1f32, 2.0, 3.0, 4.0, 5.0, 6.0], &mut turned)?;
    /// assert_eq!(turned, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    /// # Ok::<(), retile::Error>(())
    /// ```
    pub fn run<S: Element, D: Element>(&self, src: &[S], dst: &mut [D]) -> Result<()> {
        self.run_with(src, dst, &Values::default())
    }

    /// Runs it with the values that the attributes ask for.
    pub fn run_with<S: Element, D: Element>(
        &self,
        src: &[S],
        dst: &mut [D],
        values: &Values<'_>,
    ) -> Result<()> {
        self.check_types::<S, D>()?;
        self.run_bytes(bytemuck::cast_slice(src), bytemuck::cast_slice_mut(dst), values)
    }

    /// Like [`run_with`](Kernel::run_with), on bytes, which must be aligned for the elements.
    pub fn run_bytes(&self, src: &[u8], dst: &mut [u8], values: &Values<'_>) -> Result<()> {
        self.check(src, dst.as_ptr(), dst.len(), values)?;
        // SAFETY:
        // - sizes, alignment and the number of values were checked just now;
        // - the destination is borrowed alone, so the source is apart from it and nobody else writes.
        unsafe { self.run_raw(src.as_ptr(), dst.as_mut_ptr(), values) };
        Ok(())
    }

    /// Runs it into memory that nothing was written to yet, and gives what it is now: as many elements as
    /// [`Sizes::dst`](crate::Sizes::dst) says. An error where some of them would be left as they were: with a sum,
    /// which reads them first, and with gaps between elements.
    ///
    /// ```
    /// use retile::{Layout, Reorder, Values};
    /// let src: Layout = "f32:nchw:1x3x2x2".parse()?;
    /// let dst = src.destination("nChw8c")?;
    /// let mut blocks = Vec::<f32>::with_capacity(dst.size_elements());
    /// let room = blocks.spare_capacity_mut();
    /// let written = Reorder::new(&src, &dst)?.run_uninit(&[1f32; 12], room, &Values::default())?.len();
    /// // Each of them was written.
    /// unsafe { blocks.set_len(written) };
    /// assert_eq!(blocks[..4], [1f32, 1.0, 1.0, 0.0]);
    /// # Ok::<(), retile::Error>(())
    /// ```
    pub fn run_uninit<'d, S: Element, D: Element>(
        &self,
        src: &[S],
        dst: &'d mut [MaybeUninit<D>],
        values: &Values<'_>,
    ) -> Result<&'d mut [D]> {
        self.check_types::<S, D>()?;
        let (bytes, at) = (size_of_val(dst), dst.as_mut_ptr());
        // SAFETY: all of the destination's bytes; nothing is read of them, and what is written are elements' bytes.
        let room = unsafe { std::slice::from_raw_parts_mut(at.cast(), bytes) };
        let count =
            self.run_uninit_bytes(bytemuck::cast_slice(src), room, values)?.len() / size_of::<D>();
        // SAFETY: so many elements were written just now, and any bytes are elements.
        Ok(unsafe { std::slice::from_raw_parts_mut(at.cast::<D>(), count) })
    }

    /// Like [`run_uninit`](Kernel::run_uninit), on bytes, which must be aligned for the elements.
    pub fn run_uninit_bytes<'d>(
        &self,
        src: &[u8],
        dst: &'d mut [MaybeUninit<u8>],
        values: &Values<'_>,
    ) -> Result<&'d mut [u8]> {
        if let Some(beta) = self.attr().beta() {
            let what = format!("a sum with {beta} reads a destination that nothing was written to");
            return Err(Error::Buffer(what));
        }
        if !self.inner.covers {
            let what = format!("{} leaves gaps that nothing was written to", self.dst());
            return Err(Error::Buffer(what));
        }
        let at = dst.as_mut_ptr().cast::<u8>();
        self.check(src, at, dst.len(), values)?;
        // SAFETY: as for `run_bytes`; nothing is read of the destination, as there is no sum, but for what was written
        // in the same run.
        unsafe { self.run_raw(src.as_ptr(), at, values) };
        // SAFETY: the layout covers each byte up to the size, which was checked to be within `dst`; all of them were
        // written just now.
        Ok(unsafe { std::slice::from_raw_parts_mut(at, self.sizes().dst) })
    }

    /// Whether elements of these types are what the layouts have.
    pub(super) fn check_types<S: Element, D: Element>(&self) -> Result<()> {
        check_type::<S>("source", self.src().dtype())?;
        check_type::<D>("destination", self.dst().dtype())
    }

    /// Whether buffers and values are what a run needs.
    pub(super) fn check(
        &self,
        src: &[u8],
        dst: *const u8,
        dst_bytes: usize,
        values: &Values<'_>,
    ) -> Result<()> {
        let inner = &*self.inner;
        inner.sizes.check(src.len(), dst_bytes)?;
        // One by one: lists compared as a whole would be put together in memory first.
        if !values.counts().into_iter().zip(inner.counts).all(|(found, needed)| found == needed) {
            inner.attr.check_values(inner.src.dims(), values)?;
        }
        check_alignment("source", &inner.src, src.as_ptr())?;
        check_alignment("destination", &inner.dst, dst)
    }
}
