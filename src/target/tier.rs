//! Tiers. In: a name. Out: which instructions there are, and what their registers are like.

use std::fmt;
use std::str::FromStr;

use crate::{Error, Result};

/// Which instructions a kernel may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Tier {
    /// None in particular: plans are interpreted.
    #[default]
    Portable,
    /// AVX2, BMI2, F16C and FMA.
    Avx2,
    /// AVX-512 F, BW, VL and DQ.
    Avx512,
    /// What [`Avx512`](Tier::Avx512) has, and VBMI and VBMI2.
    Avx512Vbmi,
}

impl Tier {
    /// All tiers, each needing all that the ones before it need.
    pub const ALL: [Tier; 4] = [Tier::Portable, Tier::Avx2, Tier::Avx512, Tier::Avx512Vbmi];

    /// The last of them.
    pub const BEST: Tier = Tier::ALL[Tier::ALL.len() - 1];

    /// As the C library spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Portable => "portable",
            Tier::Avx2 => "avx2",
            Tier::Avx512 => "avx512",
            Tier::Avx512Vbmi => "avx512vbmi",
        }
    }

    /// What a text should be that says a tier.
    pub(crate) fn expected() -> String {
        format!("a tier ({})", Tier::ALL.map(Tier::name).join(", "))
    }

    /// Bytes of a vector register; 0 where there is none.
    pub const fn vector(self) -> usize {
        match self {
            Tier::Portable => 0,
            Tier::Avx2 => 32,
            Tier::Avx512 | Tier::Avx512Vbmi => 64,
        }
    }

    /// How many vector registers there are.
    pub const fn registers(self) -> usize {
        match self {
            Tier::Portable => 0,
            Tier::Avx2 => 16,
            Tier::Avx512 | Tier::Avx512Vbmi => 32,
        }
    }

    /// The fewest bytes that one permutation moves across a whole register.
    pub const fn permute_grain(self) -> usize {
        match self {
            Tier::Portable | Tier::Avx2 => 4,
            Tier::Avx512 => 2,
            Tier::Avx512Vbmi => 1,
        }
    }

    /// Whether lanes can be masked.
    pub const fn masks(self) -> bool {
        matches!(self, Tier::Avx512 | Tier::Avx512Vbmi)
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Tier {
    type Err = Error;

    fn from_str(text: &str) -> Result<Tier> {
        let found = Tier::ALL.into_iter().find(|tier| tier.name() == text);
        found.ok_or_else(|| Error::text(text, Tier::expected()))
    }
}
