//! `retile_layout_*`. In: texts and numbers of C. Out: layouts; what they answer stands in [`query`].

pub mod query;

use std::ffi::c_char;

use retile_core::{Blocking, DType, Layout, MAX_DIGITS, Result};

use crate::arg::{
    self, check_rank, invalid, list, make, not_null, number, object, signed, text, unsigned,
};
use crate::status::Status;

/// The element type and extents that a descriptor starts with.
///
/// # Safety
/// Of the caller as the [crate](crate) says; `dims` has `rank` items.
unsafe fn shape(
    dtype: *const c_char,
    rank: usize,
    dims: *const i64,
) -> Result<(DType, Vec<usize>)> {
    check_rank(rank)?;
    // SAFETY: the same contract, and as many items as `check_rank` lets pass.
    unsafe { Ok((text("dtype", dtype)?.parse()?, unsigned("dims", dims, rank)?)) }
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_parse(
    source: *const c_char,
    out: *mut *mut Layout,
) -> Status {
    // SAFETY: by the contract,
    // - `source` is NULL or ends in a NUL
    // - `out` is NULL or may be written
    unsafe { make(out, || text("text", source)?.parse()) }
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_strided(
    dtype: *const c_char,
    rank: usize,
    dims: *const i64,
    strides: *const i64,
    offset: i64,
    out: *mut *mut Layout,
) -> Status {
    let body = || {
        // SAFETY: by the contract,
        // - `dtype` is NULL or ends in a NUL
        // - `dims` and `strides` are NULL or have `rank` items; `shape` checks `rank` first
        let ((dtype, dims), strides) =
            unsafe { (shape(dtype, rank, dims)?, signed("strides", strides, rank)?) };
        Layout::strided(dtype, &dims, &strides, number("offset", offset)?)
    };
    // SAFETY: `out` is NULL or may be written, by the contract.
    unsafe { make(out, body) }
}

/// See the header. `*before` is written on success alone.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_byte_strided(
    dtype: *const c_char,
    rank: usize,
    dims: *const i64,
    byte_strides: *const i64,
    before: *mut usize,
    out: *mut *mut Layout,
) -> Status {
    let body = || {
        // SAFETY: by the contract,
        // - `dtype` is NULL or ends in a NUL
        // - `dims` and `byte_strides` are NULL or have `rank` items; `shape` checks `rank` first
        let ((dtype, dims), strides) =
            unsafe { (shape(dtype, rank, dims)?, signed("byte_strides", byte_strides, rank)?) };
        not_null("before", before)?;
        let (layout, bytes) = Layout::byte_strided(dtype, &dims, &strides)?;
        // SAFETY: not null, as just checked, and may be written, by the contract.
        unsafe { before.write(bytes) };
        Ok(layout)
    };
    // SAFETY: `out` is NULL or may be written, by the contract.
    unsafe { make(out, body) }
}

/// See the header. The inner lists may be NULL where `inner_count` is 0.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_blocked(
    dtype: *const c_char,
    rank: usize,
    dims: *const i64,
    padded_dims: *const i64,
    strides: *const i64,
    inner_count: usize,
    inner_sizes: *const i64,
    inner_dims: *const i64,
    offset: i64,
    out: *mut *mut Layout,
) -> Status {
    let body = || {
        check_rank(rank)?;
        if inner_count > MAX_DIGITS - rank {
            let most = MAX_DIGITS - rank;
            return invalid!("inner_count is {inner_count}, {rank} dims leave room for {most}");
        }
        // SAFETY: by the contract,
        // - `dtype` is NULL or ends in a NUL
        // - `dims`, `padded_dims` and `strides` are NULL or have `rank` items, checked above
        // - `inner_sizes` and `inner_dims` are NULL or have `inner_count` items, checked above
        unsafe {
            let (dtype, dims) = shape(dtype, rank, dims)?;
            let desc = Blocking {
                dims: &dims,
                padded_dims: &unsigned("padded_dims", padded_dims, rank)?,
                strides: &signed("strides", strides, rank)?,
                inner_sizes: &unsigned("inner_sizes", inner_sizes, inner_count)?,
                inner_dims: &unsigned("inner_dims", inner_dims, inner_count)?,
                offset: number("offset", offset)?,
            };
            Layout::blocked(dtype, &desc)
        }
    };
    // SAFETY: `out` is NULL or may be written, by the contract.
    unsafe { make(out, body) }
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_permute(
    layout: *const Layout,
    axes: *const usize,
    out: *mut *mut Layout,
) -> Status {
    // SAFETY: by the contract,
    // - `layout` is NULL or a layout of ours, not freed meanwhile
    // - `axes` is NULL or has as many items as the layout has dims
    // - `out` is NULL or may be written
    unsafe {
        make(out, || {
            let layout = object("layout", layout)?;
            layout.permute(list("axes", axes, layout.rank())?)
        })
    }
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_flip(
    layout: *const Layout,
    mask: u32,
    out: *mut *mut Layout,
) -> Status {
    // SAFETY: by the contract,
    // - `layout` is NULL or a layout of ours, not freed meanwhile
    // - `out` is NULL or may be written
    unsafe { make(out, || object("layout", layout)?.flip(mask)) }
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_region(
    layout: *const Layout,
    offsets: *const i64,
    dims: *const i64,
    out: *mut *mut Layout,
) -> Status {
    // SAFETY: by the contract,
    // - `layout` is NULL or a layout of ours, not freed meanwhile
    // - `offsets` and `dims` are NULL or have as many items as the layout has dims
    // - `out` is NULL or may be written
    unsafe {
        make(out, || {
            let layout = object("layout", layout)?;
            let offsets = unsigned("offsets", offsets, layout.rank())?;
            layout.region(&offsets, &unsigned("dims", dims, layout.rank())?)
        })
    }
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says; `layout` is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_layout_free(layout: *mut Layout) {
    // SAFETY: NULL or from `make` as a `Layout`, and not used again, by the contract.
    unsafe { arg::free(layout) }
}
