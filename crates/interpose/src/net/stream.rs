//! Makes sockets and connections.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use libc::{c_int, sockaddr, socklen_t};
use wire::{Addr, Call, FRAME_BYTES_MAX, Family, Ip, Outcome, Proto, Reply, Request};

use super::addr::{self, as_target, bind_loopback, kernel_port};
use super::{Sockaddr, datagram, pending, remember};
use crate::fds::{self, Entry, Kind};
use crate::kernel::{self, Errno, Result, give_int};
use crate::pass;
use crate::session::{Session, session};
use crate::thread::Wait;
use crate::wait::{self, Ended, Word, patience};

#[unsafe(no_mangle)]
pub extern "C" fn socket(family: c_int, kind: c_int, protocol: c_int) -> c_int {
    let made = pass!(libc::SYS_socket, family, kind, protocol);
    let (Some(session), Ok(fd)) = (session(), made) else { return give_int(made) };
    let fd = fd as c_int;
    let is_internet = family == libc::AF_INET || family == libc::AF_INET6;
    let base = kind & !(libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC);
    let known = match base {
        libc::SOCK_STREAM if is_internet => Kind::TcpFresh,
        libc::SOCK_DGRAM if is_internet => Kind::UdpFresh,
        _ => Kind::Plain,
    };
    if is_internet && known == Kind::Plain {
        session.report("socket", "a raw socket is not under control", false);
    }
    fds::set(fd, Entry { kind: known, family: addr::family(fd), link: 0 });
    fd
}

#[unsafe(no_mangle)]
pub extern "C" fn bind(fd: c_int, addr: *const sockaddr, len: socklen_t) -> c_int {
    let kernel = || give_int(pass!(libc::SYS_bind, fd, addr, len));
    let Some(session) = session() else { return kernel() };
    let entry = fds::get(fd);
    if !entry.kind.is_tcp() && !entry.kind.is_udp() {
        return kernel();
    }
    give_int(Sockaddr::read(addr, len).and_then(|addr| match addr {
        Some(given) if entry.kind == Kind::TcpFresh || entry.kind == Kind::UdpFresh => {
            bind_to(session, fd, entry, given.of_family(entry.family.is_v6(), len)?).map(|_| 0)
        }
        Some(_) => Err(Errno::INVALID),
        None => Err(Errno(libc::EAFNOSUPPORT)),
    }))
}

/// Gives the socket a port of the kernel's loopback, and asks the stage for the address that it appears to have.
pub fn bind_to(session: &Session, fd: c_int, entry: Entry, addr: Addr) -> Result<Entry> {
    let (proto, kind) = match entry.kind.is_tcp() {
        true => (Proto::Tcp, Kind::TcpBound),
        false => (Proto::Udp, Kind::UdpBound),
    };
    if entry.family == Family::V6 && matches!(addr.ip, Ip::V4(_)) {
        return Err(Errno::INVALID);
    }
    let kernel_port = bind_loopback(fd, entry.family.is_v6())?;
    let (family, inode) = (entry.family, kernel::inode(fd)?);
    let shares = addr::option(fd, libc::SOL_SOCKET, libc::SO_REUSEPORT).is_ok_and(|shares| shares != 0);
    let request = Request::Bind { proto, family, inode, addr, kernel_port, shares };
    let mut buffer = [0; FRAME_BYTES_MAX];
    let Reply::Bound { addr, link } = session.ask(&request, None, &mut buffer)? else {
        return Err(Errno::INVALID);
    };
    remember(link, Some(addr), None);
    let bound = Entry { kind, link, ..entry };
    fds::set(fd, bound);
    Ok(bound)
}

/// Returns the wildcard address of the socket's family, with a port of the stage's choice.
pub fn any_port(is_v6: bool) -> Addr {
    Addr::new(if is_v6 { Ip::V6([0; 16]) } else { Ip::V4([0; 4]) }, 0)
}

#[unsafe(no_mangle)]
pub extern "C" fn listen(fd: c_int, backlog: c_int) -> c_int {
    let kernel = || pass!(libc::SYS_listen, fd, backlog);
    let Some(session) = session() else { return give_int(kernel()) };
    let entry = fds::get(fd);
    if !entry.kind.is_tcp() {
        return give_int(kernel());
    }
    let listen = || {
        let is_fresh = entry.kind == Kind::TcpFresh;
        let entry =
            if is_fresh { bind_to(session, fd, entry, any_port(entry.family.is_v6()))? } else { entry };
        kernel()?;
        let mut buffer = [0; FRAME_BYTES_MAX];
        session.ask(&Request::Listen { inode: kernel::inode(fd)? }, None, &mut buffer)?;
        fds::set(fd, Entry { kind: Kind::TcpListening, ..entry });
        Ok(0)
    };
    give_int(listen())
}

#[unsafe(no_mangle)]
pub extern "C" fn connect(fd: c_int, addr: *const sockaddr, len: socklen_t) -> c_int {
    let kernel = || give_int(pass!(libc::SYS_connect, fd, addr, len));
    let Some(session) = session() else { return kernel() };
    let entry = fds::get(fd);
    if entry.kind.is_udp() {
        return give_int(datagram::connect(session, fd, entry, addr, len));
    }
    if !entry.kind.is_tcp() {
        return kernel();
    }
    give_int(connect_stream(session, fd, entry, addr, len))
}

fn connect_stream(
    session: &'static Session,
    fd: c_int,
    entry: Entry,
    addr: *const sockaddr,
    len: socklen_t,
) -> Result<usize> {
    let given = Sockaddr::read(addr, len)?.ok_or(Errno(libc::EAFNOSUPPORT))?;
    let target = given.of_family(entry.family.is_v6(), len)?;
    if matches!(target.ip, Ip::V4(_)) && entry.family == Family::V6 {
        return Err(Errno(libc::ENETUNREACH));
    }
    pending::settle(fd);
    match entry.kind {
        Kind::TcpConnecting if pending::is_pending(fd) => Err(Errno(libc::EALREADY)),
        Kind::TcpConnecting | Kind::TcpConnected => connect_again(session, fd),
        Kind::TcpFresh | Kind::TcpBound => begin(session, fd, entry, as_target(target)),
        Kind::TcpListening
        | Kind::Unknown
        | Kind::Plain
        | Kind::File
        | Kind::UdpFresh
        | Kind::UdpBound
        | Kind::Random
        | Kind::Timer
        | Kind::Epoll => Err(Errno(libc::EISCONN)),
    }
}

/// Answers a second call of `connect`: the kernel knows how the first one ended.
fn connect_again(session: &Session, fd: c_int) -> Result<usize> {
    let error = super::addr::option(fd, libc::SOL_SOCKET, libc::SO_ERROR)?;
    match error {
        0 => Err(Errno(libc::EISCONN)),
        error => Err(pending::translate(session, fds::peek(fd), Errno(error))),
    }
}

fn begin(session: &'static Session, fd: c_int, entry: Entry, target: Addr) -> Result<usize> {
    let any = any_port(entry.family.is_v6());
    let (kernel_port, local) = match entry.kind == Kind::TcpFresh {
        true => (bind_loopback(fd, entry.family.is_v6())?, any),
        false => (kernel_port(fd)?, super::local_of(entry.link).unwrap_or(any)),
    };
    let (inode, is_v6) = (kernel::inode(fd)?, entry.family.is_v6());
    let request = Request::Connect { inode, is_v6, local, kernel_port, target };
    let mut buffer = [0; FRAME_BYTES_MAX];
    let Reply::Connecting { link, local, open_port, closed_port } =
        session.ask(&request, None, &mut buffer)?
    else {
        return Err(Errno::INVALID);
    };
    remember(link, Some(local), Some(target));
    pending::begin(fd, Entry { link, ..entry }, open_port, closed_port)?;
    match patience(session, fd, libc::SO_SNDTIMEO) {
        Some(deadline_ns) => wait_for_outcome(session, fd, link, deadline_ns),
        None => Err(Errno(libc::EINPROGRESS)),
    }
}

fn wait_for_outcome(session: &'static Session, fd: c_int, link: u32, deadline_ns: u64) -> Result<usize> {
    let outcome = &session.board.links.get(link as usize).ok_or(Errno::INVALID)?.outcome;
    let word = Word { word: outcome, expected: Outcome::Pending.word(), is_shared: true };
    loop {
        let mut result = None;
        // The stage gives nobody a turn while the kernel's connection is still to be made.
        let mut finish = || {
            if outcome.load(core::sync::atomic::Ordering::SeqCst) != Outcome::Pending.word() {
                result = Some(pending::finish_waiting(session, fd));
            }
        };
        match wait::on_word_and(session, Some(word), Wait::until(Call::Connect, deadline_ns), &mut finish) {
            Ended::Expired => return Err(Errno(libc::EINPROGRESS)),
            Ended::Signal => return Err(Errno::INTERRUPTED),
            Ended::Word => {}
        }
        if let Some(result) = result {
            return result;
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn accept(fd: c_int, addr: *mut sockaddr, len: *mut socklen_t) -> c_int {
    accept4(fd, addr, len, 0)
}

#[unsafe(no_mangle)]
pub extern "C" fn accept4(fd: c_int, addr: *mut sockaddr, len: *mut socklen_t, flags: c_int) -> c_int {
    let Some(session) = session() else {
        return give_int(pass!(libc::SYS_accept4, fd, addr, len, flags));
    };
    if fds::get(fd).kind != Kind::TcpListening {
        return give_int(wait::in_kernel(session, Wait::forever(Call::Accept), || {
            pass!(libc::SYS_accept4, fd, addr, len, flags)
        }));
    }
    loop {
        match accept_one(session, fd, flags) {
            Ok(Some((accepted, peer))) => {
                Sockaddr::seen_by(fds::peek(fd).family.is_v6(), peer).give(addr, len);
                return accepted;
            }
            // The stage does not know the client, so this acts as if nobody had come.
            Ok(None) => {}
            Err(errno) => return give_int(Err(errno)),
        }
    }
}

fn accept_one(session: &'static Session, fd: c_int, flags: c_int) -> Result<Option<(c_int, Addr)>> {
    if !wait::is_readable(fd)
        && let Some(deadline_ns) = patience(session, fd, libc::SO_RCVTIMEO)
    {
        wait::for_fd(session, fd, libc::POLLIN, Wait::until(Call::Accept, deadline_ns))?;
    }
    let mut real = Sockaddr::empty();
    let mut real_len = real.len() as socklen_t;
    let accepted = pass!(libc::SYS_accept4, fd, real.as_mut_ptr(), &raw mut real_len, flags)? as c_int;
    let kernel_peer = real.addr().map_or(0, |addr| addr.port);
    let request =
        Request::Accepted { listener: kernel::inode(fd)?, inode: kernel::inode(accepted)?, kernel_peer };
    let mut buffer = [0; FRAME_BYTES_MAX];
    let Ok(Reply::Connected { link, local, peer }) = session.ask(&request, None, &mut buffer) else {
        kernel::close(accepted);
        return Ok(None);
    };
    remember(link, Some(local), Some(peer));
    fds::set(accepted, Entry { kind: Kind::TcpConnected, link, ..fds::peek(fd) });
    Ok(Some((accepted, peer)))
}

/// Reports that the guest is about to close a socket, if the stage could not see that otherwise.
pub fn report_closing(session: &Session, fd: c_int) {
    let entry = fds::peek(fd);
    let is_told =
        matches!(entry.kind, Kind::TcpConnecting | Kind::TcpListening | Kind::TcpBound | Kind::UdpBound);
    if let (true, Ok(inode)) = (is_told, kernel::inode(fd)) {
        let mut buffer = [0; FRAME_BYTES_MAX];
        // Nothing can be done if the stage does not know the socket.
        let _ = session.ask(&Request::Closed { inode }, None, &mut buffer);
    }
    if entry.kind.is_tcp() || entry.kind == Kind::Epoll {
        pending::forget(fd);
    }
}
