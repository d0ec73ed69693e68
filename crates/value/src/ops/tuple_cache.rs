//! Tuples that one place of a specification makes again and again, as keys of functions: `f[<<p, q>>]`.

use std::sync::atomic::{AtomicU32, Ordering};

use super::mix;
use crate::{Ground, Interner, Value, ValueId, ValueVec};

/// Remembers the interned tuples that a place has made.
#[derive(Debug)]
pub struct TupleCache([AtomicU32; N_CACHED]);

const N_CACHED: usize = 32;
/// The entry for no tuple: the id of an integer.
const NONE: u32 = 0b10 << 30;

impl TupleCache {
    #[expect(clippy::new_without_default, reason = "a cache is made in one place")]
    pub fn new() -> TupleCache {
        TupleCache([const { AtomicU32::new(NONE) }; N_CACHED])
    }
}

/// Makes the tuple of these values: the interned one, if there is one and its parts need no memory of their own.
pub fn tuple_cached<'r>(parts: ValueVec<'r>, cache: &TupleCache) -> Value<'r> {
    let hash = parts.as_slice().iter().fold(0, |hash, part| mix(hash, part.word()));
    let place = &cache.0[hash as usize % N_CACHED];
    let interner = Interner::shared();
    let seen = interner.value(ValueId::from_bits(place.load(Ordering::Relaxed)));
    if let Some(items) = seen.as_sequence()
        && items.len() == parts.len()
        && items.iter().zip(parts.as_slice()).all(|(item, part)| item.is_same(*part) && !item.is_object())
    {
        return seen;
    }
    let tuple = parts.into_sequence();
    let found = Ground::opt(tuple).and_then(|tuple| interner.find(tuple));
    if let Some(id) = found.filter(|_| !tuple.is_interned()) {
        place.store(id.bits(), Ordering::Relaxed);
    }
    tuple
}

#[cfg(test)]
mod tests {
    use super::{TupleCache, tuple_cached};
    use crate::{Constant, Plain, Region, Value, ValueVec, ops};

    #[test]
    fn a_tuple_is_the_interned_one_from_its_second_time_on() {
        let region = Region::new();
        let parts = |a, b| ValueVec::from_slice(&region, &[Value::small(a), Value::small(b)]);
        let known = parts(3, 4).into_sequence();
        let known = Constant::new(&mut Plain(&region), known).expect("a tuple of integers can be kept");
        let cache = TupleCache::new();
        for (a, b) in [(3, 4), (3, 4), (4, 3), (3, 4), (70_000, 1), (3, 4)] {
            let made = tuple_cached(parts(a, b), &cache);
            let plain = parts(a, b).into_sequence();
            assert!(
                ops::equal(&mut Plain(&region), made, plain).expect("tuples of integers can be compared")
            );
        }
        assert!(tuple_cached(parts(3, 4), &cache).is_same(known.get()));
    }
}
