//! Kernels on memory that is exactly what they ask for: buffers as long as the sizes say, aligned for an element and
//! for no more, and never written to beside what a run may read; tasks all at once. Miri, which has the portable tier
//! and plans for registers run so, sees each byte that is read or written elsewhere, and any that two tasks are at.
//! Small, since it takes seconds for each.
#![allow(unsafe_code)] // Memory that nothing was written to, and kernels that run on it.

use std::alloc::{self, alloc, dealloc};
use std::ops::Range;

use retile::dtype::convert;
use retile::{Attr, DType, Kernel, Layout, Locality, Target, Values, reference};

/// So many bytes, and none behind them.
struct Block {
    start: *mut u8,
    form: alloc::Layout,
}

impl Block {
    fn new(bytes: usize, dtype: DType) -> Block {
        let form = alloc::Layout::from_size_align(bytes, dtype.size()).unwrap();
        if bytes == 0 {
            return Block { start: std::ptr::without_provenance_mut(dtype.size()), form };
        }
        // SAFETY: of more than no bytes, all of which may be written.
        unsafe {
            let start = alloc(form);
            assert!(!start.is_null(), "no memory for {bytes} bytes");
            // Where nobody sees what is read before it is written, what is not written should show.
            if !cfg!(miri) {
                start.write_bytes(0x5a, bytes);
            }
            Block { start, form }
        }
    }

    fn place(&self, bytes: Range<usize>) -> *mut u8 {
        assert!(bytes.end <= self.form.size(), "{bytes:?} of {}", self.form.size());
        self.start.wrapping_add(bytes.start)
    }

    fn write(&mut self, at: usize, bytes: &[u8]) {
        // SAFETY: the place is one of the block's.
        unsafe { self.place(at..at + bytes.len()).copy_from(bytes.as_ptr(), bytes.len()) };
    }

    /// A byte that was written.
    fn read(&self, at: usize) -> u8 {
        // SAFETY: the place is one of the block's.
        unsafe { self.place(at..at + 1).read() }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if self.form.size() > 0 {
            // SAFETY: allocated above, with the same form.
            unsafe { dealloc(self.start, self.form) };
        }
    }
}

/// Both places that hold the same: for a kernel and for the reference.
struct Side {
    block: Block,
    bytes: Vec<u8>,
}

impl Side {
    /// Numbers at the elements, nothing elsewhere.
    fn of(layout: &Layout, bytes: usize, elements: bool) -> Side {
        let dtype = layout.dtype();
        let mut side = Side { block: Block::new(bytes, dtype), bytes: vec![0; bytes] };
        for (i, offset) in layout.offsets().enumerate().filter(|_| elements) {
            let bits = convert::fill(dtype, (i * 7 % 40) as f32 - 9.25).to_ne_bytes();
            let number = match cfg!(target_endian = "big") {
                true => &bits[8 - dtype.size()..],
                false => &bits[..dtype.size()],
            };
            let at = offset * dtype.size();
            side.block.write(at, number);
            side.bytes[at..at + number.len()].copy_from_slice(number);
        }
        side
    }
}

/// A pointer for other threads.
#[derive(Clone, Copy)]
struct Shared<T>(T);

// SAFETY: tasks read the source and write parts of the destination that are theirs alone: that is what is tried.
unsafe impl<T: Copy> Send for Shared<T> {}

impl<T: Copy> Shared<T> {
    fn get(self) -> T {
        self.0
    }
}

/// `SRC`, `DST` and attributes with all of their values.
type Line = (&'static str, &'static str, &'static str);

/// Holds each line against the reference, run whole and in tasks.
fn hold(lines: &[Line], make: impl Fn(&Layout, &Layout, &Attr) -> Kernel) {
    for &(from, to, words) in lines {
        let src: Layout = from.parse().unwrap();
        let dst = src.destination(to).unwrap();
        let (attr, given) = Attr::from_words(words.split_whitespace()).unwrap();
        let given = given.as_values();
        // No list has room behind it either.
        let floats = [given.src_scale, given.dst_scale].map(Box::<[f32]>::from);
        let points = [given.src_zero_point, given.dst_zero_point].map(Box::<[i32]>::from);
        let values = Values {
            src_scale: &floats[0],
            dst_scale: &floats[1],
            src_zero_point: &points[0],
            dst_zero_point: &points[1],
        };
        let kernel = make(&src, &dst, &attr);
        let sizes = kernel.sizes();
        let source = Side::of(&src, sizes.src, true);
        let mut own = vec![false; sizes.dst];
        let size = dst.dtype().size();
        dst.cells().for_each(|cell| own[cell.offset * size..][..size].fill(true));
        if let Some(sums) = sizes.s8s8.or(sizes.asymmetric) {
            own[sums..].fill(true);
        }
        for tasks in [1, 3] {
            let mut side = Side::of(&dst, sizes.dst, attr.beta().is_some());
            let expected = &mut side.bytes;
            reference::reorder(&src, &source.bytes, &dst, expected, &attr, &values).unwrap();
            let (from, into) = (Shared(source.block.start), Shared(side.block.start));
            std::thread::scope(|threads| {
                for task in 0..tasks {
                    let (kernel, values) = (&kernel, &values);
                    // SAFETY: as much memory as asked for, values as many as the line says; each task is run once.
                    let run = move || unsafe {
                        kernel.run_task(task, tasks, from.get(), into.get(), values);
                    };
                    threads.spawn(run);
                }
            });
            for at in (0..sizes.dst).filter(|&at| own[at]) {
                let (found, wanted) = (side.block.read(at), side.bytes[at]);
                assert_eq!(found, wanted, "{src} {dst} {attr}: byte {at} by {tasks} tasks");
            }
        }
    }
}

/// As anybody has it: under Miri of the portable tier.
fn made(src: &Layout, dst: &Layout, attr: &Attr) -> Kernel {
    Kernel::new(src, dst, attr).unwrap()
}

#[test]
fn elements_of_each_size() {
    let lines = [
        ("u8:ab:3x5", "ba", ""),
        ("f16:ab:2x3", "ba", ""),
        ("f32:ab:3x5", "ba", ""),
        ("f64:ab:2x3", "ba", ""),
        ("f32:a:7", "a", ""),
        ("u8:ab:0x3", "ba", ""),
        ("s16:abc:1x1x1", "cba", ""),
        ("u8:abcdefghijkl:1x2x1x2x1x1x1x1x1x1x1x2", "lkjihgfedcba", ""),
    ];
    hold(&lines, made);
}

#[test]
fn padding_and_regions() {
    let lines = [
        ("f32:nchw:1x3x2x2", "nChw4c:upper=0,0,1,0:fill=9", ""),
        ("u8:nChw4c:1x5x2x1", "nchw:lower=0,1,0,0:fill=7", ""),
        ("u8:ab:2x3:in=4x5:at=1,1", "ba", ""),
        ("u16:ab:2x3", "ab:in=4x5:at=1,1", ""),
        ("u8:aB4b:2x5:in=2x12:at=0,3", "aB4b:in=2x12:at=0,6", ""),
        ("f32:strides(-7,1):2x3:offset=7", "strides(1,-3):offset=6", ""),
        ("f32:strides(1,0):2x3", "ba", ""),
        ("u8:digits(ab; a/4 b a%4; flip a b):5x2", "ab", ""),
    ];
    hold(&lines, made);
}

/// Tables, folds, and axes of several dims.
#[test]
fn digits_that_do_not_divide_one_another() {
    let lines = [
        ("u16:aBc3b:1x7x2", "aBc4b", ""),
        ("u8:nchw:1x3x3x3", "bf8_xy16", ""),
        ("u8:ab:3x4:in=3x5:at=0,1", "digits(ab; ab/5 ab%5)", ""),
        ("u8:digits(ab; ab/5 ab%5):3x4", "digits(ab; ba%7 ba/7)", ""),
        ("s8:digits(ab; a%2 b%2 a/2 b/2):2x9", "digits(ab; ab/12 ab%12)", "--comp=s8s8:1"),
    ];
    hold(&lines, made);
}

#[test]
fn types_and_arithmetic() {
    let lines = [
        ("f32:ab:2x3", "s8:ba", ""),
        ("bf16:ab:2x3", "f16:ba", ""),
        ("f64:a:3", "f32:a", ""),
        ("s64:a:3", "s32:a", ""),
        ("u8:ab:2x3", "bool:ba", ""),
        ("f32:ab:2x3", "u8:ba", "--src-scale=mask:2:0.5,2,3 --dst-zp=common:9"),
        ("s32:ab:2x3", "f32:ba", "--sum=0.5 --dst-scale=mask:1:4,0.25 --src-zp=mask:3:1,2,3,4,5,6"),
        ("u8:ab:2x3", "u8:aB2b", "--src-zp=common:3"),
    ];
    hold(&lines, made);
}

#[test]
fn appended_sums() {
    let lines = [
        ("s8:ab:3x5", "s8:aB4b", "--comp=s8s8:1"),
        ("f32:ab:3x5", "s8:ba", "--dst-scale=common:0.5 --comp=s8s8:2+zp:3"),
        ("s8:ab:2x3", "s8:ab:lower=0,2:fill=3", "--comp=zp:2"),
        ("s8:ab:1x3", "s8:digits(ab; b/2 b%2 a; flip b)", "--comp=s8s8:3"),
        ("s32:ab:0x4", "s8:ab", "--comp=zp:2"),
    ];
    hold(&lines, made);
}

/// Plans for registers, interpreted lane by lane.
#[test]
fn tiles() {
    let on = |target: &str, lines: &[Line]| {
        let target: Target = target.parse().unwrap();
        hold(lines, |src, dst, attr| {
            Kernel::interpreted(src, dst, attr, &target, Locality::Stream).unwrap()
        });
    };
    on("spr", &[("f32:ab:4x5", "ba", ""), ("s8:ab:3x5", "s8:aB4b", "--comp=s8s8:1")]);
    on("haswell", &[("u8:ab:3x5:in=4x6:at=0,1", "f32:ba", "--src-scale=mask:2:1,2,3,4,5")]);
}
