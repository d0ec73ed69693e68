//! A mapping: what the events of a log stand for, as a file in TOML says it.
//!
//! [`Map::parse`] reads the form and refuses keys that nobody knows; what its expressions mean is asked of a specification
//! later. Everything keeps its place in the file.

mod read;
pub mod table;
#[cfg(test)]
mod tests;

use std::ops::Range;

/// Why a text is no mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapError {
    pub message: String,
    /// The bytes of the text that it is about.
    pub place: Range<usize>,
    pub help: Option<String>,
}

/// A text in the file: a name, a path to a field, or an expression of TLA+.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    /// What is between the quotes.
    pub place: Range<usize>,
    /// It stands in the file as it is meant, without escapes.
    pub is_verbatim: bool,
}

#[derive(Clone, Debug)]
pub struct Map {
    /// Values of constants, which count before those of the configuration.
    pub constants: Vec<(Text, Text)>,
    pub log: LogForm,
    pub order: Order,
    pub init: InitForm,
    /// What parameters of actions are, by their names, unless a rule says otherwise.
    pub bind: Vec<(Text, Text)>,
    pub conditions: Conditions,
    /// For a field, the set that its values are in.
    pub fields: Vec<(Text, Text)>,
    pub events: Vec<EventRule>,
    pub silent: Vec<SilentRule>,
    pub search: SearchForm,
}

/// What of a raw line is an event.
#[derive(Clone, Debug, Default)]
pub struct LogForm {
    /// What expressions call the event.
    pub name: String,
    /// An event is what follows this; lines without it are none.
    pub marker: Option<String>,
    /// The path to the event inside the object of a line.
    pub inside: Option<Vec<String>>,
    /// The path to the kind of an event.
    pub kind: Vec<String>,
    /// Only lines whose fields have these values.
    pub only: Vec<(Vec<String>, String)>,
    /// For a field that is to be there, the path it is taken from.
    pub rename: Vec<(String, Vec<String>)>,
    /// Kinds that are left out on purpose.
    pub ignore: Vec<Text>,
    /// Paths to fields that need not be compared.
    pub ignore_fields: Vec<Vec<String>>,
    /// The path to the node that logged the event.
    pub node: Option<Vec<String>>,
    /// The set of all nodes.
    pub nodes: Option<Text>,
}

/// In which order events happened.
#[derive(Clone, Debug)]
pub enum Order {
    /// As they stand, one file after the other.
    AsWritten,
    /// By these fields, each file being in that order.
    Fields(Vec<Vec<String>>),
    /// By a vector clock: the path to it.
    Vector(Vec<String>),
    /// A message is received after it was sent, and nothing else.
    Messages {
        sends: Vec<MessageRule>,
        receives: Vec<MessageRule>,
        /// A message that was sent once may be received twice.
        has_duplicates: bool,
    },
}

/// Which events send or receive a message, and which one that is.
#[derive(Clone, Debug)]
pub struct MessageRule {
    pub kinds: Vec<Text>,
    pub key: Text,
    /// The key is a set of keys: several messages.
    pub is_set: bool,
}

/// Which initial states there are.
#[derive(Clone, Debug, Default)]
pub struct InitForm {
    /// In place of the specification's own.
    pub predicate: Option<Text>,
    /// What holds in them besides, of the first event too.
    pub conditions: Vec<Condition>,
}

/// What must hold for an event to be explained.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    pub before: Vec<Condition>,
    pub after: Vec<Condition>,
    /// With primes.
    pub step: Vec<Condition>,
}

/// A formula, or two expressions that are to be equal.
#[derive(Clone, Debug)]
pub struct Condition {
    pub left: Text,
    pub right: Option<Text>,
}

/// What events of a kind stand for.
#[derive(Clone, Debug)]
pub struct EventRule {
    pub place: Range<usize>,
    pub kinds: Vec<Text>,
    /// The rule is for such events alone.
    pub when: Option<Text>,
    /// The event before at the same node is of one of these kinds.
    pub follows: Vec<Text>,
    /// One of them explains the event.
    pub actions: Vec<ActionForm>,
    pub bind: Vec<(Text, Text)>,
    /// Parameters that are whatever the next-state relation allows.
    pub free: Vec<Text>,
    pub conditions: Conditions,
    /// The conditions for all events are for this one as well.
    pub has_common: bool,
}

/// What explains an event.
#[derive(Clone, Debug)]
pub enum ActionForm {
    /// No step: the state stays.
    Stutter,
    /// Steps one after the other; mostly one.
    Steps(Vec<Text>),
}

/// An action that may happen though no event tells of it.
#[derive(Clone, Debug)]
pub struct SilentRule {
    pub action: Text,
    pub bind: Vec<(Text, Text)>,
    /// Between two events.
    pub per_gap_max: u32,
    pub total_max: Option<u32>,
}

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct SearchForm {
    /// Alternatives to how an event was explained are given up when so many more events are.
    pub window: usize,
    /// Events that commute are tried in every order.
    pub has_every_order: bool,
}

impl Default for SearchForm {
    fn default() -> Self {
        SearchForm { window: 100_000, has_every_order: false }
    }
}

impl Map {
    pub fn parse(text: &str) -> Result<Map, Vec<MapError>> {
        read::map(text)
    }
}
