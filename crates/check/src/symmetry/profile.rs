//! Hashes of a value in which atoms are seen by their colours alone, and of the part that each atom has in it.
//!
//! Both are hashes that do not depend on the names of the atoms: a state and its permutation have the same ones, each
//! atom that of its image. A collision makes two atoms look alike, which costs time and nothing else. They depend on
//! neither the process nor the machine either, since representatives are stored in checkpoints.

use base::with_stack;
use value::{Ground, Interner, Items, Value, ValueId, View, ops};

use super::group::{Colours, Product};
use super::part::OrbitPart;

/// Of `N` atoms at most; with none, the hash alone is found.
#[derive(Clone, Copy)]
pub(super) struct Profile<const N: usize> {
    pub hash: u64,
    /// Which atoms occur, one bit each.
    pub mask: u32,
    /// The part of each atom that occurs. What the value is like otherwise is not in it: among the atoms of a state that
    /// tells nothing, and without it a step leaves the order of atoms that it does not touch as it is.
    pub roles: [u32; N],
}

/// A cache of results for interned values. Each value has one slot, which the last one to come keeps. It is small until
/// there are many values.
pub(super) struct Cache<T> {
    slots: Vec<Slot<T>>,
    /// Its length now, and at most.
    len_log2: u32,
    len_log2_max: u32,
    /// Number of results that were put since it has this length.
    n_put: usize,
}

/// The length of a cache to begin with, and by how much it grows at once.
const LEN_LOG2_FIRST: u32 = 9;
const GROWTH_LOG2: u32 = 2;

/// No object has the id 0: a slot that has it is free.
#[derive(Clone, Copy)]
struct Slot<T> {
    colours: Colours,
    id: u32,
    found: T,
}

impl<T: Copy> Cache<T> {
    pub fn new(len_log2_max: u32) -> Cache<T> {
        Cache { slots: Vec::new(), len_log2: LEN_LOG2_FIRST.min(len_log2_max), len_log2_max, n_put: 0 }
    }

    fn slot(&self, colours: Colours, id: ValueId) -> usize {
        (mix(colours.0, u64::from(id.bits())) >> (u64::BITS - self.len_log2)) as usize
    }

    pub fn get(&self, colours: Colours, id: ValueId) -> Option<&T> {
        let slot = self.slots.get(self.slot(colours, id))?;
        (slot.id == id.bits() && slot.colours == colours).then_some(&slot.found)
    }

    pub fn put(&mut self, colours: Colours, id: ValueId, found: T) {
        self.n_put += 1;
        let is_full = self.n_put >> self.len_log2 != 0 && self.len_log2 < self.len_log2_max;
        if is_full || self.slots.is_empty() {
            self.grow(found);
        }
        let slot = self.slot(colours, id);
        self.slots[slot] = Slot { colours, id: id.bits(), found };
    }

    /// Makes it longer, or as long as it is at first. `any` fills what is free.
    #[cold]
    fn grow(&mut self, any: T) {
        let kept = std::mem::take(&mut self.slots);
        if !kept.is_empty() {
            self.len_log2 = (self.len_log2 + GROWTH_LOG2).min(self.len_log2_max);
        }
        self.n_put = 0;
        self.slots = vec![Slot { colours: Colours::default(), id: 0, found: any }; 1 << self.len_log2];
        for of in kept.into_iter().filter(|of| of.id != 0) {
            let slot = self.slot(of.colours, ValueId::from_bits(of.id));
            self.slots[slot] = of;
        }
    }
}

/// Profiles with one colouring.
pub(super) struct Profiler<'c, const N: usize> {
    pub product: &'c Product,
    pub colours: Colours,
    pub cache: &'c mut Cache<Profile<N>>,
}

/// Numbers to begin with, one for each kind of value.
mod seed {
    pub const INT: u64 = 1;
    pub const OTHER: u64 = 2;
    pub const ATOM: u64 = 3;
    pub const SEQUENCE: u64 = 4;
    pub const RECORD: u64 = 5;
    pub const FUNCTION: u64 = 6;
    pub const SET: u64 = 7;
    pub const KEY: u64 = 8;
    pub const VALUE: u64 = 9;
}

impl<const N: usize> Profiler<'_, N> {
    /// The profile of a value that is explicit.
    pub fn of(&mut self, part: OrbitPart<'_>) -> Profile<N> {
        self.with(part, |profile| *profile)
    }

    /// Runs `body` on the profile of a part, without copying it.
    pub fn with<T>(&mut self, part: OrbitPart<'_>, body: impl FnOnce(&Profile<N>) -> T) -> T {
        let value = match part {
            OrbitPart::New(value) => value,
            OrbitPart::Known(id) if id.is_object() => {
                return match self.cache.get(self.colours, id) {
                    Some(found) => body(found),
                    None => body(&self.of_object(id)),
                };
            }
            OrbitPart::Known(_) => part.value(),
        };
        let Some(place) = value.as_atom().and_then(|atom| self.product.place(atom)) else {
            return body(&self.of_parts(value));
        };
        let mut profile = Profile::leaf(mix(seed::ATOM, self.colours.of(place) as u64));
        profile.mask = 1 << place;
        if N > 0 {
            profile.roles[place] = seed::ATOM as u32;
        }
        body(&profile)
    }

    fn of_object(&mut self, id: ValueId) -> Profile<N> {
        let profile = self.of_parts(Interner::shared().value(id));
        self.cache.put(self.colours, id, profile);
        profile
    }

    fn of_parts(&mut self, value: Value<'_>) -> Profile<N> {
        if let Some(int) = value.as_small() {
            return Profile::leaf(int_hash(int));
        }
        if let Some(items) = value.as_sequence() {
            return with_stack(|| self.of_row(seed::SEQUENCE, items));
        }
        if let Some((_, items)) = value.as_record() {
            return with_stack(|| self.of_row(seed::RECORD, items));
        }
        if let Some((domain, values)) = value.as_function() {
            return with_stack(|| self.of_function(domain, values));
        }
        if let Some(elements) = value.as_normal_set() {
            return with_stack(|| self.of_set(elements));
        }
        match value.view() {
            View::Interval(first, last) => of_interval(first, last),
            View::Int(int) => Profile::leaf(int_hash(int)),
            View::Bool(_) | View::BigInt(_) | View::String(_) | View::ModelValue(_) => {
                Profile::leaf(Ground::opt(value).map_or(seed::OTHER, ops::hash))
            }
            View::Sequence(_) | View::Record(..) | View::Function(..) | View::Set { .. } => {
                Profile::leaf(seed::OTHER)
            }
            View::LazyFunction { .. } | View::Powerset(_) | View::KSubsets(..) | View::FunctionSet(..) => {
                Profile::leaf(seed::OTHER)
            }
            View::RecordSet(..) | View::Product(_) | View::Filter(..) | View::Cup(..) | View::Cap(..) => {
                Profile::leaf(seed::OTHER)
            }
            View::Difference(..) | View::Union(_) | View::Naturals | View::Integers | View::Reals => {
                Profile::leaf(seed::OTHER)
            }
            View::Strings | View::Sequences(_) | View::Anything => Profile::leaf(seed::OTHER),
        }
    }

    /// Parts whose places tell them apart.
    fn of_row(&mut self, kind: u64, items: Items<'_>) -> Profile<N> {
        let mut whole = Profile::leaf(mix(kind, items.len() as u64));
        for (index, item) in items.iter().enumerate() {
            self.with(OrbitPart::of(item), |part| {
                whole.hash = mix(whole.hash, part.hash);
                whole.absorb(index as u64, part);
            });
        }
        whole.finish()
    }

    fn of_set(&mut self, elements: Items<'_>) -> Profile<N> {
        let mut whole = Profile::leaf(0);
        for element in elements {
            self.with(OrbitPart::of(element), |part| {
                whole.hash = whole.hash.wrapping_add(mix(seed::SET, part.hash));
                whole.absorb(part.hash, part);
            });
        }
        whole.finish()
    }

    /// A set of pairs, in whatever order.
    fn of_function(&mut self, domain: Value<'_>, values: Items<'_>) -> Profile<N> {
        let mut whole = Profile::leaf(seed::FUNCTION);
        let first = domain.as_interval().map(|(first, _)| first);
        let keys = domain.as_normal_set().unwrap_or(Items::EMPTY);
        for (index, value) in values.iter().enumerate() {
            let key = match first {
                Some(first) => Profile::leaf(int_hash(first + index as i64)),
                None => self.of(OrbitPart::of(keys.get(index))),
            };
            self.with(OrbitPart::of(value), |value| {
                let pair = mix(mix(seed::KEY, key.hash), value.hash);
                whole.hash = whole.hash.wrapping_add(pair);
                whole.absorb(mix(pair, seed::KEY), &key);
                whole.absorb(mix(pair, seed::VALUE), value);
            });
        }
        whole.finish()
    }
}

/// As a set of its elements, which is the other form that it can have.
fn of_interval<const N: usize>(first: i64, last: i64) -> Profile<N> {
    let sum = (first..=last).fold(0, |sum: u64, int| sum.wrapping_add(mix(seed::SET, int_hash(int))));
    Profile::leaf(sum).finish()
}

fn int_hash(int: i64) -> u64 {
    mix(seed::INT, int as u64)
}

impl<const N: usize> Profile<N> {
    fn leaf(hash: u64) -> Profile<N> {
        Profile { hash, mask: 0, roles: [0; N] }
    }

    /// Takes the roles that atoms have in a part, which `place` tells from other parts.
    fn absorb(&mut self, place: u64, part: &Profile<N>) {
        self.mask |= part.mask;
        if N > 0 {
            for atom in bits(part.mask) {
                let role = mix(place, mix(part.hash, part.roles[atom].into())) as u32;
                self.roles[atom] = self.roles[atom].wrapping_add(role);
            }
        }
    }

    fn finish(mut self) -> Profile<N> {
        self.hash = mix(seed::OTHER, self.hash);
        self
    }
}

/// The places of the bits of a mask.
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        lowest
    })
}

/// One step of a multiply-and-fold hash.
pub(super) fn mix(state: u64, word: u64) -> u64 {
    const FACTOR: u64 = 0x9fb2_1c65_1e98_df25;
    const FIRST: u64 = 0x2545_f491_4f6c_dd1d;
    let product = u128::from(state.rotate_left(23) ^ word ^ FIRST) * u128::from(FACTOR);
    (product as u64) ^ (product >> 64) as u64
}
