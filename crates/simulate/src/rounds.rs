//! Makes walks in rounds, shared among workers.
//!
//! The results of walks are combined at the end of a round, in the order of their numbers, up to the first that found
//! something. The lessons of a round are used in the next one, so that a walk does not depend on who made the others.
//! Without a guide that learns, rounds have no visible effect.

use std::sync::atomic::{AtomicU64, Ordering};

use model::STACK_BYTES;

use crate::compiled::Workshop;
use crate::context::Context;
use crate::endless;
use crate::findings::{Passing, may_go_on};
use crate::guide::Guide;
use crate::learned::Learned;
use crate::options::{Event, Mode, Walks};
use crate::path;
use crate::periodic;
use crate::rare::Rare;
use crate::run::WalkRun;
use crate::statistics::Tally;
use crate::walk::{Assignment, FinishedWalk, Gear, walk};

/// Number of walks between two times of learning. It is part of what a seed means.
const LEARNED_LEN: u64 = 16;
/// The approximate number of walks that a worker makes in a round.
const WALKS_PER_WORKER: u64 = 64;
/// The most states of all walks of a round, unless each worker has just one walk.
const ROUND_STATES_MAX: u64 = 1 << 20;

/// The results of the walks.
pub(crate) struct Walkings {
    pub tally: Tally,
    /// The walk whose finding ended them.
    pub last: Option<Box<FinishedWalk>>,
    /// Violations that were found before.
    pub passing: Passing,
}

/// The knowledge so far.
enum Memory {
    None,
    Learned(Learned),
    Rare(Rare),
}

impl Memory {
    fn new(context: &Context<'_>) -> Memory {
        match context.options.mode {
            Mode::Uniform | Mode::Drawn | Mode::Successors => Memory::None,
            Mode::Learned | Mode::LearnedActions => Memory::Learned(Learned::new(context.actions.len())),
            Mode::Coverage => Memory::Rare(Rare::new(context.names.len())),
        }
    }

    fn guide(&self, mode: Mode) -> Guide<'_> {
        match (self, mode) {
            (Memory::Learned(learned), Mode::LearnedActions) => Guide::LearnedActions(learned),
            (Memory::Learned(learned), _) => Guide::Learned(learned),
            (Memory::Rare(rare), _) => Guide::Coverage(rare),
            (Memory::None, Mode::Drawn) => Guide::Drawn,
            (Memory::None, Mode::Successors) => Guide::Successors,
            (Memory::None, Mode::Uniform | Mode::Learned | Mode::LearnedActions | Mode::Coverage) => {
                Guide::Uniform
            }
        }
    }

    fn learn(&mut self, context: &Context<'_>, walked: &FinishedWalk) {
        match self {
            Memory::None => {}
            Memory::Learned(learned) if context.options.mode == Mode::LearnedActions => {
                learned.dislike(&walked.lessons);
            }
            Memory::Learned(learned) => learned.learn(&walked.lessons),
            Memory::Rare(rare) => rare.learn(&walked.lessons, &context.name_of),
        }
    }

    fn is_none(&self) -> bool {
        matches!(self, Memory::None)
    }
}

/// Makes walks until there are enough, or one finds something after which there are no others.
pub(crate) fn walk_all(context: &Context<'_>) -> Walkings {
    let mut walkings =
        Walkings { tally: Tally::new(context.options), last: None, passing: Passing::default() };
    let mut memory = Memory::new(context);
    let (mut next, end) = match context.options.walks {
        Walks::First(n) => (0, n.unwrap_or(u64::MAX)),
        // Otherwise it needs what was learned from the walks before it.
        Walks::Only(number) if memory.is_none() => (number, number.saturating_add(1)),
        Walks::Only(number) => (0, number.saturating_add(1)),
    };
    let round_len = round_len(context, &memory);
    let mut workshop = Workshop::default();
    while next < end && !walkings.have_ended(context) && !context.board.is_over() {
        let last = next.saturating_add(round_len).min(end);
        workshop.prepare(context, context.board.n_generated.load(Ordering::Relaxed));
        let round = make_round((context, &workshop), memory.guide(context.options.mode), (next, last));
        for mut walked in round {
            memory.learn(context, &walked);
            workshop.add_examples(std::mem::take(&mut walked.examples));
            if !is_asked_for(context, walked.number) {
                continue;
            }
            walkings.add(context, walked);
            if walkings.have_ended(context) {
                break;
            }
        }
        next = last;
    }
    walkings
}

impl Walkings {
    fn add(&mut self, context: &Context<'_>, walked: FinishedWalk) {
        self.tally.add(context, &walked);
        match may_go_on(context, &walked.ending) {
            true if walked.ending.is_finding() => {
                self.passing.add(context, walked, self.tally.n_walks_and_states(context));
            }
            true => {}
            false => self.last = Some(Box::new(walked)),
        }
    }

    /// Whether a finding ends the walks.
    fn have_ended(&self, context: &Context<'_>) -> bool {
        self.last.is_some() || self.passing.is_enough(context)
    }
}

/// Whether a walk counts; those that are made only to learn from them do not.
fn is_asked_for(context: &Context<'_>, number: u64) -> bool {
    match context.options.walks {
        Walks::First(_) => true,
        Walks::Only(only) => only == number,
    }
}

fn round_len(context: &Context<'_>, memory: &Memory) -> u64 {
    if !memory.is_none() {
        return LEARNED_LEN;
    }
    let n_workers = context.board.n_workers() as u64;
    let by_states = ROUND_STATES_MAX / (u64::from(context.options.depth) + 1);
    (n_workers * WALKS_PER_WORKER).min(by_states).max(n_workers)
}

/// Makes the walks of a round, and returns them in order.
fn make_round(
    (context, workshop): (&Context<'_>, &Workshop),
    guide: Guide<'_>,
    (first, end): (u64, u64),
) -> Vec<FinishedWalk> {
    let feed = &Feed { first, next: AtomicU64::new(first), end: AtomicU64::new(end) };
    let n_workers = context.board.n_workers();
    let mut round: Vec<FinishedWalk> = match n_workers {
        1 => work((context, workshop), guide, (0, feed)),
        _ => std::thread::scope(|scope| {
            let spawn = |worker: usize| {
                base::spawn_deep(scope, STACK_BYTES, move || work((context, workshop), guide, (worker, feed)))
            };
            let workers: Vec<_> = (0..n_workers).map(spawn).collect();
            workers.into_iter().flat_map(base::join).collect()
        }),
    };
    round.sort_by_key(|walked| walked.number);
    let is_of_round = |walked: &FinishedWalk| (first..end).contains(&walked.number);
    assert!(round.iter().all(is_of_round), "a round has its own walks");
    debug_assert!(round.is_sorted_by(|one, other| one.number < other.number), "each walk is made once");
    round
}

/// Hands out the walks of a round.
struct Feed {
    first: u64,
    next: AtomicU64,
    /// The number from which on no walk is needed.
    end: AtomicU64,
}

impl Feed {
    fn take(&self) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.end.load(Ordering::Relaxed)).then_some(number)
    }
}

/// Makes walks until there are none left, or no more are needed.
fn work(
    (context, workshop): (&Context<'_>, &Workshop),
    guide: Guide<'_>,
    (worker, feed): (usize, &Feed),
) -> Vec<FinishedWalk> {
    let run = WalkRun::new(context, worker);
    let mut region = context.board.region();
    let mut gear = Gear::new(workshop.hand());
    let mut made = Vec::new();
    while let Some(number) = feed.take() {
        periodic::look(context, &run);
        if context.board.is_over() {
            break;
        }
        gear.shows_examples = workshop.wants_examples(context, number == feed.first);
        let mut walked;
        (walked, gear) = walk(context, &run, Assignment { number, guide }, &mut region, gear);
        if is_asked_for(context, number) {
            endless::judge(context, &run, &mut walked);
        }
        let board = context.board;
        board.n_walks.fetch_add(1, Ordering::Relaxed);
        board.n_generated.fetch_add(walked.n_generated, Ordering::Relaxed);
        if !may_go_on(context, &walked.ending) {
            feed.end.fetch_min(number, Ordering::Relaxed);
        }
        if context.options.tells_walks && is_asked_for(context, number) {
            tell(context, &run, &walked);
        }
        made.push(walked);
    }
    gear.hand.into_iter().for_each(|hand| workshop.give_back(hand));
    made
}

/// Passes a walk to the observer.
fn tell(context: &Context<'_>, run: &WalkRun<'_>, walked: &FinishedWalk) {
    let Some(path) = path::replay(context, run, walked) else { return };
    let mut trace = path::trace(context, run, &path);
    trace.finding = trace::Finding::Example { description: format!("walk {}", walked.number) };
    context.board.observer.event(Event::Walk { number: walked.number, trace: &trace });
}
