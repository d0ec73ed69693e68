//! `--invariant` and `--property`: properties on the command line, as full TLA+ expressions.

use diag::{Code, Diagnostic, Diagnostics};
use sema::config::{BoundConfig, Named};
use sema::level::Level;
use sema::spec::DefId;
use sema::{ExprText, Spec, define_temporal};

use crate::expressions::split_name;
use crate::input::Wanted;

/// Which of the two options an expression was given with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Invariant,
    Property,
}

/// Adds the properties to a configuration; reports those that make no sense.
pub(crate) fn add(spec: &mut Spec, config: &mut BoundConfig, wanted: &Wanted, diagnostics: &mut Diagnostics) {
    let invariants = wanted.invariants.iter().map(|text| (Kind::Invariant, text));
    let properties = wanted.properties.iter().map(|text| (Kind::Property, text));
    for (kind, written) in invariants.chain(properties) {
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

fn resolve(spec: &mut Spec, kind: Kind, written: &str) -> Result<Named, Diagnostics> {
    let (name, text) = split_name(written);
    let origin = match kind {
        Kind::Invariant => "--invariant",
        Kind::Property => "--property",
    };
    let module = spec.root;
    let def = define_temporal(spec, name, ExprText { origin, text, module, params: &[] })?;
    match check_level(spec, kind, def) {
        Some(error) => Err([error].into_iter().collect()),
        None => Ok(Named { name: spec.defs[def].name, span: spec.defs[def].span, def }),
    }
}

/// Why a formula of its level cannot be asked for with this option.
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
