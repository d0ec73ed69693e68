//! Reports the outcome of a search as data that needs no machine.

use std::cmp::Reverse;

use base::FxHashSet;
use check::Choice;
use diag::{Code, Diagnostic};
use eval::interp::Machine;
use model::QuietRun;
use trace::Trace;
use value::Region;

use super::frame::{Node, Stack, State};
use super::{End, Reached, Searcher, Trouble, Validation};
use crate::outcome::{Followed, NotCompared, Outcome, Prefix, Rejection, Unexplained};

/// The most other ways to explain an event that are reported.
const OTHERS_MAX: usize = 8;

impl<'a> Searcher<'a, '_> {
    pub(super) fn conclude(&mut self, end: End, stack: &Stack<'static>) -> Result<Validation, Trouble> {
        let n_explained = match end {
            End::Accepted => stack.past.back().map_or(0, Node::n_explained),
            End::Rejected | End::Undecided(_) => {
                self.furthest.first().map_or(0, |reached| reached.n_explained)
            }
        };
        let reached = self.furthest.first().map_or(0, |reached| reached.n_explained);
        debug_assert!(
            !matches!(end, End::Accepted) || n_explained >= reached,
            "a log is accepted by a behaviour that explains all of it"
        );
        let not_compared = match end {
            End::Accepted => self.not_compared(),
            End::Rejected | End::Undecided(_) => NotCompared::default(),
        };
        let outcome = match end {
            End::Undecided(why) => Outcome::Undecided(why),
            End::Accepted => Outcome::Accepted(Box::new(self.describe_followed(stack))),
            End::Rejected => Outcome::Rejected(Box::new(self.describe_rejection()?)),
        };
        let n_rules = self.setting.plan.rules.len();
        Ok(Validation {
            outcome,
            rule_uses: self.checked.action_uses[..n_rules].to_vec(),
            silent_uses: self
                .setting
                .plan
                .silent
                .iter()
                .map(|silent| self.checked.action_uses[silent.action])
                .collect(),
            skipped: self.lines.skipped.values().cloned().collect(),
            not_compared,
            n_explained,
            warnings: self.warnings(),
            n_lines: self.lines.n_lines,
            n_tried: self.effort.n_tried,
            coverage: None,
        })
    }

    /// Returns the warnings about files and about fields in `[fields]` that no event has.
    fn warnings(&mut self) -> Vec<Diagnostic> {
        let mut warnings = std::mem::take(&mut self.checked.warnings);
        for (name, oddity) in std::mem::take(&mut self.lines.odd) {
            warnings.push(Diagnostic::without_place(Code::LogText, format!("`{name}` {oddity}")));
        }
        for name in self.lines.empty() {
            let headline = format!("`{name}` is empty, though it is part of the run");
            let help = "see whether the program was run with its log switched on, and wrote it to this file";
            warnings.push(Diagnostic::without_place(Code::MapUnused, headline).help(help));
        }
        for ((name, _), is_seen) in self.setting.plan.typed.iter().zip(&self.checked.is_typed_seen) {
            if !is_seen {
                let headline =
                    format!("no event that was looked at has the field `{name}`, which `[fields]` has");
                let help = "see how the field is written in the log: `a.b` is a field of a field";
                warnings.push(Diagnostic::without_place(Code::MapUnused, headline).help(help));
            }
        }
        warnings
    }

    fn describe_followed(&mut self, stack: &Stack<'static>) -> Followed {
        let nodes: Vec<Node<'static>> = stack.past.iter().cloned().collect();
        let n_states = stack.n_forgotten + nodes.len();
        Followed {
            n_events: nodes.last().map_or(0, Node::n_explained),
            n_states,
            path: match self.setting.run.options.keeps_all {
                true => self.prefix(&nodes, stack.n_forgotten),
                false => Prefix { n_before: n_states, ..Prefix::default() },
            },
            violations: std::mem::take(&mut self.checked.violations),
        }
    }

    fn describe_rejection(&mut self) -> Result<Rejection, Trouble> {
        let mut furthest = std::mem::take(&mut self.furthest);
        let unexplained = self.nearest_first(&mut furthest)?;
        let beyond = furthest.iter().find_map(|reached| self.beyond(&reached.nodes));
        let suggestion = self.suggestion(&unexplained, beyond.as_ref());
        if let Some(reached) = furthest.first() {
            self.checked.action_uses.clone_from(&reached.uses);
        }
        let prefixes = furthest.iter().map(|Reached { nodes, n_before, .. }| self.prefix(nodes, *n_before));
        let prefixes = prefixes.collect();
        Ok(Rejection {
            n_explained: furthest.first().map_or(0, |reached| reached.n_explained),
            n_events: match self.setting.run.options.is_live {
                true => None,
                false => self.course.n_events(&mut self.lines)?,
            },
            prefixes,
            unexplained,
            beyond,
            suggestion,
        })
    }

    /// Puts the behaviour first from which a step came nearest to explaining the next event, the shortest of several.
    /// Returns the obstacles there.
    fn nearest_first(&mut self, furthest: &mut [Reached]) -> Result<Vec<Unexplained>, Trouble> {
        let mut all = Vec::new();
        for reached in &*furthest {
            all.push(self.find_unexplained(&reached.nodes)?);
        }
        let nearness = |&index: &usize| {
            let misses = all[index].iter().flat_map(|one| &one.misses);
            (misses.map(|miss| miss.n_passed).max(), Reverse(furthest[index].n_states()))
        };
        // Of several that are equally good, the first is taken.
        match (0..all.len()).rev().max_by_key(nearness) {
            Some(best) => {
                furthest[..=best].rotate_right(1);
                Ok(all.swap_remove(best))
            }
            None => self.find_unexplained(&[]),
        }
    }

    fn prefix(&mut self, nodes: &[Node<'static>], n_before: usize) -> Prefix {
        let spec = self.setting.model.spec;
        let names = &self.setting.model.program.variables[..self.n_variables];
        let mut trace = Trace::new(names.iter().map(|&name| spec.names.text(name).to_owned()).collect());
        let (mut events, mut choices) = (Vec::new(), Vec::new());
        for (index, node) in nodes.iter().enumerate() {
            let region = self.setting.run.region();
            let mut machine =
                Machine::new(self.setting.model.program, self.setting.shared, &region, self.setting.run);
            let before = index.checked_sub(1).map(|before| &nodes[before]);
            let step = before.and_then(|before| self.step_of(&mut machine, &region, (before, node)));
            let values = node.state.values(&region, self.n_variables);
            let values = values.iter().map(|&value| Some(model::datum(value))).collect();
            trace.states.push(trace::State { step, values });
            let event = node.event.as_ref();
            events.push(event.map(|(number, event)| event.to_logged(*number, &self.lines.names)));
            if let Some(before) = before.filter(|_| self.setting.run.options.tells_choices) {
                choices.push(self.choice(&mut machine, &region, (before, node)));
            }
        }
        Prefix { n_before, trace: Some(trace), events, choices }
    }

    /// Returns the other ways in which the event of a step could have been explained.
    fn choice<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        region: &'r Region,
        (before, node): (&Node<'r>, &Node<'r>),
    ) -> Choice {
        let mut found = Choice::default();
        let Some((number, event)) = node.event.clone() else { return found };
        // An evaluation error was reported when the search reached it.
        let Ok(ready) = self.ready(machine, region, (number, &event)) else { return found };
        let values = before.state.values(region, self.n_variables);
        let mut seen = FxHashSet::default();
        seen.insert(node.state.bytes(&mut self.encoder));
        for rule in self.candidates(&event) {
            let states = self.successors(machine, &values, (rule, Some((ready, &event))));
            for state in states.unwrap_or_default() {
                let other = Node { state: State::Values(state), action: Some(rule as u32), ..node.clone() };
                if seen.insert(other.state.bytes(&mut self.encoder)) {
                    found.n_others += 1;
                    let is_told = found.others.len() < OTHERS_MAX;
                    found
                        .others
                        .extend(is_told.then(|| self.step_of(machine, region, (before, &other))).flatten());
                }
            }
        }
        found
    }
}
