//! Makes a mapping part of a specification: resolves its expressions, and builds an action for each thing that can
//! explain an event.
//!
//! The event is an additional variable. An action of the specification that a rule names is taken as the next-state
//! relation allows it ([`ways`]), so that every explanation of a log is a behaviour of the specification. An action
//! that is written out is taken as it is written.

mod build;
mod fields;
mod touch;
mod ways;

use base::FxHashMap;
use diag::{Diagnostics, SourceId};
use sema::Spec;
use sema::config::BoundConfig;

pub use crate::extend::AskedIdx;
use crate::map::Map;
use build::Builder;
pub(crate) use build::is_name;
pub use build::model_values;
pub use fields::FieldsRead;
pub use touch::TouchKind;
pub use ways::{binary, junction, push, unary};

/// The facts about a mapping that a search needs. Actions are the numbers in `Program::rules`.
#[derive(Debug)]
pub struct Plan {
    /// The rules for events, in the order of the file. They are the first of the actions.
    pub rules: Vec<PlannedRule>,
    /// The actions of the specification.
    pub actions: Vec<sema::spec::DefId>,
    /// The rules for each kind of event.
    pub by_kind: FxHashMap<String, Vec<usize>>,
    /// The rules that apply to any kind.
    pub for_all: Vec<usize>,
    pub silent: Vec<PlannedSilent>,
    /// The action that leads from anywhere to an initial state.
    pub init: usize,
    pub fields: FieldsRead,
    /// The paths that are read of events other than by rules, for example to order them.
    pub reads_besides: Vec<Vec<String>>,
    /// The sets of fields' values, by field name.
    pub typed: Vec<(String, AskedIdx)>,
    /// The set of nodes.
    pub nodes: Option<AskedIdx>,
    pub order: PlannedOrder,
    /// The names of the configuration that are model values.
    pub model_values: Vec<String>,
}

#[derive(Debug)]
pub struct PlannedRule {
    /// Its index among the `[[event]]`s of the file.
    pub entry: usize,
    /// The name in messages: the action, or the actions.
    pub name: String,
    /// Whether the step leaves the state as it is.
    pub is_stutter: bool,
    /// The kinds of which the previous event at the same node must be one; any kind if empty.
    pub follows: Vec<String>,
    /// Fields that an event must have.
    pub needs: Vec<String>,
    /// The single steps, if there are several.
    pub links: Vec<usize>,
    /// The paths that it reads of an event.
    pub reads: Vec<Vec<String>>,
    /// Parameters that the log does not give.
    pub free: Vec<String>,
    /// The parts of the state that its steps may touch, if that is known and needed.
    pub touches: Option<Vec<Touch>>,
}

/// A part of the state that a step may read or change, with all that is below it.
#[derive(Clone, Debug)]
pub struct Touch {
    /// The number of the variable.
    pub variable: usize,
    pub path: Vec<TouchStep>,
    pub kind: TouchKind,
}

/// A step into a value: a function, a record or a set.
#[derive(Clone, Debug)]
pub enum TouchStep {
    Any,
    Field(String),
    /// An argument or an element that the event determines.
    Asked(AskedIdx),
}

#[derive(Debug)]
pub struct PlannedSilent {
    /// Whether the mapping declares it. Undeclared actions are tried after a log is rejected, to see whether they would
    /// have helped.
    pub is_declared: bool,
    pub action: usize,
    pub name: String,
    pub per_gap_max: u32,
    pub total_max: Option<u32>,
    /// Kinds of events, one of which comes next where the step happens; any if there are none.
    pub next: Vec<String>,
}

#[derive(Debug)]
pub enum PlannedOrder {
    AsWritten,
    Fields(Vec<Vec<String>>),
    Vector(Vec<String>),
    /// Kinds, with the expression that identifies the message.
    Messages {
        sends: Vec<PlannedMessage>,
        receives: Vec<PlannedMessage>,
        has_duplicates: bool,
    },
}

#[derive(Debug)]
pub struct PlannedMessage {
    pub kinds: Vec<String>,
    pub key: AskedIdx,
    pub is_set: bool,
}

/// Adds a mapping, whose text is `source`, to a specification and its configuration.
pub fn plan(
    spec: &mut Spec,
    config: &mut BoundConfig,
    map: &Map,
    source: SourceId,
) -> Result<Plan, Diagnostics> {
    Builder::new(spec, config, map, source)?.build()
}

/// Returns the actions of a next-state relation in the order of the text: the definitions with parameters or primes
/// that it reaches through disjunctions, quantifiers and definitions alone.
pub fn actions(spec: &Spec, next: sema::spec::ExprId) -> Vec<sema::spec::DefId> {
    ways::actions(spec, next)
}

/// Returns the action `target` as a next-state relation allows it, with these values of its parameters; `None` if the
/// relation does not reach it in a way that is understood.
pub fn allowed_way(
    spec: &mut Spec,
    replacements: &sema::config::Replacements,
    (target, binds): (sema::spec::DefId, &[Option<sema::spec::ExprId>]),
    next: sema::spec::ExprId,
) -> Option<sema::spec::ExprId> {
    ways::Finder::new(spec, replacements, target, binds).find(next)
}
