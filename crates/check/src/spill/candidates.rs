//! States that the workers find at a level, before it is known which of them are new.

use std::io;
use std::sync::{Mutex, PoisonError};

use super::blocks::BlockFile;
use super::folder::Folder;
use super::runs::{Buffer, EVERYTHING, Record, merge_all};
use crate::space::OrderKey;

/// With more runs than this, they are made one.
const N_RUNS_MAX: usize = 64;
const FREE: u32 = u32::MAX;
const N_SLOTS_MIN: usize = 256;
/// Of the slots of the table, one in so many stays free at least.
const FREE_SHARE: usize = 4;

/// The sorted runs of a level.
#[derive(Debug, Default)]
pub(super) struct FoundRuns {
    runs: Mutex<Vec<BlockFile>>,
}

impl FoundRuns {
    pub fn into_runs(self) -> Vec<BlockFile> {
        self.runs.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, run: BlockFile, folder: &Folder) -> io::Result<()> {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.push(run);
        if runs.len() > N_RUNS_MAX {
            let merged = merge_all(&runs, EVERYTHING, folder)?;
            *runs = vec![merged];
        }
        Ok(())
    }
}

/// Where a state was found, and what else is known of it: what stands behind what it is compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub key: OrderKey,
    /// Whether it is surely none of the states that were visited before this level.
    pub is_surely_new: bool,
    /// Whether the invariants were evaluated for it.
    pub is_checked: bool,
}

impl Origin {
    pub const N_BYTES: usize = 9;

    /// The lesser the key, the lesser the bytes.
    pub fn push_to(self, out: &mut Vec<u8>) {
        out.extend(self.key.rank.to_be_bytes());
        out.extend(self.key.ordinal.to_be_bytes());
        out.push(u8::from(self.is_surely_new) | u8::from(self.is_checked) << 1);
    }

    pub fn of(extra: &[u8]) -> Origin {
        let number = |start: usize| {
            u32::from_be_bytes(extra[start..start + 4].try_into().expect("four bytes are four bytes"))
        };
        let key = OrderKey { rank: number(0), ordinal: number(4) };
        Origin { key, is_surely_new: extra[8] & 1 != 0, is_checked: extra[8] & 2 != 0 }
    }
}

/// One worker's finds, each state once as long as it is in memory.
#[derive(Debug)]
pub(super) struct Candidates<'a> {
    folder: &'a Folder,
    found: &'a FoundRuns,
    buffer: Buffer,
    /// Places in the buffer, by hash.
    slots: Vec<u32>,
    bytes_max: usize,
}

impl<'a> Candidates<'a> {
    pub fn new(folder: &'a Folder, found: &'a FoundRuns, bytes_max: usize) -> Candidates<'a> {
        Candidates { folder, found, buffer: Buffer::default(), slots: vec![FREE; N_SLOTS_MIN], bytes_max }
    }

    /// Whether it is not in memory yet. Finds come in the order of their keys.
    pub fn insert(&mut self, record: Record<'_>) -> io::Result<bool> {
        let mask = self.slots.len() - 1;
        let mut slot = record.number as usize & mask;
        while self.slots[slot] != FREE {
            let known = self.buffer.at(self.slots[slot]);
            if known.number == record.number && known.key == record.key {
                return Ok(false);
            }
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = self.buffer.push(record);
        if self.buffer.n_bytes() + size_of_val(self.slots.as_slice()) >= self.bytes_max {
            self.flush()?;
        } else if self.buffer.len() >= self.slots.len() - self.slots.len() / FREE_SHARE {
            self.grow();
        }
        Ok(true)
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![FREE; mask + 1];
        for &place in self.slots.iter().filter(|&&place| place != FREE) {
            let mut slot = self.buffer.at(place).number as usize & mask;
            while slots[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            slots[slot] = place;
        }
        self.slots = slots;
    }

    pub fn flush(&mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            let run = self.buffer.write(self.folder)?;
            self.slots.fill(FREE);
            self.found.add(run, self.folder)?;
        }
        Ok(())
    }
}
