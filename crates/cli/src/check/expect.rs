//! `--expect`: whether a search ended as it should.

use std::io;

use clap::ValueEnum;
use model::{NoVerdict, Outcome, Phase, PropertyKind, Verdict};

use super::text;
use crate::check::args::ExpectArg;
use crate::console::{Console, Stream};
use crate::exit::Ending;

/// Returns the name of an outcome. A search that ended at a limit, was interrupted, or could not start has
/// none.
pub fn of(outcome: &Outcome) -> Option<ExpectArg> {
    match outcome {
        Ok(Verdict::Holds) => Some(ExpectArg::Ok),
        Ok(Verdict::Violated(violation)) => Some(of_kind(violation.property.kind)),
        Err(NoVerdict::Assertion { .. }) => Some(ExpectArg::Assert),
        Err(reason) if reason.is_out_of_memory() => None,
        // The exit code of these is that of an assumption too.
        Err(NoVerdict::Undefined {
            phase: Phase::Assumption | Phase::Postcondition | Phase::Periodic,
            ..
        }) => Some(ExpectArg::Assumption),
        Err(NoVerdict::Undefined { .. } | NoVerdict::Incomplete { .. }) => Some(ExpectArg::Undefined),
        Err(
            NoVerdict::NoInitialState(_)
            | NoVerdict::Checkpoint(_)
            | NoVerdict::Unsupported(_)
            | NoVerdict::Disk(_)
            | NoVerdict::Limit(_)
            | NoVerdict::Interrupted,
        ) => None,
    }
}

fn of_kind(kind: PropertyKind) -> ExpectArg {
    match kind {
        PropertyKind::Invariant | PropertyKind::Step | PropertyKind::Initial => ExpectArg::Safety,
        PropertyKind::Temporal => ExpectArg::Liveness,
        PropertyKind::Deadlock => ExpectArg::Deadlock,
        PropertyKind::Assumption
        | PropertyKind::Postcondition
        | PropertyKind::Possible
        | PropertyKind::Periodic => ExpectArg::Assumption,
    }
}

pub fn is_met(expected: ExpectArg, outcome: &Outcome) -> bool {
    of(outcome) == Some(expected)
}

/// Returns the name of an outcome, as the command line and JSON spell it.
pub fn name(outcome: ExpectArg) -> String {
    outcome.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

pub fn words(expected: ExpectArg) -> &'static str {
    match expected {
        ExpectArg::Ok => "no error",
        ExpectArg::Safety => "a violation of safety",
        ExpectArg::Liveness => "a violation of liveness",
        ExpectArg::Deadlock => "a deadlock",
        ExpectArg::Assumption => "an assumption or a postcondition that does not hold",
        ExpectArg::Assert => "an `Assert` that fails",
        ExpectArg::Undefined => "something without a value",
    }
}

/// Returns how the run ends. `ending` is the ending without an expectation; a search without an outcome keeps
/// it.
pub fn judge(
    expected: ExpectArg,
    ending: Ending,
    outcome: &Outcome,
    console: &Console,
) -> io::Result<Ending> {
    if ending != setup::ending_of(outcome) || of(outcome).is_none() {
        return Ok(ending);
    }
    if is_met(expected, outcome) {
        console.line(Stream::Err, &format!("As expected: {}.", words(expected)))?;
        return Ok(Ending::Ok);
    }
    let found = text::short(outcome);
    console.line(Stream::Err, &format!("Not as expected: it was to be {}, and {found}.", words(expected)))?;
    Ok(Ending::Unexpected)
}
