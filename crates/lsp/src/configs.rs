//! Configurations: which module one is for, and what its names stand for.

use std::path::{Path, PathBuf};

use diag::Span;
use sema::Spec;
use sema::spec::{Entity, ModuleId, NameTarget};
use syntax::ast::Ident;
use syntax::cfg::{self, Body, Config, Path as ConfigPath, RightSide};

use crate::snapshot::Snapshot;

/// The module that a configuration is for: the one with the longest name that the name of the configuration begins with.
pub fn module_of(config: &Path, snapshot: &Snapshot) -> Option<PathBuf> {
    let own = config.with_extension("tla");
    if snapshot.documents.contains_key(&own) || own.is_file() {
        return Some(own);
    }
    module_among(config, &files_in(config.parent()?, "tla", snapshot)).cloned()
}

/// The module among these that a configuration is for.
pub fn module_among<'a>(config: &Path, modules: &'a [PathBuf]) -> Option<&'a PathBuf> {
    let stem = config.file_stem()?.to_str()?;
    let named = modules.iter().filter(|module| {
        let name = module.file_stem().and_then(|name| name.to_str());
        module.parent() == config.parent() && name.is_some_and(|name| stem.starts_with(name))
    });
    named.max_by_key(|module| module.as_os_str().len())
}

/// The files of a folder with this ending, on disk and open, sorted.
pub fn files_in(folder: &Path, ending: &str, snapshot: &Snapshot) -> Vec<PathBuf> {
    let is_one = |path: &PathBuf| path.extension().is_some_and(|extension| extension == ending);
    let on_disk = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = on_disk.filter(is_one).collect();
    let open = snapshot.documents.keys().filter(|path| path.parent() == Some(folder));
    files.extend(open.filter(|path| is_one(path)).cloned());
    files.sort();
    files.dedup();
    files
}

/// Finds the meaning of each name of a configuration in the root module.
pub fn names(spec: &Spec, config: &Config) -> Vec<(Span, NameTarget)> {
    let mut found = Vec::new();
    if spec.modules.is_empty() {
        return found;
    }
    for statement in &config.statements {
        match &statement.body {
            Body::Names(names) => names.iter().for_each(|&name| found.extend(name_in(spec, spec.root, name))),
            Body::Assignments(assignments) => {
                for assignment in assignments {
                    add_assignment(spec, assignment, &mut found);
                }
            }
            Body::Flag(_) => {}
        }
    }
    found
}

fn add_assignment(spec: &Spec, assignment: &cfg::Assignment, found: &mut Vec<(Span, NameTarget)>) {
    let module = match &assignment.right {
        RightSide::Value { module, .. } | RightSide::Definition { module, .. } => *module,
    };
    let home = module.and_then(|name| {
        let is_it = |&id: &ModuleId| spec.modules[id].name == name.name && spec.modules[id].parent.is_none();
        spec.modules.ids().find(is_it).map(|id| (name.span, id))
    });
    found.extend(home.map(|(span, id)| (span, NameTarget::Module(id))));
    add_path(spec, home.map_or(spec.root, |(_, id)| id), &assignment.lhs, found);
    match &assignment.right {
        RightSide::Definition { name, .. } => found.extend(name_in(spec, spec.root, *name)),
        RightSide::Value { .. } => {}
    }
}

/// Adds the names of `A!B!c`.
fn add_path(spec: &Spec, mut module: ModuleId, path: &ConfigPath, found: &mut Vec<(Span, NameTarget)>) {
    for &segment in &path.segments {
        let Some((span, target)) = name_in(spec, module, segment) else { return };
        found.push((span, target));
        if let NameTarget::Entity(Entity::Instance(instance)) = target {
            module = spec.instances[instance].module;
        }
    }
}

fn name_in(spec: &Spec, module: ModuleId, name: Ident) -> Option<(Span, NameTarget)> {
    let entry = spec.modules[module].scope.get(&name.name)?;
    Some((name.span, NameTarget::Entity(entry.entity)))
}
