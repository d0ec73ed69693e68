//! Where the orbits of states are stored that were looked up before.
//!
//! Different orders of the same steps lead to the very same state, not to another one of its orbit: then nothing has
//! to be worked out again. Each state has one slot, where the last one to come stays.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering, fence};

use value::{Reserve, ValueId};

use super::profile::mix;
use crate::space::StateSlot;

/// So large the table may be.
const BYTES_MAX: usize = 8 << 20;
/// The words of a slot before the ids.
const HEAD_LEN: usize = 2;

/// Shared by all workers. For each slot how often it was written, which is odd while somebody writes; the number of a
/// place, from 1; and the ids of the state that belongs there.
#[derive(Default)]
pub(crate) struct Places {
    /// Made for states of so many ids when the first is put. `None` if there is no memory for it: nothing is kept.
    table: OnceLock<Option<Table>>,
}

struct Table {
    slots: Reserve<AtomicU32>,
    len_log2: u32,
}

impl Places {
    pub fn get(&self, state: &[ValueId]) -> Option<StateSlot> {
        let [turn, number, ids @ ..] = self.table.get()?.as_ref()?.slot(state) else { return None };
        // Acquire: what was written before, in the slot and at the place, is seen.
        let before = turn.load(Ordering::Acquire);
        let place = number.load(Ordering::Relaxed).checked_sub(1)?;
        let is_it = ids.iter().zip(state).all(|(kept, id)| kept.load(Ordering::Relaxed) == id.bits());
        // What was read is of one state only if nobody has written meanwhile.
        fence(Ordering::Acquire);
        let is_whole = before.is_multiple_of(2) && turn.load(Ordering::Relaxed) == before;
        (is_it && is_whole).then_some(StateSlot(place))
    }

    /// Says that this state will soon be looked for.
    pub fn prefetch(&self, state: &[ValueId]) {
        if let Some(Some(table)) = self.table.get() {
            table.slots.prefetch(table.first_of_slot(state));
        }
    }

    /// All states have the same number of ids. Without memory for it, nothing is kept.
    pub fn put(&self, state: &[ValueId], place: StateSlot) {
        let Some(table) = self.table.get_or_init(|| Table::new(state.len())) else { return };
        let [turn, number, ids @ ..] = table.slot(state) else { return };
        let before = turn.load(Ordering::Relaxed);
        let is_free = before.is_multiple_of(2);
        let writing = before.wrapping_add(1);
        // Who comes second leaves it: one of the two states is enough.
        if !is_free || turn.compare_exchange(before, writing, Ordering::Acquire, Ordering::Relaxed).is_err() {
            return;
        }
        // Whoever reads something of what follows sees that it is being written.
        fence(Ordering::Release);
        number.store(place.0 + 1, Ordering::Relaxed);
        ids.iter().zip(state).for_each(|(kept, id)| kept.store(id.bits(), Ordering::Relaxed));
        turn.store(writing.wrapping_add(1), Ordering::Release);
    }
}

impl Table {
    fn new(n_ids: usize) -> Option<Table> {
        let stride = n_ids + HEAD_LEN;
        let len_log2 = (BYTES_MAX / (stride * size_of::<u32>())).max(1).ilog2();
        let len = stride << len_log2;
        let slots = Reserve::new(len).filter(|slots| slots.len() == len)?;
        Some(Table { slots, len_log2 })
    }

    fn slot(&self, state: &[ValueId]) -> &[AtomicU32] {
        let first = self.first_of_slot(state);
        self.slots.part(first..first + HEAD_LEN + state.len())
    }

    fn first_of_slot(&self, state: &[ValueId]) -> usize {
        let hash = state.chunks(2).fold(0, |hash, pair| {
            let bits = |index: usize| pair.get(index).map_or(0, |id| u64::from(id.bits()));
            mix(hash, bits(0) | bits(1) << u32::BITS)
        });
        // The topmost bits; one slot has no bits to choose by.
        (hash >> 1 >> (u64::BITS - 1 - self.len_log2)) as usize * (HEAD_LEN + state.len())
    }
}

#[cfg(test)]
mod tests {
    use value::ValueId;

    use super::Places;
    use crate::space::StateSlot;

    #[test]
    fn what_is_found_is_what_was_put_last_for_that_state() {
        let state = |n: u32| [n % 7, n, n / 3].map(ValueId::from_bits);
        let places = Places::default();
        let n_states = 1 << 20;
        assert!(places.get(&state(0)).is_none());
        for n in 0..n_states {
            places.put(&state(n), StateSlot(n));
            assert_eq!(places.get(&state(n)), Some(StateSlot(n)));
        }
        let kept: Vec<u32> = (0..n_states).filter(|&n| places.get(&state(n)).is_some()).collect();
        assert!(kept.iter().all(|&n| places.get(&state(n)) == Some(StateSlot(n))));
        assert!((1..n_states as usize).contains(&kept.len()), "some were driven out: {}", kept.len());
    }
    #[test]
    fn what_workers_put_at_the_same_time_is_never_mixed() {
        let (places, n_states) = (Places::default(), 1 << 19);
        // Of some the ids differ in the middle alone, and all have one of two places.
        let state = |n: u32| [n % 3, n, n / 3, n % 5].map(ValueId::from_bits);
        let place = |n: u32| StateSlot(n % 2);
        let work = &|first: u32| {
            let known = |n: u32| {
                let n = (n.wrapping_mul(77_003) + first) % n_states;
                let known = places.get(&state(n));
                assert!(known.is_none_or(|known| known == place(n)), "state {n} has the place of another");
                places.put(&state(n), place(n));
                known.is_some()
            };
            (0..n_states).filter(|&n| known(n)).count()
        };
        let n_known = std::thread::scope(|scope| {
            let workers = [0, 1, 2].map(|first| scope.spawn(move || work(first)));
            workers.map(|worker| worker.join().expect("nothing is mixed")).iter().sum::<usize>()
        });
        assert!(n_known > 0, "what one has put others find");
    }
}
