//! Kernels run on slices, as tasks. In: a kernel, its buffers and values. Out: tasks, to be run in any
//! order and on any threads; all of them are the whole conversion.
#![allow(unsafe_code)] // `Kernel::tasks` says itself how many there are; here they are counted, and run again and again.

use std::marker::PhantomData;

use retile::{Error, Kernel, Layout, Result, Values};

/// One of several tasks that share a destination.
pub(crate) struct Task<'a> {
    kernel: &'a Kernel,
    values: Values<'a>,
    src: *const u8,
    dst: *mut u8,
    index: usize,
    count: usize,
    /// The buffers are borrowed as long as any task of theirs is there.
    buffers: PhantomData<(&'a [u8], &'a mut [u8])>,
}

/// The tasks of a conversion.
pub(crate) fn tasks<'a>(
    kernel: &'a Kernel,
    src: &'a [u8],
    dst: &'a mut [u8],
    values: Values<'a>,
    count: usize,
) -> Result<Vec<Task<'a>>> {
    kernel.sizes().check(src.len(), dst.len())?;
    kernel.attr().check_values(kernel.src().dims(), &values)?;
    aligned("source", kernel.src(), src.as_ptr())?;
    aligned("destination", kernel.dst(), dst.as_ptr())?;
    let (src, dst) = (src.as_ptr(), dst.as_mut_ptr());
    let buffers = PhantomData;
    let task = |index| Task { kernel, values, src, dst, index, count, buffers };
    Ok((0..count).map(task).collect())
}

fn aligned(what: &str, layout: &Layout, at: *const u8) -> Result<()> {
    let (dtype, size) = (layout.dtype(), layout.dtype().size());
    if layout.is_empty() || at.align_offset(size) == 0 {
        return Ok(());
    }
    Err(Error::Buffer(format!("the {what} is at {at:p}, {dtype} needs a multiple of {size}")))
}

impl Task<'_> {
    /// Runs it, again if it was run before.
    pub(crate) fn run(&mut self) {
        // SAFETY:
        // - `tasks` made sure of sizes, alignment and the number of values;
        // - the destination was borrowed alone: the source and the values are apart from it, and only
        //   tasks made with this one write to it; those have the same count and other indices, each of
        //   them is there once and runs on one thread at a time.
        unsafe { self.kernel.run_task(self.index, self.count, self.src, self.dst, &self.values) }
    }
}

// SAFETY: what it points to is borrowed for its lifetime, and no two tasks write the same byte. Kernels
// and values may be used from any thread.
unsafe impl Send for Task<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use retile::Attr;

    fn kernel(src: &str, dst: &str, attr: Attr) -> Kernel {
        let src: Layout = src.parse().unwrap();
        Kernel::new(&src, &src.destination(dst).unwrap(), &attr).unwrap()
    }

    #[test]
    fn tasks_in_any_order_and_on_threads_are_the_whole() {
        let kernel = kernel("u8:ab:3x5", "ba", Attr::new());
        let src: Vec<u8> = (0..15).collect();
        for count in [1, 2, 4, 20] {
            let mut dst = [0; 15];
            let mut all = tasks(&kernel, &src, &mut dst, Values::default(), count).unwrap();
            std::thread::scope(|scope| {
                all.iter_mut().rev().for_each(|task| _ = scope.spawn(|| task.run()));
            });
            let expected: Vec<u8> = (0..15).map(|i| i % 3 * 5 + i / 3).collect();
            assert_eq!(dst[..], expected);
        }
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let kernel = kernel("f32:ab:3x5", "ba", Attr::new().src_scale(0));
        let (src, mut dst) = ([0u64; 8], [0u64; 8]);
        let bytes = |words: &[u64]| words.iter().flat_map(|w| w.to_ne_bytes()).collect::<Vec<_>>();
        let (src, mut dst) = (bytes(&src), bytes(&mut dst));
        let (from, to) = (src.as_ptr().align_offset(8), dst.as_ptr().align_offset(8));
        let one = Values { src_scale: &[1.0], ..Values::default() };
        let none = Values::default();
        let dst = &mut dst[..];
        assert!(tasks(&kernel, &src[from..][..60], &mut dst[to..][..56], one, 1).is_err());
        assert!(tasks(&kernel, &src[from..][..60], &mut dst[to..][..60], none, 1).is_err());
        if from + 61 <= 64 {
            assert!(tasks(&kernel, &src[from + 1..][..60], &mut dst[to..][..60], one, 1).is_err());
        }
    }
}
