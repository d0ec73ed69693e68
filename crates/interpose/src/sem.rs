//! Unnamed semaphores, implemented here entirely, for the same reason as condition variables.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};

use libc::{c_int, c_uint, clockid_t, sem_t, timespec};
use wire::{Call, NEVER_NS};

use crate::clock::{Clock, from_timespec};
use crate::guest::{GuestPtr, Overlay, overlay};
use crate::kernel::{Errno, Result, give_int};
use crate::real;
use crate::session::{Session, session};
use crate::thread::Wait;
use crate::wait::{self, Ended, Word};

#[repr(C)]
struct Sem {
    value: AtomicU32,
    n_waiters: AtomicU32,
    is_shared: AtomicU32,
}

// SAFETY: all fields are atomics, and it is smaller than what it stands in for and no more strictly aligned.
unsafe impl Overlay for Sem {
    type Instead = sem_t;
}

const VALUE_MAX: u32 = i32::MAX as u32;

#[unsafe(no_mangle)]
pub extern "C" fn sem_init(sem: *mut sem_t, shared: c_int, value: c_uint) -> c_int {
    if session().is_none() {
        return real::sem_init(sem, shared, value);
    }
    // SAFETY: the guest claims that this is a semaphore.
    let sem = unsafe { overlay::<Sem>(sem) };
    give_int(sem.and_then(|sem| {
        if value > VALUE_MAX {
            return Err(Errno::INVALID);
        }
        sem.n_waiters.store(0, Relaxed);
        sem.is_shared.store(u32::from(shared != 0), Relaxed);
        sem.value.store(value, SeqCst);
        Ok(0)
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn sem_destroy(sem: *mut sem_t) -> c_int {
    if session().is_none() {
        return real::sem_destroy(sem);
    }
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn sem_post(sem: *mut sem_t) -> c_int {
    if session().is_none() {
        return real::sem_post(sem);
    }
    // SAFETY: the guest claims that this is a semaphore.
    let sem = unsafe { overlay::<Sem>(sem) };
    give_int(sem.and_then(|sem| {
        let add = |value: u32| (value < VALUE_MAX).then_some(value + 1);
        sem.value.fetch_update(SeqCst, SeqCst, add).map_err(|_| Errno(libc::EOVERFLOW))?;
        if sem.n_waiters.load(SeqCst) > 0 {
            wait::wake_word(&sem.value, 1, sem.is_shared.load(Relaxed) != 0);
        }
        Ok(0)
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn sem_getvalue(sem: *mut sem_t, value: *mut c_int) -> c_int {
    if session().is_none() {
        return real::sem_getvalue(sem, value);
    }
    // SAFETY: the guest claims that this is a semaphore.
    let sem = unsafe { overlay::<Sem>(sem) };
    give_int(sem.map(|sem| {
        GuestPtr::new(value).write(sem.value.load(SeqCst) as c_int);
        0
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn sem_trywait(sem: *mut sem_t) -> c_int {
    if session().is_none() {
        return real::sem_trywait(sem);
    }
    // SAFETY: the guest claims that this is a semaphore.
    let sem = unsafe { overlay::<Sem>(sem) };
    give_int(sem.and_then(|sem| if take(sem) { Ok(0) } else { Err(Errno::AGAIN) }))
}

#[unsafe(no_mangle)]
pub extern "C" fn sem_wait(sem: *mut sem_t) -> c_int {
    let Some(session) = session() else { return real::sem_wait(sem) };
    // SAFETY: the guest claims that this is a semaphore.
    let sem = unsafe { overlay::<Sem>(sem) };
    give_int(sem.and_then(|sem| wait_until(session, sem, NEVER_NS)))
}

#[unsafe(no_mangle)]
pub extern "C" fn sem_timedwait(sem: *mut sem_t, until: *const timespec) -> c_int {
    let Some(session) = session() else { return real::sem_timedwait(sem, until) };
    give_int(wait_on_clock(session, sem, libc::CLOCK_REALTIME, until))
}

#[unsafe(no_mangle)]
pub extern "C" fn sem_clockwait(sem: *mut sem_t, id: clockid_t, until: *const timespec) -> c_int {
    let Some(session) = session() else { return real::sem_clockwait(sem, id, until) };
    give_int(wait_on_clock(session, sem, id, until))
}

fn wait_on_clock(
    session: &'static Session,
    sem: *mut sem_t,
    id: clockid_t,
    until: *const timespec,
) -> Result<usize> {
    // SAFETY: the guest claims that this is a semaphore.
    let sem = unsafe { overlay::<Sem>(sem)? };
    let clock = Clock::from_id(id).ok_or(Errno::INVALID)?;
    if take(sem) {
        return Ok(0);
    }
    let until = from_timespec(GuestPtr::new(until).read()?)?;
    wait_until(session, sem, clock.to_monotonic(session, until))
}

/// Decrements the semaphore, if it is not zero.
fn take(sem: &Sem) -> bool {
    sem.value.fetch_update(SeqCst, SeqCst, |value| value.checked_sub(1)).is_ok()
}

fn wait_until(session: &'static Session, sem: &Sem, deadline_ns: u64) -> Result<usize> {
    let word = Word { word: &sem.value, expected: 0, is_shared: sem.is_shared.load(Relaxed) != 0 };
    sem.n_waiters.fetch_add(1, SeqCst);
    let result = loop {
        if take(sem) {
            break Ok(0);
        }
        match wait::on_word(session, Some(word), Wait::until(Call::SemWait, deadline_ns)) {
            Ended::Word => {}
            Ended::Expired => break Err(Errno::TIMED_OUT),
            Ended::Signal => break Err(Errno::INTERRUPTED),
        }
    };
    sem.n_waiters.fetch_sub(1, SeqCst);
    result
}
