//! Compares two traces: how far they are the same, and what differs after that.

use super::change;
use super::finding::headline;
use super::page::{Ink, Line, Page, Style, count};
use super::step::step_line;
use crate::{Ending, State, Trace, diff_states};

/// Describes the first difference of two traces; `None` if they are the same behaviour with the same finding. Steps are
/// the same if action and parameters are: places and the traces' descriptions of themselves are ignored.
pub fn compare(left: &Trace, right: &Trace, style: Style) -> Option<String> {
    let mut page = Page::new(style);
    let Some(right) = &reorder(right, &left.variables) else {
        page.line(Line::new().put(Ink::Headline, "the traces are not of the same variables"));
        page.line(Line::new().put(Ink::Old, "- ").quote(Ink::Old, &left.variables.join(", ")));
        page.line(Line::new().put(Ink::New, "+ ").quote(Ink::New, &right.variables.join(", ")));
        return Some(page.finish());
    };
    let n_same = n_same(left, right);
    match (left.states.get(n_same), right.states.get(n_same)) {
        (Some(left_state), Some(right_state)) => {
            page.line(Line::new().put(Ink::Headline, describe_parting(n_same)));
            write_parting(&mut page, left, n_same, (left_state, right_state));
        }
        (None, None) => {}
        (Some(_), None) => write_longer(&mut page, Ink::Old, "first", left.states.len(), n_same),
        (None, Some(_)) => write_longer(&mut page, Ink::New, "second", right.states.len(), n_same),
    }
    write_findings(&mut page, left, right);
    let text = page.finish();
    (!text.is_empty()).then_some(text)
}

/// Returns how many states are the same from the first on.
pub(crate) fn n_same(left: &Trace, right: &Trace) -> usize {
    left.states.iter().zip(&right.states).take_while(|(left, right)| is_same(left, right)).count()
}

/// Returns `trace` with its variables in this order; `None` if it has others.
pub(crate) fn reorder(trace: &Trace, variables: &[String]) -> Option<Trace> {
    let position = |name: &String| trace.variables.iter().position(|variable| variable == name);
    let order: Vec<usize> = variables.iter().map(position).collect::<Option<_>>()?;
    if order.len() != trace.variables.len() {
        return None;
    }
    let mut ordered = trace.clone();
    ordered.variables = variables.to_vec();
    for (state, given) in ordered.states.iter_mut().zip(&trace.states) {
        state.values = order.iter().map(|&index| given.values.get(index).cloned().flatten()).collect();
    }
    Some(ordered)
}

fn describe_parting(n_same: usize) -> String {
    match n_same {
        0 => "the traces differ from their first state on".to_owned(),
        _ => format!("the traces are the same up to state {n_same} and differ from state {} on", n_same + 1),
    }
}

fn is_same(left: &State, right: &State) -> bool {
    left.values == right.values && is_same_step(left, right)
}

/// Whether two steps are the same. A step that a trace does not give equals any other.
fn is_same_step(left: &State, right: &State) -> bool {
    match (&left.step, &right.step) {
        (Some(left), Some(right)) => left.name == right.name && left.parameters == right.parameters,
        (None, Some(_)) | (Some(_) | None, None) => true,
    }
}

fn write_parting(page: &mut Page, trace: &Trace, index: usize, (left, right): (&State, &State)) {
    page.gap();
    let head = || Line::new().put(Ink::Plain, format!("State {}: ", index + 1));
    if !is_same_step(left, right) {
        for (ink, sign, state) in [(Ink::Old, "- ", left), (Ink::New, "+ ", right)] {
            if let Some(step) = &state.step {
                page.line(step_line(Line::new().put(ink, sign).join(head()), step));
            }
        }
    } else if let Some(step) = left.step.as_ref().or(right.step.as_ref()) {
        page.line(step_line(head(), step));
    } else {
        page.line(head());
    }
    write_changes(page, &trace.variables, (left, right));
}

fn write_changes(page: &mut Page, variables: &[String], (left, right): (&State, &State)) {
    for variable in &diff_states(left, right) {
        let name = variables.get(variable.variable).map_or("?", String::as_str);
        for one in &variable.changes {
            change::write(page, 4, name, one);
        }
    }
}

/// Describes what turns `left` into `right`, a line for each change, under the step that leads to `right`.
pub fn state_changes(variables: &[String], left: &State, right: &State, style: Style) -> String {
    let mut page = Page::new(style);
    if let Some(step) = &right.step {
        page.line(step_line(Line::new().put(Ink::Plain, "  "), step));
    }
    write_changes(&mut page, variables, (left, right));
    page.finish()
}

fn write_longer(page: &mut Page, ink: Ink, which: &str, n_states: usize, n_same: usize) {
    let more = count(n_states - n_same, "more state");
    let text = format!("the traces are the same up to state {n_same}; the {which} has {more}");
    page.line(Line::new().put(ink, text));
}

fn write_findings(page: &mut Page, left: &Trace, right: &Trace) {
    if left.finding != right.finding {
        page.line(Line::new().put(Ink::Old, format!("- {}", headline(&left.finding))));
        page.line(Line::new().put(Ink::New, format!("+ {}", headline(&right.finding))));
    }
    if n_back(&left.ending) != n_back(&right.ending) {
        page.line(Line::new().put(Ink::Old, format!("- {}", ending(left))));
        page.line(Line::new().put(Ink::New, format!("+ {}", ending(right))));
    }
}

/// Returns a value that is equal for two endings with the same meaning.
pub(crate) fn n_back(ending: &Ending) -> Option<Option<usize>> {
    match ending {
        Ending::Stop => None,
        Ending::Stuttering => Some(None),
        Ending::Loop { to, .. } => Some(Some(*to)),
    }
}

pub(crate) fn ending(trace: &Trace) -> String {
    match trace.ending {
        Ending::Stop => "then it stops".to_owned(),
        Ending::Stuttering => "then nothing happens any more".to_owned(),
        Ending::Loop { to, .. } => format!("then back to state {}", to + 1),
    }
}
