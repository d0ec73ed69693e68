//! A behaviour that a trace can mean, and how it is shown.

use eval::Owned;
use eval::interp::Machine;
use model::{Data, Model, QuietRun};
use trace::{Ending, State, Step, Trace};
use value::{Interner, Value, ValueId};

use crate::walk::Context;

/// A behaviour.
pub(crate) struct Path {
    pub states: Vec<Vec<ValueId>>,
    pub steps: Vec<Option<Step>>,
    /// Index of the state after the last one, as in [`trace::given::Given`].
    pub back_to: Option<usize>,
    pub last_step: Option<Step>,
    /// State that the step leads to, if the VIEW only takes it for the same.
    pub after: Option<Vec<ValueId>>,
}

impl Path {
    /// The states before one of them, as records, if the specification can ask for them.
    pub fn history(&self, context: &Context<'_>, index: usize) -> Vec<Owned> {
        if !context.keeps_history {
            return Vec::new();
        }
        self.states[..index].iter().map(|ids| record(context.model, ids)).collect()
    }

    /// Returns the state to which the step leads that closes the cycle.
    pub fn after_last(&self) -> Option<&Vec<ValueId>> {
        let target = self.states.get(self.back_to?);
        self.after.as_ref().or(target)
    }

    /// The behaviour to the state that a cycle leads back to, once more.
    pub fn with_step_back(&self) -> Path {
        let (mut states, mut steps) = (self.states.clone(), self.steps.clone());
        if let Some(after) = self.after_last() {
            states.push(after.clone());
            steps.push(self.last_step.clone());
        }
        Path { states, steps, back_to: None, last_step: None, after: None }
    }

    /// Returns the behaviour as the ALIAS shows it, with the expressions that were asked for.
    pub fn show(&self, context: &Context<'_>) -> Trace {
        let model = context.model;
        let mut trace = self.trace(model);
        if let Some(root) = model.program.alias {
            model::show_alias(&mut trace, |index| {
                self.in_state(context, index, |machine| model::alias_fields(model, machine, root))
            });
        }
        model::show_expressions(model, &mut trace, |index| {
            Ok(self.in_state(context, index, |machine| model::expressions(model, machine)))
        });
        trace
    }

    /// Evaluates in a state, with the one that follows. TLC: after the last one comes itself, or where a cycle leads.
    fn in_state<T>(
        &self,
        context: &Context<'_>,
        index: usize,
        body: impl FnOnce(&mut Machine<'_, '_>) -> T,
    ) -> T {
        let region = context.run.region();
        let mut machine = Machine::new(context.model.program, context.shared, &region, context.run);
        let after = self.states.get(index + 1).unwrap_or(&self.states[self.back_to.unwrap_or(index)]);
        machine.set_state(values(&self.states[index]));
        machine.set_next(values(after));
        context.run.stand_at(index as u32 + 1, self.history(context, index));
        body(&mut machine)
    }

    /// Returns the behaviour as a trace without a finding.
    pub fn trace(&self, model: Model<'_>) -> Trace {
        assert_eq!(self.states.len(), self.steps.len(), "each state has the step that leads to it");
        let n_variables = model.program.variables.len();
        debug_assert!(self.states.iter().all(|ids| ids.len() == n_variables), "a state has every variable");
        assert!(
            self.back_to.is_none_or(|to| to < self.states.len()),
            "a cycle leads back to one of the states"
        );
        let (mut trace, mut data) = (model::no_states(model), Data::default());
        for (ids, step) in self.states.iter().zip(&self.steps) {
            let values = values(ids).map(|value| Some(data.datum(value))).collect();
            trace.states.push(State { step: step.clone(), values });
        }
        trace.ending = match self.back_to {
            None => Ending::Stop,
            Some(to) if to + 1 == self.states.len() && self.last_step.is_none() => Ending::Stuttering,
            Some(to) => Ending::Loop { to, step: self.last_step.clone() },
        };
        trace
    }
}

/// A state as a record.
fn record(model: Model<'_>, ids: &[ValueId]) -> Owned {
    let fields = model.program.variable_atoms.iter().zip(values(ids));
    let fields = fields.filter_map(|(&name, value)| Some((Owned::Atom(name), Owned::opt_copy(value)?)));
    Owned::Function(fields.collect())
}

/// The values with these ids.
pub(crate) fn values<'r>(ids: &[ValueId]) -> impl Iterator<Item = Value<'r>> {
    ids.iter().map(|&id| -> Value<'r> { Interner::shared().value(id) })
}
