//! The environment of evaluation while a process is watched. Nothing is printed, and there are no registers.

use std::sync::atomic::{AtomicBool, Ordering};

use diag::Span;
use eval::Run;
use model::{Model, QuietRun};
use value::Region;

pub struct MonitorRun<'a> {
    pub model: Model<'a>,
    /// The most memory for values that are being computed.
    pub memory_bytes_max: usize,
    /// Set when the user wants it to end.
    pub interrupted: &'a AtomicBool,
}

impl QuietRun for MonitorRun<'_> {
    fn region(&self) -> Region {
        Region::with_limit(self.memory_bytes_max)
    }

    /// Ignores the request, because evaluation is always quiet.
    fn set_quiet(&self, _: bool) -> bool {
        true
    }

    fn as_run(&self) -> &dyn Run {
        self
    }
}

impl Run for MonitorRun<'_> {
    fn place(&self, span: Span) -> Option<String> {
        Some(model::place_text(self.model.spec, span))
    }

    fn is_over(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}
