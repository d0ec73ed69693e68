//! The trace itself: states, steps, its finding, and the reason.
//!
//! Plain data with public fields, made by the code that finds a behaviour. Not here: any form of it, as text or JSON.

use crate::Datum;

/// A finite behaviour, with its finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The finding that the behaviour demonstrates.
    pub finding: Finding,
    /// The exact part that failed, as far as it is known.
    pub failure: Option<Failure>,
    /// The constants of the model, if the producer gives them.
    pub constants: Vec<Binding>,
    /// The names of the variables, in the order in which they are declared (or the fields of the `ALIAS`), and then of the
    /// expressions.
    pub variables: Vec<String>,
    /// Those of these names that are not variables but expressions, evaluated in each state. An expression without a
    /// value is [`Datum::Opaque`] with the reason.
    pub expressions: Vec<String>,
    /// The states; at least one for every finding except an evaluation error among the initial states.
    pub states: Vec<State>,
    pub ending: Ending,
    pub about: About,
}

/// A state, and the step that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The step; `None` for an initial state that the initial predicate alone describes, and if it is not known.
    pub step: Option<Step>,
    /// The values, one for each variable of the trace, in that order. `None` for a variable without a value, in the
    /// unfinished successor of an evaluation error.
    pub values: Vec<Option<Datum>>,
}

/// An action and its parameters; also a call on the path to an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The name of the action's definition, `Next` if it has none of its own.
    pub name: String,
    /// The place of the action in the specification.
    pub place: Option<Place>,
    /// The bindings that single out this step, named as in the source, outermost first.
    pub parameters: Vec<Binding>,
}

/// A name, or an expression as it is written, and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    pub name: String,
    pub value: Datum,
}

/// A piece of a module: the half-open range from `start` to `end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as messages name it: the path as given or found.
    pub file: String,
    pub module: String,
    pub start: Point,
    pub end: Point,
}

/// Line and column, both from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    pub line: u32,
    pub column: u32,
}

/// The continuation after the last state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing that matters follows.
    Stop,
    /// The last state repeats for ever.
    Stuttering,
    /// A step leads back to the state with this index (from 0), and the same repeats for ever.
    Loop { to: usize, step: Option<Step> },
}

/// The finding that a trace demonstrates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The last state violates the invariant.
    Invariant { name: String },
    /// The last step violates the property `[][A]_v`.
    ActionProperty { name: String },
    /// The initial state violates a property of initial states.
    InitialProperty { name: String },
    /// The behaviour as a whole violates these properties.
    TemporalProperty { names: Vec<String> },
    /// The last state has no successor.
    Deadlock,
    /// `Assert` failed after the last state; `message` is its second argument as printed.
    Assertion { message: String },
    /// The specification has no value there. `code` is that of the diagnostic, such as `SL0702`, if there is one.
    EvaluationError { code: Option<String>, message: String },
    /// A condition on the whole run failed.
    Postcondition { name: String },
    /// An example that was asked for: a simulated behaviour, a witness. `description` says of what.
    Example { description: String },
    /// The producer does not state a finding.
    Unstated,
}

/// The part of a property that failed, with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The conjunct as it is written.
    pub text: String,
    pub place: Option<Place>,
    /// Expressions in it (names bound on the way included) and their values.
    pub values: Vec<Binding>,
    /// The calls that led there, outermost first.
    pub calls: Vec<Step>,
}

/// The origin of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The file of the root module.
    pub spec: Option<String>,
    pub config: Option<String>,
    /// Name and version of the program that made it.
    pub tool: Option<String>,
    /// Other facts, by name.
    pub notes: Vec<(String, String)>,
}

impl Binding {
    pub fn new(name: impl Into<String>, value: Datum) -> Self {
        Binding { name: name.into(), value }
    }
}

impl Trace {
    /// Whether each state has a value, or the lack of one, for each variable, and a loop leads back to a state.
    pub(crate) fn is_whole(&self) -> bool {
        let is_loop_in = match self.ending {
            Ending::Stop | Ending::Stuttering => true,
            Ending::Loop { to, step: _ } => to < self.states.len(),
        };
        is_loop_in && self.states.iter().all(|state| state.values.len() == self.variables.len())
    }

    /// Creates a trace of `variables` without states and without a finding.
    pub fn new(variables: Vec<String>) -> Self {
        Trace {
            finding: Finding::Unstated,
            failure: None,
            constants: Vec::new(),
            variables,
            expressions: Vec::new(),
            states: Vec::new(),
            ending: Ending::Stop,
            about: About::default(),
        }
    }
}
