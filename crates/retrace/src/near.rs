//! Explains why a state of a trace is impossible: which states are possible there, and which conjunct
//! prevents the step.

use eval::interp::{ActionInstance, Flow, Machine};
use model::{QuietRun, Side};
use trace::given::{GivenState, GivenStep};
use trace::{Binding, Datum, Failure, State, Step};
use value::ValueId;

use crate::answer::{Break, BreakKind, Near};
use crate::follow::successors;
use crate::path::{Path, values};
use crate::walk::Context;

/// Number of states that are reported, at most.
const NEAREST_MAX: usize = 3;

/// Explains where a trace is no behaviour. `path` is the behaviour before that place.
pub(crate) fn explain(context: &Context<'_>, path: Option<&Path>, kind: BreakKind) -> Break {
    let n_before = path.map_or(0, |path| path.states.len());
    let given = &context.given;
    let (state, wanted, step) = match kind {
        BreakKind::Initial | BreakKind::Step => {
            let wanted = &given.states[n_before];
            (n_before, wanted, wanted.step.as_ref())
        }
        BreakKind::Back => {
            let back_to = given.back_to.unwrap_or_default();
            (n_before.saturating_sub(1), &given.states[back_to], given.last_step.as_ref())
        }
    };
    let last = path.and_then(|path| path.states.last());
    let mut all = Possible { context, wanted, name: step, nearest: Vec::new(), n_possible: 0 };
    let error = match last {
        Some(ids) => {
            let history = path.map_or_else(Vec::new, |path| path.history(context, n_before - 1));
            context.run.stand_at(n_before as u32, history);
            all.after(ids)
        }
        None => all.initial(),
    };
    let Possible { nearest, n_possible, .. } = all;
    let wanted = guess_state(context, wanted, (nearest.first(), last));
    let named = step.map(|step| named_actions(context, step));
    let conjunct = match (last, step, &named) {
        (Some(ids), Some(step), Some(actions)) => blame(context, (ids, &wanted), step, actions),
        _ => None,
    };
    Break {
        state,
        kind,
        action: step.map(|step| step.name.clone()),
        is_action_known: named.is_some_and(|actions| !actions.is_empty()) || nearest_has(&nearest, step),
        conjunct,
        wanted,
        nearest: nearest.into_iter().map(|(_, near)| near).collect(),
        n_possible,
        error,
    }
}

/// A step by way of a choice is called after what was chosen: only successors know such names.
fn nearest_has(nearest: &[(usize, Near)], step: Option<&GivenStep>) -> bool {
    let is_it = |known: &Step| step.is_some_and(|step| step.name == known.name);
    nearest.iter().any(|(_, near)| near.state.step.as_ref().is_some_and(is_it))
}

/// The states that are possible in place of the wanted one.
struct Possible<'a, 'c> {
    context: &'a Context<'c>,
    wanted: &'a GivenState,
    name: Option<&'a GivenStep>,
    /// Nearest states, each with its distance.
    nearest: Vec<(usize, Near)>,
    n_possible: usize,
}

impl Possible<'_, '_> {
    fn after(&mut self, ids: &[ValueId]) -> Option<Box<diag::Diagnostic>> {
        let context = self.context;
        successors(context, ids, &mut |machine, action| {
            let values = model::state_data(machine, Side::Next);
            let step = model::step(context.model.spec, machine, action);
            self.add(State { step: Some(step), values });
            Flow::Continue
        });
        // Which of the actions could not be evaluated, if one could not.
        let region = context.run.region();
        let mut machine = Machine::new(context.model.program, context.shared, &region, context.run);
        machine.set_state(values(ids));
        let fault =
            context.actions.iter().find_map(|action| machine.step(action, &mut |_| Ok(Flow::Continue)).err());
        fault.map(|fault| Box::new(model::fault_diagnostic(context.model, &fault)))
    }

    fn initial(&mut self) -> Option<Box<diag::Diagnostic>> {
        let context = self.context;
        let region = context.run.region();
        let mut machine = Machine::new(context.model.program, context.shared, &region, context.run);
        let walked = machine.initial_states(&context.model.program.init, &mut |machine| {
            let values = model::state_data(machine, Side::Current);
            self.add(State { step: None, values });
            Ok(Flow::Continue)
        });
        walked.err().map(|fault| Box::new(model::fault_diagnostic(context.model, &fault)))
    }

    /// Keeps the nearest few.
    fn add(&mut self, state: State) {
        self.n_possible += 1;
        let context = self.context;
        let differs: Vec<usize> = (0..state.values.len())
            .filter(|&index| {
                let given =
                    context.columns[index].and_then(|column| self.wanted.values.get(column)?.as_ref());
                let value = state.values[index].as_ref();
                given.is_some_and(|given| !value.is_some_and(|value| given.is(value)))
            })
            .collect();
        let is_called = |name: &GivenStep| state.step.as_ref().is_some_and(|step| step.name == name.name);
        let is_other = self.name.is_some_and(|name| !is_called(name));
        // Of two that are as far the one by the action of that name is nearer.
        let distance = 2 * differs.len() + usize::from(is_other);
        let at = self.nearest.partition_point(|(known, _)| *known <= distance);
        if at < NEAREST_MAX && !self.nearest.iter().any(|(_, known)| known.state == state) {
            self.nearest.insert(at, (distance, Near { state, differs }));
            self.nearest.truncate(NEAREST_MAX);
        }
    }
}

/// The state as the trace has it. What its values are is guessed by what else the variables hold.
fn guess_state(
    context: &Context<'_>,
    given: &GivenState,
    (near, before): (Option<&(usize, Near)>, Option<&Vec<ValueId>>),
) -> State {
    let known: Vec<Option<Datum>> = match (near, before) {
        (Some((_, near)), _) => near.state.values.clone(),
        (None, Some(ids)) => values(ids).map(|value| Some(model::datum(value))).collect(),
        (None, None) => vec![None; context.columns.len()],
    };
    let guess = |(column, known): (&Option<usize>, &Option<Datum>)| {
        let given = column.and_then(|column| given.values.get(column)?.as_ref());
        given.map(|given| given.like(known.as_ref()))
    };
    State { step: None, values: context.columns.iter().zip(&known).map(guess).collect() }
}

/// The actions that the step can be: of that name, and with the same parameters as far as both have them.
fn named_actions<'c>(context: &Context<'c>, given: &GivenStep) -> Vec<&'c ActionInstance<'c>> {
    let spec = context.model.spec;
    let named = context.actions.iter().filter(|action| spec.names.text(action.leaf.name) == given.name);
    let region = context.run.region();
    let mut machine = Machine::new(context.model.program, context.shared, &region, context.run);
    let mut fits = |action: &&ActionInstance<'c>| {
        machine.action_params(action).into_iter().all(|(name, value)| {
            let name = spec.names.text(name);
            let known = given.parameters.iter().find(|(known, _)| known == name);
            known.is_none_or(|(_, known)| known.is(&model::datum(value)))
        })
    };
    let (fitting, others): (Vec<_>, Vec<_>) = named.partition(|action| fits(action));
    if fitting.is_empty() { others } else { fitting }
}

/// The conjunct that is FALSE of the step, by the action that comes furthest in the text.
fn blame(
    context: &Context<'_>,
    (ids, wanted): (&[ValueId], &State),
    given: &GivenStep,
    actions: &[&ActionInstance<'_>],
) -> Option<(Step, Failure)> {
    let model = context.model;
    let region = context.run.region();
    let mut machine = Machine::new(model.program, context.shared, &region, context.run);
    let mut next = Vec::new();
    for value in &wanted.values {
        // Of a variable that the trace does not have, nothing can be said.
        next.push(
            model::to_owned_value(model.program.atoms, value.as_ref()?)?
                .to_value(&mut machine, model.program.atoms)
                .ok()?,
        );
    }
    machine.set_state(values(ids));
    machine.set_successor(next);
    let blamed = actions.iter().filter_map(|action| {
        let failure = model::failing_conjunct(model, &mut machine, action)?;
        Some((failure.place.as_ref().map(|place| place.start), *action, failure))
    });
    let (_, action, failure) = blamed.max_by_key(|(start, _, _)| *start)?;
    let place = Some(model::place(model.spec, action.leaf.span));
    let mut parameters: Vec<Binding> = Vec::new();
    for (name, value) in machine.action_params(action) {
        let name = model.spec.names.text(name);
        if !parameters.iter().any(|known| known.name == name) {
            parameters.push(Binding::new(name, model::datum(value)));
        }
    }
    Some((Step { name: given.name.clone(), place, parameters }, failure))
}
