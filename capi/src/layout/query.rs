//! What a layout answers. In: layouts. Out: numbers and text.

use std::ffi::{c_char, c_int};

use retile_core::Layout;

use crate::arg::{self, not_null, object, signed};
use crate::names;
use crate::status::{Status, guard, value};

/// What a layout answers without failing; `none` for NULL.
///
/// # Safety
/// `layout` is NULL or a layout of ours, not freed meanwhile.
unsafe fn query<T>(layout: *const Layout, none: T, answer: impl FnOnce(&Layout) -> T) -> T {
    // SAFETY: the same contract.
    value(none, || unsafe { object("layout", layout) }.ok().map(answer))
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_rank(layout: *const Layout) -> usize {
    // SAFETY: `layout` is NULL or a layout of ours, not freed meanwhile, by the contract.
    unsafe { query(layout, 0, Layout::rank) }
}

/// See the header. The text is static.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_dtype(layout: *const Layout) -> *const c_char {
    // SAFETY: `layout` is NULL or a layout of ours, not freed meanwhile, by the contract.
    unsafe { query(layout, c"", |layout| names::dtype(layout.dtype())) }.as_ptr()
}

/// See the header. Nothing equals NULL, not even NULL.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_equal(a: *const Layout, b: *const Layout) -> c_int {
    // SAFETY: each is NULL or a layout of ours, not freed meanwhile, by the contract.
    unsafe { query(a, 0, |a| query(b, 0, |b| c_int::from(a == b))) }
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_is_dense(layout: *const Layout) -> c_int {
    // SAFETY: `layout` is NULL or a layout of ours, not freed meanwhile, by the contract.
    unsafe { query(layout, 0, |layout| c_int::from(layout.is_dense())) }
}

/// Writes one number for each dim.
///
/// # Safety
/// `layout` is NULL or a layout of ours, not freed meanwhile; `dims` is NULL or has room for as many
/// items as the layout has dims.
unsafe fn write_dims(
    layout: *const Layout,
    dims: *mut i64,
    answer: impl FnOnce(&Layout) -> Vec<usize>,
) -> Status {
    guard(|| {
        // SAFETY: the same contract.
        let layout = unsafe { object("layout", layout) }?;
        not_null("dims", dims)?;
        for (d, n) in answer(layout).into_iter().enumerate() {
            // SAFETY: not null, as just checked, and has room for one item a dim, by the contract.
            unsafe { dims.add(d).write(n as i64) };
        }
        Ok(())
    })
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_dims(layout: *const Layout, dims: *mut i64) -> Status {
    // SAFETY: the same contract.
    unsafe { write_dims(layout, dims, |layout| layout.dims().to_vec()) }
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_padded_dims(
    layout: *const Layout,
    dims: *mut i64,
) -> Status {
    // SAFETY: the same contract.
    unsafe { write_dims(layout, dims, Layout::padded_dims) }
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_size_bytes(
    layout: *const Layout,
    bytes: *mut usize,
) -> Status {
    guard(|| {
        // SAFETY: `layout` is NULL or a layout of ours, not freed meanwhile, by the contract.
        let layout = unsafe { object("layout", layout) }?;
        not_null("bytes", bytes)?;
        // SAFETY: not null, as just checked, and may be written, by the contract.
        unsafe { bytes.write(layout.size_bytes()) };
        Ok(())
    })
}

/// See the header. Coordinates run from `-lower` to `n + upper` where there are margins.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_offset(
    layout: *const Layout,
    coords: *const i64,
    offset: *mut i64,
) -> Status {
    guard(|| {
        // SAFETY: by the contract,
        // - `layout` is NULL or a layout of ours, not freed meanwhile
        // - `coords` is NULL or has as many items as the layout has dims
        let (layout, coords) = unsafe {
            let layout = object("layout", layout)?;
            (layout, signed("coords", coords, layout.rank())?)
        };
        not_null("offset", offset)?;
        let found = layout.offset_of(&coords)?;
        // SAFETY: not null, as just checked, and may be written, by the contract.
        unsafe { offset.write(found as i64) };
        Ok(())
    })
}

/// See the header. Like snprintf, writes what fits, terminated; RETILE_ERR_BUFFER if that is not all of
/// it. With a NULL buffer of capacity 0 only `*needed` is asked for, and the status is RETILE_OK.
///
/// # Safety
/// Of the caller as the [crate](crate) says; `buffer` has `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_format(
    layout: *const Layout,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> Status {
    // SAFETY: by the contract,
    // - `layout` is NULL or a layout of ours, not freed meanwhile
    // - `buffer` is NULL or has `capacity` bytes, `needed` is NULL or may be written
    guard(|| unsafe {
        let text = object("layout", layout)?.to_string();
        arg::write_text(&text, buffer, capacity, needed)
    })
}
