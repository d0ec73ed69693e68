//! The search for a behaviour that explains a log, by the rules of a mapping.
//!
//! It is depth-first over positions in the log and states. States that were tried in vain are remembered as dead ends.
//! They are forgotten when only one candidate remains: then nothing before it can be tried in another way, and no event
//! before it is asked for again. States are values in a region; when that is full, those that are still needed are
//! copied to another one.

mod commit;
mod compared;
mod dead;
mod explain;
mod frame;
mod further;
mod orders;
mod ready;
pub(crate) mod room;
mod run;
mod tell;

use std::cell::Cell;
use std::rc::Rc;

use base::FxHashMap;
use diag::{Code, Diagnostic};
use eval::interp::{ActionInstance, At, Conjuncts, Flow, Machine, Shared, rule_instances};
use model::{Coverage, Ended, Limit, Model, NoVerdict, QuietRun, STACK_BYTES, Side};
use value::{Encoder, Region, Value};

use crate::log::{Choices, Course, Event, Lines, LogInput, Position, Skipped, Valuer};
use crate::map::Map;
use crate::outcome::{NotCompared, Outcome, Undecided, Violated};
use crate::plan::Plan;
use dead::DeadEnds;
use frame::{Frame, Node, Stack, State};
use run::MapRun;
pub use run::Options;

/// A region is left when it holds this much more than at its beginning, and several times as much.
const EPOCH_BYTES: usize = 16 << 20;
const EPOCH_FACTOR: usize = 3;
/// Number of turns between two checks of the limits.
const TURNS_BETWEEN_LOOKS: u32 = 1 << 8;
/// The most dead ends that are remembered; forgetting them only costs time.
const DEAD_ENDS_MAX: usize = 2_000_000;
/// Number of states of a behaviour that are kept if the user does not want all.
const PAST_LEN_MAX: usize = 20;

/// The result of following a log.
#[derive(Debug)]
pub struct Validation {
    pub outcome: Outcome,
    /// Number of events that each rule of the plan explains, on the behaviour that was found or on the longest one.
    pub rule_uses: Vec<u64>,
    /// Number of uses of each silent action on that behaviour.
    pub silent_uses: Vec<u64>,
    pub skipped: Vec<Skipped>,
    /// The parts of the log that were not compared with the specification, if it is accepted.
    pub not_compared: NotCompared,
    /// Number of events that the longest behaviour explains.
    pub n_explained: usize,
    /// Things that deserve a look, although they decide nothing.
    pub warnings: Vec<Diagnostic>,
    pub n_lines: usize,
    /// Number of times that the successors of a state by an event or a silent step were computed.
    pub n_tried: u64,
    /// The parts of the specification that were used, if that was counted.
    pub coverage: Option<Coverage>,
}

/// The reason why there is no outcome.
#[derive(Debug)]
pub enum Trouble {
    /// A log that cannot be read, or a mapping that says too little.
    Told(Box<Diagnostic>),
    /// An expression without a value, of the specification or of the mapping.
    Undefined(Box<Diagnostic>),
    /// The specification ends before there is a state.
    Early(Box<model::Outcome>),
}

impl From<Box<Diagnostic>> for Trouble {
    fn from(diagnostic: Box<Diagnostic>) -> Trouble {
        Trouble::Told(diagnostic)
    }
}

/// Follows a log, whose parts are files or other sources of lines.
pub fn follow(
    model: Model<'_>,
    (plan, map): (&Plan, &Map),
    inputs: Vec<LogInput<'_>>,
    options: &Options<'_>,
) -> Result<Validation, Trouble> {
    let shared = Shared::with_counters(model.program, options.counts_evaluations);
    let run = MapRun { options, model, patience: Cell::new(None) };
    model::prepare(model, &shared, &run).map_err(|early| match early {
        Ended::NoVerdict(NoVerdict::Interrupted) if run.is_late() => {
            Trouble::Early(Box::new(Err(NoVerdict::Limit(Limit::Time))))
        }
        Ended::Verdict(_) | Ended::NoVerdict(_) => Trouble::Early(Box::new(early.outcome())),
    })?;
    let kinds = ready::kinds(plan);
    let takes_all = !plan.for_all.is_empty();
    let lines = Lines::new(&map.log, inputs, (&kinds, takes_all));
    let mut searcher =
        Searcher::new(Setting { model, shared: &shared, run: &run, plan, map }, (lines, &kinds));
    searcher.search()
}

/// Follows a log like [`follow`], on a stack that is as deep as evaluation may need.
pub fn follow_on_deep_stack<'i>(
    model: Model<'_>,
    (plan, map): (&Plan, &Map),
    inputs: impl FnOnce() -> Vec<LogInput<'i>> + Send,
    options: &Options<'_>,
) -> Result<Validation, Trouble> {
    base::on_deep_stack(STACK_BYTES, || follow(model, (plan, map), inputs(), options))
}

/// The end of a search.
enum End {
    Accepted,
    Rejected,
    Undecided(Undecided),
}

enum Turn {
    /// The region is full.
    Full(Stack<'static>),
    Over(End, Stack<'static>),
}

/// A longest behaviour, by its last states.
struct Reached {
    n_explained: usize,
    /// Number of states before the first of them that are not kept.
    n_before: usize,
    nodes: Vec<Node<'static>>,
    /// Number of steps of it by each action, whether the states of the step are kept or not.
    uses: Vec<u64>,
}

impl Reached {
    fn n_states(&self) -> usize {
        self.n_before + self.nodes.len()
    }
}

/// The inputs of a search besides the logs.
#[derive(Clone, Copy)]
struct Setting<'a> {
    model: Model<'a>,
    shared: &'a Shared,
    run: &'a MapRun<'a>,
    plan: &'a Plan,
    map: &'a Map,
}

/// Results of checks on states that every remaining behaviour goes through.
struct Checked {
    /// Number of events that were checked.
    n_checked: usize,
    action_uses: Vec<u64>,
    violations: Vec<Violated>,
    warnings: Vec<Diagnostic>,
    /// For each field in `[fields]`, whether an event has it.
    is_typed_seen: Vec<bool>,
}

/// The alternatives that were tried and those that were not.
struct Effort {
    /// Whether alternatives were given up.
    is_cut: bool,
    /// Whether only one order of events that commute is tried.
    leaves_out: bool,
    /// Whether an order was left out for that reason.
    has_left_out: bool,
    n_tried: u64,
    /// Whether the events alone take too much memory.
    has_no_room: bool,
    /// Number of turns that are left, if they are counted.
    turns_left: Option<u32>,
}

struct Searcher<'a, 'i> {
    setting: Setting<'a>,
    actions: Vec<ActionInstance<'a>>,
    lines: Lines<'a, 'i>,
    course: Course,
    valuer: Valuer,
    /// The rules for each kind of event, by number.
    rules_of: Vec<Vec<u32>>,
    kind_names: Vec<String>,
    /// The silent actions that the search may take.
    silent: Vec<usize>,
    n_variables: usize,
    encoder: Encoder,
    dead: DeadEnds,
    furthest: Vec<Reached>,
    invariants: Vec<Conjuncts>,
    no_silent: Rc<[u32]>,
    checked: Checked,
    effort: Effort,
}

/// An event as a value of the current machine.
#[derive(Clone, Copy)]
struct Ready<'r> {
    number: usize,
    value: Value<'r>,
}

impl<'a, 'i> Searcher<'a, 'i> {
    fn new(setting: Setting<'a>, (lines, kinds): (Lines<'a, 'i>, &FxHashMap<String, u32>)) -> Self {
        let Setting { model, plan, map, .. } = setting;
        let silent: Vec<usize> =
            (0..plan.silent.len()).filter(|&index| plan.silent[index].is_declared).collect();
        let n_actions = model.program.rules.len();
        assert!(plan.rules.len() <= n_actions && plan.init < n_actions, "the plan is that of the program");
        let (rules_of, kind_names) = ready::rules_of(plan, kinds);
        Searcher {
            actions: rule_instances(model.program),
            course: ready::start_course(plan, &lines),
            valuer: Valuer::new(model.program.atoms, &plan.model_values),
            rules_of,
            kind_names,
            n_variables: model.program.variables.len() - 1,
            encoder: Encoder::new(),
            dead: DeadEnds::default(),
            furthest: Vec::new(),
            invariants: model
                .program
                .invariants
                .iter()
                .map(|root| Conjuncts::of(model.program, root))
                .collect(),
            no_silent: vec![0; 2 * silent.len()].into(),
            silent,
            checked: Checked {
                n_checked: 0,
                action_uses: vec![0; model.program.rules.len()],
                violations: Vec::new(),
                warnings: Vec::new(),
                is_typed_seen: vec![false; plan.typed.len()],
            },
            effort: Effort {
                is_cut: false,
                leaves_out: !map.search.has_every_order,
                has_left_out: false,
                n_tried: 0,
                has_no_room: false,
                turns_left: None,
            },
            setting,
            lines,
        }
    }

    fn search(&mut self) -> Result<Validation, Trouble> {
        let ended = self.search_to_end();
        let (end, stack) = match (ended, self.must_end()) {
            (Ok(ended), _) => ended,
            // Evaluation that was stopped gives no other information.
            (Err(_), Some(why)) => (End::Undecided(why), Stack::default()),
            (Err(trouble), None) => return Err(trouble),
        };
        // This comes before the explanation of a rejection, which tries undeclared actions and must not count as their
        // use.
        let coverage =
            model::coverage::coverage(self.setting.model, self.setting.shared, &model::FoundBy::default());
        let n_tried = self.effort.n_tried;
        let (end, stack) = match end {
            End::Rejected if self.effort.has_left_out => self.look_further(),
            End::Accepted | End::Rejected | End::Undecided(_) => (end, stack),
        };
        let validation = self.conclude(end, &stack)?;
        Ok(Validation { coverage, n_tried, ..validation })
    }

    fn search_to_end(&mut self) -> Result<(End, Stack<'static>), Trouble> {
        self.load_partial()?;
        let stack = self.begin()?;
        if let Some(why) = self.is_full(&stack) {
            return Ok((End::Undecided(why), stack));
        }
        self.search_from(stack)
    }

    fn search_from(&mut self, mut stack: Stack<'static>) -> Result<(End, Stack<'static>), Trouble> {
        loop {
            match self.epoch(stack)? {
                Turn::Full(carried) => {
                    if let Some(why) = self.is_full(&carried) {
                        return Ok((End::Undecided(why), carried));
                    }
                    stack = carried;
                }
                Turn::Over(end, stack) => return Ok((end, stack)),
            }
        }
    }

    /// Searches until the end or until the region is full.
    fn epoch(&mut self, stack: Stack<'static>) -> Result<Turn, Trouble> {
        let region = self.setting.run.region();
        let mut machine =
            Machine::new(self.setting.model.program, self.setting.shared, &region, self.setting.run);
        let mut stack: Stack<'_> = stack;
        let mut n_turns = 0;
        let quarter = self.setting.run.options.memory_bytes_max / 4;
        let mut bytes_max = EPOCH_BYTES.min(quarter);
        if let Some(top) = stack.frames.back_mut() {
            top.node.state = State::Values(top.node.state.values(&region, self.n_variables));
            // The larger the states are, the less often they are copied from region to region.
            let bytes = region.bytes_used();
            bytes_max += bytes + (bytes * EPOCH_FACTOR).min(quarter);
        }
        loop {
            if region.bytes_used() > bytes_max {
                return Ok(Turn::Full(self.pack(&stack)));
            }
            let n_candidates = self.dead.len() + stack.n_open;
            if let Some(max) = self.setting.run.options.candidates_max.filter(|&max| n_candidates > max) {
                let why = Undecided::TooMany { states_max: max };
                return Ok(Turn::Over(End::Undecided(why), self.pack(&stack)));
            }
            n_turns += 1;
            if self.is_spent() {
                return Ok(Turn::Over(End::Undecided(Undecided::Time), self.pack(&stack)));
            }
            if n_turns % TURNS_BETWEEN_LOOKS == 0 {
                self.tidy();
                let crowded = self.is_crowded(&stack, region.bytes_used());
                if let Some(why) = self.must_end().or(crowded) {
                    return Ok(Turn::Over(End::Undecided(why), self.pack(&stack)));
                }
            }
            if let Some(end) = self.turn(&mut machine, &region, &mut stack)? {
                if matches!(end, End::Accepted) {
                    self.settle(&mut machine, &mut stack, true)?;
                }
                return Ok(Turn::Over(end, self.pack(&stack)));
            }
        }
    }

    fn pack(&mut self, stack: &Stack<'_>) -> Stack<'static> {
        stack.pack(&mut self.encoder, self.setting.run.options.kept_bytes_max)
    }

    fn must_end(&self) -> Option<Undecided> {
        if self.setting.run.options.interrupted.load(std::sync::atomic::Ordering::Relaxed) {
            return Some(Undecided::Interrupted);
        }
        if self.effort.has_no_room {
            return Some(Undecided::Memory { bytes_max: self.setting.run.options.memory_bytes_max });
        }
        self.setting.run.is_late().then_some(Undecided::Time)
    }

    /// Tries one more state, or finds the next ones to try.
    fn turn<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        region: &'r Region,
        stack: &mut Stack<'r>,
    ) -> Result<Option<End>, Trouble> {
        let Some(top) = stack.frames.back_mut() else {
            return Ok(match stack.initial.pop() {
                Some(node) => {
                    stack.frames.push_back(Frame::new(node));
                    stack.n_open = 1;
                    None
                }
                None if self.effort.is_cut => {
                    Some(End::Undecided(Undecided::Forgotten { window: self.setting.map.search.window }))
                }
                None => Some(End::Rejected),
            });
        };
        if let Some(node) = top.pending.pop() {
            self.enter(machine, stack, node)?;
            return Ok(None);
        }
        let choices = match &top.choices {
            Some(choices) => choices.clone(),
            None => {
                let choices = self.course.next(&mut self.lines, &top.node.position)?;
                top.choices = Some(choices.clone());
                choices
            }
        };
        if choices.events.is_empty() {
            return Ok(Some(End::Accepted));
        }
        let taken = top.n_taken;
        let n_events = self.n_wanted(&choices);
        if taken < n_events + self.silent.len() {
            top.n_taken += 1;
            let node = top.node.clone();
            let found = match taken < n_events {
                true => self.choose_event(machine, region, &node, (&choices, taken))?,
                false if !self.is_awaited(taken - n_events, &choices)? => (node.state.clone(), Vec::new()),
                false => self.take_silent_step(machine, region, &node, taken - n_events)?,
            };
            if let Some(top) = stack.frames.back_mut() {
                top.node.state = found.0;
                top.pending = found.1;
                top.pending.reverse();
            }
            return Ok(None);
        }
        self.give_up(stack);
        Ok(None)
    }

    /// Returns the states after an event.
    fn explain_event<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        region: &'r Region,
        node: &Node<'r>,
        (number, position): &(usize, Position),
    ) -> Result<(State<'r>, Vec<Node<'r>>), Trouble> {
        let event = self.event(*number)?;
        let ready = self.ready(machine, region, (*number, &event))?;
        let values = node.state.values(region, self.n_variables);
        let mut found = Vec::new();
        for rule in self.candidates(&event) {
            self.check_needs(rule, &event)?;
            for state in self.successors(machine, &values, (rule, Some((ready, &event))))? {
                found.push(Node {
                    state: State::Values(state),
                    position: position.clone(),
                    used: self.after_event(&node.used),
                    action: Some(rule as u32),
                    event: Some((*number, event.clone())),
                    asleep: None,
                });
            }
        }
        Ok((State::Values(values), self.keep_distinct(found)))
    }

    /// Keeps each state once, with the first rule that leads there.
    fn keep_distinct<'r>(&mut self, mut found: Vec<Node<'r>>) -> Vec<Node<'r>> {
        if found.len() > 1 {
            let mut seen = base::FxHashSet::default();
            found.retain(|node| seen.insert(node.state.bytes(&mut self.encoder)));
        }
        found
    }

    /// Returns the rules that may explain an event.
    fn candidates(&self, event: &Event) -> Vec<usize> {
        let rules = &self.rules_of[event.kind as usize];
        let follows = |rule: &usize| {
            let wanted = &self.setting.plan.rules[*rule].follows;
            let before = event.kind_before.map(|kind| &self.kind_names[kind as usize]);
            wanted.is_empty() || before.is_some_and(|before| wanted.contains(before))
        };
        rules.iter().map(|&rule| rule as usize).filter(follows).collect()
    }

    /// Returns the counts of silent steps after an event, where none since the event was taken.
    fn after_event(&self, used: &Rc<[u32]>) -> Rc<[u32]> {
        let n_silent = self.silent.len();
        if n_silent == 0 {
            return self.no_silent.clone();
        }
        let mut after = used.to_vec();
        after[..n_silent].fill(0);
        after.into()
    }

    /// Whether an event that can come next is one before which the mapping has this silent step.
    fn is_awaited(&mut self, index: usize, choices: &Choices) -> Result<bool, Trouble> {
        let plan = self.setting.plan;
        let wanted = &plan.silent[self.silent[index]].next;
        if wanted.is_empty() {
            return Ok(true);
        }
        for (number, _) in choices.events.iter() {
            let event = self.event(*number)?;
            if wanted.contains(&self.kind_names[event.kind as usize]) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the states after a silent step, if one more is allowed.
    fn take_silent_step<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        region: &'r Region,
        node: &Node<'r>,
        index: usize,
    ) -> Result<(State<'r>, Vec<Node<'r>>), Trouble> {
        let silent = &self.setting.plan.silent[self.silent[index]];
        let n_silent = self.silent.len();
        let (in_gap, in_all) = (node.used[index], node.used[n_silent + index]);
        if in_gap >= silent.per_gap_max || silent.total_max.is_some_and(|max| in_all >= max) {
            return Ok((node.state.clone(), Vec::new()));
        }
        let mut used = node.used.to_vec();
        used[index] += 1;
        used[n_silent + index] += 1;
        let used: Rc<[u32]> = used.into();
        let values = node.state.values(region, self.n_variables);
        let states = self.successors(machine, &values, (silent.action, None))?;
        let here = State::Values(values);
        let mut found = Vec::new();
        for state in states.into_iter().map(State::Values) {
            // A step that changes nothing gains nothing.
            if !self.is_same(&state, &here) {
                let (position, used) = (node.position.clone(), used.clone());
                let action = Some(silent.action as u32);
                found.push(Node { state, position, used, action, event: None, asleep: None });
            }
        }
        Ok((here, self.keep_distinct(found)))
    }

    /// Returns the states that an action leads to.
    fn successors<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        values: &[Value<'r>],
        (action, event): (usize, Option<(Ready<'r>, &Event)>),
    ) -> Result<Vec<Rc<[Value<'r>]>>, Trouble> {
        self.effort.n_tried += 1;
        let n_variables = self.n_variables;
        let event_value = event.map_or(Value::TRUE, |(ready, _)| ready.value);
        machine.set_state(values.iter().copied().chain([event_value]));
        let mut found: Vec<Rc<[Value<'r>]>> = Vec::new();
        let mut open: Option<usize> = None;
        let span = self.actions[action].leaf.span;
        let walked = machine.step(&self.actions[action], &mut |machine| {
            if machine.n_missing() > 0 {
                open = machine.next().iter().position(Option::is_none);
                return Ok(Flow::Stop);
            }
            model::ground(machine, Side::Next).at(span)?;
            found.push(machine.next()[..n_variables].iter().copied().flatten().collect());
            Ok(Flow::Continue)
        });
        match (walked, open) {
            (Err(fault), _) => {
                let event = event.map(|(ready, event)| (ready.number, event));
                Err(self.describe_fault(&fault, event))
            }
            (Ok(_), Some(variable)) => Err(self.describe_incomplete(action, variable)),
            (Ok(_), None) => Ok(found),
        }
    }

    fn describe_fault(&self, fault: &eval::interp::Fault, event: Option<(usize, &Event)>) -> Trouble {
        let mut told = model::fault_diagnostic(self.setting.model, fault);
        if let Some((_, event)) = event {
            let (file, line) = (&self.lines.names[event.file as usize], event.line);
            let text = crate::log::shorten(&event.text);
            told = told.note(format!("this is about `{file}`, line {line}: {text}"));
        }
        Trouble::Undefined(Box::new(told))
    }

    fn describe_incomplete(&self, action: usize, variable: usize) -> Trouble {
        let leaf = self.actions[action].leaf;
        let (spec, program) = (self.setting.model.spec, self.setting.model.program);
        let name = spec.names.text(leaf.name);
        let variable = program.variables.get(variable).map_or("?", |&name| spec.names.text(name));
        let headline = format!("a step by `{name}` leaves the next value of `{variable}` open");
        Trouble::Told(Box::new(Diagnostic::new(Code::MapFile, leaf.span, headline)))
    }

    /// Continues from a state, unless it is known to lead nowhere.
    fn enter<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        stack: &mut Stack<'r>,
        node: Node<'r>,
    ) -> Result<(), Trouble> {
        if !self.dead.is_empty() {
            let key = (node.position.clone(), node.state.bytes(&mut self.encoder));
            if self.dead.has(&key, &node.used) {
                return Ok(());
            }
        }
        let n_silent = self.silent.len();
        let n_choices = stack.frames.back().and_then(|top| top.choices.as_ref());
        let n_choices = n_choices.map_or(0, |choices| self.n_wanted(choices));
        if let Some(top) = stack.frames.back_mut()
            && !top.is_closed
            && top.pending.is_empty()
            && top.n_taken == n_choices + n_silent
        {
            top.is_closed = true;
            stack.n_open -= 1;
        }
        stack.frames.push_back(Frame::new(node));
        stack.n_open += 1;
        self.settle(machine, stack, false)
    }

    /// Commits the states that can no longer be tried in another way.
    fn settle<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        stack: &mut Stack<'r>,
        is_over: bool,
    ) -> Result<(), Trouble> {
        let is_alone = stack.n_open == 1 && stack.initial.is_empty();
        while stack.frames.len() > usize::from(!is_over) {
            if !is_over && !is_alone && stack.frames.len() <= self.setting.map.search.window {
                break;
            }
            let Some(frame) = stack.frames.pop_front() else { break };
            if !frame.is_closed {
                stack.n_open -= 1;
                self.effort.is_cut |= !is_over;
            }
            if !is_over {
                self.effort.is_cut |= !stack.initial.is_empty();
                stack.initial.clear();
            }
            self.commit(machine, stack.past.back(), &frame.node)?;
            stack.past.push_back(frame.node);
            if !self.setting.run.options.keeps_all && stack.past.len() > PAST_LEN_MAX {
                stack.past.pop_front();
                stack.n_forgotten += 1;
            }
        }
        if let Some(front) = stack.frames.front() {
            if stack.initial.is_empty() {
                self.dead.forget_before(&front.node.position);
            }
            self.course.forget_before(&front.node.position);
        }
        Ok(())
    }

    /// Gives up the state that is being tried, because nothing leads on from it.
    fn give_up(&mut self, stack: &mut Stack<'_>) {
        self.reach(stack);
        let Some(frame) = stack.frames.pop_back() else { return };
        stack.n_open -= usize::from(!frame.is_closed);
        if stack.frames.is_empty() && stack.initial.is_empty() {
            return;
        }
        if self.dead.len() >= DEAD_ENDS_MAX {
            self.dead.clear();
        }
        let Node { state, position, used, .. } = frame.node;
        self.dead.add((position, state.bytes(&mut self.encoder)), used);
    }

    fn event(&mut self, number: usize) -> Result<Rc<Event>, Trouble> {
        let event = self.course.event(&mut self.lines, number)?;
        Ok(event.expect("what can come next is there"))
    }
}
