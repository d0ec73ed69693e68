//! Interned names: equal spellings have equal ids, so that scopes compare integers.

use crate::FxIndexSet;

crate::define_id! {
    /// An interned spelling. Ordering follows first interning, not the alphabet.
    Name
}

/// The table of spellings behind [`Name`].
#[derive(Debug, Default, Clone)]
pub struct Names {
    spellings: FxIndexSet<Box<str>>,
}

impl Names {
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the name with this spelling, which is made if it is new.
    pub fn intern(&mut self, spelling: &str) -> Name {
        let index = match self.spellings.get_index_of(spelling) {
            Some(index) => index,
            None => self.spellings.insert_full(spelling.into()).0,
        };
        crate::Id::from_index(index)
    }

    /// Returns the name with this spelling, if it was ever interned.
    pub fn get(&self, spelling: &str) -> Option<Name> {
        self.spellings.get_index_of(spelling).map(crate::Id::from_index)
    }

    /// Iterates over every name, in the order of first interning.
    pub fn iter(&self) -> impl Iterator<Item = (Name, &str)> {
        self.spellings.iter().enumerate().map(|(index, spelling)| (crate::Id::from_index(index), &**spelling))
    }

    pub fn text(&self, name: Name) -> &str {
        &self.spellings[crate::Id::index(name)]
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn equal_spellings_are_one_name() {
        let mut names = Names::new();
        let first = names.intern("Init");
        assert!(names.intern("Next") != first);
        assert_eq!(names.intern("Init"), first);
        assert_eq!(names.text(first), "Init");
        assert_eq!(names.get("Spec"), None);
    }
}
