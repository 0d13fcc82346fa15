//! Tensors in other layouts. In: a tensor, and a destination. Out: its elements there.

use super::Tensor;
use crate::{Attr, Error, Reorder, Result, Values};

impl Tensor<'_> {
    /// A new tensor with these elements in another layout, given as in
    /// [`Layout::destination`](crate::Layout::destination): dims are this one's, and the type too where none is named.
    ///
    /// ```
    /// use retile::Tensor;
    /// let elements = [0f32, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11.];
    /// let planes = Tensor::from_logical("f32:nchw:1x3x2x2".parse()?, &elements)?;
    /// let blocks = planes.reorder_to("nChw8c")?;
    /// assert_eq!(blocks.read::<f32>()?[..4], [0.0, 4.0, 8.0, 0.0]);
    /// assert_eq!(blocks.to_logical::<f32>()?, planes.to_logical::<f32>()?);
    /// # Ok::<(), retile::Error>(())
    /// ```
    pub fn reorder_to(&self, destination: &str) -> Result<Tensor<'static>> {
        let tensor = Tensor::zeroed(self.layout.destination(destination)?)?;
        self.reorder_into(&tensor, &Attr::new(), &Values::default())?;
        Ok(tensor)
    }

    /// Writes these elements to another tensor, with arithmetic if wanted. An error where both are handles of one
    /// buffer, or somebody else writes this one, or reads or writes the other. With compensation the destination's
    /// buffer is [longer](crate::Sizes::dst) than its layout, as one that is [attached](Tensor::attach) may be.
    pub fn reorder_into(
        &self,
        destination: &Tensor<'_>,
        attr: &Attr,
        values: &Values<'_>,
    ) -> Result<()> {
        if self.same_buffer(destination) {
            return Err(Error::Buffer("source and destination are one buffer".into()));
        }
        let reorder = Reorder::with_attr(&self.layout, &destination.layout, attr)?;
        let source = self.lock()?;
        let mut memory = destination.lock_mut()?;
        reorder.run_bytes(source.bytes(), memory.bytes_mut()?, values)
    }
}
