//! Where a destination should be afterwards. In: a name. Out: what a plan is made for.

use std::fmt;
use std::str::FromStr;

use crate::{Error, Result};

/// Whether the destination should be in the caches afterwards.
///
/// ```
/// use retile::Locality;
///
/// assert_eq!("stream".parse(), Ok(Locality::Stream));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Locality {
    /// Where there is room, unless storing it there would take several times as long.
    #[default]
    Auto,
    /// It is read again soon.
    Keep,
    /// It is not.
    Stream,
}

impl Locality {
    /// All there are.
    pub const ALL: [Locality; 3] = [Locality::Auto, Locality::Keep, Locality::Stream];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Locality::Auto => "auto",
            Locality::Keep => "keep",
            Locality::Stream => "stream",
        }
    }
}

impl fmt::Display for Locality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Locality {
    type Err = Error;

    fn from_str(text: &str) -> Result<Locality> {
        let found = Locality::ALL.into_iter().find(|locality| locality.name() == text);
        found.ok_or_else(|| {
            Error::text(
                text,
                format!("a locality ({})", Locality::ALL.map(Locality::name).join(", ")),
            )
        })
    }
}
