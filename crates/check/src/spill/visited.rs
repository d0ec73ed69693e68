//! Everything that was visited, on disk: a few sorted runs for each range of hashes, and a filter in memory.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::blocks::{BlockFile, BlockWriter};
use super::filter::Filter;
use super::folder::Folder;
use super::runs::{Buffer, Cursor, merge_all};

const N_RANGES_LOG2: u32 = 4;
/// Ranges of hashes, each of which one worker can look after.
pub(super) const N_RANGES: usize = 1 << N_RANGES_LOG2;
/// With more runs than this in a range, some are made one.
const N_RUNS_MAX: usize = 8;

#[derive(Debug)]
pub(super) struct Visited {
    /// Runs of each range, the oldest first.
    ranges: Vec<Mutex<Vec<BlockFile>>>,
    pub filter: Filter,
    filter_bytes_max: u64,
}

impl Visited {
    pub fn new(n_states: u64, filter_bytes_max: u64) -> Visited {
        Visited {
            ranges: (0..N_RANGES).map(|_| Mutex::default()).collect(),
            filter: Filter::new(n_states, filter_bytes_max),
            filter_bytes_max,
        }
    }

    /// The least and the greatest hash of a range.
    pub fn bounds(range: usize) -> (u128, u128) {
        let shift = u128::BITS - N_RANGES_LOG2;
        let first = (range as u128) << shift;
        (first, first | ((1 << shift) - 1))
    }

    pub fn runs(&self, range: usize) -> MutexGuard<'_, Vec<BlockFile>> {
        self.ranges[range].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds states that are known to be new. Empties the buffer.
    pub fn add(&self, states: &mut Buffer, folder: &Folder) -> io::Result<()> {
        states.sort();
        for range in 0..N_RANGES {
            let (first, last) = Visited::bounds(range);
            let mut writer = BlockWriter::new(folder);
            states.write_part(&mut writer, (first >> 64) as u64..=(last >> 64) as u64)?;
            self.add_run(range, writer.finish()?, folder)?;
        }
        states.clear();
        Ok(())
    }

    /// Adds a run of one range, and makes one of several when there are too many.
    pub fn add_run(&self, range: usize, run: BlockFile, folder: &Folder) -> io::Result<()> {
        if run.blocks().is_empty() {
            return Ok(());
        }
        let mut runs = self.runs(range);
        runs.push(run);
        if runs.len() > N_RUNS_MAX {
            let start = first_to_merge(&runs);
            let merged = merge_all(&runs[start..], Visited::bounds(range), folder)?;
            runs.truncate(start);
            runs.push(merged);
        }
        Ok(())
    }

    /// Makes room in the filter for `n_states`, if there is any: a filter is read anew from the runs.
    pub fn grow_filter(&mut self, n_states: u64) -> io::Result<()> {
        if n_states <= self.filter.capacity() || self.filter.n_bytes() as u64 * 2 > self.filter_bytes_max {
            return Ok(());
        }
        // What is there is given up before there is a second.
        self.filter = Filter::new(0, 0);
        let filter = Filter::new(n_states * 2, self.filter_bytes_max);
        for range in 0..N_RANGES {
            for run in self.runs(range).iter() {
                let mut cursor = Cursor::new(run, Visited::bounds(range))?;
                while let Some(hash) = cursor.number() {
                    filter.add(hash);
                    cursor.advance()?;
                }
            }
        }
        self.filter = filter;
        Ok(())
    }
}

/// The oldest run that is no larger than all later ones together: then each state is written again only when the run
/// that it is in doubles, about.
fn first_to_merge(runs: &[BlockFile]) -> usize {
    let mut n_later_bytes = 0;
    let mut start = runs.len() - 2;
    for (index, run) in runs.iter().enumerate().rev() {
        if run.n_bytes() <= n_later_bytes {
            start = start.min(index);
        }
        n_later_bytes += run.n_bytes();
    }
    start
}
