//! Subexpression names: `Op(a)!lab(b)!2`, `Thm!1`, `Op!(x)!<<`.
//!
//! The part that is named becomes a definition of its own: its parameters are those of the operator and
//! the bound names around the part, its arguments those given along the path.

use std::rc::Rc;

use diag::Code;
use syntax::ast::{self, PathSegment, SegmentKind};

use super::Resolver;
use super::clone::CloneContext;
use super::define::count;
use crate::spec::{
    Arg, AssumeItem, Bound, Def, DefBody, DefId, DefKind, Entity, ExprId, ExprKind, LocalId, Pattern,
};

type File = Rc<ast::File>;

/// Where a path has led so far.
struct Cursor {
    /// The definition whose body the path goes into.
    def: DefId,
    expr: ExprId,
    /// Names that stand free at `expr`, with what is given for them.
    given: Vec<(LocalId, Arg)>,
    /// Names that stand free at `expr` and are left open by `!@`.
    open: Vec<LocalId>,
}

/// What one selector applies to.
enum Part {
    Expr(ExprId),
    /// The body of a binder, and the names it binds.
    Body(Vec<LocalId>, ExprId),
}

impl Resolver<'_> {
    /// The part that `segments` (the first names `def` itself) select, and its arguments.
    pub(super) fn subexpression(
        &mut self,
        file: &File,
        (def, prefix): (DefId, Vec<Arg>),
        segments: &[PathSegment],
    ) -> Option<(DefId, Vec<Arg>)> {
        let cursor = self.select(file, (def, prefix), segments)?;
        if !cursor.open.is_empty() {
            let span = segments.last().map_or(segments[0].span, |segment| segment.span);
            self.error(Code::BadSelector, span, "`!@` selects an operator, and an expression is needed here");
            return None;
        }
        Some(self.part_definition(cursor))
    }

    /// Likewise where an operator is needed: names left open by `!@` are its parameters.
    pub(super) fn subexpression_operator(
        &mut self,
        file: &File,
        (def, prefix): (DefId, Vec<Arg>),
        segments: &[PathSegment],
    ) -> Option<(DefId, Vec<Arg>)> {
        let cursor = self.select(file, (def, prefix), segments)?;
        Some(self.part_definition(cursor))
    }

    fn select(
        &mut self,
        file: &File,
        (def, prefix): (DefId, Vec<Arg>),
        segments: &[PathSegment],
    ) -> Option<Cursor> {
        let (first, rest) = segments.split_first()?;
        let name = self.segment_name(first)?;
        let ident = ast::Ident { name, span: first.span };
        let args = self.arguments(file, ident, Entity::Def(def), (first, prefix))?;
        let DefBody::Expr(expr) = self.spec.defs[def].body else {
            self.error(Code::BadSelector, first.span, format!("`{}` has no parts", self.text(name)));
            return None;
        };
        let params = self.spec.defs[def].params.clone();
        let given = params.into_iter().zip(args).collect();
        let mut cursor = Cursor { def, expr, given, open: Vec::new() };
        for (index, segment) in rest.iter().enumerate() {
            self.step(file, &mut cursor, (index == 0, segment))?;
        }
        Some(cursor)
    }

    fn step(&mut self, file: &File, cursor: &mut Cursor, (first, segment): (bool, &PathSegment)) -> Option<()> {
        match segment.kind {
            SegmentKind::Name(name) => return self.step_to_name(file, cursor, (name, segment)),
            SegmentKind::Step(_) => {
                self.error(Code::BadSelector, segment.span, "a proof step cannot be selected from here");
                return None;
            }
            SegmentKind::Body if first => {
                return Some(());
            }
            SegmentKind::Body => {
                self.error(Code::BadSelector, segment.span, "`!:` can only follow the name of a definition");
                return None;
            }
            SegmentKind::Number(_)
            | SegmentKind::First
            | SegmentKind::Last
            | SegmentKind::At
            | SegmentKind::Arguments => {}
        }
        let at = self.through(cursor.expr);
        let Some(part) = self.part(at, segment) else {
            self.report_no_part(cursor, segment);
            return None;
        };
        match part {
            Part::Expr(expr) => cursor.expr = expr,
            Part::Body(names, body) => {
                cursor.expr = body;
                self.give(file, cursor, (names, segment))?;
            }
        }
        Some(())
    }

    /// Binds the names of a binder to the arguments of `!(a, b)`, or leaves them open for `!@`.
    fn give(
        &mut self,
        file: &File,
        cursor: &mut Cursor,
        (names, segment): (Vec<LocalId>, &PathSegment),
    ) -> Option<()> {
        let Some(args) = &segment.args else {
            cursor.open.extend(names);
            return Some(());
        };
        if args.len() != names.len() {
            let headline = format!("{} needed here, not {}", count(names.len(), "argument"), args.len());
            self.error(Code::LabelParameters, segment.span, headline);
            return None;
        }
        for (name, &arg) in names.into_iter().zip(args) {
            let value = self.expr(file, arg);
            cursor.given.push((name, Arg::Expr(value)));
        }
        Some(())
    }

    /// A label, or a definition of a LET.
    fn step_to_name(
        &mut self,
        file: &File,
        cursor: &mut Cursor,
        (name, segment): (base::Name, &PathSegment),
    ) -> Option<()> {
        if let Some((params, body)) = self.find_label(cursor.expr, name) {
            cursor.expr = body;
            let given = segment.args.as_ref().map_or(0, Vec::len);
            if given != params.len() {
                let headline = format!(
                    "the label `{}` takes {}, not {given}",
                    self.text(name),
                    count(params.len(), "argument")
                );
                self.error(Code::LabelParameters, segment.span, headline);
                return None;
            }
            return if params.is_empty() { Some(()) } else { self.give(file, cursor, (params, segment)) };
        }
        if let Some(def) = self.find_let_def(cursor.expr, name)
            && let DefBody::Expr(body) = self.spec.defs[def].body
        {
            let ident = ast::Ident { name, span: segment.span };
            let args = self.arguments(file, ident, Entity::Def(def), (segment, Vec::new()))?;
            let params = self.spec.defs[def].params.clone();
            cursor.given.extend(params.into_iter().zip(args));
            cursor.expr = body;
            cursor.def = def;
            return Some(());
        }
        let def_name = self.text(self.spec.defs[cursor.def].name).to_owned();
        let headline = format!("`{def_name}` has no label `{}` here", self.text(name));
        self.error(Code::BadSelector, segment.span, headline);
        None
    }

    fn report_no_part(&mut self, cursor: &Cursor, segment: &PathSegment) {
        let place = self.spec.exprs[cursor.expr].span;
        let diagnostic =
            diag::Diagnostic::new(Code::BadSelector, segment.span, "this selects no part of the expression")
                .related(place, "of this expression");
        self.report(diagnostic);
    }

    /// Labels and LETs are passed through: selectors count the parts of what is inside.
    fn through(&self, expr: ExprId) -> ExprId {
        let mut inner = expr;
        while let ExprKind::Label { body, .. } | ExprKind::Let { body, .. } = &self.spec.exprs[inner].kind {
            inner = *body;
        }
        inner
    }

    /// The label `name` inside `expr`, not inside another label.
    fn find_label(&self, expr: ExprId, name: base::Name) -> Option<(Vec<LocalId>, ExprId)> {
        let mut todo = vec![expr];
        while let Some(next) = todo.pop() {
            if let ExprKind::Label { name: label, params, body } = &self.spec.exprs[next].kind {
                if *label == name {
                    return Some((params.clone(), *body));
                }
                if next != expr {
                    continue;
                }
            }
            self.spec.exprs[next].kind.for_each_child(&mut |child| todo.push(child));
        }
        None
    }

    fn find_let_def(&self, expr: ExprId, name: base::Name) -> Option<DefId> {
        let mut inner = expr;
        loop {
            match &self.spec.exprs[inner].kind {
                ExprKind::Label { body, .. } => inner = *body,
                ExprKind::Let { defs, body } => {
                    let found = defs.iter().copied().find(|&def| self.spec.defs[def].name == name);
                    if found.is_some() {
                        return found;
                    }
                    inner = *body;
                }
                _ => return None,
            }
        }
    }

    /// The part of `expr` that a selector names.
    fn part(&self, expr: ExprId, segment: &PathSegment) -> Option<Part> {
        match segment.kind {
            SegmentKind::Number(n) => self.operand(expr, n as usize),
            SegmentKind::First => self.operand(expr, 1),
            SegmentKind::Last => (self.operands(expr).len() == 2).then(|| self.operand(expr, 2)).flatten(),
            SegmentKind::Arguments | SegmentKind::At => {
                let (names, body) = self.binder(expr)?;
                Some(Part::Body(names, body))
            }
            SegmentKind::Name(_) | SegmentKind::Step(_) | SegmentKind::Body => None,
        }
    }

    fn operand(&self, expr: ExprId, n: usize) -> Option<Part> {
        self.operands(expr).get(n.checked_sub(1)?).copied().map(Part::Expr)
    }

    /// The parts of an expression that numbers select, in order.
    fn operands(&self, expr: ExprId) -> Vec<ExprId> {
        match &self.spec.exprs[expr].kind {
            ExprKind::Quantified { bounds, .. }
            | ExprKind::SetMap { bounds, .. }
            | ExprKind::Function { bounds, .. } => bounds.iter().map(|bound| bound.set).collect(),
            ExprKind::SetFilter { bound, .. } => vec![bound.set],
            ExprKind::Choose { set, .. } => set.iter().copied().collect(),
            ExprKind::AssumeProve { assumptions, goal } => {
                assumptions.iter().filter_map(AssumeItem::expr).chain([*goal]).collect()
            }
            _ => self.spec.children(expr),
        }
    }

    /// The names a binder binds, and its body.
    fn binder(&self, expr: ExprId) -> Option<(Vec<LocalId>, ExprId)> {
        let names = |bounds: &[Bound]| {
            bounds.iter().flat_map(|bound| bound.pattern.locals().iter().copied()).collect::<Vec<_>>()
        };
        Some(match &self.spec.exprs[expr].kind {
            ExprKind::Quantified { bounds, body, .. }
            | ExprKind::SetMap { bounds, body }
            | ExprKind::Function { bounds, body } => (names(bounds), *body),
            ExprKind::SetFilter { bound, predicate } => (names(std::slice::from_ref(bound)), *predicate),
            ExprKind::Choose { pattern: Pattern::Names(locals) | Pattern::Tuple(locals), body, .. }
            | ExprKind::Unbounded { locals, body, .. } => (locals.clone(), *body),
            _ => return None,
        })
    }

    /// A definition whose body is the part, and the arguments for its parameters.
    fn part_definition(&mut self, cursor: Cursor) -> (DefId, Vec<Arg>) {
        let span = self.spec.exprs[cursor.expr].span;
        let mut context = CloneContext::default();
        let (locals, args): (Vec<LocalId>, Vec<Arg>) = cursor.given.into_iter().unzip();
        let params = locals.iter().chain(&cursor.open).map(|&local| self.fresh(&mut context, local)).collect();
        let body = self.clone_expr(&mut context, cursor.expr);
        let origin = &self.spec.defs[cursor.def];
        let def = Def { kind: DefKind::Subexpression, params, body: DefBody::Expr(body), ..origin.clone() };
        let def = Def { span, recursive: false, std: None, origin: None, ..def };
        (self.spec.defs.push(def), args)
    }
}

