//! The answer for machines: one JSON object a line, `docs/simulate.md`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use diag::{Diagnostics, render};
use sema::Spec;
use serde_json::{Value, json};
use setup::{Output, memory, trace_of};
use simulate::{Answer, DistinctCount, Event, Observer, Statistics};

use super::{Remarks, Report, dump};
use crate::check::json::{finding_diagnostic, verdict, violation, violations_json, with_trace};
use crate::console::{Console, Stream};
use crate::coverage;
use crate::simulate::args::SimulateJob;

/// The version of the format. It grows with every change that can break a reader.
const SCHEMA: u32 = 1;

pub struct JsonReport<'a> {
    console: &'a Console,
    job: &'a SimulateJob,
    output: Output,
}

impl<'a> JsonReport<'a> {
    pub fn new(console: &'a Console, job: &'a SimulateJob, interrupted: Arc<AtomicBool>) -> Self {
        let report = JsonReport { console, job, output: Output::new(interrupted) };
        report.output.keep(report.line(&json!({
            "kind": "start", "schema": SCHEMA, "tool": format!("specline {}", env!("CARGO_PKG_VERSION")),
            "seed": job.args.seed,
        })));
        report
    }

    fn line(&self, value: &Value) -> io::Result<()> {
        self.console.line(Stream::Out, &value.to_string())
    }
}

fn statistics(statistics: &Statistics) -> Value {
    let (distinct, method) = match statistics.distinct {
        DistinctCount::Counted(n) => (n, "counted"),
        DistinctCount::Estimated(n) => (n, "hyperloglog"),
    };
    let depths: Vec<Value> =
        statistics.depths.iter().map(|(steps, walks)| json!({ "steps": steps, "walks": walks })).collect();
    let actions: Vec<Value> = statistics
        .actions
        .iter()
        .map(|action| json!({ "name": action.name, "taken": action.n_taken }))
        .collect();
    json!({
        "walks": statistics.n_walks,
        "generated": statistics.n_generated,
        "steps": statistics.n_steps,
        "distinct": distinct,
        "distinct_by": method,
        "without_successor": statistics.n_stuck,
        "depths": depths,
        "actions": actions,
    })
}

impl Report for JsonReport<'_> {
    fn diagnostics(&self, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()> {
        let line = |diagnostic| self.console.line(Stream::Out, &render::json(&spec.sources, diagnostic));
        diagnostics.iter().try_for_each(line)
    }

    fn answer(&self, spec: &Spec, answer: &Answer, beside: Remarks<'_>) -> io::Result<()> {
        let Remarks { tallies, hints } = beside;
        for diagnostic in answer.warnings.iter().chain(finding_diagnostic(&answer.outcome)).chain(hints) {
            self.console.line(Stream::Out, &render::json(&spec.sources, diagnostic))?;
        }
        if let Some(coverage) = &answer.coverage {
            self.line(&coverage::json(&coverage::report(spec, coverage)))?;
        }
        self.line(&json!({ "kind": "memory", "resident_peak": memory::peak_bytes() }))?;
        let (verdict, details) = verdict(&answer.outcome);
        let mut object = json!({
            "kind": "answer", "verdict": verdict, "statistics": statistics(&answer.statistics),
        });
        if let (Value::Object(object), Value::Object(details)) = (&mut object, details) {
            object.extend(details);
            if !tallies.is_empty() {
                object.insert("violated".to_owned(), violations_json(tallies));
            }
            if let Some(walk) = answer.walk {
                object.insert("walk".to_owned(), json!(walk));
            }
            if let Some(short) = answer.shortened {
                let told = json!({
                    "steps_before": short.n_steps_before, "steps": short.n_steps, "is_minimal": short.is_minimal,
                });
                object.insert("shortened".to_owned(), told);
            }
        }
        self.console.line(Stream::Out, &with_trace(object, trace_of(&answer.outcome)))
    }

    fn finish(&self) -> io::Result<()> {
        self.output.finish()
    }
}

impl Observer for JsonReport<'_> {
    fn event(&self, event: Event<'_>) {
        let written = match event {
            Event::Initial { .. } => Ok(()),
            Event::Progress(progress) => self.line(&json!({
                "kind": "progress",
                "walks": progress.n_walks,
                "generated": progress.n_generated,
                "elapsed_ms": progress.elapsed.as_millis() as u64,
            })),
            Event::Printed(line) => self.line(&json!({ "kind": "printed", "text": line })),
            Event::Violation { violation: found, walk, .. } => {
                let mut object = violation(found);
                (object["kind"], object["walk"]) = (json!("violation"), json!(walk));
                self.console.line(Stream::Out, &with_trace(object, found.trace.as_ref()))
            }
            Event::Walk { number, trace } => match &self.job.args.dump {
                Some(folder) => dump(self.job, folder, (number, trace)),
                None => Ok(()),
            },
        };
        self.output.keep(written);
    }

    fn progress_interval(&self) -> Duration {
        Duration::from_secs(10)
    }
}
