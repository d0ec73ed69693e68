//! Calls on descriptors that were borrowed from a program, as the program itself would make them.
#![expect(unsafe_code, reason = "flags and descriptors that the standard library does not offer")]

use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::notify::{borrow_descriptor, open_process};
use super::socket::{parse, raw};

fn checked(result: isize) -> io::Result<usize> {
    usize::try_from(result).map_err(|_| io::Error::last_os_error())
}

/// Returns the flags of an open file (`F_GETFL`).
pub fn file_flags(fd: &OwnedFd) -> i32 {
    // SAFETY: no memory is involved.
    unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_GETFL) }
}

/// Sets the flags of an open file, for everybody who has it open.
pub fn set_file_flags(fd: &OwnedFd, flags: i32) {
    // SAFETY: no memory is involved.
    let _ = unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, flags) };
}

pub fn bind(fd: &OwnedFd, addr: SocketAddr) -> io::Result<()> {
    let (addr, len) = raw(addr);
    // SAFETY: the address is at least as long as is said.
    checked(unsafe { libc::bind(fd.as_raw_fd(), (&raw const addr).cast(), len) } as isize).map(drop)
}

pub fn listen(fd: &OwnedFd, backlog: i32) -> io::Result<()> {
    // SAFETY: no memory is involved.
    checked(unsafe { libc::listen(fd.as_raw_fd(), backlog) } as isize).map(drop)
}

pub fn connect(fd: &OwnedFd, addr: SocketAddr) -> io::Result<()> {
    let (addr, len) = raw(addr);
    // SAFETY: the address is at least as long as is said.
    checked(unsafe { libc::connect(fd.as_raw_fd(), (&raw const addr).cast(), len) } as isize).map(drop)
}

/// Makes a datagram socket forget the address that it is connected to.
pub fn disconnect(fd: &OwnedFd) -> io::Result<()> {
    // SAFETY: zeroes are the address of no family.
    let addr: libc::sockaddr = unsafe { std::mem::zeroed() };
    let len = size_of::<libc::sockaddr>() as libc::socklen_t;
    // SAFETY: the address is as long as is said.
    checked(unsafe { libc::connect(fd.as_raw_fd(), &raw const addr, len) } as isize).map(drop)
}

pub fn shut_down(fd: &OwnedFd) {
    // SAFETY: no memory is involved. A connection that is gone needs no end.
    let _ = unsafe { libc::shutdown(fd.as_raw_fd(), libc::SHUT_RDWR) };
}

/// Accepts a connection; never waits when one is there.
pub fn accept(fd: &OwnedFd, flags: i32) -> io::Result<(OwnedFd, Option<SocketAddr>)> {
    // SAFETY: zeroes are a valid address.
    let mut addr: libc::sockaddr_in6 = unsafe { std::mem::zeroed() };
    let mut len = size_of::<libc::sockaddr_in6>() as libc::socklen_t;
    let flags = flags | libc::SOCK_CLOEXEC;
    // SAFETY: room for as many bytes as is said.
    let made = unsafe { libc::accept4(fd.as_raw_fd(), (&raw mut addr).cast(), &raw mut len, flags) };
    let made = checked(made as isize)?;
    // SAFETY: a fresh descriptor that nobody else knows.
    Ok((unsafe { OwnedFd::from_raw_fd(made as i32) }, parse(&addr)))
}

pub fn local_port(fd: &OwnedFd) -> io::Result<u16> {
    let view = std::net::UdpSocket::from(fd.try_clone()?);
    view.local_addr().map(|addr| addr.port())
}

/// Returns the address to which the kernel's socket is connected.
pub fn peer(fd: &OwnedFd) -> io::Result<SocketAddr> {
    std::net::UdpSocket::from(fd.try_clone()?).peer_addr()
}

/// Returns an option that is a number.
pub fn option(fd: &OwnedFd, level: i32, name: i32) -> io::Result<i32> {
    let mut value = 0_i32;
    let mut len = size_of::<i32>() as libc::socklen_t;
    let at = (&raw mut value).cast();
    // SAFETY: room for as many bytes as is said.
    let done = unsafe { libc::getsockopt(fd.as_raw_fd(), level, name, at, &raw mut len) };
    checked(done as isize).map(|_| value)
}

/// Returns a time-out of a socket in nanoseconds; zero is none.
pub fn socket_timeout_ns(fd: &OwnedFd, name: i32) -> u64 {
    let mut value = libc::timeval { tv_sec: 0, tv_usec: 0 };
    let mut len = size_of::<libc::timeval>() as libc::socklen_t;
    let at = (&raw mut value).cast();
    // SAFETY: room for as many bytes as is said.
    let done = unsafe { libc::getsockopt(fd.as_raw_fd(), libc::SOL_SOCKET, name, at, &raw mut len) };
    match done {
        0 => (value.tv_sec as u64).saturating_mul(1_000_000_000) + value.tv_usec as u64 * 1000,
        _ => 0,
    }
}

pub fn send(fd: &OwnedFd, bytes: &[u8], flags: i32, to: Option<SocketAddr>) -> io::Result<usize> {
    let flags = flags | libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;
    let named = to.map(raw);
    let (addr, len) = match &named {
        Some((addr, len)) => ((&raw const *addr).cast(), *len),
        None => (std::ptr::null(), 0),
    };
    // SAFETY: the bytes and the address are alive and as long as is said.
    checked(unsafe { libc::sendto(fd.as_raw_fd(), bytes.as_ptr().cast(), bytes.len(), flags, addr, len) })
}

/// Receives a datagram; with `MSG_TRUNC` the number is its whole length. Never waits.
pub fn receive(fd: &OwnedFd, buffer: &mut [u8], flags: i32) -> io::Result<(usize, Option<SocketAddr>)> {
    // SAFETY: zeroes are a valid address.
    let mut addr: libc::sockaddr_in6 = unsafe { std::mem::zeroed() };
    let mut len = size_of::<libc::sockaddr_in6>() as libc::socklen_t;
    let flags = flags | libc::MSG_DONTWAIT;
    let (at, size) = (buffer.as_mut_ptr().cast(), buffer.len());
    // SAFETY: room for as many bytes as is said.
    let n = checked(unsafe {
        libc::recvfrom(fd.as_raw_fd(), at, size, flags, (&raw mut addr).cast(), &raw mut len)
    })?;
    Ok((n, parse(&addr)))
}

/// Looks which descriptors are ready, without waiting. Each is a descriptor, and the events that are asked for.
pub fn poll(asked: &[(&OwnedFd, i16)]) -> Vec<i16> {
    let entry =
        |(fd, events): &(&OwnedFd, i16)| libc::pollfd { fd: fd.as_raw_fd(), events: *events, revents: 0 };
    let mut entries: Vec<libc::pollfd> = asked.iter().map(entry).collect();
    // SAFETY: as many entries as is said.
    let _ = unsafe { libc::poll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, 0) };
    entries.iter().map(|entry| entry.revents).collect()
}

/// Takes the events that are there from an epoll set, at most `n`, as the bytes of the kernel's structures.
pub fn take_events(epoll: &OwnedFd, n: usize) -> io::Result<(usize, Vec<u8>)> {
    let mut events = vec![libc::epoll_event { events: 0, u64: 0 }; n.clamp(1, 1024)];
    // SAFETY: room for as many events as is said.
    let taken =
        checked(unsafe { libc::epoll_wait(epoll.as_raw_fd(), events.as_mut_ptr(), events.len() as i32, 0) }
            as isize)?;
    let bytes = events[..taken].iter().flat_map(|event| {
        let (bits, data) = (event.events, event.u64);
        [&bits.to_ne_bytes()[..], &data.to_ne_bytes()[..]].concat()
    });
    Ok((taken, bytes.collect()))
}

/// Makes an eventfd.
pub fn event(flags: i32) -> io::Result<OwnedFd> {
    // SAFETY: no memory is involved.
    let fd = checked(unsafe { libc::eventfd(0, flags) } as isize)?;
    // SAFETY: a fresh descriptor that nobody else knows.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

/// Reads an eventfd until nothing is in it; never waits.
pub fn drain_event(fd: &OwnedFd) {
    if poll(&[(fd, libc::POLLIN)]).first().is_some_and(|ready| ready & libc::POLLIN != 0) {
        let mut count = 0_u64;
        // SAFETY: room for as many bytes as is said.
        let _ = unsafe { libc::read(fd.as_fd().as_raw_fd(), (&raw mut count).cast(), size_of::<u64>()) };
    }
}

/// Writes to an open file at its own position; the offset is for `pwrite`.
pub fn write(fd: &OwnedFd, bytes: &[u8], offset: Option<i64>) -> io::Result<usize> {
    let (at, len) = (bytes.as_ptr().cast(), bytes.len());
    checked(match offset {
        // SAFETY: the bytes are alive.
        Some(offset) => unsafe { libc::pwrite(fd.as_raw_fd(), at, len, offset) },
        // SAFETY: the bytes are alive.
        None => unsafe { libc::write(fd.as_raw_fd(), at, len) },
    })
}

/// Returns the position of an open file.
pub fn position(fd: &OwnedFd) -> u64 {
    // SAFETY: no memory is involved.
    u64::try_from(unsafe { libc::lseek(fd.as_raw_fd(), 0, libc::SEEK_CUR) }).unwrap_or(0)
}

pub fn allocate(fd: &OwnedFd, mode: i32, offset: i64, len: i64) -> io::Result<()> {
    // SAFETY: no memory is involved.
    checked(unsafe { libc::fallocate(fd.as_raw_fd(), mode, offset, len) } as isize).map(drop)
}

/// A change of an epoll set in a process. The kernel knows a member by its file and by the number of its descriptor.
pub struct EpollChange {
    pub pid: u32,
    pub epoll: i32,
    pub fd: i32,
    /// Without it the descriptor is taken out.
    pub event: Option<(u32, u64)>,
}

/// A thread with descriptors of its own, so that it can have one under the number that a program has it under.
pub struct Clerk {
    changes: Sender<EpollChange>,
    results: Receiver<bool>,
}

impl Clerk {
    pub fn start() -> io::Result<Clerk> {
        let (changes, todo) = channel::<EpollChange>();
        let (done, results) = channel();
        let work = move || {
            // SAFETY: this thread alone loses its descriptors; it has none that it needs.
            let is_alone = unsafe { libc::unshare(libc::CLONE_FILES) } == 0;
            for change in todo {
                let is_done = is_alone && {
                    close_all();
                    let is_done = carry_out(&change).is_ok();
                    close_all();
                    is_done
                };
                if done.send(is_done).is_err() {
                    break;
                }
            }
        };
        thread::Builder::new().name("specline-clerk".to_owned()).stack_size(256 << 10).spawn(work)?;
        Ok(Clerk { changes, results })
    }

    /// Carries out a change, and returns whether the kernel did.
    pub fn change(&self, change: EpollChange) -> bool {
        self.changes.send(change).is_ok() && self.results.recv().unwrap_or(false)
    }
}

fn close_all() {
    // SAFETY: no memory is involved; nothing else runs on this thread.
    let _ = unsafe { libc::syscall(libc::SYS_close_range, 0, u32::MAX, 0) };
}

fn carry_out(change: &EpollChange) -> io::Result<()> {
    let away = |fd: OwnedFd| -> io::Result<OwnedFd> {
        // SAFETY: no memory is involved.
        let moved =
            checked(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD_CLOEXEC, change.fd + 1) } as isize)?;
        // SAFETY: a fresh descriptor that nobody else knows.
        Ok(unsafe { OwnedFd::from_raw_fd(moved as i32) })
    };
    let process = away(open_process(change.pid)?)?;
    let epoll = away(borrow_descriptor(&process, change.epoll)?)?;
    let member = away(borrow_descriptor(&process, change.fd)?)?;
    // SAFETY: no memory is involved; the number is free.
    checked(unsafe { libc::dup2(member.as_raw_fd(), change.fd) } as isize)?;
    let (bits, data) = change.event.unwrap_or_default();
    let operation = if change.event.is_some() { libc::EPOLL_CTL_ADD } else { libc::EPOLL_CTL_DEL };
    let mut event = libc::epoll_event { events: bits, u64: data };
    // SAFETY: the event is ours.
    checked(unsafe { libc::epoll_ctl(epoll.as_raw_fd(), operation, change.fd, &raw mut event) } as isize)
        .map(drop)
}
