//! The trace itself: states, steps, what it shows and why.
//!
//! Plain data with public fields, made by whoever finds a behaviour. Not here: any form of it, as text or JSON.

use crate::Datum;

/// A finite behaviour, and what it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What the behaviour is an example of.
    pub finding: Finding,
    /// What exactly failed, as far as that is known.
    pub failure: Option<Failure>,
    /// The constants of the model, where the producer tells them.
    pub constants: Vec<Binding>,
    /// The names of the variables, in the order in which they are declared (or the fields of the `ALIAS`), and then of the
    /// expressions.
    pub variables: Vec<String>,
    /// Which of these are no variables but expressions that were evaluated in each state. Where one has no value, it is
    /// [`Datum::Opaque`] and says why.
    pub expressions: Vec<String>,
    /// At least one for every finding but an evaluation error among the initial states.
    pub states: Vec<State>,
    pub ending: Ending,
    pub about: About,
}

/// A state, and the step that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// `None` for an initial state that the initial predicate alone describes, and where it is not known.
    pub step: Option<Step>,
    /// One for each variable of the trace, in that order. `None` for a variable without a value, in the
    /// unfinished successor of an evaluation error.
    pub values: Vec<Option<Datum>>,
}

/// An action and its parameters; also a call on the path to an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The name of the action's definition, `Next` if it has none of its own.
    pub name: String,
    /// Where the action is in the specification.
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
    /// As messages call it: the path as given or found.
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

/// What comes after the last state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing that matters.
    Stop,
    /// The last state for ever.
    Stuttering,
    /// A step back to the state with this index (from 0), and the same again for ever.
    Loop { to: usize, step: Option<Step> },
}

/// What a trace shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The last state violates the invariant.
    Invariant { name: String },
    /// The last step violates the property `[][A]_v`.
    ActionProperty { name: String },
    /// The initial state violates a property of initial states.
    InitialProperty { name: String },
    /// The behaviour as a whole violates these.
    TemporalProperty { names: Vec<String> },
    /// The last state has no successor.
    Deadlock,
    /// `Assert` failed after the last state; `message` is its second argument as printed.
    Assertion { message: String },
    /// The specification has no value there. `code` is the diagnostic's, `SL0702`, if there is one.
    EvaluationError { code: Option<String>, message: String },
    /// A condition on the whole run failed.
    Postcondition { name: String },
    /// Somebody asked for it: a simulated behaviour, a witness. `description` says of what.
    Example { description: String },
    /// The producer does not say.
    Unstated,
}

/// The part of a property that failed, and with which values.
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

/// Where a trace comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The file of the root module.
    pub spec: Option<String>,
    pub config: Option<String>,
    /// Name and version of the program that made it.
    pub tool: Option<String>,
    /// Whatever else there is to say.
    pub notes: Vec<(String, String)>,
}

impl Binding {
    pub fn new(name: impl Into<String>, value: Datum) -> Self {
        Binding { name: name.into(), value }
    }
}

impl Trace {
    /// A trace of `variables` without states that shows nothing yet.
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
