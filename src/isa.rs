//! What this CPU can run. In: its own word, the system's, and `RETILE_MAX_ISA`. Out: a token that proves it;
//! without one no machine code is called.

use std::sync::OnceLock;

use crate::target::Tier;
use crate::{Error, Result, Target};

/// Proof that this CPU, and the system on it, run the instructions of a tier. Made only by asking them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa {
    tier: Tier,
    machine: Machine,
}

/// Whose core it is, as far as figures differ.
#[cfg_attr(not(all(target_arch = "x86_64", not(retile_portable))), allow(dead_code))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    Intel,
    Amd,
}

/// The variable that caps the tier.
const CAP: &str = "RETILE_MAX_ISA";

impl Isa {
    /// Asks the CPU, once; an error where `RETILE_MAX_ISA` names no tier.
    pub fn detect() -> Result<Isa> {
        static FOUND: OnceLock<Result<Isa>> = OnceLock::new();
        FOUND.get_or_init(|| Ok(Isa::of_this_cpu().capped(cap_of_environment()?))).clone()
    }

    /// What the CPU has, whatever the environment says.
    pub fn of_this_cpu() -> Isa {
        Isa { tier: tier(), machine: machine() }
    }

    /// The best tier it runs.
    pub fn tier(self) -> Tier {
        self.tier
    }

    /// Whether it runs code of a tier.
    pub fn runs(self, tier: Tier) -> bool {
        tier <= self.tier
    }

    /// The same with no more than a tier's instructions.
    #[must_use]
    pub fn capped(self, most: Tier) -> Isa {
        Isa { tier: self.tier.min(most), ..self }
    }

    /// What kernels are planned for here.
    pub fn target(self) -> Target {
        let name = match (self.tier, self.machine) {
            (Tier::Portable, _) => "portable",
            (Tier::Avx2, _) => "haswell",
            (Tier::Avx512, _) => "skx",
            (Tier::Avx512Vbmi, Machine::Intel) => "spr",
            (Tier::Avx512Vbmi, Machine::Amd) => "zen5",
        };
        name.parse().expect("every tier has a target")
    }
}

fn cap_of_environment() -> Result<Tier> {
    match std::env::var(CAP) {
        Ok(text) => text.parse().map_err(|error| match error {
            Error::Text { part, expected, .. } => Error::text(format!("{CAP}={part}"), expected),
            other => other,
        }),
        Err(std::env::VarError::NotPresent) => Ok(Tier::Avx512Vbmi),
        Err(std::env::VarError::NotUnicode(text)) => {
            Err(Error::text(format!("{CAP}={}", text.display()), "a tier"))
        }
    }
}

/// Each of these asks also whether the system keeps the registers.
#[cfg(all(target_arch = "x86_64", not(retile_portable)))]
fn tier() -> Tier {
    macro_rules! has {
        ($($feature:tt),*) => { $(is_x86_feature_detected!($feature))&&* };
    }
    if !has!("avx2", "bmi2", "f16c", "fma") {
        Tier::Portable
    } else if !has!("avx512f", "avx512bw", "avx512vl", "avx512dq") {
        Tier::Avx2
    } else if !has!("avx512vbmi", "avx512vbmi2") {
        Tier::Avx512
    } else {
        Tier::Avx512Vbmi
    }
}

#[cfg(all(target_arch = "x86_64", not(retile_portable)))]
fn machine() -> Machine {
    let vendor = raw_cpuid::CpuId::new().get_vendor_info();
    match vendor.as_ref().map(|vendor| vendor.as_str()) {
        Some("AuthenticAMD" | "HygonGenuine") => Machine::Amd,
        _ => Machine::Intel,
    }
}

#[cfg(not(all(target_arch = "x86_64", not(retile_portable))))]
fn tier() -> Tier {
    Tier::Portable
}

#[cfg(not(all(target_arch = "x86_64", not(retile_portable))))]
fn machine() -> Machine {
    Machine::Intel
}
