//! Where the orbits of states are stored that were looked up before.
//!
//! Different orders of the same steps lead to the very same state, not to another one of its orbit: then nothing has
//! to be worked out again. Each state has one slot, where the last one to come stays.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering, fence};

use value::{Reserve, ValueId};

use super::profile::mix;
use crate::space::StateSlot;

/// The least and the largest size of the table.
const BYTES_MIN: usize = 256 << 10;
const BYTES_MAX: usize = 8 << 20;
/// Number of slots for each state that was found: an orbit has several states, and more will be found until the table grows.
const SLOTS_PER_STATE: usize = 8;
/// The words of a slot before the ids.
const HEAD_LEN: usize = 2;

/// Shared by all workers. For each slot how often it was written, which is odd while somebody writes; the number of a
/// place, from 1; and the ids of the state that belongs there.
#[derive(Default)]
pub(crate) struct Places {
    /// Made for states of so many ids when the first is put. `None` if there is no memory for it: nothing is kept.
    table: OnceLock<Option<Table>>,
    /// Number of states that it is made for.
    n_states: usize,
}

struct Table {
    slots: Reserve<AtomicU32>,
    n_ids: usize,
    len_log2: u32,
}

impl Places {
    /// Makes an empty table for so many states.
    #[cfg(test)]
    fn for_states(n_states: usize) -> Places {
        Places { n_states, ..Places::default() }
    }

    /// Returns a table for so many states, with what this one has, unless this one is large enough.
    pub fn grown(&self, n_states: usize) -> Option<Places> {
        let before = self.table.get()?.as_ref()?;
        let is_larger = Table::len_log2_for(before.n_ids, n_states) > before.len_log2;
        let table = Table::new(before.n_ids, n_states).filter(|_| is_larger)?;
        let larger = Places { table: OnceLock::from(Some(table)), n_states };
        before.for_each(|state, place| larger.put(state, place));
        Some(larger)
    }

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
        let Some(table) = self.table.get_or_init(|| Table::new(state.len(), self.n_states)) else { return };
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
    fn new(n_ids: usize, n_states: usize) -> Option<Table> {
        let len_log2 = Table::len_log2_for(n_ids, n_states);
        let len = (n_ids + HEAD_LEN) << len_log2;
        let slots = Reserve::new(len).filter(|slots| slots.len() == len)?;
        Some(Table { slots, n_ids, len_log2 })
    }

    /// Returns the binary logarithm of the number of slots.
    fn len_log2_for(n_ids: usize, n_states: usize) -> u32 {
        let slot_bytes = (n_ids + HEAD_LEN) * size_of::<u32>();
        let bytes = (n_states * SLOTS_PER_STATE * slot_bytes).clamp(BYTES_MIN, BYTES_MAX);
        (bytes / slot_bytes).max(1).ilog2()
    }

    /// Calls `body` for each state with its place. Nobody may write meanwhile, or what is written may be missed.
    fn for_each(&self, mut body: impl FnMut(&[ValueId], StateSlot)) {
        let mut state = Vec::new();
        for slot in 0..1 << self.len_log2 {
            let first = slot * (HEAD_LEN + self.n_ids);
            let [turn, number, ids @ ..] = self.slots.part(first..first + HEAD_LEN + self.n_ids) else {
                return;
            };
            let before = turn.load(Ordering::Acquire);
            let place = number.load(Ordering::Relaxed);
            state.clear();
            state.extend(ids.iter().map(|id| ValueId::from_bits(id.load(Ordering::Relaxed))));
            fence(Ordering::Acquire);
            let is_whole = before.is_multiple_of(2) && turn.load(Ordering::Relaxed) == before;
            if let (Some(place), true) = (place.checked_sub(1), is_whole) {
                body(&state, StateSlot(place));
            }
        }
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
        let n_states = 1 << 20;
        let places = Places::for_states(n_states as usize);
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
    fn a_larger_table_has_what_the_smaller_one_had() {
        let state = |n: u32| [n, n % 5].map(ValueId::from_bits);
        let places = Places::default();
        assert!(places.grown(1 << 12).is_none(), "nothing is known of the states yet");
        (0..1 << 10).for_each(|n| places.put(&state(n), StateSlot(n)));
        let kept: Vec<u32> = (0..1 << 10).filter(|&n| places.get(&state(n)).is_some()).collect();
        let larger = places.grown(1 << 14).expect("there are more states than it was made for");
        assert!(!kept.is_empty() && larger.grown(1 << 14).is_none());
        assert!(kept.iter().all(|&n| larger.get(&state(n)) == Some(StateSlot(n))));
    }

    #[test]
    fn what_workers_put_at_the_same_time_is_never_mixed() {
        let n_states = 1 << 19;
        let places = Places::for_states(n_states as usize);
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
