//! Determines the processes and the messages, from the user's settings or from the shapes of values.

use std::collections::BTreeMap;

use super::guess::{self, boxes, is_same_name};
use crate::{Datum, State, Trace};

/// The user's settings for a specification; missing ones are guessed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// The processes, as their values are written.
    pub processes: Vec<String>,
    /// The variables that hold messages.
    pub messages: Vec<String>,
    /// The field of a message that has its sender, and, below, those with its receiver and its kind.
    pub from: Option<String>,
    pub to: Option<String>,
    pub label: Option<String>,
}

/// Common names in specifications for these things, compared without regard to case.
pub(super) const NETWORKS: [&str; 12] = [
    "msgs", "messages", "network", "net", "msg", "inbox", "inboxes", "channel", "channels", "chan",
    "mailbox", "inflight",
];
pub(super) const SENDERS: [&str; 8] = ["from", "src", "source", "sender", "mfrom", "msource", "msrc", "frm"];
pub(super) const RECEIVERS: [&str; 9] =
    ["to", "dst", "dest", "destination", "receiver", "mto", "mdest", "mdst", "recipient"];
const LABELS: [&str; 8] = ["type", "mtype", "kind", "tag", "msgtype", "op", "name", "t"];
/// The most characters of a message's text that are shown if it has no kind.
const LABEL_CHARS_MAX: usize = 40;

pub(super) struct Roles {
    pub processes: Vec<Datum>,
    networks: Vec<usize>,
    wishes: Wishes,
}

/// The sender, receiver and label of a message.
#[derive(Clone, Debug)]
pub(super) struct MessageFacts {
    pub label: String,
    pub from: Option<usize>,
    pub to: Option<usize>,
}

/// Messages by their texts, each with its number of occurrences.
pub(super) type InNetwork = BTreeMap<String, (MessageFacts, usize)>;

impl Roles {
    pub fn new(trace: &Trace, wishes: &Wishes) -> Option<Roles> {
        let mut processes = match wishes.processes.is_empty() {
            true => guess::processes(trace),
            false => find_wished(trace, &wishes.processes),
        };
        let is_process = |value: &Datum| processes.iter().any(|process| is_same_name(process, value));
        let networks = match wishes.messages.is_empty() {
            true => guess::networks(trace, &is_process),
            false => (0..trace.variables.len())
                .filter(|&index| wishes.messages.contains(&trace.variables[index]))
                .collect(),
        };
        if wishes.processes.is_empty() && !processes.is_empty() {
            processes.extend(guess::others(trace, &networks, &processes));
        }
        let roles = Roles { processes, networks, wishes: wishes.clone() };
        (!roles.processes.is_empty()).then_some(roles)
    }

    pub fn lane(&self, value: &Datum) -> Option<usize> {
        self.processes.iter().position(|process| is_same_name(process, value))
    }

    pub fn has_network(&self) -> bool {
        !self.networks.is_empty()
    }

    /// Whether the messages in the network are the same in two states.
    pub fn is_same_network(&self, before: &State, after: &State) -> bool {
        self.networks.iter().all(|&variable| before.values[variable] == after.values[variable])
    }

    pub fn is_network(&self, variable: usize) -> bool {
        self.networks.contains(&variable)
    }

    /// Returns the receiver of a value, if it is a message.
    pub fn receiver(&self, value: &Datum) -> Option<usize> {
        match value {
            Datum::Record(fields) => self.field(fields, self.wishes.to.as_deref(), &RECEIVERS),
            Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) | Datum::Seq(_) => None,
            Datum::Function(_) | Datum::Set(_) | Datum::Opaque(_) => None,
        }
    }

    pub fn messages_in(&self, state: &State) -> InNetwork {
        let mut found = InNetwork::new();
        for &variable in &self.networks {
            if let Some(value) = &state.values[variable] {
                self.gather(value, &mut Vec::new(), &mut found);
            }
        }
        found
    }

    /// Adds the messages in a part of the network that belongs to these processes.
    fn gather(&self, value: &Datum, owners: &mut Vec<usize>, found: &mut InNetwork) {
        match value {
            // The sequence has one part for each of the processes 1 to n.
            Datum::Seq(items)
                if owners.len() < 2 && boxes(value, &|it| self.lane(it).is_some()).is_some() =>
            {
                for (position, item) in (1..).zip(items) {
                    self.gather_of(&Datum::int(position), item, owners, found);
                }
            }
            Datum::Set(items) | Datum::Seq(items) => {
                for item in items {
                    self.add(item, owners, 1, found);
                }
            }
            // A channel may hold a single message.
            Datum::Record(fields) if !owners.is_empty() && !self.is_by_process(fields) => {
                self.add(value, owners, 1, found);
            }
            Datum::Record(fields) => {
                for (name, value) in fields {
                    self.gather_of(&Datum::string(name.as_str()), value, owners, found);
                }
            }
            Datum::Function(pairs) => {
                for (argument, value) in pairs {
                    self.gather_of(argument, value, owners, found);
                }
            }
            Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) | Datum::Opaque(_) => {}
        }
    }

    /// Returns the process that a value is, or the processes in a tuple.
    fn lanes(&self, value: &Datum) -> Vec<usize> {
        match (self.lane(value), value) {
            (Some(lane), _) => vec![lane],
            (None, Datum::Seq(parts)) => {
                parts.iter().map(|part| self.lane(part)).collect::<Option<_>>().unwrap_or_default()
            }
            (None, _) => Vec::new(),
        }
    }

    /// Whether the fields of a record are processes.
    fn is_by_process(&self, fields: &[(String, Datum)]) -> bool {
        fields.iter().all(|(name, _)| self.lane(&Datum::string(name.as_str())).is_some())
    }

    /// Whether a value has a part for each process.
    fn is_boxes(&self, value: &Datum) -> bool {
        match value {
            Datum::Function(pairs) => pairs.iter().all(|(argument, _)| !self.lanes(argument).is_empty()),
            Datum::Record(fields) => self.is_by_process(fields),
            Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) => false,
            Datum::Seq(_) | Datum::Set(_) | Datum::Opaque(_) => false,
        }
    }

    /// Adds one pair of a function: the messages of a process or of a pair of processes, or the number of copies of a
    /// message.
    fn gather_of(&self, argument: &Datum, value: &Datum, owners: &mut Vec<usize>, found: &mut InNetwork) {
        let n_owners = owners.len();
        owners.extend(self.lanes(argument));
        if owners.len() > n_owners {
            self.gather(value, owners, found);
        } else if let Datum::Int(count) = value {
            self.add(argument, owners, usize::try_from(count).unwrap_or(0), found);
        } else if owners.is_empty() && self.is_boxes(value) {
            // The network may have more parts, as in [queue |-> [p \in Process |-> ..], down |-> {..}].
            self.gather(value, owners, found);
        }
        owners.truncate(n_owners);
    }

    fn add(&self, message: &Datum, owners: &[usize], count: usize, found: &mut InNetwork) {
        let fields: &[(String, Datum)] = if let Datum::Record(fields) = message { fields } else { &[] };
        // Of two owners the first one writes; a single owner reads.
        let (first, last) = match *owners {
            [] => (None, None),
            [owner] => (None, Some(owner)),
            [first, .., last] => (Some(first), Some(last)),
        };
        let from = self.field(fields, self.wishes.from.as_deref(), &SENDERS).or(first);
        let to = self.field(fields, self.wishes.to.as_deref(), &RECEIVERS).or(last);
        let label = find(fields, self.wishes.label.as_deref(), &LABELS).map_or_else(|| cut(message), plain);
        let owner_text: String = owners.iter().map(|owner| format!("{owner} ")).collect();
        // A message in the part of one process is different from the same message in another's.
        let text = if owners.is_empty() { message.to_string() } else { format!("{owner_text}{message}") };
        if count > 0 {
            found.entry(text).or_insert((MessageFacts { label, from, to }, 0)).1 += count;
        }
    }

    /// Returns the process that a field names.
    fn field(&self, fields: &[(String, Datum)], wish: Option<&str>, names: &[&str]) -> Option<usize> {
        find(fields, wish, names).and_then(|value| self.lane(value))
    }
}

pub(super) fn find<'d>(
    fields: &'d [(String, Datum)],
    wish: Option<&str>,
    names: &[&str],
) -> Option<&'d Datum> {
    let named = |name: &str| fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name));
    let found = match wish {
        Some(wish) => fields.iter().find(|(field, _)| field == wish),
        None => names.iter().find_map(|name| named(name)),
    };
    found.map(|(_, value)| value)
}

fn plain(value: &Datum) -> String {
    if let Datum::Str(text) = value { text.clone() } else { cut(value) }
}

fn cut(value: &Datum) -> String {
    let text = value.to_string();
    match text.char_indices().nth(LABEL_CHARS_MAX) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// Returns the values in the trace with these texts, in this order. A text that does not occur gets an empty lane.
fn find_wished(trace: &Trace, texts: &[String]) -> Vec<Datum> {
    let mut all: BTreeMap<String, &Datum> = BTreeMap::new();
    let constants = trace.constants.iter().map(|binding| &binding.value);
    let parameters = trace.states.iter().filter_map(|state| state.step.as_ref());
    let parameters = parameters.flat_map(|step| &step.parameters).map(|binding| &binding.value);
    let values = trace.states.iter().flat_map(|state| state.values.iter().flatten());
    for value in constants.chain(parameters).chain(values) {
        collect(value, &mut all);
    }
    let value =
        |text: &String| all.get(text).map_or_else(|| Datum::model(text.as_str()), |&value| value.clone());
    texts.iter().map(value).collect()
}

/// Collects all scalars in a value by their texts; strings also without their quotes.
fn collect<'t>(value: &'t Datum, all: &mut BTreeMap<String, &'t Datum>) {
    base::with_stack(|| match value {
        Datum::Bool(_) | Datum::Int(_) | Datum::Model(_) | Datum::Opaque(_) => {
            all.entry(value.to_string()).or_insert(value);
        }
        Datum::Str(text) => {
            all.entry(text.clone()).or_insert(value);
            all.entry(value.to_string()).or_insert(value);
        }
        Datum::Seq(items) | Datum::Set(items) => items.iter().for_each(|item| collect(item, all)),
        Datum::Record(fields) => fields.iter().for_each(|(_, value)| collect(value, all)),
        Datum::Function(pairs) => pairs.iter().for_each(|(argument, value)| {
            collect(argument, all);
            collect(value, all);
        }),
    });
}
