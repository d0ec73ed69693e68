//! Sending and receiving. What a connection carries is the kernel's to move; datagrams are moved here, because they are
//! sent to the stage's stand-in for the receiver and received from its stand-in for the sender.

use std::fs;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering::SeqCst;

use wire::{Addr, Call, Family, Ip, Proto, Reply, Request};

use super::net::{GivenAddr, Role, Socket, any_port, as_target, is_v6, loopback, socket_wait};
use super::park::{Until, Wait};
use super::visit::{Done, Kind, Outcome, Result, Visit};
use super::{Door, Errno};
use crate::control::Desk;
use crate::sys::{self, guest};

/// More than a datagram can have.
const DATAGRAM_BYTES_MAX: usize = 1 << 16;
const MESSAGE_BYTES: usize = 56;
/// The distance between messages of which there are several: each is followed by its length.
const SEVERAL_BYTES: u64 = 64;
/// The most messages that the kernel takes at once.
const MESSAGES_MAX: u32 = 1024;

/// The header of a message, as the program gave it.
struct Message {
    name: (u64, u32),
    parts: Vec<(u64, usize)>,
}

impl Visit<'_, '_> {
    pub fn call_transfer(&mut self, number: i64) -> Option<Outcome> {
        let (buffer, len) = (self.arg(1), usize::try_from(self.arg(2)).unwrap_or(usize::MAX));
        Some(match number {
            libc::SYS_read => self.read_from(&[(buffer, len)]),
            libc::SYS_readv => self.parts(buffer, self.arg(2)).and_then(|parts| self.read_from(&parts)),
            libc::SYS_write => self.write_to(&[(buffer, len)]),
            libc::SYS_writev => self.parts(buffer, self.arg(2)).and_then(|parts| self.write_to(&parts)),
            libc::SYS_recvfrom => self.receive_from((buffer, len)),
            libc::SYS_sendto => self.send_to((buffer, len)),
            libc::SYS_recvmsg => self.receive_message(self.arg(1), self.int(2)),
            libc::SYS_sendmsg => self.send_message(self.arg(1), self.int(2)),
            libc::SYS_recvmmsg | libc::SYS_sendmmsg => match self.internet(self.int(0)) {
                Ok(Some((_, Socket { proto: Proto::Udp, .. }))) => self.pass_messages(),
                Ok(_) => Ok(Done::Continue),
                Err(errno) => Err(errno),
            },
            _ => return None,
        })
    }

    /// Lets the kernel carry out a call on a descriptor once it need not wait there.
    pub fn continue_when_ready(&mut self, fd: i32, call: Call) -> Outcome {
        let file = self.borrow(fd)?;
        let (events, option) = if matches!(call, Call::Send | Call::Write) {
            (libc::POLLOUT, libc::SO_SNDTIMEO)
        } else {
            (libc::POLLIN, libc::SO_RCVTIMEO)
        };
        let deadline_ns = self.socket_deadline(&file, option);
        let wait = self.wait_ready(&file, events, socket_wait(call, deadline_ns))?;
        Ok(wait.unwrap_or(Done::Continue))
    }

    fn read_from(&mut self, parts: &[(u64, usize)]) -> Outcome {
        let fd = self.int(0);
        match self.kind(fd)?.0 {
            Kind::File => Ok(Done::Continue),
            Kind::Random => {
                let len = parts.iter().map(|(_, len)| *len).sum::<usize>().min(super::visit::COPY_BYTES_MAX);
                let bytes = self.random_bytes(len)?;
                self.scatter(parts, &bytes)?;
                Ok(Done::Value(len as i64))
            }
            Kind::Socket => match self.socket_at(fd)? {
                Some((_, socket)) if socket.is_udp() => Ok(self.receive(fd, socket, 0, parts)?.0),
                Some((_, Socket { role: Role::Connecting, .. })) => Err(Errno(libc::EAGAIN)),
                Some(_) | None => self.continue_when_ready(fd, Call::Receive),
            },
            Kind::Other => self.continue_when_ready(fd, Call::Read),
        }
    }

    fn write_to(&mut self, parts: &[(u64, usize)]) -> Outcome {
        let fd = self.int(0);
        match self.kind(fd)?.0 {
            Kind::File if self.is_watching_files() => self.write_file(fd, parts, None, 0),
            Kind::File | Kind::Random => Ok(Done::Continue),
            Kind::Socket => match self.socket_at(fd)? {
                Some((inode, socket)) if socket.is_udp() => self.send(fd, (inode, socket), (0, parts), None),
                Some((_, socket)) => self.send_stream(fd, socket),
                None => Ok(Done::Continue),
            },
            Kind::Other => self.continue_when_ready(fd, Call::Write),
        }
    }

    /// The stage always accepts what is sent, so that a wait in the kernel is short.
    fn send_stream(&mut self, fd: i32, socket: Socket) -> Outcome {
        match socket.role {
            Role::Connecting => Err(Errno(libc::EAGAIN)),
            Role::Connected => self.break_off(fd, socket).map(|()| Done::Continue),
            Role::Plain => self.continue_when_ready(fd, Call::Send),
            Role::Fresh | Role::Bound | Role::Listening => Ok(Done::Continue),
        }
    }

    fn receive_from(&mut self, part: (u64, usize)) -> Outcome {
        let (fd, flags) = (self.int(0), self.int(3));
        match self.socket_at(fd)? {
            Some((_, socket)) if socket.is_udp() => {
                let (done, from) = self.receive(fd, socket, flags, &[part])?;
                self.give_sender(socket, from, (self.arg(4), self.arg(5)))?;
                Ok(done)
            }
            Some((_, Socket { role: Role::Connecting, .. })) => Err(Errno(libc::EAGAIN)),
            Some(_) if flags & libc::MSG_DONTWAIT == 0 => self.continue_when_ready(fd, Call::Receive),
            Some(_) | None => Ok(Done::Continue),
        }
    }

    /// Receives a datagram, or waits for one. Returns the sender's stand-in as well.
    fn receive(
        &mut self,
        fd: i32,
        socket: Socket,
        flags: i32,
        parts: &[(u64, usize)],
    ) -> Result<(Done, Option<SocketAddr>)> {
        let file = self.borrow(fd)?;
        let len = parts.iter().map(|(_, len)| *len).sum::<usize>().min(DATAGRAM_BYTES_MAX);
        let mut buffer = vec![0; len];
        match guest::receive(&file, &mut buffer, flags) {
            Ok((n, from)) => {
                self.scatter(parts, &buffer[..n.min(len)])?;
                if flags & (libc::MSG_PEEK | libc::MSG_ERRQUEUE) == 0
                    && let Some(link) = self.board().links.get(socket.link as usize)
                {
                    link.received.fetch_add(1, SeqCst);
                }
                Ok((Done::Value(n as i64), from))
            }
            Err(error) if error.raw_os_error() == Some(libc::EAGAIN) => {
                let is_patient =
                    flags & libc::MSG_DONTWAIT == 0 && guest::file_flags(&file) & libc::O_NONBLOCK == 0;
                if !is_patient || self.has_expired {
                    return Err(Errno(libc::EAGAIN));
                }
                let deadline_ns = self.socket_deadline(&file, libc::SO_RCVTIMEO);
                let until = Until::Ready(vec![(file, libc::POLLIN)]);
                Ok((Done::Wait(Wait { until, ..socket_wait(Call::Datagram, deadline_ns) }), None))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Tells the program who sent a datagram.
    fn give_sender(&mut self, socket: Socket, from: Option<SocketAddr>, to: (u64, u64)) -> Result<()> {
        let Some(from) = from.filter(|_| to.0 != 0) else { return Ok(()) };
        let request = Request::Whence { kernel_port: from.port(), is_v6: is_v6(from) };
        let Reply::Address { addr } = self.ask(&request, None)? else { return Ok(()) };
        self.give_addr(socket.is_v6(), addr, to)
    }

    fn send_to(&mut self, part: (u64, usize)) -> Outcome {
        let (fd, flags, name) = (self.int(0), self.int(3), (self.arg(4), self.arg(5)));
        match self.socket_at(fd)? {
            Some((inode, socket)) if socket.is_udp() => {
                let given = if name.0 == 0 { None } else { self.given_addr(name.0, name.1)? };
                self.send(fd, (inode, socket), (flags, &[part]), given)
            }
            Some((_, socket)) => self.send_stream(fd, socket),
            None => Ok(Done::Continue),
        }
    }

    /// Sends a datagram.
    // Six values: those of `sendto` and `sendmsg`, with the socket that was looked up.
    fn send(
        &mut self,
        fd: i32,
        (inode, socket): (u64, Socket),
        (flags, parts): (i32, &[(u64, usize)]),
        to: Option<GivenAddr>,
    ) -> Outcome {
        let socket = self.ensure_bound(fd, inode, socket)?;
        let to = to.map(|given| check_reachable(socket, given)).transpose()?;
        let to = to.map(|addr| self.stand_in(socket, addr)).transpose()?;
        let len = parts.iter().map(|(_, len)| *len).sum::<usize>();
        if len > DATAGRAM_BYTES_MAX {
            return Err(Errno(libc::EMSGSIZE));
        }
        let bytes = self.gather(parts, len)?;
        let n = guest::send(&self.borrow(fd)?, &bytes, flags, to)?;
        if let Some(link) = self.board().links.get(socket.link as usize) {
            link.sent.fetch_add(1, SeqCst);
        }
        Ok(Done::Value(n as i64))
    }

    fn ensure_bound(&mut self, fd: i32, inode: u64, socket: Socket) -> Result<Socket> {
        if socket.role != Role::Fresh {
            return Ok(socket);
        }
        self.bind_to(fd, inode, socket, any_port(socket.is_v6()))
    }

    /// Returns the real address to which datagrams for an address are sent.
    fn stand_in(&mut self, socket: Socket, addr: Addr) -> Result<SocketAddr> {
        let is_v6 = socket.is_v6();
        let request = Request::Resolve { addr: as_target(addr), is_v6 };
        let Reply::KernelPort { port } = self.ask(&request, None)? else { return Err(Errno(libc::EINVAL)) };
        Ok(loopback(is_v6, port))
    }

    /// Connects a datagram socket, which sets the address to which it sends.
    pub fn connect_datagram(&mut self, fd: i32, inode: u64, socket: Socket) -> Outcome {
        let Some(given) = self.given_addr(self.arg(1), self.arg(2))? else {
            // Without a family, the socket forgets its address.
            guest::disconnect(&self.borrow(fd)?)?;
            return Ok(Done::Value(0));
        };
        let socket = self.ensure_bound(fd, inode, socket)?;
        let target = as_target(check_reachable(socket, given)?);
        let real = self.stand_in(socket, target)?;
        guest::connect(&self.borrow(fd)?, real)?;
        // From now on the socket has the address by which the target reaches it.
        let local = socket.local.map(|own| match own.ip.is_any() {
            true => Addr::new(target.ip.kernel_loopback(), own.port),
            false => own,
        });
        self.keep_socket(inode, Socket { role: Role::Connected, local, peer: Some(target), ..socket });
        Ok(Done::Value(0))
    }

    /// Sends or receives several datagrams. Only the first is waited for, as if the program had said so.
    fn pass_messages(&mut self) -> Outcome {
        let (sends, n) = (self.notice.number == libc::SYS_sendmmsg, self.arg(2) as u32);
        let flags = self.int(3) & !libc::MSG_WAITFORONE;
        let mut n_done = 0;
        for index in 0..u64::from(n.min(MESSAGES_MAX)) {
            let at = self.arg(1) + index * SEVERAL_BYTES;
            let done = match sends {
                true => self.send_message(at, flags),
                false if n_done == 0 => self.receive_message(at, flags),
                false => self.receive_message(at, flags | libc::MSG_DONTWAIT),
            };
            match done {
                Ok(Done::Value(len)) => self.write(at + MESSAGE_BYTES as u64, &(len as u32).to_ne_bytes())?,
                other if n_done == 0 => return other,
                Ok(_) | Err(_) => break,
            }
            n_done += 1;
        }
        Ok(Done::Value(n_done))
    }

    fn message(&self, at: u64) -> Result<Message> {
        let header = self.read(at, MESSAGE_BYTES)?;
        let word = |at: usize| -> u64 {
            let bytes = header.get(at..at + 8).and_then(<[u8]>::first_chunk);
            bytes.map_or(0, |bytes| u64::from_ne_bytes(*bytes))
        };
        Ok(Message { name: (word(0), word(8) as u32), parts: self.parts(word(16), word(24))? })
    }

    fn send_message(&mut self, at: u64, flags: i32) -> Outcome {
        let fd = self.int(0);
        match self.socket_at(fd)? {
            Some((inode, socket)) if socket.is_udp() => {
                let Message { name: (name, len), parts } = self.message(at)?;
                let given = if name == 0 { None } else { self.given_addr(name, u64::from(len))? };
                self.send(fd, (inode, socket), (flags, &parts), given)
            }
            Some((_, socket)) => self.send_stream(fd, socket),
            None => Ok(Done::Continue),
        }
    }

    fn receive_message(&mut self, at: u64, flags: i32) -> Outcome {
        const NAME_LEN_AT: u64 = 8;
        const CONTROL_LEN_AT: u64 = 40;
        const FLAGS_AT: u64 = 48;
        let fd = self.int(0);
        match self.socket_at(fd)? {
            Some((_, socket)) if socket.is_udp() => {
                let Message { name: (name, _), parts } = self.message(at)?;
                let (done, from) = self.receive(fd, socket, flags, &parts)?;
                if let Done::Value(_) = done {
                    match name {
                        0 => self.write(at + NAME_LEN_AT, &[0; 4])?,
                        name => self.give_sender(socket, from, (name, at + NAME_LEN_AT))?,
                    }
                    // Nothing comes beside the data.
                    self.write(at + CONTROL_LEN_AT, &[0; 8])?;
                    self.write(at + FLAGS_AT, &[0; 4])?;
                }
                Ok(done)
            }
            Some((_, Socket { role: Role::Connecting, .. })) => Err(Errno(libc::EAGAIN)),
            Some(_) if flags & libc::MSG_DONTWAIT == 0 => self.continue_when_ready(fd, Call::Receive),
            Some(_) | None => Ok(Done::Continue),
        }
    }
}

/// Returns the address, if the socket can send there: a socket of IPv6 accepts both forms of an IPv4 address, unless it
/// excludes IPv4.
fn check_reachable(socket: Socket, given: GivenAddr) -> Result<Addr> {
    match (given.addr.ip, socket.family) {
        (Ip::V4(_), Family::V4) if !given.is_v6 => Ok(given.addr),
        (_, Family::V4) => Err(Errno(libc::EAFNOSUPPORT)),
        (Ip::V4(_), Family::V6) => Err(Errno(libc::ENETUNREACH)),
        (Ip::V4(_), Family::Both) | (Ip::V6(_), Family::V6 | Family::Both) => Ok(given.addr),
    }
}

impl Door {
    /// Shows the connected sockets whose datagrams found no receiver what the kernel would show them: it is made to
    /// find out for itself.
    pub(super) fn show_refusals(&mut self, desk: &mut Desk<'_>) {
        let board = &desk.nodes[self.node].board;
        let n = board.n_refusals.load(SeqCst);
        if std::mem::replace(&mut self.n_refusals, n) == n {
            return;
        }
        for (inode, socket) in self.sockets.iter().filter(|(_, socket)| socket.is_udp()) {
            let Some(link) = board.links.get(socket.link as usize) else { continue };
            let port = link.refused_port.swap(0, SeqCst);
            let Some(file) = Some(port).filter(|port| *port != 0).and_then(|_| self.find_file(*inode)) else {
                continue;
            };
            // A socket that is not connected, or is connected to another address by now, is told nothing.
            if let Ok(peer) = guest::peer(&file)
                && u32::from(peer.port()) == port
            {
                // If the kernel refuses, the program is not told.
                let _ = find_nobody(&file, peer);
            }
        }
    }

    /// Borrows a descriptor of a socket from any process that has one.
    fn find_file(&self, inode: u64) -> Option<OwnedFd> {
        let link = format!("socket:[{inode}]");
        self.processes.iter().find_map(|(pid, process)| {
            let entries = fs::read_dir(format!("/proc/{pid}/fd")).ok()?.flatten();
            let mut found = entries.filter(|entry| {
                fs::read_link(entry.path()).is_ok_and(|target| target.as_os_str() == link.as_str())
            });
            let number = found.next()?.file_name().to_str()?.parse().ok()?;
            sys::borrow_descriptor(&process.handle, number).ok()
        })
    }
}

/// Sends an empty datagram through a socket to a port that has no receiver.
fn find_nobody(file: &OwnedFd, peer: SocketAddr) -> Result<()> {
    let closed = UdpSocket::bind(SocketAddr::new(peer.ip(), 0))?;
    let nobody = closed.local_addr()?;
    // This socket receives only from itself: for everybody else there is no receiver.
    closed.connect(nobody)?;
    guest::connect(file, nobody)?;
    // The loopback answers within the call.
    let sent = guest::send(file, &[], 0, None);
    guest::connect(file, peer)?;
    Ok(sent.map(drop)?)
}
