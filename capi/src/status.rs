//! How a function ends. In: a body that may fail or panic. Out: a status, and a message that this
//! thread can ask for.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use retile_core::{Error, ErrorKind, Result};

/// `retile_status`
pub type Status = i32;

const OK: Status = 0;

/// Every status with its name in the header, which is its index.
const NAMES: [&std::ffi::CStr; 6] = [
    c"RETILE_OK",
    c"RETILE_ERR_INVALID",
    c"RETILE_ERR_UNSUPPORTED",
    c"RETILE_ERR_BUFFER",
    c"RETILE_ERR_MEMORY",
    c"RETILE_ERR_INTERNAL",
];

thread_local! {
    static LAST: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// Runs the body of a function that can fail. A failure is remembered for `retile_last_error`.
pub fn guard(body: impl FnOnce() -> Result<()>) -> Status {
    match caught(body) {
        Ok(()) => OK,
        Err(error) => remember(&error),
    }
}

/// Runs the body of a function that cannot fail. `none` is what it returns for a NULL handle.
pub fn value<T>(none: T, body: impl FnOnce() -> Option<T>) -> T {
    match caught(|| Ok(body())) {
        Ok(found) => found.unwrap_or(none),
        Err(error) => {
            remember(&error);
            none
        }
    }
}

/// A panic as an error.
///
/// Nothing half-changed is seen afterwards: handles are not changed but by single assignments, and
/// the memory of tensors means nothing after a failure.
fn caught<T>(body: impl FnOnce() -> Result<T>) -> Result<T> {
    let panicked = |payload| Err(Error::Internal(panic_message(payload)));
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(panicked)
}

fn panic_message(payload: Box<dyn Any + Send>) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without words".into())
}

fn remember(error: &Error) -> Status {
    // A message may quote a caller's text, which has no NUL within; others have none either.
    let message = CString::new(error.to_string()).unwrap_or_default();
    // Fails while the thread ends, when nobody can ask any more.
    let _ = LAST.try_with(|last| last.replace(Some(message)));
    let name = match error.kind() {
        ErrorKind::Invalid => c"RETILE_ERR_INVALID",
        ErrorKind::Unsupported => c"RETILE_ERR_UNSUPPORTED",
        ErrorKind::Buffer => c"RETILE_ERR_BUFFER",
        ErrorKind::Memory => c"RETILE_ERR_MEMORY",
        _ => c"RETILE_ERR_INTERNAL",
    };
    NAMES.iter().position(|known| *known == name).expect("every status has a name") as Status
}

/// The status as the header spells it, `"unknown status"` for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn retile_status_name(status: Status) -> *const c_char {
    let known = usize::try_from(status).ok().and_then(|at| NAMES.get(at));
    known.map_or(c"unknown status", |name| name).as_ptr()
}

/// Why this thread's last failed call failed, `""` when none did. Valid until the next one fails.
#[unsafe(no_mangle)]
pub extern "C" fn retile_last_error() -> *const c_char {
    let message = LAST.try_with(|last| last.borrow().as_ref().map(|text| text.as_ptr()));
    message.ok().flatten().unwrap_or(c"".as_ptr())
}
