//! Converts a trace to lanes, one for each process, with messages between them.
//!
//! [`Wishes`] say what is a process and what is a message; otherwise this is guessed from the shapes of values. A guess
//! only decides what is drawn. Not here: drawing, which `forms` and the page do.

mod forms;
mod guess;
mod hint;
mod life;
mod roles;

use std::collections::BTreeMap;

pub use forms::{mermaid, plantuml, shiviz};
pub use hint::{Hint, hint};
pub(crate) use life::part_of;
pub use life::{Life, Span, Track};
pub use roles::Wishes;
use roles::{InNetwork, Roles};

use crate::{Datum, PathStep, State, Step, Trace, diff_states};

/// A trace as lanes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    /// The names of the processes.
    pub lanes: Vec<String>,
    /// For each state of the trace, the lane in which the step to it was done, if it was done in one.
    pub lane_of_state: Vec<Option<usize>>,
    pub messages: Vec<Message>,
    /// Whether it is known which variables hold messages.
    pub has_network: bool,
    pub life: Life,
}

/// A message, from the state where it appears to the state where it is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub label: String,
    pub from: Option<usize>,
    pub to: Option<usize>,
    /// The index of the first state that has it.
    pub sent: usize,
    /// The indices of the states in which it has been taken. A message that stays in the network may be taken often.
    pub taken: Vec<usize>,
    /// The index of the state in which it is gone without having been taken.
    pub lost: Option<usize>,
}

impl Diagram {
    /// Creates the diagram; `None` if there is nothing to draw because no processes are known.
    pub fn new(trace: &Trace, wishes: &Wishes) -> Option<Diagram> {
        let roles = Roles::new(trace, wishes)?;
        let lanes = roles.processes.iter().map(name_of).collect();
        let mut draft =
            Draft { diagram: Diagram { lanes, ..Diagram::default() }, roles, pending: BTreeMap::new() };
        for index in 0..trace.states.len() {
            draft.add_state(trace, index);
        }
        let Draft { mut diagram, roles, .. } = draft;
        diagram.has_network = roles.has_network();
        diagram.life = Life::new(trace, &roles.processes, &diagram.lane_of_state);
        Some(diagram)
    }
}

/// Returns the name of a process, without quotes.
fn name_of(process: &Datum) -> String {
    match process {
        Datum::Str(text) => text.clone(),
        Datum::Bool(_) | Datum::Int(_) | Datum::Model(_) | Datum::Seq(_) => process.to_string(),
        Datum::Record(_) | Datum::Function(_) | Datum::Set(_) | Datum::Opaque(_) => process.to_string(),
    }
}

struct Draft {
    diagram: Diagram,
    roles: Roles,
    /// The messages in the network by their texts, as indices into `messages`.
    pending: BTreeMap<String, Vec<usize>>,
}

impl Draft {
    fn add_state(&mut self, trace: &Trace, index: usize) {
        let state = &trace.states[index];
        let step = state.step.as_ref();
        let before = index.checked_sub(1).map(|before| &trace.states[before]);
        let named = step.and_then(|step| self.find_named(step));
        let changed = before.and_then(|before| self.find_changed(before, state));
        let asked = step.and_then(|step| self.find_receiver(step));
        let is_silent = before.is_some_and(|before| self.roles.is_same_network(before, state));
        let now = (!is_silent).then(|| self.roles.messages_in(state));
        let taker = step.zip(now.as_ref()).and_then(|(step, now)| self.find_taker(step, now));
        let lane = taker.or(named).or(asked).or(changed).filter(|_| before.is_some());
        self.diagram.lane_of_state.push(lane);
        if let Some(now) = now {
            let is_loss = step.is_some_and(|step| life::loses_messages(&step.name));
            self.add_messages(now, (index, lane), is_loss);
        }
        if let Some(step) = step {
            self.take_named(step, index);
        }
    }

    /// Returns the first parameter that is a process.
    fn find_named(&self, step: &Step) -> Option<usize> {
        step.parameters.iter().find_map(|parameter| self.roles.lane(&parameter.value))
    }

    /// Returns the process that takes a message out of the network if the step names the sender first: `Receive(src,
    /// dst)`. If the name of the action says that it loses messages, there is none.
    fn find_taker(&self, step: &Step, now: &InNetwork) -> Option<usize> {
        let mut named = step.parameters.iter().filter_map(|parameter| self.roles.lane(&parameter.value));
        let first = named.next()?;
        let others: Vec<usize> = named.collect();
        if others.is_empty() || life::loses_messages(&step.name) {
            return None;
        }
        let gone = self
            .pending
            .iter()
            .filter(|(text, numbers)| numbers.len() > now.get(text.as_str()).map_or(0, |(_, count)| *count));
        let mut gone =
            gone.filter_map(|(_, numbers)| numbers.first()).map(|&number| &self.diagram.messages[number]);
        let taken = gone.find(|message| {
            message.from == Some(first) && message.to.is_some_and(|to| others.contains(&to))
        })?;
        taken.to
    }

    /// Returns the receiver of a message that is a parameter.
    fn find_receiver(&self, step: &Step) -> Option<usize> {
        step.parameters.iter().find_map(|parameter| self.roles.receiver(&parameter.value))
    }

    /// Returns the only process of which something changed.
    fn find_changed(&self, before: &State, state: &State) -> Option<usize> {
        let changes = diff_states(before, state);
        let first = |path: &[PathStep<'_>]| match path.first()? {
            PathStep::Argument(argument) => self.roles.lane(argument),
            PathStep::Field(name) => self.roles.lane(&Datum::string(*name)),
            PathStep::Position(position) => self.roles.lane(&Datum::int(*position)),
        };
        let others = changes.iter().filter(|change| !self.roles.is_network(change.variable));
        let mut lanes = others.flat_map(|change| &change.changes).filter_map(|change| first(&change.path));
        let lane = lanes.next()?;
        lanes.all(|other| other == lane).then_some(lane)
    }

    /// Adds the messages of a state. A message that is new in the network was sent. One that is gone was taken, or lost
    /// if the step was not its receiver's or its name says so.
    fn add_messages(&mut self, mut now: InNetwork, (index, lane): (usize, Option<usize>), is_loss: bool) {
        for (text, numbers) in &mut self.pending {
            let n_left = now.get(text).map_or(0, |(_, count)| *count);
            while numbers.len() > n_left {
                let message = &mut self.diagram.messages[numbers.remove(0)];
                let is_taken = !is_loss && (message.to.is_none() || message.to == lane);
                if is_taken { message.taken.push(index) } else { message.lost = Some(index) }
            }
            if let Some((_, count)) = now.get_mut(text) {
                *count -= numbers.len();
            }
        }
        for (text, (sent, count)) in now {
            for _ in 0..count {
                self.pending.entry(text.clone()).or_default().push(self.diagram.messages.len());
                let from = sent.from.or(lane.filter(|_| sent.to != lane));
                self.diagram.messages.push(Message {
                    label: sent.label.clone(),
                    from,
                    to: sent.to,
                    sent: index,
                    taken: Vec::new(),
                    lost: None,
                });
            }
        }
    }

    /// Notes that a message which is a parameter of the step and stays in the network has been taken as well.
    fn take_named(&mut self, step: &Step, index: usize) {
        for parameter in &step.parameters {
            let numbers = self.pending.get(&parameter.value.to_string()).into_iter().flatten();
            for &number in numbers {
                let message = &mut self.diagram.messages[number];
                if message.sent < index && !message.taken.contains(&index) {
                    message.taken.push(index);
                }
            }
        }
    }
}
