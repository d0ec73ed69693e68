//! Where the orbits of states are stored that were looked up before.
//!
//! Different orders of the same steps lead to the very same state, not to another one of its orbit: then nothing has
//! to be worked out again. Each state has one slot, where the last one to come stays.

use value::ValueId;

use super::profile::mix;
use crate::space::Place;

/// So large the table may be.
const BYTES_MAX: usize = 6 << 20;

/// For each slot the ids of a state, and behind them the number of its place, from 1.
#[derive(Default)]
pub(crate) struct Places {
    slots: Vec<u32>,
    len_log2: u32,
}

impl Places {
    pub fn get(&self, state: &[ValueId]) -> Option<Place> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slot(state);
        let (ids, place) = self.slots[slot..=slot + state.len()].split_at(state.len());
        let is_it = place[0] != 0 && ids.iter().zip(state).all(|(&kept, id)| kept == id.bits());
        is_it.then(|| Place(place[0] - 1))
    }

    /// All states have the same number of ids.
    pub fn put(&mut self, state: &[ValueId], place: Place) {
        if self.slots.is_empty() {
            let stride = state.len() + 1;
            self.len_log2 = (BYTES_MAX / (stride * size_of::<u32>())).max(1).ilog2();
            self.slots.resize(stride << self.len_log2, 0);
        }
        let slot = self.slot(state);
        let slot = &mut self.slots[slot..=slot + state.len()];
        slot.iter_mut().zip(state).for_each(|(kept, id)| *kept = id.bits());
        slot[state.len()] = place.0 + 1;
    }

    fn slot(&self, state: &[ValueId]) -> usize {
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
