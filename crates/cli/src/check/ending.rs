//! The exit code of an answer. TLC's numbers where TLC has one; see docs/exit-codes.md.

use diag::Code;
use model::{NoVerdict, Phase, PropertyKind, Verdict};

use super::Outcome;
use crate::exit::Ending;

pub fn of(outcome: &Outcome) -> Ending {
    match outcome {
        Ok(Verdict::Holds) => Ending::Ok,
        Ok(Verdict::Violated(violation)) => violated(violation.property.kind),
        Err(reason) => without_verdict(reason),
    }
}

fn violated(kind: PropertyKind) -> Ending {
    match kind {
        PropertyKind::Assumption
        | PropertyKind::Postcondition
        | PropertyKind::Possible
        | PropertyKind::Periodic => Ending::Assumption,
        PropertyKind::Invariant => Ending::Invariant,
        PropertyKind::Step | PropertyKind::Initial | PropertyKind::Temporal => Ending::Property,
        PropertyKind::Deadlock => Ending::Deadlock,
    }
}

fn without_verdict(reason: &NoVerdict) -> Ending {
    match reason {
        NoVerdict::Undefined { .. } if reason.is_out_of_memory() => Ending::Limit,
        NoVerdict::Undefined { phase, initial, .. } => match phase {
            Phase::Assumption | Phase::Postcondition | Phase::Periodic => Ending::Assumption,
            Phase::Invariant if !initial => Ending::UndefinedInvariant,
            Phase::Configuration | Phase::Temporal => Ending::Unreadable,
            Phase::Preparation
            | Phase::Init
            | Phase::Invariant
            | Phase::Next
            | Phase::Constraint
            | Phase::StepProperty
            | Phase::InitialProperty
            | Phase::View => Ending::Undefined,
        },
        NoVerdict::Assertion { .. } => Ending::Assert,
        NoVerdict::Incomplete { initial: true, .. } => Ending::Unreadable,
        NoVerdict::Incomplete { initial: false, .. } => Ending::Undefined,
        NoVerdict::NoInitialState(_) => Ending::NoInitialState,
        NoVerdict::Limit(_) => Ending::Limit,
        NoVerdict::Interrupted => Ending::Interrupted,
        NoVerdict::Checkpoint(error) => Ending::of(error, false),
        NoVerdict::Unsupported(error) => unsupported(error.code),
        NoVerdict::Disk(_) => Ending::Unreadable,
    }
}

fn unsupported(code: Code) -> Ending {
    if code == Code::TemporalTautology {
        Ending::Tautology
    } else if matches!(code, Code::ConfigTemporal | Code::TraceShape) {
        Ending::Unreadable
    } else if code == Code::Internal {
        Ending::Bug
    } else {
        Ending::ConfigError
    }
}
