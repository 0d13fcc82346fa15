//! Rows of a few whole lines. In: rows in the buffer that neither begin nor end, a few lines of each. Out: these
//! stored past the caches one after the other, without a branch for each.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::super::asm::{Asm, RAX, RCX, RDX};
use super::super::evex::{Evex, K, R, at};
use super::{BYTES, Flush, LAST, LINE, WAITS, come_before, line, ones};

/// So many lines are written out, one after the other.
const FEW: i32 = 4;

impl Flush<'_> {
    /// Lines of each row that come together, where these are whole and no more than a few.
    pub(super) fn few_lines(&self) -> Option<i32> {
        let (lines, rest) = (self.carry.bytes as i32 / LINE, self.carry.bytes as i32 % LINE);
        (rest == 0 && lines <= FEW).then_some(lines)
    }
}

/// Rows of which whole lines came, a few: what waits of each comes before, and as much is left. No more is asked of a
/// row than where it is in its line. Rows that begin or end are not among them.
pub(super) fn store(a: &mut Asm, flush: &Flush<'_>, lines: i32, buffer: i32, done: DynamicLabel) {
    let (row, others) = (a.ops.new_dynamic_label(), a.ops.new_dynamic_label());
    dynasm!(a.ops ; .arch x64
        ; cmp Rq(BYTES), flush.carry.bytes as i32
        ; jne =>others
        ; test Rq(LAST), Rq(LAST)
        ; jnz =>others
        ; cmp QWORD [r10 + flush.fresh.0], 0
        ; jne =>others
        ; mov esi, [r10 + flush.at.0]
        ; and esi, LINE - 1
        ; lea rsi, [r10 + rsi + buffer]
    );
    let apart = flush.is_apart();
    if apart {
        dynasm!(a.ops ; .arch x64 ; mov Rq(WAITS), [r10 + flush.waits.0]);
        match a.masks() {
            true => dynasm!(a.ops ; .arch x64 ; mov rdi, -1),
            false => {
                let ones = ones(a);
                dynasm!(a.ops ; .arch x64 ; lea rdi, [r11 + ones + LINE]);
            }
        }
    }
    // rax: lines of the destination; rdx: of the buffer; rcx: where the row is in its line.
    dynasm!(a.ops ; .arch x64
        ; =>row
        ; mov rax, [r9]
        ; add rax, [r10 + flush.at.0]
        ; mov rdx, [r9 + 8]
        ; add rdx, rsi
        ; mov ecx, eax
        ; and ecx, LINE - 1
        ; sub rax, rcx
        ; sub rdx, rcx
    );
    match (apart, a.masks()) {
        (false, _) => {}
        (true, true) => {
            dynasm!(a.ops ; .arch x64 ; bzhi rcx, rdi, rcx);
            a.ops.kmovq(K(1), R(RCX));
        }
        (true, false) => dynasm!(a.ops ; .arch x64 ; neg rcx ; add rcx, rdi),
    }
    for k in 0..=lines {
        line(a, |a, part, v| {
            let (from, on) = (at(RDX, k * LINE + part), at(RAX, k * LINE + part));
            a.vmovdqu(v, from);
            if k == 0 && apart {
                come_before(a, v, at(WAITS, part), at(RCX, part));
            }
            match (k == lines, apart) {
                (false, _) => a.vmovntdq(on, v),
                (true, true) => a.vmovdqu_store(at(WAITS, part), v),
                (true, false) => a.vmovdqu_store(at(RDX, part), v),
            }
        });
    }
    dynasm!(a.ops ; .arch x64 ; add r9, 16);
    if apart {
        dynasm!(a.ops ; .arch x64 ; add Rq(WAITS), LINE);
    }
    dynasm!(a.ops ; .arch x64
        ; cmp r9, [r10 + flush.end.0]
        ; jne =>row
        ; jmp =>done
        ; =>others
    );
}
