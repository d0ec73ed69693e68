//! Finds the fields of an event that expressions read.

use base::{FxHashSet, FxIndexSet};
use sema::Spec;
use sema::spec::{Builtin, ExprId, ExprKind, JunctionKind, Op, VarId};

/// Fields of the event that are read.
#[derive(Clone, Debug, Default)]
pub struct FieldsRead {
    /// The names of the fields, without those inside other fields.
    pub names: FxIndexSet<String>,
    /// Whether the event is used as a whole somewhere.
    pub is_whole: bool,
}

/// Returns everything that these expressions may read of the event.
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

/// Returns the paths that these expressions read of the event: `event.msg.term` is `msg`, `term`. An empty path is the
/// event as a whole.
pub(super) fn paths(
    spec: &Spec,
    event: VarId,
    exprs: impl IntoIterator<Item = ExprId>,
) -> FxIndexSet<Vec<String>> {
    let mut found = FxIndexSet::default();
    for expr in exprs {
        spec.walk(expr, |expr| match path(spec, event, expr) {
            Some(path) => {
                found.insert(path);
                false
            }
            None => true,
        });
    }
    found
}

/// Returns the path that an expression reads, if it is the event or a field of it.
fn path(spec: &Spec, event: VarId, expr: ExprId) -> Option<Vec<String>> {
    if is_event(spec, event, expr) {
        return Some(Vec::new());
    }
    let kind = &spec.exprs[expr].kind;
    let (record, name) = if let ExprKind::Field { record, field } = kind {
        (*record, *field)
    } else if let ExprKind::FnApply { function, args } = kind
        && let [argument] = args.as_slice()
        && let ExprKind::Str(name) = &spec.exprs[*argument].kind
    {
        (*function, *name)
    } else {
        return None;
    };
    let mut path = path_of_record(spec, event, record)?;
    path.push(spec.names.text(name).to_owned());
    Some(path)
}

fn path_of_record(spec: &Spec, event: VarId, record: ExprId) -> Option<Vec<String>> {
    base::with_stack(|| path(spec, event, record))
}

/// Returns the fields that are read for every event: without them the expressions have no value.
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

/// Whether such an expression may leave some of its parts unevaluated.
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
