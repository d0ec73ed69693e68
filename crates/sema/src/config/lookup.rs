//! Lookup of names in a configuration: entities of the root module, and those behind `A!B!c` and `[Module]`.

use base::Name;
use diag::Span;
use syntax::ast::Ident;

use crate::spec::{DefId, Entity, InstanceId, ModuleId, Origin, Spec};

/// Returns what `name` stands for at the end of the root module.
pub(super) fn root_entity(spec: &Spec, name: Name) -> Option<Entity> {
    entity_in(spec, spec.root, name)
}

pub(super) fn entity_in(spec: &Spec, module: ModuleId, name: Name) -> Option<Entity> {
    spec.modules[module].scope.get(&name).map(|entry| entry.entity)
}

/// Returns the module called `name` that is not nested in another.
pub(super) fn find_module(spec: &Spec, name: Name) -> Option<ModuleId> {
    let found = |&id: &ModuleId| spec.modules[id].name == name && spec.modules[id].parent.is_none();
    spec.modules.ids().find(found)
}

/// The entity that `A!B!c` stands for in the root module.
pub(super) struct PathTarget {
    pub entity: Entity,
    /// For a definition: the definitions that are replaced with it. Empty when nothing uses it through these instances,
    /// because then it was never made.
    pub replaced: Vec<DefId>,
}

pub(super) fn path_entity(spec: &Spec, segments: &[Ident]) -> Option<PathTarget> {
    let (last, instances) = segments.split_last()?;
    let mut module = spec.root;
    let mut way: Vec<InstanceId> = Vec::new();
    for segment in instances {
        let Entity::Instance(instance) = entity_in(spec, module, segment.name)? else { return None };
        way.push(instance);
        module = spec.instances[instance].module;
    }
    let entity = entity_in(spec, module, last.name)?;
    match entity {
        Entity::Def(def) => {
            let made = way.iter().rev().try_fold(def, |def, &instance| symbol_of(spec, def, instance));
            Some(PathTarget { entity, replaced: made.map_or(Vec::new(), |made| with_uses(spec, made)) })
        }
        Entity::Const(_) | Entity::Var(_) | Entity::Instance(_) | Entity::Local(_) => {
            way.is_empty().then_some(PathTarget { entity, replaced: Vec::new() })
        }
    }
}

/// Returns `I!Op` for `Op`.
fn symbol_of(spec: &Spec, def: DefId, instance: InstanceId) -> Option<DefId> {
    let origin = Origin { def, instance, is_symbol: true };
    spec.defs.ids().find(|&id| spec.defs[id].origin == Some(origin))
}

/// Returns `def` and the copies that instances made of it for the definitions that use it.
pub(super) fn with_uses(spec: &Spec, def: DefId) -> Vec<DefId> {
    with_made(spec, def, |origin| !origin.is_symbol)
}

/// Returns `def` of a module and everything that has the same text: the copies that instances made of it, and the
/// definition it was copied from if nothing could be substituted there.
pub(super) fn with_copies(spec: &Spec, def: DefId) -> Vec<DefId> {
    let mut source = def;
    while let Some(origin) = spec.defs[source].origin.filter(|origin| is_mere_name(spec, origin)) {
        source = origin.def;
    }
    with_made(spec, source, |_| true)
}

/// Whether an instantiated symbol has the body of its original. TLC: that is so when there is nothing to substitute.
fn is_mere_name(spec: &Spec, origin: &Origin) -> bool {
    let instance = &spec.instances[origin.instance];
    let source = &spec.modules[spec.defs[origin.def].module];
    let without_name = instance.name.is_none() && source.constants.is_empty() && source.variables.is_empty();
    instance.substitutions.is_empty() || without_name
}

fn with_made(spec: &Spec, def: DefId, counts: impl Fn(&Origin) -> bool) -> Vec<DefId> {
    let mut found = vec![def];
    // A copy is made after its original, so one pass finds copies of copies.
    for id in spec.defs.ids() {
        if spec.defs[id].origin.is_some_and(|origin| counts(&origin) && found.contains(&origin.def)) {
            found.push(id);
        }
    }
    found
}

/// Returns the kind of an entity with its article: "a variable".
pub(super) fn kind_of(entity: Entity) -> &'static str {
    match entity {
        Entity::Const(_) => "a constant",
        Entity::Var(_) => "a variable",
        Entity::Def(_) => "a definition",
        Entity::Instance(_) => "an instance of a module",
        Entity::Local(_) => "a bound name",
    }
}

pub(super) fn declaration_span(spec: &Spec, entity: Entity) -> Option<Span> {
    match entity {
        Entity::Const(constant) => Some(spec.constants[constant].span),
        Entity::Var(variable) => Some(spec.variables[variable].span),
        Entity::Def(def) => Some(spec.defs[def].name_span),
        Entity::Instance(instance) => Some(spec.instances[instance].span),
        Entity::Local(local) => Some(spec.locals[local].span),
    }
}

/// Returns the parameters of the entity: for each, how many arguments it takes itself.
pub(super) fn shape(spec: &Spec, entity: Entity) -> Vec<u32> {
    match entity {
        Entity::Const(constant) => vec![0; spec.constants[constant].arity as usize],
        Entity::Def(def) => spec.defs[def].params.iter().map(|&param| spec.locals[param].arity).collect(),
        Entity::Var(_) | Entity::Instance(_) | Entity::Local(_) => Vec::new(),
    }
}
