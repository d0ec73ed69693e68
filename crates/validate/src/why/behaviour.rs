//! A behaviour in a page: steps with what they change, and the values of variables where they change.

use base::FxHashMap;
use serde_json::{Value, json};
use trace::Trace;

use crate::outcome::Prefix;

/// A page has no more text of values than this: of a longer behaviour the last states have values.
const VALUE_BYTES_MAX: usize = 32 << 20;

/// Steps by state, the event that each explains, and values: `null` without a behaviour.
pub fn json(prefix: &Prefix) -> Value {
    let Some(trace) = &prefix.trace else { return Value::Null };
    // Its values are texts, so that it is never deep.
    let told: Value = serde_json::from_str(&trace::json(trace, false)).unwrap_or(Value::Null);
    let states = told["states"].as_array().map_or(&[][..], Vec::as_slice);
    let states: Vec<Value> = states
        .iter()
        .enumerate()
        .map(|(index, state)| {
            let choice = index.checked_sub(1).and_then(|step| prefix.choices.get(step));
            let others = choice.map_or(&[][..], |choice| &choice.others);
            json!({
                "step": state["step"],
                "changes": state["changes"],
                "event": prefix.events.get(index).and_then(Option::as_ref).map(|event| event.number),
                "via": choice.map_or(&[][..], |choice| &choice.via),
                "others": others.iter().map(trace::step_text).collect::<Vec<_>>(),
                "n_others": choice.map_or(0, |choice| choice.n_others),
            })
        })
        .collect();
    let mut object = json!({ "n_before": prefix.n_before, "variables": trace.variables, "states": states });
    let values = Values::of(trace);
    object["texts"] = json!(values.texts);
    object["values"] = json!(values.by_variable);
    object["first_valued"] = json!(values.first_valued);
    object
}

/// The values of each variable: from which state on it has which. A text that occurs again stands there once.
struct Values {
    texts: Vec<String>,
    /// For each variable pairs of a state, from 0, and a text.
    by_variable: Vec<Vec<(usize, usize)>>,
    first_valued: usize,
}

impl Values {
    fn of(trace: &Trace) -> Values {
        let first_valued = first_valued(trace);
        let mut known: FxHashMap<String, usize> = FxHashMap::default();
        let mut values = Values { texts: Vec::new(), by_variable: Vec::new(), first_valued };
        for variable in 0..trace.variables.len() {
            let mut changes = Vec::new();
            for (index, state) in trace.states.iter().enumerate().skip(first_valued) {
                let value = state.values.get(variable).and_then(Option::as_ref);
                if index > first_valued && !changes_at(trace, index, variable) {
                    continue;
                }
                let text = value.map_or_else(|| "(no value)".to_owned(), ToString::to_string);
                let text = *known.entry(text).or_insert_with_key(|text| {
                    values.texts.push(text.clone());
                    values.texts.len() - 1
                });
                changes.push((index, text));
            }
            values.by_variable.push(changes);
        }
        values
    }
}

fn changes_at(trace: &Trace, index: usize, variable: usize) -> bool {
    let value = |index: usize| trace.states[index].values.get(variable);
    index == 0 || value(index) != value(index - 1)
}

/// The first state from which on all values fit.
fn first_valued(trace: &Trace) -> usize {
    let mut n_bytes = 0;
    for (index, state) in trace.states.iter().enumerate().rev() {
        for (variable, value) in state.values.iter().enumerate() {
            if changes_at(trace, index, variable) {
                n_bytes += value.as_ref().map_or(0, |value| value.to_string().len());
            }
        }
        if n_bytes > VALUE_BYTES_MAX {
            return (index + 1).min(trace.states.len() - 1);
        }
    }
    0
}
