//! Two models of the bench written by hand in plain Rust, states packed: what this machine can do when nothing is
//! interpreted, the physical limit that the checker is compared with.
//!
//! Each has exactly the states, steps and invariants of its specification, so its counts are TLC's. Nothing here is
//! shared with the checker, and traces are not kept.

pub mod raft;
mod table;
pub mod two_phase;

use serde::{Deserialize, Serialize};

pub use table::{Records, Visited, Words};

/// The counts that TLC reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub generated: u64,
    pub distinct: u64,
    pub depth: u64,
}

/// A specification made by hand.
pub trait Model {
    type State: Copy;

    fn initial(&self) -> Self::State;

    /// Appends every successor, one for each way to take a step.
    fn successors(&self, state: Self::State, out: &mut Vec<Self::State>);

    /// Whether every invariant holds.
    fn holds(&self, state: Self::State) -> bool;
}

/// So many successors are looked up together, so that the misses of the cache overlap.
const BATCH_LEN_MIN: usize = 64;

/// Breadth-first search to the end; `None` when an invariant does not hold.
pub fn explore<M: Model>(model: &M, visited: &mut impl Visited<M::State>) -> Option<Counts> {
    let mut counts = Counts { generated: 1, distinct: 0, depth: 0 };
    let mut level = Vec::new();
    visited.insert_all(&[model.initial()], &mut level);
    let mut batch = Vec::new();
    while !level.is_empty() {
        counts.depth += 1;
        counts.distinct += level.len() as u64;
        let mut next = Vec::with_capacity(level.len());
        for &state in &level {
            if !model.holds(state) {
                return None;
            }
            model.successors(state, &mut batch);
            if batch.len() >= BATCH_LEN_MIN {
                counts.generated += batch.len() as u64;
                visited.insert_all(&batch, &mut next);
                batch.clear();
            }
        }
        counts.generated += batch.len() as u64;
        visited.insert_all(&batch, &mut next);
        batch.clear();
        level = next;
    }
    Some(counts)
}
