//! The arithmetic of a reorder. In: masks and a factor, then two layouts. Out: a checked description
//! and what the buffers must hold; the values themselves come with each run.
//!
//! ```text
//! t   = src_scale * (f32(src) - f32(src_zero_point))   every step rounded to f32
//! t   = t + sum * f32(dst before)                      a step not asked for is not done
//! t   = t * (1 / dst_scale) + f32(dst_zero_point)      the reciprocal is taken once
//! dst = t to nearest even, integers saturated
//! ```

use std::ops::Range;

mod sizes;
mod text;

pub use sizes::Sizes;
pub use text::GivenValues;

use crate::dtype::convert;
use crate::error::{counted, invalid};
use crate::layout::Extents;
use crate::problem::Arith;
use crate::{DType, Error, Layout, Result};

/// Which arithmetic a reorder does besides moving and converting.
///
/// ```text
/// t   = src_scale * (f32(src) - f32(src_zero_point))   every step rounded to f32, none fused
/// t   = t + beta * f32(dst before)                     a step not asked for is not done
/// t   = t * (1 / dst_scale) + f32(dst_zero_point)      the reciprocal is taken once
/// dst = t to nearest even, integers saturated
/// ```
///
/// Bit `i` of a mask asks for one value for each index of dim `i`, row-major over the masked dims; a
/// mask of 0 for one value in all.
///
/// ```
/// use retile::Attr;
/// let quantize = Attr::new().dst_scale(1 << 1).dst_zero_point(0);
/// assert!(quantize.is_arithmetic());
/// assert_eq!(quantize.dst_scale_mask(), Some(1 << 1));
/// assert_eq!(format!("{quantize:?}"), "Attr(--dst-scale=mask:2 --dst-zp=common)");
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Attr {
    src_scale: Option<u32>,
    dst_scale: Option<u32>,
    src_zero_point: Option<u32>,
    dst_zero_point: Option<u32>,
    /// The bits of the factor, so that attributes compare and hash.
    sum: Option<u32>,
    s8s8: Option<u32>,
    asymmetric: Option<u32>,
}

/// The values that a run needs: one list for each scale and zero point asked for, in order of the
/// masked coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Values<'a> {
    /// Multiplied with the source.
    pub src_scale: &'a [f32],
    /// Divides the result, as one multiplication by its reciprocal.
    pub dst_scale: &'a [f32],
    /// Subtracted from the source.
    pub src_zero_point: &'a [i32],
    /// Added to the result.
    pub dst_zero_point: &'a [i32],
}

impl Values<'_> {
    /// How many there are of each kind.
    pub(crate) fn counts(&self) -> [usize; 4] {
        let Values { src_scale, dst_scale, src_zero_point, dst_zero_point } = self;
        [src_scale.len(), dst_scale.len(), src_zero_point.len(), dst_zero_point.len()]
    }
}

impl Attr {
    /// No arithmetic.
    pub fn new() -> Attr {
        Attr::default()
    }

    /// A scale that the source is multiplied with.
    #[must_use]
    pub fn src_scale(self, mask: u32) -> Attr {
        Attr { src_scale: Some(mask), ..self }
    }

    /// A scale that the result is divided by.
    #[must_use]
    pub fn dst_scale(self, mask: u32) -> Attr {
        Attr { dst_scale: Some(mask), ..self }
    }

    /// A zero point that is subtracted from the source.
    #[must_use]
    pub fn src_zero_point(self, mask: u32) -> Attr {
        Attr { src_zero_point: Some(mask), ..self }
    }

    /// A zero point that is added to the result.
    #[must_use]
    pub fn dst_zero_point(self, mask: u32) -> Attr {
        Attr { dst_zero_point: Some(mask), ..self }
    }

    /// Adds what the destination held before, times `beta`, which must be finite.
    #[must_use]
    pub fn sum(self, beta: f32) -> Attr {
        // Every NaN is refused alike, and attributes can be compared by their bits.
        let beta = if beta.is_nan() { f32::NAN } else { beta };
        Attr { sum: Some(beta.to_bits()), ..self }
    }

    /// Appends -128 times the sums over the dims outside the mask to the destination, as the product
    /// of shifted activations with int8 weights needs.
    #[must_use]
    pub fn s8s8_compensation(self, mask: u32) -> Attr {
        Attr { s8s8: Some(mask), ..self }
    }

    /// Appends minus the sums over the dims outside the mask, as asymmetric activations need.
    #[must_use]
    pub fn asymmetric_compensation(self, mask: u32) -> Attr {
        Attr { asymmetric: Some(mask), ..self }
    }

    /// Whether elements pass through f32, so that a NaN becomes the canonical one.
    pub fn is_arithmetic(&self) -> bool {
        let masks = [self.src_scale, self.dst_scale, self.src_zero_point, self.dst_zero_point];
        masks.iter().any(|mask| mask.is_some()) || self.sum.is_some()
    }

    /// The factor of the sum.
    pub fn beta(&self) -> Option<f32> {
        self.sum.map(f32::from_bits)
    }

    /// The mask of the source's scale, where there is one.
    pub fn src_scale_mask(&self) -> Option<u32> {
        self.src_scale
    }

    /// The mask of the result's scale, where there is one.
    pub fn dst_scale_mask(&self) -> Option<u32> {
        self.dst_scale
    }

    /// The mask of the source's zero point, where there is one.
    pub fn src_zero_point_mask(&self) -> Option<u32> {
        self.src_zero_point
    }

    /// The mask of the result's zero point, where there is one.
    pub fn dst_zero_point_mask(&self) -> Option<u32> {
        self.dst_zero_point
    }

    /// The mask of the sums for shifted activations, where there are any.
    pub fn s8s8_compensation_mask(&self) -> Option<u32> {
        self.s8s8
    }

    /// The mask of the sums for asymmetric activations, where there are any.
    pub fn asymmetric_compensation_mask(&self) -> Option<u32> {
        self.asymmetric
    }

    /// Which steps there are, whatever their masks.
    pub(crate) fn arith(&self) -> Arith {
        Arith {
            src_scale: self.src_scale.is_some(),
            dst_scale: self.dst_scale.is_some(),
            src_zero_point: self.src_zero_point.is_some(),
            dst_zero_point: self.dst_zero_point.is_some(),
            sum: self.sum,
            s8s8: self.s8s8.is_some(),
            asymmetric: self.asymmetric.is_some(),
        }
    }

    /// Whether elements are copied as they are, so that only their size counts.
    pub(crate) fn moves_bits(&self, from: DType, to: DType) -> bool {
        from == to && !self.is_arithmetic() && self.s8s8.is_none() && self.asymmetric.is_none()
    }

    pub(crate) fn masks(&self) -> [(&'static str, Option<u32>); 6] {
        [
            ("source scale", self.src_scale),
            ("destination scale", self.dst_scale),
            ("source zero point", self.src_zero_point),
            ("destination zero point", self.dst_zero_point),
            ("s8s8 compensation", self.s8s8),
            ("asymmetric compensation", self.asymmetric),
        ]
    }

    /// Whether a reorder between these layouts with this arithmetic can be, and what it needs.
    pub fn sizes(&self, src: &Layout, dst: &Layout) -> Result<Sizes> {
        let (from, to) = (src.dtype(), dst.dtype());
        if src.dims() != dst.dims() {
            let (from, to) = (Extents(src.dims()), Extents(dst.dims()));
            return invalid!(
                "the source has dims {from} and the destination {to}, which must agree"
            );
        }
        if !convert::allowed(from, to) {
            return Err(Error::Unsupported(format!("no conversion from {from} to {to}")));
        }
        if self.is_arithmetic() && !convert::arithmetic_allowed(from, to) {
            return Err(Error::Unsupported(format!("no arithmetic from {from} to {to}")));
        }
        dst.check_destination()?;
        for (what, mask) in self.masks() {
            if u64::from(mask.unwrap_or(0)) >> dst.rank() != 0 {
                let mask = mask.unwrap_or(0);
                return invalid!("the mask {mask} of the {what} has bits past {} dims", dst.rank());
            }
        }
        if let Some(beta) = self.beta().filter(|beta| !beta.is_finite()) {
            return invalid!("a sum with the factor {beta}, which is not finite");
        }
        self.place_compensation(src, dst)
    }

    /// Compensation lies behind the data, rounded up to 4 bytes.
    fn place_compensation(&self, src: &Layout, dst: &Layout) -> Result<Sizes> {
        let mut sizes =
            Sizes { src: src.size_bytes(), dst: dst.size_bytes(), s8s8: None, asymmetric: None };
        if self.s8s8.is_none() && self.asymmetric.is_none() {
            return Ok(sizes);
        }
        if dst.dtype() != DType::S8 {
            return invalid!("compensation for a destination of {}, not s8", dst.dtype());
        }
        if let Some(beta) = self.beta() {
            return invalid!("compensation together with a sum by {beta}");
        }
        if dst.is_region() {
            return invalid!("compensation for {dst}, a region of a larger tensor");
        }
        let padded = dst.padded_dims();
        if dst.is_empty() {
            // Nothing is read or written where an extent is 0.
            return Ok(sizes);
        }
        sizes.dst = sizes.dst.next_multiple_of(4);
        for (mask, slot) in [(self.s8s8, &mut sizes.s8s8), (self.asymmetric, &mut sizes.asymmetric)]
        {
            let Some(mask) = mask else { continue };
            *slot = Some(sizes.dst);
            let count = masked(mask, &padded).try_fold(4usize, |n, e| n.checked_mul(e));
            let end = count.and_then(|bytes| sizes.dst.checked_add(bytes));
            match end.filter(|&end| isize::try_from(end).is_ok()) {
                Some(end) => sizes.dst = end,
                None => return invalid!("the compensation of mask {mask} is larger than memory"),
            }
        }
        Ok(sizes)
    }

    /// How many values a run between tensors of these dims needs: of the source's and the
    /// destination's scale, then of the source's and the destination's zero point.
    pub fn value_counts(&self, dims: &[usize]) -> [usize; 4] {
        let masks = [self.src_scale, self.dst_scale, self.src_zero_point, self.dst_zero_point];
        masks.map(|mask| mask.map_or(0, |mask| masked(mask, dims).fold(1, usize::saturating_mul)))
    }

    /// Whether the lists hold one value for each masked coordinate.
    pub fn check_values(&self, dims: &[usize], values: &Values<'_>) -> Result<()> {
        let needed = self.value_counts(dims).into_iter().zip(values.counts());
        for ((what, _), (expected, found)) in self.masks().into_iter().zip(needed) {
            if found != expected {
                let found = counted(found, "value");
                return Err(Error::Buffer(format!("{found} of the {what}, expected {expected}")));
            }
        }
        Ok(())
    }
}

/// The extents of the masked dims.
pub(crate) fn masked(mask: u32, dims: &[usize]) -> impl Iterator<Item = usize> {
    dims.iter().take(32).enumerate().filter(move |(d, _)| mask >> d & 1 == 1).map(|(_, &n)| n)
}

impl Sizes {
    /// The bytes of the appended sums.
    pub(crate) fn sums(&self) -> Range<usize> {
        self.s8s8.or(self.asymmetric).map_or(0..0, |start| start..self.dst)
    }

    /// Whether buffers of these sizes are large enough.
    pub fn check(&self, src: usize, dst: usize) -> Result<()> {
        for (what, found, needed) in [("source", src, self.src), ("destination", dst, self.dst)] {
            if found < needed {
                return Err(Error::Buffer(format!(
                    "the {what} has {found} bytes, {needed} are needed"
                )));
            }
        }
        Ok(())
    }
}
