//! Words for the kinds of things.

use crate::spec::{BuiltinSet, DefKind, Fairness, NewKind, Quantifier, StepKind, UnboundedQuantifier};

pub(super) fn def_word(kind: DefKind) -> &'static str {
    match kind {
        DefKind::Operator => "operator",
        DefKind::Function => "function-definition",
        DefKind::Let => "let-definition",
        DefKind::Assumption => "assumption",
        DefKind::Theorem => "theorem",
        DefKind::ProofStep => "step",
        DefKind::Subexpression => "part",
    }
}

pub(super) fn set_word(set: BuiltinSet) -> &'static str {
    match set {
        BuiltinSet::Boolean => "BOOLEAN",
        BuiltinSet::String => "STRING",
    }
}

/// Returns the word for JSON and the symbol for text.
pub(super) fn quantifier_word(kind: Quantifier) -> (&'static str, &'static str) {
    match kind {
        Quantifier::Forall => ("forall", "\\A"),
        Quantifier::Exists => ("exists", "\\E"),
    }
}

/// Returns the word for JSON and the symbol for text.
pub(super) fn unbounded_word(kind: UnboundedQuantifier) -> (&'static str, &'static str) {
    match kind {
        UnboundedQuantifier::Forall => ("unbounded-forall", "\\A"),
        UnboundedQuantifier::Exists => ("unbounded-exists", "\\E"),
        UnboundedQuantifier::TemporalForall => ("temporal-forall", "\\AA"),
        UnboundedQuantifier::TemporalExists => ("temporal-exists", "\\EE"),
    }
}

pub(super) fn step_word(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Box => "box-step",
        StepKind::Angle => "angle-step",
    }
}

pub(super) fn fairness_word(kind: Fairness) -> &'static str {
    match kind {
        Fairness::Weak => "weak-fairness",
        Fairness::Strong => "strong-fairness",
    }
}

pub(super) fn new_word(kind: NewKind) -> &'static str {
    match kind {
        NewKind::Constant => "new-constant",
        NewKind::Variable => "new-variable",
        NewKind::State => "new-state",
        NewKind::Action => "new-action",
        NewKind::Temporal => "new-temporal",
    }
}
