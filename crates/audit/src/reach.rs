//! Finds the expressions that initial states and steps are made of, and how each is used.
//!
//! Definitions are entered where they are used, with the replacements of the configuration. Standard operators and
//! embedded modules are not entered. Expressions that only fairness, a property or a constraint uses are not reached.

use base::{FxHashSet, with_stack};
use diag::{SourceId, Span};
use sema::Spec;
use sema::config::{BoundConfig, Replacement, behaviour};
use sema::spec::{Arg, Builtin, ConstId, DefBody, DefId, ExprId, ExprKind, JunctionKind, Op, OpArg, VarId};
use sema::std_ops::{Effect, StdOp};

/// The way in which an expression is used by the one around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is an operand of a conjunction.
    Conjunct,
    /// It is the next value of a variable.
    NextValue(VarId),
    Other,
}

/// An expression that can be changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub expr: ExprId,
    pub role: Role,
    /// Whether it is part of the initial predicate.
    pub in_init: bool,
}

/// Returns every expression of the behaviour, each once, in the order in which it is reached.
pub(crate) fn reach(spec: &Spec, config: &BoundConfig) -> Vec<Site> {
    let embedded = spec.modules.iter().filter(|module| module.embedded).map(|module| module.span.source);
    let mut walker = Walker {
        spec,
        config,
        embedded: embedded.collect(),
        seen: FxHashSet::default(),
        in_init: true,
        sites: Vec::new(),
    };
    let behaviour = behaviour(spec, config);
    behaviour.init.iter().for_each(|formula| walker.visit(formula.expr, Role::Other));
    walker.in_init = false;
    behaviour.next.iter().for_each(|next| walker.visit(next.action.expr, Role::Other));
    walker.sites
}

struct Walker<'a> {
    spec: &'a Spec,
    config: &'a BoundConfig,
    embedded: FxHashSet<SourceId>,
    seen: FxHashSet<ExprId>,
    in_init: bool,
    sites: Vec<Site>,
}

impl Walker<'_> {
    fn visit(&mut self, expr: ExprId, role: Role) {
        if self.seen.insert(expr) {
            with_stack(|| self.visit_here(expr, role));
        }
    }

    fn visit_here(&mut self, expr: ExprId, role: Role) {
        let spec = self.spec;
        let kind = &spec.exprs[expr].kind;
        if self.is_own(spec.exprs[expr].span) {
            self.sites.push(Site { expr, role, in_init: self.in_init });
        }
        self.enter_operators(kind);
        if is_checked_only(spec, kind) {
            return;
        }
        let below = self.role_below(kind, role);
        let mut children = Vec::new();
        kind.for_each_child(&mut |child| children.push(child));
        let updated = updated_variable(spec, expr);
        for (index, child) in children.into_iter().enumerate() {
            match updated {
                Some(variable) if index == 1 => self.visit(child, Role::NextValue(variable)),
                Some(_) | None => self.visit(child, below),
            }
        }
    }

    /// Returns the role of the parts of an expression.
    fn role_below(&self, kind: &ExprKind, role: Role) -> Role {
        if is_conjunction(kind) {
            return Role::Conjunct;
        }
        let is_around = matches!(kind, ExprKind::Let { .. } | ExprKind::Label { .. });
        if is_around { role } else { Role::Other }
    }

    /// Visits the bodies of the definitions that an expression uses.
    fn enter_operators(&mut self, kind: &ExprKind) {
        if let ExprKind::Const(constant) = kind {
            self.enter_constant(*constant);
        }
        let ExprKind::Apply { op, args } = kind else { return };
        self.enter(*op);
        for arg in args {
            if let Arg::Op(OpArg::Ref(op, _)) = arg {
                self.enter(*op);
            }
        }
    }

    fn enter(&mut self, op: Op) {
        match op {
            Op::Def(def) => self.enter_def(def),
            Op::Const(constant) => self.enter_constant(constant),
            Op::Param(_) | Op::Builtin(_) => {}
        }
    }

    fn enter_def(&mut self, def: DefId) {
        match self.config.replacements.defs.get(&def) {
            Some(replacement) => self.enter_replacement(replacement),
            None => self.enter_body(def),
        }
    }

    fn enter_constant(&mut self, constant: ConstId) {
        if let Some(replacement) = self.config.replacements.constants.get(&constant) {
            self.enter_replacement(replacement);
        }
    }

    fn enter_replacement(&mut self, replacement: &Replacement) {
        match replacement {
            Replacement::Def(def) => self.enter_body(*def),
            Replacement::Const(_) | Replacement::Value(_) | Replacement::Table(_) => {}
        }
    }

    fn enter_body(&mut self, def: DefId) {
        let entry = &self.spec.defs[def];
        if let DefBody::Expr(body) = entry.body
            && entry.std.is_none()
        {
            self.visit(body, Role::Other);
        }
    }

    /// Whether a place is in a module of the user.
    fn is_own(&self, span: Span) -> bool {
        !self.embedded.contains(&span.source)
    }
}

/// Whether it is a conjunction, as a bulleted list or infix.
pub(crate) fn is_conjunction(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Junction { kind: JunctionKind::And, .. }
            | ExprKind::Apply { op: Op::Builtin(Builtin::And), .. }
    )
}

/// Whether an expression only checks or prints, as `Assert` and `PrintT` do; such an expression is not part of a
/// behaviour.
pub(crate) fn is_checked_only(spec: &Spec, kind: &ExprKind) -> bool {
    let ExprKind::Apply { op: Op::Def(def), .. } = kind else { return false };
    let is_checked =
        |op: StdOp| op.has_effect(Effect::Prints) || op.has_effect(Effect::Asserts) || op == StdOp::TlcSet;
    spec.defs[*def].std.is_some_and(is_checked)
}

/// Returns `x` of `x' = e` or `x' \in S`.
pub(crate) fn updated_variable(spec: &Spec, expr: ExprId) -> Option<VarId> {
    let (op, [left, _]) = builtin_pair(spec, expr)?;
    let is_update = matches!(op, Builtin::Eq | Builtin::In);
    primed_variable(spec, left).filter(|_| is_update).map(|(_, variable)| variable)
}

/// Returns the operator of the language that is applied to two expressions.
pub(crate) fn builtin_pair(spec: &Spec, expr: ExprId) -> Option<(Builtin, [ExprId; 2])> {
    let ExprKind::Apply { op: Op::Builtin(op), args } = &spec.exprs[expr].kind else { return None };
    let [Arg::Expr(left), Arg::Expr(right)] = args[..] else { return None };
    Some((*op, [left, right]))
}

/// Returns `x` of `x'`: the expression without the prime, and the variable.
pub(crate) fn primed_variable(spec: &Spec, expr: ExprId) -> Option<(ExprId, VarId)> {
    let ExprKind::Apply { op: Op::Builtin(Builtin::Prime), args } = &spec.exprs[expr].kind else {
        return None;
    };
    let [Arg::Expr(inner)] = args[..] else { return None };
    let ExprKind::Var(variable) = spec.exprs[inner].kind else { return None };
    Some((inner, variable))
}
