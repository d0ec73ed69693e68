//! The outcome of a behaviour that is carried out on real processes.

use std::collections::BTreeMap;

use diag::Diagnostic;
use trace::{Datum, Failure, Trace};

use crate::ask::Property;

/// A behaviour that was carried out, as far as it went.
#[derive(Debug)]
pub struct Replayed {
    pub ending: Ending,
    /// A row for each state that was reached; the last one may be half done.
    pub rows: Vec<Row>,
}

/// One state of the behaviour, and the program there.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Events that were carried out, as a script has them.
    pub events: Vec<String>,
    /// The value of each compared variable in the program, by its name.
    pub real: Vec<(String, Datum)>,
    /// Whether the program was at a state of the specification then, and was compared with it.
    pub is_compared: bool,
    /// Messages that are under way then.
    pub held: Vec<String>,
    /// Output of nodes in the meantime.
    pub output: BTreeMap<String, String>,
    /// Things that nodes did that are not under control, or were refused for that.
    pub uncontrolled: Vec<String>,
    /// The lines that they added to their logs.
    pub log: BTreeMap<String, Vec<String>>,
}

/// How it ended.
#[derive(Debug)]
pub enum Ending {
    /// The program did what the behaviour says, to its end.
    Agreed,
    /// And it violates the property, as the behaviour does.
    Confirmed(Confirmed),
    /// It does something else.
    Diverged(Divergence),
    /// There is no answer.
    CouldNot(Obstacle),
}

/// A violation that is in the program.
#[derive(Debug)]
pub struct Confirmed {
    pub property: Property,
    /// The part of the property that failed, with values of the program.
    pub failure: Option<Box<Failure>>,
    /// Variables that the property reads, and that only the specification has.
    pub history: Vec<String>,
}

/// How a program does not do what the specification says.
#[derive(Clone, Debug)]
pub enum Divergence {
    /// Variables differ.
    Values(Vec<Difference>),
    /// The message that is to be taken next is another one, or none.
    Message { from: String, to: String, wanted: Datum, held: Option<Datum> },
    /// A node wrote a line that says that something went wrong.
    Alarm { node: String, line: String },
}

#[derive(Clone, Debug)]
pub struct Difference {
    pub variable: String,
    pub spec: Datum,
    pub real: Datum,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Obstacle {
    /// A node ended by itself.
    Died { node: String, how: String },
    /// An event cannot be carried out.
    Impossible { event: String, why: String },
    /// Something cannot be seen, or has no value.
    Unseen(String),
    /// An expression of the mapping has no value here.
    Undefined(Box<Diagnostic>),
    /// The behaviour is carried out, and whether the program violates the property is not known.
    Unconfirmed(String),
    /// The user ended it.
    Interrupted,
}

impl Ending {
    /// Makes the ending for an expression that has no value here.
    pub(crate) fn undefined(diagnostic: Box<Diagnostic>) -> Ending {
        Ending::CouldNot(Obstacle::Undefined(diagnostic))
    }
}

impl Replayed {
    /// Returns what makes two behaviours examples of one kind: the last action, and what differs, without values.
    pub fn kind(&self, trace: &Trace) -> String {
        let step = trace.states.get(self.last_state()).and_then(|state| state.step.as_ref());
        let action = step.map_or("start", |step| step.name.as_str());
        kind_of(&self.ending, action)
    }

    /// Returns what the program did without control, in the order in which it did so.
    pub fn uncontrolled(&self) -> impl Iterator<Item = &String> {
        self.rows.iter().flat_map(|row| &row.uncontrolled)
    }

    /// Returns the index of the last state that was reached.
    pub fn last_state(&self) -> usize {
        self.rows.len().saturating_sub(1)
    }

    /// How many steps the program and the specification agreed on: those up to the last state that was compared.
    pub fn n_agreed(&self) -> usize {
        let n_rows = match self.ending {
            Ending::Agreed | Ending::Confirmed(_) => self.rows.len(),
            Ending::Diverged(_) | Ending::CouldNot(_) => self.rows.len().saturating_sub(1),
        };
        self.rows[..n_rows].iter().rposition(|row| row.is_compared).unwrap_or(0)
    }
}

/// Returns what makes two endings two examples of one: the action, and what differs, without values.
fn kind_of(ending: &Ending, action: &str) -> String {
    match ending {
        Ending::Agreed => "agreed".to_owned(),
        Ending::Confirmed(confirmed) => format!("confirmed {}", confirmed.property.name()),
        Ending::Diverged(Divergence::Values(differences)) => {
            let names: Vec<&str> =
                differences.iter().map(|difference| difference.variable.as_str()).collect();
            format!("{action}: {}", names.join(", "))
        }
        Ending::Diverged(Divergence::Message { held, .. }) => match held {
            Some(_) => format!("{action}: another message"),
            None => format!("{action}: no message"),
        },
        Ending::Diverged(Divergence::Alarm { line, .. }) => format!("alarm: {}", without_numbers(line)),
        Ending::CouldNot(Obstacle::Died { how, .. }) => format!("{action}: a node {how}"),
        Ending::CouldNot(Obstacle::Impossible { event, why }) => {
            let verb = event.split_whitespace().next().unwrap_or_default();
            format!("{action}: `{verb}` is not possible: {}", without_numbers(why))
        }
        Ending::CouldNot(Obstacle::Unseen(why) | Obstacle::Unconfirmed(why)) => {
            format!("{action}: {}", without_numbers(why))
        }
        Ending::CouldNot(Obstacle::Undefined(diagnostic)) => {
            format!("{action}: {}", without_numbers(&diagnostic.headline))
        }
        Ending::CouldNot(Obstacle::Interrupted) => "interrupted".to_owned(),
    }
}

/// Numbers tell nodes, addresses and times apart, and not kinds of trouble.
fn without_numbers(text: &str) -> String {
    let mut kept = String::new();
    for c in text.chars() {
        match c.is_ascii_digit() {
            false => kept.push(c),
            true if kept.ends_with('#') => {}
            true => kept.push('#'),
        }
    }
    kept
}
