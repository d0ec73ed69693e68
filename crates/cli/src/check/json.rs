//! The answer for machines: one JSON object a line, `docs/check-json.md`.

use std::io;
use std::sync::{Mutex, PoisonError};

use check::{Answer, Counts, Event, Limit, NoVerdict, Observer, Phase, PropertyKind, Verdict, Violation};
use diag::{Diagnostic, Diagnostics, render};
use sema::Spec;
use serde_json::{Value, json};

use super::Report;
use crate::console::{Console, Stream};

/// Grows when something changes that a reader could trip over.
const SCHEMA: u32 = 1;

pub struct JsonReport<'a> {
    console: &'a Console,
    failed: Mutex<Option<io::Error>>,
}

impl<'a> JsonReport<'a> {
    pub fn new(console: &'a Console) -> Self {
        let report = JsonReport { console, failed: Mutex::new(None) };
        report.keep(report.line(&json!({
            "kind": "start", "schema": SCHEMA, "tool": format!("specline {}", env!("CARGO_PKG_VERSION")),
        })));
        report
    }

    fn line(&self, value: &Value) -> io::Result<()> {
        self.console.line(Stream::Out, &value.to_string())
    }

    fn keep(&self, written: io::Result<()>) {
        if let Err(error) = written {
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    fn diagnostic(&self, spec: &Spec, diagnostic: &Diagnostic) -> io::Result<()> {
        self.console.line(Stream::Out, &render::json(&spec.sources, diagnostic))
    }
}

fn counts(counts: Counts) -> Value {
    json!({
        "generated": counts.generated,
        "distinct": counts.distinct,
        "queue": counts.queue,
        "depth": counts.depth,
        "initial": counts.initial,
    })
}

fn property_kind(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Assumption => "assumption",
        PropertyKind::Invariant => "invariant",
        PropertyKind::Step => "action-property",
        PropertyKind::Initial => "initial-property",
        PropertyKind::Deadlock => "deadlock",
        PropertyKind::Postcondition => "postcondition",
        PropertyKind::Possible => "possible",
        PropertyKind::Periodic => "periodic",
    }
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Assumption => "assumption",
        Phase::Preparation => "preparation",
        Phase::Init => "init",
        Phase::Next => "next",
        Phase::Constraint => "constraint",
        Phase::Invariant => "invariant",
        Phase::StepProperty => "action-property",
        Phase::InitialProperty => "initial-property",
        Phase::View => "view",
        Phase::Configuration => "configuration",
        Phase::Postcondition => "postcondition",
        Phase::Periodic => "periodic",
    }
}

fn violation(violation: &Violation) -> Value {
    json!({
        "property": violation.property.name,
        "property_kind": property_kind(violation.property.kind),
        "code": violation.diagnostic.code.id(),
        "trace": violation.trace.as_ref().map(trace),
    })
}

fn trace(trace: &trace::Trace) -> Value {
    let text = trace::itf::write(trace);
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

fn limit(limit: Limit) -> Value {
    match limit {
        Limit::Depth(level) => json!({ "which": "depth", "at": level }),
        Limit::States(n) => json!({ "which": "states", "at": n }),
        Limit::Time => json!({ "which": "time" }),
        Limit::Memory => json!({ "which": "memory" }),
    }
}

fn verdict(answer: &Answer) -> (&'static str, Value) {
    match &answer.outcome {
        Ok(Verdict::Holds) => ("holds", json!({})),
        Ok(Verdict::Violated(violated)) => ("violated", violation(violated)),
        Err(NoVerdict::Undefined { phase, initial, error, trace: shown }) => (
            "undefined",
            json!({
                "phase": phase_name(*phase), "initial": initial, "code": error.code.id(),
                "trace": shown.as_deref().map(trace),
            }),
        ),
        Err(NoVerdict::Assertion { error, trace: shown }) => {
            ("assertion", json!({ "code": error.code.id(), "trace": shown.as_deref().map(trace) }))
        }
        Err(NoVerdict::Incomplete { initial, error, trace: shown }) => (
            "incomplete",
            json!({ "initial": initial, "code": error.code.id(), "trace": shown.as_deref().map(trace) }),
        ),
        Err(NoVerdict::NoInitialState(error)) => ("no-initial-state", json!({ "code": error.code.id() })),
        Err(NoVerdict::Unsupported(error)) => ("unsupported", json!({ "code": error.code.id() })),
        Err(NoVerdict::Limit(which)) => ("limit", json!({ "limit": limit(*which) })),
        Err(NoVerdict::Interrupted) => ("interrupted", json!({})),
    }
}

/// The diagnostic that says what was found.
fn told(answer: &Answer) -> Option<&Diagnostic> {
    match &answer.outcome {
        Ok(Verdict::Violated(violated)) => Some(&violated.diagnostic),
        Err(
            NoVerdict::Undefined { error, .. }
            | NoVerdict::Assertion { error, .. }
            | NoVerdict::Incomplete { error, .. }
            | NoVerdict::NoInitialState(error)
            | NoVerdict::Unsupported(error),
        ) => Some(error),
        Ok(Verdict::Holds) | Err(NoVerdict::Limit(_) | NoVerdict::Interrupted) => None,
    }
}

impl Report for JsonReport<'_> {
    fn diagnostics(&self, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()> {
        diagnostics.iter().try_for_each(|diagnostic| self.diagnostic(spec, diagnostic))
    }

    fn answer(&self, spec: &Spec, answer: &Answer) -> io::Result<()> {
        for warning in &answer.warnings {
            self.diagnostic(spec, warning)?;
        }
        if let Some(diagnostic) = told(answer) {
            self.diagnostic(spec, diagnostic)?;
        }
        let (verdict, details) = verdict(answer);
        let mut object = json!({ "kind": "answer", "verdict": verdict, "counts": counts(answer.counts) });
        if let (Value::Object(object), Value::Object(details)) = (&mut object, details) {
            object.extend(details);
            if !answer.tallies.is_empty() {
                let tally = |tally: &check::Tally| json!({ "property": tally.property.name, "violations": tally.n_violations });
                object.insert("violated".to_owned(), answer.tallies.iter().map(tally).collect());
            }
        }
        self.line(&object)
    }

    fn finish(&self) -> io::Result<()> {
        match self.failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl Observer for JsonReport<'_> {
    fn event(&self, event: Event<'_>) {
        let object = match event {
            Event::Initial { counts: found } => json!({ "kind": "initial", "counts": counts(found) }),
            Event::Progress(progress) => json!({
                "kind": "progress",
                "counts": counts(progress.counts),
                "elapsed_ms": progress.elapsed.as_millis() as u64,
                "bytes_used": progress.bytes_used,
            }),
            Event::Printed(line) => json!({ "kind": "printed", "text": line }),
            Event::Violation(found) => {
                let mut object = json!({ "kind": "violation" });
                if let (Value::Object(object), Value::Object(details)) = (&mut object, violation(found)) {
                    object.extend(details);
                }
                object
            }
        };
        self.keep(self.line(&object));
    }

    fn progress_interval(&self) -> std::time::Duration {
        std::time::Duration::from_secs(10)
    }
}
