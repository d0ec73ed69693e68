//! Counts which action came after which on the walks.

use std::collections::BTreeMap;

use eval::interp::Machine;
use trace::{Binding, Step};

use crate::context::Context;
use crate::expand::Choice;
use crate::run::WalkRun;

/// The number of times that each action came after each other.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// The actions of the next-state relation, one for each value of constant parameters.
    pub actions: Vec<Step>,
    /// Counts by the previous action, `None` for the initial state, and the next one, as indices of actions.
    pub counts: BTreeMap<(Option<u32>, u32), u64>,
}

impl Flow {
    pub(crate) fn add(&mut self, choices: &[Choice]) {
        let mut before = None;
        for choice in choices {
            *self.counts.entry((before, choice.action)).or_insert(0) += 1;
            before = Some(choice.action);
        }
    }

    /// Adds the names of the actions.
    pub(crate) fn name_actions(mut self, context: &Context<'_>, run: &WalkRun<'_>) -> Flow {
        let spec = context.spec();
        let region = context.board.region();
        let mut machine = Machine::new(context.program(), context.shared, &region, run);
        for action in context.actions {
            let params = machine.action_params(action).into_iter();
            let binding = |(name, value)| {
                let name = spec.names.text(name).to_owned();
                Binding { name, value: model::datum(value) }
            };
            self.actions.push(Step {
                name: spec.names.text(action.leaf.name).to_owned(),
                place: Some(model::place(spec, action.leaf.span)),
                parameters: params.map(binding).collect(),
            });
        }
        self
    }
}
