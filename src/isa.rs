//! What this CPU can run. In: its own word, the system's, and `RETILE_MAX_ISA`. Out: a token that proves it;
//! without one no machine code is called.

#[cfg_attr(not(all(target_arch = "x86_64", not(retile_portable), not(miri))), allow(dead_code))]
mod cores;

use std::sync::OnceLock;

use crate::target::Tier;
use crate::{Error, Result, Target};

/// Proof that this CPU, and the system on it, run the instructions of a tier. Made only by asking them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa {
    tier: Tier,
    /// Whether it makes bf16 of floats by an instruction.
    bf16: bool,
    /// The best that the microarchitecture is planned for.
    core: Target,
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
        Isa::of(core(), tier(), bf16())
    }

    /// Of a core that runs a tier here. What has not all that its core has with that tier is planned for as if nothing
    /// were known of it.
    fn of(core: Target, tier: Tier, bf16: bool) -> Isa {
        let known = bf16 || !core.capped(tier).makes_bf16();
        Isa { tier, bf16, core: if known { core } else { Target::generic() } }
    }

    /// The best tier it runs.
    pub fn tier(self) -> Tier {
        self.tier
    }

    /// Whether it runs code of a tier.
    pub fn runs(self, tier: Tier) -> bool {
        tier <= self.tier
    }

    /// Whether it runs code made for a target: of its tier, and with what the target has besides.
    pub fn runs_target(self, target: &Target) -> bool {
        self.runs(target.tier) && (self.bf16 || !target.makes_bf16())
    }

    /// Why a tier that it does not run is not here.
    pub fn absence(self, tier: Tier) -> String {
        let (whole, allowed) = (Isa::of_this_cpu(), Isa::detect());
        match allowed {
            _ if !whole.runs(tier) => format!("this CPU has no more than {}", whole.tier),
            Ok(allowed) if !allowed.runs(tier) => {
                format!("{CAP} allows no more than {}", allowed.tier)
            }
            _ => format!("no more than {} is asked for", self.tier),
        }
    }

    /// This machine with no more than a tier's instructions.
    #[must_use]
    pub fn capped(self, most: Tier) -> Isa {
        Isa { tier: self.tier.min(most), ..self }
    }

    /// What kernels are planned for here: this microarchitecture, with no more than the tier.
    pub fn target(self) -> Target {
        self.core.capped(self.tier)
    }
}

fn cap_of_environment() -> Result<Tier> {
    match std::env::var(CAP) {
        Ok(text) if text.is_empty() => Ok(Tier::BEST),
        Ok(text) => text.parse().map_err(|error| match error {
            Error::Text { part, expected, .. } => Error::text(format!("{CAP}={part}"), expected),
            other => other,
        }),
        Err(std::env::VarError::NotPresent) => Ok(Tier::BEST),
        Err(std::env::VarError::NotUnicode(text)) => {
            Err(Error::text(format!("{CAP}={}", text.display()), Tier::expected()))
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
fn bf16() -> bool {
    is_x86_feature_detected!("avx512bf16")
}

#[cfg(all(target_arch = "x86_64", not(retile_portable), not(miri)))]
fn core() -> Target {
    let cpuid = raw_cpuid::CpuId::new();
    let vendor = cpuid.get_vendor_info();
    let vendor = vendor.as_ref().map_or("", |vendor| vendor.as_str());
    let numbers = cpuid.get_feature_info().map(|info| (info.family_id(), info.model_id()));
    let (family, model) = numbers.unwrap_or((0, 0));
    let fp16 = cpuid.get_extended_feature_info().is_some_and(|info| info.has_avx512_fp16());
    let name = cores::name(vendor, family, model, fp16);
    name.parse().expect("every core has a row")
}

#[cfg(not(all(target_arch = "x86_64", not(retile_portable))))]
fn tier() -> Tier {
    Tier::Portable
}

#[cfg(not(all(target_arch = "x86_64", not(retile_portable))))]
fn bf16() -> bool {
    false
}

#[cfg(not(all(target_arch = "x86_64", not(retile_portable), not(miri))))]
fn core() -> Target {
    Target::portable()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_without_its_best_tier_is_still_known() {
        let spr: Target = "spr".parse().unwrap();
        for (tier, bf16, known) in [
            (Tier::Avx512Vbmi, true, true),
            // An AVX-512 that lacks what all such cores have is another's.
            (Tier::Avx512Vbmi, false, false),
            // Alder Lake, or a hypervisor that hides AVX-512.
            (Tier::Avx2, false, true),
        ] {
            let target = Isa::of(spr, tier, bf16).target();
            let name = if known { spr.name } else { Target::generic().name };
            assert_eq!((target.name, target.tier), (name, tier), "{tier}, bf16 {bf16}");
        }
    }

    #[test]
    fn absence_names_what_is_in_the_way() {
        let here = Isa::of_this_cpu();
        let none = here.capped(Tier::Portable);
        for tier in Tier::ALL.into_iter().filter(|tier| !none.runs(*tier)) {
            let why = match here.runs(tier) {
                true => "no more than portable is asked for".to_owned(),
                false => format!("this CPU has no more than {}", here.tier()),
            };
            let allowed = Isa::detect().is_ok_and(|isa| isa.runs(tier) == here.runs(tier));
            assert!(!allowed || none.absence(tier) == why, "{tier}: {}", none.absence(tier));
        }
    }
}
