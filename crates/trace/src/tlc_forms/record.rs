//! The value of `CounterExample` in a specification: a record with the set of states and the set of steps.

use crate::{Datum, Ending, Place, State, Step, Trace};

/// A step between two states, by their indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<'a> {
    pub from: usize,
    pub step: Option<&'a Step>,
    pub to: usize,
}

/// Returns the steps, and the one that closes a cycle. If the last state repeats for ever, TLC repeats the step before.
pub(crate) fn edges(trace: &Trace) -> Vec<Edge<'_>> {
    let step = |index: usize| trace.states.get(index).and_then(|state| state.step.as_ref());
    let between = (1..trace.states.len()).map(|to| Edge { from: to - 1, step: step(to), to });
    let mut edges: Vec<Edge<'_>> = between.collect();
    let Some(last) = trace.states.len().checked_sub(1) else { return edges };
    match &trace.ending {
        Ending::Stop => {}
        Ending::Stuttering => edges.push(Edge { from: last, step: step(last), to: last }),
        Ending::Loop { to, step } if *to <= last => {
            edges.push(Edge { from: last, step: step.as_ref(), to: *to });
        }
        Ending::Loop { .. } => {}
    }
    edges
}

/// Returns `[action |-> {...}, state |-> {...}]`.
pub(super) fn of(trace: &Trace) -> Datum {
    let states: Vec<Datum> = (0..trace.states.len()).map(|index| number_state(trace, index)).collect();
    let edge = |edge: &Edge<'_>| {
        Datum::seq(vec![states[edge.from].clone(), action(edge.step), states[edge.to].clone()])
    };
    let actions: Vec<Datum> = edges(trace).iter().map(edge).collect();
    Datum::record([("action", Datum::set(actions)), ("state", Datum::set(states))])
}

/// Returns a state with its number, from 1.
fn number_state(trace: &Trace, index: usize) -> Datum {
    Datum::seq(vec![Datum::int(index + 1), state(trace, &trace.states[index])])
}

/// Returns a state as a record; a variable without a value is left out.
pub(super) fn state(trace: &Trace, state: &State) -> Datum {
    let known = trace.variables.iter().zip(&state.values);
    Datum::record(known.filter_map(|(name, value)| Some((name.as_str(), value.clone()?))))
}

fn action(step: Option<&Step>) -> Datum {
    let Some(step) = step else { return Datum::record::<String>([]) };
    let mut fields = vec![("name", Datum::string(step.name.as_str()))];
    fields.extend(step.place.as_ref().map(|place| ("location", location(place))));
    if !step.parameters.is_empty() {
        let bindings = step.parameters.iter();
        let values = bindings.clone().map(|binding| (binding.name.as_str(), binding.value.clone()));
        fields.push(("context", Datum::record(values)));
        let names = bindings.map(|binding| Datum::string(binding.name.as_str()));
        fields.push(("parameters", Datum::Seq(names.collect())));
    }
    Datum::record(fields)
}

/// Returns the location of a step. TLC: the last column is that of the last character.
fn location(place: &Place) -> Datum {
    Datum::record([
        ("beginLine", Datum::int(place.start.line)),
        ("beginColumn", Datum::int(place.start.column)),
        ("endLine", Datum::int(place.end.line)),
        ("endColumn", Datum::int(place.end.column.saturating_sub(1))),
        ("module", Datum::string(place.module.as_str())),
    ])
}
