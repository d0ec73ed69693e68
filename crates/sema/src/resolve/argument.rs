//! Arguments: as many as there are parameters, with expressions and operators each in their place.

use std::rc::Rc;

use diag::{Code, Diagnostic, Span};
use syntax::ast::{self, PathSegment, SegmentKind};
use syntax::op::OpSym;

use super::Resolver;
use super::define::{builtin, count};
use super::expr::builtin_arity;
use super::subexpr::Want;
use crate::spec::{
    Arg, Entity, ExprKind, InstanceId, Lambda, Local, LocalId, LocalKind, NameTarget, Op, OpArg,
};

type File = Rc<ast::File>;

/// A place where an operator is expected.
#[derive(Clone, Copy)]
pub(super) struct ExpectedOperator {
    /// The operator whose parameter expects it, or the constant of an instantiated module.
    pub(super) by: ast::Ident,
    pub(super) substituted: bool,
    pub(super) arity: usize,
}

impl ExpectedOperator {
    fn code(self, otherwise: Code) -> Code {
        if self.substituted { Code::SubstitutionArity } else { otherwise }
    }
}

/// An operator that was named where one is expected.
struct NamedOperator {
    ident: ast::Ident,
    entity: Entity,
    /// Parameters of the instances on the way, which come before its own.
    leading: Vec<LocalId>,
    /// Arguments that are already given.
    prefix: Vec<Arg>,
}

impl Resolver<'_> {
    /// Returns the number of arguments that each parameter of `entity` takes.
    pub(super) fn param_arities(&self, entity: Entity) -> Vec<u32> {
        match entity {
            Entity::Const(id) => vec![0; self.spec.constants[id].arity as usize],
            Entity::Var(_) => Vec::new(),
            Entity::Local(id) => vec![0; self.spec.locals[id].arity as usize],
            Entity::Def(id) => self.arities(&self.spec.defs[id].params),
            Entity::Instance(id) => self.arities(&self.spec.instances[id].params),
        }
    }

    fn arities(&self, params: &[LocalId]) -> Vec<u32> {
        params.iter().map(|&param| self.spec.locals[param].arity).collect()
    }

    /// Returns the arguments of `entity` at `segment`, after `prefix`, checked against its parameters.
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
            self.survey(file, std::slice::from_ref(segment));
            return None;
        }
        let mut args = prefix;
        let n_args = args.len() + given.len();
        for (&id, &arity) in given.iter().zip(&arities) {
            // An error in one does not hide errors in the others.
            args.extend(self.argument(file, ident, arity, id));
        }
        (args.len() == n_args).then_some(args)
    }

    /// Reports errors inside the arguments of something that is itself wrong.
    pub(super) fn survey(&mut self, file: &File, segments: &[PathSegment]) {
        segments
            .iter()
            .filter_map(|segment| segment.args.as_ref())
            .for_each(|args| self.survey_exprs(file, args));
    }

    /// Reports errors inside `ids`, whether they should be expressions or operators.
    pub(super) fn survey_exprs(&mut self, file: &File, ids: &[ast::ExprId]) {
        for &id in ids {
            let kind = &file.exprs[id].kind;
            if let ast::ExprKind::Lambda { params, body } = kind {
                self.lambda(file, params, *body, file.exprs[id].span);
            } else if let ast::ExprKind::Path(path) = kind
                && path.iter().all(|segment| segment.args.is_none())
            {
                if let SegmentKind::Name(name) = path[0].kind
                    && !self.builtins.contains_key(&name)
                {
                    let ident = ast::Ident { name, span: self.name_span(&path[0]) };
                    match self.lookup(name) {
                        Some(entity) => self.record_use(ident.span, NameTarget::Entity(entity)),
                        None => self.report_unknown(ident),
                    }
                }
            } else if !matches!(kind, ast::ExprKind::Operator(_)) {
                self.expr(file, id);
            }
        }
    }

    pub(super) fn report_arity(&mut self, ident: ast::Ident, entity: Entity, expected: usize, given: usize) {
        let name = self.text(ident.name).to_owned();
        let mut diagnostic = self.arity_diagnostic(ident, expected, given);
        if let Some(span) = self.entity_span(entity) {
            diagnostic = diagnostic.related(span, format!("`{name}` is {} here", entity_verb(entity)));
        }
        self.report(diagnostic);
    }

    /// Makes the message "`F` takes 2 arguments, and 1 is given".
    pub(super) fn arity_diagnostic(&self, ident: ast::Ident, expected: usize, given: usize) -> Diagnostic {
        let takes = match expected {
            0 => "takes no arguments".to_owned(),
            _ => format!("takes {}", count(expected, "argument")),
        };
        let got = match given {
            0 => "none is given".to_owned(),
            1 => "1 is given".to_owned(),
            _ => format!("{given} are given"),
        };
        let headline = format!("`{}` {takes}, and {got}", self.text(ident.name));
        Diagnostic::new(Code::WrongArity, ident.span, headline)
    }

    /// Returns an argument for a parameter of `callee` that itself takes `arity` arguments.
    fn argument(&mut self, file: &File, callee: ast::Ident, arity: u32, id: ast::ExprId) -> Option<Arg> {
        if arity == 0 {
            return Some(Arg::Expr(self.expr(file, id)));
        }
        let wanted = ExpectedOperator { by: callee, substituted: false, arity: arity as usize };
        self.operator_argument(file, wanted, id).map(Arg::Op)
    }

    /// Reads an operator where one is expected.
    pub(super) fn operator_argument(
        &mut self,
        file: &File,
        wanted: ExpectedOperator,
        id: ast::ExprId,
    ) -> Option<OpArg> {
        let span = file.exprs[id].span;
        let kind = &file.exprs[id].kind;
        if let ast::ExprKind::Lambda { params, body } = kind {
            if params.len() != wanted.arity {
                self.report_operator_arity(wanted, &format!("this LAMBDA takes {}", params.len()), span);
                return None;
            }
            Some(self.lambda(file, params, *body, span))
        } else if let ast::ExprKind::Operator(op) = kind {
            self.symbol_argument(wanted, *op, span)
        } else if let ast::ExprKind::Path(segments) = kind {
            self.path_argument(file, wanted, segments, span)
        } else {
            // An expression that could not be parsed has been reported already.
            if !matches!(kind, ast::ExprKind::Error) {
                self.report_operator_expected(wanted, "this is an expression", span);
            }
            None
        }
    }

    fn symbol_argument(&mut self, wanted: ExpectedOperator, op: OpSym, span: Span) -> Option<OpArg> {
        if let Some(builtin) = builtin(op) {
            let has = builtin_arity(builtin);
            if has != wanted.arity {
                self.report_operator_arity(wanted, &format!("`{}` takes {has}", op.canonical()), span);
                return None;
            }
            return Some(OpArg::Ref(Op::Builtin(builtin), span));
        }
        // A lone `-` is the infix operator unless only the prefix one fits.
        let op = if op == OpSym::Minus && wanted.arity == 1 { OpSym::Neg } else { op };
        let ident = ast::Ident { name: self.spec.names.intern(op.canonical()), span };
        let Some(entity) = self.lookup_use(ident) else {
            self.report_unknown(ident);
            return None;
        };
        self.named_argument(
            wanted,
            NamedOperator { ident, entity, leading: Vec::new(), prefix: Vec::new() },
            span,
        )
    }

    fn path_argument(
        &mut self,
        file: &File,
        wanted: ExpectedOperator,
        segments: &[PathSegment],
        span: Span,
    ) -> Option<OpArg> {
        if segments.iter().any(|segment| segment.args.is_some()) {
            self.report_operator_expected(wanted, "this has arguments", span);
            self.survey(file, segments);
            return None;
        }
        let mut passed: Vec<(InstanceId, Vec<Arg>)> = Vec::new();
        let mut leading: Vec<LocalId> = Vec::new();
        let (entity, index) = self.follow_with(file, segments, |this, instance, segment| {
            let args = this.open_params(instance, segment.span, &mut leading);
            passed.push((instance, args));
            Some(())
        })?;
        let segment = &segments[index];
        let ident = ast::Ident { name: self.segment_name(segment)?, span: self.name_span(segment) };
        let Entity::Def(def) = entity else {
            return self.named_argument(
                wanted,
                NamedOperator { ident, entity, leading, prefix: Vec::new() },
                span,
            );
        };
        let (def, prefix) = self.instantiate_through(passed, def);
        let (def, prefix) = match index + 1 < segments.len() {
            true => self.subexpression(file, (def, prefix, Want::Operator), &segments[index..])?,
            false => (def, prefix),
        };
        self.named_argument(wanted, NamedOperator { ident, entity: Entity::Def(def), leading, prefix }, span)
    }

    /// Turns the parameters of an INSTANCE that is given no arguments into parameters of the operator that it leads to.
    fn open_params(&mut self, instance: InstanceId, span: Span, leading: &mut Vec<LocalId>) -> Vec<Arg> {
        let params = self.spec.instances[instance].params.clone();
        let fresh: Vec<LocalId> =
            params.iter().map(|&param| self.spec.locals.push(self.spec.locals[param])).collect();
        leading.extend(&fresh);
        fresh.into_iter().map(|param| self.param_arg(param, span)).collect()
    }

    fn named_argument(
        &mut self,
        wanted: ExpectedOperator,
        named: NamedOperator,
        span: Span,
    ) -> Option<OpArg> {
        let NamedOperator { ident, entity, leading, prefix } = named;
        let op = match entity {
            Entity::Def(def) => Op::Def(def),
            Entity::Const(constant) => Op::Const(constant),
            Entity::Local(local) => Op::Param(local),
            Entity::Instance(instance) => {
                self.report_incomplete(ident, instance);
                return None;
            }
            Entity::Var(_) => {
                self.report_operator_expected(wanted, "this is an expression", span);
                return None;
            }
        };
        let own = self.param_arities(entity).split_off(prefix.len());
        let arities: Vec<u32> = self.arities(&leading).into_iter().chain(own.iter().copied()).collect();
        if arities.is_empty() {
            self.report_operator_expected(wanted, "this is an expression", span);
            return None;
        }
        let takes_operators = arities.iter().any(|&arity| arity != 0);
        if arities.len() != wanted.arity || takes_operators {
            let name = self.text(ident.name);
            let has = match takes_operators {
                true => format!("`{name}` takes an operator itself"),
                false => format!("`{name}` takes {}", arities.len()),
            };
            self.report_operator_arity(wanted, &has, span);
            return None;
        }
        Some(match leading.is_empty() && prefix.is_empty() {
            true => OpArg::Ref(op, span),
            false => self.make_partial(op, (leading, prefix), own.len(), span),
        })
    }

    /// Makes a LAMBDA of an operator whose first arguments are already given, over `leading`, which these may mention,
    /// and over its `n_rest` other parameters.
    pub(super) fn make_partial(
        &mut self,
        op: Op,
        (leading, prefix): (Vec<LocalId>, Vec<Arg>),
        n_rest: usize,
        span: Span,
    ) -> OpArg {
        let name = self.spec.names.intern("x");
        let mut params = leading;
        let mut args = prefix;
        for _ in 0..n_rest {
            let param = self.spec.locals.push(Local { name, span, arity: 0, kind: LocalKind::Param });
            params.push(param);
            args.push(Arg::Expr(self.add(ExprKind::Local(param), span)));
        }
        let body = self.apply(op, args, span);
        OpArg::Lambda(Lambda { params, body, span })
    }

    fn report_operator_expected(&mut self, wanted: ExpectedOperator, label: &str, span: Span) {
        let headline = format!("{} here", self.wants(wanted));
        let diagnostic = Diagnostic::new(wanted.code(Code::OperatorExpected), span, headline)
            .label(label)
            .help("give the name of an operator without arguments, or a LAMBDA");
        self.report(diagnostic);
    }

    fn report_operator_arity(&mut self, wanted: ExpectedOperator, has: &str, span: Span) {
        let headline = format!("{}, and {has}", self.wants(wanted));
        self.report(Diagnostic::new(wanted.code(Code::OperatorArity), span, headline));
    }

    /// Describes what is expected: "`Fold` wants an operator of 2 arguments".
    fn wants(&self, wanted: ExpectedOperator) -> String {
        let (name, arguments) = (self.text(wanted.by.name), count(wanted.arity, "argument"));
        if wanted.substituted {
            format!("`{name}` must be substituted by an operator of {arguments}")
        } else {
            format!("`{name}` wants an operator of {arguments}")
        }
    }
}

fn entity_verb(entity: Entity) -> &'static str {
    match entity {
        Entity::Const(_) | Entity::Var(_) | Entity::Local(_) => "declared",
        Entity::Def(_) | Entity::Instance(_) => "defined",
    }
}
