//! Shares the time among the runs of an audit.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base::Clock;

/// A run may take this many times its equal share.
const SHARES: u32 = 4;
/// The least time for a run; less is not worth a try.
const LEAST: Duration = Duration::from_secs(1);

pub(crate) struct Budget<'a> {
    clock: &'a (dyn Clock + Sync),
    time_max: Option<Duration>,
    n_workers: usize,
    n_left: AtomicUsize,
}

impl<'a> Budget<'a> {
    pub fn new(clock: &'a (dyn Clock + Sync), time_max: Option<Duration>, n_workers: usize) -> Self {
        Budget { clock, time_max, n_workers, n_left: AtomicUsize::new(0) }
    }

    pub fn set_left(&self, n_left: usize) {
        self.n_left.store(n_left, Ordering::Relaxed);
    }

    pub fn count_done(&self) {
        self.n_left.fetch_sub(1, Ordering::Relaxed);
    }

    pub fn left(&self) -> Option<Duration> {
        self.time_max.map(|time_max| time_max.saturating_sub(self.clock.elapsed()))
    }

    pub fn is_over(&self) -> bool {
        self.left() == Some(Duration::ZERO)
    }

    /// Returns the time that the next run may take.
    pub fn for_one(&self) -> Option<Duration> {
        let left = self.left()?;
        let n_turns = self.n_left.load(Ordering::Relaxed).div_ceil(self.n_workers).max(1);
        let fair = left / u32::try_from(n_turns).unwrap_or(u32::MAX);
        Some((fair * SHARES).max(LEAST).min(left))
    }

    /// Returns a clock that begins now.
    pub fn watch(&self) -> Watch<'a> {
        Watch { clock: self.clock, start: self.clock.elapsed() }
    }
}

/// The time since a moment.
pub(crate) struct Watch<'a> {
    clock: &'a (dyn Clock + Sync),
    start: Duration,
}

impl Clock for Watch<'_> {
    fn elapsed(&self) -> Duration {
        self.clock.elapsed().saturating_sub(self.start)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use base::Clock;

    use super::Budget;

    struct Stopped(Duration);

    impl Clock for Stopped {
        fn elapsed(&self) -> Duration {
            self.0
        }
    }

    #[test]
    fn what_is_left_is_shared() {
        let clock = Stopped(Duration::from_secs(20));
        let budget = Budget::new(&clock, Some(Duration::from_secs(120)), 2);
        budget.set_left(20);
        // Ten turns of ten seconds each, and four times that.
        assert_eq!(budget.for_one(), Some(Duration::from_secs(40)));
        budget.set_left(2_000);
        assert_eq!(budget.for_one(), Some(Duration::from_secs(1)));
        budget.set_left(1);
        assert_eq!(budget.for_one(), Some(Duration::from_secs(100)));
        assert!(!budget.is_over());
    }

    #[test]
    fn no_time_is_over_at_once() {
        let clock = Stopped(Duration::from_secs(5));
        assert!(Budget::new(&clock, Some(Duration::from_secs(5)), 1).is_over());
        assert!(!Budget::new(&clock, None, 1).is_over());
    }
}
