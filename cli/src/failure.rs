//! Why the command fails. In: what went wrong. Out: a message, and the status to exit with.

use std::fmt;
use std::io;

use retile::ErrorKind;

use crate::layout::counted;
use crate::memory::Entangled;

pub(crate) enum Failure {
    Layout(retile::Error),
    Values {
        name: &'static str,
        given: usize,
        needed: usize,
    },
    /// More values than are drawn.
    Many {
        name: &'static str,
        needed: usize,
        most: usize,
    },
    /// An argument of a pair where there is none.
    Stray(String),
    /// A line of a batch without two layouts.
    Line(String),
    /// A file of conversions without any.
    Empty(String),
    /// A file that cannot be read.
    File(String, io::Error),
    Entangled,
    /// What was checked is wrong, which has been said.
    Wrong(String),
    /// Well asked, and not to be had here.
    Absent(String),
    Output(io::Error),
}

impl Failure {
    pub(crate) fn status(&self) -> u8 {
        match self {
            Failure::Layout(error) if error.kind() == ErrorKind::Invalid => 2,
            Failure::File(_, error) if error.kind() == io::ErrorKind::InvalidInput => 2,
            Failure::Values { .. }
            | Failure::Many { .. }
            | Failure::Stray(_)
            | Failure::Line(_)
            | Failure::Empty(_) => 2,
            _ => 1,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Layout(error) => error.fmt(f),
            Failure::Values { name, given, needed } => {
                let given = counted(*given, "value");
                write!(f, "{given} given for {name}, which needs {needed}")
            }
            Failure::Many { name, needed, most } => {
                let needed = counted(*needed, "value");
                write!(f, "{name} needs {needed}, of which at most {most} are drawn")
            }
            Failure::Stray(word) => {
                write!(f, "{word} belongs to SRC DST; lines of a file have their own")
            }
            Failure::Line(line) => {
                write!(f, "expected two layouts and attributes, found `{line}`")
            }
            Failure::Empty(name) => write!(f, "{name}: there is no conversion in it"),
            Failure::File(name, error) => write!(f, "{name}: {error}"),
            Failure::Entangled => f.write_str(
                "the strides of this layout overlap in more ways than can be searched for a picture",
            ),
            Failure::Wrong(what) | Failure::Absent(what) => f.write_str(what),
            Failure::Output(error) => write!(f, "standard output: {error}"),
        }
    }
}

impl From<retile::Error> for Failure {
    fn from(error: retile::Error) -> Failure {
        Failure::Layout(error)
    }
}

impl From<Entangled> for Failure {
    fn from(_: Entangled) -> Failure {
        Failure::Entangled
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}
