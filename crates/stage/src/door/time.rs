//! Clocks, sleeps and randomness.

use std::sync::atomic::Ordering::Relaxed;

use wire::{Call, Purpose};

use super::Errno;
use super::park::{Until, Wait};
use super::visit::{COPY_BYTES_MAX, Done, Outcome, Result, Visit};

pub(super) const NS_PER_S: u64 = 1_000_000_000;

/// Returns a `timespec`.
pub(super) fn timespec(ns: u64) -> [u8; 16] {
    pair(ns / NS_PER_S, ns % NS_PER_S)
}

/// Returns a `timeval`.
pub(super) fn timeval(ns: u64) -> [u8; 16] {
    pair(ns / NS_PER_S, ns % NS_PER_S / 1000)
}

fn pair(seconds: u64, parts: u64) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&seconds.to_ne_bytes());
    bytes[8..].copy_from_slice(&parts.to_ne_bytes());
    bytes
}

/// Converts seconds and parts of a second, of which there are `n_parts`, to nanoseconds. A time before the clock began
/// has passed.
pub(super) fn to_ns([seconds, parts]: [u64; 2], n_parts: u64) -> Result<u64> {
    if parts >= n_parts {
        return Err(Errno(libc::EINVAL));
    }
    let seconds = u64::try_from(seconds as i64).unwrap_or(0);
    Ok(seconds.saturating_mul(NS_PER_S).saturating_add(parts * (NS_PER_S / n_parts)))
}

/// Whether a clock is that of day; `None` if it is none of the node's.
pub(super) fn is_wall(clock: i32) -> Option<bool> {
    match clock {
        libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_TAI | libc::CLOCK_REALTIME_ALARM => {
            Some(true)
        }
        libc::CLOCK_MONOTONIC
        | libc::CLOCK_MONOTONIC_RAW
        | libc::CLOCK_MONOTONIC_COARSE
        | libc::CLOCK_BOOTTIME
        | libc::CLOCK_BOOTTIME_ALARM => Some(false),
        _ => None,
    }
}

impl Visit<'_, '_> {
    pub fn call_time(&mut self, number: i64) -> Option<Outcome> {
        Some(match number {
            libc::SYS_clock_gettime => self.clock_gettime(),
            libc::SYS_gettimeofday => self.gettimeofday(),
            libc::SYS_time => self.time(),
            libc::SYS_clock_getres => match is_wall(self.int(0)) {
                Some(_) => self.write_opt(self.arg(1), &timespec(1)).map(|()| Done::Value(0)),
                None => Ok(Done::Continue),
            },
            libc::SYS_clock_settime
            | libc::SYS_settimeofday
            | libc::SYS_adjtimex
            | libc::SYS_clock_adjtime => {
                self.report("clock_settime", "the clock is the stage's to set", true);
                Err(Errno(libc::EPERM))
            }
            libc::SYS_nanosleep => self.sleep(self.arg(0), None, self.arg(1)),
            libc::SYS_clock_nanosleep => self.clock_nanosleep(),
            libc::SYS_sched_yield => Ok(Done::Wait(Wait::turn(Some(0)))),
            libc::SYS_getrandom => self.getrandom(),
            _ => return None,
        })
    }

    pub fn wall_offset_ns(&self) -> u64 {
        self.board().wall_offset_ns.load(Relaxed)
    }

    fn wall_ns(&self) -> u64 {
        self.now().wrapping_add(self.wall_offset_ns())
    }

    /// Converts a time of a clock to one of the node's monotonic clock.
    pub fn to_monotonic(&self, is_wall: bool, ns: u64) -> u64 {
        if is_wall { ns.saturating_sub(self.wall_offset_ns()) } else { ns }
    }

    fn clock_gettime(&mut self) -> Outcome {
        let Some(is_wall) = is_wall(self.int(0)) else { return Ok(Done::Continue) };
        if let Some(wait) = self.note_look()? {
            return Ok(wait);
        }
        let ns = if is_wall { self.wall_ns() } else { self.now() };
        self.write(self.arg(1), &timespec(ns)).map(|()| Done::Value(0))
    }

    fn gettimeofday(&mut self) -> Outcome {
        if let Some(wait) = self.note_look()? {
            return Ok(wait);
        }
        self.write_opt(self.arg(0), &timeval(self.wall_ns()))?;
        // The zone is none.
        self.write_opt(self.arg(1), &[0; 8]).map(|()| Done::Value(0))
    }

    fn time(&mut self) -> Outcome {
        let seconds = self.wall_ns() / NS_PER_S;
        self.write_opt(self.arg(0), &seconds.to_ne_bytes())?;
        Ok(Done::Value(seconds as i64))
    }

    fn clock_nanosleep(&mut self) -> Outcome {
        let Some(is_wall) = is_wall(self.int(0)) else { return Ok(Done::Continue) };
        if self.int(1) & libc::TIMER_ABSTIME == 0 {
            return self.sleep(self.arg(2), None, self.arg(3));
        }
        let wanted = to_ns(self.read_words(self.arg(2))?, NS_PER_S)?;
        let until = self.to_monotonic(is_wall, wanted);
        self.sleep(self.arg(2), Some(until), 0)
    }

    /// Sleeps for a length of time at an address, or until a time.
    fn sleep(&mut self, length: u64, until: Option<u64>, left: u64) -> Outcome {
        let length_ns = to_ns(self.read_words(length)?, NS_PER_S)?;
        let until = until.unwrap_or_else(|| self.now().saturating_add(length_ns));
        if until <= self.now() {
            // A thread that sleeps for no time gives up the processor.
            return Ok(Done::Wait(Wait::turn(Some(0))));
        }
        // What is left is told when a signal ends the sleep; nothing of it has passed when the clock stands still.
        self.write_opt(left, &timespec(until - self.now()))?;
        // Go's own timers never sleep so: only its runtime does, for a moment.
        let purpose = if self.process()?.is_go { Purpose::Pause } else { Purpose::Program };
        Ok(Done::Wait(Wait { purpose, ..Wait::new(Call::Sleep, until, Until::Time) }))
    }

    fn getrandom(&mut self) -> Outcome {
        let len = usize::try_from(self.arg(1)).unwrap_or(usize::MAX).min(COPY_BYTES_MAX);
        let bytes = self.random_bytes(len)?;
        if len > 0 {
            self.write(self.arg(0), &bytes)?;
        }
        Ok(Done::Value(len as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::{timespec, to_ns};

    #[test]
    fn times_are_converted_and_wrong_ones_refused() {
        assert_eq!(to_ns([2, 5], 1_000_000_000), Ok(2_000_000_005));
        assert_eq!(to_ns([2, 5], 1_000_000), Ok(2_000_005_000));
        assert!(to_ns([0, 1_000_000], 1_000_000).is_err());
        assert_eq!(to_ns([u64::MAX, 0], 1_000_000_000), Ok(0), "before the clock began");
        assert_eq!(timespec(3_000_000_007)[8], 7);
    }
}
