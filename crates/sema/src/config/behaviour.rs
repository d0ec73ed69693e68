//! Splits `SPECIFICATION` into its parts as TLC does (contract 1.4): initial predicate, next-state relation, and the
//! rest, which is fairness.

use base::with_stack;
use diag::{Code, Diagnostic, Diagnostics, Span};
use syntax::cfg::Keyword;

use super::{Binder, BoundConfig};
use crate::level::Level;
use crate::spec::{
    Arg, Builtin, DefBody, DefId, ExprId, ExprKind, JunctionKind, Op, Spec, StepKind, UnboundedQuantifier,
};
use crate::unfold::{Env, Replacements, UnfoldStep, step};

/// Limit on definitions inside definitions, and on the number of conjuncts. Only a configuration with circular
/// replacements comes near it.
const DEPTH_MAX: usize = 1_000;
const CONJUNCTS_MAX: usize = 100_000;

/// The parts of a behaviour specification.
#[derive(Default)]
pub struct Behaviour<'s> {
    /// The initial predicates. Their conjunction counts, in this order.
    pub init: Vec<Formula<'s>>,
    /// The next-state relations. TLC takes exactly one; a composition has several.
    pub next: Vec<NextRelation<'s>>,
    /// Every temporal conjunct except `[][A]_v`.
    pub fairness: Vec<Formula<'s>>,
    pub diagnostics: Diagnostics,
}

/// An expression and what its parameters stand for.
#[derive(Clone)]
pub struct Formula<'s> {
    pub expr: ExprId,
    pub env: Env<'s>,
    /// The definition whose body this is, or whose body contains it.
    pub def: Option<DefId>,
}

/// `[][action]_subscript`
#[derive(Clone)]
pub struct NextRelation<'s> {
    pub action: Formula<'s>,
    /// The subscript. `None` for `NEXT`, which has none.
    pub subscript: Option<ExprId>,
    pub span: Span,
}

/// Returns the behaviour that `config` describes, by `SPECIFICATION` or by `INIT` and `NEXT`.
pub fn behaviour<'s>(spec: &'s Spec, config: &BoundConfig) -> Behaviour<'s> {
    if let Some(specification) = config.specification {
        return decompose(spec, &config.replacements, specification.def);
    }
    let formula = |def: DefId| match spec.defs[def].body {
        DefBody::Expr(expr) => Some(Formula { expr, env: Env::new(), def: Some(def) }),
        DefBody::Native | DefBody::Missing => None,
    };
    let next = config.next.and_then(|named| {
        let action = formula(named.def)?;
        Some(NextRelation { action, subscript: None, span: spec.defs[named.def].name_span })
    });
    Behaviour {
        init: config.init.and_then(|named| formula(named.def)).into_iter().collect(),
        next: next.into_iter().collect(),
        ..Behaviour::default()
    }
}

/// Splits the temporal formula `def` into its parts.
pub fn decompose<'s>(spec: &'s Spec, replacements: &Replacements, def: DefId) -> Behaviour<'s> {
    let mut decomposer =
        Decomposer { spec, replacements, behaviour: Behaviour::default(), depth: 0, n_conjuncts: 0 };
    if let DefBody::Expr(body) = spec.defs[def].body {
        decomposer.conjunct(&Formula { expr: body, env: Env::new(), def: Some(def) });
    }
    let mut behaviour = decomposer.behaviour;
    if let [first, second, ..] = &behaviour.next[..] {
        let headline = "this specification has two next-state relations";
        let diagnostic = Diagnostic::new(Code::ConfigConflict, second.span, headline)
            .label("the second one")
            .related(first.span, "the first one")
            .help("conjoin or disjoin the two actions in one `[][Next]_vars`");
        behaviour.diagnostics.push(diagnostic);
    }
    behaviour
}

struct Decomposer<'s, 'r> {
    spec: &'s Spec,
    replacements: &'r Replacements,
    behaviour: Behaviour<'s>,
    depth: usize,
    n_conjuncts: usize,
}

impl<'s> Decomposer<'s, '_> {
    fn conjunct(&mut self, formula: &Formula<'s>) {
        if self.depth > DEPTH_MAX || self.n_conjuncts > CONJUNCTS_MAX {
            return;
        }
        self.depth += 1;
        self.n_conjuncts += 1;
        with_stack(|| self.conjunct_here(formula));
        self.depth -= 1;
    }

    fn conjunct_here(&mut self, formula: &Formula<'s>) {
        let expr = formula.expr;
        let level = self.spec.levels.exprs[expr];
        if level <= Level::State && !self.depends_on_parameters(formula) {
            self.behaviour.init.push(formula.clone());
            return;
        }
        match step(self.spec, self.replacements, expr, &formula.env) {
            UnfoldStep::Into { expr, env, def } => {
                self.conjunct(&Formula { expr, env, def: def.or(formula.def) });
            }
            UnfoldStep::Junction { kind: JunctionKind::And, items, env } => {
                for expr in items {
                    self.conjunct(&Formula { expr, env: env.clone(), def: formula.def });
                }
            }
            UnfoldStep::Builtin { op: Builtin::Box, args, env } => {
                if let Some(Arg::Expr(arg)) = args.first() {
                    self.always(formula, *arg, env);
                }
            }
            UnfoldStep::Junction { kind: JunctionKind::Or, .. }
            | UnfoldStep::Builtin { .. }
            | UnfoldStep::Bool(_)
            | UnfoldStep::Opaque
            | UnfoldStep::Itself => self.other(formula, level),
        }
    }

    /// Whether parameters decide what the formula is: it is one, applies one, or hands one on. Its level does not say so,
    /// because it counts parameters as constants.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other form is read further")]
    fn depends_on_parameters(&self, formula: &Formula<'s>) -> bool {
        let is_bound = !formula.env.is_empty();
        match &self.spec.exprs[formula.expr].kind {
            ExprKind::Local(_) => true,
            ExprKind::Junction { kind: JunctionKind::And, .. } => is_bound,
            ExprKind::Apply { op: Op::Builtin(op), .. } => is_bound && *op == Builtin::And,
            ExprKind::Apply { op: Op::Param(_), .. } => is_bound,
            ExprKind::Apply { op: Op::Def(_), args } => is_bound && !args.is_empty(),
            _ => false,
        }
    }

    /// Reads `[]arg`.
    fn always(&mut self, formula: &Formula<'s>, arg: ExprId, env: Env<'s>) {
        let span = self.spec.exprs[formula.expr].span;
        if let ExprKind::Step { kind: StepKind::Box, action, subscript } = self.spec.exprs[arg].kind {
            let action = Formula { expr: action, env, def: formula.def };
            self.behaviour.next.push(NextRelation { action, subscript: Some(subscript), span });
        } else if self.spec.levels.exprs[arg] <= Level::State {
            let headline = "TLC cannot take `[]` of a state predicate as part of a specification";
            let help = "check it as an INVARIANT, or conjoin it to the next-state relation";
            self.report(Diagnostic::new(Code::ConfigLevel, span, headline).help(help));
        } else {
            self.behaviour.fairness.push(formula.clone());
        }
    }

    fn other(&mut self, formula: &Formula<'s>, level: Level) {
        let expr = &self.spec.exprs[formula.expr];
        if let ExprKind::Unbounded {
            kind: UnboundedQuantifier::TemporalExists | UnboundedQuantifier::TemporalForall,
            ..
        } = expr.kind
        {
            let headline = "TLC cannot take a temporal quantifier as part of a specification";
            let help = "name the formula inside it, with the hidden variables as variables";
            self.report(Diagnostic::new(Code::ConfigLevel, expr.span, headline).help(help));
        } else if level == Level::Action {
            let headline = "this part of the specification is an action";
            let help = "write `[][Next]_vars` for the next-state relation";
            self.report(Diagnostic::new(Code::ConfigLevel, expr.span, headline).help(help));
        } else {
            self.behaviour.fairness.push(formula.clone());
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.behaviour.diagnostics.push(diagnostic);
    }
}

impl Binder<'_> {
    /// Checks that the parts that TLC demands are given: an initial predicate where there are variables, and a
    /// next-state relation where something is checked (`TLC_CONFIG_MISSING_INIT`, `TLC_CONFIG_MISSING_NEXT`).
    pub(super) fn check_behaviour(&mut self) {
        let spec = self.spec;
        let behaviour = behaviour(spec, &self.config);
        let (has_init, has_next) = (!behaviour.init.is_empty(), !behaviour.next.is_empty());
        let failed = behaviour.diagnostics.has_errors();
        self.diagnostics.extend(behaviour.diagnostics);
        // A name that was given but could not be bound has already been reported.
        if failed || self.is_given(Keyword::Specification) && self.config.specification.is_none() {
            return;
        }
        let of_steps = |level: Level| level > Level::State;
        let properties = &self.config.properties;
        let needs_steps = !self.config.invariants.is_empty()
            || properties.iter().any(|named| of_steps(spec.levels.defs[named.def]));
        let needs_init =
            needs_steps || !properties.is_empty() || !spec.modules[spec.root].variables.is_empty();
        if needs_init && !has_init && !self.is_given(Keyword::Init) {
            self.report_missing_part("an initial predicate", "`INIT Init` and `NEXT Next`");
        } else if needs_steps && !has_next && !self.is_given(Keyword::Next) {
            self.report_missing_part("a next-state relation", "`NEXT Next`");
        }
    }

    fn is_given(&self, keyword: Keyword) -> bool {
        self.input.tree.name(keyword).is_some()
    }

    fn report_missing_part(&mut self, what: &str, example: &str) {
        let file = self.spec.sources.file(self.input.source).name();
        let diagnostic = match self.config.specification {
            Some(named) => {
                let headline =
                    format!("the specification `{}` has no part that is {what}", self.text(named.name));
                Diagnostic::new(Code::ConfigMissing, named.span, headline)
            }
            None => {
                let start = Span::new(self.input.source, 0..0);
                let headline = format!("`{file}` names neither a specification nor {what}");
                let help = format!("add `SPECIFICATION Spec`, or {example}");
                Diagnostic::new(Code::ConfigMissing, start, headline).help(help)
            }
        };
        self.diagnostics.push(diagnostic);
    }
}
