//! How often expressions were evaluated that are not counted by themselves: those that are evaluated in one go with what
//! contains them, as `f[i]` of `f[i][j]` and the tuple of UNCHANGED, and invariants, which are evaluated conjunct by conjunct.

use base::{FxHashSet, Id};
use eval::interp::NodeCount;
use eval::ir::{CallArg, IrId, IrKind, PathStep, Program};
use eval::temporal::TemporalTree;

/// Counts of nodes in which a node that was never counted, though what contains it was evaluated and needs it in any case,
/// has the count of that; it costs nothing of its own. A conjunction that was evaluated in parts has what these have.
pub(crate) fn with_fused(program: &Program, counts: &[NodeCount]) -> Vec<NodeCount> {
    let mut counts = counts.to_vec();
    let counted = program.irs.iter_enumerated().filter(|(id, _)| counts[id.index()].evaluated > 0);
    let mut todo: Vec<(IrId, IrId)> = Vec::new();
    for (id, ir) in counted {
        for_each_needed(&ir.kind, &mut |child| todo.push((id, child)));
    }
    while let Some((outer, id)) = todo.pop() {
        if counts[id.index()].evaluated == 0 {
            counts[id.index()].evaluated = counts[outer.index()].evaluated;
            for_each_needed(&program.irs[id].kind, &mut |child| todo.push((id, child)));
        }
    }
    for (id, ir) in program.irs.iter_enumerated() {
        let IrKind::And(parts) = &ir.kind else { continue };
        if counts[id.index()].evaluated == 0 {
            let of_parts = || parts.iter().map(|part| counts[part.index()]);
            let evaluated = of_parts().map(|count| count.evaluated).max().unwrap_or(0);
            let cost = of_parts().map(|count| count.cost).sum();
            counts[id.index()] = NodeCount { evaluated, cost, ..NodeCount::default() };
        }
    }
    counts
}

/// Nodes that were never counted and say nothing about their place: those of folded constants, and of fairness.
pub(crate) fn apart(program: &Program, counts: &[NodeCount]) -> FxHashSet<IrId> {
    let mut apart = FxHashSet::default();
    let mut todo: Vec<IrId> = program.globals.iter().map(|global| global.expr).collect();
    program.fairness.iter().chain(&program.temporal).for_each(|root| for_each_fair(&root.tree, &mut todo));
    while let Some(id) = todo.pop() {
        if counts[id.index()].evaluated == 0 && apart.insert(id) {
            program.irs[id].kind.for_each_child(&mut |child| todo.push(child));
        }
    }
    apart
}

/// What fairness is of: which of its steps are fair is known from the successors that actions have.
fn for_each_fair(tree: &TemporalTree, found: &mut Vec<IrId>) {
    match tree {
        TemporalTree::Plain(_) => {}
        TemporalTree::Fair(fair) => found.extend([fair.step, fair.enabled]),
        TemporalTree::Not(inner) | TemporalTree::Always(inner) | TemporalTree::Eventually(inner) => {
            for_each_fair(inner, found);
        }
        TemporalTree::And(items) | TemporalTree::Or(items) => {
            items.iter().for_each(|item| for_each_fair(item, found));
        }
        TemporalTree::LeadsTo(sides, _) => sides.iter().for_each(|side| for_each_fair(side, found)),
        TemporalTree::Quantified { body, .. } | TemporalTree::Bind { body, .. } => for_each_fair(body, found),
    }
}

/// Calls `visit` with each node below that must be evaluated where this one is.
fn for_each_needed(kind: &IrKind, visit: &mut impl FnMut(IrId)) {
    match kind {
        IrKind::Const(_)
        | IrKind::Global(_)
        | IrKind::Var(_)
        | IrKind::Next(_)
        | IrKind::Slot(_)
        | IrKind::Fail(_)
        // By need, or in another state.
        | IrKind::Lazy { .. }
        | IrKind::Call { .. }
        | IrKind::CallParam { .. }
        | IrKind::Step { .. }
        | IrKind::Enabled { .. }
        | IrKind::Cdot(..) => {}
        IrKind::Bind { body, .. } | IrKind::Enter { body, .. } => visit(*body),
        IrKind::And(items) | IrKind::Or(items) => items.first().copied().into_iter().for_each(visit),
        IrKind::Implies(first, _)
        | IrKind::If { condition: first, .. }
        // The other is the same text.
        | IrKind::Unchanged { current: first, .. } => visit(*first),
        IrKind::Case { arms, .. } => arms.first().map(|arm| arm.0).into_iter().for_each(visit),
        IrKind::Quantified { bounds, .. } | IrKind::SetMap { bounds, .. } | IrKind::Function { bounds, .. } => {
            bounds.iter().take(1).for_each(|bound| visit(bound.set));
        }
        IrKind::Choose { bound, .. } | IrKind::SetFilter { bound, .. } => visit(bound.set),
        IrKind::Except { base, updates } => {
            visit(*base);
            let steps = updates.iter().flat_map(|update| &update.path);
            let indices = steps.filter_map(|step| match step {
                PathStep::Field(_) => None,
                PathStep::Index(index) => Some(*index),
            });
            indices.for_each(visit);
        }
        IrKind::Native { args, .. } => {
            let needed = args.iter().filter_map(|arg| match arg {
                CallArg::Expr(expr) => Some(*expr),
                CallArg::Func(_) | CallArg::Param(_) => None,
            });
            needed.for_each(visit);
        }
        IrKind::Not(_)
        | IrKind::Equiv(..)
        | IrKind::Eq(..)
        | IrKind::Neq(..)
        | IrKind::In(..)
        | IrKind::NotIn(..)
        | IrKind::SubsetEq(..)
        | IrKind::Cup(..)
        | IrKind::Cap(..)
        | IrKind::SetMinus(..)
        | IrKind::PowerSet(_)
        | IrKind::BigUnion(_)
        | IrKind::Domain(_)
        | IrKind::Tuple(_)
        | IrKind::Product(_)
        | IrKind::SetEnum(_)
        | IrKind::FunctionSet { .. }
        | IrKind::FnApply { .. }
        | IrKind::Record { .. }
        | IrKind::RecordSet { .. }
        | IrKind::Field { .. }
        | IrKind::Table { .. } => kind.for_each_child(visit),
    }
}
