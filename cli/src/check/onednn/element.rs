//! One element as both sides have it. In: a pair and the values of its arithmetic. Out: what an element of the
//! destination is made of.

use retile::dtype::convert;
use retile::{Cell, DType, MAX_RANK, Role, Values};

use crate::pair::Pair;

/// An element of the destination, and all that it is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Element {
    pub(super) from: DType,
    pub(super) to: DType,
    /// It belongs to no coordinate: a block has more lanes than there are elements.
    pub(super) tail: bool,
    /// The bits of the source's element, and of the destination's before.
    pub(super) src: u64,
    pub(super) before: u64,
    /// The steps that are asked for, with the values for this element.
    pub(super) src_zero_point: Option<i32>,
    pub(super) src_scale: Option<f32>,
    pub(super) sum: Option<f32>,
    pub(super) dst_scale: Option<f32>,
    pub(super) dst_zero_point: Option<i32>,
    /// A scale has a value for each index of some dims.
    pub(super) masked: bool,
}

/// The masks of a pair, read once for all elements: of scales, then of zero points, the source's first.
pub(super) struct Masks([Option<u32>; 4]);

impl Masks {
    pub(super) fn of(pair: &Pair) -> Masks {
        Masks(["src-scale", "dst-scale", "src-zp", "dst-zp"].map(|name| pair.mask(name)))
    }

    /// The element of a cell that is no margin. What lies in a tail is made of zeros, with the first value of
    /// each list.
    pub(super) fn element(
        &self,
        pair: &Pair,
        values: &Values<'_>,
        cell: &Cell,
        [src, before]: [u64; 2],
    ) -> Element {
        let tail = cell.role == Role::Tail;
        let at = |mask| if tail { 0 } else { index(mask, pair.src.dims(), &cell.coords) };
        let [src_scale, dst_scale, src_zero_point, dst_zero_point] =
            self.0.map(|mask| mask.map(at));
        Element {
            from: pair.src.dtype(),
            to: pair.dst.dtype(),
            tail,
            src: if tail { 0 } else { src },
            before,
            src_zero_point: src_zero_point.map(|i| values.src_zero_point[i]),
            src_scale: src_scale.map(|i| values.src_scale[i]),
            sum: pair.attr.beta(),
            dst_scale: dst_scale.map(|i| values.dst_scale[i]),
            dst_zero_point: dst_zero_point.map(|i| values.dst_zero_point[i]),
            masked: self.0[..2].iter().any(|mask| mask.is_some_and(|mask| mask != 0)),
        }
    }
}

/// Row-major over the masked dims.
fn index(mask: u32, dims: &[usize], at: &[isize; MAX_RANK]) -> usize {
    let masked = dims.iter().zip(at).enumerate().filter(|(d, _)| mask >> d & 1 == 1);
    masked.fold(0, |index, (_, (&n, &i))| index * n + i as usize)
}

impl Element {
    pub(super) fn is_scaled(&self) -> bool {
        self.src_scale.is_some() || self.dst_scale.is_some()
    }

    pub(super) fn is_shifted(&self) -> bool {
        self.src_zero_point.is_some() || self.dst_zero_point.is_some()
    }

    pub(super) fn is_arithmetic(&self) -> bool {
        self.is_scaled() || self.is_shifted() || self.sum.is_some()
    }

    /// Without arithmetic, as oneDNN sees it.
    pub(super) fn is_plain(&self) -> bool {
        !self.is_scaled() && !self.is_shifted() && !self.is_summed()
    }

    /// A sum of nothing is none to oneDNN.
    pub(super) fn is_summed(&self) -> bool {
        self.sum.is_some_and(|beta| beta != 0.0)
    }

    /// The source's element as the arithmetic takes it.
    pub(super) fn value(&self) -> f32 {
        convert::load_f32(self.from, self.src)
    }
}
