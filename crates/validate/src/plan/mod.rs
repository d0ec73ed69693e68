//! A mapping made part of a specification: what its expressions mean, and an action for each thing that can explain an event.
//!
//! The event is one more variable. An action of the specification that a rule names is taken as the next-state relation
//! allows it ([`ways`]), so that whatever explains a log is a behaviour of the specification; an action that is written out is
//! taken as it is written.

mod build;
mod fields;
mod touch;
mod ways;

use base::FxHashMap;
use diag::{Diagnostics, SourceId};
use sema::Spec;
use sema::config::BoundConfig;

use crate::map::Map;
use build::Builder;
pub(crate) use build::is_name;
pub use build::model_values;
pub use fields::FieldsRead;
pub use touch::TouchKind;

/// What a search needs to know of a mapping. Actions are those of `Program::rules`, by number.
#[derive(Debug)]
pub struct Plan {
    /// What events stand for, in the order of the file. They are the first of the actions.
    pub rules: Vec<PlannedRule>,
    /// The actions of the specification.
    pub actions: Vec<sema::spec::DefId>,
    /// The rules for each kind of event.
    pub by_kind: FxHashMap<String, Vec<usize>>,
    /// The rules that are for any kind.
    pub for_all: Vec<usize>,
    pub silent: Vec<PlannedSilent>,
    /// The action that makes an initial state, of whatever comes before it.
    pub init: usize,
    pub fields: FieldsRead,
    /// The paths to what is read of events besides what rules read: by what orders them, say.
    pub reads_besides: Vec<Vec<String>>,
    /// What is asked of fields, by name.
    pub typed: Vec<(String, AskedIdx)>,
    /// The set of nodes.
    pub nodes: Option<AskedIdx>,
    pub order: PlannedOrder,
    /// For each name of the configuration that is a model value.
    pub model_values: Vec<String>,
}

/// A number among `Program::asked`.
pub type AskedIdx = usize;

#[derive(Debug)]
pub struct PlannedRule {
    /// Among the `[[event]]`s of the file.
    pub entry: usize,
    /// What it is told as: the action, or the actions.
    pub name: String,
    /// The step leaves the state as it is.
    pub is_stutter: bool,
    /// Kinds of which the event before at the same node is one; any if there are none.
    pub follows: Vec<String>,
    /// Fields that an event must have.
    pub needs: Vec<String>,
    /// Where it is several steps, each of them.
    pub links: Vec<usize>,
    /// The paths to what it reads of an event.
    pub reads: Vec<Vec<String>>,
    /// Parameters that the log does not tell.
    pub free: Vec<String>,
    /// What its steps may touch, if that is known and anybody needs to know.
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
    /// An argument or an element, which the event says.
    Asked(AskedIdx),
}

#[derive(Debug)]
pub struct PlannedSilent {
    /// The mapping declares it. Others are asked when a log is rejected: whether they would have helped.
    pub is_declared: bool,
    pub action: usize,
    pub name: String,
    pub per_gap_max: u32,
    pub total_max: Option<u32>,
}

#[derive(Debug)]
pub enum PlannedOrder {
    AsWritten,
    Fields(Vec<Vec<String>>),
    Vector(Vec<String>),
    /// Kinds, and the expression that says which message it is.
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

/// Puts a mapping, whose text is `source`, into a specification and its configuration.
pub fn plan(
    spec: &mut Spec,
    config: &mut BoundConfig,
    map: &Map,
    source: SourceId,
) -> Result<Plan, Diagnostics> {
    Builder::new(spec, config, map, source)?.build()
}

/// The definitions with parameters or primes that a next-state relation comes to by disjunction, quantification and
/// definitions alone: its actions, in the order of the text.
pub fn actions(spec: &Spec, next: sema::spec::ExprId) -> Vec<sema::spec::DefId> {
    ways::actions(spec, next)
}
