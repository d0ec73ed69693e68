//! `-postCondition Module!Operator`: a postcondition that may be in a module of its own.

use sema::Spec;
use sema::config::Named;
use sema::spec::{DefId, Entity, Module, ModuleId};

use super::options::PostCondition;

/// The operators that are named, or why there is none. Their modules were loaded beside the root.
pub fn find_all(spec: &Spec, conditions: &[PostCondition]) -> Result<Vec<Named>, String> {
    conditions.iter().map(|condition| find(spec, condition)).collect()
}

fn find(spec: &Spec, condition: &PostCondition) -> Result<Named, String> {
    let PostCondition { module, operator } = condition;
    let found = find_module(spec, module).ok_or_else(|| format!("Could not find module: {module}"))?;
    let def = find_def(spec, found, operator);
    let def = def.ok_or_else(|| format!("Could not find operator: {operator} in module: {module}"))?;
    let entry = &spec.defs[def];
    match entry.params.is_empty() {
        true => Ok(Named { name: entry.name, span: entry.span, def }),
        false => Err(format!("-postCondition {module}!{operator}: the operator takes arguments")),
    }
}

fn find_module(spec: &Spec, name: &str) -> Option<ModuleId> {
    let is_it = |module: &Module| module.parent.is_none() && spec.names.text(module.name) == name;
    spec.modules.iter_enumerated().find(|(_, module)| is_it(module)).map(|(id, _)| id)
}

fn find_def(spec: &Spec, module: ModuleId, name: &str) -> Option<DefId> {
    let mut scope = spec.modules[module].scope.iter();
    let (_, entry) = scope.find(|(known, _)| spec.names.text(**known) == name)?;
    match entry.entity {
        Entity::Def(def) => Some(def),
        Entity::Const(_) | Entity::Var(_) | Entity::Instance(_) | Entity::Local(_) => None,
    }
}
