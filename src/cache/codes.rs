//! Code that several kernels share. In: a canonical problem, a target and a locality. Out: the same way to run it that
//! a kernel has which is still there.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, TryLockError, Weak};

use hashbrown::HashTable;

use crate::kernel::Way;
use crate::plan::Locality;
use crate::problem::Problem;
use crate::target::Target;

/// Ways to run problems, by these, for as long as somebody has them.
#[derive(Debug, Default)]
pub(crate) struct Codes {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    items: HashTable<Item>,
    /// Those that nobody has are looked for when there are so many.
    full: usize,
}

#[derive(Debug)]
struct Item {
    hash: u64,
    locality: Locality,
    way: Weak<Way>,
}

/// Fewer are never looked through.
const FEW: usize = 64;

/// Where what runs a problem belongs, once it is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    hash: u64,
    locality: Locality,
}

impl Codes {
    /// What runs a problem, if a kernel still has it; else where it belongs.
    pub(crate) fn get(
        &self,
        problem: &Problem,
        target: &Target,
        locality: Locality,
    ) -> Result<Arc<Way>, Place> {
        let hash = hash(problem, target, locality);
        let mut found = None;
        self.with(|table| found = table.find(hash, problem, target, locality));
        found.ok_or(Place { hash, locality })
    }

    /// Remembers what runs a problem, if nobody else has come first: then it is theirs that is given back.
    pub(crate) fn put(&self, Place { hash, locality }: Place, way: Arc<Way>) -> Arc<Way> {
        let (problem, target) = (way.problem(), way.target());
        let mut first = None;
        self.with(|table| {
            first = table.find(hash, problem, target, locality);
            if first.is_some() {
                return;
            }
            let item = Item { hash, locality, way: Arc::downgrade(&way) };
            if table.items.len() >= table.full.max(FEW) {
                table.items.retain(|item| item.way.strong_count() > 0);
                table.full = 2 * table.items.len();
            }
            table.items.insert_unique(hash, item, |item| item.hash);
        });
        first.unwrap_or(way)
    }

    /// Where somebody else is at it, or was when this process was forked off, it is done without.
    fn with(&self, work: impl FnOnce(&mut Table)) {
        match self.table.try_lock() {
            Ok(mut table) => work(&mut table),
            Err(TryLockError::Poisoned(poisoned)) => work(&mut poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {}
        }
    }
}

impl Table {
    fn find(
        &self,
        hash: u64,
        problem: &Problem,
        target: &Target,
        locality: Locality,
    ) -> Option<Arc<Way>> {
        let mut found = None;
        self.items.find(hash, |item| {
            found = item.way.upgrade().filter(|way| {
                item.locality == locality && way.problem() == problem && way.target() == target
            });
            found.is_some()
        });
        found
    }
}

fn hash(problem: &Problem, target: &Target, locality: Locality) -> u64 {
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    problem.hash(&mut hasher);
    target.hash(&mut hasher);
    locality.hash(&mut hasher);
    hasher.finish()
}
