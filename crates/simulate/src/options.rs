//! The options of a simulation, and the events that can be observed.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use eval::World;
use model::{Engine, Violation};
use trace::Trace;

/// The way in which the next step of a walk is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// An action at random, by weight, until one has a successor; then one of its successors, all equally likely. This
    /// is TLC's way.
    #[default]
    Uniform,
    /// An action at random until one has a successor in the model; the successor is drawn first, and the others are not
    /// checked. This is TLC's `-generate`.
    Drawn,
    /// One of the successors by all actions, each by the weight of its action.
    Successors,
    /// Q-learning: actions that led to little are chosen less.
    Learned,
    /// Q-learning by the last action in place of the state, which learns which actions had no successor. This is TLC's
    /// `rlaction`.
    LearnedActions,
    /// Successors whose action or view was seen less often are preferred.
    Coverage,
}

/// The walks to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walks {
    /// The first so many; without a number, until something ends them.
    First(Option<u64>),
    /// Only this one.
    Only(u64),
}

/// The options of a simulation.
pub struct Options<'a> {
    pub mode: Mode,
    pub walks: Walks,
    /// The most steps of a walk.
    pub depth: u32,
    pub n_workers: usize,
    /// The engine that evaluates actions and formulas. The walks are the same with each.
    pub engine: Engine,
    pub check_deadlock: bool,
    /// Weights of actions by name; 1 for all others.
    pub weights: Vec<(String, f64)>,
    pub seed: u64,
    pub time_max: Option<Duration>,
    /// The approximate limit of memory for values that are being computed.
    pub memory_bytes_max: usize,
    /// Whether a walk that found something is shortened.
    pub minimises: bool,
    /// The number of violations after which walks end; without a number they go on after all of them.
    pub violations_max: Option<usize>,
    /// Whether invariants and properties are checked; otherwise walks only visit states.
    pub checks_properties: bool,
    /// Whether the number of states is estimated from how often walks meet the same ones.
    pub estimates_states: bool,
    /// Whether it is counted which action came after which.
    pub counts_flow: bool,
    /// Whether evaluations are counted.
    pub counts_evaluations: bool,
    /// Whether the observer gets every walk.
    pub tells_walks: bool,
    /// Set when the user wants the simulation to end.
    pub interrupted: &'a AtomicBool,
    pub world: &'a (dyn World + Sync),
    pub clock: &'a (dyn base::Clock + Sync),
}

/// An event during a simulation.
#[derive(Debug)]
pub enum Event<'a> {
    /// So many initial states were generated, and so many of these are in the model.
    Initial { n_generated: u64, n_in_model: usize },
    /// A regular report on the progress.
    Progress(Progress),
    /// A line that the specification printed.
    Printed(&'a str),
    /// A walk found a violation that does not end the simulation. The first one is shortened if that is asked for.
    Violation { violation: &'a Violation, walk: u64, so_far: Progress },
    /// A walk has ended.
    Walk { number: u64, trace: &'a Trace },
}

#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub n_walks: u64,
    pub n_generated: u64,
    pub elapsed: Duration,
}

/// Receives events, from whichever worker has them.
pub trait Observer: Sync {
    fn event(&self, event: Event<'_>);

    /// Returns the time between two [`Event::Progress`].
    fn progress_interval(&self) -> Duration {
        Duration::from_secs(60)
    }
}
