//! Executable memory. In: code, and proof that this CPU has its instructions. Out: the code where it can be
//! called. It is written while it is writable, then made executable, never both, and never writable again.

#[cfg(all(target_arch = "x86_64", not(retile_portable)))]
use std::io;

use crate::code::Given;
use crate::{Code, Error, Isa, Result};

/// Code ready to run; gone with it.
#[derive(Debug)]
pub(crate) struct Mapped {
    #[cfg(all(target_arch = "x86_64", not(retile_portable)))]
    memory: memmap2::Mmap,
}

#[cfg(all(target_arch = "x86_64", not(retile_portable)))]
impl Mapped {
    /// Unsupported where the system forbids it, or this CPU lacks the instructions; Memory where there is none just
    /// now.
    pub(super) fn new(code: &Code, isa: Isa) -> Result<Mapped> {
        let target = code.target();
        if !isa.runs_target(target) {
            return Err(Error::Unsupported(format!("this CPU does not run code for {target}")));
        }
        let bytes = code.bytes().len();
        let refused = |error: io::Error| match error.kind() {
            // No memory, or no more of it for this process, or none that may stay locked.
            io::ErrorKind::OutOfMemory | io::ErrorKind::WouldBlock => Error::Memory { bytes },
            _ => Error::Unsupported(format!("executable memory was refused: {error}")),
        };
        let mut memory = memmap2::MmapMut::map_anon(bytes).map_err(refused)?;
        memory.copy_from_slice(code.bytes());
        let memory = memory.make_exec().map_err(refused)?;
        Ok(Mapped { memory })
    }

    /// Where the code is.
    pub(super) fn address(&self) -> usize {
        self.memory.as_ptr().addr()
    }

    /// Bytes of it.
    pub(super) fn bytes(&self) -> usize {
        self.memory.len()
    }

    /// Runs one of `count` tasks.
    ///
    /// # Safety
    ///
    /// As for [`Kernel::run_task`](super::Kernel::run_task) of the layouts that the code was made of, `src`,
    /// `dst` and `values` being where all nodes of its problem are at 0.
    pub(super) unsafe fn call(
        &self,
        src: *const u8,
        dst: *mut u8,
        task: usize,
        count: usize,
        values: &Given,
    ) {
        type Entry = unsafe extern "sysv64" fn(*const u8, *mut u8, usize, usize, *const Given);
        // SAFETY: the memory starts with code that was emitted for this signature, it lives as long as
        // `self`, and is executable.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(self.memory.as_ptr()) };
        // SAFETY: the same contract. The code keeps what callees must keep, and `new` has seen that this
        // CPU has its instructions.
        unsafe { entry(src, dst, task, count, values) }
    }
}

#[cfg(not(all(target_arch = "x86_64", not(retile_portable))))]
impl Mapped {
    /// Nothing runs here.
    pub(super) fn new(code: &Code, _: Isa) -> Result<Mapped> {
        let tier = code.target().tier;
        Err(Error::Unsupported(format!("this CPU does not run {tier}")))
    }

    pub(super) fn address(&self) -> usize {
        unreachable!("nothing is mapped here")
    }

    pub(super) fn bytes(&self) -> usize {
        unreachable!("nothing is mapped here")
    }

    /// Never called.
    ///
    /// # Safety
    ///
    /// There is no such value.
    pub(super) unsafe fn call(&self, _: *const u8, _: *mut u8, _: usize, _: usize, _: &Given) {
        unreachable!("nothing is mapped here")
    }
}
