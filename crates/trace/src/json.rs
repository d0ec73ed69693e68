//! A trace with its changes as one JSON object, for programs that show steps. Values are texts of TLA+.
//! `docs/traces.md` is its contract.
//!
//! Not here: the form in which traces are kept, which is `itf`.

mod compare;

use serde::Serialize;

pub use compare::compare_json;

use crate::text::path_text;
use crate::{Binding, Change, ChangeKind, Datum, Ending, Failure, Finding, Place, Point, State, Step, Trace};
use crate::{diff_states, headline};

/// The version of the form, raised when a field changes its meaning.
const VERSION: u32 = 1;

/// Returns `trace` on one line, without a line feed. With `full`, every state has the values of all variables;
/// otherwise only the first has.
pub fn json(trace: &Trace, full: bool) -> String {
    debug_assert!(trace.is_whole(), "a trace has every variable in every state");
    let states = trace.states.iter().enumerate().map(|(index, state)| {
        let before = index.checked_sub(1).and_then(|before| trace.states.get(before));
        JsonState {
            state: index + 1,
            step: state.step.as_ref().map(JsonStep::new),
            changes: before.map_or_else(Vec::new, |before| changes(trace, before, state)),
            values: (full || before.is_none()).then(|| values(trace, state)),
        }
    });
    let object = JsonTrace {
        kind: "trace",
        version: VERSION,
        headline: headline(&trace.finding),
        finding: JsonFinding::new(&trace.finding),
        failure: trace.failure.as_ref().map(JsonFailure::new),
        spec: trace.about.spec.as_deref(),
        config: trace.about.config.as_deref(),
        tool: trace.about.tool.as_deref(),
        constants: bindings(&trace.constants),
        variables: &trace.variables,
        expressions: &trace.expressions,
        states: states.collect(),
        ending: JsonEnding::new(&trace.ending),
    };
    serde_json::to_string(&object).expect("strings and numbers always have a JSON form")
}

#[derive(Serialize)]
struct JsonTrace<'a> {
    kind: &'static str,
    version: u32,
    headline: String,
    finding: JsonFinding<'a>,
    failure: Option<JsonFailure<'a>>,
    spec: Option<&'a str>,
    config: Option<&'a str>,
    tool: Option<&'a str>,
    constants: Vec<JsonBinding<'a>>,
    variables: &'a [String],
    expressions: &'a [String],
    states: Vec<JsonState<'a>>,
    ending: JsonEnding<'a>,
}

#[derive(Serialize)]
struct JsonFinding<'a> {
    kind: Option<&'static str>,
    names: Vec<&'a str>,
    code: Option<&'a str>,
    message: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonState<'a> {
    state: usize,
    step: Option<JsonStep<'a>>,
    changes: Vec<JsonChange>,
    values: Option<Vec<JsonValue<'a>>>,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    action: &'a str,
    parameters: Vec<JsonBinding<'a>>,
    place: Option<JsonPlace<'a>>,
}

#[derive(Serialize)]
struct JsonBinding<'a> {
    name: &'a str,
    value: String,
}

#[derive(Serialize)]
struct JsonValue<'a> {
    name: &'a str,
    /// The value; `null` for a variable without one.
    value: Option<String>,
}

#[derive(Serialize)]
struct JsonPlace<'a> {
    file: &'a str,
    module: &'a str,
    start: JsonPoint,
    end: JsonPoint,
}

#[derive(Serialize)]
struct JsonPoint {
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct JsonChange {
    path: String,
    kind: &'static str,
    /// The position in a sequence, from 1.
    at: Option<usize>,
    removed: Vec<String>,
    added: Vec<String>,
}

#[derive(Serialize)]
struct JsonFailure<'a> {
    text: &'a str,
    place: Option<JsonPlace<'a>>,
    values: Vec<JsonBinding<'a>>,
    calls: Vec<JsonStep<'a>>,
}

#[derive(Serialize)]
struct JsonEnding<'a> {
    kind: &'static str,
    /// The number of the state, from 1.
    to: Option<usize>,
    step: Option<JsonStep<'a>>,
}

impl<'a> JsonFinding<'a> {
    fn new(finding: &'a Finding) -> Self {
        let kind = crate::itf::finding_word(finding);
        let found = |names, code, message| JsonFinding { kind, names, code, message };
        match finding {
            Finding::Invariant { name } | Finding::ActionProperty { name } => found(vec![name], None, None),
            Finding::InitialProperty { name } | Finding::Postcondition { name } => {
                found(vec![name], None, None)
            }
            Finding::TemporalProperty { names } => {
                found(names.iter().map(String::as_str).collect(), None, None)
            }
            Finding::Assertion { message } => found(vec![], None, Some(message)),
            Finding::EvaluationError { code, message } => found(vec![], code.as_deref(), Some(message)),
            Finding::Example { description } => found(vec![], None, Some(description)),
            Finding::Deadlock | Finding::Unstated => found(vec![], None, None),
        }
    }
}

impl<'a> JsonStep<'a> {
    fn new(step: &'a Step) -> Self {
        let place = step.place.as_ref().map(JsonPlace::new);
        JsonStep { action: &step.name, parameters: bindings(&step.parameters), place }
    }
}

impl<'a> JsonPlace<'a> {
    fn new(place: &'a Place) -> Self {
        let point = |Point { line, column }| JsonPoint { line, column };
        let Place { file, module, start, end } = place;
        JsonPlace { file, module, start: point(*start), end: point(*end) }
    }
}

impl<'a> JsonFailure<'a> {
    fn new(failure: &'a Failure) -> Self {
        JsonFailure {
            text: &failure.text,
            place: failure.place.as_ref().map(JsonPlace::new),
            values: bindings(&failure.values),
            calls: failure.calls.iter().map(JsonStep::new).collect(),
        }
    }
}

impl<'a> JsonEnding<'a> {
    fn new(ending: &'a Ending) -> Self {
        match ending {
            Ending::Stop => JsonEnding { kind: "stop", to: None, step: None },
            Ending::Stuttering => JsonEnding { kind: "stuttering", to: None, step: None },
            Ending::Loop { to, step } => {
                JsonEnding { kind: "loop", to: Some(to + 1), step: step.as_ref().map(JsonStep::new) }
            }
        }
    }
}

fn bindings(bindings: &[Binding]) -> Vec<JsonBinding<'_>> {
    bindings
        .iter()
        .map(|binding| JsonBinding { name: &binding.name, value: binding.value.to_string() })
        .collect()
}

fn values<'a>(trace: &'a Trace, state: &State) -> Vec<JsonValue<'a>> {
    let pairs = trace.variables.iter().zip(&state.values);
    pairs.map(|(name, value)| JsonValue { name, value: value.as_ref().map(Datum::to_string) }).collect()
}

fn changes(trace: &Trace, before: &State, state: &State) -> Vec<JsonChange> {
    let mut changes = Vec::new();
    for variable in diff_states(before, state) {
        let name = trace.variables.get(variable.variable).map_or("", String::as_str);
        changes.extend(variable.changes.iter().map(|change| JsonChange::new(name, change)));
    }
    changes
}

impl JsonChange {
    fn new(variable: &str, change: &Change<'_>) -> Self {
        let path = path_text(variable, &change.path);
        let text = |values: &[&Datum]| values.iter().map(|value| value.to_string()).collect();
        let all = |values: &[Datum]| values.iter().map(Datum::to_string).collect();
        let (kind, at, removed, added) = match &change.kind {
            ChangeKind::Replaced { old, new } => ("replaced", None, text(&[old]), text(&[new])),
            ChangeKind::Added { new } => ("added", None, Vec::new(), text(&[new])),
            ChangeKind::Removed { old } => ("removed", None, text(&[old]), Vec::new()),
            ChangeKind::Elements { removed, added } => ("elements", None, text(removed), text(added)),
            ChangeKind::Items { at, removed, added, .. } => ("items", Some(*at), all(removed), all(added)),
        };
        JsonChange { path, kind, at, removed, added }
    }
}
