//! Memory between two pages that may not be touched, and a word about which case touched them.
#![allow(unsafe_code)] // pages and signals are the system's

use std::cell::Cell;

/// Bytes between guard pages; between nothing where there are no such pages.
pub(crate) struct Arena {
    start: *mut u8,
    bytes: usize,
}

thread_local! {
    /// The text of the case at work, for the signal handler.
    static AT_WORK: Cell<(*const u8, usize)> = const { Cell::new((std::ptr::null(), 0)) };
}

/// Runs `work`; where that touches a guard page, the test ends with `case` as its last words.
pub(crate) fn told<T>(case: &str, work: impl FnOnce() -> T) -> T {
    AT_WORK.set((case.as_ptr(), case.len()));
    let result = work();
    AT_WORK.set((std::ptr::null(), 0));
    result
}

impl Arena {
    /// At least so many bytes, whole pages of them.
    pub(crate) fn new(least: usize) -> Arena {
        system::arena(least)
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes
    }

    /// A place, counted in bytes from the start; outside of the bytes a pointer that must not be
    /// followed.
    pub(crate) fn at(&self, offset: isize) -> *mut u8 {
        self.start.wrapping_offset(offset)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: mapped or allocated for as long as `self` lives, and always initialized.
        unsafe { std::slice::from_raw_parts(self.start, self.bytes) }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.bytes) }
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
#[allow(unused_imports)] // not every test has memory of its own
pub(crate) use system::access;

#[cfg(all(target_os = "linux", not(miri)))]
mod system {
    use super::{AT_WORK, Arena};
    use std::sync::OnceLock;

    const SIGNALS: [i32; 3] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL];

    /// Who was told of faults before.
    static FORMER: OnceLock<[libc::sigaction; 3]> = OnceLock::new();

    /// What may be done with guard pages: nothing, or, where `RETILE_GUARDS=readable`, no more than reading.
    /// Emulators are known that read what masks leave out.
    pub(crate) fn access() -> i32 {
        match std::env::var("RETILE_GUARDS").as_deref() {
            Err(_) => libc::PROT_NONE,
            Ok("readable") => libc::PROT_READ,
            Ok(other) => panic!("RETILE_GUARDS={other} is not `readable`"),
        }
    }

    pub(super) fn arena(least: usize) -> Arena {
        FORMER.get_or_init(listen);
        // SAFETY: a new anonymous mapping, of which the inner pages are opened; both results are
        // checked.
        unsafe {
            let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
            let bytes = least.max(1).next_multiple_of(page);
            let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let null = std::ptr::null_mut();
            let outer = libc::mmap(null, bytes + 2 * page, access(), kind, -1, 0);
            assert_ne!(outer, libc::MAP_FAILED, "no memory for {bytes} bytes");
            let start = outer.cast::<u8>().add(page);
            let open = libc::PROT_READ | libc::PROT_WRITE;
            assert_eq!(libc::mprotect(start.cast(), bytes, open), 0, "no access to {bytes} bytes");
            Arena { start, bytes }
        }
    }

    impl Drop for Arena {
        fn drop(&mut self) {
            // SAFETY: the mapping made above, its guards included, and nobody borrows it any more.
            unsafe {
                let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
                libc::munmap(self.start.sub(page).cast(), self.bytes + 2 * page);
            }
        }
    }

    fn listen() -> [libc::sigaction; 3] {
        // SAFETY: the handler only writes to stderr and puts the former action back; an action is numbers.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_fault as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            SIGNALS.map(|signal| {
                let mut former: libc::sigaction = std::mem::zeroed();
                libc::sigaction(signal, &action, &mut former);
                former
            })
        }
    }

    extern "C" fn on_fault(signal: i32, _: *mut libc::siginfo_t, _: *mut libc::c_void) {
        let say = |text: &[u8]| {
            // SAFETY: a valid buffer and its length.
            unsafe { libc::write(2, text.as_ptr().cast(), text.len()) };
        };
        let (text, length) = AT_WORK.get();
        say(match signal {
            libc::SIGILL => b"\nan instruction that this CPU does not have was run",
            _ => b"\nmemory outside the buffers was touched",
        });
        if !text.is_null() {
            say(b" by\n  ");
            // SAFETY: the text outlives the work that this thread was at.
            say(unsafe { std::slice::from_raw_parts(text, length) });
        }
        say(b"\n");
        // SAFETY: an action that was in force before, or the default one; the access is tried again, and ends
        // the process.
        unsafe {
            let former = SIGNALS.iter().position(|known| *known == signal).zip(FORMER.get());
            match former {
                Some((i, former)) => {
                    libc::sigaction(signal, &former[i], std::ptr::null_mut());
                }
                None => {
                    libc::signal(signal, libc::SIG_DFL);
                }
            }
        }
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
mod system {
    use super::Arena;

    const ALIGNMENT: usize = 4096;

    fn memory(bytes: usize) -> std::alloc::Layout {
        std::alloc::Layout::from_size_align(bytes, ALIGNMENT).unwrap()
    }

    pub(super) fn arena(least: usize) -> Arena {
        let bytes = least.max(1).next_multiple_of(ALIGNMENT);
        // SAFETY: not of size 0.
        let start = unsafe { std::alloc::alloc_zeroed(memory(bytes)) };
        assert!(!start.is_null(), "no memory for {bytes} bytes");
        Arena { start, bytes }
    }

    impl Drop for Arena {
        fn drop(&mut self) {
            // SAFETY: allocated above with the same layout.
            unsafe { std::alloc::dealloc(self.start, memory(self.bytes)) };
        }
    }
}
