//! Expressions, with one function for each form that needs more than its parts.

use std::rc::Rc;

use base::{FxHashMap, Name};
use diag::{Code, Diagnostic, Span};
use num_bigint::BigInt;
use syntax::ast;
use syntax::op::OpSym;

use super::Resolver;
use super::define::{builtin, count};
use crate::spec::{
    Arg, Bound, Builtin, DefBody, DefId, DefKind, Entity, ExceptStep, ExceptUpdate, ExprId, ExprKind, Lambda,
    LocalId, LocalKind, Op, OpArg, Pattern, UnboundedQuantifier,
};

type File = Rc<ast::File>;

impl Resolver<'_> {
    pub(super) fn expr(&mut self, file: &File, id: ast::ExprId) -> ExprId {
        base::with_stack(|| self.expr_here(file, id))
    }

    pub(super) fn exprs(&mut self, file: &File, ids: &[ast::ExprId]) -> Vec<ExprId> {
        ids.iter().map(|&id| self.expr(file, id)).collect()
    }

    #[expect(clippy::too_many_lines, reason = "one arm per form of expression")]
    fn expr_here(&mut self, file: &File, id: ast::ExprId) -> ExprId {
        let tree = &file.exprs[id];
        let span = tree.span;
        let kind = match &tree.kind {
            ast::ExprKind::Number(text) => self.number(*text, span),
            ast::ExprKind::Decimal(text) => ExprKind::Decimal(*text),
            ast::ExprKind::String(text) => ExprKind::Str(*text),
            ast::ExprKind::Bool(value) => ExprKind::Bool(*value),
            ast::ExprKind::BuiltinSet(set) => ExprKind::BuiltinSet(*set),
            ast::ExprKind::At => return self.at(span),
            ast::ExprKind::Path(segments) => return self.path_expr(file, segments, span),
            ast::ExprKind::Operator(op) => self.bare_operator(*op, span),
            ast::ExprKind::Lambda { .. } => self.misplaced_lambda(span),
            ast::ExprKind::Prefix { op, op_span, operand } => {
                return self.operator_expr(file, (*op, *op_span), &[*operand], span);
            }
            ast::ExprKind::Postfix { op, op_span, operand } => {
                return self.operator_expr(file, (*op, *op_span), &[*operand], span);
            }
            ast::ExprKind::Infix { op, op_span, lhs, rhs } => {
                return self.infix_chain(file, (*op, *op_span), (*lhs, *rhs), span);
            }
            ast::ExprKind::Junction { kind, items } => {
                ExprKind::Junction { kind: *kind, items: self.exprs(file, items) }
            }
            ast::ExprKind::Paren(inner) => return self.expr(file, *inner),
            ast::ExprKind::Tuple(items) => ExprKind::Tuple(self.exprs(file, items)),
            ast::ExprKind::Product(items) => ExprKind::Product(self.exprs(file, items)),
            ast::ExprKind::SetEnum(items) => ExprKind::SetEnum(self.exprs(file, items)),
            ast::ExprKind::SetFilter { bound, predicate } => self.set_filter(file, bound, *predicate),
            ast::ExprKind::SetMap { body, bounds } => {
                let (bounds, body) = self.bounded_expr(file, bounds, *body);
                ExprKind::SetMap { body, bounds }
            }
            ast::ExprKind::Function { bounds, body } => {
                let (bounds, body) = self.bounded_expr(file, bounds, *body);
                ExprKind::Function { bounds, body }
            }
            ast::ExprKind::FunctionSet { domain, range } => {
                ExprKind::FunctionSet { domain: self.expr(file, *domain), range: self.expr(file, *range) }
            }
            ast::ExprKind::FnApply { function, args } => self.fn_apply(file, *function, args, span),
            ast::ExprKind::Record(fields) => ExprKind::Record(self.fields(file, fields)),
            ast::ExprKind::RecordSet(fields) => ExprKind::RecordSet(self.fields(file, fields)),
            ast::ExprKind::Field { record, field } => {
                ExprKind::Field { record: self.expr(file, *record), field: field.name }
            }
            ast::ExprKind::Except { base, updates } => self.except(file, *base, updates),
            ast::ExprKind::Quantified { kind, bounds, body } => {
                let (bounds, body) = self.bounded_expr(file, bounds, *body);
                ExprKind::Quantified { kind: *kind, bounds, body }
            }
            ast::ExprKind::Unbounded { kind, names, body } => self.unbounded_expr(file, *kind, names, *body),
            ast::ExprKind::Choose { pattern, set, body } => self.choose(file, pattern, *set, *body),
            ast::ExprKind::If { condition, then, otherwise } => ExprKind::If {
                condition: self.expr(file, *condition),
                then: self.expr(file, *then),
                otherwise: self.expr(file, *otherwise),
            },
            ast::ExprKind::Case { arms, other } => self.case(file, arms, *other),
            ast::ExprKind::Let { units, body } => self.let_in(file, units, *body),
            ast::ExprKind::Label { name, params, body } => {
                return self.label(span, (*name, params), |this| this.expr(file, *body));
            }
            ast::ExprKind::Step { kind, action, subscript } => ExprKind::Step {
                kind: *kind,
                action: self.expr(file, *action),
                subscript: self.expr(file, *subscript),
            },
            ast::ExprKind::Fairness { kind, subscript, action } => ExprKind::Fairness {
                kind: *kind,
                subscript: self.expr(file, *subscript),
                action: self.expr(file, *action),
            },
            ast::ExprKind::AssumeProve { .. } => self.misplaced_assume_prove(span),
            ast::ExprKind::Error => ExprKind::Error,
        };
        self.add(kind, span)
    }

    fn number(&mut self, text: Name, span: Span) -> ExprKind {
        let written = self.text(text);
        let (digits, radix) = match written.get(..2) {
            Some("\\b" | "\\B") => (&written[2..], 2),
            Some("\\o" | "\\O") => (&written[2..], 8),
            Some("\\h" | "\\H") => (&written[2..], 16),
            Some(_) | None => (written, 10),
        };
        match BigInt::parse_bytes(digits.as_bytes(), radix) {
            Some(value) => ExprKind::Int(value),
            None => {
                let headline = format!("`{written}` is not a number");
                self.error(Code::BadNumber, span, headline);
                ExprKind::Error
            }
        }
    }

    /// Resolves `@` in an EXCEPT, or at the start of a proof step that continues the previous relation.
    fn at(&mut self, span: Span) -> ExprId {
        if let Some(&local) = self.frame().at.last() {
            return self.add(ExprKind::Local(local), span);
        }
        if let Some(previous) = self.frame().step_at {
            return previous;
        }
        let diagnostic = Diagnostic::new(Code::AtOutsideExcept, span, "`@` stands outside an EXCEPT")
            .note("`@` is the old value in `[f EXCEPT ![a] = ... @ ...]`");
        self.report(diagnostic);
        self.error_expr(span)
    }

    fn bare_operator(&mut self, op: OpSym, span: Span) -> ExprKind {
        let headline = format!("the operator `{}` stands where an expression is expected", op.canonical());
        self.report(Diagnostic::new(Code::ExpressionExpected, span, headline).help("give it its operands"));
        ExprKind::Error
    }

    fn misplaced_lambda(&mut self, span: Span) -> ExprKind {
        let headline = "a LAMBDA stands where an expression is expected";
        let help = "a LAMBDA can only be an argument for an operator parameter; for a value write a function";
        self.report(Diagnostic::new(Code::ExpressionExpected, span, headline).help(help));
        ExprKind::Error
    }

    fn misplaced_assume_prove(&mut self, span: Span) -> ExprKind {
        let headline = "an ASSUME/PROVE stands where an expression is expected";
        self.report(Diagnostic::new(Code::NotAnExpression, span, headline));
        ExprKind::Error
    }

    /// Resolves a prefix or postfix operator, or one infix application.
    fn operator_expr(
        &mut self,
        file: &File,
        (op, op_span): (OpSym, Span),
        operands: &[ast::ExprId],
        span: Span,
    ) -> ExprId {
        let args = operands.iter().map(|&operand| Arg::Expr(self.expr(file, operand))).collect();
        self.apply_symbol((op, op_span), args, span)
    }

    /// Resolves a left-deep chain such as `a + b + c + ...`. It can be long, so it is walked without recursion.
    // Six values: the parts of an infix expression, as the tree has them.
    fn infix_chain(
        &mut self,
        file: &File,
        (op, op_span): (OpSym, Span),
        (lhs, rhs): (ast::ExprId, ast::ExprId),
        span: Span,
    ) -> ExprId {
        let mut links = vec![(op, op_span, rhs, span)];
        let mut first = lhs;
        while let ast::ExprKind::Infix { op, op_span, lhs, rhs } = &file.exprs[first].kind {
            links.push((*op, *op_span, *rhs, file.exprs[first].span));
            first = *lhs;
        }
        let mut left = self.expr(file, first);
        while let Some((op, op_span, rhs, span)) = links.pop() {
            let right = self.expr(file, rhs);
            left = self.apply_symbol((op, op_span), vec![Arg::Expr(left), Arg::Expr(right)], span);
        }
        left
    }

    fn apply_symbol(&mut self, (op, op_span): (OpSym, Span), args: Vec<Arg>, span: Span) -> ExprId {
        if let Some(builtin) = builtin(op) {
            return self.apply(Op::Builtin(builtin), args, span);
        }
        let name = self.spec.names.intern(op.canonical());
        let ident = ast::Ident { name, span: op_span };
        match self.lookup_use(ident) {
            Some(entity) => self.apply_entity(ident, entity, args, span),
            None => {
                self.report_unknown(ident);
                self.error_expr(span)
            }
        }
    }

    /// Applies a user-definable symbol to arguments that are all expressions.
    fn apply_entity(&mut self, ident: ast::Ident, entity: Entity, args: Vec<Arg>, span: Span) -> ExprId {
        let arities = self.param_arities(entity);
        let op = match entity {
            Entity::Def(def) => Some(Op::Def(def)),
            Entity::Const(constant) => Some(Op::Const(constant)),
            Entity::Local(local) => Some(Op::Param(local)),
            Entity::Var(_) | Entity::Instance(_) => None,
        };
        match op {
            Some(op) if arities.len() == args.len() && arities.iter().all(|&arity| arity == 0) => {
                self.apply(op, args, span)
            }
            Some(_) | None => {
                self.report_arity(ident, entity, arities.len(), args.len());
                self.error_expr(span)
            }
        }
    }

    /// Resolves the sets, binds the names, resolves the body, and unbinds the names.
    fn bounded_expr(
        &mut self,
        file: &File,
        bounds: &[ast::Bound],
        body: ast::ExprId,
    ) -> (Vec<Bound>, ExprId) {
        self.with_scope(|this| {
            let bounds = this.bounds(file, bounds);
            (bounds, this.expr(file, body))
        })
    }

    /// Resolves the sets, then binds the names: a set cannot mention the names beside it.
    pub(super) fn bounds(&mut self, file: &File, bounds: &[ast::Bound]) -> Vec<Bound> {
        let sets = self.bound_sets(file, bounds);
        self.bind_bounds(bounds, sets)
    }

    pub(super) fn bound_sets(&mut self, file: &File, bounds: &[ast::Bound]) -> Vec<ExprId> {
        bounds.iter().map(|bound| self.expr(file, bound.set)).collect()
    }

    pub(super) fn bind_bounds(&mut self, bounds: &[ast::Bound], sets: Vec<ExprId>) -> Vec<Bound> {
        let pairs = bounds.iter().zip(sets);
        pairs.map(|(bound, set)| Bound { pattern: self.pattern(&bound.pattern), set }).collect()
    }

    fn pattern(&mut self, pattern: &ast::Pattern) -> Pattern {
        match pattern {
            ast::Pattern::Names(names) => Pattern::Names(self.bind_all(names, LocalKind::Bound)),
            ast::Pattern::Tuple(names) => Pattern::Tuple(self.bind_all(names, LocalKind::Bound)),
        }
    }

    pub(super) fn bind_all(&mut self, names: &[ast::Ident], kind: LocalKind) -> Vec<LocalId> {
        names.iter().map(|&name| self.bind_local(name, 0, kind)).collect()
    }

    fn set_filter(&mut self, file: &File, bound: &ast::Bound, predicate: ast::ExprId) -> ExprKind {
        self.with_scope(|this| {
            let set = this.expr(file, bound.set);
            let bound = Bound { pattern: this.pattern(&bound.pattern), set };
            ExprKind::SetFilter { bound, predicate: this.expr(file, predicate) }
        })
    }

    fn unbounded_expr(
        &mut self,
        file: &File,
        kind: UnboundedQuantifier,
        names: &[ast::Ident],
        body: ast::ExprId,
    ) -> ExprKind {
        let local_kind = match kind {
            UnboundedQuantifier::Forall | UnboundedQuantifier::Exists => LocalKind::Bound,
            UnboundedQuantifier::TemporalForall | UnboundedQuantifier::TemporalExists => {
                LocalKind::TemporalBound
            }
        };
        self.with_scope(|this| {
            let locals = this.bind_all(names, local_kind);
            ExprKind::Unbounded { kind, locals, body: this.expr(file, body) }
        })
    }

    fn choose(
        &mut self,
        file: &File,
        pattern: &ast::Pattern,
        set: Option<ast::ExprId>,
        body: ast::ExprId,
    ) -> ExprKind {
        let set = set.map(|set| self.expr(file, set));
        self.with_scope(|this| {
            let pattern = this.pattern(pattern);
            ExprKind::Choose { pattern, set, body: this.expr(file, body) }
        })
    }

    fn case(
        &mut self,
        file: &File,
        arms: &[(ast::ExprId, ast::ExprId)],
        other: Option<ast::ExprId>,
    ) -> ExprKind {
        let arms =
            arms.iter().map(|&(guard, value)| (self.expr(file, guard), self.expr(file, value))).collect();
        ExprKind::Case { arms, other: other.map(|other| self.expr(file, other)) }
    }

    fn fields(&mut self, file: &File, fields: &[(ast::Ident, ast::ExprId)]) -> Vec<(Name, ExprId)> {
        let mut given: FxHashMap<Name, Span> = FxHashMap::default();
        for &(field, _) in fields {
            let Some(first) = given.insert(field.name, field.span) else { continue };
            let headline = format!("the field `{}` is given twice", self.text(field.name));
            let diagnostic = Diagnostic::new(Code::DuplicateField, field.span, headline)
                .related(first, "first given here");
            self.report(diagnostic);
        }
        let values: Vec<(Name, ExprId)> =
            fields.iter().map(|&(field, value)| (field.name, self.expr(file, value))).collect();
        self.note_record(fields, &values);
        values
    }

    fn fn_apply(&mut self, file: &File, function: ast::ExprId, args: &[ast::ExprId], span: Span) -> ExprKind {
        let function = self.expr(file, function);
        let args = self.exprs(file, args);
        if let Some((def, expected)) = self.known_function(function)
            && args.len() > 1
            && args.len() != expected
        {
            let def = &self.spec.defs[def];
            let (name, place) = (self.text(def.name).to_owned(), def.name_span);
            let headline =
                format!("the function `{name}` takes {}, not {}", count(expected, "argument"), args.len());
            let diagnostic = Diagnostic::new(Code::FunctionArity, span, headline)
                .related(place, format!("`{name}` is defined here"));
            self.report(diagnostic);
        }
        ExprKind::FnApply { function, args }
    }

    /// Returns the definition and number of arguments of a function that is applied by name.
    fn known_function(&self, function: ExprId) -> Option<(DefId, usize)> {
        let ExprKind::Apply { op: Op::Def(def), .. } = self.spec.exprs[function].kind else { return None };
        let entry = &self.spec.defs[def];
        let (DefKind::Function, DefBody::Expr(body)) = (entry.kind, entry.body) else { return None };
        let ExprKind::Function { bounds, .. } = &self.spec.exprs[body].kind else { return None };
        let n_args = bounds.iter().map(|bound| match &bound.pattern {
            Pattern::Names(names) => names.len(),
            Pattern::Tuple(_) => 1,
        });
        Some((def, n_args.sum()))
    }

    fn except(&mut self, file: &File, base: ast::ExprId, updates: &[ast::ExceptUpdate]) -> ExprKind {
        let base = self.expr(file, base);
        let updates = updates.iter().map(|update| self.except_update(file, update)).collect();
        ExprKind::Except { base, updates }
    }

    fn except_update(&mut self, file: &File, update: &ast::ExceptUpdate) -> ExceptUpdate {
        self.without_labels("a label cannot stand inside an EXCEPT", |this| {
            let path = update.path.iter().map(|step| this.except_step(file, step)).collect();
            let name = this.spec.names.intern("@");
            let at = this.new_local(ast::Ident { name, span: update.span }, 0, LocalKind::At);
            this.frame_mut().at.push(at);
            let value = this.expr(file, update.value);
            this.frame_mut().at.pop();
            ExceptUpdate { path, at, value, span: update.span }
        })
    }

    fn except_step(&mut self, file: &File, step: &ast::ExceptStep) -> ExceptStep {
        match step {
            ast::ExceptStep::Field(field) => ExceptStep::Field(field.name),
            ast::ExceptStep::Index(args) => ExceptStep::Index(self.exprs(file, args)),
        }
    }

    pub(super) fn lambda(
        &mut self,
        file: &File,
        params: &[ast::Ident],
        body: ast::ExprId,
        span: Span,
    ) -> OpArg {
        self.with_scope(|this| {
            let params = this.bind_all(params, LocalKind::Param);
            let body = this.expr(file, body);
            OpArg::Lambda(Lambda { params, body, span })
        })
    }

    fn let_in(&mut self, file: &File, units: &[ast::Unit], body: ast::ExprId) -> ExprKind {
        self.frame_mut().let_depth += 1;
        self.let_clones.push(Vec::new());
        let mark = self.scope_mark();
        let mut defs: Vec<DefId> = units.iter().filter_map(|unit| self.let_unit(file, unit)).collect();
        let depth = self.frame().let_depth;
        self.report_pending(depth);
        let body = self.expr(file, body);
        self.scope_release(mark);
        defs.extend(self.let_clones.pop().into_iter().flatten());
        self.frame_mut().let_depth -= 1;
        ExprKind::Let { defs, body }
    }

    /// Resolves a definition of a LET or of a DEFINE step.
    pub(super) fn let_unit(&mut self, file: &File, unit: &ast::Unit) -> Option<DefId> {
        match &unit.kind {
            ast::UnitKind::Operator { head, body } => self.operator(file, unit, head, *body),
            ast::UnitKind::Function { name, bounds, body } => {
                self.function(file, unit, (*name, bounds, *body))
            }
            ast::UnitKind::Recursive(decls) => {
                self.recursive(decls);
                None
            }
            ast::UnitKind::NamedInstance { head, instance } => {
                self.named_instance(file, unit, head, instance);
                None
            }
            ast::UnitKind::Instance(instance) => {
                self.unnamed_instance(file, instance, unit.local);
                None
            }
            ast::UnitKind::Constants(_)
            | ast::UnitKind::Variables(_)
            | ast::UnitKind::Assume { .. }
            | ast::UnitKind::Theorem { .. }
            | ast::UnitKind::UseHide(_)
            | ast::UnitKind::Module(_) => {
                let headline = "only definitions, RECURSIVE and INSTANCE can stand here";
                self.error(Code::UnexpectedToken, unit.span, headline);
                None
            }
        }
    }

    /// Whether `expr` refers to `def`.
    pub(super) fn mentions(&self, expr: ExprId, def: DefId) -> bool {
        let mut found = false;
        self.visit_references(expr, &mut |reference| found |= reference == super::clone::Reference::Def(def));
        found
    }
}

/// Returns the number of operands of an operator of the language.
pub(super) fn builtin_arity(builtin: Builtin) -> usize {
    match builtin {
        Builtin::Not
        | Builtin::PowerSet
        | Builtin::Union
        | Builtin::Domain
        | Builtin::Prime
        | Builtin::Unchanged
        | Builtin::Enabled
        | Builtin::Box
        | Builtin::Diamond => 1,
        Builtin::And
        | Builtin::Or
        | Builtin::Implies
        | Builtin::Equiv
        | Builtin::Eq
        | Builtin::Neq
        | Builtin::In
        | Builtin::NotIn
        | Builtin::SubsetEq
        | Builtin::Cup
        | Builtin::Cap
        | Builtin::SetMinus
        | Builtin::Times
        | Builtin::Cdot
        | Builtin::LeadsTo
        | Builtin::PlusArrow => 2,
    }
}
