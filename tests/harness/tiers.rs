//! Which targets are tried, and which tiers are not tried here, said once by each test binary: past libtest, which
//! keeps what passing tests print. `.ci/run` gathers the lines that start with SKIPPED.

use std::io::Write;
use std::sync::Once;

use retile::target::TARGETS;
use retile::{Isa, Target, Tier};

use crate::common::Draw;

/// Those that everything is tried on, and others that share their tiers and differ in their figures.
pub(crate) const MOST: [&str; 4] = ["haswell", "skx", "spr", "zen5"];
const OTHERS: [&str; 5] = ["spr:avx2", "zen4", "generic", "icelake", "generic:avx512"];

const NAMED: &str = "RETILE_TARGETS";

/// Besides the portable target those whose plans have tiles; `RETILE_TARGETS=haswell,spr` names fewer.
pub(crate) fn targets() -> Vec<Target> {
    let names = std::env::var(NAMED).unwrap_or(MOST.join(","));
    let target = |name: &str| name.parse().unwrap_or_else(|error| panic!("{NAMED}: {error}"));
    names.split(',').map(target).filter(|target: &Target| target.tier.vector() > 0).collect()
}

/// The names of these and of one other, by turns, where all are tried on many lines.
pub(crate) fn names(turn: usize) -> impl Iterator<Item = &'static str> {
    MOST.into_iter().chain([OTHERS[turn % OTHERS.len()]])
}

/// For every other case any microarchitecture at any of its tiers, unless fewer were named.
pub(crate) fn another(draw: &mut impl Draw) -> Option<Target> {
    let drawn = draw.pick(TARGETS).capped(draw.pick(&Tier::ALL[1..]));
    let tried = draw.once_in(2) && drawn.tier.vector() > 0 && std::env::var_os(NAMED).is_none();
    tried.then_some(drawn)
}

/// Says which tiers this machine lacks, the first time that it is asked.
pub(crate) fn say() {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        let best = Isa::of_this_cpu();
        for tier in Tier::ALL.into_iter().filter(|tier| !best.runs(*tier)) {
            skip(&format!(
                "tier {tier}: its machine code is not run, this CPU has {}",
                best.tier()
            ));
        }
    });
}

/// Says that something is not tried here.
pub(crate) fn skip(what: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED {what}");
}
