//! What is simulated and for how long; what can be watched meanwhile.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use check::{Engine, Violation};
use eval::World;
use trace::Trace;

/// How the next step of a walk is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// An action at random, by weight, until one has a successor; then one of its successors, all alike. TLC's way.
    #[default]
    Uniform,
    /// An action at random until one has a successor in the model, where the successor is drawn first and nothing is asked of the
    /// others. TLC's `-generate`.
    Drawn,
    /// One of the successors by all actions, each by the weight of its action.
    Successors,
    /// Q-learning: actions that led to little are chosen less.
    Learned,
    /// The same by the last action in place of the state, and what is learned is which actions had no successor. TLC's
    /// `rlaction`.
    LearnedActions,
    /// Successors whose action or view was seen less are preferred.
    Coverage,
}

/// Which walks are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walks {
    /// The first so many; without a number until something ends them.
    First(Option<u64>),
    /// This one alone.
    Only(u64),
}

/// How a simulation is run.
pub struct Options<'a> {
    pub mode: Mode,
    pub walks: Walks,
    /// How many steps a walk has at most.
    pub depth: u32,
    pub n_workers: usize,
    /// How actions and formulas are evaluated. The walks are the same.
    pub engine: Engine,
    pub check_deadlock: bool,
    /// Weights of actions by name; 1 for all others.
    pub weights: Vec<(String, f64)>,
    pub seed: u64,
    pub time_max: Option<Duration>,
    /// How much memory values that are being computed may take, about.
    pub memory_bytes_max: usize,
    /// Whether a walk that found something is made shorter.
    pub minimises: bool,
    /// After how many violations walks end; without a number they go on after all of them.
    pub violations_max: Option<usize>,
    /// Whether invariants and properties are looked at; otherwise walks only come by states.
    pub checks_properties: bool,
    /// Whether the number of states is estimated from how often walks meet the same ones.
    pub estimates_states: bool,
    /// Whether it is counted which action came after which.
    pub counts_flow: bool,
    /// Whether evaluations are counted.
    pub counts_evaluations: bool,
    /// Whether the observer is told every walk.
    pub tells_walks: bool,
    /// Set when the user wants it to end.
    pub interrupted: &'a AtomicBool,
    pub world: &'a (dyn World + Sync),
    pub clock: &'a (dyn base::Clock + Sync),
}

/// Something that happened.
#[derive(Debug)]
pub enum Event<'a> {
    /// Now and then.
    Progress(Progress),
    /// A line that the specification printed.
    Printed(&'a str),
    /// A walk found this, and it is not the end. The first is made short if that is asked for.
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

/// Told about events by whichever worker has them.
pub trait Observer: Sync {
    fn event(&self, event: Event<'_>);

    /// How long to wait between two [`Event::Progress`].
    fn progress_interval(&self) -> Duration {
        Duration::from_secs(60)
    }
}
