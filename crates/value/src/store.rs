//! The exact visited set: vectors of value ids, one per variable.
//!
//! Rows of 32-bit ids in segments that never move, found through hash tables; 64 shards, each with a lock for
//! those who add. Two different states are never confused.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use base::Id;

use crate::ops::mix;
use crate::segments::{N_SEGMENTS, place};
use crate::table::Table;
use crate::{Full, ValueId};

base::define_id! {
    /// A stored state. Numbers depend on the order in which workers came; never let them decide anything.
    StateId
}

const N_SHARDS: usize = 64;
const FIRST_SEGMENT_ROWS: usize = 256;

/// A set of states that only grows. Any number of threads may use it at once.
pub struct StateStore {
    n_variables: usize,
    shards: Box<[Shard]>,
}

struct Shard {
    /// Rows by hash.
    table: Table,
    /// Segment `n` has `FIRST_SEGMENT_ROWS << n` rows of `n_variables` ids.
    segments: [OnceLock<Box<[AtomicU32]>>; N_SEGMENTS],
    /// How many rows there are. Invariant: a row is written before its number is in `table`.
    n_rows: Mutex<u32>,
}

impl StateStore {
    pub fn new(n_variables: usize) -> StateStore {
        let shard = |_| Shard {
            table: Table::new(),
            segments: [const { OnceLock::new() }; N_SEGMENTS],
            n_rows: Mutex::new(0),
        };
        StateStore { n_variables, shards: (0..N_SHARDS).map(shard).collect() }
    }

    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    /// The state with these values, if it is stored.
    pub fn find(&self, state: &[ValueId]) -> Option<StateId> {
        assert_eq!(state.len(), self.n_variables);
        let hash = hash(state);
        let row = self.find_row(hash, state)?;
        Some(state_id(row, shard_index(hash)))
    }

    /// The state with these values, and whether it is new.
    pub fn insert(&self, state: &[ValueId]) -> Result<(StateId, bool), Full> {
        assert_eq!(state.len(), self.n_variables);
        let hash = hash(state);
        let shard_index = shard_index(hash);
        if let Some(row) = self.find_row(hash, state) {
            return Ok((state_id(row, shard_index), false));
        }
        let shard = &self.shards[shard_index];
        let mut n_rows = shard.n_rows.lock().unwrap_or_else(PoisonError::into_inner);
        // Someone may have added it between the search and the lock.
        if let Some(row) = self.find_row(hash, state) {
            return Ok((state_id(row, shard_index), false));
        }
        let row = *n_rows;
        if row >= u32::MAX / N_SHARDS as u32 {
            return Err(Full);
        }
        self.write_row(shard, row, state);
        *n_rows += 1;
        match shard.table.writer(&mut n_rows).insert(hash, row) {
            true => Ok((state_id(row, shard_index), true)),
            false => Err(Full),
        }
    }

    /// Writes the values of a stored state into `state`, one per variable.
    pub fn get(&self, id: StateId, state: &mut [ValueId]) {
        assert_eq!(state.len(), self.n_variables);
        let (row, shard_index) = (id.index() / N_SHARDS, id.index() % N_SHARDS);
        let ids = self.row(&self.shards[shard_index], row as u32);
        for (value, id) in state.iter_mut().zip(ids) {
            *value = ValueId::from_bits(id.load(Ordering::Relaxed));
        }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.table.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn bytes_used(&self) -> usize {
        let rows = |shard: &Shard| -> usize {
            shard.segments.iter().filter_map(OnceLock::get).map(|ids| size_of_val(&**ids)).sum()
        };
        self.shards.iter().map(|shard| rows(shard) + shard.table.bytes_used()).sum()
    }

    #[inline]
    fn find_row(&self, hash: u64, state: &[ValueId]) -> Option<u32> {
        let shard = &self.shards[shard_index(hash)];
        shard.table.find(hash, |row| {
            let ids = self.row(shard, row);
            ids.iter().zip(state).all(|(id, value)| id.load(Ordering::Relaxed) == value.bits())
        })
    }

    #[inline]
    fn row<'a>(&self, shard: &'a Shard, row: u32) -> &'a [AtomicU32] {
        let (segment, offset) = place(row as usize, FIRST_SEGMENT_ROWS);
        let ids = shard.segments[segment].get().expect("a row is written before its number is known");
        &ids[offset * self.n_variables..][..self.n_variables]
    }

    fn write_row(&self, shard: &Shard, row: u32, state: &[ValueId]) {
        let (segment, offset) = place(row as usize, FIRST_SEGMENT_ROWS);
        let n_ids = (FIRST_SEGMENT_ROWS << segment) * self.n_variables;
        let ids = shard.segments[segment].get_or_init(|| (0..n_ids).map(|_| AtomicU32::new(0)).collect());
        for (id, value) in ids[offset * self.n_variables..].iter().zip(state) {
            id.store(value.bits(), Ordering::Relaxed);
        }
    }
}

impl fmt::Debug for StateStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateStore({} states of {} variables)", self.len(), self.n_variables)
    }
}

fn hash(state: &[ValueId]) -> u64 {
    state.iter().fold(0x2545_f491_4f6c_dd1d, |hash, id| mix(hash, u64::from(id.bits())))
}

fn shard_index(hash: u64) -> usize {
    hash as usize % N_SHARDS
}

fn state_id(row: u32, shard_index: usize) -> StateId {
    StateId::from_index(row as usize * N_SHARDS + shard_index)
}
