//! Tasks for a caller's own threads: whole lines each, every byte once, in parallel.
#![allow(unsafe_code)] // The harness runs tasks on pointers.

use retile::target::TARGETS;
use retile::{Attr, Kernel, Layout, Locality, Values};

const LINE: usize = 64;

/// A buffer that starts on a line.
struct Lines(Vec<u8>);

impl Lines {
    fn filled(bytes: usize, value: u8) -> Lines {
        Lines(vec![value; bytes + LINE])
    }

    fn start(&mut self) -> *mut u8 {
        let skip = self.0.as_ptr().align_offset(LINE);
        self.0[skip..].as_mut_ptr()
    }
}

fn kernel(src: &str, dst: &str) -> Kernel {
    let src: Layout = src.parse().unwrap();
    Kernel::new(&src, &src.destination(dst).unwrap(), &Attr::new()).unwrap()
}

/// The bytes that one task of a kernel writes: where both of two canaries are gone.
fn written(kernel: &Kernel, task: usize, count: usize) -> Vec<usize> {
    let sizes = kernel.sizes();
    let mut src = Lines::filled(sizes.src, 0x33);
    let mut after = [0xaau8, 0x55].map(|canary| Lines::filled(sizes.dst, canary));
    let found = after.each_mut().map(|dst| {
        // SAFETY: both buffers are as large as asked for, aligned, and apart.
        unsafe {
            kernel.run_task(task, count, src.start(), dst.start(), &Values::default());
            std::slice::from_raw_parts(dst.start(), sizes.dst)
        }
    });
    (0..sizes.dst).filter(|&at| found[0][at] == found[1][at]).collect()
}

#[test]
#[cfg_attr(miri, ignore = "large tensors")]
fn tasks_share_no_line() {
    for (src, dst) in [
        ("f32:nchw:1x64x56x56", "nchw"),
        ("u8:nchw:1x64x56x56", "nchw"),
        ("f32:nchw:1x64x28x28", "nhwc"),
        ("f32:nchw:1x64x28x28", "nChw16c"),
        ("u8:nchw:1x64x28x28", "nChw16c"),
        ("u8:nhwc:1x64x28x28", "nchw"),
        ("u8:ab:200x1000", "ba"),
        ("u8:ab:1000x200", "ba"),
        ("bf16:ab:77x96", "ba"),
        ("f32:ab:61x48", "ba"),
        ("s8:oihw:64x16x3x3", "OIhw4i16o4i"),
    ] {
        for (target, count) in TARGETS.iter().flat_map(|target| [2, 3, 5].map(|n| (target, n))) {
            let from: Layout = src.parse().unwrap();
            let to = from.destination(dst).unwrap();
            let kernel =
                Kernel::interpreted(&from, &to, &Attr::new(), target, Locality::Auto).unwrap();
            let mut owner = vec![None; kernel.sizes().dst.div_ceil(LINE)];
            let mut bytes = 0;
            for task in 0..count {
                let written = written(&kernel, task, count);
                bytes += written.len();
                for line in written.into_iter().map(|at| at / LINE) {
                    let before = owner[line].replace(task);
                    assert!(
                        before.is_none_or(|other| other == task),
                        "{src} {dst} for {}: line {line} of tasks {before:?} and {task}, of {count}",
                        target
                    );
                }
            }
            assert_eq!(bytes, kernel.sizes().dst, "{src} {dst} for {}", target);
        }
    }
}

/// Where nothing lies on lines, tasks had rather share some than leave all to one.
#[test]
#[cfg_attr(miri, ignore = "large tensors")]
fn no_task_has_most_of_the_work() {
    for (src, dst) in [
        ("u8:nchw:16x3x65x65", "nhwc"),
        ("u8:nchw:3x33x37x37", "nhwc"),
        ("bf16:nchw:8x31x17x17", "nhwc"),
        ("u8:nhwc:3x33x37x37", "nchw"),
        ("f32:nhwc:8x17x13x13", "nchw"),
    ] {
        for target in TARGETS {
            let from: Layout = src.parse().unwrap();
            let to = from.destination(dst).unwrap();
            let kernel =
                Kernel::interpreted(&from, &to, &Attr::new(), target, Locality::Auto).unwrap();
            let most = (0..3).map(|task| written(&kernel, task, 3).len()).max().unwrap();
            let share = kernel.sizes().dst / 3;
            assert!(most < 2 * share, "{src} {dst} for {}: {most} of {share}", target);
        }
    }
}

#[test]
fn a_count_is_proposed_that_threads_can_use() {
    assert_eq!(kernel("f32:nchw:1x8x8x8", "nhwc").task_count(8), 1);
    assert_eq!(kernel("f32:nchw:1x64x56x56", "nhwc").task_count(8), 8);
    assert_eq!(kernel("f32:nchw:1x64x56x56", "nhwc").task_count(1), 1);
    assert_eq!(kernel("f32:nchw:1x64x56x56", "nhwc").task_count(0), 1);
    assert_eq!(kernel("f32:nchw:1x0x56x56", "nhwc").task_count(8), 1);
}

/// Buffers of tasks on other threads.
#[derive(Clone, Copy)]
struct Both(*const u8, *mut u8);

// SAFETY: tasks read the one, and no two of them write the same byte of the other.
unsafe impl Send for Both {}

#[test]
fn tasks_run_at_the_same_time() {
    let planes = if cfg!(miri) { "u16:nchw:1x17x2x9" } else { "u16:nchw:3x33x17x19" };
    let kernel = kernel(planes, "nChw16c:upper=0,0,1,0:fill=1");
    let sizes = kernel.sizes();
    let mut src = Lines::filled(sizes.src, 0);
    (0..sizes.src).for_each(|i| src.0[i] = (i * 7 + i / 251) as u8);
    let (mut whole, mut shared) = (Lines::filled(sizes.dst, 1), Lines::filled(sizes.dst, 2));
    let (src, into) = (src.start(), shared.start());
    // SAFETY: buffers as large as asked for, aligned, and apart.
    unsafe { kernel.run_raw(src, whole.start(), &Values::default()) };
    let both = Both(src, into);
    std::thread::scope(|threads| {
        for task in 0..7 {
            let kernel = kernel.clone();
            threads.spawn(move || {
                // As a whole, with its promise.
                let Both(src, dst) = { both };
                // SAFETY: the same; each task runs once, and no two write the same byte.
                unsafe { kernel.run_task(task, 7, src, dst, &Values::default()) };
            });
        }
    });
    // SAFETY: the buffers are this long, and nobody writes any more.
    let (whole, shared) = unsafe {
        (
            std::slice::from_raw_parts(whole.start(), sizes.dst),
            std::slice::from_raw_parts(shared.start(), sizes.dst),
        )
    };
    assert_eq!(whole, shared);
}
