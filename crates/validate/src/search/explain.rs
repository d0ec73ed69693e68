//! Explains why a log is rejected: how far it can be explained, and what came nearest to explaining the next event.

use check::{NearKind, NearStep};
use eval::interp::{Flow, Machine};
use model::{QuietRun, Side};
use trace::{Binding, Failure, Step};
use value::{Region, Value};

use super::frame::{Node, Stack, State, pack_last};
use super::{PAST_LEN_MAX, Reached, Searcher, Trouble};
use crate::log::Event;
use crate::outcome::{Beyond, Suggestion, Unexplained};

/// The most longest behaviours that are reported.
const PREFIXES_MAX: usize = 3;
/// The most states after a silent step that are tried for each action.
const SILENT_STATES_MAX: usize = 200;
/// The patience for an action with very many branches, in hundreds of branches.
const SILENT_LOOKS_MAX: u32 = 100;
/// The most near misses of an event that are reported.
const MISSES_MAX: usize = 5;

impl<'a> Searcher<'a, '_> {
    /// Remembers the behaviour that is being tried, unless another one explains more events.
    pub(super) fn reach(&mut self, stack: &Stack<'_>) {
        let Some(top) = stack.frames.back() else { return };
        let n_explained = top.node.n_explained();
        let best = self.furthest.first().map_or(0, |reached| reached.n_explained);
        if n_explained > best {
            self.furthest.clear();
            self.effort.turns_left = self.effort.turns_left.map(|_| super::further::TURNS_MAX);
        }
        // Of those that explain equally many events, the ones with the fewest silent steps are kept, because the
        // additional steps explain nothing.
        let n_states = stack.past.len() + stack.frames.len();
        let n_states_whole = stack.n_forgotten + n_states;
        let is_full = self.furthest.len() >= PREFIXES_MAX;
        let longest = self.furthest.iter().map(Reached::n_states).max().unwrap_or(0);
        if n_explained < best || (is_full && n_states_whole >= longest) {
            return;
        }
        let state = top.node.state.bytes(&mut self.encoder);
        let is_known = |reached: &Reached| match reached.nodes.last().map(|node| &node.state) {
            Some(State::Bytes(known)) => *known == state,
            Some(State::Values(_)) | None => false,
        };
        match self.furthest.iter().position(is_known) {
            Some(known) if n_states_whole < self.furthest[known].n_states() => {
                self.furthest.remove(known);
            }
            Some(_) => return,
            None => {}
        }
        let n_left_out = match self.setting.run.options.keeps_all {
            true => 0,
            false => n_states.saturating_sub(PAST_LEN_MAX),
        };
        let last = stack.frames.iter().rev().map(|frame| &frame.node).chain(stack.past.iter().rev());
        let bytes_max = self.setting.run.options.kept_bytes_max;
        let nodes: Vec<_> = pack_last(last.take(n_states - n_left_out), &mut self.encoder, bytes_max).into();
        let n_before = stack.n_forgotten + n_states - nodes.len();
        // The states that are settled are already counted.
        let mut uses = self.checked.action_uses.clone();
        for action in stack.frames.iter().filter_map(|frame| frame.node.action) {
            uses[action as usize] += 1;
        }
        if self.furthest.len() >= PREFIXES_MAX {
            let replaced = self.furthest.iter().position(|reached| reached.n_states() == longest);
            self.furthest.remove(replaced.unwrap_or(0));
        }
        self.furthest.push(Reached { n_explained, n_before, nodes, uses });
    }

    /// Returns the events of which one had to come next after a behaviour, with the obstacles.
    pub(super) fn find_unexplained(&mut self, nodes: &[Node<'static>]) -> Result<Vec<Unexplained>, Trouble> {
        let Some(last) = nodes.last() else { return self.explain_missing_state() };
        let region = self.setting.run.region();
        let mut all = Vec::new();
        for &(number, _) in self.course.next(&mut self.lines, &last.position)?.events.iter() {
            let event = self.event(number)?;
            let values = last.state.values(&region, self.n_variables);
            let mut misses = Vec::new();
            for rule in 0..self.rules_of[event.kind as usize].len() {
                let rule = self.rules_of[event.kind as usize][rule] as usize;
                let mut machine =
                    Machine::new(self.setting.model.program, self.setting.shared, &region, self.setting.run);
                let ready = match self.ready(&mut machine, &region, (number, &event)) {
                    Ok(ready) => ready,
                    // It is known that the log is rejected, although not why.
                    Err(_) if self.must_end().is_some() => break,
                    Err(trouble) => return Err(trouble),
                };
                machine.set_state(values.iter().copied().chain([ready.value]));
                misses.push(self.miss(&mut machine, rule, &event));
            }
            let mut misses: Vec<NearStep> = misses.into_iter().flatten().collect();
            misses.sort_by_key(|miss| std::cmp::Reverse(miss.n_passed));
            misses.truncate(MISSES_MAX);
            all.push(Unexplained { event: event.to_logged(number, &self.lines.names), misses });
        }
        Ok(all)
    }

    /// Describes the case that there is no initial state.
    fn explain_missing_state(&mut self) -> Result<Vec<Unexplained>, Trouble> {
        let event = self.event(0)?;
        let region = self.setting.run.region();
        let mut machine =
            Machine::new(self.setting.model.program, self.setting.shared, &region, self.setting.run);
        let ready = self.ready(&mut machine, &region, (0, &event))?;
        machine.set_state(std::iter::repeat_n(Value::TRUE, self.n_variables).chain([ready.value]));
        let misses = self.near(&mut machine, self.setting.plan.init).into_iter().collect();
        Ok(vec![Unexplained { event: event.to_logged(0, &self.lines.names), misses }])
    }

    /// Returns what prevented a rule from explaining an event from the machine's state.
    fn miss(&mut self, machine: &mut Machine<'a, '_>, rule: usize, event: &Event) -> Option<NearStep> {
        if self.candidates(event).contains(&rule) {
            return self.near(machine, rule);
        }
        let planned = &self.setting.plan.rules[rule];
        let before = event.kind_before.map_or("nothing", |kind| self.kind_names[kind as usize].as_str());
        let text = format!("the event before at the same node is of a kind in `follows`: it is {before}");
        let step = Step { name: planned.name.clone(), place: None, parameters: Vec::new() };
        let failure = Failure { text, place: None, values: Vec::new(), calls: Vec::new() };
        Some(NearStep { step, n_passed: 0, why: NearKind::Conjunct, failure })
    }

    fn near(&mut self, machine: &mut Machine<'a, '_>, action: usize) -> Option<NearStep> {
        let (n_passed, mut failure) =
            model::nearest_miss(self.setting.model, machine, &self.actions[action]).ok()??;
        self.shorten(&mut failure);
        let spec = self.setting.model.spec;
        let mut parameters: Vec<Binding> = Vec::new();
        for (name, value) in machine.action_params(&self.actions[action]) {
            parameters.push(Binding::new(spec.names.text(name), model::datum(value)));
        }
        let leaf = self.actions[action].leaf;
        let place = Some(model::place(spec, leaf.span));
        let step = Step { name: spec.names.text(leaf.name).to_owned(), place, parameters };
        Some(NearStep { step, n_passed, why: NearKind::Conjunct, failure })
    }

    /// Keeps the values that say most: both sides of an equation in the mapping, and never the whole event, which is
    /// shown already.
    fn shorten(&self, failure: &mut Failure) {
        let event = self.setting.map.log.name.as_str();
        for binding in &mut failure.values {
            // The event stays the same, so a prime says nothing.
            if let Some(name) = binding.name.strip_suffix('\'')
                && name.starts_with(event)
            {
                binding.name = name.to_owned();
            }
        }
        failure.values.retain(|binding| binding.name != event);
        let Some((left, right)) = sides(&failure.text) else { return };
        failure.text = format!("{left} = {right}");
        let is_side = |name: &str| [left.as_str(), right.as_str()].contains(&name.trim_end_matches('\''));
        if failure.values.iter().filter(|binding| is_side(&binding.name)).count() == 2 {
            failure.values.retain(|binding| is_side(&binding.name));
        }
    }

    /// Returns a silent step after which the event could have been explained. Those within the bounds were all tried.
    pub(super) fn beyond(&mut self, nodes: &[Node<'static>]) -> Option<Beyond> {
        let last = nodes.last()?;
        let choices = self.course.next(&mut self.lines, &last.position).ok()?;
        for index in 0..self.setting.plan.silent.len() {
            let region = self.setting.run.region();
            for state in self.silent_states(&region, last, index) {
                let node = Node { state: state.clone(), ..last.clone() };
                let is_explained = choices.events.iter().any(|choice| {
                    let mut machine = Machine::new(
                        self.setting.model.program,
                        self.setting.shared,
                        &region,
                        self.setting.run,
                    );
                    let found = self.explain_event(&mut machine, &region, &node, choice);
                    found.is_ok_and(|(_, found)| !found.is_empty())
                });
                if is_explained {
                    return Some(self.describe_beyond(&region, (last, index), state));
                }
            }
        }
        None
    }

    fn silent_states<'r>(&mut self, region: &'r Region, last: &Node<'r>, index: usize) -> Vec<State<'r>> {
        let mut machine =
            Machine::new(self.setting.model.program, self.setting.shared, region, self.setting.run);
        let values = last.state.values(region, self.n_variables);
        machine.set_state(values.iter().copied().chain([Value::TRUE]));
        let action = self.setting.plan.silent[index].action;
        let mut found = Vec::new();
        let n_variables = self.n_variables;
        // A state without a value helps nobody; a user who declares the step gets the error.
        let _ = self.setting.run.with_patience(SILENT_LOOKS_MAX, || {
            machine.step(&self.actions[action], &mut |machine| {
                if machine.n_missing() == 0 && model::ground(machine, Side::Next).is_ok() {
                    found.push(State::Values(
                        machine.next()[..n_variables].iter().copied().flatten().collect(),
                    ));
                }
                Ok(if found.len() < SILENT_STATES_MAX { Flow::Continue } else { Flow::Stop })
            })
        });
        found
    }

    fn describe_beyond<'r>(
        &mut self,
        region: &'r Region,
        (last, index): (&Node<'r>, usize),
        state: State<'r>,
    ) -> Beyond {
        let silent = &self.setting.plan.silent[index];
        let (action, name) = (silent.action as u32, silent.name.clone());
        let bound = silent.is_declared.then(|| {
            let total = silent.total_max.map_or_else(String::new, |total| format!(", total = {total}"));
            let next =
                if silent.next.is_empty() { String::new() } else { format!(", next = {:?}", silent.next) };
            format!("per-gap = {}{total}{next}", silent.per_gap_max)
        });
        let node = Node { state, action: Some(action), event: None, ..last.clone() };
        let mut machine =
            Machine::new(self.setting.model.program, self.setting.shared, region, self.setting.run);
        let step = self.step_of(&mut machine, region, (last, &node));
        Beyond { step: step.map_or(name, |step| trace::step_text(&step)), bound }
    }

    /// Suggests where to look first, by what came nearest.
    pub(super) fn suggestion(&self, unexplained: &[Unexplained], beyond: Option<&Beyond>) -> Suggestion {
        let nearest = unexplained.iter().flat_map(|one| &one.misses).max_by_key(|miss| miss.n_passed);
        let Some(nearest) = nearest.filter(|_| beyond.is_none()) else { return Suggestion::Mapping };
        let map = self.map_file();
        let is_in_map = nearest.failure.place.as_ref().is_none_or(|place| Some(place.file.as_str()) == map);
        match is_in_map {
            true => Suggestion::ImplementationOrAction,
            false => Suggestion::ImplementationOrSpec,
        }
    }

    /// Returns the name of the mapping's file, as places have it.
    fn map_file(&self) -> Option<&str> {
        let spec = self.setting.model.spec;
        let variable = spec.modules[spec.root].variables.last()?;
        Some(spec.sources.file(spec.variables[*variable].span.source).name())
    }
}

/// Splits an equation of a table such as `"x[event.node]" = "event.x"` into its sides.
fn sides(text: &str) -> Option<(String, String)> {
    let is_quote = |c: char| c == '"' || c == '\'';
    for (index, _) in text.match_indices('=') {
        let (left, right) = (text[..index].trim_end(), text[index + 1..].trim_start());
        if right.starts_with(is_quote) && (left.ends_with(is_quote) || !left.contains(is_quote)) {
            return Some((left.trim_end_matches(is_quote).to_owned(), right[1..].to_owned()));
        }
    }
    None
}
