//! Writes expressions as events.

use diag::Span;

use super::Dumper;
use super::events::Shown;
use crate::ast::{
    Assumption, BuiltinSet, ExceptStep, ExceptUpdate, ExprId, ExprKind, Fairness, Ident, JunctionKind,
    NewKind, PathSegment, Quantifier, SegmentKind, StepKind, UnboundedQuantifier,
};
use crate::op::OpSym;

impl<'a> Dumper<'a> {
    pub(super) fn expr(&mut self, id: ExprId) {
        base::with_stack(|| {
            let expr = &self.file.exprs[id];
            self.kind(&expr.kind, expr.span);
        });
    }

    pub(super) fn key_expr(&mut self, key: &'static str, id: ExprId) {
        self.events.key(key);
        self.expr(id);
    }

    pub(super) fn exprs(&mut self, key: &'static str, ids: &[ExprId]) {
        self.events.list(key);
        ids.iter().for_each(|&id| self.expr(id));
        self.events.close();
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of expression")]
    fn kind(&mut self, kind: &'a ExprKind, span: Span) {
        match kind {
            ExprKind::Number(name) => self.word_leaf("number", self.text(*name), span),
            ExprKind::Decimal(name) => self.word_leaf("decimal", self.text(*name), span),
            ExprKind::String(name) => {
                self.events.leaf("string", "value", Shown::Quoted(self.text(*name)), span);
            }
            ExprKind::Bool(value) => self.events.leaf("bool", "value", Shown::Bool(*value), span),
            ExprKind::BuiltinSet(BuiltinSet::Boolean) => self.word_leaf("builtin-set", "BOOLEAN", span),
            ExprKind::BuiltinSet(BuiltinSet::String) => self.word_leaf("builtin-set", "STRING", span),
            ExprKind::At => self.word_leaf("at", "@", span),
            ExprKind::Operator(op) => self.word_leaf("operator", op.canonical(), span),
            ExprKind::Error => self.word_leaf("error", "<error>", span),
            ExprKind::Path(segments) => self.path(segments, span),
            ExprKind::Lambda { params, body } => {
                self.events.open_as("lambda", "LAMBDA", span);
                self.binder(params, *body);
            }
            ExprKind::Prefix { op, operand, .. } => self.operation("prefix", *op, &[*operand], span),
            ExprKind::Infix { op, lhs, rhs, .. } => self.operation("infix", *op, &[*lhs, *rhs], span),
            ExprKind::Postfix { op, operand, .. } => self.operation("postfix", *op, &[*operand], span),
            ExprKind::Junction { kind: JunctionKind::And, items } => self.items("conjunction", items, span),
            ExprKind::Junction { kind: JunctionKind::Or, items } => self.items("disjunction", items, span),
            ExprKind::Paren(inner) => self.items("paren", &[*inner], span),
            ExprKind::Tuple(items) => self.items("tuple", items, span),
            ExprKind::Product(items) => self.items("product", items, span),
            ExprKind::SetEnum(items) => self.items("set", items, span),
            ExprKind::SetFilter { bound, predicate } => {
                self.events.open("filter", span);
                self.events.key("bound");
                self.bound(bound);
                self.key_expr("predicate", *predicate);
                self.events.close();
            }
            ExprKind::SetMap { body, bounds } => {
                self.events.open("map", span);
                self.key_expr("body", *body);
                self.bounds(bounds);
                self.events.close();
            }
            ExprKind::Function { bounds, body } => {
                self.events.open("function", span);
                self.bounds(bounds);
                self.key_expr("body", *body);
                self.events.close();
            }
            ExprKind::FunctionSet { domain, range } => self.items("function-set", &[*domain, *range], span),
            ExprKind::FnApply { function, args } => {
                self.events.open("apply", span);
                self.key_expr("function", *function);
                self.exprs("args", args);
                self.events.close();
            }
            ExprKind::Record(fields) => self.fields("record", "|->", fields, span),
            ExprKind::RecordSet(fields) => self.fields("record-set", ":", fields, span),
            ExprKind::Field { record, field } => {
                self.events.open_as("field", ".", span);
                self.key_expr("record", *record);
                self.key_ident("field", *field);
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
                let (word, symbol) = match kind {
                    Quantifier::Forall => ("forall", "\\A"),
                    Quantifier::Exists => ("exists", "\\E"),
                };
                self.events.open_as(word, symbol, span);
                self.bounds(bounds);
                self.key_expr("body", *body);
                self.events.close();
            }
            ExprKind::Unbounded { kind, names, body } => {
                let (word, symbol) = match kind {
                    UnboundedQuantifier::Forall => ("unbounded-forall", "\\A"),
                    UnboundedQuantifier::Exists => ("unbounded-exists", "\\E"),
                    UnboundedQuantifier::TemporalForall => ("temporal-forall", "\\AA"),
                    UnboundedQuantifier::TemporalExists => ("temporal-exists", "\\EE"),
                };
                self.events.open_as(word, symbol, span);
                self.binder(names, *body);
            }
            ExprKind::Choose { pattern, set, body } => {
                self.events.open("choose", span);
                self.pattern(pattern);
                if let Some(set) = set {
                    self.events.group("in");
                    self.expr(*set);
                    self.events.close();
                }
                self.key_expr("body", *body);
                self.events.close();
            }
            ExprKind::If { condition, then, otherwise } => {
                self.events.open("if", span);
                self.key_expr("condition", *condition);
                self.key_expr("then", *then);
                self.key_expr("else", *otherwise);
                self.events.close();
            }
            ExprKind::Case { arms, other } => self.case(arms, *other, span),
            ExprKind::Let { units, body } => {
                self.events.open("let", span);
                self.units("units", units);
                self.key_expr("body", *body);
                self.events.close();
            }
            ExprKind::Label { name, params, body } => {
                self.events.open_as("label", "::", span);
                self.key_ident("name", *name);
                if !params.is_empty() {
                    self.events.group("params");
                    params.iter().for_each(|&param| self.ident(param));
                    self.events.close();
                }
                self.key_expr("body", *body);
                self.events.close();
            }
            ExprKind::Step { kind, action, subscript } => {
                let word = match kind {
                    StepKind::Box => "box-step",
                    StepKind::Angle => "angle-step",
                };
                self.subscript_form(word, *action, *subscript, span);
            }
            ExprKind::Fairness { kind, subscript, action } => {
                let word = match kind {
                    Fairness::Weak => "weak-fairness",
                    Fairness::Strong => "strong-fairness",
                };
                self.subscript_form(word, *action, *subscript, span);
            }
            ExprKind::AssumeProve { assumptions, goal } => {
                self.events.open("assume-prove", span);
                self.events.list("assumptions");
                assumptions.iter().for_each(|assumption| self.assumption(assumption));
                self.events.close();
                self.key_expr("goal", *goal);
                self.events.close();
            }
        }
    }

    fn word_leaf(&mut self, kind: &'static str, word: &'a str, span: Span) {
        self.events.leaf(kind, "value", Shown::Word(word.into()), span);
    }

    fn items(&mut self, kind: &'static str, items: &[ExprId], span: Span) {
        self.events.open(kind, span);
        self.exprs("items", items);
        self.events.close();
    }

    fn operation(&mut self, kind: &'static str, op: OpSym, operands: &[ExprId], span: Span) {
        self.events.open(kind, span);
        self.events.word("operator", op.canonical());
        self.exprs("operands", operands);
        self.events.close();
    }

    /// Writes the names that a form binds and its body, and closes the form.
    fn binder(&mut self, names: &[Ident], body: ExprId) {
        self.events.group("names");
        names.iter().for_each(|&name| self.ident(name));
        self.events.close();
        self.key_expr("body", body);
        self.events.close();
    }

    fn subscript_form(&mut self, kind: &'static str, action: ExprId, subscript: ExprId, span: Span) {
        self.events.open(kind, span);
        self.key_expr("action", action);
        self.key_expr("subscript", subscript);
        self.events.close();
    }

    /// Writes a path. A name alone is shown as it is, `F(a)` as `(F a)`, `I!F(a)` as `(! I (F a))`.
    fn path(&mut self, segments: &'a [PathSegment], span: Span) {
        if let [PathSegment { kind, args: None, .. }] = segments {
            let word = Shown::Word(self.segment_word(*kind).into());
            return self.events.leaf("name", "text", word, span);
        }
        if let [segment] = segments {
            return self.segment(segment);
        }
        self.events.open_as("path", "!", span);
        self.events.list("segments");
        segments.iter().for_each(|segment| self.segment(segment));
        self.events.close();
        self.events.close();
    }

    fn segment(&mut self, segment: &'a PathSegment) {
        let word = self.segment_word(segment.kind);
        match &segment.args {
            None => self.events.leaf("name", "text", Shown::Word(word.into()), segment.span),
            Some(args) => {
                self.events.open("call", segment.span);
                self.events.word("name", word);
                self.exprs("args", args);
                self.events.close();
            }
        }
    }

    fn segment_word(&self, kind: SegmentKind) -> String {
        match kind {
            SegmentKind::Name(name) | SegmentKind::Step(name) => self.text(name).to_owned(),
            SegmentKind::Number(number) => number.to_string(),
            SegmentKind::First => "<<".to_owned(),
            SegmentKind::Last => ">>".to_owned(),
            SegmentKind::Body => ":".to_owned(),
            SegmentKind::At => "@".to_owned(),
            SegmentKind::Arguments => "arguments".to_owned(),
        }
    }

    fn fields(&mut self, kind: &'static str, symbol: &'a str, fields: &[(Ident, ExprId)], span: Span) {
        self.events.open(kind, span);
        self.events.list("fields");
        for &(field, value) in fields {
            self.events.open_as("pair", symbol, field.span.to(self.file.exprs[value].span));
            self.key_ident("field", field);
            self.key_expr("value", value);
            self.events.close();
        }
        self.events.close();
        self.events.close();
    }

    fn update(&mut self, update: &'a ExceptUpdate) {
        self.events.open_as("update", "!", update.span);
        self.events.list("path");
        for step in &update.path {
            match step {
                ExceptStep::Field(field) => {
                    self.events.open_as("field", ".", field.span);
                    self.key_ident("field", *field);
                }
                ExceptStep::Index(indices) => {
                    let start = indices.first().map_or(update.span, |&first| self.file.exprs[first].span);
                    let end = indices.last().map_or(update.span, |&last| self.file.exprs[last].span);
                    self.events.open_as("index", "[]", start.to(end));
                    self.exprs("args", indices);
                }
            }
            self.events.close();
        }
        self.events.close();
        self.key_expr("value", update.value);
        self.events.close();
    }

    fn case(&mut self, arms: &[(ExprId, ExprId)], other: Option<ExprId>, span: Span) {
        self.events.open("case", span);
        self.events.list("arms");
        for &(guard, value) in arms {
            self.events.open_as("arm", "->", self.file.exprs[guard].span.to(self.file.exprs[value].span));
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

    fn assumption(&mut self, assumption: &'a Assumption) {
        match assumption {
            Assumption::Fact(fact) => self.expr(*fact),
            Assumption::New { kind, decl, set } => {
                let word = match kind {
                    NewKind::Constant => "new-constant",
                    NewKind::Variable => "new-variable",
                    NewKind::State => "new-state",
                    NewKind::Action => "new-action",
                    NewKind::Temporal => "new-temporal",
                };
                self.events.open(word, decl.name.span);
                self.events.key("name");
                self.decl(*decl);
                if let Some(set) = set {
                    self.key_expr("set", *set);
                }
                self.events.close();
            }
        }
    }
}
