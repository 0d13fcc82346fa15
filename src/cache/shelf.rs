//! What is kept, and for how long. In: values with the hash of their key. Out: a value of the same key, if there is one;
//! where there are too many, the one that was not asked for the longest goes.
//!
//! A look-up takes one of several locks, for reading. Nothing else is written but, where another value was asked for in
//! between, when this one was. All that adds or takes away passes one more lock, and finds the oldest by looking at
//! all: whoever adds has just taken much longer to make what is added.
//!
//! No lock is waited for without end: a process that was forked off while another thread held one would. After some
//! patience the value counts as unknown, and is not kept; and what would change or look at all does without.

use hashbrown::HashTable;

#[cfg(loom)]
use loom::sync::{
    Mutex, MutexGuard, RwLock,
    atomic::{AtomicU64, Ordering::Relaxed},
};
#[cfg(not(loom))]
use std::sync::{
    Mutex, MutexGuard, RwLock,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use std::sync::{TryLockError, TryLockResult};

/// Locks that look-ups are spread over.
const SHARDS: usize = if cfg!(loom) { 2 } else { 16 };

/// So often a lock is tried before it counts as lost.
const PATIENCE: usize = if cfg!(loom) { 1 } else { 10_000 };

/// Values, by the hashes of their keys.
#[derive(Debug)]
pub(super) struct Shelf<T> {
    shards: [Shard<T>; SHARDS],
    /// Counts up whenever another value than the last one is asked for.
    clock: AtomicU64,
    misses: AtomicU64,
    room: Mutex<Room>,
}

/// A part of the values, on cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Shard<T> {
    items: RwLock<HashTable<Item<T>>>,
    hits: AtomicU64,
}

#[derive(Debug)]
struct Item<T> {
    hash: u64,
    /// What the clock said when it was asked for last; no two items have the same.
    used: AtomicU64,
    value: T,
}

/// Whoever holds this alone adds values and takes them away.
#[derive(Debug)]
struct Room {
    count: usize,
    capacity: usize,
}

/// How often there was something, and how often not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) hits: u64,
    pub(super) misses: u64,
}

impl<T: Clone> Shelf<T> {
    pub(super) fn new(capacity: usize) -> Shelf<T> {
        let shard = |_| Shard { items: RwLock::new(HashTable::new()), hits: AtomicU64::new(0) };
        Shelf {
            shards: std::array::from_fn(shard),
            clock: AtomicU64::new(0),
            misses: AtomicU64::new(0),
            room: Mutex::new(Room { count: 0, capacity }),
        }
    }

    /// The value with this hash that is the one.
    pub(super) fn get(&self, hash: u64, is: impl Fn(&T) -> bool) -> Option<T> {
        let shard = self.shard(hash);
        let found = patiently(|| shard.items.try_read()).and_then(|items| {
            let item = items.find(hash, |item| is(&item.value))?;
            if item.used.load(Relaxed) != self.clock.load(Relaxed) {
                item.used.store(self.tick(), Relaxed);
            }
            Some(item.value.clone())
        });
        match &found {
            Some(_) => shard.hits.fetch_add(1, Relaxed),
            None => self.misses.fetch_add(1, Relaxed),
        };
        found
    }

    /// Keeps a value, and gives the one that is kept: another one where somebody else was faster.
    pub(super) fn put(&self, hash: u64, value: T, is: impl Fn(&T) -> bool) -> T {
        let mut gone = Vec::new();
        let Some(mut room) = self.room() else { return value };
        if room.capacity == 0 {
            return value;
        }
        {
            let shard = self.shard(hash);
            let Some(mut items) = patiently(|| shard.items.try_write()) else { return value };
            if let Some(item) = items.find(hash, |item| is(&item.value)) {
                return item.value.clone();
            }
            let used = AtomicU64::new(self.tick());
            let item = Item { hash, used, value: value.clone() };
            items.insert_unique(hash, item, |item| item.hash);
            room.count += 1;
        }
        self.fit(&mut room, &mut gone);
        drop(room);
        // What is dropped at last gives memory back to the system, which takes a while.
        drop(gone);
        value
    }

    /// No more values than these from now on.
    pub(super) fn set_capacity(&self, capacity: usize) {
        let mut gone = Vec::new();
        let Some(mut room) = self.room() else { return };
        room.capacity = capacity;
        self.fit(&mut room, &mut gone);
        drop(room);
    }

    pub(super) fn capacity(&self) -> usize {
        self.room().map_or(0, |room| room.capacity)
    }

    /// Forgets all values; counts stay.
    pub(super) fn clear(&self) {
        let Some(mut room) = self.room() else { return };
        let mut gone = Vec::new();
        for shard in &self.shards {
            let Some(mut items) = patiently(|| shard.items.try_write()) else { continue };
            room.count -= items.len();
            gone.push(std::mem::take(&mut *items));
        }
        drop(room);
        drop(gone);
    }

    pub(super) fn counts(&self) -> Counts {
        let hits = self.shards.iter().map(|shard| shard.hits.load(Relaxed)).sum();
        Counts { hits, misses: self.misses.load(Relaxed) }
    }

    /// Looks at all values.
    pub(super) fn each(&self, mut look: impl FnMut(&T)) {
        let _room = self.room();
        for shard in &self.shards {
            if let Some(items) = patiently(|| shard.items.try_read()) {
                items.iter().for_each(|item| look(&item.value));
            }
        }
    }

    fn shard(&self, hash: u64) -> &Shard<T> {
        // The table takes the lower bits and the highest seven.
        &self.shards[(hash >> 48) as usize % SHARDS]
    }

    fn tick(&self) -> u64 {
        self.clock.fetch_add(1, Relaxed) + 1
    }

    fn room(&self) -> Option<MutexGuard<'_, Room>> {
        patiently(|| self.room.try_lock())
    }

    /// Takes the oldest away until the rest has room.
    fn fit(&self, room: &mut Room, gone: &mut Vec<T>) {
        while room.count > room.capacity {
            let Some((shard, hash, used)) = self.oldest() else { return };
            let Some(mut items) = patiently(|| shard.items.try_write()) else { return };
            // Somebody may have asked for it meanwhile: then another one is the oldest.
            if let Ok(found) = items.find_entry(hash, |item| item.used.load(Relaxed) == used) {
                gone.push(found.remove().0.value);
                room.count -= 1;
            }
        }
    }

    fn oldest(&self) -> Option<(&Shard<T>, u64, u64)> {
        let mut oldest = None;
        for shard in &self.shards {
            let items = patiently(|| shard.items.try_read())?;
            let own = items.iter().map(|item| (shard, item.hash, item.used.load(Relaxed)));
            oldest = oldest.into_iter().chain(own).min_by_key(|&(.., used)| used);
        }
        oldest
    }
}

/// A lock that is free soon; it does not matter who has panicked with it, as no code that is not ours runs under one.
fn patiently<G>(lock: impl Fn() -> TryLockResult<G>) -> Option<G> {
    for round in 0..PATIENCE {
        match lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if round < 100 => std::hint::spin_loop(),
            Err(TryLockError::WouldBlock) => std::thread::yield_now(),
        }
    }
    None
}

#[cfg(all(test, loom))]
mod interleaved;
#[cfg(all(test, not(loom)))]
mod tests;
