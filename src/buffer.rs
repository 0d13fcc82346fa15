//! A caller's memory. In: a layout, and what is to be laid out so. Out: an error that says what does not fit.

use crate::{DType, Element, Error, Layout, Result};

/// Whether elements of a Rust type are what the layout has.
#[inline]
pub(crate) fn check_type<T: Element>(what: &str, dtype: DType) -> Result<()> {
    if T::holds(dtype) {
        return Ok(());
    }
    let found = std::any::type_name::<T>();
    Err(Error::Buffer(format!("a {what} of {found} for elements of {dtype}")))
}

/// Whether elements may lie there; none may lie anywhere.
#[inline]
pub(crate) fn check_alignment(what: &str, layout: &Layout, at: *const u8) -> Result<()> {
    let (dtype, size) = (layout.dtype(), layout.dtype().size());
    if layout.is_empty() || at.addr().is_multiple_of(size) {
        return Ok(());
    }
    Err(Error::Buffer(format!("the {what} is at {at:p}, {dtype} needs a multiple of {size}")))
}
