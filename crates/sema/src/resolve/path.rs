//! Names and their applications: `x`, `F(a, b)`, `I(1)!J!Op(2)`, and operators as arguments.

use std::rc::Rc;

use diag::{Code, Diagnostic, Span};
use syntax::ast::{self, PathSegment, SegmentKind};
use syntax::op::OpSym;

use super::Resolver;
use super::define::{builtin, count};
use super::expr::builtin_arity;
use crate::spec::{
    Arg, Builtin, DefBody, DefId, DefKind, Entity, ExprId, ExprKind, InstanceId, Lambda, Local, LocalId,
    LocalKind, Op, OpArg,
};

type File = Rc<ast::File>;

/// A path followed through its instances.
pub(super) struct Found {
    pub(super) entity: Entity,
    /// Arguments of the parameterised instances on the way.
    pub(super) prefix: Vec<Arg>,
    /// The index of the segment that names `entity`; the rest select a subexpression.
    pub(super) index: usize,
}

impl Resolver<'_> {
    /// A path where an expression stands.
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
                self.subexpression(file, (def, found.prefix), &segments[found.index..])?
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

    /// The language's own operator written in front of its arguments: `\in(x, S)`.
    fn builtin_segment(&self, segment: &PathSegment) -> Option<Builtin> {
        let SegmentKind::Name(name) = segment.kind else { return None };
        let text = self.text(name);
        OpSym::ALL.iter().copied().find(|op| op.canonical() == text).and_then(builtin)
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
            let headline = format!("this operator takes {}, not {n_given}", count(expected, "argument"));
            self.error(Code::WrongArity, segment.span, headline);
            return None;
        }
        let args = given.iter().map(|&arg| Arg::Expr(self.expr(file, arg))).collect();
        Some(self.apply(Op::Builtin(op), args, span))
    }

    /// A constant, variable, parameter or bound name, perhaps applied.
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
        matches!(self.spec.exprs[expr].kind, ExprKind::AssumeProve { .. })
    }

    /// Looks up the first segment and follows named instances.
    pub(super) fn follow(&mut self, file: &File, segments: &[PathSegment]) -> Option<Found> {
        let first = &segments[0];
        let name = self.segment_name(first)?;
        let Some(mut entity) = self.lookup(name) else {
            self.report_unknown(ast::Ident { name, span: self.name_span(first) });
            return None;
        };
        let mut passed: Vec<(InstanceId, Vec<Arg>)> = Vec::new();
        let mut index = 0;
        while let Entity::Instance(instance) = entity {
            let Some(next) = segments.get(index + 1) else { break };
            let args = self.instance_args(file, instance, &segments[index])?;
            passed.push((instance, args));
            index += 1;
            entity = self.member(instance, next)?;
        }
        Some(match entity {
            Entity::Def(def) => {
                let (def, prefix) = self.instantiate_through(passed, def);
                Found { entity: Entity::Def(def), prefix, index }
            }
            Entity::Instance(_) | Entity::Const(_) | Entity::Var(_) | Entity::Local(_) => {
                Found { entity, prefix: Vec::new(), index }
            }
        })
    }

    /// The spelling of a segment that names something; `<*>a` becomes `<2>a` at level 2.
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

    /// The place of a segment's name, its arguments left out.
    pub(super) fn name_span(&self, segment: &PathSegment) -> Span {
        let SegmentKind::Name(name) = segment.kind else { return segment.span };
        let spelled = self.text(name).len();
        match self.spec.sources.text(segment.span).starts_with(self.text(name)) {
            true => Span { end: segment.span.start + spelled as u32, ..segment.span },
            false => segment.span,
        }
    }

    /// What `next` is in the module that `instance` instantiates.
    pub(super) fn member(&mut self, instance: InstanceId, next: &PathSegment) -> Option<Entity> {
        let module = self.spec.instances[instance].module;
        let SegmentKind::Name(name) = next.kind else {
            self.error(Code::BadSelector, next.span, "the name of a definition is needed after an INSTANCE");
            return None;
        };
        let entry = self.spec.modules[module].scope.get(&name).copied();
        match entry {
            Some(entry) if !entry.local => match entry.entity {
                Entity::Def(_) | Entity::Instance(_) => return Some(entry.entity),
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

    fn report_incomplete(&mut self, ident: ast::Ident, instance: InstanceId) {
        let name = self.text(ident.name).to_owned();
        let module = self.text(self.spec.modules[self.spec.instances[instance].module].name).to_owned();
        let headline = format!("`{name}` is an INSTANCE of `{module}`, not an expression");
        let diagnostic = Diagnostic::new(Code::IncompletePath, ident.span, headline)
            .help(format!("name one of its definitions: `{name}!Op`"));
        self.report(diagnostic);
    }

    /// How many arguments each parameter of `entity` itself takes.
    pub(super) fn param_arities(&self, entity: Entity) -> Vec<u32> {
        let of = |params: &[LocalId]| params.iter().map(|&param| self.spec.locals[param].arity).collect();
        match entity {
            Entity::Const(id) => vec![0; self.spec.constants[id].arity as usize],
            Entity::Var(_) => Vec::new(),
            Entity::Local(id) => vec![0; self.spec.locals[id].arity as usize],
            Entity::Def(id) => of(&self.spec.defs[id].params),
            Entity::Instance(id) => of(&self.spec.instances[id].params),
        }
    }

    /// The arguments of `entity` at `segment`, after `prefix`, checked against its parameters.
    pub(super) fn arguments(
        &mut self,
        file: &File,
        ident: ast::Ident,
        entity: Entity,
        (segment, prefix): (&PathSegment, Vec<Arg>),
    ) -> Option<Vec<Arg>> {
        let mut arities = self.param_arities(entity);
        arities.drain(..prefix.len());
        let given = segment.args.as_deref().unwrap_or(&[]);
        if given.len() != arities.len() || segment.args.as_ref().is_some_and(Vec::is_empty) {
            self.report_arity(ident, entity, arities.len(), given.len());
            return None;
        }
        let mut args = prefix;
        for (&id, &arity) in given.iter().zip(&arities) {
            args.push(self.argument(file, ident, arity, id)?);
        }
        Some(args)
    }

    pub(super) fn report_arity(&mut self, ident: ast::Ident, entity: Entity, expected: usize, given: usize) {
        let name = self.text(ident.name).to_owned();
        let takes = match expected {
            0 => "takes no arguments".to_owned(),
            _ => format!("takes {}", count(expected, "argument")),
        };
        let got = match given {
            0 => "none is given".to_owned(),
            1 => "1 is given".to_owned(),
            _ => format!("{given} are given"),
        };
        let mut diagnostic =
            Diagnostic::new(Code::WrongArity, ident.span, format!("`{name}` {takes}, and {got}"));
        if let Some(span) = self.entity_span(entity) {
            diagnostic = diagnostic.related(span, format!("`{name}` is {} here", self.entity_verb(entity)));
        }
        self.report(diagnostic);
    }

    fn entity_verb(&self, entity: Entity) -> &'static str {
        match entity {
            Entity::Const(_) | Entity::Var(_) | Entity::Local(_) => "declared",
            Entity::Def(_) | Entity::Instance(_) => "defined",
        }
    }

    /// An argument for a parameter that itself takes `arity` arguments.
    fn argument(&mut self, file: &File, callee: ast::Ident, arity: u32, id: ast::ExprId) -> Option<Arg> {
        if arity == 0 {
            return Some(Arg::Expr(self.expr(file, id)));
        }
        self.operator_argument(file, callee, arity as usize, id).map(Arg::Op)
    }

    /// An operator of `arity` arguments where one is asked for by `callee`.
    pub(super) fn operator_argument(
        &mut self,
        file: &File,
        callee: ast::Ident,
        arity: usize,
        id: ast::ExprId,
    ) -> Option<OpArg> {
        let span = file.exprs[id].span;
        let kind = &file.exprs[id].kind;
        if let ast::ExprKind::Lambda { params, body } = kind {
            if params.len() != arity {
                self.report_operator_arity((callee, "this LAMBDA"), arity, params.len(), span);
                return None;
            }
            Some(self.lambda(file, params, *body, span))
        } else if let ast::ExprKind::Operator(op) = kind {
            self.symbol_argument(callee, arity, *op, span)
        } else if let ast::ExprKind::Path(segments) = kind {
            self.path_argument(file, (callee, arity), segments, span)
        } else {
            // What could not be read has been reported already.
            if !matches!(kind, ast::ExprKind::Error) {
                self.report_operator_expected(callee, arity, span);
            }
            None
        }
    }

    fn symbol_argument(&mut self, callee: ast::Ident, arity: usize, op: OpSym, span: Span) -> Option<OpArg> {
        if let Some(builtin) = builtin(op) {
            let has = builtin_arity(builtin);
            if has != arity {
                self.report_operator_arity((callee, op.canonical()), arity, has, span);
                return None;
            }
            return Some(OpArg::Ref(Op::Builtin(builtin), span));
        }
        // A lone `-` is the infix one unless only the prefix one fits.
        let op = if op == OpSym::Minus && arity == 1 { OpSym::Neg } else { op };
        let name = self.spec.names.intern(op.canonical());
        let ident = ast::Ident { name, span };
        let Some(entity) = self.lookup(name) else {
            self.report_unknown(ident);
            return None;
        };
        self.entity_argument((callee, arity), (ident, entity, Vec::new()), span)
    }

    fn path_argument(
        &mut self,
        file: &File,
        (callee, arity): (ast::Ident, usize),
        segments: &[PathSegment],
        span: Span,
    ) -> Option<OpArg> {
        let found = self.follow(file, segments)?;
        let segment = &segments[found.index];
        let ident = ast::Ident { name: self.segment_name(segment)?, span: self.name_span(segment) };
        if found.index + 1 < segments.len()
            && let Entity::Def(def) = found.entity
        {
            let (def, prefix) =
                self.subexpression_operator(file, (def, found.prefix), &segments[found.index..])?;
            return self.entity_argument((callee, arity), (ident, Entity::Def(def), prefix), span);
        }
        if segment.args.is_some() {
            self.report_operator_expected(callee, arity, span);
            return None;
        }
        self.entity_argument((callee, arity), (ident, found.entity, found.prefix), span)
    }

    /// `entity`, after `prefix` arguments, as an operator of `arity` arguments.
    fn entity_argument(
        &mut self,
        (callee, arity): (ast::Ident, usize),
        (ident, entity, prefix): (ast::Ident, Entity, Vec<Arg>),
        span: Span,
    ) -> Option<OpArg> {
        let op = match entity {
            Entity::Def(def) => Op::Def(def),
            Entity::Const(constant) => Op::Const(constant),
            Entity::Local(local) => Op::Param(local),
            Entity::Instance(instance) => {
                self.report_incomplete(ident, instance);
                return None;
            }
            Entity::Var(_) => {
                self.report_operator_expected(callee, arity, span);
                return None;
            }
        };
        let mut arities = self.param_arities(entity);
        arities.drain(..prefix.len());
        if arities.is_empty() {
            self.report_operator_expected(callee, arity, span);
            return None;
        }
        if arities.len() != arity || arities.iter().any(|&arity| arity != 0) {
            let name = self.text(ident.name).to_owned();
            self.report_operator_arity((callee, &name), arity, arities.len(), span);
            return None;
        }
        Some(if prefix.is_empty() { OpArg::Ref(op, span) } else { self.partial(op, prefix, arity, span) })
    }

    /// An operator whose first arguments are already given, as a LAMBDA over the rest.
    pub(super) fn partial(&mut self, op: Op, prefix: Vec<Arg>, arity: usize, span: Span) -> OpArg {
        let name = self.spec.names.intern("x");
        let params: Vec<LocalId> = (0..arity)
            .map(|_| self.spec.locals.push(Local { name, span, arity: 0, kind: LocalKind::Param }))
            .collect();
        let mut args = prefix;
        for &param in &params {
            args.push(Arg::Expr(self.add(ExprKind::Local(param), span)));
        }
        let body = self.apply(op, args, span);
        OpArg::Lambda(Lambda { params, body, span })
    }

    fn report_operator_expected(&mut self, callee: ast::Ident, arity: usize, span: Span) {
        let name = self.text(callee.name).to_owned();
        let headline = format!("`{name}` wants an operator of {} here", count(arity, "argument"));
        let diagnostic = Diagnostic::new(Code::OperatorExpected, span, headline)
            .label("this is an expression")
            .help("pass the name of an operator without arguments, or a LAMBDA");
        self.report(diagnostic);
    }

    fn report_operator_arity(
        &mut self,
        (callee, what): (ast::Ident, &str),
        expected: usize,
        has: usize,
        span: Span,
    ) {
        let callee = self.text(callee.name).to_owned();
        let headline = format!(
            "`{callee}` wants an operator of {}, and {what} takes {has}",
            count(expected, "argument")
        );
        self.report(Diagnostic::new(Code::OperatorArity, span, headline));
    }
}
