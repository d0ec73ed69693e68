//! The options of an audit.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use eval::World;
use sema::Spec;
use sema::config::BoundConfig;
use value::Atoms;

use crate::class::Class;
use crate::report::{Base, Judged};

/// A specification with its configuration, both without errors.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub spec: &'a Spec,
    pub config: &'a BoundConfig,
    pub atoms: &'static Atoms,
}

pub struct Options<'a> {
    pub classes: Vec<Class>,
    /// The number of the only mutant to judge.
    pub number: Option<usize>,
    pub n_workers: usize,
    pub check_deadlock: bool,
    /// The most states for a search; a specification with more is explored by walks.
    pub states_max: u64,
    /// Number of walks for each mutant, and, below, of their steps, if there are too many states.
    pub n_walks: u64,
    pub depth: u32,
    pub seed: u64,
    /// The time limit for everything.
    pub time_max: Option<Duration>,
    pub memory_bytes_max: usize,
    /// Set when the user wants the audit to end.
    pub interrupted: &'a AtomicBool,
    pub world: &'a (dyn World + Sync),
    pub clock: &'a (dyn base::Clock + Sync),
}

/// An event during an audit.
#[derive(Debug)]
pub enum Event<'a> {
    /// The specification as it is was explored.
    Base { base: &'a Base, n_mutants: usize },
    /// A mutant was judged, by whichever worker; `n_judged` includes it.
    Judged { judged: &'a Judged, n_judged: usize },
}

/// Receives events, from whichever worker has them.
pub trait Observer: Sync {
    fn event(&self, event: Event<'_>);
}
