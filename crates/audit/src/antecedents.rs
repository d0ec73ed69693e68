//! Turns antecedents that are only a name into expressions whose truth is counted.
//!
//! An expression that is read at once has no counts of its own (`eval::interp::is_counted`): `flag => done` would not
//! show whether `flag` was ever true. As `flag = TRUE` it does.

use sema::Spec;
use sema::spec::{Arg, Builtin, Expr, ExprId, ExprKind, Op};

/// Returns a copy of `spec` for its properties, which mean the same in it wherever they have a value.
pub(crate) fn with_counted_antecedents(spec: &Spec) -> Spec {
    let mut counted = spec.clone();
    for expr in spec.exprs.ids() {
        let ExprKind::Apply { op: Op::Builtin(Builtin::Implies), args } = &spec.exprs[expr].kind else {
            continue;
        };
        if let Some(Arg::Expr(antecedent)) = args.first()
            && matches!(spec.exprs[*antecedent].kind, ExprKind::Var(_) | ExprKind::Local(_))
        {
            compare_with_true(&mut counted, *antecedent);
        }
    }
    counted
}

fn compare_with_true(spec: &mut Spec, antecedent: ExprId) {
    let (name, level) = (spec.exprs[antecedent].clone(), spec.levels.exprs[antecedent]);
    let mut add = |kind: ExprKind| {
        spec.levels.exprs.push(level);
        Arg::Expr(spec.exprs.push(Expr { kind, span: name.span }))
    };
    let args = vec![add(name.kind.clone()), add(ExprKind::Bool(true))];
    spec.exprs[antecedent].kind = ExprKind::Apply { op: Op::Builtin(Builtin::Eq), args };
}
