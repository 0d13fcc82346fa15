//! The innermost loops of the portable tier. In: two loops, a place, and what is done there. Out:
//! elements moved, converted, summed and filled, as the reference does it one by one.
#![allow(unsafe_code)] // The byte access of the interpreter.

use super::{Buffers, DST, SRC};
use crate::DType;
use crate::attr::Values;
use crate::dtype::lanes;
use crate::problem::{Operand, Problem, Strides};

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
        for row in 0..outer.0 {
            let mut start = at;
            super::add(&mut start, outer.1, row as isize);
            let mut done = 0;
            while done < inner.0 {
                let length = CHUNK.min(inner.0 - done);
                // SAFETY: a part of the inner loop's places.
                unsafe { self.chunk(start, inner.1, length) };
                super::add(&mut start, inner.1, length as isize);
                done += length;
            }
        }
    }

    /// Up to [`CHUNK`] elements through the conversion or the formula.
    ///
    /// # Safety
    ///
    /// As for [`Moves::rows`].
    unsafe fn chunk(&self, at: Strides, strides: &Strides, length: usize) {
        let problem = self.problem;
        let src = self.buffers.src.wrapping_offset(at[SRC]);
        let mut lanes = [0u64; CHUNK];
        let lanes = &mut lanes[..length];
        // SAFETY: these are places of the loop.
        unsafe {
            gather(problem.src, src, strides[SRC], lanes);
            self.store(at, strides, lanes);
        }
    }

    /// Up to [`CHUNK`] elements of the source, converted and stored.
    ///
    /// # Safety
    ///
    /// At every place of the loop, the destination holds an element that may be read and written; it
    /// is aligned.
    pub(super) unsafe fn store(&self, at: Strides, strides: &Strides, lanes: &mut [u64]) {
        let problem = self.problem;
        let (from, to) = (problem.src, problem.dst);
        let dst = self.buffers.dst.wrapping_offset(at[DST]);
        if problem.arith.is_formula() {
            let mut before = [0u64; CHUNK];
            if problem.arith.sum.is_some() {
                // SAFETY: these are places of the loop.
                unsafe { gather(to, dst, strides[DST], &mut before[..lanes.len()]) };
            }
            self.formula(at, strides, lanes, &before[..lanes.len()]);
        } else {
            lanes::elements(from, to, lanes);
        }
        // SAFETY: these are places of the loop.
        unsafe { scatter(to, dst, strides[DST], lanes) };
        let arith = &problem.arith;
        for (operand, present, factor) in
            [(Operand::S8s8, arith.s8s8, -128), (Operand::Asymmetric, arith.asymmetric, -1)]
        {
            let operand = operand as usize;
            for (i, lane) in lanes.iter().enumerate().filter(|_| present) {
                let offset = at[operand] + strides[operand] * i as isize;
                let sum = self.buffers.dst.wrapping_offset(offset);
                let added = factor * i32::from(*lane as i8);
                // SAFETY: sums are part of the destination, one for each masked position.
                unsafe { store_sum(sum, load_sum(sum).wrapping_add(added)) };
            }
        }
    }

    /// The formula, a step at a time over all lanes.
    fn formula(&self, at: Strides, strides: &Strides, lanes: &mut [u64], before: &[u64]) {
        let (problem, values) = (self.problem, self.values);
        let (from, to, arith) = (problem.src, problem.dst, &problem.arith);
        let mut t = [0f32; CHUNK];
        let t = &mut t[..lanes.len()];
        lanes::load(from, lanes, t);
        let mut own = [0f32; CHUNK];
        let own = &mut own[..t.len()];
        let place = |operand: Operand| (at[operand as usize], strides[operand as usize]);
        let pairs = |t: &mut [f32], own: &[f32], step: fn(&mut f32, f32)| {
            t.iter_mut().zip(own).for_each(|(t, own)| step(t, *own));
        };
        if arith.src_zero_point {
            pick(values.src_zero_point, place(Operand::SrcZeroPoint), own, |zero| zero as f32);
            pairs(t, own, |t, zero| *t -= zero);
        }
        if arith.src_scale {
            pick(values.src_scale, place(Operand::SrcScale), own, |scale| scale);
            pairs(t, own, |t, scale| *t *= scale);
        }
        if let Some(beta) = arith.sum.map(f32::from_bits) {
            lanes::load(to, before, own);
            t.iter_mut().zip(&*own).for_each(|(t, old)| *t += beta * old);
        }
        if arith.dst_scale {
            pick(values.dst_scale, place(Operand::DstScale), own, |scale| 1.0 / scale);
            pairs(t, own, |t, scale| *t *= scale);
        }
        if arith.dst_zero_point {
            pick(values.dst_zero_point, place(Operand::DstZeroPoint), own, |zero| zero as f32);
            pairs(t, own, |t, zero| *t += zero);
        }
        lanes::store(to, t, lanes);
    }
}

/// The values of lanes, from a place on so many apart.
fn pick<V: Copy>(all: &[V], (at, step): (isize, isize), own: &mut [f32], float: fn(V) -> f32) {
    let at = at as usize;
    match step {
        0 => own.fill(float(all[at])),
        1 => own.iter_mut().zip(&all[at..]).for_each(|(own, value)| *own = float(*value)),
        _ => {
            let place = |i: usize| at.wrapping_add_signed(step * i as isize);
            own.iter_mut().enumerate().for_each(|(i, own)| *own = float(all[place(i)]));
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
pub(super) unsafe fn gather(dtype: DType, src: *const u8, stride: isize, lanes: &mut [u64]) {
    // SAFETY: the same places.
    unsafe {
        match dtype.size() {
            1 => gather_as::<u8>(src, stride, lanes),
            2 => gather_as::<u16>(src, stride, lanes),
            4 => gather_as::<u32>(src, stride, lanes),
            _ => gather_as::<u64>(src, stride, lanes),
        }
    }
}

/// # Safety
///
/// As for [`gather`].
unsafe fn gather_as<T: Copy + Into<u64>>(src: *const u8, stride: isize, lanes: &mut [u64]) {
    let mut src = src.cast::<T>();
    if stride == size_of::<T>() as isize {
        for (i, lane) in lanes.iter_mut().enumerate() {
            // SAFETY: one of the places.
            *lane = unsafe { src.add(i).read() }.into();
        }
        return;
    }
    for lane in lanes {
        // SAFETY: one of the places.
        *lane = unsafe { src.read() }.into();
        src = src.wrapping_byte_offset(stride);
    }
}

/// Stores the low bits of lanes, `stride` bytes apart.
///
/// # Safety
///
/// At each of as many places as there are lanes is an element that may be written.
unsafe fn scatter(dtype: DType, dst: *mut u8, stride: isize, lanes: &[u64]) {
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
unsafe fn scatter_as<T>(dst: *mut u8, stride: isize, lanes: &[u64], low: impl Fn(u64) -> T) {
    let mut dst = dst.cast::<T>();
    if stride == size_of::<T>() as isize {
        for (i, lane) in lanes.iter().enumerate() {
            // SAFETY: one of the places.
            unsafe { dst.add(i).write(low(*lane)) };
        }
        return;
    }
    for lane in lanes {
        // SAFETY: one of the places.
        unsafe { dst.write(low(*lane)) };
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
