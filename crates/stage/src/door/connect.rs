//! Connections that are being made. Until one is decided, the kernel's socket stays fresh and is in no epoll set, since
//! the kernel would report it at once.

use std::fs;
use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering::SeqCst;

use wire::{Call, Family, Ip, Outcome as Decision, Proto, Reply, Request};

use super::net::{Role, Socket, any_port, as_target, bind_loopback, loopback, socket_wait};
use super::park::{Until, Wait};
use super::visit::{Done, Outcome, Result, Visit};
use super::{Door, Errno};
use crate::control::Desk;
use crate::sys::guest::{self, Clerk, EpollChange};

/// A membership of a socket in an epoll set, which waits until the socket may be in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Member {
    epoll: i32,
    fd: i32,
    events: u32,
    data: u64,
}

/// An attempt to connect that is not decided.
pub(super) struct Attempt {
    pub inode: u64,
    pid: u32,
    file: OwnedFd,
    link: u32,
    is_v6: bool,
    open_port: u16,
    closed_port: u16,
    members: Vec<Member>,
}

impl Visit<'_, '_> {
    pub fn connect(&mut self) -> Outcome {
        let fd = self.int(0);
        let Some((inode, socket)) = self.internet(fd)? else {
            return self.continue_when_ready(fd, Call::Connect);
        };
        if socket.proto == Proto::Udp {
            return self.connect_datagram(fd, inode, socket);
        }
        let given = self.given_addr(self.arg(1), self.arg(2))?.ok_or(Errno(libc::EAFNOSUPPORT))?;
        if given.is_v6 != socket.is_v6() {
            return Err(Errno(libc::EAFNOSUPPORT));
        }
        match socket.role {
            Role::Connecting | Role::Connected if self.has_waited() => self.end_connect(fd, socket),
            Role::Connecting => Err(Errno(libc::EALREADY)),
            Role::Connected => {
                let error = guest::option(&self.borrow(fd)?, libc::SOL_SOCKET, libc::SO_ERROR)?;
                Err(Errno(if error == 0 { libc::EISCONN } else { self.translate(socket.link, error) }))
            }
            Role::Listening => Err(Errno(libc::EISCONN)),
            Role::Plain | Role::Fresh | Role::Bound => self.begin_connect(fd, inode, socket, given.addr),
        }
    }

    fn begin_connect(&mut self, fd: i32, inode: u64, mut socket: Socket, target: wire::Addr) -> Outcome {
        let (file, target) = (self.borrow(fd)?, as_target(target));
        if socket.role == Role::Fresh && socket.is_v6() {
            let alone = guest::option(&file, libc::IPPROTO_IPV6, libc::IPV6_V6ONLY).unwrap_or(0) != 0;
            socket.family = if alone { Family::V6 } else { Family::Both };
        }
        if matches!(target.ip, Ip::V4(_)) && socket.family == Family::V6 {
            return Err(Errno(libc::ENETUNREACH));
        }
        let is_v6 = socket.is_v6();
        let is_fresh = socket.role == Role::Fresh;
        let kernel_port = if is_fresh { bind_loopback(&file, is_v6)? } else { guest::local_port(&file)? };
        let local = socket.local.unwrap_or(any_port(is_v6));
        let request = Request::Connect { inode, is_v6, local, kernel_port, target };
        let Reply::Connecting { link, local, open_port, closed_port } = self.ask(&request, None)? else {
            return Err(Errno(libc::EINVAL));
        };
        let (local, peer) = (Some(local), Some(target));
        self.keep_socket(inode, Socket { role: Role::Connecting, link, local, peer, ..socket });
        let is_blocking = guest::file_flags(&file) & libc::O_NONBLOCK == 0;
        let deadline_ns = self.socket_deadline(&file, libc::SO_SNDTIMEO);
        let members = memberships(self.pid, fd);
        for Member { epoll, fd, .. } in &members {
            self.door.clerk()?.change(EpollChange { pid: self.pid, epoll: *epoll, fd: *fd, event: None });
        }
        let pid = self.pid;
        self.door.attempts.push(Attempt { inode, pid, file, link, is_v6, open_port, closed_port, members });
        match is_blocking {
            true => {
                let wait = socket_wait(Call::Connect, deadline_ns);
                Ok(Done::Wait(Wait { until: Until::Decided(link), ..wait }))
            }
            false => Err(Errno(libc::EINPROGRESS)),
        }
    }

    /// Ends a call of `connect` that has waited.
    fn end_connect(&mut self, fd: i32, socket: Socket) -> Outcome {
        if socket.role == Role::Connecting {
            return Err(Errno(libc::EINPROGRESS));
        }
        match guest::option(&self.borrow(fd)?, libc::SOL_SOCKET, libc::SO_ERROR)? {
            0 => Ok(Done::Value(0)),
            error => Err(Errno(self.translate(socket.link, error))),
        }
    }

    /// Makes the first send on a connection that is to break fail, as if the other side had reset it.
    pub fn break_off(&mut self, fd: i32, socket: Socket) -> Result<()> {
        let (is, was) = (Decision::Broken.word(), Decision::Accepted.word());
        let link = self.board().links.get(socket.link as usize);
        let is_broken =
            link.is_some_and(|link| link.outcome.compare_exchange(is, was, SeqCst, SeqCst).is_ok());
        if !is_broken {
            return Ok(());
        }
        // From now on the kernel says what it says of a connection whose reset was seen: the end, and broken pipes.
        guest::shut_down(&self.borrow(fd)?);
        Err(Errno(libc::ECONNRESET))
    }

    /// Changes an epoll set. A socket whose connection is not decided joins it later.
    pub fn epoll_ctl(&mut self) -> Outcome {
        let (epoll, operation, fd) = (self.int(0), self.int(1), self.int(2));
        let Ok(Some((inode, Socket { role: Role::Connecting, .. }))) = self.socket_at(fd) else {
            return Ok(Done::Continue);
        };
        let event = match operation {
            libc::EPOLL_CTL_DEL => None,
            _ => {
                let bytes = self.read(self.arg(3), 12)?;
                let (events, data) = bytes.split_first_chunk::<4>().ok_or(Errno(libc::EFAULT))?;
                let data = data.first_chunk::<8>().ok_or(Errno(libc::EFAULT))?;
                Some((u32::from_ne_bytes(*events), u64::from_ne_bytes(*data)))
            }
        };
        let attempt = self.door.attempts.iter_mut().find(|attempt| attempt.inode == inode);
        let Some(attempt) = attempt else { return Ok(Done::Continue) };
        let known = attempt.members.iter().position(|member| (member.epoll, member.fd) == (epoll, fd));
        match (operation, known, event) {
            (libc::EPOLL_CTL_ADD, None, Some((events, data))) => {
                attempt.members.push(Member { epoll, fd, events, data });
            }
            (libc::EPOLL_CTL_MOD, Some(at), Some((events, data))) => {
                attempt.members[at] = Member { epoll, fd, events, data };
            }
            (libc::EPOLL_CTL_DEL, Some(at), _) => drop(attempt.members.remove(at)),
            (libc::EPOLL_CTL_ADD, Some(_), _) => return Err(Errno(libc::EEXIST)),
            (libc::EPOLL_CTL_MOD | libc::EPOLL_CTL_DEL, None, _) => return Err(Errno(libc::ENOENT)),
            _ => return Err(Errno(libc::EINVAL)),
        }
        Ok(Done::Value(0))
    }
}

impl Door {
    fn clerk(&mut self) -> Result<&Clerk> {
        if self.clerk.is_none() {
            self.clerk = Some(Clerk::start()?);
        }
        self.clerk.as_ref().ok_or(Errno(libc::EAGAIN))
    }

    /// Whether a descriptor is a connection that is not decided yet.
    pub(super) fn is_pending(&self, pid: u32, fd: i32) -> bool {
        use std::os::unix::fs::MetadataExt;
        if self.attempts.is_empty() {
            return false;
        }
        let inode = fs::metadata(format!("/proc/{pid}/fd/{fd}")).map(|metadata| metadata.ino());
        inode.is_ok_and(|inode| self.attempts.iter().any(|attempt| attempt.inode == inode))
    }

    /// Connects every socket whose attempt the stage has decided. Returns how many there were.
    pub(super) fn settle_attempts(&mut self, desk: &mut Desk<'_>) -> usize {
        let board = &desk.nodes[self.node].board;
        let outcome = |attempt: &Attempt| {
            let word = board.links.get(attempt.link as usize).map_or(0, |link| link.outcome.load(SeqCst));
            Decision::from_word(word).unwrap_or(Decision::Refused)
        };
        let decided: Vec<(Attempt, Decision)> = self
            .attempts
            .extract_if(.., |attempt| outcome(attempt) != Decision::Pending)
            .map(|attempt| {
                let decision = outcome(&attempt);
                (attempt, decision)
            })
            .collect();
        let n = decided.len();
        for (attempt, decision) in decided {
            self.finish(attempt, decision);
        }
        n
    }

    fn finish(&mut self, attempt: Attempt, decision: Decision) {
        let port = match decision {
            Decision::Accepted | Decision::Broken => attempt.open_port,
            Decision::Pending | Decision::Refused | Decision::TimedOut | Decision::Unreachable => {
                attempt.closed_port
            }
        };
        let flags = guest::file_flags(&attempt.file);
        // It does not wait, so that the kernel keeps an error for the program to fetch.
        guest::set_file_flags(&attempt.file, flags | libc::O_NONBLOCK);
        let _ = guest::connect(&attempt.file, loopback(attempt.is_v6, port));
        guest::set_file_flags(&attempt.file, flags);
        if let Some(socket) = self.sockets.get_mut(&attempt.inode) {
            socket.role = Role::Connected;
        }
        for Member { epoll, fd, events, data } in attempt.members {
            let change = EpollChange { pid: attempt.pid, epoll, fd, event: Some((events, data)) };
            // The set may be closed by now; then nobody waits.
            let _ = self.clerk().map(|clerk| clerk.change(change));
        }
    }
}

/// Returns the epoll sets of a process that have a descriptor.
fn memberships(pid: u32, fd: i32) -> Vec<Member> {
    let entries = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let is_set = |path: &std::path::Path| {
        fs::read_link(path).is_ok_and(|link| link.as_os_str() == "anon_inode:[eventpoll]")
    };
    let sets = entries.filter(|entry| is_set(&entry.path()));
    let numbers = sets.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let of_set = |epoll: i32| {
        let text = fs::read_to_string(format!("/proc/{pid}/fdinfo/{epoll}")).unwrap_or_default();
        text.lines()
            .filter_map(|line| member(line, epoll))
            .filter(|member| member.fd == fd)
            .collect::<Vec<_>>()
    };
    let mut found: Vec<Member> = numbers.flat_map(of_set).collect();
    found.sort_by_key(|member| member.epoll);
    found
}

/// Reads a line `tfd: N events: X data: X ...`.
fn member(line: &str, epoll: i32) -> Option<Member> {
    let mut words = line.strip_prefix("tfd:")?.split_ascii_whitespace();
    let fd = words.next()?.parse().ok()?;
    let mut after = |name: &str| (words.next() == Some(name)).then(|| words.next()).flatten();
    let events = u32::from_str_radix(after("events:")?, 16).ok()?;
    let data = u64::from_str_radix(after("data:")?, 16).ok()?;
    Some(Member { epoll, fd, events, data })
}

#[cfg(test)]
mod tests {
    use super::{Member, member};

    #[test]
    fn members_of_a_set_are_read() {
        let line = "tfd:        5 events: 80002019 data:     7f5e00000005  pos:0 ino:20f sdev:9";
        let expected = Member { epoll: 4, fd: 5, events: 0x8000_2019, data: 0x7f5e_0000_0005 };
        assert_eq!(member(line, 4), Some(expected));
        assert_eq!(member("pos:\t0", 4), None);
    }
}
