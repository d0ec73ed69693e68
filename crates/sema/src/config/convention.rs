//! The likely meaning of a specification without a configuration: `Spec`, or `Init` and `Next`.

use super::{Replacements, decompose};
use crate::level::Level;
use crate::spec::{DefId, Entity, Spec};

/// The names that describe a behaviour by convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// `Spec`, a temporal formula with a next-state relation.
    Spec,
    /// `Init` and `Next`.
    InitNext,
}

impl Convention {
    /// Finds the conventional names that the root module defines.
    pub fn of(spec: &Spec) -> Option<Convention> {
        let is_whole = |def| !decompose(spec, &Replacements::default(), def).next.is_empty();
        if root_def(spec, "Spec", Level::Temporal).is_some_and(is_whole) {
            return Some(Convention::Spec);
        }
        root_def(spec, "Init", Level::State)?;
        root_def(spec, "Next", Level::Action)?;
        Some(Convention::InitNext)
    }

    /// Returns the configuration statements that say the same.
    pub fn statements(self) -> &'static str {
        match self {
            Convention::Spec => "SPECIFICATION Spec",
            Convention::InitNext => "INIT Init NEXT Next",
        }
    }
}

/// Returns the root module's definition of `name`, if it has no parameters and has this level.
pub(crate) fn root_def(spec: &Spec, name: &str, level: Level) -> Option<DefId> {
    let name = spec.names.get(name)?;
    let entry = spec.modules[spec.root].scope.get(&name)?;
    let Entity::Def(def) = entry.entity else { return None };
    (spec.defs[def].params.is_empty() && spec.levels.defs[def] == level).then_some(def)
}
