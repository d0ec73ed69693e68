//! Tests a derived monitor: behaviours of the specification, as one node sees them, must raise no alarm; and how many
//! changed ones do.

use trace::{Datum, Trace};

use crate::engine::{Monitor, Told};
use crate::input::{Body, Event, EventForm};
use crate::map::{Mapping, NetworkShape, Text};
use crate::slice::{Role, Slice};

/// Why behaviours cannot be turned into messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoMessages(pub String);

/// A way to change what was seen of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mutation {
    /// A field of an outgoing message has another value.
    Field,
    /// An outgoing message is seen twice.
    Repeated,
    /// An outgoing message is missing.
    Missing,
    /// An outgoing message is seen before what came before it.
    Early,
    /// A message that was received is missing.
    Unreceived,
}

impl Mutation {
    pub const ALL: [Mutation; 5] =
        [Mutation::Field, Mutation::Repeated, Mutation::Missing, Mutation::Early, Mutation::Unreceived];

    pub fn name(self) -> &'static str {
        match self {
            Mutation::Field => "a field changed",
            Mutation::Repeated => "a message sent twice",
            Mutation::Missing => "a message not sent",
            Mutation::Early => "a message sent too early",
            Mutation::Unreceived => "a message not received",
        }
    }
}

/// A message under way.
#[derive(Clone, Debug, PartialEq)]
struct Flight {
    from: Datum,
    to: Datum,
    message: Datum,
}

/// Turns behaviours into what a tap at one node would see.
pub struct Observer<'a> {
    slice: &'a Slice,
    mapping: &'a Mapping,
    /// The fields of a message that say who sends and who receives it, in sets and bags.
    fields: Option<(String, String)>,
}

impl<'a> Observer<'a> {
    pub fn new(slice: &'a Slice, mapping: &'a Mapping) -> Result<Observer<'a>, NoMessages> {
        let fields = match slice.shape {
            NetworkShape::Queues => None,
            NetworkShape::Set | NetworkShape::Bag => {
                Some((field(mapping.network.from.as_ref())?, field(mapping.network.to.as_ref())?))
            }
        };
        Ok(Observer { slice, mapping, fields })
    }

    /// Returns the events of a node in a behaviour.
    pub fn events(&self, trace: &Trace, node: &str) -> Vec<Event> {
        let mut events = Vec::new();
        // Messages that were seen to arrive, and are still there.
        let mut arrived: Vec<Flight> = Vec::new();
        for pair in trace.states.windows(2) {
            let [before, after] = pair else { continue };
            let Some(step) = &after.step else { continue };
            if self.slice.environment.contains(&step.name) {
                continue;
            }
            let parameters: Vec<&Datum> = step.parameters.iter().map(|binding| &binding.value).collect();
            let is_restart = self.mapping.restart.as_ref().is_some_and(|text| text.text == step.name);
            if is_restart && parameters.iter().any(|value| word(value).as_deref() == Some(node)) {
                push(&mut events, EventForm::Restart);
                arrived.clear();
                continue;
            }
            let flights = [before, after].map(|state| self.flights(trace, &state.values));
            let is_for = |flight: &&Flight| word(&flight.to).as_deref() == Some(node);
            let sent = difference(&flights[1], &flights[0]);
            if self.slice.sees_all() {
                // What is under way can be looked at, and no step says at what.
                for flight in sent.iter().filter(is_for) {
                    let (from, body) = (word(&flight.from), Body::Datum(flight.message.clone()));
                    push(&mut events, EventForm::In { from, connection: None, body });
                }
            }
            let gone = difference(&flights[0], &flights[1]);
            let is_changed = self.changes(trace, (&before.values, &after.values), node);
            // Two senders may have sent equal messages: the one that is gone, or that the step names, was handled.
            let named = flights[0]
                .iter()
                .filter(is_for)
                .filter(|flight| is_named(flight, &parameters))
                .min_by_key(|flight| (!gone.contains(flight), !parameters.contains(&&flight.from)));
            let taken = named.or_else(|| gone.iter().find(is_for));
            let taken = taken.filter(|_| !self.slice.sees_all());
            let answers = sent.iter().any(|flight| word(&flight.from).as_deref() == Some(node));
            let has_effect = |flight: &&Flight| is_changed || answers || gone.contains(flight);
            if let Some(flight) = taken.filter(has_effect) {
                let at = arrived.iter().position(|known| known == flight);
                if at.is_none() {
                    let (from, body) = (word(&flight.from), Body::Datum(flight.message.clone()));
                    push(&mut events, EventForm::In { from, connection: None, body });
                }
                match (at, gone.contains(flight)) {
                    (Some(at), true) => drop(arrived.remove(at)),
                    (None, false) => arrived.push(flight.clone()),
                    (Some(_), false) | (None, true) => {}
                }
            }
            for flight in sent {
                let is_own = word(&flight.from).as_deref() == Some(node);
                if is_own && word(&flight.to).as_deref() != Some(node) {
                    let (to, body) = (word(&flight.to), Body::Datum(flight.message));
                    push(&mut events, EventForm::Out { to, body });
                }
            }
        }
        events
    }

    fn value<'t>(&self, trace: &Trace, values: &'t [Option<Datum>], name: &str) -> Option<&'t Datum> {
        let at = trace.variables.iter().position(|variable| variable == name)?;
        values.get(at)?.as_ref()
    }

    /// Whether a variable of the node differs.
    fn changes(
        &self,
        trace: &Trace,
        (before, after): (&[Option<Datum>], &[Option<Datum>]),
        node: &str,
    ) -> bool {
        let own = self.slice.variables.iter().filter(|variable| variable.role == Role::PerNode);
        own.into_iter().any(|variable| {
            let at = |values| self.value(trace, values, &variable.name).and_then(|value| at_key(value, node));
            at(before) != at(after)
        })
    }

    /// Returns the messages that are under way in a state.
    fn flights(&self, trace: &Trace, values: &[Option<Datum>]) -> Vec<Flight> {
        let Some(network) = self.value(trace, values, self.slice.network()) else { return Vec::new() };
        let of = |message: &Datum| {
            let (from, to) = self.fields.as_ref()?;
            let (from, to) = (at_key(message, from)?, at_key(message, to)?);
            Some(Flight { from, to, message: message.clone() })
        };
        match (self.slice.shape, network) {
            (NetworkShape::Set, Datum::Set(messages)) => messages.iter().filter_map(of).collect(),
            (NetworkShape::Bag, bag) => entries(bag)
                .iter()
                .flat_map(|(message, count)| {
                    let n = match count {
                        Datum::Int(n) => usize::try_from(n).unwrap_or(0),
                        Datum::Bool(_) | Datum::Str(_) | Datum::Model(_) | Datum::Seq(_) => 0,
                        Datum::Record(_) | Datum::Function(_) | Datum::Set(_) | Datum::Opaque(_) => 0,
                    };
                    std::iter::repeat_n(of(message), n).flatten()
                })
                .collect(),
            (NetworkShape::Queues, rows) => {
                let mut all = Vec::new();
                for (from, row) in entries(rows) {
                    for (to, queue) in entries(&row) {
                        let flight = |(_, message)| Flight { from: from.clone(), to: to.clone(), message };
                        all.extend(entries(&queue).into_iter().map(flight));
                    }
                }
                all
            }
            (NetworkShape::Set, _) => Vec::new(),
        }
    }
}

/// Whether the parameters of a step have a message, or the record inside it.
fn is_named(flight: &Flight, parameters: &[&Datum]) -> bool {
    let is_body = |(_, part): &(Datum, Datum)| matches!(part, Datum::Record(_)) && parameters.contains(&part);
    parameters.contains(&&flight.message)
        || parameters.contains(&&flight.from) && entries(&flight.message).iter().any(is_body)
}

fn field(text: Option<&Text>) -> Result<String, NoMessages> {
    let name = text.and_then(|text| text.text.trim().strip_prefix("message."));
    let is_name = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    name.filter(is_name).map(ToOwned::to_owned).ok_or_else(|| {
        let shown = text.map_or("nothing", |text| text.text.as_str());
        NoMessages(format!("`from` and `to` of `[network]` are to be `message.FIELD`, and one is `{shown}`"))
    })
}

fn push(events: &mut Vec<Event>, kind: EventForm) {
    events.push(Event { number: events.len() as u64 + 1, kind });
}

/// Returns the arguments and values of a function, in any of its forms.
fn entries(datum: &Datum) -> Vec<(Datum, Datum)> {
    match datum {
        Datum::Function(pairs) => pairs.iter().cloned().collect(),
        Datum::Record(fields) => {
            fields.iter().map(|(name, value)| (Datum::string(name.clone()), value.clone())).collect()
        }
        Datum::Seq(items) => (1..).zip(items.iter()).map(|(n, item)| (Datum::int(n), item.clone())).collect(),
        Datum::Bool(_)
        | Datum::Int(_)
        | Datum::Str(_)
        | Datum::Model(_)
        | Datum::Set(_)
        | Datum::Opaque(_) => Vec::new(),
    }
}

fn at_key(datum: &Datum, key: &str) -> Option<Datum> {
    entries(datum).into_iter().find(|(known, _)| word(known).as_deref() == Some(key)).map(|(_, value)| value)
}

/// Returns the name of a node.
fn word(datum: &Datum) -> Option<String> {
    match datum {
        Datum::Str(text) | Datum::Model(text) => Some(text.clone()),
        Datum::Int(value) => Some(value.to_string()),
        Datum::Bool(_) | Datum::Seq(_) | Datum::Record(_) | Datum::Function(_) => None,
        Datum::Set(_) | Datum::Opaque(_) => None,
    }
}

/// Returns what one list has more often than another.
fn difference(one: &[Flight], other: &[Flight]) -> Vec<Flight> {
    let mut rest = other.to_vec();
    let mut more = Vec::new();
    for flight in one {
        match rest.iter().position(|known| known == flight) {
            Some(at) => drop(rest.remove(at)),
            None => more.push(flight.clone()),
        }
    }
    more
}

/// The first thing that a monitor says of events besides that they are fine.
pub fn judge(monitor: &mut Monitor<'_>, events: &[Event]) -> Option<Told> {
    let mut first = None;
    monitor.reset();
    monitor.watch(&mut events.iter().cloned(), &mut |_, told, _| match told {
        Told::Fine | Told::Joined => std::ops::ControlFlow::Continue(()),
        Told::Alarm(_) | Told::Undecided(_) => {
            first = Some(told);
            std::ops::ControlFlow::Break(())
        }
    });
    first
}

/// Random numbers that depend on a seed alone.
pub struct Dice(pub u64);

impl Dice {
    /// Returns a number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) % n.max(1) as u64) as usize
    }
}

/// Changes events at a random place; `None` if there is no place for it.
pub fn mutate(events: &[Event], mutation: Mutation, dice: &mut Dice) -> Option<Vec<Event>> {
    let is_out = |event: &Event| matches!(event.kind, EventForm::Out { .. });
    let is_in = |event: &Event| matches!(event.kind, EventForm::In { .. });
    let wanted = |event: &Event| if mutation == Mutation::Unreceived { is_in(event) } else { is_out(event) };
    let places: Vec<usize> = (0..events.len()).filter(|&at| wanted(&events[at])).collect();
    if places.is_empty() {
        return None;
    }
    let at = places[dice.below(places.len())];
    let mut changed = events.to_vec();
    match mutation {
        Mutation::Field => {
            let EventForm::Out { body: Body::Datum(message), .. } = &mut changed[at].kind else {
                return None;
            };
            *message = change_field(message, dice)?;
        }
        Mutation::Repeated => changed.insert(at, events[at].clone()),
        Mutation::Missing | Mutation::Unreceived => drop(changed.remove(at)),
        Mutation::Early if at > 0 => changed.swap(at - 1, at),
        Mutation::Early => return None,
    }
    Some(changed)
}

/// Changes a field of a record to another value of its kind.
fn change_field(message: &Datum, dice: &mut Dice) -> Option<Datum> {
    let Datum::Record(fields) = message else { return None };
    let mut fields: Vec<(String, Datum)> = fields.iter().cloned().collect();
    let places: Vec<usize> =
        (0..fields.len()).filter(|&at| other_value(&fields[at].1, dice).is_some()).collect();
    let &at = places.get(dice.below(places.len()))?;
    fields[at].1 = other_value(&fields[at].1, dice)?;
    Some(Datum::record(fields))
}

fn other_value(value: &Datum, dice: &mut Dice) -> Option<Datum> {
    match value {
        Datum::Bool(value) => Some(Datum::Bool(!value)),
        Datum::Int(value) => Some(Datum::Int(value + if dice.below(2) == 0 { 1 } else { 2 })),
        Datum::Seq(items) if !items.is_empty() => {
            let n = items.len() - 1;
            Some(Datum::seq(items.iter().take(n).cloned().collect::<Vec<_>>()))
        }
        Datum::Seq(_) | Datum::Str(_) | Datum::Model(_) | Datum::Record(_) | Datum::Function(_) => None,
        Datum::Set(_) | Datum::Opaque(_) => None,
    }
}
