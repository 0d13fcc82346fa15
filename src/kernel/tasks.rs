//! One run by several threads. In: a checked call, cut into tasks. Out: each task done once, by whoever asks next.

use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Kernel;
use crate::attr::Values;
use crate::{Element, Result};

/// A run in as many tasks as are worth it, for the threads of any pool.
///
/// ```
/// use retile::{Layout, Reorder, Values};
/// let src: Layout = "f32:nchw:8x64x28x28".parse()?;
/// let dst = src.destination("nhwc")?;
/// let planes = vec![1f32; src.size_elements()];
/// let mut pixels = vec![0f32; dst.size_elements()];
///
/// let reorder = Reorder::new(&src, &dst)?;
/// let tasks = reorder.tasks(&planes, &mut pixels, &Values::default(), 4)?;
/// std::thread::scope(|scope| {
///     for _ in 0..tasks.count() {
///         // Here a pool of your own would start something.
///         scope.spawn(|| tasks.run_next());
///     }
/// });
/// assert!(pixels.iter().all(|x| *x == 1.0));
/// # Ok::<(), retile::Error>(())
/// ```
///
/// What is dropped before all tasks were run leaves the others' part of the destination as it was.
#[derive(Debug)]
#[must_use = "nothing is converted before its tasks are run"]
pub struct Tasks<'a> {
    kernel: &'a Kernel,
    src: &'a [u8],
    dst: *mut u8,
    values: Values<'a>,
    count: usize,
    next: AtomicUsize,
    /// The destination is borrowed alone.
    borrowed: PhantomData<&'a mut [u8]>,
}

// SAFETY: what it borrows may be sent and shared, and each number of a task is given out once, so that no two threads
// write the same byte of the destination, whoever calls.
unsafe impl Send for Tasks<'_> {}
// SAFETY: as above.
unsafe impl Sync for Tasks<'_> {}

impl Tasks<'_> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Runs the next task that nobody has taken; false where there was none left.
    pub fn run_next(&self) -> bool {
        let taken = |next: usize| (next < self.count).then_some(next + 1);
        let Ok(task) = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken) else {
            return false;
        };
        // SAFETY: buffers and values were checked and are borrowed for as long as `self`; this number is given out
        // but once, and together tasks write no byte twice.
        unsafe {
            self.kernel.run_task(task, self.count, self.src.as_ptr(), self.dst, &self.values);
        }
        true
    }
}

impl Kernel {
    /// A run in tasks for so many threads of yours; 0 counts as 1, unlike with
    /// [`run_on_threads`](Kernel::run_on_threads): nothing is known here of how many you have.
    pub fn tasks<'a, S: Element, D: Element>(
        &'a self,
        src: &'a [S],
        dst: &'a mut [D],
        values: &Values<'a>,
        threads: usize,
    ) -> Result<Tasks<'a>> {
        self.check_types::<S, D>()?;
        let (src, dst) = (bytemuck::cast_slice(src), bytemuck::cast_slice_mut(dst));
        self.tasks_bytes(src, dst, values, threads)
    }

    /// Like [`tasks`](Kernel::tasks), on bytes, which must be aligned for the elements.
    pub fn tasks_bytes<'a>(
        &'a self,
        src: &'a [u8],
        dst: &'a mut [u8],
        values: &Values<'a>,
        threads: usize,
    ) -> Result<Tasks<'a>> {
        self.check(src, dst.as_ptr(), dst.len(), values)?;
        Ok(Tasks {
            kernel: self,
            src,
            dst: dst.as_mut_ptr(),
            values: *values,
            count: self.task_count(threads),
            next: AtomicUsize::new(0),
            borrowed: PhantomData,
        })
    }

    /// Runs it on this thread and on as many more as are worth starting, up to `threads` in all, for those who have no
    /// pool; 0 stands for as many as the machine has, unlike with [`tasks`](Kernel::tasks), where it counts as 1.
    pub fn run_on_threads<S: Element, D: Element>(
        &self,
        src: &[S],
        dst: &mut [D],
        values: &Values<'_>,
        threads: usize,
    ) -> Result<()> {
        self.check_types::<S, D>()?;
        let (src, dst) = (bytemuck::cast_slice(src), bytemuck::cast_slice_mut(dst));
        self.run_on_threads_bytes(src, dst, values, threads)
    }

    /// Like [`run_on_threads`](Kernel::run_on_threads), on bytes, which must be aligned for the elements.
    pub fn run_on_threads_bytes(
        &self,
        src: &[u8],
        dst: &mut [u8],
        values: &Values<'_>,
        threads: usize,
    ) -> Result<()> {
        let all = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = if threads == 0 { all() } else { threads };
        let tasks = self.tasks_bytes(src, dst, values, threads)?;
        let work = || while tasks.run_next() {};
        std::thread::scope(|scope| {
            for _ in 1..threads.min(tasks.count()) {
                // Where the system starts no more threads, this one does all that is left.
                let started =
                    std::thread::Builder::new().name("retile".into()).spawn_scoped(scope, work);
                if started.is_err() {
                    break;
                }
            }
            work();
        });
        Ok(())
    }

    /// Runs it on the threads of the rayon pool that this is called in, or of the global one.
    #[cfg(feature = "rayon")]
    pub fn run_on_rayon<S: Element, D: Element>(
        &self,
        src: &[S],
        dst: &mut [D],
        values: &Values<'_>,
    ) -> Result<()> {
        on_rayon(self.tasks(src, dst, values, rayon::current_num_threads())?);
        Ok(())
    }

    /// Like [`run_on_rayon`](Kernel::run_on_rayon), on bytes, for those who know the element types at run time alone.
    #[cfg(feature = "rayon")]
    pub fn run_on_rayon_bytes(
        &self,
        src: &[u8],
        dst: &mut [u8],
        values: &Values<'_>,
    ) -> Result<()> {
        on_rayon(self.tasks_bytes(src, dst, values, rayon::current_num_threads())?);
        Ok(())
    }
}

#[cfg(feature = "rayon")]
fn on_rayon(tasks: Tasks<'_>) {
    let work = || while tasks.run_next() {};
    rayon::scope(|scope| {
        (1..tasks.count()).for_each(|_| scope.spawn(|_| work()));
        work();
    });
}
