//! The answer for machines: one JSON object a line, `docs/check-json.md`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use check::{Answer, Counts, Event, Growth, Measure, Observer};
use diag::{Code, Diagnostic, Diagnostics, render};
use model::{Limit, NoVerdict, Outcome, Phase, PropertyKind, Verdict, Violation};
use sema::Spec;
use serde_json::{Value, json};
use setup::{Output, memory, trace_of};

use super::{EndedSearch, Report, expect};
use crate::console::{Console, Stream};
use crate::{coverage, cpu};

/// The version of the format. It grows with every change that can break a reader.
const SCHEMA: u32 = 1;

pub struct JsonReport<'a> {
    console: &'a Console,
    output: Output,
}

impl<'a> JsonReport<'a> {
    pub fn new(console: &'a Console, interrupted: Arc<AtomicBool>) -> Self {
        let report = JsonReport { console, output: Output::new(interrupted) };
        report.output.keep(report.line(&json!({
            "kind": "start", "schema": SCHEMA, "tool": format!("specline {}", env!("CARGO_PKG_VERSION")),
        })));
        report
    }

    fn line(&self, value: &Value) -> io::Result<()> {
        self.console.line(Stream::Out, &value.to_string())
    }

    fn line_with_trace(&self, object: Value, trace: Option<&trace::Trace>) -> io::Result<()> {
        self.console.line(Stream::Out, &with_trace(object, trace))
    }

    fn diagnostic(&self, spec: &Spec, diagnostic: &Diagnostic) -> io::Result<()> {
        self.console.line(Stream::Out, &render::json(&spec.sources, diagnostic))
    }
}

/// An object with a trace in it. The trace may be deeper than a JSON value can be made: its text is put in.
pub fn with_trace(mut object: Value, trace: Option<&trace::Trace>) -> String {
    let (Some(trace), Some(fields)) = (trace, object.as_object_mut()) else { return object.to_string() };
    fields.remove("trace");
    let object = object.to_string();
    let head = object.strip_suffix('}').unwrap_or(&object);
    // Line feeds are between the fields of a trace alone: inside of strings they are escaped.
    let trace = trace::itf::write(trace).replace('\n', "");
    format!("{head},\"trace\":{trace}}}")
}

pub fn counts(counts: Counts) -> Value {
    json!({
        "generated": counts.generated,
        "distinct": counts.distinct,
        "queue": counts.queue,
        "depth": counts.depth,
        "initial": counts.initial,
    })
}

fn growth(growth: &Growth) -> Value {
    let by = match growth.measure {
        Measure::Number => "number",
        Measure::Parts => "parts",
    };
    let point = |(level, n): &(u32, u64)| json!({ "level": level, "n": n });
    let levels: Vec<Value> = growth.points.iter().map(point).collect();
    json!({ "variable": growth.variable, "by": by, "levels": levels })
}

pub fn property_kind(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Assumption => "assumption",
        PropertyKind::Invariant => "invariant",
        PropertyKind::Step => "action-property",
        PropertyKind::Initial => "initial-property",
        PropertyKind::Temporal => "temporal",
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
        Phase::Temporal => "temporal",
        Phase::View => "view",
        Phase::Configuration => "configuration",
        Phase::Postcondition => "postcondition",
        Phase::Periodic => "periodic",
    }
}

pub fn violation(violation: &Violation) -> Value {
    json!({
        "property": violation.property.name,
        "property_kind": property_kind(violation.property.kind),
        "code": violation.diagnostic.code.id(),
        "trace": null,
    })
}

fn limit(limit: Limit) -> Value {
    match limit {
        Limit::Depth(level) => json!({ "which": "depth", "at": level }),
        Limit::States(n) => json!({ "which": "states", "at": n }),
        Limit::Time => json!({ "which": "time" }),
        Limit::Memory => json!({ "which": "memory" }),
    }
}

pub fn verdict(outcome: &Outcome) -> (&'static str, Value) {
    match outcome {
        Ok(Verdict::Holds) => ("holds", json!({})),
        Ok(Verdict::Violated(violated)) => ("violated", violation(violated)),
        Err(reason) if reason.is_out_of_memory() => {
            ("limit", json!({ "limit": limit(Limit::Memory), "code": Code::OutOfMemory.id(), "trace": null }))
        }
        Err(NoVerdict::Undefined { phase, initial, error, .. }) => (
            "undefined",
            json!({
                "phase": phase_name(*phase), "initial": initial, "code": error.code.id(),
                "trace": null,
            }),
        ),
        Err(NoVerdict::Assertion { error, .. }) => {
            ("assertion", json!({ "code": error.code.id(), "trace": null }))
        }
        Err(NoVerdict::Incomplete { initial, error, .. }) => {
            ("incomplete", json!({ "initial": initial, "code": error.code.id(), "trace": null }))
        }
        Err(NoVerdict::NoInitialState(error)) => ("no-initial-state", json!({ "code": error.code.id() })),
        Err(NoVerdict::Checkpoint(error)) => ("checkpoint", json!({ "code": error.code.id() })),
        Err(NoVerdict::Unsupported(error)) => ("unsupported", json!({ "code": error.code.id() })),
        Err(NoVerdict::Disk(error)) => ("disk", json!({ "code": error.code.id() })),
        Err(NoVerdict::Limit(which)) => ("limit", json!({ "limit": limit(*which) })),
        Err(NoVerdict::Interrupted) => ("interrupted", json!({})),
    }
}

fn memory(answer: &Answer, elapsed: Duration) -> Value {
    let memory = &answer.memory;
    json!({
        "kind": "memory",
        "states": memory.states,
        "parents": memory.parents,
        "values": memory.values,
        "tables": memory.tables,
        "frontier": memory.frontier,
        "steps": memory.steps,
        "bytes_per_step": (memory.n_steps > 0).then(|| memory.steps as f64 / memory.n_steps as f64),
        "behaviours": memory.behaviours,
        "total": memory.total(),
        "bytes_per_state": memory.total() as f64 / answer.counts.distinct.max(1) as f64,
        "resident_peak": memory::peak_bytes(),
        "waits": answer.n_waits,
        "elapsed_ms": elapsed.as_millis() as u64,
    })
}

/// Returns how often each property was violated.
pub fn violations_json(tallies: &[model::Tally]) -> Value {
    let tally =
        |tally: &model::Tally| json!({ "property": tally.property.name, "violations": tally.n_violations });
    tallies.iter().map(tally).collect()
}

/// The diagnostic that says what was found.
pub fn finding_diagnostic(outcome: &Outcome) -> Option<&Diagnostic> {
    match outcome {
        Ok(Verdict::Violated(violated)) => Some(&violated.diagnostic),
        Err(
            NoVerdict::Undefined { error, .. }
            | NoVerdict::Assertion { error, .. }
            | NoVerdict::Incomplete { error, .. }
            | NoVerdict::NoInitialState(error)
            | NoVerdict::Checkpoint(error)
            | NoVerdict::Unsupported(error)
            | NoVerdict::Disk(error),
        ) => Some(error),
        Ok(Verdict::Holds) | Err(NoVerdict::Limit(_) | NoVerdict::Interrupted) => None,
    }
}

impl Report for JsonReport<'_> {
    fn diagnostics(&self, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()> {
        diagnostics.iter().try_for_each(|diagnostic| self.diagnostic(spec, diagnostic))
    }

    fn answer(&self, spec: &Spec, search: &EndedSearch<'_>) -> io::Result<()> {
        let EndedSearch { answer, scope, hints, elapsed } = *search;
        for warning in &answer.warnings {
            self.diagnostic(spec, warning)?;
        }
        for diagnostic in finding_diagnostic(&answer.outcome).into_iter().chain(hints) {
            self.diagnostic(spec, diagnostic)?;
        }
        if let Some(coverage) = &answer.coverage {
            self.line(&coverage::json(&coverage::report(spec, coverage)))?;
        }
        self.line(&memory(answer, elapsed))?;
        let (verdict, details) = verdict(&answer.outcome);
        let outcome = expect::of(&answer.outcome).map(expect::name);
        let mut object = json!({
            "kind": "answer", "verdict": verdict, "outcome": outcome, "counts": counts(answer.counts),
            "checked": scope.json(),
        });
        if let (Value::Object(object), Value::Object(details)) = (&mut object, details) {
            object.extend(details);
            if let Some(kept) = answer.kept {
                object.insert("checkpoint".to_owned(), json!({ "distinct": kept.distinct }));
            }
            if !answer.tallies.is_empty() {
                object.insert("violated".to_owned(), violations_json(&answer.tallies));
            }
        }
        self.line_with_trace(object, trace_of(&answer.outcome))
    }

    fn finish(&self) -> io::Result<()> {
        self.output.finish()
    }
}

impl Observer for JsonReport<'_> {
    fn event(&self, event: Event<'_>) {
        let written = match event {
            Event::Prepared => Ok(()),
            Event::Initial { counts: found } => {
                self.line(&json!({ "kind": "initial", "counts": counts(found) }))
            }
            Event::Resumed { counts: found, elapsed } => self.line(&json!({
                "kind": "resumed", "counts": counts(found), "elapsed_ms": elapsed.as_millis() as u64,
            })),
            Event::Checkpoint { counts: found } => {
                self.line(&json!({ "kind": "checkpoint", "counts": counts(found) }))
            }
            Event::Growing(growths) => {
                let variables: Vec<Value> = growths.iter().map(growth).collect();
                self.line(&json!({ "kind": "growing", "variables": variables }))
            }
            Event::Progress(progress) => self.line(&json!({
                "kind": "progress",
                "counts": counts(progress.counts),
                "elapsed_ms": progress.elapsed.as_millis() as u64,
                "bytes_used": progress.bytes_used,
            })),
            Event::Temporal { counts: found, n_steps, elapsed } => self.line(&json!({
                "kind": "temporal",
                "counts": counts(found),
                "steps": n_steps,
                "elapsed_ms": elapsed.as_millis() as u64,
                "cpu_ms": cpu::used_ms(),
            })),
            Event::Printed(line) => self.line(&json!({ "kind": "printed", "text": line })),
            Event::Violation(found) => {
                let mut object = violation(found);
                object["kind"] = json!("violation");
                self.line_with_trace(object, found.trace.as_ref())
            }
        };
        self.output.keep(written);
    }

    fn progress_interval(&self) -> std::time::Duration {
        std::time::Duration::from_secs(10)
    }
}
