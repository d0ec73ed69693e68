//! Options of a search: the properties to check, and its limits.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use eval::World;
use model::Engine;

use crate::checkpoint::Checkpoints;

/// In which order states are expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Search {
    /// Level by level: traces are as short as they can be.
    #[default]
    BreadthFirst,
    /// The newest state first. TLC: `StateDeque`, the same checker with another queue.
    DepthFirst,
}

/// A search that goes on from disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spill {
    /// Empty, or made when the search begins; empty again when it ends.
    pub folder: PathBuf,
    /// Number of states from which on it happens however much memory there is: for tests.
    pub after_states: Option<u64>,
}

/// How a search is run. See [`Options::new`] for the defaults.
pub struct Options<'a> {
    pub search: Search,
    pub engine: Engine,
    pub n_workers: usize,
    /// Number of further threads that judge the steps of a depth-first search.
    pub n_judges: usize,
    pub check_deadlock: bool,
    /// States of deeper levels are not expanded; an initial state has level 1.
    pub depth_max: Option<u32>,
    pub states_max: Option<u64>,
    pub time_max: Option<Duration>,
    /// Approximate memory that states and values may take together.
    pub memory_bytes_max: usize,
    /// Folder in which a breadth-first search goes on when it has filled half of the memory.
    pub spill: Option<Spill>,
    /// The search ends with the violation of this number; `None` goes through all of them.
    pub violations_max: Option<usize>,
    /// Seed of the random operators.
    pub seed: u64,
    /// Whether evaluations are counted; then nothing is compiled.
    pub counts_evaluations: bool,
    /// Whether the report of the engine says where code gave up; then there is a little more code.
    pub reports_engine: bool,
    pub checkpoints: Option<Checkpoints<'a>>,
    /// Set when the user wants the search to end.
    pub interrupted: &'a AtomicBool,
    pub world: &'a (dyn World + Sync),
    pub clock: &'a (dyn base::Clock + Sync),
}

impl<'a> Options<'a> {
    /// Returns the options of a breadth-first search with one worker and without limits other than the memory, which
    /// checks deadlock and stops at the first violation.
    pub fn new(
        memory_bytes_max: usize,
        interrupted: &'a AtomicBool,
        world: &'a (dyn World + Sync),
        clock: &'a (dyn base::Clock + Sync),
    ) -> Options<'a> {
        Options {
            search: Search::BreadthFirst,
            engine: Engine::Auto,
            n_workers: 1,
            n_judges: 0,
            check_deadlock: true,
            depth_max: None,
            states_max: None,
            time_max: None,
            memory_bytes_max,
            spill: None,
            violations_max: Some(1),
            seed: 0,
            counts_evaluations: false,
            reports_engine: false,
            checkpoints: None,
            interrupted,
            world,
            clock,
        }
    }
}
