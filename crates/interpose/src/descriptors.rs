//! Calls that read, write and name descriptors of any kind.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use libc::{c_char, c_int, c_uint, c_void, iovec, mode_t, off_t, size_t, ssize_t};
use wire::Call;

use crate::fds::{self, Entry, Kind};
use crate::guest::{GuestPtr, c_bytes};
use crate::kernel::{Errno, Result, give, give_int};
use crate::session::{Session, session};
use crate::thread::Wait;
use crate::wait::{self, patience};
use crate::{files, net, pass, random, timers};

#[unsafe(no_mangle)]
pub extern "C" fn read(fd: c_int, buffer: *mut c_void, len: size_t) -> ssize_t {
    let kernel = || pass!(libc::SYS_read, fd, buffer, len);
    let Some(session) = session() else { return give(kernel()) };
    if fds::get(fd).kind == Kind::Random {
        random::fill(session, buffer, len);
        return len as ssize_t;
    }
    give(read_with(session, fd, kernel))
}

#[unsafe(no_mangle)]
pub extern "C" fn __read_chk(fd: c_int, buffer: *mut c_void, len: size_t, _room: size_t) -> ssize_t {
    read(fd, buffer, len)
}

#[unsafe(no_mangle)]
pub extern "C" fn readv(fd: c_int, parts: *const iovec, n: c_int) -> ssize_t {
    let kernel = || pass!(libc::SYS_readv, fd, parts, n);
    let Some(session) = session() else { return give(kernel()) };
    if fds::get(fd).kind == Kind::Random {
        return give(fill_parts(session, parts, n));
    }
    give(read_with(session, fd, kernel))
}

fn fill_parts(session: &Session, parts: *const iovec, n: c_int) -> Result<usize> {
    let parts = GuestPtr::new(parts);
    let mut total = 0;
    for index in 0..usize::try_from(n).map_err(|_| Errno::INVALID)? {
        let part = parts.at(index).read()?;
        random::fill(session, part.iov_base, part.iov_len);
        total += part.iov_len;
    }
    Ok(total)
}

fn read_with(session: &'static Session, fd: c_int, kernel: impl Fn() -> Result<usize>) -> Result<usize> {
    net::settle(fd);
    let entry = fds::get(fd);
    if entry.kind == Kind::TcpConnecting {
        return Err(Errno::AGAIN);
    }
    if net::is_counted(entry.kind) {
        let result = wait_readable(session, fd).and_then(|()| kernel());
        return net::count_received(session, entry, result);
    }
    if entry.kind == Kind::File || wait::is_readable(fd) {
        return kernel();
    }
    wait::in_kernel(session, Wait::forever(Call::Read), kernel)
}

/// Waits under virtual time for something to read, if the descriptor may wait.
fn wait_readable(session: &'static Session, fd: c_int) -> Result<()> {
    if wait::is_readable(fd) {
        return Ok(());
    }
    match patience(session, fd, libc::SO_RCVTIMEO) {
        Some(deadline_ns) if fds::get(fd).kind.is_udp() => net::wait_for_datagram(session, fd, deadline_ns),
        Some(deadline_ns) => wait::for_fd(session, fd, libc::POLLIN, Wait::until(Call::Receive, deadline_ns)),
        None => Ok(()),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn write(fd: c_int, buffer: *const c_void, len: size_t) -> ssize_t {
    let kernel = || pass!(libc::SYS_write, fd, buffer, len);
    match session() {
        Some(session) if files::is_watched(session, fd) => {
            give(files::write_watched(fd, None, 0, &|limit| {
                pass!(libc::SYS_write, fd, buffer, len.min(limit))
            }))
        }
        Some(session) => give(net::send_with(session, fd, kernel)),
        None => give(kernel()),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn writev(fd: c_int, parts: *const iovec, n: c_int) -> ssize_t {
    let kernel = || pass!(libc::SYS_writev, fd, parts, n);
    match session() {
        Some(session) if files::is_watched(session, fd) => {
            give(files::write_watched(fd, None, 0, &|limit| match limit {
                files::WHOLE => kernel(),
                limit => files::write_parts(fd, (parts, n), None, limit),
            }))
        }
        Some(session) => give(net::send_with(session, fd, kernel)),
        None => give(kernel()),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn sendfile(to: c_int, from: c_int, offset: *mut off_t, len: size_t) -> ssize_t {
    let kernel = || pass!(libc::SYS_sendfile, to, from, offset, len);
    match session() {
        Some(session) if files::is_watched(session, to) => {
            let kernel = |limit: usize| pass!(libc::SYS_sendfile, to, from, offset, len.min(limit));
            give(files::write_watched(to, None, 0, &kernel))
        }
        Some(session) => give(net::send_with(session, to, kernel)),
        None => give(kernel()),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn sendfile64(to: c_int, from: c_int, offset: *mut off_t, len: size_t) -> ssize_t {
    sendfile(to, from, offset, len)
}

#[unsafe(no_mangle)]
pub extern "C" fn splice(
    from: c_int,
    from_offset: *mut off_t,
    to: c_int,
    to_offset: *mut off_t,
    len: size_t,
    flags: c_uint,
) -> ssize_t {
    let kernel = || pass!(libc::SYS_splice, from, from_offset, to, to_offset, len, flags);
    let Some(session) = session() else { return give(kernel()) };
    let source = fds::get(from);
    let result = match files::is_watched(session, to) {
        true => splice_to_file((from, from_offset), (to, to_offset), len, flags),
        false => net::send_with(session, to, kernel),
    };
    give(if net::is_counted(source.kind) { net::count_received(session, source, result) } else { result })
}

// Six values: those of the system call.
fn splice_to_file(
    (from, from_offset): (c_int, *mut off_t),
    (to, to_offset): (c_int, *mut off_t),
    len: usize,
    flags: c_uint,
) -> Result<usize> {
    let offset = GuestPtr::new(to_offset).opt_read();
    let kernel =
        |limit: usize| pass!(libc::SYS_splice, from, from_offset, to, to_offset, len.min(limit), flags);
    files::write_watched(to, offset, 0, &kernel)
}

#[unsafe(no_mangle)]
pub extern "C" fn close(fd: c_int) -> c_int {
    let kernel = || pass!(libc::SYS_close, fd);
    let Some(session) = session().filter(|session| session.is_of_this_process()) else {
        return give_int(kernel());
    };
    if session.owns(fd) {
        return give_int(Err(Errno(libc::EBADF)));
    }
    before_close(session, fd);
    give_int(kernel())
}

fn before_close(session: &Session, fd: c_int) {
    timers::report_closing(session, fds::peek(fd));
    net::report_closing(session, fd);
    fds::forget(fd);
}

#[unsafe(no_mangle)]
pub extern "C" fn close_range(first: c_uint, last: c_uint, flags: c_int) -> c_int {
    const CLOSE_RANGE_CLOEXEC: c_int = 4;
    let kernel = |first: c_uint, last: c_uint| pass!(libc::SYS_close_range, first, last, flags);
    let Some(session) = session() else { return give_int(kernel(first, last)) };
    // Our own descriptors are closed by `exec` anyway.
    if flags & CLOSE_RANGE_CLOEXEC != 0 {
        return give_int(kernel(first, last));
    }
    give_int(close_all_but_ours(session, first, last, &kernel))
}

#[unsafe(no_mangle)]
pub extern "C" fn closefrom(first: c_int) {
    close_range(c_uint::try_from(first).unwrap_or(0), c_uint::MAX, 0);
}

fn close_all_but_ours(
    session: &Session,
    first: c_uint,
    last: c_uint,
    kernel: &dyn Fn(c_uint, c_uint) -> Result<usize>,
) -> Result<usize> {
    let table_end = fds::FDS_MAX as c_uint - 1;
    let mut from = first;
    for fd in first..=last.min(table_end) {
        if session.owns(fd as c_int) {
            if from < fd {
                kernel(from, fd - 1)?;
            }
            from = fd + 1;
        } else if fds::peek(fd as c_int).kind != Kind::Unknown {
            before_close(session, fd as c_int);
        }
    }
    if from <= last { kernel(from, last) } else { Ok(0) }
}

#[unsafe(no_mangle)]
pub extern "C" fn dup(fd: c_int) -> c_int {
    give_int(pass!(libc::SYS_dup, fd).inspect(|copy| fds::copy(fd, *copy as c_int)))
}

#[unsafe(no_mangle)]
pub extern "C" fn dup2(from: c_int, to: c_int) -> c_int {
    if from == to {
        return give_int(pass!(libc::SYS_fcntl, from, libc::F_GETFD).map(|_| to as usize));
    }
    dup3(from, to, 0)
}

#[unsafe(no_mangle)]
pub extern "C" fn dup3(from: c_int, to: c_int, flags: c_int) -> c_int {
    let kernel = || pass!(libc::SYS_dup3, from, to, flags);
    let Some(session) = session() else { return give_int(kernel()) };
    if session.owns(to) {
        return give_int(Err(Errno(libc::EBADF)));
    }
    if fds::peek(to).kind != Kind::Unknown {
        before_close(session, to);
    }
    give_int(kernel().inspect(|_| fds::copy(from, to)))
}

#[unsafe(no_mangle)]
pub extern "C" fn fcntl(fd: c_int, command: c_int, arg: usize) -> c_int {
    let done = pass!(libc::SYS_fcntl, fd, command, arg);
    if let (libc::F_DUPFD | libc::F_DUPFD_CLOEXEC, Ok(copy)) = (command, done) {
        fds::copy(fd, copy as c_int);
    }
    give_int(done)
}

#[unsafe(no_mangle)]
pub extern "C" fn fcntl64(fd: c_int, command: c_int, arg: usize) -> c_int {
    fcntl(fd, command, arg)
}

#[unsafe(no_mangle)]
pub extern "C" fn ioctl(fd: c_int, request: usize, arg: usize) -> c_int {
    net::settle(fd);
    give_int(pass!(libc::SYS_ioctl, fd, request, arg))
}

/// Whether a path is a file whose bytes come from the seed.
fn is_random(path: *const c_char) -> bool {
    // SAFETY: the guest claims that it is a text, which ends with a zero.
    let path = unsafe { c_bytes(path) };
    matches!(path, b"/dev/urandom" | b"/dev/random")
}

#[unsafe(no_mangle)]
pub extern "C" fn open(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    openat(libc::AT_FDCWD, path, flags, mode)
}

#[unsafe(no_mangle)]
pub extern "C" fn open64(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    openat(libc::AT_FDCWD, path, flags, mode)
}

#[unsafe(no_mangle)]
pub extern "C" fn openat(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    give_int(open_at(folder, path, flags, mode))
}

pub fn open_at(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> Result<usize> {
    let opened = pass!(libc::SYS_openat, folder, path, flags, mode);
    if let (Some(_), Ok(fd)) = (session(), opened) {
        let fd = fd as c_int;
        let entry = if is_random(path) { Entry::new(Kind::Random) } else { Entry::UNKNOWN };
        fds::set(fd, entry);
        if flags & libc::O_TRUNC != 0 {
            files::tell_of_change(fd, None, 0);
        }
    }
    opened
}

#[unsafe(no_mangle)]
pub extern "C" fn openat64(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    openat(folder, path, flags, mode)
}
