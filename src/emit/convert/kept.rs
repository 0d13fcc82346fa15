//! Values that are kept. In: values that were made ready, and where. Out: where they are when units need them, for as
//! long as the pointers of their operands stand still.

use std::ops::Range;

use super::super::evex::{Rm, V, Width};
use super::super::frame::spill;
use super::values::{Index, Pattern};
use super::{HELD, PASSED};

/// Values that are held for as long as a pointer stands still, in registers that nothing else needs or in slots.
#[derive(Default)]
pub(in super::super) struct Known {
    /// Of which operand, which of its values, and where.
    values: Vec<(usize, Pattern, Rm)>,
    /// A register of values that units pick theirs from: of which operand, from which value on, and where.
    picked_from: Vec<(usize, i32, Rm)>,
    /// Which of them a unit picks, by number, and the register that says so.
    indices: Vec<(Index, V)>,
    /// Registers that hold nothing.
    free: Range<u8>,
    /// Slots that hold something.
    slots: u16,
}

/// What was held at some time.
pub(in super::super) struct Mark {
    values: usize,
    picked_from: usize,
    indices: usize,
    free: Range<u8>,
    slots: u16,
}

impl Known {
    /// None yet, with these registers for them.
    pub(in super::super) fn with(free: Range<u8>) -> Known {
        Known { free, ..Known::default() }
    }

    /// Where values are, those of a pattern one after the other.
    pub(super) fn of(&self, operand: usize, pattern: &Pattern) -> impl Iterator<Item = Rm> {
        let own = self.values.iter().filter(move |own| own.0 == operand && own.1 == *pattern);
        own.map(|own| own.2)
    }

    /// Where a register of values is, those from one on.
    pub(super) fn register(&self, operand: usize, first: i32) -> Option<Rm> {
        let own = self.picked_from.iter().find(|own| (own.0, own.1) == (operand, first));
        own.map(|own| own.2)
    }

    pub(super) fn has(&self, operand: usize, pattern: &Pattern) -> bool {
        self.of(operand, pattern).next().is_some()
    }

    pub(super) fn add(&mut self, operand: usize, pattern: Pattern, place: Rm) {
        self.values.push((operand, pattern, place));
    }

    pub(super) fn add_register(&mut self, operand: usize, first: i32, place: Rm) {
        self.picked_from.push((operand, first, place));
    }

    pub(super) fn add_index(&mut self, index: Index, place: V) {
        self.indices.push((index, place));
    }

    /// The register that says which values are picked, if one does.
    pub(super) fn index(&self, index: &[u8]) -> Option<V> {
        self.indices.iter().find(|own| own.0[..] == *index).map(|own| own.1)
    }

    pub(in super::super) fn mark(&self) -> Mark {
        Mark {
            values: self.values.len(),
            picked_from: self.picked_from.len(),
            indices: self.indices.len(),
            free: self.free.clone(),
            slots: self.slots,
        }
    }

    /// What was held then is all that is.
    pub(in super::super) fn back_to(&mut self, mark: Mark) {
        self.values.truncate(mark.values);
        self.picked_from.truncate(mark.picked_from);
        self.indices.truncate(mark.indices);
        (self.free, self.slots) = (mark.free, mark.slots);
    }

    /// Whether there are places for so many more.
    pub(super) fn has_room(&self, count: usize) -> bool {
        self.free.len() + HELD - usize::from(self.slots) >= count
    }

    /// A place for one more, of those for which there is room; slots for such are behind others.
    pub(super) fn place(&mut self, width: Width, scratch: u16) -> Rm {
        match self.free.next() {
            Some(number) => Rm::V(V { number, width }),
            None => {
                self.slots += 1;
                Rm::M(spill(scratch + PASSED + self.slots - 1))
            }
        }
    }

    /// Whether there is a register for one more.
    pub(super) fn has_register(&self) -> bool {
        self.has_registers(1)
    }

    /// Whether there are registers for so many more.
    pub(super) fn has_registers(&self, count: usize) -> bool {
        self.free.len() >= count
    }
}
