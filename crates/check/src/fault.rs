//! A failed evaluation as a diagnostic: the code of its kind, its place, the calls that led there.

use diag::{Code, Diagnostic};
use eval::interp::{Fault, FaultKind};
use value::OpError;

use crate::options::Model;

/// How many calls are shown.
const CALLS_SHOWN_MAX: usize = 8;

pub(crate) fn diagnostic(model: Model<'_>, fault: &Fault) -> Diagnostic {
    let names = &model.spec.names;
    let headline = fault.kind.headline(model.program, names);
    let mut diagnostic = Diagnostic::new(code(&fault.kind), fault.span, headline);
    for entry in fault.path.iter().take(CALLS_SHOWN_MAX) {
        let def = &model.spec.defs[entry.def];
        let text = format!("while evaluating `{}`", names.text(def.name));
        diagnostic = diagnostic.related(entry.span, text);
    }
    if fault.path.len() > CALLS_SHOWN_MAX {
        let n_more = fault.path.len() - CALLS_SHOWN_MAX;
        diagnostic = diagnostic.note(format!("{n_more} more calls led there"));
    }
    diagnostic
}

pub(crate) fn code(kind: &FaultKind) -> Code {
    match kind {
        FaultKind::Op(error) => op_code(error),
        FaultKind::NotBoolean { .. } => Code::NotBoolean,
        FaultKind::Failure(_) => Code::NotEvaluable,
        FaultKind::Unassigned { .. } => Code::NoValueYet,
        FaultKind::NoArm | FaultKind::NoRow { .. } => Code::NoCaseArm,
        FaultKind::NoWitness { .. } => Code::NoWitness,
        FaultKind::NoMatch { .. } | FaultKind::Argument { .. } | FaultKind::NotApplicable { .. } => {
            Code::WrongKind
        }
        FaultKind::TooDeep { .. } => Code::TooDeepRecursion,
        FaultKind::Assert { .. } => Code::AssertFailed,
        FaultKind::OutsideSequence { .. } => Code::OutsideDomain,
        FaultKind::NoRegister { .. } | FaultKind::Unavailable { .. } => Code::NoRegister,
        FaultKind::Io { .. } | FaultKind::Malformed { .. } => Code::OutsideWorld,
        FaultKind::Interrupted => Code::NotEvaluable,
    }
}

fn op_code(error: &OpError) -> Code {
    match error {
        OpError::NotComparable { .. } | OpError::WrongModelType { .. } | OpError::NotDecidable { .. } => {
            Code::NotComparable
        }
        OpError::WrongKind { .. } | OpError::BadFields { .. } => Code::WrongKind,
        OpError::OutsideDomain { .. } | OpError::NoSuchField { .. } | OpError::IndexOutside { .. } => {
            Code::OutsideDomain
        }
        OpError::NotEnumerable { .. } => Code::NotEnumerable,
        OpError::TooLarge { .. } | OpError::NumberTooLarge { .. } | OpError::Full => Code::SetTooLarge,
        OpError::NotStorable { .. } => Code::NotStorable,
        OpError::EmptySequence { .. } => Code::EmptySequence,
        OpError::DivisionByZero
        | OpError::NotPositive { .. }
        | OpError::NegativeExponent { .. }
        | OpError::ZeroToTheZero => Code::BadArithmetic,
        OpError::NotBoolean { .. } => Code::NotBoolean,
        OpError::NoEvaluator | OpError::Raised(_) => Code::NotEvaluable,
    }
}
