//! The states of a trace as ALIAS shows them, and what else was asked for in each.
//!
//! In each state the next one is that of the trace; after the last comes itself, or where a cycle leads back to. Where the alias has no value
//! the trace keeps its variables, and says why.

use eval::interp::Machine;
use eval::ir::Root;
use trace::{Datum, Trace};
use value::{Interner, Value, ValueId, View, ops};

use crate::context::{Context, place, root_name};
use crate::data::datum;
use crate::options::Model;
use crate::run::WorkerRun;
use crate::space::Handle;

/// The name of the note that says why there is no alias.
const NOTE: &str = "ALIAS";

/// The states of a trace, as they are stored.
pub(crate) struct States<'s> {
    pub handles: &'s [Handle],
    /// So many of them come before the first state of the trace.
    pub n_before: usize,
    /// The last state, if it is not stored: outside of the model.
    pub last: Option<Vec<ValueId>>,
    /// How many there are, with those before the trace.
    pub n_states: usize,
    /// Which state comes after the last one, if it is not itself.
    pub back_to: Option<usize>,
}

pub(crate) type Fields = Vec<(String, Datum)>;

/// Shows each state of `trace` as the ALIAS has it.
pub(crate) fn apply<'a>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    states: &States<'_>,
    trace: &mut Trace,
) {
    debug_assert_eq!(states.n_states, states.n_before + trace.states.len());
    if let Some(root) = context.program().alias {
        let fields = |machine: &mut Machine<'_, '_>| evaluate(context.model, machine, root);
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

/// Adds what `values` says of each state: the value of each expression that is shown, or why it has none.
pub(crate) fn show_expressions(
    model: Model<'_>,
    trace: &mut Trace,
    values: impl Fn(usize) -> Result<Vec<Datum>, String>,
) {
    let roots = &model.program.shown;
    if roots.is_empty() {
        return;
    }
    let names: Vec<String> = roots.iter().map(|root| root_name(model.spec, root)).collect();
    // Which fields an ALIAS has may be known only now.
    let is_free = |name: &String| !trace.variables.contains(name);
    let (free, taken): (Vec<usize>, Vec<usize>) = (0..names.len()).partition(|&at| is_free(&names[at]));
    for index in 0..trace.states.len() {
        let shown = values(index).unwrap_or_else(|error| vec![no_value(&error); roots.len()]);
        let shown: Vec<Option<Datum>> = free.iter().map(|&at| shown.get(at).cloned()).collect();
        trace.states[index].values.extend(shown);
    }
    for at in taken {
        let note = format!("`{}` is not shown: the ALIAS has a field that is called so", names[at]);
        trace.about.notes.push(("expressions".to_owned(), note));
    }
    trace.expressions = free.into_iter().map(|at| names[at].clone()).collect();
    trace.variables.extend(trace.expressions.iter().cloned());
}

/// The values of the expressions that are shown, for the state and the next one that the machine has.
pub(crate) fn expressions(model: Model<'_>, machine: &mut Machine<'_, '_>) -> Vec<Datum> {
    let one = |root: &Root| match value(model, machine, *root) {
        Ok(value) => datum(value),
        Err(error) => no_value(&error),
    };
    model.program.shown.iter().map(one).collect()
}

fn no_value(error: &str) -> Datum {
    Datum::Opaque(format!("no value: {error}"))
}

/// Shows each state of `trace` as `fields` has it.
pub(crate) fn apply_with(trace: &mut Trace, fields: impl Fn(usize) -> Result<Fields, String>) {
    show_all(trace, |index| fields(index).map_err(|error| format!("in state {}: {error}", index + 1)));
}

fn show_all(trace: &mut Trace, fields: impl Fn(usize) -> Result<Fields, String>) {
    let all: Result<Vec<Fields>, String> = (0..trace.states.len()).map(fields).collect();
    match all {
        Ok(shown) => show(trace, shown),
        Err(error) => trace.about.notes.push((NOTE.to_owned(), error)),
    }
}

fn show(trace: &mut Trace, shown: Vec<Fields>) {
    let Some(first) = shown.first() else { return };
    let names: Vec<String> = first.iter().map(|(name, _)| name.clone()).collect();
    for (state, fields) in trace.states.iter_mut().zip(shown) {
        let value =
            |name: &String| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.clone());
        state.values = names.iter().map(value).collect();
    }
    trace.variables = names;
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

/// The fields of the ALIAS, for the state and the next one that the machine has.
pub(crate) fn evaluate(
    model: Model<'_>,
    machine: &mut Machine<'_, '_>,
    root: Root,
) -> Result<Fields, String> {
    let value = value(model, machine, root)?;
    fields(value).ok_or_else(|| "the value is not a record".to_owned())
}

/// An explicit value, or why there is none.
fn value<'r>(model: Model<'_>, machine: &mut Machine<'_, 'r>, root: Root) -> Result<Value<'r>, String> {
    let value = machine.eval_root(root).map_err(|fault| {
        let place = place(model.spec, fault.span);
        let headline = fault.kind.headline(model.program, &model.spec.names);
        format!("{headline} ({}:{}:{})", place.file, place.start.line, place.start.column)
    })?;
    ops::force(machine, value).map_err(|error| error.to_string())
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

fn fields(value: Value<'_>) -> Option<Fields> {
    let View::Record(shape, items) = value.view() else { return None };
    let names = shape.fields().iter().map(|field| field.text().to_owned());
    Some(names.zip(items.iter().map(datum)).collect())
}
