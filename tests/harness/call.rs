//! A call of machine code, held to the calling convention. In: an entry point, its arguments, a seed.
//! Out: nothing, or what the code changed that is its caller's.
//!
//! The call is made on a stack of its own between guard pages, all of it filled with random bytes,
//! and with random values in every register that the convention leaves open.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(retile_portable), not(miri)))]
#![allow(dead_code, unsafe_code)] // every test binary uses its own part; machine code is called

mod room;
mod step;
mod switch;

use std::cell::RefCell;
use std::sync::OnceLock;

use crate::common::{Draw, Xorshift};
use room::{Room, STACK};
use switch::{Context, Width};

/// What machine code may use of the stack below its return address. Deeper it is looked at.
pub(crate) const DEEPEST: usize = 128 << 10;

/// Bytes of the caller's at least, from the return address up.
const ABOVE: usize = 1024;

/// All exceptions masked, to nearest, no flushing: what Rust computes in.
const DEFAULT: u32 = 0x1f80;
/// The flags of MXCSR that say what happened.
const STICKY: u32 = 0x3f;
/// Flushing, denormals as zero, rounding down, up and to zero, all of it; flags that are set already.
const ENVIRONMENTS: [u32; 9] =
    [DEFAULT, DEFAULT, DEFAULT, 0x9fc0, 0x3f80, 0x5f80, 0x7f80, 0xffc0, 0x1fbf];
/// Of the x87 unit: precision and rounding in many ways, all exceptions masked.
const CONTROLS: [u16; 5] = [0x037f, 0x037f, 0x027f, 0x0c7f, 0x077f];

/// CF, PF, AF, ZF, SF, OF.
const ARITHMETIC: u64 = 0x8d5;
const TRAP: u64 = 1 << 8;
const DIRECTION: u64 = 1 << 10;
const ALIGNMENT: u64 = 1 << 18;

/// The parts of the state as XGETBV numbers them: upper halves of ymm0-15, and of zmm0-15.
const UPPER_YMM: u64 = 1 << 2;
const UPPER_ZMM: u64 = 1 << 6;

const PRESERVED: [&str; 6] = ["rbx", "rbp", "r12", "r13", "r14", "r15"];

/// What is known of the code, and how it is to be run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    /// It computes with floats: it is called in the default environment, and may raise flags there.
    pub(crate) arithmetic: bool,
    /// One instruction at a time, up to tens of microseconds each, and after each it is seen to that
    /// nothing below the stack pointer was written.
    pub(crate) stepped: bool,
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::new(Room::new());
}

/// Calls code that moves bits and computes nothing.
///
/// The seed draws what is in the registers, the float environment, how the stack is aligned beyond 16
/// bytes, and whether upper halves of vector registers are clean at the entry. Where they are, they
/// must be so at the end; where not, each may keep what it had or be zero. So a run of several seeds
/// finds more than one.
///
/// # Safety
///
/// At `entry` is a function with the System V convention that may be called with these arguments.
pub(crate) unsafe fn guarded_call(
    entry: *const u8,
    args: [usize; 5],
    seed: u64,
) -> Result<(), String> {
    // SAFETY: the caller's promise.
    unsafe { call_under(Rules::default(), entry, args, seed) }
}

/// Calls code under some rules.
///
/// # Safety
///
/// As for [`guarded_call`].
pub(crate) unsafe fn call_under(
    rules: Rules,
    entry: *const u8,
    args: [usize; 5],
    seed: u64,
) -> Result<(), String> {
    ROOM.with_borrow_mut(|room| {
        let tracked = tracked(room);
        let mut draw = Xorshift::new(seed);
        let clean = draw.once_in(2);
        let before = prepare(room, rules, &mut draw, clean);
        let before = Context { entry: entry as usize, args, tracked: tracked.into(), ..before };
        let mut faults = Vec::new();
        let after = if rules.stepped {
            // SAFETY: the caller's promise; the rest of the context is made by `prepare`.
            let (after, fault) = unsafe { step::run(room, before) };
            faults.extend(fault);
            after
        } else {
            // SAFETY: likewise.
            unsafe { room.run(before) }
        };
        registers(&before, &after, rules, &mut faults);
        vectors(&before, &after, &mut faults);
        stack(room, &before, &after, rules, &mut faults);
        match faults.is_empty() {
            true => Ok(()),
            false => Err(format!("{} (seed {seed})", faults.join("; "))),
        }
    })
}

/// A room filled, and what the registers are to be, without entry and arguments.
fn prepare(room: &mut Room, rules: Rules, draw: &mut Xorshift, clean: bool) -> Context {
    let mut word = || {
        let drawn = draw.next(); // 48 bits
        drawn << 16 ^ drawn
    };
    room.fill(&mut word);
    let mut context = Context::zeroed();
    context.preserved.fill_with(&mut word);
    context.scratch.fill_with(&mut word);
    context.masks.fill_with(&mut word);
    context.vectors.as_flattened_mut().fill_with(&mut word);
    context.flags = word() & ARITHMETIC | 2 | if rules.stepped { TRAP } else { 0 };
    context.stack = room.end() - ABOVE - 16 * draw.below(8);
    context.mxcsr = if rules.arithmetic { DEFAULT } else { draw.pick(&ENVIRONMENTS) };
    context.control = draw.pick(&CONTROLS);
    context.width = Width::of_this_machine();
    context.clean = clean.into();
    context
}

/// Whether the machine tells which upper halves are in their initial state, and does so truly: it may
/// say "in use" of any.
fn tracked(room: &mut Room) -> bool {
    static TRACKED: OnceLock<bool> = OnceLock::new();
    *TRACKED.get_or_init(|| {
        let cpuid = raw_cpuid::CpuId::new();
        if !cpuid.get_feature_info().is_some_and(|info| info.has_oxsave())
            || !cpuid.get_extended_state_info().is_some_and(|info| info.has_xgetbv())
        {
            return false;
        }
        let width = Width::of_this_machine();
        let mut parts = 0;
        parts |= if width >= Width::Ymm { UPPER_YMM } else { 0 };
        parts |= if width >= Width::Zmm { UPPER_ZMM } else { 0 };
        parts != 0
            && (0..16).all(|seed| {
                let clean = seed % 2 == 0;
                let context = prepare(room, Rules::default(), &mut Xorshift::new(seed), clean);
                let entry = switch::nothing as *const () as usize;
                // SAFETY: the function only returns.
                let after = unsafe { room.run(Context { entry, tracked: 1, ..context }) };
                after.in_use & parts == if clean { 0 } else { parts }
            })
    })
}

fn registers(before: &Context, after: &Context, rules: Rules, faults: &mut Vec<String>) {
    let mut same = |name: &str, expected: u64, found: u64| {
        if expected != found {
            faults.push(format!("{name} is {found:#x}, expected {expected:#x}"));
        }
    };
    for (i, name) in PRESERVED.iter().enumerate() {
        same(name, before.preserved[i], after.preserved_after[i]);
    }
    same("rsp", before.stack as u64, after.stack_after);
    let allowed = if rules.arithmetic { after.mxcsr_after & STICKY } else { 0 };
    same("mxcsr", (before.mxcsr | allowed).into(), after.mxcsr_after.into());
    same("the direction flag", 0, (after.flags_after & DIRECTION != 0).into());
    same("the alignment check flag", 0, (after.flags_after & ALIGNMENT != 0).into());
    let [control, _, tags, ..] = after.x87;
    same("the x87 control word", before.control.into(), (control & 0xffff).into());
    same(
        "the x87 tag word (all empty unless mmx was left without emms)",
        0xffff,
        (tags & 0xffff).into(),
    );
}

fn vectors(before: &Context, after: &Context, faults: &mut Vec<String>) {
    let uppers = [("ymm", Width::Ymm, 2..4), ("zmm", Width::Zmm, 4..8)];
    for (name, _, words) in uppers.into_iter().filter(|upper| before.width >= upper.1) {
        for i in 0..16 {
            let found = &after.vectors_after[i][words.clone()];
            let had = &before.vectors[i][words.clone()];
            let is_zero = found.iter().all(|word| *word == 0);
            if !is_zero && (before.clean != 0 || found != had) {
                let state = if before.clean != 0 { "clean" } else { "dirty" };
                let found: String = found.iter().rev().map(|word| format!("{word:016x}")).collect();
                faults.push(format!(
                    "the upper half of {name}{i} is 0x{found}, expected 0 (vzeroupper), was {state}"
                ));
            }
        }
    }
    // Zeros that nobody cleaned: the machine knows.
    let quiet = faults.iter().all(|fault| !fault.contains("upper half"));
    let in_use = after.in_use & (UPPER_YMM | UPPER_ZMM);
    if quiet && before.clean != 0 && before.tracked != 0 && in_use != 0 {
        faults.push(format!(
            "upper halves of vector registers are zero and in use: xgetbv(1) is {:#x}, expected none \
             of {in_use:#x} in it (vzeroupper)",
            after.in_use
        ));
    }
}

fn stack(room: &Room, before: &Context, after: &Context, rules: Rules, faults: &mut Vec<String>) {
    let top = before.stack - room.start();
    // Step by step, what is given back is filled again, the return address too.
    let deepest = if rules.stepped { top } else { top - 8 - DEEPEST };
    let returned = &room.stack()[top - 8..top];
    let address = after.return_address.to_ne_bytes();
    if !rules.stepped && returned != address {
        faults.push(format!("the return address is {returned:02x?}, expected {address:02x?}"));
    }
    for (name, range) in [("above its frame", top..STACK), ("too deep", 0..deepest)] {
        let (expected, found) = (&room.image()[range.clone()], &room.stack()[range.clone()]);
        if expected == found {
            continue;
        }
        let different = |at: &usize| expected[*at] != found[*at];
        let count = (0..expected.len()).filter(different).count();
        // The nearest to the frame.
        let nearest = match range.start == top {
            true => (0..expected.len()).find(different),
            false => (0..expected.len()).rfind(different),
        };
        if let Some(at) = nearest {
            let offset = (range.start + at) as isize - (top - 8) as isize;
            faults.push(format!(
                "the stack was written {name}: the byte at {offset:+} from the return address is \
                 {:#04x}, expected {:#04x}, and {count} differ",
                found[at], expected[at]
            ));
        }
    }
}
