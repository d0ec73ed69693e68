//! Lowers expressions, with one function for each form that needs more than its parts.

use diag::Span;
use sema::spec::{
    Arg, Builtin, BuiltinSet, ExceptStep, ExceptUpdate, ExprId, ExprKind, JunctionKind, LocalId, Op, StepKind,
};
use sema::spec::{Bound as SpecBound, Pattern as SpecPattern};

use value::{Atom, Shape};

use super::Lowerer;
use super::consts::inline;
use super::env::{Binding, Scope};
use super::operands::Operands;
use crate::ir::{Bound, Captures, Failure, IrId, IrKind, PathStep, Pattern, SlotRef, Update};

impl<'s> Lowerer<'s> {
    pub(super) fn expr(&mut self, scope: &Scope<'s>, id: ExprId) -> IrId {
        base::with_stack(|| self.expr_here(scope, id))
    }

    pub(super) fn exprs(&mut self, scope: &Scope<'s>, ids: &[ExprId]) -> Vec<IrId> {
        ids.iter().map(|&id| self.expr(scope, id)).collect()
    }

    pub(super) fn fail(&mut self, scope: &Scope<'s>, failure: Failure, span: Span) -> IrId {
        self.node(scope.frame, IrKind::Fail(failure), span)
    }

    /// Whether an expression is as cheap to evaluate again as to remember.
    pub(super) fn is_trivial(&self, id: ExprId) -> bool {
        matches!(
            self.spec.exprs[id].kind,
            ExprKind::Int(_)
                | ExprKind::Str(_)
                | ExprKind::Bool(_)
                | ExprKind::BuiltinSet(_)
                | ExprKind::Const(_)
                | ExprKind::Var(_)
                | ExprKind::Local(_)
        )
    }

    #[expect(clippy::too_many_lines, reason = "one arm per form of expression")]
    fn expr_here(&mut self, scope: &Scope<'s>, id: ExprId) -> IrId {
        let spec = self.spec;
        let span = spec.exprs[id].span;
        if let Some(var) = self.own_variable(scope, id) {
            return self.node(scope.frame, IrKind::Next(var), span);
        }
        let kind = match &spec.exprs[id].kind {
            ExprKind::Int(value) => IrKind::Const(self.int(value)),
            ExprKind::Decimal(_) => IrKind::Fail(Failure::Real),
            ExprKind::Str(text) => IrKind::Const(self.string(*text)),
            ExprKind::Bool(value) => IrKind::Const(inline(value::Value::bool(*value))),
            ExprKind::BuiltinSet(set) => IrKind::Const(self.builtin_set(*set)),
            ExprKind::Const(id) => return self.constant(scope, *id, span),
            ExprKind::Var(id) => return self.variable(scope, *id, span),
            ExprKind::Local(local) => return self.local(scope, *local, span),
            ExprKind::Apply { op: Op::Builtin(Builtin::Enabled), args } => {
                return self.lower_enabled(scope, id, args, span);
            }
            ExprKind::Apply { op, args } => return self.apply(scope, *op, Operands::Written(args), span),
            ExprKind::Junction { kind: JunctionKind::And, items } => IrKind::And(self.exprs(scope, items)),
            ExprKind::Junction { kind: JunctionKind::Or, items } => IrKind::Or(self.exprs(scope, items)),
            ExprKind::Tuple(items) => IrKind::Tuple(self.exprs(scope, items)),
            ExprKind::Product(items) => IrKind::Product(self.exprs(scope, items)),
            ExprKind::SetEnum(items) => IrKind::SetEnum(self.exprs(scope, items)),
            ExprKind::SetFilter { bound, predicate } => {
                let (mut bounds, inner) = self.bounds(scope, std::slice::from_ref(bound));
                let predicate = self.expr(&inner, *predicate);
                match bounds.pop() {
                    Some(bound) => IrKind::SetFilter { bound, predicate, captures: Captures::default() },
                    None => IrKind::Fail(Failure::UnboundedQuantifier),
                }
            }
            ExprKind::SetMap { body, bounds } => {
                let (bounds, inner) = self.bounds(scope, bounds);
                IrKind::SetMap { body: self.expr(&inner, *body), bounds }
            }
            ExprKind::Function { bounds, body } => {
                let (bounds, inner) = self.bounds(scope, bounds);
                let body = self.expr(&inner, *body);
                IrKind::Function { bounds, body, itself: None, captures: Captures::default() }
            }
            ExprKind::FunctionSet { domain, range } => {
                IrKind::FunctionSet { domain: self.expr(scope, *domain), range: self.expr(scope, *range) }
            }
            ExprKind::FnApply { function, args } => {
                let function = self.expr(scope, *function);
                IrKind::FnApply { function, arg: self.index(scope, args, span) }
            }
            ExprKind::Record(fields) => {
                let (shape, values) = self.fields(scope, fields);
                IrKind::Record { shape, values }
            }
            ExprKind::RecordSet(fields) => {
                let (shape, sets) = self.fields(scope, fields);
                IrKind::RecordSet { shape, sets }
            }
            ExprKind::Field { record, field } => {
                IrKind::Field { record: self.expr(scope, *record), field: self.field_atom(*field) }
            }
            ExprKind::Except { base, updates } => {
                let base = self.expr(scope, *base);
                let updates = updates.iter().map(|update| self.update(scope, update)).collect();
                IrKind::Except { base, updates }
            }
            ExprKind::Quantified { kind, bounds, body } => {
                let (bounds, inner) = self.bounds(scope, bounds);
                IrKind::Quantified { kind: *kind, bounds, body: self.expr(&inner, *body) }
            }
            ExprKind::Unbounded { .. } => IrKind::Fail(Failure::UnboundedQuantifier),
            ExprKind::Choose { pattern, set: Some(set), body } => {
                let set = self.expr(scope, *set);
                let locals = pattern.locals();
                let (pattern, inner) = self.pattern(scope, pattern);
                let names = self.names_of(locals);
                IrKind::Choose { bound: Bound { pattern, set, names }, body: self.expr(&inner, *body) }
            }
            ExprKind::Choose { set: None, .. } => IrKind::Fail(Failure::UnboundedChoose),
            ExprKind::If { condition, then, otherwise } => IrKind::If {
                condition: self.expr(scope, *condition),
                then: self.expr(scope, *then),
                otherwise: self.expr(scope, *otherwise),
            },
            ExprKind::Case { arms, other } => IrKind::Case {
                arms: arms.iter().map(|&(g, e)| (self.expr(scope, g), self.expr(scope, e))).collect(),
                other: other.map(|other| self.expr(scope, other)),
            },
            ExprKind::Let { defs, body } => return self.let_in(scope, defs, *body),
            ExprKind::Label { body, .. } => return self.expr(scope, *body),
            ExprKind::Step { kind, action, subscript } => {
                return self.step(scope, *kind, (*action, *subscript), span);
            }
            ExprKind::Fairness { .. } | ExprKind::AssumeProve { .. } | ExprKind::Error => {
                IrKind::Fail(Failure::Temporal)
            }
        };
        self.node(scope.frame, kind, span)
    }

    /// Lowers a parameter or a bound name.
    fn local(&mut self, scope: &Scope<'s>, local: LocalId, span: Span) -> IrId {
        match scope.env.local(local).cloned() {
            Some(Binding::Slot(key)) => self.read_slot(scope, key, span),
            Some(Binding::Thunk(thunk)) => self.read_thunk_at(scope, &thunk, span),
            Some(Binding::Op { .. } | Binding::OpSlot(_) | Binding::Let(_)) | None => {
                // Sema has bound every name and applied every operator.
                self.fail(scope, Failure::NoValue(self.spec.locals[local].name), span)
            }
        }
    }

    pub(super) fn read_slot(&mut self, scope: &Scope<'s>, key: super::env::SlotKey, span: Span) -> IrId {
        let slot = self.slot_ref(scope, key);
        let reader = self.node(scope.frame, IrKind::Slot(slot), span);
        if slot.up == 0 {
            self.readers.insert(key, reader);
        } else if !self.readers.contains_key(&key) {
            // The slot may be captured without ever being read in its own frame.
            let at_home = IrKind::Slot(SlotRef { up: 0, index: key.1 });
            let at_home = self.node(key.0, at_home, span);
            self.readers.insert(key, at_home);
        }
        reader
    }

    /// Lowers the sets, then binds the names in new slots.
    pub(super) fn bounds(&mut self, scope: &Scope<'s>, bounds: &'s [SpecBound]) -> (Vec<Bound>, Scope<'s>) {
        let sets: Vec<IrId> = bounds.iter().map(|bound| self.expr(scope, bound.set)).collect();
        let mut inner = scope.clone();
        let lowered = bounds.iter().zip(sets).map(|(bound, set)| {
            let (pattern, next) = self.pattern(&inner, &bound.pattern);
            inner = next;
            Bound { pattern, set, names: self.names_of(bound.pattern.locals()) }
        });
        let lowered = lowered.collect();
        (lowered, inner)
    }

    fn names_of(&self, locals: &[LocalId]) -> Vec<base::Name> {
        locals.iter().map(|&local| self.spec.locals[local].name).collect()
    }

    fn pattern(&mut self, scope: &Scope<'s>, pattern: &SpecPattern) -> (Pattern, Scope<'s>) {
        let mut inner = scope.clone();
        let mut bind = |locals: &[LocalId]| -> Vec<u16> {
            locals
                .iter()
                .map(|&local| {
                    let slot = self.new_slot(scope.frame);
                    inner.env = inner.env.bind(local, Binding::Slot((scope.frame, slot)));
                    inner.is_bare = false;
                    slot
                })
                .collect()
        };
        let pattern = match pattern {
            SpecPattern::Names(locals) => Pattern::Names(bind(locals)),
            SpecPattern::Tuple(locals) => Pattern::Tuple(bind(locals)),
        };
        (pattern, inner)
    }

    /// Lowers `[a]`, or `[a, b]` as a tuple.
    fn index(&mut self, scope: &Scope<'s>, args: &[ExprId], span: Span) -> IrId {
        match args {
            [arg] => self.expr(scope, *arg),
            _ => {
                let items = self.exprs(scope, args);
                self.node(scope.frame, IrKind::Tuple(items), span)
            }
        }
    }

    /// Lowers the fields of a record. Returns its shape, and its parts in the order of the shape's fields.
    fn fields(&mut self, scope: &Scope<'s>, fields: &[(base::Name, ExprId)]) -> (Shape, Vec<IrId>) {
        let mut parts: Vec<(Atom, IrId)> =
            fields.iter().map(|&(name, value)| (self.field_atom(name), self.expr(scope, value))).collect();
        parts.sort_by(|left, right| left.0.rank_cmp(right.0));
        let atoms: Vec<Atom> = parts.iter().map(|&(atom, _)| atom).collect();
        let shape = Shape::new(&atoms).expect("sema refuses a field given twice");
        (shape, parts.into_iter().map(|(_, part)| part).collect())
    }

    fn update(&mut self, scope: &Scope<'s>, update: &ExceptUpdate) -> Update {
        let path = update.path.iter().map(|step| match step {
            ExceptStep::Field(name) => PathStep::Field(self.field_atom(*name)),
            ExceptStep::Index(args) => PathStep::Index(self.index(scope, args, update.span)),
        });
        let path = path.collect();
        let at = self.new_slot(scope.frame);
        let env = scope.env.bind(update.at, Binding::Slot((scope.frame, at)));
        let value = self.expr(&Scope { env, is_bare: false, ..scope.clone() }, update.value);
        Update { path, at, value, span: update.span }
    }

    /// Lowers `[A]_v` and `<<A>>_v`.
    fn step(&mut self, scope: &Scope<'s>, kind: StepKind, (action, v): (ExprId, ExprId), span: Span) -> IrId {
        if scope.primed {
            return self.fail(scope, Failure::DoublePrime, span);
        }
        let action = self.expr(scope, action);
        let unchanged = self.lower_unchanged(scope, v, span);
        self.node(scope.frame, IrKind::Step { kind, action, unchanged }, span)
    }

    pub(super) fn lower_unchanged(&mut self, scope: &Scope<'s>, v: ExprId, span: Span) -> IrId {
        if scope.primed {
            return self.fail(scope, Failure::DoublePrime, span);
        }
        let current = self.expr(scope, v);
        let next = self.expr(&scope.with_prime(), v);
        let mut parts = Vec::new();
        self.unchanged_parts(scope, (current, next), span, &mut parts);
        match parts.as_slice() {
            &[one] => one,
            _ => self.node(scope.frame, IrKind::And(parts), span),
        }
    }

    /// Splits the operand of UNCHANGED. A tuple of variables is one part. In another tuple each element is a part, so
    /// that the variables in it get values.
    fn unchanged_parts(
        &mut self,
        scope: &Scope<'s>,
        (current, next): (IrId, IrId),
        span: Span,
        parts: &mut Vec<IrId>,
    ) {
        let vars = self.variables_of(current);
        if vars.is_none() || scope.own != 0 {
            match (&self.program.irs[current].kind, &self.program.irs[next].kind) {
                (IrKind::Tuple(current), IrKind::Tuple(next)) => {
                    for pair in current.clone().into_iter().zip(next.clone()) {
                        self.unchanged_parts(scope, pair, span, parts);
                    }
                    return;
                }
                (&IrKind::Enter { def, body: current }, &IrKind::Enter { body: next, .. })
                    if self.spec.defs[def].params.is_empty() =>
                {
                    return self.unchanged_parts(scope, (current, next), span, parts);
                }
                (_, _) => {}
            }
        }
        // TLC: in ENABLED a variable of the instantiated module gets the value of its replacement.
        let kind = match scope.own {
            0 => IrKind::Unchanged { vars, current, next },
            _ => IrKind::Eq(next, current),
        };
        let part = self.node(scope.frame, kind, span);
        parts.push(part);
    }

    /// Returns the variables of a tuple of variables, looking through nested tuples and definitions.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a tuple of variables")]
    fn variables_of(&self, id: IrId) -> Option<Vec<crate::ir::VarIdx>> {
        match &self.program.irs[id].kind {
            IrKind::Var(var) => Some(vec![*var]),
            IrKind::Tuple(items) => {
                let parts: Option<Vec<_>> = items.iter().map(|&item| self.variables_of(item)).collect();
                parts.map(|parts| parts.concat())
            }
            // TLC: not through an operator with an argument.
            IrKind::Enter { def, .. } if !self.spec.defs[*def].params.is_empty() => None,
            IrKind::Enter { body, .. } | IrKind::Bind { body, .. } => self.variables_of(*body),
            IrKind::Lazy { expr, .. } => self.variables_of(*expr),
            _ => None,
        }
    }

    pub(super) fn is_expr_arg(arg: &Arg) -> Option<ExprId> {
        match arg {
            Arg::Expr(expr) => Some(*expr),
            Arg::Op(_) => None,
        }
    }

    pub(super) fn builtin_set(&mut self, set: BuiltinSet) -> value::Constant {
        match set {
            BuiltinSet::Boolean => self.boolean_set(),
            BuiltinSet::String => self.string_set(),
        }
    }
}
