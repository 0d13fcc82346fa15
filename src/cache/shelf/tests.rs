//! What is kept, what goes, and who waits for whom.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

/// As the cache does it: what is not there is made.
fn ask(shelf: &Shelf<u64>, key: u64) -> bool {
    let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let found = shelf.get(hash, |value| *value == key);
    if found.is_none() {
        let kept = shelf.put(hash, &key, |value| *value == key);
        assert!(kept.is_none_or(|kept| kept == key));
    }
    found.is_some()
}

fn kept(shelf: &Shelf<u64>) -> Vec<u64> {
    let mut kept = Vec::new();
    shelf.each(|value| kept.push(*value));
    kept.sort_unstable();
    kept
}

#[test]
fn what_was_not_asked_for_the_longest_goes() {
    let shelf = Shelf::new(3);
    for key in [1, 2, 3] {
        assert!(!ask(&shelf, key));
    }
    assert!(ask(&shelf, 1) && ask(&shelf, 3) && ask(&shelf, 2) && ask(&shelf, 1));
    assert!(!ask(&shelf, 4));
    assert_eq!(kept(&shelf), [1, 2, 4]);
    assert!(!ask(&shelf, 5));
    assert_eq!(kept(&shelf), [1, 4, 5]);
    assert_eq!(shelf.counts(), Counts { hits: 4, misses: 5 });
}

/// Against a list in order of use.
#[test]
fn any_order_of_use() {
    for capacity in [0usize, 1, 2, 7, 40] {
        let (shelf, mut model) = (Shelf::new(capacity), Vec::new());
        let mut seed = 1u64;
        for _ in 0..if cfg!(miri) { 30 } else { 4000 } {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let key = (seed >> 33) % 50;
            let known = model.iter().position(|own| *own == key);
            assert_eq!(ask(&shelf, key), known.is_some(), "{key} among {model:?}");
            known.map(|at| model.remove(at));
            model.push(key);
            model.drain(..model.len().saturating_sub(capacity));
        }
        model.sort_unstable();
        assert_eq!(kept(&shelf), model);
    }
}

#[test]
fn hashes_may_be_alike() {
    let shelf = Shelf::new(8);
    for key in 0..8u64 {
        assert_eq!(shelf.put(7, &key, |value| *value == key), Some(key));
    }
    for key in 0..8 {
        assert_eq!(shelf.get(7, |value| *value == key), Some(key));
    }
    assert_eq!(shelf.get(7, |value| *value == 8), None);
}

#[test]
fn room_changes() {
    let shelf = Shelf::new(10);
    (0..10).for_each(|key| _ = ask(&shelf, key));
    shelf.set_capacity(2);
    assert_eq!((kept(&shelf), shelf.capacity()), (vec![8, 9], 2));
    shelf.set_capacity(0);
    assert_eq!(kept(&shelf), []);
    assert!(!ask(&shelf, 1) && !ask(&shelf, 1));
    shelf.set_capacity(1);
    assert!(!ask(&shelf, 1) && ask(&shelf, 1));
    shelf.clear();
    assert!(!ask(&shelf, 1) && ask(&shelf, 1));
    assert_eq!(kept(&shelf), [1]);
}

/// Who is faster keeps it, and all have the same one.
#[test]
fn of_two_that_made_it_one_is_kept() {
    let shelf = Shelf::new(4);
    let (first, second) = (Arc::new(1), Arc::new(1));
    assert!(Arc::ptr_eq(&shelf.put(5, &first, |_| true).unwrap(), &first));
    assert!(Arc::ptr_eq(&shelf.put(5, &second, |_| true).unwrap(), &first));
}

#[test]
fn values_in_use_outlive_it() {
    let shelf = Shelf::new(1);
    let value = Arc::new(1);
    shelf.put(1, &value, |_| false);
    shelf.put(2, &Arc::new(2), |_| false);
    assert_eq!((Arc::strong_count(&value), *value), (1, 1));
}

/// As in a process that was forked off while another thread held locks: nobody waits for ever.
#[test]
fn locks_that_are_lost_are_done_without() {
    let shelf = Shelf::new(4).of_parent();
    ask(&shelf, 1);
    let hash = 1u64.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let room = shelf.lock_room();
    assert!(ask(&shelf, 1), "what is there needs no room");
    assert!(!ask(&shelf, 2) && !ask(&shelf, 2));
    assert_eq!((shelf.set_capacity(9), shelf.clear(), shelf.capacity()), (None, None, 4));
    drop(room);
    let items = shelf.shard(hash).items.write().unwrap();
    assert!(!ask(&shelf, 1));
    assert_eq!((shelf.set_capacity(0), shelf.clear(), shelf.each(|_| ())), (None, None, None));
    drop(items);
    assert!(ask(&shelf, 1));
}

/// Many threads, few places.
#[test]
fn crowds() {
    let (shelf, stop) = (Shelf::new(6), AtomicBool::new(false));
    let (rounds, often) = if cfg!(miri) { (20, 7) } else { (20_000, 997) };
    std::thread::scope(|scope| {
        for thread in 0..8u64 {
            let (shelf, stop) = (&shelf, &stop);
            scope.spawn(move || {
                let mut round = thread;
                while !stop.load(Ordering::Relaxed) && round < rounds {
                    ask(shelf, round.wrapping_mul(0x5851_f42d_4c95_7f2d) >> 60);
                    if round % often == 0 {
                        shelf.set_capacity((round % 9) as usize);
                    }
                    round += 1;
                }
            });
        }
    });
    shelf.set_capacity(6);
    assert!(kept(&shelf).len() <= 6);
    shelf.clear();
    assert_eq!(kept(&shelf), []);
}
