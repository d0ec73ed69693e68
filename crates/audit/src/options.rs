//! What is audited, and how far it goes.

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
    /// The mutant of this number alone.
    pub number: Option<usize>,
    pub n_workers: usize,
    pub check_deadlock: bool,
    /// A specification with more states is not searched; walks are made in its place.
    pub states_max: u64,
    /// Walks for each mutant, and their steps, where states are too many.
    pub n_walks: u64,
    pub depth: u32,
    pub seed: u64,
    /// For everything.
    pub time_max: Option<Duration>,
    pub memory_bytes_max: usize,
    /// Set when the user wants it to end.
    pub interrupted: &'a AtomicBool,
    pub world: &'a (dyn World + Sync),
    pub clock: &'a (dyn base::Clock + Sync),
}

/// Something that happened.
#[derive(Debug)]
pub enum Event<'a> {
    /// The specification as it is was explored.
    Base { base: &'a Base, n_mutants: usize },
    /// A mutant was judged, by whichever worker; `n_judged` with it.
    Judged { judged: &'a Judged, n_judged: usize },
}

/// Told about events by whichever worker has them.
pub trait Observer: Sync {
    fn event(&self, event: Event<'_>);
}
