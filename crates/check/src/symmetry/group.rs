//! Which permutations there are: all those of some disjoint sets, or others.

use value::Atom;

/// A function on model values, as pairs.
pub(super) type Graph = Vec<(Atom, Atom)>;

/// So many atoms can be moved, so that a [`Colours`] is one word.
pub(super) const N_ATOMS_MAX: usize = 16;

pub(super) const COLOUR_BITS: usize = 4;

/// All permutations of each of some disjoint sets of atoms, and their products.
pub(super) struct Product {
    /// Set after set, each in normal order.
    pub atoms: Vec<Atom>,
    /// Each atom has the place of the first of its set.
    pub start: Colours,
    /// Each atom has its own place.
    pub identity: Colours,
}

/// A number below [`N_ATOMS_MAX`] for each atom, by its place in [`Product::atoms`]. Atoms of one colour have places
/// in a row set aside for them, of which the colour is the first. When no two atoms have one colour, it is a
/// permutation: from an atom's place to its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Colours(pub u64);

impl Colours {
    #[inline]
    pub fn of(self, atom: usize) -> usize {
        (self.0 >> (atom * COLOUR_BITS)) as usize & (N_ATOMS_MAX - 1)
    }

    #[inline]
    pub fn set(&mut self, atom: usize, colour: usize) {
        let shift = atom * COLOUR_BITS;
        self.0 = self.0 & !((N_ATOMS_MAX as u64 - 1) << shift) | (colour as u64) << shift;
    }

    /// Every atom has its own place.
    pub fn identity(n_atoms: usize) -> Colours {
        let mut identity = Colours::default();
        (0..n_atoms).for_each(|atom| identity.set(atom, atom));
        identity
    }

    /// The atoms that a permutation moves, one bit each.
    pub fn moved(self, n_atoms: usize) -> u32 {
        (0..n_atoms).filter(|&atom| self.of(atom) != atom).fold(0, |moved, atom| moved | 1 << atom)
    }

    /// With the colours of two atoms exchanged.
    pub fn swapped(mut self, one: usize, other: usize) -> Colours {
        let (left, right) = (self.of(one), self.of(other));
        self.set(one, right);
        self.set(other, left);
        self
    }
}

impl Product {
    /// None when the functions generate other permutations than these, or move too many atoms.
    pub fn of(graphs: &[Graph]) -> Option<Product> {
        let moved: Vec<Graph> = graphs.iter().map(|graph| moved(graph)).collect();
        if !moved.iter().all(is_permutation) {
            return None;
        }
        let orbits = components(moved.iter().flatten().copied());
        let swaps = moved.iter().filter(|graph| graph.len() == 2).flatten().copied();
        // Transpositions that connect a set generate all its permutations.
        if components(swaps) != orbits {
            return None;
        }
        let atoms: Vec<Atom> = orbits.iter().flatten().copied().collect();
        if atoms.len() > N_ATOMS_MAX {
            return None;
        }
        let mut start = Colours::default();
        let mut first = 0;
        for orbit in &orbits {
            (first..first + orbit.len()).for_each(|atom| start.set(atom, first));
            first += orbit.len();
        }
        let identity = Colours::identity(atoms.len());
        Some(Product { atoms, start, identity })
    }

    pub fn is_trivial(&self) -> bool {
        self.atoms.is_empty()
    }

    /// The place of an atom, if it is moved.
    #[inline]
    pub fn place(&self, atom: Atom) -> Option<usize> {
        // There are few: looking at all of them takes less than hashing.
        self.atoms.iter().position(|&moved| moved == atom)
    }
}

fn moved(graph: &[(Atom, Atom)]) -> Graph {
    graph.iter().copied().filter(|(from, to)| from != to).collect()
}

/// Whether it maps what it moves onto itself, one to one.
fn is_permutation(moved: &Graph) -> bool {
    let n_onto = |atom: Atom| moved.iter().filter(|&&(_, to)| to == atom).count();
    moved.iter().all(|&(from, _)| n_onto(from) == 1)
}

/// The sets of atoms that are connected by pairs: each in normal order, and by their first elements.
fn components(pairs: impl Iterator<Item = (Atom, Atom)>) -> Vec<Vec<Atom>> {
    let mut sets: Vec<Vec<Atom>> = Vec::new();
    for (from, to) in pairs {
        let mut joined = vec![from, to];
        sets.retain_mut(|set| {
            let touches = set.contains(&from) || set.contains(&to);
            if touches {
                joined.append(set);
            }
            !touches
        });
        sets.push(joined);
    }
    for set in &mut sets {
        set.sort_by(|left, right| left.rank_cmp(*right));
        set.dedup();
    }
    sets.sort_by(|left, right| left[0].rank_cmp(right[0]));
    sets
}

#[cfg(test)]
mod tests {
    use value::Atoms;

    use super::{Colours, Graph, Product};

    /// Functions on model values, each written as the letters that `abc...` become.
    fn graphs(functions: &[&str]) -> Vec<Graph> {
        let atoms = Atoms::new();
        let atom = |letter: char| atoms.declare(&letter.to_string()).as_model_value();
        // In alphabetical order, as in the text of a specification.
        ('a'..='z').for_each(|letter| {
            atom(letter);
        });
        let graph =
            |word: &&str| ('a'..).zip(word.chars()).map(|(from, to)| (atom(from), atom(to))).collect();
        functions.iter().map(graph).collect()
    }

    fn sets(functions: &[&str]) -> Option<Vec<String>> {
        let product = Product::of(&graphs(functions))?;
        let mut sets: Vec<String> = Vec::new();
        for (place, atom) in product.atoms.iter().enumerate() {
            if product.start.of(place) == place {
                sets.push(String::new());
            }
            sets.last_mut()?.push_str(atom.text());
        }
        Some(sets)
    }

    #[test]
    fn permutations_of_disjoint_sets_are_a_product() {
        let both = ["abcde", "bacde", "acbde", "cbade", "bcade", "cabde", "abced"];
        assert_eq!(sets(&both), Some(vec!["abc".to_owned(), "de".to_owned()]));
        assert_eq!(sets(&["abc"]), Some(vec![]));
    }

    #[test]
    fn other_groups_are_not() {
        assert_eq!(sets(&["bca"]), None, "rotations alone");
        assert_eq!(sets(&["badc"]), None, "two exchanges at once");
        assert_eq!(sets(&["bb"]), None, "no permutation");
    }

    #[test]
    fn colours_are_kept_apart() {
        let mut colours = Colours::identity(16).swapped(0, 15);
        colours.set(3, 7);
        assert_eq!([0, 1, 3, 4, 15].map(|atom| colours.of(atom)), [15, 1, 7, 4, 0]);
    }
}
