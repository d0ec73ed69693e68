//! All behaviours of a specification up to some number of steps, for testing a monitor.

use std::ops::ControlFlow;

use eval::interp::{ActionInstance, At, Evaluated, Flow};
use model::{Evaluation, Model, Side};
use trace::{State, Trace};
use value::{Interner, ValueId};

/// The states after another one that were not looked at yet.
type Unvisited = std::vec::IntoIter<(State, Vec<ValueId>)>;

/// Calls `visit` for each behaviour of that many steps, and for each shorter one that cannot go on. Returns whether all were
/// visited.
pub fn all(
    evaluation: Evaluation<'_>,
    actions: &[ActionInstance<'_>],
    depth: u32,
    visit: &mut dyn FnMut(&Trace) -> ControlFlow<()>,
) -> Result<bool, Box<eval::interp::Fault>> {
    let mut trace = model::no_states(evaluation.model);
    let mut open: Vec<Unvisited> = vec![first(evaluation)?.into_iter()];
    while let Some(last) = open.last_mut() {
        let next = last.next();
        let Some((state, ids)) = next else {
            open.pop();
            continue;
        };
        let at = open.len() - 1;
        trace.states.truncate(at);
        trace.states.push(state);
        let is_full = at >= depth as usize;
        let next = if is_full { Vec::new() } else { successors(evaluation, actions, &ids)? };
        if next.is_empty() {
            if visit(&trace).is_break() {
                return Ok(false);
            }
        } else {
            open.push(next.into_iter());
        }
    }
    Ok(true)
}

fn data(ids: &[ValueId]) -> Vec<Option<trace::Datum>> {
    ids.iter().map(|&id| Some(model::datum(Interner::shared().value(id)))).collect()
}

fn first(evaluation: Evaluation<'_>) -> Evaluated<Vec<(State, Vec<ValueId>)>> {
    let Model { program, .. } = evaluation.model;
    let region = evaluation.run.region();
    let mut machine = evaluation.machine(&region);
    let mut found = Vec::new();
    machine.initial_states(&program.init, &mut |machine| {
        if let Some(ids) = model::intern_made(machine, Side::Current) {
            found.push((State { step: None, values: data(&ids) }, ids));
        }
        Ok(Flow::Continue)
    })?;
    Ok(found)
}

fn successors(
    evaluation: Evaluation<'_>,
    actions: &[ActionInstance<'_>],
    ids: &[ValueId],
) -> Evaluated<Vec<(State, Vec<ValueId>)>> {
    let Model { spec, program } = evaluation.model;
    let interner = Interner::shared();
    let region = evaluation.run.region();
    let mut machine = evaluation.machine(&region);
    machine.set_recording(true);
    let mut found = Vec::new();
    for action in actions {
        machine.set_state(ids.iter().map(|&id| interner.value(id)));
        let span = action.leaf.span;
        machine.step(action, &mut |machine| {
            let step = model::step(spec, machine, action);
            model::ground(machine, Side::Next).at(span)?;
            if let Some(next) = model::intern_made(machine, Side::Next) {
                found.push((State { step: Some(step), values: data(&next) }, next));
            }
            Ok(Flow::Continue)
        })?;
    }
    let mut kept = Vec::with_capacity(found.len());
    for (state, next) in found {
        machine.set_state(next.iter().map(|&id| interner.value(id)));
        if model::all_hold(&mut machine, &program.constraints)? {
            kept.push((state, next));
        }
    }
    Ok(kept)
}
