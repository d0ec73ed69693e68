//! Where the orbits of states are stored that were looked up before.
//!
//! Different orders of the same steps lead to the very same state, not to another one of its orbit: then nothing has
//! to be worked out again. Each state has one slot, where the last one to come stays.

use std::sync::atomic::{AtomicU32, Ordering};

use value::{Reserve, ValueId};

use super::profile::mix;
use crate::space::Place;

/// So large the table may be.
const BYTES_MAX: usize = 6 << 20;

/// For each slot the number of a place, from 1, and the ids of the state that belongs there.
#[derive(Default)]
pub(crate) struct Places {
    slots: Option<Reserve<AtomicU32>>,
    len_log2: u32,
}

impl Places {
    pub fn get(&self, state: &[ValueId]) -> Option<Place> {
        let (place, ids) = self.slot(state)?.split_first()?;
        let number = place.load(Ordering::Relaxed);
        let is_it = ids.iter().zip(state).all(|(kept, id)| kept.load(Ordering::Relaxed) == id.bits());
        (is_it && number != 0).then(|| Place(number - 1))
    }

    /// Says that this state will soon be looked for.
    pub fn prefetch(&self, state: &[ValueId]) {
        if let Some(slots) = &self.slots {
            slots.prefetch(self.first_of_slot(state));
        }
    }

    /// All states have the same number of ids. Without memory for it, nothing is kept.
    pub fn put(&mut self, state: &[ValueId], place: Place) {
        if self.slots.is_none() {
            let stride = state.len() + 1;
            self.len_log2 = (BYTES_MAX / (stride * size_of::<u32>())).max(1).ilog2();
            let len = stride << self.len_log2;
            self.slots = Reserve::new(len).filter(|slots| slots.len() == len);
        }
        let Some((number, ids)) = self.slot(state).and_then(<[AtomicU32]>::split_first) else { return };
        number.store(place.0 + 1, Ordering::Relaxed);
        ids.iter().zip(state).for_each(|(kept, id)| kept.store(id.bits(), Ordering::Relaxed));
    }

    fn slot(&self, state: &[ValueId]) -> Option<&[AtomicU32]> {
        let first = self.first_of_slot(state);
        self.slots.as_ref().map(|slots| slots.part(first..first + state.len() + 1))
    }

    fn first_of_slot(&self, state: &[ValueId]) -> usize {
        let hash = state.chunks(2).fold(0, |hash, pair| {
            let bits = |index: usize| pair.get(index).map_or(0, |id| u64::from(id.bits()));
            mix(hash, bits(0) | bits(1) << u32::BITS)
        });
        // The topmost bits; one slot has no bits to choose by.
        (hash >> 1 >> (u64::BITS - 1 - self.len_log2)) as usize * (state.len() + 1)
    }
}

#[cfg(test)]
mod tests {
    use value::ValueId;

    use super::Places;
    use crate::space::Place;

    #[test]
    fn what_is_found_is_what_was_put_last_for_that_state() {
        let state = |n: u32| [n % 7, n, n / 3].map(ValueId::from_bits);
        let mut places = Places::default();
        let n_states = 1 << 20;
        assert!(places.get(&state(0)).is_none());
        for n in 0..n_states {
            places.put(&state(n), Place(n));
            assert_eq!(places.get(&state(n)), Some(Place(n)));
        }
        let kept: Vec<u32> = (0..n_states).filter(|&n| places.get(&state(n)).is_some()).collect();
        assert!(kept.iter().all(|&n| places.get(&state(n)) == Some(Place(n))));
        assert!((1..n_states as usize).contains(&kept.len()), "some were driven out: {}", kept.len());
    }
}
