//! Sockets, eventfds and words of a board.
#![expect(unsafe_code, reason = "options that the standard library does not have")]

use std::fs::File;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpStream, UdpSocket};
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::sync::atomic::AtomicU32;

/// Makes closing the socket reset the connection instead of ending it.
pub fn reset_on_close(socket: &TcpStream) -> io::Result<()> {
    let linger = libc::linger { l_onoff: 1, l_linger: 0 };
    // SAFETY: the option is as long as is said.
    let done = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_LINGER,
            (&raw const linger).cast(),
            size_of::<libc::linger>() as libc::socklen_t,
        )
    };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Ends our side of the stream, which the other side will see.
pub fn shutdown_write(socket: &TcpStream) {
    // A connection that is gone needs no end.
    let _ = socket.shutdown(Shutdown::Write);
}

/// Wakes everybody who waits on a word of a board.
pub fn wake_word(word: &AtomicU32) {
    // SAFETY: the word is alive; the kernel does not write to it.
    let _ = unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, i32::MAX) };
}

/// Adds to an eventfd.
pub fn signal_event(fd: impl AsFd, count: u64) {
    let bytes = count.to_ne_bytes();
    // SAFETY: as many bytes as is said. A full counter is readable already.
    let _ = unsafe { libc::write(fd.as_fd().as_raw_fd(), bytes.as_ptr().cast(), bytes.len()) };
}

/// Opens a netlink socket that answers questions about sockets of this machine; reading from it does not wait.
pub fn sock_diag() -> io::Result<File> {
    let kind = libc::SOCK_DGRAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: no memory is involved.
    let fd = unsafe { libc::socket(libc::AF_NETLINK, kind, libc::NETLINK_SOCK_DIAG) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a fresh descriptor that nobody else knows.
    Ok(File::from(unsafe { OwnedFd::from_raw_fd(fd) }))
}

/// A port of the loopback where connections are refused as long as this value lives.
pub struct ClosedPort {
    /// A socket that is bound and never listens.
    _socket: OwnedFd,
    port: u16,
}

impl ClosedPort {
    pub fn port(&self) -> u16 {
        self.port
    }
}

pub fn closed_port(is_v6: bool) -> io::Result<ClosedPort> {
    let family = if is_v6 { libc::AF_INET6 } else { libc::AF_INET };
    // SAFETY: no memory is involved.
    let fd = unsafe { libc::socket(family, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a fresh descriptor that nobody else knows.
    let socket = unsafe { OwnedFd::from_raw_fd(fd) };
    bind_loopback(&socket, is_v6)?;
    let port = local_port(&socket)?;
    Ok(ClosedPort { _socket: socket, port })
}

fn bind_loopback(socket: &OwnedFd, is_v6: bool) -> io::Result<()> {
    let ip = if is_v6 { IpAddr::V6(Ipv6Addr::LOCALHOST) } else { IpAddr::V4(Ipv4Addr::LOCALHOST) };
    let (addr, len) = raw(SocketAddr::new(ip, 0));
    // SAFETY: the address is at least as long as is said.
    let bound = unsafe { libc::bind(socket.as_raw_fd(), (&raw const addr).cast(), len) };
    if bound < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn local_port(socket: &OwnedFd) -> io::Result<u16> {
    // The standard library reads the address of any socket; which kind it takes this one for does not matter.
    let view = UdpSocket::from(socket.try_clone()?);
    view.local_addr().map(|addr: SocketAddr| addr.port())
}

/// Connects to an address of the loopback. `before` receives our own address before the other side can see us.
pub fn dial(target: SocketAddr, before: impl FnOnce(SocketAddr)) -> io::Result<TcpStream> {
    let family = if target.is_ipv6() { libc::AF_INET6 } else { libc::AF_INET };
    // SAFETY: no memory is involved.
    let fd = unsafe { libc::socket(family, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a fresh descriptor that nobody else knows.
    let socket = unsafe { OwnedFd::from_raw_fd(fd) };
    bind_loopback(&socket, target.is_ipv6())?;
    before(SocketAddr::new(target.ip(), local_port(&socket)?));
    set_send_limit(&socket)?;
    let (addr, len) = raw(target);
    // SAFETY: the address is at least as long as is said.
    let done = unsafe { libc::connect(socket.as_raw_fd(), (&raw const addr).cast(), len) };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(TcpStream::from(socket)) }
}

/// Limits the time for connecting: a listener whose queue is full does not answer, and that must not hold us up.
fn set_send_limit(socket: &OwnedFd) -> io::Result<()> {
    let limit = libc::timeval { tv_sec: 0, tv_usec: 200_000 };
    // SAFETY: the option is as long as is said.
    let done = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_SNDTIMEO,
            (&raw const limit).cast(),
            size_of::<libc::timeval>() as libc::socklen_t,
        )
    };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

pub(super) fn raw(addr: SocketAddr) -> (libc::sockaddr_in6, libc::socklen_t) {
    // SAFETY: zeroes are a valid address.
    let mut raw: libc::sockaddr_in6 = unsafe { std::mem::zeroed() };
    raw.sin6_port = addr.port().to_be();
    let len = match addr {
        SocketAddr::V4(addr) => {
            raw.sin6_family = libc::AF_INET as libc::sa_family_t;
            // An IPv4 address has its bytes where this one has its flow label.
            raw.sin6_flowinfo = u32::from_ne_bytes(addr.ip().octets());
            size_of::<libc::sockaddr_in>()
        }
        SocketAddr::V6(addr) => {
            raw.sin6_family = libc::AF_INET6 as libc::sa_family_t;
            raw.sin6_addr.s6_addr = addr.ip().octets();
            size_of::<libc::sockaddr_in6>()
        }
    };
    (raw, len as libc::socklen_t)
}

/// Reads an address that the kernel wrote; `None` for families other than those of the internet.
pub(super) fn parse(addr: &libc::sockaddr_in6) -> Option<SocketAddr> {
    let port = u16::from_be(addr.sin6_port);
    match i32::from(addr.sin6_family) {
        // An IPv4 address has its bytes where this one has its flow label.
        libc::AF_INET => Some(SocketAddr::new(Ipv4Addr::from(addr.sin6_flowinfo.to_ne_bytes()).into(), port)),
        libc::AF_INET6 => Some(SocketAddr::new(Ipv6Addr::from(addr.sin6_addr.s6_addr).into(), port)),
        _ => None,
    }
}
