//! Behaviours by the names of their steps: finds one with some of the steps of another, and the parts of the
//! specification that a behaviour uses.

use eval::interp::{ActionInstance, Flow, Machine, Shared};
use model::{Coverage, Ended, Model, QuietRun, Side};
use trace::{Datum, State, Step, Trace};
use value::Value;

use crate::run::RetraceRun;
use crate::walk::Options;

/// Number of successors that are tried for a step.
const TRIED_PER_STEP: usize = 3;
/// Number of times that an attempt may backtrack, for each of its steps.
const TRIES_PER_STEP: usize = 3;

/// The actions of a model, ready to be taken by their names.
pub struct Steps<'a> {
    model: Model<'a>,
    options: &'a Options<'a>,
    shared: &'a Shared,
    /// Counts of evaluations.
    counted: &'a Shared,
    actions: Vec<ActionInstance<'a>>,
}

/// Calls `body` with the actions of a model; gives what was counted besides. The error is why there is no behaviour at all.
/// Evaluation recurses as deep as the specification does: the thread must have room ([`model::STACK_BYTES`]).
pub fn with_steps<T>(
    model: Model<'_>,
    options: &Options<'_>,
    body: impl FnOnce(&Steps<'_>) -> T,
) -> Result<(T, Option<Coverage>), Ended> {
    let (shared, counted) = (Shared::new(model.program), Shared::with_counters(model.program, true));
    let run = RetraceRun::new(model, options);
    model::prepare(model, &shared, &run)?;
    let actions = model::prepare(model, &counted, &run)?;
    let steps = Steps { model, options, shared: &shared, counted: &counted, actions };
    let made = body(&steps);
    Ok((made, model::coverage::coverage(model, &counted, &model::FoundBy::default())))
}

/// A state and how it was come to.
struct Successor {
    step: Step,
    values: Vec<Datum>,
    is_exact: bool,
}

impl Steps<'_> {
    /// Finds a behaviour that begins in a state and continues by steps of these names: with the same
    /// parameters if possible, otherwise with others. Its variables have the order of the specification.
    pub fn along(&self, start: &State, steps: &[Step]) -> Option<Trace> {
        let values = start.values.iter().cloned().collect::<Option<Vec<Datum>>>()?;
        let mut tries_left = TRIES_PER_STEP * (steps.len() + 1);
        let run = RetraceRun::new(self.model, self.options);
        let mut states = self.from(&run, (&values, 1), steps, &mut tries_left)?;
        states.push(start.clone());
        states.reverse();
        Some(Trace { states, ..model::no_states(self.model) })
    }

    /// The states that steps lead to, the last one first.
    fn from(
        &self,
        run: &RetraceRun<'_>,
        (state, level): (&[Datum], u32),
        steps: &[Step],
        tries_left: &mut usize,
    ) -> Option<Vec<State>> {
        let Some((wanted, rest)) = steps.split_first() else { return Some(Vec::new()) };
        *tries_left = tries_left.checked_sub(1)?;
        run.stand_at(level, Vec::new());
        let mut found = self.successors(run, state, wanted);
        found.sort_by_key(|found| !found.is_exact);
        for Successor { step, values, .. } in found.into_iter().take(TRIED_PER_STEP) {
            let after = base::with_stack(|| self.from(run, (values.as_slice(), level + 1), rest, tries_left));
            if let Some(mut states) = after {
                states.push(State { step: Some(step), values: values.into_iter().map(Some).collect() });
                return Some(states);
            }
        }
        None
    }

    fn successors(&self, run: &RetraceRun<'_>, state: &[Datum], wanted: &Step) -> Vec<Successor> {
        let mut found = Vec::new();
        for action in self.actions_of(wanted) {
            self.step(run, state, action, &mut |step, values| {
                let is_exact = step.parameters == wanted.parameters;
                found.push(Successor { step, values, is_exact });
                Flow::Continue
            });
        }
        found
    }

    fn actions_of(&self, step: &Step) -> impl Iterator<Item = &ActionInstance<'_>> {
        let names = &self.model.spec.names;
        self.actions.iter().filter(move |action| names.text(action.leaf.name) == step.name)
    }

    /// Counts what the steps of a behaviour evaluate, each where it was taken.
    pub fn count(&self, trace: &Trace) {
        let run = RetraceRun::new(self.model, self.options);
        for (level, pair) in (1..).zip(trace.states.windows(2)) {
            let (Some(before), Some(after), Some(wanted)) = (whole(&pair[0]), whole(&pair[1]), &pair[1].step)
            else {
                continue;
            };
            run.stand_at(level, Vec::new());
            let taken = self.actions_of(wanted).find(|action| {
                let mut is_it = false;
                self.step(&run, &before, action, &mut |step, values| {
                    is_it = values == after && step.parameters == wanted.parameters;
                    if is_it { Flow::Stop } else { Flow::Continue }
                });
                is_it
            });
            if let Some(action) = taken {
                self.count_step(&run, &before, action);
            }
        }
    }

    /// Calls `found` for each complete successor of a state by an action.
    fn step(
        &self,
        run: &RetraceRun<'_>,
        state: &[Datum],
        action: &ActionInstance<'_>,
        found: &mut dyn FnMut(Step, Vec<Datum>) -> Flow,
    ) {
        let region = run.region();
        let mut machine = Machine::new(self.model.program, self.shared, &region, run);
        machine.set_recording(true);
        let values: Option<Vec<Value<'_>>> =
            state.iter().map(|datum| self.value(&mut machine, datum)).collect();
        let Some(values) = values else { return };
        machine.set_state(values);
        // A step that has no value is none that could be taken.
        let _ = machine.step(action, &mut |machine| {
            if machine.n_missing() > 0 || model::ground(machine, Side::Next).is_err() {
                return Ok(Flow::Continue);
            }
            let step = model::step(self.model.spec, machine, action);
            let next =
                machine.next().iter().map(|value| value.map(model::datum)).collect::<Option<Vec<Datum>>>();
            Ok(next.map_or(Flow::Continue, |next| found(step, next)))
        });
    }

    /// A way that is recorded is not counted, so nothing is asked about it.
    fn count_step(&self, run: &RetraceRun<'_>, state: &[Datum], action: &ActionInstance<'_>) {
        let region = run.region();
        let mut machine = Machine::new(self.model.program, self.counted, &region, run);
        let values: Option<Vec<Value<'_>>> =
            state.iter().map(|datum| self.value(&mut machine, datum)).collect();
        let Some(values) = values else { return };
        machine.set_state(values);
        let _ = machine.step(action, &mut |_| Ok(Flow::Continue));
    }

    fn value<'r>(&self, machine: &mut Machine<'_, 'r>, datum: &Datum) -> Option<Value<'r>> {
        model::to_owned_value(self.model.program.atoms, datum)?
            .to_value(machine, self.model.program.atoms)
            .ok()
    }
}

fn whole(state: &State) -> Option<Vec<Datum>> {
    state.values.iter().cloned().collect()
}
