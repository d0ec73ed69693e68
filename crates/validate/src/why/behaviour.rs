//! The part of a page that shows a behaviour: steps with their changes, the values of variables where they change, and
//! lanes.

use serde_json::{Value, json};
use trace::Trace;
use trace::diagram::{Diagram, Wishes, hint};
use trace::html::{Nodes, changes_json, diagram_json, step_json};

use crate::outcome::Prefix;

/// The most text of values in a page; if a behaviour has more, only the last states have values.
const VALUE_BYTES_MAX: usize = 32 << 20;
/// The most states for which lanes are drawn.
const LANE_STATES_MAX: usize = 20_000;

/// Returns the steps by state, the event that each explains, values and lanes; `null` without a behaviour.
pub fn json(prefix: &Prefix, wishes: &Wishes) -> Value {
    let Some(trace) = &prefix.trace else { return Value::Null };
    let mut nodes = Nodes::default();
    let mut states = Vec::with_capacity(trace.states.len());
    for (index, state) in trace.states.iter().enumerate() {
        let choice = index.checked_sub(1).and_then(|step| prefix.choices.get(step));
        let others = choice.map_or(&[][..], |choice| &choice.others);
        let before = index.checked_sub(1).map(|before| &trace.states[before]);
        states.push(json!({
            "step": step_json(state.step.as_ref(), &mut nodes),
            "changes": before.map_or_else(Vec::new, |old| changes_json(&trace.variables, (old, state), &mut nodes)),
            "event": prefix.events.get(index).and_then(Option::as_ref).map(|event| event.number),
            "via": choice.map_or(&[][..], |choice| &choice.via),
            "others": others.iter().map(trace::step_text).collect::<Vec<_>>(),
            "n_others": choice.map_or(0, |choice| choice.n_others),
        }));
    }
    let first_valued = first_valued(trace);
    let values = values(trace, first_valued, &mut nodes);
    let diagram = (trace.states.len() <= LANE_STATES_MAX).then(|| Diagram::new(trace, wishes)).flatten();
    let hint = hint(trace, diagram.as_ref());
    let (diagram, hint) = diagram_json(diagram.as_ref(), hint.as_ref());
    json!({
        "n_before": prefix.n_before,
        "variables": trace.variables,
        "states": states,
        "values": values,
        "first_valued": first_valued,
        "diagram": diagram,
        "hint": hint,
        "nodes": nodes,
    })
}

/// Returns for each variable pairs of a state, from 0, and the number of the value that it has from there on.
fn values(trace: &Trace, first_valued: usize, nodes: &mut Nodes) -> Vec<Vec<(usize, Option<u32>)>> {
    let mut all = Vec::with_capacity(trace.variables.len());
    for variable in 0..trace.variables.len() {
        let mut changes = Vec::new();
        for (index, state) in trace.states.iter().enumerate().skip(first_valued) {
            if index == first_valued || changes_at(trace, index, variable) {
                let value = state.values.get(variable).and_then(Option::as_ref);
                changes.push((index, value.map(|value| nodes.add(value))));
            }
        }
        all.push(changes);
    }
    all
}

fn changes_at(trace: &Trace, index: usize, variable: usize) -> bool {
    let value = |index: usize| trace.states[index].values.get(variable);
    index == 0 || value(index) != value(index - 1)
}

/// Returns the first state from which on all values fit.
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
