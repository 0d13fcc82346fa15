//! A shelf for each process. In: work on the shelf. Out: the same done, where need be on a new shelf.
//!
//! A process that was forked off while another thread held a lock of the shelf will find it held for ever. Whoever
//! comes upon that there puts an empty shelf in its place. What was on the old one stays where it is: it cannot be told
//! any more what its threads had in their hands.

use std::sync::OnceLock;

use super::shelf::Shelf;

/// A shelf, and the one that took its place.
#[derive(Debug)]
pub(super) struct Heirs<T> {
    shelf: Shelf<T>,
    heir: OnceLock<Box<Heirs<T>>>,
}

impl<T: Clone> Heirs<T> {
    pub(super) fn new(shelf: Shelf<T>) -> Heirs<T> {
        Heirs { shelf, heir: OnceLock::new() }
    }

    /// The shelf that is in use.
    pub(super) fn shelf(&self) -> &Shelf<T> {
        &self.last().shelf
    }

    /// Does what needs locks: once more on a new shelf, where one of these was lost with a parent's thread. Within a
    /// process threads are only ever slow, and nothing is thrown away for that.
    pub(super) fn with(&self, mut work: impl FnMut(&Shelf<T>) -> Option<()>) {
        let own = self.last();
        if work(&own.shelf).is_none() && !own.shelf.is_own() {
            let heir = own.heir.get_or_init(|| Box::new(Heirs::new(own.shelf.successor())));
            work(&heir.shelf);
        }
    }

    fn last(&self) -> &Heirs<T> {
        let mut last = self;
        while let Some(heir) = last.heir.get() {
            last = heir;
        }
        last
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    use super::*;
    use crate::cache::shelf::Counts;

    fn ask(heirs: &Heirs<u64>, key: u64) -> bool {
        let (hash, is) = (key << 48, |value: &u64| *value == key);
        let found = heirs.shelf().get(hash, is).is_some();
        if !found {
            heirs.with(|shelf| shelf.put(hash, &key, is).map(|_| ()));
        }
        found
    }

    fn kept(heirs: &Heirs<u64>) -> Vec<u64> {
        let mut kept = Vec::new();
        heirs.with(|shelf| {
            kept.clear();
            shelf.each(|value| kept.push(*value))
        });
        kept.sort_unstable();
        kept
    }

    /// A shelf with two values.
    fn full(shelf: Shelf<u64>) -> Heirs<u64> {
        let heirs = Heirs::new(shelf);
        assert!(!ask(&heirs, 1) && !ask(&heirs, 2) && ask(&heirs, 1));
        heirs
    }

    /// As it is in a process that was forked off.
    fn inherited() -> Heirs<u64> {
        full(Shelf::new(3).of_parent())
    }

    #[test]
    fn what_a_child_asks_for_is_done() {
        type Ask = fn(&Heirs<u64>);
        let asked: [(Ask, &[u64], usize); 4] = [
            (|heirs| heirs.with(|shelf| shelf.clear()), &[], 3),
            (|heirs| heirs.with(|shelf| shelf.set_capacity(7)), &[], 7),
            (|heirs| assert_eq!(kept(heirs), []), &[], 3),
            (|heirs| assert!(!ask(heirs, 9) && ask(heirs, 9)), &[9], 3),
        ];
        for (ask, left, capacity) in asked {
            let heirs = inherited();
            let lost = heirs.shelf.lock_room();
            ask(&heirs);
            assert_eq!((kept(&heirs), heirs.shelf().capacity()), (left.to_vec(), capacity));
            drop(lost);
            assert_eq!(kept(&heirs), left, "nobody goes back");
        }
    }

    /// Others that want the processor too do not make it longer: of tries, each would be a turn of theirs.
    #[test]
    #[cfg(not(miri))] // Time is not real there.
    fn a_lost_lock_is_given_up_soon_on_a_busy_machine() {
        let heirs = inherited();
        let _lost = heirs.shelf.lock_room();
        let done = AtomicBool::new(false);
        let threads = 3 * std::thread::available_parallelism().map_or(2, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let start = Instant::now();
            let known = ask(&heirs, 9);
            let took = start.elapsed();
            done.store(true, Ordering::Relaxed);
            assert!(!known && took < Duration::from_secs(2), "{took:?}");
        });
    }

    #[test]
    fn counts_go_on() {
        let heirs = inherited();
        let _lost = heirs.shelf.lock_room();
        assert!(ask(&heirs, 2) && !ask(&heirs, 5) && ask(&heirs, 5));
        assert_eq!(heirs.shelf().counts(), Counts { hits: 3, misses: 3 });
    }

    #[test]
    fn who_is_slow_in_the_same_process_keeps_the_shelf() {
        let heirs = full(Shelf::new(3));
        let slow = heirs.shelf.lock_room();
        heirs.with(|shelf| shelf.clear());
        assert!(ask(&heirs, 1) && !ask(&heirs, 5));
        drop(slow);
        assert_eq!(kept(&heirs), [1, 2]);
    }
}
