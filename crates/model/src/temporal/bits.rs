//! Sets of atoms, each kept once and called by a number.

use std::sync::{Mutex, PoisonError};

use base::{FxHashMap, FxIndexSet};

/// A set of small numbers, as words.
type Bits = Box<[u64]>;

#[derive(Default)]
pub struct BitSets {
    sets: Mutex<FxIndexSet<Bits>>,
}

/// One worker's view, which asks the shared one only about sets that it has not met.
pub struct Cache<'s> {
    shared: &'s BitSets,
    known: FxHashMap<Bits, u32>,
    words: Vec<u64>,
}

impl BitSets {
    pub fn cache(&self) -> Cache<'_> {
        Cache { shared: self, known: FxHashMap::default(), words: Vec::new() }
    }

    fn number(&self, set: &Bits) -> u32 {
        let mut sets = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        match sets.get_index_of(set) {
            Some(index) => index as u32,
            None => sets.insert_full(set.clone()).0 as u32,
        }
    }

    /// All sets, by number.
    pub fn all(&self) -> Vec<Bits> {
        self.sets.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

impl Cache<'_> {
    /// The number of the set of those of `n_atoms` for which `is_in` is true.
    pub fn number_of<E>(
        &mut self,
        n_atoms: usize,
        mut is_in: impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<u32, E> {
        self.words.clear();
        self.words.resize(n_atoms.div_ceil(64), 0);
        for atom in 0..n_atoms {
            if is_in(atom)? {
                self.words[atom / 64] |= 1 << (atom % 64);
            }
        }
        Ok(self.number())
    }

    /// The number of a set that is one word.
    pub fn number_of_word(&mut self, word: u64) -> u32 {
        self.words.clear();
        self.words.push(word);
        self.number()
    }

    fn number(&mut self) -> u32 {
        if let Some(&number) = self.known.get(self.words.as_slice()) {
            return number;
        }
        let set: Bits = self.words.clone().into_boxed_slice();
        let number = self.shared.number(&set);
        self.known.insert(set, number);
        number
    }
}

/// Whether a set has an atom.
pub fn has(set: &[u64], atom: u32) -> bool {
    set.get(atom as usize / 64).is_some_and(|word| word >> (atom % 64) & 1 == 1)
}
