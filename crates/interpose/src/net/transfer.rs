//! Sending and receiving: the kernel does it, the board counts it.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use core::sync::atomic::Ordering::SeqCst;

use libc::{c_int, c_uint, c_void, mmsghdr, msghdr, size_t, sockaddr, socklen_t, ssize_t, timespec};
use wire::{Call, NEVER_NS};

use super::{Sockaddr, datagram, pending, refusal};
use crate::clock::deadline_of_timespec;
use crate::fds::{self, Entry, Kind};
use crate::guest::GuestPtr;
use crate::kernel::{Errno, Result, give, give_int};
use crate::pass;
use crate::session::{Session, session};
use crate::thread::Wait;
use crate::wait::{self, now, patience};

/// Counts the bytes, or the datagram, that the guest has given to the kernel.
pub fn count_sent(session: &Session, entry: Entry, result: Result<usize>) -> Result<usize> {
    let Some(link) = session.board.links.get(entry.link as usize) else { return result };
    match result {
        Ok(n) => {
            link.sent.fetch_add(if entry.kind.is_udp() { 1 } else { n as u64 }, SeqCst);
            Ok(n)
        }
        Err(errno) => Err(pending::translate(session, entry, errno)),
    }
}

/// Counts the bytes, or the datagram, that the guest has taken from the kernel.
pub fn count_received(session: &Session, entry: Entry, result: Result<usize>) -> Result<usize> {
    let Some(link) = session.board.links.get(entry.link as usize) else { return result };
    match result {
        Ok(0) if entry.kind.is_tcp() => {
            link.saw_end.store(1, SeqCst);
            Ok(0)
        }
        Ok(n) => {
            link.received.fetch_add(if entry.kind.is_udp() { 1 } else { n as u64 }, SeqCst);
            Ok(n)
        }
        Err(Errno::AGAIN | Errno::INTERRUPTED) => result,
        Err(errno) => {
            link.saw_end.store(1, SeqCst);
            Err(pending::translate(session, entry, errno))
        }
    }
}

/// Whether a socket's transfers are counted.
pub fn is_counted(kind: Kind) -> bool {
    matches!(kind, Kind::TcpConnecting | Kind::TcpConnected) || kind.is_udp()
}

/// Receives with `call`, which gets flags for the kernel; waits under virtual time if it may wait.
fn receive(
    session: &'static Session,
    fd: c_int,
    flags: c_int,
    call: &dyn Fn(c_int) -> Result<usize>,
) -> Result<usize> {
    pending::settle(fd);
    let entry = fds::get(fd);
    if !is_counted(entry.kind) {
        return wait::in_kernel(session, Wait::forever(Call::Receive), || call(flags));
    }
    if entry.kind == Kind::TcpConnecting {
        return Err(Errno::AGAIN);
    }
    // What was taken is counted before the thread waits for its turn: otherwise it would be on its way meanwhile, and
    // the node would not be at rest.
    let counted = |flags: c_int| match flags & (libc::MSG_PEEK | libc::MSG_ERRQUEUE) {
        0 => count_received(session, entry, call(flags)),
        _ => call(flags),
    };
    // A part now and the rest later would be two calls, so the kernel has to wait for all of it.
    let is_whole = flags & libc::MSG_WAITALL != 0;
    let first = if is_whole { Err(Errno::AGAIN) } else { counted(flags | libc::MSG_DONTWAIT) };
    match first {
        Err(Errno::AGAIN) if flags & libc::MSG_DONTWAIT == 0 => wait_to_receive(session, fd, flags, &counted),
        result => result,
    }
}

fn wait_to_receive(
    session: &'static Session,
    fd: c_int,
    flags: c_int,
    call: &dyn Fn(c_int) -> Result<usize>,
) -> Result<usize> {
    match patience(session, fd, libc::SO_RCVTIMEO) {
        None => call(flags),
        Some(deadline_ns) if fds::get(fd).kind.is_udp() => {
            datagram::wait(session, fd, deadline_ns)?;
            call(flags)
        }
        Some(NEVER_NS) => wait::in_kernel(session, Wait::forever(Call::Receive), || call(flags)),
        Some(deadline_ns) => {
            wait::for_fd(session, fd, libc::POLLIN, Wait::until(Call::Receive, deadline_ns))?;
            call(flags)
        }
    }
}

/// Sends with `call`. The stage always accepts what is sent, so that a wait in the kernel is short.
pub fn send_with(
    session: &'static Session,
    fd: c_int,
    call: impl FnOnce() -> Result<usize>,
) -> Result<usize> {
    pending::settle(fd);
    let entry = fds::get(fd);
    if entry.kind == Kind::TcpConnecting {
        return Err(Errno::AGAIN);
    }
    if entry.kind == Kind::TcpConnected {
        pending::break_off(session, fd, entry)?;
    }
    let _alone = entry.kind.is_udp().then(refusal::hold);
    let result = call();
    if is_counted(entry.kind) { count_sent(session, entry, result) } else { result }
}

#[unsafe(no_mangle)]
pub extern "C" fn send(fd: c_int, buffer: *const c_void, len: size_t, flags: c_int) -> ssize_t {
    sendto(fd, buffer, len, flags, core::ptr::null(), 0)
}

#[unsafe(no_mangle)]
pub extern "C" fn sendto(
    fd: c_int,
    buffer: *const c_void,
    len: size_t,
    flags: c_int,
    addr: *const sockaddr,
    addr_len: socklen_t,
) -> ssize_t {
    let kernel = || pass!(libc::SYS_sendto, fd, buffer, len, flags, addr, addr_len);
    let Some(session) = session() else { return give(kernel()) };
    if !fds::get(fd).kind.is_udp() {
        return give(send_with(session, fd, kernel));
    }
    give(datagram::send_to(session, fd, addr, addr_len).and_then(|(entry, real)| {
        let (real, real_len) =
            real.as_ref().map_or((core::ptr::null(), 0), |real| (real.as_ptr(), real.len()));
        let _alone = refusal::hold();
        count_sent(session, entry, pass!(libc::SYS_sendto, fd, buffer, len, flags, real, real_len))
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn sendmsg(fd: c_int, message: *const msghdr, flags: c_int) -> ssize_t {
    let kernel = || pass!(libc::SYS_sendmsg, fd, message, flags);
    let Some(session) = session() else { return give(kernel()) };
    if !fds::get(fd).kind.is_udp() {
        return give(send_with(session, fd, kernel));
    }
    give(GuestPtr::new(message).read().and_then(|message| send_message(session, fd, message, flags)))
}

fn send_message(session: &Session, fd: c_int, mut message: msghdr, flags: c_int) -> Result<usize> {
    let (name, name_len) = (message.msg_name.cast_const().cast(), message.msg_namelen);
    let (entry, real) = datagram::send_to(session, fd, name, name_len)?;
    if let Some(real) = &real {
        message.msg_name = real.as_ptr().cast_mut().cast();
        message.msg_namelen = real.len() as socklen_t;
    }
    let _alone = refusal::hold();
    count_sent(session, entry, pass!(libc::SYS_sendmsg, fd, &raw const message, flags))
}

#[unsafe(no_mangle)]
pub extern "C" fn sendmmsg(fd: c_int, messages: *mut mmsghdr, n: c_uint, flags: c_int) -> c_int {
    if session().is_none() {
        return give_int(pass!(libc::SYS_sendmmsg, fd, messages, n, flags));
    }
    let messages = GuestPtr::new(messages);
    let mut n_sent = 0;
    for index in 0..n {
        let Some(mut message) = messages.at(index as usize).opt_read() else { break };
        let result = sendmsg(fd, &raw const message.msg_hdr, flags);
        if result < 0 {
            return if n_sent > 0 { n_sent } else { -1 };
        }
        message.msg_len = result as c_uint;
        messages.at(index as usize).write(message);
        n_sent += 1;
    }
    n_sent
}

#[unsafe(no_mangle)]
pub extern "C" fn recv(fd: c_int, buffer: *mut c_void, len: size_t, flags: c_int) -> ssize_t {
    recvfrom(fd, buffer, len, flags, core::ptr::null_mut(), core::ptr::null_mut())
}

#[unsafe(no_mangle)]
pub extern "C" fn recvfrom(
    fd: c_int,
    buffer: *mut c_void,
    len: size_t,
    flags: c_int,
    addr: *mut sockaddr,
    addr_len: *mut socklen_t,
) -> ssize_t {
    let Some(session) = session() else {
        return give(pass!(libc::SYS_recvfrom, fd, buffer, len, flags, addr, addr_len));
    };
    if !fds::get(fd).kind.is_udp() {
        return give(receive(session, fd, flags, &|flags| {
            pass!(libc::SYS_recvfrom, fd, buffer, len, flags, addr, addr_len)
        }));
    }
    let mut real = Sockaddr::empty();
    let mut real_len = real.len() as socklen_t;
    let (real_at, real_len_at) = (real.as_mut_ptr(), &raw mut real_len);
    give(
        receive(session, fd, flags, &|flags| {
            pass!(libc::SYS_recvfrom, fd, buffer, len, flags, real_at, real_len_at)
        })
        .inspect(|_| datagram::receive_from(session, &real, addr, addr_len)),
    )
}

/// Replaces the variant of `recv` for programs that were compiled with checks of their buffers.
#[unsafe(no_mangle)]
pub extern "C" fn __recv_chk(
    fd: c_int,
    buffer: *mut c_void,
    len: size_t,
    _room: size_t,
    flags: c_int,
) -> ssize_t {
    recv(fd, buffer, len, flags)
}

#[unsafe(no_mangle)]
pub extern "C" fn __recvfrom_chk(
    fd: c_int,
    buffer: *mut c_void,
    len: size_t,
    _room: size_t,
    flags: c_int,
    addr: *mut sockaddr,
    addr_len: *mut socklen_t,
) -> ssize_t {
    recvfrom(fd, buffer, len, flags, addr, addr_len)
}

#[unsafe(no_mangle)]
pub extern "C" fn recvmsg(fd: c_int, message: *mut msghdr, flags: c_int) -> ssize_t {
    let Some(session) = session() else { return give(pass!(libc::SYS_recvmsg, fd, message, flags)) };
    if !fds::get(fd).kind.is_udp() {
        return give(receive(session, fd, flags, &|flags| pass!(libc::SYS_recvmsg, fd, message, flags)));
    }
    give(GuestPtr::new(message).read().and_then(|guests| {
        let mut real = Sockaddr::empty();
        let mut ours =
            msghdr { msg_name: real.as_mut_ptr().cast(), msg_namelen: real.len() as socklen_t, ..guests };
        let at = &raw mut ours;
        let n = receive(session, fd, flags, &|flags| pass!(libc::SYS_recvmsg, fd, at, flags))?;
        let mut name_len = guests.msg_namelen;
        datagram::receive_from(session, &real, guests.msg_name.cast(), &raw mut name_len);
        GuestPtr::new(message).write(msghdr {
            msg_name: guests.msg_name,
            msg_namelen: if guests.msg_name.is_null() { 0 } else { name_len },
            ..ours
        });
        Ok(n)
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn recvmmsg(
    fd: c_int,
    messages: *mut mmsghdr,
    n: c_uint,
    flags: c_int,
    length: *mut timespec,
) -> c_int {
    let Some(session) = session() else {
        return give_int(pass!(libc::SYS_recvmmsg, fd, messages, n, flags, length));
    };
    let deadline_ns = match deadline_of_timespec(session, length) {
        Ok(deadline_ns) => deadline_ns,
        Err(errno) => return give_int(Err(errno)),
    };
    let messages = GuestPtr::new(messages);
    let mut n_received = 0;
    for index in 0..n {
        let Some(mut message) = messages.at(index as usize).opt_read() else { break };
        let is_first_only = flags & libc::MSG_WAITFORONE != 0 && n_received > 0;
        let wait = if is_first_only { libc::MSG_DONTWAIT } else { 0 };
        let result = recvmsg(fd, &raw mut message.msg_hdr, flags & !libc::MSG_WAITFORONE | wait);
        if result < 0 {
            return if n_received > 0 { n_received } else { -1 };
        }
        message.msg_len = result as c_uint;
        messages.at(index as usize).write(message);
        n_received += 1;
        if deadline_ns <= now(session) {
            break;
        }
    }
    n_received
}

#[unsafe(no_mangle)]
pub extern "C" fn shutdown(fd: c_int, how: c_int) -> c_int {
    pending::settle(fd);
    give_int(match pending::is_pending(fd) {
        true => Err(Errno(libc::ENOTCONN)),
        false => pass!(libc::SYS_shutdown, fd, how),
    })
}
