//! What a trace shows: the part of the property that failed, with its values; the states as ALIAS shows them.

use eval::interp::Machine;
use eval::ir::Root;
use trace::{Binding, Datum, Failure, Trace};
use value::{Interner, Region, Value, ValueId, View, ops};

use crate::context::Context;
use crate::expand::load;
use crate::rebuild::{Target, datum};
use crate::run::WorkerRun;
use crate::space::Handle;

/// The failing part of a property of states, for a stored or a found state; of a step, with its parent.
pub(crate) fn failure<'a>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    root: Root,
    at: At,
) -> Option<(diag::Span, Failure)> {
    let was_quiet = run.quiet.replace(true);
    let found = with_step(context, run, at, |machine| {
        let culprit = machine.explain(root).ok().flatten()?;
        let mut values: Vec<Binding> = Vec::new();
        for (span, value) in culprit.values {
            let value = ops::force(machine, value).unwrap_or(value);
            let name = one_line(context.spec().sources.text(span));
            if !values.iter().any(|known| known.name == name) {
                values.push(Binding::new(name, datum(value)));
            }
        }
        let text = one_line(context.spec().sources.text(culprit.span));
        let place = Some(context.place(culprit.span));
        Some((culprit.span, Failure { text, place, values, calls: Vec::new() }))
    });
    run.quiet.set(was_quiet);
    found
}

/// Which state or step is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub target: Target,
    /// The step to the target, not the target itself.
    pub is_step: bool,
}

/// Runs `body` on a machine that is in the state, or makes the step.
fn with_step<'a, T>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    at: At,
    body: impl FnOnce(&mut Machine<'a, '_>) -> Option<T>,
) -> Option<T> {
    let region = Region::new();
    let mut machine = Machine::new(context.program(), context.shared, &region, run);
    match at.target {
        Target::Stored(handle) => {
            load(context, &mut Vec::new(), &mut machine, handle);
            body(&mut machine)
        }
        Target::Successor { parent, ordinal } => {
            let mut body = Some(body);
            let mut result = None;
            crate::rebuild::at_successor(context, run, &mut machine, (parent, ordinal), &mut |machine, _| {
                if let Some(body) = body.take() {
                    let is_successor = parent.is_some() && !at.is_step;
                    result = if is_successor { machine.in_next(body) } else { body(machine) };
                }
            });
            result
        }
    }
}

/// Source text without its line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Shows each state as the ALIAS has it: the next state of the last is itself.
pub(crate) fn apply_alias<'a>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    handles: &[Handle],
    trace: &mut Trace,
) {
    let Some(root) = context.program().alias else { return };
    // LIMIT: a last state that is not stored keeps its variables; so does an ALIAS that is no record.
    let shown: Option<Vec<Vec<(String, Datum)>>> =
        (0..trace.states.len()).map(|index| alias_at(context, run, root, (handles, index))).collect();
    let Some(shown) = shown else { return };
    let Some(first) = shown.first() else { return };
    trace.variables = first.iter().map(|(name, _)| name.clone()).collect();
    for (state, fields) in trace.states.iter_mut().zip(shown) {
        state.values = fields.into_iter().map(|(_, value)| Some(value)).collect();
    }
}

fn alias_at<'a>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    root: Root,
    (handles, index): (&[Handle], usize),
) -> Option<Vec<(String, Datum)>> {
    let handle = *handles.get(index)?;
    let next = *handles.get(index + 1).unwrap_or(&handle);
    let region = Region::new();
    let mut machine = Machine::new(context.program(), context.shared, &region, run);
    load(context, &mut Vec::new(), &mut machine, handle);
    let mut ids = vec![ValueId::from_bits(0); context.space.n_variables()];
    context.space.state(next, &mut ids);
    machine.set_next(ids.iter().map(|&id| Interner::shared().value(id)));
    run.expand(index as u32 + 1, Some(handle));
    let value = machine.eval_root(root).ok()?;
    let value = ops::force(&mut machine, value).ok()?;
    fields(value)
}

fn fields(value: Value<'_>) -> Option<Vec<(String, Datum)>> {
    let View::Record(shape, items) = value.view() else { return None };
    let names = shape.fields().iter().map(|field| field.text().to_owned());
    Some(names.zip(items.iter().map(datum)).collect())
}
