//! Breadth-first: level by level, any number of workers.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use eval::interp::Machine;
use model::{REGION_BYTES_MAX, STACK_BYTES, What};

use crate::answer::Counts;
use crate::context::Context;
use crate::crew::Crew;
use crate::expand::{Company, Expander, Exploration, Harvest};
use crate::live::Liveness;
use crate::periodic;
use crate::run::{Board, WorkerRun};
use crate::space::Handle;

/// A smaller level is not worth a second thread.
const PARALLEL_LEN_MIN: usize = 64;
/// How many states a worker takes at once, at most: neighbours have much in common, and what one worker has made of one
/// of them it need not make again for the next.
const CHUNK_LEN_MAX: usize = 1 << 9;
/// Towards the end of a level a worker takes less, so that all end at about the same time.
const CHUNKS_LEFT_PER_WORKER: usize = 8;
/// Memory that a small search needs besides its stacks.
const TABLES_BYTES: u64 = 512 << 20;

/// How much address space a process needs for a search with so many workers.
pub fn address_space_min(n_workers: usize) -> u64 {
    // The first stack is of the thread that starts the workers.
    (n_workers as u64 + 1) * STACK_BYTES as u64 + TABLES_BYTES
}

/// Hands out the states of a level.
struct Feed {
    level: Arc<[Handle]>,
    /// The first that is handed out.
    from: usize,
    next: AtomicUsize,
    n_workers: usize,
    /// Largest rank that is expanded: something was found that ends the search.
    last_rank: AtomicU32,
}

/// Which worker it is.
#[derive(Clone, Copy)]
struct Seat {
    worker: usize,
    company: Company,
}

/// A level, or what is left of it.
#[derive(Clone)]
pub(crate) struct Task {
    pub level: Arc<[Handle]>,
    /// Number of states that have been expanded already.
    pub n_expanded: usize,
    pub depth: u32,
    /// Counts when the level began, which is all that several workers know of the run.
    pub counts: Counts,
}

/// The results of expanding some states.
pub(crate) struct Expanded {
    pub harvests: Vec<Harvest>,
    /// All states before this rank are wholly expanded. Less than the whole level when a checkpoint is due or the
    /// search is over.
    pub n_complete: usize,
    /// Whether the rest is to be expanded from disk.
    pub is_to_spill: bool,
}

impl Feed {
    /// The next states to expand; before a checkpoint the first are handed out in any case.
    fn take(&self, board: &Board<'_>) -> Option<std::ops::Range<usize>> {
        let is_begun = self.next.load(Ordering::Relaxed) > self.from;
        if board.limits.spill_due.load(Ordering::Relaxed) || board.is_checkpoint_due() && is_begun {
            return None;
        }
        let end_of = |start: usize| {
            let n_left = self.level.len().checked_sub(start).filter(|&n_left| n_left > 0)?;
            Some(start + (n_left / (self.n_workers * CHUNKS_LEFT_PER_WORKER)).clamp(1, CHUNK_LEN_MAX))
        };
        let start = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, end_of).ok()?;
        end_of(start).map(|end| start..end)
    }
}

/// Expands every state of a level, each worker with its own run; fewer if a checkpoint is due.
pub(crate) fn expand_level<'a>(context: &'a Context<'a>, crew: &Crew<'a>, task: Task) -> Expanded {
    let (level, from) = (Arc::clone(&task.level), task.n_expanded);
    // What asks about the run must be asked after each state, in order.
    let is_one_by_one = context.liveness.is_some_and(Liveness::asks);
    let n_workers = if level.len() < PARALLEL_LEN_MIN || is_one_by_one { 1 } else { crew.n_workers() };
    let (next, last_rank) = (AtomicUsize::new(from), AtomicU32::new(u32::MAX));
    let feed = Arc::new(Feed { level, from, next, n_workers, last_rank });
    let company = if n_workers == 1 { Company::Alone } else { Company::Shared };
    let expand = {
        let feed = Arc::clone(&feed);
        move |worker| work(context, &feed, &task, Seat { worker, company })
    };
    let harvests = crew.each((0..n_workers).collect(), expand);
    let n_complete = n_complete(context, &feed, &harvests);
    assert!(
        (from..=feed.level.len()).contains(&n_complete),
        "no more is expanded than was there, and no less"
    );
    // Whoever took states expanded all of them, unless something ends the search.
    let ends = feed.last_rank.load(Ordering::Relaxed) != u32::MAX || is_over(context);
    let is_to_spill =
        context.board.limits.spill_due.load(Ordering::Relaxed) && n_complete < feed.level.len() && !ends;
    Expanded { harvests, n_complete, is_to_spill }
}

/// Up to which rank all states are wholly expanded.
fn n_complete(context: &Context<'_>, feed: &Feed, harvests: &[Harvest]) -> usize {
    let board = context.board;
    let findings = || harvests.iter().flat_map(|harvest| &harvest.findings);
    if findings().any(|finding| matches!(finding.what, What::Full)) {
        board.limits.memory_over.store(true, Ordering::Relaxed);
    }
    if !board.is_over() {
        // TLC: a search that the specification ends is a success, with states left.
        let is_whole = board.exit.load(Ordering::Relaxed);
        let n_begun = feed.next.load(Ordering::Relaxed).min(feed.level.len());
        return if is_whole { feed.level.len() } else { n_begun };
    }
    let mut runs: Vec<Range<u32>> = harvests.iter().flat_map(|harvest| harvest.generated.ranks()).collect();
    runs.sort_by_key(|run| run.start);
    let reach = |end: u32, run: &Range<u32>| if run.start <= end { end.max(run.end) } else { end };
    let n_complete = runs.iter().fold(feed.from as u32, reach) as usize;
    // What was cut off in the middle: the state that was expanded, and a new state that was being checked, which
    // another worker may have reached from an earlier one.
    let cut_off =
        findings().filter(|finding| finding.what.is_interruption() || matches!(finding.what, What::Full));
    let ranks = cut_off.flat_map(|finding| {
        let found = finding.slot.map(|slot| context.space.key(slot).rank);
        [Some(finding.key.rank), found]
    });
    ranks.flatten().map(|rank| rank as usize).min().map_or(n_complete, |rank| rank.min(n_complete))
}

/// Expands states until there are none left, or no more are needed.
fn work<'a>(context: &'a Context<'a>, feed: &Feed, task: &Task, seat: Seat) -> Harvest {
    let run = match seat.company {
        Company::Alone => WorkerRun::new(context, seat.worker),
        Company::Shared => WorkerRun::among_others(context, seat.worker, task.counts),
    };
    run.since.settled.set(task.n_expanded as u64);
    let mut expander = Expander::new(context, &run, seat.company, Exploration::BreadthFirst);
    let mut region = context.board.region();
    let (mut taken, mut n_told) = (0..0, 0);
    loop {
        region.reset();
        let mut machine = Machine::new(context.program(), context.shared, &region, &run);
        while !region.is_reset_due(REGION_BYTES_MAX) {
            let Some(rank) = taken.next() else {
                let generated = &expander.harvest.generated;
                context
                    .board
                    .counters
                    .generated_meanwhile
                    .fetch_add(generated.after(n_told), Ordering::Relaxed);
                n_told = generated.n_states();
                context.board.tick(context.space);
                periodic::look(context, &run);
                expander.look_for_code(&task.level, task.counts.generated, feed.n_workers);
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
            if let Some(&upcoming) = feed.level.get(rank + 1) {
                expander.foresee(upcoming);
            }
            expander.expand(&mut machine, feed.level[rank], rank as u32, task.depth);
            let has_ended =
                expander.harvest.findings[n_findings..].iter().any(|finding| expander.is_end(finding));
            if has_ended || context.liveness.is_some_and(Liveness::is_in_trouble) {
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
fn is_full(context: &Context<'_>, feed: &Feed) {
    if let Some(max) = context.board.options.states_max
        && context.space.is_longer_than(max)
    {
        let begun = feed.next.load(Ordering::Relaxed).min(feed.level.len()).saturating_sub(1);
        feed.last_rank.fetch_min(begun as u32, Ordering::Relaxed);
    }
}
