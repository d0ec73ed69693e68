//! The representative of an orbit under all permutations of some sets, without trying all of them.
//!
//! Atoms are told apart by the parts that they have in the state ([`super::profile`]). When all differ, sorting them by
//! that gives the permutation. Where some look alike, those that can be exchanged without a change of the state need
//! not be tried in more than one order; for the others each in turn is told apart, and what follows from that for the
//! rest is worked out again, as in programs for the isomorphism of graphs. Of the permutations that remain, the one
//! with the least hash of the permuted state is taken, and of equal hashes the least state in normal order, so that
//! the representative is the same whatever state of the orbit is given.

use std::cmp::Ordering;
use std::sync::Arc;

use base::with_stack;
use eval::interp::Machine;
use value::{Atom, Ground, Interner, Items, OpResult, Value, ValueId, ops};

use super::group::{COLOUR_BITS, Colours, N_ATOMS_MAX, Product};
use super::part::OrbitPart;
use super::permute::{permute, rebuild};
use super::places::Places;
use super::profile::{Cache, Profile, Profiler, bits, mix};
use super::recent::{RecentRoles, RecentlyRenamed};

/// Results for interned values that a worker remembers. Nothing in an answer depends on them.
pub(crate) struct Memo {
    profiles: Cache<Profile<N_ATOMS_MAX>>,
    hashes: Cache<Profile<0>>,
    renamed: Cache<ValueId>,
    /// Whether the permutation leaves the value as it is.
    fixed: Cache<bool>,
    /// Where states were found to belong. All workers share it.
    pub places: Arc<Places>,
    /// The roles of atoms in the parts of the state that is looked at, and in those of the one before.
    roles: RecentRoles,
    recently_renamed: RecentlyRenamed,
}

const PROFILES_LEN_LOG2: u32 = 15;
const HASHES_LEN_LOG2: u32 = 14;
const RENAMED_LEN_LOG2: u32 = 17;
const FIXED_LEN_LOG2: u32 = 13;

impl Memo {
    pub fn new(places: Arc<Places>) -> Memo {
        Memo {
            profiles: Cache::new(PROFILES_LEN_LOG2),
            hashes: Cache::new(HASHES_LEN_LOG2),
            renamed: Cache::new(RENAMED_LEN_LOG2),
            fixed: Cache::new(FIXED_LEN_LOG2),
            places,
            roles: RecentRoles::default(),
            recently_renamed: RecentlyRenamed::default(),
        }
    }
}

/// Below so many permutations, each is tried; above, atoms that look alike are looked at again.
const N_LEAVES_FEW: u64 = 6;

/// Values of so many parts are permuted by their ids; looking for keys takes the square of it.
const N_REARRANGED_MAX: usize = 24;

/// For each atom the first one that it can be exchanged with.
type Classes = [usize; N_ATOMS_MAX];

/// One state on the way to its representative.
pub(super) struct Canon<'c, 'r> {
    pub product: &'c Product,
    pub memo: &'c mut Memo,
    pub parts: &'c mut [OrbitPart<'r>],
}

impl<'r> Canon<'_, 'r> {
    /// Makes the representative of the state.
    pub fn settle(mut self, machine: &mut Machine<'_, 'r>) -> OpResult<()> {
        let (colours, are_told_apart) = self.refine_first();
        let permutation = match are_told_apart {
            true => colours,
            false => self.choose(machine, colours)?,
        };
        let moved = permutation.moved(self.n_atoms());
        for index in 0..self.parts.len() {
            if self.memo.roles.mask(index) & moved != 0 {
                self.parts[index] = self.rename_part(machine, permutation, index)?;
            }
        }
        Ok(())
    }

    /// The permuted part of the state.
    fn rename_part(
        &mut self,
        machine: &mut Machine<'_, 'r>,
        permutation: Colours,
        index: usize,
    ) -> OpResult<OrbitPart<'r>> {
        let part = self.parts[index];
        let Some(id) = part.id() else { return self.rename(machine, permutation, part) };
        if let Some(renamed) = self.memo.recently_renamed.get(permutation, index, id) {
            return Ok(OrbitPart::Known(renamed));
        }
        let renamed = self.rename(machine, permutation, part)?;
        if let Some(renamed) = renamed.id() {
            self.memo.recently_renamed.put(permutation, index, [id, renamed]);
        }
        Ok(renamed)
    }

    fn n_atoms(&self) -> usize {
        self.product.atoms.len()
    }

    /// Atoms told apart by the parts that they have in the state, and whether all are.
    fn refine_first(&mut self) -> (Colours, bool) {
        let Memo { profiles, roles, .. } = &mut *self.memo;
        let colours = self.product.start;
        let mut profiler = Profiler { product: self.product, colours, cache: profiles };
        roles.begin(self.parts.len());
        for (index, &part) in self.parts.iter().enumerate() {
            if !roles.has(index, part) {
                profiler.with(part, |profile| roles.replace(index, part.id(), profile));
            }
        }
        let roles = roles.sums;
        self.tell_by(colours, &roles)
    }

    /// Atoms of one colour told apart by the parts that they have in the state, others seen by their colours; and
    /// whether all are.
    fn refine(&mut self, colours: Colours) -> (Colours, bool) {
        let mut roles = [0_u64; N_ATOMS_MAX];
        let mut profiler = Profiler { product: self.product, colours, cache: &mut self.memo.profiles };
        for (index, &part) in self.parts.iter().enumerate() {
            profiler.with(part, |profile| {
                for atom in bits(profile.mask) {
                    roles[atom] = roles[atom].wrapping_add(mix(index as u64, profile.roles[atom].into()));
                }
            });
        }
        self.tell_by(colours, &roles)
    }

    /// Atoms of one colour told apart by their roles, and whether all are.
    fn tell_by(&self, colours: Colours, roles: &[u64; N_ATOMS_MAX]) -> (Colours, bool) {
        let mut keys = [0_u64; N_ATOMS_MAX];
        let keys = &mut keys[..self.product.atoms.len()];
        // In one word, from the top: the colour, as much of the role as there is room for, and the atom.
        for (atom, key) in keys.iter_mut().enumerate() {
            let role = roles[atom] >> (2 * COLOUR_BITS);
            *key = (colours.of(atom) as u64) << (u64::BITS as usize - COLOUR_BITS)
                | role << COLOUR_BITS
                | atom as u64;
        }
        keys.sort_unstable();
        let mut refined = Colours::default();
        let mut are_told_apart = true;
        let mut first = 0;
        for (place, key) in keys.iter().enumerate() {
            if key >> COLOUR_BITS != keys[first] >> COLOUR_BITS {
                first = place;
            }
            are_told_apart &= first == place;
            refined.set(*key as usize & (N_ATOMS_MAX - 1), first);
        }
        (refined, are_told_apart)
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
    fn choose(&mut self, machine: &mut Machine<'_, 'r>, colours: Colours) -> OpResult<Colours> {
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
        let exchange = self.product.identity.swapped(one, other);
        for index in 0..self.parts.len() {
            if !self.is_fixed(machine, exchange, self.parts[index])? {
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
        part: OrbitPart<'r>,
    ) -> OpResult<bool> {
        if let Some(&fixed) = part.id().and_then(|id| self.memo.fixed.get(permutation, id)) {
            return Ok(fixed);
        }
        // Unequal hashes are unequal values; equal ones have to be looked at.
        let looks_fixed = self.part_hash(permutation, part) == self.part_hash(self.product.identity, part);
        let fixed = looks_fixed && {
            let permuted = self.permute_value(machine, permutation, part)?;
            ops::equal(machine, permuted, part.value())?
        };
        if let Some(id) = part.id() {
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
                (next, _) = self.refine(next);
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
        self.parts.iter().fold(0, |hash, &part| mix(hash, profiler.of(part).hash))
    }

    fn part_hash(&mut self, permutation: Colours, part: OrbitPart<'r>) -> u64 {
        let cache = &mut self.memo.hashes;
        Profiler { product: self.product, colours: permutation, cache }.of(part).hash
    }

    /// Two permuted states in normal order.
    fn compare(&self, machine: &mut Machine<'_, 'r>, one: Colours, other: Colours) -> OpResult<Ordering> {
        for &part in &*self.parts {
            let left = self.permute_value(machine, one, part)?;
            let right = self.permute_value(machine, other, part)?;
            let order = ops::compare(machine, left, right)?;
            if order != Ordering::Equal {
                return Ok(order);
            }
        }
        Ok(Ordering::Equal)
    }

    /// A permuted value that is only looked at, in the region.
    fn permute_value(
        &self,
        machine: &mut Machine<'_, 'r>,
        permutation: Colours,
        part: OrbitPart<'r>,
    ) -> OpResult<Value<'r>> {
        permute(machine, &|atom| image(self.product, permutation, atom), part.value())
    }

    /// A permuted value of the representative, which is going to be interned: what is made of known parts is.
    fn rename(
        &mut self,
        machine: &mut Machine<'_, 'r>,
        permutation: Colours,
        part: OrbitPart<'r>,
    ) -> OpResult<OrbitPart<'r>> {
        let OrbitPart::Known(id) = part else {
            return self.rebuild(machine, permutation, part).map(OrbitPart::New);
        };
        if !id.is_object() {
            let atom = part.value().as_atom().and_then(|atom| image(self.product, permutation, atom));
            return Ok(atom.map_or(part, |atom| OrbitPart::of(Value::atom(atom))));
        }
        if let Some(&renamed) = self.memo.renamed.get(permutation, id) {
            return Ok(OrbitPart::Known(renamed));
        }
        let renamed = match self.rearrange(machine, permutation, id)? {
            Some(renamed) => renamed,
            None => {
                let rebuilt = self.rebuild(machine, permutation, part)?;
                let ground = Ground::opt(rebuilt).expect("what is rebuilt is explicit");
                // Without room for it, whoever stores the representative says so.
                let Ok(renamed) = Interner::shared().intern(ground) else {
                    return Ok(OrbitPart::New(rebuilt));
                };
                renamed
            }
        };
        self.memo.renamed.put(permutation, id, renamed);
        Ok(OrbitPart::Known(renamed))
    }

    /// The permuted value, where its parts only have to be put into other places: `None` for a set, say.
    ///
    /// PERF: interned from the ids of its parts, without a value on the way.
    fn rearrange(
        &mut self,
        machine: &mut Machine<'_, 'r>,
        permutation: Colours,
        id: ValueId,
    ) -> OpResult<Option<ValueId>> {
        let value = Interner::shared().value(id);
        let (keys, items) = match (value.as_function(), value.as_record(), value.as_sequence()) {
            (Some((domain, items)), _, _) => match domain.as_normal_set() {
                Some(keys) => (Some(keys), items),
                None => return Ok(None),
            },
            (None, Some((_, items)), _) | (None, None, Some(items)) => (None, items),
            (None, None, None) => return Ok(None),
        };
        if items.len() > N_REARRANGED_MAX {
            return Ok(None);
        }
        let mut places = [ValueId::from_bits(0); N_REARRANGED_MAX];
        let places = &mut places[..items.len()];
        for (index, item) in items.iter().enumerate() {
            let place = match keys {
                None => Some(index),
                Some(keys) => self.renamed_place(machine, permutation, (keys, index))?,
            };
            let renamed = with_stack(|| self.rename(machine, permutation, OrbitPart::of(item)))?;
            let (Some(place), Some(renamed)) = (place, renamed.id()) else { return Ok(None) };
            places[place] = renamed;
        }
        Ok(Interner::shared().intern_like(id, places).ok())
    }

    /// Where the key at `index` is found once it is permuted, if it is still a key.
    fn renamed_place(
        &mut self,
        machine: &mut Machine<'_, 'r>,
        permutation: Colours,
        (keys, index): (Items<'r>, usize),
    ) -> OpResult<Option<usize>> {
        let key = keys.get(index);
        if let Some(atom) = key.as_atom() {
            let image = image(self.product, permutation, atom).unwrap_or(atom);
            return Ok(keys.iter().position(|other| other.as_atom() == Some(image)));
        }
        let key = with_stack(|| self.rename(machine, permutation, OrbitPart::of(key)))?;
        let Some(key) = key.id() else { return Ok(None) };
        Ok(keys.iter().position(|other| OrbitPart::of(other).id() == Some(key)))
    }

    /// The permuted value, made of what its parts become.
    fn rebuild(
        &mut self,
        machine: &mut Machine<'_, 'r>,
        permutation: Colours,
        part: OrbitPart<'r>,
    ) -> OpResult<Value<'r>> {
        let rebuilt = with_stack(|| {
            rebuild(machine, part.value(), &mut |machine, item| {
                Ok(self.rename(machine, permutation, OrbitPart::of(item))?.value())
            })
        })?;
        Ok(Ground::new(machine, rebuilt)?.value())
    }
}

/// Returns the atom that takes the place of this one, if the permutation moves it.
fn image(product: &Product, permutation: Colours, atom: Atom) -> Option<Atom> {
    product.place(atom).map(|place| product.atoms[permutation.of(place)])
}

/// Of at most [`N_ATOMS_MAX`].
fn factorial(n: u64) -> u64 {
    (1..=n).product()
}
