//! A kernel's machine code, mapped here and called by the harness around such calls. In: a kernel with code.
//! Out: nothing, or what differs, in the buffers or in what is the caller's.
//!
//! The kernel's own way to its code is the same call from ordinary code, which leaves registers, flags
//! and stack as compilers do: it is run beside this one, and finds less.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(retile_portable), not(miri)))]

use retile::{Kernel, Problem};

use super::call::{Rules, call_under};
use super::{Comparison, Place};
use crate::common::{Draw, Xorshift};

/// The most code and the most elements that are run one instruction at a time.
const STEPPED_CODE: usize = 2 << 10;
const STEPPED_ELEMENTS: usize = 128;

/// What stands in place of values, which moves do not have: nobody may follow it.
const NO_VALUES: usize = 0xdead_beef_dead_0000;

/// Code that can be called, and where its pointers point.
struct Entry {
    at: *mut libc::c_void,
    bytes: usize,
    bases: [isize; 2],
}

impl Entry {
    fn new(kernel: &Kernel) -> Result<Entry, String> {
        let code = kernel.code().expect("only kernels with code come here").bytes();
        let (_, bases) = Problem::new(kernel.src(), kernel.dst(), kernel.attr())
            .map_err(|error| format!("no problem: {error}"))?;
        // SAFETY: a new anonymous mapping as long as the code, written while it is writable, then made
        // executable and no longer writable; both results are checked.
        let at = unsafe {
            let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let open = libc::PROT_READ | libc::PROT_WRITE;
            let at = libc::mmap(std::ptr::null_mut(), code.len(), open, kind, -1, 0);
            assert_ne!(at, libc::MAP_FAILED, "no memory for {} bytes of code", code.len());
            at.cast::<u8>().copy_from_nonoverlapping(code.as_ptr(), code.len());
            let closed = libc::PROT_READ | libc::PROT_EXEC;
            assert_eq!(libc::mprotect(at, code.len(), closed), 0, "code may not be executed");
            at
        };
        Ok(Entry { at, bytes: code.len(), bases: [bases.0[0], bases.0[1]] })
    }

    /// # Safety
    ///
    /// As for `Kernel::run_task` of the kernel that this was made of.
    unsafe fn call(
        &self,
        rules: Rules,
        (task, count): (usize, usize),
        src: *const u8,
        dst: *mut u8,
        seed: u64,
    ) -> Result<(), String> {
        let src = src.wrapping_offset(self.bases[0]) as usize;
        let dst = dst.wrapping_offset(self.bases[1]) as usize;
        // SAFETY: the code has this convention, and the kernel that it is of was made for this CPU; the
        // caller promises the rest.
        unsafe { call_under(rules, self.at.cast(), [src, dst, task, count, NO_VALUES], seed) }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        // SAFETY: the mapping made above, and nobody runs it any more.
        unsafe { libc::munmap(self.at, self.bytes) };
    }
}

impl Comparison<'_> {
    /// At every place, each time with other things in registers, and as tasks.
    pub(super) fn guarded(
        &mut self,
        before: &[u8],
        after: &[u8],
        draw: &mut Xorshift,
    ) -> Result<(), String> {
        let entry = Entry::new(&self.kernel)?;
        let small =
            entry.bytes < STEPPED_CODE && after.len() < STEPPED_ELEMENTS * self.spans[1].size;
        let plain = Rules::default();
        for place in [Place::End, Place::Start, Place::Odd] {
            self.called(&entry, plain, place, &[0], before, after, draw)?;
        }
        let mut order: Vec<usize> = (0..draw.pick(&[2, 3, 5, 7])).collect();
        draw.shuffle(&mut order);
        let place = draw.pick(&[Place::End, Place::Start, Place::Odd]);
        self.called(&entry, plain, place, &order, before, after, draw)?;
        if small && draw.once_in(16) {
            let stepped = Rules { stepped: true, ..plain };
            self.called(&entry, stepped, place, &order[..1], before, after, draw)?;
        }
        Ok(())
    }

    /// All the tasks of `order`; of a single one that is the whole.
    #[allow(clippy::too_many_arguments)] // what a run is, and what it is held against
    fn called(
        &mut self,
        entry: &Entry,
        rules: Rules,
        place: Place,
        order: &[usize],
        before: &[u8],
        after: &[u8],
        draw: &mut Xorshift,
    ) -> Result<(), String> {
        let (seed, count) = (draw.next(), order.len());
        let how = format!("{place:?}, called with seed {seed}, tasks {order:?}, {rules:?}");
        let mut outcome = Ok(());
        let found = self.run(place, before, |_, src, dst, _| {
            for (&task, seed) in order.iter().zip(seed..) {
                let task = if count == 1 { 0 } else { task };
                // SAFETY: the spans lie between the guards, everything the layouts' footprints hold.
                let told = unsafe { entry.call(rules, (task, count), src, dst, seed) };
                if outcome.is_ok() {
                    outcome = told;
                }
            }
        });
        outcome.map_err(|fault| format!("{how}: {fault}"))?;
        self.same(&found?, after, before, &how)
    }
}
