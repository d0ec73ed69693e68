//! Names that do not mean what they seem to mean (SL0606).
//!
//! SANY rejects a name that hides another inside a module. Two cases between files remain: a module with the name of an
//! embedded one, and model values of a configuration that are spelled like a definition.

use std::path::Path;

use base::{FxHashSet, Name};
use diag::{Code, Diagnostic, Diagnostics, Span};

use super::is_own;
use crate::config::{Assigned, BoundConfig, Replacement, Target, Value};
use crate::spec::{Entity, ModuleId, Spec};

pub(super) fn lint(spec: &Spec, config: Option<&BoundConfig>) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    report_modules(spec, &mut diagnostics);
    if let Some(config) = config {
        for assigned in &config.assignments {
            report_model_values(spec, config, assigned, &mut diagnostics);
        }
    }
    diagnostics
}

/// The modules of the language's own library. Copies of community modules beside a specification are common and
/// intended; so is a library path with standard modules.
const STANDARD: &[&str] =
    &["Naturals", "Integers", "Reals", "Sequences", "FiniteSets", "Bags", "TLC", "TLCExt", "Randomization"];

/// Warns about modules that have the name of a standard one. TLC reads a file beside the specification in place of the
/// standard module, but the operators that TLC implements keep its meaning (contract 3.5).
fn report_modules(spec: &Spec, diagnostics: &mut Diagnostics) {
    for (id, module) in spec.modules.iter_enumerated() {
        let name = spec.names.text(module.name);
        let is_beside = folder(spec, id) == folder(spec, spec.root);
        if is_own(spec, id) && module.parent.is_none() && STANDARD.contains(&name) && is_beside {
            let headline = format!("the module `{name}` hides the standard module of that name");
            let diagnostic = Diagnostic::new(Code::Shadowing, module.name_span, headline)
                .note("TLC keeps its own meaning of the standard operators that it implements natively")
                .help("give the module another name, or remove the file to use the standard one");
            diagnostics.push(diagnostic);
        }
    }
}

fn folder(spec: &Spec, module: ModuleId) -> Option<&Path> {
    Path::new(spec.sources.file(spec.modules[module].span.source).name()).parent()
}

fn report_model_values(
    spec: &Spec,
    config: &BoundConfig,
    assigned: &Assigned,
    diagnostics: &mut Diagnostics,
) {
    let mut reported = FxHashSet::default();
    for name in assigned.replacement.model_values() {
        let Some(entry) = spec.modules[spec.root].scope.get(&name) else { continue };
        let means_it = match config.replacements.of(entry.entity) {
            Some(Replacement::Value(Value::ModelValue(value))) => *value == name,
            Some(_) | None => false,
        };
        if !means_it && !is_target(assigned, entry.entity) && reported.insert(name) {
            diagnostics.push(model_value(spec, name, entry.entity, assigned.span));
        }
    }
}

/// Whether the assignment is `Op = Op`, which makes a definition a model value on purpose.
fn is_target(assigned: &Assigned, entity: Entity) -> bool {
    match (&assigned.target, entity) {
        (Target::Const(target), Entity::Const(constant)) => *target == constant,
        (Target::Def { path: _, replaced: defs } | Target::InModule(defs), Entity::Def(def)) => {
            defs.contains(&def)
        }
        (Target::Const(_) | Target::Def { .. } | Target::InModule(_), _) => false,
    }
}

fn model_value(spec: &Spec, name: Name, entity: Entity, span: Span) -> Diagnostic {
    let text = spec.names.text(name);
    let (what, declared) = match entity {
        Entity::Const(constant) => ("constant", spec.constants[constant].span),
        Entity::Var(variable) => ("variable", spec.variables[variable].span),
        Entity::Def(def) => ("definition", spec.defs[def].name_span),
        Entity::Instance(instance) => ("instance", spec.instances[instance].span),
        Entity::Local(local) => ("bound name", spec.locals[local].span),
    };
    let headline = format!("`{text}` is a model value here, and not the {what} of that name");
    let diagnostic = Diagnostic::new(Code::Shadowing, span, headline).related(declared, "this is not meant");
    match entity {
        Entity::Def(_) => diagnostic.help("write `<-` and the name of a definition for its value"),
        Entity::Const(_) | Entity::Var(_) | Entity::Instance(_) | Entity::Local(_) => {
            diagnostic.help("give the model value another name")
        }
    }
}
