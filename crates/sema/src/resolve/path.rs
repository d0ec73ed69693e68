//! Names and their applications: `x`, `F(a, b)`, `I(1)!J!Op(2)`.

use std::rc::Rc;

use diag::{Code, Diagnostic, Span};
use syntax::ast::{self, PathSegment, SegmentKind};

use super::Resolver;
use super::expr::builtin_arity;
use super::subexpr::Want;
use crate::spec::{
    Arg, Builtin, DefBody, DefId, DefKind, Entity, ExprId, ExprKind, InstanceId, NameTarget, Op,
};

type File = Rc<ast::File>;

/// The result of following a path through its instances.
pub(super) struct FollowedPath {
    pub(super) entity: Entity,
    /// Arguments of the parameterised instances on the way.
    pub(super) prefix: Vec<Arg>,
    /// The index of the segment that names `entity`; the rest select a subexpression.
    pub(super) index: usize,
}

impl Resolver<'_> {
    /// Resolves a path where an expression stands.
    pub(super) fn path_expr(&mut self, file: &File, segments: &[PathSegment], span: Span) -> ExprId {
        match self.opt_path_expr(file, segments, span) {
            Some(expr) => expr,
            None => self.error_expr(span),
        }
    }

    fn opt_path_expr(&mut self, file: &File, segments: &[PathSegment], span: Span) -> Option<ExprId> {
        if let [segment] = segments
            && let Some(op) = self.builtin_segment(segment)
        {
            return self.apply_builtin(file, op, segment, span);
        }
        let found = self.follow(file, segments)?;
        let segment = &segments[found.index];
        let ident = ast::Ident { name: self.segment_name(segment)?, span: self.name_span(segment) };
        let (def, args) = match found.entity {
            Entity::Instance(instance) => {
                self.report_incomplete(ident, instance);
                return None;
            }
            Entity::Def(def) if found.index + 1 < segments.len() => {
                self.subexpression(file, (def, found.prefix, Want::Expr), &segments[found.index..])?
            }
            Entity::Def(def) => {
                let args = self.arguments(file, ident, found.entity, (segment, found.prefix))?;
                (def, args)
            }
            Entity::Const(_) | Entity::Var(_) | Entity::Local(_) => {
                return self.apply_declared(file, (ident, found.entity), segments, span);
            }
        };
        if !self.can_be_expression(def, ident) {
            return None;
        }
        Some(self.apply(Op::Def(def), args, span))
    }

    /// Returns the language's own operator if one is written in front of its arguments: `\in(x, S)`.
    fn builtin_segment(&self, segment: &PathSegment) -> Option<Builtin> {
        let SegmentKind::Name(name) = segment.kind else { return None };
        self.builtins.get(&name).copied()
    }

    fn apply_builtin(
        &mut self,
        file: &File,
        op: Builtin,
        segment: &PathSegment,
        span: Span,
    ) -> Option<ExprId> {
        let given = segment.args.as_deref().unwrap_or(&[]);
        let (expected, n_given) = (builtin_arity(op), given.len());
        if n_given != expected {
            let ident = ast::Ident { name: self.segment_name(segment)?, span: self.name_span(segment) };
            self.report(self.arity_diagnostic(ident, expected, n_given));
            self.survey(file, std::slice::from_ref(segment));
            return None;
        }
        let args = given.iter().map(|&arg| Arg::Expr(self.expr(file, arg))).collect();
        Some(self.apply(Op::Builtin(op), args, span))
    }

    /// Resolves a constant, variable, parameter or bound name, which may be applied.
    fn apply_declared(
        &mut self,
        file: &File,
        (ident, entity): (ast::Ident, Entity),
        segments: &[PathSegment],
        span: Span,
    ) -> Option<ExprId> {
        if let Some(next) = segments.get(1) {
            let headline = format!("`{}` has no parts: nothing can follow `!` here", self.text(ident.name));
            self.error(Code::BadSelector, next.span, headline);
            return None;
        }
        let args = self.arguments(file, ident, entity, (&segments[0], Vec::new()))?;
        let kind = match entity {
            Entity::Const(id) if args.is_empty() => ExprKind::Const(id),
            Entity::Const(id) => ExprKind::Apply { op: Op::Const(id), args },
            Entity::Var(id) => ExprKind::Var(id),
            Entity::Local(id) if args.is_empty() => ExprKind::Local(id),
            Entity::Local(id) => ExprKind::Apply { op: Op::Param(id), args },
            Entity::Def(_) | Entity::Instance(_) => ExprKind::Error,
        };
        Some(self.add(kind, span))
    }

    fn can_be_expression(&mut self, def: DefId, ident: ast::Ident) -> bool {
        let entry = &self.spec.defs[def];
        let name = self.text(ident.name).to_owned();
        match (entry.kind, entry.body) {
            (DefKind::ProofStep, DefBody::Missing) => {
                let headline = format!("the step `{name}` asserts nothing, so it is not an expression");
                self.error(Code::StepNotExpression, ident.span, headline);
                false
            }
            (_, DefBody::Expr(body)) if self.is_assume_prove(body) => {
                let headline = format!("`{name}` is an ASSUME/PROVE, not an expression");
                self.error(Code::NotAnExpression, ident.span, headline);
                false
            }
            (_, DefBody::Expr(_) | DefBody::Native | DefBody::Missing) => true,
        }
    }

    pub(super) fn is_assume_prove(&self, expr: ExprId) -> bool {
        matches!(self.spec.exprs[self.skip_labels(expr)].kind, ExprKind::AssumeProve { .. })
    }

    /// Looks up the first segment and follows named instances.
    pub(super) fn follow(&mut self, file: &File, segments: &[PathSegment]) -> Option<FollowedPath> {
        let mut passed: Vec<(InstanceId, Vec<Arg>)> = Vec::new();
        let (entity, index) = self.follow_with(file, segments, |this, instance, segment| {
            let args = this.instance_args(file, instance, segment)?;
            passed.push((instance, args));
            Some(())
        })?;
        Some(match entity {
            Entity::Def(def) => {
                let (def, prefix) = self.instantiate_through(passed, def);
                FollowedPath { entity: Entity::Def(def), prefix, index }
            }
            Entity::Instance(_) | Entity::Const(_) | Entity::Var(_) | Entity::Local(_) => {
                FollowedPath { entity, prefix: Vec::new(), index }
            }
        })
    }

    /// Returns what the first segments of a path name, and the index of the last of these. Calls `pass` with every
    /// instance on the way.
    pub(super) fn follow_with(
        &mut self,
        file: &File,
        segments: &[PathSegment],
        mut pass: impl FnMut(&mut Self, InstanceId, &PathSegment) -> Option<()>,
    ) -> Option<(Entity, usize)> {
        let first = &segments[0];
        let name = self.segment_name(first)?;
        let ident = ast::Ident { name, span: self.name_span(first) };
        let Some(mut entity) = self.lookup_use(ident) else {
            self.report_unknown(ident);
            self.survey(file, segments);
            return None;
        };
        let mut index = 0;
        while let Entity::Instance(instance) = entity {
            let Some(next) = segments.get(index + 1) else { break };
            pass(self, instance, &segments[index])?;
            index += 1;
            let Some(member) = self.member(instance, next) else {
                self.survey(file, &segments[index..]);
                return None;
            };
            entity = member;
        }
        Some((entity, index))
    }

    /// Returns the spelling of a segment that names something; `<*>a` becomes `<2>a` at level 2.
    pub(super) fn segment_name(&mut self, segment: &PathSegment) -> Option<base::Name> {
        match segment.kind {
            SegmentKind::Name(name) => Some(name),
            SegmentKind::Step(name) => {
                let level = self.frame().proof_levels.last().copied().unwrap_or(0);
                let text = self.text(name).replacen("<*>", &format!("<{level}>"), 1);
                Some(self.spec.names.intern(&text))
            }
            SegmentKind::Number(_)
            | SegmentKind::First
            | SegmentKind::Last
            | SegmentKind::Body
            | SegmentKind::At
            | SegmentKind::Arguments => {
                self.error(Code::BadSelector, segment.span, "a name is needed before a selector");
                None
            }
        }
    }

    /// Returns the place of a segment's name, without its arguments.
    pub(super) fn name_span(&self, segment: &PathSegment) -> Span {
        let SegmentKind::Name(name) = segment.kind else { return segment.span };
        let spelled = self.text(name).len();
        match self.spec.sources.text(segment.span).starts_with(self.text(name)) {
            true => Span { end: segment.span.start + spelled as u32, ..segment.span },
            false => segment.span,
        }
    }

    /// Returns what `next` is in the module that `instance` instantiates.
    pub(super) fn member(&mut self, instance: InstanceId, next: &PathSegment) -> Option<Entity> {
        let module = self.spec.instances[instance].module;
        let SegmentKind::Name(name) = next.kind else {
            self.error(Code::BadSelector, next.span, "the name of a definition is needed after an INSTANCE");
            return None;
        };
        let entry = self.spec.modules[module].scope.get(&name).copied();
        match entry {
            Some(entry) if !entry.local => match entry.entity {
                Entity::Def(_) | Entity::Instance(_) => {
                    let span = self.name_span(next);
                    self.record_use(span, NameTarget::Entity(entry.entity));
                    return Some(entry.entity);
                }
                Entity::Const(_) | Entity::Var(_) | Entity::Local(_) => {}
            },
            Some(_) | None => {}
        }
        self.report_no_member(module, ast::Ident { name, span: self.name_span(next) });
        None
    }

    fn instance_args(
        &mut self,
        file: &File,
        instance: InstanceId,
        segment: &PathSegment,
    ) -> Option<Vec<Arg>> {
        let name = self.segment_name(segment)?;
        let ident = ast::Ident { name, span: self.name_span(segment) };
        self.arguments(file, ident, Entity::Instance(instance), (segment, Vec::new()))
    }

    pub(super) fn report_incomplete(&mut self, ident: ast::Ident, instance: InstanceId) {
        let name = self.text(ident.name).to_owned();
        let module = self.text(self.spec.modules[self.spec.instances[instance].module].name).to_owned();
        let headline = format!("`{name}` is an INSTANCE of `{module}`, not an expression");
        let diagnostic = Diagnostic::new(Code::IncompletePath, ident.span, headline)
            .help(format!("name one of its definitions: `{name}!Op`"));
        self.report(diagnostic);
    }
}
