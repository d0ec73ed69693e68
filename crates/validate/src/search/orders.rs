//! Tries events that commute in one order only.
//!
//! Leaving out orders never changes an answer. Which events come first does not depend on whether the others are left
//! out, so the behaviour that is found is the same too.

use std::rc::Rc;

use eval::interp::Machine;
use model::QuietRun;
use value::{Ground, Region, Value};

use super::frame::{Asleep, Node, State};
use super::{Searcher, Trouble};
use crate::log::commuting::{PathStep, Print, Prints};
use crate::log::{Choices, Course, Event};
use crate::plan::{Touch, TouchStep};

impl<'a> Searcher<'a, '_> {
    /// Returns how many of the events that can come next are tried.
    pub(super) fn n_wanted(&self, choices: &Choices) -> usize {
        // The bound on silent steps is between two events, and in another order these are other events.
        match self.effort.leaves_out && self.silent.is_empty() {
            true => choices.n_enough,
            false => choices.events.len(),
        }
    }

    /// Returns the states after one of the events that can come next, unless it is known that they lead nowhere.
    pub(super) fn choose_event<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        region: &'r Region,
        node: &Node<'r>,
        (choices, index): (&Choices, usize),
    ) -> Result<(State<'r>, Vec<Node<'r>>), Trouble> {
        let choice = &choices.events[index];
        self.effort.has_left_out |= self.n_wanted(choices) < choices.events.len();
        if node.asleep.as_ref().is_some_and(|asleep| asleep.contains(&(choice.0 as u32))) {
            return Ok((node.state.clone(), Vec::new()));
        }
        let (state, mut found) = self.explain_event(machine, region, node, choice)?;
        let asleep = self.find_asleep_after(node, (choices, index));
        found.iter_mut().for_each(|node| node.asleep = asleep.clone());
        Ok((state, found))
    }

    /// Returns the events that lead nowhere after this one: those that commute with it and were tried before it in
    /// vain. They lead to the same states, which were reached in the other order.
    fn find_asleep_after(&self, node: &Node<'_>, (choices, index): (&Choices, usize)) -> Asleep {
        if !self.effort.leaves_out || (index == 0 && node.asleep.is_none()) {
            return None;
        }
        let taken = choices.events[index].0;
        let before = choices.events[..index].iter().map(|(number, _)| *number as u32);
        let slept = node.asleep.iter().flat_map(|asleep| asleep.iter().copied());
        let mut asleep: Vec<u32> = before.chain(slept).collect();
        asleep.retain(|&number| self.course.commute(number as usize, taken));
        asleep.sort_unstable();
        asleep.dedup();
        (!asleep.is_empty()).then(|| Rc::from(asleep))
    }

    /// Determines what each event touches, if several can come next.
    pub(super) fn learn(&mut self) {
        let Course::Partial(partial) = &self.course else { return };
        let events = partial.events().to_vec();
        let region = self.setting.run.region();
        let mut machine =
            Machine::new(self.setting.model.program, self.setting.shared, &region, self.setting.run);
        let mut prints = Vec::with_capacity(events.len());
        for event in &events {
            prints.push(self.prints(&mut machine, &region, event));
        }
        if let Course::Partial(partial) = &mut self.course {
            partial.learn(prints);
        }
    }

    /// Returns everything that the steps which can explain an event may touch.
    fn prints<'r>(&mut self, machine: &mut Machine<'a, 'r>, region: &'r Region, event: &Event) -> Prints {
        let Ok(value) = self.value_of(region, event) else { return None };
        let plan = self.setting.plan;
        let mut all = Vec::new();
        for index in 0..self.rules_of[event.kind as usize].len() {
            let rule = &plan.rules[self.rules_of[event.kind as usize][index] as usize];
            for touch in rule.touches.as_ref()? {
                let path = touch.path.iter().map(|step| self.step_bytes(machine, (step, value))).collect();
                let Touch { variable, kind, .. } = *touch;
                all.push(Print { variable, path, kind });
            }
        }
        Some(all)
    }

    /// Returns the step into a value, if the event determines it.
    fn step_bytes<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        (step, event): (&TouchStep, Value<'r>),
    ) -> PathStep {
        let value = match step {
            TouchStep::Any => return None,
            TouchStep::Field(name) => self.valuer.string(name),
            TouchStep::Asked(index) => {
                let nowhere = std::iter::repeat_n(Value::TRUE, self.n_variables);
                machine.set_state(nowhere.chain([event]));
                // An expression without a value here may have one where it counts.
                machine.eval_root(self.setting.model.program.asked[*index]).ok()?
            }
        };
        let ground = Ground::new(machine, value).ok()?;
        let mut bytes = Vec::new();
        self.encoder.encode(ground, &mut bytes);
        Some(bytes.into())
    }
}
