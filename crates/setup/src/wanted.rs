//! `--invariant` and `--property`: properties on the command line, as full TLA+ expressions.

use diag::{Code, Diagnostic, Diagnostics};
use sema::config::{BoundConfig, Named};
use sema::level::Level;
use sema::spec::DefId;
use sema::{ExprText, Spec, define_temporal};

use crate::expressions::split_name;
use crate::input::WantedProperties;

/// The option with which an expression was given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Invariant,
    Property,
}

impl Kind {
    fn option(self) -> &'static str {
        match self {
            Kind::Invariant => "--invariant",
            Kind::Property => "--property",
        }
    }
}

/// Adds the properties to a configuration; reports those that make no sense.
pub(crate) fn add(
    spec: &mut Spec,
    config: &mut BoundConfig,
    wanted: &WantedProperties,
    diagnostics: &mut Diagnostics,
) {
    let invariants = wanted.invariants.iter().map(|text| (Kind::Invariant, text));
    let properties = wanted.properties.iter().map(|text| (Kind::Property, text));
    for (kind, written) in invariants.chain(properties) {
        if let Some(taken) = name_conflict(spec, config, kind, written) {
            diagnostics.push(taken);
            continue;
        }
        match resolve(spec, kind, written) {
            Ok(property) => {
                let known = match kind {
                    Kind::Invariant => &mut config.invariants,
                    Kind::Property => &mut config.properties,
                };
                // What the configuration names is not checked twice.
                if known.iter().all(|other| other.name != property.name) {
                    known.push(property);
                }
            }
            Err(errors) => diagnostics.extend(errors),
        }
    }
}

/// Returns why `NAME == EXPR` cannot have this name. Otherwise a user who compares with `==` would check EXPR
/// alone, and a second property of one name would be left out.
fn name_conflict(spec: &mut Spec, config: &BoundConfig, kind: Kind, written: &str) -> Option<Diagnostic> {
    let (name, text) = split_name(written);
    if name == text {
        return None;
    }
    let called = spec.names.intern(name);
    let in_scope = spec.modules[spec.root].scope.contains_key(&called);
    let asked = config.invariants.iter().chain(&config.properties).any(|property| property.name == called);
    if !in_scope && !asked {
        return None;
    }
    let headline = format!("{} cannot define `{name}`: the name has a meaning already", kind.option());
    let help =
        format!("to compare, write `=`: `{name} = {text}`; to name the expression, choose another name");
    Some(Diagnostic::without_place(Code::Redefined, headline).help(help))
}

fn resolve(spec: &mut Spec, kind: Kind, written: &str) -> Result<Named, Diagnostics> {
    let (name, text) = split_name(written);
    let module = spec.root;
    let def = define_temporal(spec, name, ExprText { origin: kind.option(), text, module, params: &[] })?;
    match check_level(spec, kind, def) {
        Some(error) => Err([error].into_iter().collect()),
        None => Ok(Named { name: spec.defs[def].name, span: spec.defs[def].span, def }),
    }
}

/// Returns an error if the level of a formula does not fit the option.
fn check_level(spec: &Spec, kind: Kind, def: DefId) -> Option<Diagnostic> {
    let (headline, help) = match (kind, spec.levels.defs[def]) {
        (Kind::Invariant, Level::Constant | Level::State) | (Kind::Property, Level::Temporal) => return None,
        // As a formula of behaviours it is TRUE of all that begin well: hardly anybody means that.
        (Kind::Property, Level::Constant | Level::State) => (
            "a property that is about one state says something of initial states alone",
            "give it with --invariant, or write `[](...)`",
        ),
        (Kind::Invariant, Level::Action) => (
            "an invariant is about one state, and this is about a step",
            "check `[][...]_vars`, with all variables in `vars`, with --property",
        ),
        (Kind::Invariant, Level::Temporal) => {
            ("an invariant is about one state, and this is about behaviours", "give it with --property")
        }
        (Kind::Property, Level::Action) => (
            "a property is about behaviours, and this is about a step",
            "check `[][...]_vars`, with all variables in `vars`",
        ),
    };
    Some(Diagnostic::new(Code::ConfigLevel, spec.defs[def].span, headline).help(help))
}
