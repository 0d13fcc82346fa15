//! One element as both sides have it. In: a pair and the values of its arithmetic. Out: what an element of the
//! destination is made of.

use retile::dtype::convert;
use retile::{DType, MAX_RANK, Values};

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

    /// The element of these coordinates.
    pub(super) fn element(
        &self,
        pair: &Pair,
        values: &Values<'_>,
        at: &[isize; MAX_RANK],
        [src, before]: [u64; 2],
    ) -> Element {
        let [src_scale, dst_scale, src_zero_point, dst_zero_point] =
            self.0.map(|mask| mask.map(|mask| index(mask, pair.src.dims(), at)));
        Element {
            from: pair.src.dtype(),
            to: pair.dst.dtype(),
            tail: false,
            src,
            before,
            src_zero_point: src_zero_point.map(|i| values.src_zero_point[i]),
            src_scale: src_scale.map(|i| values.src_scale[i]),
            sum: pair.attr.beta(),
            dst_scale: dst_scale.map(|i| values.dst_scale[i]),
            dst_zero_point: dst_zero_point.map(|i| values.dst_zero_point[i]),
            masked: self.0[..2].iter().any(|mask| mask.is_some_and(|mask| mask != 0)),
        }
    }

    /// What oneDNN may make an element of a tail of: 0, and any of the scales, since past the end of a dim
    /// there is none that it should take.
    pub(super) fn tails(&self, pair: &Pair, values: &Values<'_>, before: u64) -> Vec<Element> {
        let first = self.element(pair, values, &[0; MAX_RANK], [0, before]);
        let first = Element { tail: true, ..first };
        let some = |mask: Option<u32>, given: &[f32]| {
            let mut scales: Vec<Option<f32>> = given.iter().copied().map(Some).collect();
            match mask {
                None => scales.push(None),
                Some(0) => {}
                // Some of its code takes no scale there, some a 0 for its reciprocal.
                Some(_) => scales.extend([Some(1.0), Some(f32::INFINITY)]),
            }
            scales.sort_by_key(|scale| scale.map(f32::to_bits));
            scales.dedup();
            scales
        };
        // A source of 0 knows scales by their sign alone.
        let signs = values.src_scale.iter().map(|scale| 1f32.copysign(*scale));
        let src = some(self.0[0], &signs.collect::<Vec<_>>());
        let dst = some(self.0[1], values.dst_scale);
        let both = src.iter().flat_map(|src| dst.iter().map(move |dst| (*src, *dst)));
        both.map(|(src_scale, dst_scale)| Element { src_scale, dst_scale, ..first }).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_coordinates() {
        let line = "f32:ab:2x3 s8:ba --src-scale=mask:2:1,2,4 --dst-zp=mask:3:1,2,3,4,5,6 --sum=1";
        let pair = Pair::of_line(line).unwrap_or_else(|failure| panic!("{failure}"));
        let given = pair.values(crate::draw::Numbers::Moderate, &mut crate::draw::Draw::new(1));
        let (masks, values) = (Masks::of(&pair), given.as_values());
        let mut at = [0; MAX_RANK];
        at[..2].copy_from_slice(&[1, 2]);
        let element = masks.element(&pair, &values, &at, [7, 8]);
        assert_eq!((element.src_scale, element.dst_zero_point), (Some(4.0), Some(6)));
        assert_eq!((element.dst_scale, element.src_zero_point), (None, None));
        assert_eq!((element.sum, element.src, element.before), (Some(1.0), 7, 8));
        assert!(element.masked && element.is_summed() && !element.tail);
        // One sign among the source's scales, and none of the destination's.
        let tails = masks.tails(&pair, &values, 8);
        let scales: Vec<_> = tails.iter().map(|tail| (tail.src_scale, tail.dst_scale)).collect();
        assert_eq!(scales, [(Some(1.0), None), (Some(f32::INFINITY), None)]);
        assert!(tails.iter().all(|tail| tail.tail && tail.src == 0 && tail.before == 8));
    }
}
