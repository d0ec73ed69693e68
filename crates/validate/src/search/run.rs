//! The environment of evaluation while a log is followed. Nothing is printed, and there are no registers.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use diag::Span;
use eval::{Run, World};
use model::{Model, QuietRun};
use value::Region;

/// The options for following a log.
pub struct Options<'a> {
    /// Whether the whole behaviour is kept, or only its last states.
    pub keeps_all: bool,
    /// The most bytes of a whole behaviour that are kept; its last states count.
    pub kept_bytes_max: usize,
    /// Whether each step is reported with what else could have been done.
    pub tells_choices: bool,
    /// Whether evaluations are counted.
    pub counts_evaluations: bool,
    /// Whether the log is still being written; then the search does not wait for lines that it does not need.
    pub is_live: bool,
    /// The most states that may still explain the log, and the most dead ends; with more, the search is given up.
    pub candidates_max: Option<usize>,
    /// The most memory for values that are being computed.
    pub memory_bytes_max: usize,
    pub time_max: Option<Duration>,
    /// Set when the user wants the search to end.
    pub interrupted: &'a AtomicBool,
    pub world: &'a (dyn World + Sync),
    pub clock: &'a (dyn base::Clock + Sync),
}

pub(super) struct MapRun<'a> {
    pub options: &'a Options<'a>,
    pub model: Model<'a>,
    /// Number of times that evaluation may still ask whether it must end, if that is limited.
    pub patience: Cell<Option<u32>>,
}

impl MapRun<'_> {
    /// Runs `body` with a limited patience.
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
        Region::with_limit(self.options.memory_bytes_max)
    }

    /// Ignores the request, because evaluation is always quiet.
    fn set_quiet(&self, _: bool) -> bool {
        true
    }

    fn as_run(&self) -> &dyn Run {
        self
    }
}

impl Run for MapRun<'_> {
    fn place(&self, span: Span) -> Option<String> {
        Some(model::place_text(self.model.spec, span))
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
