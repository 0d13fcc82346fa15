//! Every function of the header, called as C does, on memory that is as long as it has to be and no longer: Miri sees
//! what is touched beside it. What is right is for the programs of tests/c to say.

use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::ptr::null_mut;

use retile_core::Layout;

use crate::attr::Attr;
use crate::kernel::*;
use crate::layout::*;
use crate::status::*;

mod cache;
mod kernels;
mod layouts;

const INVALID: Status = 1;
const BUFFER: Status = 3;

/// The caller's side of a handle, freed at last.
struct Handle<T> {
    at: *mut T,
    free: unsafe extern "C" fn(*mut T),
}

impl<T> Handle<T> {
    #[track_caller]
    fn of(free: unsafe extern "C" fn(*mut T), make: impl FnOnce(*mut *mut T) -> Status) -> Self {
        let mut at = null_mut();
        let status = make(&raw mut at);
        assert_eq!((status, at.is_null()), (0, false), "{}", last_error());
        Handle { at, free }
    }
}

impl<T> Drop for Handle<T> {
    fn drop(&mut self) {
        // SAFETY: the library made it, and nobody has it any more.
        unsafe { (self.free)(self.at) };
    }
}

fn text(text: *const c_char) -> String {
    // SAFETY: a text of the library's, which ends in a NUL.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().into()
}

fn last_error() -> String {
    text(retile_last_error())
}

#[track_caller]
fn fails(status: Status, expected: Status, part: &str) {
    assert_eq!((status, last_error().contains(part)), (expected, true), "{}", last_error());
}

#[track_caller]
fn layout(words: &str) -> Handle<Layout> {
    let words = CString::new(words).unwrap();
    // SAFETY: a text, and a place for the handle.
    Handle::of(retile_layout_free, |out| unsafe { retile_layout_parse(words.as_ptr(), out) })
}

#[track_caller]
fn kernel(src: &str, dst: &str, attr: *const Attr) -> Handle<Kernel> {
    let (src, dst) = (layout(src), layout(dst));
    // SAFETY: handles of the library's or none, and a place for one.
    Handle::of(retile_kernel_free, |out| unsafe { retile_kernel_new(src.at, dst.at, attr, out) })
}

/// A text into buffers of every length up to its own.
fn written(write: impl Fn(*mut c_char, usize, *mut usize) -> Status) -> String {
    let mut needed = 0;
    assert_eq!(write(null_mut(), 0, &raw mut needed), 0);
    fails(write(null_mut(), 1, &raw mut needed), INVALID, "buffer is NULL");
    fails(write(null_mut(), 0, null_mut()), INVALID, "buffer and needed are both NULL");
    let mut whole = String::new();
    // Few of the shorter ones, where the text is long.
    for capacity in (0..needed).step_by(needed.div_ceil(8)).chain([needed - 1, needed]) {
        let mut buffer = vec![b'?'; capacity].into_boxed_slice();
        let status = write(buffer.as_mut_ptr().cast(), capacity, null_mut());
        assert_eq!(status, if capacity == needed { 0 } else { BUFFER });
        if let Some((end, head)) = buffer.split_last() {
            assert_eq!(*end, 0);
            whole = std::str::from_utf8(head).unwrap().into();
        }
    }
    whole
}

/// So many of the first bytes of a struct, aligned for nothing, as the functions ask for no more.
struct Cut {
    room: Box<[MaybeUninit<u8>]>,
}

impl Cut {
    fn of<T>(whole: &T, bytes: usize) -> Cut {
        let mut room = vec![MaybeUninit::uninit(); bytes + 1].into_boxed_slice();
        let to = room.as_mut_ptr().wrapping_add(1);
        // SAFETY: so many bytes are behind the first of `room`, and no more are asked for than `whole` has.
        unsafe { (&raw const *whole).cast::<MaybeUninit<u8>>().copy_to_nonoverlapping(to, bytes) };
        Cut { room }
    }

    fn at<T>(&mut self) -> *mut T {
        self.room.as_mut_ptr().wrapping_add(1).cast()
    }
}
