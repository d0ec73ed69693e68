//! Results of behaviours on real processes, in words.

use std::io;

use base::FxIndexSet;
use conform::{Confirmed, Divergence, Ending, Obstacle, Replayed, Row, visible};
use diag::{Code, Diagnostic, SourceMap, render};
use trace::{Datum, State, Style, Trace};

use super::load::Loaded;
use crate::console::{Console, Stream};
use crate::exit::Stop;

/// Number of the last steps, messages and lines that are shown.
const STEPS_SHOWN: usize = 5;
const LINES_SHOWN: usize = 20;
/// Of values longer than this, only the difference is shown.
const WIDTH: usize = 80;

/// The step that led to a state: `Deliver(i = n1, j = n2)`.
pub fn step_of(trace: &Trace, state: usize) -> String {
    let step = trace.states.get(state).and_then(|state| state.step.as_ref());
    step.map_or_else(|| "the initial state".to_owned(), trace::step_text)
}

/// Prints the end of one behaviour: its last steps and the difference.
pub fn tell_replay(
    (loaded, trace): (&Loaded, &Trace),
    replayed: &Replayed,
    console: &Console,
) -> io::Result<()> {
    let mut text = String::new();
    let state = replayed.rows.len().saturating_sub(1);
    match &replayed.ending {
        Ending::Agreed => {
            let steps = render::count(state, "step");
            text.push_str(&format!("agreed: the program does what the trace says, {steps}\n"));
        }
        Ending::Confirmed(confirmed) => confirmed_text(&mut text, (trace, replayed), confirmed),
        Ending::Diverged(divergence) => {
            let at = step_of(trace, state);
            text.push_str(&format!("diverged at step {state}, {at}: {}\n", divergence));
            differences(&mut text, divergence);
            context(&mut text, trace, &replayed.rows);
        }
        Ending::CouldNot(obstacle) => {
            let at = step_of(trace, state);
            text.push_str(&format!("could not, at step {state}, {at}: {}\n", obstacle));
            context(&mut text, trace, &replayed.rows);
        }
    }
    text.push_str(&uncontrolled_text_of(replayed));
    console.write(Stream::Out, &text)?;
    if let Ending::CouldNot(Obstacle::Undefined(diagnostic)) = &replayed.ending {
        console.draw(Stream::Out, &loaded.pair.mapped.spec.sources, diagnostic)?;
    }
    Ok(())
}

/// Returns a text about what the program did in one run without anybody seeing it, empty if there is nothing.
pub fn uncontrolled_text_of(replayed: &Replayed) -> String {
    let lines: FxIndexSet<&String> = replayed.uncontrolled().collect();
    if lines.is_empty() { String::new() } else { uncontrolled_text(lines.into_iter()) }
}

/// Lists the things that the program did without control, for which an answer does not hold.
pub fn uncontrolled_text<'l>(lines: impl Iterator<Item = &'l String>) -> String {
    let mut text = "\nNot under control\n".to_owned();
    lines.take(LINES_SHOWN).for_each(|line| text.push_str(&format!("    {}\n", visible(line))));
    text
}

fn confirmed_text(text: &mut String, (trace, replayed): (&Trace, &Replayed), confirmed: &Confirmed) {
    let steps = render::count(replayed.rows.len().saturating_sub(1), "step");
    let name = confirmed.property.name();
    text.push_str(&format!("confirmed: the program violates `{name}`, after {steps}\n"));
    if let Some(failure) = &confirmed.failure {
        text.push_str(&format!(
            "\n{}\n",
            trace::failure_text(failure, "What failed, in the program", Style::default())
        ));
    }
    text.push_str("\nThe program there\n");
    for (name, value) in replayed.rows.last().map_or(&[][..], |row| &row.real) {
        text.push_str(&format!("    {name} = {}\n", visible(&value.to_string())));
    }
    if !confirmed.history.is_empty() {
        let names = confirmed.history.join(", ");
        text.push_str(&format!("\n{names}: as the specification has it, since it alone keeps that.\n"));
    }
    text.push_str("\nWhat was done\n");
    for (state, row) in replayed.rows.iter().enumerate() {
        write_events(text, (trace, state), row);
    }
}

fn differences(text: &mut String, divergence: &Divergence) {
    match divergence {
        Divergence::Values(differences) => {
            text.push_str("\nSpecification -> program\n");
            for difference in differences {
                sides(text, &difference.variable, (&difference.spec, &difference.real));
            }
        }
        Divergence::Message { wanted, held: Some(held), .. } => {
            text.push_str("\nSpecification -> program\n");
            sides(text, "message", (wanted, held));
        }
        Divergence::Message { wanted, held: None, .. } => {
            text.push_str(&format!("\nThe specification has\n    {}\n", visible(&wanted.to_string())));
        }
        Divergence::Alarm { .. } => {}
    }
}

/// Writes where two values differ; short values are written in full.
fn sides(text: &mut String, name: &str, (spec, real): (&Datum, &Datum)) {
    let state = |value: &Datum| State { step: None, values: vec![Some(value.clone())] };
    let changes = trace::state_changes(&[name.to_owned()], &state(spec), &state(real), Style::default());
    text.push_str(&changes);
    let both = [spec.to_string(), real.to_string()];
    if both.iter().all(|side| side.len() <= WIDTH) {
        text.push_str(&format!("        specification  {}\n", visible(&both[0])));
        text.push_str(&format!("        program        {}\n", visible(&both[1])));
    }
}

/// Writes the last steps, the messages under way, and the output of the nodes since the last step.
fn context(text: &mut String, trace: &Trace, rows: &[Row]) {
    text.push_str("\nThe last steps\n");
    let first = rows.len().saturating_sub(STEPS_SHOWN);
    for (state, row) in rows.iter().enumerate().skip(first) {
        write_events(text, (trace, state), row);
    }
    let Some(last) = rows.last() else { return };
    let held = match last.held.is_empty() {
        true => rows.iter().rev().nth(1).map_or(&[][..], |row| &row.held),
        false => &last.held,
    };
    if !held.is_empty() {
        text.push_str("\nUnder way\n");
        held.iter().for_each(|line| text.push_str(&format!("    {}\n", visible(line))));
    }
    for (node, output) in &last.output {
        last_lines(text, &format!("{node} wrote"), &output.lines().collect::<Vec<_>>());
    }
    for (node, lines) in &last.log {
        last_lines(text, &format!("{node} added to its log"), lines);
    }
}

fn last_lines(text: &mut String, title: &str, lines: &[impl AsRef<str>]) {
    text.push_str(&format!("\n{title}\n"));
    let first = lines.len().saturating_sub(LINES_SHOWN);
    lines[first..].iter().for_each(|line| text.push_str(&format!("    {}\n", visible(line.as_ref()))));
}

fn write_events(text: &mut String, (trace, state): (&Trace, usize), row: &Row) {
    text.push_str(&format!("  {state:>3}  {}\n", step_of(trace, state)));
    for event in &row.events {
        text.push_str(&format!("         {}\n", visible(event)));
    }
}

/// The ending as a message with a code.
pub fn diagnostic(ending: &Ending) -> Option<Diagnostic> {
    let code = match ending {
        Ending::Agreed | Ending::Confirmed(_) => return None,
        Ending::Diverged(_) => Code::Diverged,
        Ending::CouldNot(_) => Code::ReplayImpossible,
    };
    let headline = match ending {
        Ending::CouldNot(_) => format!("the trace cannot be carried out: {}", ending.reason()),
        Ending::Agreed | Ending::Confirmed(_) | Ending::Diverged(_) => {
            format!("the program does something else than the specification: {}", ending.reason())
        }
    };
    Some(Diagnostic::without_place(code, headline))
}

/// Reports an error without a place, and returns the stop that ends the command.
pub fn fail(code: Code, headline: &str, console: &Console) -> Stop {
    console.refuse(&SourceMap::new(), &Diagnostic::without_place(code, headline))
}
