//! The part of a formula that failed, with its values.

use eval::interp::{ActionInstance, Culprit, Evaluated, Machine, PathEntry, Reading};
use eval::ir::Root;
use trace::{Binding, Failure, Step};
use value::ops;

use crate::Model;
use crate::data::{self, datum};
use crate::names;

/// The failing part of a property, for the state that the machine is in or the step that it makes.
pub fn failing_part(
    model: Model<'_>,
    machine: &mut Machine<'_, '_>,
    root: Root,
) -> Option<(diag::Span, Failure)> {
    let mut culprit = machine.explain(root).ok().flatten()?;
    // That the property itself led there goes without saying.
    if culprit.way.first().is_some_and(|entry| entry.def.is_some() && entry.def == root.def) {
        culprit.way.remove(0);
    }
    Some((culprit.span, describe_culprit(model, machine, culprit)))
}

/// Describes the part that evaluation blames, in the words of the text.
pub fn describe_culprit<'r>(
    model: Model<'_>,
    machine: &mut Machine<'_, 'r>,
    culprit: Culprit<'r>,
) -> Failure {
    let way: Vec<&PathEntry> = culprit.way.iter().collect();
    let mut failure = describe_place(model, culprit.span, &way);
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
pub fn describe_place(model: Model<'_>, span: diag::Span, way: &[&PathEntry]) -> Failure {
    let bindings = |entry: &PathEntry| -> Vec<Binding> {
        let named = entry.bindings.iter();
        named
            .map(|(name, value)| Binding::new(model.spec.names.text(*name), data::saved_datum(value)))
            .collect()
    };
    let mut failure = Failure {
        text: one_line(model.spec.sources.text(span)),
        place: Some(names::place(model.spec, span)),
        values: Vec::new(),
        calls: Vec::new(),
    };
    for entry in way {
        match entry.def {
            None => failure.values.extend(bindings(entry)),
            Some(def) => failure.calls.push(Step {
                name: model.spec.names.text(model.spec.defs[def].name).to_owned(),
                place: Some(names::place(model.spec, model.spec.defs[def].span)),
                parameters: bindings(entry),
            }),
        }
    }
    failure
}

/// Source text without its line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Finds the conjunct that keeps the machine's step from being one by an action.
pub fn failing_conjunct(
    model: Model<'_>,
    machine: &mut Machine<'_, '_>,
    action: &ActionInstance<'_>,
) -> Option<Failure> {
    let culprit = machine.explain_step(action).ok().flatten()?;
    Some(describe_culprit(model, machine, culprit))
}

/// Where an action came nearest to a step from the machine's state: how many of its conjuncts held, and the one that did not.
pub fn nearest_miss<'a>(
    model: Model<'_>,
    machine: &mut Machine<'a, '_>,
    action: &ActionInstance<'a>,
) -> Evaluated<Option<(usize, Failure)>> {
    let miss = machine.nearest_miss(action)?;
    Ok(miss.map(|miss| (miss.n_passed, describe_culprit(model, machine, miss.culprit))))
}
