//! The only place that reads the machine's clock.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A source of durations. Reports may use one; a search must not.
pub trait Clock {
    /// Returns the time since the clock was made.
    fn elapsed(&self) -> Duration;
}

/// The machine's monotonic clock.
#[derive(Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the door that the rule points to")]
    pub fn start() -> Self {
        SystemClock { start: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Returns the calendar time since 1970.
#[expect(clippy::disallowed_methods, reason = "this is the door that the rule points to")]
pub fn since_epoch() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
