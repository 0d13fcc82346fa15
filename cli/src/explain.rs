//! `retile explain`: what a kernel does and what bounds it. In: a pair and a target. Out: the library's
//! own words.

use retile::plan::plan_with;
use retile::{Problem, explain};

use crate::args::ExplainArgs;
use crate::failure::Failure;
use crate::host;
use crate::pair::Pair;

pub(crate) fn explain(args: &ExplainArgs) -> Result<String, Failure> {
    let pair = Pair::new(&args.src, &args.dst, args.attr.words())?;
    let target = host::target(args.target, args.tier)?;
    let (problem, _) = Problem::new(&pair.src, &pair.dst, &pair.attr)?;
    let plan = plan_with(&problem, &target, args.locality);
    Ok(explain::plan(&pair.to_string(), &plan))
}
