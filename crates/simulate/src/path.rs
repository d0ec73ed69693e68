//! A walk as states and labelled steps: made again from its choices, and converted to a trace.

use eval::interp::{Flow, Machine};
use model::{Side, What};
use trace::{State, Step, Trace};
use value::Region;

use crate::context::Context;
use crate::expand::Choice;
use crate::run::WalkRun;
use crate::walk::{Ending, FinishedWalk, decode_state, encode_state, load, record};

/// A step and the state that it leads to, as bytes.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub action: usize,
    /// The step; `None` if nothing changes, or if it is not known.
    pub step: Option<Step>,
    pub state: Vec<u8>,
}

/// A walk, or a behaviour that was made of one.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub walk: u64,
    pub initial: Vec<u8>,
    pub nodes: Vec<Node>,
    /// The incomplete successor of the last state.
    pub partial: Option<State>,
    /// The continuation for ever, if there is one.
    pub forever: Option<Forever>,
}

/// The continuation after the last state of a path.
#[derive(Clone, Debug)]
pub(crate) enum Forever {
    /// The last state repeats.
    Stuttering,
    /// The state after this many steps follows, by this step.
    Back(usize, Option<Step>),
}

impl Path {
    /// Returns the state after this many steps.
    pub fn state(&self, n_steps: usize) -> &[u8] {
        match n_steps.checked_sub(1) {
            Some(index) => &self.nodes[index].state,
            None => &self.initial,
        }
    }

    /// Returns which state comes after the one that `index` steps lead to.
    fn next_index(&self, index: usize) -> usize {
        match &self.forever {
            _ if index < self.nodes.len() => index + 1,
            Some(Forever::Back(to, _)) => *to,
            // TLC: the last state is followed by itself.
            Some(Forever::Stuttering) | None => self.nodes.len(),
        }
    }
}

/// Makes a walk again, with the state in which it found something; `None` when the specification does not behave the
/// same again.
pub(crate) fn replay(context: &Context<'_>, run: &WalkRun<'_>, walked: &FinishedWalk) -> Option<Path> {
    model::quietly(run, || {
        run.restart(walked.number);
        let initial: Vec<_> = context.initial.values(walked.initial).map(Some).collect();
        let mut path = Path {
            walk: walked.number,
            initial: encode_state(&initial),
            nodes: Vec::new(),
            partial: None,
            forever: None,
        };
        let last = match &walked.ending {
            Ending::Found(found) => found.choice,
            Ending::Depth | Ending::Stuck | Ending::Cut | Ending::Temporal(_) => None,
        };
        for &choice in walked.choices.iter().chain(&last) {
            let made = make(context, run, path.state(path.nodes.len()), choice)?;
            match made {
                MadeStep::Whole(node) => path.nodes.push(node),
                MadeStep::Partial(state) => path.partial = Some(state),
            }
        }
        Some(path)
    })
}

enum MadeStep {
    Whole(Node),
    Partial(State),
}

/// Makes a step again.
fn make(context: &Context<'_>, run: &WalkRun<'_>, from: &[u8], choice: Choice) -> Option<MadeStep> {
    let region = context.board.region();
    let mut machine = Machine::new(context.program(), context.shared, &region, run);
    load(&region, &mut machine, from);
    machine.set_recording(true);
    let action = choice.action as usize;
    run.try_action(action);
    let (mut made, mut ordinal) = (None, 0);
    let instance = &context.actions[action];
    let _ = machine.step(instance, &mut |machine| {
        ordinal += 1;
        if ordinal <= choice.ordinal {
            return Ok(Flow::Continue);
        }
        let step = model::step(context.spec(), machine, instance);
        made = if machine.n_missing() > 0 || model::ground(machine, Side::Next).is_err() {
            Some(MadeStep::Partial(State {
                step: Some(step),
                values: model::state_data(machine, Side::Next),
            }))
        } else {
            Some(MadeStep::Whole(Node { action, step: Some(step), state: encode_state(machine.next()) }))
        };
        Ok(Flow::Stop)
    });
    run.note_step(action, run.keeps_history().then(|| record(&machine)));
    made
}

/// Converts a path to a trace without a finding.
pub(crate) fn trace(context: &Context<'_>, run: &WalkRun<'_>, path: &Path) -> Trace {
    let mut trace = model::no_states(context.model);
    for n_steps in 0..=path.nodes.len() {
        let step = n_steps.checked_sub(1).and_then(|index| path.nodes[index].step.clone());
        let region = Region::new();
        let values = decode_state(&region, path.state(n_steps), context.program().variables.len());
        let values = values.into_iter().map(|value| Some(model::datum(value))).collect();
        trace.states.push(State { step, values });
    }
    trace.states.extend(path.partial.clone());
    trace.ending = match &path.forever {
        None => trace::Ending::Stop,
        Some(Forever::Stuttering) => trace::Ending::Stuttering,
        Some(Forever::Back(to, step)) => trace::Ending::Loop { to: *to, step: step.clone() },
    };
    model::quietly(run, || show_alias(context, run, path, &mut trace));
    trace
}

/// Converts a path to a trace, with notes on how to make the walk again.
pub(crate) fn noted_trace(context: &Context<'_>, run: &WalkRun<'_>, path: &Path) -> Trace {
    let mut trace = trace(context, run, path);
    note(context, path.walk, &mut trace);
    trace
}

/// Adds notes on which walk it is.
pub(crate) fn note(context: &Context<'_>, walk: u64, trace: &mut Trace) {
    trace.about.notes.push(("walk".to_owned(), walk.to_string()));
    trace.about.notes.push(("seed".to_owned(), context.options.seed.to_string()));
}

fn show_alias(context: &Context<'_>, run: &WalkRun<'_>, path: &Path, trace: &mut Trace) {
    let model = context.model;
    if let Some(root) = context.program().alias {
        model::show_alias(trace, |index| {
            in_state(context, run, (path, index), |machine| model::alias_fields(model, machine, root))?
        });
    }
    model::show_expressions(model, trace, |index| {
        in_state(context, run, (path, index), |machine| model::expressions(model, machine))
    });
}

/// Evaluates in a state of a path, with the state that follows.
fn in_state<T>(
    context: &Context<'_>,
    run: &WalkRun<'_>,
    (path, index): (&Path, usize),
    body: impl FnOnce(&mut Machine<'_, '_>) -> T,
) -> Result<T, String> {
    if index > path.nodes.len() {
        return Err("not every variable has a value".to_owned());
    }
    let n_variables = context.program().variables.len();
    let region = context.board.region();
    let mut machine = Machine::new(context.program(), context.shared, &region, run);
    let next = path.next_index(index);
    machine.set_state(decode_state(&region, path.state(index), n_variables));
    machine.set_next(decode_state(&region, path.state(next), n_variables));
    stand_at(context, run, (path, index));
    Ok(body(&mut machine))
}

/// Sets the run to a state of a path, with the states before it.
fn stand_at(context: &Context<'_>, run: &WalkRun<'_>, (path, n_steps): (&Path, usize)) {
    run.restart(path.walk);
    if run.keeps_history() {
        let one = |index| {
            let region = Region::new();
            let mut machine = Machine::new(context.program(), context.shared, &region, run);
            load(&region, &mut machine, path.state(index));
            record(&machine)
        };
        run.set_history((0..n_steps).map(one).collect());
    }
    run.stand_at(n_steps as u32 + 1);
}

/// Adds to the message about a deadlock why no action is possible in the last state of a path.
pub(crate) fn explain_deadlock(
    context: &Context<'_>,
    run: &WalkRun<'_>,
    path: &Path,
    diagnostic: diag::Diagnostic,
) -> diag::Diagnostic {
    let n_variables = context.program().variables.len();
    let n_steps = path.nodes.len();
    let region = Region::new();
    model::quietly(run, || {
        let mut machine = Machine::new(context.program(), context.shared, &region, run);
        stand_at(context, run, (path, n_steps));
        machine.set_state(decode_state(&region, path.state(n_steps), n_variables));
        model::explain_deadlock(context.model, &mut machine, context.actions, diagnostic)
    })
}

/// Returns the part of a violated property that fails at the end of a path, with its place.
pub(crate) fn failing_part(
    context: &Context<'_>,
    run: &WalkRun<'_>,
    path: &Path,
    what: &What,
) -> Option<(diag::Span, trace::Failure)> {
    let (_, root) = model::property(context.program(), what);
    let (root, n_steps) = (root?, path.nodes.len());
    let n_variables = context.program().variables.len();
    let region = context.board.region();
    model::quietly(run, || {
        let mut machine = Machine::new(context.program(), context.shared, &region, run);
        let about_step = matches!(what, What::StepProperty(_)) && n_steps > 0;
        let at = if about_step { n_steps - 1 } else { n_steps };
        stand_at(context, run, (path, at));
        machine.set_state(decode_state(&region, path.state(at), n_variables));
        if about_step {
            machine.set_next(decode_state(&region, path.state(n_steps), n_variables));
        }
        model::failing_part(context.model, &mut machine, root)
    })
}
