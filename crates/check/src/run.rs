//! The search as evaluation sees it: registers, TLCGet's names, random numbers, printing.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use diag::Span;
use eval::{Fact, Owned, Register, Request, Run, World};
use model::{FoundBy, Model, QuietRun, Registers};

use crate::aim::{Aim, Reached};
use crate::answer::Counts;
use crate::context::Context;
use crate::observe::{Event, Observer, Progress};
use crate::options::Options;
use crate::periodic;
use crate::rebuild;
use crate::space::{Handle, Space};
use crate::spill::Reading;
use trace::Trace;
use value::{Ground, Heap, Interner, Region, ValueId, ops};

/// Which part of the memory is for values that are being computed: one in so many.
const REGIONS_SHARE: usize = 4;
/// A search goes to disk once its tables fill one in so many parts of the memory. They grow by doubling, and what was
/// interned stays.
const SPILL_SHARE: usize = 2;
/// How often a worker is asked whether to go on before it looks at the clock.
const POLLS_PER_TICK: u32 = 16;
/// The trace of what was found is made though the time is up or the run was interrupted, for so long.
const TRACE_GRACE: Duration = Duration::from_secs(5);

/// The counts of a search, as they were settled last.
#[derive(Default)]
pub(crate) struct Counters {
    pub generated: AtomicU64,
    /// Number of states generated in the current level, as far as workers have reported; for progress only.
    pub generated_meanwhile: AtomicU64,
    pub distinct: AtomicU64,
    pub queue: AtomicU64,
    pub depth: AtomicU32,
    pub initial: AtomicU64,
}

struct CheckpointClock {
    /// Time at which the next checkpoint is due, in milliseconds.
    due_ms: AtomicU64,
    is_due: AtomicBool,
}

/// The limits that a search has reached.
#[derive(Default)]
pub(crate) struct LimitsReached {
    /// Whether the time is up.
    pub time_over: AtomicBool,
    /// Whether the states fill the memory.
    pub memory_over: AtomicBool,
    /// Whether they fill so much of it that the search must go on from disk.
    pub spill_due: AtomicBool,
    /// Whether the disk failed.
    pub disk_over: AtomicBool,
    /// `_PERIODIC` ended the search.
    pub periodic_over: AtomicBool,
}

/// Data that all workers of a search share besides its states.
pub(crate) struct Board<'a> {
    pub options: &'a Options<'a>,
    pub observer: &'a dyn Observer,
    pub counters: Counters,
    /// Workers are at work: registers belong to each of them.
    pub started: AtomicBool,
    /// `TLCSet("exit", TRUE)`
    pub exit: AtomicBool,
    pub limits: LimitsReached,
    /// The aim of the search, if there is one, and how far it came in the end.
    pub aim: Option<&'a Aim>,
    pub reached: Mutex<Option<Reached>>,
    /// The search goes on from disk.
    pub is_on_disk: AtomicBool,
    /// Time of the next evaluation of `_PERIODIC`, and its outcome if that ends the search.
    pub periodic: Mutex<model::Periodic>,
    checkpoint: CheckpointClock,
    /// Duration of the earlier parts of the search.
    elapsed_before: Duration,
    /// Memory for the steps that were written down.
    pub step_bytes: AtomicUsize,
    /// Memory that the search for behaviours has now, and had at most.
    behaviour_bytes: AtomicUsize,
    pub behaviour_bytes_most: AtomicUsize,
    /// Number of states that each action found first, where that is counted.
    pub found_by: Mutex<FoundBy>,
    registers: Vec<Mutex<Registers>>,
    /// A register was set by a worker.
    are_registers_used: AtomicBool,
    /// Time of the last report of progress, in milliseconds.
    told_ms: Mutex<u64>,
    /// `CounterExample`, once there is one.
    counterexample: Mutex<Option<Trace>>,
}

impl<'a> Board<'a> {
    /// `elapsed_before`: how long the search took before it was gone on with.
    pub fn new(options: &'a Options<'a>, observer: &'a dyn Observer, elapsed_before: Duration) -> Self {
        let board = Board {
            options,
            observer,
            counters: Counters::default(),
            started: AtomicBool::new(false),
            exit: AtomicBool::new(false),
            limits: LimitsReached::default(),
            aim: None,
            reached: Mutex::default(),
            is_on_disk: AtomicBool::new(false),
            periodic: Mutex::new(model::Periodic::first_after(periodic::FIRST_MS)),
            checkpoint: CheckpointClock { due_ms: AtomicU64::new(u64::MAX), is_due: AtomicBool::new(false) },
            elapsed_before,
            step_bytes: AtomicUsize::new(0),
            behaviour_bytes: AtomicUsize::new(0),
            behaviour_bytes_most: AtomicUsize::new(0),
            found_by: Mutex::default(),
            registers: (0..options.n_workers.max(1)).map(|_| Mutex::default()).collect(),
            are_registers_used: AtomicBool::new(false),
            told_ms: Mutex::new(0),
            counterexample: Mutex::new(None),
        };
        board.set_next_checkpoint();
        board
    }

    /// How long the search has taken, with the parts before it was gone on with.
    pub fn elapsed(&self) -> Duration {
        self.elapsed_before + self.options.clock.elapsed()
    }

    pub fn is_checkpoint_due(&self) -> bool {
        self.checkpoint.is_due.load(Ordering::Relaxed)
    }

    /// The next checkpoint is due so long after now.
    pub fn set_next_checkpoint(&self) {
        let Some(checkpoints) = self.options.checkpoints else { return };
        let due = self.options.clock.elapsed() + checkpoints.every;
        self.checkpoint.due_ms.store(due.as_millis() as u64, Ordering::Relaxed);
        self.checkpoint.is_due.store(false, Ordering::Relaxed);
    }

    pub fn counts(&self) -> Counts {
        Counts {
            generated: self.counters.generated.load(Ordering::Relaxed),
            distinct: self.counters.distinct.load(Ordering::Relaxed),
            queue: self.counters.queue.load(Ordering::Relaxed),
            depth: self.counters.depth.load(Ordering::Relaxed),
            initial: self.counters.initial.load(Ordering::Relaxed),
        }
    }

    /// A region for one worker's evaluation.
    pub fn region(&self) -> Region {
        let n_regions = self.registers.len() + self.options.n_judges;
        Region::with_limit(self.options.memory_bytes_max / REGIONS_SHARE / n_regions)
    }

    fn bytes_used(&self, space: &Space) -> usize {
        let of_behaviours = self.behaviour_bytes.load(Ordering::Relaxed);
        space.memory().total() + self.step_bytes.load(Ordering::Relaxed) + of_behaviours
    }

    /// The search for behaviours holds so much now.
    pub fn hold_for_behaviours(&self, n_bytes: usize) {
        self.behaviour_bytes.store(n_bytes, Ordering::Relaxed);
        self.behaviour_bytes_most.fetch_max(n_bytes, Ordering::Relaxed);
    }

    /// Whether there is room for more states.
    fn has_room(&self, space: &Space) -> bool {
        self.bytes_used(space)
            <= self.options.memory_bytes_max - self.options.memory_bytes_max / REGIONS_SHARE
    }

    fn look_at_memory(&self, space: &Space) {
        if self.is_on_disk.load(Ordering::Relaxed) {
            return;
        }
        // LIMIT: the initial states are found in memory.
        if let Some(spill) = self.options.spill.as_ref().filter(|_| self.started.load(Ordering::Relaxed)) {
            let is_due = self.bytes_used(space) > self.options.memory_bytes_max / SPILL_SHARE
                || spill.after_states.is_some_and(|after| space.is_longer_than(after));
            self.limits.spill_due.fetch_or(is_due, Ordering::Relaxed);
        } else if !self.has_room(space) {
            self.limits.memory_over.store(true, Ordering::Relaxed);
        }
        // The system gives no more, whatever the limit is.
        if Heap::is_exhausted() {
            self.limits.memory_over.store(true, Ordering::Relaxed);
        }
    }

    pub fn set_counts(&self, counts: Counts) {
        self.counters.generated.store(counts.generated, Ordering::Relaxed);
        self.counters.generated_meanwhile.store(0, Ordering::Relaxed);
        self.counters.distinct.store(counts.distinct, Ordering::Relaxed);
        self.counters.queue.store(counts.queue, Ordering::Relaxed);
        self.counters.depth.store(counts.depth, Ordering::Relaxed);
        self.counters.initial.store(counts.initial, Ordering::Relaxed);
    }

    /// Whether the search must end before it is complete.
    pub fn is_over(&self) -> bool {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        is_set(self.options.interrupted)
            || is_set(&self.limits.time_over)
            || is_set(&self.limits.memory_over)
            || is_set(&self.limits.disk_over)
            || is_set(&self.limits.periodic_over)
    }

    /// To be called now and then: looks at the clock and the memory, tells about progress.
    pub fn tick(&self, space: &Space) {
        let elapsed = self.options.clock.elapsed();
        if self.options.time_max.is_some_and(|limit| elapsed >= limit) {
            self.limits.time_over.store(true, Ordering::Relaxed);
        }
        self.look_at_memory(space);
        let now_ms = elapsed.as_millis() as u64;
        if now_ms >= self.checkpoint.due_ms.load(Ordering::Relaxed) {
            self.checkpoint.is_due.store(true, Ordering::Relaxed);
        }
        let Ok(mut told_ms) = self.told_ms.try_lock() else { return };
        if Duration::from_millis(now_ms.saturating_sub(*told_ms)) < self.observer.progress_interval() {
            return;
        }
        *told_ms = now_ms;
        let counts = match self.is_on_disk.load(Ordering::Relaxed) {
            true => self.counts(),
            false => self.counts_so_far(space),
        };
        let bytes_used = self.bytes_used(space);
        self.observer.event(Event::Progress(Progress { counts, elapsed, bytes_used }));
    }

    /// Returns the counts in the middle of a level. Workers say what they generated now and then, and a state that is found was
    /// generated.
    fn counts_so_far(&self, space: &Space) -> Counts {
        let (counts, distinct) = (self.counts(), space.len() as u64);
        let generated = counts.generated + self.counters.generated_meanwhile.load(Ordering::Relaxed);
        Counts { generated: generated.max(distinct), distinct, ..counts }
    }

    /// Keeps the trace for whoever asks for it as a value.
    pub fn keep_counterexample(&self, trace: Option<&Trace>) {
        *self.counterexample.lock().unwrap_or_else(PoisonError::into_inner) = trace.cloned();
    }

    fn registers(&self, worker: usize) -> MutexGuard<'_, Registers> {
        self.registers[worker].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a worker has set a register.
    pub fn are_registers_used(&self) -> bool {
        self.are_registers_used.load(Ordering::Relaxed)
    }

    /// The registers of all workers.
    pub fn all_registers(&self) -> Vec<Registers> {
        (0..self.registers.len()).map(|worker| self.registers(worker).clone()).collect()
    }

    /// Gives each worker its registers again; workers that were not there before get those that all had alike.
    pub fn restore_registers(&self, kept: &[Registers], are_used: bool) {
        for worker in 0..self.registers.len() {
            if let Some(registers) = kept.get(worker).or(kept.first()) {
                *self.registers(worker) = registers.clone();
            }
        }
        self.are_registers_used.store(are_used, Ordering::Relaxed);
    }

    /// Returns the registers as `TLCGet("all")` reports them.
    fn all(&self, is_named: bool) -> Owned {
        model::all_registers(self.all_registers().into_iter(), is_named)
    }
}

/// The work of a worker since the counts of the board were settled. TLC's counts move with every state; so do these for
/// a worker that is alone. Those of several are settled at the end of a level, so that no answer depends on who was
/// first.
#[derive(Default)]
pub(crate) struct Since {
    pub generated: Cell<u64>,
    pub distinct: Cell<u64>,
    /// Number of states of the level that have been expanded.
    pub expanded: Cell<u64>,
    /// Number of these that the board knows of.
    pub settled: Cell<u64>,
    /// The level of the deepest new state.
    pub depth: Cell<u32>,
    /// Whether the newest state is being checked and is not on the queue yet.
    pub is_checking: Cell<bool>,
}

/// One worker's view of the search.
pub(crate) struct WorkerRun<'a> {
    board: &'a Board<'a>,
    space: &'a Space,
    model: Model<'a>,
    /// `None` before the actions are known.
    context: Option<&'a Context<'a>>,
    worker: usize,
    level: Cell<u32>,
    /// The state that is being expanded.
    current: Cell<Option<Handle>>,
    /// The expanded state, if it was read from disk.
    reading: Reading,
    /// Whether what is evaluated is about a successor of it.
    in_successor: Cell<bool>,
    /// The state of the random numbers, once one was asked for.
    random: Cell<Option<u64>>,
    pub since: Since,
    /// The counts of the run as a worker knows them that is not alone; otherwise the board has them.
    counts: Option<Counts>,
    /// Number of times that evaluation asked whether to go on.
    n_polls: Cell<u32>,
    /// Whether printing is off, because a trace is made again.
    quiet: Cell<bool>,
    /// Time at which the making of traces must end, once the run is over.
    trace_end: Cell<Option<Duration>>,
    /// Whether printing is off; the limits count as ever.
    is_silent: bool,
    /// Somebody else looks at the clock and the memory.
    is_behind: bool,
}

impl<'a> WorkerRun<'a> {
    /// Before there is a search.
    pub fn preparing(board: &'a Board<'a>, space: &'a Space, model: Model<'a>) -> Self {
        WorkerRun::with((board, space), model, None, 0)
    }

    pub fn new(context: &'a Context<'a>, worker: usize) -> Self {
        WorkerRun::with((context.board, context.space), context.model, Some(context), worker)
    }

    /// One of several workers: all know the same counts as long as a level lasts.
    pub fn among_others(context: &'a Context<'a>, worker: usize, counts: Counts) -> Self {
        WorkerRun { counts: Some(counts), ..WorkerRun::new(context, worker) }
    }

    /// One who judges what the search has left behind.
    pub fn behind(context: &'a Context<'a>) -> Self {
        WorkerRun { is_behind: true, ..WorkerRun::new(context, 0) }
    }

    fn with(
        (board, space): (&'a Board<'a>, &'a Space),
        model: Model<'a>,
        context: Option<&'a Context<'a>>,
        worker: usize,
    ) -> Self {
        WorkerRun {
            board,
            space,
            model,
            context,
            worker,
            level: Cell::new(0),
            current: Cell::new(None),
            reading: Reading::default(),
            in_successor: Cell::new(false),
            random: Cell::new(None),
            since: Since::default(),
            counts: None,
            n_polls: Cell::new(0),
            quiet: Cell::new(false),
            trace_end: Cell::new(None),
            is_silent: false,
            is_behind: false,
        }
    }

    /// One who evaluates in states that were expanded before: what is printed there was printed.
    pub fn silent(context: &'a Context<'a>, worker: usize) -> Self {
        WorkerRun { is_silent: true, ..WorkerRun::new(context, worker) }
    }

    /// Whether the making of a trace must end, which goes on for a while when the run is over.
    fn is_trace_over(&self) -> bool {
        if !self.board.is_over() {
            return false;
        }
        let now = self.board.options.clock.elapsed();
        let end = self.trace_end.get().unwrap_or(now + TRACE_GRACE);
        self.trace_end.set(Some(end));
        now >= end
    }

    /// Runs `body`, which evaluates again what was evaluated before: nothing is printed.
    pub fn quietly<T>(&self, body: impl FnOnce() -> T) -> T {
        model::quietly(self, body)
    }

    /// A state is expanded now.
    pub fn expand(&self, level: u32, current: Option<Handle>) {
        self.level.set(level);
        self.current.set(current);
        self.reading.clear();
        self.in_successor.set(false);
        self.random.set(None);
    }

    /// A state is expanded now that was read from disk.
    pub fn expand_read(&self, level: u32, number: u32, state: &[u8]) {
        self.expand(level, None);
        self.reading.set(number, state);
    }

    /// Runs `body`, whose evaluations are about a successor, or about an initial state that was just found.
    pub fn about_successor<T>(&self, body: impl FnOnce() -> T) -> T {
        let level = self.level.get();
        self.level.set(level + 1);
        self.in_successor.set(true);
        let result = body();
        self.in_successor.set(false);
        self.level.set(level);
        result
    }

    fn counts(&self) -> Counts {
        let (counts, since) = (self.counts.unwrap_or_else(|| self.board.counts()), &self.since);
        let n_new = since.distinct.get();
        let queued = counts.queue + n_new - u64::from(since.is_checking.get());
        Counts {
            generated: counts.generated + since.generated.get(),
            distinct: counts.distinct + n_new,
            queue: queued.saturating_sub(since.expanded.get().saturating_sub(since.settled.get())),
            depth: counts.depth.max(since.depth.get()).max(1),
            ..counts
        }
    }

    fn stats(&self) -> Owned {
        let counts = self.counts();
        let duration = self.board.elapsed().as_secs();
        Owned::record([
            ("queue", Owned::count(counts.queue)),
            ("distinct", Owned::count(counts.distinct)),
            ("initial", Owned::count(counts.initial)),
            ("generated", Owned::count(counts.generated)),
            ("diameter", Owned::Int(i64::from(counts.depth))),
            ("duration", Owned::count(duration)),
            ("worker", Owned::Int(self.worker as i64)),
        ])
    }

    fn config(&self) -> Owned {
        let options = self.board.options;
        Owned::record([
            // TLC: "bfs" also when the queue is a stack.
            ("mode", Owned::text("bfs")),
            ("deadlock", Owned::Bool(options.check_deadlock)),
            ("worker", Owned::Int(options.n_workers as i64)),
            ("seed", Owned::text(options.seed.to_string())),
            ("fingerprint", Owned::text("0")),
            ("install", Owned::text("specline")),
        ])
    }

    /// TLC: the same for a state whenever it is expanded, so that a trace can be made again.
    fn seed(&self) -> u64 {
        let mixed = |seed: u64, hash: u64| seed.rotate_left(5) ^ hash;
        if let Some(hashes) = self.reading.hashes() {
            return hashes.into_iter().fold(self.board.options.seed, mixed);
        }
        let mut ids = vec![ValueId::from_bits(0); self.space.n_variables()];
        let Some(current) = self.current.get() else { return self.board.options.seed };
        self.space.state(current, &mut ids);
        let hashes = ids.iter().filter_map(|&id| Ground::opt(Interner::shared().value(id))).map(ops::hash);
        hashes.fold(self.board.options.seed, mixed)
    }

    fn predecessors(&self) -> Option<Owned> {
        let context = self.context?;
        let read = match (self.reading.number(), context.past) {
            (Some(number), Some(past)) => Some(past.handle(context, number).ok()??),
            (_, _) => None,
        };
        let mut path = match self.current.get().or(read) {
            Some(current) => rebuild::path(self.space, current),
            None => Vec::new(),
        };
        if !self.in_successor.get() {
            path.pop();
        }
        let records = path.into_iter().map(|handle| rebuild::record(context, self.space, handle));
        Some(Owned::Sequence(records.collect()))
    }
}

impl QuietRun for WorkerRun<'_> {
    fn region(&self) -> Region {
        self.board.region()
    }

    fn set_quiet(&self, is_quiet: bool) -> bool {
        self.quiet.replace(is_quiet)
    }

    fn as_run(&self) -> &dyn Run {
        self
    }
}

impl Run for WorkerRun<'_> {
    fn print(&self, line: &str) {
        if !self.quiet.get() && !self.is_silent {
            self.board.observer.event(Event::Printed(line));
        }
    }

    fn register(&self, register: &Register) -> Option<Owned> {
        self.board.registers(self.worker).get(register).cloned()
    }

    fn set_register(&self, register: Register, value: Owned) -> bool {
        if self.board.started.load(Ordering::Relaxed) {
            self.board.registers(self.worker).insert(register, value);
            self.board.are_registers_used.store(true, Ordering::Relaxed);
        } else {
            for worker in 0..self.board.registers.len() {
                self.board.registers(worker).insert(register.clone(), value.clone());
            }
        }
        true
    }

    fn fact(&self, fact: Fact) -> Option<Owned> {
        let counts = self.counts();
        match fact {
            Fact::Level => Some(Owned::Int(i64::from(self.level.get()))),
            Fact::Diameter => Some(Owned::Int(i64::from(counts.depth))),
            Fact::Generated => Some(Owned::count(counts.generated)),
            Fact::Distinct => Some(Owned::count(counts.distinct)),
            Fact::Queue => Some(Owned::count(counts.queue)),
            Fact::Duration => Some(Owned::count(self.board.elapsed().as_secs())),
            Fact::Stats => Some(self.stats()),
            Fact::Config => Some(self.config()),
            Fact::Spec => match self.context {
                Some(context) => Some(model::describe(context.model, context.actions)),
                None => model::describe_early(self.model, &self.board.region()),
            },
            Fact::Revision => Some(model::revision()),
            Fact::Action => Some(model::unnamed_action()),
            Fact::AllIndexed => Some(self.board.all(false)),
            Fact::AllNamed => Some(self.board.all(true)),
            Fact::Predecessors => self.predecessors(),
            Fact::CounterExample => {
                let model = self.context?.model;
                let trace = self.board.counterexample.lock().unwrap_or_else(PoisonError::into_inner);
                model::counterexample(model, trace.as_ref()?)
            }
            Fact::TeTrace | Fact::TePosition => None,
        }
    }

    fn request(&self, request: Request) {
        match request {
            Request::Exit => self.board.exit.store(true, Ordering::Relaxed),
            // LIMIT: nobody is there to be waited for; TLC waits for Enter.
            Request::Pause => {}
        }
    }

    fn random(&self) -> Option<u64> {
        Some(model::draw(&self.random, || self.seed()))
    }

    fn place(&self, span: Span) -> Option<String> {
        Some(model::place_text(self.model.spec, span))
    }

    fn is_over(&self) -> bool {
        self.n_polls.set(self.n_polls.get().wrapping_add(1));
        let is_look_due = self.n_polls.get().is_multiple_of(POLLS_PER_TICK);
        if !self.is_behind && is_look_due {
            self.board.tick(self.space);
        }
        match self.quiet.get() {
            true => is_look_due && self.is_trace_over(),
            false => self.board.is_over(),
        }
    }

    fn world(&self) -> &dyn World {
        self.board.options.world
    }
}
