//! Kernels: made with attributes, run whole and in tasks, with values in structs of any version.

use std::ffi::c_void;
use std::ptr::null;

use super::*;
use crate::attr::*;

/// `retile_args`.
#[repr(C)]
struct Given {
    struct_size: usize,
    scales: [*const f32; 2],
    points: [*const i32; 2],
    counts: [usize; 4],
}

#[test]
fn kernels_run_with_their_values() {
    // SAFETY: handles of the library's, buffers and lists as long as said, apart from each other, and places for
    // results.
    unsafe {
        let attr = Handle::of(retile_attr_free, |out| retile_attr_new(out));
        let portable = c"portable".as_ptr();
        let set = [
            retile_attr_set_scale(attr.at, 0, 2),
            retile_attr_set_scale(attr.at, 1, 0),
            retile_attr_set_zero_point(attr.at, 0, 2),
            retile_attr_set_zero_point(attr.at, 1, 0),
            retile_attr_set_compensation(attr.at, 1, 2),
            retile_attr_set_locality(attr.at, 1),
            retile_attr_set_max_isa(attr.at, portable),
        ];
        assert_eq!(set, [0; 7]);
        let kernel = kernel("f32:ab:3x5", "s8:ba:3x5", attr.at);
        drop(attr);
        let mut sizes = [0usize; 4];
        let [src, dst, s8s8, asymmetric] = sizes.each_mut().map(|size| &raw mut *size);
        assert_eq!(retile_kernel_sizes(kernel.at, src, dst, s8s8, asymmetric), 0);
        assert_eq!(sizes, [60, 16 + 20, 16, usize::MAX]);

        let source: Box<[f32]> = (0..15).map(|i| i as f32).collect();
        let (scales, scale): (Box<[f32]>, Box<[f32]>) = ([2.0; 5].into(), [2.0].into());
        let (points, point): (Box<[i32]>, Box<[i32]>) = ([1; 5].into(), [3].into());
        let given = Given {
            struct_size: size_of::<Given>(),
            scales: [scales.as_ptr(), scale.as_ptr()],
            points: [points.as_ptr(), point.as_ptr()],
            counts: [5, 1, 5, 1],
        };
        // Aligned as i32, which the sums are.
        let mut target: Box<[i32]> = [0; 9].into();
        let (from, to) = (source.as_ptr().cast(), target.as_mut_ptr().cast::<c_void>());
        let mut whole = Cut::of(&given, size_of::<Given>());
        let checked = |from_bytes, to_bytes, args| {
            retile_kernel_run_checked(kernel.at, from, from_bytes, to, to_bytes, args)
        };
        assert_eq!(checked(60, 36, whole.at()), 0, "{}", last_error());
        // (x - 1) * 2 / 2 + 3
        let row = [0, 5, 10].map(|x| x as f32 - 1.0 + 3.0).map(|x| x as u8);
        assert_eq!(target[0].to_ne_bytes()[..3], row);
        fails(checked(59, 36, whole.at()), BUFFER, "source has");
        fails(checked(60, 35, whole.at()), BUFFER, "destination has");
        fails(checked(60, 36, null()), INVALID, "args is NULL");
        let over = from.cast_mut();
        let overlapping = retile_kernel_run_checked(kernel.at, from, 60, over, 36, whole.at());
        fails(overlapping, BUFFER, "overlap");
        // A value that the run would write over.
        let inside = Given { scales: [given.scales[0], to.cast::<f32>().add(8)], ..given };
        let mut inside = Cut::of(&inside, size_of::<Given>());
        fails(checked(60, 36, inside.at()), BUFFER, "the values of dst_scale, 0x");
        // Structs of other versions.
        for size in size_of::<usize>()..size_of::<Given>() {
            let mut short = Cut::of(&Given { struct_size: size, ..given }, size);
            // The first pointer is missed before the first count.
            let expected = if size < 2 * size_of::<usize>() { INVALID } else { BUFFER };
            fails(checked(60, 36, short.at()), expected, "args.");
        }
        // What an unchecked run reads.
        let mut lists = Cut::of(&given, 5 * size_of::<usize>());
        lists.at::<usize>().write_unaligned(5 * size_of::<usize>());
        assert_eq!(retile_kernel_run(kernel.at, from, to, lists.at()), 0);
    }
}

#[test]
fn sums_read_the_destination() {
    // SAFETY: handles of the library's, and buffers as long as said.
    unsafe {
        let attr = Handle::of(retile_attr_free, |out| retile_attr_new(out));
        assert_eq!(retile_attr_set_sum(attr.at, 0.5), 0);
        let kernel = kernel("f32:ab:2x3", "f32:ba:2x3", attr.at);
        let (source, mut target): (Box<[f32]>, Box<[f32]>) = ([1.0; 6].into(), [4.0; 6].into());
        let (from, to) = (source.as_ptr().cast(), target.as_mut_ptr().cast());
        assert_eq!(retile_kernel_run_checked(kernel.at, from, 24, to, 24, null()), 0);
        assert_eq!(*target, [3.0; 6]);
    }
}

/// Pointers that other threads may have.
#[derive(Clone, Copy)]
struct Shared([*mut c_void; 3]);

// SAFETY: what each thread does with them is said there.
unsafe impl Send for Shared {}

#[test]
fn tasks_run_on_any_threads() {
    let kernel = kernel("u16:nchw:2x17x3x5", "u16:nChw8c:2x17x3x5", null());
    let source: Box<[u16]> = (0..2 * 17 * 15).collect();
    let mut target = vec![0u16; 2 * 24 * 15].into_boxed_slice();
    let source_at = source.as_ptr().cast_mut();
    let all = Shared([kernel.at.cast(), source_at.cast(), target.as_mut_ptr().cast()]);
    std::thread::scope(|threads| {
        for task in 0..3 {
            threads.spawn(move || {
                // As a whole, with its promise.
                let Shared([kernel, from, to]) = { all };
                // SAFETY: the kernel and both buffers are there until all threads are done, and each task is run once.
                let done =
                    unsafe { retile_kernel_run_task(kernel.cast(), task, 3, from, to, null()) };
                assert_eq!(done, 0);
            });
        }
    });
    let place = |c: usize, pixel: usize| ((c / 8) * 15 + pixel) * 8 + c % 8;
    assert!((0..17 * 15).all(|i| target[place(i / 15, i % 15)] == i as u16));
    // SAFETY: the library's kernel, and tasks that there are not.
    unsafe {
        assert_eq!(retile_kernel_task_count(kernel.at, 8), 1);
        let Shared([_, from, to]) = all;
        let none = retile_kernel_run_task(kernel.at, 3, 3, from, to, null());
        fails(none, INVALID, "task is 3, of a task_count of 3");
    }
}

#[test]
fn kernels_are_explained() {
    let kernel = kernel("f32:ab:3x5", "f32:ba:3x5", null());
    // SAFETY: the library's kernel, and buffers as long as said.
    let explained = written(|buffer, capacity, needed| unsafe {
        retile_kernel_explain(kernel.at, buffer, capacity, needed)
    });
    assert!(explained.contains("f32:ab:3x5"), "{explained}");
}
