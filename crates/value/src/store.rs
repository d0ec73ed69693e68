//! The exact visited set: vectors of value ids, one per variable.

use crate::{Full, ValueId};

base::define_id! {
    /// A stored state. Numbers depend on the order in which workers came; never let them decide anything.
    StateId
}

/// A set of states that only grows. Any number of threads may use it at once.
#[derive(Debug)]
pub struct StateStore {
    n_variables: usize,
}

impl StateStore {
    pub fn new(n_variables: usize) -> StateStore {
        StateStore { n_variables }
    }

    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    /// The state with these values, if it is stored.
    pub fn find(&self, state: &[ValueId]) -> Option<StateId> {
        let _ = state;
        crate::later()
    }

    /// The state with these values, and whether it is new.
    pub fn insert(&self, state: &[ValueId]) -> Result<(StateId, bool), Full> {
        let _ = state;
        crate::later()
    }

    /// Writes the values of a stored state into `state`, one per variable.
    pub fn get(&self, id: StateId, state: &mut [ValueId]) {
        let _ = (id, state);
        crate::later()
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        crate::later()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn bytes_used(&self) -> usize {
        crate::later()
    }
}
