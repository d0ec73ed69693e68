//! Events that commute are tried in one order only.
//!
//! Nothing that is left out changes an answer. Which events come first does not depend on whether the others are left out,
//! so that the behaviour that is found is the same too.

use std::rc::Rc;

use check::kit::QuietRun;
use eval::interp::Machine;
use value::{Ground, Region, Value};

use super::frame::{Asleep, Node, State};
use super::{Searcher, Trouble};
use crate::log::commuting::{PathStep, Print, Prints};
use crate::log::{Choices, Course, Event};
use crate::plan::{Touch, TouchStep};

impl<'a> Searcher<'a, '_> {
    /// How many of the events that can come next are tried.
    pub(super) fn n_wanted(&self, choices: &Choices) -> usize {
        // A silent step is bounded between two events, and those are others in another order.
        match self.leaves_out && self.silent.is_empty() {
            true => choices.n_enough,
            false => choices.events.len(),
        }
    }

    /// The states after one of the events that can come next, unless it is known that they lead nowhere.
    pub(super) fn choosing<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        region: &'r Region,
        node: &Node<'r>,
        (choices, index): (&Choices, usize),
    ) -> Result<(State<'r>, Vec<Node<'r>>), Trouble> {
        let choice = &choices.events[index];
        self.has_left_out |= self.n_wanted(choices) < choices.events.len();
        if node.asleep.as_ref().is_some_and(|asleep| asleep.contains(&(choice.0 as u32))) {
            return Ok((node.state.clone(), Vec::new()));
        }
        let (state, mut found) = self.explaining(machine, region, node, choice)?;
        let asleep = self.asleep_after(node, (choices, index));
        found.iter_mut().for_each(|node| node.asleep = asleep.clone());
        Ok((state, found))
    }

    /// What was tried before an event that commutes with it, all in vain, leads nowhere after that event either: to the same
    /// states, which were come to in the other order.
    fn asleep_after(&self, node: &Node<'_>, (choices, index): (&Choices, usize)) -> Asleep {
        if !self.leaves_out || (index == 0 && node.asleep.is_none()) {
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

    /// Finds out what each event touches, where several can come next.
    pub(super) fn learn(&mut self) {
        let Course::Partial(partial) = &self.course else { return };
        let events = partial.events().to_vec();
        let region = self.run.region();
        let mut machine = Machine::new(self.model.program, self.shared, &region, self.run);
        let mut prints = Vec::with_capacity(events.len());
        for event in &events {
            prints.push(self.prints(&mut machine, &region, event));
        }
        if let Course::Partial(partial) = &mut self.course {
            partial.learn(prints);
        }
    }

    /// What the steps touch that can explain an event, whichever they are.
    fn prints<'r>(&mut self, machine: &mut Machine<'a, 'r>, region: &'r Region, event: &Event) -> Prints {
        let Ok(value) = self.value_of(region, event) else { return None };
        let plan = self.plan;
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

    /// Where a step leads, if the event says so.
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
                // What has no value here may have one where it counts.
                machine.eval_root(self.model.program.asked[*index]).ok()?
            }
        };
        let ground = Ground::new(machine, value).ok()?;
        let mut bytes = Vec::new();
        self.encoder.encode(ground, &mut bytes);
        Some(bytes.into())
    }
}
