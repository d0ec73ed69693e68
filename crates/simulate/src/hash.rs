//! Hashes of states, by meaning, valid as long as the process lives: atoms are hashed by their numbers.
//!
//! A step changes little of a state. The hash of an object is remembered by the object's word until its region is
//! emptied, so that only new objects are visited.

use base::with_stack;
use value::{Atom, Interner, Items, Value, ValueId, View, raw};

use crate::dice::mix_seeds;

/// Number of objects whose hashes are remembered; a power of two.
const N_KEPT: usize = 1 << 12;
/// Number of values kept for ever whose hashes are remembered; a power of two.
const N_IDS: usize = 1 << 15;

/// A word and its hash; no object has the word 0.
#[derive(Clone, Copy)]
struct KeptHash {
    word: u64,
    hash: u64,
}

/// The hashes of objects of a region.
pub(crate) struct Hasher {
    kept: Box<[KeptHash]>,
    /// Whether anything is remembered.
    is_used: bool,
}

/// Hashes of states whose values are kept for ever; equal to those of [`Hasher`].
pub(crate) struct KeptHasher {
    hasher: Hasher,
    /// The hashes by id, as far as there is room.
    by_id: Box<[Option<(ValueId, u64)>]>,
}

impl KeptHasher {
    pub fn new() -> KeptHasher {
        KeptHasher { hasher: Hasher::new(), by_id: vec![None; N_IDS].into() }
    }

    /// Returns the hash of the state with these ids.
    pub fn state(&mut self, ids: &[ValueId]) -> u64 {
        mix_seeds(ids.iter().fold(0, |state, &id| mix(state, self.id(id))), 0)
    }

    #[inline]
    fn id(&mut self, id: ValueId) -> u64 {
        let index = id.bits() as usize & (N_IDS - 1);
        if let Some((known, hash)) = self.by_id[index]
            && known == id
        {
            return hash;
        }
        let hash = self.hasher.value(Interner::shared().value(id));
        self.by_id[index] = Some((id, hash));
        hash
    }
}

impl Hasher {
    pub fn new() -> Hasher {
        Hasher { kept: vec![KeptHash { word: 0, hash: 0 }; N_KEPT].into(), is_used: false }
    }

    /// Forgets all hashes, because the region was emptied and its words mean other objects now.
    pub fn forget(&mut self) {
        if std::mem::take(&mut self.is_used) {
            self.kept.fill(KeptHash { word: 0, hash: 0 });
        }
    }

    /// Returns the hash of a state whose values are explicit.
    pub fn state<'r>(&mut self, values: impl Iterator<Item = Value<'r>>) -> u64 {
        let folded = values.fold(0, |state, value| mix(state, self.value(value)));
        // HyperLogLog needs every bit to be equally random.
        mix_seeds(folded, 0)
    }

    fn value(&mut self, value: Value<'_>) -> u64 {
        match value.view() {
            View::Bool(value) => mix(1, u64::from(value)),
            View::Int(int) => mix(2, int as u64),
            View::BigInt(int) => int.iter_u64_digits().fold(3 + int.sign() as u64, mix),
            View::String(atom) | View::ModelValue(atom) => hash_atom(atom),
            View::Sequence(items) => self.remember(value, |hasher| hasher.items(10, items)),
            View::Record(shape, values) => self.remember(value, |hasher| {
                let keys = shape.fields().iter();
                hasher.graph(keys, values, |_, &field| hash_atom(field))
            }),
            View::Function(domain, values) => self.remember(value, |hasher| match domain.as_interval() {
                Some((first, last)) => hasher.graph(first..=last, values, |_, int| mix(2, int as u64)),
                None => {
                    let keys = domain.as_normal_set().unwrap_or(Items::EMPTY);
                    hasher.graph(keys.iter(), values, |hasher, key| hasher.value(key))
                }
            }),
            View::Set { elements, .. } => self.remember(value, |hasher| hasher.items(12, elements)),
            View::Interval(first, last) => {
                let start = mix(12, (last - first) as u64 + 1);
                (first..=last).fold(start, |state, int| mix(state, mix(2, int as u64)))
            }
            View::LazyFunction { .. } | View::Powerset(_) | View::KSubsets(..) | View::FunctionSet(..) => 0,
            View::RecordSet(..) | View::Product(_) | View::Filter(..) | View::Cup(..) | View::Cap(..) => 0,
            View::Difference(..) | View::Union(_) | View::Naturals | View::Integers | View::Reals => 0,
            View::Strings | View::Sequences(_) | View::Anything => 0,
        }
    }

    fn items(&mut self, kind: u64, items: Items<'_>) -> u64 {
        let start = mix(kind, items.len() as u64);
        items.iter().fold(start, |state, item| mix(state, self.value(item)))
    }

    fn graph<K>(
        &mut self,
        keys: impl Iterator<Item = K>,
        values: Items<'_>,
        hash_key: impl Fn(&mut Self, K) -> u64,
    ) -> u64 {
        let start = mix(11, values.len() as u64);
        keys.zip(values.iter()).fold(start, |state, (key, value)| {
            let key = hash_key(self, key);
            mix(mix(state, key), self.value(value))
        })
    }

    /// Returns the hash of an object, and computes it if it is not known.
    fn remember(&mut self, object: Value<'_>, hash: impl FnOnce(&mut Self) -> u64) -> u64 {
        let word = raw::word(object);
        let index = (word >> 3) as usize & (N_KEPT - 1);
        let known = self.kept[index];
        if known.word == word {
            return known.hash;
        }
        let hash = with_stack(|| hash(self));
        self.kept[index] = KeptHash { word, hash };
        self.is_used = true;
        hash
    }
}

fn hash_atom(atom: Atom) -> u64 {
    mix(8, raw::word(Value::atom(atom)))
}

/// Performs one step of a multiply-and-fold hash.
#[inline]
fn mix(state: u64, word: u64) -> u64 {
    const FACTOR: u64 = 0x9fb2_1c65_1e98_df25;
    let product = u128::from(state.rotate_left(23) ^ word) * u128::from(FACTOR);
    (product as u64) ^ (product >> 64) as u64
}
