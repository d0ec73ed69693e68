//! The beginning of a search, and the conversion of events to values.

use std::rc::Rc;

use base::FxHashMap;
use diag::{Code, Diagnostic, render};
use eval::interp::{At, Flow, Machine};
use model::{QuietRun, Side};
use value::{Ground, Region, Value, ops};

use super::frame::{Node, Stack, State};
use super::room::event_bytes;
use super::{Ready, Searcher, Trouble};
use crate::log::messages::{self, EventMessages};
use crate::log::partial::{self, Partial};
use crate::log::{Course, Event, Json, Lines, Merge, at_line, shorten};
use crate::plan::{Plan, PlannedMessage, PlannedOrder};

/// Numbers the kinds that have rules; 0 is for events without such a kind.
pub(super) fn kinds(plan: &Plan) -> FxHashMap<String, u32> {
    let mut names: Vec<&String> = plan.by_kind.keys().collect();
    names.sort();
    (1..).zip(names).map(|(number, name)| (name.clone(), number)).collect()
}

/// Returns the rules for each kind, and its name.
pub(super) fn rules_of(plan: &Plan, kinds: &FxHashMap<String, u32>) -> (Vec<Vec<u32>>, Vec<String>) {
    let mut names: Vec<(&String, u32)> = kinds.iter().map(|(name, &number)| (name, number)).collect();
    names.sort_by_key(|(_, number)| *number);
    let numbers = |rules: &[usize]| rules.iter().map(|&rule| rule as u32).collect::<Vec<u32>>();
    let mut all = vec![numbers(&plan.for_all)];
    for (name, _) in &names {
        let mut rules = numbers(plan.by_kind.get(*name).map_or(&[], Vec::as_slice));
        rules.extend(numbers(&plan.for_all));
        rules.sort_unstable();
        all.push(rules);
    }
    let names = std::iter::once(String::new()).chain(names.into_iter().map(|(name, _)| name.clone()));
    (all, names.collect())
}

/// Returns the course of events before any was read.
pub(super) fn start_course(plan: &Plan, lines: &Lines<'_, '_>) -> Course {
    let fields = match &plan.order {
        PlannedOrder::Fields(fields) => Some(fields.clone()),
        PlannedOrder::AsWritten | PlannedOrder::Vector(_) | PlannedOrder::Messages { .. } => None,
    };
    Course::Total(Merge::new(fields, lines.n_files()))
}

/// Warns about messages that are received and of which it is not known when they were sent.
fn warn_unsent(numbers: &[u32], (events, names): (&[Event], &[String])) -> Option<Diagnostic> {
    let first = &events[*numbers.first()? as usize];
    let receives = match numbers.len() {
        1 => "an event receives a message that no event sends".to_owned(),
        n => format!("{n} events receive messages that no event sends"),
    };
    let headline = format!("{receives}: nothing says what comes before");
    let place = format!("line {} of `{}`", first.line, names[first.file as usize]);
    let told = Diagnostic::without_place(Code::MapUnused, headline).note(format!("the first is {place}"));
    Some(told.help("see whether `key` is the same for both ends, and a file is missing"))
}

impl<'a> Searcher<'a, '_> {
    /// Reads all events, if only a partial order of them is known.
    pub(super) fn load_partial(&mut self) -> Result<(), Trouble> {
        let plan = self.setting.plan;
        if matches!(plan.order, PlannedOrder::AsWritten | PlannedOrder::Fields(_)) {
            return Ok(());
        }
        let events = self.all_events()?;
        self.check_all(&events)?;
        let streams = partial::streams(&events);
        let needs = match &plan.order {
            PlannedOrder::AsWritten | PlannedOrder::Fields(_) => vec![Vec::new(); events.len()],
            PlannedOrder::Vector(clock) => partial::by_clock(&events, &streams, (clock, &self.lines.names))?,
            PlannedOrder::Messages { sends, receives, has_duplicates } => {
                let exchanged = self.find_messages(&events, (sends, receives))?;
                let told = (events.as_slice(), self.lines.names.as_slice());
                let by_messages = messages::by_messages(told, &streams, &exchanged, *has_duplicates)?;
                self.checked.warnings.extend(warn_unsent(&by_messages.unsent, told));
                by_messages.needs
            }
        };
        self.course = Course::Partial(Partial::new(events, streams, needs, &self.lines.names)?);
        self.learn();
        Ok(())
    }

    fn all_events(&mut self) -> Result<Vec<Event>, Trouble> {
        let (mut events, mut n_bytes) = (Vec::new(), 0);
        for file in 0..self.lines.n_files() {
            while let Some(mut event) = self.lines.next(file)? {
                self.lines.follow(&mut event);
                n_bytes += event_bytes(&event);
                self.effort.has_no_room = n_bytes > self.setting.run.options.memory_bytes_max;
                if self.effort.has_no_room {
                    let told =
                        self.refuse_event(&event, Code::LogUndecided, "there is no room for more events");
                    return Err(Trouble::Told(Box::new(told)));
                }
                events.push(event);
            }
        }
        Ok(events)
    }

    fn check_all(&mut self, events: &[Event]) -> Result<(), Trouble> {
        let region = self.setting.run.region();
        let mut machine =
            Machine::new(self.setting.model.program, self.setting.shared, &region, self.setting.run);
        for event in events {
            self.check_event(&mut machine, &region, event)?;
        }
        self.checked.n_checked = usize::MAX;
        Ok(())
    }

    /// Returns the messages that events send and receive.
    fn find_messages(
        &mut self,
        events: &[Event],
        (sends, receives): (&[PlannedMessage], &[PlannedMessage]),
    ) -> Result<Vec<EventMessages>, Trouble> {
        let mut all = Vec::with_capacity(events.len());
        for event in events {
            let region = self.setting.run.region();
            let mut machine =
                Machine::new(self.setting.model.program, self.setting.shared, &region, self.setting.run);
            let value = self.value_of(&region, event)?;
            machine.set_state(std::iter::repeat_n(Value::TRUE, self.n_variables).chain([value]));
            let mut keys = |this: &mut Self, rules: &[PlannedMessage]| {
                let mut all = Vec::new();
                for rule in rules {
                    if rule.kinds.contains(&this.kind_names[event.kind as usize]) {
                        all.extend(this.keys(&mut machine, rule, event)?);
                    }
                }
                Ok::<_, Trouble>(all)
            };
            let (sent, received) = (keys(self, sends)?, keys(self, receives)?);
            all.push(EventMessages { sent, received });
        }
        Ok(all)
    }

    fn keys(
        &mut self,
        machine: &mut Machine<'a, '_>,
        rule: &PlannedMessage,
        event: &Event,
    ) -> Result<Vec<Vec<u8>>, Trouble> {
        let root = self.setting.model.program.asked[rule.key];
        let values = machine.eval_root(root).and_then(|value| {
            let value = Ground::new(machine, value).at(root.span)?;
            if !rule.is_set {
                return Ok(vec![value]);
            }
            let mut elements = ops::elements(machine, value.value()).at(root.span)?;
            let mut all = Vec::new();
            while let Some(element) = elements.next(machine).at(root.span)? {
                all.push(Ground::new(machine, element).at(root.span)?);
            }
            Ok(all)
        });
        let values = values.map_err(|fault| self.describe_fault(&fault, Some((0, event))))?;
        let encoded = values.into_iter().map(|value| {
            let mut bytes = Vec::new();
            self.encoder.encode(value, &mut bytes);
            bytes
        });
        Ok(encoded.collect())
    }

    /// Returns a stack with the initial states, none of them tried yet.
    pub(super) fn begin(&mut self) -> Result<Stack<'static>, Trouble> {
        let start = self.course.start();
        let Some(first) = self.course.event(&mut self.lines, 0)? else {
            return Err(self.describe_missing_event());
        };
        let region = self.setting.run.region();
        let mut machine =
            Machine::new(self.setting.model.program, self.setting.shared, &region, self.setting.run);
        let ready = self.ready(&mut machine, &region, (0, &first))?;
        let nowhere = vec![Value::TRUE; self.n_variables];
        let states =
            self.successors(&mut machine, &nowhere, (self.setting.plan.init, Some((ready, &first))))?;
        let mut stack = Stack::default();
        for state in states.into_iter().rev() {
            let (position, used) = (start.clone(), self.no_silent.clone());
            let state = State::Values(state);
            let node = Node { state, position, used, action: None, event: None, asleep: None };
            stack.initial.push(node.pack(&mut self.encoder));
        }
        Ok(stack)
    }

    fn describe_missing_event(&self) -> Trouble {
        let names = self.lines.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let mut told = match self.lines.n_lines {
            0 => Diagnostic::without_place(Code::LogEmpty, format!("{names}: there is no event, the log is empty"))
                .help("see whether the program was run with its log switched on, and wrote it to this file"),
            n => Diagnostic::without_place(
                Code::LogEmpty,
                format!("{names}: no event of {} matches a rule", render::count(n, "line")),
            )
            .help("see whether `kind` in `[log]` is the right field, and `[[event]]` has the kinds that the log has"),
        };
        for skipped in self.lines.skipped.values().take(8) {
            let lines = render::count(skipped.n_lines, "line");
            told = told.note(format!("{lines} of the kind `{}`, which no rule is for", skipped.kind));
        }
        Trouble::Told(Box::new(told))
    }

    /// Converts an event to a value, and checks it if that was not done before.
    pub(super) fn ready<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        region: &'r Region,
        (number, event): (usize, &Rc<Event>),
    ) -> Result<Ready<'r>, Trouble> {
        if number >= self.checked.n_checked {
            self.check_event(machine, region, event)?;
            self.checked.n_checked = number + 1;
        }
        Ok(Ready { number, value: self.value_of(region, event)? })
    }

    pub(super) fn value_of<'r>(&self, region: &'r Region, event: &Event) -> Result<Value<'r>, Trouble> {
        let Json::Object(members) = &event.tree else { return Ok(Value::TRUE) };
        let read = &self.setting.plan.fields;
        let wanted = (!read.is_whole).then_some(&read.names);
        let value = self.valuer.record(region, members, wanted);
        value.map_err(|reason| {
            let told = self.refuse_event(event, Code::LogField, &reason);
            Trouble::Told(Box::new(
                told.help("leave the field out of the log, or write it as TLA+ can have it"),
            ))
        })
    }

    /// Checks that the node of an event is known and that its fields have the values that the mapping declares.
    fn check_event<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        region: &'r Region,
        event: &Event,
    ) -> Result<(), Trouble> {
        let plan = self.setting.plan;
        if let (Some(nodes), Some(node)) = (plan.nodes, &event.node) {
            let json = self.setting.map.log.node.as_ref().and_then(|path| event.tree.at(path));
            let value = match json {
                Some(json @ Json::Int(_)) => self
                    .valuer
                    .value(region, json)
                    .map_err(|reason| Box::new(self.refuse_event(event, Code::LogField, &reason)))?,
                Some(_) | None => self.valuer.text(node),
            };
            if !self.is_in(machine, (value, nodes), event)? {
                let told = self.refuse_event(event, Code::LogField, &format!("there is no node `{node}`"));
                let help = "see whether the file is of another run, and which nodes the configuration has";
                return Err(Trouble::Told(Box::new(told.help(help))));
            }
        }
        for (index, (name, set)) in plan.typed.iter().enumerate() {
            let path: Vec<String> = name.split('.').map(ToOwned::to_owned).collect();
            let Some(json) = event.tree.at(&path).filter(|json| **json != Json::Null) else { continue };
            self.checked.is_typed_seen[index] = true;
            let value = self.valuer.value(region, json);
            let value =
                value.map_err(|reason| Box::new(self.refuse_event(event, Code::LogField, &reason)))?;
            if !self.is_in(machine, (value, *set), event)? {
                let shown = machine.show(value);
                let span = self.setting.model.program.asked[*set].span;
                let text = self.setting.model.spec.sources.text(span).to_owned();
                let what = format!("`{name}` is {shown}, which is not in `{text}`");
                let told = self.refuse_event(event, Code::LogField, &what);
                let help = "see `[fields]` of the mapping, and what the program writes there";
                return Err(Trouble::Told(Box::new(told.help(help))));
            }
        }
        Ok(())
    }

    fn is_in<'r>(
        &self,
        machine: &mut Machine<'a, 'r>,
        (value, set): (Value<'r>, usize),
        event: &Event,
    ) -> Result<bool, Trouble> {
        let root = self.setting.model.program.asked[set];
        machine.set_state(std::iter::repeat_n(Value::TRUE, self.n_variables + 1));
        let set = machine.eval_root(root).map_err(|fault| self.describe_fault(&fault, Some((0, event))))?;
        // A value that cannot be compared with the elements is not one of them.
        Ok(ops::member(machine, value, set).unwrap_or(false))
    }

    pub(super) fn refuse_event(&self, event: &Event, code: Code, what: &str) -> Diagnostic {
        let place = (self.lines.names[event.file as usize].as_str(), event.line);
        at_line(code, place, what).note(format!("the line is {}", shorten(&event.text)))
    }

    /// Checks that an event has the fields that a rule reads.
    pub(super) fn check_needs(&self, rule: usize, event: &Event) -> Result<(), Trouble> {
        let planned = &self.setting.plan.rules[rule];
        let is_missing = |name: &&String| event.tree.field(name).is_none_or(|json| *json == Json::Null);
        let Some(name) = planned.needs.iter().find(is_missing) else { return Ok(()) };
        let what = format!("there is no field `{name}`, which the rule for `{}` reads", planned.name);
        let told = self.refuse_event(event, Code::LogField, &what);
        let help = "let the program log it; or write a rule of its own for such events, with `when`";
        Err(Trouble::Told(Box::new(told.help(help))))
    }

    /// Whether two states are the same.
    pub(super) fn is_same(&mut self, one: &State<'_>, other: &State<'_>) -> bool {
        one.bytes(&mut self.encoder) == other.bytes(&mut self.encoder)
    }

    /// Returns the step from one state to another, for reports.
    pub(super) fn step_of<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        region: &'r Region,
        (before, node): (&Node<'r>, &Node<'r>),
    ) -> Option<trace::Step> {
        let action = node.action? as usize;
        let event = match &node.event {
            Some((_, event)) => self.value_of(region, event).ok()?,
            None => Value::TRUE,
        };
        let values = before.state.values(region, self.n_variables);
        let wanted = node.state.bytes(&mut self.encoder);
        let (spec, n_variables) = (self.setting.model.spec, self.n_variables);
        machine.set_recording(true);
        machine.set_state(values.iter().copied().chain([event]));
        let (actions, encoder) = (&self.actions, &mut self.encoder);
        let mut step = None;
        let _ = machine.step(&actions[action], &mut |machine| {
            let span = actions[action].leaf.span;
            model::ground(machine, Side::Next).at(span)?;
            let next: Rc<[Value<'r>]> = machine.next()[..n_variables].iter().copied().flatten().collect();
            if State::Values(next).bytes(encoder) != wanted {
                return Ok(Flow::Continue);
            }
            step = Some(model::step(spec, machine, &actions[action]));
            Ok(Flow::Stop)
        });
        machine.set_recording(false);
        step
    }
}
