//! The results of following a log, by a trace specification or by a mapping.

use check::{Choice, NearStep};
use trace::Trace;

/// A line of a log that describes an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedEvent {
    /// Its number, from 1, among all events that are to be explained, in the order in which they were taken.
    pub number: usize,
    /// The name of the file as the user gave it.
    pub file: String,
    /// The line number, from 1.
    pub line: usize,
    pub text: String,
}

/// The result of following a log. Every variant is an answer; an error on the way is not an outcome.
#[derive(Debug)]
pub enum Outcome {
    Accepted(Box<Followed>),
    Rejected(Box<Rejection>),
    /// A behaviour was neither found nor shown not to exist.
    Undecided(Undecided),
}

/// The parts of an accepted log that were not compared with the specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotCompared {
    /// Rules that explained events with free parameters.
    pub free: Vec<FreeParameters>,
    /// Kinds of events with fields that nothing reads.
    pub fields: Vec<UnreadFields>,
    /// Whether nothing of any event was read, except its kind.
    pub is_everything: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeParameters {
    /// The name of the rule in messages.
    pub rule: String,
    pub parameters: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadFields {
    /// The kind; empty if events have no kinds.
    pub kind: String,
    /// Paths such as `msg.term`.
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
    /// The behaviour, or its last states, if it was to be kept. Each state after the first belongs to the event of the
    /// same index.
    pub path: Prefix,
    /// The properties that are violated on it.
    pub violations: Vec<Violated>,
}

/// Something that the configuration asks for and that does not hold on an accepting behaviour.
#[derive(Debug)]
pub struct Violated {
    pub property: String,
    pub about: About,
    /// The event whose step led there; `None` for an initial state and for a state after a silent step.
    pub event: Option<LoggedEvent>,
    pub failure: Option<trace::Failure>,
}

/// The part of a behaviour for which a property does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The initial state, about which a temporal property makes a statement.
    Start,
    /// The initial state, checked like any other state.
    InitialState,
    State,
    /// A state between the steps that together explain one event.
    StateWithin,
    Step,
}

/// No behaviour explains the log within the bounds that were declared.
#[derive(Debug)]
pub struct Rejection {
    /// Number of events that the longest behaviours explain.
    pub n_explained: usize,
    /// Number of events in all, if that is known.
    pub n_events: Option<usize>,
    /// The longest behaviours, at least one unless there is no initial state.
    pub prefixes: Vec<Prefix>,
    /// The events of which one had to come next, with the obstacles. There are several if the logs are not totally
    /// ordered.
    pub unexplained: Vec<Unexplained>,
    /// A step that is not declared and after which an event could have been explained.
    pub beyond: Option<Beyond>,
    pub suggestion: Suggestion,
}

/// A behaviour, or the last states of one, with the events that its steps explain.
#[derive(Debug, Default)]
pub struct Prefix {
    /// Number of states that were left out before the first one here.
    pub n_before: usize,
    pub trace: Option<Trace>,
    /// For each state of the trace, the event that the step to it explains; `None` for silent steps.
    pub events: Vec<Option<LoggedEvent>>,
    /// For each step of the trace, what could have been done instead; empty unless asked for.
    pub choices: Vec<Choice>,
}

/// An event that no step explains.
#[derive(Debug)]
pub struct Unexplained {
    pub event: LoggedEvent,
    /// The steps that nearly explain it, the nearest first.
    pub misses: Vec<NearStep>,
}

/// An undeclared step that would have helped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// The silent step, with its parameters.
    pub step: String,
    /// The bound that excludes it, as the mapping states it; `None` for an action that is not declared silent.
    pub bound: Option<String>,
}

/// The place to look at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// The program did something that the specification does not allow, or the specification forbids something that is
    /// right.
    ImplementationOrSpec,
    /// The program reports another effect than the action has.
    ImplementationOrAction,
    /// The mapping does not say what the event stands for, or leaves out a step.
    Mapping,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// Alternatives of earlier events were given up; those more than this many events back are no longer known.
    Forgotten {
        window: usize,
    },
    /// There were more states at once than allowed.
    TooMany {
        states_max: usize,
    },
    /// The data to keep takes more memory than allowed.
    Memory {
        bytes_max: usize,
    },
    Interrupted,
    Time,
}
