//! A panic ends at the door: the guard around every body, by itself, since no argument makes the library panic.

// Its functions are exported, and hand out texts of C.
#![allow(unsafe_code, missing_docs, dead_code, unreachable_pub)]

#[path = "../src/status.rs"]
mod status;

use std::ffi::CStr;

fn last_error() -> String {
    // SAFETY: the text ends in a NUL, and stays until the next call of this thread that fails.
    unsafe { CStr::from_ptr(status::retile_last_error()) }.to_string_lossy().into_owned()
}

#[test]
fn panics_are_statuses() {
    assert_eq!(last_error(), "");
    assert_eq!(status::guard(|| panic!("row {} of {}", 3, 2)), 5);
    assert!(last_error().ends_with("row 3 of 2"), "{}", last_error());
    assert_eq!(status::guard(|| panic!("of static words")), 5);
    assert!(last_error().ends_with("of static words"), "{}", last_error());
    assert_eq!(status::guard(|| std::panic::panic_any(7)), 5);
    assert!(last_error().ends_with("a panic without words"), "{}", last_error());
    assert_eq!(status::guard(|| Ok(())), 0);
    assert!(last_error().ends_with("a panic without words"), "a success leaves it alone");
}

#[test]
fn values_are_none_after_a_panic() {
    assert_eq!(status::value(7, || panic!("no value")), 7);
    assert!(last_error().ends_with("no value"), "{}", last_error());
    assert_eq!(status::value(7, || Some(8)), 8);
    assert_eq!(status::value(7, || None), 7);
}

#[test]
fn messages_are_of_their_own_threads() {
    status::guard(|| panic!("here"));
    std::thread::spawn(|| {
        assert_eq!(last_error(), "");
        status::guard(|| panic!("there"));
    })
    .join()
    .unwrap();
    assert!(last_error().ends_with("here"), "{}", last_error());
}
