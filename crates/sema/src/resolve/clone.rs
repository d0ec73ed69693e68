//! Copies of resolved expressions with replacements for constants, variables and names.
//!
//! Every binder of a copy is fresh, so that a [`LocalId`] stays unique in the spec.

use std::rc::Rc;

use base::FxHashMap;
use diag::{Code, Diagnostic};

use super::Resolver;
use crate::spec::{
    Arg, AssumeItem, Bound, Builtin, Def, DefBody, DefId, DefKind, ExceptStep, ExceptUpdate, Expr, ExprId,
    ExprKind, InstanceId, Lambda, LocalId, Op, OpArg, Pattern, SubstTarget,
};

/// Limit on the number of expressions that INSTANCE and subexpression names may add to a specification. Each module can
/// double what the one before it made, so a few lines could go on forever. The most that a public specification needs
/// is about 20,000.
const MAX_COPIED: u64 = 1_000_000;

/// The replacements made in a copy.
#[derive(Default)]
pub(super) struct CloneContext {
    /// The INSTANCE being carried out: definitions that the copy refers to are instantiated too.
    pub(super) instance: Option<InstanceId>,
    /// Copies of the INSTANCE's parameters, in order.
    pub(super) instance_params: Vec<LocalId>,
    pub(super) targets: Rc<FxHashMap<SubstTarget, Arg>>,
    pub(super) locals: FxHashMap<LocalId, LocalId>,
    /// LET definitions copied along.
    pub(super) defs: FxHashMap<DefId, DefId>,
}

impl CloneContext {
    /// Returns the mapping of the INSTANCE's parameters alone: a substituted expression can mention nothing else.
    pub(super) fn params_only(&self, resolver: &Resolver<'_>) -> FxHashMap<LocalId, LocalId> {
        let Some(instance) = self.instance else { return FxHashMap::default() };
        let originals = resolver.spec.instances[instance].params.iter().copied();
        originals.zip(self.instance_params.iter().copied()).collect()
    }
}

/// Something outside an expression that it refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reference {
    Def(DefId),
    Target(SubstTarget),
}

impl Resolver<'_> {
    /// Calls `visit` with every definition, constant and variable that `expr` mentions, LET bodies
    /// included.
    pub(super) fn visit_references(&self, expr: ExprId, visit: &mut impl FnMut(Reference)) {
        let mut todo = vec![expr];
        while let Some(next) = todo.pop() {
            let kind = &self.spec.exprs[next].kind;
            if let ExprKind::Const(id) = kind {
                visit(Reference::Target(SubstTarget::Const(*id)));
            } else if let ExprKind::Var(id) = kind {
                visit(Reference::Target(SubstTarget::Var(*id)));
            } else if let ExprKind::Apply { op, args } = kind {
                visit_op(*op, visit);
                for arg in args {
                    if let Arg::Op(OpArg::Ref(op, _)) = arg {
                        visit_op(*op, visit);
                    }
                }
            }
            for &def in kind.let_defs() {
                if let DefBody::Expr(body) = self.spec.defs[def].body {
                    todo.push(body);
                }
            }
            kind.for_each_child(&mut |child| todo.push(child));
        }
    }

    /// Whether `n_nodes` more expressions may be copied, or read once more. Reported once.
    pub(super) fn may_copy(&mut self, context: &CloneContext, expr: ExprId, n_nodes: u64) -> bool {
        let before = self.n_copied;
        self.n_copied = before.saturating_add(n_nodes);
        if self.n_copied <= MAX_COPIED {
            return true;
        }
        if before <= MAX_COPIED {
            let span = match context.instance {
                Some(id) => self.spec.instances[id].span,
                None => self.spec.exprs[expr].span,
            };
            let headline =
                format!("INSTANCE makes more than {MAX_COPIED} expressions out of this specification");
            let diagnostic = Diagnostic::new(Code::TooLarge, span, headline);
            let note = "every INSTANCE repeats the definitions of its module with other things in place";
            self.report(diagnostic.note(note));
        }
        false
    }

    /// Returns the number of expressions that are read with `expr`. An expression that stands in several places counts
    /// each time.
    pub(super) fn tree_size(&mut self, expr: ExprId) -> u64 {
        if let Some(&size) = self.tree_sizes.get(&expr) {
            return size;
        }
        base::with_stack(|| {
            let children = self.spec.children(expr);
            let defs: Vec<DefId> = self.spec.exprs[expr].kind.let_defs().to_vec();
            let bodies = defs.iter().filter_map(|&def| match self.spec.defs[def].body {
                DefBody::Expr(body) => Some(body),
                DefBody::Native | DefBody::Missing => None,
            });
            let parts: Vec<ExprId> = children.into_iter().chain(bodies).collect();
            let size = parts.into_iter().fold(1_u64, |size, part| size.saturating_add(self.tree_size(part)));
            self.tree_sizes.insert(expr, size);
            size
        })
    }

    /// Copies a binder. `context` then uses the copy in its place.
    pub(super) fn fresh_binder(&mut self, context: &mut CloneContext, local: LocalId) -> LocalId {
        let copy = self.spec.locals[local];
        let id = self.spec.locals.push(copy);
        context.locals.insert(local, id);
        id
    }

    fn fresh_all(&mut self, context: &mut CloneContext, locals: &[LocalId]) -> Vec<LocalId> {
        locals.iter().map(|&local| self.fresh_binder(context, local)).collect()
    }

    pub(super) fn clone_expr(&mut self, context: &mut CloneContext, id: ExprId) -> ExprId {
        let copy = base::with_stack(|| self.clone_here(context, id));
        self.note_copy(context, id, copy)
    }

    /// Notes for a copy which variables were replaced and which INSTANCEs are around an ENABLED. Returns the copy, or a
    /// second one if it already stands for something else.
    fn note_copy(&mut self, context: &CloneContext, id: ExprId, copy: ExprId) -> ExprId {
        self.note_enabled(context, id, copy);
        let before = self.spec.replaced.get(&id).cloned().unwrap_or_default();
        let kind = &self.spec.exprs[id].kind;
        let own = match (kind, context.instance) {
            (&ExprKind::Var(variable), Some(instance)) if copy != id => Some((instance, variable)),
            (_, _) => None,
        };
        if copy == id || before.is_empty() && own.is_none() {
            return copy;
        }
        let known = self.spec.replaced.get(&copy).cloned().unwrap_or_default();
        let all: Vec<_> = before.iter().copied().chain(own).chain(known.iter().copied()).collect();
        if known.is_empty() || before.is_empty() && own.is_some_and(|own| known.contains(&own)) {
            self.spec.replaced.entry(copy).or_insert(all);
            return copy;
        }
        let Expr { kind, span } = self.spec.exprs[copy].clone();
        let another = self.add(kind, span);
        self.spec.replaced.insert(another, all);
        another
    }

    fn note_enabled(&mut self, context: &CloneContext, id: ExprId, copy: ExprId) {
        let is_enabled = matches!(
            self.spec.exprs[copy].kind,
            ExprKind::Fairness { .. } | ExprKind::Apply { op: Op::Builtin(Builtin::Enabled), .. }
        );
        if !is_enabled || copy == id {
            return;
        }
        let mut within = self.spec.enabled_within.get(&id).cloned().unwrap_or_default();
        within.extend(context.instance);
        if !within.is_empty() {
            self.spec.enabled_within.insert(copy, within);
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm per form of expression")]
    fn clone_here(&mut self, cx: &mut CloneContext, id: ExprId) -> ExprId {
        if !self.may_copy(cx, id, 1) {
            return self.error_expr(self.spec.exprs[id].span);
        }
        let Expr { kind, span } = self.spec.exprs[id].clone();
        let kind = match kind {
            ExprKind::Int(_)
            | ExprKind::Decimal(_)
            | ExprKind::Str(_)
            | ExprKind::Bool(_)
            | ExprKind::BuiltinSet(_)
            | ExprKind::Error => return id,
            ExprKind::Const(constant) => match cx.targets.get(&SubstTarget::Const(constant)) {
                Some(&Arg::Expr(value)) => return self.substitute(cx, value),
                Some(Arg::Op(_)) | None => return id,
            },
            ExprKind::Var(variable) => match cx.targets.get(&SubstTarget::Var(variable)) {
                Some(&Arg::Expr(value)) => return self.substitute(cx, value),
                Some(Arg::Op(_)) | None => return id,
            },
            ExprKind::Local(local) => match cx.locals.get(&local) {
                Some(&copy) => ExprKind::Local(copy),
                None => return id,
            },
            ExprKind::Apply { op, args } => return self.clone_apply(cx, op, &args, span),
            ExprKind::Junction { kind, items } => {
                ExprKind::Junction { kind, items: self.clone_exprs(cx, &items) }
            }
            ExprKind::Tuple(items) => ExprKind::Tuple(self.clone_exprs(cx, &items)),
            ExprKind::Product(items) => ExprKind::Product(self.clone_exprs(cx, &items)),
            ExprKind::SetEnum(items) => ExprKind::SetEnum(self.clone_exprs(cx, &items)),
            ExprKind::SetFilter { bound, predicate } => {
                let bound = self.clone_bound(cx, &bound);
                ExprKind::SetFilter { bound, predicate: self.clone_expr(cx, predicate) }
            }
            ExprKind::SetMap { body, bounds } => {
                let bounds = self.clone_bounds(cx, &bounds);
                ExprKind::SetMap { body: self.clone_expr(cx, body), bounds }
            }
            ExprKind::Function { bounds, body } => {
                let bounds = self.clone_bounds(cx, &bounds);
                ExprKind::Function { bounds, body: self.clone_expr(cx, body) }
            }
            ExprKind::FunctionSet { domain, range } => ExprKind::FunctionSet {
                domain: self.clone_expr(cx, domain),
                range: self.clone_expr(cx, range),
            },
            ExprKind::FnApply { function, args } => ExprKind::FnApply {
                function: self.clone_expr(cx, function),
                args: self.clone_exprs(cx, &args),
            },
            ExprKind::Record(fields) => ExprKind::Record(self.clone_fields(cx, &fields)),
            ExprKind::RecordSet(fields) => ExprKind::RecordSet(self.clone_fields(cx, &fields)),
            ExprKind::Field { record, field } => {
                ExprKind::Field { record: self.clone_expr(cx, record), field }
            }
            ExprKind::Except { base, updates } => {
                let base = self.clone_expr(cx, base);
                let updates = updates.iter().map(|update| self.clone_update(cx, update)).collect();
                ExprKind::Except { base, updates }
            }
            ExprKind::Quantified { kind, bounds, body } => {
                let bounds = self.clone_bounds(cx, &bounds);
                ExprKind::Quantified { kind, bounds, body: self.clone_expr(cx, body) }
            }
            ExprKind::Unbounded { kind, locals, body } => {
                let locals = self.fresh_all(cx, &locals);
                ExprKind::Unbounded { kind, locals, body: self.clone_expr(cx, body) }
            }
            ExprKind::Choose { pattern, set, body } => {
                let set = set.map(|set| self.clone_expr(cx, set));
                let pattern = self.clone_pattern(cx, &pattern);
                ExprKind::Choose { pattern, set, body: self.clone_expr(cx, body) }
            }
            ExprKind::If { condition, then, otherwise } => ExprKind::If {
                condition: self.clone_expr(cx, condition),
                then: self.clone_expr(cx, then),
                otherwise: self.clone_expr(cx, otherwise),
            },
            ExprKind::Case { arms, other } => ExprKind::Case {
                arms: arms.iter().map(|&(g, e)| (self.clone_expr(cx, g), self.clone_expr(cx, e))).collect(),
                other: other.map(|other| self.clone_expr(cx, other)),
            },
            ExprKind::Let { defs, body } => {
                let defs = self.clone_let_defs(cx, &defs);
                ExprKind::Let { defs, body: self.clone_expr(cx, body) }
            }
            ExprKind::Label { name, params, body } => {
                let params = params.iter().map(|param| *cx.locals.get(param).unwrap_or(param)).collect();
                ExprKind::Label { name, params, body: self.clone_expr(cx, body) }
            }
            ExprKind::Step { kind, action, subscript } => ExprKind::Step {
                kind,
                action: self.clone_expr(cx, action),
                subscript: self.clone_expr(cx, subscript),
            },
            ExprKind::Fairness { kind, subscript, action } => ExprKind::Fairness {
                kind,
                subscript: self.clone_expr(cx, subscript),
                action: self.clone_expr(cx, action),
            },
            ExprKind::AssumeProve { assumptions, goal } => {
                let assumptions = assumptions.iter().map(|item| self.clone_assumption(cx, item)).collect();
                ExprKind::AssumeProve { assumptions, goal: self.clone_expr(cx, goal) }
            }
        };
        self.add(kind, span)
    }

    fn clone_exprs(&mut self, cx: &mut CloneContext, ids: &[ExprId]) -> Vec<ExprId> {
        ids.iter().map(|&id| self.clone_expr(cx, id)).collect()
    }

    fn clone_fields(
        &mut self,
        cx: &mut CloneContext,
        fields: &[(base::Name, ExprId)],
    ) -> Vec<(base::Name, ExprId)> {
        fields.iter().map(|&(name, value)| (name, self.clone_expr(cx, value))).collect()
    }

    fn clone_bounds(&mut self, cx: &mut CloneContext, bounds: &[Bound]) -> Vec<Bound> {
        let sets: Vec<ExprId> = bounds.iter().map(|bound| self.clone_expr(cx, bound.set)).collect();
        let pairs = bounds.iter().zip(sets);
        pairs.map(|(bound, set)| Bound { pattern: self.clone_pattern(cx, &bound.pattern), set }).collect()
    }

    fn clone_bound(&mut self, cx: &mut CloneContext, bound: &Bound) -> Bound {
        let set = self.clone_expr(cx, bound.set);
        Bound { pattern: self.clone_pattern(cx, &bound.pattern), set }
    }

    fn clone_pattern(&mut self, cx: &mut CloneContext, pattern: &Pattern) -> Pattern {
        match pattern {
            Pattern::Names(locals) => Pattern::Names(self.fresh_all(cx, locals)),
            Pattern::Tuple(locals) => Pattern::Tuple(self.fresh_all(cx, locals)),
        }
    }

    fn clone_update(&mut self, cx: &mut CloneContext, update: &ExceptUpdate) -> ExceptUpdate {
        let path = update.path.iter().map(|step| match step {
            ExceptStep::Field(name) => ExceptStep::Field(*name),
            ExceptStep::Index(args) => ExceptStep::Index(self.clone_exprs(cx, args)),
        });
        let path = path.collect();
        let at = self.fresh_binder(cx, update.at);
        ExceptUpdate { path, at, value: self.clone_expr(cx, update.value), span: update.span }
    }

    fn clone_assumption(&mut self, cx: &mut CloneContext, item: &AssumeItem) -> AssumeItem {
        match *item {
            AssumeItem::Fact(fact) => AssumeItem::Fact(self.clone_expr(cx, fact)),
            AssumeItem::New { local, set } => {
                let set = set.map(|set| self.clone_expr(cx, set));
                AssumeItem::New { local: self.fresh_binder(cx, local), set }
            }
        }
    }

    /// Copies the definitions of one LET, which may use one another.
    pub(super) fn clone_let_defs(&mut self, cx: &mut CloneContext, defs: &[DefId]) -> Vec<DefId> {
        let copies: Vec<DefId> = defs.iter().map(|&def| self.clone_let_def(cx, def)).collect();
        for &copy in &copies {
            self.fill_let_def(cx, copy);
        }
        copies
    }

    fn clone_let_def(&mut self, cx: &mut CloneContext, def: DefId) -> DefId {
        let original = self.spec.defs[def].clone();
        let params = self.fresh_all(cx, &original.params);
        let copy = self.spec.defs.push(Def { params, ..original });
        cx.defs.insert(def, copy);
        copy
    }

    fn fill_let_def(&mut self, cx: &mut CloneContext, copy: DefId) {
        if let DefBody::Expr(body) = self.spec.defs[copy].body {
            self.spec.defs[copy].body = DefBody::Expr(self.clone_expr(cx, body));
        }
    }

    fn clone_apply(&mut self, cx: &mut CloneContext, op: Op, args: &[Arg], span: diag::Span) -> ExprId {
        let args: Vec<Arg> = args.iter().map(|arg| self.clone_arg(cx, arg)).collect();
        match op {
            Op::Builtin(_) => self.apply(op, args, span),
            Op::Param(local) => {
                let op = Op::Param(*cx.locals.get(&local).unwrap_or(&local));
                self.apply(op, args, span)
            }
            Op::Def(def) => {
                let (def, mut all) = self.clone_def_reference(cx, def, span);
                all.extend(args);
                self.apply(Op::Def(def), all, span)
            }
            Op::Const(constant) => match cx.targets.get(&SubstTarget::Const(constant)).cloned() {
                Some(Arg::Op(OpArg::Ref(op, _))) => {
                    let op = self.substitute_op(cx, op);
                    self.apply(op, args, span)
                }
                Some(Arg::Op(OpArg::Lambda(lambda))) => self.apply_lambda(cx, &lambda, args, span),
                Some(Arg::Expr(value)) => value,
                None => self.apply(op, args, span),
            },
        }
    }

    /// Copies a substituted operator. It can mention the INSTANCE's parameters, and nothing else of the context.
    fn substitute_op(&self, cx: &CloneContext, op: Op) -> Op {
        match op {
            Op::Param(local) => Op::Param(*cx.params_only(self).get(&local).unwrap_or(&local)),
            Op::Def(_) | Op::Const(_) | Op::Builtin(_) => op,
        }
    }

    /// Applies a LAMBDA that was substituted for a constant operator, by a LET around its application.
    fn apply_lambda(
        &mut self,
        cx: &CloneContext,
        lambda: &Lambda,
        args: Vec<Arg>,
        span: diag::Span,
    ) -> ExprId {
        let lambda = self.substitute_lambda(cx, lambda);
        let name = self.spec.names.intern("LAMBDA");
        let def = self.spec.defs.push(Def {
            name,
            name_span: lambda.span,
            span: lambda.span,
            module: self.frame().module,
            kind: DefKind::Let,
            params: lambda.params,
            body: DefBody::Expr(lambda.body),
            local: true,
            recursive: false,
            std: None,
            origin: None,
        });
        let body = self.apply(Op::Def(def), args, span);
        self.add(ExprKind::Let { defs: vec![def], body }, span)
    }

    /// Returns a fresh copy, because the same LAMBDA can be applied in many places.
    fn substitute_lambda(&mut self, cx: &CloneContext, lambda: &Lambda) -> Lambda {
        let mut inner = CloneContext { locals: cx.params_only(self), ..CloneContext::default() };
        self.clone_lambda(&mut inner, lambda)
    }

    fn clone_lambda(&mut self, cx: &mut CloneContext, lambda: &Lambda) -> Lambda {
        let params = self.fresh_all(cx, &lambda.params);
        Lambda { params, body: self.clone_expr(cx, lambda.body), span: lambda.span }
    }

    pub(super) fn clone_arg(&mut self, cx: &mut CloneContext, arg: &Arg) -> Arg {
        match arg {
            Arg::Expr(expr) => Arg::Expr(self.clone_expr(cx, *expr)),
            Arg::Op(OpArg::Lambda(lambda)) => Arg::Op(OpArg::Lambda(self.clone_lambda(cx, lambda))),
            Arg::Op(OpArg::Ref(op, span)) => Arg::Op(self.clone_op_ref(cx, *op, *span)),
        }
    }

    fn clone_op_ref(&mut self, cx: &mut CloneContext, op: Op, span: diag::Span) -> OpArg {
        match op {
            Op::Builtin(_) => OpArg::Ref(op, span),
            Op::Param(local) => OpArg::Ref(Op::Param(*cx.locals.get(&local).unwrap_or(&local)), span),
            Op::Const(constant) => match cx.targets.get(&SubstTarget::Const(constant)).cloned() {
                Some(Arg::Op(OpArg::Ref(op, span))) => OpArg::Ref(self.substitute_op(cx, op), span),
                Some(Arg::Op(OpArg::Lambda(lambda))) => OpArg::Lambda(self.substitute_lambda(cx, &lambda)),
                Some(Arg::Expr(_)) | None => OpArg::Ref(op, span),
            },
            Op::Def(def) => {
                let (copy, prefix) = self.clone_def_reference(cx, def, span);
                if prefix.is_empty() {
                    return OpArg::Ref(Op::Def(copy), span);
                }
                let arity = self.spec.defs[copy].params.len() - prefix.len();
                self.make_partial(Op::Def(copy), (Vec::new(), prefix), arity, span)
            }
        }
    }

    /// Returns the definition that a reference to `def` becomes, and the INSTANCE parameters to pass before its
    /// arguments.
    fn clone_def_reference(
        &mut self,
        cx: &mut CloneContext,
        def: DefId,
        span: diag::Span,
    ) -> (DefId, Vec<Arg>) {
        if let Some(&copy) = cx.defs.get(&def) {
            return (copy, Vec::new());
        }
        let Some(instance) = cx.instance else { return (def, Vec::new()) };
        let made = self.instantiate(instance, def);
        if !made.takes_params {
            return (made.def, Vec::new());
        }
        let params = cx.instance_params.clone();
        let args = params.iter().map(|&param| self.param_arg(param, span)).collect();
        (made.def, args)
    }

    /// Returns a parameter passed on as an argument.
    pub(super) fn param_arg(&mut self, param: LocalId, span: diag::Span) -> Arg {
        match self.spec.locals[param].arity {
            0 => Arg::Expr(self.add(ExprKind::Local(param), span)),
            _ => Arg::Op(OpArg::Ref(Op::Param(param), span)),
        }
    }
}

fn visit_op(op: Op, visit: &mut impl FnMut(Reference)) {
    match op {
        Op::Def(def) => visit(Reference::Def(def)),
        Op::Const(constant) => visit(Reference::Target(SubstTarget::Const(constant))),
        Op::Param(_) | Op::Builtin(_) => {}
    }
}
