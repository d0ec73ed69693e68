//! What came of following a log, whoever followed it: a trace specification or a mapping.

use check::{Choice, NearStep};
use trace::Trace;

/// A line of a log that tells of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedEvent {
    /// From 1, among all events that were to be explained, in the order in which they were taken.
    pub number: usize,
    /// The file as it was named.
    pub file: String,
    /// From 1.
    pub line: usize,
    pub text: String,
}

/// Every variant is an answer; that something went wrong on the way is no outcome.
#[derive(Debug)]
pub enum Outcome {
    Accepted(Box<Followed>),
    Rejected(Box<Rejection>),
    /// Neither a behaviour was found nor shown to be missing.
    Undecided(Undecided),
}

/// What of an accepted log was not compared with the specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotCompared {
    /// Rules that explained events with parameters that are free.
    pub free: Vec<FreeParameters>,
    /// Kinds of events that have fields which nothing reads.
    pub fields: Vec<UnreadFields>,
    /// Nothing that any event says was read, but for its kind.
    pub is_everything: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeParameters {
    /// What the rule is told as.
    pub rule: String,
    pub parameters: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadFields {
    /// Empty where events have no kinds.
    pub kind: String,
    /// Paths, `msg.term`.
    pub fields: Vec<String>,
}

impl NotCompared {
    pub fn is_nothing(&self) -> bool {
        self.free.is_empty() && self.fields.is_empty() && !self.is_everything
    }
}

/// A behaviour that explains all of a log.
#[derive(Debug, Default)]
pub struct Followed {
    pub n_events: usize,
    pub n_states: usize,
    /// The behaviour, or its last states, if it was to be kept; each state after the first belongs to the event of the same index.
    pub path: Prefix,
    /// What is violated on it.
    pub violations: Vec<Violated>,
}

/// Something that the configuration asks for and that does not hold on an accepting behaviour.
#[derive(Debug)]
pub struct Violated {
    pub property: String,
    pub about: About,
    /// The event whose step led there; nothing for an initial state and for one after a silent step.
    pub event: Option<LoggedEvent>,
    pub failure: Option<trace::Failure>,
}

/// What of a behaviour a property does not hold of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The initial state, of which a temporal property says something.
    Start,
    /// The initial state as any other.
    InitialState,
    State,
    /// A state between the steps that explain one event together.
    StateWithin,
    Step,
}

/// No behaviour explains the log within the bounds that were declared.
#[derive(Debug)]
pub struct Rejection {
    /// How many events the longest behaviours explain.
    pub n_explained: usize,
    /// How many there are, if that is known.
    pub n_events: Option<usize>,
    /// The longest behaviours, at least one unless there is no initial state.
    pub prefixes: Vec<Prefix>,
    /// Events of which one had to come next, and what stood in the way; several where logs are in no total order.
    pub unexplained: Vec<Unexplained>,
    /// A step that nobody declared, after which an event could have been explained.
    pub beyond: Option<Beyond>,
    pub suggestion: Suggestion,
}

/// A behaviour, or the last states of one, with the events that its steps explain.
#[derive(Debug, Default)]
pub struct Prefix {
    /// States that were left out before the first one that is here.
    pub n_before: usize,
    pub trace: Option<Trace>,
    /// For each state of the trace the event that the step to it explains; nothing for silent steps.
    pub events: Vec<Option<LoggedEvent>>,
    /// For each step of the trace what could have been done instead, if somebody wants to know.
    pub choices: Vec<Choice>,
}

/// An event that no step explains.
#[derive(Debug)]
pub struct Unexplained {
    pub event: LoggedEvent,
    /// The nearest first.
    pub misses: Vec<NearStep>,
}

/// What would have helped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// The silent step, with its parameters.
    pub step: String,
    /// The bound that keeps it out, as the mapping has it; nothing for an action that is not declared silent.
    pub bound: Option<String>,
}

/// Where to look first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// The program did what the specification does not allow, or the specification forbids what is right.
    ImplementationOrSpec,
    /// What the program says that it did is not what the action does.
    ImplementationOrAction,
    /// The mapping does not say what the event stands for, or leaves out a step.
    Mapping,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// Alternatives of earlier events were given up: so many events back they are no longer known.
    Forgotten {
        window: usize,
    },
    /// More states at once than were allowed.
    TooMany {
        states_max: usize,
    },
    /// What is to be kept takes more room than was allowed.
    Memory {
        bytes_max: usize,
    },
    Interrupted,
    Time,
}
