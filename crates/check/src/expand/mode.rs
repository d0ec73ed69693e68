//! How a worker expands states: decided once, when it begins.

use crate::context::{Context, Identity};

/// Whether other workers expand states of the same level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Company {
    Alone,
    Shared,
}

/// Who evaluates the properties of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepJudge {
    /// The worker that takes the step.
    Worker,
    /// Threads behind a depth-first search, which get a list of steps.
    Others,
}

/// The order of the search that states are expanded for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exploration {
    BreadthFirst,
    DepthFirst(StepJudge),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    pub company: Company,
    pub exploration: Exploration,
    pub identity: Identity,
    /// A finding is certain when it is made: nobody can come with a lesser key.
    pub is_in_order: bool,
    pub stops_at_violation: bool,
    /// Successors are only looked up: nothing but constraints is asked about a step before.
    pub is_plain: bool,
}

impl Mode {
    pub fn new(context: &Context<'_>, company: Company, exploration: Exploration) -> Mode {
        let program = context.program();
        let identity = context.identity();
        Mode {
            company,
            exploration,
            identity,
            is_in_order: company == Company::Alone || identity == Identity::Variables,
            stops_at_violation: context.board.options.violations_max == Some(1),
            is_plain: program.action_constraints.is_empty()
                && program.possible.is_empty()
                && identity != Identity::View
                // The actions that a step is are evaluated at once.
                && !(identity.is_derived() && context.liveness.is_some()),
        }
    }

    pub fn is_alone(&self) -> bool {
        self.company == Company::Alone
    }

    /// Whether others judge the steps that this worker takes.
    pub fn owes_steps(&self) -> bool {
        self.exploration == Exploration::DepthFirst(StepJudge::Others)
    }

    pub fn is_depth_first(&self) -> bool {
        matches!(self.exploration, Exploration::DepthFirst(_))
    }
}
