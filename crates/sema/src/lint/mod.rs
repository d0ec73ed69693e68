//! Lints: things that are legal and probably not meant. SL06xx, all warnings. `docs/lints.md` has the rules.
//!
//! Lints look at the root module and at the user's other modules, never at embedded ones. They expect a
//! specification without errors.

mod assigned;
mod effect;
mod library;
mod primed;
mod read;
mod shadow;
mod translation;
mod unused;
mod var_set;

use diag::Diagnostics;

use crate::config::{
    Behaviour, BoundConfig, ConfigInput, Formula, NextRelation, Replacements, behaviour, bind, decompose,
    root_def,
};
use crate::level::Level;
use crate::spec::{DefBody, DefId, ModuleId, Spec};
use crate::unfold::Env;
use assigned::WantedVars;

pub use translation::translations;

/// Returns all warnings about `spec` under a configuration, or without one. Errors in the configuration come first.
pub fn lint(spec: &Spec, config: Option<ConfigInput<'_>>) -> Diagnostics {
    let bound = config.map(|input| bind(spec, input));
    let no_replacements = Replacements::default();
    let config = bound.as_ref().map(|bound| &bound.config);
    let replacements = config.map_or(&no_replacements, |config| &config.replacements);
    let (behaviour, wanted) = match config {
        Some(config) => (behaviour(spec, config), WantedVars::State),
        None => conventional_behaviour(spec),
    };
    let mut found = Diagnostics::new();
    found.extend(unused::lint(spec, config, replacements));
    found.extend(assigned::lint(spec, replacements, &behaviour, wanted));
    found.extend(primed::lint(spec, replacements));
    found.extend(shadow::lint(spec, config));
    found.extend(library::lint(spec));
    found.extend(translations(spec));
    let mut diagnostics = bound.map_or_else(Diagnostics::new, |bound| bound.diagnostics);
    diagnostics.extend(sort_by_place(found));
    diagnostics
}

/// Looks only for variables that a step or an initial state leaves without a value (SL0604) and for those that an
/// action assigns twice (SL0605), under a bound configuration. These may explain how a run ended.
pub fn assignments(spec: &Spec, config: &BoundConfig) -> Diagnostics {
    let behaviour = behaviour(spec, config);
    let found = assigned::lint(spec, &config.replacements, &behaviour, WantedVars::State);
    let is_assignment = |found: &diag::Diagnostic| {
        matches!(found.code, diag::Code::UnassignedVariable | diag::Code::AssignedTwice)
    };
    sort_by_place(found.into_iter().filter(is_assignment).collect())
}

/// Sorts by place: modules in the order they were read, each from top to bottom.
fn sort_by_place(diagnostics: Diagnostics) -> Diagnostics {
    let mut sorted: Vec<_> = diagnostics.into_iter().collect();
    sorted.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
    let mut diagnostics = Diagnostics::new();
    sorted.into_iter().for_each(|diagnostic| diagnostics.push(diagnostic));
    diagnostics
}

/// Returns the behaviour for a specification without a configuration: `Spec`, else `Init` and `Next`, with the
/// variables that their module knows.
fn conventional_behaviour(spec: &Spec) -> (Behaviour<'_>, WantedVars) {
    if let Some(def) = root_def(spec, "Spec", Level::Temporal) {
        let behaviour = decompose(spec, &Replacements::default(), def);
        if !behaviour.next.is_empty() {
            return (behaviour, WantedVars::Component(spec.defs[def].module));
        }
    }
    let (init, next) = (root_def(spec, "Init", Level::State), root_def(spec, "Next", Level::Action));
    let module = next.or(init).map_or(spec.root, |def| spec.defs[def].module);
    let relation = next.and_then(|def| body_of(spec, def)).map(|action| {
        let span = spec.exprs[action.expr].span;
        NextRelation { action, subscript: None, span }
    });
    let init = init.and_then(|def| body_of(spec, def)).into_iter().collect();
    let behaviour = Behaviour { init, next: relation.into_iter().collect(), ..Behaviour::default() };
    (behaviour, WantedVars::Component(module))
}

fn body_of(spec: &Spec, def: DefId) -> Option<Formula<'_>> {
    match spec.defs[def].body {
        DefBody::Expr(expr) => Some(Formula { expr, env: Env::new(), def: Some(def) }),
        DefBody::Native | DefBody::Missing => None,
    }
}

/// Whether the module is the user's.
fn is_own(spec: &Spec, module: ModuleId) -> bool {
    !spec.modules[module].embedded
}
