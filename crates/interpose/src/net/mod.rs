//! Sockets of the guest: real sockets of the kernel's loopback, with the addresses that the guest expects.
//!
//! A connection leads to the stage, which decides when data arrives; readability is the kernel's own. Only a connection
//! that is being made must be held back, since the kernel would make it at once: until the stage has decided, the
//! kernel's socket stays fresh, is in no epoll set, and is left out of polls. Then it is connected, to the stage or to
//! a port where nobody listens, and put back, so that the guest sees its edge.

mod addr;
mod datagram;
mod hosts;
mod names;
mod options;
mod pending;
mod refusal;
mod resolve;
mod stream;
mod transfer;

pub use addr::Sockaddr;
pub use datagram::wait as wait_for_datagram;
pub use names::{getpeername, getsockname, local_of, remember};
pub use options::{getsockopt, setsockopt};
pub use pending::{PENDING_MAX, epoll_ctl, hold_tables, is_pending, settle, settle_all};
pub use stream::{accept, accept4, bind, connect, listen, report_closing, socket};
pub use transfer::{
    count_received, is_counted, recvfrom, recvmmsg, recvmsg, send_with, sendmmsg, sendmsg, sendto, shutdown,
};

use libc::c_int;
use wire::{FRAME_BYTES_MAX, Family, Proto, Reply, Request, SocketRole};

use crate::fds::{Entry, Kind};
use crate::session::session;

/// Determines the kind of a socket that came from another process or another program.
pub fn adopt(fd: c_int, inode: u64) -> Entry {
    let Some(session) = session() else { return Entry::new(Kind::Plain) };
    if !addr::is_internet(fd) {
        return Entry::new(Kind::Plain);
    }
    let mut buffer = [0; FRAME_BYTES_MAX];
    let Ok(Reply::Adopted { role, proto, link, local, peer }) =
        session.ask(&Request::Adopt { inode }, None, &mut buffer)
    else {
        return Entry::new(Kind::Plain);
    };
    let kind = match (role, proto) {
        (SocketRole::Unknown, _) => return Entry::new(Kind::Plain),
        (_, Proto::Udp) => Kind::UdpBound,
        (SocketRole::Bound, Proto::Tcp) => Kind::TcpBound,
        (SocketRole::Listening, Proto::Tcp) => Kind::TcpListening,
        (SocketRole::Connected, Proto::Tcp) => Kind::TcpConnected,
    };
    names::remember(link, Some(local), Some(peer));
    // It is not known what another program wanted of it; only a socket without an address could show that.
    let family = if addr::family(fd).is_v6() { Family::Both } else { Family::V4 };
    Entry { kind, family, link }
}
