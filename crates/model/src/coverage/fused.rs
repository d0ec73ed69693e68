//! How often expressions were evaluated that are not counted by themselves: those that are evaluated in one go with what
//! contains them, as `f[i]` of `f[i][j]` and the tuple of UNCHANGED, and invariants, which are evaluated conjunct by conjunct.

use base::{FxHashSet, Id};
use eval::interp::NodeCount;
use eval::ir::{CallArg, IrId, IrKind, PathStep, Program};
use eval::temporal::TemporalTree;

use super::reach::{actions, reachable};

/// Counts of nodes in which a node that was never counted, though what contains it was evaluated and needs it in any case,
/// has the count of that; it costs nothing of its own. A conjunction that was evaluated in parts has what these have.
pub fn with_fused(program: &Program, counts: &[NodeCount]) -> Vec<NodeCount> {
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
            let of_parts = || parts.iter().map(|part| counts[leads_to(program, *part).index()]);
            let evaluated = of_parts().map(|count| count.evaluated).max().unwrap_or(0);
            let cost = of_parts().map(|count| count.cost).sum();
            counts[id.index()] = NodeCount { evaluated, cost, ..NodeCount::default() };
        }
    }
    counts
}

/// Returns the expression that is written where a definition is used.
fn leads_to(program: &Program, mut id: IrId) -> IrId {
    while let IrKind::Enter { body, .. } | IrKind::Bind { body, .. } = &program.irs[id].kind {
        id = *body;
    }
    id
}

/// Nodes that were never counted and say nothing about their place: no part of what behaviours are made of, or of a
/// property that was looked at. Such are folded constants, fairness, properties that walks do not look at, and what was
/// written in another form.
pub fn apart(program: &Program, counts: &[NodeCount]) -> FxHashSet<IrId> {
    let is_counted = |id: &IrId| counts[id.index()].evaluated > 0;
    let made_of = program.init.iter().chain(&program.constraints).chain(&program.action_constraints);
    let mut roots: Vec<IrId> = made_of.map(|root| root.expr).chain(actions(program)).collect();
    let steps = program.step_properties.iter().map(|property| &property.root);
    let asked = program.invariants.iter().chain(&program.implied_inits).chain(&program.possible).chain(steps);
    let mut asked: Vec<IrId> = asked.map(|root| root.expr).collect();
    program.temporal.iter().for_each(|root| plain_parts(&root.tree, &mut asked));
    roots.extend(asked.into_iter().filter(|&root| reachable(program, [root]).iter().any(is_counted)));
    let used: FxHashSet<IrId> = reachable(program, roots).into_iter().collect();
    let ids = program.irs.iter_enumerated().map(|(id, _)| id);
    ids.filter(|id| !is_counted(id) && !used.contains(id)).collect()
}

/// The state predicates and actions of a temporal formula. What is fair is known from the successors that actions have.
fn plain_parts(tree: &TemporalTree, found: &mut Vec<IrId>) {
    match tree {
        TemporalTree::Plain(expr) => found.push(*expr),
        TemporalTree::Fair(_) => {}
        TemporalTree::Not(inner) | TemporalTree::Always(inner) | TemporalTree::Eventually(inner) => {
            plain_parts(inner, found);
        }
        TemporalTree::And(items) | TemporalTree::Or(items) => {
            items.iter().for_each(|item| plain_parts(item, found));
        }
        TemporalTree::LeadsTo(sides, _) => sides.iter().for_each(|side| plain_parts(side, found)),
        TemporalTree::Quantified { body, .. } | TemporalTree::Bind { body, .. } => plain_parts(body, found),
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
