//! The expressions directly below an expression, for walks that treat all kinds alike.

use crate::ast::{Assumption, Bound, ExceptStep, ExprId, ExprKind, Fact, Instance, Unit, UnitKind, UseHide};

/// Calls `visit` for each part of `kind` that is an expression, in textual order.
pub fn for_each_child(kind: &ExprKind, visit: &mut impl FnMut(ExprId)) {
    match kind {
        ExprKind::Number(_)
        | ExprKind::Decimal(_)
        | ExprKind::String(_)
        | ExprKind::Bool(_)
        | ExprKind::BuiltinSet(_)
        | ExprKind::At
        | ExprKind::Operator(_)
        | ExprKind::Error => {}
        ExprKind::Path(segments) => {
            segments.iter().filter_map(|segment| segment.args.as_ref()).flatten().copied().for_each(visit);
        }
        ExprKind::Lambda { body, .. } | ExprKind::Label { body, .. } | ExprKind::Unbounded { body, .. } => {
            visit(*body);
        }
        ExprKind::Prefix { operand, .. } | ExprKind::Postfix { operand, .. } => visit(*operand),
        ExprKind::Infix { lhs, rhs, .. } => [*lhs, *rhs].into_iter().for_each(visit),
        ExprKind::Junction { items, .. } => items.iter().copied().for_each(visit),
        ExprKind::Paren(inner) => visit(*inner),
        ExprKind::Tuple(items) | ExprKind::Product(items) | ExprKind::SetEnum(items) => {
            items.iter().copied().for_each(visit);
        }
        ExprKind::SetFilter { bound, predicate } => [bound.set, *predicate].into_iter().for_each(visit),
        ExprKind::SetMap { body, bounds } => {
            visit(*body);
            sets(bounds, visit);
        }
        ExprKind::Function { bounds, body } | ExprKind::Quantified { bounds, body, .. } => {
            sets(bounds, visit);
            visit(*body);
        }
        ExprKind::FunctionSet { domain, range } => [*domain, *range].into_iter().for_each(visit),
        ExprKind::FnApply { function, args } => {
            visit(*function);
            args.iter().copied().for_each(visit);
        }
        ExprKind::Record(fields) | ExprKind::RecordSet(fields) => {
            fields.iter().map(|&(_, value)| value).for_each(visit);
        }
        ExprKind::Field { record, .. } => visit(*record),
        ExprKind::Except { base, updates } => {
            visit(*base);
            for update in updates {
                for step in &update.path {
                    match step {
                        ExceptStep::Field(_) => {}
                        ExceptStep::Index(indices) => indices.iter().copied().for_each(&mut *visit),
                    }
                }
                visit(update.value);
            }
        }
        ExprKind::Choose { set, body, .. } => set.iter().chain([body]).copied().for_each(visit),
        ExprKind::If { condition, then, otherwise } => {
            [*condition, *then, *otherwise].into_iter().for_each(visit);
        }
        ExprKind::Case { arms, other } => {
            arms.iter().flat_map(|&(guard, value)| [guard, value]).chain(*other).for_each(visit);
        }
        ExprKind::Let { units, body } => {
            units.iter().for_each(|unit| for_each_in_unit(unit, visit));
            visit(*body);
        }
        ExprKind::Step { action, subscript, .. } => [*action, *subscript].into_iter().for_each(visit),
        ExprKind::Fairness { subscript, action, .. } => [*subscript, *action].into_iter().for_each(visit),
        ExprKind::AssumeProve { assumptions, goal } => {
            assumptions.iter().filter_map(assumption_expr).for_each(&mut *visit);
            visit(*goal);
        }
    }
}

/// Calls `visit` for each expression in `unit`, except in nested modules and proofs.
pub fn for_each_in_unit(unit: &Unit, visit: &mut impl FnMut(ExprId)) {
    match &unit.kind {
        UnitKind::Constants(_) | UnitKind::Variables(_) | UnitKind::Recursive(_) | UnitKind::Module(_) => {}
        UnitKind::Operator { body, .. } | UnitKind::Assume { body, .. } | UnitKind::Theorem { body, .. } => {
            visit(*body);
        }
        UnitKind::Function { bounds, body, .. } => {
            sets(bounds, visit);
            visit(*body);
        }
        UnitKind::Instance(instance) | UnitKind::NamedInstance { instance, .. } => values(instance, visit),
        UnitKind::UseHide(list) => facts(list, visit),
    }
}

fn sets(bounds: &[Bound], visit: &mut impl FnMut(ExprId)) {
    bounds.iter().map(|bound| bound.set).for_each(visit);
}

fn values(instance: &Instance, visit: &mut impl FnMut(ExprId)) {
    instance.substitutions.iter().map(|substitution| substitution.value).for_each(visit);
}

fn facts(list: &UseHide, visit: &mut impl FnMut(ExprId)) {
    for fact in list.facts.iter().chain(&list.defs) {
        match fact {
            Fact::Expr(expr) => visit(*expr),
            Fact::Module(_) => {}
        }
    }
}

fn assumption_expr(assumption: &Assumption) -> Option<ExprId> {
    match assumption {
        Assumption::Fact(expr) => Some(*expr),
        Assumption::New { set, .. } => *set,
    }
}
