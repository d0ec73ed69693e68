//! Writes expressions as events.

use base::Name;
use diag::Span;
use syntax::dump::events::Shown;

use super::Dumper;
use super::kinds::{fairness_word, new_word, quantifier_word, set_word, step_word, unbounded_word};
use crate::spec::{
    Arg, AssumeItem, Bound, DefBody, DefId, DefKind, ExceptStep, ExceptUpdate, ExprId, ExprKind,
    JunctionKind, LocalKind, Op, OpArg, Pattern,
};

impl<'a> Dumper<'a> {
    pub(super) fn expr(&mut self, id: ExprId) {
        base::with_stack(|| self.expr_here(id));
    }

    pub(super) fn exprs(&mut self, key: &'static str, ids: &[ExprId]) {
        self.events.list(key);
        ids.iter().for_each(|&id| self.expr(id));
        self.events.close();
    }

    pub(super) fn key_expr(&mut self, key: &'static str, id: ExprId) {
        self.events.key(key);
        self.expr(id);
    }

    #[expect(clippy::too_many_lines, reason = "one arm per form of expression")]
    fn expr_here(&mut self, id: ExprId) {
        let expr = &self.spec.exprs[id];
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => self.leaf("int", value.to_string(), span),
            ExprKind::Decimal(text) => self.leaf("decimal", self.text(*text), span),
            ExprKind::Str(text) => self.events.leaf("string", "value", Shown::Quoted(self.text(*text)), span),
            ExprKind::Bool(value) => self.events.leaf("bool", "value", Shown::Bool(*value), span),
            ExprKind::BuiltinSet(set) => self.leaf("set-name", set_word(*set), span),
            ExprKind::Const(id) => self.leaf("const", format!("const:{}", self.const_name(*id)), span),
            ExprKind::Var(id) => self.leaf("var", format!("var:{}", self.var_name(*id)), span),
            ExprKind::Local(id) => self.leaf("local", self.local_name(*id), span),
            ExprKind::Error => self.leaf("error", "ERROR", span),
            ExprKind::Apply { op, args } => self.apply(*op, args, span),
            ExprKind::Junction { kind: JunctionKind::And, items } => self.items("conjunction", items, span),
            ExprKind::Junction { kind: JunctionKind::Or, items } => self.items("disjunction", items, span),
            ExprKind::Tuple(items) => self.items("tuple", items, span),
            ExprKind::Product(items) => self.items("product", items, span),
            ExprKind::SetEnum(items) => self.items("set", items, span),
            ExprKind::SetFilter { bound, predicate } => {
                self.binder_form("filter", "filter", (std::slice::from_ref(bound), *predicate), span);
            }
            ExprKind::SetMap { body, bounds } => self.binder_form("map", "map", (bounds, *body), span),
            ExprKind::Function { bounds, body } => {
                self.binder_form("function", "function", (bounds, *body), span)
            }
            ExprKind::FunctionSet { domain, range } => self.items("function-set", &[*domain, *range], span),
            ExprKind::FnApply { function, args } => {
                self.events.open_as("function-application", "[]", span);
                self.key_expr("function", *function);
                self.exprs("args", args);
                self.events.close();
            }
            ExprKind::Record(fields) => self.fields("record", fields, span),
            ExprKind::RecordSet(fields) => self.fields("record-set", fields, span),
            ExprKind::Field { record, field } => {
                self.events.open_as("field", ".", span);
                self.key_expr("record", *record);
                self.events.word("field", self.text(*field));
                self.events.close();
            }
            ExprKind::Except { base, updates } => {
                self.events.open("except", span);
                self.key_expr("base", *base);
                self.events.list("updates");
                updates.iter().for_each(|update| self.update(update));
                self.events.close();
                self.events.close();
            }
            ExprKind::Quantified { kind, bounds, body } => {
                let (word, symbol) = quantifier_word(*kind);
                self.binder_form(word, symbol, (bounds, *body), span);
            }
            ExprKind::Unbounded { kind, locals, body } => {
                let (word, symbol) = unbounded_word(*kind);
                self.events.open_as(word, symbol, span);
                self.events.list("names");
                locals.iter().for_each(|&local| self.binder(local));
                self.events.close();
                self.key_expr("body", *body);
                self.events.close();
            }
            ExprKind::Choose { pattern, set, body } => self.choose(pattern, *set, *body, span),
            ExprKind::If { condition, then, otherwise } => {
                self.events.open("if", span);
                self.key_expr("condition", *condition);
                self.key_expr("then", *then);
                self.key_expr("else", *otherwise);
                self.events.close();
            }
            ExprKind::Case { arms, other } => self.case(arms, *other, span),
            ExprKind::Let { defs, body } => {
                self.events.open("let", span);
                self.let_defs(defs);
                self.key_expr("body", *body);
                self.events.close();
            }
            ExprKind::Label { name, params, body } => {
                self.events.open_as("label", format!(":: {}", self.text(*name)), span);
                self.events.push_hidden_word("name", self.text(*name));
                if !params.is_empty() {
                    self.events.group("params");
                    let names: Vec<String> = params.iter().map(|&param| self.local_name(param)).collect();
                    names.into_iter().for_each(|name| self.events.atom(Shown::Word(name.into())));
                    self.events.close();
                }
                self.key_expr("body", *body);
                self.events.close();
            }
            ExprKind::Step { kind, action, subscript } => {
                self.subscript_form(step_word(*kind), (*action, *subscript), span);
            }
            ExprKind::Fairness { kind, subscript, action } => {
                self.subscript_form(fairness_word(*kind), (*action, *subscript), span);
            }
            ExprKind::AssumeProve { assumptions, goal } => {
                self.events.open("assume-prove", span);
                self.events.list("assumptions");
                assumptions.iter().for_each(|item| self.assume_item(item));
                self.events.close();
                self.key_expr("goal", *goal);
                self.events.close();
            }
        }
    }

    fn leaf(&mut self, kind: &'static str, word: impl Into<std::borrow::Cow<'a, str>>, span: Span) {
        self.events.leaf(kind, "value", Shown::Word(word.into()), span);
    }

    fn items(&mut self, kind: &'static str, items: &[ExprId], span: Span) {
        self.events.open(kind, span);
        self.exprs("items", items);
        self.events.close();
    }

    fn subscript_form(&mut self, kind: &'static str, (action, subscript): (ExprId, ExprId), span: Span) {
        self.events.open(kind, span);
        self.key_expr("action", action);
        self.key_expr("subscript", subscript);
        self.events.close();
    }

    /// Writes `(def:Op a b)`. An operator without arguments stands alone. Operators of the language need no mark.
    fn apply(&mut self, op: Op, args: &'a [Arg], span: Span) {
        if let Op::Def(def) = op
            && self.spec.defs[def].kind == DefKind::Subexpression
        {
            return self.part(def, args, span);
        }
        let (kind, name) = self.op_name(op);
        let head = match op {
            Op::Builtin(_) | Op::Param(_) => name.clone(),
            Op::Def(_) | Op::Const(_) => format!("{kind}:{name}"),
        };
        if args.is_empty() {
            return self.leaf(kind, head, span);
        }
        self.events.open_as("apply", head, span);
        self.events.push_hidden_word("operator", format!("{kind}:{name}"));
        self.args(args);
        self.events.close();
    }

    fn args(&mut self, args: &'a [Arg]) {
        self.events.list("args");
        args.iter().for_each(|arg| self.arg(arg));
        self.events.close();
    }

    /// Writes a definition made for a subexpression name at the place where it is used, because it has no other place.
    fn part(&mut self, id: DefId, args: &'a [Arg], span: Span) {
        let def = &self.spec.defs[id];
        let (_, name) = self.op_name(Op::Def(id));
        self.events.open_as("part", format!("part:{name}"), span);
        self.events.push_hidden_word("of", name);
        if !def.params.is_empty() {
            self.binders("params", &def.params);
        }
        if let DefBody::Expr(body) = def.body {
            self.key_expr("body", body);
        }
        if !args.is_empty() {
            self.events.group("args");
            args.iter().for_each(|arg| self.arg(arg));
            self.events.close();
        }
        self.events.close();
    }

    pub(super) fn op_arg(&mut self, op: &'a OpArg) {
        match op {
            OpArg::Ref(Op::Def(def), span) if self.spec.defs[*def].kind == DefKind::Subexpression => {
                self.part(*def, &[], *span);
            }
            OpArg::Ref(op, span) => {
                let (kind, name) = self.op_name(*op);
                let word = match op {
                    Op::Param(_) => name,
                    Op::Def(_) | Op::Const(_) | Op::Builtin(_) => format!("{kind}:{name}"),
                };
                self.leaf("operator-name", word, *span);
            }
            OpArg::Lambda(lambda) => {
                self.events.open("lambda", lambda.span);
                self.binders("params", &lambda.params);
                self.key_expr("body", lambda.body);
                self.events.close();
            }
        }
    }

    fn binder_form(
        &mut self,
        kind: &'static str,
        head: &'static str,
        (bounds, body): (&'a [Bound], ExprId),
        span: Span,
    ) {
        self.events.open_as(kind, head, span);
        self.bounds(bounds);
        self.key_expr("body", body);
        self.events.close();
    }

    pub(super) fn bounds(&mut self, bounds: &'a [Bound]) {
        self.events.list("bounds");
        for bound in bounds {
            self.events.open_as("bound", "\\in", self.spec.exprs[bound.set].span);
            self.pattern(&bound.pattern);
            self.key_expr("set", bound.set);
            self.events.close();
        }
        self.events.close();
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Names(locals) => {
                self.events.list("names");
                locals.iter().for_each(|&local| self.binder(local));
                self.events.close();
            }
            Pattern::Tuple(locals) => self.binders("tuple", locals),
        }
    }

    fn choose(&mut self, pattern: &'a Pattern, set: Option<ExprId>, body: ExprId, span: Span) {
        self.events.open("choose", span);
        match set {
            Some(set) => {
                self.events.key("bound");
                self.events.open_as("bound", "\\in", self.spec.exprs[set].span);
                self.pattern(pattern);
                self.key_expr("set", set);
                self.events.close();
            }
            None => self.pattern(pattern),
        }
        self.key_expr("body", body);
        self.events.close();
    }

    fn case(&mut self, arms: &[(ExprId, ExprId)], other: Option<ExprId>, span: Span) {
        self.events.open("case", span);
        self.events.list("arms");
        for &(guard, value) in arms {
            self.events.open_as("arm", "->", self.spec.exprs[guard].span);
            self.key_expr("guard", guard);
            self.key_expr("value", value);
            self.events.close();
        }
        self.events.close();
        if let Some(other) = other {
            self.events.group("other");
            self.expr(other);
            self.events.close();
        }
        self.events.close();
    }

    fn fields(&mut self, kind: &'static str, fields: &[(Name, ExprId)], span: Span) {
        self.events.open(kind, span);
        self.events.list("fields");
        for &(field, value) in fields {
            let name = self.text(field);
            self.events.open_as("field", name, self.spec.exprs[value].span);
            self.events.push_hidden_word("name", name);
            self.key_expr("value", value);
            self.events.close();
        }
        self.events.close();
        self.events.close();
    }

    /// Writes `(! @#0 ([] i) (. f) value)`, where `@#0` is the name of `@` in the value.
    fn update(&mut self, update: &'a ExceptUpdate) {
        self.events.open_as("update", "!", update.span);
        self.events.key("at");
        self.binder(update.at);
        self.events.list("path");
        for step in &update.path {
            match step {
                ExceptStep::Field(field) => {
                    self.events.open_as("field", ".", update.span);
                    self.events.word("field", self.text(*field));
                }
                ExceptStep::Index(indices) => {
                    self.events.open_as("index", "[]", update.span);
                    self.exprs("args", indices);
                }
            }
            self.events.close();
        }
        self.events.close();
        self.key_expr("value", update.value);
        self.events.close();
    }

    /// Writes the definitions of a LET. All are bound before the first is shown, because a RECURSIVE one can be used
    /// before its definition.
    pub(super) fn let_defs(&mut self, defs: &[DefId]) {
        defs.iter().for_each(|&def| self.bind_let(def));
        self.events.list("definitions");
        defs.iter().for_each(|&def| self.def(def));
        self.events.close();
    }

    fn assume_item(&mut self, item: &'a AssumeItem) {
        match *item {
            AssumeItem::Fact(fact) => self.expr(fact),
            AssumeItem::New { local, set } => {
                let entry = self.spec.locals[local];
                let word = match entry.kind {
                    LocalKind::New(kind) => new_word(kind),
                    LocalKind::Param | LocalKind::Bound | LocalKind::TemporalBound | LocalKind::At => "new",
                };
                self.events.open(word, entry.span);
                self.events.key("name");
                self.binder(local);
                if let Some(set) = set {
                    self.key_expr("set", set);
                }
                self.events.close();
            }
        }
    }
}
