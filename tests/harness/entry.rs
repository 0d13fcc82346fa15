//! A kernel's machine code, mapped by the tests themselves. In: a kernel with code. Out: its entry, called by
//! the harness around such calls.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(retile_portable), not(miri)))]
#![allow(dead_code, unsafe_code)] // every test binary uses its own part; machine code is called

use retile::plan::Plan;
use retile::problem::{Bases, Operand};
use retile::{Kernel, Problem, Values};

use super::call::{Rules, call_under};
use super::values::{Given, Guarded, Ready};

/// What stands in place of values where there are none: nobody may follow it.
const NO_VALUES: usize = 0xdead_beef_dead_0000;

/// Code that can be called, and where its pointers point.
pub(crate) struct Entry {
    at: *mut libc::c_void,
    bytes: usize,
    plan: Plan,
    problem: Problem,
    bases: Bases,
    /// The destination's bytes that are appended sums.
    sums: std::ops::Range<usize>,
}

impl Entry {
    pub(crate) fn new(kernel: &Kernel) -> Result<Entry, String> {
        let code = kernel.code().expect("only kernels with code come here").bytes();
        let (problem, bases) = Problem::new(kernel.src(), kernel.dst(), kernel.attr())
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
        let sizes = kernel.sizes();
        let first = sizes.s8s8.or(sizes.asymmetric).unwrap_or(sizes.dst);
        let plan = kernel.plan().clone();
        Ok(Entry { at, bytes: code.len(), plan, problem, bases, sums: first..sizes.dst })
    }

    /// Bytes of the code.
    pub(crate) fn len(&self) -> usize {
        self.bytes
    }

    /// Under which rules it is called.
    pub(crate) fn rules(&self) -> Rules {
        Rules { arithmetic: !self.problem.moves_bits(), stepped: false }
    }

    /// What it takes for values, where it takes any.
    ///
    /// # Safety
    ///
    /// The lists live as long as what is made.
    pub(crate) unsafe fn ready(&self, values: &Values<'_>, guarded: Guarded) -> Option<Ready> {
        // SAFETY: the caller's promise.
        let ready = || unsafe { Ready::new(&self.plan, &self.bases, values, guarded) };
        self.problem.arith.is_formula().then(ready)
    }

    /// Sets appended sums to zero, as kernels do before they call code.
    ///
    /// # Safety
    ///
    /// `dst` is the start of a destination.
    pub(crate) unsafe fn clear(&self, dst: *mut u8) {
        // SAFETY: the sums are part of the destination.
        unsafe { dst.add(self.sums.start).write_bytes(0, self.sums.len()) };
    }

    /// Calls it with pointers to the buffers' starts; sums are set to zero before the first task.
    ///
    /// # Safety
    ///
    /// As for `Kernel::run_task` of the kernel that this was made of; `ready` was made by this, of values that
    /// are still there.
    pub(crate) unsafe fn call(
        &self,
        rules: Rules,
        (task, count): (usize, usize),
        src: *const u8,
        dst: *mut u8,
        ready: Option<&Ready>,
        seed: u64,
    ) -> Result<(), String> {
        let mut given = ready.map_or(Given::none(), Ready::given);
        // Code that may take all values for tame does not have to.
        given.wild |= usize::from(seed.is_multiple_of(4));
        for sums in [Operand::S8s8, Operand::Asymmetric].map(|sums| sums as usize) {
            given.pointers[sums] = dst.wrapping_offset(self.bases.0[sums]);
        }
        let src = src.wrapping_offset(self.bases.0[0]) as usize;
        let dst = dst.wrapping_offset(self.bases.0[1]) as usize;
        let values = match ready.is_some() || self.problem.arith.is_compensated() {
            true => std::ptr::from_ref(&given) as usize,
            false => NO_VALUES,
        };
        // SAFETY: the code has this convention, and the kernel that it is of was made for this CPU; the
        // caller promises the rest.
        unsafe { call_under(rules, self.at.cast(), [src, dst, task, count, values], seed) }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        // SAFETY: the mapping made above, and nobody runs it any more.
        unsafe { libc::munmap(self.at, self.bytes) };
    }
}
