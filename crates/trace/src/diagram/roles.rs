//! What is a process and what is a message: as somebody says, or as values look.

use std::collections::BTreeMap;

use crate::{Datum, State, Trace};

/// What somebody says about a specification; what is not said is guessed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// The processes, as their values are written.
    pub processes: Vec<String>,
    /// The variables that hold messages.
    pub messages: Vec<String>,
    /// The fields of a message that say who sent it, for whom it is, and what kind it is of.
    pub from: Option<String>,
    pub to: Option<String>,
    pub label: Option<String>,
}

/// Names that specifications have for these things, without regard to case.
const NETWORKS: [&str; 12] = [
    "msgs", "messages", "network", "net", "msg", "inbox", "inboxes", "channel", "channels", "chan",
    "mailbox", "inflight",
];
const SENDERS: [&str; 8] = ["from", "src", "source", "sender", "mfrom", "msource", "msrc", "frm"];
const RECEIVERS: [&str; 9] =
    ["to", "dst", "dest", "destination", "receiver", "mto", "mdest", "mdst", "recipient"];
const LABELS: [&str; 8] = ["type", "mtype", "kind", "tag", "msgtype", "op", "name", "t"];
/// A message without a kind is shown by its text, so much of it.
const LABEL_CHARS_MAX: usize = 40;

pub(super) struct Roles {
    pub processes: Vec<Datum>,
    networks: Vec<usize>,
    wishes: Wishes,
}

/// What a message says of itself.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub label: String,
    pub from: Option<usize>,
    pub to: Option<usize>,
}

/// Messages by their texts, each with how often it is there.
pub(super) type InNetwork = BTreeMap<String, (Sent, usize)>;

impl Roles {
    pub fn new(trace: &Trace, wishes: &Wishes) -> Option<Roles> {
        let processes = match wishes.processes.is_empty() {
            true => guessed(trace),
            false => wished(trace, &wishes.processes),
        };
        let is_network = |name: &String| match wishes.messages.is_empty() {
            true => NETWORKS.contains(&name.to_lowercase().as_str()),
            false => wishes.messages.contains(name),
        };
        let networks = (0..trace.variables.len()).filter(|&index| is_network(&trace.variables[index]));
        let roles = Roles { processes, networks: networks.collect(), wishes: wishes.clone() };
        (!roles.processes.is_empty()).then_some(roles)
    }

    pub fn lane(&self, value: &Datum) -> Option<usize> {
        let is_same = |process: &Datum| match (process, value) {
            // Processes may be arguments of a function that is shown as a record, or as a tuple.
            (Datum::Str(name) | Datum::Model(name), Datum::Str(other) | Datum::Model(other)) => name == other,
            (process, value) => process == value,
        };
        self.processes.iter().position(is_same)
    }

    pub fn is_network(&self, variable: usize) -> bool {
        self.networks.contains(&variable)
    }

    /// For whom a value is, if it is a message.
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

    /// Adds the messages in a part of the network, which belongs to these processes.
    fn gather(&self, value: &Datum, owners: &mut Vec<usize>, found: &mut InNetwork) {
        match value {
            Datum::Set(items) | Datum::Seq(items) => {
                for item in items {
                    self.add(item, owners, 1, found);
                }
            }
            // A channel may have room for one message.
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

    /// The process that a value is, or those of which it is a tuple.
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

    /// One pair of a function: the messages of a process, of a pair of them, or how many there are of a message.
    fn gather_of(&self, argument: &Datum, value: &Datum, owners: &mut Vec<usize>, found: &mut InNetwork) {
        let n_owners = owners.len();
        owners.extend(self.lanes(argument));
        if owners.len() > n_owners {
            self.gather(value, owners, found);
        } else if let Datum::Int(count) = value {
            self.add(argument, owners, usize::try_from(count).unwrap_or(0), found);
        } else if owners.is_empty() && self.is_boxes(value) {
            // A network with more to it: [queue |-> [p \in Process |-> ..], down |-> {..}].
            self.gather(value, owners, found);
        }
        owners.truncate(n_owners);
    }

    fn add(&self, message: &Datum, owners: &[usize], count: usize, found: &mut InNetwork) {
        let fields: &[(String, Datum)] = if let Datum::Record(fields) = message { fields } else { &[] };
        // Of two owners the first is who writes, of one it is who reads.
        let (first, last) = match *owners {
            [] => (None, None),
            [owner] => (None, Some(owner)),
            [first, .., last] => (Some(first), Some(last)),
        };
        let from = self.field(fields, self.wishes.from.as_deref(), &SENDERS).or(first);
        let to = self.field(fields, self.wishes.to.as_deref(), &RECEIVERS).or(last);
        let label = find(fields, self.wishes.label.as_deref(), &LABELS).map_or_else(|| cut(message), plain);
        let owner_text: String = owners.iter().map(|owner| format!("{owner} ")).collect();
        // What a process has in its own box is another message than the same in another's.
        let text = if owners.is_empty() { message.to_string() } else { format!("{owner_text}{message}") };
        if count > 0 {
            found.entry(text).or_insert((Sent { label, from, to }, 0)).1 += count;
        }
    }

    /// The process that a field names.
    fn field(&self, fields: &[(String, Datum)], wish: Option<&str>, names: &[&str]) -> Option<usize> {
        find(fields, wish, names).and_then(|value| self.lane(value))
    }
}

fn find<'d>(fields: &'d [(String, Datum)], wish: Option<&str>, names: &[&str]) -> Option<&'d Datum> {
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

/// The values in the trace that are written like this, in this order. One that is nowhere in it has an empty lane.
fn wished(trace: &Trace, texts: &[String]) -> Vec<Datum> {
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

/// All scalars in a value by their texts; strings without their quotes as well.
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

/// The arguments that most variables have which are functions of model values, strings or numbers.
fn guessed(trace: &Trace) -> Vec<Datum> {
    let mut candidates: Vec<(Vec<Datum>, usize)> = Vec::new();
    for variable in 0..trace.variables.len() {
        let Some((arguments, weight)) = arguments(trace, variable) else { continue };
        match candidates.iter_mut().find(|(others, _)| *others == arguments) {
            Some((_, weights)) => *weights += weight,
            None => candidates.push((arguments, weight)),
        }
    }
    // The first of several that are as good.
    let best = candidates.into_iter().rev().max_by_key(|(_, weights)| *weights);
    best.filter(|(_, weights)| *weights >= WEIGHT_MIN).map_or_else(Vec::new, |(arguments, _)| arguments)
}

/// One function of model values is enough. What may also be a record or a sequence takes two.
const WEIGHT_MIN: usize = 2;

/// The arguments of a variable that may have one value for each process, and what that weighs.
fn arguments(trace: &Trace, variable: usize) -> Option<(Vec<Datum>, usize)> {
    let value = trace.states.first()?.values[variable].as_ref()?;
    let (arguments, weight): (Vec<Datum>, usize) = match value {
        Datum::Function(pairs) => (pairs.iter().map(|(argument, _)| argument.clone()).collect(), WEIGHT_MIN),
        Datum::Record(fields) => (fields.iter().map(|(name, _)| Datum::string(name.as_str())).collect(), 1),
        Datum::Seq(items) => {
            let has_len = |state: &State| matches!(&state.values[variable], Some(Datum::Seq(others)) if others.len() == items.len());
            let is_fixed = trace.states.iter().all(has_len);
            ((1..=items.len()).filter(|_| is_fixed).map(Datum::int).collect(), 1)
        }
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) => return None,
        Datum::Model(_) | Datum::Set(_) | Datum::Opaque(_) => return None,
    };
    let is_scalar = |argument: &Datum| match argument {
        Datum::Model(_) | Datum::Str(_) | Datum::Int(_) => true,
        Datum::Bool(_) | Datum::Seq(_) | Datum::Record(_) => false,
        Datum::Function(_) | Datum::Set(_) | Datum::Opaque(_) => false,
    };
    (arguments.len() >= 2 && arguments.iter().all(is_scalar)).then_some((arguments, weight))
}
