//! The states of a trace as ALIAS shows them, and the expressions that are shown in each.
//!
//! Where the alias has no value the trace keeps its variables, and says why.

use eval::interp::Machine;
use eval::ir::Root;
use trace::{Datum, Trace};
use value::{Value, View, ops};

use crate::Model;
use crate::data::datum;
use crate::names::{place, root_name};

/// The name of the note that says why there is no alias.
const NOTE: &str = "ALIAS";

pub type Fields = Vec<(String, Datum)>;

/// Adds what `values` says of each state: the value of each expression that is shown, or why it has none.
pub fn show_expressions(
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
pub fn expressions(model: Model<'_>, machine: &mut Machine<'_, '_>) -> Vec<Datum> {
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
pub fn show_alias(trace: &mut Trace, fields: impl Fn(usize) -> Result<Fields, String>) {
    show_all(trace, |index| fields(index).map_err(|error| format!("in state {}: {error}", index + 1)));
}

pub fn show_all(trace: &mut Trace, fields: impl Fn(usize) -> Result<Fields, String>) {
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

/// The fields of the ALIAS, for the state and the next one that the machine has.
pub fn alias_fields(model: Model<'_>, machine: &mut Machine<'_, '_>, root: Root) -> Result<Fields, String> {
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

fn fields(value: Value<'_>) -> Option<Fields> {
    let View::Record(shape, items) = value.view() else { return None };
    let names = shape.fields().iter().map(|field| field.text().to_owned());
    Some(names.zip(items.iter().map(datum)).collect())
}
