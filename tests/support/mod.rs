//! What the tests of the reference and of tensors share: raw elements in bytes, buffers whose
//! untouched bytes can be told, and small random numbers.

#![allow(dead_code)] // each test uses its part

pub(crate) mod formula;
pub(crate) mod random;

use retile::{Attr, DType, Error, ErrorKind, Layout, Result, Values, reference};

/// Bytes behind every destination, which nothing may write.
pub(crate) const BEHIND: usize = 16;

/// A layout from its text.
#[track_caller]
pub(crate) fn layout(text: &str) -> Layout {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Bytes that no two neighbours have alike, to tell what was written and what moved.
pub(crate) fn canary(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 37 + 0x5b) as u8 | 0x80).collect()
}

/// Writes one element's bits at an offset in elements.
pub(crate) fn put(dtype: DType, bytes: &mut [u8], offset: usize, bits: u64) {
    let size = dtype.size();
    let low = if cfg!(target_endian = "big") { 8 - size } else { 0 };
    bytes[offset * size..][..size].copy_from_slice(&bits.to_ne_bytes()[low..][..size]);
}

/// Reads one element's bits.
pub(crate) fn get(dtype: DType, bytes: &[u8], offset: usize) -> u64 {
    let size = dtype.size();
    let mut bits = 0u64.to_ne_bytes();
    let low = if cfg!(target_endian = "big") { 8 - size } else { 0 };
    bits[low..][..size].copy_from_slice(&bytes[offset * size..][..size]);
    u64::from_ne_bytes(bits)
}

/// Elements side by side as bytes.
pub(crate) fn pack(dtype: DType, elements: &[u64]) -> Vec<u8> {
    let mut bytes = vec![0; elements.len() * dtype.size()];
    for (i, &bits) in elements.iter().enumerate() {
        put(dtype, &mut bytes, i, bits);
    }
    bytes
}

/// Bytes as elements side by side.
pub(crate) fn unpack(dtype: DType, bytes: &[u8]) -> Vec<u64> {
    (0..bytes.len() / dtype.size()).map(|i| get(dtype, bytes, i)).collect()
}

pub(crate) fn f32_bits(values: &[f32]) -> Vec<u64> {
    values.iter().map(|v| u64::from(v.to_bits())).collect()
}

/// Reorders into a destination of canaries, and returns all of it.
#[track_caller]
pub(crate) fn run(src: &Layout, bytes: &[u8], dst: &Layout) -> Vec<u8> {
    run_with(src, bytes, dst, &Attr::new(), &Values::default())
}

/// The same with arithmetic. Nothing behind the destination may change.
#[track_caller]
pub(crate) fn run_with(
    src: &Layout,
    bytes: &[u8],
    dst: &Layout,
    attr: &Attr,
    values: &Values<'_>,
) -> Vec<u8> {
    let sizes = attr.sizes(src, dst).unwrap_or_else(|e| panic!("{src} to {dst}: {e}"));
    let mut out = canary(sizes.dst + BEHIND);
    run_into(src, bytes, dst, &mut out, attr, values);
    assert_eq!(
        out[sizes.dst..],
        canary(out.len())[sizes.dst..],
        "{src} to {dst} wrote behind the destination"
    );
    out.truncate(sizes.dst);
    out
}

/// The same into a buffer that holds something.
#[track_caller]
pub(crate) fn run_into(
    src: &Layout,
    bytes: &[u8],
    dst: &Layout,
    out: &mut [u8],
    attr: &Attr,
    values: &Values<'_>,
) {
    reference::reorder(src, bytes, dst, out, attr, values)
        .unwrap_or_else(|e| panic!("{src} to {dst}: {e}"));
}

/// Reorders dense rows of the same dims, as most arithmetic needs: element `i` to element `i`.
#[track_caller]
pub(crate) fn rows(
    (from, src): (DType, &[u64]),
    to: DType,
    dims: &[usize],
    attr: &Attr,
    values: &Values<'_>,
) -> Vec<u64> {
    let (a, b) = (Layout::row_major(from, dims).unwrap(), Layout::row_major(to, dims).unwrap());
    unpack(to, &run_with(&a, &pack(from, src), &b, attr, values))
}

/// That something is refused, and for whose fault.
#[track_caller]
pub(crate) fn refused<T>(what: Result<T>, kind: ErrorKind) -> Error {
    match what {
        Ok(_) => panic!("accepted, though it should be refused as {kind:?}"),
        Err(error) => {
            assert_eq!(error.kind(), kind, "{error}");
            error
        }
    }
}

/// Every coordinate from `-lower` to `n + upper`, row-major.
pub(crate) fn coordinates(layout: &Layout) -> Vec<Vec<isize>> {
    let mut all = vec![Vec::new()];
    for (d, &n) in layout.dims().iter().enumerate() {
        let range = -(layout.lower(d) as isize)..(n + layout.upper(d)) as isize;
        all = all
            .iter()
            .flat_map(|head| range.clone().map(move |i| [&head[..], &[i]].concat()))
            .collect();
    }
    all
}

/// Whether a coordinate is an element and not a margin.
pub(crate) fn inside(layout: &Layout, at: &[isize]) -> bool {
    at.iter().zip(layout.dims()).all(|(&i, &n)| (0..n as isize).contains(&i))
}

/// Where the value for a coordinate lies: row-major over the masked dims.
pub(crate) fn index(mask: u32, dims: &[usize], at: &[isize]) -> usize {
    let masked = (0..dims.len()).filter(|d| mask >> d & 1 == 1);
    masked.fold(0, |index, d| index * dims[d] + at[d] as usize)
}

/// How many values a mask asks for.
pub(crate) fn count(mask: u32, dims: &[usize]) -> usize {
    let masked = (0..dims.len()).filter(|d| mask >> d & 1 == 1);
    masked.map(|d| dims[d]).product()
}

/// Xorshift: the same numbers in every run.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 32) as usize) % n
    }

    /// True once in `n`.
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Numbers from 0 on, in random order.
    pub(crate) fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }

    pub(crate) fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| (self.next() >> 40) as u8).collect()
    }
}
