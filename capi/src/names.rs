//! Names that C reads. In: the library's types, each with a list of all there are. Out: their names, static and with
//! their terminators.

use std::ffi::CStr;

use retile_core::{DType, Tier};

/// Bytes of the longest name, with its terminator.
const ROOM: usize = 16;

type Name = [u8; ROOM];

const fn terminated(name: &str) -> Name {
    let (name, mut room) = (name.as_bytes(), [0; ROOM]);
    assert!(name.len() < ROOM, "room for the terminator");
    room.split_at_mut(name.len()).0.copy_from_slice(name);
    room
}

/// The names of all that a type lists, in a table beside it.
macro_rules! names {
    ($($find:ident of $table:ident: $of:ident;)*) => { $(
        static $table: [Name; $of::ALL.len()] = {
            let mut names = [[0; ROOM]; $of::ALL.len()];
            let mut at = 0;
            while at < names.len() {
                names[at] = terminated($of::ALL[at].name());
                at += 1;
            }
            names
        };

        /// The name of one; none where its type does not list it.
        pub fn $find(one: $of) -> &'static CStr {
            let at = $of::ALL.iter().position(|known| *known == one);
            let name = at.and_then(|at| CStr::from_bytes_until_nul(&$table[at]).ok());
            name.unwrap_or_default()
        }
    )* };
}

names! {
    dtype of DTYPES: DType;
    tier of TIERS: Tier;
}
