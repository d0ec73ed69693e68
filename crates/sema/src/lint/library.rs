//! Names of the modules that come with Specline: definitions that hide one (SL0610), and names out of use (SL0611).
//!
//! The exports of these modules change from release to release. Here a specification keeps its meaning with all of
//! them; with another tool it needs the release that it was written for.

use diag::{Code, Diagnostic, Diagnostics};

use super::is_own;
use crate::embedded;
use crate::spec::{DefId, Entity, HiddenName, RetiredUse, Spec};

pub(super) fn lint(spec: &Spec) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    for hidden in spec.hidden.iter().filter(|hidden| is_own(spec, hidden.module)) {
        diagnostics.push(hidden_name(spec, hidden));
    }
    for used in &spec.retired {
        diagnostics.push(retired_name(spec, used));
    }
    diagnostics
}

fn hidden_name(spec: &Spec, hidden: &HiddenName) -> Diagnostic {
    let name = spec.names.text(hidden.name);
    let whose = match hidden.hidden {
        Entity::Def(def) => format!("the `{name}` of module `{}`", home(spec, def)),
        Entity::Const(_) | Entity::Var(_) | Entity::Instance(_) | Entity::Local(_) => {
            "a library\'s".to_owned()
        }
    };
    Diagnostic::new(Code::LibraryNameHidden, hidden.span, format!("`{name}` hides {whose}"))
        .label("this one is used in this module")
        .note("SANY rejects it with the newest community modules")
        .help("choose another name, if other tools read this with those modules")
}

fn retired_name(spec: &Spec, used: &RetiredUse) -> Diagnostic {
    let name = spec.names.text(spec.defs[used.def].name);
    let module = home(spec, used.def);
    let headline = format!("`{name}` is no longer part of module `{module}`");
    let diagnostic = Diagnostic::new(Code::RetiredName, used.span, headline);
    match embedded::successor(module, name) {
        Some(successor) => diagnostic.help(format!("write `{successor}`")),
        None => diagnostic,
    }
}

/// Returns the name of the module whose text defines `def`, or the definition that `def` is an instance of.
fn home(spec: &Spec, def: DefId) -> &str {
    let mut def = def;
    while let Some(origin) = spec.defs[def].origin {
        def = origin.def;
    }
    spec.names.text(spec.modules[spec.defs[def].module].name)
}
