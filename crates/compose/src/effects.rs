//! Which variables a definition reads, and which it mentions with a prime, through everything that it applies.

use base::{FxIndexMap, FxIndexSet, IdVec};
use diag::Span;
use sema::Spec;
use sema::spec::{Arg, Builtin, ConstId, DefBody, DefId, ExprId, LocalId, Op, OpArg, VarId};
use sema::spec_walk::Head;

/// Variables, each with the place where it is first mentioned.
pub type Mentions = FxIndexMap<VarId, Span>;

/// The variables and names that an expression mentions.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Variables whose value in the current state matters.
    pub reads: Mentions,
    /// Variables under a prime or UNCHANGED.
    pub primes: Mentions,
    /// Parameters and bound names that are read.
    locals: FxIndexSet<LocalId>,
    /// Parameters that are primed.
    primed_locals: FxIndexSet<LocalId>,
}

impl Effects {
    fn size(&self) -> usize {
        self.reads.len() + self.primes.len() + self.locals.len() + self.primed_locals.len()
    }

    fn read(&mut self, var: VarId, span: Span) {
        self.reads.entry(var).or_insert(span);
    }

    fn prime(&mut self, var: VarId, span: Span) {
        self.primes.entry(var).or_insert(span);
    }

    /// Returns the names that are bound outside and are read.
    pub fn locals(&self) -> impl Iterator<Item = LocalId> {
        self.locals.iter().copied()
    }

    /// Adds what a use of `other` mentions. Below a prime everything counts as primed.
    fn add(&mut self, other: &Effects, is_primed: bool) {
        for (&var, &span) in &other.primes {
            self.prime(var, span);
        }
        for (&var, &span) in &other.reads {
            if is_primed { self.prime(var, span) } else { self.read(var, span) }
        }
    }
}

/// The effects of every definition of a specification.
#[derive(Debug)]
pub struct EffectTable {
    defs: IdVec<DefId, Effects>,
}

impl EffectTable {
    /// Reads all definitions until nothing new is found; only recursion takes more than two passes.
    pub fn new(spec: &Spec) -> EffectTable {
        let mut table = EffectTable { defs: IdVec::new() };
        for _ in spec.defs.iter() {
            table.defs.push(Effects::default());
        }
        loop {
            let mut is_stable = true;
            for (id, def) in spec.defs.iter_enumerated() {
                let DefBody::Expr(body) = def.body else { continue };
                let effects = table.of_expr(spec, body);
                is_stable &= effects.size() == table.defs[id].size();
                table.defs[id] = effects;
            }
            if is_stable {
                return table;
            }
        }
    }

    pub fn of_def(&self, def: DefId) -> &Effects {
        &self.defs[def]
    }

    /// Reads one expression.
    pub fn of_expr(&self, spec: &Spec, expr: ExprId) -> Effects {
        let mut found = Effects::default();
        self.walk(spec, (expr, false), &mut found);
        found
    }

    fn walk(&self, spec: &Spec, (expr, is_primed): (ExprId, bool), found: &mut Effects) {
        base::with_stack(|| {
            let span = spec.exprs[expr].span;
            let kind = &spec.exprs[expr].kind;
            match kind.head() {
                Head::Var(var) if is_primed => found.prime(var, span),
                Head::Var(var) => found.read(var, span),
                Head::Local(local) => {
                    let locals = if is_primed { &mut found.primed_locals } else { &mut found.locals };
                    locals.insert(local);
                }
                Head::Apply { op, args } => self.apply(spec, (op, args, is_primed), found),
                Head::Step { action, subscript, kind: _ } => {
                    self.walk(spec, (action, is_primed), found);
                    self.walk(spec, (subscript, true), found);
                    self.walk(spec, (subscript, is_primed), found);
                }
                Head::Fairness { action, subscript } => {
                    self.reads_alone(spec, action, found);
                    self.reads_alone(spec, subscript, found);
                }
                Head::Const(_)
                | Head::Quantified { .. }
                | Head::If { .. }
                | Head::Case { .. }
                | Head::Other(_) => {
                    kind.for_each_child(&mut |child| self.walk(spec, (child, is_primed), found));
                }
            }
        });
    }

    /// Adds what ENABLED and fairness depend on: the current state alone.
    fn reads_alone(&self, spec: &Spec, expr: ExprId, found: &mut Effects) {
        let inner = self.of_expr(spec, expr);
        for (&var, &span) in inner.reads.iter().chain(&inner.primes) {
            found.read(var, span);
        }
        found.locals.extend(inner.locals.iter().chain(&inner.primed_locals).copied());
    }

    fn apply(&self, spec: &Spec, (op, args, is_primed): (Op, &[Arg], bool), found: &mut Effects) {
        match op {
            Op::Builtin(Builtin::Prime | Builtin::Unchanged) => self.each(spec, (args, true), found),
            Op::Builtin(Builtin::Enabled) => {
                args.iter().filter_map(Arg::expr).for_each(|arg| self.reads_alone(spec, arg, found));
            }
            Op::Builtin(_) | Op::Const(_) => self.each(spec, (args, is_primed), found),
            Op::Param(local) => {
                found.locals.insert(local);
                self.each(spec, (args, is_primed), found);
            }
            Op::Def(def) => self.call(spec, (def, args, is_primed), found),
        }
    }

    fn each(&self, spec: &Spec, (args, is_primed): (&[Arg], bool), found: &mut Effects) {
        args.iter().for_each(|arg| self.arg(spec, (arg, is_primed), found));
    }

    fn arg(&self, spec: &Spec, (arg, is_primed): (&Arg, bool), found: &mut Effects) {
        match arg {
            Arg::Expr(expr) => self.walk(spec, (*expr, is_primed), found),
            Arg::Op(OpArg::Lambda(lambda)) => self.walk(spec, (lambda.body, is_primed), found),
            Arg::Op(OpArg::Ref(Op::Def(def), _)) => found.add(&self.defs[*def], is_primed),
            Arg::Op(OpArg::Ref(Op::Param(local), _)) => drop(found.locals.insert(*local)),
            Arg::Op(OpArg::Ref(Op::Const(_) | Op::Builtin(_), _)) => {}
        }
    }

    fn call(&self, spec: &Spec, (id, args, is_primed): (DefId, &[Arg], bool), found: &mut Effects) {
        let def = &spec.defs[id];
        if !matches!(def.body, DefBody::Expr(_)) {
            return self.each(spec, (args, is_primed), found);
        }
        let effects = &self.defs[id];
        found.add(effects, is_primed);
        for (param, arg) in def.params.iter().zip(args) {
            if effects.locals.contains(param) {
                self.arg(spec, (arg, is_primed), found);
            }
            if effects.primed_locals.contains(param) {
                self.arg(spec, (arg, true), found);
            }
        }
        // A definition of a LET reads names that are bound around it.
        let outer = |local: &&LocalId| !def.params.contains(local);
        found.locals.extend(effects.locals.iter().filter(outer).copied());
        let primed = effects.primed_locals.iter().filter(outer).copied();
        if is_primed { found.locals.extend(primed) } else { found.primed_locals.extend(primed) }
    }
}

/// Everything that some expressions lead to, each with the place that leads there first.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    pub defs: FxIndexMap<DefId, Span>,
    pub vars: Mentions,
    pub constants: FxIndexMap<ConstId, Span>,
}

impl Reach {
    /// Follows the definitions that `roots` apply, replaced ones included.
    pub fn new(spec: &Spec, roots: impl IntoIterator<Item = ExprId>) -> Reach {
        let mut reach = Reach::default();
        let mut todo: Vec<ExprId> = roots.into_iter().collect();
        while let Some(root) = todo.pop() {
            reach.expr(spec, root, &mut todo);
        }
        reach
    }

    /// Follows `roots` and the definitions `defs`, which count as reached themselves.
    pub fn with_defs(
        spec: &Spec,
        roots: impl IntoIterator<Item = ExprId>,
        defs: impl IntoIterator<Item = DefId>,
    ) -> Reach {
        let mut reach = Reach::new(spec, roots);
        let mut todo = Vec::new();
        for def in defs {
            reach.op(spec, (Op::Def(def), spec.defs[def].name_span), &mut todo);
        }
        while let Some(root) = todo.pop() {
            reach.expr(spec, root, &mut todo);
        }
        reach
    }

    fn expr(&mut self, spec: &Spec, root: ExprId, todo: &mut Vec<ExprId>) {
        spec.walk(root, |expr| {
            let span = spec.exprs[expr].span;
            match spec.exprs[expr].kind.head() {
                Head::Var(var) => drop(self.vars.entry(var).or_insert(span)),
                Head::Const(constant) => drop(self.constants.entry(constant).or_insert(span)),
                Head::Apply { op, args } => {
                    self.op(spec, (op, span), todo);
                    for arg in args {
                        if let Arg::Op(OpArg::Ref(op, span)) = arg {
                            self.op(spec, (*op, *span), todo);
                        }
                    }
                }
                Head::Local(_)
                | Head::Quantified { .. }
                | Head::If { .. }
                | Head::Case { .. }
                | Head::Step { .. }
                | Head::Fairness { .. }
                | Head::Other(_) => {}
            }
            true
        });
    }

    fn op(&mut self, spec: &Spec, (op, span): (Op, Span), todo: &mut Vec<ExprId>) {
        match op {
            Op::Def(def) => {
                if !self.defs.contains_key(&def) {
                    self.defs.insert(def, span);
                    if let DefBody::Expr(body) = spec.defs[def].body {
                        todo.push(body);
                    }
                }
            }
            Op::Const(constant) => drop(self.constants.entry(constant).or_insert(span)),
            Op::Param(_) | Op::Builtin(_) => {}
        }
    }
}

/// Returns the body of a definition.
pub fn body_of(spec: &Spec, def: DefId) -> Option<ExprId> {
    match spec.defs[def].body {
        DefBody::Expr(body) => Some(body),
        DefBody::Native | DefBody::Missing => None,
    }
}
