//! The requirements that a step of the product meets: a set of small numbers.

/// A set of requirements, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks(Vec<u64>);

impl Marks {
    pub fn insert(&mut self, mark: usize) {
        let word = mark / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (mark % 64);
    }

    pub fn has(&self, mark: usize) -> bool {
        self.0.get(mark / 64).is_some_and(|word| word >> (mark % 64) & 1 == 1)
    }

    pub fn add(&mut self, other: &Marks) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    pub fn remove(&mut self, other: &Marks) {
        for (word, less) in self.0.iter_mut().zip(&other.0) {
            *word &= !less;
        }
    }

    pub fn meets(&self, other: &Marks) -> bool {
        self.0.iter().zip(&other.0).any(|(word, other)| word & other != 0)
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub fn contains(&self, other: &Marks) -> bool {
        let word = |index: usize| self.0.get(index).copied().unwrap_or(0);
        other.0.iter().enumerate().all(|(index, &wanted)| wanted & !word(index) == 0)
    }
}
