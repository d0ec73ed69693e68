//! A behaviour as a page for a browser: the specification and the program side by side, with who sent what to whom.

use conform::{Divergence, Ending, Obstacle, Replayed, Row};
use trace::diagram::Wishes;
use trace::{Finding, Program, ProgramDifference, ProgramRow, Trace, TracePage};

use super::{json, tell};

/// The page of a behaviour, as far as it was carried out.
pub fn html(
    (trace, replayed): (&Trace, &Replayed),
    wishes: &Wishes,
    facts: &[(&'static str, String)],
) -> String {
    let mut shown = trace.clone();
    shown.states.truncate(replayed.rows.len().max(1));
    match &replayed.ending {
        Ending::Confirmed(confirmed) => shown.failure = confirmed.failure.as_deref().cloned(),
        Ending::Agreed => {}
        // What the whole trace violates was not come to.
        Ending::Diverged(_) | Ending::CouldNot(_) => {
            (shown.finding, shown.failure) = (Finding::Unstated, None)
        }
    }
    let program = program(trace, replayed);
    trace::html(&TracePage { trace: &shown, wishes, program: Some(&program), facts })
}

fn program(trace: &Trace, replayed: &Replayed) -> Program {
    let state = replayed.rows.len().saturating_sub(1);
    let at = || format!("{}, step {state} (state {})", tell::step_of(trace, state), state + 1);
    let reason = replayed.ending.reason();
    let headline = match &replayed.ending {
        Ending::Agreed => "The program does what the trace says".to_owned(),
        Ending::Confirmed(_) => format!("Confirmed in the program: {reason}"),
        Ending::Diverged(_) => format!("The program diverges at {}", at()),
        Ending::CouldNot(_) => format!("The trace cannot be carried out beyond {}", at()),
    };
    let differences = match &replayed.ending {
        Ending::Agreed | Ending::Confirmed(_) => Vec::new(),
        Ending::Diverged(divergence) => differences(divergence),
        Ending::CouldNot(obstacle) => vec![line(what(obstacle), &reason)],
    };
    Program {
        verdict: json::verdict(&replayed.ending),
        headline,
        reason,
        rows: replayed.rows.iter().map(row).collect(),
        differences,
    }
}

fn row(row: &Row) -> ProgramRow {
    ProgramRow {
        events: row.events.clone(),
        real: row.real.clone(),
        is_compared: row.is_compared,
        held: row.held.clone(),
        output: row.output.clone(),
        log: row.log.clone(),
    }
}

fn differences(divergence: &Divergence) -> Vec<ProgramDifference> {
    match divergence {
        Divergence::Values(differences) => {
            let both = differences.iter().map(|difference| ProgramDifference {
                name: difference.variable.clone(),
                spec: Some(difference.spec.clone()),
                real: Some(difference.real.clone()),
                line: None,
            });
            both.collect()
        }
        Divergence::Message { from, to, wanted, held } => vec![ProgramDifference {
            name: format!("next message from {from} to {to}"),
            spec: Some(wanted.clone()),
            real: held.clone(),
            line: None,
        }],
        Divergence::Alarm { node, line: written } => vec![line(&format!("alarm: {node} wrote"), written)],
    }
}

fn line(name: &str, line: &str) -> ProgramDifference {
    ProgramDifference { name: name.to_owned(), spec: None, real: None, line: Some(line.to_owned()) }
}

/// Names the obstacle that kept a trace from being carried out.
fn what(obstacle: &Obstacle) -> &'static str {
    match obstacle {
        Obstacle::Died { .. } => "a node ended",
        Obstacle::Impossible { .. } => "an event is not possible",
        Obstacle::Unseen(_) | Obstacle::Undefined(_) => "something cannot be seen",
        Obstacle::Unconfirmed(_) => "not confirmed",
        Obstacle::Interrupted => "interrupted",
    }
}
