//! Mutexes, read-write locks and joining: libc implements them, the board says who waits.
//!
//! They wait for another thread of the same node, which will run or is itself waiting. Their time-outs are on the
//! virtual clock; since libc's own wait cannot be ended from outside, the thread checks every few real milliseconds
//! whether the clock has moved.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use libc::{c_int, c_void, clockid_t, pthread_mutex_t, pthread_rwlock_t, pthread_t, timespec};
use wire::{Call, Wake};

use crate::clock::{Clock, NS_PER_S, from_timespec, to_timespec};
use crate::guest::GuestPtr;
use crate::kernel::{Errno, Result, give_error};
use crate::session::{Session, session};
use crate::thread::{Blocked, Wait};
use crate::wait::now;
use crate::{pass, real};

/// The interval at which a timed wait checks the clock.
const LOOK_NS: u64 = 2_000_000;

fn result(code: c_int) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(Errno(code)) }
}

/// Takes a mutex that another thread may hold.
pub fn lock(session: &'static Session, mutex: *mut pthread_mutex_t) -> Result<()> {
    match real::pthread_mutex_trylock(mutex) {
        libc::EBUSY => {}
        code => return result(code),
    }
    wait_for_lock(session, Call::MutexLock, &|until| real::pthread_mutex_timedlock(mutex, until), &|| {
        real::pthread_mutex_lock(mutex)
    })
}

/// Waits for a lock that another thread has: in the kernel, or, where threads take turns, by trying at each turn.
/// `attempt_until` is called with a time that has passed, so that it fails at once.
fn wait_for_lock(
    session: &'static Session,
    call: Call,
    attempt_until: &dyn Fn(*const timespec) -> c_int,
    wait: &dyn Fn() -> c_int,
) -> Result<()> {
    let passed = timespec { tv_sec: 0, tv_nsec: 0 };
    let attempt = || Some(attempt_until(&raw const passed)).filter(|code| *code != libc::ETIMEDOUT);
    let mut blocked = Blocked::begin(session, Wait::forever(call));
    result(match &mut blocked {
        Some(blocked) if blocked.contends() => blocked.contend(&attempt),
        Some(_) | None => wait(),
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_mutex_lock(mutex: *mut pthread_mutex_t) -> c_int {
    match session() {
        Some(session) => give_error(lock(session, mutex)),
        None => real::pthread_mutex_lock(mutex),
    }
}

/// A timed wait.
struct Timed<'f> {
    call: Call,
    clock: clockid_t,
    until: *const timespec,
    /// Tries once without waiting.
    attempt: &'f dyn Fn() -> c_int,
    /// Tries until a time on the real clock of day.
    attempt_until: &'f dyn Fn(*const timespec) -> c_int,
}

fn wait_timed(session: &'static Session, timed: &Timed<'_>) -> Result<()> {
    match (timed.attempt)() {
        libc::EBUSY => {}
        code => return result(code),
    }
    let clock = Clock::from_id(timed.clock).ok_or(Errno::INVALID)?;
    let until = from_timespec(GuestPtr::new(timed.until).read()?)?;
    let deadline_ns = clock.to_monotonic(session, until);
    if deadline_ns <= now(session) {
        return Err(Errno::TIMED_OUT);
    }
    let blocked = Blocked::begin(session, Wait::until(timed.call, deadline_ns)).ok_or(Errno::AGAIN)?;
    loop {
        let next = to_timespec(real_now_ns() + LOOK_NS);
        match (timed.attempt_until)(&raw const next) {
            libc::ETIMEDOUT if blocked.wake_reason() == Wake::Expired => return Err(Errno::TIMED_OUT),
            libc::ETIMEDOUT => {}
            code => return result(code),
        }
    }
}

fn real_now_ns() -> u64 {
    let mut real = timespec { tv_sec: 0, tv_nsec: 0 };
    // This clock always exists.
    let _ = pass!(libc::SYS_clock_gettime, libc::CLOCK_REALTIME, &raw mut real);
    (real.tv_sec as u64).saturating_mul(NS_PER_S).saturating_add(real.tv_nsec as u64)
}

fn timed_mutex(
    session: &'static Session,
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    until: *const timespec,
) -> c_int {
    give_error(wait_timed(
        session,
        &Timed {
            call: Call::MutexLock,
            clock,
            until,
            attempt: &|| real::pthread_mutex_trylock(mutex),
            attempt_until: &|until| real::pthread_mutex_timedlock(mutex, until),
        },
    ))
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_mutex_timedlock(mutex: *mut pthread_mutex_t, until: *const timespec) -> c_int {
    match session() {
        Some(session) => timed_mutex(session, mutex, libc::CLOCK_REALTIME, until),
        None => real::pthread_mutex_timedlock(mutex, until),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_mutex_clocklock(
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    until: *const timespec,
) -> c_int {
    match session() {
        Some(session) => timed_mutex(session, mutex, clock, until),
        None => real::pthread_mutex_clocklock(mutex, clock, until),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_rwlock_rdlock(lock: *mut pthread_rwlock_t) -> c_int {
    let Some(session) = session() else { return real::pthread_rwlock_rdlock(lock) };
    match real::pthread_rwlock_tryrdlock(lock) {
        libc::EBUSY => {}
        code => return code,
    }
    give_error(wait_for_lock(
        session,
        Call::RwLock,
        &|until| real::pthread_rwlock_timedrdlock(lock, until),
        &|| real::pthread_rwlock_rdlock(lock),
    ))
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_rwlock_wrlock(lock: *mut pthread_rwlock_t) -> c_int {
    let Some(session) = session() else { return real::pthread_rwlock_wrlock(lock) };
    match real::pthread_rwlock_trywrlock(lock) {
        libc::EBUSY => {}
        code => return code,
    }
    give_error(wait_for_lock(
        session,
        Call::RwLock,
        &|until| real::pthread_rwlock_timedwrlock(lock, until),
        &|| real::pthread_rwlock_wrlock(lock),
    ))
}

fn timed_read(
    session: &'static Session,
    lock: *mut pthread_rwlock_t,
    clock: clockid_t,
    until: *const timespec,
) -> c_int {
    give_error(wait_timed(
        session,
        &Timed {
            call: Call::RwLock,
            clock,
            until,
            attempt: &|| real::pthread_rwlock_tryrdlock(lock),
            attempt_until: &|until| real::pthread_rwlock_timedrdlock(lock, until),
        },
    ))
}

fn timed_write(
    session: &'static Session,
    lock: *mut pthread_rwlock_t,
    clock: clockid_t,
    until: *const timespec,
) -> c_int {
    give_error(wait_timed(
        session,
        &Timed {
            call: Call::RwLock,
            clock,
            until,
            attempt: &|| real::pthread_rwlock_trywrlock(lock),
            attempt_until: &|until| real::pthread_rwlock_timedwrlock(lock, until),
        },
    ))
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_rwlock_timedrdlock(lock: *mut pthread_rwlock_t, until: *const timespec) -> c_int {
    match session() {
        Some(session) => timed_read(session, lock, libc::CLOCK_REALTIME, until),
        None => real::pthread_rwlock_timedrdlock(lock, until),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_rwlock_timedwrlock(lock: *mut pthread_rwlock_t, until: *const timespec) -> c_int {
    match session() {
        Some(session) => timed_write(session, lock, libc::CLOCK_REALTIME, until),
        None => real::pthread_rwlock_timedwrlock(lock, until),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_rwlock_clockrdlock(
    lock: *mut pthread_rwlock_t,
    clock: clockid_t,
    until: *const timespec,
) -> c_int {
    match session() {
        Some(session) => timed_read(session, lock, clock, until),
        None => real::pthread_rwlock_clockrdlock(lock, clock, until),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_rwlock_clockwrlock(
    lock: *mut pthread_rwlock_t,
    clock: clockid_t,
    until: *const timespec,
) -> c_int {
    match session() {
        Some(session) => timed_write(session, lock, clock, until),
        None => real::pthread_rwlock_clockwrlock(lock, clock, until),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_join(thread: pthread_t, value: *mut *mut c_void) -> c_int {
    let Some(session) = session() else { return real::pthread_join(thread, value) };
    let _blocked = Blocked::begin(session, Wait::forever(Call::Join));
    real::pthread_join(thread, value)
}

fn timed_join(
    session: &'static Session,
    thread: pthread_t,
    value: *mut *mut c_void,
    clock: clockid_t,
    until: *const timespec,
) -> c_int {
    give_error(wait_timed(
        session,
        &Timed {
            call: Call::Join,
            clock,
            until,
            attempt: &|| real::pthread_tryjoin_np(thread, value),
            attempt_until: &|until| real::pthread_timedjoin_np(thread, value, until),
        },
    ))
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_timedjoin_np(
    thread: pthread_t,
    value: *mut *mut c_void,
    until: *const timespec,
) -> c_int {
    match session() {
        Some(session) => timed_join(session, thread, value, libc::CLOCK_REALTIME, until),
        None => real::pthread_timedjoin_np(thread, value, until),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_clockjoin_np(
    thread: pthread_t,
    value: *mut *mut c_void,
    clock: clockid_t,
    until: *const timespec,
) -> c_int {
    match session() {
        Some(session) => timed_join(session, thread, value, clock, until),
        None => real::pthread_clockjoin_np(thread, value, clock, until),
    }
}
