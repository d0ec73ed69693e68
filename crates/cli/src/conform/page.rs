//! A behaviour as a page for a browser: the specification and the program side by side, with who sent what to whom.

use conform::{Ending, Replayed, Row};
use trace::diagram::{Diagram, Wishes};
use trace::{Datum, State, Trace};

use super::tell;

/// What a variable is called where it is the program's.
fn in_program(name: &str) -> String {
    format!("{name}, in the program")
}

/// What happened on the stage for a step.
const EVENTS: &str = "on the stage";

/// The trace as far as it was carried out: each variable, what it was in the program, and what was done for the step.
pub fn side_by_side(trace: &Trace, replayed: &Replayed) -> Trace {
    let rows = &replayed.rows;
    let compared: Vec<&str> = rows
        .iter()
        .max_by_key(|row| row.real.len())
        .map_or_else(Vec::new, |row| row.real.iter().map(|(name, _)| name.as_str()).collect());
    let mut both = Trace { variables: Vec::new(), ..trace.clone() };
    for name in &trace.variables {
        both.variables.push(name.clone());
        if compared.contains(&name.as_str()) {
            both.variables.push(in_program(name));
            both.expressions.push(in_program(name));
        }
    }
    both.variables.push(EVENTS.to_owned());
    both.expressions.push(EVENTS.to_owned());
    both.states =
        trace.states.iter().zip(rows).map(|(state, row)| sides(trace, &compared, (state, row))).collect();
    both.finding = match &replayed.ending {
        Ending::Confirmed(_) => both.finding,
        Ending::Agreed | Ending::Diverged(_) | Ending::CouldNot(_) => {
            trace::Finding::Example { description: tell::reason(&replayed.ending) }
        }
    };
    if let Ending::Confirmed(confirmed) = &replayed.ending {
        both.failure = confirmed.failure.as_deref().cloned();
    }
    both
}

/// A state with the values of the program in it.
fn sides(trace: &Trace, compared: &[&str], (state, row): (&State, &Row)) -> State {
    let mut values = Vec::new();
    for (name, value) in trace.variables.iter().zip(&state.values) {
        values.push(value.clone());
        if compared.contains(&name.as_str()) {
            let real = row.real.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
            values.push(Some(real.unwrap_or_else(|| Datum::Opaque("not looked at".to_owned()))));
        }
    }
    let events = row.events.iter().map(Datum::string).collect();
    values.push(Some(Datum::Seq(events)));
    State { step: state.step.clone(), values }
}

pub fn html(trace: &Trace, replayed: &Replayed, wishes: &Wishes) -> String {
    let both = side_by_side(trace, replayed);
    // The lanes are those of the specification.
    let mut spec = trace.clone();
    spec.states.truncate(replayed.rows.len());
    trace::html(&both, Diagram::new(&spec, wishes).as_ref())
}
