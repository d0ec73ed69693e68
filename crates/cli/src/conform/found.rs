//! What random walks came to.

use std::io;
use std::time::Duration;

use base::{FxIndexMap, FxIndexSet};
use conform::{Ending as Came, Obstacle, Replayed, kind_of};
use trace::Trace;

use super::session::Took;
use super::tell;

/// Walks that ended alike.
pub struct Group {
    pub n_walks: u64,
    /// The walk with the fewest steps.
    pub walk: u64,
    /// How many steps it had before some were left out.
    pub n_steps_before: usize,
    pub trace: Trace,
    pub replayed: Replayed,
    pub took: Took,
}

/// What walks came to.
#[derive(Default)]
pub struct Found {
    pub groups: FxIndexMap<String, Group>,
    pub n_walks: u64,
    pub n_agreed: u64,
    pub n_steps: u64,
    pub took: Took,
    /// How often each action was carried out and compared.
    pub actions: FxIndexMap<String, u64>,
    /// What nodes did that is not under control, as far as it was told in the walks.
    pub uncontrolled: FxIndexSet<String>,
    pub elapsed: Duration,
    pub last_new: Duration,
    pub is_over: bool,
    /// The user ended it before it was done.
    pub is_interrupted: bool,
    pub trouble: Option<io::Error>,
}

impl Group {
    /// A walk that did not agree.
    pub fn new(walk: u64, trace: &Trace, (replayed, took): (Replayed, Took)) -> Group {
        let mut trace = trace.clone();
        trace.states.truncate(replayed.rows.len().max(1));
        let n_steps_before = trace.states.len() - 1;
        Group { n_walks: 1, walk, n_steps_before, trace, replayed, took }
    }

    pub fn kind(&self) -> String {
        kind_of(&self.replayed.ending, &tell::last_action(&self.trace, &self.replayed))
    }

    pub fn n_steps(&self) -> usize {
        self.trace.states.len() - 1
    }

    /// Whether the program did something else, and not only nothing that could be seen.
    pub fn is_divergence(&self) -> bool {
        matches!(self.replayed.ending, Came::Diverged(_) | Came::CouldNot(Obstacle::Died { .. }))
    }
}

impl Found {
    pub fn count(&mut self, trace: &Trace, (replayed, took): (&Replayed, Took)) {
        self.n_walks += 1;
        self.n_agreed += u64::from(matches!(replayed.ending, Came::Agreed));
        self.n_steps += replayed.n_agreed() as u64;
        self.uncontrolled.extend(replayed.rows.iter().flat_map(|row| row.uncontrolled.iter().cloned()));
        self.took.start += took.start;
        self.took.steps += took.steps;
        for state in trace.states.iter().skip(1).take(replayed.n_agreed()) {
            if let Some(step) = &state.step {
                *self.actions.entry(step.name.clone()).or_default() += 1;
            }
        }
    }

    /// One more walk of its kind; of all of them the shortest is kept.
    pub fn add(&mut self, group: Group) {
        match self.groups.get_mut(&group.kind()) {
            None => {
                self.groups.insert(group.kind(), group);
            }
            Some(known) => {
                known.n_walks += 1;
                if group.n_steps() < known.n_steps() {
                    *known = Group { n_walks: known.n_walks, ..group };
                }
            }
        }
    }

    pub fn each_s(&self) -> (f64, f64) {
        let n = self.n_walks.max(1) as f64;
        (self.took.steps.as_secs_f64() / n, self.took.start.as_secs_f64() / n)
    }
}
