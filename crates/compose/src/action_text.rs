//! An action as its text says it: the variables that decide whether it can happen, and what each update is made from.

use base::{FxHashMap, FxIndexMap};
use diag::Span;
use sema::Spec;
use sema::level::Level;
use sema::spec::{Arg, Bound, Builtin, DefId, ExprId, ExprKind, LocalId, Op, OpArg, VarId};
use sema::spec_walk::Head;
use sema::unfold::{Env, Replacements, UnfoldStep, step};

use crate::effects::{EffectTable, Effects, Mentions};

/// Limit on how far parameters lead to arguments that lead to arguments.
const ARGUMENTS_MAX: usize = 10_000;

/// An action that was read.
#[derive(Clone, Debug, Default)]
pub struct ActionText {
    /// The variables in enabling conditions, each with the first condition that has it.
    pub enabling: Mentions,
    pub updates: Vec<Update>,
}

/// An update of a variable: `v' = e` or `v' \in S`.
#[derive(Clone, Debug)]
pub struct Update {
    pub var: VarId,
    /// The place of the conjunct.
    pub span: Span,
    /// The variables that the new value is computed from.
    pub from: Mentions,
    /// The text of the new value, in a form that two grains can be compared by.
    pub value: String,
}

/// Reads the body of an action. The updates of operators that it applies count as its own.
pub fn read(spec: &Spec, table: &EffectTable, body: ExprId) -> ActionText {
    let replacements = Replacements::default();
    let mut reader = ActionReader {
        spec,
        table,
        replacements: &replacements,
        bound: FxHashMap::default(),
        found: ActionText::default(),
    };
    reader.read(body, &Env::new());
    reader.found
}

struct ActionReader<'s, 'r> {
    spec: &'s Spec,
    table: &'r EffectTable,
    replacements: &'r Replacements,
    /// For each name that a quantifier binds, the variables that its set is made from.
    bound: FxHashMap<LocalId, Mentions>,
    found: ActionText,
}

impl<'s> ActionReader<'s, '_> {
    fn read(&mut self, expr: ExprId, env: &Env<'s>) {
        base::with_stack(|| self.read_here(expr, env));
    }

    fn read_here(&mut self, expr: ExprId, env: &Env<'s>) {
        if self.is_condition(expr, env) {
            return self.condition(expr, env);
        }
        match step(self.spec, self.replacements, expr, env) {
            UnfoldStep::Into { expr, env, def: _ } => self.read(expr, &env),
            UnfoldStep::Junction { items, env, kind: _ } => {
                items.into_iter().for_each(|item| self.read(item, &env));
            }
            UnfoldStep::Builtin { op, args, env } => self.builtin(op, (expr, args), &env),
            UnfoldStep::Bool(_) => {}
            UnfoldStep::Opaque => self.condition(expr, env),
            UnfoldStep::Itself => self.itself(expr, env),
        }
    }

    /// Whether an expression is about the current state alone.
    fn is_condition(&self, expr: ExprId, env: &Env<'s>) -> bool {
        if self.spec.levels.exprs[expr] >= Level::Action {
            return false;
        }
        let effects = self.table.of_expr(self.spec, expr);
        effects.primes.is_empty() && !self.leads_to_primes(&effects, env)
    }

    /// Whether a parameter of the expression stands for something with primes.
    fn leads_to_primes(&self, effects: &Effects, env: &Env<'s>) -> bool {
        let mut has_primes = false;
        self.follow(effects, env, &mut |effects| has_primes |= !effects.primes.is_empty());
        has_primes
    }

    fn builtin(&mut self, op: Builtin, (expr, args): (ExprId, &'s [Arg]), env: &Env<'s>) {
        let operands: Vec<ExprId> = args.iter().filter_map(Arg::expr).collect();
        match (op, operands.as_slice()) {
            (Builtin::Eq | Builtin::In | Builtin::SubsetEq, &[left, right]) => {
                match self.primed_variable(left, env) {
                    Some(var) => self.update(var, (expr, right), env),
                    None => self.condition(expr, env),
                }
            }
            (Builtin::Unchanged, _) => {}
            (Builtin::Implies, &[condition, action]) => {
                self.condition(condition, env);
                self.read(action, env);
            }
            _ => self.condition(expr, env),
        }
    }

    fn itself(&mut self, expr: ExprId, env: &Env<'s>) {
        match self.spec.exprs[expr].kind.head() {
            Head::Quantified { bounds, body, kind: _ } => {
                self.bind(bounds, env);
                self.read(body, env);
            }
            Head::If { condition, then, otherwise } => {
                self.condition(condition, env);
                self.read(then, env);
                self.read(otherwise, env);
            }
            Head::Case { arms, other } => {
                for &(guard, value) in arms {
                    self.condition(guard, env);
                    self.read(value, env);
                }
                other.iter().for_each(|&other| self.read(other, env));
            }
            Head::Step { action, kind: _, subscript: _ } => self.read(action, env),
            Head::Var(_)
            | Head::Const(_)
            | Head::Local(_)
            | Head::Apply { .. }
            | Head::Fairness { .. }
            | Head::Other(_) => self.condition(expr, env),
        }
    }

    fn bind(&mut self, bounds: &[Bound], env: &Env<'s>) {
        for bound in bounds {
            let mentions = self.mentions(bound.set, env);
            let span = self.spec.exprs[bound.set].span;
            for &var in mentions.keys() {
                self.found.enabling.entry(var).or_insert(span);
            }
            for &local in bound.pattern.locals() {
                self.bound.insert(local, mentions.clone());
            }
        }
    }

    /// Enters an enabling condition, with the place of the whole condition.
    fn condition(&mut self, expr: ExprId, env: &Env<'s>) {
        let span = self.spec.exprs[expr].span;
        for &var in self.mentions(expr, env).keys() {
            self.found.enabling.entry(var).or_insert(span);
        }
    }

    fn update(&mut self, var: VarId, (expr, right): (ExprId, ExprId), env: &Env<'s>) {
        let span = self.spec.exprs[expr].span;
        let from = self.mentions(right, env);
        let value = self.text(right, env, 0);
        self.found.updates.push(Update { var, span, from, value });
    }

    /// Returns the variables that an expression mentions in any way, through parameters and quantifiers.
    fn mentions(&self, expr: ExprId, env: &Env<'s>) -> Mentions {
        let mut found: Mentions = FxIndexMap::default();
        let effects = self.table.of_expr(self.spec, expr);
        self.follow(&effects, env, &mut |effects| {
            for (&var, &span) in effects.reads.iter().chain(&effects.primes) {
                found.entry(var).or_insert(span);
            }
            for local in effects.locals() {
                for (&var, &span) in self.bound.get(&local).into_iter().flatten() {
                    found.entry(var).or_insert(span);
                }
            }
        });
        found
    }

    /// Calls `visit` with the effects of an expression, and with those of all arguments that its parameters stand for.
    fn follow(&self, effects: &Effects, env: &Env<'s>, visit: &mut dyn FnMut(&Effects)) {
        let mut todo: Vec<(Effects, Env<'s>)> = vec![(effects.clone(), env.clone())];
        for _ in 0..ARGUMENTS_MAX {
            let Some((effects, env)) = todo.pop() else { return };
            visit(&effects);
            for local in effects.locals() {
                let Some((arg, caller)) = env.lookup(local) else { continue };
                let expr = match arg {
                    Arg::Expr(expr) => Some(*expr),
                    Arg::Op(OpArg::Lambda(lambda)) => Some(lambda.body),
                    Arg::Op(OpArg::Ref(Op::Def(def), _)) => self.body(*def),
                    Arg::Op(OpArg::Ref(_, _)) => None,
                };
                if let Some(expr) = expr {
                    todo.push((self.table.of_expr(self.spec, expr), caller.clone()));
                }
            }
        }
    }

    fn body(&self, def: DefId) -> Option<ExprId> {
        crate::effects::body_of(self.spec, def)
    }

    /// Returns the variable if `expr` is one with a prime.
    fn primed_variable(&self, expr: ExprId, env: &Env<'s>) -> Option<VarId> {
        let (mut expr, mut env) = (expr, env.clone());
        let mut is_primed = false;
        for _ in 0..ARGUMENTS_MAX {
            let kind = &self.spec.exprs[expr].kind;
            if let ExprKind::Var(var) = kind {
                return is_primed.then_some(*var);
            }
            if let ExprKind::Apply { op: Op::Builtin(Builtin::Prime), args } = kind {
                is_primed = true;
                expr = args.first()?.expr()?;
                continue;
            }
            let UnfoldStep::Into { expr: inner, env: inside, def: _ } =
                step(self.spec, self.replacements, expr, &env)
            else {
                return None;
            };
            (expr, env) = (inner, inside);
        }
        None
    }

    /// Returns the text of an expression with blanks evened out, and what its parameters stand for.
    fn text(&self, expr: ExprId, env: &Env<'s>, depth: usize) -> String {
        const DEPTH_MAX: usize = 8;
        let span = self.spec.exprs[expr].span;
        let written = self.spec.sources.text(span);
        let mut text = written.split_whitespace().collect::<Vec<_>>().join(" ");
        if depth >= DEPTH_MAX {
            return text;
        }
        let effects = self.table.of_expr(self.spec, expr);
        for local in effects.locals() {
            if let Some((Arg::Expr(arg), caller)) = env.lookup(local) {
                let name = self.spec.names.text(self.spec.locals[local].name);
                let meaning = self.text(*arg, caller, depth + 1);
                if meaning != name {
                    text.push_str(&format!(" where {name} is {meaning}"));
                }
            }
        }
        text
    }
}
