//! Sets of state variables, by their position in the root module's list.

/// A set of positions below a fixed number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VarSet {
    words: Box<[u64]>,
}

impl VarSet {
    pub(super) fn empty(n_vars: usize) -> Self {
        VarSet { words: vec![0; n_vars.div_ceil(64)].into() }
    }

    pub(super) fn full(n_vars: usize) -> Self {
        let mut set = VarSet::empty(n_vars);
        (0..n_vars).for_each(|index| set.insert(index));
        set
    }

    pub(super) fn insert(&mut self, index: usize) {
        self.words[index / 64] |= 1 << (index % 64);
    }

    pub(super) fn with(mut self, index: usize) -> Self {
        self.insert(index);
        self
    }

    pub(super) fn contains(&self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    pub(super) fn union(&self, other: &VarSet) -> VarSet {
        self.zip(other, |one, two| one | two)
    }

    pub(super) fn intersection(&self, other: &VarSet) -> VarSet {
        self.zip(other, |one, two| one & two)
    }

    pub(super) fn without(&self, other: &VarSet) -> VarSet {
        self.zip(other, |one, two| one & !two)
    }

    /// Iterates over the positions in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.words.len() * 64).filter(|&index| self.contains(index))
    }

    fn zip(&self, other: &VarSet, combine: impl Fn(u64, u64) -> u64) -> VarSet {
        let words = self.words.iter().zip(&other.words).map(|(&one, &two)| combine(one, two));
        VarSet { words: words.collect() }
    }
}
