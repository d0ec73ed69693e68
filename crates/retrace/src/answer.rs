//! The result of retracing.

use diag::{Diagnostic, Span};
use model::Outcome;
use trace::{Failure, State, Step, Trace};

/// A trace that was run again.
#[derive(Debug)]
pub struct Retraced {
    /// The part of the trace that is a behaviour, with the values and steps of the specification, and what it shows
    /// now.
    pub trace: Trace,
    /// Place from which on the trace is no behaviour.
    pub broken: Option<Break>,
    /// The reason why the answer is incomplete: more behaviours are possible than were looked at.
    pub cut: Option<Cut>,
    /// The violations, in the order of states. The first is the one that a search would report, unless the trace says
    /// what it was made for.
    pub findings: Vec<BadState>,
    /// Whether the first finding is the one that the trace names.
    pub is_still: bool,
    /// The part of the fairness that a behaviour without end does not have.
    pub unfair: Option<Span>,
    /// Variables that the specification has and the trace does not: they may have any value.
    pub open: Vec<String>,
    /// Names that the trace has and the specification does not; they are ignored.
    pub unknown: Vec<String>,
    /// The first state that is outside of a constraint, by its index, and which.
    pub outside: Option<(usize, String)>,
}

impl Retraced {
    /// A behaviour of which nothing is known yet.
    pub(crate) fn of(trace: Trace) -> Retraced {
        Retraced {
            trace,
            broken: None,
            cut: None,
            findings: Vec::new(),
            is_still: false,
            unfair: None,
            open: Vec::new(),
            unknown: Vec::new(),
            outside: None,
        }
    }
}

/// The gap in the answer about a trace that says too little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Whether it is a behaviour at all.
    Behaviour,
    /// Whether something is wrong with it: it is a behaviour.
    Findings,
}

/// A state of a behaviour at which something is wrong.
#[derive(Debug)]
pub struct BadState {
    /// The index of the state.
    pub state: usize,
    pub outcome: Outcome,
}

/// The place in a trace from which on it is no behaviour.
#[derive(Debug)]
pub struct Break {
    /// The index of the first state that cannot be; of the last one if it is the step back.
    pub state: usize,
    pub kind: BreakKind,
    /// The state in the trace, as far as its values are known.
    pub wanted: State,
    /// The name of the step in the trace.
    pub action: Option<String>,
    /// Whether the specification has an action of that name.
    pub is_action_known: bool,
    /// The action of that name, and what keeps the step from being one by it.
    pub conjunct: Option<(Step, Failure)>,
    /// The states that can be there instead, those first that differ in the fewest variables.
    pub nearest: Vec<Near>,
    /// Number of possible ones.
    pub n_possible: usize,
    /// Reason why not all of them are known.
    pub error: Option<Box<Diagnostic>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakKind {
    /// It is no initial state.
    Initial,
    /// No step leads there.
    Step,
    /// No step leads from the last state back to the one with which the trace continues.
    Back,
}

/// A state that is possible.
#[derive(Debug)]
pub struct Near {
    pub state: State,
    /// The variables that differ, by index.
    pub differs: Vec<usize>,
}
