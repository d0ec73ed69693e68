//! Results of behaviours on real processes, for machines.

use conform::{Divergence, Ending, Replayed, Row, Took};
use serde_json::{Value, json};
use trace::Trace;

use super::tell;

/// Returns one behaviour as JSON: `verdict`, where and why it ended, and the steps that were carried out.
pub fn replay_json(trace: &Trace, replayed: &Replayed, took: Took) -> Value {
    let state = replayed.rows.len().saturating_sub(1);
    let rows = replayed.rows.iter().enumerate();
    json!({
        "verdict": verdict(&replayed.ending),
        "step": state,
        "action": tell::step_of(trace, state),
        "why": replayed.ending.reason(),
        "differences": differences(&replayed.ending),
        "property": property(&replayed.ending),
        "steps": rows.map(|(state, row)| row_json(trace, state, row)).collect::<Vec<_>>(),
        "start_ms": took.start.as_millis() as u64,
        "steps_ms": took.steps.as_millis() as u64,
    })
}

pub fn verdict(ending: &Ending) -> &'static str {
    match ending {
        Ending::Agreed => "agreed",
        Ending::Confirmed(_) => "confirmed",
        Ending::Diverged(_) => "diverged",
        Ending::CouldNot(_) => "could-not",
    }
}

fn property(ending: &Ending) -> Value {
    match ending {
        Ending::Confirmed(confirmed) => json!(confirmed.property.name()),
        Ending::Agreed | Ending::Diverged(_) | Ending::CouldNot(_) => Value::Null,
    }
}

fn differences(ending: &Ending) -> Vec<Value> {
    match ending {
        Ending::Diverged(Divergence::Values(differences)) => differences
            .iter()
            .map(|difference| {
                let (spec, real) = (difference.spec.to_string(), difference.real.to_string());
                json!({ "variable": difference.variable, "specification": spec, "program": real })
            })
            .collect(),
        Ending::Diverged(Divergence::Message { wanted, held, .. }) => {
            let held = held.as_ref().map(ToString::to_string);
            vec![json!({ "message": true, "specification": wanted.to_string(), "program": held })]
        }
        Ending::Diverged(Divergence::Alarm { node, line }) => vec![json!({ "node": node, "alarm": line })],
        Ending::Agreed | Ending::Confirmed(_) | Ending::CouldNot(_) => Vec::new(),
    }
}

fn row_json(trace: &Trace, state: usize, row: &Row) -> Value {
    let real: serde_json::Map<String, Value> =
        row.real.iter().map(|(name, value)| (name.clone(), json!(value.to_string()))).collect();
    json!({
        "action": tell::step_of(trace, state),
        "events": row.events,
        "program": real,
        "under_way": row.held,
        "output": row.output,
        "log": row.log,
        "uncontrolled": row.uncontrolled,
    })
}
