//! Lowers temporal formulas: fairness conjuncts and the formulas that PROPERTY names, down to state predicates and
//! actions.
//!
//! TLC: definitions, LET, parameters, labels, connectives, IF and quantifiers with constant bounds are looked through;
//! a temporal formula anywhere else is refused (contract 4.6).

use std::rc::Rc;

use diag::Span;
use sema::Spec;
use sema::config::Replacement;
use sema::level::Level;
use sema::spec::{
    Arg, Builtin, DefBody, DefId, ExprId, ExprKind, Fairness, JunctionKind, LocalId, Op, OpArg, Quantifier,
    StepKind,
};
use sema::unfold;

use super::Lowerer;
use super::env::{Binding, Env, Scope, Thunk};
use crate::ir::{Bound, IrKind};
use crate::temporal::{FairAction, TemporalTree};

/// The reason why a formula cannot be checked.
pub(super) struct Obstacle {
    pub span: Span,
    pub what: &'static str,
}

/// A definition or LAMBDA that was entered.
pub(super) struct Entered<'s> {
    pub body: ExprId,
    /// The scope in which the body is read.
    pub scope: Scope<'s>,
    /// The arguments.
    pub thunks: Vec<Rc<Thunk<'s>>>,
    pub def: Option<DefId>,
}

type Built = Result<TemporalTree, Obstacle>;

impl<'s> Lowerer<'s> {
    pub(super) fn temporal(&mut self, scope: &Scope<'s>, expr: ExprId) -> Built {
        base::with_stack(|| match self.is_temporal(scope, expr) {
            true => self.temporal_here(scope, expr),
            false => Ok(TemporalTree::Plain(self.expr(scope, expr))),
        })
    }

    /// Whether it contains a temporal operator, or a parameter in it may stand for one that does.
    pub(super) fn is_temporal(&self, scope: &Scope<'s>, expr: ExprId) -> bool {
        let of_level = |expr: ExprId| self.spec.levels.exprs[expr] > Level::Action;
        of_level(expr)
            || scope.env.thunks().any(|thunk| of_level(Self::follow_params(self.spec, thunk).expr))
            || scope.env.operators().any(|arg| self.makes_temporal(arg))
    }

    /// Whether `args` may hand on a temporal formula that a parameter in `scope` stands for. The level of an application
    /// does not say so: it counts parameters as constants.
    pub(super) fn may_pass_temporal(&self, scope: &Scope<'s>, args: &[Arg]) -> bool {
        args.iter().any(|arg| match arg {
            Arg::Expr(expr) => self.is_temporal(scope, *expr),
            Arg::Op(OpArg::Ref(Op::Param(local), _)) => match scope.env.local(*local) {
                Some(Binding::Op { arg, .. }) => self.makes_temporal(arg),
                Some(Binding::Slot(_) | Binding::Thunk(_) | Binding::OpSlot(_) | Binding::Let(_)) | None => {
                    false
                }
            },
            Arg::Op(OpArg::Ref(Op::Def(_) | Op::Const(_) | Op::Builtin(_), _) | OpArg::Lambda(_)) => false,
        })
    }

    /// Whether an operator that is given as an argument has a temporal formula in it.
    fn makes_temporal(&self, arg: &OpArg) -> bool {
        match arg {
            OpArg::Lambda(lambda) => self.spec.levels.exprs[lambda.body] > Level::Action,
            OpArg::Ref(Op::Def(def), _) => self.spec.levels.defs[*def] > Level::Action,
            OpArg::Ref(Op::Builtin(op), _) => {
                matches!(op, Builtin::Box | Builtin::Diamond | Builtin::LeadsTo | Builtin::PlusArrow)
            }
            OpArg::Ref(Op::Param(_) | Op::Const(_), _) => false,
        }
    }

    /// Returns what a parameter stands for, following parameters that stand for other parameters.
    fn follow_params<'t>(spec: &Spec, mut thunk: &'t Rc<Thunk<'s>>) -> &'t Rc<Thunk<'s>> {
        while let ExprKind::Local(local) = spec.exprs[thunk.expr].kind
            && let Some(Binding::Thunk(outer)) = thunk.scope.env.local(local)
        {
            thunk = outer;
        }
        thunk
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other form is looked through")]
    fn temporal_here(&mut self, scope: &Scope<'s>, expr: ExprId) -> Built {
        let spec = self.spec;
        match &spec.exprs[expr].kind {
            ExprKind::Junction { kind, items } => {
                let items = items.iter().map(|&item| self.temporal(scope, item)).collect::<Result<_, _>>()?;
                Ok(match kind {
                    JunctionKind::And => TemporalTree::And(items),
                    JunctionKind::Or => TemporalTree::Or(items),
                })
            }
            ExprKind::Apply { op: Op::Builtin(op), args } => self.temporal_builtin(scope, *op, args, expr),
            ExprKind::Apply { op: Op::Def(def), args } => self.temporal_def(scope, *def, args, expr),
            ExprKind::Apply { op: Op::Param(local), args } => self.temporal_param(scope, *local, args, expr),
            ExprKind::Label { body, .. } => self.temporal(scope, *body),
            ExprKind::Let { defs, body } => {
                let (inner, thunks) = self.let_scope(scope, defs);
                let tree = self.temporal(&inner, *body)?;
                Ok(self.bound_temporal(&thunks, tree))
            }
            ExprKind::Local(local) => self.temporal_local(scope, *local, expr),
            ExprKind::If { condition, then, otherwise } => {
                let (yes, no) = (self.temporal(scope, *condition)?, self.temporal(scope, *condition)?);
                let (then, otherwise) = (self.temporal(scope, *then)?, self.temporal(scope, *otherwise)?);
                let otherwise = TemporalTree::And(vec![TemporalTree::Not(Box::new(no)), otherwise]);
                Ok(TemporalTree::Or(vec![TemporalTree::And(vec![yes, then]), otherwise]))
            }
            ExprKind::Quantified { kind, bounds, body } => {
                let (bounds, inner) = self.bounds(scope, bounds);
                let body = self.temporal(&inner, *body)?;
                self.quantified_temporal(*kind, bounds, body)
            }
            ExprKind::Fairness { kind, subscript, action } => {
                Ok(self.fair(scope, (*kind, *action, *subscript), expr))
            }
            _ => self.plain_or_refused(scope, expr, "there is no way to check this temporal formula"),
        }
    }

    /// Lowers an expression that cannot be looked through: it is fine unless it is a temporal formula after all.
    fn plain_or_refused(&mut self, scope: &Scope<'s>, expr: ExprId, what: &'static str) -> Built {
        if self.spec.levels.exprs[expr] > Level::Action {
            return Err(Obstacle { span: self.spec.exprs[expr].span, what });
        }
        Ok(TemporalTree::Plain(self.expr(scope, expr)))
    }

    fn temporal_builtin(&mut self, scope: &Scope<'s>, op: Builtin, args: &'s [Arg], expr: ExprId) -> Built {
        let operands: Vec<ExprId> = args.iter().filter_map(Self::is_expr_arg).collect();
        let span = self.spec.exprs[expr].span;
        match (op, operands.as_slice()) {
            (Builtin::And, items) => {
                let items = items.iter().map(|&item| self.temporal(scope, item));
                Ok(TemporalTree::And(items.collect::<Result<_, _>>()?))
            }
            (Builtin::Or, items) => {
                let items = items.iter().map(|&item| self.temporal(scope, item));
                Ok(TemporalTree::Or(items.collect::<Result<_, _>>()?))
            }
            (Builtin::Not, &[inner]) => Ok(TemporalTree::Not(Box::new(self.temporal(scope, inner)?))),
            (Builtin::Implies, &[left, right]) => {
                let left = TemporalTree::Not(Box::new(self.temporal(scope, left)?));
                Ok(TemporalTree::Or(vec![left, self.temporal(scope, right)?]))
            }
            (Builtin::Box, &[inner]) => Ok(TemporalTree::Always(Box::new(self.temporal(scope, inner)?))),
            (Builtin::Diamond, &[inner]) => {
                Ok(TemporalTree::Eventually(Box::new(self.temporal(scope, inner)?)))
            }
            (Builtin::LeadsTo, &[left, right]) => {
                let sides = [self.temporal(scope, left)?, self.temporal(scope, right)?];
                Ok(TemporalTree::LeadsTo(Box::new(sides), span))
            }
            // TLC: `<=>` of temporal formulas is not split.
            (_, _) => {
                self.plain_or_refused(scope, expr, "this operator cannot be checked on temporal formulas")
            }
        }
    }

    fn temporal_def(&mut self, scope: &Scope<'s>, def: DefId, args: &'s [Arg], expr: ExprId) -> Built {
        let config = self.config;
        let (def, args) = match config.replacements.defs.get(&def) {
            Some(Replacement::Def(other)) => (*other, unfold::own_args(self.spec, *other, args)),
            Some(Replacement::Value(_) | Replacement::Const(_) | Replacement::Table(_)) => {
                return Ok(TemporalTree::Plain(self.expr(scope, expr)));
            }
            None => (def, args),
        };
        let home = match scope.env.def(def).cloned() {
            Some(Binding::Thunk(thunk)) => return self.temporal(&thunk.scope, thunk.expr),
            Some(Binding::Let(entry)) => entry.scope.borrow().clone(),
            Some(Binding::Slot(_) | Binding::Op { .. } | Binding::OpSlot(_)) => None,
            None => Some(Scope { env: Env::default(), ..scope.clone() }),
        };
        let entry = &self.spec.defs[def];
        let (Some(home), DefBody::Expr(body), false) = (home, entry.body, entry.recursive) else {
            return self.plain_or_refused(scope, expr, "a temporal formula cannot be recursive");
        };
        let (inner, thunks) = self.bind_args(scope, home, &entry.params, args);
        let tree = self.temporal(&inner, body)?;
        Ok(self.bound_temporal(&thunks, tree))
    }

    /// Lowers an application of an operator parameter, looking through the operator given for it.
    fn temporal_param(&mut self, scope: &Scope<'s>, local: LocalId, args: &'s [Arg], expr: ExprId) -> Built {
        if let Some(Entered { body, scope, thunks, .. }) = self.enter_param(scope, local, args) {
            let tree = self.temporal(&scope, body)?;
            return Ok(self.bound_temporal(&thunks, tree));
        }
        if let Some(Binding::Op { arg: OpArg::Ref(Op::Builtin(op), _), .. }) = scope.env.local(local) {
            let op = *op;
            return self.temporal_builtin(scope, op, args, expr);
        }
        self.plain_or_refused(scope, expr, "there is no way to check this temporal formula")
    }

    /// Enters the body of the operator that was given for a parameter, with its own parameters bound to `args`. Returns
    /// `None` if that is neither a definition nor a LAMBDA, or a recursive one.
    pub(super) fn enter_param(
        &mut self,
        scope: &Scope<'s>,
        local: LocalId,
        args: &'s [Arg],
    ) -> Option<Entered<'s>> {
        let Some(Binding::Op { arg, scope: given }) = scope.env.local(local).cloned() else { return None };
        match arg {
            OpArg::Lambda(lambda) => {
                let (inner, thunks) = self.bind_args(scope, given, &lambda.params, args);
                Some(Entered { body: lambda.body, scope: inner, thunks, def: None })
            }
            OpArg::Ref(Op::Def(def), _) => {
                let home = match given.env.def(*def).cloned() {
                    Some(Binding::Let(entry)) => entry.scope.borrow().clone()?,
                    Some(Binding::Thunk(_) | Binding::Slot(_) | Binding::Op { .. } | Binding::OpSlot(_)) => {
                        return None;
                    }
                    None => Scope { env: Env::default(), ..scope.clone() },
                };
                let entry = &self.spec.defs[*def];
                let is_plain = !entry.recursive && !self.config.replacements.defs.contains_key(def);
                let DefBody::Expr(body) = entry.body else { return None };
                if !is_plain {
                    return None;
                }
                let (inner, thunks) = self.bind_args(scope, home, &entry.params, args);
                Some(Entered { body, scope: inner, thunks, def: Some(*def) })
            }
            OpArg::Ref(Op::Builtin(_) | Op::Param(_) | Op::Const(_), _) => None,
        }
    }

    fn temporal_local(&mut self, scope: &Scope<'s>, local: LocalId, expr: ExprId) -> Built {
        match self.temporal_thunk(scope, local) {
            Some(thunk) => self.temporal(&thunk.scope, thunk.expr),
            None => Ok(TemporalTree::Plain(self.expr(scope, expr))),
        }
    }

    /// Returns what a parameter stands for, if that is a temporal formula.
    pub(super) fn temporal_thunk(&self, scope: &Scope<'s>, local: LocalId) -> Option<Rc<Thunk<'s>>> {
        let Some(Binding::Thunk(thunk)) = scope.env.local(local) else { return None };
        self.is_temporal(&thunk.scope, thunk.expr).then(|| Rc::clone(thunk))
    }

    pub(super) fn bound_temporal(&mut self, thunks: &[Rc<Thunk<'s>>], tree: TemporalTree) -> TemporalTree {
        let memos = self.memos(thunks);
        if memos.is_empty() { tree } else { TemporalTree::Bind { memos, body: Box::new(tree) } }
    }

    pub(super) fn quantified_temporal(
        &mut self,
        kind: Quantifier,
        bounds: Vec<Bound>,
        body: TemporalTree,
    ) -> Built {
        let needs_state = |bound: &&Bound| {
            let facts = self.program.irs[bound.set].facts;
            facts.reads_state || facts.reads_next
        };
        if let Some(bound) = bounds.iter().find(needs_state) {
            let span = self.program.irs[bound.set].span;
            return Err(Obstacle {
                span,
                what: "this set depends on the state, and the formula is temporal",
            });
        }
        Ok(TemporalTree::Quantified { kind, bounds, body: Box::new(body) })
    }

    fn fair(
        &mut self,
        scope: &Scope<'s>,
        (kind, action_expr, subscript): (Fairness, ExprId, ExprId),
        expr: ExprId,
    ) -> TemporalTree {
        let span = self.spec.exprs[expr].span;
        let action = self.expr(scope, action_expr);
        let unchanged = self.lower_unchanged(scope, subscript, span);
        let step = IrKind::Step { kind: StepKind::Angle, action, unchanged };
        let step = self.node(scope.frame, step, span);
        let enabled = self.enabled_step(scope, (action_expr, subscript), expr);
        TemporalTree::Fair(FairAction { is_strong: kind == Fairness::Strong, step, enabled })
    }
}
