//! TLC's messages for failed evaluations, word for word: specifications compare them (`AssertError`).

use value::OpError;

use super::call::PREDICATE;
use crate::interp::{Fault, FaultKind};
use crate::ir::Failure;
use crate::run::Run;

/// Returns TLC's message, where it is known.
pub(super) fn tlc_text(run: &dyn Run, fault: &Fault) -> Option<String> {
    match &fault.kind {
        FaultKind::Op(error) => op_text(error),
        FaultKind::NoWitness { .. } => {
            let place = run.place(fault.span)?;
            Some(format!(
                "Attempted to compute the value of an expression of form\n\
                 CHOOSE x \\in S: P, but no element of S satisfied P.\n{place}"
            ))
        }
        FaultKind::Assert { message } => Some(format!(
            "The first argument of Assert evaluated to FALSE; the second argument was:\n{message}"
        )),
        // TLC shows the operator here, not its value.
        FaultKind::Argument { expected: PREDICATE, .. } => None,
        FaultKind::Argument { op, position, expected, value } => {
            // TLC folds sequences as functions.
            let op = if *op == "FoldSeq" { "FoldFunction" } else { op };
            let which = position.map_or(String::new(), |position| format!("{position} "));
            Some(format!("The {which}argument of {op} should be a {expected}, but instead it is:\n{value}"))
        }
        FaultKind::NotApplicable { op, expected, value } => {
            Some(format!("Applying {op} to the following value,\nwhich is not {expected}:\n{value}"))
        }
        FaultKind::OutsideSequence { op, position, index, sequence } => Some(format!(
            "The {position} argument of {op} must be in the domain of its first argument:\n{sequence}\n, but \
             instead it is\n{index}"
        )),
        FaultKind::NotBoolean { .. }
        | FaultKind::Failure(
            Failure::UnboundedQuantifier
            | Failure::UnboundedChoose
            | Failure::Temporal
            | Failure::Real
            | Failure::NoNative(_)
            | Failure::NoValue(_)
            | Failure::Cyclic(_)
            | Failure::DoublePrime,
        )
        | FaultKind::Unassigned { .. }
        | FaultKind::NoArm
        | FaultKind::NoMatch { .. }
        | FaultKind::NoRow { .. }
        | FaultKind::NoRegister { .. }
        | FaultKind::TooDeep { .. }
        | FaultKind::Unavailable { .. }
        | FaultKind::Io { .. }
        | FaultKind::Sandboxed { .. }
        | FaultKind::Malformed { .. }
        | FaultKind::Interrupted => None,
    }
}

fn op_text(error: &OpError) -> Option<String> {
    match error {
        OpError::NotDecidable { element, set } if set.starts_with("SUBSET ") => {
            Some(format!("Attempted to check if the non-enumerable value\n{element}\nis element of\n{set}"))
        }
        OpError::EmptySequence { op } => Some(format!("Attempted to apply {op} to the empty sequence.")),
        OpError::DivisionByZero => Some("The second argument of \\div is 0.".to_owned()),
        OpError::ZeroToTheZero => Some("0^0 is undefined.".to_owned()),
        OpError::WrongKind { op: op @ ("Len" | "Head" | "Tail"), value, .. } => {
            Some(format!("The argument of {op} should be a sequence, but instead it is:\n{value}"))
        }
        OpError::RecordWithFunction { record, function } => {
            Some(format!("Attempted to check equality of record:\n{record}\nwith non-record\n{function}"))
        }
        OpError::NotComparable { .. }
        | OpError::WrongModelType { .. }
        | OpError::NotDecidable { .. }
        | OpError::WrongKind { .. }
        | OpError::OutsideDomain { .. }
        | OpError::NoSuchField { .. }
        | OpError::NotEnumerable { .. }
        | OpError::TooLarge { .. }
        | OpError::NumberTooLarge { .. }
        | OpError::NotStorable { .. }
        | OpError::IndexOutside { .. }
        | OpError::NotPositive { .. }
        | OpError::NegativeExponent { .. }
        | OpError::BadFields { .. }
        | OpError::NotBoolean { .. }
        | OpError::NoEvaluator
        | OpError::NoRoom
        | OpError::Full
        | OpError::Raised(_) => None,
    }
}
