//! `poll`, `select`, `epoll`: their time-outs are on the virtual clock, and undecided connections are hidden.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use libc::{c_int, c_ulong, epoll_event, fd_set, nfds_t, pollfd, sigset_t, size_t, timespec, timeval};
use wire::{Call, NEVER_NS};

use crate::clock::{deadline_of_millis, deadline_of_timespec, from_timeval, to_timespec, to_timeval};
use crate::fds::{self, Entry, Kind};
use crate::guest::{GuestPtr, guest_slice};
use crate::kernel::{Errno, Result, give_int};
use crate::net;
use crate::pass;
use crate::session::{Session, session};
use crate::thread::Wait;
use crate::wait::{self, now};

fn signals(set: *const sigset_t) -> Option<u64> {
    GuestPtr::new(set.cast::<u64>()).opt_read()
}

#[unsafe(no_mangle)]
pub extern "C" fn poll(polled: *mut pollfd, n: nfds_t, timeout_ms: c_int) -> c_int {
    match session() {
        Some(session) => {
            give_int(poll_until(session, polled, n, None, deadline_of_millis(session, timeout_ms)))
        }
        None => give_int(real_poll(polled, n, timeout_ms)),
    }
}

/// Calls the kernel's `ppoll`, since not every machine has the older system call.
fn real_poll(polled: *mut pollfd, n: nfds_t, timeout_ms: c_int) -> Result<usize> {
    let length = u64::try_from(timeout_ms).ok().map(|millis| to_timespec(millis * 1_000_000));
    let length = length.as_ref().map_or(core::ptr::null(), |length| &raw const *length);
    pass!(libc::SYS_ppoll, polled, n, length, 0, size_of::<u64>())
}

#[unsafe(no_mangle)]
pub extern "C" fn ppoll(
    polled: *mut pollfd,
    n: nfds_t,
    length: *const timespec,
    set: *const sigset_t,
) -> c_int {
    let Some(session) = session() else {
        return give_int(pass!(libc::SYS_ppoll, polled, n, length, set, size_of::<u64>()));
    };
    give_int(
        deadline_of_timespec(session, length)
            .and_then(|deadline_ns| poll_until(session, polled, n, signals(set), deadline_ns)),
    )
}

/// Replaces the variant of `poll` for programs that were compiled with checks of their buffers.
#[unsafe(no_mangle)]
pub extern "C" fn __poll_chk(polled: *mut pollfd, n: nfds_t, timeout_ms: c_int, _len: size_t) -> c_int {
    poll(polled, n, timeout_ms)
}

#[unsafe(no_mangle)]
pub extern "C" fn __ppoll_chk(
    polled: *mut pollfd,
    n: nfds_t,
    length: *const timespec,
    set: *const sigset_t,
    _len: size_t,
) -> c_int {
    ppoll(polled, n, length, set)
}

fn poll_until(
    session: &'static Session,
    polled: *mut pollfd,
    n: nfds_t,
    signals: Option<u64>,
    deadline_ns: u64,
) -> Result<usize> {
    // SAFETY: the guest claims that so many are there, and that nobody else uses them during its call.
    let polled = unsafe { guest_slice(polled, n as usize)? };
    poll_slice(session, polled, signals, Wait::until(Call::Poll, deadline_ns))
}

/// Polls descriptors. A connection that is not decided yet is neither readable nor writable, whatever the kernel's
/// socket says.
fn poll_slice(
    session: &'static Session,
    polled: &mut [pollfd],
    signals: Option<u64>,
    wait: Wait,
) -> Result<usize> {
    let has_pending = |polled: &[pollfd]| polled.iter().any(|one| net::is_pending(one.fd));
    net::settle_all(session);
    if !has_pending(polled) {
        return wait::on_fds(session, polled, signals, wait, &mut |_| net::settle_all(session));
    }
    let mut hidden = [0_i32; net::PENDING_MAX];
    let mut look = |polled: &mut [pollfd]| {
        net::settle_all(session);
        hide_pending(polled, &mut hidden);
    };
    let result = wait::on_fds(session, polled, signals, wait, &mut look);
    show_hidden(polled, &hidden);
    result
}

/// Makes the kernel ignore connections that are not decided, by a negative number, and show those that are.
fn hide_pending(polled: &mut [pollfd], hidden: &mut [i32; net::PENDING_MAX]) {
    show_hidden(polled, hidden);
    *hidden = [0; net::PENDING_MAX];
    let pending = polled.iter_mut().filter(|one| net::is_pending(one.fd));
    for (one, place) in pending.zip(hidden.iter_mut()) {
        *place = one.fd + 1;
        one.fd = -one.fd - 1;
    }
}

fn show_hidden(polled: &mut [pollfd], hidden: &[i32; net::PENDING_MAX]) {
    for one in polled.iter_mut().filter(|one| one.fd < 0) {
        if hidden.contains(&-one.fd) {
            one.fd = -one.fd - 1;
        }
    }
}

const SET_BITS: usize = 1024;
const WORD_BITS: usize = 64;
type SetWords = [c_ulong; SET_BITS / WORD_BITS];

/// Copies of the three sets of `select`.
struct Sets {
    read: SetWords,
    write: SetWords,
    except: SetWords,
}

fn read_set(set: *const fd_set) -> SetWords {
    GuestPtr::new(set.cast::<SetWords>()).opt_read().unwrap_or_default()
}

fn has(set: &SetWords, fd: usize) -> bool {
    set[fd / WORD_BITS] >> (fd % WORD_BITS) & 1 != 0
}

fn add(set: &mut SetWords, fd: usize) {
    set[fd / WORD_BITS] |= 1 << (fd % WORD_BITS);
}

#[unsafe(no_mangle)]
pub extern "C" fn select(
    n: c_int,
    read: *mut fd_set,
    write: *mut fd_set,
    except: *mut fd_set,
    length: *mut timeval,
) -> c_int {
    let Some(session) = session() else { return give_int(real_select(n, [read, write, except], length)) };
    let limit = GuestPtr::new(length).opt_read().map(from_timeval).transpose();
    give_int(limit.and_then(|limit| {
        let deadline_ns = limit.map_or(NEVER_NS, |limit| now(session).saturating_add(limit));
        let result = select_until(session, n, [read, write, except], None, deadline_ns);
        // Linux writes back the time that is left.
        if limit.is_some() {
            GuestPtr::new(length).write(to_timeval(deadline_ns.saturating_sub(now(session))));
        }
        result
    }))
}

fn real_select(n: c_int, sets: [*mut fd_set; 3], length: *mut timeval) -> Result<usize> {
    let limit = GuestPtr::new(length).opt_read().map(from_timeval).transpose()?.map(to_timespec);
    let limit = limit.as_ref().map_or(core::ptr::null(), |limit| &raw const *limit);
    let [read, write, except] = sets;
    pass!(libc::SYS_pselect6, n, read, write, except, limit, 0)
}

#[unsafe(no_mangle)]
pub extern "C" fn pselect(
    n: c_int,
    read: *mut fd_set,
    write: *mut fd_set,
    except: *mut fd_set,
    length: *const timespec,
    set: *const sigset_t,
) -> c_int {
    let Some(session) = session() else {
        let with_size = [set as usize, size_of::<u64>()];
        return give_int(pass!(libc::SYS_pselect6, n, read, write, except, length, with_size.as_ptr()));
    };
    give_int(
        deadline_of_timespec(session, length).and_then(|deadline_ns| {
            select_until(session, n, [read, write, except], signals(set), deadline_ns)
        }),
    )
}

fn select_until(
    session: &'static Session,
    n: c_int,
    sets: [*mut fd_set; 3],
    signals: Option<u64>,
    deadline_ns: u64,
) -> Result<usize> {
    let n = usize::try_from(n).ok().filter(|n| *n <= SET_BITS).ok_or(Errno::INVALID)?;
    let asked = Sets { read: read_set(sets[0]), write: read_set(sets[1]), except: read_set(sets[2]) };
    let mut polled = [pollfd { fd: -1, events: 0, revents: 0 }; SET_BITS];
    let mut n_polled = 0;
    for fd in 0..n {
        let mut events = 0;
        events |= if has(&asked.read, fd) { libc::POLLIN } else { 0 };
        events |= if has(&asked.write, fd) { libc::POLLOUT } else { 0 };
        events |= if has(&asked.except, fd) { libc::POLLPRI } else { 0 };
        if events != 0 {
            polled[n_polled] = pollfd { fd: fd as c_int, events, revents: 0 };
            n_polled += 1;
        }
    }
    let polled = &mut polled[..n_polled];
    poll_slice(session, polled, signals, Wait::until(Call::Select, deadline_ns))?;
    write_sets(sets, polled)
}

/// Writes the sets of ready descriptors, and returns their number of members.
fn write_sets(sets: [*mut fd_set; 3], polled: &[pollfd]) -> Result<usize> {
    const READ: i16 = libc::POLLIN | libc::POLLHUP | libc::POLLERR;
    const WRITE: i16 = libc::POLLOUT | libc::POLLERR;
    let mut found = [SetWords::default(); 3];
    let mut n_found = 0;
    for one in polled {
        if one.revents & libc::POLLNVAL != 0 {
            return Err(Errno(libc::EBADF));
        }
        let kinds = [(libc::POLLIN, READ), (libc::POLLOUT, WRITE), (libc::POLLPRI, libc::POLLPRI)];
        for (set, (asked, ready)) in found.iter_mut().zip(kinds) {
            if one.events & asked != 0 && one.revents & ready != 0 {
                add(set, one.fd as usize);
                n_found += 1;
            }
        }
    }
    for (place, set) in sets.into_iter().zip(found) {
        GuestPtr::new(place.cast::<SetWords>()).write(set);
    }
    Ok(n_found)
}

#[unsafe(no_mangle)]
pub extern "C" fn epoll_create(size: c_int) -> c_int {
    if size <= 0 {
        return give_int(Err(Errno::INVALID));
    }
    epoll_create1(0)
}

#[unsafe(no_mangle)]
pub extern "C" fn epoll_create1(flags: c_int) -> c_int {
    give_int(
        pass!(libc::SYS_epoll_create1, flags).inspect(|fd| fds::set(*fd as c_int, Entry::new(Kind::Epoll))),
    )
}

#[unsafe(no_mangle)]
pub extern "C" fn epoll_ctl(epoll: c_int, operation: c_int, fd: c_int, event: *mut epoll_event) -> c_int {
    let Some(session) = session() else {
        return give_int(pass!(libc::SYS_epoll_ctl, epoll, operation, fd, event));
    };
    give_int(net::epoll_ctl(session, epoll, operation, fd, GuestPtr::new(event)))
}

#[unsafe(no_mangle)]
pub extern "C" fn epoll_wait(epoll: c_int, events: *mut epoll_event, n: c_int, timeout_ms: c_int) -> c_int {
    epoll_pwait(epoll, events, n, timeout_ms, core::ptr::null())
}

#[unsafe(no_mangle)]
pub extern "C" fn epoll_pwait(
    epoll: c_int,
    events: *mut epoll_event,
    n: c_int,
    timeout_ms: c_int,
    set: *const sigset_t,
) -> c_int {
    match session() {
        Some(session) => {
            let deadline_ns = deadline_of_millis(session, timeout_ms);
            give_int(epoll_until(session, epoll, (events, n), signals(set), deadline_ns))
        }
        None => give_int(pass!(libc::SYS_epoll_pwait, epoll, events, n, timeout_ms, set, size_of::<u64>())),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn epoll_pwait2(
    epoll: c_int,
    events: *mut epoll_event,
    n: c_int,
    length: *const timespec,
    set: *const sigset_t,
) -> c_int {
    let Some(session) = session() else {
        return give_int(pass!(libc::SYS_epoll_pwait2, epoll, events, n, length, set, size_of::<u64>()));
    };
    give_int(
        deadline_of_timespec(session, length)
            .and_then(|deadline_ns| epoll_until(session, epoll, (events, n), signals(set), deadline_ns)),
    )
}

// Six values: those of the system call.
fn epoll_until(
    session: &'static Session,
    epoll: c_int,
    (events, n): (*mut epoll_event, c_int),
    signals: Option<u64>,
    deadline_ns: u64,
) -> Result<usize> {
    let take = || pass!(libc::SYS_epoll_pwait, epoll, events, n, 0, 0, size_of::<u64>());
    net::settle_all(session);
    loop {
        let n_ready = take()?;
        if n_ready > 0 || deadline_ns <= now(session) {
            return Ok(n_ready);
        }
        let mut one = [pollfd { fd: epoll, events: libc::POLLIN, revents: 0 }];
        let wait = Wait::until(Call::Epoll, deadline_ns);
        if wait::on_fds(session, &mut one, signals, wait, &mut |_| net::settle_all(session))? == 0 {
            return Ok(0);
        }
    }
}
