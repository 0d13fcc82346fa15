//! What a C caller hands over. In: raw pointers and their names in the header. Out: references, slices
//! and text, or an error that names the argument; and results written back.
//!
//! Every unsafe function here asks for what the crate's page asks of the caller, for the lifetime
//! `'a`, which is never longer than the call.

use std::ffi::{CStr, c_char};
use std::fmt::Display;
use std::ptr;

use retile_core::{Error, MAX_RANK, Result};

use crate::status::{Status, guard};

/// `Err(Error::Invalid(..))` from a format string.
macro_rules! invalid {
    ($($arg:tt)*) => { Err(retile_core::Error::Invalid(format!($($arg)*))) };
}
pub(crate) use invalid;

/// Refuses NULL.
pub fn not_null<T>(name: &str, pointer: *const T) -> Result<()> {
    if pointer.is_null() { invalid!("{name} is NULL") } else { Ok(()) }
}

/// The size that a struct says of itself, which is its first field.
pub fn check_struct_size(name: &str, size: usize) -> Result<()> {
    match size_of::<usize>() {
        word if size < word => {
            invalid!("{name}.struct_size is {size}, less than the {word} bytes of itself")
        }
        _ => Ok(()),
    }
}

/// What a handle stands for.
///
/// # Safety
/// `handle` is NULL or came from this library as a `T`; nobody frees or changes it during `'a`.
pub unsafe fn object<'a, T>(name: &str, handle: *const T) -> Result<&'a T> {
    not_null(name, handle)?;
    // SAFETY:
    // - not null, as just checked
    // - from `Box::into_raw`, so aligned and initialized, by the contract
    // - neither freed nor changed during 'a, by the contract
    Ok(unsafe { &*handle })
}

/// `len` items of an array. An empty one may be NULL.
///
/// # Safety
/// `items` is NULL or points to `len` items that nobody writes during `'a`.
pub unsafe fn list<'a, T>(name: &str, items: *const T, len: usize) -> Result<&'a [T]> {
    if len == 0 {
        return Ok(&[]);
    }
    not_null(name, items)?;
    if !items.is_aligned() {
        let align = align_of::<T>();
        return Err(Error::Buffer(format!("{name} is at {items:p}, not aligned to {align} bytes")));
    }
    // SAFETY:
    // - not null and aligned, as just checked
    // - `len` initialized items in one allocation, so no more than isize::MAX bytes, by the contract
    // - not written during 'a, by the contract
    Ok(unsafe { std::slice::from_raw_parts(items, len) })
}

/// A text.
///
/// # Safety
/// `text` is NULL or ends in a NUL, and nobody writes it during `'a`.
pub unsafe fn text<'a>(name: &str, text: *const c_char) -> Result<&'a str> {
    not_null(name, text)?;
    // SAFETY:
    // - not null, as just checked
    // - ends in a NUL, and is not written during 'a, by the contract
    let text = unsafe { CStr::from_ptr(text) };
    let refused = |_| Error::Invalid(format!("{name} is not UTF-8: `{}`", text.to_string_lossy()));
    text.to_str().map_err(refused)
}

/// `len` numbers of any sign.
///
/// # Safety
/// As [`list`].
pub unsafe fn signed(name: &str, items: *const i64, len: usize) -> Result<Vec<isize>> {
    // SAFETY: the same contract.
    let items = unsafe { list(name, items, len) }?;
    items.iter().enumerate().map(|(i, &n)| number(format_args!("{name}[{i}]"), n)).collect()
}

/// `len` numbers from 0 on.
///
/// # Safety
/// As [`list`].
pub unsafe fn unsigned(name: &str, items: *const i64, len: usize) -> Result<Vec<usize>> {
    // SAFETY: the same contract.
    let items = unsafe { list(name, items, len) }?;
    let convert = |(i, &n): (usize, &i64)| match n {
        0.. => Ok(number(format_args!("{name}[{i}]"), n)? as usize),
        _ => invalid!("{name}[{i}] is {n}, less than 0"),
    };
    items.iter().enumerate().map(convert).collect()
}

/// One number of any sign.
pub fn number(name: impl Display, n: i64) -> Result<isize> {
    isize::try_from(n).map_err(|_| Error::Invalid(format!("{name} is {n}, beyond an address")))
}

/// How long the arrays of a shape are, before any of them is looked at.
pub fn check_rank(rank: usize) -> Result<()> {
    match rank {
        1..=MAX_RANK => Ok(()),
        _ => invalid!("rank is {rank}, a layout has 1 to {MAX_RANK} dims"),
    }
}

/// A function that makes a handle: NULL first, so that it is NULL after any failure.
///
/// # Safety
/// `out` is NULL or may be written.
pub unsafe fn make<T>(out: *mut *mut T, body: impl FnOnce() -> Result<T>) -> Status {
    guard(|| {
        not_null("out", out)?;
        // SAFETY:
        // - not null, as just checked
        // - may be written, by the contract
        unsafe { out.write(ptr::null_mut()) };
        let made = Box::into_raw(Box::new(body()?));
        // SAFETY: as above.
        unsafe { out.write(made) };
        Ok(())
    })
}

/// Ends a handle. NULL is fine.
///
/// # Safety
/// `handle` is NULL or came from [`make`] as a `T`, and is not used again.
pub unsafe fn free<T>(handle: *mut T) {
    let body = || {
        // SAFETY:
        // - not null, as checked here
        // - from `Box::into_raw` in `make`, with the same type, by the contract
        // - not used again, so freed once, by the contract
        (!handle.is_null()).then(|| drop(unsafe { Box::from_raw(handle) }))
    };
    crate::status::value((), body)
}

/// Writes a text as snprintf would: as much as fits, always terminated if there is any room.
///
/// `*needed` gets the length of the whole, terminator included, unless it is NULL. Too small a buffer
/// is an error, even one of no bytes; only a NULL buffer of capacity 0 asks for nothing but `*needed`.
///
/// # Safety
/// `buffer` is NULL or has `capacity` bytes to be written; `needed` is NULL or may be written.
pub unsafe fn write_text(
    text: &str,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> Result<()> {
    let whole = text.len() + 1;
    if !needed.is_null() {
        // SAFETY: not null, as just checked, and may be written, by the contract.
        unsafe { needed.write(whole) };
    }
    if buffer.is_null() {
        return match capacity {
            0 if !needed.is_null() => Ok(()),
            0 => invalid!("buffer and needed are both NULL"),
            _ => invalid!("buffer is NULL, with a capacity of {capacity}"),
        };
    }
    if let Some(room) = capacity.checked_sub(1) {
        let fits = room.min(text.len());
        // SAFETY:
        // - `fits` bytes of `text` are read, which has as many
        // - `fits + 1 <= capacity` bytes of `buffer` are written, which may be, by the contract
        // - `text` is ours and cannot overlap memory that the caller may write
        unsafe {
            ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast(), fits);
            buffer.add(fits).write(0);
        }
    }
    if capacity < whole {
        return Err(Error::Buffer(format!("capacity is {capacity}, the text needs {whole}")));
    }
    Ok(())
}
