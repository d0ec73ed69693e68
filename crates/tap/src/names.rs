//! Names of nodes: a protocol has ids and addresses, a specification has names.

use std::collections::BTreeMap;

/// Names by id and by address.
#[derive(Clone, Debug, Default)]
pub struct Names {
    by_id: BTreeMap<String, String>,
    by_address: BTreeMap<String, String>,
}

impl Names {
    /// Returns the name of an id; the id itself if it has none.
    pub fn of<'a>(&'a self, id: &'a str) -> &'a str {
        self.by_id.get(id).map_or(id, String::as_str)
    }

    pub fn of_address(&self, address: &str) -> Option<&str> {
        self.by_address.get(address).map(String::as_str)
    }

    /// Notes the name of an id, unless it has one.
    pub fn learn(&mut self, id: &str, name: &str) {
        if !self.by_id.contains_key(id) {
            self.by_id.insert(id.to_owned(), name.to_owned());
        }
    }

    pub fn learn_address(&mut self, address: &str, name: &str) {
        self.by_address.entry(address.to_owned()).or_insert_with(|| name.to_owned());
    }

    /// Returns the names, each once.
    pub fn all(&self) -> Vec<String> {
        let mut names: Vec<String> = self.by_id.values().chain(self.by_address.values()).cloned().collect();
        names.sort();
        names.dedup();
        names
    }
}
