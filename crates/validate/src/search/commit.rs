//! Checks the properties of the configuration on states that are settled.

use std::rc::Rc;

use diag::Code;
use eval::interp::{Evaluated, Machine, VarSet};
use eval::ir::Root;
use value::Value;

use super::frame::{Node, State};
use super::{Ready, Searcher, Trouble};
use crate::log::Event;
use crate::outcome::{About, Violated};

type Values<'r> = Rc<[Value<'r>]>;

/// The state to which the steps that explain an event lead.
#[derive(Clone, Copy)]
struct LinkTarget<'w, 'r> {
    wanted: &'w Rc<[u8]>,
    ready: Ready<'r>,
    event: &'w Event,
}

impl<'a> Searcher<'a, '_> {
    /// Counts the step to a state that every remaining behaviour goes through, and checks the properties there.
    pub(super) fn commit<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        before: Option<&Node<'r>>,
        node: &Node<'r>,
    ) -> Result<(), Trouble> {
        if let Some(action) = node.action {
            self.checked.action_uses[action as usize] += 1;
        }
        let program = self.setting.model.program;
        if program.invariants.is_empty()
            && program.step_properties.is_empty()
            && program.implied_inits.is_empty()
        {
            return Ok(());
        }
        let region = machine.region();
        let values = node.state.values(region, self.n_variables);
        let Some(before) = before else {
            for root in &program.implied_inits {
                machine.set_state(values.iter().copied().chain([Value::TRUE]));
                let holds = machine.eval_root_bool(*root);
                self.ask(machine, (*root, holds), (node, About::Start))?;
            }
            return self.look(machine, (None, &values), (node, About::InitialState));
        };
        let mut first = before.state.values(region, self.n_variables);
        for within in self.find_states_within(machine, &first, node)? {
            self.look(machine, (Some(&first), &within), (node, About::StateWithin))?;
            first = within;
        }
        self.look(machine, (Some(&first), &values), (node, About::State))
    }

    /// Returns the states between the steps that together explain an event, by the first way that is found.
    fn find_states_within<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        first: &Values<'r>,
        node: &Node<'r>,
    ) -> Result<Vec<Values<'r>>, Trouble> {
        let plan = self.setting.plan;
        let rule = node.action.and_then(|action| plan.rules.get(action as usize));
        let Some((rule, (number, event))) = rule.zip(node.event.as_ref()) else { return Ok(Vec::new()) };
        if rule.links.is_empty() {
            return Ok(Vec::new());
        }
        let ready = self.ready(machine, machine.region(), (*number, event))?;
        let wanted = node.state.bytes(&mut self.encoder);
        let mut way = Vec::new();
        let target = LinkTarget { wanted: &wanted, ready, event };
        let is_found = self.way(machine, first, (&rule.links, target), &mut way)?;
        if !is_found {
            let what = format!(
                "the steps of `{}` cannot be told apart: what must hold cannot be asked of each",
                rule.name
            );
            return Err(Trouble::Told(Box::new(self.refuse_event(event, Code::MapFile, &what))));
        }
        way.reverse();
        Ok(way)
    }

    /// Finds steps by these actions that lead to a state. Returns whether there are any, and puts the states between
    /// them into `way`, the last one first.
    fn way<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        from: &Values<'r>,
        (links, target): (&[usize], LinkTarget<'_, 'r>),
        way: &mut Vec<Values<'r>>,
    ) -> Result<bool, Trouble> {
        let LinkTarget { wanted, ready, event } = target;
        let Some((&link, rest)) = links.split_first() else {
            return Ok(State::Values(from.clone()).bytes(&mut self.encoder) == *wanted);
        };
        for state in self.successors(machine, from, (link, Some((ready, event))))? {
            if self.way(machine, &state, (rest, target), way)? {
                if !rest.is_empty() {
                    way.push(state);
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Checks a state and the step to it.
    fn look<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        (first, values): (Option<&Values<'r>>, &Values<'r>),
        (node, about): (&Node<'r>, About),
    ) -> Result<(), Trouble> {
        let program = self.setting.model.program;
        let mut changed = VarSet::ALL;
        if let Some(first) = first {
            machine.set_state(first.iter().copied().chain([Value::TRUE]));
            machine.set_successor(values.iter().copied().chain([Value::TRUE]));
            changed = machine.changed_variables();
        }
        for (index, root) in program.invariants.iter().enumerate() {
            machine.set_state(values.iter().copied().chain([Value::TRUE]));
            // PERF: a property whose value in the state before is known is evaluated again only if what it reads has
            // changed.
            let holds = machine.hold(&self.invariants[index], changed);
            self.ask(machine, (*root, holds), (node, about))?;
        }
        let Some(first) = first else { return Ok(()) };
        for property in &program.step_properties {
            machine.set_state(first.iter().copied().chain([Value::TRUE]));
            machine.set_successor(values.iter().copied().chain([Value::TRUE]));
            let holds = machine.eval_root_bool(property.root);
            self.ask(machine, (property.root, holds), (node, About::Step))?;
        }
        Ok(())
    }

    /// Notes that a property does not hold, if this is the first time.
    fn ask(
        &mut self,
        machine: &mut Machine<'a, '_>,
        (root, holds): (Root, Evaluated<bool>),
        (node, about): (&Node<'_>, About),
    ) -> Result<(), Trouble> {
        if matches!(holds, Ok(true)) {
            return Ok(());
        }
        let property = model::root_name(self.setting.model.spec, &root);
        if self.checked.violations.iter().any(|known| known.property == property) {
            return Ok(());
        }
        let event = node.event.as_ref();
        let holds = holds
            .map_err(|fault| self.describe_fault(&fault, event.map(|(number, event)| (*number, &**event))))?;
        if !holds {
            let failure = model::failing_part(self.setting.model, machine, root).map(|(_, failure)| failure);
            let event = event.map(|(number, event)| event.to_logged(*number, &self.lines.names));
            self.checked.violations.push(Violated { property, about, event, failure });
        }
        Ok(())
    }
}
