//! Every order in which threads may come to the locks: `.ci/run loom`.

use loom::sync::Arc;

use super::*;

fn ask(shelf: &Shelf<u64>, key: u64) -> u64 {
    let hash = key << 48;
    let found = shelf.get(hash, |value| *value == key);
    found.unwrap_or_else(|| shelf.put(hash, &key, |value| *value == key).unwrap_or(key))
}

/// Two threads, each at a list of keys, and what is true afterwards.
fn every_order(capacity: usize, keys: [&'static [u64]; 2]) {
    loom::model(move || {
        let shelf = Arc::new(Shelf::new(capacity));
        let others = shelf.clone();
        let other = loom::thread::spawn(move || {
            keys[1].iter().for_each(|key| assert_eq!(ask(&others, *key), *key));
        });
        keys[0].iter().for_each(|key| assert_eq!(ask(&shelf, *key), *key));
        other.join().unwrap();
        // Without any patience one too many may be left where somebody was looking: the next to come takes it away.
        shelf.set_capacity(capacity);
        let mut kept = Vec::new();
        shelf.each(|value| kept.push(*value));
        assert!(kept.len() <= capacity, "{kept:?}");
        assert_eq!(kept.len(), shelf.room().unwrap().count);
        kept.sort_unstable();
        kept.dedup();
        assert_eq!(kept.len(), shelf.room().unwrap().count, "one value twice: {kept:?}");
        let Counts { hits, misses } = shelf.counts();
        assert_eq!(hits + misses, (keys[0].len() + keys[1].len()) as u64);
    });
}

#[test]
fn both_make_the_same() {
    every_order(2, [&[1], &[1]]);
}

#[test]
fn one_drives_out_what_the_other_asks_for() {
    every_order(1, [&[1, 1], &[2]]);
}

#[test]
fn both_drive_out() {
    every_order(1, [&[1], &[2]]);
}

#[test]
fn room_goes_meanwhile() {
    loom::model(|| {
        let shelf = Arc::new(Shelf::new(2));
        let others = shelf.clone();
        let other = loom::thread::spawn(move || others.set_capacity(0));
        assert_eq!(ask(&shelf, 1), 1);
        other.join().unwrap();
        // As above: who comes while somebody adds has no patience here.
        shelf.set_capacity(0);
        let mut kept = 0;
        shelf.each(|_| kept += 1);
        assert_eq!(kept, 0);
    });
}
