//! Replacements of a configuration that lead back to themselves.
//!
//! With `Op <- ReOp`, `Op` in the body of `ReOp` means `ReOp` again, as in TLC. So `ReOp` is recursive although its
//! text is not: it becomes a function, so that inlining ends.

use base::FxHashSet;
use sema::Spec;
use sema::config::{BoundConfig, Replacement};
use sema::spec::{Arg, DefBody, DefId, ExprId, ExprKind, Op, OpArg};

/// Returns the definitions with parameters that are replacements and whose bodies lead back to themselves.
pub(super) fn cyclic_replacements(spec: &Spec, config: &BoundConfig) -> FxHashSet<DefId> {
    let of_defs = config.assignments.iter().map(|assigned| &assigned.replacement);
    let targets = of_defs.filter_map(|replacement| match replacement {
        Replacement::Def(def) => Some(*def),
        Replacement::Const(_) | Replacement::Value(_) | Replacement::Table(_) => None,
    });
    let has_params = |def: &DefId| !spec.defs[*def].params.is_empty();
    let mut cyclic = FxHashSet::default();
    for target in targets.filter(has_params) {
        let mut walk = DefinitionWalk { spec, config, seen: FxHashSet::default(), todo: Vec::new() };
        walk.enter(target);
        if walk.reaches(target) {
            cyclic.insert(target);
        }
    }
    cyclic
}

/// A walk over the definitions that an expression uses, after replacements.
struct DefinitionWalk<'s> {
    spec: &'s Spec,
    config: &'s BoundConfig,
    seen: FxHashSet<DefId>,
    todo: Vec<ExprId>,
}

impl DefinitionWalk<'_> {
    fn enter(&mut self, def: DefId) {
        if let DefBody::Expr(body) = self.spec.defs[def].body {
            self.todo.push(body);
        }
    }

    /// Whether the remaining expressions lead to `target`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other expressions name no definition themselves")]
    fn reaches(&mut self, target: DefId) -> bool {
        while let Some(expr) = self.todo.pop() {
            let kind = &self.spec.exprs[expr].kind;
            let mut used = Vec::new();
            match kind {
                ExprKind::Apply { op, args } => {
                    let refs = args.iter().filter_map(|arg| match arg {
                        Arg::Op(OpArg::Ref(op, _)) => Some(*op),
                        Arg::Op(OpArg::Lambda(_)) | Arg::Expr(_) => None,
                    });
                    used.extend(refs.chain([*op]).filter_map(|op| self.resolve_op(op)));
                }
                ExprKind::Const(constant) => used.extend(self.resolve_op(Op::Const(*constant))),
                _ => {}
            }
            if used.contains(&target) {
                return true;
            }
            used.extend(kind.let_defs().iter().copied());
            for def in used {
                if self.seen.insert(def) {
                    self.enter(def);
                }
            }
            kind.for_each_child(&mut |child| self.todo.push(child));
        }
        false
    }

    /// Returns the definition that an operator stands for.
    fn resolve_op(&self, op: Op) -> Option<DefId> {
        let replaced = match op {
            Op::Def(def) => self.config.replacements.defs.get(&def),
            Op::Const(constant) => self.config.replacements.constants.get(&constant),
            Op::Builtin(_) | Op::Param(_) => None,
        };
        match (replaced, op) {
            (Some(Replacement::Def(def)), _) => Some(*def),
            (Some(Replacement::Const(_) | Replacement::Value(_) | Replacement::Table(_)), _) => None,
            (None, Op::Def(def)) => Some(def),
            (None, Op::Const(_) | Op::Builtin(_) | Op::Param(_)) => None,
        }
    }
}
