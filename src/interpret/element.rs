//! The innermost loops of the portable tier. In: two loops, a place, and what is done there. Out:
//! elements moved, converted, summed and filled, as the reference does it one by one.
#![allow(unsafe_code)] // The byte access of the interpreter.

use std::ops::Range;

use super::{Buffers, DST, SRC, on};
use crate::DType;
use crate::attr::Values;
use crate::dtype::lanes::{self, Word};
use crate::problem::{OPERANDS, Operand, Problem, Strides};

/// Elements that pass through registers together.
const CHUNK: usize = lanes::MOST;

/// What moving an element takes.
pub(super) struct Moves<'a> {
    pub(super) problem: &'a Problem,
    pub(super) values: &'a Values<'a>,
    pub(super) buffers: Buffers,
}

impl Moves<'_> {
    /// # Safety
    ///
    /// At every place of the two loops, the source holds an element that may be read, and the
    /// destination one that may be read and written; both are aligned.
    pub(super) unsafe fn rows(
        &self,
        outer: (usize, &Strides),
        inner: (usize, &Strides),
        at: Strides,
    ) {
        let problem = self.problem;
        if problem.moves_bits() {
            let src = self.buffers.src.wrapping_offset(at[SRC]);
            let dst = self.buffers.dst.wrapping_offset(at[DST]);
            let rows = Rows {
                count: outer.0,
                length: inner.0,
                src: (outer.1[SRC], inner.1[SRC]),
                dst: (outer.1[DST], inner.1[DST]),
            };
            // SAFETY: the same places, elements of this size.
            unsafe {
                match problem.src.size() {
                    1 => copy::<u8>(src, dst, &rows),
                    2 => copy::<u16>(src, dst, &rows),
                    4 => copy::<u32>(src, dst, &rows),
                    _ => copy::<u64>(src, dst, &rows),
                }
            }
            return;
        }
        // Short rows go together, long ones in parts.
        let most = (outer.0.min(CHUNK / inner.0.max(1)).max(1), inner.0.min(CHUNK));
        let (mut row, mut first) = (0, 0);
        while row < outer.0 && first < inner.0 {
            let (rows, length) = (most.0.min(outer.0 - row), most.1.min(inner.0 - first));
            let places =
                Places { at, strides: (outer.1, inner.1), first: (row, first), rows, length };
            // SAFETY: a part of the two loops' places.
            unsafe { self.chunk(&places) };
            first += length;
            if first == inner.0 {
                (row, first) = (row + rows, 0);
            }
        }
    }

    /// Up to [`CHUNK`] elements through the conversion or the formula.
    ///
    /// # Safety
    ///
    /// As for [`Moves::rows`].
    unsafe fn chunk(&self, places: &Places<'_>) {
        let long = self.problem.src.size().max(self.problem.dst.size()) > size_of::<u32>();
        // SAFETY: the same places.
        unsafe {
            match long {
                false => self.chunk_of::<u32>(places),
                true => self.chunk_of::<u64>(places),
            }
        }
    }

    /// Moves a chunk by words that are as long as its elements.
    ///
    /// # Safety
    ///
    /// As for [`Moves::rows`].
    unsafe fn chunk_of<W: Word>(&self, places: &Places<'_>) {
        let mut lanes = [W::NONE; CHUNK];
        let lanes = &mut lanes[..places.rows * places.length];
        // SAFETY: these are places of the loops.
        unsafe {
            self.gather(self.problem.src, places, SRC, lanes);
            self.store(places, lanes);
        }
    }

    /// The bits of elements on either side.
    ///
    /// # Safety
    ///
    /// At each of the places is an element that may be read.
    unsafe fn gather<W: Word>(
        &self,
        dtype: DType,
        places: &Places<'_>,
        side: usize,
        lanes: &mut [W],
    ) {
        let base = if side == SRC { self.buffers.src } else { self.buffers.dst.cast_const() };
        for row in 0..places.rows {
            let src = base.wrapping_offset(places.start(side, row));
            let lanes = &mut lanes[places.lanes(row)];
            // SAFETY: these are places of a row.
            unsafe { gather(dtype, src, places.strides.1[side], lanes) };
        }
    }

    /// Up to [`CHUNK`] elements of the source, converted and stored.
    ///
    /// # Safety
    ///
    /// At each of the places, the destination holds an element that may be read and written; it is aligned.
    pub(super) unsafe fn store<W: Word>(&self, places: &Places<'_>, lanes: &mut [W]) {
        let problem = self.problem;
        let (from, to) = (problem.src, problem.dst);
        if problem.arith.is_formula() {
            let mut before = [W::NONE; CHUNK];
            let before = &mut before[..lanes.len()];
            if problem.arith.sum.is_some() {
                // SAFETY: these are places of the loops.
                unsafe { self.gather(to, places, DST, before) };
            }
            self.formula(places, lanes, before);
        } else {
            lanes::elements(from, to, lanes);
        }
        for row in 0..places.rows {
            let dst = self.buffers.dst.wrapping_offset(places.start(DST, row));
            // SAFETY: these are places of a row.
            unsafe { scatter(to, dst, places.strides.1[DST], &lanes[places.lanes(row)]) };
        }
        for sums in problem.arith.sums() {
            let factor = if sums == Operand::S8s8 { -128 } else { -1 };
            let operand = sums as usize;
            for row in 0..places.rows {
                let mut at = places.start(operand, row);
                for lane in &lanes[places.lanes(row)] {
                    let sum = self.buffers.dst.wrapping_offset(at);
                    let added = factor * i32::from(lane.bits() as i8);
                    // SAFETY: sums are part of the destination, one for each masked position.
                    unsafe { store_sum(sum, load_sum(sum).wrapping_add(added)) };
                    at += places.strides.1[operand];
                }
            }
        }
    }

    /// The formula, a step at a time over all lanes.
    fn formula<W: Word>(&self, places: &Places<'_>, lanes: &mut [W], before: &[W]) {
        let (problem, values) = (self.problem, self.values);
        let (from, to, arith) = (problem.src, problem.dst, &problem.arith);
        let mut t = [0f32; CHUNK];
        let t = &mut t[..lanes.len()];
        lanes::load(from, lanes, t);
        let mut own = [0f32; CHUNK];
        let own = &mut own[..t.len()];
        let pairs = |t: &mut [f32], own: &[f32], step: fn(&mut f32, f32)| {
            t.iter_mut().zip(own).for_each(|(t, own)| step(t, *own));
        };
        if arith.src_zero_point {
            pick(values.src_zero_point, places, Operand::SrcZeroPoint, own, |zero| zero as f32);
            pairs(t, own, |t, zero| *t -= zero);
        }
        if arith.src_scale {
            pick(values.src_scale, places, Operand::SrcScale, own, |scale| scale);
            pairs(t, own, |t, scale| *t *= scale);
        }
        if let Some(beta) = arith.sum.map(f32::from_bits) {
            lanes::load(to, before, own);
            t.iter_mut().zip(&*own).for_each(|(t, old)| *t += beta * old);
        }
        if arith.dst_scale {
            pick(values.dst_scale, places, Operand::DstScale, own, |scale| 1.0 / scale);
            pairs(t, own, |t, scale| *t *= scale);
        }
        if arith.dst_zero_point {
            pick(values.dst_zero_point, places, Operand::DstZeroPoint, own, |zero| zero as f32);
            pairs(t, own, |t, zero| *t += zero);
        }
        lanes::store(to, t, lanes);
    }
}

/// Some of the places of two loops, no more than [`CHUNK`].
pub(super) struct Places<'a> {
    /// Where the loops start, and what a step of the outer and of the inner one leads on.
    at: Strides,
    strides: (&'a Strides, &'a Strides),
    /// The steps of both that are the first.
    first: (usize, usize),
    /// So many rows of so many.
    rows: usize,
    length: usize,
}

impl Places<'_> {
    /// A single one.
    pub(super) fn single(at: Strides) -> Places<'static> {
        const STILL: &Strides = &[0; OPERANDS];
        Places { at, strides: (STILL, STILL), first: (0, 0), rows: 1, length: 1 }
    }

    /// Where a row of an operand starts.
    fn start(&self, operand: usize, row: usize) -> isize {
        let (outer, inner) = (self.strides.0[operand], self.strides.1[operand]);
        let at = on(self.at[operand], outer, (self.first.0 + row) as isize);
        on(at, inner, self.first.1 as isize)
    }

    /// The lanes of a row.
    fn lanes(&self, row: usize) -> Range<usize> {
        row * self.length..(row + 1) * self.length
    }
}

/// The values of lanes, as floats.
fn pick<V: Copy>(
    all: &[V],
    places: &Places<'_>,
    operand: Operand,
    own: &mut [f32],
    float: fn(V) -> f32,
) {
    let operand = operand as usize;
    let (across, step) = (places.strides.0[operand], places.strides.1[operand]);
    if across == 0 && step == 0 {
        return own.fill(float(all[places.start(operand, 0) as usize]));
    }
    for row in 0..places.rows {
        let (at, own) = (places.start(operand, row) as usize, &mut own[places.lanes(row)]);
        match step {
            0 => own.fill(float(all[at])),
            1 => own.iter_mut().zip(&all[at..]).for_each(|(own, value)| *own = float(*value)),
            _ => {
                let place = |i: usize| at.wrapping_add_signed(step * i as isize);
                own.iter_mut().enumerate().for_each(|(i, own)| *own = float(all[place(i)]));
            }
        }
    }
}

struct Rows {
    count: usize,
    length: usize,
    src: (isize, isize),
    dst: (isize, isize),
}

/// Copies elements of one size.
///
/// # Safety
///
/// At every place, both sides hold a `T` that may be read and, on the destination's, written.
unsafe fn copy<T: Copy>(src: *const u8, dst: *mut u8, rows: &Rows) {
    let size = size_of::<T>() as isize;
    for row in 0..rows.count as isize {
        let mut src = src.wrapping_offset(rows.src.0.wrapping_mul(row)).cast::<T>();
        let mut dst = dst.wrapping_offset(rows.dst.0.wrapping_mul(row)).cast::<T>();
        // SAFETY: the places of one row, each read and written once; rows that are contiguous on
        // both sides do not overlap, as the footprints do not.
        unsafe {
            match (rows.src.1 == size, rows.dst.1 == size) {
                (true, true) => dst.copy_from_nonoverlapping(src, rows.length),
                (false, true) => {
                    for i in 0..rows.length {
                        dst.add(i).write(src.read());
                        src = src.wrapping_byte_offset(rows.src.1);
                    }
                }
                (true, false) => {
                    for i in 0..rows.length {
                        dst.write(src.add(i).read());
                        dst = dst.wrapping_byte_offset(rows.dst.1);
                    }
                }
                (false, false) => {
                    for _ in 0..rows.length {
                        dst.write(src.read());
                        src = src.wrapping_byte_offset(rows.src.1);
                        dst = dst.wrapping_byte_offset(rows.dst.1);
                    }
                }
            }
        }
    }
}

/// Stores the same bits at places `stride` bytes apart.
///
/// # Safety
///
/// At each of `length` places there is an element that may be written.
pub(super) unsafe fn fill(dtype: DType, bits: u64, dst: *mut u8, stride: isize, length: usize) {
    // SAFETY: the same places.
    unsafe {
        match dtype.size() {
            1 => fill_as(bits as u8, dst, stride, length),
            2 => fill_as(bits as u16, dst, stride, length),
            4 => fill_as(bits as u32, dst, stride, length),
            _ => fill_as(bits, dst, stride, length),
        }
    }
}

/// # Safety
///
/// As for [`fill`].
unsafe fn fill_as<T: Copy>(value: T, dst: *mut u8, stride: isize, length: usize) {
    let mut dst = dst.cast::<T>();
    if stride == size_of::<T>() as isize {
        for i in 0..length {
            // SAFETY: one of the places.
            unsafe { dst.add(i).write(value) };
        }
        return;
    }
    for _ in 0..length {
        // SAFETY: one of the places.
        unsafe { dst.write(value) };
        dst = dst.wrapping_byte_offset(stride);
    }
}

/// The bits of elements `stride` bytes apart.
///
/// # Safety
///
/// At each of as many places as there are lanes is an element that may be read.
pub(super) unsafe fn gather<W: Word>(dtype: DType, src: *const u8, stride: isize, lanes: &mut [W]) {
    // SAFETY: the same places.
    unsafe {
        match dtype.size() {
            1 => gather_as::<u8, W>(src, stride, lanes),
            2 => gather_as::<u16, W>(src, stride, lanes),
            4 => gather_as::<u32, W>(src, stride, lanes),
            _ => gather_as::<u64, W>(src, stride, lanes),
        }
    }
}

/// # Safety
///
/// As for [`gather`].
unsafe fn gather_as<T: Copy + Into<u64>, W: Word>(src: *const u8, stride: isize, lanes: &mut [W]) {
    let mut src = src.cast::<T>();
    if stride == size_of::<T>() as isize {
        for (i, lane) in lanes.iter_mut().enumerate() {
            // SAFETY: one of the places.
            *lane = W::of(unsafe { src.add(i).read() }.into());
        }
        return;
    }
    for lane in lanes {
        // SAFETY: one of the places.
        *lane = W::of(unsafe { src.read() }.into());
        src = src.wrapping_byte_offset(stride);
    }
}

/// Stores the low bits of lanes, `stride` bytes apart.
///
/// # Safety
///
/// At each of as many places as there are lanes is an element that may be written.
unsafe fn scatter<W: Word>(dtype: DType, dst: *mut u8, stride: isize, lanes: &[W]) {
    // SAFETY: the same places.
    unsafe {
        match dtype.size() {
            1 => scatter_as(dst, stride, lanes, |lane| lane as u8),
            2 => scatter_as(dst, stride, lanes, |lane| lane as u16),
            4 => scatter_as(dst, stride, lanes, |lane| lane as u32),
            _ => scatter_as(dst, stride, lanes, |lane| lane),
        }
    }
}

/// # Safety
///
/// As for [`scatter`].
unsafe fn scatter_as<T, W: Word>(dst: *mut u8, stride: isize, lanes: &[W], low: impl Fn(u64) -> T) {
    let mut dst = dst.cast::<T>();
    if stride == size_of::<T>() as isize {
        for (i, lane) in lanes.iter().enumerate() {
            // SAFETY: one of the places.
            unsafe { dst.add(i).write(low(lane.bits())) };
        }
        return;
    }
    for lane in lanes {
        // SAFETY: one of the places.
        unsafe { dst.write(low(lane.bits())) };
        dst = dst.wrapping_byte_offset(stride);
    }
}

/// # Safety
///
/// A sum of four bytes, aligned or not, may be read there.
unsafe fn load_sum(at: *const u8) -> i32 {
    // SAFETY: as said.
    unsafe { at.cast::<i32>().read_unaligned() }
}

/// # Safety
///
/// A sum of four bytes, aligned or not, may be written there.
pub(super) unsafe fn store_sum(at: *mut u8, sum: i32) {
    // SAFETY: as said.
    unsafe { at.cast::<i32>().write_unaligned(sum) };
}
