//! The answer for machines: one JSON object a line. `docs/audit.md` is the user's copy.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use audit::{
    Base, Direction, Doubt, Event, Judged, Mutant, Observer, Report, Survival, Tallied, Verdict, Why,
};
use diag::{Diagnostics, render};
use model::{IdleKind, IdlePart, Limit, Outcome};
use sema::Spec;
use serde_json::{Value, json};
use setup::Output;

use super::text::n_steps;
use super::{Writer, reason};
use crate::check::json::{counts, property_kind, with_trace};
use crate::console::{Console, Stream};
use crate::coverage::json_place;

/// The version of the format. It grows with every change that can break a reader.
const SCHEMA: u32 = 1;

pub struct JsonWriter<'a> {
    console: &'a Console,
    output: Output,
}

impl<'a> JsonWriter<'a> {
    pub fn new(console: &'a Console, interrupted: Arc<AtomicBool>) -> Self {
        let writer = JsonWriter { console, output: Output::new(interrupted) };
        writer.output.keep(writer.line(&json!({
            "kind": "start", "schema": SCHEMA, "tool": format!("specline {}", env!("CARGO_PKG_VERSION")),
        })));
        writer
    }

    fn line(&self, value: &Value) -> io::Result<()> {
        self.console.line(Stream::Out, &value.to_string())
    }

    fn write_judged(&self, spec: &Spec, judged: &Judged) -> io::Result<()> {
        let mut object = mutant(spec, &judged.mutant);
        let (details, trace) = verdict(&judged.verdict);
        if let (Value::Object(object), Value::Object(details)) = (&mut object, details) {
            object.extend(details);
        }
        self.console.line(Stream::Out, &with_trace(object, trace))
    }
}

fn mutant(spec: &Spec, mutant: &Mutant) -> Value {
    json!({
        "kind": "mutant",
        "number": mutant.number,
        "class": mutant.class.name(),
        "place": json_place(spec, mutant.span),
        "original": mutant.original,
        "mutated": mutant.mutated,
    })
}

fn verdict(verdict: &Verdict) -> (Value, Option<&trace::Trace>) {
    match verdict {
        Verdict::Caught { property, trace } => {
            let (kind, n_steps) = (property_kind(property.kind), n_steps(trace.as_deref()));
            let told = json!({
                "verdict": "caught", "property": property.name, "property_kind": kind, "steps": n_steps,
            });
            (told, None)
        }
        Verdict::Failed(error) => (json!({ "verdict": "error", "reason": reason(error) }), None),
        Verdict::Survived(Survival::Differs(difference)) => {
            let direction = difference.as_ref().map(|difference| match difference.direction {
                Direction::More => "more",
                Direction::Less => "less",
            });
            let is_all = difference.as_ref().is_some_and(|difference| difference.is_all);
            let trace = difference.as_ref().and_then(|difference| difference.trace.as_deref());
            (json!({ "verdict": "missed", "direction": direction, "is_all": is_all }), trace)
        }
        Verdict::Survived(Survival::Same) => (json!({ "verdict": "same" }), None),
        Verdict::Survived(Survival::Unknown(doubt)) => {
            let doubt = match doubt {
                Doubt::NotMet => "not-met",
                Doubt::NotCompared => "not-compared",
            };
            (json!({ "verdict": "unknown", "reason": doubt }), None)
        }
        Verdict::Undecided(why) => (json!({ "verdict": "undecided", "reason": name_reason(*why) }), None),
        Verdict::Invalid(diagnostics) => {
            let headline = diagnostics.iter().next().map(|diagnostic| diagnostic.headline.clone());
            (json!({ "verdict": "invalid", "reason": headline }), None)
        }
    }
}

fn name_reason(why: Why) -> &'static str {
    match why {
        Why::Limit(Limit::States(_)) => "states",
        Why::Limit(Limit::Memory) => "memory",
        Why::Limit(Limit::Depth(_)) => "depth",
        Why::Limit(Limit::Time) | Why::NoTime => "time",
        Why::Interrupted => "interrupted",
        Why::Machine => "machine",
    }
}

fn base(base: &Base) -> Value {
    match base {
        Base::Exhaustive(found) => json!({ "method": "exhaustive", "counts": counts(*found) }),
        Base::Simulated { n_walks, depth, seed, n_states, n_first } => json!({
            "method": "simulation", "walks": n_walks, "depth": depth, "seed": seed, "states": n_states,
            "first_states": n_first,
        }),
    }
}

fn property(spec: &Spec, tallied: &Tallied) -> Value {
    json!({
        "kind": "property",
        "name": tallied.property.name,
        "property_kind": property_kind(tallied.property.kind),
        "place": tallied.property.span.map(|span| json_place(spec, span)),
        "caught_first": tallied.n_caught,
        "is_constant": tallied.is_constant,
        "fails_somewhere": tallied.fails_somewhere,
        "implied_by": tallied.implied_by,
    })
}

fn idle(spec: &Spec, part: &IdlePart) -> Value {
    let what = match part.kind {
        IdleKind::Antecedent => "antecedent",
        IdleKind::EmptySet => "empty-set",
    };
    json!({
        "kind": "idle", "property": part.property, "place": json_place(spec, part.span), "what": what,
    })
}

fn summary(report: &Report) -> Value {
    json!({
        "kind": "audit",
        "base": base(&report.base),
        "mutants": report.judged.len(),
        "caught": report.n_caught(),
        "missed": report.n_missed(),
        "lesser": report.n_lesser(),
        "error": report.n_failed(),
        "same": report.n_same(),
        "unknown": report.n_unknown(),
        "undecided": report.n_undecided(),
        "invalid": report.n_invalid(),
        "score": report.score(),
        "unwatched": report.unwatched,
        "is_interrupted": report.is_interrupted,
    })
}

impl Writer for JsonWriter<'_> {
    fn diagnostics(&self, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()> {
        let line = |diagnostic| self.console.line(Stream::Out, &render::json(&spec.sources, diagnostic));
        diagnostics.iter().try_for_each(line)
    }

    fn list(&self, spec: &Spec, mutants: &[Mutant]) -> io::Result<()> {
        mutants.iter().try_for_each(|listed| self.line(&mutant(spec, listed)))
    }

    fn report(&self, spec: &Spec, report: &Report) -> io::Result<()> {
        for warning in &report.warnings {
            self.console.line(Stream::Out, &render::json(&spec.sources, warning))?;
        }
        report.judged.iter().try_for_each(|judged| self.write_judged(spec, judged))?;
        report.properties.iter().try_for_each(|tallied| self.line(&property(spec, tallied)))?;
        report.idle.iter().try_for_each(|part| self.line(&idle(spec, part)))?;
        for action in &report.never_enabled {
            let place = json_place(spec, action.span);
            self.line(&json!({ "kind": "never-possible", "action": action.step_name, "place": place }))?;
        }
        self.line(&summary(report))
    }

    fn tell_refusal(&self, _spec: &Spec, outcome: &Outcome) -> io::Result<()> {
        let reason = crate::check::text::short(outcome);
        let object = json!({ "kind": "refused", "reason": reason });
        self.console.line(Stream::Out, &with_trace(object, setup::trace_of(outcome)))
    }

    fn finish(&self) -> io::Result<()> {
        self.output.finish()
    }
}

impl Observer for JsonWriter<'_> {
    fn event(&self, event: Event<'_>) {
        if let Event::Base { base: explored, n_mutants } = event {
            let line = json!({ "kind": "base", "base": base(explored), "mutants": n_mutants });
            self.output.keep(self.line(&line));
        }
    }
}
