//! `retile explain`: what a kernel does and what bounds it. In: a pair and a target. Out: the library's
//! own words.

use retile::plan::plan_with;
use retile::{Isa, Problem, Target, Tier, explain};

use crate::args::ExplainArgs;
use crate::failure::Failure;
use crate::host;
use crate::pair::Pair;

pub(crate) fn explain(args: &ExplainArgs) -> Result<String, Failure> {
    let pair = Pair::new(&args.src, &args.dst, args.attr.words())?;
    let target = match args.tier {
        Some(tier) => of_tier(tier, Isa::detect()?),
        None => host::target(args.target)?,
    };
    let (problem, _) = Problem::new(&pair.src, &pair.dst, &pair.attr)?;
    let plan = plan_with(&problem, &target, args.locality);
    Ok(explain::plan(&pair.to_string(), &plan))
}

/// What this machine would plan for with no more than a tier, or where it lacks that, one of no
/// particular microarchitecture.
fn of_tier(tier: Tier, isa: Isa) -> Target {
    match isa.runs(tier) {
        true => isa.capped(tier).target(),
        false => Target::generic().capped(tier),
    }
}
