//! Verdicts as endings, and the behaviours that they show.

use diag::Code;
use model::{NoVerdict, Outcome, Phase, PropertyKind, Verdict};
use trace::Finding;
use trace::given::TraceFile;

use crate::ending::Ending;

/// Returns how a run with this answer ends. TLC's numbers where TLC has one; see docs/exit-codes.md.
pub fn ending_of(outcome: &Outcome) -> Ending {
    match outcome {
        Ok(Verdict::Holds) => Ending::Ok,
        Ok(Verdict::Violated(violation)) => ending_of_violation(violation.property.kind),
        Err(reason) => {
            let ending = without_verdict(reason);
            assert_ne!(ending, Ending::Ok, "a run without a verdict is no success");
            ending
        }
    }
}

fn ending_of_violation(kind: PropertyKind) -> Ending {
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
        NoVerdict::Unsupported(error) => ending_of_refusal(error.code),
        NoVerdict::Disk(_) => Ending::Unreadable,
    }
}

fn ending_of_refusal(code: Code) -> Ending {
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

/// A success of which not every file could be written is none; of what was found nothing may be hidden.
pub fn with_files(ending: Ending, is_written: bool) -> Ending {
    if ending == Ending::Ok && !is_written { Ending::Unreadable } else { ending }
}

/// The behaviour that an answer comes with.
pub fn trace_of(outcome: &Outcome) -> Option<&trace::Trace> {
    match outcome {
        Ok(Verdict::Violated(violation)) => violation.trace.as_ref(),
        Ok(Verdict::Holds) => None,
        Err(reason) => trace_without_verdict(reason),
    }
}

/// The behaviour that leads to where there is no verdict.
pub fn trace_without_verdict(reason: &NoVerdict) -> Option<&trace::Trace> {
    match reason {
        NoVerdict::Undefined { trace, .. }
        | NoVerdict::Assertion { trace, .. }
        | NoVerdict::Incomplete { trace, .. } => trace.as_deref(),
        NoVerdict::NoInitialState(_)
        | NoVerdict::Unsupported(_)
        | NoVerdict::Disk(_)
        | NoVerdict::Checkpoint(_)
        | NoVerdict::Limit(_)
        | NoVerdict::Interrupted => None,
    }
}

/// Returns what a trace was made for, as far as it says so.
pub fn finding_of(file: &TraceFile) -> Option<&Finding> {
    match file {
        TraceFile::Itf(trace) => Some(&trace.finding).filter(|finding| **finding != Finding::Unstated),
        TraceFile::Tlc(_) => None,
    }
}
