//! The trace as a story: each step with its action, its parameters and its changes; then the failure and its reason.

use super::change;
use super::finding::{headline, more_lines};
use super::page::{Ink, Line, Page, Style, count, printable};
use super::step::{place_text, step_line};
use crate::{Binding, Ending, Failure, State, Step, Trace, diff_states};

/// The indent of a state's values.
const INDENT: usize = 4;

/// The most calls that are shown at either end of a longer path.
const CALLS_SHOWN_MAX: usize = 8;

/// Tells the trace for a person who wants to know what happened.
pub fn story(trace: &Trace, style: Style) -> String {
    debug_assert!(trace.is_whole(), "a trace has every variable in every state");
    let mut page = Page::new(style);
    write_head(&mut page, trace);
    for (index, state) in trace.states.iter().enumerate() {
        page.gap();
        let before = index.checked_sub(1).and_then(|before| trace.states.get(before));
        write_state(&mut page, trace, (index, state), before);
    }
    write_ending(&mut page, trace);
    if let Some(failure) = &trace.failure {
        page.gap();
        write_failure(&mut page, failure);
    }
    page.finish()
}

fn write_head(page: &mut Page, trace: &Trace) {
    page.line(Line::new().put(Ink::Headline, headline(&trace.finding)));
    page.paragraph(Ink::Plain, INDENT, &more_lines(&trace.finding));
    let about = &trace.about;
    let origin = [&about.spec, &about.config, &about.tool];
    let mut facts: Vec<String> = origin.into_iter().flatten().map(|fact| printable(fact)).collect();
    facts.push(count(trace.states.len(), "state"));
    page.line(Line::new().put(Ink::Faint, facts.join(", ")));
    for (name, text) in &about.notes {
        page.line(Line::new().put(Ink::Faint, format!("{}: {}", printable(name), printable(text))));
    }
    if page.style.full {
        for constant in &trace.constants {
            write_binding(page, 0, constant, " = ");
        }
    }
}

/// Returns one state of a trace, by its index, with all of its values.
pub fn state_text(trace: &Trace, index: usize, style: Style) -> String {
    let mut page = Page::new(style);
    if let Some(state) = trace.states.get(index) {
        write_state(&mut page, trace, (index, state), None);
    }
    page.finish()
}

fn write_state(page: &mut Page, trace: &Trace, (index, state): (usize, &State), before: Option<&State>) {
    let line = Line::new().put(Ink::Plain, format!("State {}: ", index + 1));
    page.line(match &state.step {
        Some(step) => step_line(line, step),
        None if index == 0 => line.put(Ink::Action, "initial state"),
        None => line.put(Ink::Faint, "(unnamed step)"),
    });
    match before {
        Some(before) if page.style.full => write_all(page, trace, state, Some(before)),
        Some(before) => write_changes(page, trace, before, state),
        None => write_all(page, trace, state, None),
    }
}

fn write_changes(page: &mut Page, trace: &Trace, before: &State, state: &State) {
    let changed = diff_states(before, state);
    if changed.is_empty() {
        page.line(Line::new().put(Ink::Faint, format!("{}(nothing changed)", " ".repeat(INDENT))));
    }
    for variable in &changed {
        let name = trace.variables.get(variable.variable).map_or("?", String::as_str);
        for one in &variable.changes {
            change::write(page, INDENT, name, one);
        }
    }
}

/// Writes every variable; those that differ from the state before have a mark.
fn write_all(page: &mut Page, trace: &Trace, state: &State, before: Option<&State>) {
    for (index, (name, value)) in trace.variables.iter().zip(&state.values).enumerate() {
        let is_changed = before.is_some_and(|before| before.values.get(index) != Some(value));
        let mark = if is_changed { "* " } else { "" };
        let ink = if is_changed { Ink::New } else { Ink::Plain };
        let head = Line::new().put(ink, format!("{mark:>INDENT$}")).quote(Ink::Plain, name);
        match value {
            // `x = y = TRUE` would be read as one formula.
            Some(value) if trace.expressions.contains(name) => {
                page.value(head.put(Ink::Plain, " is "), ink, value);
            }
            Some(value) => page.value(head.put(Ink::Plain, " = "), ink, value),
            None => page.line(head.put(Ink::Faint, " has no value")),
        }
    }
}

fn write_ending(page: &mut Page, trace: &Trace) {
    match &trace.ending {
        Ending::Stop => {}
        Ending::Stuttering => {
            page.gap();
            page.line(Line::new().put(Ink::Plain, "Then nothing happens any more (stuttering)."));
        }
        Ending::Loop { to, step } => {
            page.gap();
            let line = Line::new().put(Ink::Plain, format!("Then back to state {}", to + 1));
            page.line(match step {
                Some(step) => step_line(line.put(Ink::Plain, ": "), step),
                None => line.put(Ink::Plain, "."),
            });
        }
    }
}

/// Describes a failure on its own.
pub fn failure_text(failure: &Failure, heading: &str, style: Style) -> String {
    let mut page = Page::new(style);
    write_failure_under(&mut page, failure, heading);
    page.finish()
}

fn write_failure(page: &mut Page, failure: &Failure) {
    write_failure_under(page, failure, "What failed");
}

fn write_failure_under(page: &mut Page, failure: &Failure, heading: &str) {
    let line = Line::new().put(Ink::Headline, heading);
    page.line(match &failure.place {
        Some(place) => line.put(Ink::Faint, format!("  {}", place_text(place))),
        None => line,
    });
    page.paragraph(Ink::Plain, INDENT, &failure.text);
    // It is already said that the whole is FALSE.
    let values: Vec<&Binding> =
        failure.values.iter().filter(|binding| binding.name != failure.text).collect();
    if !values.is_empty() {
        page.line(Line::new().put(Ink::Plain, "where"));
    }
    for binding in values {
        // `x <= 1 = FALSE` would be ambiguous.
        write_binding(page, INDENT, binding, " is ");
    }
    write_calls(page, &failure.calls);
}

fn write_calls(page: &mut Page, calls: &[Step]) {
    if !calls.is_empty() {
        page.line(Line::new().put(Ink::Plain, "reached by"));
    }
    let n_hidden = calls.len().saturating_sub(2 * CALLS_SHOWN_MAX);
    let hidden = CALLS_SHOWN_MAX..CALLS_SHOWN_MAX + n_hidden;
    let indent = " ".repeat(INDENT);
    for (index, call) in calls.iter().enumerate() {
        if !hidden.contains(&index) {
            page.line(step_line(Line::new().put(Ink::Plain, indent.as_str()), call));
        } else if index == hidden.start {
            let more = count(n_hidden, "more call");
            page.line(Line::new().put(Ink::Faint, format!("{indent}... {more}")));
        }
    }
}

fn write_binding(page: &mut Page, indent: usize, Binding { name, value }: &Binding, verb: &str) {
    let head = Line::new().put(Ink::Plain, " ".repeat(indent)).quote(Ink::Plain, name).put(Ink::Plain, verb);
    page.value(head, Ink::Plain, value);
}
