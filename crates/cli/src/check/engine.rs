//! `--engine-report`: how actions and formulas were evaluated, as lines for people.

use std::time::Duration;

use check::{ActionEngine, EngineReport, PartEngine};
use diag::Span;
use sema::Spec;

use setup::words::grouped;

/// The most places that are listed for one action or formula.
const PLACES_MAX: usize = 8;

/// Runs of this length get a note about the action that holds them back.
const NOTE_MIN: Duration = Duration::from_secs(60);

/// Returns the lines of the report.
pub fn lines(spec: &Spec, report: &EngineReport) -> Vec<String> {
    let mut lines = vec![headline(report).to_owned()];
    let mut actions: Vec<&ActionEngine> = report.actions.iter().collect();
    actions.sort_by_key(|action| std::cmp::Reverse(action.time()));
    for action in actions {
        lines.push(action_line(spec, action));
        lines.extend(part_lines(spec, &action.part));
    }
    for formula in &report.formulas {
        lines.push(format!("formula at {}", place(spec, formula.span)));
        lines.extend(part_lines(spec, formula));
    }
    lines
}

/// Returns a note about the action that a long run spent much of its time on without compiled code.
pub fn note(report: &EngineReport, elapsed: Duration) -> Option<String> {
    let slowest = report.slowest_interpreted().filter(|_| elapsed >= NOTE_MIN)?;
    Some(format!(
        "`{}` took about {} without compiled code; --engine-report says why.",
        slowest.name,
        seconds(slowest.interpreted_time)
    ))
}

fn headline(report: &EngineReport) -> &'static str {
    match report.has_code {
        true => "Engine: how actions were evaluated, the slowest first. Times are estimates from a sample.",
        false => "Engine: everything was interpreted; there were too few states for compiled code to pay.",
    }
}

fn action_line(spec: &Spec, action: &ActionEngine) -> String {
    let mut line = format!("{} at {}", action.name, place(spec, action.span));
    if action.n_instances > 1 {
        line += &format!(", {} instances", action.n_instances);
    }
    if action.n_instructions > 0 {
        line += &format!(", {} instructions", grouped(action.n_instructions as u64));
    }
    line += &format!(": {} runs of code ({})", grouped(action.n_runs), seconds(action.code_time));
    if action.n_given_up > 0 {
        line += &format!(", which gave up {} times", grouped(action.n_given_up));
        if let Some(at) = action.gave_up_at {
            line += &format!(", last at {}", place(spec, at));
        }
    }
    line + &format!(", {} interpreted ({})", grouped(action.n_interpreted), seconds(action.interpreted_time))
}

fn part_lines(spec: &Spec, part: &PartEngine) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((why, at)) = part.refusal {
        let at = at.map(|at| format!(", at {}", place(spec, at))).unwrap_or_default();
        lines.push(format!("  not compiled: {why}{at}"));
    }
    for &at in part.interpreted.iter().take(PLACES_MAX) {
        lines.push(format!("  left to the interpreter: {}", place(spec, at)));
    }
    if part.interpreted.len() > PLACES_MAX {
        lines.push(format!("  and {} more places", part.interpreted.len() - PLACES_MAX));
    }
    lines
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

fn place(spec: &Spec, span: Span) -> String {
    let place = model::place(spec, span);
    format!("{}:{}:{}", place.file, place.start.line, place.start.column)
}
