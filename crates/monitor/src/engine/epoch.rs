//! A monitor while it works in one region: what each event does to the states.

use std::rc::Rc;

use eval::interp::{At, Evaluated, Fault, Machine};
use value::{Ground, Region, Value, decode};

use super::search::Target;
use super::sim::{Packed, Pending, Received, Sim};
use super::steps::KeptOutcomes;
use super::{Monitor, Stats, Told, Undecided};
use crate::conditions::{About, field_of};
use crate::input::{Body, Event, EventForm};
use crate::map::InputOrder;
use crate::network::{Network, are_equal};
use crate::slice::EventKind;

/// The most states in which a process that already runs may be with different messages handled.
const JOINED_LEN_MAX: usize = 1_000;

/// The most equal messages that are counted one by one where any may be handled before any other.
const COPIES_LEN_MAX: usize = 4;

/// The name of the connection of messages that count as those of one. A tap gives no connection this name.
const TOGETHER: &str = "(together)";

pub(super) struct Epoch<'m, 'a, 'r> {
    pub monitor: &'m mut Monitor<'a>,
    pub machine: Machine<'a, 'r>,
    region: &'r Region,
    pub network: Network<'r>,
    nodes: Vec<(String, Value<'r>)>,
    pub sims: Vec<Sim<'r>>,
    pub messages: Vec<Received<'r>>,
    pub kept: KeptOutcomes<'r>,
    /// Those that depend on the message that is to be explained as well.
    pub kept_for_target: KeptOutcomes<'r>,
}

/// A message that was read.
enum ReadMessage<'r> {
    /// It is none of the protocol.
    Skipped,
    Value(Value<'r>),
    Wrong(String),
}

impl<'m, 'a, 'r> Epoch<'m, 'a, 'r> {
    pub fn open(monitor: &'m mut Monitor<'a>, region: &'r Region) -> Self {
        let setting = monitor.setting;
        let machine = Machine::new(setting.model.program, setting.shared, region, setting.run);
        let read = |bytes: &[u8]| decode(region, &mut { bytes }).expect("these bytes were written here");
        let nodes: Vec<(String, Value<'r>)> =
            monitor.nodes.iter().map(|(name, bytes)| (name.clone(), read(bytes))).collect();
        let node =
            nodes.iter().find(|(name, _)| *name == monitor.node).map_or(Value::TRUE, |(_, node)| *node);
        let network = Network { shape: setting.slice.shape, empty: read(&monitor.empty), node };
        let (mut sims, messages) = monitor.packed.unpack(region, setting.slice.variables.len());
        for sim in &mut sims {
            // The empty network is one value, so that it is recognised quickly.
            let at = monitor.network_at;
            sim.values = sim
                .values
                .iter()
                .enumerate()
                .map(|(index, &value)| if index == at { network.empty } else { value })
                .collect();
        }
        let (kept, kept_for_target) = Default::default();
        Epoch { monitor, machine, region, network, nodes, sims, messages, kept, kept_for_target }
    }

    pub fn close(self) {
        let packed = Packed::pack(&mut self.monitor.encoder, &self.sims, &self.messages);
        self.monitor.packed = packed;
    }

    pub fn stats(&self) -> Stats {
        self.monitor.stats
    }

    /// Counts the states and messages that there are now.
    pub fn count(&mut self) {
        let stats = &mut self.monitor.stats;
        stats.n_states = if self.monitor.is_lost { 0 } else { self.sims.len() };
        stats.n_states_max = stats.n_states_max.max(stats.n_states);
        stats.n_pending = self.sims.iter().map(|sim| sim.pending.len()).max().unwrap_or(0);
        stats.n_pending_max = stats.n_pending_max.max(stats.n_pending);
    }

    pub fn event(&mut self, event: &Event) -> Told {
        let told = match &event.kind {
            EventForm::In { from, connection, body } => {
                self.monitor.stats.n_in += 1;
                self.incoming((from.as_deref(), connection.as_deref()), body, event.number)
            }
            EventForm::Out { to, body } => {
                self.monitor.stats.n_out += 1;
                self.outgoing(to.as_deref(), body, event.number)
            }
            EventForm::Restart => self.restart(),
            EventForm::Gap { why } => {
                let why = why.clone().unwrap_or_else(|| "something was lost".to_owned());
                Ok(self.lose(Undecided::Gap(why)))
            }
        };
        told.unwrap_or_else(|fault| {
            let told = model::fault_diagnostic(self.monitor.setting.model, &fault);
            self.lose(Undecided::Fault(Box::new(told)))
        })
    }

    /// Forgets the state.
    fn lose(&mut self, why: Undecided) -> Told {
        self.monitor.stats.n_undecided += 1;
        self.monitor.is_lost = true;
        self.monitor.is_unsure = false;
        self.sims.clear();
        Told::Undecided(why)
    }

    /// Evaluates an expression of the mapping about a message.
    pub fn ask(&mut self, asked: usize, message: Value<'r>) -> Evaluated<Value<'r>> {
        let root = self.monitor.setting.model.program.asked[asked];
        let n_own = self.monitor.setting.slice.variables.len();
        let nothing = std::iter::repeat_n(Value::TRUE, n_own);
        self.machine.set_state(nothing.chain([message, self.network.node]));
        let value = self.machine.eval_root(root)?;
        Ok(Ground::new(&mut self.machine, value).at(root.span)?.value())
    }

    /// Returns who sent a message, as the mapping says it.
    fn ask_sender(&mut self, asked: usize, message: Value<'r>) -> Evaluated<Value<'r>> {
        match self.monitor.from_field.and_then(|field| field_of(message, field)) {
            Some(value) => Ok(value),
            None => self.ask(asked, message),
        }
    }

    /// Returns who receives a message, as the mapping says it.
    pub fn ask_receiver(&mut self, asked: usize, message: Value<'r>) -> Evaluated<Value<'r>> {
        match self.monitor.to_field.and_then(|field| field_of(message, field)) {
            Some(value) => Ok(value),
            None => self.ask(asked, message),
        }
    }

    fn read(&mut self, body: &Body) -> Evaluated<ReadMessage<'r>> {
        let slice = self.monitor.setting.slice;
        let raw = match body {
            Body::Json(json) => match self.monitor.valuer.value(self.region, json) {
                Ok(value) => value,
                Err(why) => return Ok(ReadMessage::Wrong(why)),
            },
            Body::Datum(datum) => {
                let atoms = self.monitor.setting.model.program.atoms;
                let owned = model::to_owned_value(atoms, datum);
                let value = owned.and_then(|owned| owned.to_value(&mut self.machine, atoms).ok());
                let ground = value.and_then(|value| Ground::new(&mut self.machine, value).ok());
                return Ok(match ground {
                    Some(value) => ReadMessage::Value(value.value()),
                    None => ReadMessage::Wrong("this is no value of TLA+".to_owned()),
                });
            }
        };
        if let Some(only) = slice.only
            && !self.ask(only, raw)?.is_same(Value::TRUE)
        {
            return Ok(ReadMessage::Skipped);
        }
        match slice.value {
            Some(value) => self.ask(value, raw).map(ReadMessage::Value),
            None => match Ground::new(&mut self.machine, raw) {
                Ok(value) => Ok(ReadMessage::Value(value.value())),
                Err(error) => Ok(ReadMessage::Wrong(error.to_string())),
            },
        }
    }

    fn node(&self, name: &str) -> Option<Value<'r>> {
        self.nodes.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// Notes that a message could not be read: what it did to the process is unknown.
    fn doubt(&mut self, why: String) -> Told {
        self.monitor.is_unsure = true;
        self.monitor.stats.n_undecided += 1;
        Told::Undecided(Undecided::Message(why))
    }

    fn incoming(
        &mut self,
        (from, connection): (Option<&str>, Option<&str>),
        body: &Body,
        number: u64,
    ) -> Evaluated<Told> {
        let value = match self.read(body)? {
            ReadMessage::Value(value) => value,
            ReadMessage::Skipped => {
                self.monitor.stats.n_skipped += 1;
                return Ok(Told::Fine);
            }
            ReadMessage::Wrong(why) => return Ok(self.doubt(why)),
        };
        let sender = match (from, self.monitor.setting.slice.from) {
            (Some(name), asked) => match (self.node(name), asked) {
                (Some(node), _) => Some(node),
                // A client, say: the message has its name.
                (None, Some(asked)) => Some(self.ask_sender(asked, value)?),
                (None, None) => return Ok(self.doubt(format!("there is no node `{name}`"))),
            },
            (None, Some(asked)) => Some(self.ask_sender(asked, value)?),
            (None, None) => return Ok(self.doubt("the message does not say who sent it".to_owned())),
        };
        let is_together = match self.monitor.setting.slice.together {
            Some(together) => self.ask(together, value)?.is_same(Value::TRUE),
            None => false,
        };
        let name = match (connection, sender) {
            _ if is_together => TOGETHER.to_owned(),
            (Some(name), _) => name.to_owned(),
            (None, Some(sender)) => self.node_name(sender),
            (None, None) => String::new(),
        };
        let n_known = self.monitor.connections.len() as u32;
        let connection = *self.monitor.connections.entry(name).or_insert(n_known);
        let message = self.messages.len() as u32;
        self.messages.push(Received { value, from: sender, connection, number });
        self.add_pending(Pending::Message(message))
    }

    /// Whether a message that arrives is of no use in a state, now and later.
    fn is_spent(&mut self, sim: &Sim<'r>, pending: Pending) -> Evaluated<bool> {
        match pending.message() {
            Some(number) if !sim.has_restart() => {
                let message = self.messages[number as usize].value;
                self.some_condition_holds(About::Received, &sim.values, message)
            }
            Some(_) | None => Ok(false),
        }
    }

    /// Where messages are handled in any order: the places of those that are equal to one that arrives.
    fn equal_places(&mut self, sim: &Sim<'r>, pending: Pending) -> Vec<usize> {
        let is_any = self.monitor.setting.mapping.input_order == InputOrder::Any;
        let Some(number) = pending.message().filter(|_| is_any) else { return Vec::new() };
        let own = self.messages[number as usize];
        let end = sim.pending.iter().rposition(|pending| *pending == Pending::Restart);
        let first = end.map_or(0, |at| at + 1);
        let mut places = Vec::new();
        for (at, other) in sim.pending.iter().enumerate().skip(first) {
            let Some(number) = other.message() else { continue };
            let other = self.messages[number as usize];
            let is_same_sender = match (own.from, other.from) {
                (Some(one), Some(two)) => are_equal(&mut self.machine, one, two),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            };
            if is_same_sender && are_equal(&mut self.machine, own.value, other.value) {
                places.push(at);
            }
        }
        places
    }

    fn add_pending(&mut self, pending: Pending) -> Evaluated<Told> {
        if self.monitor.is_lost {
            self.wait(pending);
            return Ok(Told::Fine);
        }
        let pending_max = self.monitor.setting.mapping.limits.pending_max;
        let mut sims = std::mem::take(&mut self.sims);
        let mut is_full = false;
        for sim in &mut sims {
            if self.is_spent(sim, pending)? {
                self.monitor.stats.n_at_once += 1;
                continue;
            }
            let equal = self.equal_places(sim, pending);
            if let Some(&last) = equal.last()
                && equal.len() >= COPIES_LEN_MAX
            {
                let mut kept = sim.pending.to_vec();
                if let Some(number) = kept[last].message() {
                    kept[last] = Pending::Repeated(number);
                }
                sim.pending = kept.into();
                continue;
            }
            let drops = sim.pending.len() >= pending_max;
            is_full |= drops;
            let kept = sim.pending.iter().copied().skip(usize::from(drops));
            sim.pending = kept.chain([pending]).collect();
            *sim = self.handle_at_once(sim.clone())?;
        }
        self.sims = sims;
        if is_full && !self.monitor.is_unsure {
            self.monitor.is_unsure = true;
            self.monitor.stats.n_undecided += 1;
            return Ok(Told::Undecided(Undecided::Pending));
        }
        Ok(Told::Fine)
    }

    /// Keeps what was received while the state is unknown, in a simulation state without values.
    fn wait(&mut self, pending: Pending) {
        let before = self.sims.first().map_or_else(|| Rc::from([]), |sim| sim.pending.clone());
        let drops = before.len() >= self.monitor.setting.mapping.limits.pending_max;
        let pending = before.iter().copied().skip(usize::from(drops)).chain([pending]).collect();
        self.sims = vec![Sim::new(self.no_values(), pending)];
    }

    fn no_values(&self) -> Rc<[Value<'r>]> {
        let n_own = self.monitor.setting.slice.variables.len();
        let value = |at| if at == self.monitor.network_at { self.network.empty } else { Value::TRUE };
        (0..n_own).map(value).collect()
    }

    fn restart(&mut self) -> Evaluated<Told> {
        let has_rule =
            self.monitor.setting.slice.actions.iter().any(|action| action.kind == EventKind::Restart);
        if self.monitor.is_lost {
            self.sims.clear();
            return Ok(Told::Fine);
        }
        if !has_rule {
            let why =
                "the process was started again, and `restart` of the mapping names no action".to_owned();
            return Ok(self.lose(Undecided::Gap(why)));
        }
        self.add_pending(Pending::Restart)
    }

    fn outgoing(&mut self, to: Option<&str>, body: &Body, number: u64) -> Evaluated<Told> {
        let value = match self.read(body)? {
            ReadMessage::Value(value) => value,
            ReadMessage::Skipped => {
                self.monitor.stats.n_skipped += 1;
                return Ok(Told::Fine);
            }
            ReadMessage::Wrong(why) => return Ok(self.doubt(why)),
        };
        let receiver = match (to, self.monitor.setting.slice.to) {
            (Some(name), asked) => match (self.node(name), asked) {
                (Some(node), _) => Some(node),
                (None, Some(asked)) => Some(self.ask_receiver(asked, value)?),
                (None, None) => return Ok(self.doubt(format!("there is no node `{name}`"))),
            },
            (None, Some(asked)) => Some(self.ask_receiver(asked, value)?),
            (None, None) => None,
        };
        let target = Target { value, to: receiver, number };
        if self.monitor.is_lost {
            return self.join(&target);
        }
        let explained = self.explain(&target, false)?;
        if explained.goals.sims.is_empty() {
            if explained.is_cut {
                return Ok(self.lose(Undecided::States));
            }
            if self.monitor.is_unsure {
                return Ok(self.lose(Undecided::Earlier));
            }
            let receiver = receiver.map(|to| self.node_name(to));
            let candidates = self.explain(&target, true)?.candidates;
            let alarm = self.describe_alarm(&target, receiver, candidates);
            self.monitor.stats.n_alarms += 1;
            self.monitor.is_lost = true;
            self.sims.clear();
            return Ok(Told::Alarm(Box::new(alarm)));
        }
        self.sims = explained.goals.sims;
        let stats = &mut self.monitor.stats;
        stats.n_explained += 1;
        stats.n_states_sum += self.sims.len() as u64;
        stats.n_pending_sum += self.sims.iter().map(|sim| sim.pending.len()).max().unwrap_or(0) as u64;
        if explained.is_cut && !self.monitor.is_unsure {
            self.monitor.is_unsure = true;
            self.monitor.stats.n_undecided += 1;
            return Ok(Told::Undecided(Undecided::States));
        }
        Ok(Told::Fine)
    }

    /// Finds the states of a process that already runs from a message that it sends.
    fn join(&mut self, target: &Target<'r>) -> Evaluated<Told> {
        self.monitor.stats.n_unjudged += 1;
        let Some(join) = self.monitor.setting.slice.join.clone() else { return Ok(Told::Fine) };
        if let Some(when) = join.when
            && !self.ask(when, target.value)?.is_same(Value::TRUE)
        {
            return Ok(Told::Fine);
        }
        let values = self.no_values();
        let states = self.take_values(&values, join.rule, target.value)?;
        if states.is_empty() {
            return Ok(Told::Fine);
        }
        let received = self.sims.first().map_or_else(|| Rc::from([]), |sim| sim.pending.clone());
        let (handled, is_cut) = self.handled_choices(&received, states.len());
        self.sims = states
            .iter()
            .flat_map(|values| handled.iter().map(|pending| Sim::new(values.clone(), pending.clone())))
            .collect();
        self.monitor.is_lost = false;
        self.monitor.is_unsure = is_cut;
        Ok(Told::Joined)
    }

    /// Returns what may be left of received messages, of which nobody knows how many were handled; and whether there
    /// were too many to consider all.
    fn handled_choices(&self, received: &Rc<[Pending]>, n_states: usize) -> (Vec<Rc<[Pending]>>, bool) {
        if self.monitor.setting.mapping.input_order == InputOrder::Any {
            return (vec![received.clone()], false);
        }
        let connection = |pending: &Pending| match pending.message() {
            Some(number) => self.messages[number as usize].connection,
            None => u32::MAX,
        };
        let mut all: Vec<Rc<[Pending]>> = vec![received.clone()];
        let mut at = 0;
        while at < all.len() {
            if all.len() * n_states > JOINED_LEN_MAX {
                return (vec![Rc::from([])], true);
            }
            let here = all[at].clone();
            let mut seen = Vec::new();
            for (index, pending) in here.iter().enumerate() {
                if seen.contains(&connection(pending)) {
                    continue;
                }
                seen.push(connection(pending));
                let rest: Rc<[Pending]> = here
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != index)
                    .map(|(_, kept)| *kept)
                    .collect();
                if !all.contains(&rest) {
                    all.push(rest);
                }
            }
            at += 1;
        }
        (all, false)
    }

    /// Takes a rule that leads to states from anywhere.
    fn take_values(
        &mut self,
        values: &Rc<[Value<'r>]>,
        rule: usize,
        message: Value<'r>,
    ) -> Result<Vec<Rc<[Value<'r>]>>, Box<Fault>> {
        let made = self.take_made(values, rule, (self.network.empty, message))?;
        let mut states: Vec<Rc<[Value<'r>]>> = Vec::new();
        for (state, _) in made {
            let machine = &mut self.machine;
            let is_known = states
                .iter()
                .any(|known| known.iter().zip(state.iter()).all(|(&one, &two)| are_equal(machine, one, two)));
            if !is_known {
                states.push(state);
            }
        }
        Ok(states)
    }
}
