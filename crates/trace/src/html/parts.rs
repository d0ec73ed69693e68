//! JSON that all pages about behaviours share: steps, changes and lanes, with values by their numbers.

use serde::Serialize;
use serde_json::{Value, json};

use super::nodes::Nodes;
use crate::diagram::{Diagram, Hint, Span, Track};
use crate::text::path_text;
use crate::{Binding, Change, ChangeKind, Datum, Failure, Place, State, Step, diff_states};

const VALUES_SCRIPT: &str = include_str!("values.js");
const VALUES_STYLE: &str = include_str!("values.css");
const STATE_SCRIPT: &str = include_str!("state.js");
const STATE_STYLE: &str = include_str!("state.css");
const LANES_SCRIPT: &str = include_str!("lanes.js");
const LANES_STYLE: &str = include_str!("lanes.css");

/// Returns the scripts that show values, states and lanes, for another page. It must call `useNodes` with the content
/// of [`Nodes`].
pub fn scripts(own: &str) -> String {
    [VALUES_SCRIPT, STATE_SCRIPT, LANES_SCRIPT, own].concat()
}

/// Returns the styles that go with [`scripts`].
pub fn styles(own: &str) -> String {
    [VALUES_STYLE, STATE_STYLE, LANES_STYLE, own].concat()
}

/// Converts a step, with its parameters by number.
pub fn step_json(step: Option<&Step>, nodes: &mut Nodes) -> Value {
    let Some(step) = step else { return Value::Null };
    json!({
        "action": step.name,
        "parameters": bindings(&step.parameters, nodes),
        "place": step.place.as_ref().map(place),
    })
}

/// Converts the changes of the variables from one state to the next.
pub fn changes_json(variables: &[String], (old, new): (&State, &State), nodes: &mut Nodes) -> Vec<Value> {
    let mut changes = Vec::new();
    for variable in diff_states(old, new) {
        let name = variables.get(variable.variable).map_or("?", String::as_str);
        changes.extend(variable.changes.iter().map(|one| change(variable.variable, name, one, nodes)));
    }
    changes
}

/// Converts the differences of two values, as changes of a variable.
pub fn differences_json(name: &str, (old, new): (&Datum, &Datum), nodes: &mut Nodes) -> Vec<Value> {
    crate::diff(old, new).iter().map(|one| change(0, name, one, nodes)).collect()
}

fn change(variable: usize, name: &str, change: &Change<'_>, nodes: &mut Nodes) -> Value {
    let mut one = |value: &Datum| vec![nodes.add(value)];
    let (kind, at, removed, added) = match &change.kind {
        ChangeKind::Replaced { old, new } => ("replaced", None, one(old), one(new)),
        ChangeKind::Added { new } => ("added", None, Vec::new(), one(new)),
        ChangeKind::Removed { old } => ("removed", None, one(old), Vec::new()),
        ChangeKind::Elements { removed, added } => {
            let mut all = |values: &[&Datum]| values.iter().map(|value| nodes.add(value)).collect();
            ("elements", None, all(removed), all(added))
        }
        ChangeKind::Items { at, removed, added, .. } => {
            let mut all = |values: &[Datum]| values.iter().map(|value| nodes.add(value)).collect();
            ("items", Some(*at), all(removed), all(added))
        }
    };
    let path = path_text(name, &change.path);
    json!({ "variable": variable, "path": path, "kind": kind, "at": at, "removed": removed, "added": added })
}

pub(super) fn bindings(bindings: &[Binding], nodes: &mut Nodes) -> Vec<Value> {
    bindings
        .iter()
        .map(|binding| json!({ "name": binding.name, "value": nodes.add(&binding.value) }))
        .collect()
}

pub(super) fn failure(failure: &Failure, nodes: &mut Nodes) -> Value {
    json!({
        "text": failure.text,
        "place": failure.place.as_ref().map(place),
        "values": bindings(&failure.values, nodes),
        "calls": failure.calls.iter().map(|call| step_json(Some(call), nodes)).collect::<Vec<_>>(),
    })
}

/// Returns `Raft.tla:12:3`.
fn place(place: &Place) -> String {
    format!("{}:{}:{}", place.file, place.start.line, place.start.column)
}

/// Converts lanes as the scripts draw them, and the hint if there are none.
pub fn diagram_json(diagram: Option<&Diagram>, hint: Option<&Hint>) -> (Value, Value) {
    let hint = hint.map(|hint| json!({ "text": hint.text, "lines": hint.lines }));
    let shown = serde_json::to_value(diagram.map(JsonDiagram::new)).expect("text and numbers are JSON");
    (shown, hint.unwrap_or(Value::Null))
}

#[derive(Serialize)]
struct JsonDiagram<'d> {
    lanes: &'d [String],
    lane_of_state: &'d [Option<usize>],
    messages: Vec<JsonMessage<'d>>,
    role: Option<JsonTrack<'d>>,
    term: Option<JsonTrack<'d>>,
    down: Vec<JsonSpan<'d>>,
    cuts: Vec<JsonSpan<'d>>,
    restarts: &'d [(usize, usize)],
}

#[derive(Serialize)]
struct JsonMessage<'d> {
    label: &'d str,
    from: Option<usize>,
    to: Option<usize>,
    sent: usize,
    taken: &'d [usize],
    lost: Option<usize>,
}

#[derive(Serialize)]
struct JsonTrack<'d> {
    name: &'d str,
    values: &'d [Vec<(usize, String)>],
}

#[derive(Serialize)]
struct JsonSpan<'d> {
    lane: Option<usize>,
    from: usize,
    to: Option<usize>,
    text: &'d str,
}

impl<'d> JsonDiagram<'d> {
    fn new(diagram: &'d Diagram) -> Self {
        let messages = diagram.messages.iter().map(|message| JsonMessage {
            label: &message.label,
            from: message.from,
            to: message.to,
            sent: message.sent,
            taken: &message.taken,
            lost: message.lost,
        });
        let track = |track: &'d Track| JsonTrack { name: &track.name, values: &track.values };
        let span =
            |span: &'d Span| JsonSpan { lane: span.lane, from: span.from, to: span.to, text: &span.text };
        let life = &diagram.life;
        JsonDiagram {
            lanes: &diagram.lanes,
            lane_of_state: &diagram.lane_of_state,
            messages: messages.collect(),
            role: life.role.as_ref().map(track),
            term: life.term.as_ref().map(track),
            down: life.down.iter().map(span).collect(),
            cuts: life.cuts.iter().map(span).collect(),
            restarts: &life.restarts,
        }
    }
}
