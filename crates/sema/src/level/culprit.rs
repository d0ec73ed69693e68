//! Finds the sub-expression that raised a level and the reason why a parameter's level must be low, and words both.

use base::Name;
use diag::{Code, Diagnostic, Label, Span};

use super::Level;
use super::checker::Checker;
use super::facts::{Cause, Need};
use super::rules;
use crate::spec::{
    Arg, Builtin, DefBody, DefId, ExprId, ExprKind, Fairness, LocalId, LocalKind, NewKind, Op, OpArg,
    StepKind,
};

/// Number of definitions through which a cause is followed. Recursive ones lead in circles.
pub(super) const HOPS_MAX: usize = 64;

/// Finding the sub-expression.
impl Checker<'_> {
    /// Makes a diagnostic at `expr` that says why its level is so high.
    pub fn blame(&self, code: Code, expr: ExprId, headline: impl Into<String>) -> Diagnostic {
        let diagnostic = Diagnostic::new(code, self.span(expr), headline);
        self.add_culprit(diagnostic, expr, self.level(expr))
    }

    pub fn blame_arg(&self, code: Code, arg: &Arg, level: Level, headline: String) -> Diagnostic {
        match arg.expr() {
            Some(expr) => self.blame(code, expr, headline),
            None => {
                Diagnostic::new(code, self.arg_span(arg), headline).label(format!("this is of {level} level"))
            }
        }
    }

    /// Points at what gives `expr` its level: the prime, the temporal operator or the variable.
    pub fn add_culprit(&self, mut diagnostic: Diagnostic, expr: ExprId, level: Level) -> Diagnostic {
        let here = diagnostic.primary.as_ref().map(|label| label.span);
        diagnostic = diagnostic.label(format!("this is of {level} level"));
        for Label { span, text } in self.culprit(expr, level) {
            if Some(span) == here {
                diagnostic = diagnostic.label(text);
            } else {
                diagnostic = diagnostic.related(span, text);
            }
        }
        diagnostic
    }

    /// Goes down from `expr` to the child that carries the level, through definitions too.
    pub fn culprit(&self, expr: ExprId, level: Level) -> Vec<Label> {
        let (place, mut entered) = self.descend(expr, level);
        let Some(first) = entered else {
            let text = format!("this is of {level} level because {}", self.own_reason(place));
            return vec![Label { span: self.span(place), text }];
        };
        let text = format!("`{}` is of {level} level", self.def_name(first));
        let mut labels = vec![Label { span: self.span(place), text }];
        for _ in 0..HOPS_MAX {
            let Some(def) = entered else { break };
            let DefBody::Expr(body) = self.spec.defs[def].body else { break };
            let (place, next) = self.descend(body, level);
            if next.is_none() {
                let name = self.def_name(def);
                let text = format!("`{name}` is of {level} level because {}", self.own_reason(place));
                labels.push(Label { span: self.span(place), text });
            }
            entered = next;
        }
        labels
    }

    /// Returns the place below `expr` where the level comes from, within one definition. If that place applies a
    /// definition of this level, returns the definition too.
    fn descend(&self, mut expr: ExprId, level: Level) -> (ExprId, Option<DefId>) {
        loop {
            let kind = &self.spec.exprs[expr].kind;
            if let Some(def) = kind.applied_def()
                && self.levels.defs[def] >= level
            {
                return (expr, Some(def));
            }
            if rules::own_level(kind) >= level {
                return (expr, None);
            }
            match self.carrier(kind, level) {
                Some(child) => expr = child,
                None => return (expr, None),
            }
        }
    }

    /// Returns the first child that counts and has this level.
    fn carrier(&self, kind: &ExprKind, level: Level) -> Option<ExprId> {
        if let ExprKind::Apply { op: Op::Def(def), args } = kind {
            let args = self.spec.defs[*def].params.iter().zip(args);
            let counting = args.filter(|&(&param, _)| self.facts().params[param].counts);
            return counting.filter_map(|(_, arg)| arg.expr()).find(|&arg| self.level(arg) >= level);
        }
        if let ExprKind::Apply { op: Op::Const(_) | Op::Param(_), args } = kind {
            return args.iter().filter_map(Arg::expr).find(|&arg| self.level(arg) >= level);
        }
        let mut found = None;
        rules::for_each_part(kind, &mut |part| {
            if found.is_none() && part.counts && self.level(part.expr) >= level {
                found = Some(part.expr);
            }
        });
        found
    }

    /// Returns the reason why an expression has its level, to follow "because".
    fn own_reason(&self, expr: ExprId) -> String {
        let kind = &self.spec.exprs[expr].kind;
        if let ExprKind::Var(variable) = kind {
            return format!("`{}` is a variable", self.text(self.spec.variables[*variable].name));
        }
        if let ExprKind::Local(local) | ExprKind::Apply { op: Op::Param(local), args: _ } = kind {
            let local = &self.spec.locals[*local];
            return format!("`{}` {}", self.text(local.name), local_description(local.kind));
        }
        if let ExprKind::Apply { op: Op::Builtin(Builtin::Prime), args: _ } = kind {
            return "of the prime here".to_owned();
        }
        let symbol = if let ExprKind::Apply { op: Op::Builtin(op), args: _ } = kind {
            rules::builtin(*op).symbol
        } else if let ExprKind::Step { kind, .. } = kind {
            match kind {
                StepKind::Box => "[A]_v",
                StepKind::Angle => "<<A>>_v",
            }
        } else if let ExprKind::Fairness { kind, .. } = kind {
            match kind {
                Fairness::Weak => "WF",
                Fairness::Strong => "SF",
            }
        } else {
            return "of what it stands for".to_owned();
        };
        format!("of the `{symbol}` here")
    }

    /// Points at where the parameter is primed, or at whatever else keeps its level low.
    pub fn add_cause(&self, diagnostic: Diagnostic, param: LocalId) -> Diagnostic {
        let (mut param, mut place) = (param, None);
        for _ in 0..HOPS_MAX {
            match self.facts().params[param].limit.cause {
                Some(Cause::Part { expr, index }) => {
                    place = Some((param, self.part_span(expr, index), Some(expr)));
                    let Some(def) = self.spec.exprs[expr].kind.applied_def() else { break };
                    match self.spec.defs[def].params.get(index as usize) {
                        Some(&next) if self.facts().params[next].limit.cause.is_some() => param = next,
                        Some(_) | None => break,
                    }
                }
                Some(Cause::Substitution { instance, index }) => {
                    let span = self.spec.instances[instance].substitutions[index as usize].span;
                    place = Some((param, span, None));
                    break;
                }
                None => break,
            }
        }
        match place {
            Some((param, span, expr)) => diagnostic.related(span, self.cause_text(param, expr)),
            None => diagnostic,
        }
    }

    /// Returns the place of a part whose level must be low. For a prime, this is the whole expression.
    fn part_span(&self, expr: ExprId, index: u32) -> Span {
        let kind = &self.spec.exprs[expr].kind;
        if let ExprKind::Apply { op, args } = kind {
            let is_prime = *op == Op::Builtin(Builtin::Prime);
            let arg = args.get(index as usize).filter(|_| !is_prime);
            return arg.map_or(self.span(expr), |arg| self.arg_span(arg));
        }
        let mut parts = Vec::new();
        rules::for_each_part(kind, &mut |part| parts.push(part.expr));
        parts.get(index as usize).map_or(self.span(expr), |&part| self.span(part))
    }

    fn cause_text(&self, param: LocalId, expr: Option<ExprId>) -> String {
        let name = self.text(self.spec.locals[param].name);
        match expr.map(|expr| &self.spec.exprs[expr].kind) {
            Some(ExprKind::Apply { op: Op::Builtin(Builtin::Prime), args: _ }) => {
                format!("`{name}` is primed here")
            }
            Some(_) => {
                format!("`{name}` may be at most of {} level here", self.facts().params[param].limit.max)
            }
            None => format!("`{name}` stands for a constant here"),
        }
    }

    pub fn add_need(&self, diagnostic: Diagnostic, op: &str, need: Need) -> Diagnostic {
        let quoted = if op.contains('`') { op.to_owned() } else { format!("`{op}`") };
        match need.cause {
            Some(arg) => {
                let text = format!("{quoted} is applied to this, of {} level", need.level);
                diagnostic.related(self.span(arg), text)
            }
            None => diagnostic,
        }
    }
}

/// Words and places.
impl Checker<'_> {
    pub fn text(&self, name: Name) -> &str {
        self.spec.names.text(name)
    }

    pub fn span(&self, expr: ExprId) -> Span {
        self.spec.exprs[expr].span
    }

    pub fn def_name(&self, def: DefId) -> &str {
        self.text(self.spec.defs[def].name)
    }

    pub fn arg_span(&self, arg: &Arg) -> Span {
        match arg {
            Arg::Expr(expr) => self.span(*expr),
            Arg::Op(OpArg::Ref(_, span)) => *span,
            Arg::Op(OpArg::Lambda(lambda)) => lambda.span,
        }
    }

    /// Describes an argument: "`+`", "this LAMBDA".
    pub fn arg_text(&self, arg: &Arg) -> String {
        match arg {
            Arg::Expr(_) => "this".to_owned(),
            Arg::Op(OpArg::Lambda(_)) => "this `LAMBDA`".to_owned(),
            Arg::Op(OpArg::Ref(op, _)) => {
                let name = match *op {
                    Op::Def(def) => self.def_name(def),
                    Op::Const(constant) => self.text(self.spec.constants[constant].name),
                    Op::Param(local) => self.text(self.spec.locals[local].name),
                    Op::Builtin(op) => rules::builtin(op).symbol,
                };
                format!("`{name}`")
            }
        }
    }
}

fn local_description(kind: LocalKind) -> &'static str {
    match kind {
        LocalKind::Param => "is a parameter",
        LocalKind::Bound => "is bound here",
        LocalKind::TemporalBound => "is a variable",
        LocalKind::At => "stands for what `EXCEPT` changes",
        LocalKind::New(NewKind::Constant) => "is declared a constant",
        LocalKind::New(NewKind::Variable) => "is declared a variable",
        LocalKind::New(NewKind::State) => "is declared to be of state level",
        LocalKind::New(NewKind::Action) => "is declared an action",
        LocalKind::New(NewKind::Temporal) => "is declared a temporal formula",
    }
}
