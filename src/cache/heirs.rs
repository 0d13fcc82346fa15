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
    /// Whose threads may be waited for.
    process: u32,
    heir: OnceLock<Box<Heirs<T>>>,
}

impl<T: Clone> Heirs<T> {
    pub(super) fn new(shelf: Shelf<T>) -> Heirs<T> {
        Heirs { shelf, process: std::process::id(), heir: OnceLock::new() }
    }

    /// The shelf that is in use.
    pub(super) fn shelf(&self) -> &Shelf<T> {
        &self.last().shelf
    }

    /// Does what needs locks: once more on a new shelf, where one of these was lost with a parent's thread. Within a
    /// process threads are only ever slow, and nothing is thrown away for that.
    pub(super) fn with(&self, mut work: impl FnMut(&Shelf<T>) -> Option<()>) {
        let own = self.last();
        if work(&own.shelf).is_none() && own.process != std::process::id() {
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

    /// A shelf with two values, as it would be in another process or in this one.
    fn full(process: u32) -> Heirs<u64> {
        let heirs = Heirs { process, ..Heirs::new(Shelf::new(3)) };
        assert!(!ask(&heirs, 1) && !ask(&heirs, 2) && ask(&heirs, 1));
        heirs
    }

    const PARENT: u32 = u32::MAX;

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
            let heirs = full(PARENT);
            let lost = heirs.shelf.lock_room();
            ask(&heirs);
            assert_eq!((kept(&heirs), heirs.shelf().capacity()), (left.to_vec(), capacity));
            drop(lost);
            assert_eq!(kept(&heirs), left, "nobody goes back");
        }
    }

    #[test]
    fn counts_go_on() {
        let heirs = full(PARENT);
        let _lost = heirs.shelf.lock_room();
        assert!(ask(&heirs, 2) && !ask(&heirs, 5) && ask(&heirs, 5));
        assert_eq!(heirs.shelf().counts(), Counts { hits: 3, misses: 3 });
    }

    #[test]
    fn who_is_slow_in_the_same_process_keeps_the_shelf() {
        let heirs = full(std::process::id());
        let slow = heirs.shelf.lock_room();
        heirs.with(|shelf| shelf.clear());
        assert!(ask(&heirs, 1) && !ask(&heirs, 5));
        drop(slow);
        assert_eq!(kept(&heirs), [1, 2]);
    }
}
