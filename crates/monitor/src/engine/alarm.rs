//! An alarm: a message that no state of the process explains, and what the specification has in its place.

use trace::Datum;
use value::{Value, ops};

use super::differing_fields;
use super::epoch::Epoch;
use super::search::{Candidate, Target};
use super::sim::Sim;
use crate::slice::Role;

/// The most actions whose first false conjunct is told.
const MISSES_LEN_MAX: usize = 8;

/// A message that the specification allows, and that is most like the one that was sent.
#[derive(Clone, Debug)]
pub struct Nearest {
    pub action: String,
    pub message: Datum,
    /// The fields that differ.
    pub fields: Vec<String>,
}

/// An action that could not be taken, and why.
#[derive(Clone, Debug)]
pub struct Missed {
    pub action: String,
    /// The conjunct that is FALSE, as it is written.
    pub condition: String,
    pub place: Option<trace::Place>,
}

/// A step that explains what came before.
#[derive(Clone, Debug)]
pub struct ExplainedStep {
    pub action: Option<String>,
    /// The numbers of the events of messages that were received and sent.
    pub received: Option<u64>,
    pub sent: Option<u64>,
}

/// A message that the process cannot have sent, by its specification.
#[derive(Clone, Debug)]
pub struct Alarm {
    /// The number of its event.
    pub number: u64,
    pub message: Datum,
    pub to: Option<String>,
    /// Number of states that the process may have been in.
    pub n_states: usize,
    /// One of them: the variables of the node.
    pub state: Vec<(String, Datum)>,
    /// Received messages that may not have been handled there.
    pub pending: Vec<(u64, Datum)>,
    /// The last steps that explain what was seen before, oldest first.
    pub history: Vec<ExplainedStep>,
    pub nearest: Vec<Nearest>,
    pub missed: Vec<Missed>,
    /// The conditions that decided something before it, and that it relies on.
    pub relies_on: Vec<String>,
}

impl<'r> Epoch<'_, '_, 'r> {
    pub(super) fn describe_alarm(
        &mut self,
        target: &Target<'r>,
        to: Option<String>,
        candidates: Vec<Candidate>,
    ) -> Alarm {
        let message = model::datum(target.value);
        let sim = self.sims.first().cloned();
        let (state, pending, history, missed) = match &sim {
            Some(sim) => (
                self.show_state(sim),
                self.show_pending(sim),
                self.show_history(sim),
                self.find_misses(sim, target),
            ),
            None => (Vec::new(), Vec::new(), Vec::new(), Vec::new()),
        };
        Alarm {
            number: target.number,
            nearest: self.find_nearest(&message, candidates),
            message,
            to,
            n_states: self.sims.len(),
            state,
            pending,
            history,
            missed,
            relies_on: self.fired(),
        }
    }

    fn fired(&self) -> Vec<String> {
        let conditions = self.monitor.setting.conditions.iter().zip(&self.monitor.has_fired);
        conditions.filter(|(_, fired)| **fired).map(|(condition, _)| condition.text.clone()).collect()
    }

    fn show_state(&mut self, sim: &Sim<'r>) -> Vec<(String, Datum)> {
        let mut all = Vec::new();
        for (at, variable) in self.monitor.setting.slice.variables.iter().enumerate() {
            if variable.role == Role::PerNode
                && let Ok(value) = ops::apply(&mut self.machine, sim.values[at], self.network.node)
            {
                all.push((variable.name.clone(), model::datum(value)));
            }
        }
        all
    }

    fn show_pending(&self, sim: &Sim<'r>) -> Vec<(u64, Datum)> {
        let message = |pending: &super::sim::Pending| {
            let message = &self.messages[pending.message()? as usize];
            Some((message.number, model::datum(message.value)))
        };
        sim.pending.iter().filter_map(message).collect()
    }

    fn show_history(&self, sim: &Sim<'r>) -> Vec<ExplainedStep> {
        let actions = &self.monitor.setting.slice.actions;
        let name = |action: u32| actions.get(action as usize).map(|action| action.name.clone());
        let step = |step: super::sim::PastStep| ExplainedStep {
            action: step.action.and_then(name),
            received: step.received,
            sent: step.sent,
        };
        sim.history().into_iter().map(step).collect()
    }

    /// Returns the messages that could have been sent and are most like the one that was.
    fn find_nearest(&self, message: &Datum, candidates: Vec<Candidate>) -> Vec<Nearest> {
        let actions = &self.monitor.setting.slice.actions;
        let mut all: Vec<Nearest> = Vec::new();
        for candidate in candidates {
            let fields = differing_fields(message, &candidate.message);
            let is_known = all.iter().any(|known| known.message == candidate.message);
            let action = actions.get(candidate.action as usize).map(|action| action.name.clone());
            if !is_known && let Some(action) = action {
                all.push(Nearest { action, message: candidate.message, fields });
            }
        }
        all.sort_by_key(|nearest| nearest.fields.len());
        let least = all.first().map_or(0, |nearest| nearest.fields.len());
        all.retain(|nearest| nearest.fields.len() == least);
        all.truncate(3);
        all
    }

    /// Returns why actions that send could not be taken in a state.
    fn find_misses(&mut self, sim: &Sim<'r>, target: &Target<'r>) -> Vec<Missed> {
        let slice = self.monitor.setting.slice;
        let model = self.monitor.setting.model;
        let mut all: Vec<(usize, Missed)> = Vec::new();
        for action in slice.actions.iter().filter(|action| action.sends) {
            let values = sim.values.iter().copied();
            self.machine.set_state(values.chain([target.value, self.network.node]));
            let instance = &self.monitor.actions[action.rule];
            let Ok(Some((n_passed, failure))) = model::nearest_miss(model, &mut self.machine, instance)
            else {
                continue;
            };
            let missed =
                Missed { action: action.name.clone(), condition: failure.text, place: failure.place };
            all.push((n_passed, missed));
        }
        all.sort_by_key(|(n_passed, _)| std::cmp::Reverse(*n_passed));
        all.into_iter().map(|(_, missed)| missed).take(MISSES_LEN_MAX).collect()
    }

    /// Shows a node by its name.
    pub(super) fn node_name(&mut self, value: Value<'r>) -> String {
        self.machine.show(value).trim_matches('"').to_owned()
    }
}
