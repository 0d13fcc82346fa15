//! The place of a call. In: random words. Out: a stack full of them, guard pages at both of its ends.

use super::switch::{Context, switch};

/// Of a room, which starts at a multiple of it: whoever has an address in the room finds its start.
pub(super) const SIZE: usize = 1 << 18;
/// Bytes of the stack.
pub(super) const STACK: usize = 36 * PAGE;

const PAGE: usize = 4096;
/// Where the stack starts. The context lies at the room's start; between them, and behind the stack to
/// the room's end, nothing may be touched.
const START: usize = 4 * PAGE;
const CONTEXT: usize = 2 * PAGE;

const _: () = assert!(size_of::<Context>() <= CONTEXT && CONTEXT < START && START + STACK < SIZE);

pub(super) struct Room {
    base: *mut u8,
    mapping: *mut libc::c_void,
    /// What the stack was filled with.
    image: Vec<u8>,
}

impl Room {
    pub(super) fn new() -> Room {
        // SAFETY: a new anonymous mapping, in which a whole room lies at a multiple of its size, and
        // of that the two inner parts are opened; results are checked.
        unsafe {
            let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let null = std::ptr::null_mut();
            let mapping = libc::mmap(null, 2 * SIZE, libc::PROT_NONE, kind, -1, 0);
            assert_ne!(mapping, libc::MAP_FAILED, "no memory for a stack");
            let start = mapping.cast::<u8>();
            let base = start.add(start.align_offset(SIZE));
            let open = libc::PROT_READ | libc::PROT_WRITE;
            assert_eq!(libc::mprotect(base.cast(), CONTEXT, open), 0, "no access to a context");
            let stack = base.add(START).cast();
            assert_eq!(libc::mprotect(stack, STACK, open), 0, "no access to a stack");
            Room { base, mapping, image: vec![0; STACK] }
        }
    }

    /// The lowest address of the stack.
    pub(super) fn start(&self) -> usize {
        self.base as usize + START
    }

    /// The address behind the highest of the stack.
    pub(super) fn end(&self) -> usize {
        self.start() + STACK
    }

    pub(super) fn stack(&self) -> &[u8] {
        // SAFETY: open for as long as `self` lives, always initialized, and nobody runs on it.
        unsafe { std::slice::from_raw_parts(self.base.add(START), STACK) }
    }

    pub(super) fn image(&self) -> &[u8] {
        &self.image
    }

    pub(super) fn fill(&mut self, mut word: impl FnMut() -> u64) {
        for bytes in self.image.chunks_exact_mut(8) {
            bytes.copy_from_slice(&word().to_ne_bytes());
        }
        // SAFETY: as many bytes from one place as to the other, which nobody runs on.
        unsafe { self.base.add(START).copy_from_nonoverlapping(self.image.as_ptr(), STACK) }
    }

    /// Makes the call of a context, and gives it back with what was found after it.
    ///
    /// # Safety
    ///
    /// What the context says of the machine is so, its stack is in this room and a multiple of 16, and
    /// its entry may be called with its arguments.
    pub(super) unsafe fn run(&mut self, before: Context) -> Context {
        let context = self.base.cast::<Context>();
        // SAFETY: open and aligned for a context, which is where `switch` looks for one; the rest is
        // the caller's promise.
        unsafe {
            context.write(before);
            switch(context);
            context.read()
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // SAFETY: the mapping made above, and nobody borrows it any more.
        unsafe { libc::munmap(self.mapping, 2 * SIZE) };
    }
}
