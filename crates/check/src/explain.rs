//! What a trace shows: the part of the property that failed, with its values.

use diag::Diagnostic;
use eval::interp::{Culprit, Machine, PathEntry, Reading};
use eval::ir::Root;
use trace::{Binding, Failure, Step};
use value::ops;

use crate::blocked;
use crate::context::{self, Context};
use crate::data::{self, datum};
use crate::expand::load;
use crate::options::Model;
use crate::rebuild::{Target, Wanted, at_successor};
use crate::run::WorkerRun;

/// The failing part of a property of states, for a stored or a found state; of a step, with its parent.
pub(crate) fn failure<'a>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    root: Root,
    at: At,
) -> Option<(diag::Span, Failure)> {
    run.quietly(|| with_step(context, run, at, |machine| failing_part(context.model, machine, root)))
}

/// Adds to what is said of a deadlock why no action is possible in the state.
pub(crate) fn deadlock<'a>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    target: Target,
    diagnostic: Diagnostic,
) -> Diagnostic {
    let plain = diagnostic.clone();
    let told = run.quietly(|| {
        with_step(context, run, At { target, is_step: false }, |machine| {
            Some(blocked::explained(context.model, machine, context.actions, diagnostic))
        })
    });
    told.unwrap_or(plain)
}

/// The failing part of a property, for the state that the machine is in or the step that it makes.
pub(crate) fn failing_part(
    model: Model<'_>,
    machine: &mut Machine<'_, '_>,
    root: Root,
) -> Option<(diag::Span, Failure)> {
    let mut culprit = machine.explain(root).ok().flatten()?;
    // That the property itself led there goes without saying.
    if culprit.way.first().is_some_and(|entry| entry.def.is_some() && entry.def == root.def) {
        culprit.way.remove(0);
    }
    Some((culprit.span, blamed(model, machine, culprit)))
}

/// What evaluation blames, in the words of the text.
pub(crate) fn blamed<'r>(model: Model<'_>, machine: &mut Machine<'_, 'r>, culprit: Culprit<'r>) -> Failure {
    let way: Vec<&PathEntry> = culprit.way.iter().collect();
    let mut failure = told(model, culprit.span, &way);
    for reading in culprit.values {
        let value = ops::force(machine, reading.value).unwrap_or(reading.value);
        let name = reading_name(model, &reading);
        if !failure.values.iter().any(|known| known.name == name) {
            failure.values.push(Binding::new(name, datum(value)));
        }
    }
    failure
}

/// `f[i]'`, `an element of msgs`, `log[2].term`
fn reading_name(model: Model<'_>, reading: &Reading<'_>) -> String {
    let text = one_line(model.spec.sources.text(reading.span));
    let is_primed = reading.is_primed && !text.contains('\'');
    let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let name = match (is_primed, is_word || text.ends_with([')', ']', '}'])) {
        (true, true) => format!("{text}'"),
        (true, false) => format!("({text})'"),
        (false, _) => text,
    };
    let element = if reading.is_element { "an element of " } else { "" };
    // A part of an element has no name in the text.
    let part = if reading.is_element { "" } else { reading.part.as_str() };
    format!("{element}{name}{part}")
}

/// A place of the text with the way there: bound names are values, definitions are calls.
pub(crate) fn told(model: Model<'_>, span: diag::Span, way: &[&PathEntry]) -> Failure {
    let bindings = |entry: &PathEntry| -> Vec<Binding> {
        let named = entry.bindings.iter();
        named.map(|(name, value)| Binding::new(model.spec.names.text(*name), data::told(value))).collect()
    };
    let mut failure = Failure {
        text: one_line(model.spec.sources.text(span)),
        place: Some(context::place(model.spec, span)),
        values: Vec::new(),
        calls: Vec::new(),
    };
    for entry in way {
        match entry.def {
            None => failure.values.extend(bindings(entry)),
            Some(def) => failure.calls.push(Step {
                name: model.spec.names.text(model.spec.defs[def].name).to_owned(),
                place: Some(context::place(model.spec, model.spec.defs[def].span)),
                parameters: bindings(entry),
            }),
        }
    }
    failure
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
    let region = context.board.region();
    let mut machine = Machine::new(context.program(), context.shared, &region, run);
    match at.target {
        Target::Stored(handle) => {
            load(context, &mut machine, handle);
            body(&mut machine)
        }
        Target::Successor { parent, ordinal } => {
            let mut body = Some(body);
            let mut result = None;
            let wanted = (parent, &Wanted::Number(ordinal));
            at_successor(context, run, &mut machine, wanted, &mut |machine, _| {
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
