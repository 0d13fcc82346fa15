//! One error type. In: what went wrong, with the value at fault. Out: a variant by whose fault it is, and a message
//! that names the value.

use std::fmt;

/// What went wrong, and whose fault it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text that does not say what it should: a layout, attribute, element type, tier, target or problem.
    #[error("expected {expected}, found `{}`{}", Beginning(.part), Nearest(.nearest))]
    Text {
        /// The part of the text at fault, whole; the message has as much of it as can be read.
        part: String,
        /// What was expected in its place.
        expected: String,
        /// Known names that are spelt much like it, or the family that has it.
        nearest: Vec<String>,
    },
    /// A layout, shape, mask or pair that cannot be.
    #[error("{0}")]
    Invalid(String),
    /// Well formed, and not provided.
    #[error("{0}")]
    Unsupported(String),
    /// A buffer too small, misaligned, of other elements, overlapping, in use, or not to be run into; or values that
    /// are not as many as the attributes ask for.
    #[error("{0}")]
    Buffer(String),
    /// Memory refused by the system.
    #[error("the system refused {bytes} bytes of memory")]
    Memory {
        /// How much was asked for.
        bytes: usize,
    },
    /// A defect of this library.
    #[error("defect in retile, please report it: {0}")]
    Internal(String),
}

/// The fault alone, as the C library's status codes have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The description of a layout, pair or attribute cannot be.
    Invalid,
    /// Well formed, and not provided.
    Unsupported,
    /// A buffer of the caller's does not fit.
    Buffer,
    /// Memory refused by the system.
    Memory,
    /// A defect of this library.
    Internal,
}

/// What every fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Whose fault it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Text { .. } | Error::Invalid(_) => ErrorKind::Invalid,
            Error::Unsupported(_) => ErrorKind::Unsupported,
            Error::Buffer(_) => ErrorKind::Buffer,
            Error::Memory { .. } => ErrorKind::Memory,
            Error::Internal(_) => ErrorKind::Internal,
        }
    }

    pub(crate) fn text(part: impl Into<String>, expected: impl Into<String>) -> Error {
        Error::text_near(part, expected, Vec::new())
    }

    /// Like [`text`](Error::text), with what may have been meant.
    pub(crate) fn text_near(
        part: impl Into<String>,
        expected: impl Into<String>,
        nearest: Vec<String>,
    ) -> Error {
        Error::Text { part: part.into(), expected: expected.into(), nearest }
    }
}

/// `Err(Error::Invalid(..))` from a format string.
macro_rules! invalid {
    ($($arg:tt)*) => { Err($crate::Error::Invalid(format!($($arg)*))) };
}
pub(crate) use invalid;

/// `1 line`, `2 lines`.
pub(crate) fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// More characters of a text are no help.
const READ: usize = 200;

/// As much of a text as can be read.
pub(crate) struct Beginning<'a>(pub(crate) &'a str);

impl fmt::Display for Beginning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(READ) {
            None => f.write_str(self.0),
            Some((end, _)) => {
                write!(f, "{}... ({} bytes)", &self.0[..end], self.0.len())
            }
        }
    }
}

struct Nearest<'a>(&'a [String]);

impl fmt::Display for Nearest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.0.iter().enumerate() {
            let lead = if i == 0 { "; did you mean" } else { " or" };
            write!(f, "{lead} `{name}`")?;
        }
        f.write_str(if self.0.is_empty() { "" } else { "?" })
    }
}
