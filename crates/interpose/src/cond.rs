//! Condition variables, implemented here entirely: libc's own can neither be woken from outside nor see our clock.
//!
//! A variable is a count of signals that waiters watch. A waiter that came before a signal sees the count change; one
//! that is woken without need returns, which POSIX allows.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};

use libc::{c_int, clockid_t, pthread_cond_t, pthread_condattr_t, pthread_mutex_t, timespec};
use wire::{Call, NEVER_NS};

use crate::clock::{Clock, from_timespec};
use crate::guest::{GuestPtr, Overlay, overlay};
use crate::kernel::{Errno, Result, give_error};
use crate::real;
use crate::session::{Session, session};
use crate::thread::Wait;
use crate::wait::{self, Ended, Word, now};

/// The longest wait between threads that passes in real time while another thread of the node runs: CPython passes its
/// lock on this way, every 5 ms. Longer waits are the program's own.
const SHORT_NS: u64 = 5_000_000;

/// A condition variable. All zero, as the static initialiser makes it, is a variable of this process on the clock of
/// day.
#[repr(C)]
struct Cond {
    n_signals: AtomicU32,
    n_waiters: AtomicU32,
    clock: AtomicU32,
    is_shared: AtomicU32,
}

// SAFETY: all fields are atomics, and it is smaller than what it stands in for and no more strictly aligned.
unsafe impl Overlay for Cond {
    type Instead = pthread_cond_t;
}

const ON_MONOTONIC: u32 = 1;

impl Cond {
    fn clock(&self) -> Clock {
        if self.clock.load(Relaxed) == ON_MONOTONIC { Clock::Monotonic } else { Clock::Wall }
    }

    fn is_shared(&self) -> bool {
        self.is_shared.load(Relaxed) != 0
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_init(cond: *mut pthread_cond_t, attr: *const pthread_condattr_t) -> c_int {
    if session().is_none() {
        return real::pthread_cond_init(cond, attr);
    }
    let (mut clock, mut shared) = (libc::CLOCK_REALTIME, libc::PTHREAD_PROCESS_PRIVATE);
    if !attr.is_null() {
        real::pthread_condattr_getclock(attr, &raw mut clock);
        real::pthread_condattr_getpshared(attr, &raw mut shared);
    }
    // SAFETY: the guest claims that this is a condition variable.
    let cond = unsafe { overlay::<Cond>(cond) };
    give_error(cond.map(|cond| {
        let on_monotonic = Clock::from_id(clock) == Some(Clock::Monotonic);
        cond.n_signals.store(0, Relaxed);
        cond.n_waiters.store(0, Relaxed);
        cond.clock.store(u32::from(on_monotonic), Relaxed);
        cond.is_shared.store(u32::from(shared == libc::PTHREAD_PROCESS_SHARED), SeqCst);
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_destroy(cond: *mut pthread_cond_t) -> c_int {
    if session().is_none() {
        return real::pthread_cond_destroy(cond);
    }
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_signal(cond: *mut pthread_cond_t) -> c_int {
    if session().is_none() {
        return real::pthread_cond_signal(cond);
    }
    // SAFETY: the guest claims that this is a condition variable.
    let cond = unsafe { overlay::<Cond>(cond) };
    give_error(cond.map(|cond| notify(cond, 1)))
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_broadcast(cond: *mut pthread_cond_t) -> c_int {
    if session().is_none() {
        return real::pthread_cond_broadcast(cond);
    }
    // SAFETY: the guest claims that this is a condition variable.
    let cond = unsafe { overlay::<Cond>(cond) };
    give_error(cond.map(|cond| notify(cond, c_int::MAX)))
}

fn notify(cond: &Cond, n: c_int) {
    if cond.n_waiters.load(SeqCst) > 0 {
        cond.n_signals.fetch_add(1, SeqCst);
        wait::wake_word(&cond.n_signals, n, cond.is_shared());
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_wait(cond: *mut pthread_cond_t, mutex: *mut pthread_mutex_t) -> c_int {
    let Some(session) = session() else { return real::pthread_cond_wait(cond, mutex) };
    // SAFETY: the guest claims that this is a condition variable.
    let cond = unsafe { overlay::<Cond>(cond) };
    give_error(cond.and_then(|cond| wait_until(session, cond, mutex, NEVER_NS)))
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_timedwait(
    cond: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    until: *const timespec,
) -> c_int {
    let Some(session) = session() else { return real::pthread_cond_timedwait(cond, mutex, until) };
    // SAFETY: the guest claims that this is a condition variable.
    let cond = unsafe { overlay::<Cond>(cond) };
    give_error(cond.and_then(|cond| {
        let until = from_timespec(GuestPtr::new(until).read()?)?;
        wait_until(session, cond, mutex, cond.clock().to_monotonic(session, until))
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_clockwait(
    cond: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    id: clockid_t,
    until: *const timespec,
) -> c_int {
    let Some(session) = session() else { return real::pthread_cond_clockwait(cond, mutex, id, until) };
    // SAFETY: the guest claims that this is a condition variable.
    let cond = unsafe { overlay::<Cond>(cond) };
    give_error(cond.and_then(|cond| {
        let clock = Clock::from_id(id).ok_or(Errno::INVALID)?;
        let until = from_timespec(GuestPtr::new(until).read()?)?;
        wait_until(session, cond, mutex, clock.to_monotonic(session, until))
    }))
}

fn wait_until(
    session: &'static Session,
    cond: &Cond,
    mutex: *mut pthread_mutex_t,
    deadline_ns: u64,
) -> Result<()> {
    let expected = cond.n_signals.load(SeqCst);
    cond.n_waiters.fetch_add(1, SeqCst);
    let unlocked = real::pthread_mutex_unlock(mutex);
    if unlocked != 0 {
        cond.n_waiters.fetch_sub(1, SeqCst);
        return Err(Errno(unlocked));
    }
    let ended = wait_for_signal(session, cond, expected, deadline_ns);
    cond.n_waiters.fetch_sub(1, SeqCst);
    crate::locks::lock(session, mutex)?;
    if ended == Ended::Expired { Err(Errno::TIMED_OUT) } else { Ok(()) }
}

fn wait_for_signal(session: &'static Session, cond: &Cond, expected: u32, deadline_ns: u64) -> Ended {
    let word = Word { word: &cond.n_signals, expected, is_shared: cond.is_shared() };
    let length_ns = deadline_ns.saturating_sub(now(session));
    let patience_ns = if length_ns <= SHORT_NS { length_ns } else { NEVER_NS };
    loop {
        let wait = Wait { call: Call::CondWait, deadline_ns, patience_ns };
        match wait::on_word(session, Some(word), wait) {
            // Condition variables do not notice signals.
            Ended::Signal => {}
            Ended::Word => return Ended::Word,
            Ended::Expired => return Ended::Expired,
        }
    }
}
