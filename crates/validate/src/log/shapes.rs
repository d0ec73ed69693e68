//! The fields that the events of a log have, by kind. The fields that a mapping reads are compared with them.

use std::hash::{BuildHasher, Hash, Hasher};

use base::{FxBuildHasher, FxHashSet, FxIndexMap, FxIndexSet};

use super::Json;

/// The most different sets of fields that are examined. If there are more, the names differ from event to event and are
/// data.
const SHAPES_MAX: usize = 200;

/// The fields of events that were met.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    /// The sets of fields seen so far, by kind and by a hash of their names.
    known: FxHashSet<(u32, u64)>,
    /// For each kind, the paths to its fields, such as `msg.term`.
    paths: FxIndexMap<u32, FxIndexSet<String>>,
}

impl Shapes {
    /// Notes the fields of an event.
    pub fn meet(&mut self, kind: u32, tree: &Json) {
        let mut hasher = FxBuildHasher.build_hasher();
        hash_names(tree, &mut hasher);
        let key = (kind, hasher.finish());
        if self.known.contains(&key) || self.known.len() >= SHAPES_MAX {
            return;
        }
        self.known.insert(key);
        let paths = self.paths.entry(kind).or_default();
        collect(tree, &mut String::new(), paths);
    }

    /// Returns the kinds that occurred, each with its fields.
    pub fn by_kind(&self) -> impl Iterator<Item = (u32, &FxIndexSet<String>)> {
        self.paths.iter().map(|(kind, paths)| (*kind, paths))
    }
}

fn members(tree: &Json) -> &[(Box<str>, Json)] {
    match tree {
        Json::Object(members) => members,
        Json::Null | Json::Bool(_) | Json::Int(_) | Json::Big(_) | Json::Other(_) => &[],
        Json::Text(_) | Json::Array(_) => &[],
    }
}

fn hash_names(tree: &Json, hasher: &mut impl Hasher) {
    for (name, value) in members(tree).iter().filter(|(_, value)| *value != Json::Null) {
        name.hash(hasher);
        hash_names(value, hasher);
    }
    0xff_u8.hash(hasher);
}

fn collect(tree: &Json, path: &mut String, paths: &mut FxIndexSet<String>) {
    let members = members(tree);
    if members.is_empty() && !path.is_empty() {
        paths.insert(path.clone());
    }
    for (name, value) in members.iter().filter(|(_, value)| *value != Json::Null) {
        let length = path.len();
        if length > 0 {
            path.push('.');
        }
        path.push_str(name);
        collect(value, path, paths);
        path.truncate(length);
    }
}
