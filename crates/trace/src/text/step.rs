//! Writes actions with their parameters, and places.

use super::page::{Ink, Line, printable};
use crate::{Place, Step};

/// The widest value of a parameter; the rest is cut here and shown in the other forms.
const PARAMETER_CHARS_MAX: usize = 60;

/// Writes `Send(i = n1, j = n2)`, and the place of the action.
pub(super) fn step_line(line: Line, step: &Step) -> Line {
    let line = line.quote(Ink::Action, &step.name);
    let line = if step.parameters.is_empty() { line } else { line.put(Ink::Plain, parameters(step)) };
    match &step.place {
        Some(place) => line.put(Ink::Faint, format!("  {}", place_text(place))),
        None => line,
    }
}

/// Returns `Send(i = n1, j = n2)`.
pub fn step_text(step: &Step) -> String {
    let parameters = if step.parameters.is_empty() { String::new() } else { parameters(step) };
    format!("{}{parameters}", printable(&step.name))
}

fn parameters(step: &Step) -> String {
    let parameter = |(name, value): (&str, String)| format!("{} = {}", printable(name), cut(&value));
    let named = step.parameters.iter().map(|binding| (binding.name.as_str(), binding.value.to_string()));
    format!("({})", named.map(parameter).collect::<Vec<_>>().join(", "))
}

fn cut(value: &str) -> String {
    match value.char_indices().nth(PARAMETER_CHARS_MAX) {
        Some((at, _)) => format!("{}…", &value[..at]),
        None => value.to_owned(),
    }
}

/// Returns `Raft.tla:45:3`.
pub(super) fn place_text(place: &Place) -> String {
    format!("{}:{}:{}", printable(&place.file), place.start.line, place.start.column)
}

/// Returns `<Send(n1,n2) line 10, col 15 to line 14, col 137 of module A>`, as TLC writes it.
pub fn tlc_step(step: &Step) -> String {
    let values: Vec<String> = step.parameters.iter().map(|binding| binding.value.to_string()).collect();
    let values = if values.is_empty() { String::new() } else { format!("({})", values.join(",")) };
    let place = step.place.as_ref().map_or(String::new(), |place| format!(" {}", tlc_place(place)));
    format!("<{}{values}{place}>", printable(&step.name))
}

/// Returns a place as TLC writes it. TLC: the last column is that of the last character.
fn tlc_place(place: &Place) -> String {
    let Place { module, start, end, .. } = place;
    let last = end.column.saturating_sub(1).max(1);
    let module = printable(module);
    format!("line {}, col {} to line {}, col {last} of module {module}", start.line, start.column, end.line)
}
