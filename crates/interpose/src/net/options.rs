//! Options of sockets: time-outs are handled here, errors are translated, the rest is the kernel's.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use libc::{c_int, c_void, socklen_t, timeval};
use wire::Family;

use super::pending;
use crate::clock::{from_timeval, to_timeval};
use crate::fds::{self, Entry};
use crate::guest::GuestPtr;
use crate::kernel::{Errno, Result, give_int};
use crate::pass;
use crate::session::{Session, session};

fn is_timeout(level: c_int, name: c_int) -> bool {
    level == libc::SOL_SOCKET && (name == libc::SO_RCVTIMEO || name == libc::SO_SNDTIMEO)
}

/// Whether an option excludes IPv4 from a socket of IPv6.
fn is_alone(level: c_int, name: c_int) -> bool {
    level == libc::IPPROTO_IPV6 && name == libc::IPV6_V6ONLY
}

fn is_zero(value: *const c_void, len: socklen_t) -> bool {
    // The kernel has read it as a number of this length.
    (len as usize) >= size_of::<c_int>()
        && GuestPtr::new(value.cast::<c_int>()).opt_read().is_some_and(|value| value == 0)
}

fn is_internet(fd: c_int) -> bool {
    let kind = fds::get(fd).kind;
    kind.is_tcp() || kind.is_udp()
}

#[unsafe(no_mangle)]
pub extern "C" fn setsockopt(
    fd: c_int,
    level: c_int,
    name: c_int,
    value: *const c_void,
    len: socklen_t,
) -> c_int {
    let kernel = || pass!(libc::SYS_setsockopt, fd, level, name, value, len);
    if session().is_some() && is_alone(level, name) && is_internet(fd) {
        return give_int(kernel().inspect(|_| {
            let family = if is_zero(value, len) { Family::Both } else { Family::V6 };
            fds::set(fd, Entry { family, ..fds::get(fd) });
        }));
    }
    if session().is_none() || !is_timeout(level, name) || !is_internet(fd) {
        return give_int(kernel());
    }
    let set = || {
        if (len as usize) < size_of::<timeval>() {
            return Err(Errno::INVALID);
        }
        let length = from_timeval(GuestPtr::new(value.cast::<timeval>()).read()?)?;
        fds::set_timeout_ns(fd, name, length);
        Ok(0)
    };
    give_int(set())
}

#[unsafe(no_mangle)]
pub extern "C" fn getsockopt(
    fd: c_int,
    level: c_int,
    name: c_int,
    value: *mut c_void,
    len: *mut socklen_t,
) -> c_int {
    let kernel = || pass!(libc::SYS_getsockopt, fd, level, name, value, len);
    let Some(session) = session() else { return give_int(kernel()) };
    if !is_internet(fd) {
        return give_int(kernel());
    }
    if is_alone(level, name) && fds::get(fd).family.is_v6() {
        let alone = c_int::from(fds::get(fd).family == Family::V6);
        return give_int(give_option(alone, value, len));
    }
    if is_timeout(level, name) {
        return give_int(give_option(to_timeval(fds::timeout_ns(fd, name)), value, len));
    }
    if level == libc::SOL_SOCKET && name == libc::SO_ERROR {
        return give_int(error_of(session, fd).and_then(|error| give_option(error, value, len)));
    }
    give_int(kernel())
}

/// Returns the error that a connection ended with, once, as the guest must see it.
fn error_of(session: &Session, fd: c_int) -> Result<c_int> {
    pending::settle(fd);
    if pending::is_pending(fd) {
        return Ok(0);
    }
    let error = super::addr::option(fd, libc::SOL_SOCKET, libc::SO_ERROR)?;
    Ok(if error == 0 { 0 } else { pending::translate(session, fds::get(fd), Errno(error)).0 })
}

fn give_option<T: Copy>(option: T, value: *mut c_void, len: *mut socklen_t) -> Result<usize> {
    let room = GuestPtr::new(len).read()? as usize;
    if room < size_of::<T>() {
        return Err(Errno::INVALID);
    }
    GuestPtr::new(value.cast::<T>()).write(option);
    GuestPtr::new(len).write(size_of::<T>() as socklen_t);
    Ok(0)
}
