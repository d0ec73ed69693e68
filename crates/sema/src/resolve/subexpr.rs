//! Subexpression names: `Op(a)!lab(b)!2`, `Thm!1`, `Op!(x)!<<`.
//!
//! The part that is named becomes a definition of its own. Its parameters are those of the operator and the bound names
//! around the part; its arguments are those given along the path. `parts` has the targets of selectors.

use std::rc::Rc;

use base::{FxHashMap, FxHashSet};
use diag::{Code, Diagnostic};
use syntax::ast::{self, PathSegment, SegmentKind};

use super::Resolver;
use super::clone::{CloneContext, Reference};
use super::define::count;
use super::parts::{Arm, SelectedPart};
use crate::spec::{Arg, Def, DefBody, DefId, DefKind, Entity, ExprId, ExprKind, Lambda, LocalId, NameTarget};

type File = Rc<ast::File>;

/// The kind of thing that a path must lead to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Expr,
    /// An operator. Parameters without arguments become its own.
    Operator,
    /// A fact of a BY or USE, which may be an ASSUME/PROVE.
    Fact,
}

/// The point that a path has reached so far.
struct PathCursor {
    /// The definition whose body the path goes into.
    def: DefId,
    /// The body of the definition where the path started.
    root: ExprId,
    /// The last expression of that body on the way.
    expr: ExprId,
    focus: Focus,
    after: After,
    /// Names that are free at `expr`, with the arguments given for them.
    given: Vec<(LocalId, Arg)>,
    want: Want,
    /// Names that are free at `expr` and become parameters of the operator.
    open: Vec<LocalId>,
}

/// The thing that is selected now.
enum Focus {
    Expr(ExprId),
    /// An arm of a CASE, until its guard or value is selected.
    Arm(Arm),
    /// A LAMBDA that is an argument.
    Lambda(Lambda),
    /// A NEW of an ASSUME.
    New,
}

/// The kind of the last segment, which decides what a name can select.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    /// The name of a definition: a label of it comes next.
    Name,
    Label,
    /// A part or `!:`: a definition of a LET comes next.
    Part,
    Colon,
}

/// The parts that can be selected from a proof step.
#[derive(Clone, Copy)]
pub(super) struct StepParts {
    pub(super) formula: ExprId,
    /// Whether SUFFICES, CASE or HAVE stands before it.
    pub(super) after_keyword: bool,
}

impl Resolver<'_> {
    /// Returns the part that `segments` select, and its arguments. The first segment names `def` itself.
    pub(super) fn subexpression(
        &mut self,
        file: &File,
        (def, prefix, want): (DefId, Vec<Arg>, Want),
        segments: &[PathSegment],
    ) -> Option<(DefId, Vec<Arg>)> {
        let cursor = self.select(file, (def, prefix, want), segments)?;
        let last = segments.last()?;
        if want == Want::Expr && !cursor.open.is_empty() {
            self.bad_selector(last, "`!@` selects an operator, and an expression is needed here");
            return None;
        }
        let part = match &cursor.focus {
            Focus::Expr(expr) => *expr,
            Focus::Lambda(lambda) if want == Want::Operator => lambda.body,
            Focus::New if want == Want::Fact => return None,
            Focus::Arm(_) => {
                self.bad_selector(last, "an arm of a CASE has two parts: `!1` or `!2` must follow");
                return None;
            }
            Focus::Lambda(_) | Focus::New => {
                self.bad_selector(last, "this selects an operator or a declaration, not an expression");
                return None;
            }
        };
        Some(self.part_definition(cursor, part))
    }

    fn bad_selector(&mut self, segment: &PathSegment, headline: impl Into<String>) {
        self.error(Code::BadSelector, segment.span, headline);
    }

    fn select(
        &mut self,
        file: &File,
        (def, prefix, want): (DefId, Vec<Arg>, Want),
        segments: &[PathSegment],
    ) -> Option<PathCursor> {
        let (first, rest) = segments.split_first()?;
        let name = self.segment_name(first)?;
        let Some(expr) = self.parts_of(def) else {
            let name = self.text(name);
            let headline = match self.spec.defs[def].body {
                DefBody::Missing => format!("`{name}` is still being defined: its parts have no names yet"),
                DefBody::Native | DefBody::Expr(_) => format!("`{name}` has no parts"),
            };
            self.bad_selector(first, headline);
            return None;
        };
        let (given, open) = (Vec::new(), Vec::new());
        let focus = Focus::Expr(expr);
        let mut cursor = PathCursor { def, root: expr, expr, focus, after: After::Name, given, want, open };
        self.enter(file, &mut cursor, prefix, (name, first))?;
        let n_skipped = self.pass_keyword(&mut cursor, rest)?;
        for (index, segment) in rest.iter().enumerate().skip(n_skipped) {
            self.step(file, &mut cursor, (segment, rest.get(index + 1)))?;
        }
        Some(cursor)
    }

    /// Takes the arguments of `cursor.def` at `segment`, or leaves its parameters open.
    fn enter(
        &mut self,
        file: &File,
        cursor: &mut PathCursor,
        prefix: Vec<Arg>,
        (name, segment): (base::Name, &PathSegment),
    ) -> Option<()> {
        let params = self.spec.defs[cursor.def].params.clone();
        if cursor.want == Want::Operator {
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

    /// Returns what can be selected from: the body of a definition, or the formula of a proof step.
    fn parts_of(&self, def: DefId) -> Option<ExprId> {
        match self.spec.defs[def].body {
            DefBody::Expr(body) => Some(body),
            DefBody::Native | DefBody::Missing => self.step_parts.get(&def).map(|parts| parts.formula),
        }
    }

    /// Skips SUFFICES, CASE and HAVE, which count as operators of one argument: `<1>2!1` is what follows the word.
    /// Returns the number of segments that this takes.
    fn pass_keyword(&mut self, cursor: &mut PathCursor, segments: &[PathSegment]) -> Option<usize> {
        let has_keyword = self.step_parts.get(&cursor.def).is_some_and(|parts| parts.after_keyword);
        let Some(first) = segments.first().filter(|_| has_keyword) else { return Some(0) };
        match first.kind {
            SegmentKind::Name(_) | SegmentKind::Step(_) | SegmentKind::Body => Some(0),
            SegmentKind::Number(1) | SegmentKind::First => {
                cursor.after = After::Part;
                Some(1)
            }
            SegmentKind::Number(_) | SegmentKind::Last | SegmentKind::At | SegmentKind::Arguments => {
                self.bad_selector(first, "what follows SUFFICES, CASE or HAVE is selected by `!1` first");
                None
            }
        }
    }

    fn step(
        &mut self,
        file: &File,
        cursor: &mut PathCursor,
        (segment, next): (&PathSegment, Option<&PathSegment>),
    ) -> Option<()> {
        match segment.kind {
            SegmentKind::Name(name) => self.step_to_name(file, cursor, (name, segment)),
            SegmentKind::Step(_) => {
                self.bad_selector(segment, "a proof step cannot be selected from here");
                None
            }
            SegmentKind::Body => self.step_to_body(cursor, (segment, next)),
            SegmentKind::Number(_)
            | SegmentKind::First
            | SegmentKind::Last
            | SegmentKind::At
            | SegmentKind::Arguments => self.step_to_part(file, cursor, segment),
        }
    }

    /// Follows `!:`, which ends a path after the name of a definition, or stands before the name of a LET definition.
    fn step_to_body(
        &mut self,
        cursor: &mut PathCursor,
        (segment, next): (&PathSegment, Option<&PathSegment>),
    ) -> Option<()> {
        let before_name = next.is_some_and(|next| matches!(next.kind, SegmentKind::Name(_)));
        let allowed = match cursor.after {
            After::Name => next.is_none() || before_name,
            After::Label => before_name,
            After::Part | After::Colon => false,
        };
        if !allowed {
            let headline = "`!:` can only follow a name, at the end or before the name of a LET definition";
            self.bad_selector(segment, headline);
            return None;
        }
        cursor.after = After::Colon;
        Some(())
    }

    fn step_to_part(&mut self, file: &File, cursor: &mut PathCursor, segment: &PathSegment) -> Option<()> {
        let part = match &cursor.focus {
            Focus::Expr(expr) => self.part(*expr, segment),
            Focus::Arm(arm) => arm.part(segment),
            Focus::Lambda(lambda) => lambda_part(lambda, segment),
            Focus::New => None,
        };
        cursor.after = After::Part;
        match part {
            Some(SelectedPart::Expr(expr)) => {
                cursor.focus = Focus::Expr(expr);
                cursor.expr = expr;
            }
            Some(SelectedPart::Made(kind)) => {
                cursor.focus = Focus::Expr(self.add(kind, segment.span));
            }
            Some(SelectedPart::Arm(arm)) => cursor.focus = Focus::Arm(arm),
            Some(SelectedPart::Lambda(lambda)) => cursor.focus = Focus::Lambda(lambda),
            Some(SelectedPart::New) => cursor.focus = Focus::New,
            Some(SelectedPart::Body(names, body)) => {
                cursor.focus = Focus::Expr(body);
                cursor.expr = body;
                self.give(file, cursor, (names, segment))?;
            }
            Some(SelectedPart::OutOfScope) => {
                let headline = "this part is in the scope of a NEW declaration that is not known here";
                self.bad_selector(segment, headline);
                return None;
            }
            None => {
                self.report_no_part(cursor, segment);
                return None;
            }
        }
        Some(())
    }

    fn report_no_part(&mut self, cursor: &PathCursor, segment: &PathSegment) {
        let place = self.spec.exprs[cursor.expr].span;
        let diagnostic =
            Diagnostic::new(Code::BadSelector, segment.span, "this selects no part of the expression")
                .related(place, "of this expression");
        self.report(diagnostic);
    }

    /// Binds the names of a binder to the arguments of `!(a, b)`, or leaves them open for `!@`.
    fn give(
        &mut self,
        file: &File,
        cursor: &mut PathCursor,
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

    /// Follows a name: a label after a name, a definition of a LET after anything else.
    fn step_to_name(
        &mut self,
        file: &File,
        cursor: &mut PathCursor,
        (name, segment): (base::Name, &PathSegment),
    ) -> Option<()> {
        match cursor.after {
            After::Name | After::Label => self.step_to_label(file, cursor, (name, segment)),
            After::Part | After::Colon => self.step_to_let(file, cursor, (name, segment)),
        }
    }

    fn step_to_label(
        &mut self,
        file: &File,
        cursor: &mut PathCursor,
        (name, segment): (base::Name, &PathSegment),
    ) -> Option<()> {
        let Some(label) = self.find_label(cursor.expr, name) else {
            let def_name = self.text(self.spec.defs[cursor.def].name).to_owned();
            let headline = format!("`{def_name}` has no label `{}` here", self.text(name));
            let mut diagnostic = Diagnostic::new(Code::BadSelector, segment.span, headline);
            if self.find_let_def(cursor.expr, name).is_some() {
                let text = self.text(name);
                diagnostic = diagnostic.help(format!("a definition of a LET is named `!:!{text}`"));
            }
            self.report(diagnostic);
            return None;
        };
        if label.out_of_scope {
            let headline = "this label is in the scope of a NEW declaration that is not known here";
            self.bad_selector(segment, headline);
            return None;
        }
        let n_given = segment.args.as_ref().map_or(0, Vec::len);
        if n_given != label.params.len() && cursor.want != Want::Operator {
            let takes = count(label.params.len(), "argument");
            let headline = format!("the label `{}` takes {takes}, not {n_given}", self.text(name));
            self.error(Code::LabelParameters, segment.span, headline);
            return None;
        }
        let written = self.name_span(segment);
        self.record_use(written, NameTarget::Label(label.name_span));
        cursor.expr = label.body;
        cursor.focus = Focus::Expr(label.body);
        cursor.after = After::Label;
        if label.params.is_empty() { Some(()) } else { self.give(file, cursor, (label.params, segment)) }
    }

    fn step_to_let(
        &mut self,
        file: &File,
        cursor: &mut PathCursor,
        (name, segment): (base::Name, &PathSegment),
    ) -> Option<()> {
        let found = match cursor.focus {
            Focus::Expr(expr) => self.find_let_def(expr, name),
            Focus::Arm(_) | Focus::Lambda(_) | Focus::New => None,
        };
        let Some((def, body)) = found else {
            let headline = format!("there is no LET with a definition of `{}` here", self.text(name));
            self.bad_selector(segment, headline);
            return None;
        };
        let written = self.name_span(segment);
        self.record_use(written, NameTarget::Entity(Entity::Def(def)));
        cursor.def = def;
        cursor.expr = body;
        cursor.focus = Focus::Expr(body);
        cursor.after = After::Name;
        self.enter(file, cursor, Vec::new(), (name, segment))
    }

    /// Makes a definition whose body is the part, and the arguments for its parameters.
    fn part_definition(&mut self, cursor: PathCursor, part: ExprId) -> (DefId, Vec<Arg>) {
        let span = self.spec.exprs[part].span;
        let mut context = CloneContext::default();
        let (locals, args): (Vec<LocalId>, Vec<Arg>) = cursor.given.iter().cloned().unzip();
        let own = match &cursor.focus {
            Focus::Lambda(lambda) => lambda.params.as_slice(),
            Focus::Expr(_) | Focus::Arm(_) | Focus::New => &[],
        };
        let free: Vec<LocalId> = locals.iter().chain(&cursor.open).chain(own).copied().collect();
        let params: Vec<LocalId> = free.iter().map(|&local| self.fresh_binder(&mut context, local)).collect();
        let mut lets = Vec::new();
        for defs in self.needed_lets(&cursor, part) {
            lets.push(self.clone_let_defs(&mut context, &defs));
            // Copies of the definitions have their own parameters, perhaps including those of the definition that holds
            // the part.
            context.locals.extend(free.iter().copied().zip(params.iter().copied()));
        }
        let mut body = self.clone_expr(&mut context, part);
        while let Some(defs) = lets.pop() {
            body = self.add(ExprKind::Let { defs, body }, span);
        }
        let origin = &self.spec.defs[cursor.def];
        let def = Def { kind: DefKind::Subexpression, params, body: DefBody::Expr(body), ..origin.clone() };
        let def = Def { span, recursive: false, std: None, origin: None, ..def };
        (self.spec.defs.push(def), args)
    }

    /// Returns the LETs around the part whose definitions it needs, outermost first.
    fn needed_lets(&self, cursor: &PathCursor, part: ExprId) -> Vec<Vec<DefId>> {
        let mut needed: FxHashSet<DefId> = FxHashSet::default();
        self.collect_defs(part, &mut needed);
        let mut lets = self.lets_around(cursor.root, cursor.expr);
        lets.retain(|defs| {
            let used = defs.iter().any(|def| needed.contains(def));
            if used {
                for &def in defs {
                    if let DefBody::Expr(body) = self.spec.defs[def].body {
                        self.collect_defs(body, &mut needed);
                    }
                }
            }
            used
        });
        lets.reverse();
        lets
    }

    fn collect_defs(&self, expr: ExprId, defs: &mut FxHashSet<DefId>) {
        self.visit_references(expr, &mut |reference| match reference {
            Reference::Def(def) => {
                defs.insert(def);
            }
            Reference::Target(_) => {}
        });
    }

    /// Returns the definitions of each LET between `root` and `expr`, which is inside it, innermost first.
    fn lets_around(&self, root: ExprId, expr: ExprId) -> Vec<Vec<DefId>> {
        let mut parents: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut todo = vec![root];
        while let Some(next) = todo.pop() {
            if next == expr {
                break;
            }
            let kind = &self.spec.exprs[next].kind;
            let mut add = |child: ExprId| {
                parents.entry(child).or_insert(next);
                todo.push(child);
            };
            for &def in kind.let_defs() {
                if let DefBody::Expr(body) = self.spec.defs[def].body {
                    add(body);
                }
            }
            kind.for_each_child(&mut add);
        }
        let mut lets = Vec::new();
        let mut inner = expr;
        while inner != root
            && let Some(&outer) = parents.get(&inner)
        {
            let defs = self.spec.exprs[outer].kind.let_defs();
            if !defs.is_empty() {
                lets.push(defs.to_vec());
            }
            inner = outer;
        }
        lets
    }
}

/// Selects a part of a LAMBDA. Its body is selected like that of a binder.
fn lambda_part(lambda: &Lambda, segment: &PathSegment) -> Option<SelectedPart> {
    match segment.kind {
        SegmentKind::Arguments | SegmentKind::At => {
            Some(SelectedPart::Body(lambda.params.clone(), lambda.body))
        }
        SegmentKind::Number(_)
        | SegmentKind::First
        | SegmentKind::Last
        | SegmentKind::Name(_)
        | SegmentKind::Step(_)
        | SegmentKind::Body => None,
    }
}
