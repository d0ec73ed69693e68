//! A trace as one page for a browser; it is self-contained and uses no network.
//!
//! The frame of every page, and its styles and scripts, are beside this file: `values` shows values as tables and
//! trees, `state` shows a whole state, `lanes` draws the sequence diagram, `compare` has the program, `trace` is the
//! page.

mod nodes;
mod parts;
mod program;

use report::page::Page;
use serde_json::{Value, json};

pub use nodes::Nodes;
pub use parts::{changes_json, diagram_json, scripts, step_json, styles};
pub use program::{Program, ProgramDifference, ProgramRow};

use crate::diagram::{Diagram, Wishes, hint};
use crate::{Ending, Finding, Trace, headline};

const BODY: &str = include_str!("html/trace.html");
const STYLE: &str = include_str!("html/trace.css");
const SCRIPT: &str = concat!(include_str!("html/compare.js"), include_str!("html/trace.js"));

/// The content of a page.
#[derive(Clone, Copy, Debug)]
pub struct TracePage<'a> {
    pub trace: &'a Trace,
    /// The user's settings for lanes.
    pub wishes: &'a Wishes,
    /// The record of a program, if the trace was carried out on one.
    pub program: Option<&'a Program>,
    /// Other facts about the run, by name: its seed, its time.
    pub facts: &'a [(&'a str, String)],
}

/// Returns the page of a trace, with its lanes if there are any.
pub fn html(page: &TracePage<'_>) -> String {
    let TracePage { trace, wishes, program, facts } = page;
    debug_assert!(trace.is_whole(), "a trace has every variable in every state");
    let mut nodes = Nodes::default();
    let diagram = Diagram::new(trace, wishes);
    let hint = hint(trace, diagram.as_ref());
    let (diagram, hint) = diagram_json(diagram.as_ref(), hint.as_ref());
    let mut object = trace_json(trace, &mut nodes);
    object["diagram"] = diagram;
    object["hint"] = hint;
    object["program"] = program.map_or(Value::Null, |program| program.json(trace, &mut nodes));
    object["facts"] = facts.iter().map(|(name, value)| json!([name, value])).collect();
    object["nodes"] = serde_json::to_value(&nodes).expect("texts and numbers are JSON");
    let title = program.map_or_else(|| headline(&trace.finding), |program| program.headline.clone());
    let (style, script) = (styles(STYLE), scripts(SCRIPT));
    Page { title: &title, body: BODY, style: &style, script: &script, data: &object.to_string() }.text()
}

fn trace_json(trace: &Trace, nodes: &mut Nodes) -> Value {
    let mut states = Vec::with_capacity(trace.states.len());
    let mut numbers: Vec<Option<u32>> = Vec::new();
    for (index, state) in trace.states.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &trace.states[before]);
        let changes = before.map_or_else(Vec::new, |old| changes_json(&trace.variables, (old, state), nodes));
        // Most variables stay as they are in a step.
        let values = state.values.iter().enumerate().map(|(variable, value)| {
            let is_same = before.is_some_and(|old| old.values.get(variable) == Some(value));
            if is_same { numbers[variable] } else { value.as_ref().map(|value| nodes.add(value)) }
        });
        numbers = values.collect();
        let step = step_json(state.step.as_ref(), nodes);
        states.push(json!({ "step": step, "changes": changes, "values": numbers }));
    }
    let (ending, to) = match &trace.ending {
        Ending::Stop => ("stop", None),
        Ending::Stuttering => ("stuttering", None),
        Ending::Loop { to, .. } => ("loop", Some(to + 1)),
    };
    json!({
        "kind": "trace",
        "headline": headline(&trace.finding),
        "finding": { "kind": crate::itf::finding_word(&trace.finding), "message": message(&trace.finding) },
        "failure": trace.failure.as_ref().map(|failure| parts::failure(failure, nodes)),
        "spec": trace.about.spec,
        "config": trace.about.config,
        "tool": trace.about.tool,
        "constants": parts::bindings(&trace.constants, nodes),
        "variables": trace.variables,
        "expressions": trace.expressions,
        "states": states,
        "ending": { "kind": ending, "to": to },
    })
}

/// Returns the message of a finding, besides its name.
fn message(finding: &Finding) -> Option<&str> {
    match finding {
        Finding::Assertion { message } | Finding::EvaluationError { message, .. } => Some(message),
        Finding::Example { description } => Some(description),
        Finding::Invariant { .. } | Finding::ActionProperty { .. } | Finding::InitialProperty { .. } => None,
        Finding::TemporalProperty { .. } | Finding::Postcondition { .. } => None,
        Finding::Deadlock | Finding::Unstated => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Program, ProgramDifference, TracePage, html};
    use crate::diagram::Wishes;
    use crate::{Binding, Datum, Finding, State, Step, Trace};

    #[test]
    fn nothing_in_a_trace_is_markup_or_a_place_to_fill() {
        let mut trace = Trace::new(vec!["x".to_owned()]);
        let nasty = "</script><script>alert(1)</script>{{script}}<!--";
        trace.finding = Finding::Assertion { message: nasty.to_owned() };
        let parameters = vec![Binding::new("p", Datum::string(nasty))];
        let step = Step { name: nasty.to_owned(), place: None, parameters };
        trace.states.push(State { step: Some(step), values: vec![Some(Datum::string(nasty))] });
        let (spec, line) = (Some(Datum::model(nasty)), Some(nasty.to_owned()));
        let difference = ProgramDifference { name: nasty.to_owned(), spec, real: None, line };
        let program =
            Program { reason: nasty.to_owned(), differences: vec![difference], ..Program::default() };
        let wishes = Wishes { processes: vec![nasty.to_owned()], ..Wishes::default() };
        let facts = [("seed", nasty.to_owned())];
        let page =
            html(&TracePage { trace: &trace, wishes: &wishes, program: Some(&program), facts: &facts });
        assert_eq!(page.matches("<script").count(), 2, "one with the data, one with the program");
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.contains("\\u003c/script>"));
    }
}
