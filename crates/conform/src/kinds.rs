//! The results of random walks, in kinds: walks that ended alike are one kind.

use std::io;
use std::time::Duration;

use base::{FxIndexMap, FxIndexSet};
use trace::Trace;

use crate::outcome::{Ending, Obstacle, Replayed};
use crate::session::Took;

/// Walks that ended alike.
pub struct Kind {
    pub n_walks: u64,
    /// The walk with the fewest steps.
    pub walk: u64,
    /// Number of steps before some were left out.
    pub n_steps_before: usize,
    pub trace: Trace,
    pub replayed: Replayed,
    pub took: Took,
}

/// The results of random walks.
#[derive(Default)]
pub struct WalkResults {
    pub kinds: FxIndexMap<String, Kind>,
    pub n_walks: u64,
    pub n_agreed: u64,
    pub n_steps: u64,
    pub took: Took,
    /// Number of times that each action was carried out and compared.
    pub actions: FxIndexMap<String, u64>,
    /// Things that nodes did and that are not under control, as far as the walks reported them.
    pub uncontrolled: FxIndexSet<String>,
    pub elapsed: Duration,
    pub last_new: Duration,
    pub is_over: bool,
    /// The user ended it before it was done.
    pub is_interrupted: bool,
    pub trouble: Option<io::Error>,
}

impl Kind {
    /// Makes a kind of one walk that did not agree.
    pub fn new(walk: u64, trace: &Trace, (replayed, took): (Replayed, Took)) -> Kind {
        let mut trace = trace.clone();
        trace.states.truncate(replayed.rows.len().max(1));
        let n_steps_before = trace.states.len() - 1;
        Kind { n_walks: 1, walk, n_steps_before, trace, replayed, took }
    }

    /// Returns what all walks of the kind have in common.
    pub fn name(&self) -> String {
        self.replayed.kind(&self.trace)
    }

    /// Returns how many steps the shortest walk has.
    pub fn n_steps(&self) -> usize {
        self.trace.states.len() - 1
    }

    /// Whether the program did something else, and not only nothing that could be seen.
    pub fn is_divergence(&self) -> bool {
        matches!(self.replayed.ending, Ending::Diverged(_) | Ending::CouldNot(Obstacle::Died { .. }))
    }
}

impl WalkResults {
    /// Counts a walk.
    pub fn count(&mut self, trace: &Trace, (replayed, took): (&Replayed, Took)) {
        self.n_walks += 1;
        self.n_agreed += u64::from(matches!(replayed.ending, Ending::Agreed));
        self.n_steps += replayed.n_agreed() as u64;
        self.uncontrolled.extend(replayed.uncontrolled().cloned());
        self.took.start += took.start;
        self.took.steps += took.steps;
        for state in trace.states.iter().skip(1).take(replayed.n_agreed()) {
            if let Some(step) = &state.step {
                *self.actions.entry(step.name.clone()).or_default() += 1;
            }
        }
    }

    /// Adds a walk to its kind; of each kind the shortest walk is kept.
    pub fn add(&mut self, kind: Kind) {
        match self.kinds.get_mut(&kind.name()) {
            None => {
                self.kinds.insert(kind.name(), kind);
            }
            Some(known) => {
                known.n_walks += 1;
                if kind.n_steps() < known.n_steps() {
                    *known = Kind { n_walks: known.n_walks, ..kind };
                }
            }
        }
    }

    /// Returns how many seconds a walk took on average, and how many were waited for its nodes.
    pub fn each_s(&self) -> (f64, f64) {
        let n = self.n_walks.max(1) as f64;
        (self.took.steps.as_secs_f64() / n, self.took.start.as_secs_f64() / n)
    }
}
