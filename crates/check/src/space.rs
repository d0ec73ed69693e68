//! The states seen, and how each was first reached.
//!
//! A state is found by a [`Key`]: the rank of its parent in the parent's level, and which of the parent's
//! successors it is. Of several keys the least wins, whoever comes first, so that the answer is the one of
//! a single worker. Without VIEW and SYMMETRY a state is its own place in the store; with them the store
//! holds what states are compared by, and the concrete state that was found by the least key is kept beside.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard};

use base::Id;
use value::{Full, StateId, StateStore, ValueId};

/// Where a state was found, in the order of a search with one worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub rank: u32,
    pub ordinal: u32,
}

impl Key {
    /// Never 0, and greater for a lesser key; the top bit is free.
    fn mark(self) -> u64 {
        SETTLED - 1 - (u64::from(self.rank) << 32 | u64::from(self.ordinal))
    }

    fn of_mark(mark: u64) -> Key {
        let bits = SETTLED - 1 - (mark & (SETTLED - 1));
        Key { rank: (bits >> 32) as u32, ordinal: bits as u32 }
    }
}

/// A state that can be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(pub u32);

/// How a state was reached: as a successor of `parent`, or as an initial state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub parent: Option<Handle>,
    pub ordinal: u32,
}

/// A place in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place(pub u32);

/// What came of looking a state up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Visit {
    /// Known from an earlier level.
    Seen,
    /// Found at this level. `is_first` for the one visit that added the state, `is_least` if no visit so far
    /// had a lesser key. The first need not be the least, and another worker may come between.
    Found { place: Place, is_first: bool, is_least: bool },
}

/// The mark of a place whose level is finished: this bit, 31 bits of its parent, 32 of the ordinal.
const SETTLED: u64 = 1 << 63;
/// Stands for the parent of an initial state; no state has this number or a greater one.
const NO_PARENT: u32 = u32::MAX >> 1;

pub(crate) struct Space {
    keys: StateStore,
    /// By place: the least key while its level is being made; then, without `concrete`, the origin.
    marks: Marks,
    concrete: Option<RwLock<Concrete>>,
    n_variables: usize,
}

/// States beside the store, by handle.
#[derive(Default)]
struct Concrete {
    values: Vec<ValueId>,
    origins: Vec<(u32, u32)>,
}

impl Space {
    /// `n_key_values` when states are compared by something other than their variables.
    pub fn new(n_variables: usize, n_key_values: Option<usize>) -> Space {
        Space {
            keys: StateStore::new(n_key_values.unwrap_or(n_variables)),
            marks: Marks::default(),
            concrete: n_key_values.map(|_| RwLock::default()),
            n_variables,
        }
    }

    pub fn is_keyed(&self) -> bool {
        self.concrete.is_some()
    }

    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn bytes_used(&self) -> usize {
        let concrete = self.concrete.as_ref().map_or(0, |kept| read(kept).bytes_used());
        self.keys.bytes_used() + self.keys.len() * size_of::<u64>() + concrete
    }

    /// Adds what a state is compared by, found by `key`.
    pub fn visit(&self, values: &[ValueId], key: Key) -> Result<Visit, Full> {
        let (id, is_first) = self.keys.insert(values)?;
        let index = Id::index(id);
        if index >= NO_PARENT as usize {
            return Err(Full);
        }
        let before = self.marks.get(index);
        if before & SETTLED != 0 {
            return Ok(Visit::Seen);
        }
        let is_least = key.mark() > self.marks.raise(index, key.mark());
        Ok(Visit::Found { place: Place(index as u32), is_first, is_least })
    }

    /// The least key of a place of the level that is being made.
    pub fn key(&self, place: Place) -> Key {
        Key::of_mark(self.marks.get(place.0 as usize))
    }

    /// The variables of a state.
    pub fn state(&self, handle: Handle, values: &mut [ValueId]) {
        match &self.concrete {
            Some(concrete) => {
                let concrete = read(concrete);
                let start = handle.0 as usize * self.n_variables;
                values.copy_from_slice(&concrete.values[start..start + self.n_variables]);
            }
            None => self.keys.get(StateId::from_index(handle.0 as usize), values),
        }
    }

    pub fn origin(&self, handle: Handle) -> Origin {
        let (parent, ordinal) = match &self.concrete {
            Some(concrete) => read(concrete).origins[handle.0 as usize],
            None => {
                let mark = self.marks.get(handle.0 as usize) & (SETTLED - 1);
                ((mark >> 32) as u32, mark as u32)
            }
        };
        Origin { parent: (parent != NO_PARENT).then_some(Handle(parent)), ordinal }
    }

    /// Makes `place` a state that can be expanded. `concrete` is what was found, where states are compared
    /// by something else; calls come in the order of the keys.
    pub fn settle(&self, place: Place, parent: Option<Handle>, concrete: &[ValueId]) -> Handle {
        let parent = parent.map_or(NO_PARENT, |parent| parent.0);
        let ordinal = self.key(place).ordinal;
        self.marks.set(place.0 as usize, SETTLED | u64::from(parent) << 32 | u64::from(ordinal));
        match &self.concrete {
            Some(kept) => {
                let mut kept = kept.write().unwrap_or_else(PoisonError::into_inner);
                kept.values.extend_from_slice(concrete);
                kept.origins.push((parent, ordinal));
                Handle((kept.origins.len() - 1) as u32)
            }
            None => Handle(place.0),
        }
    }
}

impl Concrete {
    fn bytes_used(&self) -> usize {
        size_of_val(self.values.as_slice()) + size_of_val(self.origins.as_slice())
    }
}

fn read(concrete: &RwLock<Concrete>) -> RwLockReadGuard<'_, Concrete> {
    concrete.read().unwrap_or_else(PoisonError::into_inner)
}

/// 64 bits for each place. Grows while it is shared; 0 where nothing was written.
#[derive(Default)]
struct Marks {
    /// The first has `FIRST_LEN` places, each further one as many as all before it.
    segments: [OnceLock<Box<[AtomicU64]>>; N_SEGMENTS],
}

const FIRST_LEN_LOG2: u32 = 12;
const N_SEGMENTS: usize = 32 - FIRST_LEN_LOG2 as usize + 1;

impl Marks {
    fn slot(&self, index: usize) -> &AtomicU64 {
        let top = (index >> FIRST_LEN_LOG2).checked_ilog2().map_or(0, |log2| log2 as usize + 1);
        let (start, len) = match top {
            0 => (0, 1 << FIRST_LEN_LOG2),
            _ => (1 << (FIRST_LEN_LOG2 as usize + top - 1), 1 << (FIRST_LEN_LOG2 as usize + top - 1)),
        };
        let segment = self.segments[top].get_or_init(|| (0..len).map(|_| AtomicU64::new(0)).collect());
        &segment[index - start]
    }

    fn get(&self, index: usize) -> u64 {
        self.slot(index).load(Ordering::Relaxed)
    }

    fn set(&self, index: usize, bits: u64) {
        self.slot(index).store(bits, Ordering::Relaxed);
    }

    /// The greater of what is there and `bits`; what was there.
    fn raise(&self, index: usize, bits: u64) -> u64 {
        self.slot(index).fetch_max(bits, Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use value::ValueId;

    use super::{Key, Place, Space, Visit};

    const N_THREADS: u32 = 4;
    const N_STATES: u32 = 20_000;

    /// Everyone comes to every state at about the same time, the later threads with lesser keys.
    fn visits_of(thread: u32, space: &Space, start: &Barrier) -> Vec<(Place, bool)> {
        start.wait();
        let visit = |state| {
            let key = Key { rank: N_THREADS - thread, ordinal: state };
            match space.visit(&[ValueId::from_bits(state)], key).expect("there is room") {
                Visit::Found { place, is_first, .. } => (place, is_first),
                Visit::Seen => panic!("no level was finished"),
            }
        };
        (0..N_STATES).map(visit).collect()
    }

    #[test]
    fn each_state_is_first_for_one_worker_and_keeps_the_least_key() {
        let (space, start) = (&Space::new(1, None), &Barrier::new(N_THREADS as usize));
        let visits: Vec<Vec<(Place, bool)>> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..N_THREADS).map(|thread| scope.spawn(move || visits_of(thread, space, start))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a worker ends")).collect()
        });
        for state in 0..N_STATES as usize {
            let n_first = visits.iter().filter(|worker| worker[state].1).count();
            assert_eq!(n_first, 1, "state {state}");
            assert_eq!(space.key(visits[0][state].0), Key { rank: 1, ordinal: state as u32 });
        }
    }
}
