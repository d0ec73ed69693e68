//! Describes findings, in our words and in TLC's.

use super::page::printable;
use crate::{Finding, Trace};

/// Describes `finding` in one line: lower case, no full stop.
pub fn headline(finding: &Finding) -> String {
    let quote = |name: &str| format!("`{}`", printable(name));
    match finding {
        Finding::Invariant { name } => format!("invariant {} is violated", quote(name)),
        Finding::ActionProperty { name } => format!("action property {} is violated", quote(name)),
        Finding::InitialProperty { name } => {
            format!("property {} is violated by an initial state", quote(name))
        }
        Finding::TemporalProperty { names } => match names.as_slice() {
            [] => "a temporal property is violated".to_owned(),
            [name] => format!("temporal property {} is violated", quote(name)),
            names => {
                let names: Vec<String> = names.iter().map(|name| quote(name)).collect();
                format!("temporal properties {} are violated", names.join(", "))
            }
        },
        Finding::Deadlock => "deadlock".to_owned(),
        Finding::Assertion { message } => format!("assertion failed: {}", first_line(message)),
        Finding::EvaluationError { code: Some(code), message } => {
            format!("error[{}]: {}", printable(code), first_line(message))
        }
        Finding::EvaluationError { code: None, message } => format!("error: {}", first_line(message)),
        Finding::Postcondition { name } => format!("postcondition {} is violated", quote(name)),
        Finding::Example { description } => format!("example: {}", first_line(description)),
        Finding::Unstated => "a behaviour".to_owned(),
    }
}

/// Returns the lines of the finding's own text that do not fit into the headline.
pub(super) fn more_lines(finding: &Finding) -> String {
    let text = match finding {
        Finding::Assertion { message } | Finding::EvaluationError { message, .. } => message,
        Finding::Example { description } => description,
        Finding::Invariant { .. } | Finding::ActionProperty { .. } | Finding::InitialProperty { .. } => {
            return String::new();
        }
        Finding::TemporalProperty { .. } | Finding::Postcondition { .. } => return String::new(),
        Finding::Deadlock | Finding::Unstated => return String::new(),
    };
    text.lines().skip(1).collect::<Vec<_>>().join("\n")
}

fn first_line(text: &str) -> String {
    printable(text.lines().next().unwrap_or_default())
}

/// Returns what TLC prints before the states, each paragraph an error of its own.
///
/// TLC: a violation in the initial state has the state in its message, and no behaviour (contract 4.8).
pub(super) fn tlc_errors(trace: &Trace) -> Vec<String> {
    const BEHAVIOUR: &str = "The behavior up to this point is:";
    let is_initial = trace.states.len() == 1;
    let alone = |text: String| vec![text];
    let then = |text: &str, next: &str| vec![text.to_owned(), next.to_owned()];
    match &trace.finding {
        Finding::Invariant { name } if is_initial => {
            alone(format!("Invariant {name} is violated by the initial state:"))
        }
        Finding::Invariant { name } => then(&format!("Invariant {name} is violated."), BEHAVIOUR),
        Finding::ActionProperty { name } => then(&format!("Action property {name} is violated."), BEHAVIOUR),
        Finding::InitialProperty { name } => {
            alone(format!("Property {name} is violated by the initial state:"))
        }
        Finding::TemporalProperty { names } => {
            then(&tlc_temporal(names), "The following behavior constitutes a counter-example:\n")
        }
        Finding::Deadlock => then("Deadlock reached.", BEHAVIOUR),
        Finding::Assertion { message } => then(
            &format!("The first argument of Assert evaluated to FALSE; the second argument was:\n{message}"),
            BEHAVIOUR,
        ),
        Finding::EvaluationError { message, .. } => then(message, BEHAVIOUR),
        Finding::Postcondition { name } => then(&format!("Postcondition {name} is false."), BEHAVIOUR),
        Finding::Example { .. } | Finding::Unstated => Vec::new(),
    }
}

fn tlc_temporal(names: &[String]) -> String {
    match names {
        [] => "Temporal properties were violated.\n".to_owned(),
        [name] => format!("Temporal property {name} was violated.\n"),
        [first, second] => format!("Temporal properties {first} and {second} were violated.\n"),
        [names @ .., last] => {
            format!("Temporal properties {}, and {last} were violated.\n", names.join(", "))
        }
    }
}
