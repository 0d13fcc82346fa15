//! The oracle. In: two layouts, bytes, arithmetic and its values. Out: the destination's bytes, one
//! element after the other by `offset_of`, as slow and as plain as can be.
//!
//! It shares with planner, interpreter and emitter what layouts, attributes and conversions of single elements mean,
//! and the switch of the floating-point environment; nothing of how a conversion is planned or run. Everything they
//! make is held against it, so it should be believed by reading.

use std::cell::Cell;

use crate::attr::{Attr, Sizes, Values};
use crate::dtype::convert;
use crate::kernel::mxcsr;
use crate::{DType, Layout, Result, Role};

/// Writes the whole footprint of the destination, and nothing else of it.
///
/// ```
/// use retile::{Attr, Layout, Values, reference};
/// let src: Layout = "u8:ab:2x3".parse()?;
/// let dst = src.destination("ba")?;
/// let mut out = [0; 6];
/// reference::reorder(&src, &[1, 2, 3, 4, 5, 6], &dst, &mut out, &Attr::new(), &Values::default())?;
/// assert_eq!(out, [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), retile::Error>(())
/// ```
pub fn reorder(
    src: &Layout,
    src_bytes: &[u8],
    dst: &Layout,
    dst_bytes: &mut [u8],
    attr: &Attr,
    values: &Values<'_>,
) -> Result<()> {
    let lengths = (src_bytes.len(), dst_bytes.len());
    let sizes = check(src, dst, lengths, attr, values)?;
    let memory = Cell::from_mut(dst_bytes).as_slice_of_cells();
    mxcsr::with_default(|| run(src, |at| src_bytes[at], dst, memory, attr, values, &sizes))
}

/// Like [`reorder`], between buffers that may be two parts of one memory, as long as no byte of one footprint is in the
/// other.
pub fn reorder_shared(
    src: &Layout,
    src_bytes: &[Cell<u8>],
    dst: &Layout,
    dst_bytes: &[Cell<u8>],
    attr: &Attr,
    values: &Values<'_>,
) -> Result<()> {
    let lengths = (src_bytes.len(), dst_bytes.len());
    let sizes = check(src, dst, lengths, attr, values)?;
    let src_byte = |at: usize| src_bytes[at].get();
    mxcsr::with_default(|| run(src, src_byte, dst, dst_bytes, attr, values, &sizes))
}

fn check(
    src: &Layout,
    dst: &Layout,
    (src_bytes, dst_bytes): (usize, usize),
    attr: &Attr,
    values: &Values<'_>,
) -> Result<Sizes> {
    let sizes = attr.sizes(src, dst)?;
    sizes.check(src_bytes, dst_bytes)?;
    attr.check_values(src.dims(), values)?;
    Ok(sizes)
}

fn run(
    src: &Layout,
    src_byte: impl Fn(usize) -> u8,
    dst: &Layout,
    memory: &[Cell<u8>],
    attr: &Attr,
    values: &Values<'_>,
    sizes: &Sizes,
) -> Result<()> {
    let (from, to) = (src.dtype(), dst.dtype());
    let fill = convert::fill(to, dst.fill());
    for cell in dst.cells() {
        match cell.role {
            Role::Margin => store(memory, cell.offset, to, fill),
            Role::Tail => store(memory, cell.offset, to, 0),
            Role::Element => {}
        }
    }
    let mut sums = Sums::new(attr, dst, sizes);
    let mut at = vec![0isize; src.rank()];
    for _ in 0..src.elements() {
        let element = load(&src_byte, src.offset_of(&at)?, from);
        let place = dst.offset_of(&at)?;
        let result = if attr.is_arithmetic() {
            let before = || load(&|at| memory[at].get(), place, to);
            let sum = attr.beta().map(|beta| beta * convert::load_f32(to, before()));
            let t = convert::load_f32(from, element);
            convert::store_f32(to, formula(attr, values, src.dims(), &at, t, sum))
        } else {
            convert::element(from, to, element)
        };
        store(memory, place, to, result);
        sums.add(&at, result);
        next(&mut at, src.dims());
    }
    sums.write(memory, sizes);
    Ok(())
}

/// The arithmetic on one element. Each step is rounded to f32 by being one.
fn formula(
    attr: &Attr,
    values: &Values<'_>,
    dims: &[usize],
    at: &[isize],
    mut t: f32,
    sum: Option<f32>,
) -> f32 {
    let [src_scale, dst_scale, src_zero_point, dst_zero_point, ..] =
        attr.masks().map(|(_, mask)| mask.map(|mask| masked_index(mask, dims, at)));
    if let Some(i) = src_zero_point {
        t -= values.src_zero_point[i] as f32;
    }
    if let Some(i) = src_scale {
        t *= values.src_scale[i];
    }
    if let Some(sum) = sum {
        t += sum;
    }
    if let Some(i) = dst_scale {
        t *= 1.0 / values.dst_scale[i];
    }
    if let Some(i) = dst_zero_point {
        t += values.dst_zero_point[i] as f32;
    }
    t
}

/// Row-major over the masked dims.
fn masked_index(mask: u32, extents: &[usize], at: &[isize]) -> usize {
    let dims = extents.iter().zip(at).enumerate().filter(|(d, _)| mask >> d & 1 == 1);
    dims.fold(0, |index, (_, (&n, &i))| index * n + i as usize)
}

/// The sums that compensation appends: for each kind its mask, factor and wrapping sums over the
/// padded extents.
struct Sums {
    padded: Vec<usize>,
    lower: Vec<isize>,
    kinds: [Option<(u32, i32, Vec<i32>)>; 2],
}

impl Sums {
    fn new(attr: &Attr, dst: &Layout, sizes: &Sizes) -> Sums {
        let padded = dst.padded_dims();
        let [.., (_, s8s8), (_, asymmetric)] = attr.masks();
        let kinds = [(s8s8, -128, sizes.s8s8), (asymmetric, -1, sizes.asymmetric)];
        let kinds = kinds.map(|(mask, factor, start)| {
            // An empty tensor has none.
            let mask = mask.filter(|_| start.is_some())?;
            let count = crate::attr::masked(mask, &padded).product();
            Some((mask, factor, vec![0; count]))
        });
        let lower = (0..dst.rank()).map(|d| dst.lower(d) as isize).collect();
        Sums { padded, lower, kinds }
    }

    fn add(&mut self, at: &[isize], stored: u64) {
        for (mask, factor, sums) in self.kinds.iter_mut().flatten() {
            let padded: Vec<isize> =
                at.iter().zip(&self.lower).map(|(i, lower)| i + lower).collect();
            let sum = &mut sums[masked_index(*mask, &self.padded, &padded)];
            *sum = sum.wrapping_add(*factor * i32::from(stored as i8));
        }
    }

    fn write(&self, memory: &[Cell<u8>], sizes: &Sizes) {
        for (kind, start) in self.kinds.iter().zip([sizes.s8s8, sizes.asymmetric]) {
            let (Some((.., sums)), Some(start)) = (kind, start) else {
                continue;
            };
            let bytes = sums.iter().flat_map(|sum| sum.to_ne_bytes());
            memory[start..].iter().zip(bytes).for_each(|(cell, byte)| cell.set(byte));
        }
    }
}

/// The next coordinates in row-major order.
fn next(at: &mut [isize], dims: &[usize]) {
    for (i, &n) in at.iter_mut().zip(dims).rev() {
        *i += 1;
        if *i < n as isize {
            return;
        }
        *i = 0;
    }
}

fn load(byte: &impl Fn(usize) -> u8, offset: usize, dtype: DType) -> u64 {
    let at = offset * dtype.size();
    let mut bits = 0;
    for i in 0..dtype.size() {
        let shift = if cfg!(target_endian = "big") { dtype.size() - 1 - i } else { i };
        bits |= u64::from(byte(at + i)) << (8 * shift);
    }
    bits
}

fn store(memory: &[Cell<u8>], offset: usize, dtype: DType, bits: u64) {
    let at = offset * dtype.size();
    for i in 0..dtype.size() {
        let shift = if cfg!(target_endian = "big") { dtype.size() - 1 - i } else { i };
        memory[at + i].set((bits >> (8 * shift)) as u8);
    }
}
