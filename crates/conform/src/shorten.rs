//! A walk that went wrong, made shorter: steps are left out as long as what comes of the rest, on fresh nodes, is of the
//! same kind.

use retrace::Steps;
use trace::{Step, Trace};

use crate::kinds::Kind;
use crate::session::Session;

/// How often fresh nodes are started for one kind.
const RUNS_MAX: usize = 60;

/// Leaves out pieces of half the length, then of a quarter, and at last single steps, from the end to the beginning.
pub fn shorten(session: &mut Session<'_>, steps: &Steps<'_>, kind: &mut Kind, is_over: &dyn Fn() -> bool) {
    let name = kind.name();
    let mut runs_left = RUNS_MAX;
    let mut len = kind.n_steps().saturating_sub(1).div_ceil(2);
    while len > 0 {
        let n_before = kind.n_steps();
        // The last step is the one that went wrong.
        let mut end = n_before.saturating_sub(1);
        while end > 0 {
            let start = end.saturating_sub(len);
            if let Some(trace) = without(steps, &kind.trace, start..end) {
                if runs_left == 0 || is_over() {
                    return;
                }
                runs_left -= 1;
                replace_if_same(session, kind, (&name, trace));
            }
            end = start.min(kind.n_steps().saturating_sub(1));
        }
        if len > 1 || kind.n_steps() == n_before {
            len /= 2;
        }
    }
}

/// A behaviour with the steps of another, but for some.
fn without(steps: &Steps<'_>, trace: &Trace, out: std::ops::Range<usize>) -> Option<Trace> {
    let (start, rest) = trace.states.split_first()?;
    let named: Option<Vec<Step>> = rest.iter().map(|state| state.step.clone()).collect();
    let mut left = named?;
    left.drain(out);
    let found = steps.along(start, &left)?;
    Some(Trace { states: found.states, ..trace.clone() })
}

fn replace_if_same(session: &mut Session<'_>, kind: &mut Kind, (name, mut trace): (&str, Trace)) {
    let (replayed, took) = session.run(&trace, None);
    if replayed.kind(&trace) == name {
        trace.states.truncate(replayed.rows.len().max(1));
        (kind.trace, kind.replayed, kind.took) = (trace, replayed, took);
    }
}
