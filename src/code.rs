//! Code. In: a plan, and the bytes that it became. Out: both together, and a listing.

#[cfg(feature = "listing")]
mod listing;

use std::fmt;

use crate::plan::Plan;
use crate::problem::OPERANDS;
use crate::target::Target;

/// Machine code for a plan: data, the same on every machine. A [`Kernel`](crate::Kernel) runs it.
#[derive(Clone, PartialEq, Eq)]
pub struct Code {
    plan: Plan,
    bytes: Vec<u8>,
    notes: Notes,
}

/// What begins where, in the order of places.
pub(crate) type Notes = Vec<(u32, Note)>;

/// What begins at a place in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    Entry,
    /// A nest, by its number over all boxes.
    Nest {
        nest: usize,
        streams: bool,
    },
    /// A loop around tiles.
    Step {
        index: usize,
        by: usize,
    },
    Exit,
    /// What makes a table of bytes.
    Table,
    /// What copies rows of the source.
    Rows,
    /// The sequence of the tile before once more, for where what that trusts in is not so.
    Wild,
    /// The sequence of a tile of a nest.
    Tile {
        nest: usize,
        tile: usize,
        streams: bool,
    },
    Routines,
    Constants,
}

/// What code finds its values by: the last argument of its entry, a pointer to this.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Given {
    /// Where those of each operand are, where all nodes are at 0.
    pub(crate) pointers: [*const u8; OPERANDS],
    /// 0 where all are tame.
    pub(crate) wild: usize,
}

impl Given {
    /// Floats around values that were made ready, before and behind them, which code may read with them: no load of
    /// values has more.
    pub(crate) const AROUND: usize = 16;

    /// Where the pointer of an operand is, in bytes from the start. Code is for 64 bits wherever it is made.
    pub(crate) const fn pointer(operand: usize) -> i32 {
        8 * operand as i32
    }

    /// Where `wild` is.
    pub(crate) const WILD: i32 = Given::pointer(OPERANDS);

    /// No values yet.
    pub(crate) const NONE: Given = Given { pointers: [std::ptr::null(); OPERANDS], wild: 1 };
}

#[cfg(target_pointer_width = "64")]
const _: () = {
    use std::mem::offset_of;
    let last = offset_of!(Given, pointers) + size_of::<*const u8>() * (OPERANDS - 1);
    assert!(last == Given::pointer(OPERANDS - 1) as usize);
    assert!(offset_of!(Given, wild) == Given::WILD as usize);
};

impl Code {
    pub(crate) fn new(plan: Plan, bytes: Vec<u8>, notes: Notes) -> Code {
        Code { plan, bytes, notes }
    }

    /// What it does.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(crate) fn into_plan(self) -> Plan {
        self.plan
    }

    /// What it was made for.
    pub fn target(&self) -> &Target {
        &self.plan.target
    }

    /// The bytes, constants and all; the entry is the first.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where the constants start.
    pub fn constants(&self) -> usize {
        self.notes.last().map_or(self.bytes.len(), |note| note.0 as usize)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Code({} bytes for {})", self.bytes.len(), self.plan.target)
    }
}
