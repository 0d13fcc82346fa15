//! Tiers. In: what is tried. Out: those that this machine has; of the others it is said, past libtest, which keeps what
//! passing tests print.

use std::io::Write;

use retile::{Isa, Tier};

pub(crate) fn tiers(what: &str) -> Vec<Tier> {
    let isa = Isa::detect().unwrap();
    let (own, others): (Vec<_>, Vec<_>) = Tier::ALL.into_iter().partition(|&tier| isa.runs(tier));
    for tier in others {
        let _ = writeln!(std::io::stderr(), "SKIPPED {what} on tier {tier}");
    }
    own
}
