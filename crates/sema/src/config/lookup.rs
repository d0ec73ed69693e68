//! What a configuration can name: entities of the root module, and those behind `A!B!c` and `[Module]`.

use base::Name;
use diag::Span;
use syntax::ast::Ident;

use crate::spec::{DefId, Entity, InstanceId, ModuleId, Spec};

/// What `name` stands for at the end of the root module.
pub(super) fn root_entity(spec: &Spec, name: Name) -> Option<Entity> {
    entity_in(spec, spec.root, name)
}

pub(super) fn entity_in(spec: &Spec, module: ModuleId, name: Name) -> Option<Entity> {
    spec.modules[module].scope.get(&name).map(|entry| entry.entity)
}

/// The module called `name` that is nested in no other.
pub(super) fn module_named(spec: &Spec, name: Name) -> Option<ModuleId> {
    let found = |&id: &ModuleId| spec.modules[id].name == name && spec.modules[id].parent.is_none();
    spec.modules.ids().find(found)
}

/// What `A!B!c` stands for in the root module: `c` as the instances on the way made it, and the modules of
/// all instances that made it.
///
/// LIMIT: a definition that nobody uses through these instances was never made, and the one that it would
/// have been made from is taken.
pub(super) fn path_entity(spec: &Spec, segments: &[Ident]) -> Option<(Entity, Vec<ModuleId>)> {
    let (last, instances) = segments.split_last()?;
    let mut module = spec.root;
    let mut way: Vec<InstanceId> = Vec::new();
    for segment in instances {
        let Entity::Instance(instance) = entity_in(spec, module, segment.name)? else { return None };
        way.push(instance);
        module = spec.instances[instance].module;
    }
    match entity_in(spec, module, last.name)? {
        Entity::Def(def) => {
            let outward = way.iter().rev();
            let made = outward.fold(def, |def, &instance| made_from(spec, def, instance).unwrap_or(def));
            way.extend(origins(spec, def));
            Some((
                Entity::Def(made),
                way.into_iter().map(|instance| spec.instances[instance].module).collect(),
            ))
        }
        entity @ (Entity::Const(_) | Entity::Var(_) | Entity::Instance(_) | Entity::Local(_)) => {
            way.is_empty().then_some((entity, Vec::new()))
        }
    }
}

/// The instances that made `def`, the last one first.
fn origins(spec: &Spec, def: DefId) -> impl Iterator<Item = InstanceId> + '_ {
    let origin = |def: DefId| spec.defs[def].origin;
    std::iter::successors(origin(def), move |made| origin(made.def)).map(|made| made.instance)
}

fn made_from(spec: &Spec, def: DefId, instance: InstanceId) -> Option<DefId> {
    let is_it = |id: &DefId| {
        spec.defs[*id].origin.is_some_and(|origin| origin.def == def && origin.instance == instance)
    };
    spec.defs.ids().find(is_it)
}

/// `def` and everything that instances made from it.
pub(super) fn with_copies(spec: &Spec, def: DefId) -> Vec<DefId> {
    let mut found = vec![def];
    // A copy is made after what it is made from, so one pass finds copies of copies.
    for id in spec.defs.ids() {
        if spec.defs[id].origin.is_some_and(|origin| found.contains(&origin.def)) {
            found.push(id);
        }
    }
    found
}

/// "a variable"
pub(super) fn kind_of(entity: Entity) -> &'static str {
    match entity {
        Entity::Const(_) => "a constant",
        Entity::Var(_) => "a variable",
        Entity::Def(_) => "a definition",
        Entity::Instance(_) => "an instance of a module",
        Entity::Local(_) => "a bound name",
    }
}

pub(super) fn declared_at(spec: &Spec, entity: Entity) -> Option<Span> {
    match entity {
        Entity::Const(constant) => Some(spec.constants[constant].span),
        Entity::Var(variable) => Some(spec.variables[variable].span),
        Entity::Def(def) => Some(spec.defs[def].name_span),
        Entity::Instance(instance) => Some(spec.instances[instance].span),
        Entity::Local(local) => Some(spec.locals[local].span),
    }
}

/// The parameters that the entity takes: for each, how many it takes itself.
pub(super) fn shape(spec: &Spec, entity: Entity) -> Vec<u32> {
    match entity {
        Entity::Const(constant) => vec![0; spec.constants[constant].arity as usize],
        Entity::Def(def) => spec.defs[def].params.iter().map(|&param| spec.locals[param].arity).collect(),
        Entity::Var(_) | Entity::Instance(_) | Entity::Local(_) => Vec::new(),
    }
}
