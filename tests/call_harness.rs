//! The harness around a call of machine code names each fault of code that breaks one rule, and none of
//! code that keeps them all.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(retile_portable), not(miri)))]
#![allow(unsafe_code)] // machine code, and calls of it

mod common;
mod harness {
    pub(crate) mod call;
}

use std::arch::naked_asm;

use harness::call::{Rules, call_under, guarded_call};

const STEPPED: Rules = Rules { arithmetic: false, stepped: true };
const ARITHMETIC: Rules = Rules { arithmetic: true, stepped: false };

/// Functions with the convention's arguments, each with what it is made of.
macro_rules! code {
    ($($name:ident: $($line:literal),+;)+) => {$(
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(_: *const u8, _: *mut u8, _: usize, _: usize, _: *const u8) {
            naked_asm!($($line),+)
        }
    )+};
}

type Code = unsafe extern "sysv64" fn(*const u8, *mut u8, usize, usize, *const u8);

/// Buffers of the source and of the destination.
struct Buffers {
    src: [u8; 64],
    dst: [u64; 32],
}

impl Buffers {
    fn new() -> Buffers {
        Buffers { src: std::array::from_fn(|i| i as u8 + 1), dst: [0; 32] }
    }

    fn call(&mut self, rules: Rules, code: Code, seed: u64) -> Result<(), String> {
        let (src, dst) = (self.src.as_ptr() as usize, self.dst.as_mut_ptr() as usize);
        // SAFETY: the functions of these tests read the 64 bytes of the source and write the 256 of
        // the destination, and what else they change is for the harness to see.
        unsafe { call_under(rules, code as *const u8, [src, dst, 11, 22, 33], seed) }
    }
}

/// Whether each of many seeds has it.
#[track_caller]
fn faulty(rules: Rules, code: Code, named: &[&str]) {
    for seed in 0..64 {
        let found = Buffers::new().call(rules, code, seed).expect_err("a fault is not found");
        for named in named {
            assert!(found.contains(named), "seed {seed}: not {named:?} but {found:?}");
        }
        assert_eq!(found.matches(';').count(), named.len() - 1, "one fault makes several: {found}");
    }
}

#[track_caller]
fn faultless(rules: Rules, code: Code) {
    for seed in 0..256 {
        assert_eq!(Buffers::new().call(rules, code, seed), Ok(()));
    }
}

fn has_avx() -> bool {
    is_x86_feature_detected!("avx")
}

fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
}

code! {
    nothing: "ret";
    // A frame, aligned further; all that may be changed is.
    frame:
        "push rbp", "mov rbp, rsp", "push rbx", "push r15", "sub rsp, 300", "and rsp, -64",
        "mov [rsp], rdx", "mov rbx, [rsp]", "mov [rsi], rbx", "mov [rsi + 8], rcx", "mov [rsi + 16], r8",
        "mov r15, [rdi]", "mov [rsi + 24], r15", "movups xmm0, [rdi]", "movaps [rsp + 48], xmm0",
        "xor eax, eax", "mov ecx, eax", "mov edx, eax", "mov r8, rax", "mov r9, rax", "mov r10, rax",
        "mov r11, rax", "mov rdi, rax", "xorps xmm9, xmm9", "std", "cld",
        "lea rsp, [rbp - 16]", "pop r15", "pop rbx", "pop rbp", "mov rsi, rax", "ret";
    wide: "vmovups ymm0, [rdi]", "vmovups ymm15, [rdi + 32]", "vmovups [rsi], ymm0",
        "vmovups [rsi + 32], ymm15", "vzeroupper", "ret";
    // Of 128 bits in the newer encoding: what it writes has zeros above.
    narrow: "vmovups xmm0, [rdi]", "vmovups [rsi], xmm0", "ret";
    widest: "vmovups zmm3, [rdi]", "vmovups zmm31, zmm3", "kmovw k3, edx", "vmovups [rsi], zmm31",
        "vzeroupper", "ret";
    // Above 15 nothing is to be cleaned.
    high: "vmovups zmm16, [rdi]", "vmovups [rsi], zmm16", "ret";

    rbx: "mov rbx, rdx", "ret";
    rbp: "xor ebp, ebp", "ret";
    r12: "inc r12", "ret";
    r13: "mov r13d, r13d", "ret";
    r14: "not r14b", "ret";
    r15: "bswap r15", "ret";
    stack_pointer: "pop rcx", "add rsp, 8", "jmp rcx";
    direction: "std", "ret";
    alignment_check: "pushfq", "bts dword ptr [rsp], 18", "popfq", "ret";
    rounding: "push rax", "stmxcsr [rsp]", "xor dword ptr [rsp], 0x2000", "ldmxcsr [rsp]", "pop rax", "ret";
    // 0 / 0 is invalid, in all environments.
    status: "push rax", "stmxcsr [rsp]", "and dword ptr [rsp], -64", "ldmxcsr [rsp]", "pop rax",
        "xorps xmm0, xmm0", "divss xmm0, xmm0", "ret";
    divides: "xorps xmm0, xmm0", "divss xmm0, xmm0", "ret";
    x87_control: "push rax", "fnstcw [rsp]", "xor word ptr [rsp], 0x800", "fldcw [rsp]", "pop rax", "ret";
    mmx: "movq mm0, [rdi]", "movq [rsi], mm0", "ret";
    upper_ymm: "vmovups ymm3, [rdi]", "vmovups [rsi], ymm3", "ret";
    upper_zmm: "vmovups zmm14, [rdi]", "vmovups [rsi], zmm14", "ret";
    zeros_in_use: "vmovups ymm3, [rsi]", "ret";
    return_address: "pop rcx", "push rsi", "add rsp, 8", "jmp rcx";
    caller: "not byte ptr [rsp + 8]", "not byte ptr [rsp + 9]", "ret";
    further_above: "not byte ptr [rsp + 1000]", "ret";
    too_deep: "not byte ptr [rsp - 131073]", "not byte ptr [rsp - 131076]", "ret";
    deep: "sub rsp, 32768", "not byte ptr [rsp]", "add rsp, 32768", "ret";
    red_zone: "push rdx", "not qword ptr [rsp - 8]", "pop rdx", "ret";
    popped: "push rdx", "pop rcx", "not qword ptr [rsp - 8]", "ret";
    // Where the pointer was moved down before, and up again.
    far_below: "not byte ptr [rsp - 3000]", "ret";

    stack_to_dst: "mov [rsi], rsp", "ret";
    registers_to_dst: "mov [rsi], rax", "mov [rsi + 8], r9", "mov [rsi + 16], r10", "mov [rsi + 24], r11",
        "movups [rsi + 32], xmm0", "movups [rsi + 48], xmm15", "stmxcsr [rsi + 64]", "ret";
    uppers_to_dst: "vmovups [rsi], ymm0", "vmovups [rsi + 32], ymm15", "ret";
    masks_to_dst: "kmovw [rsi], k1", "kmovw [rsi + 8], k7", "vmovups [rsi + 64], zmm31", "ret";
}

#[test]
fn who_keeps_the_rules_has_no_fault() {
    for rules in [Rules::default(), STEPPED, ARITHMETIC] {
        faultless(rules, nothing);
        faultless(rules, frame);
        faultless(rules, deep);
        if has_avx() {
            faultless(rules, wide);
            faultless(rules, narrow);
        }
        if has_avx512() {
            faultless(rules, widest);
            faultless(rules, high);
        }
    }
}

#[test]
fn arguments_arrive() {
    for rules in [Rules::default(), STEPPED] {
        let mut buffers = Buffers::new();
        buffers.call(rules, frame, 1).unwrap();
        assert_eq!(buffers.dst[..5], [11, 22, 33, 0x0807_0605_0403_0201, 0]);
    }
    let mut buffers = Buffers::new();
    let args = [buffers.src.as_ptr() as usize, buffers.dst.as_mut_ptr() as usize, 1, 2, 3];
    // SAFETY: as in `Buffers::call`.
    unsafe { guarded_call(frame as *const u8, args, 1) }.unwrap();
    assert_eq!(buffers.dst[..3], [1, 2, 3]);
}

#[test]
fn preserved_registers() {
    let faults: [(Code, &str); 6] = [
        (rbx, "rbx is 0xb, expected 0x"),
        (rbp, "rbp is 0x0, expected 0x"),
        (r12, "r12 is 0x"),
        (r13, "r13 is 0x"),
        (r14, "r14 is 0x"),
        (r15, "r15 is 0x"),
    ];
    for (code, named) in faults {
        faulty(Rules::default(), code, &[named]);
        faulty(STEPPED, code, &[named]);
    }
}

#[test]
fn flags_and_environments() {
    for rules in [Rules::default(), STEPPED] {
        faulty(rules, direction, &["the direction flag is 0x1, expected 0x0"]);
        faulty(rules, rounding, &["mxcsr is 0x"]);
        faulty(rules, x87_control, &["the x87 control word is 0x"]);
        faulty(rules, mmx, &["the x87 tag word"]);
    }
    faulty(Rules::default(), alignment_check, &["the alignment check flag is 0x1"]);
    faulty(ARITHMETIC, rounding, &["mxcsr is 0x3f80, expected 0x1f80"]);
    faulty(Rules::default(), status, &["mxcsr is 0x"]);
    // Where arithmetic is allowed, its flags are.
    faultless(ARITHMETIC, divides);
    let found: Vec<_> = (0..64)
        .filter_map(|seed| Buffers::new().call(Rules::default(), divides, seed).err())
        .collect();
    assert!(
        found.iter().any(|found| found.contains("mxcsr is 0x1f81, expected 0x1f80")),
        "{found:?}"
    );
}

#[test]
fn upper_halves() {
    if has_avx() {
        for rules in [Rules::default(), STEPPED] {
            faulty(rules, upper_ymm, &["the upper half of ymm3 is "]);
        }
    }
    if has_avx512() {
        let named = ["the upper half of ymm14 is ", "the upper half of zmm14 is "];
        faulty(Rules::default(), upper_zmm, &named);
    }
}

/// Where the machine tells, and for those seeds that start with clean halves.
#[test]
fn zeros_that_were_not_cleaned() {
    if !has_avx() {
        return;
    }
    let faults: Vec<String> = (0..64)
        .filter_map(|seed| Buffers::new().call(Rules::default(), zeros_in_use, seed).err())
        .collect();
    assert!(faults.iter().all(|fault| fault.contains("zero and in use")), "{faults:?}");
    let count = faults.len();
    assert!(count == 0 || (16..48).contains(&count), "{count} of 64");
}

#[test]
fn the_stack() {
    let plain = Rules::default();
    for rules in [plain, STEPPED] {
        let named = "the stack was written above its frame: the byte at ";
        faulty(rules, caller, &[&format!("{named}+8 from the return address is 0x")]);
        faulty(rules, further_above, &[&format!("{named}+1000 from")]);
        faulty(rules, stack_pointer, &["rsp is 0x"]);
    }
    let named = "the stack was written too deep: the byte at -131073 from the return address is 0x";
    faulty(plain, too_deep, &[named]);
    faulty(plain, return_address, &["the return address is ["]);
}

#[test]
fn below_the_stack_pointer() {
    let named = "the stack was written below the stack pointer: the byte at ";
    faulty(
        STEPPED,
        red_zone,
        &[&format!("{named}-1 from it, by the instruction at +0x1 from the entry")],
    );
    faulty(
        STEPPED,
        popped,
        &[&format!("{named}-1 from it, by the instruction at +0x2 from the entry")],
    );
    faulty(STEPPED, far_below, &["the stack was written too deep: the byte at -3000 from"]);
    // Not seen from outside, where that is not deeper than a frame may be.
    faultless(Rules::default(), red_zone);
}

#[test]
fn seeds_draw_alignments_and_garbage() {
    let mut alignments = [0; 8];
    let mut environments = Vec::new();
    let mut clean = 0;
    for seed in 0..256 {
        let mut buffers = Buffers::new();
        buffers.call(Rules::default(), stack_to_dst, seed).unwrap();
        assert_eq!(buffers.dst[0] % 16, 8, "the convention's alignment");
        alignments[buffers.dst[0] as usize % 128 / 16] += 1;

        buffers.call(Rules::default(), registers_to_dst, seed).unwrap();
        assert!(buffers.dst[..8].iter().all(|register| *register != 0), "{:x?}", &buffers.dst[..8]);
        environments.push(buffers.dst[8]);

        if has_avx() {
            buffers.dst.fill(0);
            buffers.call(Rules::default(), uppers_to_dst, seed).unwrap();
            clean += usize::from(buffers.dst[2..4] == [0, 0] && buffers.dst[6..8] == [0, 0]);
        }
        if has_avx512() {
            buffers.dst.fill(0);
            buffers.call(Rules::default(), masks_to_dst, seed).unwrap();
            assert!(buffers.dst[8..16].iter().all(|word| *word != 0));
        }
        buffers.dst.fill(0);
        buffers.call(ARITHMETIC, registers_to_dst, seed).unwrap();
        assert_eq!(buffers.dst[8], 0x1f80);
    }
    assert!(alignments.iter().all(|count| *count > 0), "{alignments:?}");
    environments.sort();
    environments.dedup();
    assert!(environments.len() > 5, "{environments:x?}");
    assert!(!has_avx() || (64..192).contains(&clean), "{clean} of 256 are clean");
}

/// Each thread has a stack of its own, and interruptions change nothing.
#[test]
fn at_once_in_many_threads() {
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for seed in 0..2000 {
                    let rules = Rules { stepped: seed % 16 == 0, ..Rules::default() };
                    let code = if has_avx() { wide } else { frame };
                    assert_eq!(Buffers::new().call(rules, code, seed * 4 + thread), Ok(()));
                }
            });
        }
    });
}
