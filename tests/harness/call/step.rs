//! A call seen instruction by instruction. In: a context with the trap flag. Out: what happened below
//! the stack pointer, where a signal handler's frame could be at any time.
//!
//! The system leaves 128 bytes below the stack pointer alone when it delivers a signal, so that a storm
//! of signals would not find what is written there.

use std::cell::Cell;
use std::sync::Once;

use super::TRAP;
use super::room::{Room, STACK};
use super::switch::Context;

/// Bytes below the stack pointer that are looked at after each instruction; the others at the end.
const WINDOW: usize = 1024;

const HANDLER_STACK: usize = 1 << 16;

/// What the handler works with.
struct Watch {
    start: *mut u8,
    image: *const u8,
    /// The stack pointer before the call, counted from the start, as are all of them.
    top: usize,
    at: usize,
    /// The instruction about to be run.
    instruction: usize,
    steps: usize,
    fault: Option<Fault>,
}

struct Fault {
    instruction: usize,
    offset: isize,
}

thread_local! {
    static WATCH: Cell<*mut Watch> = const { Cell::new(std::ptr::null_mut()) };
}

/// # Safety
///
/// As for [`Room::run`].
pub(super) unsafe fn run(room: &mut Room, before: Context) -> (Context, Option<String>) {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(listen);
    let top = before.stack - room.start();
    let mut watch = Watch {
        start: room.start() as *mut u8,
        image: room.image().as_ptr(),
        top,
        at: top - 8, // the flags were there
        instruction: 0,
        steps: 0,
        fault: None,
    };
    let mut memory = vec![0u8; HANDLER_STACK];
    // SAFETY:
    // - the handler's stack is in use until the former is put back, and outlives that; it is needed
    //   because the usual ones are small for frames with wide registers;
    // - the watch outlives its being named to the handler;
    // - the rest is the caller's promise.
    let after = unsafe {
        let own = libc::stack_t {
            ss_sp: memory.as_mut_ptr().cast(),
            ss_flags: 0,
            ss_size: HANDLER_STACK,
        };
        let mut former: libc::stack_t = std::mem::zeroed();
        assert_eq!(libc::sigaltstack(&own, &mut former), 0, "no stack for a handler");
        WATCH.set(&raw mut watch);
        let after = room.run(before);
        WATCH.set(std::ptr::null_mut());
        libc::sigaltstack(&former, std::ptr::null_mut());
        after
    };
    if watch.steps == 0 {
        return (after, Some("not a single step was reported".into()));
    }
    let told = watch.fault.map(|fault| {
        format!(
            "the stack was written below the stack pointer: the byte at {:+} from it, by the \
             instruction at {:+#x} from the entry",
            fault.offset,
            fault.instruction as isize - before.entry as isize
        )
    });
    (after, told)
}

fn listen() {
    // SAFETY: the handler looks at nothing but the watch and the stack that it names.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_step as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigaction(libc::SIGTRAP, &action, std::ptr::null_mut());
    }
}

extern "C" fn on_step(_: i32, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: what the system gives a handler; nobody else has it.
    let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
    let registers = &mut context.uc_mcontext.gregs;
    // SAFETY: null, or a watch that this thread has on its stack and does not touch meanwhile.
    let watch = unsafe { WATCH.get().as_mut() };
    let stack = registers[libc::REG_RSP as usize] as usize;
    match watch.map(|watch| (stack.wrapping_sub(watch.start as usize), watch)) {
        Some((at, watch)) if at <= STACK => {
            watch.look(at);
            watch.instruction = registers[libc::REG_RIP as usize] as usize;
        }
        _ => registers[libc::REG_EFL as usize] &= !(TRAP as i64),
    }
}

impl Watch {
    /// After an instruction that left the stack pointer here.
    fn look(&mut self, at: usize) {
        self.steps += 1;
        // What was given back has been written, and may have been.
        let given_back = self.at..at.min(self.top);
        self.at = at;
        let from = at.saturating_sub(WINDOW);
        // SAFETY: all of it lies in the stack and in its image; nobody runs on that stack now.
        unsafe {
            if !given_back.is_empty() {
                let (from, count) = (given_back.start, given_back.len());
                self.start.add(from).copy_from_nonoverlapping(self.image.add(from), count);
            }
            let found = std::slice::from_raw_parts_mut(self.start.add(from), at - from);
            let expected = std::slice::from_raw_parts(self.image.add(from), at - from);
            if found == expected {
                return;
            }
            let nearest = (0..found.len()).rfind(|&i| found[i] != expected[i]);
            found.copy_from_slice(expected);
            let offset = nearest.map_or(0, |i| i as isize - (at - from) as isize);
            self.fault.get_or_insert(Fault { instruction: self.instruction, offset });
        }
    }
}
