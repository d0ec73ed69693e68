//! A behaviour as a page for a browser: the specification and the program side by side, with who sent what to whom.

use conform::{Ending, Replayed};
use trace::diagram::{Diagram, Wishes};
use trace::{Datum, State, Trace};

use super::tell;

/// What a variable is called where it is the program's.
fn in_program(name: &str) -> String {
    format!("{name}, in the program")
}

/// The trace as far as it was carried out, with what the program was in each state.
pub fn side_by_side(trace: &Trace, replayed: &Replayed) -> Trace {
    let rows = &replayed.rows;
    let compared: Vec<&String> = rows
        .iter()
        .max_by_key(|row| row.real.len())
        .map_or_else(Vec::new, |row| row.real.iter().map(|(name, _)| name).collect());
    let names: Vec<String> = compared.iter().map(|name| in_program(name)).collect();
    let mut both = trace.clone();
    both.states.truncate(rows.len());
    for (state, row) in both.states.iter_mut().zip(rows) {
        let value = |name: &&String| {
            let real = row.real.iter().find(|(known, _)| known == *name).map(|(_, value)| value.clone());
            Some(real.unwrap_or_else(|| Datum::Opaque("not looked at".to_owned())))
        };
        *state = State {
            values: state.values.iter().cloned().chain(compared.iter().map(value)).collect(),
            ..state.clone()
        };
    }
    both.variables.extend(names.iter().cloned());
    both.expressions.extend(names);
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

pub fn html(trace: &Trace, replayed: &Replayed, wishes: &Wishes) -> String {
    let both = side_by_side(trace, replayed);
    // The lanes are those of the specification.
    let mut spec = trace.clone();
    spec.states.truncate(replayed.rows.len());
    trace::html(&both, Diagram::new(&spec, wishes).as_ref())
}
