//! Sockets: real ones of the kernel's loopback, with the addresses that the program expects.

use std::net::{IpAddr, SocketAddr};
use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering::SeqCst;

use wire::{Addr, Call, Family, Ip, NEVER_NS, Outcome as Decision, Proto, Reply, Request, SocketRole};

use super::Errno;
use super::park::{RESTART, Until, Wait};
use super::visit::{Done, Kind, Outcome, Result, Visit};
use crate::sys::guest;

/// The state of a socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// It is none of the internet's, or one that is not under control.
    Plain,
    Fresh,
    Bound,
    Listening,
    /// Its attempt to connect is not decided, or the kernel's socket is not connected yet.
    Connecting,
    Connected,
}

/// A socket of the node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Socket {
    pub role: Role,
    pub proto: Proto,
    pub family: Family,
    pub link: u32,
    pub local: Option<Addr>,
    pub peer: Option<Addr>,
}

impl Socket {
    const PLAIN: Socket =
        Socket { role: Role::Plain, proto: Proto::Tcp, family: Family::V4, link: 0, local: None, peer: None };

    pub fn is_v6(&self) -> bool {
        self.family.is_v6()
    }

    pub fn is_tcp(&self) -> bool {
        self.role != Role::Plain && self.proto == Proto::Tcp
    }

    pub fn is_udp(&self) -> bool {
        self.role != Role::Plain && self.proto == Proto::Udp
    }
}

// The positions of the fields of an address in C's form: family (2), port (2), then the address, after a flow label in
// IPv6.
const PORT_AT: usize = 2;
const V4_AT: usize = 4;
const V4_BYTES: usize = 16;
const V6_AT: usize = 8;
const V6_BYTES: usize = 28;
/// The beginning of an IPv6 address that contains an IPv4 address.
const MAPPED: [u8; 12] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/// An address that a program gave, and whether it was in the form of IPv6.
#[derive(Clone, Copy)]
pub(super) struct GivenAddr {
    pub addr: Addr,
    pub is_v6: bool,
}

/// Reads an address in C's form; `None` for other families.
fn parse(bytes: &[u8]) -> Option<GivenAddr> {
    let (family, port) = (bytes.first_chunk::<2>()?, bytes.get(PORT_AT..)?.first_chunk::<2>()?);
    let port = u16::from_be_bytes(*port);
    match i32::from(u16::from_ne_bytes(*family)) {
        libc::AF_INET => {
            let ip = Ip::V4(*bytes.get(V4_AT..)?.first_chunk()?);
            Some(GivenAddr { addr: Addr::new(ip, port), is_v6: false })
        }
        libc::AF_INET6 => {
            let ip: [u8; 16] = *bytes.get(V6_AT..)?.first_chunk()?;
            let ip = match ip.split_first_chunk::<12>() {
                Some((&MAPPED, &[a, b, c, d])) => Ip::V4([a, b, c, d]),
                Some(_) | None => Ip::V6(ip),
            };
            Some(GivenAddr { addr: Addr::new(ip, port), is_v6: true })
        }
        _ => None,
    }
}

/// Returns an address in C's form, as a socket of a family sees it: one of IPv6 sees an IPv4 address inside its own.
fn shown(is_v6: bool, addr: Addr) -> Vec<u8> {
    let (family, mut bytes) = match addr.ip {
        Ip::V4(ip) if is_v6 => {
            let mut bytes = vec![0; V6_BYTES];
            bytes[V6_AT..V6_AT + 12].copy_from_slice(&MAPPED);
            bytes[V6_AT + 12..V6_AT + 16].copy_from_slice(&ip);
            (libc::AF_INET6, bytes)
        }
        Ip::V4(ip) => {
            let mut bytes = vec![0; V4_BYTES];
            bytes[V4_AT..V4_AT + 4].copy_from_slice(&ip);
            (libc::AF_INET, bytes)
        }
        Ip::V6(ip) => {
            let mut bytes = vec![0; V6_BYTES];
            bytes[V6_AT..V6_AT + 16].copy_from_slice(&ip);
            (libc::AF_INET6, bytes)
        }
    };
    bytes[..2].copy_from_slice(&(family as u16).to_ne_bytes());
    bytes[PORT_AT..PORT_AT + 2].copy_from_slice(&addr.port.to_be_bytes());
    bytes
}

/// Returns the address that a program means by a target: the wildcard address means this host.
pub(super) fn as_target(addr: Addr) -> Addr {
    if addr.ip.is_any() { Addr::new(addr.ip.kernel_loopback(), addr.port) } else { addr }
}

/// Returns an address of the kernel's loopback.
pub(super) fn loopback(is_v6: bool, port: u16) -> SocketAddr {
    SocketAddr::from(Addr::new(Ip::loopback(is_v6), port))
}

/// Returns the wildcard address of a family, with a port of the stage's choice.
pub(super) fn any_port(is_v6: bool) -> Addr {
    Addr::new(if is_v6 { Ip::V6([0; 16]) } else { Ip::V4([0; 4]) }, 0)
}

/// Binds a socket of the kernel to a free port of its loopback.
pub(super) fn bind_loopback(fd: &OwnedFd, is_v6: bool) -> Result<u16> {
    match guest::bind(fd, loopback(is_v6, 0)) {
        Ok(()) => {}
        // It has a port from an attempt to bind that the stage refused.
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(guest::local_port(fd)?)
}

impl Visit<'_, '_> {
    pub fn call_socket(&mut self, number: i64) -> Option<Outcome> {
        Some(match number {
            libc::SYS_socket => self.socket(),
            libc::SYS_bind => self.bind(),
            libc::SYS_listen => self.listen(),
            libc::SYS_connect => self.connect(),
            libc::SYS_accept => self.accept(0),
            libc::SYS_accept4 => self.accept(self.int(3)),
            libc::SYS_getsockname => self.getsockname(),
            libc::SYS_getpeername => self.getpeername(),
            libc::SYS_getsockopt => self.socket_error(),
            libc::SYS_shutdown => match self.socket_at(self.int(0)) {
                Ok(Some((_, Socket { role: Role::Connecting, .. }))) => Err(Errno(libc::ENOTCONN)),
                Ok(_) => Ok(Done::Continue),
                Err(errno) => Err(errno),
            },
            libc::SYS_close => self.close(),
            _ => return None,
        })
    }

    /// Returns the socket that a descriptor stands for, with its inode; `None` if it stands for something else.
    pub fn socket_at(&mut self, fd: i32) -> Result<Option<(u64, Socket)>> {
        let (kind, inode) = self.kind(fd)?;
        if kind != Kind::Socket {
            return Ok(None);
        }
        if let Some(known) = self.door.sockets.get(&inode) {
            return Ok(Some((inode, *known)));
        }
        let file = self.borrow(fd)?;
        let option = |level, name| guest::option(&file, level, name).unwrap_or(0);
        let is_v6 = option(libc::SOL_SOCKET, libc::SO_DOMAIN) == libc::AF_INET6;
        let is_internet = is_v6 || option(libc::SOL_SOCKET, libc::SO_DOMAIN) == libc::AF_INET;
        let proto = match option(libc::SOL_SOCKET, libc::SO_TYPE) {
            libc::SOCK_STREAM if is_internet => Proto::Tcp,
            libc::SOCK_DGRAM if is_internet => Proto::Udp,
            _ => {
                self.door.sockets.insert(inode, Socket::PLAIN);
                return Ok(Some((inode, Socket::PLAIN)));
            }
        };
        let socket = match self.ask(&Request::Adopt { inode }, None) {
            Ok(Reply::Adopted { role, proto, link, local, peer }) => {
                let role = match role {
                    SocketRole::Unknown => Role::Plain,
                    SocketRole::Bound => Role::Bound,
                    SocketRole::Listening => Role::Listening,
                    SocketRole::Connected => Role::Connected,
                };
                let family = if is_v6 { Family::Both } else { Family::V4 };
                Socket { role, proto, family, link, local: Some(local), peer: Some(peer) }
            }
            // The family is not asked for before it has to be: the program may still change it.
            Ok(_) | Err(_) => {
                let family = if is_v6 { Family::Both } else { Family::V4 };
                return Ok(Some((inode, Socket { role: Role::Fresh, proto, family, ..Socket::PLAIN })));
            }
        };
        self.door.sockets.insert(inode, socket);
        Ok(Some((inode, socket)))
    }

    pub fn keep_socket(&mut self, inode: u64, socket: Socket) {
        self.door.sockets.insert(inode, socket);
    }

    /// Reads an address that the program gave.
    pub fn given_addr(&self, at: u64, len: u64) -> Result<Option<GivenAddr>> {
        let len = len as u32 as usize;
        if at == 0 || len < 2 {
            return Err(Errno(libc::EFAULT));
        }
        let bytes = self.read(at, len.min(V6_BYTES))?;
        let family = i32::from(u16::from_ne_bytes([bytes[0], bytes[1]]));
        // Older programs leave out the scope of IPv6.
        let needed = if family == libc::AF_INET6 { V6_BYTES - 4 } else { V4_BYTES };
        if [libc::AF_INET, libc::AF_INET6].contains(&family) && bytes.len() < needed {
            return Err(Errno(libc::EINVAL));
        }
        Ok(parse(&bytes))
    }

    /// Writes an address to the program, cut to the space that it has for it.
    pub fn give_addr(&self, is_v6: bool, addr: Addr, (at, len): (u64, u64)) -> Result<()> {
        if at == 0 || len == 0 {
            return Ok(());
        }
        let room = self.read_u32(len)? as usize;
        let bytes = shown(is_v6, addr);
        self.write(at, &bytes[..bytes.len().min(room)])?;
        self.write(len, &(bytes.len() as u32).to_ne_bytes())
    }

    fn socket(&mut self) -> Outcome {
        let (family, kind) = (self.int(0), self.int(1) & !(libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC));
        let is_internet = [libc::AF_INET, libc::AF_INET6].contains(&family);
        if is_internet && ![libc::SOCK_STREAM, libc::SOCK_DGRAM].contains(&kind) {
            self.report("socket", "a raw socket is not under control", false);
        }
        Ok(Done::Continue)
    }

    fn bind(&mut self) -> Outcome {
        let Some((inode, socket)) = self.internet(self.int(0))? else { return Ok(Done::Continue) };
        let given = self.given_addr(self.arg(1), self.arg(2))?.ok_or(Errno(libc::EAFNOSUPPORT))?;
        if socket.role != Role::Fresh {
            return Err(Errno(libc::EINVAL));
        }
        if given.is_v6 != socket.is_v6() {
            return Err(Errno(libc::EAFNOSUPPORT));
        }
        self.bind_to(self.int(0), inode, socket, given.addr).map(|_| Done::Value(0))
    }

    /// Returns a socket that is under control.
    pub fn internet(&mut self, fd: i32) -> Result<Option<(u64, Socket)>> {
        Ok(self.socket_at(fd)?.filter(|(_, socket)| socket.role != Role::Plain))
    }

    /// Gives the socket a port of the kernel's loopback, and asks the stage for the address that it appears to have.
    pub fn bind_to(&mut self, fd: i32, inode: u64, mut socket: Socket, addr: Addr) -> Result<Socket> {
        let file = self.borrow(fd)?;
        let is_alone =
            || guest::option(&file, libc::IPPROTO_IPV6, libc::IPV6_V6ONLY).is_ok_and(|alone| alone != 0);
        if socket.is_v6() {
            socket.family = if is_alone() { Family::V6 } else { Family::Both };
        }
        if socket.family == Family::V6 && matches!(addr.ip, Ip::V4(_)) {
            return Err(Errno(libc::EINVAL));
        }
        let kernel_port = bind_loopback(&file, socket.is_v6())?;
        let shares =
            guest::option(&file, libc::SOL_SOCKET, libc::SO_REUSEPORT).is_ok_and(|shares| shares != 0);
        let Socket { proto, family, .. } = socket;
        let request = Request::Bind { proto, family, inode, addr, kernel_port, shares };
        let Reply::Bound { addr, link } = self.ask(&request, None)? else { return Err(Errno(libc::EINVAL)) };
        let bound = Socket { role: Role::Bound, link, local: Some(addr), ..socket };
        self.keep_socket(inode, bound);
        Ok(bound)
    }

    fn listen(&mut self) -> Outcome {
        let fd = self.int(0);
        let Some((inode, mut socket)) = self.internet(fd)?.filter(|(_, socket)| socket.is_tcp()) else {
            return Ok(Done::Continue);
        };
        if socket.role == Role::Fresh {
            socket = self.bind_to(fd, inode, socket, any_port(socket.is_v6()))?;
        }
        guest::listen(&self.borrow(fd)?, self.int(1))?;
        self.ask(&Request::Listen { inode }, None)?;
        self.keep_socket(inode, Socket { role: Role::Listening, ..socket });
        Ok(Done::Value(0))
    }

    fn accept(&mut self, flags: i32) -> Outcome {
        let fd = self.int(0);
        let Some((inode, listening)) =
            self.internet(fd)?.filter(|(_, socket)| socket.role == Role::Listening)
        else {
            return self.continue_when_ready(fd, Call::Accept);
        };
        let file = self.borrow(fd)?;
        loop {
            if guest::poll(&[(&file, libc::POLLIN)]) == [0] {
                let deadline_ns = self.socket_deadline(&file, libc::SO_RCVTIMEO);
                let wait = socket_wait(Call::Accept, deadline_ns);
                return self.wait_ready(&file, libc::POLLIN, wait)?.ok_or(Errno(libc::EAGAIN));
            }
            let (accepted, peer) = guest::accept(&file, flags & libc::SOCK_NONBLOCK)?;
            let number = inode_of(&accepted)?;
            let kernel_peer = peer.map_or(0, |peer| peer.port());
            let request = Request::Accepted { listener: inode, inode: number, kernel_peer };
            // If the stage does not know the client, this acts as if nobody had come.
            let Ok(Reply::Connected { link, local, peer }) = self.ask(&request, None) else { continue };
            let (local, role) = (Some(local), Role::Connected);
            self.keep_socket(number, Socket { role, link, local, peer: Some(peer), ..listening });
            self.give_addr(listening.is_v6(), peer, (self.arg(1), self.arg(2)))?;
            return Ok(Done::Descriptor(accepted, flags & libc::SOCK_CLOEXEC != 0));
        }
    }

    /// Returns the time until which a call on a socket waits: its own time-out is on the node's clock.
    pub fn socket_deadline(&self, file: &OwnedFd, option: i32) -> u64 {
        let limit_ns = guest::socket_timeout_ns(file, option);
        self.until((limit_ns > 0).then_some(limit_ns))
    }

    fn getsockname(&mut self) -> Outcome {
        let Some((_, socket)) = self.internet(self.int(0))? else { return Ok(Done::Continue) };
        let Some(local) = socket.local else { return Ok(Done::Continue) };
        self.give_addr(socket.is_v6(), local, (self.arg(1), self.arg(2))).map(|()| Done::Value(0))
    }

    fn getpeername(&mut self) -> Outcome {
        let Some((_, socket)) = self.internet(self.int(0))? else { return Ok(Done::Continue) };
        // The kernel says whether there is a peer; we say which one it is.
        let is_connected = guest::peer(&self.borrow(self.int(0))?).is_ok();
        let peer = socket.peer.filter(|_| is_connected).ok_or(Errno(libc::ENOTCONN))?;
        self.give_addr(socket.is_v6(), peer, (self.arg(1), self.arg(2))).map(|()| Done::Value(0))
    }

    /// Answers the question for the error of a socket: the kernel always says "refused".
    fn socket_error(&mut self) -> Outcome {
        let Some((_, socket)) = self.internet(self.int(0))?.filter(|(_, socket)| socket.is_tcp()) else {
            return Ok(Done::Continue);
        };
        let (at, len) = (self.arg(3), self.arg(4));
        if (self.read_u32(len)? as usize) < size_of::<i32>() {
            return Ok(Done::Continue);
        }
        let error = guest::option(&self.borrow(self.int(0))?, libc::SOL_SOCKET, libc::SO_ERROR)?;
        self.write(at, &self.translate(socket.link, error).to_ne_bytes())?;
        self.write(len, &(size_of::<i32>() as u32).to_ne_bytes())?;
        Ok(Done::Value(0))
    }

    /// Returns the error of a connection that the program sees.
    pub fn translate(&self, link: u32, errno: i32) -> i32 {
        let word = self.board().links.get(link as usize).map_or(0, |link| link.outcome.load(SeqCst));
        match (Decision::from_word(word), errno) {
            (Some(Decision::TimedOut), libc::ECONNREFUSED) => libc::ETIMEDOUT,
            (Some(Decision::Unreachable), libc::ECONNREFUSED) => libc::EHOSTUNREACH,
            (_, errno) => errno,
        }
    }

    /// Tells the stage of a socket that is about to be closed, if it could not see that otherwise.
    fn close(&mut self) -> Outcome {
        // A descriptor that is not open is the kernel's to refuse.
        let Ok((kind, inode)) = self.kind(self.int(0)) else { return Ok(Done::Continue) };
        if kind == Kind::Other {
            self.close_timer(self.int(0));
        }
        if kind != Kind::Socket {
            return Ok(Done::Continue);
        }
        let Some(socket) = self.door.sockets.get(&inode).copied() else { return Ok(Done::Continue) };
        let is_told = match socket.role {
            Role::Connecting | Role::Listening | Role::Bound => true,
            Role::Connected => socket.proto == Proto::Udp,
            Role::Plain | Role::Fresh => false,
        };
        if is_told {
            self.door.attempts.retain(|attempt| attempt.inode != inode);
            // Nothing can be done if the stage does not know the socket.
            let _ = self.ask(&Request::Closed { inode }, None);
        }
        Ok(Done::Continue)
    }
}

/// Returns a wait of a call on a socket.
pub(super) fn socket_wait(call: Call, deadline_ns: u64) -> Wait {
    let on_signal = if deadline_ns == NEVER_NS { RESTART } else { libc::EINTR };
    Wait { on_signal, ..Wait::new(call, deadline_ns, Until::Time) }
}

/// Returns the number by which the kernel knows a socket of ours.
fn inode_of(fd: &OwnedFd) -> Result<u64> {
    use std::os::unix::fs::MetadataExt;
    let file = std::fs::File::from(fd.try_clone()?);
    Ok(file.metadata()?.ino())
}

/// Whether an address is one of IPv6.
pub(super) fn is_v6(addr: SocketAddr) -> bool {
    matches!(addr.ip(), IpAddr::V6(_))
}

#[cfg(test)]
mod tests {
    use super::{parse, shown};
    use wire::{Addr, Ip};

    #[test]
    fn addresses_are_shown_in_the_form_of_the_socket() {
        for (ip, is_v6) in [(Ip::LOOPBACK_V4, false), (Ip::LOOPBACK_V4, true), (Ip::LOOPBACK_V6, true)] {
            let given = parse(&shown(is_v6, Addr::new(ip, 7001))).unwrap();
            assert_eq!((given.addr, given.is_v6), (Addr::new(ip, 7001), is_v6));
        }
        assert!(parse(&[1, 0, b'/', 0]).is_none());
        assert!(parse(&[2, 0, 0]).is_none());
    }
}
