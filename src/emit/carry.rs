//! Carried rows. In: tiles that store to the buffer, and where its rows go. Out: whole lines of them stored
//! past the caches, what does not fill one put in front of the buffer for the next time, or stored for itself
//! where a row begins or ends.
//!
//! A byte has the same place in its line in the buffer as in the destination, wherever that lies.

mod few;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use smallvec::SmallVec;

use super::Emitter;
use super::asm::{Asm, RAX, RCX, RDI, RDX, RSI};
use super::evex::{Evex, K, Mem, R, V, Width, at};
use super::frame::Word;
use super::nest::Walk;
use crate::plan::{CARRIED_LINE, Carry, Chunk, Nest, Tile};
use crate::problem::DST;
use crate::shuffle::{Op, Program};

/// A subroutine that stores rows of the buffer, and the words that it is told by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flush<'p> {
    pub(super) carry: &'p Carry,
    label: DynamicLabel,
    /// Where the rows that come together go on in the destination, of the first of them; and the first of all.
    at: Word,
    all: Word,
    /// Not 0 where nothing of the rows has been stored yet.
    fresh: Word,
    /// Where lines wait apart from their rows: what is left of the next row's last one.
    waits: Word,
    /// Bytes that came together of each row, and whether these are the last.
    bytes: Word,
    last: Word,
    /// Where the table of the rows ends.
    end: Word,
    /// The pointers of the walk.
    kept: [Word; 2],
    /// Where the walk is while the rows end.
    ends: Word,
}

/// What the subroutine is given: bytes of each row, whether these are the last, and a table of the rows.
const BYTES: u8 = 8;
const LAST: u8 = RCX;
const TABLE: u8 = 9;
const END: u8 = RDX;

/// While rows are stored, what waits of the one at hand.
const WAITS: u8 = 8;

const LINE: i32 = CARRIED_LINE as i32;

/// What is done with rows that come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carried {
    /// They are led on.
    Led,
    /// The destination is the buffer.
    Buffered,
    /// There are no more of them, but what waits.
    Ends,
}

impl Flush<'_> {
    /// Where rows come together in the buffer, behind the lines that wait.
    fn rows_at(&self) -> i32 {
        self.carry.lines_apart() as i32
    }

    /// Whether lines wait apart from their rows.
    fn is_apart(&self) -> bool {
        self.carry.lines_apart() > 0
    }

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
        let [at, all, fresh, waits, bytes, last, end, src, dst, ends] = self.frame.words();
        let kept = [src, dst];
        let flush = Flush { carry, label, at, all, fresh, waits, bytes, last, end, kept, ends };
        self.flushes.push(flush);
        flush
    }

    /// Before the first of the rows' steps.
    pub(super) fn start_carry(&mut self, walk: &Walk<'p>) {
        let Some(flush) = walk.flush else { return };
        dynasm!(self.a.ops ; .arch x64 ; mov QWORD [r10 + flush.fresh.0], 1);
    }

    /// Behind the last of them: what has not filled a line.
    pub(super) fn end_carry(&mut self, walk: &mut Walk<'p>) {
        let Some(flush) = walk.flush else { return };
        let past = self.a.ops.new_dynamic_label();
        self.pay(walk);
        dynasm!(self.a.ops ; .arch x64
            ; cmp QWORD [r10 + flush.fresh.0], 0
            ; jne =>past
            ; mov [r10 + flush.ends.0], rsi
            ; mov rsi, [r10 + flush.all.0]
        );
        self.first_waits(&flush);
        walk.carried = Carried::Ends;
        self.steps(walk, flush.carry.step + 1);
        walk.carried = Carried::Led;
        self.pay(walk);
        dynasm!(self.a.ops ; .arch x64 ; mov rsi, [r10 + flush.ends.0] ; =>past);
    }

    fn first_waits(&mut self, flush: &Flush<'_>) {
        if !flush.is_apart() {
            return;
        }
        let buffer = self.frame.buffer();
        dynasm!(self.a.ops ; .arch x64
            ; lea rax, [r10 + buffer]
            ; mov [r10 + flush.waits.0], rax
        );
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

    /// One of the rows' steps.
    pub(super) fn carried(&mut self, walk: &mut Walk<'p>, k: usize) {
        let Some(flush) = walk.flush else { return };
        self.pay(walk);
        dynasm!(self.a.ops ; .arch x64 ; mov [r10 + flush.all.0], rsi);
        self.first_waits(&flush);
        self.steps(walk, k + 1);
        let (bytes, last) = walk.led(&flush);
        dynasm!(self.a.ops ; .arch x64
            ; add QWORD [r10 + flush.all.0], bytes as i32
            ; mov QWORD [r10 + flush.fresh.0], i32::from(last)
        );
    }

    /// Rows that come together: into the buffer, and from there whole lines on.
    pub(super) fn together(&mut self, walk: &mut Walk<'p>, k: usize) {
        let Some(flush) = walk.flush else { return };
        self.pay(walk);
        dynasm!(self.a.ops ; .arch x64 ; mov [r10 + flush.at.0], rsi);
        if walk.carried == Carried::Ends {
            return self.call_flush(walk, &flush, 0, true);
        }
        let buffer = self.frame.buffer() + flush.rows_at();
        dynasm!(self.a.ops ; .arch x64
            ; mov eax, esi
            ; and eax, LINE - 1
            ; lea rsi, [r10 + rax + buffer]
        );
        walk.carried = Carried::Buffered;
        self.steps(walk, k);
        walk.carried = Carried::Led;
        walk.owed[DST] = 0;
        let (bytes, last) = walk.led(&flush);
        dynasm!(self.a.ops ; .arch x64 ; mov rsi, [r10 + flush.at.0]);
        self.call_flush(walk, &flush, bytes, last);
    }

    pub(super) fn emit_flushes(&mut self) {
        for flush in std::mem::take(&mut self.flushes) {
            self.emit_flush(&flush);
        }
    }

    /// Stores what the buffer holds of each row behind what waits of it.
    fn emit_flush(&mut self, flush: &Flush<'_>) {
        let Flush { label, waits, bytes, last, end, kept: [src, dst], .. } = *flush;
        let buffer = self.frame.buffer() + flush.rows_at();
        let a = &mut self.a;
        let [row, next, done] = std::array::from_fn(|_| a.ops.new_dynamic_label());
        dynasm!(a.ops ; .arch x64
            ; .align 16
            ; =>label
            ; mov [r10 + src.0], rdi
            ; mov [r10 + dst.0], rsi
            ; mov [r10 + end.0], Rq(END)
        );
        if let Some(lines) = flush.few_lines() {
            few::store(a, flush, lines, buffer, done);
        }
        dynasm!(a.ops ; .arch x64
            ; mov [r10 + bytes.0], Rq(BYTES)
            ; mov [r10 + last.0], Rq(LAST)
        );
        if flush.is_apart() {
            dynasm!(a.ops ; .arch x64 ; mov Rq(WAITS), [r10 + waits.0]);
        }
        dynasm!(a.ops ; .arch x64 ; =>row);
        flush.find_row(a, buffer);
        flush.begin_row(a, next);
        whole_lines(a);
        flush.end_row(a, next);
        dynasm!(a.ops ; .arch x64
            ; =>next
            ; add r9, 16
            ; add Rq(WAITS), LINE
            ; cmp r9, [r10 + end.0]
            ; jne =>row
            ; =>done
        );
        if flush.is_apart() {
            dynasm!(a.ops ; .arch x64 ; mov [r10 + waits.0], Rq(WAITS));
        }
        dynasm!(a.ops ; .arch x64
            ; mov rdi, [r10 + src.0]
            ; mov rsi, [r10 + dst.0]
            ; ret
        );
    }
}

/// Parts of the subroutine. While a row is stored, rdi is at lines of the destination, rsi at those of the buffer; rcx
/// is where the row is in its line, rdx where it ends, from the line's start, and r8 what waits of it.
impl Flush<'_> {
    fn find_row(&self, a: &mut Asm, buffer: i32) {
        dynasm!(a.ops ; .arch x64
            ; mov rsi, [r10 + self.at.0]
            ; mov rdi, rsi
            ; add rdi, [r9]
            ; and esi, LINE - 1
            ; lea rsi, [r10 + rsi + buffer]
            ; add rsi, [r9 + 8]
            ; mov ecx, edi
            ; and ecx, LINE - 1
            ; sub rdi, rcx
            ; sub rsi, rcx
        );
        if !self.is_apart() {
            dynasm!(a.ops ; .arch x64 ; mov Rq(WAITS), rsi);
        }
        dynasm!(a.ops ; .arch x64
            ; mov rdx, [r10 + self.bytes.0]
            ; add rdx, rcx
        );
    }

    /// A line that the row does not start: what waits comes before the row, or the line is stored for itself.
    fn begin_row(&self, a: &mut Asm, next: DynamicLabel) {
        let [goes_on, body] = std::array::from_fn(|_| a.ops.new_dynamic_label());
        dynasm!(a.ops ; .arch x64
            ; test ecx, ecx
            ; jz =>body
            ; cmp QWORD [r10 + self.fresh.0], 0
            ; je =>goes_on
        );
        head(a);
        dynasm!(a.ops ; .arch x64
            ; sub rdx, LINE
            ; jle =>next
            ; jmp =>body
            ; =>goes_on
        );
        if self.is_apart() {
            behind(a);
        }
        dynasm!(a.ops ; .arch x64 ; =>body);
    }

    /// A line that the row does not fill: it waits, or is stored for itself if it is the last.
    fn end_row(&self, a: &mut Asm, next: DynamicLabel) {
        let tail = a.ops.new_dynamic_label();
        dynasm!(a.ops ; .arch x64
            ; add rdx, LINE
            ; jz =>next
            ; cmp QWORD [r10 + self.last.0], 0
            ; jne =>tail
            ; mov rdi, Rq(WAITS)
        );
        line(a, |a, part, v| {
            a.vmovdqu(v, at(RSI, part));
            a.vmovdqu_store(at(RDI, part), v);
        });
        dynasm!(a.ops ; .arch x64 ; jmp =>next ; =>tail);
        match a.masks() {
            true => {
                dynasm!(a.ops ; .arch x64 ; mov rax, -1 ; bzhi rax, rax, rdx);
                masked(a);
            }
            false => dynasm!(a.ops ; .arch x64 ; mov ecx, edx ; rep movsb),
        }
    }
}

impl Walk<'_> {
    /// Bytes that the rows' step leads on; fewer than the others are the last ones, and may be less than a line.
    fn led(&self, flush: &Flush<'_>) -> (usize, bool) {
        let step = &self.tiling.steps[flush.carry.step];
        let steps = self.chunks[step.index].extent;
        (flush.carry.bytes / step.by * steps, steps < step.by)
    }
}

/// What waits, in place of what is loaded: with masks up to where these are ones, without where `ones` are.
fn come_before(a: &mut Asm, v: V, waits: Mem, ones: Mem) {
    if a.masks() {
        return a.ops.vmovdqu8(v.keep(K(1)), waits);
    }
    let [old, mask] = [v.number + 2, v.number + 4].map(|number| V { number, ..v });
    a.vmovdqu(old, waits);
    a.vmovdqu(mask, ones);
    a.vpblendvb(v, v, old, mask);
}

/// A line of ones and a line of none: what is loaded a little before the second has ones up to there.
fn ones(a: &mut Asm) -> i32 {
    let ones: Vec<u8> = (0..2 * LINE).map(|i| if i < LINE { 0xff } else { 0 }).collect();
    a.constant(&ones).disp
}

/// Lines past the caches, as long as `rdx` has whole ones; a line too many is taken off it then.
fn whole_lines(a: &mut Asm) {
    let [lines, rest] = std::array::from_fn(|_| a.ops.new_dynamic_label());
    dynasm!(a.ops ; .arch x64
        ; sub rdx, LINE
        ; jl =>rest
        ; =>lines
    );
    line(a, |a, part, v| {
        a.vmovdqu(v, at(RSI, part));
        a.vmovntdq(at(RDI, part), v);
    });
    dynasm!(a.ops ; .arch x64
        ; add rdi, LINE
        ; add rsi, LINE
        ; sub rdx, LINE
        ; jge =>lines
        ; =>rest
    );
}

/// What waits of a row, before what has come behind it: up to `rcx` of a line.
fn behind(a: &mut Asm) {
    if a.masks() {
        dynasm!(a.ops ; .arch x64 ; mov rax, -1 ; bzhi rax, rax, rcx);
        a.ops.kmovq(K(1), R(RAX));
    } else {
        let ones = ones(a);
        dynasm!(a.ops ; .arch x64 ; lea rax, [r11 + ones + LINE] ; sub rax, rcx);
    }
    line(a, |a, part, v| {
        a.vmovdqu(v, at(RSI, part));
        come_before(a, v, at(WAITS, part), at(RAX, part));
        a.vmovdqu_store(at(RSI, part), v);
    });
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
    let [d, s] = [RDI, RSI].map(|base| at(base, 0));
    a.ops.kmovq(K(1), R(RAX));
    a.vmovdqu(z, s);
    a.ops.vmovdqu8_store(d.masked(K(1)), z);
}

/// A line, in registers of the tier, each with the byte that it starts from.
fn line(a: &mut Asm, mut part: impl FnMut(&mut Asm, i32, V)) {
    let (width, bytes) = if a.masks() { (Width::Z, 64) } else { (Width::Y, 32) };
    for k in 0..LINE / bytes {
        part(a, k * bytes, V { number: k as u8, width });
    }
}
