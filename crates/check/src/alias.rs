//! The states of a trace as ALIAS shows them, and what else was asked for in each.
//!
//! In each state the next one is that of the trace; after the last comes itself, or where a cycle leads back to. Where the alias has no value
//! the trace keeps its variables, and says why.

use eval::interp::Machine;
use model::alias::{alias_fields, expressions, show_all, show_expressions};
use trace::Trace;
use value::{Interner, Value, ValueId};

use crate::context::Context;
use crate::run::WorkerRun;
use crate::space::Handle;

/// The states of a trace, as they are stored.
pub(crate) struct States<'s> {
    pub handles: &'s [Handle],
    /// Number of states before the first state of the trace.
    pub n_before: usize,
    /// The last state, if it is not stored: outside of the model.
    pub last: Option<Vec<ValueId>>,
    /// Number of states, including those before the trace.
    pub n_states: usize,
    /// Index of the state after the last one, if it is not the last one itself.
    pub back_to: Option<usize>,
}

/// Shows each state of `trace` as the ALIAS has it.
pub(crate) fn apply<'a>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    states: &States<'_>,
    trace: &mut Trace,
) {
    debug_assert_eq!(states.n_states, states.n_before + trace.states.len());
    if let Some(root) = context.program().alias {
        let fields = |machine: &mut Machine<'_, '_>| alias_fields(context.model, machine, root);
        let in_state = |index| {
            let number = states.n_before + index;
            let shown = at(context, run, (states, number), fields).and_then(|fields| fields);
            shown.map_err(|error| format!("in state {}: {error}", number + 1))
        };
        show_all(trace, in_state);
    }
    show_expressions(context.model, trace, |index| {
        let number = states.n_before + index;
        at(context, run, (states, number), |machine| expressions(context.model, machine))
    });
}

/// Evaluates in a state of a trace, with the one that follows.
fn at<'a, T>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    (states, index): (&States<'_>, usize),
    evaluate: impl FnOnce(&mut Machine<'_, '_>) -> T,
) -> Result<T, String> {
    let Some(ids) = ids(context, states, index) else {
        return Err("not every variable has a value".to_owned());
    };
    // TLC: after the last state comes itself, unless the trace is a cycle.
    let after = match states.back_to {
        Some(back_to) if index + 1 == states.n_states => back_to,
        Some(_) | None => index + 1,
    };
    let next = self::ids(context, states, after).unwrap_or_else(|| ids.clone());
    let region = context.board.region();
    let mut machine = Machine::new(context.program(), context.shared, &region, run);
    let values =
        |ids: &[ValueId]| -> Vec<Value<'_>> { ids.iter().map(|&id| Interner::shared().value(id)).collect() };
    machine.set_state(values(&ids));
    machine.set_next(values(&next));
    match states.handles.get(index) {
        Some(&handle) => {
            run.expand(index as u32 + 1, Some(handle));
            Ok(evaluate(&mut machine))
        }
        None => {
            run.expand(index as u32, states.handles.last().copied());
            Ok(run.about_successor(|| evaluate(&mut machine)))
        }
    }
}

fn ids(context: &Context<'_>, states: &States<'_>, index: usize) -> Option<Vec<ValueId>> {
    match states.handles.get(index) {
        Some(&handle) => {
            let mut ids = vec![ValueId::from_bits(0); context.space.n_variables()];
            context.space.state(handle, &mut ids);
            Some(ids)
        }
        None if index == states.handles.len() => states.last.clone(),
        None => None,
    }
}
