//! What has been found. In: what tiles move, and their sequences as they are found. Out: the same sequence for what moves
//! alike; nests of one plan have many tiles in common.

use std::cell::RefCell;

use crate::shuffle::{Found, Movement};

/// Movements, of how many elements merges are weighed at most, and what was found.
#[derive(Debug, Default)]
pub(super) struct Memo(RefCell<Vec<(Movement, usize, Found)>>);

impl Memo {
    pub(super) fn find(&self, movement: &Movement, merged: usize) -> Option<Found> {
        let known = self.0.borrow();
        let same = |one: &&(Movement, usize, Found)| one.1 == merged && one.0 == *movement;
        known.iter().find(same).map(|one| one.2.clone())
    }

    pub(super) fn keep(&self, movement: Movement, merged: usize, found: &Found) {
        self.0.borrow_mut().push((movement, merged, found.clone()));
    }
}
