//! How a kernel is run. In: a problem, a target and a locality. Out: machine code ready to run; or a plan to be
//! interpreted, where there can be none.

use std::sync::OnceLock;

use super::map::Mapped;
use crate::emit::{emit, supports};
use crate::plan::{Locality, Plan, plan_with};
use crate::problem::Problem;
use crate::target::{Target, Tier};
use crate::{Code, Error, Isa, Result};

/// How it is run.
#[derive(Debug)]
pub(crate) enum Way {
    /// By machine code.
    Code(Box<Ready>),
    /// By ordinary code, and why, where that was not asked for.
    Interpreted { plan: Box<Plan>, why: Option<Why> },
}

/// Why there is no machine code where some was asked for.
#[derive(Debug)]
pub(crate) struct Why {
    pub(super) text: String,
    /// Whether there may be some when it is asked for again: the system had no memory for it.
    pub(super) passes: bool,
}

/// Machine code, and what a run and a look-up need to know of it. The rest of the plan is many times as much, and is
/// thought out again where somebody asks for it.
#[derive(Debug)]
pub(crate) struct Ready {
    /// Without its boxes.
    pub(super) brief: Plan,
    /// What was planned, where the plan has a simpler problem.
    problem: Option<Box<Problem>>,
    locality: Locality,
    pub(super) mapped: Mapped,
    code: OnceLock<Box<Code>>,
}

impl Way {
    /// The best there is for a target.
    pub(super) fn new(
        problem: &Problem,
        target: &Target,
        locality: Locality,
        isa: Isa,
    ) -> Result<Way> {
        let why = match target.tier {
            Tier::Portable => None,
            _ => match Way::compiled(problem, target, locality, isa) {
                Err(Error::Unsupported(text)) => Some(Why { text, passes: false }),
                Err(error @ Error::Memory { .. }) => {
                    let text = format!("executable memory was refused: {error}");
                    Some(Why { text, passes: true })
                }
                found => return found,
            },
        };
        let plan = Box::new(plan_with(problem, &Target::portable(), locality));
        Ok(Way::Interpreted { plan, why })
    }

    pub(super) fn plan(&self) -> &Plan {
        match self {
            Way::Code(ready) => ready.code().plan(),
            Way::Interpreted { plan, .. } => plan,
        }
    }

    /// The plan, perhaps without its boxes.
    pub(super) fn brief(&self) -> &Plan {
        match self {
            Way::Code(ready) => &ready.brief,
            Way::Interpreted { plan, .. } => plan,
        }
    }

    /// What was planned.
    pub(crate) fn problem(&self) -> &Problem {
        match self {
            Way::Code(ready) => ready.problem(),
            Way::Interpreted { plan, .. } => &plan.problem,
        }
    }

    pub(crate) fn target(&self) -> &Target {
        &self.brief().target
    }

    /// Code for a problem, ready to run. Unsupported where there is none for it, which is known before it
    /// is planned, or the system refuses.
    fn compiled(problem: &Problem, target: &Target, locality: Locality, isa: Isa) -> Result<Way> {
        supports(problem, target)?;
        let code = emit(plan_with(problem, target, locality))?;
        let mapped = Mapped::new(&code, isa)?;
        let brief = Plan { boxes: Vec::new(), ..code.into_plan() };
        let original = (brief.problem != *problem).then(|| Box::new(problem.clone()));
        let code = OnceLock::new();
        Ok(Way::Code(Box::new(Ready { brief, problem: original, locality, mapped, code })))
    }
}

impl Ready {
    fn problem(&self) -> &Problem {
        self.problem.as_deref().unwrap_or(&self.brief.problem)
    }

    /// The code beside its whole plan, made again: they are alike whenever they are made.
    pub(super) fn code(&self) -> &Code {
        self.code.get_or_init(|| {
            let plan = plan_with(self.problem(), &self.brief.target, self.locality);
            let code = emit(plan).expect("this was emitted before");
            debug_assert_eq!(code.bytes().len(), self.mapped.bytes());
            Box::new(code)
        })
    }
}
