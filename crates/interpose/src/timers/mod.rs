//! Timers that are set without being waited for: they are on the board, and the stage makes them go off.
//!
//! A timer with a descriptor is an eventfd, which reads like one; the stage adds to it. The stage sends the signal of a
//! timer that has one. A timer with a function has a thread that waits for a descriptor (`notify`).
#![expect(unsafe_code, reason = "exports symbols of libc")]

mod named;
mod notify;

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::SeqCst;

use libc::{c_int, c_uint, clockid_t, itimerspec, itimerval, pollfd, siginfo_t, sigset_t, timespec};
use wire::{Call, FRAME_BYTES_MAX, Reply, Request, SignalForm, Timer};

use crate::clock::{
    Clock, NS_PER_S, deadline_of_timespec, from_timespec, from_timeval, to_timespec, to_timeval,
};
use crate::fds::{self, Entry, Kind};
use crate::guest::GuestPtr;
use crate::kernel::{self, Errno, Result, give_int};
use crate::pass;
use crate::session::{Session, session};
use crate::thread::Wait;
use crate::wait::{self, now};

/// The timer of `alarm` and of `setitimer`, plus one; zero while there is none.
static REAL: AtomicU32 = AtomicU32::new(0);

/// Forgets all timers in a child process, which has none of its parent's.
pub fn forget() {
    REAL.store(0, SeqCst);
    named::forget();
}

/// Reports that a descriptor of a timer is closed; the stage knows whether there are others.
pub fn report_closing(session: &Session, entry: Entry) {
    if entry.kind == Kind::Timer {
        tell(session, &Request::TimerClosed { timer: entry.link });
    }
}

fn tell(session: &Session, request: &Request<'_>) {
    let mut buffer = [0; FRAME_BYTES_MAX];
    // A timer that does not exist any more need not be reported.
    let _ = session.ask(request, None, &mut buffer);
}

fn timer_of(session: &Session, index: u32) -> Result<&'static Timer> {
    session.board.timers.get(index as usize).ok_or(Errno::INVALID)
}

fn make(session: &Session, request: &Request<'_>, descriptor: Option<c_int>, clock: Clock) -> Result<u32> {
    let mut buffer = [0; FRAME_BYTES_MAX];
    let Reply::Timer { timer } = session.ask(request, descriptor, &mut buffer)? else {
        return Err(Errno::INVALID);
    };
    timer_of(session, timer)?.is_wall.store(u32::from(clock == Clock::Wall), SeqCst);
    Ok(timer)
}

/// The time when a timer goes off, and the interval after that; all zero when it is not set.
#[derive(Clone, Copy)]
struct Setting {
    /// A length of time, or a time of the timer's clock.
    value_ns: u64,
    interval_ns: u64,
    is_absolute: bool,
}

/// Sets a timer, and returns what was left of the old setting.
fn set(session: &Session, timer: &Timer, setting: Setting) -> Setting {
    let old = get(session, timer);
    let clock = if timer.is_wall.load(SeqCst) != 0 { Clock::Wall } else { Clock::Monotonic };
    let deadline_ns = match (setting.value_ns, setting.is_absolute) {
        (0, _) => 0,
        (value, false) => now(session).saturating_add(value),
        // A time that has passed counts as now.
        (value, true) => clock.to_monotonic(session, value).max(now(session)).max(1),
    };
    timer.interval_ns.store(setting.interval_ns, SeqCst);
    timer.deadline_ns.store(deadline_ns, SeqCst);
    old
}

fn get(session: &Session, timer: &Timer) -> Setting {
    let deadline_ns = timer.deadline_ns.load(SeqCst);
    let value_ns = if deadline_ns == 0 { 0 } else { deadline_ns.saturating_sub(now(session)).max(1) };
    Setting { value_ns, interval_ns: timer.interval_ns.load(SeqCst), is_absolute: false }
}

fn read_setting(new: *const itimerspec, is_absolute: bool) -> Result<Setting> {
    let new = GuestPtr::new(new).read()?;
    let (value_ns, interval_ns) = (from_timespec(new.it_value)?, from_timespec(new.it_interval)?);
    Ok(Setting { value_ns, interval_ns, is_absolute })
}

fn write_setting(setting: Setting, old: *mut itimerspec) {
    let value =
        itimerspec { it_interval: to_timespec(setting.interval_ns), it_value: to_timespec(setting.value_ns) };
    GuestPtr::new(old).write(value);
}

#[unsafe(no_mangle)]
pub extern "C" fn timerfd_create(id: clockid_t, flags: c_int) -> c_int {
    let Some(session) = session() else { return give_int(pass!(libc::SYS_timerfd_create, id, flags)) };
    let create = || {
        let clock = Clock::from_id(id).ok_or(Errno::INVALID)?;
        // Both kinds of descriptors have the same flags.
        let fd = pass!(libc::SYS_eventfd2, 0, flags)? as c_int;
        let timer =
            make(session, &Request::TimerFd {}, Some(fd), clock).inspect_err(|_| kernel::close(fd))?;
        fds::set(fd, Entry { link: timer, ..Entry::new(Kind::Timer) });
        Ok(fd as usize)
    };
    give_int(create())
}

fn timer_of_fd(session: &Session, fd: c_int) -> Result<&'static Timer> {
    let entry = fds::get(fd);
    if entry.kind == Kind::Timer { timer_of(session, entry.link) } else { Err(Errno::INVALID) }
}

#[unsafe(no_mangle)]
pub extern "C" fn timerfd_settime(
    fd: c_int,
    flags: c_int,
    new: *const itimerspec,
    old: *mut itimerspec,
) -> c_int {
    let Some(session) = session() else {
        return give_int(pass!(libc::SYS_timerfd_settime, fd, flags, new, old));
    };
    let set = || {
        let timer = timer_of_fd(session, fd)?;
        let setting = read_setting(new, flags & libc::TFD_TIMER_ABSTIME != 0)?;
        // Earlier expirations are forgotten; otherwise the kernel's counter is empty.
        if wait::is_readable(fd) {
            let mut count = 0_u64;
            pass!(libc::SYS_read, fd, &raw mut count, size_of::<u64>())?;
        }
        write_setting(set(session, timer, setting), old);
        Ok(0)
    };
    give_int(set())
}

#[unsafe(no_mangle)]
pub extern "C" fn timerfd_gettime(fd: c_int, value: *mut itimerspec) -> c_int {
    let Some(session) = session() else { return give_int(pass!(libc::SYS_timerfd_gettime, fd, value)) };
    give_int(timer_of_fd(session, fd).map(|timer| {
        write_setting(get(session, timer), value);
        0
    }))
}

/// Returns the timer that sends `SIGALRM`, which is made when first needed.
fn real_timer(session: &Session) -> Result<&'static Timer> {
    if REAL.load(SeqCst) == 0 {
        let (signal, form) = (libc::SIGALRM, SignalForm::Plain);
        let request = Request::TimerSignal { signal, form, value: 0, thread: 0 };
        let timer = make(session, &request, None, Clock::Monotonic)?;
        REAL.store(timer + 1, SeqCst);
    }
    timer_of(session, REAL.load(SeqCst) - 1)
}

#[unsafe(no_mangle)]
pub extern "C" fn alarm(seconds: c_uint) -> c_uint {
    let Some(session) = session() else { return real_alarm(seconds) };
    let Ok(timer) = real_timer(session) else { return 0 };
    let value_ns = u64::from(seconds) * NS_PER_S;
    let old = set(session, timer, Setting { value_ns, interval_ns: 0, is_absolute: false });
    // The result is at least one while something is left.
    old.value_ns.div_ceil(NS_PER_S) as c_uint
}

/// Calls the kernel's `setitimer`, since not every machine has the older system call.
fn real_alarm(seconds: c_uint) -> c_uint {
    let zero = libc::timeval { tv_sec: 0, tv_usec: 0 };
    let new =
        itimerval { it_interval: zero, it_value: libc::timeval { tv_sec: i64::from(seconds), tv_usec: 0 } };
    let mut old = itimerval { it_interval: zero, it_value: zero };
    let _ = pass!(libc::SYS_setitimer, libc::ITIMER_REAL, &raw const new, &raw mut old);
    old.it_value.tv_sec as c_uint + c_uint::from(old.it_value.tv_usec > 0)
}

fn write_timeval(setting: Setting, old: *mut itimerval) {
    let value =
        itimerval { it_interval: to_timeval(setting.interval_ns), it_value: to_timeval(setting.value_ns) };
    GuestPtr::new(old).write(value);
}

#[unsafe(no_mangle)]
pub extern "C" fn setitimer(which: c_int, new: *const itimerval, old: *mut itimerval) -> c_int {
    let (Some(session), true) = (session(), which == libc::ITIMER_REAL as c_int) else {
        return give_int(pass!(libc::SYS_setitimer, which, new, old));
    };
    let set = || {
        let wanted = GuestPtr::new(new).read()?;
        let (value_ns, interval_ns) = (from_timeval(wanted.it_value)?, from_timeval(wanted.it_interval)?);
        let timer = real_timer(session)?;
        write_timeval(set(session, timer, Setting { value_ns, interval_ns, is_absolute: false }), old);
        Ok(0)
    };
    give_int(set())
}

#[unsafe(no_mangle)]
pub extern "C" fn getitimer(which: c_int, value: *mut itimerval) -> c_int {
    let (Some(session), true) = (session(), which == libc::ITIMER_REAL as c_int) else {
        return give_int(pass!(libc::SYS_getitimer, which, value));
    };
    give_int(real_timer(session).map(|timer| {
        write_timeval(get(session, timer), value);
        0
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn sigtimedwait(set: *const sigset_t, info: *mut siginfo_t, length: *const timespec) -> c_int {
    let kernel =
        |length: *const timespec| pass!(libc::SYS_rt_sigtimedwait, set, info, length, size_of::<u64>());
    let Some(session) = session() else { return give_int(kernel(length)) };
    let at_once = timespec { tv_sec: 0, tv_nsec: 0 };
    let wait = || {
        let deadline_ns = deadline_of_timespec(session, length)?;
        match kernel(&raw const at_once) {
            Err(Errno::AGAIN) => {}
            result => return result,
        }
        wait_for_signal(session, set, deadline_ns)?;
        kernel(&raw const at_once)
    };
    give_int(wait())
}

/// Waits until one of the signals has come, or until the deadline.
fn wait_for_signal(session: &'static Session, set: *const sigset_t, deadline_ns: u64) -> Result<()> {
    let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
    let fd = pass!(libc::SYS_signalfd4, -1_isize, set, size_of::<u64>(), flags)? as c_int;
    let mut one = [pollfd { fd, events: libc::POLLIN, revents: 0 }];
    let waited = wait::on_fds(session, &mut one, None, Wait::until(Call::SigWait, deadline_ns), &mut |_| {});
    kernel::close(fd);
    waited.map(drop)
}

#[unsafe(no_mangle)]
pub extern "C" fn sigwaitinfo(set: *const sigset_t, info: *mut siginfo_t) -> c_int {
    sigtimedwait(set, info, core::ptr::null())
}

#[unsafe(no_mangle)]
pub extern "C" fn sigwait(set: *const sigset_t, signal: *mut c_int) -> c_int {
    let kernel = || pass!(libc::SYS_rt_sigtimedwait, set, 0, 0, size_of::<u64>());
    loop {
        let waited = match session() {
            Some(session) => wait::in_kernel(session, Wait::forever(Call::SigWait), kernel),
            None => kernel(),
        };
        match waited {
            Ok(number) => {
                GuestPtr::new(signal).write(number as c_int);
                return 0;
            }
            Err(Errno::INTERRUPTED) => {}
            Err(errno) => return errno.0,
        }
    }
}

/// Replaces `pause`, for programs that only wait for a signal.
#[unsafe(no_mangle)]
pub extern "C" fn pause() -> c_int {
    let kernel = || pass!(libc::SYS_ppoll, 0, 0, 0, 0, size_of::<u64>());
    give_int(match session() {
        Some(session) => wait::in_kernel(session, Wait::forever(Call::SigWait), kernel),
        None => kernel(),
    })
}
