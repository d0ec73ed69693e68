//! The state that all workers of a simulation share and change: whether it goes on, registers, counts for progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use eval::Owned;
use model::{Model, Periodic, Registers, Witnesses, periodic};
use value::Region;

use crate::options::{Event, Observer, Options, Progress};

/// The share of the memory that one worker's values may take is one in this many, divided by the number of workers.
const REGIONS_SHARE: usize = 4;

pub(crate) struct Board<'a> {
    pub options: &'a Options<'a>,
    pub observer: &'a dyn Observer,
    /// Whether workers have started; then each has registers of its own.
    pub started: AtomicBool,
    /// Set by `TLCSet("exit", TRUE)`.
    pub exit: AtomicBool,
    pub time_over: AtomicBool,
    /// Set when the formula under `_PERIODIC` ends the walks.
    pub periodic_over: AtomicBool,
    pub periodic: Mutex<Periodic>,
    /// Counts for progress and for `TLCGet("stats")`.
    pub n_walks: AtomicU64,
    pub n_generated: AtomicU64,
    pub witnesses: Witnesses,
    /// The value of `CounterExample`, once there is one.
    pub counterexample: Mutex<Option<Owned>>,
    registers: Vec<Mutex<Registers>>,
    /// Number of walks that each worker has begun.
    n_begun: Vec<AtomicU64>,
    told_ms: Mutex<u64>,
}

impl<'a> Board<'a> {
    pub fn new(options: &'a Options<'a>, observer: &'a dyn Observer, model: Model<'_>) -> Self {
        Board {
            options,
            observer,
            started: AtomicBool::new(false),
            exit: AtomicBool::new(false),
            time_over: AtomicBool::new(false),
            periodic_over: AtomicBool::new(false),
            periodic: Mutex::new(Periodic::first_after(periodic::INTERVAL_MS)),
            n_walks: AtomicU64::new(0),
            n_generated: AtomicU64::new(0),
            witnesses: Witnesses::new(model),
            counterexample: Mutex::new(None),
            registers: (0..options.n_workers.max(1)).map(|_| Mutex::default()).collect(),
            n_begun: (0..options.n_workers.max(1)).map(|_| AtomicU64::new(0)).collect(),
            told_ms: Mutex::new(0),
        }
    }

    pub fn region(&self) -> Region {
        Region::with_limit(self.options.memory_bytes_max / REGIONS_SHARE / self.registers.len())
    }

    pub fn registers(&self, worker: usize) -> MutexGuard<'_, Registers> {
        self.registers[worker].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a walk that a worker begins.
    pub fn count_begun(&self, worker: usize) {
        self.n_begun[worker].fetch_add(1, Ordering::Relaxed);
    }

    pub fn n_begun(&self, worker: usize) -> u64 {
        self.n_begun[worker].load(Ordering::Relaxed)
    }

    pub fn n_workers(&self) -> usize {
        self.registers.len()
    }

    /// Whether the simulation must end before it is complete.
    pub fn is_over(&self) -> bool {
        self.options.interrupted.load(Ordering::Relaxed)
            || self.time_over.load(Ordering::Relaxed)
            || self.exit.load(Ordering::Relaxed)
            || self.periodic_over.load(Ordering::Relaxed)
    }

    /// Checks the clock and reports progress; to be called regularly.
    pub fn tick(&self) {
        let elapsed = self.options.clock.elapsed();
        if self.options.time_max.is_some_and(|limit| elapsed >= limit) {
            self.time_over.store(true, Ordering::Relaxed);
        }
        let now_ms = elapsed.as_millis() as u64;
        let Ok(mut told_ms) = self.told_ms.try_lock() else { return };
        if Duration::from_millis(now_ms.saturating_sub(*told_ms)) < self.observer.progress_interval() {
            return;
        }
        *told_ms = now_ms;
        let (n_walks, n_generated) = (&self.n_walks, &self.n_generated);
        self.observer.event(Event::Progress(Progress {
            n_walks: n_walks.load(Ordering::Relaxed),
            n_generated: n_generated.load(Ordering::Relaxed),
            elapsed,
        }));
    }
}
