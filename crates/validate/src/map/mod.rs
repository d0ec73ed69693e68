//! A mapping: a TOML file that says what the events of a log stand for.
//!
//! [`Map::parse`] reads the structure and refuses unknown keys. The meaning of its expressions is determined later,
//! with a specification. Everything keeps its place in the file.

mod read;
pub mod table;
#[cfg(test)]
mod tests;

use std::ops::Range;

/// The reason why a text is not a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapError {
    pub message: String,
    /// The range of bytes in the text that it is about.
    pub place: Range<usize>,
    pub help: Option<String>,
}

/// A text in the file: a name, a path to a field, or an expression of TLA+.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    /// The range of bytes between the quotes.
    pub place: Range<usize>,
    /// Whether the file has the text as it is meant, without escapes.
    pub is_verbatim: bool,
}

#[derive(Clone, Debug)]
pub struct Map {
    /// Values of constants, which take precedence over those of the configuration.
    pub constants: Vec<(Text, Text)>,
    pub log: LogForm,
    pub order: Order,
    pub init: InitForm,
    /// The values of parameters of actions, by their names, unless a rule says otherwise.
    pub bind: Vec<(Text, Text)>,
    pub conditions: Conditions,
    /// For a field, the set that contains its values.
    pub fields: Vec<(Text, Text)>,
    pub events: Vec<EventRule>,
    pub silent: Vec<SilentRule>,
    pub search: SearchForm,
}

/// The way in which a raw line contains an event.
#[derive(Clone, Debug, Default)]
pub struct LogForm {
    /// The name of the event in expressions.
    pub name: String,
    /// The text before an event; lines without it are not events.
    pub marker: Option<String>,
    /// The path to the event inside the object of a line.
    pub inside: Option<Vec<String>>,
    /// The path to the kind of an event.
    pub kind: Vec<String>,
    /// Values that fields of a line must have; other lines are skipped.
    pub only: Vec<(Vec<String>, String)>,
    /// For a new field, the path that its value is taken from.
    pub rename: Vec<(String, Vec<String>)>,
    /// Kinds that are skipped on purpose.
    pub ignore: Vec<Text>,
    /// Paths to fields that need not be compared.
    pub ignore_fields: Vec<Vec<String>>,
    /// The path to the node that logged the event.
    pub node: Option<Vec<String>>,
    /// The set of all nodes.
    pub nodes: Option<Text>,
}

/// The order in which events happened.
#[derive(Clone, Debug)]
pub enum Order {
    /// The order of the text, one file after the other.
    AsWritten,
    /// The order of these fields, in which each file already is.
    Fields(Vec<Vec<String>>),
    /// The order of a vector clock, with the path to it.
    Vector(Vec<String>),
    /// The order in which a message is received after it was sent, and nothing else is known.
    Messages {
        sends: Vec<MessageRule>,
        receives: Vec<MessageRule>,
        /// Whether a message that was sent once may be received twice.
        has_duplicates: bool,
    },
}

/// The events that send or receive a message, and the expression that identifies the message.
#[derive(Clone, Debug)]
pub struct MessageRule {
    pub kinds: Vec<Text>,
    pub key: Text,
    /// Whether the key is a set of keys, for several messages.
    pub is_set: bool,
}

/// The initial states.
#[derive(Clone, Debug, Default)]
pub struct InitForm {
    /// A predicate that replaces the specification's own.
    pub predicate: Option<Text>,
    /// Additional conditions, which may also be about the first event.
    pub conditions: Vec<Condition>,
}

/// The conditions under which an event is explained.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    pub before: Vec<Condition>,
    pub after: Vec<Condition>,
    /// Conditions with primes.
    pub step: Vec<Condition>,
}

/// A formula, or two expressions that must be equal.
#[derive(Clone, Debug)]
pub struct Condition {
    pub left: Text,
    pub right: Option<Text>,
}

/// The meaning of the events of a kind.
#[derive(Clone, Debug)]
pub struct EventRule {
    pub place: Range<usize>,
    pub kinds: Vec<Text>,
    /// A condition on the events that the rule applies to.
    pub when: Option<Text>,
    /// The kinds of which the previous event at the same node must be one.
    pub follows: Vec<Text>,
    /// The actions, of which one explains the event.
    pub actions: Vec<ActionForm>,
    pub bind: Vec<(Text, Text)>,
    /// Parameters that may have any value which the next-state relation allows.
    pub free: Vec<Text>,
    pub conditions: Conditions,
    /// Whether the conditions for all events also apply to this one.
    pub has_common: bool,
}

/// The steps that explain an event.
#[derive(Clone, Debug)]
pub enum ActionForm {
    /// No step: the state stays the same.
    Stutter,
    /// Steps one after the other; usually one.
    Steps(Vec<Text>),
}

/// An action that may happen although no event describes it.
#[derive(Clone, Debug)]
pub struct SilentRule {
    pub action: Text,
    pub bind: Vec<(Text, Text)>,
    /// The most occurrences between two events.
    pub per_gap_max: u32,
    pub total_max: Option<u32>,
    /// Kinds of events, one of which comes next where the step happens; any if there are none.
    pub next: Vec<Text>,
}

/// The limits of the search.
#[derive(Clone, Copy, Debug)]
pub struct SearchForm {
    /// Number of later events after which alternatives for an event are given up.
    pub window: usize,
    /// Whether events that commute are tried in every order.
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
