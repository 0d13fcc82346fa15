//! The front door. In: two layouts, and arithmetic if wanted. Out: a conversion to run on slices, on
//! pointers, or as tasks of the caller's own threads.

use crate::attr::{Attr, Values};
use crate::{Element, Error, Kernel, Layout, Result};

/// A conversion between two layouts.
///
/// ```
/// use retile::{Layout, Reorder};
/// let src: Layout = "f32:nchw:1x3x2x2".parse()?;
/// let reorder = Reorder::new(&src, &src.destination("nhwc")?)?;
/// let planes: Vec<f32> = (0..12).map(|i| i as f32).collect();
/// let mut pixels = [0f32; 12];
/// reorder.run(&planes, &mut pixels)?;
/// assert_eq!(pixels[..4], [0.0, 4.0, 8.0, 1.0]);
/// # Ok::<(), retile::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reorder {
    kernel: Kernel,
}

impl Reorder {
    /// Moves and converts, without arithmetic.
    pub fn new(src: &Layout, dst: &Layout) -> Result<Reorder> {
        Reorder::with_attr(src, dst, &Attr::new())
    }

    /// The same with arithmetic, whose values come with each run.
    pub fn with_attr(src: &Layout, dst: &Layout, attr: &Attr) -> Result<Reorder> {
        Ok(Reorder { kernel: Kernel::new(src, dst, attr)? })
    }

    /// What runs it.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Runs it on the elements of two buffers, from their starts.
    pub fn run<S: Element, D: Element>(&self, src: &[S], dst: &mut [D]) -> Result<()> {
        self.run_with(src, dst, &Values::default())
    }

    /// The same with the values that the attributes ask for.
    pub fn run_with<S: Element, D: Element>(
        &self,
        src: &[S],
        dst: &mut [D],
        values: &Values<'_>,
    ) -> Result<()> {
        let (from, to) = (self.kernel.src().dtype(), self.kernel.dst().dtype());
        for (holds, what, dtype, found) in [
            (S::holds(from), "source", from, std::any::type_name::<S>()),
            (D::holds(to), "destination", to, std::any::type_name::<D>()),
        ] {
            if !holds {
                return Err(Error::Buffer(format!("a {what} of {found} for elements of {dtype}")));
            }
        }
        let (src, dst) = (bytemuck::cast_slice(src), bytemuck::cast_slice_mut(dst));
        self.kernel.run_bytes(src, dst, values)
    }

    /// The same on bytes, which must be aligned for the elements.
    pub fn run_bytes(&self, src: &[u8], dst: &mut [u8], values: &Values<'_>) -> Result<()> {
        self.kernel.run_bytes(src, dst, values)
    }
}
