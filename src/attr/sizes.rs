//! What buffers must hold. In: numbers of bytes, and a destination that was written. Out: its sums.

use crate::error::invalid;
use crate::{Element, Error, Result};

/// What the buffers must hold, and where compensation lies in the destination, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sizes {
    /// Of the source.
    pub src: usize,
    /// Of the destination, compensation included.
    pub dst: usize,
    /// Where the array of -128 times the sums starts: an `i32` for each position along the dims of its mask, row-major
    /// over their [padded extents](crate::Layout::padded_dims), 0 in the padding. A multiple of 4 from the
    /// destination's start.
    pub s8s8: Option<usize>,
    /// Where the array of minus the sums starts, in the same way.
    pub asymmetric: Option<usize>,
}

impl Sizes {
    /// The array at [`s8s8`](Sizes::s8s8) of a destination that was written, however its memory is aligned.
    ///
    /// ```
    /// use retile::{Attr, Layout, Reorder};
    /// let src: Layout = "s8:oihw:2x3x1x1".parse()?;
    /// let weights = Reorder::with_attr(&src, &src.destination("hwio")?, &Attr::new().s8s8_compensation(1 << 0))?;
    /// let sizes = weights.sizes();
    /// let mut packed = vec![0i8; sizes.dst];
    /// weights.run(&[1i8, 2, 3, 4, 5, 6], &mut packed)?;
    /// assert_eq!(packed[..6], [1, 4, 2, 5, 3, 6]);
    /// assert_eq!(sizes.s8s8_sums(&packed)?, [-128 * 6, -128 * 15]);
    /// # Ok::<(), retile::Error>(())
    /// ```
    pub fn s8s8_sums<D: Element>(&self, dst: &[D]) -> Result<Vec<i32>> {
        self.array("s8s8", self.s8s8, self.asymmetric.unwrap_or(self.dst), dst)
    }

    /// The array at [`asymmetric`](Sizes::asymmetric), likewise.
    pub fn asymmetric_sums<D: Element>(&self, dst: &[D]) -> Result<Vec<i32>> {
        self.array("asymmetric", self.asymmetric, self.dst, dst)
    }

    /// Those from one byte to another.
    fn array<D: Element>(
        &self,
        kind: &str,
        start: Option<usize>,
        end: usize,
        dst: &[D],
    ) -> Result<Vec<i32>> {
        let Some(start) = start else {
            return invalid!("no {kind} compensation was asked for");
        };
        let bytes: &[u8] = bytemuck::cast_slice(dst);
        let Some(bytes) = bytes.get(start..end) else {
            let (found, needed) = (bytes.len(), self.dst);
            let what = format!("the destination has {found} bytes, {needed} are needed");
            return Err(Error::Buffer(what));
        };
        let sum = |bytes: &[u8]| i32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        Ok(bytes.chunks_exact(4).map(sum).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_lie_behind_one_another() {
        let sizes = Sizes { src: 5, dst: 20, s8s8: Some(8), asymmetric: Some(16) };
        let bytes: Vec<u8> = [0i32, 0, 3, -1, 7, 9].iter().flat_map(|n| n.to_ne_bytes()).collect();
        // At any address, with more behind.
        let off: Vec<u8> = std::iter::once(1).chain(bytes.iter().copied()).collect();
        assert_eq!(sizes.s8s8_sums(&bytes), Ok(vec![3, -1]));
        assert_eq!(sizes.s8s8_sums(&off[1..]), Ok(vec![3, -1]));
        assert_eq!(sizes.asymmetric_sums(&bytes), Ok(vec![7]));
        assert_eq!(Sizes { asymmetric: None, ..sizes }.s8s8_sums(&bytes), Ok(vec![3, -1, 7]));
        let short = sizes.asymmetric_sums(&bytes[..19]).unwrap_err();
        assert_eq!(short.to_string(), "the destination has 19 bytes, 20 are needed");
        let none = Sizes { s8s8: None, ..sizes }.s8s8_sums(&bytes).unwrap_err();
        assert_eq!(none.to_string(), "no s8s8 compensation was asked for");
    }
}
