//! The cache, which has one test: it is one for all of a process.

use std::ptr::null;

use super::*;
use crate::cache::*;

#[test]
fn the_cache_tells_what_it_has() {
    let before = cached(5);
    let first = kernel("f64:ab:7x3", "f64:ba:7x3", null());
    let second = kernel("f64:ab:7x3", "f64:ba:7x3", null());
    drop((first, second));
    let now = cached(5);
    assert!(now[1] > before[1] && now[2] > before[2]);
    // As much as the caller's struct has; numbers that lie whole within it.
    for size in size_of::<usize>()..5 * 8 {
        cached(size / 8);
    }
    // SAFETY: NULL is refused.
    fails(unsafe { retile_cache_get_stats(null_mut()) }, INVALID, "stats is NULL");
}

/// `retile_cache_stats` of so many words.
fn cached(words: usize) -> [u64; 5] {
    let mut stats = [8 * words as u64, 1, 1, 1, 1];
    let mut cut = Cut::of(&stats, 8 * words);
    // SAFETY: as many bytes as the first word says.
    unsafe {
        assert_eq!(retile_cache_get_stats(cut.at()), 0);
        cut.at::<u8>().copy_to_nonoverlapping((&raw mut stats).cast(), 8 * words);
    }
    assert_eq!(stats[0], 8 * words as u64);
    stats
}
