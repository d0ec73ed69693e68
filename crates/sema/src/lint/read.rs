//! Turns a formula into its [`Effect`](super::effect::Effect): the walk that TLC takes through an action or an
//! initial predicate (contract 3.2 and 3.3), without values.

use std::rc::Rc;

use base::{FxHashMap, with_stack};

use super::effect::{Assign, AssignForm, EffectId, EffectKind, Effects, Site, SitePart};
use crate::config::Formula;
use crate::level::Level;
use crate::spec::{
    Arg, Builtin, DefBody, DefId, ExprId, ExprKind, JunctionKind, Op, Quantifier, Spec, StepKind, VarId,
};
use crate::spec_walk::Head;
use crate::std_ops::StdOp;
use crate::unfold::{Env, Replacements, UnfoldStep, step};

/// Limit on the size of a formula with definitions unfolded. A larger one is not read to the end: the rest may do
/// anything.
const EFFECTS_MAX: usize = 100_000;
/// Limit on definitions inside definitions. Only a configuration with circular replacements comes near it.
const DEPTH_MAX: usize = 1_000;

/// Number of arguments of arguments that are examined before one is assumed to assign.
const ARGUMENTS_MAX: usize = 1_000;

/// The form of an assignment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// `x = e`
    Init,
    /// `x' = e`
    Next,
}

pub(super) struct Reading<'s, 'r> {
    pub(super) spec: &'s Spec,
    pub(super) replacements: &'r Replacements,
    pub(super) mode: Mode,
    pub(super) effects: Effects,
    /// Definitions without parameters that have been read outside of any parameters.
    known: FxHashMap<DefId, EffectId>,
    depth: usize,
}

impl<'s, 'r> Reading<'s, 'r> {
    pub(super) fn new(spec: &'s Spec, replacements: &'r Replacements, mode: Mode) -> Self {
        let n_vars = spec.modules[spec.root].variables.len();
        let effects = Effects::new(n_vars);
        Reading { spec, replacements, mode, effects, known: FxHashMap::default(), depth: 0 }
    }

    /// Reads a part of a specification.
    pub(super) fn formula(&mut self, formula: &Formula<'s>) -> EffectId {
        let span = self.spec.exprs[formula.expr].span;
        let site = match formula.def {
            Some(def) if self.spec.defs[def].body == DefBody::Expr(formula.expr) => self.whole(def, None),
            def => Site { def, part: SitePart::Other, span, caller: None },
        };
        self.read(formula.expr, &formula.env, &site)
    }

    /// Reads the conjunction of several predicates.
    pub(super) fn conjunction(&mut self, formulas: &[Formula<'s>]) -> Option<EffectId> {
        let first = formulas.first()?;
        let span = self.spec.exprs[first.expr].span;
        let site = Site { def: first.def, part: SitePart::Whole, span, caller: None };
        let parts: Vec<EffectId> = formulas.iter().map(|formula| self.formula(formula)).collect();
        match parts[..] {
            [only] => Some(only),
            _ => Some(self.effects.add(EffectKind::All(parts), site)),
        }
    }

    fn whole(&self, def: DefId, caller: Option<&Site>) -> Site {
        let caller = caller.map(|site| Rc::new(site.clone()));
        Site { def: Some(def), part: SitePart::Whole, span: self.spec.defs[def].name_span, caller }
    }

    fn read(&mut self, expr: ExprId, env: &Env<'s>, site: &Site) -> EffectId {
        if self.depth > DEPTH_MAX || self.effects.len() > EFFECTS_MAX {
            return self.add(EffectKind::Unknown, site);
        }
        self.depth += 1;
        let effect = with_stack(|| self.read_here(expr, env, site));
        self.depth -= 1;
        effect
    }

    fn add(&mut self, kind: EffectKind, site: &Site) -> EffectId {
        self.effects.add(kind, site.clone())
    }

    fn read_here(&mut self, expr: ExprId, env: &Env<'s>, site: &Site) -> EffectId {
        match step(self.spec, self.replacements, expr, env) {
            UnfoldStep::Into { expr, env, def: Some(def) } => self.read_body(def, expr, &env, site),
            UnfoldStep::Into { expr, env, def: None } => self.read(expr, &env, site),
            UnfoldStep::Junction { kind: JunctionKind::And, items, env } => {
                let parts = self.read_each(&items, &env, site, SitePart::Other);
                self.add(EffectKind::All(parts), site)
            }
            UnfoldStep::Junction { kind: JunctionKind::Or, items, env } => {
                let ways = self.read_each(&items, &env, site, SitePart::Disjunct);
                self.add(EffectKind::Any(ways), site)
            }
            UnfoldStep::Builtin { op, args, env } => self.read_builtin(op, (expr, args), &env, site),
            UnfoldStep::Bool(true) => self.add(EffectKind::Test, site),
            UnfoldStep::Bool(false) => self.add(EffectKind::Never, site),
            UnfoldStep::Opaque => self.read_opaque(expr, env, site),
            UnfoldStep::Itself => self.read_itself(expr, env, site),
        }
    }

    fn read_body(&mut self, def: DefId, body: ExprId, env: &Env<'s>, caller: &Site) -> EffectId {
        let site = self.whole(def, Some(caller));
        if !env.is_empty() {
            return self.read(body, env, &site);
        }
        if let Some(&effect) = self.known.get(&def) {
            return effect;
        }
        let effect = self.read(body, env, &site);
        self.known.insert(def, effect);
        effect
    }

    fn read_each(&mut self, items: &[ExprId], env: &Env<'s>, site: &Site, part: SitePart) -> Vec<EffectId> {
        let read = |&item: &ExprId| {
            let site = site.inner(part, self.spec.exprs[item].span);
            self.read(item, env, &site)
        };
        items.iter().map(read).collect()
    }

    fn read_builtin(
        &mut self,
        op: Builtin,
        (expr, args): (ExprId, &[Arg]),
        env: &Env<'s>,
        site: &Site,
    ) -> EffectId {
        let operands: Vec<ExprId> = args.iter().filter_map(Arg::expr).collect();
        let (how, vars) = match (op, &operands[..]) {
            (Builtin::Eq, &[left, _]) => (AssignForm::Equals, self.assigned_variables(left, env)),
            (Builtin::In | Builtin::SubsetEq, &[left, _]) => {
                (AssignForm::Chosen, self.assigned_variables(left, env))
            }
            (Builtin::Unchanged, &[expr]) if self.mode == Mode::Next => {
                (AssignForm::Unchanged, self.tuple_variables(expr, env))
            }
            (Builtin::Implies, &[_, action]) => {
                let inner = self.read(action, env, site);
                return self.add(EffectKind::Perhaps(inner), site);
            }
            // TLC: the first action leads to an intermediate state; the second must give every variable a value.
            (Builtin::Cdot, &[_, second]) => return self.read(second, env, site),
            _ => return self.add(EffectKind::Test, site),
        };
        let kind = self.assign(vars, how, expr);
        self.add(kind, site)
    }

    fn read_itself(&mut self, expr: ExprId, env: &Env<'s>, site: &Site) -> EffectId {
        match self.spec.exprs[expr].kind.head() {
            Head::Quantified { kind: Quantifier::Exists, body, bounds: _ } => self.read(body, env, site),
            Head::Quantified { kind: Quantifier::Forall, body, bounds: _ } => {
                let inner = self.read(body, env, site);
                self.add(EffectKind::Perhaps(inner), site)
            }
            Head::If { condition: _, then, otherwise } => self.branches(&[then, otherwise], env, site),
            Head::Case { arms, other } => {
                let values = arms.iter().map(|&(_, value)| value).chain(other);
                self.branches(&values.collect::<Vec<_>>(), env, site)
            }
            Head::Step { kind: StepKind::Angle, action, subscript: _ } => self.read(action, env, site),
            Head::Step { kind: StepKind::Box, action, subscript } => {
                let action = self.read(action, env, site);
                let kind =
                    self.assign(self.tuple_variables(subscript, env), AssignForm::Unchanged, subscript);
                let stutter = self.add(kind, &site.inner(SitePart::Branch, self.spec.exprs[subscript].span));
                self.add(EffectKind::Any(vec![action, stutter]), site)
            }
            Head::Other(ExprKind::FnApply { .. } | ExprKind::Unbounded { .. }) => {
                self.read_opaque(expr, env, site)
            }
            Head::Var(_)
            | Head::Const(_)
            | Head::Local(_)
            | Head::Apply { .. }
            | Head::Fairness { .. }
            | Head::Other(_) => self.add(EffectKind::Test, site),
        }
    }

    fn branches(&mut self, branches: &[ExprId], env: &Env<'s>, site: &Site) -> EffectId {
        let ways = self.read_each(branches, env, site, SitePart::Branch);
        self.add(EffectKind::Any(ways), site)
    }

    /// Reads an expression that cannot be unfolded: it may assign if primes get into it at all.
    fn read_opaque(&mut self, expr: ExprId, env: &Env<'s>, site: &Site) -> EffectId {
        let kind = match self.standard(expr) {
            Some((StdOp::Assert, args)) if args.first().is_some_and(|arg| self.is_false(arg)) => {
                EffectKind::Never
            }
            Some(_) => EffectKind::Test,
            None if self.may_assign(expr, env) => EffectKind::Unknown,
            None => EffectKind::Test,
        };
        self.add(kind, site)
    }

    /// Returns the standard operator that `expr` applies.
    fn standard(&self, expr: ExprId) -> Option<(StdOp, &'s [Arg])> {
        let ExprKind::Apply { op: Op::Def(def), args } = &self.spec.exprs[expr].kind else { return None };
        Some((self.spec.defs[*def].std?, args))
    }

    fn is_false(&self, arg: &Arg) -> bool {
        arg.expr().is_some_and(|expr| matches!(self.spec.exprs[expr].kind, ExprKind::Bool(false)))
    }

    /// Whether the expression, or an argument that it gets through its parameters, has a level that can assign.
    fn may_assign(&self, expr: ExprId, env: &Env<'s>) -> bool {
        let mut todo = vec![(expr, env.clone())];
        for _ in 0..ARGUMENTS_MAX {
            let Some((expr, env)) = todo.pop() else { return false };
            if self.spec.levels.exprs[expr] >= self.assigning_level() {
                return true;
            }
            self.spec.walk(expr, |inner| {
                if let ExprKind::Local(_) = self.spec.exprs[inner].kind
                    && let UnfoldStep::Into { expr, env, .. } =
                        step(self.spec, self.replacements, inner, &env)
                {
                    todo.push((expr, env));
                }
                true
            });
        }
        true
    }

    fn assigning_level(&self) -> Level {
        match self.mode {
            Mode::Init => Level::State,
            Mode::Next => Level::Action,
        }
    }

    /// Returns the variables that `left = e`, `left \in S` or `left \subseteq S` assigns.
    fn assigned_variables(&self, left: ExprId, env: &Env<'s>) -> Vec<usize> {
        let var = match self.mode {
            Mode::Init => self.variable(left, env),
            Mode::Next => self.primed_variable(left, env),
        };
        var.and_then(|var| self.position(var)).into_iter().collect()
    }

    /// Returns the effect of `expr` when it assigns these variables.
    fn assign(&self, vars: Vec<usize>, how: AssignForm, expr: ExprId) -> EffectKind {
        match vars.is_empty() {
            true => EffectKind::Test,
            false => EffectKind::Assign(Assign { vars, how, span: self.spec.exprs[expr].span }),
        }
    }

    /// Returns the variables of a nest of tuples, looking through definitions.
    pub(super) fn tuple_variables(&self, expr: ExprId, env: &Env<'s>) -> Vec<usize> {
        let mut vars = Vec::new();
        let mut todo = vec![(expr, env.clone())];
        for _ in 0..EFFECTS_MAX {
            let Some((expr, env)) = todo.pop() else { break };
            if let ExprKind::Var(var) = self.spec.exprs[expr].kind {
                vars.extend(self.position(var));
            } else if let ExprKind::Tuple(items) = &self.spec.exprs[expr].kind {
                todo.extend(items.iter().rev().map(|&item| (item, env.clone())));
            } else {
                todo.extend(self.same_value(expr, &env));
            }
        }
        vars
    }

    fn primed_variable(&self, expr: ExprId, env: &Env<'s>) -> Option<VarId> {
        let (mut expr, mut env) = (expr, env.clone());
        for _ in 0..DEPTH_MAX {
            if let ExprKind::Apply { op: Op::Builtin(Builtin::Prime), args } = &self.spec.exprs[expr].kind {
                return self.variable(args.first()?.expr()?, &env);
            }
            (expr, env) = self.same_value(expr, &env)?;
        }
        None
    }

    fn variable(&self, expr: ExprId, env: &Env<'s>) -> Option<VarId> {
        let (mut expr, mut env) = (expr, env.clone());
        for _ in 0..DEPTH_MAX {
            if let ExprKind::Var(var) = self.spec.exprs[expr].kind {
                return Some(var);
            }
            (expr, env) = self.same_value(expr, &env)?;
        }
        None
    }

    /// Returns the expression with the same value that `expr` leads to. TLC looks for a variable through everything
    /// without arguments: parameters, LETs, labels, definitions.
    fn same_value(&self, expr: ExprId, env: &Env<'s>) -> Option<(ExprId, Env<'s>)> {
        match step(self.spec, self.replacements, expr, env) {
            UnfoldStep::Into { expr, env, def } => {
                let plain = def.is_none_or(|def| self.spec.defs[def].params.is_empty());
                plain.then_some((expr, env))
            }
            UnfoldStep::Junction { .. }
            | UnfoldStep::Builtin { .. }
            | UnfoldStep::Bool(_)
            | UnfoldStep::Opaque
            | UnfoldStep::Itself => None,
        }
    }

    /// Returns the position of the variable in the root module's list.
    fn position(&self, var: VarId) -> Option<usize> {
        self.spec.modules[self.spec.root].variables.iter().position(|&other| other == var)
    }
}
