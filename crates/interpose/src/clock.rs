//! Clocks and sleeping.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use core::sync::atomic::Ordering::SeqCst;

use libc::{c_int, c_long, c_uint, c_void, clockid_t, time_t, timespec, timeval, useconds_t};
use wire::{Call, NEVER_NS};

use crate::guest::GuestPtr;
use crate::kernel::{Errno, Result, give_error, give_int};
use crate::pass;
use crate::session::{Session, session};
use crate::thread::{self, Wait};
use crate::wait::{self, Ended, now};

pub const NS_PER_S: u64 = 1_000_000_000;
/// The resolution that `clock_getres` reports for every virtual clock.
const RESOLUTION: timespec = timespec { tv_sec: 0, tv_nsec: 1 };

/// A clock of the guest that is virtual.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// The clock that counts from some time in the past.
    Monotonic,
    /// The clock of day.
    Wall,
}

impl Clock {
    /// Returns the clock; `None` for clocks of the processor's time, which are not virtual.
    pub fn from_id(id: clockid_t) -> Option<Clock> {
        match id {
            libc::CLOCK_REALTIME
            | libc::CLOCK_REALTIME_COARSE
            | libc::CLOCK_TAI
            | libc::CLOCK_REALTIME_ALARM => Some(Clock::Wall),
            libc::CLOCK_MONOTONIC
            | libc::CLOCK_MONOTONIC_RAW
            | libc::CLOCK_MONOTONIC_COARSE
            | libc::CLOCK_BOOTTIME
            | libc::CLOCK_BOOTTIME_ALARM => Some(Clock::Monotonic),
            _ => None,
        }
    }

    pub fn read(self, session: &Session) -> u64 {
        match self {
            Clock::Monotonic => now(session),
            Clock::Wall => now(session).wrapping_add(session.board.wall_offset_ns.load(SeqCst)),
        }
    }

    /// Converts a time of this clock to one of the monotonic clock.
    pub fn to_monotonic(self, session: &Session, ns: u64) -> u64 {
        match self {
            Clock::Monotonic => ns,
            Clock::Wall => ns.saturating_sub(session.board.wall_offset_ns.load(SeqCst)),
        }
    }
}

/// Converts to nanoseconds; fails for an invalid time.
pub fn from_timespec(time: timespec) -> Result<u64> {
    let nanos = u64::try_from(time.tv_nsec).ok().filter(|ns| *ns < NS_PER_S).ok_or(Errno::INVALID)?;
    // A time before the clock began has passed.
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Ok(seconds.saturating_mul(NS_PER_S).saturating_add(nanos))
}

pub fn to_timespec(ns: u64) -> timespec {
    timespec { tv_sec: (ns / NS_PER_S) as time_t, tv_nsec: (ns % NS_PER_S) as c_long }
}

pub fn from_timeval(time: timeval) -> Result<u64> {
    let nanos = time.tv_usec.checked_mul(1000).ok_or(Errno::INVALID)?;
    from_timespec(timespec { tv_sec: time.tv_sec, tv_nsec: nanos })
}

pub fn to_timeval(ns: u64) -> timeval {
    timeval { tv_sec: (ns / NS_PER_S) as time_t, tv_usec: (ns % NS_PER_S / 1000) as c_long }
}

#[unsafe(no_mangle)]
pub extern "C" fn clock_gettime(id: clockid_t, time: *mut timespec) -> c_int {
    let (Some(session), Some(clock)) = (session(), Clock::from_id(id)) else {
        return give_int(pass!(libc::SYS_clock_gettime, id, time));
    };
    thread::note_look_at_clock(session);
    GuestPtr::new(time).write(to_timespec(clock.read(session)));
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn clock_getres(id: clockid_t, resolution: *mut timespec) -> c_int {
    let (Some(_), Some(_)) = (session(), Clock::from_id(id)) else {
        return give_int(pass!(libc::SYS_clock_getres, id, resolution));
    };
    GuestPtr::new(resolution).write(RESOLUTION);
    0
}

/// Refuses to set the clock, which only the stage does.
#[unsafe(no_mangle)]
pub extern "C" fn clock_settime(id: clockid_t, time: *const timespec) -> c_int {
    let Some(session) = session() else { return give_int(pass!(libc::SYS_clock_settime, id, time)) };
    session.report("clock_settime", "the clock is the stage's to set", true);
    give_int(Err(Errno(libc::EPERM)))
}

#[unsafe(no_mangle)]
pub extern "C" fn gettimeofday(time: *mut timeval, zone: *mut c_void) -> c_int {
    let Some(session) = session() else { return give_int(pass!(libc::SYS_gettimeofday, time, zone)) };
    thread::note_look_at_clock(session);
    GuestPtr::new(time).write(to_timeval(Clock::Wall.read(session)));
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn time(place: *mut time_t) -> time_t {
    let seconds = match session() {
        Some(session) => (Clock::Wall.read(session) / NS_PER_S) as time_t,
        None => {
            let mut real = timespec { tv_sec: 0, tv_nsec: 0 };
            // This clock always exists.
            let _ = pass!(libc::SYS_clock_gettime, libc::CLOCK_REALTIME, &raw mut real);
            real.tv_sec
        }
    };
    GuestPtr::new(place).write(seconds);
    seconds
}

#[unsafe(no_mangle)]
pub extern "C" fn timespec_get(time: *mut timespec, base: c_int) -> c_int {
    const TIME_UTC: c_int = 1;
    if base != TIME_UTC {
        return 0;
    }
    clock_gettime(libc::CLOCK_REALTIME, time);
    base
}

#[unsafe(no_mangle)]
pub extern "C" fn nanosleep(length: *const timespec, left: *mut timespec) -> c_int {
    let Some(session) = session() else { return give_int(pass!(libc::SYS_nanosleep, length, left)) };
    give_int(GuestPtr::new(length).read().and_then(|length| {
        let until = now(session).saturating_add(from_timespec(length)?);
        sleep_until(session, until).inspect_err(|_| write_left(session, until, left))
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn clock_nanosleep(
    id: clockid_t,
    flags: c_int,
    length: *const timespec,
    left: *mut timespec,
) -> c_int {
    let (Some(session), Some(clock)) = (session(), Clock::from_id(id)) else {
        return give_error(pass!(libc::SYS_clock_nanosleep, id, flags, length, left).map(drop));
    };
    let is_absolute = flags & libc::TIMER_ABSTIME != 0;
    let slept = GuestPtr::new(length).read().and_then(|length| {
        let until = match is_absolute {
            true => clock.to_monotonic(session, from_timespec(length)?),
            false => now(session).saturating_add(from_timespec(length)?),
        };
        sleep_until(session, until).inspect_err(|_| {
            if !is_absolute {
                write_left(session, until, left);
            }
        })
    });
    give_error(slept.map(drop))
}

#[unsafe(no_mangle)]
pub extern "C" fn sleep(seconds: c_uint) -> c_uint {
    let length = timespec { tv_sec: time_t::from(seconds), tv_nsec: 0 };
    let mut left = timespec { tv_sec: 0, tv_nsec: 0 };
    match nanosleep(&raw const length, &raw mut left) {
        0 => 0,
        _ => c_uint::try_from(left.tv_sec).unwrap_or(0) + c_uint::from(left.tv_nsec > 0),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn usleep(micros: useconds_t) -> c_int {
    let ns = u64::from(micros) * 1000;
    let length = to_timespec(ns);
    nanosleep(&raw const length, core::ptr::null_mut())
}

/// Gives up the processor. Where threads take turns, others run first.
#[unsafe(no_mangle)]
pub extern "C" fn sched_yield() -> c_int {
    if let Some(session) = session() {
        thread::yield_turn(session);
    }
    give_int(pass!(libc::SYS_sched_yield))
}

/// Sleeps until a time. A sleep of no length, by which a thread gives up the processor, returns at once and the thread
/// stays "running": it may be waiting for another thread that is not there.
fn sleep_until(session: &'static Session, until: u64) -> Result<usize> {
    if until <= now(session) {
        thread::yield_turn(session);
    }
    match wait::on_word(session, None, Wait::until(Call::Sleep, until)) {
        Ended::Expired | Ended::Word => Ok(0),
        Ended::Signal => Err(Errno::INTERRUPTED),
    }
}

fn write_left(session: &Session, until: u64, left: *mut timespec) {
    GuestPtr::new(left).write(to_timespec(until.saturating_sub(now(session))));
}

/// Returns the deadline of a time-out in milliseconds, as `poll` takes it: a negative one never ends.
pub fn deadline_of_millis(session: &Session, millis: c_int) -> u64 {
    match u64::try_from(millis) {
        Ok(millis) => now(session).saturating_add(millis * 1_000_000),
        Err(_) => NEVER_NS,
    }
}

/// Returns the deadline of a length of time; null never ends.
pub fn deadline_of_timespec(session: &Session, length: *const timespec) -> Result<u64> {
    match GuestPtr::new(length).opt_read() {
        Some(length) => Ok(now(session).saturating_add(from_timespec(length)?)),
        None => Ok(NEVER_NS),
    }
}
