//! libretile, the C library of retile. Its contract is `include/retile.h`, word for word.
//!
//! ```text
//! status   codes, this thread's last message, and the guard around every body
//! arg      raw arguments made into references, slices and text, or an error that names them
//! layout   retile_layout_*     attr   retile_attr_*     kernel   retile_kernel_*     args   its values
//! cache    retile_cache_*
//! ```
//!
//! `symbols.txt` lists all that the library exports.
//!
//! A handle is a `Box` given away as a raw pointer. A body checks what can be checked; what cannot is
//! asked of the caller, of every function alike:
//!
//! - a handle is NULL or came from this library, and nobody frees it (or sets it, if it is an
//!   attribute) meanwhile;
//! - a text is NULL or ends in a NUL;
//! - an array is NULL or holds as many items as the header says, and nobody writes them meanwhile;
//! - a pointer to a result is NULL or may be written;
//! - tensors and their values as the header says at `retile_kernel_run`.

// A C caller hands over raw pointers. All of them pass through `arg`, and through `kernel` where
// they are a tensor's memory.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char};

pub mod arg;
pub mod args;
pub mod attr;
pub mod cache;
pub mod kernel;
pub mod layout;
pub mod names;
pub mod status;
#[cfg(test)]
mod tests;

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("a version without NUL"),
    };

/// `"0.1.0"`
#[unsafe(no_mangle)]
pub extern "C" fn retile_version() -> *const c_char {
    VERSION.as_ptr()
}
