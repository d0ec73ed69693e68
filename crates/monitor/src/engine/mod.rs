//! Checks what one process receives and sends against its slice of a specification.
//!
//! A [`Monitor`] keeps every state that the process may be in ([`sim`]). A received message is kept pending; when a message
//! leaves, [`search`] finds the states from which it can. Values live in a region; when that is full, the states are copied to
//! another one ([`epoch`]).

mod alarm;
pub mod closure;
mod epoch;
mod hash;
mod search;
mod sim;
mod steps;

use std::ops::ControlFlow;

use base::FxIndexMap;
use diag::{Diagnostic, Span};
use eval::interp::{ActionInstance, Fault, Flow, Machine, Shared, rule_instances};
use model::{Model, NoVerdict, Side};
use trace::Datum;
use validate::Valuer;
use value::{Atom, Atoms, Encoder, Ground, Value, ops};

pub use alarm::{Alarm, Missed, Nearest};
pub use search::Candidate;

use crate::conditions::{About, BoundTemplate, Condition, ConditionForm};
use crate::input::Event;
use crate::map::{Mapping, Text};
use crate::network::{self, Network};
use crate::run::MonitorRun;
use crate::slice::{FieldTest, MESSAGE, NODE, Role, Slice, SliceAction};
use epoch::Epoch;
use sim::{Packed, Sim, SimSet};

/// A region is left when it holds this much more than at its beginning.
const EPOCH_BYTES: usize = 8 << 20;

/// A region is left when so many messages were received in it.
const EPOCH_MESSAGES: usize = 1 << 13;

/// The inputs of a monitor besides the events.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub model: Model<'a>,
    pub shared: &'a Shared,
    pub run: &'a MonitorRun<'a>,
    pub slice: &'a Slice,
    pub mapping: &'a Mapping,
    /// The name of the node that is watched.
    pub node: &'a str,
    /// Whether the process already runs: its state is unknown.
    pub is_running: bool,
    /// Conditions under which messages are of no use. Those without proof are not used.
    pub conditions: &'a [Condition],
}

/// A condition as this program evaluates it.
struct UsedCondition {
    about: About,
    number: usize,
    form: UsedForm,
}

enum UsedForm {
    Asked(usize),
    Template(BoundTemplate),
}

impl UsedCondition {
    fn new((number, condition): (usize, &Condition), setting: &Setting<'_>) -> Option<UsedCondition> {
        if !condition.proof.is_enough() {
            return None;
        }
        let slice = setting.slice;
        let form = match (&condition.form, condition.about) {
            (ConditionForm::Written(at), About::Sent) => UsedForm::Asked(*slice.never.get(*at)?),
            (ConditionForm::Written(at), About::Received) => UsedForm::Asked(*slice.spent.get(*at)?),
            (ConditionForm::Written(at), About::AtOnce) => UsedForm::Asked(*slice.at_once.get(*at)?),
            (ConditionForm::Derived(template), _) => {
                UsedForm::Template(BoundTemplate::new(template, setting.model.program.atoms)?)
            }
        };
        Some(UsedCondition { about: condition.about, number, form })
    }
}

/// A test of messages as this program makes it: see [`crate::slice::FieldTest`].
struct BoundTest {
    field: Atom,
    values: Vec<Value<'static>>,
}

impl BoundTest {
    fn new(test: &FieldTest, atoms: &'static Atoms) -> BoundTest {
        let value = |text: &String| Value::atom(atoms.string(text).as_string());
        BoundTest {
            field: atoms.string(&test.field).as_string(),
            values: test.values.iter().map(value).collect(),
        }
    }
}

/// Counts of what was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub n_in: u64,
    pub n_out: u64,
    /// Messages that are none of the protocol.
    pub n_skipped: u64,
    /// Outgoing messages that were explained.
    pub n_explained: u64,
    /// Outgoing messages that could not be judged, because the state was unknown.
    pub n_unjudged: u64,
    pub n_alarms: u64,
    pub n_undecided: u64,
    /// States that searches looked at.
    pub n_explored: u64,
    /// States that the process may be in now, and the most at any time.
    pub n_states: usize,
    pub n_states_max: usize,
    /// The states after each outgoing message that was explained, added up; and the messages pending then.
    pub n_states_sum: u64,
    pub n_pending_sum: u64,
    /// Messages that may not have been handled, and the most at any time.
    pub n_pending: usize,
    pub n_pending_max: usize,
    /// Received messages that were handled in a state as they arrived, or were of no use there.
    pub n_at_once: u64,
}

/// The reason why nothing can be said about a message.
#[derive(Clone, Debug)]
pub enum Undecided {
    /// More states than the limit.
    States,
    /// More received messages than the limit may not have been handled.
    Pending,
    /// Something was lost, or the process was started again without a rule for that.
    Gap(String),
    /// An expression has no value.
    Fault(Box<Diagnostic>),
    /// A message that the specification cannot have.
    Message(String),
    /// No state explains the message, but some were given up before.
    Earlier,
}

/// The answer to one event.
#[derive(Clone, Debug)]
pub enum Told {
    Fine,
    /// The state of the process is known from here on.
    Joined,
    Alarm(Box<Alarm>),
    Undecided(Undecided),
}

/// Why a monitor cannot start.
#[derive(Debug)]
pub struct CannotStart(pub Box<Diagnostic>);

/// Checks one process.
// Over 20 fields: the slice as it is run, the tables made from it, and what is known of the process.
pub struct Monitor<'a> {
    setting: Setting<'a>,
    /// The name of the node that is watched.
    node: String,
    actions: Vec<ActionInstance<'a>>,
    valuer: Valuer,
    encoder: Encoder,
    /// The names of nodes, and their values as bytes.
    nodes: Vec<(String, Vec<u8>)>,
    /// The empty network as bytes.
    empty: Vec<u8>,
    network_at: usize,
    connections: FxIndexMap<String, u32>,
    packed: Packed,
    /// The states that the node can begin in.
    initial: Packed,
    /// The messages that are under way then: each with its sender, or TRUE, as bytes.
    first_messages: Vec<Vec<u8>>,
    /// For each action of the slice, the test that a message has to pass.
    tests: Vec<Option<BoundTest>>,
    /// The fields of a message that say who sends and who receives it, if the mapping names fields.
    from_field: Option<Atom>,
    to_field: Option<Atom>,
    /// The field that the first of these tests is about.
    kind_field: Option<Atom>,
    /// For kinds of messages, the action that sent the last one and did nothing else.
    favourites: Vec<(Option<Atom>, u32)>,
    /// The conditions that are used, in this program.
    conditions: Vec<UsedCondition>,
    /// Which of the setting's conditions decided something.
    has_fired: Vec<bool>,
    /// Whether the state is unknown.
    is_lost: bool,
    /// Whether states were given up that the process may be in.
    is_unsure: bool,
    /// The place of the network, for errors that have no other.
    nowhere: Span,
    pub stats: Stats,
}

impl<'a> Monitor<'a> {
    pub fn new(setting: Setting<'a>) -> Result<Monitor<'a>, CannotStart> {
        let mut monitor = Monitor::unprepared(setting);
        monitor.prepare()?;
        Ok(monitor)
    }

    /// Makes a monitor of another node.
    pub fn for_node(setting: Setting<'a>, node: &str) -> Result<Monitor<'a>, CannotStart> {
        let mut monitor = Monitor::unprepared(setting);
        monitor.node = node.to_owned();
        monitor.prepare()?;
        Ok(monitor)
    }

    /// Makes a monitor that knows nothing yet.
    fn unprepared(setting: Setting<'a>) -> Monitor<'a> {
        let Setting { model, slice, .. } = setting;
        let program = model.program;
        let name_at = |at: usize| program.variables.get(at).map(|&name| model.spec.names.text(name));
        let n_own = program.variables.len().saturating_sub(2);
        assert!(
            name_at(n_own) == Some(MESSAGE) && name_at(n_own + 1) == Some(NODE),
            "the slice is of this program"
        );
        let network_at = slice.variables.iter().position(|variable| variable.role == Role::Network);
        let test = |action: &SliceAction| Some(BoundTest::new(action.takes.as_ref()?, program.atoms));
        let tests: Vec<Option<BoundTest>> = slice.actions.iter().map(test).collect();
        let field = |text: &Option<Text>| {
            let name = text.as_ref()?.text.trim().strip_prefix("message.")?;
            let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            is_name.then(|| program.atoms.string(name).as_string())
        };
        Monitor {
            setting,
            node: setting.node.to_owned(),
            actions: rule_instances(program),
            valuer: Valuer::new(program.atoms, &slice.model_values),
            encoder: Encoder::new(),
            nodes: Vec::new(),
            empty: Vec::new(),
            network_at: network_at.unwrap_or_default(),
            connections: FxIndexMap::default(),
            packed: Packed::default(),
            initial: Packed::default(),
            first_messages: Vec::new(),
            from_field: field(&setting.mapping.network.from),
            to_field: field(&setting.mapping.network.to),
            kind_field: tests.iter().flatten().next().map(|test| test.field),
            tests,
            favourites: Vec::new(),
            has_fired: vec![false; setting.conditions.len()],
            conditions: setting
                .conditions
                .iter()
                .enumerate()
                .filter_map(|one| UsedCondition::new(one, &setting))
                .collect(),
            is_lost: setting.is_running,
            is_unsure: false,
            nowhere: program.asked[slice.nodes].span,
            stats: Stats::default(),
        }
    }

    /// Begins again, as if nothing had been seen.
    pub fn reset(&mut self) {
        self.is_lost = self.setting.is_running;
        self.is_unsure = false;
        self.packed = if self.is_lost { Packed::default() } else { self.initial.clone() };
        self.connections.clear();
    }

    /// Returns the names of the nodes.
    pub fn nodes(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().map(|(name, _)| name.as_str())
    }

    /// Watches until there are no more events, or `tell` ends it. The same monitor can go on with more events.
    pub fn watch(
        &mut self,
        events: &mut dyn Iterator<Item = Event>,
        tell: &mut dyn FnMut(&Event, Told, &Stats) -> ControlFlow<()>,
    ) {
        loop {
            let run = self.setting.run;
            let region = model::QuietRun::region(run);
            let mut epoch = Epoch::open(self, &region);
            let bytes_max = region.bytes_used() * 2 + EPOCH_BYTES;
            let is_over = loop {
                let Some(event) = events.next() else { break true };
                let told = epoch.event(&event);
                epoch.count();
                let stats = epoch.stats();
                if tell(&event, told, &stats).is_break() {
                    break true;
                }
                // Histories and lists of messages are not in the region.
                if region.bytes_used() > bytes_max || epoch.messages.len() > EPOCH_MESSAGES {
                    break false;
                }
            };
            epoch.close();
            if is_over {
                return;
            }
        }
    }

    /// Finds the nodes, the empty network and the initial states.
    fn prepare(&mut self) -> Result<(), CannotStart> {
        self.find_nodes()?;
        if !self.nodes.iter().any(|(name, _)| *name == self.node) {
            let names: Vec<&str> = self.nodes().collect();
            let headline = format!("there is no node `{}`: there are {}", self.node, names.join(", "));
            return Err(self.refuse(headline));
        }
        let Setting { model, shared, run, .. } = self.setting;
        let region = model::QuietRun::region(run);
        self.find_initial(&mut Machine::new(model.program, shared, &region, run))
    }

    fn find_nodes(&mut self) -> Result<(), CannotStart> {
        let Setting { model, shared, run, slice, .. } = self.setting;
        let early = |ended: model::Ended| CannotStart(Box::new(describe_early(ended)));
        model::prepare(model, shared, run).map_err(early)?;
        let region = model::QuietRun::region(run);
        let mut machine = Machine::new(model.program, shared, &region, run);
        let fault = |fault: Box<Fault>| CannotStart(Box::new(model::fault_diagnostic(model, &fault)));
        let root = model.program.asked[slice.nodes];
        machine.set_state(std::iter::repeat_n(Value::TRUE, model.program.variables.len()));
        let set = machine.eval_root(root).map_err(fault)?;
        let mut elements = Vec::new();
        let read = (|| {
            let mut all = ops::elements_normal(&mut machine, set)?;
            while let Some(element) = all.next(&mut machine)? {
                elements.push(Ground::new(&mut machine, element)?);
            }
            Ok::<(), Box<value::OpError>>(())
        })();
        read.map_err(|error| self.refuse(format!("the nodes cannot be listed: {error}")))?;
        for element in elements {
            let name = machine.show(element.value()).trim_matches('"').to_owned();
            let mut bytes = Vec::new();
            self.encoder.encode(element, &mut bytes);
            self.nodes.push((name, bytes));
        }
        Ok(())
    }

    fn refuse(&self, headline: String) -> CannotStart {
        CannotStart(Box::new(Diagnostic::new(diag::Code::MonitorMap, self.nowhere, headline)))
    }

    /// Finds the states that the node can begin in.
    fn find_initial(&mut self, machine: &mut Machine<'a, '_>) -> Result<(), CannotStart> {
        let Setting { model, slice, .. } = self.setting;
        let mut sims = SimSet::default();
        let mut empty = None;
        let mut flights: Vec<Ground<'_>> = Vec::new();
        let network_at = self.network_at;
        let own = slice.variables.len();
        let node = self.nodes.iter().find(|(name, _)| *name == self.node).map(|(_, bytes)| bytes.clone());
        let node = node.unwrap_or_default();
        let walked = machine.initial_states(&model.program.init, &mut |machine| {
            use eval::interp::At;
            let span = model.program.asked[slice.nodes].span;
            model::ground(machine, Side::Current).at(span)?;
            let mut values: Vec<Value<'_>> = machine.state()[..own].iter().copied().flatten().collect();
            let region = machine.region();
            let node = value::decode(region, &mut node.as_slice()).expect("these bytes were written here");
            for (message, from) in
                Network::flights_to(machine, (slice.shape, values[network_at]), node).at(span)?
            {
                flights.push(Ground::new(machine, message).at(span)?);
                flights.push(match from {
                    Some(from) => Ground::new(machine, from).at(span)?,
                    None => Ground::opt(Value::TRUE).expect("a truth value is explicit"),
                });
            }
            let network = Network::emptied(machine, slice.shape, values[network_at]).at(span)?;
            let network = Ground::new(machine, network).at(span)?.value();
            values[network_at] = network;
            empty = Some(network);
            for (at, variable) in slice.variables.iter().enumerate() {
                if variable.role == Role::PerNode {
                    // The values of other nodes are never read: those of the node itself stand there.
                    let own = ops::apply(machine, values[at], node).at(span)?;
                    let same = network::map(machine, values[at], &mut |_, _| Ok(own)).at(span)?;
                    values[at] = Ground::new(machine, same).at(span)?.value();
                }
            }
            sims.add(machine, Sim::new(values.into(), [].into()));
            Ok(Flow::Continue)
        });
        walked.map_err(|fault| CannotStart(Box::new(model::fault_diagnostic(model, &fault))))?;
        let Some(empty) = empty else {
            return Err(self.refuse("no state satisfies the initial predicate".to_owned()));
        };
        for pair in flights.chunks(2) {
            let mut bytes = Vec::new();
            pair.iter().for_each(|&part| self.encoder.encode(part, &mut bytes));
            if !self.first_messages.contains(&bytes) {
                self.first_messages.push(bytes);
            }
        }
        let empty = Ground::opt(empty).expect("made explicit above");
        self.encoder.encode(empty, &mut self.empty);
        self.initial = Packed::pack(&mut self.encoder, &sims.sims, &[]);
        self.reset();
        Ok(())
    }
}

/// Returns the names of the nodes of a specification.
pub fn node_names(setting: Setting<'_>) -> Result<Vec<String>, CannotStart> {
    let mut monitor = Monitor::unprepared(setting);
    monitor.find_nodes()?;
    Ok(monitor.nodes().map(ToOwned::to_owned).collect())
}

/// Describes why a specification ends before its first state.
pub fn describe_early(ended: model::Ended) -> Diagnostic {
    let told = match ended.outcome() {
        Ok(model::Verdict::Violated(violation)) => Some(violation.diagnostic),
        Ok(model::Verdict::Holds) => None,
        Err(NoVerdict::Undefined { error, .. } | NoVerdict::Unsupported(error)) => Some(*error),
        Err(NoVerdict::NoInitialState(error) | NoVerdict::Disk(error) | NoVerdict::Checkpoint(error)) => {
            Some(*error)
        }
        Err(NoVerdict::Assertion { .. } | NoVerdict::Incomplete { .. }) => None,
        Err(NoVerdict::Limit(_) | NoVerdict::Interrupted) => None,
    };
    told.unwrap_or_else(|| {
        Diagnostic::without_place(diag::Code::MonitorMap, "the specification ends before there is a state")
    })
}

/// Returns the fields of two messages that differ.
pub fn differing_fields(one: &Datum, other: &Datum) -> Vec<String> {
    match (one, other) {
        (Datum::Record(left), Datum::Record(right)) => {
            let differs = |(name, value): &&(String, Datum)| {
                right.iter().find(|(known, _)| known == name).is_none_or(|(_, known)| known != value)
            };
            let more = right.iter().filter(|(name, _)| !left.iter().any(|(known, _)| known == name));
            let names = left.iter().filter(differs).map(|(name, _)| name.clone());
            names.chain(more.map(|(name, _)| name.clone())).collect()
        }
        _ if one == other => Vec::new(),
        _ => vec!["the whole message".to_owned()],
    }
}
