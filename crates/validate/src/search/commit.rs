//! What the configuration asks for, on states that are settled.

use check::kit;
use eval::interp::{Evaluated, Machine, VarSet};
use eval::ir::Root;
use value::Value;

use super::frame::Node;
use super::{Searcher, Trouble};
use crate::outcome::Violated;

impl<'a> Searcher<'a, '_> {
    /// Counts the step to a state that every behaviour goes through, and looks at what must hold there.
    pub(super) fn commit<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        before: Option<&Node<'r>>,
        node: &Node<'r>,
    ) -> Result<(), Trouble> {
        if let Some(action) = node.action {
            self.action_uses[action as usize] += 1;
        }
        let program = self.model.program;
        if program.invariants.is_empty() && program.step_properties.is_empty() {
            return Ok(());
        }
        let region = machine.region();
        let values = node.state.values(region, self.n_variables);
        let first = before.map(|before| before.state.values(region, self.n_variables));
        let mut changed = VarSet::ALL;
        if let Some(first) = &first {
            machine.set_state(first.iter().copied().chain([Value::TRUE]));
            machine.set_successor(values.iter().copied().chain([Value::TRUE]));
            changed = machine.changed();
        }
        for (index, root) in program.invariants.iter().enumerate() {
            machine.set_state(values.iter().copied().chain([Value::TRUE]));
            // PERF: what held in the state before, or is known not to, is asked again only of what has changed.
            let holds = machine.hold(&self.invariants[index], changed);
            self.ask(machine, (*root, holds), (node, false))?;
        }
        let Some(first) = first else { return Ok(()) };
        for property in &program.step_properties {
            machine.set_state(first.iter().copied().chain([Value::TRUE]));
            machine.set_successor(values.iter().copied().chain([Value::TRUE]));
            let holds = machine.eval_root_bool(property.root);
            self.ask(machine, (property.root, holds), (node, true))?;
        }
        Ok(())
    }

    /// Notes that a property does not hold, if it is the first time.
    fn ask(
        &mut self,
        machine: &mut Machine<'a, '_>,
        (root, holds): (Root, Evaluated<bool>),
        (node, is_step): (&Node<'_>, bool),
    ) -> Result<(), Trouble> {
        if matches!(holds, Ok(true)) {
            return Ok(());
        }
        let property = kit::root_name(self.model.spec, &root);
        if self.violations.iter().any(|known| known.property == property) {
            return Ok(());
        }
        let event = node.event.as_ref();
        let holds =
            holds.map_err(|fault| self.faulty(&fault, event.map(|(number, event)| (*number, &**event))))?;
        if !holds {
            let failure = kit::failing_part(self.model, machine, root).map(|(_, failure)| failure);
            let event = event.map(|(number, event)| event.logged(*number, &self.lines.names));
            self.violations.push(Violated { property, is_step, event, failure });
        }
        Ok(())
    }
}
