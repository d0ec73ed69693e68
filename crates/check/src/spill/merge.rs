//! The end of a level: its finds against everything that was visited before, in one pass over both.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use model::STACK_BYTES;

use super::blocks::{BlockFile, BlockWriter};
use super::candidates::Origin;
use super::folder::Folder;
use super::runs::{Buffer, Cursor, Merged, Record};
use super::visited::{N_RANGES, Visited};
use crate::space::OrderKey;

pub(super) struct Merge<'a> {
    pub folder: &'a Folder,
    pub visited: &'a Visited,
    /// The found states, sorted by hash.
    pub found: &'a [BlockFile],
    /// Whether what a state is compared by is something other than the state.
    pub is_derived: bool,
    /// Memory that the new states of each worker may take.
    pub bytes_max: usize,
    /// Asked now and then: whether to give up.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
}

/// Less is not worth a second thread.
const PARALLEL_BYTES_MIN: u64 = 1 << 20;
/// After so many states, whoever has to end the search is asked.
const STATES_BETWEEN_LOOKS: u32 = 1 << 14;

impl Merge<'_> {
    /// Adds what is new to what was visited. The new states, in runs sorted by where each was found.
    pub fn run(&self, n_workers: usize) -> io::Result<Vec<BlockFile>> {
        let next = &AtomicUsize::new(0);
        let n_bytes: u64 = self.found.iter().map(BlockFile::n_bytes).sum();
        if n_workers == 1 || n_bytes < PARALLEL_BYTES_MIN {
            return self.work(next);
        }
        std::thread::scope(|scope| {
            let start = |_| base::spawn_deep(scope, STACK_BYTES, move || self.work(next));
            let workers: Vec<_> = (0..n_workers.min(N_RANGES)).map(start).collect();
            let mut new = Vec::new();
            for worker in workers {
                new.extend(base::join(worker)?);
            }
            Ok(new)
        })
    }

    /// Looks after one range after the other.
    fn work(&self, next: &AtomicUsize) -> io::Result<Vec<BlockFile>> {
        let mut new = New { merge: self, buffer: Buffer::default(), runs: Vec::new() };
        loop {
            let range = next.fetch_add(1, Ordering::Relaxed);
            if range >= N_RANGES {
                break;
            }
            let run = self.one(range, &mut new)?;
            self.visited.add_run(range, run, self.folder)?;
        }
        new.flush()?;
        Ok(new.runs)
    }

    fn one(&self, range: usize, new: &mut New<'_>) -> io::Result<BlockFile> {
        let bounds = Visited::bounds(range);
        let runs = self.visited.runs(range);
        let mut before = Vec::new();
        let mut found = Merged::new(self.found, bounds)?;
        let mut writer = BlockWriter::new(self.folder);
        let mut n_found = 0_u32;
        let mut last_number = None;
        while let Some(record) = found.next()? {
            debug_assert!(last_number <= Some(record.number), "runs are sorted");
            last_number = Some(record.number);
            n_found = n_found.wrapping_add(1);
            if n_found.is_multiple_of(STATES_BETWEEN_LOOKS) && (self.is_over)() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let origin = Origin::of(record.extra);
            // States that the filter knows to be new skip the pass, with all blocks that nobody else needs.
            if !origin.is_surely_new {
                if before.is_empty() {
                    before = cursors(&runs, (record.number, bounds.1))?;
                }
                if is_in(&mut before, record)? {
                    continue;
                }
            }
            Record { extra: &[], ..record }.push_to(writer.record(record.number)?);
            self.visited.filter.add(record.number);
            new.push(origin, if self.is_derived { &record.extra[Origin::N_BYTES..] } else { record.key })?;
        }
        writer.finish()
    }
}

fn cursors(runs: &[BlockFile], range: (u128, u128)) -> io::Result<Vec<Cursor<'_>>> {
    runs.iter().map(|run| Cursor::new(run, range)).collect()
}

/// Whether one of the runs has it. They are only ever read forwards.
fn is_in(before: &mut [Cursor<'_>], record: Record<'_>) -> io::Result<bool> {
    for cursor in before {
        cursor.seek(record.number, record.key)?;
        if cursor.record().is_some_and(|known| known.number == record.number && known.key == record.key) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// New states of one worker.
struct New<'m> {
    merge: &'m Merge<'m>,
    buffer: Buffer,
    runs: Vec<BlockFile>,
}

impl New<'_> {
    fn push(&mut self, origin: Origin, state: &[u8]) -> io::Result<()> {
        let extra: &[u8] = if origin.is_checked { &[] } else { &[UNCHECKED] };
        self.buffer.push(Record { number: number(origin.key), key: state, extra });
        if self.buffer.n_bytes() >= self.merge.bytes_max {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            let run = self.buffer.write(self.merge.folder)?;
            self.runs.push(run);
        }
        Ok(())
    }
}

/// Stands behind a new state whose invariants are still to be evaluated.
const UNCHECKED: u8 = 1;

/// Returns the number by which new states are sorted: in the upper half, where sorting looks first.
fn number(key: OrderKey) -> u128 {
    u128::from(key.rank) << 96 | u128::from(key.ordinal) << 64
}

/// Where a new state was found, and whether its invariants were evaluated.
pub(super) fn found_by(record: Record<'_>) -> (OrderKey, bool) {
    let key = OrderKey { rank: (record.number >> 96) as u32, ordinal: (record.number >> 64) as u32 };
    (key, record.extra.is_empty())
}
