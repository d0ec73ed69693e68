//! The representative of an orbit under all permutations of some sets, without trying all of them.
//!
//! Atoms are told apart by the parts that they have in the state ([`super::profile`]). When all differ, sorting them by
//! that gives the permutation. Where some look alike, those that can be exchanged without a change of the state need
//! not be tried in more than one order; for the others each in turn is told apart, and what follows from that for the
//! rest is worked out again, as in programs for the isomorphism of graphs. Of the permutations that remain, the one
//! with the least hash of the permuted state is taken, and of equal hashes the least state in normal order, so that
//! the representative is the same whatever state of the orbit is given.

use std::cmp::Ordering;

use base::with_stack;
use eval::interp::Machine;
use value::{Atom, Ground, Interner, OpResult, Value, ValueId, ops};

use super::group::{Colours, N_ATOMS_MAX, Product};
use super::permute::{permute, rebuild};
use super::profile::{Cache, Profile, Profiler, bits, id, mix};

/// What a worker remembers of interned values. Nothing in an answer depends on it.
pub(crate) struct Memo {
    profiles: Cache<Profile<N_ATOMS_MAX>>,
    hashes: Cache<Profile<0>>,
    renamed: Cache<ValueId>,
    /// Whether the permutation leaves the value as it is.
    fixed: Cache<bool>,
}

const PROFILES_LEN_LOG2: u32 = 14;
const HASHES_LEN_LOG2: u32 = 14;
const RENAMED_LEN_LOG2: u32 = 16;
const FIXED_LEN_LOG2: u32 = 13;

impl Default for Memo {
    fn default() -> Memo {
        Memo {
            profiles: Cache::new(PROFILES_LEN_LOG2),
            hashes: Cache::new(HASHES_LEN_LOG2),
            renamed: Cache::new(RENAMED_LEN_LOG2),
            fixed: Cache::new(FIXED_LEN_LOG2),
        }
    }
}

/// Below so many permutations, each is tried; above, atoms that look alike are looked at again.
const N_LEAVES_FEW: u64 = 6;

/// For each atom the first one that it can be exchanged with.
type Classes = [usize; N_ATOMS_MAX];

/// One state on the way to its representative.
pub(super) struct Canon<'c, 'r> {
    product: &'c Product,
    memo: &'c mut Memo,
    values: Vec<Value<'r>>,
}

impl<'c, 'r> Canon<'c, 'r> {
    /// PERF: most values of a successor were met before. Looking them up costs what interning the representative does
    /// otherwise, and what is remembered of them saves the rest: 2.21e9 instructions without it, 1.69e9 with it
    /// (`cargo xtask bench --profile --model LockTable --max-states 15000`).
    pub fn new(product: &'c Product, memo: &'c mut Memo, values: &[Value<'r>]) -> Canon<'c, 'r> {
        let met = |&value: &Value<'r>| {
            let id = Ground::opt(value).and_then(|ground| Interner::shared().find(ground));
            id.map_or(value, |id| Interner::shared().value(id))
        };
        Canon { product, memo, values: values.iter().map(met).collect() }
    }

    pub fn representative(mut self, machine: &mut Machine<'_, 'r>) -> OpResult<Vec<Value<'r>>> {
        let colours = self.refined(self.product.start);
        let permutation = match self.first_alike(colours) {
            None => colours,
            Some(_) => self.chosen(machine, colours)?,
        };
        if permutation != self.identity() {
            for index in 0..self.values.len() {
                self.values[index] = self.renamed(machine, permutation, self.values[index])?;
            }
        }
        Ok(self.values)
    }

    fn n_atoms(&self) -> usize {
        self.product.atoms.len()
    }

    fn identity(&self) -> Colours {
        Colours::identity(self.n_atoms())
    }

    /// Atoms of one colour told apart by the parts that they have in the state, others seen by their colours.
    fn refined(&mut self, colours: Colours) -> Colours {
        let mut roles = [0_u64; N_ATOMS_MAX];
        let mut profiler = Profiler { product: self.product, colours, cache: &mut self.memo.profiles };
        for (index, &value) in self.values.iter().enumerate() {
            let profile = profiler.of(value);
            for atom in bits(profile.mask) {
                roles[atom] = roles[atom].wrapping_add(mix(index as u64, profile.roles[atom]));
            }
        }
        let key = |atom: usize| (colours.of(atom), roles[atom]);
        let mut order: [usize; N_ATOMS_MAX] = std::array::from_fn(|atom| atom);
        let order = &mut order[..self.n_atoms()];
        order.sort_unstable_by_key(|&atom| key(atom));
        let mut refined = Colours::default();
        let mut first = 0;
        for (place, &atom) in order.iter().enumerate() {
            if key(atom) != key(order[first]) {
                first = place;
            }
            refined.set(atom, first);
        }
        refined
    }

    /// The atoms of one colour, one bit each.
    fn cell(&self, colours: Colours, colour: usize) -> u32 {
        let atoms = (0..self.n_atoms()).filter(|&atom| colours.of(atom) == colour);
        atoms.fold(0, |cell, atom| cell | 1 << atom)
    }

    /// The first colour that several atoms have.
    fn first_alike(&self, colours: Colours) -> Option<usize> {
        (0..self.n_atoms()).find(|&colour| self.cell(colours, colour).count_ones() > 1)
    }

    /// The permutation that is taken, where atoms look alike.
    fn chosen(&mut self, machine: &mut Machine<'_, 'r>, colours: Colours) -> OpResult<Colours> {
        let classes = self.classes(machine, colours)?;
        let mut leaves = Vec::new();
        self.tell_apart(colours, &classes, &mut leaves);
        let mut best = leaves[0];
        if leaves.len() == 1 {
            return Ok(best);
        }
        let mut best_hash = self.hash(best);
        for &leaf in &leaves[1..] {
            let hash = self.hash(leaf);
            let order = match hash.cmp(&best_hash) {
                Ordering::Equal => self.compare(machine, leaf, best)?,
                unequal @ (Ordering::Less | Ordering::Greater) => unequal,
            };
            if order == Ordering::Less {
                (best, best_hash) = (leaf, hash);
            }
        }
        Ok(best)
    }

    /// Which atoms of one colour can be exchanged without a change of the state.
    fn classes(&mut self, machine: &mut Machine<'_, 'r>, colours: Colours) -> OpResult<Classes> {
        let mut classes: Classes = std::array::from_fn(|atom| atom);
        for atom in 1..self.n_atoms() {
            for other in (0..atom).filter(|&other| colours.of(other) == colours.of(atom)) {
                if classes[other] == other && self.can_exchange(machine, atom, other)? {
                    classes[atom] = other;
                    break;
                }
            }
        }
        Ok(classes)
    }

    fn can_exchange(&mut self, machine: &mut Machine<'_, 'r>, one: usize, other: usize) -> OpResult<bool> {
        let exchange = self.identity().swapped(one, other);
        for index in 0..self.values.len() {
            if !self.is_fixed(machine, exchange, self.values[index])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the permutation leaves the value as it is.
    fn is_fixed(
        &mut self,
        machine: &mut Machine<'_, 'r>,
        permutation: Colours,
        value: Value<'r>,
    ) -> OpResult<bool> {
        let id = id(value);
        if let Some(fixed) = id.and_then(|id| self.memo.fixed.get(permutation, id)) {
            return Ok(fixed);
        }
        // Unequal hashes are unequal values; equal ones have to be looked at.
        let looks_fixed = self.value_hash(permutation, value) == self.value_hash(self.identity(), value);
        let fixed = looks_fixed && {
            let permuted = self.permuted(machine, permutation, value)?;
            ops::equal(machine, permuted, value)?
        };
        if let Some(id) = id {
            self.memo.fixed.put(permutation, id, fixed);
        }
        Ok(fixed)
    }

    /// Every permutation that is left when each of the atoms that look alike, but for those that can be exchanged, is
    /// given each of the places set aside for them.
    fn tell_apart(&mut self, colours: Colours, classes: &Classes, leaves: &mut Vec<Colours>) {
        let Some(colour) = self.first_alike(colours) else {
            leaves.push(colours);
            return;
        };
        let cell = self.cell(colours, colour);
        let mut tried = 0_u32;
        for atom in bits(cell).filter(|&atom| {
            let is_new = tried >> classes[atom] & 1 == 0;
            tried |= 1 << classes[atom];
            is_new
        }) {
            let mut next = colours;
            bits(cell & !(1 << atom)).for_each(|other| next.set(other, colour + 1));
            if self.n_leaves(next, classes) > N_LEAVES_FEW {
                next = self.refined(next);
            }
            self.tell_apart(next, classes, leaves);
        }
    }

    /// How many permutations are left, if nothing more is found out.
    fn n_leaves(&self, colours: Colours, classes: &Classes) -> u64 {
        let mut n_leaves = 1;
        for colour in 0..self.n_atoms() {
            let cell = self.cell(colours, colour);
            let in_class = |class: usize| bits(cell).filter(|&atom| classes[atom] == class).count() as u64;
            let repeated: u64 = (0..self.n_atoms()).map(|class| factorial(in_class(class))).product();
            n_leaves *= factorial(u64::from(cell.count_ones())) / repeated;
        }
        n_leaves
    }

    /// The hash of the permuted state.
    fn hash(&mut self, permutation: Colours) -> u64 {
        let cache = &mut self.memo.hashes;
        let mut profiler = Profiler { product: self.product, colours: permutation, cache };
        self.values.iter().fold(0, |hash, &value| mix(hash, profiler.of(value).hash))
    }

    fn value_hash(&mut self, permutation: Colours, value: Value<'r>) -> u64 {
        let cache = &mut self.memo.hashes;
        Profiler { product: self.product, colours: permutation, cache }.of(value).hash
    }

    /// Two permuted states in normal order.
    fn compare(&self, machine: &mut Machine<'_, 'r>, one: Colours, other: Colours) -> OpResult<Ordering> {
        for &value in &self.values {
            let left = self.permuted(machine, one, value)?;
            let right = self.permuted(machine, other, value)?;
            let order = ops::compare(machine, left, right)?;
            if order != Ordering::Equal {
                return Ok(order);
            }
        }
        Ok(Ordering::Equal)
    }

    /// A permuted value that is only looked at, in the region.
    fn permuted(
        &self,
        machine: &mut Machine<'_, 'r>,
        permutation: Colours,
        value: Value<'r>,
    ) -> OpResult<Value<'r>> {
        permute(machine, &|atom| image(self.product, permutation, atom), value)
    }

    /// A permuted value of the representative, which is going to be interned: parts that are remembered are.
    fn renamed(
        &mut self,
        machine: &mut Machine<'_, 'r>,
        permutation: Colours,
        value: Value<'r>,
    ) -> OpResult<Value<'r>> {
        if let Some(atom) = value.as_atom() {
            return Ok(image(self.product, permutation, atom).map_or(value, Value::atom));
        }
        if value.as_small().is_some() || value.as_bool().is_some() {
            return Ok(value);
        }
        let id = id(value);
        if let Some(renamed) = id.and_then(|id| self.memo.renamed.get(permutation, id)) {
            return Ok(Interner::shared().value(renamed));
        }
        let made = with_stack(|| {
            rebuild(machine, value, &mut |machine, part| self.renamed(machine, permutation, part))
        })?;
        let ground = Ground::new(machine, made)?;
        // Without room for it, whoever stores the representative says so.
        if let Some(id) = id
            && let Ok(renamed) = Interner::shared().intern(ground)
        {
            self.memo.renamed.put(permutation, id, renamed);
        }
        Ok(ground.value())
    }
}

/// What an atom becomes, if it is moved.
fn image(product: &Product, permutation: Colours, atom: Atom) -> Option<Atom> {
    product.place(atom).map(|place| product.atoms[permutation.of(place)])
}

/// Of at most [`N_ATOMS_MAX`].
fn factorial(n: u64) -> u64 {
    (1..=n).product()
}
