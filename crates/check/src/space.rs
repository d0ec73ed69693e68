//! The states seen, and how each was first reached.
//!
//! A state is found by a [`OrderKey`]: the rank of its parent in the parent's level, and which of the parent's
//! successors it is. Of several keys the least wins, whoever comes first, so that the answer is the one of
//! a single worker. Keys are kept for the level that is being made; of a finished one the parents remain.
//! Without VIEW and SYMMETRY a state is its own slot in the store; with them the store holds what states are
//! compared by, and the concrete state that was found by the least key is in a store of its own.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use base::Id;
use value::{Folded, Full, Interner, Reserve, StateId, StateStore, StoreBytes, ValueId};

use crate::answer::Memory;

/// Where a state was found, in the order of a search with one worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OrderKey {
    pub rank: u32,
    pub ordinal: u32,
}

impl OrderKey {
    /// Greater for a lesser key.
    fn mark(self) -> u64 {
        !(u64::from(self.rank) << 32 | u64::from(self.ordinal))
    }

    fn of_mark(mark: u64) -> OrderKey {
        OrderKey { rank: (!mark >> 32) as u32, ordinal: !mark as u32 }
    }
}

/// A state that can be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(pub u32);

/// Where a state is in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StateSlot(pub u32);

impl StateSlot {
    /// For looking up what is known to be there.
    pub fn to_folded(self) -> Folded {
        Folded::stored(StateId::from_index(self.0 as usize))
    }
}

/// The result of looking a state up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Visit {
    /// Known from an earlier level.
    Seen { slot: StateSlot },
    /// Found at this level. `is_first` for the one visit that added the state, `is_least` if no visit so far
    /// had a lesser key. The first need not be the least, and another worker may come between.
    Found { slot: StateSlot, is_first: bool, is_least: bool },
}

impl Visit {
    pub fn slot(self) -> StateSlot {
        match self {
            Visit::Seen { slot } | Visit::Found { slot, .. } => slot,
        }
    }
}

/// Stands for the parent of an initial state.
const NO_PARENT: u32 = u32::MAX;

pub(crate) struct Space {
    /// The identities of states: their variables, or what VIEW and SYMMETRY make of them.
    identities: StateStore,
    concrete: Option<StateStore>,
    /// Parents, by handle.
    parents: Reserve<AtomicU32>,
    /// Handle of the state, by slot, if the two differ and somebody asks.
    handles: Option<Reserve<AtomicU32>>,
    /// The least keys of the level that is being made; the first is that of slot `level_start`.
    marks: Reserve<AtomicU64>,
    /// Lesser slots are those of finished levels.
    level_start: AtomicU32,
    /// The most that a frontier took.
    frontier_bytes: AtomicUsize,
    n_variables: usize,
}

/// One worker's access to the states; nobody has one while a level ends.
pub(crate) struct Seat<'s> {
    space: &'s Space,
    identities: value::Seat<'s>,
    concrete: Option<value::Seat<'s>>,
    level_start: u32,
}

impl Space {
    /// `n_identity_values` when states are compared by something other than their variables.
    pub fn new(n_variables: usize, n_identity_values: Option<usize>) -> Space {
        const N_MAX: usize = u32::MAX as usize;
        let enough = "address space for the parents of states";
        Space {
            identities: StateStore::new(n_identity_values.unwrap_or(n_variables)),
            concrete: n_identity_values.map(|_| StateStore::unsearched(n_variables)),
            parents: Reserve::dense(N_MAX).expect(enough),
            handles: None,
            marks: Reserve::dense(N_MAX).expect(enough),
            level_start: AtomicU32::new(0),
            frontier_bytes: AtomicUsize::new(0),
            n_variables,
        }
    }

    /// Returns the space, able to say which state was found at a slot.
    pub fn with_handles(self) -> Space {
        let enough = "address space for the handles of states";
        let handles = self.has_identities().then(|| Reserve::new(u32::MAX as usize).expect(enough));
        Space { handles, ..self }
    }

    pub fn has_identities(&self) -> bool {
        self.concrete.is_some()
    }

    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    pub fn len(&self) -> usize {
        self.identities.len()
    }

    /// Whether there are more states than so many.
    pub fn is_longer_than(&self, n_states: u64) -> bool {
        // Counting takes time; there are no more states than numbers.
        Id::index(self.identities.end()) as u64 > n_states && self.len() as u64 > n_states
    }

    /// Returns the memory of everything here, and of the values of states.
    pub fn memory(&self) -> Memory {
        let concrete = self.concrete.as_ref().map_or(StoreBytes::default(), StateStore::bytes);
        let keys = self.identities.bytes();
        let values = Interner::shared();
        let n_handles = Id::index(self.concrete.as_ref().unwrap_or(&self.identities).end());
        Memory {
            states: keys.pairs + concrete.pairs,
            parents: n_handles * size_of::<u32>() * if self.handles.is_some() { 2 } else { 1 },
            values: values.object_bytes(),
            tables: keys.tables + concrete.tables + values.table_bytes(),
            frontier: self.frontier_bytes.load(Ordering::Relaxed).max(self.frontier_bytes(0)),
            steps: 0,
            n_steps: 0,
            behaviours: 0,
        }
    }

    /// How often a worker had to wait for another one.
    pub fn n_waits(&self) -> usize {
        let concrete = self.concrete.as_ref().map_or(0, StateStore::n_waits);
        self.identities.n_waits() + concrete + Interner::shared().n_waits()
    }

    /// Returns the bytes of the level that is being made, and of the one of `n_parents` that it is made from: a key and a slot
    /// for each new state; a handle and a count for each parent.
    fn frontier_bytes(&self, n_parents: usize) -> usize {
        let n_found = Id::index(self.identities.end()) - self.level_start.load(Ordering::Relaxed) as usize;
        n_found * (size_of::<u64>() + size_of::<StateSlot>()) + n_parents * 2 * size_of::<u32>()
    }

    pub fn seat(&self) -> Seat<'_> {
        Seat {
            space: self,
            identities: self.identities.seat(),
            concrete: self.concrete.as_ref().map(StateStore::seat),
            level_start: self.level_start.load(Ordering::Relaxed),
        }
    }

    /// The least key of a slot of the level that is being made.
    pub fn key(&self, slot: StateSlot) -> OrderKey {
        OrderKey::of_mark(self.mark(slot).load(Ordering::Relaxed))
    }

    fn mark(&self, slot: StateSlot) -> &AtomicU64 {
        self.marks.at((slot.0 - self.level_start.load(Ordering::Relaxed)) as usize)
    }

    /// The variables of a state.
    pub fn state(&self, handle: Handle, values: &mut [ValueId]) {
        self.concrete
            .as_ref()
            .unwrap_or(&self.identities)
            .get(StateId::from_index(handle.0 as usize), values);
    }

    /// The state that was found at a slot, once its level is settled. See [`Space::with_handles`].
    pub fn handle_of(&self, slot: StateSlot) -> Handle {
        match &self.handles {
            Some(handles) => Handle(handles.at(slot.0 as usize).load(Ordering::Relaxed)),
            None => Handle(slot.0),
        }
    }

    /// The state by which a state was first reached; `None` for an initial one.
    pub fn parent(&self, handle: Handle) -> Option<Handle> {
        let parent = self.parents.at(handle.0 as usize).load(Ordering::Relaxed);
        (parent != NO_PARENT).then_some(Handle(parent))
    }

    /// Places below this one are those of finished levels, as far as they are anyone's.
    pub fn level_start(&self) -> StateSlot {
        StateSlot(self.level_start.load(Ordering::Relaxed))
    }

    /// Whether a slot has a state.
    pub fn has(&self, slot: StateSlot) -> bool {
        self.identities.has(StateId::from_index(slot.0 as usize))
    }

    /// How many values states are compared by.
    pub fn n_identity_values(&self) -> usize {
        self.identities.n_variables()
    }

    /// Reads the identity of the state of a slot.
    pub fn read_identity(&self, slot: StateSlot, values: &mut [ValueId]) {
        self.identities.get(StateId::from_index(slot.0 as usize), values);
    }

    /// No state that can be expanded has this number or a greater one.
    pub fn handles_end(&self) -> u32 {
        Id::index(self.concrete.as_ref().unwrap_or(&self.identities).end()) as u32
    }

    /// Whether there is a state that can be expanded with this number.
    pub fn has_handle(&self, handle: Handle) -> bool {
        let state = StateId::from_index(handle.0 as usize);
        match &self.concrete {
            Some(concrete) => concrete.has(state),
            None => handle.0 < self.level_start().0 && self.identities.has(state),
        }
    }

    /// Keeps a state that is in no table: part of a trace, when what was visited is elsewhere. Only where states
    /// are kept beside the table.
    pub fn keep(&self, parent: Option<Handle>, values: &[ValueId]) -> Result<Handle, Full> {
        debug_assert!(self.has_identities());
        self.seat().settle(StateSlot(0), parent, values)
    }

    /// Ends a level, all of whose slots are settled: what is found from now on belongs to the next. It had
    /// `n_parents` parents.
    pub fn end_level(&self, n_parents: usize) -> Result<(), Full> {
        self.frontier_bytes.fetch_max(self.frontier_bytes(n_parents), Ordering::Relaxed);
        if let Some(concrete) = &self.concrete {
            concrete.replan_if_due()?;
        }
        let end = self.identities.replan_if_due()?;
        self.level_start.store(Id::index(end) as u32, Ordering::Relaxed);
        Ok(())
    }
}

impl Seat<'_> {
    /// The variables of a state whose successors are looked up next.
    pub fn state(&mut self, handle: Handle, values: &mut [ValueId]) {
        let states = self.concrete.as_mut().unwrap_or(&mut self.identities);
        states.load(StateId::from_index(handle.0 as usize), values);
    }

    /// The ids of a state whose successors are looked up soon.
    pub fn peek(&self, handle: Handle, ids: &mut Vec<u32>) {
        let states = self.concrete.as_ref().unwrap_or(&self.identities);
        states.peek(StateId::from_index(handle.0 as usize), ids);
    }

    /// Reads the identity of the state at this slot.
    pub fn identity(&mut self, slot: StateSlot, values: &mut [ValueId]) {
        self.identities.load(StateId::from_index(slot.0 as usize), values);
    }

    /// Adds what a state is compared by, found by `key`.
    #[inline]
    pub fn visit(&mut self, values: &[ValueId], key: OrderKey) -> Result<Visit, Full> {
        let folded = self.identities.fold(values)?;
        self.visit_folded(folded, key)
    }

    /// Folds the values that a state is compared by. They are folded first, then looked up, and only then visited.
    #[inline]
    pub fn fold(&mut self, values: &[ValueId]) -> Result<Folded, Full> {
        let folded = self.identities.fold(values)?;
        self.identities.prefetch(folded);
        Ok(folded)
    }

    /// Folds a state that differs, at most by these values, from the one whose successors are being looked up. Only
    /// where states are compared by their values.
    #[inline]
    pub fn fold_step(
        &mut self,
        given: impl Iterator<Item = (usize, ValueId)> + Clone,
    ) -> Result<Folded, Full> {
        let folded = self.identities.fold_step(given)?;
        self.identities.prefetch(folded);
        Ok(folded)
    }

    /// Where it may be, if it is known.
    #[inline]
    pub fn prefetch(&self, folded: Folded) -> Option<StateSlot> {
        self.identities.prefetch_row(folded).map(|id| StateSlot(Id::index(id) as u32))
    }

    /// Adds what a state is compared by, found by `key`, which may be at the slot that was guessed.
    #[inline]
    pub fn visit_guessed(
        &mut self,
        folded: Folded,
        guess: Option<StateSlot>,
        key: OrderKey,
    ) -> Result<Visit, Full> {
        match guess.map(|slot| StateId::from_index(slot.0 as usize)) {
            Some(id) if self.identities.is_at(folded, id) => Ok(self.visit_result(id, false, key)),
            Some(_) | None => self.visit_folded(folded, key),
        }
    }

    #[inline]
    pub fn visit_folded(&mut self, folded: Folded, key: OrderKey) -> Result<Visit, Full> {
        let (marks, level_start) = (&self.space.marks, self.level_start);
        let begin = |id| {
            let mark = marks.at(Id::index(id) - level_start as usize);
            mark.store(key.mark(), Ordering::Relaxed);
        };
        let (id, is_first) = self.identities.insert_folded(folded, begin)?;
        Ok(self.visit_result(id, is_first, key))
    }

    #[inline]
    fn visit_result(&self, id: StateId, is_first: bool, key: OrderKey) -> Visit {
        let slot = StateSlot(Id::index(id) as u32);
        if slot.0 < self.level_start {
            return Visit::Seen { slot };
        }
        let mark = self.space.marks.at((slot.0 - self.level_start) as usize);
        // Most visits are later ones, which need not write.
        let is_least = is_first
            || key.mark() > mark.load(Ordering::Relaxed)
                && key.mark() > mark.fetch_max(key.mark(), Ordering::Relaxed);
        Visit::Found { slot, is_first, is_least }
    }

    /// Makes `slot` a state that can be expanded. `concrete` is what was found, where states are compared
    /// by something else.
    pub fn settle(
        &mut self,
        slot: StateSlot,
        parent: Option<Handle>,
        concrete: &[ValueId],
    ) -> Result<Handle, Full> {
        let handle = match &mut self.concrete {
            Some(states) => Handle(Id::index(states.append(concrete)?) as u32),
            None => Handle(slot.0),
        };
        if let Some(handles) = &self.space.handles {
            handles.at(slot.0 as usize).store(handle.0, Ordering::Relaxed);
        }
        let parent = parent.map_or(NO_PARENT, |parent| parent.0);
        self.space.parents.at(handle.0 as usize).store(parent, Ordering::Relaxed);
        Ok(handle)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use value::ValueId;

    use super::{Handle, OrderKey, Space, StateSlot, Visit};

    const N_THREADS: u32 = 4;
    const N_STATES: u32 = 20_000;

    /// Everyone comes to every state at about the same time, the later threads with lesser keys.
    fn visits_of(thread: u32, space: &Space, start: &Barrier) -> Vec<(StateSlot, bool)> {
        start.wait();
        let mut seat = space.seat();
        let mut visit = |state| {
            let key = OrderKey { rank: N_THREADS - thread, ordinal: state };
            match seat.visit(&[ValueId::from_bits(state)], key).expect("there is room") {
                Visit::Found { slot, is_first, .. } => (slot, is_first),
                Visit::Seen { .. } => panic!("no level was finished"),
            }
        };
        (0..N_STATES).map(&mut visit).collect()
    }

    #[test]
    fn each_state_is_first_for_one_worker_and_keeps_the_least_key() {
        let (space, start) = (&Space::new(1, None), &Barrier::new(N_THREADS as usize));
        let visits: Vec<Vec<(StateSlot, bool)>> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..N_THREADS).map(|thread| scope.spawn(move || visits_of(thread, space, start))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a worker ends")).collect()
        });
        for state in 0..N_STATES as usize {
            let n_first = visits.iter().filter(|worker| worker[state].1).count();
            assert_eq!(n_first, 1, "state {state}");
            assert_eq!(space.key(visits[0][state].0), OrderKey { rank: 1, ordinal: state as u32 });
        }
    }

    #[test]
    fn a_state_of_a_finished_level_is_seen() {
        let space = Space::new(2, None);
        let state = |n: u32| [ValueId::from_bits(n), ValueId::from_bits(n / 2)];
        let mut parent = None;
        for n in 0..100 {
            let mut seat = space.seat();
            let key = OrderKey { rank: 0, ordinal: n };
            let Visit::Found { slot, is_first: true, is_least: true } = seat.visit(&state(n), key).unwrap()
            else {
                panic!("state {n} is new");
            };
            assert!(n == 0 || matches!(seat.visit(&state(n - 1), key), Ok(Visit::Seen { .. })));
            let handle = seat.settle(slot, parent, &[]).unwrap();
            drop(seat);
            space.end_level(1).unwrap();
            assert_eq!((space.parent(handle), handle), (parent, Handle(n)));
            parent = Some(handle);
        }
    }
}
