//! A search that is to come to something: for a log that is followed, the end of the log.
//!
//! [`check_to`] is a depth-first search that ends as soon as what is wanted is reached: an expression that holds in a state,
//! a POSTCONDITION that has come to hold, or `TLCSet("exit", TRUE)`. Where it is not reached, the state that came furthest is
//! told, and for each action the conjunct that kept it from being a step from there.
//!
//! Not here: what a log is.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use eval::interp::{ActionInstance, Flow, Machine};
use eval::ir::Root;
use model::{Model, blocked, data, explain, place, step_names};
use sema::spec::DefId;
use trace::{Datum, Failure, Step, Trace};
use value::{Interner, Value, ValueId, ops};

use crate::answer::Answer;
use crate::choices::{Choice, choices};
use crate::context::Context;
use crate::observe::Observer;
use crate::options::{Options, Search};
use crate::prepare;
use crate::rebuild::load;
use crate::rebuild::{self, Room};
use crate::run::WorkerRun;
use crate::space::Handle;

/// So many actions are told.
const MISSES_MAX: usize = 5;

/// A goal of a search besides the properties of the configuration.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// A formula that holds in a state where the search is to end.
    pub accept: Option<Root>,
    /// The variable, by its number in a state, that says how far a state has come.
    pub cursor: Option<usize>,
    /// An expression without variables: how far there is to come.
    pub length: Option<Root>,
    /// An expression without variables: the events themselves, a sequence; where somebody wants to see them.
    pub events: Option<Root>,
    /// Somebody wants the accepting behaviour: to make it again takes as long as to find it.
    pub keeps_accepting: bool,
    /// Room for the last states of a behaviour.
    pub room: Room,
    /// Somebody wants to know what else could have been done on the way: each state of it is expanded again.
    pub tells_choices: bool,
}

/// By what it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// `TLCSet("exit", TRUE)`
    Exit,
    /// It was FALSE at first, and holds.
    Postcondition,
    /// [`Aim::accept`]
    Expression,
}

/// How far a search has come.
#[derive(Debug, Default)]
pub struct Reached {
    pub accepted: Option<Accepted>,
    /// The last states of the behaviour to the state that came furthest; of the accepting one if there is one and somebody
    /// wants it.
    pub trace: Option<Trace>,
    /// States before the first one of the trace.
    pub n_before: usize,
    /// Number of states of the behaviour.
    pub n_states: usize,
    /// The value of the cursor there.
    pub cursor: Option<i64>,
    /// The cursor in each state of the trace, if the alternatives to its steps are wanted.
    pub cursors: Vec<i64>,
    /// The value of [`Aim::length`].
    pub length: Option<i64>,
    /// The elements of [`Aim::events`].
    pub events: Vec<Datum>,
    /// Reasons why no step led on from there, the nearest first; empty after the last event.
    pub misses: Vec<NearStep>,
    /// Alternatives to each step of the trace, if they are wanted and there is a behaviour.
    pub choices: Vec<Choice>,
    /// The user or the clock ended it before all of this was known.
    pub is_cut: bool,
    /// Temporal properties that ask about the run.
    pub run_properties: Vec<String>,
}

/// An action that makes no step from a state, or none that may be made.
#[derive(Debug)]
pub struct NearStep {
    pub step: Step,
    /// Number of its conjuncts that held.
    pub n_passed: usize,
    pub why: NearKind,
    pub failure: Failure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NearKind {
    /// A conjunct is FALSE.
    Conjunct,
    /// It makes a step that a constraint cuts off.
    Constraint,
}

/// Searches depth-first until what is wanted is reached; other options are as in [`crate::check`].
pub fn check_to(
    model: Model<'_>,
    options: &Options<'_>,
    aim: &Aim,
    observer: &dyn Observer,
) -> (Answer, Reached) {
    debug_assert_eq!(options.search, Search::DepthFirst);
    prepare::check_to(model, options, aim, observer)
}

/// The state that came furthest, while a search goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Furthest {
    handle: Handle,
    depth: u32,
    cursor: i64,
}

/// The state of a search with an aim.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pursuit {
    pub furthest: Option<Furthest>,
    pub accepted: Option<Accepted>,
    /// Whether the postconditions are FALSE before the first step, so that TRUE tells something.
    asks_postconditions: bool,
}

impl Pursuit {
    /// Looks at the initial states.
    pub fn begin(context: &Context<'_>, states: &[Handle]) -> Pursuit {
        let mut pursuit = Pursuit::default();
        let Some(aim) = context.board.aim else { return pursuit };
        let postconditions = &context.program().postconditions;
        pursuit.asks_postconditions = !postconditions.is_empty() && !postconditions_hold(context);
        pursuit.look(context, aim, states, 1);
        pursuit
    }

    /// Looks at the states that were found on the level `depth`; whether the search has come to its end.
    pub fn is_there(&mut self, context: &Context<'_>, states: &[Handle], depth: u32) -> bool {
        let Some(aim) = context.board.aim else { return false };
        let was_deepest = self.furthest.map_or(0, |furthest| furthest.depth);
        self.look(context, aim, states, depth);
        let is_deeper = !states.is_empty() && depth > was_deepest;
        if self.accepted.is_none() && context.board.exit.load(Ordering::Relaxed) {
            self.accepted = Some(Accepted::Exit);
        }
        if self.accepted.is_none() && is_deeper && self.asks_postconditions && postconditions_hold(context) {
            self.accepted = Some(Accepted::Postcondition);
        }
        self.accepted.is_some()
    }

    fn look(&mut self, context: &Context<'_>, aim: &Aim, states: &[Handle], depth: u32) {
        for &handle in states {
            let cursor = aim.cursor.map_or(0, |variable| cursor(context, handle, variable));
            let is_further = self.furthest.is_none_or(|known| (cursor, depth) > (known.cursor, known.depth));
            if is_further {
                self.furthest = Some(Furthest { handle, depth, cursor });
            }
            if aim.accept.is_some_and(|root| holds_in(context, root, (handle, depth))) {
                self.furthest = Some(Furthest { handle, depth, cursor });
                self.accepted = Some(Accepted::Expression);
                return;
            }
        }
    }

    /// Returns the results when the search is over.
    pub fn report<'a>(&self, context: &'a Context<'a>) -> Reached {
        let Some(aim) = context.board.aim else { return Reached::default() };
        let run = WorkerRun::new(context, 0);
        let run_properties = context.liveness.map_or_else(Vec::new, |live| live.run_properties());
        let (length, events) = run.quietly(|| (length(context, &run, aim), events(context, &run, aim)));
        let Some(furthest) = self.furthest else {
            return Reached { length, events, run_properties, ..Reached::default() };
        };
        let cursor = aim.cursor.map(|_| furthest.cursor);
        let is_through = cursor.zip(length).is_some_and(|(cursor, length)| cursor > length);
        let is_stuck = self.accepted.is_none() && !is_through;
        let is_wanted = aim.keeps_accepting || is_stuck;
        let tail = is_wanted.then(|| rebuild::tail(context, &run, (furthest.handle, aim.room)));
        let (trace, n_before) = tail.map(|tail| (tail.trace, tail.n_before)).unzip();
        let n_before = n_before.unwrap_or(0);
        let n_states = furthest.depth as usize;
        let misses = if is_stuck { run.quietly(|| misses(context, &run, furthest)) } else { Vec::new() };
        let mut reached = Reached {
            accepted: self.accepted,
            trace,
            n_before,
            n_states,
            cursor,
            length,
            events,
            misses,
            run_properties,
            ..Reached::default()
        };
        let board = context.board;
        let must_end = || {
            board.options.interrupted.load(Ordering::Relaxed)
                || board.limits.time_over.load(Ordering::Relaxed)
        };
        reached.is_cut = is_stuck && must_end();
        if aim.tells_choices && is_wanted {
            reached.choices = run.quietly(|| choices(context, &run, (furthest.handle, n_before)));
            let states = rebuild::path(context.space, furthest.handle).split_off(n_before);
            let at = |variable| states.iter().map(move |&handle| self::cursor(context, handle, variable));
            reached.cursors = aim.cursor.map_or_else(Vec::new, |variable| at(variable).collect());
        }
        reached
    }
}

fn length<'a>(context: &'a Context<'a>, run: &'a WorkerRun<'a>, aim: &Aim) -> Option<i64> {
    let region = context.board.region();
    let mut machine = Machine::new(context.program(), context.shared, &region, run);
    machine.eval_root(aim.length?).ok()?.as_i64()
}

fn events<'a>(context: &'a Context<'a>, run: &'a WorkerRun<'a>, aim: &Aim) -> Vec<Datum> {
    let region = context.board.region();
    let mut machine = Machine::new(context.program(), context.shared, &region, run);
    let value = aim.events.and_then(|root| machine.eval_root(root).ok());
    let value = value.and_then(|value| ops::force(&mut machine, value).ok());
    if let Some(Datum::Seq(events)) = value.map(data::datum) { events.to_vec() } else { Vec::new() }
}

fn state_ids(context: &Context<'_>, handle: Handle) -> Vec<ValueId> {
    let mut ids = vec![ValueId::from_bits(0); context.space.n_variables()];
    context.space.state(handle, &mut ids);
    ids
}

fn cursor(context: &Context<'_>, handle: Handle, variable: usize) -> i64 {
    let ids = state_ids(context, handle);
    let value: Option<Value<'_>> = ids.get(variable).map(|&id| Interner::shared().value(id));
    value.and_then(|value| value.as_i64()).unwrap_or(0)
}

/// Whether all postconditions hold. One that cannot be evaluated does not hold; the final evaluation reports why.
fn postconditions_hold(context: &Context<'_>) -> bool {
    let run = WorkerRun::new(context, 0);
    run.expand(0, None);
    let region = context.board.region();
    run.quietly(|| {
        let mut machine = Machine::new(context.program(), context.shared, &region, &run);
        let roots = &context.program().postconditions;
        roots.iter().all(|root| machine.eval_root_bool(*root).unwrap_or(false))
    })
}

fn holds_in(context: &Context<'_>, root: Root, (handle, depth): (Handle, u32)) -> bool {
    let run = WorkerRun::new(context, 0);
    run.expand(depth, Some(handle));
    let region = context.board.region();
    run.quietly(|| {
        let mut machine = Machine::new(context.program(), context.shared, &region, &run);
        load(context, &mut machine, handle);
        machine.eval_root_bool(root).unwrap_or(false)
    })
}

/// Each action that makes no step from there, the nearest first.
fn misses<'a>(context: &'a Context<'a>, run: &'a WorkerRun<'a>, furthest: Furthest) -> Vec<NearStep> {
    let region = context.board.region();
    let mut all = Vec::new();
    for action in context.actions {
        run.expand(furthest.depth, Some(furthest.handle));
        let mut machine = Machine::new(context.program(), context.shared, &region, run);
        load(context, &mut machine, furthest.handle);
        let Ok(miss) = machine.nearest_miss(action) else { continue };
        match miss {
            Some(miss) => {
                let mut failure = explain::describe_culprit(context.model, &mut machine, miss.culprit);
                failure.calls.splice(0..0, calls(context, &miss.via, (action, &failure.calls)));
                let step = missed_step(context, &mut machine, action, &mut failure.calls);
                all.push(NearStep { step, n_passed: miss.n_passed, why: NearKind::Conjunct, failure });
            }
            None => all.extend(cut_off(context, &mut machine, action)),
        }
    }
    // Actions that came as far are told in the order of the text.
    all.sort_by_key(|near| std::cmp::Reverse(near.n_passed));
    all.dedup_by(|one, other| one.step.name == other.step.name && one.failure == other.failure);
    // Those that fail where all others do, at the kind of event say, explain nothing.
    let least = all.last().map_or(0, |near| near.n_passed);
    if all.first().is_some_and(|near| near.n_passed > least) {
        all.retain(|near| near.n_passed > least);
    }
    all.truncate(MISSES_MAX);
    all
}

/// The step that was not made. Where an action is a disjunction of several, it is the one of them that the culprit is in,
/// and the calls then start below it.
fn missed_step<'a>(
    context: &'a Context<'a>,
    machine: &mut Machine<'a, '_>,
    action: &ActionInstance<'a>,
    calls: &mut Vec<Step>,
) -> Step {
    let step = blocked::name_step(context.model, machine, action);
    let names = step_names::step_names(context.model, action.leaf);
    match calls.iter().position(|call| names.contains(&call.name)) {
        Some(index) if names.len() > 1 => {
            let alternative = calls.drain(..=index).next_back();
            Step { parameters: step.parameters.clone(), ..alternative.unwrap_or(step) }
        }
        Some(_) | None => step,
    }
}

/// The definitions that lead from the action to a conjunct, besides those that are known.
fn calls(context: &Context<'_>, via: &[DefId], (action, known): (&ActionInstance<'_>, &[Step])) -> Vec<Step> {
    let spec = context.spec();
    let call = |def: DefId| {
        let (name, span) = (spec.names.text(spec.defs[def].name), spec.defs[def].name_span);
        Step { name: name.to_owned(), place: Some(place(spec, span)), parameters: Vec::new() }
    };
    let own = context.text(action.leaf.name);
    let is_new = |call: &Step| call.name != own && !known.iter().any(|known| known.name == call.name);
    via.iter().map(|&def| call(def)).filter(is_new).collect()
}

/// An action that makes a step, if a constraint cuts it off.
fn cut_off<'a>(
    context: &'a Context<'a>,
    machine: &mut Machine<'a, '_>,
    action: &ActionInstance<'a>,
) -> Option<NearStep> {
    let mut failure = None;
    let walked = machine.step(action, &mut |machine| {
        failure = blocked::failing_constraint(context.model, machine);
        Ok(Flow::Stop)
    });
    walked.ok()?;
    let step = blocked::name_step(context.model, machine, action);
    // All of its conjuncts held, so no action came nearer.
    failure.map(|failure| NearStep { step, n_passed: usize::MAX, why: NearKind::Constraint, failure })
}

/// Takes what was written down.
pub(crate) fn take_reached(reached: &std::sync::Mutex<Option<Reached>>) -> Reached {
    reached.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default()
}
