//! What a plan is made for. In: a name, or this machine. Out: plain data, a part of a plan's identity,
//! so that plans for any target are made on any machine.

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
    /// The same with VBMI and VBMI2.
    Avx512Vbmi,
}

/// Tier and machine that a plan is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Target {
    /// What it is called.
    pub name: &'static str,
    /// The instructions it has.
    pub tier: Tier,
    /// Bytes of first-level data cache.
    pub l1: usize,
    /// Bytes of second-level cache of a core.
    pub l2: usize,
    /// Bytes of a cache line, which tasks do not share.
    pub line: usize,
}

/// Every target that a plan can be made for by name.
#[rustfmt::skip]
pub const TARGETS: [Target; 4] = [
    Target { name: "portable", tier: Tier::Portable,   l1: 32 << 10, l2: 512 << 10, line: 64 },
    Target { name: "haswell",  tier: Tier::Avx2,       l1: 32 << 10, l2: 256 << 10, line: 64 },
    Target { name: "spr",      tier: Tier::Avx512Vbmi, l1: 48 << 10, l2: 2 << 20,   line: 64 },
    Target { name: "zen5",     tier: Tier::Avx512Vbmi, l1: 48 << 10, l2: 1 << 20,   line: 64 },
];

impl Tier {
    /// All tiers, each needing all that the ones before it need.
    pub const ALL: [Tier; 4] = [Tier::Portable, Tier::Avx2, Tier::Avx512, Tier::Avx512Vbmi];

    /// As the C library spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Portable => "portable",
            Tier::Avx2 => "avx2",
            Tier::Avx512 => "avx512",
            Tier::Avx512Vbmi => "avx512vbmi",
        }
    }
}

impl Target {
    /// The target that every machine is.
    pub const fn portable() -> Target {
        TARGETS[0]
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
        found.ok_or_else(|| {
            let names = Tier::ALL.map(Tier::name);
            Error::text(text, format!("a tier ({})", names.join(", ")))
        })
    }
}

impl FromStr for Target {
    type Err = Error;

    fn from_str(text: &str) -> Result<Target> {
        let found = TARGETS.into_iter().find(|target| target.name == text);
        found.ok_or_else(|| {
            let names = TARGETS.map(|target| target.name);
            Error::text(text, format!("a target ({})", names.join(", ")))
        })
    }
}
