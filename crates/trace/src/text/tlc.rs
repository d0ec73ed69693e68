//! The listing that TLC prints: every state with all its variables (contract 2.4, 4.8).

use std::fmt::Write;

use super::finding::tlc_errors;
use super::page::printable;
use super::step::tlc_step;
use crate::{Ending, State, Trace};

/// TLC breaks values that are wider than this.
const WIDTH: usize = 80;

/// The trace as TLC would print it, without what TLC prints around it.
///
/// Control characters in strings are shown as pictures, and names with `_` do not keep a value from being broken.
pub fn tlc(trace: &Trace) -> String {
    let mut out = String::new();
    let errors = tlc_errors(trace);
    for error in &errors {
        let lines: Vec<String> = error.split('\n').map(printable).collect();
        writeln!(out, "Error: {}", lines.join("\n")).expect("a string takes all");
    }
    // One error that has no behaviour has the state itself.
    if let ([_], [state]) = (errors.as_slice(), trace.states.as_slice()) {
        push_state(&mut out, trace, state);
        out.push('\n');
        return out;
    }
    for (index, state) in trace.states.iter().enumerate() {
        writeln!(out, "State {}: {}", index + 1, header(index, state)).expect("a string takes all");
        push_state(&mut out, trace, state);
        out.push('\n');
    }
    push_ending(&mut out, trace);
    out
}

fn header(index: usize, state: &State) -> String {
    match &state.step {
        Some(step) => tlc_step(step),
        None if index == 0 => "<Initial predicate>".to_owned(),
        None => "<Action>".to_owned(),
    }
}

fn push_state(out: &mut String, trace: &Trace, state: &State) {
    let bullet = if trace.variables.len() == 1 { "" } else { "/\\ " };
    for (name, value) in trace.variables.iter().zip(&state.values) {
        // TLC: the width is that of the value alone, and its lines are not moved to the right.
        let value = value.as_ref().map_or_else(|| "null".to_owned(), |value| value.to_lines(WIDTH, 0));
        writeln!(out, "{bullet}{} = {value}", printable(name)).expect("a string takes all");
    }
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
