//! A log that is followed, as evaluation sees it. Nothing is printed, and there are no registers.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use check::Model;
use check::kit::{self, QuietRun};
use diag::Span;
use eval::{Run, World};
use value::Region;

/// How a log is followed.
pub struct Options<'a> {
    /// The whole behaviour is kept, or its last states.
    pub keeps_all: bool,
    /// Of a whole behaviour no more than so much, as bytes: the last states of it.
    pub kept_bytes_max: usize,
    /// What else could have been done is told of each step.
    pub tells_choices: bool,
    /// What is evaluated is counted.
    pub counts_evaluations: bool,
    /// The log is still being written: what is not needed of it is not waited for.
    pub is_live: bool,
    /// With more states than these that may yet explain what was read, and that were found not to, it is given up.
    pub candidates_max: Option<usize>,
    /// How much memory values that are being computed may take.
    pub memory_bytes_max: usize,
    pub time_max: Option<Duration>,
    /// Set when the user wants it to end.
    pub interrupted: &'a AtomicBool,
    pub world: &'a (dyn World + Sync),
    pub clock: &'a (dyn base::Clock + Sync),
}

pub(super) struct MapRun<'a> {
    pub options: &'a Options<'a>,
    pub model: Model<'a>,
    /// How often evaluation may still ask whether it must end, where that is limited.
    pub patience: Cell<Option<u32>>,
}

impl MapRun<'_> {
    /// Runs `body`, which is worth no more than so much.
    pub fn with_patience<T>(&self, n_looks: u32, body: impl FnOnce() -> T) -> T {
        self.patience.set(Some(n_looks));
        let result = body();
        self.patience.set(None);
        result
    }

    pub fn is_late(&self) -> bool {
        self.options.time_max.is_some_and(|max| self.options.clock.elapsed() >= max)
    }
}

impl QuietRun for MapRun<'_> {
    fn region(&self) -> Region {
        Region::limited(self.options.memory_bytes_max)
    }

    /// It always is.
    fn set_quiet(&self, _: bool) -> bool {
        true
    }

    fn as_run(&self) -> &dyn Run {
        self
    }
}

impl Run for MapRun<'_> {
    fn place(&self, span: Span) -> Option<String> {
        Some(kit::place_text(self.model.spec, span))
    }

    fn is_over(&self) -> bool {
        let is_patient = match self.patience.get() {
            None => true,
            Some(n_looks) => {
                self.patience.set(Some(n_looks.saturating_sub(1)));
                n_looks > 0
            }
        };
        !is_patient || self.options.interrupted.load(Ordering::Relaxed) || self.is_late()
    }

    fn world(&self) -> &dyn World {
        self.options.world
    }
}
