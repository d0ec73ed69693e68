//! The outcome of a run: a verdict, or why there is none.

use diag::{Code, Diagnostic, Span};
use eval::interp::{Fault, FaultKind};
use trace::Trace;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    pub property: Property,
    pub n_violations: u64,
}

/// How a run ends.
pub type Outcome = Result<Verdict, NoVerdict>;

/// A run that has nothing left to do. Functions that would go on otherwise return it as their error.
#[derive(Debug)]
pub enum Ended {
    Verdict(Verdict),
    NoVerdict(NoVerdict),
}

impl Ended {
    pub fn outcome(self) -> Outcome {
        match self {
            Ended::Verdict(verdict) => Ok(verdict),
            Ended::NoVerdict(reason) => Err(reason),
        }
    }
}

impl From<NoVerdict> for Ended {
    fn from(reason: NoVerdict) -> Ended {
        Ended::NoVerdict(reason)
    }
}

impl From<Outcome> for Ended {
    fn from(outcome: Outcome) -> Ended {
        match outcome {
            Ok(verdict) => Ended::Verdict(verdict),
            Err(reason) => Ended::NoVerdict(reason),
        }
    }
}

/// The answer of a finished search about the specification.
#[derive(Debug)]
pub enum Verdict {
    Holds,
    Violated(Box<Violation>),
}

/// The first violation in the order of the search.
#[derive(Clone, Debug)]
pub struct Violation {
    pub property: Property,
    pub trace: Option<Trace>,
    /// Whether the temporal property is violated however the trace goes on.
    pub is_prefix: bool,
    /// The part that failed, at its place.
    pub diagnostic: Diagnostic,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub kind: PropertyKind,
    pub name: String,
    pub span: Option<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropertyKind {
    Assumption,
    Invariant,
    /// `[][A]_v`
    Step,
    /// A state predicate given as PROPERTY: about initial states.
    Initial,
    /// About whole behaviours.
    Temporal,
    Deadlock,
    Postcondition,
    /// `_POSSIBLE`: nothing ever satisfied it.
    Possible,
    Periodic,
}

/// Where evaluation was when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// An ASSUME.
    Assumption,
    /// Actions and the like, before the first state.
    Preparation,
    Init,
    Next,
    Constraint,
    Invariant,
    StepProperty,
    InitialProperty,
    /// A part of a temporal property or of fairness.
    Temporal,
    /// VIEW or SYMMETRY of a state.
    View,
    /// The formula that SYMMETRY or POSTCONDITION names, before the first state.
    Configuration,
    Postcondition,
    Periodic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Depth(u32),
    States(u64),
    Time,
    /// Tables of states or values.
    Memory,
}

/// Why there is no verdict. None of these may ever be shown as success.
#[derive(Debug)]
pub enum NoVerdict {
    /// The specification has no value there.
    Undefined {
        phase: Phase,
        /// Whether it occurred among the initial states.
        initial: bool,
        error: Box<Diagnostic>,
        /// The fault that the diagnostic is about, if it is known, for reports in other words.
        fault: Option<Box<Fault>>,
        trace: Option<Box<Trace>>,
    },
    /// `Assert` failed.
    Assertion {
        error: Box<Diagnostic>,
        fault: Box<Fault>,
        trace: Option<Box<Trace>>,
    },
    /// A state with a variable that has no value.
    Incomplete {
        initial: bool,
        error: Box<Diagnostic>,
        trace: Option<Box<Trace>>,
    },
    NoInitialState(Box<Diagnostic>),
    /// A bound of the user's or of the machine's.
    Limit(Limit),
    /// Ctrl-C.
    Interrupted,
    /// The folder or the disk that states are spilled to cannot be used.
    Disk(Box<Diagnostic>),
    /// A checkpoint was refused, or could not be written.
    Checkpoint(Box<Diagnostic>),
    /// The specification has nothing to check, or lacks Next.
    Unsupported(Box<Diagnostic>),
}

impl NoVerdict {
    /// Whether evaluation ended because there is not enough memory, which is no fault of the specification.
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self, NoVerdict::Undefined { error, .. } if error.code == Code::OutOfMemory)
    }
}

/// A violation, or a reason why there is no verdict.
#[derive(Debug)]
pub enum What {
    Invariant(usize),
    StepProperty(usize),
    InitialProperty(usize),
    Deadlock,
    /// A variable has no value.
    Incomplete,
    Fault(Phase, Box<Fault>),
    /// The tables are full.
    Full,
}

impl What {
    /// Whether both are about the same property, or are the same failure.
    pub fn is_same_as(&self, other: &What) -> bool {
        let place = |fault: &Fault| (fault.span, std::mem::discriminant::<FaultKind>(&fault.kind));
        match (self, other) {
            (What::Invariant(one), What::Invariant(other)) => one == other,
            (What::StepProperty(one), What::StepProperty(other)) => one == other,
            (What::InitialProperty(one), What::InitialProperty(other)) => one == other,
            (What::Deadlock, What::Deadlock) | (What::Incomplete, What::Incomplete) => true,
            (What::Fault(phase, one), What::Fault(other_phase, other)) => {
                phase == other_phase && place(one) == place(other)
            }
            (
                What::Invariant(_)
                | What::StepProperty(_)
                | What::InitialProperty(_)
                | What::Deadlock
                | What::Incomplete
                | What::Fault(..)
                | What::Full,
                _,
            ) => false,
        }
    }

    /// Whether the search can go on after it.
    pub fn is_violation(&self) -> bool {
        match self {
            What::Invariant(_) | What::StepProperty(_) | What::InitialProperty(_) | What::Deadlock => true,
            What::Incomplete | What::Fault(..) | What::Full => false,
        }
    }

    /// Whether nothing was found: the search was cut off.
    pub fn is_interruption(&self) -> bool {
        match self {
            What::Fault(_, fault) => is_interruption(fault),
            What::Invariant(_) | What::StepProperty(_) | What::InitialProperty(_) => false,
            What::Deadlock | What::Incomplete | What::Full => false,
        }
    }
}

/// A fault that ends a search which was told to stop.
pub fn is_interruption(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::Interrupted)
}
