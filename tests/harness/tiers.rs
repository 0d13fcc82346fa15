//! Which targets are tried, and which tiers are not tried here, said once by each test binary: past libtest, which keeps what passing
//! tests print. `.ci/run` gathers the lines that start with SKIPPED.

use std::io::Write;
use std::sync::Once;

use retile::{Isa, Target, Tier};

/// Besides the portable target those whose plans have tiles; `RETILE_TARGETS=haswell,spr` names fewer.
pub(crate) fn targets() -> Vec<Target> {
    let names = std::env::var("RETILE_TARGETS").unwrap_or("haswell,skx,spr,zen5".into());
    let target =
        |name: &str| name.parse().unwrap_or_else(|error| panic!("RETILE_TARGETS: {error}"));
    names.split(',').map(target).filter(|target: &Target| target.tier.vector() > 0).collect()
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
