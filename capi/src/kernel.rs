//! `retile_kernel_*`. In: two layouts and an attribute, then a tensor's memory. Out: kernels, and the
//! other tensor's memory filled.

use std::ffi::{c_char, c_void};
use std::ops::Range;

use retile_core::{DType, Error, Layout, Result};

use crate::arg::{self, invalid, make, not_null, object};
use crate::args::Args;
use crate::attr::Attr;
use crate::names;
use crate::status::{Status, guard, value};

/// `retile_kernel`: the library's, and what is asked at each run.
#[derive(Debug)]
pub struct Kernel {
    kernel: retile_core::Kernel,
    /// How many values a run needs: source scale, destination scale, source zero point, destination
    /// zero point.
    counts: [usize; 4],
}

/// Handles are used from any threads at once.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Kernel>();
    shared::<Layout>();
};

impl Kernel {
    fn new(src: &Layout, dst: &Layout, attr: &Attr) -> Result<Kernel> {
        let kernel = attr.builder(src, dst).build()?.into_kernel();
        let counts = kernel.attr().value_counts(src.dims());
        if let Some(count) = counts.into_iter().find(|&n| n > isize::MAX as usize / 4) {
            return invalid!("{count} run-time values are larger than memory");
        }
        Ok(Kernel { kernel, counts })
    }

    /// What can be seen of two pointers.
    fn check_pointers(&self, src: *const c_void, dst: *const c_void) -> Result<()> {
        let (kernel, sizes) = (&self.kernel, self.kernel.sizes());
        check_pointer("src", src, sizes.src, kernel.src().dtype())?;
        check_pointer("dst", dst, sizes.dst, kernel.dst().dtype())
    }

    /// No values lie in what is written while they are read; as many as the caller says.
    fn check_values(&self, args: &Args, dst: *const c_void) -> Result<()> {
        let to = at(dst, self.dst_span());
        for (name, start, count) in args.lists().into_iter().filter(|list| list.2 > 0) {
            let own = start..start.saturating_add(count.saturating_mul(size_of::<f32>()));
            if !to.is_empty() && own.start < to.end && to.start < own.end {
                let message =
                    format!("the values of {name}, {own:#x?}, lie in the destination, {to:#x?}");
                return Err(Error::Buffer(message));
            }
        }
        Ok(())
    }

    /// No byte between the first and the last of one footprint is between those of the other.
    fn check_apart(&self, src: *const c_void, dst: *const c_void) -> Result<()> {
        let (from, to) = (at(src, self.kernel.src().span_bytes()), at(dst, self.dst_span()));
        if from.is_empty() || to.is_empty() || from.end <= to.start || to.end <= from.start {
            return Ok(());
        }
        let message = format!("the source's bytes {from:#x?} overlap the destination's {to:#x?}");
        Err(Error::Buffer(message))
    }

    /// Data and compensation.
    fn dst_span(&self) -> Range<usize> {
        let (data, sizes) = (self.kernel.dst().span_bytes(), self.kernel.sizes());
        match sizes.s8s8.or(sizes.asymmetric) {
            Some(start) if data.is_empty() => start..sizes.dst,
            Some(_) => data.start..sizes.dst,
            None => data,
        }
    }

    /// Runs one of `count` tasks on checked pointers.
    ///
    /// # Safety
    /// - `src` may be read for the sizes' `src` bytes, `dst` read and written for their `dst`, each
    ///   part of one allocation, unless that is 0
    /// - what one footprint covers the other does not, and no other thread accesses meanwhile what
    ///   this run writes, or writes what it reads
    /// - both have passed [`check_pointers`](Self::check_pointers): aligned, and not NULL where bytes are needed
    /// - `args` as the header says; `task` is less than `count`
    unsafe fn run(
        &self,
        (task, count): (usize, usize),
        src: *const c_void,
        dst: *mut c_void,
        args: *const Args,
        checked: bool,
    ) -> Result<()> {
        // SAFETY: `args` as the header says, by the contract.
        let args = unsafe { Args::read(args) }?;
        // SAFETY: as above; `counts` are what this kernel's masks ask for.
        let values = unsafe { args.values(self.counts, checked) }?;
        if checked {
            self.check_values(&args, dst)?;
        }
        // SAFETY: buffers, their alignment and threads by the contract; `values` are as many as the masks ask for.
        unsafe { self.kernel.run_task(task, count, src.cast(), dst.cast(), &values) };
        Ok(())
    }
}

/// The addresses of some bytes of a buffer.
fn at(buffer: *const c_void, bytes: Range<usize>) -> Range<usize> {
    buffer.addr().saturating_add(bytes.start)..buffer.addr().saturating_add(bytes.end)
}

fn check_pointer(name: &str, pointer: *const c_void, needed: usize, dtype: DType) -> Result<()> {
    if pointer.is_null() && needed > 0 {
        return invalid!("{name} is NULL, {needed} bytes are needed");
    }
    if needed > 0 && !pointer.addr().is_multiple_of(dtype.size()) {
        let align = dtype.size();
        let message = format!("{name} is at {pointer:p}, {dtype} needs a multiple of {align}");
        return Err(Error::Buffer(message));
    }
    Ok(())
}

/// See the header. The attribute is copied; the kernel is found in the cache, or kept there.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_kernel_new(
    src: *const Layout,
    dst: *const Layout,
    attr: *const Attr,
    out: *mut *mut Kernel,
) -> Status {
    // SAFETY: by the contract,
    // - `src` and `dst` are NULL or layouts of ours, not freed meanwhile
    // - `attr` is NULL or an attribute of ours, neither freed nor set meanwhile
    // - `out` is NULL or may be written
    unsafe {
        make(out, || {
            let (src, dst) = (object("src", src)?, object("dst", dst)?);
            Kernel::new(src, dst, attr.as_ref().unwrap_or(&Attr::default()))
        })
    }
}

/// See the header. Nothing is written unless all four can be.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_kernel_sizes(
    kernel: *const Kernel,
    src_bytes: *mut usize,
    dst_bytes: *mut usize,
    s8s8_offset: *mut usize,
    asymmetric_offset: *mut usize,
) -> Status {
    guard(|| {
        // SAFETY: `kernel` is NULL or a kernel of ours, not freed meanwhile, by the contract.
        let sizes = unsafe { object("kernel", kernel) }?.kernel.sizes();
        let results = [
            ("src_bytes", src_bytes, sizes.src),
            ("dst_bytes", dst_bytes, sizes.dst),
            ("s8s8_offset", s8s8_offset, sizes.s8s8.unwrap_or(usize::MAX)),
            ("asymmetric_offset", asymmetric_offset, sizes.asymmetric.unwrap_or(usize::MAX)),
        ];
        results.iter().try_for_each(|&(name, pointer, _)| not_null(name, pointer))?;
        for (_, pointer, size) in results {
            // SAFETY: not null, as just checked, and may be written, by the contract.
            unsafe { pointer.write(size) };
        }
        Ok(())
    })
}

/// See the header.
///
/// # Safety
/// Of the caller as the header says: the sizes of the buffers, and that no byte is in both footprints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_kernel_run(
    kernel: *const Kernel,
    src: *const c_void,
    dst: *mut c_void,
    args: *const Args,
) -> Status {
    guard(|| {
        // SAFETY: `kernel` is NULL or a kernel of ours, not freed meanwhile, by the contract.
        let kernel = unsafe { object("kernel", kernel) }?;
        kernel.check_pointers(src, dst)?;
        // SAFETY: the same contract; NULL only where nothing is needed, as just checked.
        unsafe { kernel.run((0, 1), src, dst, args, false) }
    })
}

/// See the header.
///
/// # Safety
/// Of the caller as the header says: buffers as large as said, values as many as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_kernel_run_checked(
    kernel: *const Kernel,
    src: *const c_void,
    src_bytes: usize,
    dst: *mut c_void,
    dst_bytes: usize,
    args: *const Args,
) -> Status {
    guard(|| {
        // SAFETY: `kernel` is NULL or a kernel of ours, not freed meanwhile, by the contract.
        let kernel = unsafe { object("kernel", kernel) }?;
        kernel.check_pointers(src, dst)?;
        kernel.kernel.sizes().check(src_bytes, dst_bytes)?;
        kernel.check_apart(src, dst)?;
        // SAFETY:
        // - the buffers are as large as said, by the contract, and as needed, as just checked; NULL
        //   only where nothing is needed
        // - the footprints lie apart, as just checked
        // - other threads and `args` by the contract
        unsafe { kernel.run((0, 1), src, dst, args, true) }
    })
}

/// See the header. No threads count as one.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_kernel_task_count(kernel: *const Kernel, threads: usize) -> usize {
    // SAFETY: `kernel` is NULL or a kernel of ours, not freed meanwhile, by the contract.
    let kernel = || unsafe { object("kernel", kernel) }.ok();
    value(0, || kernel().map(|kernel| kernel.kernel.task_count(threads)))
}

/// See the header.
///
/// # Safety
/// As [`retile_kernel_run`]; other tasks of the same run may run meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_kernel_run_task(
    kernel: *const Kernel,
    task: usize,
    task_count: usize,
    src: *const c_void,
    dst: *mut c_void,
    args: *const Args,
) -> Status {
    guard(|| {
        // SAFETY: `kernel` is NULL or a kernel of ours, not freed meanwhile, by the contract.
        let kernel = unsafe { object("kernel", kernel) }?;
        if task >= task_count {
            return invalid!("task is {task}, of a task_count of {task_count}");
        }
        kernel.check_pointers(src, dst)?;
        // SAFETY: the same contract; NULL only where nothing is needed, as checked above.
        unsafe { kernel.run((task, task_count), src, dst, args, false) }
    })
}

/// See the header. The text is static.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_kernel_tier(kernel: *const Kernel) -> *const c_char {
    // SAFETY: `kernel` is NULL or a kernel of ours, not freed meanwhile, by the contract.
    let kernel = || unsafe { object("kernel", kernel) }.ok();
    value(c"", || kernel().map(|kernel| names::tier(kernel.kernel.tier()))).as_ptr()
}

/// See the header; the buffer as in [`retile_layout_format`](crate::layout::query::retile_layout_format).
///
/// # Safety
/// Of the caller as the [crate](crate) says; `buffer` has `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_kernel_explain(
    kernel: *const Kernel,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> Status {
    // SAFETY: by the contract,
    // - `kernel` is NULL or a kernel of ours, not freed meanwhile
    // - `buffer` is NULL or has `capacity` bytes, `needed` is NULL or may be written
    guard(|| unsafe {
        let text = object("kernel", kernel)?.kernel.explain();
        arg::write_text(&text, buffer, capacity, needed)
    })
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says; `kernel` is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_kernel_free(kernel: *mut Kernel) {
    // SAFETY: NULL or from `make` as a `Kernel`, and not used again, by the contract.
    unsafe { arg::free(kernel) }
}
