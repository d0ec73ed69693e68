//! A mapping: what the actions of a specification are on a stage, and where its variables are seen, as a file in TOML
//! says it.
//!
//! [`Mapping::parse`] reads the form and refuses keys that nobody knows; what its expressions mean is asked of a
//! specification later. Everything keeps its place in the file.

mod line;
mod read;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use line::{LineForm, Matched, Piece};
pub use validate::map::{MapError, Text};

/// The content of a `mapping.toml`.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// The specification and its configuration, from the folder of the mapping.
    pub spec: Option<Text>,
    pub config: Option<Text>,
    /// Folders with modules, likewise.
    pub libraries: Vec<Text>,
    /// Values of constants, which count before those of the configuration.
    pub constants: Vec<(Text, Text)>,
    /// The set of nodes; each is a node of the system by its name.
    pub nodes: Option<Text>,
    /// A sequence of strings: more words for the command of every node.
    pub arguments: Option<Text>,
    /// Events that lead to the initial state.
    pub begin: Vec<LineForm>,
    pub messages: MessagesForm,
    /// Variables of the specification, each with the expression for its value in the program.
    pub variables: Vec<(Text, Text)>,
    /// Variables that only the specification has.
    pub history: Vec<Text>,
    /// Variables that the program has as well, and of which nothing can be seen.
    pub unobserved: Vec<Text>,
    /// Properties that the values of the program do not decide.
    pub unconfirmed: Vec<Text>,
    pub actions: Vec<ActionForm>,
    /// Regular expressions for lines of a node's output that say that something went wrong.
    pub alarms: Vec<Text>,
    /// Additions for some compositions.
    pub parts: Vec<PartForm>,
}

/// An addition to a mapping, for specifications that are put together of certain grains.
#[derive(Clone, Debug)]
pub struct PartForm {
    /// All of these must be in the composition: `module.grain`, the name of a fault, or `start.NAME`.
    pub of: Vec<Text>,
    pub begin: Vec<LineForm>,
    pub variables: Vec<(Text, Text)>,
    pub history: Vec<Text>,
    pub unobserved: Vec<Text>,
    pub actions: Vec<ActionForm>,
}

/// How messages are read.
#[derive(Clone, Debug, Default)]
pub struct MessagesForm {
    /// A command that reads a line of hexadecimal digits for each message and writes a line of JSON; without it messages
    /// are JSON themselves.
    pub decoder: Vec<Text>,
    /// Whether a message is one of the protocol; the others are delivered at once.
    pub only: Option<Text>,
    /// The message as the specification has it.
    pub value: Option<Text>,
}

/// The events on the stage that carry out an action.
#[derive(Clone, Debug)]
pub struct ActionForm {
    pub place: Range<usize>,
    pub name: Text,
    /// Condition on the step; the rule applies to no other.
    pub when: Option<Text>,
    pub events: Vec<LineForm>,
    /// Condition under which the action is finished, if its events do not decide that.
    pub until: Option<Text>,
    /// Events that are repeated until then.
    pub repeat: Vec<LineForm>,
    /// Messages to deliver until then, the most urgent first.
    pub prefer: Vec<Text>,
    /// Largest number of rounds.
    pub rounds_max: u32,
    /// Whether the program is at a state of the specification after it.
    pub compares: bool,
}

impl Mapping {
    pub fn parse(text: &str) -> Result<Mapping, Vec<MapError>> {
        read::mapping(text)
    }

    /// Adds the parts for which `is_in` says of each title that the composition has it. What a part says of a variable or
    /// an action comes before what the rest says of it.
    pub fn with_parts(mut self, is_in: impl Fn(&str) -> bool) -> Mapping {
        let parts = std::mem::take(&mut self.parts);
        let chosen = parts.into_iter().filter(|part| part.of.iter().all(|title| is_in(&title.text)));
        let mut actions = Vec::new();
        for part in chosen {
            self.begin.extend(part.begin);
            self.variables
                .retain(|(known, _)| !part.variables.iter().any(|(name, _)| name.text == known.text));
            self.variables.extend(part.variables);
            self.history.extend(part.history);
            self.unobserved.extend(part.unobserved);
            actions.extend(part.actions);
        }
        actions.append(&mut self.actions);
        Mapping { actions, ..self }
    }
}
