//! Refusals of datagrams that found no receiver. The kernel tells connected sockets about that, by an error of their
//! next call and in every poll. To get the same here, the kernel is made to find out for itself.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::SeqCst;

use libc::{c_int, pollfd, socklen_t, timespec};
use wire::Addr;

use super::addr::{Sockaddr, bind_loopback};
use crate::fds::{self, Entry, Kind};
use crate::kernel::{self, Result};
use crate::lock::{HeldLock, Lock};
use crate::pass;
use crate::session::Session;

/// Number of refusals of the node that this process has handled.
static N_SEEN: AtomicU32 = AtomicU32::new(0);
/// A lock that prevents sending through a socket while the socket is connected elsewhere.
static SENDING: Lock = Lock::new();

/// Holds the lock while a datagram is sent.
pub fn hold() -> HeldLock<'static> {
    SENDING.hold()
}

/// Whether the stage has reported a refusal since the last time.
pub fn is_news(session: &Session) -> bool {
    session.board.n_refusals.load(SeqCst) != N_SEEN.load(SeqCst)
}

/// Shows every refusal that the stage has reported.
pub fn show_all(session: &Session) {
    let n = session.board.n_refusals.load(SeqCst);
    if N_SEEN.swap(n, SeqCst) == n {
        return;
    }
    for fd in 0..fds::FDS_MAX as c_int {
        let entry = fds::peek(fd);
        if entry.kind == Kind::UdpBound {
            show(session, fd, entry);
        }
    }
}

fn show(session: &Session, fd: c_int, entry: Entry) {
    let Some(link) = session.board.links.get(entry.link as usize) else { return };
    let port = link.refused_port.swap(0, SeqCst);
    // A socket that is not connected, or is connected to another address by now, is told nothing.
    if let Some(peer) = peer(fd).filter(|peer| u32::from(peer.port) == port) {
        let _held = SENDING.hold();
        // If the kernel refuses, the guest is not told.
        let _ = find_nobody(fd, entry.family.is_v6(), peer);
    }
}

/// Returns the address of the kernel's loopback to which a socket is connected.
fn peer(fd: c_int) -> Option<Addr> {
    let mut addr = Sockaddr::empty();
    let mut len = addr.len() as socklen_t;
    pass!(libc::SYS_getpeername, fd, addr.as_mut_ptr(), &raw mut len).ok()?;
    addr.addr()
}

/// Sends an empty datagram through the socket to a port that has no receiver.
fn find_nobody(fd: c_int, is_v6: bool, peer: Addr) -> Result<()> {
    let family = if is_v6 { libc::AF_INET6 } else { libc::AF_INET };
    let closed = pass!(libc::SYS_socket, family, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0)? as c_int;
    let found = bind_loopback(closed, is_v6).and_then(|port| {
        let nobody = Addr::new(peer.ip, port);
        // This socket receives only from itself: for everybody else there is no receiver.
        connect(closed, nobody)?;
        connect(fd, nobody)?;
        let sent = pass!(libc::SYS_sendto, fd, 0, 0, libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL, 0, 0);
        wait_for_error(fd);
        connect(fd, peer)?;
        sent
    });
    kernel::close(closed);
    found.map(|_| ())
}

fn connect(fd: c_int, addr: Addr) -> Result<usize> {
    let addr = Sockaddr::new(addr);
    pass!(libc::SYS_connect, fd, addr.as_ptr(), addr.len())
}

/// Waits for the error. The loopback usually answers within the call; the limit is a second, for a busy machine.
fn wait_for_error(fd: c_int) {
    let mut one = pollfd { fd, events: 0, revents: 0 };
    let limit = timespec { tv_sec: 1, tv_nsec: 0 };
    // Without an error the guest is not told, as when the answer is lost.
    let _ = pass!(libc::SYS_ppoll, &raw mut one, 1, &raw const limit, 0, 0);
}
