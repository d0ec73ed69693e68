//! Determines the actions that a mutant changes.
//!
//! A step by any other action is a step of both specifications, so that the comparison can skip it.

use base::FxHashSet;
use diag::Span;
use eval::ir::{ActionTree, IrId, IrKind, Program};

/// Returns the indices, among all actions of `program`, of those that read what is at `span`; `None` if that cannot be
/// determined by action. `program` is the specification as it is.
pub(crate) fn touched_actions(program: &Program, span: Span) -> Option<Vec<usize>> {
    let (tree, _) = program.next.as_ref()?;
    let mut around = Vec::new();
    around_actions(tree, &mut around);
    if around.into_iter().any(|id| reads(program, id, span)) {
        return None;
    }
    let leaves = tree.leaves();
    let touched: Vec<usize> =
        (0..leaves.len()).filter(|&index| reads(program, leaves[index].expr, span)).collect();
    let is_in_init = program.init.iter().any(|root| reads(program, root.expr, span));
    (!touched.is_empty() || is_in_init).then_some(touched)
}

/// Returns the same actions of another program for the same text.
pub(crate) fn actions_at(program: &Program, n_actions: usize, indices: &[usize]) -> Option<FxHashSet<IrId>> {
    let (tree, _) = program.next.as_ref()?;
    let leaves = tree.leaves();
    (leaves.len() == n_actions).then(|| indices.iter().map(|&index| leaves[index].expr).collect())
}

/// Collects the expressions that are evaluated on the way to actions.
fn around_actions(tree: &ActionTree, around: &mut Vec<IrId>) {
    match tree {
        ActionTree::Or(branches) => branches.iter().for_each(|branch| around_actions(branch, around)),
        ActionTree::Exists { bounds, body, .. } => {
            around.extend(bounds.iter().map(|bound| bound.set));
            around_actions(body, around);
        }
        ActionTree::Bind { memos, body } => {
            around.extend(memos.iter().map(|memo| memo.expr));
            around_actions(body, around);
        }
        ActionTree::Leaf(_) => {}
    }
}

/// Whether anything below a node is at `span`.
fn reads(program: &Program, root: IrId, span: Span) -> bool {
    let mut todo = vec![root];
    let mut seen: FxHashSet<IrId> = FxHashSet::default();
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = &program.irs[id];
        if overlaps(node.span, span) {
            return true;
        }
        node.kind.for_each_child(&mut |child| todo.push(child));
        node.kind.for_each_func(&mut |func| todo.push(program.funcs[func].body));
        if let IrKind::Global(global) = &node.kind {
            todo.push(program.globals[*global].expr);
        }
    }
    false
}

/// Whether a node is within a place.
fn overlaps(node: Span, place: Span) -> bool {
    let (inner, outer) = (node.range(), place.range());
    node.source == place.source && outer.start <= inner.start && inner.end <= outer.end
}
