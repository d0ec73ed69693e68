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
use crate::spec::{Arg, Bound, Def, DefBody, DefId, DefKind, Entity, ExprId, ExprKind, LocalId, Pattern};

type File = Rc<ast::File>;

/// Where a path has led so far.
struct Cursor {
    /// The definition whose body the path goes into.
    def: DefId,
    expr: ExprId,
    /// Set right after an arm of a CASE was selected, until its guard or value is.
    arm: Option<Arm>,
    /// Names that stand free at `expr`, with what is given for them.
    given: Vec<(LocalId, Arg)>,
    /// Whether an operator is wanted: parameters without arguments are then its own.
    operator: bool,
    /// Names that stand free at `expr` and are parameters of the operator that is wanted.
    open: Vec<LocalId>,
}

/// `guard -> value`; OTHER has no guard.
#[derive(Clone, Copy)]
struct Arm {
    guard: Option<ExprId>,
    value: ExprId,
}

/// What one selector applies to.
enum Part {
    Expr(ExprId),
    Arm(Arm),
    /// The name of a field, as the second part of `r.name`.
    Field(base::Name),
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
        let cursor = self.select(file, (def, prefix, false), segments)?;
        if !cursor.open.is_empty() {
            let span = segments.last().map_or(segments[0].span, |segment| segment.span);
            self.error(Code::BadSelector, span, "`!@` selects an operator, and an expression is needed here");
            return None;
        }
        Some(self.part_definition(cursor))
    }

    /// Likewise where an operator is needed: what is given no arguments on the way gets them later.
    pub(super) fn subexpression_operator(
        &mut self,
        file: &File,
        (def, prefix): (DefId, Vec<Arg>),
        segments: &[PathSegment],
    ) -> Option<(DefId, Vec<Arg>)> {
        let cursor = self.select(file, (def, prefix, true), segments)?;
        Some(self.part_definition(cursor))
    }

    fn select(
        &mut self,
        file: &File,
        (def, prefix, operator): (DefId, Vec<Arg>, bool),
        segments: &[PathSegment],
    ) -> Option<Cursor> {
        let (first, rest) = segments.split_first()?;
        let name = self.segment_name(first)?;
        let Some(expr) = self.parts_of(def) else {
            self.error(Code::BadSelector, first.span, format!("`{}` has no parts", self.text(name)));
            return None;
        };
        let mut cursor = Cursor { def, expr, arm: None, given: Vec::new(), operator, open: Vec::new() };
        self.enter(file, &mut cursor, prefix, (name, first))?;
        let rest = self.skip_keyword(def, rest);
        for (index, segment) in rest.iter().enumerate() {
            let after_name = index == 0 || matches!(rest[index - 1].kind, SegmentKind::Name(_));
            self.step(file, &mut cursor, (after_name, segment))?;
        }
        Some(cursor)
    }

    /// Takes the arguments of `cursor.def` at `segment`, or leaves its parameters open.
    fn enter(
        &mut self,
        file: &File,
        cursor: &mut Cursor,
        prefix: Vec<Arg>,
        (name, segment): (base::Name, &PathSegment),
    ) -> Option<()> {
        let params = self.spec.defs[cursor.def].params.clone();
        if cursor.operator && segment.args.is_none() {
            let (first, open) = params.split_at(prefix.len());
            cursor.given.extend(first.iter().copied().zip(prefix));
            cursor.open.extend(open);
            return Some(());
        }
        let ident = ast::Ident { name, span: self.name_span(segment) };
        let args = self.arguments(file, ident, Entity::Def(cursor.def), (segment, prefix))?;
        cursor.given.extend(params.into_iter().zip(args));
        Some(())
    }

    /// What can be selected from: the body of a definition, or the formula of a proof step.
    fn parts_of(&self, def: DefId) -> Option<ExprId> {
        match self.spec.defs[def].body {
            DefBody::Expr(body) => Some(body),
            DefBody::Native | DefBody::Missing => self.step_parts.get(&def).map(|parts| parts.formula),
        }
    }

    /// SUFFICES, CASE and HAVE count as operators of one argument: `<1>2!1` is what follows the word.
    fn skip_keyword<'s>(&self, def: DefId, segments: &'s [PathSegment]) -> &'s [PathSegment] {
        let has_keyword = self.step_parts.get(&def).is_some_and(|parts| parts.after_keyword);
        match segments {
            [PathSegment { kind: SegmentKind::Number(1) | SegmentKind::First, .. }, rest @ ..]
                if has_keyword =>
            {
                rest
            }
            _ => segments,
        }
    }

    fn step(
        &mut self,
        file: &File,
        cursor: &mut Cursor,
        (after_name, segment): (bool, &PathSegment),
    ) -> Option<()> {
        match segment.kind {
            SegmentKind::Name(name) => return self.step_to_name(file, cursor, (name, segment)),
            SegmentKind::Step(_) => {
                self.error(Code::BadSelector, segment.span, "a proof step cannot be selected from here");
                return None;
            }
            SegmentKind::Body if after_name => return Some(()),
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
        let part = match cursor.arm.take() {
            Some(arm) => arm_part(arm, segment),
            None => self.part(self.through(cursor.expr), segment),
        };
        let Some(part) = part else {
            self.report_no_part(cursor, segment);
            return None;
        };
        match part {
            Part::Expr(expr) => cursor.expr = expr,
            Part::Arm(arm) => {
                cursor.expr = arm.value;
                cursor.arm = Some(arm);
            }
            Part::Field(name) => cursor.expr = self.add(ExprKind::Str(name), segment.span),
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
            if given != params.len() && !(cursor.operator && segment.args.is_none()) {
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
            cursor.expr = body;
            cursor.def = def;
            return self.enter(file, cursor, Vec::new(), (name, segment));
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

    /// Labels are passed through: selectors count the parts of what is inside. A LET has one part.
    fn through(&self, expr: ExprId) -> ExprId {
        let mut inner = expr;
        while let ExprKind::Label { body, .. } = &self.spec.exprs[inner].kind {
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
        while let kind @ (ExprKind::Label { body, .. } | ExprKind::Let { body, .. }) =
            &self.spec.exprs[inner].kind
        {
            let found = kind.let_defs().iter().copied().find(|&def| self.spec.defs[def].name == name);
            if found.is_some() {
                return found;
            }
            inner = *body;
        }
        None
    }

    /// The part of `expr` that a selector names.
    fn part(&self, expr: ExprId, segment: &PathSegment) -> Option<Part> {
        match segment.kind {
            SegmentKind::Number(n) => self.operand(expr, n as usize),
            SegmentKind::First => self.operand(expr, 1),
            SegmentKind::Last if self.operand(expr, 3).is_some() => None,
            SegmentKind::Last => self.operand(expr, 2),
            SegmentKind::Arguments | SegmentKind::At => {
                let (names, body) = self.binder(expr)?;
                Some(Part::Body(names, body))
            }
            SegmentKind::Name(_) | SegmentKind::Step(_) | SegmentKind::Body => None,
        }
    }

    fn operand(&self, expr: ExprId, n: usize) -> Option<Part> {
        let index = n.checked_sub(1)?;
        let kind = &self.spec.exprs[expr].kind;
        if let ExprKind::Case { arms, other } = kind {
            let arms = arms.iter().map(|&(guard, value)| Arm { guard: Some(guard), value });
            let other = other.iter().map(|&value| Arm { guard: None, value });
            return arms.chain(other).nth(index).map(Part::Arm);
        }
        if let ExprKind::Field { field, .. } = kind
            && n == 2
        {
            return Some(Part::Field(*field));
        }
        self.operands(expr).get(index).copied().map(Part::Expr)
    }

    /// The parts of an expression that numbers select, in order.
    fn operands(&self, expr: ExprId) -> Vec<ExprId> {
        let mut parts = self.spec.children(expr);
        if let Some((_, body)) = self.binder(expr) {
            parts.retain(|&part| part != body);
        }
        parts
    }

    /// The names a binder binds, and its body.
    fn binder(&self, expr: ExprId) -> Option<(Vec<LocalId>, ExprId)> {
        let names = |bounds: &[Bound]| {
            bounds.iter().flat_map(|bound| bound.pattern.locals().iter().copied()).collect::<Vec<_>>()
        };
        let kind = &self.spec.exprs[expr].kind;
        if let ExprKind::Quantified { bounds, body, .. }
        | ExprKind::SetMap { bounds, body }
        | ExprKind::Function { bounds, body } = kind
        {
            Some((names(bounds), *body))
        } else if let ExprKind::SetFilter { bound, predicate } = kind {
            Some((names(std::slice::from_ref(bound)), *predicate))
        } else if let ExprKind::Choose {
            pattern: Pattern::Names(locals) | Pattern::Tuple(locals),
            body,
            ..
        }
        | ExprKind::Unbounded { locals, body, .. } = kind
        {
            Some((locals.clone(), *body))
        } else {
            None
        }
    }

    /// A definition whose body is the part, and the arguments for its parameters.
    fn part_definition(&mut self, cursor: Cursor) -> (DefId, Vec<Arg>) {
        let span = self.spec.exprs[cursor.expr].span;
        let mut context = CloneContext::default();
        let (locals, args): (Vec<LocalId>, Vec<Arg>) = cursor.given.into_iter().unzip();
        let params =
            locals.iter().chain(&cursor.open).map(|&local| self.fresh(&mut context, local)).collect();
        let body = self.clone_expr(&mut context, cursor.expr);
        let origin = &self.spec.defs[cursor.def];
        let def = Def { kind: DefKind::Subexpression, params, body: DefBody::Expr(body), ..origin.clone() };
        let def = Def { span, recursive: false, std: None, origin: None, ..def };
        (self.spec.defs.push(def), args)
    }
}

/// The guard or the value of an arm of a CASE.
fn arm_part(arm: Arm, segment: &PathSegment) -> Option<Part> {
    match segment.kind {
        SegmentKind::Number(1) | SegmentKind::First => arm.guard.map(Part::Expr),
        SegmentKind::Number(2) | SegmentKind::Last => Some(Part::Expr(arm.value)),
        SegmentKind::Number(_)
        | SegmentKind::Name(_)
        | SegmentKind::Step(_)
        | SegmentKind::Body
        | SegmentKind::At
        | SegmentKind::Arguments => None,
    }
}

/// What can be selected from a proof step.
#[derive(Clone, Copy)]
pub(super) struct StepParts {
    pub(super) formula: ExprId,
    /// Whether SUFFICES, CASE or HAVE stands before it.
    pub(super) after_keyword: bool,
}
