//! Names after keywords: what each keyword accepts, and the messages for anything else.

use base::Name;
use diag::{Code, Diagnostic, Span};
use syntax::ast::Ident;
use syntax::cfg::Keyword;

use super::{Binder, Named, Replacement, Value, lookup};
use crate::level::Level;
use crate::spec::{DefBody, DefId, Entity, ExprId, ExprKind, Op, Spec};

/// The kind of name that a keyword accepts.
struct Role {
    /// The noun for messages, such as "invariant". Its first letter decides between `an` and `a`.
    what: &'static str,
    /// The highest level that TLC can evaluate there.
    level_max: Level,
    /// Whether a name whose value is TRUE is skipped, as TLC does (contract 1.2).
    takes_true: bool,
}

/// The kind of thing that an unknown name may have been meant to name.
#[derive(Clone, Copy)]
pub(super) enum NameKind {
    /// A definition without parameters.
    Name,
    /// A definition or a constant.
    Assignable,
}

fn role(keyword: Keyword) -> Role {
    let role = |what, level_max| Role { what, level_max, takes_true: false };
    match keyword {
        Keyword::Specification => role("specification", Level::Temporal),
        Keyword::Init => role("initial predicate", Level::State),
        Keyword::Next => role("next-state relation", Level::Action),
        Keyword::Invariant => Role { takes_true: true, ..role("invariant", Level::State) },
        Keyword::Property => Role { takes_true: true, ..role("property", Level::Temporal) },
        Keyword::Constraint => Role { takes_true: true, ..role("constraint", Level::State) },
        Keyword::ActionConstraint => Role { takes_true: true, ..role("action constraint", Level::Action) },
        Keyword::Symmetry => role("symmetry set", Level::Constant),
        Keyword::View => role("view", Level::State),
        Keyword::Alias => role("alias", Level::Action),
        Keyword::Postcondition => role("postcondition", Level::State),
        Keyword::Periodic => role("periodic check", Level::State),
        Keyword::RlReward => role("reward", Level::Action),
        Keyword::Possible => role("possible predicate", Level::Action),
        // These take no name.
        Keyword::Constant | Keyword::CheckDeadlock => role("name", Level::Temporal),
    }
}

impl Binder<'_> {
    /// Returns the definition that `ident` names, if `keyword` accepts it.
    pub(super) fn bind_name(&mut self, ident: Ident, keyword: Keyword) -> Option<Named> {
        let role = role(keyword);
        let Some(entity) = lookup::root_entity(self.spec, ident.name) else {
            // TLC knows TRUE as a definition.
            if !(role.takes_true && self.text(ident.name) == "TRUE") {
                self.report_unknown(ident, role.what);
            }
            return None;
        };
        let def = match (entity, self.config.replacements.of(entity)) {
            (_, Some(Replacement::Def(def))) => *def,
            (_, Some(Replacement::Value(Value::Bool(true)))) if role.takes_true => return None,
            (Entity::Def(def), None) => def,
            (
                Entity::Def(_) | Entity::Const(_) | Entity::Var(_) | Entity::Instance(_) | Entity::Local(_),
                _,
            ) => {
                self.report_kind(ident, entity, &role);
                return None;
            }
        };
        let named = Named { name: ident.name, span: ident.span, def };
        (self.has_no_parameters(named, &role) && self.has_level(named, &role, keyword)).then_some(named)
    }

    fn report_unknown(&mut self, ident: Ident, what: &str) {
        let name = self.text(ident.name);
        let root = self.text(self.spec.modules[self.spec.root].name);
        let headline = format!("the {what} `{name}` is not defined in module `{root}`");
        let diagnostic = Diagnostic::new(Code::ConfigUnknownName, ident.span, headline);
        let diagnostic = self.with_suggestion(diagnostic.label("not defined"), ident.name, NameKind::Name);
        self.diagnostics.push(diagnostic);
    }

    /// Adds a hint: where else the name is defined, or a similar name that is known here.
    pub(super) fn with_suggestion(&self, diagnostic: Diagnostic, name: Name, wanted: NameKind) -> Diagnostic {
        let spec = self.spec;
        let text = self.text(name);
        let place = diagnostic.primary.as_ref().map(|label| label.span);
        let elsewhere =
            spec.modules.iter().find(|module| !module.embedded && module.scope.contains_key(&name));
        if let Some(module) = elsewhere {
            let module = self.text(module.name);
            let help = format!("define `{text}` in the root module by means of that of module `{module}`");
            return diagnostic.help(help);
        }
        let fits = |entity: Entity| match (entity, wanted) {
            (Entity::Def(def), NameKind::Name) => spec.defs[def].params.is_empty(),
            (Entity::Def(_) | Entity::Const(_), NameKind::Assignable) => true,
            (Entity::Const(_), NameKind::Name) => false,
            (
                Entity::Var(_) | Entity::Instance(_) | Entity::Local(_),
                NameKind::Name | NameKind::Assignable,
            ) => false,
        };
        let scope = &spec.modules[spec.root].scope;
        let names = scope.iter().filter(|(_, entry)| fits(entry.entity)).map(|(&name, _)| self.text(name));
        match (base::nearest(text, names), place) {
            (Some(similar), Some(place)) if spec.sources.text(place) == text => {
                diagnostic.suggest(place, similar)
            }
            (Some(similar), _) => diagnostic.help(format!("did you mean `{similar}`?")),
            (None, _) => diagnostic,
        }
    }

    fn report_kind(&mut self, ident: Ident, entity: Entity, role: &Role) {
        let name = self.text(ident.name);
        let what = role.what;
        let kind = lookup::kind_of(entity);
        let has_value = matches!(entity, Entity::Def(_)) || self.config.replacements.of(entity).is_some();
        let headline = match has_value {
            true => format!("the {what} `{name}` is given a value in this file"),
            false => format!("the {what} `{name}` is {kind}, not a definition"),
        };
        let mut diagnostic = Diagnostic::new(Code::ConfigWrongKind, ident.span, headline);
        if let Some(span) = lookup::declaration_span(self.spec, entity) {
            diagnostic = diagnostic.related(span, "declared here");
        }
        self.diagnostics.push(diagnostic);
    }

    fn has_no_parameters(&mut self, named: Named, role: &Role) -> bool {
        let def = &self.spec.defs[named.def];
        if def.params.is_empty() {
            return true;
        }
        let (name, what, n_params) = (self.text(named.name), role.what, def.params.len());
        let s = if n_params == 1 { "" } else { "s" };
        let headline = format!("the {what} `{name}` takes {n_params} parameter{s}");
        let help = format!("define one without parameters that applies `{name}`, and name that");
        let diagnostic = Diagnostic::new(Code::ConfigArity, named.span, headline)
            .related(def.name_span, "defined here")
            .help(help);
        self.diagnostics.push(diagnostic);
        false
    }

    fn has_level(&mut self, named: Named, role: &Role, keyword: Keyword) -> bool {
        let level = self.spec.levels.defs[named.def];
        // TLC: a property is a temporal formula, or a state predicate of the initial states. An action is neither
        // (contract 4.5).
        let bare_action = keyword == Keyword::Property && level == Level::Action;
        if level <= role.level_max && !bare_action {
            return true;
        }
        let (name, what) = (self.text(named.name), role.what);
        let headline = format!("the {what} `{name}` {}", depends_on(level));
        let mut diagnostic = Diagnostic::new(Code::ConfigLevel, named.span, headline).label(format!(
            "{} {}",
            wanted_text(role.level_max),
            "is wanted here"
        ));
        if let Some(culprit) = find_raising_place(self.spec, named.def, level) {
            diagnostic = diagnostic.related(culprit, format!("this {}", depends_on(level)));
        }
        if let Some(help) = level_help(keyword, level, name) {
            diagnostic = diagnostic.help(help);
        }
        self.diagnostics.push(diagnostic);
        false
    }
}

fn depends_on(level: Level) -> &'static str {
    match level {
        Level::Constant => "is constant",
        Level::State => "depends on the state",
        Level::Action => "depends on a step, not on one state",
        Level::Temporal => "is a temporal formula",
    }
}

fn wanted_text(level_max: Level) -> &'static str {
    match level_max {
        Level::Constant => "a constant expression",
        Level::State => "a state expression",
        Level::Action => "an expression without temporal operators",
        Level::Temporal => "a temporal formula or a state predicate",
    }
}

fn level_help(keyword: Keyword, level: Level, name: &str) -> Option<String> {
    match (keyword, level) {
        (Keyword::Property, Level::Action) => {
            Some(format!("define `[][{name}]_vars`, with all variables in `vars`, and name that"))
        }
        (Keyword::Invariant, Level::Action) => {
            Some(format!("check `[][{name}]_vars`, with all variables in `vars`, as a PROPERTY"))
        }
        (Keyword::Invariant, Level::Temporal) => Some("name it under PROPERTY".to_owned()),
        (Keyword::Constraint, Level::Action) => Some("name it under ACTION_CONSTRAINT".to_owned()),
        (Keyword::Init | Keyword::Next, Level::Temporal) => Some("name it under SPECIFICATION".to_owned()),
        (
            Keyword::Specification
            | Keyword::Init
            | Keyword::Next
            | Keyword::Constant
            | Keyword::Invariant
            | Keyword::Property
            | Keyword::Constraint
            | Keyword::ActionConstraint
            | Keyword::Symmetry
            | Keyword::View
            | Keyword::Alias
            | Keyword::Postcondition
            | Keyword::CheckDeadlock
            | Keyword::Periodic
            | Keyword::RlReward
            | Keyword::Possible,
            Level::Constant | Level::State | Level::Action | Level::Temporal,
        ) => None,
    }
}

/// Finds the innermost place that gives `def` its level, looking through definitions.
fn find_raising_place(spec: &Spec, def: DefId, level: Level) -> Option<Span> {
    let above = |expr: ExprId| spec.levels.exprs[expr] >= level;
    let DefBody::Expr(mut expr) = spec.defs[def].body else { return None };
    // Without recursion no definition is entered twice. The bound is for specifications with errors.
    for _ in 0..spec.exprs.len() {
        let inner = spec.children(expr).into_iter().find(|&child| above(child));
        match inner.or_else(|| applied_body(spec, expr).filter(|&body| above(body))) {
            Some(next) => expr = next,
            None => break,
        }
    }
    above(expr).then(|| spec.exprs[expr].span)
}

/// Returns the body of the definition that `expr` applies.
fn applied_body(spec: &Spec, expr: ExprId) -> Option<ExprId> {
    let ExprKind::Apply { op: Op::Def(def), args: _ } = &spec.exprs[expr].kind else { return None };
    match spec.defs[*def].body {
        DefBody::Expr(body) => Some(body),
        DefBody::Native | DefBody::Missing => None,
    }
}
