//! Breadth-first: level by level, any number of workers.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use eval::interp::Machine;

use crate::context::Context;
use crate::expand::{Expander, Harvest};
use crate::periodic;
use crate::run::{Board, WorkerRun};
use crate::space::Handle;

/// Values of this many bytes are kept before a region is emptied.
pub(crate) const REGION_BYTES_MAX: usize = 1 << 18;
/// A smaller level is not worth a second thread.
const PARALLEL_LEN_MIN: usize = 64;
/// How many states a worker takes at once, at most.
const CHUNK_LEN_MAX: usize = 64;
pub(crate) const STACK_BYTES: usize = 256 << 20;

/// Hands out the states of a level.
struct Feed<'l> {
    level: &'l [Handle],
    next: AtomicUsize,
    chunk_len: usize,
    /// No state of a greater rank is expanded: something was found that ends the search.
    last_rank: AtomicU32,
}

/// Which worker it is.
#[derive(Clone, Copy)]
struct Seat {
    worker: usize,
    is_alone: bool,
}

impl Feed<'_> {
    fn take(&self, board: &Board<'_>) -> Option<std::ops::Range<usize>> {
        if board.spill_due.load(Ordering::Relaxed) {
            return None;
        }
        let start = self.next.fetch_add(self.chunk_len, Ordering::Relaxed);
        (start < self.level.len()).then(|| start..(start + self.chunk_len).min(self.level.len()))
    }
}

/// What came of a level.
pub(crate) struct Expanded {
    pub harvests: Vec<Harvest>,
    /// So many of its first states were expanded, if the rest is to be expanded from disk.
    pub n_before_spill: Option<usize>,
}

/// Expands every state of a level, each worker with its own run.
pub(crate) fn expand_level<'a>(context: &'a Context<'a>, level: &[Handle], depth: u32) -> Expanded {
    let n_workers = if level.len() < PARALLEL_LEN_MIN { 1 } else { context.board.options.n_workers.max(1) };
    let chunk_len = (level.len() / (n_workers * 8)).clamp(1, CHUNK_LEN_MAX);
    let feed = Feed { level, next: AtomicUsize::new(0), chunk_len, last_rank: AtomicU32::new(u32::MAX) };
    let harvests = match n_workers {
        1 => vec![work(context, &feed, depth, Seat { worker: 0, is_alone: true })],
        _ => work_together(context, &feed, depth, n_workers),
    };
    // Whoever took states expanded all of them, unless something ends the search.
    let n_taken = feed.next.load(Ordering::Relaxed).min(level.len());
    let is_cut = n_taken == level.len() || feed.last_rank.load(Ordering::Relaxed) != u32::MAX;
    Expanded { harvests, n_before_spill: (!is_cut && !is_over(context)).then_some(n_taken) }
}

fn work_together<'a>(
    context: &'a Context<'a>,
    feed: &Feed<'_>,
    depth: u32,
    n_workers: usize,
) -> Vec<Harvest> {
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..n_workers)
            .map(|worker| {
                let seat = Seat { worker, is_alone: false };
                let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
                let spawned = thread.spawn_scoped(scope, move || work(context, feed, depth, seat));
                spawned.expect("a thread can be started")
            })
            .collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, Harvest>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().map(join).collect()
    })
}

/// Expands states until there are none left, or no more are needed.
fn work<'a>(context: &'a Context<'a>, feed: &Feed<'_>, depth: u32, seat: Seat) -> Harvest {
    let run = WorkerRun::new(context, seat.worker);
    let mut expander = Expander::new(context, &run, seat.is_alone);
    let mut region = context.board.region();
    let mut taken = 0..0;
    loop {
        region.reset();
        let mut machine = Machine::new(context.program(), context.shared, &region, &run);
        while region.bytes_used() < REGION_BYTES_MAX {
            let Some(rank) = taken.next() else {
                context.board.tick(context.space);
                periodic::look(context, &run);
                match feed.take(context.board) {
                    Some(range) => taken = range,
                    None => return expander.finish(),
                }
                continue;
            };
            if rank as u32 > feed.last_rank.load(Ordering::Relaxed) || is_over(context) {
                return expander.finish();
            }
            let n_findings = expander.harvest.findings.len();
            expander.expand(&mut machine, feed.level[rank], rank as u32, depth);
            if expander.harvest.findings[n_findings..].iter().any(|finding| expander.is_end(finding)) {
                feed.last_rank.fetch_min(rank as u32, Ordering::Relaxed);
            }
            is_full(context, feed);
        }
    }
}

pub(crate) fn is_over(context: &Context<'_>) -> bool {
    context.board.is_over() || context.board.exit.load(Ordering::Relaxed)
}

/// Enough states for `--max-states` have been found once those that are being expanded are finished.
fn is_full(context: &Context<'_>, feed: &Feed<'_>) {
    if let Some(max) = context.board.options.states_max
        && context.space.is_longer_than(max)
    {
        let begun = feed.next.load(Ordering::Relaxed).min(feed.level.len()).saturating_sub(1);
        feed.last_rank.fetch_min(begun as u32, Ordering::Relaxed);
    }
}
