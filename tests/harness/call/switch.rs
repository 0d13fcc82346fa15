//! The step from one stack to another and back. In: what all registers are to be. Out: what they are
//! after the call.

use std::arch::naked_asm;
use std::mem::offset_of;

use super::room::SIZE;

/// How much of the vector registers the machine has.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[repr(u64)]
pub(super) enum Width {
    Xmm = 0,
    Ymm = 1,
    /// With masks of 16 bits.
    Zmm = 2,
    /// With masks of 64 bits.
    ZmmBytes = 3,
}

impl Width {
    pub(super) fn of_this_machine() -> Width {
        match () {
            () if !is_x86_feature_detected!("avx") => Width::Xmm,
            () if !is_x86_feature_detected!("avx512f") => Width::Ymm,
            () if !is_x86_feature_detected!("avx512bw") => Width::Zmm,
            () => Width::ZmmBytes,
        }
    }
}

/// Registers before the call and after it.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Context {
    pub(super) entry: usize,
    pub(super) args: [usize; 5],
    /// The stack pointer before the call.
    pub(super) stack: usize,
    pub(super) flags: u64,
    /// rbx, rbp, r12 to r15.
    pub(super) preserved: [u64; 6],
    /// rax, r9, r10.
    pub(super) scratch: [u64; 3],
    pub(super) width: Width,
    /// Not 0: only the lowest 128 bits of vector registers 0 to 15 are drawn.
    pub(super) clean: u64,
    /// Not 0: the machine says which parts of the state are in use.
    pub(super) tracked: u64,
    pub(super) mxcsr: u32,
    pub(super) control: u16,
    pub(super) masks: [u64; 8],
    pub(super) vectors: [[u64; 8]; 32],

    pub(super) host_stack: u64,
    pub(super) host_mxcsr: u32,
    pub(super) host_control: u16,

    pub(super) return_address: u64,
    pub(super) stack_after: u64,
    pub(super) flags_after: u64,
    pub(super) preserved_after: [u64; 6],
    pub(super) mxcsr_after: u32,
    /// As FNSTENV has it: control, status and tag word first.
    pub(super) x87: [u32; 7],
    pub(super) in_use: u64,
    pub(super) vectors_after: [[u64; 8]; 32],
}

impl Context {
    pub(super) fn zeroed() -> Context {
        // SAFETY: integers, and an enum of which 0 is a value.
        unsafe { std::mem::zeroed() }
    }
}

/// A function that keeps to the convention.
#[unsafe(naked)]
pub(super) extern "sysv64" fn nothing() {
    naked_asm!("ret")
}

/// Calls the context's entry. Afterwards only the stack pointer is relied upon, and only that it is
/// still somewhere in the room.
///
/// # Safety
///
/// The context lies at the start of a room and its `stack` within that room's, a multiple of 16; the
/// width is not more than the machine has, `tracked` is 0 where XGETBV does not know of 1; the entry
/// may be called with the arguments.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn switch(context: *mut Context) {
    naked_asm!(
        "push rbx",
        "push rbp",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi + {host_stack}], rsp",
        "stmxcsr [rdi + {host_mxcsr}]",
        "fnstcw [rdi + {host_control}]",
        "lea rax, [rip + 77f]",
        "mov [rdi + {return_address}], rax",
        "ldmxcsr [rdi + {mxcsr}]",
        "fldcw [rdi + {control}]",
        // Vectors and masks.
        "cmp qword ptr [rdi + {width}], {ymm}",
        "ja 3f",
        "je 2f",
        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
        r"movups xmm\i, [rdi + {vectors} + 64 * \i]",
        ".endr",
        "jmp 6f",
        "2:",
        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
        r"vmovups ymm\i, [rdi + {vectors} + 64 * \i]",
        ".endr",
        "jmp 5f",
        "3:",
        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
        r"vmovups zmm\i, [rdi + {vectors} + 64 * \i]",
        ".endr",
        "cmp qword ptr [rdi + {width}], {zmm}",
        "je 4f",
        ".irp i, 0,1,2,3,4,5,6,7",
        r"kmovq k\i, [rdi + {masks} + 8 * \i]",
        ".endr",
        "jmp 5f",
        "4:",
        ".irp i, 0,1,2,3,4,5,6,7",
        r"kmovw k\i, [rdi + {masks} + 8 * \i]",
        ".endr",
        "5:",
        "cmp qword ptr [rdi + {clean}], 0",
        "je 6f",
        "vzeroupper",
        "6:",
        // General registers; the flags last. The entry itself is what r11 has.
        "mov rbx, [rdi + {preserved}]",
        "mov rbp, [rdi + {preserved} + 8]",
        "mov r12, [rdi + {preserved} + 16]",
        "mov r13, [rdi + {preserved} + 24]",
        "mov r14, [rdi + {preserved} + 32]",
        "mov r15, [rdi + {preserved} + 40]",
        "mov rax, [rdi + {scratch}]",
        "mov r9, [rdi + {scratch} + 8]",
        "mov r10, [rdi + {scratch} + 16]",
        "mov r11, [rdi + {entry}]",
        "mov rsi, [rdi + {args} + 8]",
        "mov rdx, [rdi + {args} + 16]",
        "mov rcx, [rdi + {args} + 24]",
        "mov r8, [rdi + {args} + 32]",
        "mov rsp, [rdi + {stack}]",
        "push qword ptr [rdi + {flags}]",
        "popfq",
        "mov rdi, [rdi + {args}]",
        "call r11",
        "77:",
        // The context is found by what is left of the stack pointer.
        "mov rdi, rsp",
        "and rdi, {room}",
        "mov [rdi + {stack_after}], rsp",
        "mov [rdi + {preserved_after}], rbx",
        "mov [rdi + {preserved_after} + 8], rbp",
        "mov [rdi + {preserved_after} + 16], r12",
        "mov [rdi + {preserved_after} + 24], r13",
        "mov [rdi + {preserved_after} + 32], r14",
        "mov [rdi + {preserved_after} + 40], r15",
        "mov rsp, [rdi + {host_stack}]",
        "pushfq",
        "pop qword ptr [rdi + {flags_after}]",
        "push 2",
        "popfq",
        "stmxcsr [rdi + {mxcsr_after}]",
        "ldmxcsr [rdi + {host_mxcsr}]",
        "fnstenv [rdi + {x87}]",
        "fninit",
        "fldcw [rdi + {host_control}]",
        // Before any vector register is touched.
        "cmp qword ptr [rdi + {tracked}], 0",
        "je 7f",
        "mov ecx, 1",
        "xgetbv",
        "mov [rdi + {in_use}], eax",
        "mov [rdi + {in_use} + 4], edx",
        "7:",
        "cmp qword ptr [rdi + {width}], {ymm}",
        "ja 9f",
        "je 8f",
        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
        r"movups [rdi + {vectors_after} + 64 * \i], xmm\i",
        ".endr",
        "jmp 66f",
        "8:",
        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
        r"vmovups [rdi + {vectors_after} + 64 * \i], ymm\i",
        ".endr",
        "jmp 55f",
        "9:",
        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
        r"vmovups [rdi + {vectors_after} + 64 * \i], zmm\i",
        ".endr",
        "55:",
        "vzeroupper",
        "66:",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbp",
        "pop rbx",
        "ret",
        room = const -(SIZE as isize),
        ymm = const Width::Ymm as u64,
        zmm = const Width::Zmm as u64,
        entry = const offset_of!(Context, entry),
        args = const offset_of!(Context, args),
        stack = const offset_of!(Context, stack),
        flags = const offset_of!(Context, flags),
        preserved = const offset_of!(Context, preserved),
        scratch = const offset_of!(Context, scratch),
        width = const offset_of!(Context, width),
        clean = const offset_of!(Context, clean),
        tracked = const offset_of!(Context, tracked),
        mxcsr = const offset_of!(Context, mxcsr),
        control = const offset_of!(Context, control),
        masks = const offset_of!(Context, masks),
        vectors = const offset_of!(Context, vectors),
        host_stack = const offset_of!(Context, host_stack),
        host_mxcsr = const offset_of!(Context, host_mxcsr),
        host_control = const offset_of!(Context, host_control),
        return_address = const offset_of!(Context, return_address),
        stack_after = const offset_of!(Context, stack_after),
        flags_after = const offset_of!(Context, flags_after),
        preserved_after = const offset_of!(Context, preserved_after),
        mxcsr_after = const offset_of!(Context, mxcsr_after),
        x87 = const offset_of!(Context, x87),
        in_use = const offset_of!(Context, in_use),
        vectors_after = const offset_of!(Context, vectors_after),
    )
}
