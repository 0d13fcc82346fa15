//! Any bytes as the text of a problem.

use retile::plan::plan;
use retile::{Problem, Target, emit};

/// Those that plans are made for: of each tier, and of each that makes code.
const TARGETS: [&str; 4] = ["portable", "haswell", "skx", "zen4"];

/// Where `data` is a problem's text, the problem must print and read back, and there must be a plan of it for each
/// target, and code or a reason why there is none; where it is not, the error must print. None may panic.
pub(crate) fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let problem = match text.parse::<Problem>() {
        Ok(problem) => problem,
        Err(error) => return assert!(!error.to_string().is_empty(), "{error:?} has no message"),
    };
    assert_eq!(problem.to_string().parse().as_ref(), Ok(&problem), "{problem}");
    for target in TARGETS {
        let target: Target = target.parse().expect("a target's name");
        let plan = plan(&problem, &target);
        assert!(!plan.to_string().is_empty(), "{problem}");
        if let Err(error) = emit(plan) {
            assert!(!error.to_string().is_empty(), "{error:?} has no message");
        }
    }
}
