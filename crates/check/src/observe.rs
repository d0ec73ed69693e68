//! Events that can be observed while a search runs. Nothing here changes an answer.

use std::time::Duration;

use model::Violation;

use crate::answer::Counts;
use crate::growth::Growth;

/// Something that happened.
#[derive(Debug)]
pub enum Event<'a> {
    /// Constants are known and assumptions hold; initial states are computed next.
    Prepared,
    /// All initial states are known.
    Initial { counts: Counts },
    /// A search goes on from a checkpoint that was made after `elapsed`.
    Resumed { counts: Counts, elapsed: Duration },
    /// A checkpoint was made.
    Checkpoint { counts: Counts },
    /// Now and then.
    Progress(Progress),
    /// All states are known; temporal properties are looked at from here on.
    Temporal { counts: Counts, n_steps: u64, elapsed: Duration },
    /// Variables have grown with every level so far: told once, in a search that takes long or is cut off.
    Growing(&'a [Growth]),
    /// A line that the specification printed.
    Printed(&'a str),
    /// A violation, when the search goes on after it.
    Violation(&'a Violation),
}

#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub counts: Counts,
    pub elapsed: Duration,
    /// States, values and what belongs to them.
    pub bytes_used: usize,
}

/// Told about events by whichever worker has them.
pub trait Observer: Sync {
    fn event(&self, event: Event<'_>);

    /// Whether every [`Event::Violation`] is looked at: making its trace takes a while. Otherwise it has no states, but
    /// for the first one.
    fn wants_traces(&self) -> bool {
        true
    }

    /// How long to wait between two [`Event::Progress`].
    fn progress_interval(&self) -> Duration {
        Duration::from_secs(60)
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _event: Event<'_>) {}
}
