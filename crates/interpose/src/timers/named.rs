//! Timers with numbers: `timer_create` and related functions.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::SeqCst;

use libc::{c_int, clockid_t, itimerspec, pthread_attr_t, timer_t};
use wire::{Request, SignalForm, TIMERS_MAX, Timer};

use super::{get, make, notify, read_setting, set, tell, timer_of, write_setting};
use crate::clock::Clock;
use crate::guest::GuestPtr;
use crate::kernel::{Errno, Result, give_int};
use crate::real;
use crate::session::{Session, session};

/// The timers that this process has made.
static OWN: [AtomicBool; TIMERS_MAX] = [const { AtomicBool::new(false) }; TIMERS_MAX];

/// Forgets all timers in a child process, which has none of its parent's.
pub fn forget() {
    for own in &OWN {
        own.store(false, SeqCst);
    }
    notify::forget();
}

/// The first fields of a `sigevent`. The last ones are a thread, or a function and the attributes of its thread.
#[repr(C)]
#[derive(Clone, Copy)]
struct SigEvent {
    value: usize,
    signal: c_int,
    notify: c_int,
    thread_or_function: usize,
    attributes: *const pthread_attr_t,
}

/// Checks that our reading of `timer_create`'s argument is no larger than its type.
const _: () = assert!(size_of::<SigEvent>() <= size_of::<libc::sigevent>());

#[unsafe(no_mangle)]
pub extern "C" fn timer_create(id: clockid_t, event: *mut libc::sigevent, timer: *mut timer_t) -> c_int {
    let Some(session) = session() else { return real::timer_create(id, event, timer) };
    let create = || {
        let clock = Clock::from_id(id).ok_or(Errno::INVALID)?;
        let made = match GuestPtr::new(event.cast::<SigEvent>()).opt_read() {
            None => make_with_signal(session, clock, libc::SIGALRM, SignalForm::Number, (0, 0))?,
            Some(event) => make_for_event(session, clock, event)?,
        };
        if let Some(own) = OWN.get(made as usize) {
            own.store(true, SeqCst);
        }
        GuestPtr::new(timer).write((made as usize + 1) as timer_t);
        Ok(0)
    };
    give_int(create())
}

fn make_for_event(session: &'static Session, clock: Clock, event: SigEvent) -> Result<u32> {
    let value = event.value as u64;
    let signal =
        |signal, thread| make_with_signal(session, clock, signal, SignalForm::Value, (value, thread));
    match event.notify {
        libc::SIGEV_NONE => signal(0, 0),
        libc::SIGEV_SIGNAL => signal(event.signal, 0),
        libc::SIGEV_THREAD_ID => signal(event.signal, event.thread_or_function as u32),
        libc::SIGEV_THREAD => {
            // SAFETY: the guest claims that these are attributes, or there are none.
            let stack_bytes = unsafe { notify::stack_bytes(event.attributes) };
            let run = notify::Run { function: event.thread_or_function, value: event.value, stack_bytes };
            notify::create(session, clock, run)
        }
        _ => Err(Errno::INVALID),
    }
}

// Six values: those of the system call and of the signal.
fn make_with_signal(
    session: &Session,
    clock: Clock,
    signal: c_int,
    form: SignalForm,
    (value, thread): (u64, u32),
) -> Result<u32> {
    make(session, &Request::TimerSignal { signal, form, value, thread }, None, clock)
}

/// Returns the index of a timer of this process.
fn own(id: timer_t) -> Result<u32> {
    let index = (id as usize).checked_sub(1).ok_or(Errno::INVALID)?;
    let is_own = OWN.get(index).is_some_and(|own| own.load(SeqCst));
    if is_own { u32::try_from(index).map_err(|_| Errno::INVALID) } else { Err(Errno::INVALID) }
}

fn timer_of_id(session: &Session, id: timer_t) -> Result<&'static Timer> {
    timer_of(session, own(id)?)
}

#[unsafe(no_mangle)]
pub extern "C" fn timer_settime(
    id: timer_t,
    flags: c_int,
    new: *const itimerspec,
    old: *mut itimerspec,
) -> c_int {
    let Some(session) = session() else { return real::timer_settime(id, flags, new, old) };
    let set = || {
        let setting = read_setting(new, flags & libc::TIMER_ABSTIME != 0)?;
        write_setting(set(session, timer_of_id(session, id)?, setting), old);
        Ok(0)
    };
    give_int(set())
}

#[unsafe(no_mangle)]
pub extern "C" fn timer_gettime(id: timer_t, value: *mut itimerspec) -> c_int {
    let Some(session) = session() else { return real::timer_gettime(id, value) };
    give_int(timer_of_id(session, id).map(|timer| {
        write_setting(get(session, timer), value);
        0
    }))
}

/// Replaces `timer_getoverrun`: returns how often the timer went off beyond the one signal. Several expirations that
/// the stage causes at once have one signal.
#[unsafe(no_mangle)]
pub extern "C" fn timer_getoverrun(id: timer_t) -> c_int {
    let Some(session) = session() else { return real::timer_getoverrun(id) };
    give_int(timer_of_id(session, id).map(|timer| timer.n_overrun.load(SeqCst) as usize))
}

#[unsafe(no_mangle)]
pub extern "C" fn timer_delete(id: timer_t) -> c_int {
    let Some(session) = session() else { return real::timer_delete(id) };
    give_int(own(id).map(|timer| {
        OWN[timer as usize].store(false, SeqCst);
        let deleted = notify::begin_delete(timer);
        // From here on the place may belong to another timer.
        tell(session, &Request::TimerGone { timer });
        deleted.into_iter().for_each(notify::DeletedTimer::finish);
        0
    }))
}
