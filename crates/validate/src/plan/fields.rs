//! Which fields of an event expressions read.

use base::{FxHashSet, FxIndexSet};
use sema::Spec;
use sema::spec::{Builtin, ExprId, ExprKind, JunctionKind, Op, VarId};

/// Fields of the event that are read.
#[derive(Clone, Debug, Default)]
pub struct FieldsRead {
    /// By name; not those inside of other fields.
    pub names: FxIndexSet<String>,
    /// The event is used as a whole somewhere.
    pub is_whole: bool,
}

/// Everything that these expressions may read of the event.
pub(super) fn all(spec: &Spec, event: VarId, exprs: impl IntoIterator<Item = ExprId>) -> FieldsRead {
    let mut read = FieldsRead::default();
    let mut below: FxHashSet<ExprId> = FxHashSet::default();
    for expr in exprs {
        spec.walk(expr, |expr| {
            let kind = &spec.exprs[expr].kind;
            if let ExprKind::Field { record, field } = kind
                && is_event(spec, event, *record)
            {
                read.names.insert(spec.names.text(*field).to_owned());
                below.insert(*record);
            }
            read.is_whole |= is_event(spec, event, expr) && !below.contains(&expr);
            true
        });
    }
    read
}

/// What is read whatever the event says: without it the expressions have no value.
pub(super) fn always(spec: &Spec, event: VarId, exprs: impl IntoIterator<Item = ExprId>) -> Vec<String> {
    let mut names: FxIndexSet<String> = FxIndexSet::default();
    for expr in exprs {
        spec.walk(expr, |expr| {
            let kind = &spec.exprs[expr].kind;
            if let ExprKind::Field { record, field } = kind
                && is_event(spec, event, *record)
            {
                names.insert(spec.names.text(*field).to_owned());
            }
            !may_skip(kind)
        });
    }
    names.into_iter().collect()
}

fn is_event(spec: &Spec, event: VarId, expr: ExprId) -> bool {
    matches!(spec.exprs[expr].kind, ExprKind::Var(variable) if variable == event)
}

/// Whether parts of such an expression may not be evaluated.
#[expect(clippy::wildcard_enum_match_arm, reason = "everything else evaluates its parts")]
fn may_skip(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::If { .. } | ExprKind::Case { .. } | ExprKind::Let { .. } => true,
        ExprKind::Quantified { .. } | ExprKind::SetFilter { .. } | ExprKind::Choose { .. } => true,
        ExprKind::Junction { kind, .. } => *kind == JunctionKind::Or,
        ExprKind::Apply { op: Op::Builtin(op), .. } => {
            matches!(op, Builtin::Or | Builtin::Implies | Builtin::And)
        }
        _ => false,
    }
}
