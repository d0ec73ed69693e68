//! Takes ghost variables out of a specification: conjuncts that mention them become TRUE, which allows more.

use base::FxHashSet;
use compose::effects::EffectTable;
use diag::Span;
use sema::Spec;
use sema::spec::{Arg, Builtin, DefBody, DefId, ExprId, ExprKind, JunctionKind, Op, VarId};

/// A conjunct that mentions a ghost variable and changes another one.
pub struct Entangled {
    pub ghost: VarId,
    pub span: Span,
}

/// Removes the ghosts from what `next` leads to.
pub fn remove(spec: &mut Spec, next: ExprId, ghosts: &FxHashSet<VarId>) -> Result<(), Entangled> {
    if ghosts.is_empty() {
        return Ok(());
    }
    let table = EffectTable::new(spec);
    let mut remover = Remover { spec, table, ghosts, done: FxHashSet::default() };
    remover.formula(next)
}

struct Remover<'a> {
    spec: &'a mut Spec,
    table: EffectTable,
    ghosts: &'a FxHashSet<VarId>,
    done: FxHashSet<DefId>,
}

impl Remover<'_> {
    /// Returns a ghost that an expression mentions, and whether it changes another variable.
    fn mention(&self, expr: ExprId) -> Option<(VarId, bool)> {
        let effects = self.table.of_expr(self.spec, expr);
        let ghost = effects.reads.keys().chain(effects.primes.keys()).find(|var| self.ghosts.contains(*var));
        ghost.map(|&ghost| (ghost, effects.primes.keys().any(|var| !self.ghosts.contains(var))))
    }

    fn formula(&mut self, expr: ExprId) -> Result<(), Entangled> {
        base::with_stack(|| self.formula_here(expr))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other expression is a conjunct as a whole")]
    fn formula_here(&mut self, expr: ExprId) -> Result<(), Entangled> {
        let Some((ghost, changes_others)) = self.mention(expr) else { return Ok(()) };
        match self.spec.exprs[expr].kind.clone() {
            ExprKind::Junction { kind: JunctionKind::And | JunctionKind::Or, items } => {
                items.into_iter().try_for_each(|item| self.formula(item))
            }
            ExprKind::Apply { op: Op::Builtin(Builtin::And | Builtin::Or), args } => {
                args.iter().filter_map(Arg::expr).try_for_each(|item| self.formula(item))
            }
            ExprKind::Apply { op: Op::Builtin(Builtin::Unchanged), .. } => Ok(()),
            ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => self.formula(body),
            ExprKind::Quantified { bounds, body, .. } if changes_others => {
                let in_bound = bounds.iter().any(|bound| self.mention(bound.set).is_some());
                if in_bound { Err(self.entangled(ghost, expr)) } else { self.formula(body) }
            }
            ExprKind::If { condition, then, otherwise } if changes_others => {
                if self.mention(condition).is_some() {
                    return Err(self.entangled(ghost, expr));
                }
                self.formula(then)?;
                self.formula(otherwise)
            }
            ExprKind::Apply { op: Op::Def(def), args } if changes_others => {
                if args.iter().filter_map(Arg::expr).any(|arg| self.mention(arg).is_some()) {
                    return Err(self.entangled(ghost, expr));
                }
                match self.spec.defs[def].body {
                    DefBody::Expr(body) if self.done.insert(def) => self.formula(body),
                    DefBody::Expr(_) | DefBody::Native | DefBody::Missing => Ok(()),
                }
            }
            _ if changes_others => Err(self.entangled(ghost, expr)),
            _ => {
                self.spec.exprs[expr].kind = ExprKind::Bool(true);
                Ok(())
            }
        }
    }

    fn entangled(&self, ghost: VarId, expr: ExprId) -> Entangled {
        Entangled { ghost, span: self.spec.exprs[expr].span }
    }
}
