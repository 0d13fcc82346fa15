//! Which tiers are not tried here, said once by each test binary: past libtest, which keeps what passing
//! tests print. `.ci/run` gathers the lines that start with SKIPPED.

use std::io::Write;
use std::sync::Once;

use retile::{Isa, Tier};

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
