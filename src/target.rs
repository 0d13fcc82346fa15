//! What a plan is made for. In: a name, or this machine. Out: plain data, a part of a plan's identity,
//! so that plans for any target are made on any machine.

use std::fmt;
use std::str::FromStr;

use crate::error::invalid;
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

/// Tier and machine that a plan is made for. One whose fields were written over is as good as another where
/// [`Target::check`] says so; else planning may panic.
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
    /// What its core does in a cycle.
    pub ports: Ports,
    /// What its memory does in a cycle, and when to help it.
    pub memory: Memory,
}

/// How many operations on whole registers a core starts in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Ports {
    /// Permutations.
    pub shuffle: u8,
    /// All vector operations, permutations among them.
    pub vector: u8,
    pub load: u8,
    pub store: u8,
    /// Operations of all kinds.
    pub issue: u8,
    /// How many operations a permutation of bytes or words across 16-byte lanes is.
    pub narrow_single: u8,
}

/// Bytes a cycle, read and written together, and thresholds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Memory {
    /// From and to the first level, the second, and what lies behind.
    pub l1_rate: u16,
    pub l2_rate: u16,
    pub far_rate: u16,
    /// Ways of the first level: so many lines 4096 bytes apart live beside each other.
    pub ways: u16,
    /// From so many bytes on, source and destination together, lines are stored past the caches.
    pub stream_from: usize,
    /// From so many bytes on the destination's next line is asked for before it is written.
    pub prefetch_from: usize,
    /// So many bytes ahead.
    pub prefetch_ahead: u16,
    /// Bytes of a destination row that are written together where lines are stored past the caches.
    pub row_group: u16,
}

const INTEL: Ports = Ports { shuffle: 1, vector: 2, load: 2, store: 1, issue: 6, narrow_single: 1 };

/// Every target that a plan can be made for by name. Figures of spr were measured; those of the others are
/// from the makers' manuals, their thresholds guesses.
#[rustfmt::skip]
pub const TARGETS: [Target; 5] = [
    Target {
        name: "portable", tier: Tier::Portable, l1: 32 << 10, l2: 512 << 10, line: 64,
        ports: Ports { vector: 1, issue: 4, ..INTEL },
        memory: Memory { l1_rate: 16, l2_rate: 12, far_rate: 6, ways: 8, stream_from: usize::MAX,
                         prefetch_from: usize::MAX, prefetch_ahead: 0, row_group: 256 },
    },
    Target {
        name: "haswell", tier: Tier::Avx2, l1: 32 << 10, l2: 256 << 10, line: 64,
        ports: Ports { shuffle: 1, vector: 3, load: 2, store: 1, issue: 4, narrow_single: 3 },
        memory: Memory { l1_rate: 64, l2_rate: 24, far_rate: 9, ways: 8, stream_from: 4 << 20,
                         prefetch_from: 32 << 10, prefetch_ahead: 64, row_group: 128 },
    },
    Target {
        name: "skx", tier: Tier::Avx512, l1: 32 << 10, l2: 1 << 20, line: 64,
        ports: Ports { narrow_single: 2, ..INTEL },
        memory: Memory { l1_rate: 128, l2_rate: 28, far_rate: 9, ways: 8, stream_from: 5 << 18,
                         prefetch_from: 32 << 10, prefetch_ahead: 64, row_group: 256 },
    },
    Target {
        name: "spr", tier: Tier::Avx512Vbmi, l1: 48 << 10, l2: 2 << 20, line: 64,
        ports: INTEL,
        memory: Memory { l1_rate: 128, l2_rate: 28, far_rate: 10, ways: 12, stream_from: 5 << 19,
                         prefetch_from: 48 << 10, prefetch_ahead: 64, row_group: 256 },
    },
    Target {
        name: "zen5", tier: Tier::Avx512Vbmi, l1: 48 << 10, l2: 1 << 20, line: 64,
        ports: Ports { shuffle: 2, vector: 4, load: 2, store: 1, issue: 8, narrow_single: 1 },
        memory: Memory { l1_rate: 128, l2_rate: 48, far_rate: 16, ways: 12, stream_from: 16 << 20,
                         prefetch_from: 48 << 10, prefetch_ahead: 64, row_group: 256 },
    },
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

impl Target {
    /// Whether its figures can be: those of the named targets are; fields that were written over may not be.
    pub fn check(&self) -> Result<()> {
        let Ports { shuffle, vector, load, store, issue, .. } = self.ports;
        let ports = [shuffle, vector, load, store, issue];
        if ports.iter().any(|ports| *ports == 0 || *ports > 24) {
            return invalid!(
                "target {} starts {ports:?} operations a cycle, expected 1 to 24",
                self.name
            );
        }
        if !self.line.is_power_of_two() || !(16..=4096).contains(&self.line) {
            let line = self.line;
            return invalid!(
                "target {} has lines of {line} bytes, expected a power of two from 16 to 4096",
                self.name
            );
        }
        Ok(())
    }

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
