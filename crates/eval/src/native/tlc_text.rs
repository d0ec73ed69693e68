//! TLC's messages for failed evaluations, word for word: specifications compare them (`AssertError`).

use value::{Kind, OpError};

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
        OpError::NotDecidable { element, set, kind: kind @ Kind::Powerset } => {
            not_decidable(element, set, *kind)
        }
        OpError::DifferentModelTypes { left, right } => Some(format!(
            "Attempted to check equality of the differently-typed model values {left} and {right}"
        )),
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

/// Words the refusal of a membership test. TLC: sets that are values test it themselves, each in words of its own.
pub fn not_decidable(element: &str, set: &str, kind: Kind) -> Option<String> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "no other set is asked about what it cannot have in these words"
    )]
    match kind {
        Kind::Interval => {
            Some(format!("Attempted to check if the value:\n{element}\nis in the integer interval {set}"))
        }
        Kind::Powerset => {
            Some(format!("Attempted to check if the non-enumerable value\n{element}\nis element of\n{set}"))
        }
        Kind::FunctionSet => Some(format!(
            "Attempted to check if \n{element}\nwhich is not a TLC function value, is in the set of functions:\n{set}"
        )),
        Kind::RecordSet => {
            Some(format!("Attempted to check if non-record\n{element}\nis in the set of records:\n{set}"))
        }
        Kind::Product => {
            Some(format!("Attempted to check if non-tuple\n{element}\nis in the set of tuples:\n{set}"))
        }
        _ => None,
    }
}
