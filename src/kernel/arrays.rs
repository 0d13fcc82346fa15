//! Arrays of ndarray, with feature `ndarray`. In: views, whatever their strides. Out: the same elements in another
//! view, or in an array of their own.
//!
//! ```
//! use ndarray::Array3;
//! use retile::arrays::{assign, to_standard};
//! # fn main() -> retile::Result<()> {
//! let planes = Array3::from_shape_fn((3, 4, 5), |(c, y, x)| (20 * c + 5 * y + x) as f32);
//! // As `as_standard_layout`, and much faster.
//! let pixels = to_standard(planes.view().permuted_axes([1, 2, 0]))?;
//! assert_eq!(pixels[(3, 4, 2)], planes[(2, 3, 4)]);
//! // From one view to another, and to another element type.
//! let mut bytes = Array3::<u8>::zeros((3, 4, 5));
//! assign(planes.view(), bytes.view_mut())?;
//! assert_eq!(bytes[(2, 3, 4)], 59);
//! # Ok(())
//! # }
//! ```

use ndarray::{Array, ArrayView, ArrayViewMut, Dimension};

use crate::attr::{Attr, Values};
use crate::{Element, Error, Layout, Reorder, Result};

/// The layout of a view, and how many bytes before the view's first element the buffer of that layout starts: none, but
/// where strides are negative.
pub fn layout_of<T: Element, D: Dimension>(view: &ArrayView<'_, T, D>) -> Result<(Layout, usize)> {
    let size = size_of::<T>() as isize;
    // Only what leads nowhere, in dims of extent 1 or of no elements, may be longer than memory.
    let bytes = |stride: &isize| stride.checked_mul(size).unwrap_or(size);
    let strides: Vec<isize> = view.strides().iter().map(bytes).collect();
    match view.shape() {
        // A single element has a layout with one dim.
        [] => Layout::byte_strided(T::DTYPE, &[1], &[size]),
        dims => Layout::byte_strided(T::DTYPE, dims, &strides),
    }
}

/// Writes the elements of a view to another of the same shape, as they are or converted.
pub fn assign<S: Element, T: Element, D: Dimension>(
    source: ArrayView<'_, S, D>,
    destination: ArrayViewMut<'_, T, D>,
) -> Result<()> {
    assign_with(source, destination, &Attr::new(), &Values::default())
}

/// Like [`assign`], with arithmetic.
pub fn assign_with<S: Element, T: Element, D: Dimension>(
    source: ArrayView<'_, S, D>,
    mut destination: ArrayViewMut<'_, T, D>,
    attr: &Attr,
    values: &Values<'_>,
) -> Result<()> {
    if source.shape() != destination.shape() {
        let (from, to) = (source.shape(), destination.shape());
        return Err(Error::Invalid(format!("an array of {from:?} for one of {to:?}")));
    }
    let (src, before_src) = layout_of(&source)?;
    let (dst, before_dst) = layout_of(&destination.view())?;
    let reorder = Reorder::with_attr(&src, &dst, attr)?;
    if reorder.sizes().s8s8.is_some() || reorder.sizes().asymmetric.is_some() {
        return Err(Error::Unsupported("an array has no room for compensation".into()));
    }
    reorder.attr().check_values(src.dims(), values)?;
    let from = source.as_ptr().cast::<u8>().wrapping_sub(before_src);
    let to = destination.as_mut_ptr().cast::<u8>().wrapping_sub(before_dst);
    // SAFETY:
    // - the layouts are those of the views, whose elements may be read and written, and lie where the views have them;
    //   nothing but elements is accessed;
    // - the destination is borrowed alone, so none of its elements is the source's;
    // - there are as many values as the masks ask for.
    unsafe { reorder.run_raw(from, to, values) };
    Ok(())
}

/// A new array in standard layout with the elements of a view.
pub fn to_standard<T: Element, D: Dimension>(view: ArrayView<'_, T, D>) -> Result<Array<T, D>> {
    let mut list: Vec<T> = Vec::new();
    let bytes = view.len().saturating_mul(size_of::<T>());
    list.try_reserve_exact(view.len()).map_err(|_| Error::Memory { bytes })?;
    let (src, before) = layout_of(&view)?;
    let dst = Layout::row_major(T::DTYPE, src.dims())?;
    let reorder = Reorder::new(&src, &dst)?;
    let from = view.as_ptr().cast::<u8>().wrapping_sub(before);
    // SAFETY: as above; the list has room for all elements, nothing is read of it, and nobody else has it.
    unsafe { reorder.run_raw(from, list.as_mut_ptr().cast(), &Values::default()) };
    // SAFETY: a row-major layout has no gaps, so each element was written just now.
    unsafe { list.set_len(view.len()) };
    let array = Array::from_shape_vec(view.raw_dim(), list);
    array.map_err(|error| Error::Invalid(error.to_string()))
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, Array3, Array4, ArrayD, Axis, IxDyn, ShapeBuilder, s};

    use super::*;

    #[test]
    fn any_order_of_axes_and_any_steps() {
        let shape = if cfg!(miri) { (2, 3, 3, 2) } else { (3, 5, 7, 6) };
        let array =
            Array4::from_shape_fn(shape, |(a, b, c, d)| (a * 1000 + b * 100 + c * 10 + d) as i32);
        let mut seen = 0;
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [0, 2, 3, 1], [2, 0, 3, 1]] {
            for step in [1, 2, -1, -2] {
                let mut view = array.view().permuted_axes(order);
                view.slice_axis_inplace(Axis(1), ndarray::Slice::new(1, None, step));
                view.invert_axis(Axis(2));
                let standard = to_standard(view).unwrap();
                assert!(standard.is_standard_layout());
                assert_eq!(standard, view);
                seen += standard.len();
            }
        }
        assert!(seen > 1000 || cfg!(miri));
    }

    /// ndarray looks at no stride that leads nowhere.
    #[test]
    fn strides_that_lead_nowhere() {
        let far = isize::MAX as usize / 2;
        let one = ndarray::ArrayView2::from_shape((1, 3).strides((far, 1)), &[1f32, 2.0, 3.0]);
        let one = one.unwrap();
        assert_eq!(to_standard(one).unwrap(), one);
        let mut doubles = Array2::<f64>::zeros((1, 3));
        assign(one, doubles.view_mut()).unwrap();
        assert_eq!(doubles, ndarray::array![[1.0, 2.0, 3.0]]);
    }

    #[test]
    fn into_every_second_column() {
        let source = Array2::from_shape_fn((4, 5), |(i, j)| (10 * i + j) as f32);
        let mut target = Array2::<i8>::from_elem((5, 8), -1);
        let view = target.slice_mut(s![.., ..;-2]);
        assign(source.t(), view).unwrap();
        for ((i, j), found) in target.indexed_iter() {
            let wanted = if j % 2 == 1 { (10 * ((7 - j) / 2) + i) as i8 } else { -1 };
            assert_eq!(*found, wanted, "{i} {j}");
        }
    }

    #[test]
    fn repeated_sources_and_none_at_all() {
        let row = Array2::from_shape_fn((1, 4), |(_, j)| j as u16);
        let view = row.broadcast((3, 4)).unwrap();
        assert_eq!(to_standard(view).unwrap(), view);
        let none = Array3::<f32>::zeros((2, 0, 3));
        assert_eq!(to_standard(none.view()).unwrap().shape(), [2, 0, 3]);
        for dims in [&[1, 1][..], &[]] {
            let one = ArrayD::from_elem(IxDyn(dims), 7u8);
            assert_eq!(to_standard(one.view()).unwrap(), one);
        }
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let (source, mut target) = (Array2::<f32>::zeros((2, 3)), Array2::<f32>::zeros((3, 2)));
        let error = assign(source.view(), target.view_mut()).unwrap_err();
        assert_eq!(error.to_string(), "an array of [2, 3] for one of [3, 2]");
        let mut bytes = Array2::<i8>::zeros((2, 3));
        let (attr, none) = (Attr::new().s8s8_compensation(1), Values::default());
        let error = assign_with(source.view(), bytes.view_mut(), &attr, &none).unwrap_err();
        assert!(error.to_string().contains("compensation"), "{error}");
        let scale = Attr::new().dst_scale(2);
        assert!(assign_with(source.view(), bytes.view_mut(), &scale, &none).is_err());
    }
}
