//! The listing that TLC prints: every state with all its variables (contract 2.4, 4.8).

use std::fmt::Write;

use super::finding::tlc_errors;
use super::page::printable;
use super::step::tlc_step;
use crate::{Ending, State, Trace};

/// The widest value that TLC does not break.
const WIDTH: usize = 80;

/// Returns the trace as TLC would print it, without what TLC prints around it.
///
/// Control characters in strings are shown as pictures, and names with `_` do not prevent a value from being broken.
pub fn tlc(trace: &Trace) -> String {
    let mut out = String::new();
    let errors = tlc_errors(trace);
    for error in &errors {
        let lines: Vec<String> = error.split('\n').map(printable).collect();
        writeln!(out, "Error: {}", lines.join("\n")).expect("a string takes all");
    }
    // A single error without a behaviour has the state itself.
    if let ([_], [_]) = (errors.as_slice(), trace.states.as_slice()) {
        return out + &tlc_state(trace, 0, None) + "\n";
    }
    for index in 0..trace.states.len() {
        let (header, state) = (tlc_header(trace, index), tlc_state(trace, index, None));
        writeln!(out, "State {}: {header}\n{state}", index + 1).expect("a string takes all");
    }
    push_ending(&mut out, trace);
    out
}

/// Returns the step that led to a state: `<Send(n1) line 10, col 15 to line 14, col 137 of module A>`.
pub fn tlc_header(trace: &Trace, index: usize) -> String {
    match trace.states.get(index).and_then(|state| state.step.as_ref()) {
        Some(step) => tlc_step(step),
        None if index == 0 => "<Initial predicate>".to_owned(),
        None => "<Action>".to_owned(),
    }
}

/// Returns a state, with a line or more for each variable; with `before`, only for those whose value differs from that
/// state.
pub fn tlc_state(trace: &Trace, index: usize, before: Option<&State>) -> String {
    let mut out = String::new();
    let Some(state) = trace.states.get(index) else { return out };
    let bullet = if trace.variables.len() == 1 { "" } else { "/\\ " };
    for (at, (name, value)) in trace.variables.iter().zip(&state.values).enumerate() {
        if before.is_some_and(|before| before.values.get(at) == Some(value)) {
            continue;
        }
        // TLC: the width is that of the value alone, and its lines are not indented.
        let value = value.as_ref().map_or_else(|| "null".to_owned(), |value| value.to_lines(WIDTH, 0));
        writeln!(out, "{bullet}{} = {value}", printable(name)).expect("a string takes all");
    }
    out
}

fn push_ending(out: &mut String, trace: &Trace) {
    match &trace.ending {
        Ending::Stop => {}
        Ending::Stuttering => {
            writeln!(out, "State {}: Stuttering", trace.states.len() + 1).expect("a string takes all");
        }
        Ending::Loop { to, step } => {
            let step = step.as_ref().map_or(String::new(), |step| format!(": {}", tlc_step(step)));
            writeln!(out, "Back to state {}{step}\n", to + 1).expect("a string takes all");
        }
    }
}
