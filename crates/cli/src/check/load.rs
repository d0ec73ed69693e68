//! `specline check --load`: a trace that was kept, run again.

use std::io;
use std::path::Path;

use diag::{Code, Diagnostic, render};
use retrace::{BadState, BreakKind, Cut, Near, Retraced};
use serde_json::{Value, json};
use setup::ending_of;
use trace::given::Given;
use trace::{Finding, Trace};

use super::json::{verdict, with_trace};
use super::text::{Teller, short};
use crate::args::CheckFormatArg;
use crate::check::args::CheckJob;
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};
use crate::kept::Keeper;
use crate::replayed::{self, Again, Request};

/// Runs a trace again and reports the result.
pub fn run(job: &CheckJob, path: &Path, keeper: &Keeper<'_>, console: &Console) -> Result<Ending, Stop> {
    let Some(file) = crate::trace::file(path, console)? else { return Ok(Ending::Unreadable) };
    let deadlock = job.args.deadlock.wish();
    let request = Request {
        model: &job.model,
        path,
        file: &file,
        world: &job.world,
        deadlock,
        expressions: &job.args.kept.trace_expr,
        format: job.args.format,
        seed: job.args.seed,
    };
    let again = replayed::replay(&request, console)?;
    match job.args.format {
        CheckFormatArg::Text => tell(&request, &again, console)?,
        CheckFormatArg::Json => tell_json(&request, &again, console)?,
    }
    keeper.keep_trace(&again.retraced.trace, console)?;
    Ok(ending_of_trace(&again.retraced))
}

/// Returns the ending. A violation on the way is one of every behaviour that begins so; without a violation, the whole
/// trace must be a behaviour.
fn ending_of_trace(retraced: &Retraced) -> Ending {
    match (retraced.cut, retraced.findings.first()) {
        _ if retraced.broken.is_some() => Ending::NoBehaviour,
        (Some(Cut::Behaviour), None) => Ending::Limit,
        (_, Some(found)) => ending_of(&found.outcome),
        _ if retraced.unfair.is_some() => Ending::NoBehaviour,
        (Some(Cut::Findings), None) => Ending::Limit,
        (None, None) => Ending::Ok,
    }
}

fn tell(request: &Request<'_>, again: &Again, console: &Console) -> io::Result<()> {
    let (retraced, path) = (&again.retraced, request.path.display());
    for note in notes(request, retraced) {
        console.line(Stream::Out, &format!("Note: {note}."))?;
    }
    if retraced.broken.is_some() {
        return replayed::tell_break(request, again, console);
    }
    if let Some(Cut::Behaviour) = retraced.cut {
        return console.line(Stream::Out, &describe_cut(request, Cut::Behaviour));
    }
    let unfair = unfair(request, retraced);
    if let Some(unfair) = unfair.as_ref().filter(|_| retraced.findings.is_empty()) {
        return console.draw(Stream::Out, &again.spec.sources, unfair);
    }
    let teller = Teller { console, width: trace::Style::default().width };
    match retraced.findings.first() {
        Some(found) => teller.finding(&again.spec, &found.outcome)?,
        None => teller.trace(&retraced.trace)?,
    }
    let n_states = render::count(retraced.trace.states.len(), "state");
    let line = match unfair {
        Some(_) => {
            format!("`{path}` is a behaviour of the specification up to there; its cycle is not fair.")
        }
        None => format!("`{path}` is a behaviour of the specification ({n_states})."),
    };
    console.line(Stream::Out, &line)?;
    if let Some(cut) = retraced.cut {
        return console.line(Stream::Out, &describe_cut(request, cut));
    }
    for line in conclusions(request, retraced) {
        console.line(Stream::Out, &line)?;
    }
    Ok(())
}

/// Says that a trace can mean too many behaviours to judge them all.
fn describe_cut(request: &Request<'_>, cut: Cut) -> String {
    let path = request.path.display();
    let what = match cut {
        Cut::Behaviour => format!("whether `{path}` is a behaviour of the specification"),
        Cut::Findings => "whether something is wrong with it".to_owned(),
    };
    format!("It is not known {what}: it can mean more behaviours than were looked at.")
}

/// Returns a warning if a behaviour without end lacks the fairness of the specification.
fn unfair(request: &Request<'_>, retraced: &Retraced) -> Option<Diagnostic> {
    let place = retraced.unfair?;
    let headline =
        format!("`{}` is no behaviour of the specification: it is not fair", request.path.display());
    Some(Diagnostic::new(Code::TraceNoBehaviour, place, headline).label("this does not hold of it"))
}

/// Returns remarks on parts of a trace that were ignored, or that a search treats differently.
fn notes(request: &Request<'_>, retraced: &Retraced) -> Vec<String> {
    let list = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let mut notes = Vec::new();
    if !retraced.open.is_empty() {
        notes.push(format!("the trace does not have {}: any value will do", list(&retraced.open)));
    }
    if !retraced.unknown.is_empty() {
        notes.push(format!("the specification does not have {}: not looked at", list(&retraced.unknown)));
    }
    notes.extend(find_renamed(request, retraced));
    if let Some((state, name)) = &retraced.outside {
        let state = state + 1;
        notes.push(format!("state {state} is outside of `{name}`: a search does not go on from there"));
    }
    notes
}

/// The first step that the specification calls by another name than the trace.
fn find_renamed(request: &Request<'_>, retraced: &Retraced) -> Option<String> {
    let given = Given::from(request.file);
    let mut states = given.states.iter().zip(&retraced.trace.states).enumerate();
    states.find_map(|(index, (given, state))| {
        let (theirs, ours) = (&given.step.as_ref()?.name, &state.step.as_ref()?.name);
        let state = index + 1;
        (theirs != ours)
            .then(|| format!("the trace calls the step to state {state} `{theirs}`, it is a `{ours}`"))
    })
}

/// Says whether the trace still shows the violation that it was kept for.
fn conclusions(request: &Request<'_>, retraced: &Retraced) -> Vec<String> {
    let wanted = setup::finding_of(request.file);
    let mut lines = Vec::new();
    for (at, found) in retraced.findings.iter().enumerate() {
        let word = if at == 0 && retraced.is_still { "Still wrong" } else { "Wrong" };
        lines.push(format!("{word}, in state {}: {}.", found.state + 1, short(&found.outcome)));
    }
    match wanted {
        Some(wanted) if !retraced.is_still && is_violation(wanted) => {
            lines.push(format!(
                "It does not show any more what it was kept for: {}.",
                trace::headline(wanted)
            ));
        }
        Some(_) | None if retraced.findings.is_empty() => lines.push("Nothing is wrong with it.".to_owned()),
        Some(_) | None => {}
    }
    lines
}

/// Whether a trace that says this of itself was kept for what is wrong in it.
fn is_violation(finding: &Finding) -> bool {
    match finding {
        Finding::Invariant { .. }
        | Finding::ActionProperty { .. }
        | Finding::InitialProperty { .. }
        | Finding::TemporalProperty { .. }
        | Finding::Deadlock
        | Finding::Assertion { .. }
        | Finding::EvaluationError { .. } => true,
        Finding::Postcondition { .. } | Finding::Example { .. } | Finding::Unstated => false,
    }
}

fn tell_json(request: &Request<'_>, again: &Again, console: &Console) -> io::Result<()> {
    let (retraced, spec) = (&again.retraced, &again.spec);
    let line = |value: &Value| console.line(Stream::Out, &value.to_string());
    let diagnostic =
        |diagnostic: &Diagnostic| console.line(Stream::Out, &render::json(&spec.sources, diagnostic));
    line(&json!({
        "kind": "replay",
        "file": request.path.display().to_string(),
        "behaviour": match retraced.cut {
            Some(Cut::Behaviour) => Value::Null,
            Some(Cut::Findings) | None => json!(retraced.broken.is_none() && retraced.unfair.is_none()),
        },
        "states": retraced.trace.states.len(),
        "still": retraced.is_still,
        "findings": retraced.findings.iter().map(found_json).collect::<Vec<_>>(),
        "break": retraced.broken.as_ref().map(|broken| break_json(broken, &retraced.trace)),
        "open": retraced.open,
        "unknown": retraced.unknown,
        "outside": retraced.outside.as_ref().map(|(state, name)| json!({ "state": state + 1, "constraint": name })),
    }))?;
    let (word, details) = if let Some(broken) = &retraced.broken {
        diagnostic(&replayed::break_diagnostic(request, broken))?;
        ("no-behaviour", json!({ "code": Code::TraceNoBehaviour.id() }))
    } else if let Some(found) = retraced.findings.first() {
        if let Some(told) = super::json::finding_diagnostic(&found.outcome) {
            diagnostic(told)?;
        }
        verdict(&found.outcome)
    } else if retraced.cut.is_some() {
        ("limit", json!({ "limit": "behaviours" }))
    } else if let Some(unfair) = unfair(request, retraced) {
        diagnostic(&unfair)?;
        ("no-behaviour", json!({ "code": unfair.code.id() }))
    } else {
        ("holds", json!({}))
    };
    let mut object = json!({ "kind": "answer", "verdict": word });
    if let (Value::Object(object), Value::Object(details)) = (&mut object, details) {
        object.extend(details);
    }
    console.line(Stream::Out, &with_trace(object, Some(&retraced.trace)))
}

fn found_json(found: &BadState) -> Value {
    let (word, details) = verdict(&found.outcome);
    let mut object = json!({ "state": found.state + 1, "verdict": word, "headline": short(&found.outcome) });
    if let (Value::Object(object), Value::Object(mut details)) = (&mut object, details) {
        details.remove("trace");
        object.extend(details);
    }
    object
}

fn break_json(broken: &retrace::Break, trace: &Trace) -> Value {
    let kind = match broken.kind {
        BreakKind::Initial => "initial",
        BreakKind::Step => "step",
        BreakKind::Back => "back",
    };
    let near = |near: &Near| {
        let named = |index: &usize| trace.variables.get(*index).cloned().unwrap_or_default();
        let text =
            |value: Option<&Option<trace::Datum>>| value.and_then(Option::as_ref).map(ToString::to_string);
        let differs = near.differs.iter().map(|index| {
            json!({
                "variable": named(index),
                "trace": text(broken.wanted.values.get(*index)),
                "specification": text(near.state.values.get(*index)),
            })
        });
        json!({
            "step": near.state.step.as_ref().map(trace::step_text),
            "differs": differs.collect::<Vec<_>>(),
        })
    };
    json!({
        "state": broken.state + 1,
        "kind": kind,
        "action": broken.action,
        "action_known": broken.is_action_known,
        "conjunct": broken.conjunct.as_ref().map(|(_, failure)| failure.text.clone()),
        "possible": broken.n_possible,
        "nearest": broken.nearest.iter().map(near).collect::<Vec<_>>(),
    })
}
