//! Lints that may explain how a run ended.

use diag::{Code, Diagnostic};
use model::{NoVerdict, Outcome, PropertyKind, Verdict};
use sema::Spec;
use sema::config::BoundConfig;

/// Number of hints that are shown, at most.
const HINTS_MAX: usize = 5;

/// Finds what is legal, probably not meant, and can be the cause of `outcome`: a variable that a step leaves without a value
/// where one is missing, a variable that is assigned twice where an action that should be possible is not.
pub fn of(spec: &Spec, config: &BoundConfig, outcome: &Outcome) -> Vec<Diagnostic> {
    let Some(code) = cause(outcome) else { return Vec::new() };
    let found = sema::lint::assignments(spec, config);
    found.into_iter().filter(|lint| lint.code == code).take(HINTS_MAX).collect()
}

/// The lint that says where such an outcome can come from.
fn cause(outcome: &Outcome) -> Option<Code> {
    match outcome {
        Ok(Verdict::Violated(violation)) => match violation.property.kind {
            PropertyKind::Deadlock | PropertyKind::Temporal => Some(Code::AssignedTwice),
            PropertyKind::Assumption
            | PropertyKind::Invariant
            | PropertyKind::Step
            | PropertyKind::Initial
            | PropertyKind::Postcondition
            | PropertyKind::Possible
            | PropertyKind::Periodic => None,
        },
        Err(NoVerdict::Incomplete { .. }) => Some(Code::UnassignedVariable),
        Err(NoVerdict::Undefined { error, .. }) => {
            (error.code == Code::NoValueYet).then_some(Code::UnassignedVariable)
        }
        Ok(Verdict::Holds)
        | Err(
            NoVerdict::Assertion { .. }
            | NoVerdict::NoInitialState(_)
            | NoVerdict::Limit(_)
            | NoVerdict::Interrupted
            | NoVerdict::Disk(_)
            | NoVerdict::Checkpoint(_)
            | NoVerdict::Unsupported(_),
        ) => None,
    }
}
