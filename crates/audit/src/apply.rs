//! Applies a mutant's changes to a specification.

use num_bigint::BigInt;
use sema::Spec;
use sema::level::Level;
use sema::spec::{Arg, Builtin, Expr, ExprId, ExprKind, Op, Quantifier};

use crate::mutant::{Mutant, Rewrite};

/// Returns a copy of `spec` with the changes of `mutant`. Ids mean the same in both.
pub(crate) fn apply_mutant(spec: &Spec, mutant: &Mutant) -> Spec {
    let mut changed = spec.clone();
    for (expr, rewrite) in &mutant.changes {
        let kind = rewrite_expr(&mut changed, *expr, rewrite);
        changed.exprs[*expr].kind = kind;
    }
    changed
}

fn rewrite_expr(spec: &mut Spec, expr: ExprId, rewrite: &Rewrite) -> ExprKind {
    let before = spec.exprs[expr].kind.clone();
    match (rewrite, before) {
        (Rewrite::True, _) => ExprKind::Bool(true),
        (Rewrite::Part(part), _) => whole(*part),
        (Rewrite::Operator(def), ExprKind::Apply { args, .. }) => ExprKind::Apply { op: Op::Def(*def), args },
        (Rewrite::Shifted { operator, operand, by }, ExprKind::Apply { mut args, .. }) => {
            let one = add(spec, expr, ExprKind::Int(BigInt::from(1)));
            let shifted = vec![args[*operand].clone(), Arg::Expr(one)];
            let shifted = add(spec, expr, ExprKind::Apply { op: Op::Def(*by), args: shifted });
            args[*operand] = Arg::Expr(shifted);
            ExprKind::Apply { op: Op::Def(*operator), args }
        }
        (Rewrite::Exists, ExprKind::Quantified { bounds, body, .. }) => {
            ExprKind::Quantified { kind: Quantifier::Exists, bounds, body }
        }
        (Rewrite::Equals(value), ExprKind::Apply { mut args, .. }) => {
            args[1] = Arg::Expr(*value);
            ExprKind::Apply { op: Op::Builtin(Builtin::Eq), args }
        }
        (Rewrite::WithoutClause(index), ExprKind::Except { base, mut updates }) => {
            updates.remove(*index);
            ExprKind::Except { base, updates }
        }
        (Rewrite::Unchanged(variables), _) => {
            let items = variables.iter().map(|&variable| add(spec, expr, ExprKind::Var(variable))).collect();
            let tuple = add(spec, expr, ExprKind::Tuple(items));
            ExprKind::Apply { op: Op::Builtin(Builtin::Unchanged), args: vec![Arg::Expr(tuple)] }
        }
        // A rewrite is only made for the kind that it is applied to.
        (_, before) => before,
    }
}

/// Returns an expression that means the same as `part`.
fn whole(part: ExprId) -> ExprKind {
    ExprKind::Let { defs: Vec::new(), body: part }
}

/// Adds a new expression at the place of `at`.
fn add(spec: &mut Spec, at: ExprId, kind: ExprKind) -> ExprId {
    let span = spec.exprs[at].span;
    // No added expression has a prime of its own.
    spec.levels.exprs.push(Level::State);
    spec.exprs.push(Expr { kind, span })
}
