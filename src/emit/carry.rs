//! Carried rows. In: tiles that store to the buffer, and where its rows go. Out: whole lines of them stored
//! past the caches, what does not fill one put in front of the buffer for the next time, or stored for itself
//! where a row begins or ends.
//!
//! A byte has the same place in its line in the buffer as in the destination, wherever that lies.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use smallvec::SmallVec;

use super::Emitter;
use super::asm::{Asm, RCX, RDI, RDX, RSI};
use super::evex::{Evex, Gm, K, Mem, R, V, Width};
use super::frame::Word;
use super::nest::Walk;
use crate::plan::{Carry, Chunk, Nest, Tile};
use crate::problem::DST;
use crate::shuffle::{Op, Program};

/// A subroutine that stores rows of the buffer, and the words that it is told by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flush<'p> {
    pub(super) carry: &'p Carry,
    label: DynamicLabel,
    /// Where the rows go on in the destination, of the first of them.
    at: Word,
    /// Not 0 where nothing of the rows has been stored yet.
    fresh: Word,
    /// Bytes that came together of each row, and whether these are the last.
    bytes: Word,
    last: Word,
    /// Where the table of the rows ends.
    end: Word,
    /// The pointers of the walk.
    kept: [Word; 2],
}

/// What the subroutine is given: bytes of each row, whether these are the last, and a table of the rows.
const BYTES: u8 = 8;
const LAST: u8 = RCX;
const TABLE: u8 = 9;
const END: u8 = RDX;

const LINE: i32 = 64;

impl Flush<'_> {
    /// The sequence of a tile as it stores to the buffer.
    pub(super) fn placed(&self, tile: &Tile, nest: &Nest) -> Program {
        let rows = self.rows(nest, &tile.chunks);
        let mut program = tile.found.program.clone();
        for line in &mut program.lines {
            if let Op::Store { at, .. } = &mut line.op {
                *at = self.carry.place(*at, &rows);
            }
        }
        program
    }

    /// The rows of a part of each loop.
    fn rows(&self, nest: &Nest, chunks: &[Chunk]) -> SmallVec<[(isize, isize); 16]> {
        let loops = nest.loops.iter().zip(chunks);
        self.carry.rows(loops.map(|(node, chunk)| (node.strides[DST], chunk.extent)))
    }
}

impl<'p> Emitter<'p> {
    pub(super) fn new_flush(&mut self, carry: &'p Carry) -> Flush<'p> {
        let label = self.a.ops.new_dynamic_label();
        let [at, fresh, bytes, last, end, src, dst] = self.frame.words();
        let flush = Flush { carry, label, at, fresh, bytes, last, end, kept: [src, dst] };
        self.flushes.push(flush);
        flush
    }

    /// Before the first of the rows' steps.
    pub(super) fn start_carry(&mut self, walk: &Walk<'p>) {
        let Some(flush) = walk.flush else { return };
        dynasm!(self.a.ops ; .arch x64 ; mov QWORD [r10 + flush.fresh.0], 1);
    }

    /// Behind the last of them: what has not filled a line.
    pub(super) fn end_carry(&mut self, walk: &Walk<'p>) {
        let Some(flush) = walk.flush else { return };
        let past = self.a.ops.new_dynamic_label();
        dynasm!(self.a.ops ; .arch x64
            ; cmp QWORD [r10 + flush.fresh.0], 0
            ; jne =>past
        );
        self.call_flush(walk, &flush, 0, true);
        dynasm!(self.a.ops ; .arch x64 ; =>past);
    }

    fn call_flush(&mut self, walk: &Walk<'p>, flush: &Flush<'_>, bytes: usize, last: bool) {
        let rows = flush.rows(walk.nest, &walk.chunks);
        let rows = rows.iter().flat_map(|row| [row.0 as i64, row.1 as i64]);
        let rows: Vec<u8> = rows.flat_map(i64::to_le_bytes).collect();
        let table = self.a.constant(&rows).disp;
        self.a.set(BYTES, bytes as isize);
        self.a.set(LAST, isize::from(last));
        dynasm!(self.a.ops ; .arch x64
            ; lea Rq(TABLE), [r11 + table]
            ; lea Rq(END), [r11 + table + rows.len() as i32]
            ; call =>flush.label
        );
    }

    /// One of the rows' steps: into the buffer, and from there whole lines on.
    pub(super) fn carried(&mut self, walk: &mut Walk<'p>, k: usize) {
        let Some(flush) = walk.flush else { return };
        self.pay(walk);
        let buffer = self.frame.buffer();
        dynasm!(self.a.ops ; .arch x64
            ; mov [r10 + flush.at.0], rsi
            ; mov eax, esi
            ; and eax, LINE - 1
            ; lea rsi, [r10 + rax + buffer]
        );
        walk.buffered = true;
        self.steps(walk, k + 1);
        walk.buffered = false;
        walk.owed[DST] = 0;
        let step = &walk.tiling.steps[k];
        let steps = walk.chunks[step.index].extent;
        let bytes = flush.carry.bytes / step.by * steps;
        dynasm!(self.a.ops ; .arch x64 ; mov rsi, [r10 + flush.at.0]);
        // Fewer than the others are the last ones, and may be less than a line.
        self.call_flush(walk, &flush, bytes, steps < step.by);
    }

    pub(super) fn emit_flushes(&mut self) {
        for flush in std::mem::take(&mut self.flushes) {
            self.emit_flush(&flush);
        }
    }

    /// Stores what the buffer holds of each row, and leads the rows on.
    fn emit_flush(&mut self, flush: &Flush<'_>) {
        let Flush { label, at, fresh, bytes, last, end, kept: [src, dst], .. } = *flush;
        let buffer = self.frame.buffer();
        let a = &mut self.a;
        let [row, body, lines, rest, tail, next] =
            std::array::from_fn(|_| a.ops.new_dynamic_label());
        dynasm!(a.ops ; .arch x64
            ; .align 16
            ; =>label
            ; mov [r10 + src.0], rdi
            ; mov [r10 + dst.0], rsi
            ; mov [r10 + bytes.0], Rq(BYTES)
            ; mov [r10 + last.0], Rq(LAST)
            ; mov [r10 + end.0], Rq(END)
            // rdi: lines of the destination; rsi: of the buffer; rcx: where the row is in its line;
            // rdx: where it ends, from the line's start; r8: the first line of the buffer.
            ; =>row
            ; mov rsi, [r10 + at.0]
            ; mov rdi, rsi
            ; add rdi, [r9]
            ; and esi, LINE - 1
            ; lea rsi, [r10 + rsi + buffer]
            ; add rsi, [r9 + 8]
            ; mov ecx, edi
            ; and ecx, LINE - 1
            ; sub rdi, rcx
            ; sub rsi, rcx
            ; mov r8, rsi
            ; mov rdx, [r10 + bytes.0]
            ; add rdx, rcx
            ; cmp QWORD [r10 + fresh.0], 0
            ; je =>body
            ; test ecx, ecx
            ; jz =>body
        );
        head(a);
        dynasm!(a.ops ; .arch x64
            ; sub rdx, LINE
            ; jle =>next
            ; =>body
            ; sub rdx, LINE
            ; jl =>rest
            ; =>lines
        );
        line(a, |a, d, s, v| {
            a.vmovdqu(v, s);
            a.vmovntdq(d, v);
        });
        dynasm!(a.ops ; .arch x64
            ; add rdi, LINE
            ; add rsi, LINE
            ; sub rdx, LINE
            ; jge =>lines
            ; =>rest
            ; add rdx, LINE
            ; jz =>next
            ; cmp QWORD [r10 + last.0], 0
            ; jne =>tail
            ; mov rdi, r8
        );
        line(a, |a, d, s, v| {
            a.vmovdqu(v, s);
            a.vmovdqu_store(d, v);
        });
        dynasm!(a.ops ; .arch x64 ; jmp =>next ; =>tail);
        match a.masks() {
            true => {
                dynasm!(a.ops ; .arch x64 ; mov rax, -1 ; bzhi rax, rax, rdx);
                masked(a);
            }
            false => dynasm!(a.ops ; .arch x64 ; mov ecx, edx ; rep movsb),
        }
        dynasm!(a.ops ; .arch x64
            ; =>next
            ; add r9, 16
            ; cmp r9, [r10 + end.0]
            ; jne =>row
            ; mov rax, [r10 + bytes.0]
            ; add [r10 + at.0], rax
            ; mov rax, [r10 + last.0]
            ; mov [r10 + fresh.0], rax
            ; mov rdi, [r10 + src.0]
            ; mov rsi, [r10 + dst.0]
            ; ret
        );
    }
}

/// From `rcx` to the end of the line, or to `rdx` where that comes before; the pointers go on to the next line.
fn head(a: &mut Asm) {
    if a.masks() {
        dynasm!(a.ops ; .arch x64
            ; mov rax, -1
            ; shl rax, cl
            ; cmp rdx, LINE
            ; jae >whole
            ; bzhi rax, rax, rdx
            ; whole:
        );
        masked(a);
        return dynasm!(a.ops ; .arch x64 ; add rdi, LINE ; add rsi, LINE);
    }
    dynasm!(a.ops ; .arch x64
        ; add rdi, rcx
        ; add rsi, rcx
        ; mov eax, LINE
        ; cmp rdx, rax
        ; cmovb rax, rdx
        ; sub rax, rcx
        ; mov rcx, rax
        ; rep movsb
    );
}

/// The bytes of a line that `rax` has bits of.
fn masked(a: &mut Asm) {
    let z = V { number: 0, width: Width::Z };
    let [d, s] = [RDI, RSI].map(|base| Mem { base, index: None, disp: 0 });
    a.ops.kmovq(K(1), Gm::R(R(0)));
    a.vmovdqu(z, s);
    a.ops.vmovdqu8_store(d.masked(K(1)), z);
}

/// A line, in registers of the tier.
fn line(a: &mut Asm, mut part: impl FnMut(&mut Asm, Mem, Mem, V)) {
    let (width, bytes) = if a.masks() { (Width::Z, 64) } else { (Width::Y, 32) };
    for k in 0..LINE / bytes {
        let at = |base: u8| Mem { base, index: None, disp: k * bytes };
        part(a, at(RDI), at(RSI), V { number: k as u8, width });
    }
}
