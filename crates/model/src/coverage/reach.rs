//! Which nodes of a program are used from where.

use base::FxHashSet;
use eval::ir::{IrId, Program};

/// These nodes, all below them, and the bodies of the functions that they use.
pub fn reachable(program: &Program, roots: impl IntoIterator<Item = IrId>) -> Vec<IrId> {
    let mut todo: Vec<IrId> = roots.into_iter().collect();
    let mut seen: FxHashSet<IrId> = todo.iter().copied().collect();
    let mut found = Vec::new();
    while let Some(id) = todo.pop() {
        found.push(id);
        let kind = &program.irs[id].kind;
        let mut add = |id| {
            if seen.insert(id) {
                todo.push(id);
            }
        };
        kind.for_each_child(&mut add);
        kind.for_each_func(&mut |func| add(program.funcs[func].body));
    }
    found
}

/// The actions of the next-state relation.
pub fn actions(program: &Program) -> impl Iterator<Item = IrId> {
    let leaves = program.next.as_ref().map_or_else(Vec::new, |(tree, _)| tree.leaves());
    leaves.into_iter().map(|leaf| leaf.expr)
}
