//! Suggests settings if lanes or messages cannot be guessed.

use std::collections::{BTreeMap, BTreeSet};

use super::Diagram;
use crate::{Datum, Trace};

/// A description of what is missing in a diagram, with the settings that add it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The description in a sentence or two.
    pub text: &'static str,
    /// Lines for `specline.toml`.
    pub lines: String,
}

const NO_LANES: &str = "There are no lanes: no variable has one value for each of some processes in every state, and no \
                        messages with a sender and a receiver were found. If the specification has processes, say which, in \
                        `specline.toml` beside it:";
const NO_MESSAGES: &str = "No messages are drawn: no variable is called like a network, and none holds records with fields \
                           for sender and receiver. If there are messages, say where, in `specline.toml` beside the \
                           specification:";

/// Returns the settings for a trace with which more of it can be drawn; `None` if lanes and messages are known.
pub fn hint(trace: &Trace, diagram: Option<&Diagram>) -> Option<Hint> {
    match diagram {
        Some(diagram) if diagram.has_network => None,
        Some(_) => {
            let variable = collection(trace).unwrap_or("NAME OF A VARIABLE");
            let lines = format!(
                "[trace]\nmessages = [{}]\nfrom = \"FIELD\"    # who sent it\nto = \"FIELD\"      # for whom it is\n\
                 label = \"FIELD\"   # what it is called",
                quote(variable)
            );
            Some(Hint { text: NO_MESSAGES, lines })
        }
        None => {
            let names = candidates(trace);
            let names: Vec<String> = names.iter().map(|name| quote(name)).collect();
            let lines = format!("[trace]\nprocesses = [{}]   # as the values are written", names.join(", "));
            Some(Hint { text: NO_LANES, lines })
        }
    }
}

fn quote(text: &str) -> String {
    serde_json::to_string(text).expect("a string always has a JSON form")
}

/// Returns a variable that holds several values, which may be messages.
fn collection(trace: &Trace) -> Option<&str> {
    let holds = |variable: &usize| {
        trace.states.iter().any(|state| {
            matches!(&state.values[*variable], Some(Datum::Set(items) | Datum::Seq(items)) if !items.is_empty())
        })
    };
    (0..trace.variables.len()).find(holds).map(|variable| trace.variables[variable].as_str())
}

/// Returns values that may be processes: the elements of a constant that is a set of names, or the names that are
/// parameters of steps.
fn candidates(trace: &Trace) -> Vec<String> {
    let is_name = |value: &Datum| matches!(value, Datum::Model(_) | Datum::Str(_));
    for constant in &trace.constants {
        if let Datum::Set(items) = &constant.value
            && items.len() > 1
            && items.iter().all(is_name)
        {
            return items.iter().map(super::name_of).collect();
        }
    }
    let steps = trace.states.iter().filter_map(|state| state.step.as_ref());
    let mut named: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for parameter in steps.flat_map(|step| &step.parameters).filter(|it| is_name(&it.value)) {
        named.entry(&parameter.name).or_default().insert(super::name_of(&parameter.value));
    }
    let best = named.into_values().filter(|names| (2..=12).contains(&names.len())).max_by_key(BTreeSet::len);
    match best {
        Some(names) => names.into_iter().collect(),
        None => vec!["n1".to_owned(), "n2".to_owned()],
    }
}
