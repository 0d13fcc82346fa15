//! The machine this runs on. In: nothing. Out: its tiers, its target and its caches.

use retile::{Isa, Target, Tier};

use crate::failure::Failure;
use crate::tell::tell;

/// Those of the tiers asked for, of all where none is, that run here. What is left out is said, since
/// what was not run was not checked.
pub(crate) fn tiers(asked: &[Tier]) -> Result<Vec<Tier>, Failure> {
    let isa = Isa::detect()?;
    let wanted = Tier::ALL.into_iter().filter(|tier| asked.is_empty() || asked.contains(tier));
    let (here, absent): (Vec<Tier>, Vec<Tier>) = wanted.partition(|tier| isa.runs(*tier));
    for tier in absent {
        let why = isa.absence(tier);
        tell!("skipped {tier}: {why}");
    }
    if here.is_empty() {
        return Err(Failure::Absent("none of the tiers asked for is here".into()));
    }
    Ok(here)
}

/// Those of the targets asked for whose instructions are here; what is left out is said.
pub(crate) fn targets(asked: &[Target]) -> Result<Vec<Target>, Failure> {
    let isa = Isa::detect()?;
    let (here, absent): (Vec<Target>, Vec<Target>) =
        asked.iter().partition(|target| isa.runs_target(target));
    for target in absent {
        let why = match isa.runs(target.tier) {
            true => "this CPU lacks its instruction that makes bf16".into(),
            false => isa.absence(target.tier),
        };
        tell!("skipped {target}: {why}");
    }
    if here.is_empty() {
        return Err(Failure::Absent("none of the targets asked for can be run here".into()));
    }
    Ok(here)
}

/// What to plan for: what is asked for, which may be any machine, else this one, with no more than a tier if one is
/// asked for. Where that is not here, no microarchitecture in particular has it, which is said.
pub(crate) fn target(asked: Option<Target>, tier: Option<Tier>) -> Result<Target, Failure> {
    if let Some(target) = asked {
        return Ok(target);
    }
    let isa = Isa::detect()?;
    Ok(match tier {
        None => isa.target(),
        Some(tier) if isa.runs(tier) => isa.capped(tier).target(),
        Some(tier) => {
            let target = Target::generic().capped(tier);
            tell!("planned for {target}, not for this machine: {}", isa.absence(tier));
            target
        }
    })
}

/// The caches that the system knows of, else those that a target has.
pub(crate) fn caches(target: &Target) -> String {
    let read = |index: usize, what: &str| {
        let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{what}");
        std::fs::read_to_string(path).ok().map(|text| text.trim().to_string())
    };
    let cache = |index| {
        let (kind, level, size) =
            (read(index, "type")?, read(index, "level")?, read(index, "size")?);
        let size = size.strip_suffix('K').map_or(size.clone(), |number| format!("{number} KiB"));
        (kind != "Instruction").then(|| format!("{size} L{level}"))
    };
    let caches: Vec<String> = (0..8).filter_map(cache).collect();
    match caches.is_empty() {
        true => format!("{} KiB L1, {} KiB L2 as planned for", target.l1 >> 10, target.l2 >> 10),
        false => caches.join(", "),
    }
}

/// The memory that this process has now.
pub(crate) fn resident_bytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}
