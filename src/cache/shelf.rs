//! What is kept, and for how long. In: values with the hash of their key. Out: a value of the same key, if there is
//! one; where there are too many, the one that was not asked for the longest goes.
//!
//! A look-up takes one of several locks, for reading, and counts beside it. Nothing else is written but, where another
//! value was asked for in between, when this one was. All that adds or takes away passes one more lock, and finds the
//! oldest by looking at all: whoever adds has just taken much longer to make what is added.
//!
//! No lock is waited for without end: a process that was forked off while another thread held one would. After some
//! patience the value counts as unknown; and what would change something, or look at all, says that it could not. The
//! patience is a time, and not a number of tries, of which each may take as long as the system lets others run.

use hashbrown::HashTable;

#[cfg(loom)]
use loom::sync::{
    Mutex, MutexGuard, RwLock,
    atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
};
#[cfg(not(loom))]
use std::sync::{
    Mutex, MutexGuard, RwLock,
    atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
};

use std::sync::{TryLockError, TryLockResult};
use std::time::{Duration, Instant};

/// Locks that look-ups are spread over.
const SHARDS: usize = if cfg!(loom) { 2 } else { 16 };

/// So long a lock is waited for before it counts as lost: where only a thread of this process can have it, which will
/// give it back, and where it may have been held when this process was forked off.
const PATIENCE: Duration = Duration::from_secs(1);
const AFTER_FORK: Duration = Duration::from_millis(2);

/// So often it is tried at once, and so often with others let run in between. Then it is slept in between.
const AT_ONCE: usize = 100;
const SOON: usize = 200;
const SLEEP: Duration = Duration::from_micros(50);

/// Values, by the hashes of their keys.
#[derive(Debug)]
pub(super) struct Shelf<T> {
    shards: [Shard<T>; SHARDS],
    /// Whose threads may be waited for.
    process: u32,
    /// Counts up whenever another value than the last one is asked for.
    clock: AtomicU64,
    misses: AtomicU64,
    /// Changed by those alone who have the room; known without it.
    capacity: AtomicUsize,
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
            process: std::process::id(),
            clock: AtomicU64::new(0),
            misses: AtomicU64::new(0),
            capacity: AtomicUsize::new(capacity),
            room: Mutex::new(Room { count: 0 }),
        }
    }

    /// An empty one in its place, which goes on counting.
    pub(super) fn successor(&self) -> Shelf<T> {
        let (new, Counts { hits, misses }) = (Shelf::new(self.capacity()), self.counts());
        new.shards[0].hits.store(hits, Relaxed);
        new.misses.store(misses, Relaxed);
        new
    }

    /// The value with this hash that is the one.
    pub(super) fn get(&self, hash: u64, is: impl Fn(&T) -> bool) -> Option<T> {
        let shard = self.shard(hash);
        let found = self.patiently(|| shard.items.try_read()).and_then(|items| {
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

    /// Keeps a value, and gives the one that is kept: another one where somebody else was faster. None where a lock was
    /// lost.
    pub(super) fn put(&self, hash: u64, value: &T, is: impl Fn(&T) -> bool) -> Option<T> {
        let mut gone = Vec::new();
        let mut room = self.room()?;
        if self.capacity() == 0 {
            return Some(value.clone());
        }
        {
            let mut items = self.patiently(|| self.shard(hash).items.try_write())?;
            if let Some(item) = items.find(hash, |item| is(&item.value)) {
                return Some(item.value.clone());
            }
            let used = AtomicU64::new(self.tick());
            let item = Item { hash, used, value: value.clone() };
            items.insert_unique(hash, item, |item| item.hash);
            room.count += 1;
        }
        let fits = self.fit(&mut room, &mut gone);
        drop(room);
        // What is dropped at last gives memory back to the system, which takes a while.
        drop(gone);
        fits.map(|()| value.clone())
    }

    /// No more values than these from now on. None where a lock was lost.
    pub(super) fn set_capacity(&self, capacity: usize) -> Option<()> {
        let mut gone = Vec::new();
        let mut room = self.room()?;
        self.capacity.store(capacity, Relaxed);
        let fits = self.fit(&mut room, &mut gone);
        drop(room);
        fits
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity.load(Relaxed)
    }

    /// Forgets all values; counts stay. None where a lock was lost, and some values are left.
    pub(super) fn clear(&self) -> Option<()> {
        let mut gone = Vec::new();
        let mut room = self.room()?;
        let mut all = Some(());
        for shard in &self.shards {
            match self.patiently(|| shard.items.try_write()) {
                Some(mut items) => {
                    room.count -= items.len();
                    gone.push(std::mem::take(&mut *items));
                }
                None => all = None,
            }
        }
        drop(room);
        drop(gone);
        all
    }

    pub(super) fn counts(&self) -> Counts {
        let hits = self.shards.iter().map(|shard| shard.hits.load(Relaxed)).sum();
        Counts { hits, misses: self.misses.load(Relaxed) }
    }

    /// Looks at all values. None where a lock was lost, and some may not have been seen.
    pub(super) fn each(&self, mut look: impl FnMut(&T)) -> Option<()> {
        let room = self.room();
        let mut all = room.as_ref().map(|_| ());
        for shard in &self.shards {
            match self.patiently(|| shard.items.try_read()) {
                Some(items) => items.iter().for_each(|item| look(&item.value)),
                None => all = None,
            }
        }
        all
    }

    fn shard(&self, hash: u64) -> &Shard<T> {
        // The table takes the lower bits and the highest seven.
        &self.shards[(hash >> 48) as usize % SHARDS]
    }

    fn tick(&self) -> u64 {
        self.clock.fetch_add(1, Relaxed) + 1
    }

    /// Whether it was made by this process, and not by one that this was forked off from.
    pub(super) fn is_own(&self) -> bool {
        self.process == std::process::id()
    }

    /// This shelf as if another process had made it.
    #[cfg(test)]
    pub(super) fn of_parent(self) -> Shelf<T> {
        Shelf { process: u32::MAX, ..self }
    }

    /// A lock that is free soon; it does not matter who has panicked with it, as no code that is not ours runs under
    /// one.
    fn patiently<G>(&self, lock: impl Fn() -> TryLockResult<G>) -> Option<G> {
        let mut until = None;
        for round in 0usize.. {
            match lock() {
                Ok(guard) => return Some(guard),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                // There every order is tried anyhow.
                Err(TryLockError::WouldBlock) if cfg!(loom) => break,
                Err(TryLockError::WouldBlock) if round < AT_ONCE => std::hint::spin_loop(),
                Err(TryLockError::WouldBlock) => {
                    let patience = || if self.is_own() { PATIENCE } else { AFTER_FORK };
                    let until = *until.get_or_insert_with(|| Instant::now() + patience());
                    if Instant::now() > until {
                        break;
                    }
                    match round < SOON {
                        true => std::thread::yield_now(),
                        false => std::thread::sleep(SLEEP),
                    }
                }
            }
        }
        None
    }

    fn room(&self) -> Option<MutexGuard<'_, Room>> {
        self.patiently(|| self.room.try_lock())
    }

    /// As a thread does it that is gone in a process that was forked off.
    #[cfg(test)]
    pub(super) fn lock_room(&self) -> impl Sized {
        self.room.lock().unwrap()
    }

    /// Takes the oldest away until the rest has room. None where a lock was lost.
    fn fit(&self, room: &mut Room, gone: &mut Vec<T>) -> Option<()> {
        while room.count > self.capacity() {
            for (used, shard, hash) in self.oldest(room.count - self.capacity())? {
                let mut items = self.patiently(|| self.shards[shard].items.try_write())?;
                // Somebody may have asked for it meanwhile: then another one is older.
                if let Ok(found) = items.find_entry(hash, |item| item.used.load(Relaxed) == used) {
                    gone.push(found.remove().0.value);
                    room.count -= 1;
                }
            }
        }
        Some(())
    }

    /// So many that were not asked for the longest, or all: when each was, in which shard it is, and its hash.
    fn oldest(&self, count: usize) -> Option<Vec<(u64, usize, u64)>> {
        let mut all = Vec::new();
        for (number, shard) in self.shards.iter().enumerate() {
            let items = self.patiently(|| shard.items.try_read())?;
            all.extend(items.iter().map(|item| (item.used.load(Relaxed), number, item.hash)));
        }
        if count < all.len() {
            all.select_nth_unstable(count);
            all.truncate(count);
        }
        Some(all)
    }
}

#[cfg(all(test, loom))]
mod interleaved;
#[cfg(all(test, not(loom)))]
mod tests;
