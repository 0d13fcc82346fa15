//! Layouts: made of texts, of numbers and of other layouts, and asked; and what every function refuses.

use std::ptr::null;

use super::*;
use crate::attr::*;
use crate::layout::query::*;

#[test]
fn layouts_are_made_and_asked() {
    let dims: Box<[i64]> = [2, 3].into();
    let strides: Box<[i64]> = [-3, 1].into();
    let bytes: Box<[i64]> = [-12, 4].into();
    let padded: Box<[i64]> = [2, 8].into();
    let outer: Box<[i64]> = [8, 8].into();
    let inner: Box<[i64]> = [8].into();
    let inner_dims: Box<[i64]> = [1].into();
    let f32 = c"f32".as_ptr();
    let mut before = 0usize;
    // SAFETY: texts, lists as long as said, and places for results.
    unsafe {
        let strided = Handle::of(retile_layout_free, |out| {
            retile_layout_strided(f32, 2, dims.as_ptr(), strides.as_ptr(), 3, out)
        });
        let same = Handle::of(retile_layout_free, |out| {
            retile_layout_byte_strided(f32, 2, dims.as_ptr(), bytes.as_ptr(), &raw mut before, out)
        });
        assert_eq!((retile_layout_equal(strided.at, same.at), before), (1, 12));
        let (dims, blocks, inner) = (dims.as_ptr(), inner.as_ptr(), inner_dims.as_ptr());
        let blocked = Handle::of(retile_layout_free, |out| {
            let (padded, outer) = (padded.as_ptr(), outer.as_ptr());
            retile_layout_blocked(f32, 2, dims, padded, outer, 1, blocks, inner, 0, out)
        });
        assert_eq!(retile_layout_equal(blocked.at, layout("f32:aB8b:2x3").at), 1);
        assert_eq!((retile_layout_rank(blocked.at), retile_layout_is_dense(blocked.at)), (2, 1));
        assert_eq!(text(retile_layout_dtype(blocked.at)), "f32");
        let mut found: Box<[i64]> = [0; 2].into();
        assert_eq!(retile_layout_dims(blocked.at, found.as_mut_ptr()), 0);
        assert_eq!(*found, [2, 3]);
        assert_eq!(retile_layout_padded_dims(blocked.at, found.as_mut_ptr()), 0);
        assert_eq!(*found, [2, 8]);
        let (mut size, mut offset) = (0usize, 0i64);
        assert_eq!(retile_layout_size_bytes(blocked.at, &raw mut size), 0);
        let place: Box<[i64]> = [1, 2].into();
        assert_eq!(retile_layout_offset(blocked.at, place.as_ptr(), &raw mut offset), 0);
        assert_eq!((size, offset), (64, 10));
        let format = |buffer, capacity, needed: *mut usize| {
            retile_layout_format(blocked.at, buffer, capacity, needed)
        };
        assert_eq!(written(format), "f32:aB8b:2x3");
    }
}

#[test]
fn layouts_are_made_of_layouts() {
    let tensor = layout("u8:nchw:1x3x4x5");
    let axes: Box<[usize]> = [0, 2, 3, 1].into();
    let (from, dims): (Box<[i64]>, Box<[i64]>) = ([0, 1, 1, 0].into(), [1, 2, 2, 5].into());
    // SAFETY: handles of the library's, lists of four, and places for handles.
    unsafe {
        let made = [
            Handle::of(retile_layout_free, |out| {
                retile_layout_permute(tensor.at, axes.as_ptr(), out)
            }),
            Handle::of(retile_layout_free, |out| retile_layout_flip(tensor.at, 8, out)),
            Handle::of(retile_layout_free, |out| {
                retile_layout_region(tensor.at, from.as_ptr(), dims.as_ptr(), out)
            }),
        ];
        drop(tensor);
        for (layout, expected) in made.iter().zip([40, 2, 27]) {
            let (place, mut offset): (Box<[i64]>, i64) = ([0, 0, 0, 2].into(), 0);
            assert_eq!(retile_layout_offset(layout.at, place.as_ptr(), &raw mut offset), 0);
            assert_eq!(offset, expected);
        }
    }
}

#[test]
fn what_is_null_or_off_its_alignment_is_refused() {
    let words: Box<[i64]> = [2, 3, 4].into();
    let odd = words.as_ptr().wrapping_byte_add(1);
    let known = layout("f32:ab:2x3");
    let mut out = &raw const *known.at as *mut Layout;
    // SAFETY: NULL, or what the functions ask for; lists off their alignment are refused before they are read.
    unsafe {
        fails(retile_layout_parse(null(), &raw mut out), INVALID, "text is NULL");
        assert!(out.is_null(), "what failed leaves no handle");
        fails(retile_layout_parse(c"f32:ab:2x3".as_ptr(), null_mut()), INVALID, "out is NULL");
        fails(retile_layout_parse(c"f32:\xff".as_ptr(), &raw mut out), INVALID, "not UTF-8");
        let f32 = c"f32".as_ptr();
        let made = retile_layout_strided(f32, 2, odd, words.as_ptr(), 0, &raw mut out);
        fails(made, BUFFER, "dims is at");
        let made = retile_layout_strided(f32, 13, words.as_ptr(), words.as_ptr(), 0, &raw mut out);
        fails(made, INVALID, "rank is 13");
        fails(retile_layout_dims(known.at, null_mut()), INVALID, "dims is NULL");
        fails(retile_layout_dims(null(), null_mut()), INVALID, "layout is NULL");
        assert_eq!((retile_layout_rank(null()), retile_layout_equal(known.at, null())), (0, 0));
        assert_eq!(text(retile_layout_dtype(null())), "");
        fails(retile_attr_set_sum(null_mut(), 1.0), INVALID, "attr is NULL");
        let mut none = null_mut();
        let made = retile_kernel_new(known.at, null(), null(), &raw mut none);
        fails(made, INVALID, "dst is NULL");
        fails(retile_kernel_run(null(), null(), null_mut(), null()), INVALID, "kernel is NULL");
        assert_eq!(retile_kernel_task_count(null(), 4), 0);
        assert_eq!(text(retile_kernel_tier(null())), "");
        retile_layout_free(null_mut());
        retile_attr_free(null_mut());
        retile_kernel_free(null_mut());
    }
    assert_eq!(text(retile_status_name(BUFFER)), "RETILE_ERR_BUFFER");
    assert_eq!(text(retile_status_name(-1)), "unknown status");
    assert_eq!(text(crate::retile_version()), env!("CARGO_PKG_VERSION"));
}
