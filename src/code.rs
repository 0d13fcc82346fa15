//! Code. In: a plan, and the bytes that it became. Out: both together, and a listing.

#[cfg(feature = "listing")]
mod listing;

use std::fmt;

use crate::plan::Plan;
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
    /// The same sequence, for where what the one before trusts in is not so.
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
