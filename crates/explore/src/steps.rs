//! Initial states, and the steps that lead on from a state.

use std::collections::hash_map::Entry;

use base::FxHashMap;
use diag::Diagnostic;
use eval::interp::{ActionInstance, At, Evaluated, Fault, FaultKind, Flow, Machine, Shared};
use eval::ir::Root;
use model::{Ended, Model, NoVerdict, QuietRun, Side, What};
use trace::Step;

use crate::run::{ExploreRun, Memory, Settings};
use crate::standing::StandingState;

/// A model whose steps can be taken one by one.
pub struct Explorer<'a> {
    model: Model<'a>,
    shared: &'a Shared,
    run: &'a ExploreRun<'a>,
    actions: Vec<ActionInstance<'a>>,
}

/// A state and the step to it; no step leads to an initial state.
#[derive(Clone, Debug)]
pub struct Reached {
    pub step: Option<Step>,
    pub state: StandingState,
}

/// The states that were found, in the order in which a search finds them.
#[derive(Debug, Default)]
pub struct Reach {
    pub states: Vec<Reached>,
    /// Whether there are more.
    pub is_cut: bool,
    /// Errors: actions that have no value in the state, or that leave a variable without one.
    pub errors: Vec<Diagnostic>,
    /// The lines that the specification printed.
    pub printed: Vec<String>,
}

/// An invariant in a state.
#[derive(Debug)]
pub struct InvariantResult {
    pub name: String,
    /// Whether it holds; the error if it has no value.
    pub holds: Result<bool, Box<Diagnostic>>,
}

/// Prepares a model and calls `body` with it. The error says why nothing can be explored: an assumption is false, or there
/// is no next-state relation. Evaluation recurses as deep as the specification does: the thread must have room
/// ([`model::STACK_BYTES`]).
pub fn with_explorer<T>(
    model: Model<'_>,
    settings: &Settings<'_>,
    body: impl FnOnce(&Explorer<'_>) -> T,
) -> Result<T, Ended> {
    let shared = Shared::new(model.program);
    let memory = Memory::default();
    let run = ExploreRun::new(settings, model.spec, &memory);
    let actions = model::prepare(model, &shared, &run)?;
    Ok(body(&Explorer { model, shared: &shared, run: &run, actions }))
}

impl<'a> Explorer<'a> {
    pub fn model(&self) -> Model<'a> {
        self.model
    }

    /// The names of the variables, in the order in which states have them.
    pub fn variables(&self) -> Vec<String> {
        model::no_states(self.model).variables
    }

    /// Finds initial states, at most `n_max`.
    pub fn initial(&self, n_max: usize) -> Reach {
        self.run.stand_at(1);
        let region = self.run.region();
        let mut machine = Machine::new(self.model.program, self.shared, &region, self.run);
        let mut found = ReachBuilder::new(n_max);
        let walked = machine
            .initial_states(&self.model.program.init, &mut |machine| self.add(machine, None, &mut found));
        self.finish(found, walked)
    }

    /// Finds the successors of a state by any action, at most `n_max`. An action without a value in this state is an
    /// error in the result, and the others are still tried.
    pub fn successors(&self, state: &StandingState, level: u32, n_max: usize) -> Reach {
        self.run.stand_at(level);
        let mut found = ReachBuilder::new(n_max);
        for action in &self.actions {
            let region = self.run.region();
            let mut machine = Machine::new(self.model.program, self.shared, &region, self.run);
            machine.set_recording(true);
            state.enter(&mut machine, Side::Current);
            let walked = machine.step(action, &mut |machine| self.add(machine, Some(action), &mut found));
            if let Err(fault) = walked {
                let is_over = matches!(fault.kind, FaultKind::Interrupted);
                found.reach.errors.push(self.error(&fault));
                if is_over {
                    break;
                }
            }
            if found.reach.is_cut {
                break;
            }
        }
        self.finish(found, Ok(Flow::Continue))
    }

    /// Evaluates every invariant in a state.
    pub fn invariants(&self, state: &StandingState, level: u32) -> Vec<InvariantResult> {
        self.run.stand_at(level);
        let evaluate = |root: &Root| {
            let region = self.run.region();
            let mut machine = Machine::new(self.model.program, self.shared, &region, self.run);
            state.enter(&mut machine, Side::Current);
            InvariantResult {
                name: model::root_name(self.model.spec, root),
                holds: machine.eval_root_bool(*root).map_err(|fault| Box::new(self.error(&fault))),
            }
        };
        self.model.program.invariants.iter().map(evaluate).collect()
    }

    /// Adds the state that the machine has just made.
    fn add(
        &self,
        machine: &mut Machine<'a, '_>,
        action: Option<&ActionInstance<'a>>,
        found: &mut ReachBuilder,
    ) -> Evaluated<Flow> {
        let side = Side::made_by(action);
        if machine.n_missing() > 0 {
            let words = model::no_verdict(
                self.model,
                What::Incomplete,
                action.is_none(),
                model::no_states(self.model),
            );
            found.add_error(words);
            return Ok(Flow::Continue);
        }
        let span = machine.fallback_span();
        model::ground(machine, side).at(span)?;
        let Some(state) = StandingState::made(machine, side) else { return Ok(Flow::Continue) };
        let step = action.map(|action| model::step(self.model.spec, machine, action));
        Ok(found.add(Reached { step, state }))
    }

    fn finish(&self, found: ReachBuilder, walked: Evaluated<Flow>) -> Reach {
        let mut reach = found.reach;
        if let Err(fault) = walked {
            reach.errors.push(self.error(&fault));
        }
        reach.printed = self.run.take_printed();
        reach
    }

    fn error(&self, fault: &Fault) -> Diagnostic {
        model::fault_diagnostic(self.model, fault)
    }
}

/// A [`Reach`] in the making.
struct ReachBuilder {
    reach: Reach,
    n_max: usize,
    /// For each state, the indices of the steps to it: the same step to the same state counts once.
    known: FxHashMap<StandingState, Vec<usize>>,
}

impl ReachBuilder {
    fn new(n_max: usize) -> ReachBuilder {
        ReachBuilder { reach: Reach::default(), n_max, known: FxHashMap::default() }
    }

    fn add(&mut self, reached: Reached) -> Flow {
        let states = &mut self.reach.states;
        let indices = match self.known.entry(reached.state.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(Vec::new()),
        };
        if indices.iter().any(|&index| states[index].step == reached.step) {
            return Flow::Continue;
        }
        if states.len() == self.n_max {
            self.reach.is_cut = true;
            return Flow::Stop;
        }
        indices.push(states.len());
        states.push(reached);
        Flow::Continue
    }

    fn add_error(&mut self, words: NoVerdict) {
        if let NoVerdict::Incomplete { error, .. } = words
            && !self.reach.errors.contains(&error)
        {
            self.reach.errors.push(*error);
        }
    }
}
