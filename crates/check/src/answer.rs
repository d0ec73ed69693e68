//! What a finished search says, and why there may be nothing to say.

use diag::{Code, Diagnostic, Span};
use eval::interp::Fault;
use trace::Trace;

use crate::coverage::Coverage;

/// Everything that comes out of a search.
#[derive(Debug)]
pub struct Answer {
    pub outcome: Outcome,
    pub counts: Counts,
    pub memory: Memory,
    /// How often a worker waited for another one that was adding to the same part of a table.
    pub n_waits: usize,
    /// With `violations_max` above 1: each violated property and how often, in the order of the first.
    pub tallies: Vec<Tally>,
    /// What else there is to tell: EXCEPTs without effect, symmetry of fewer than two values; an error that ended
    /// the search after a violation.
    pub warnings: Vec<Diagnostic>,
    /// The checkpoint from which the search can go on, when it is not complete.
    pub kept: Option<Kept>,
    /// What of the specification was used, if that was counted.
    pub coverage: Option<Coverage>,
}

/// A checkpoint that is there when a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// How many distinct states it has.
    pub distinct: u64,
}

/// TLC's numbers (contract 4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub generated: u64,
    pub distinct: u64,
    /// Found and not expanded.
    pub queue: u64,
    /// The largest level; an initial state has level 1.
    pub depth: u32,
    pub initial: u64,
}

/// Bytes by what they are for, when the search had most of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The pairs that states are made of.
    pub states: usize,
    /// The parent of each state.
    pub parents: usize,
    /// What the variables of states hold.
    pub values: usize,
    /// The tables in which states and values are found.
    pub tables: usize,
    /// The level that is expanded, and the one that is being made.
    pub frontier: usize,
    /// The steps between states, where there are temporal properties.
    pub steps: usize,
    pub n_steps: u64,
    /// What was held for each state while behaviours were searched.
    pub behaviours: usize,
}

impl Memory {
    pub fn total(&self) -> usize {
        self.states + self.parents + self.values + self.tables + self.frontier + self.steps + self.behaviours
    }
}

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

/// What a finished search says about the specification. Every variant is an answer.
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
    /// Of a temporal property: however the trace goes on, the property is violated.
    pub is_prefix: bool,
    /// What failed, at its place.
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
    /// What SYMMETRY or POSTCONDITION names, before the first state.
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
        /// It came up among the initial states.
        initial: bool,
        error: Box<Diagnostic>,
        /// What the diagnostic is about, where it is known: for whoever tells it in other words.
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
