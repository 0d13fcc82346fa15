//! Memory to measure in. In: a pair. Out: its two sides, the same pages from one conversion to the next, and
//! who works on them.

use retile::{DType, GivenValues, Kernel, Role};

use super::measure::Job;
use crate::buffer::Buffer;
use crate::draw::{self, Draw, Numbers};
use crate::failure::Failure;
use crate::memory::Memory;
use crate::pair::Pair;
use crate::run;

/// What all that is timed reads and writes.
#[derive(Default)]
pub(crate) struct Memories {
    src: Option<Buffer>,
    dst: Option<Buffer>,
}

/// A source and a destination.
pub(crate) struct Sides<'m> {
    pub(crate) src: &'m mut [u8],
    pub(crate) dst: &'m mut [u8],
}

impl Memories {
    /// Both sides with so many bytes; filled with ordinary numbers, so that every page is there. Tails of the
    /// source are zero, as others would have them.
    pub(crate) fn sides(
        &mut self,
        pair: &Pair,
        bytes: (usize, usize),
        draw: &mut Draw,
    ) -> Result<Sides<'_>, Failure> {
        let src = room(&mut self.src, bytes.0)?;
        fill(src, pair.src.dtype(), draw);
        if Memory::of(&pair.src).counts.tails > 0 {
            let size = pair.src.dtype().size();
            let tails = pair.src.cells().filter(|cell| cell.role == Role::Tail);
            tails.for_each(|cell| src[cell.offset * size..][..size].fill(0));
        }
        let dst = room(&mut self.dst, bytes.1)?;
        fill(dst, pair.dst.dtype(), draw);
        Ok(Sides { src, dst })
    }
}

/// So many bytes at the start of a page, of a large one where they are many.
fn room(buffer: &mut Option<Buffer>, bytes: usize) -> Result<&mut [u8], Failure> {
    const LARGE: usize = 2 << 20;
    if buffer.as_ref().is_none_or(|buffer| buffer.bytes().len() < bytes) {
        let align = if bytes < LARGE { 4096 } else { LARGE };
        // The old one goes first: there may not be room for both.
        *buffer = None;
        *buffer = Some(Buffer::new(bytes, align, 0)?);
    }
    let buffer = buffer.as_mut().ok_or_else(|| Failure::Absent("no memory".into()))?;
    Ok(&mut buffer.bytes_mut()[..bytes])
}

/// Fills memory with copies of a few drawn elements, since drawing all takes long.
fn fill(bytes: &mut [u8], dtype: DType, draw: &mut Draw) {
    const DRAWN: usize = 64 << 10;
    let drawn = bytes.len().min(DRAWN) / dtype.size() * dtype.size();
    let (start, rest) = bytes.split_at_mut(drawn);
    draw::fill(start, dtype, Numbers::Ordinary, draw);
    for chunk in rest.chunks_mut(DRAWN) {
        let length = chunk.len().min(start.len());
        chunk[..length].copy_from_slice(&start[..length]);
    }
}

/// Copies of `half` bytes, shared between threads in whole pages.
pub(crate) fn copies<'a>(
    sides: &'a mut Sides<'_>,
    half: usize,
    threads: usize,
    copy: impl Fn(&[u8], &mut [u8]) + Copy + Send + 'a,
) -> Vec<Job<'a>> {
    let part = half.div_ceil(threads).next_multiple_of(4096).max(4096);
    let (src, dst) = (sides.src[..half].chunks(part), sides.dst[..half].chunks_mut(part));
    let jobs = src.zip(dst).map(|(src, dst)| Box::new(move || copy(src, dst)) as Job<'a>);
    let jobs: Vec<_> = jobs.collect();
    if jobs.is_empty() { vec![Box::new(|| ())] } else { jobs }
}

/// The tasks of a kernel.
pub(crate) fn ours<'a>(
    kernel: &'a Kernel,
    sides: &'a mut Sides<'_>,
    values: &'a GivenValues,
    threads: usize,
) -> Vec<Job<'a>> {
    let count = kernel.task_count(threads).max(1);
    let tasks = run::tasks(kernel, sides.src, sides.dst, values.as_values(), count);
    let tasks = tasks.expect("buffers as large as the kernel asks for, at the start of pages");
    tasks.into_iter().map(|mut task| Box::new(move || task.run()) as Job<'a>).collect()
}
