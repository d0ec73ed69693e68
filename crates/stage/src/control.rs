//! Answers the requests of guests at once.

use std::ffi::OsStr;
use std::io;
use std::net::TcpStream;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::Ordering::SeqCst;

use base::Id;
use wire::{Addr, Ip, Proto, Reply, Request, SocketRole};

use crate::alarms::Alarm;
use crate::disk::Disk;
use crate::net::{Accepted, Caller, Conn, ConnState, Dial, Endpoint, Network, Side};
use crate::node::{Node, NodeId, NodeState, PORTS_PER_NODE};
use crate::sockets::OpenSockets;
use crate::sys;

/// A connection from one process of a guest.
pub(crate) struct Line {
    pub socket: UnixStream,
    /// The node and the process, known after the hello.
    pub speaker: Option<(NodeId, u32)>,
    buffer: Vec<u8>,
    descriptor: Option<OwnedFd>,
}

/// The outcome of reading from a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineRead {
    /// Some bytes came; there may be more.
    Some,
    Nothing,
    /// The process has ended, or has closed the connection.
    Gone,
}

impl Line {
    pub fn new(socket: UnixStream) -> Line {
        Line { socket, speaker: None, buffer: Vec::new(), descriptor: None }
    }

    /// Reads some of the bytes that have come.
    pub fn read(&mut self) -> LineRead {
        let mut buffer = [0; wire::FRAME_BYTES_MAX];
        match sys::receive_with(&self.socket, &mut buffer) {
            Ok((0, _)) => LineRead::Gone,
            Ok((n, descriptor)) => {
                self.buffer.extend_from_slice(&buffer[..n]);
                self.descriptor = descriptor.or(self.descriptor.take());
                LineRead::Some
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => LineRead::Nothing,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => LineRead::Some,
            Err(_) => LineRead::Gone,
        }
    }

    /// Takes the next whole request, with the descriptor that came with it.
    pub fn next(&mut self) -> Option<(Vec<u8>, Option<OwnedFd>)> {
        let len = wire::frame_len(&self.buffer).filter(|len| *len >= 2 && *len <= self.buffer.len())?;
        let rest = self.buffer.split_off(len);
        let frame = std::mem::replace(&mut self.buffer, rest);
        Some((frame, self.descriptor.take()))
    }
}

/// Something that a guest did which is not under control.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uncontrolled {
    pub node: NodeId,
    pub call: String,
    pub detail: String,
    pub is_refused: bool,
    /// Number of times since the stage was opened.
    pub n_times: u64,
}

/// Everything that an answer may change.
pub(crate) struct Desk<'s> {
    pub nodes: &'s mut base::IdVec<NodeId, Node>,
    pub network: &'s mut Network,
    pub uncontrolled: &'s mut Vec<Uncontrolled>,
}

impl Desk<'_> {
    /// Answers a hello, and returns the node and the process that sent it.
    pub fn answer_hello(&mut self, request: &Request<'_>) -> Option<((NodeId, u32), Reply)> {
        let Request::Hello { version, node, pid, .. } = *request else { return None };
        let id = NodeId::from_index(node as usize);
        if version != wire::VERSION || id.index() >= self.nodes.len() {
            return None;
        }
        let node = &mut self.nodes[id];
        if node.state != NodeState::Running {
            return None;
        }
        if !node.pids.contains(&pid) {
            node.pids.push(pid);
        }
        node.forget_process(pid);
        node.has_said_hello = true;
        node.is_settled = false;
        let ordinal = node.n_hellos;
        node.n_hellos += 1;
        Some(((id, pid), Reply::Welcome { ordinal }))
    }

    pub fn answer(
        &mut self,
        (id, pid): (NodeId, u32),
        request: &Request<'_>,
        descriptor: Option<OwnedFd>,
    ) -> Reply {
        self.nodes[id].is_settled = false;
        match *request {
            Request::Hello { .. } => fail(libc::EINVAL),
            Request::Forked { child } => self.add_child(id, child),
            Request::Kicker { slot } => self.add_kicker(id, slot, descriptor),
            Request::Bind { proto, family, inode, addr, kernel_port, shares } => {
                let (node, link, is_listening) = (id, 0, false);
                let wanted = Endpoint { node, proto, family, addr, kernel_port, link, is_listening, shares };
                self.bind(inode, wanted)
            }
            Request::Listen { inode } => {
                self.network.addresses.listen(inode);
                Reply::Done {}
            }
            Request::Connect { inode, is_v6, local, kernel_port, target } => {
                self.connect(id, inode, (kernel_port, is_v6), (local, target))
            }
            Request::Accepted { listener, inode, kernel_peer } => {
                self.accept(id, listener, inode, kernel_peer)
            }
            Request::Resolve { addr, is_v6 } => self.resolve(addr, is_v6),
            Request::Whence { kernel_port, is_v6 } => {
                match self.network.datagrams.stand_in_addr(kernel_port, is_v6) {
                    Some(addr) => Reply::Address { addr },
                    None => fail(libc::ENOENT),
                }
            }
            Request::Adopt { inode } => self.adopt(inode),
            Request::Closed { inode } => self.close(id, inode),
            Request::TimerFd {} => match descriptor {
                Some(descriptor) => self.add_timer(id, Alarm::Descriptor(descriptor)),
                None => fail(libc::EINVAL),
            },
            Request::TimerSignal { signal, form, value, thread } => {
                self.add_timer(id, Alarm::Signal { pid, thread, signal, form, value })
            }
            Request::TimerGone { timer } => self.end_timer(id, timer, true),
            Request::TimerClosed { timer } => self.end_timer(id, timer, false),
            Request::Synced { path } => {
                self.note_on_disk(id, |disk| disk.note_sync(as_path(path)).map(|()| true))
            }
            Request::Changed { path, offset, len } => {
                self.note_on_disk(id, |disk| disk.note_change(as_path(path), offset, len))
            }
            Request::Mapped { path } => {
                self.note_mapping(id, as_path(path));
                Reply::Done {}
            }
            Request::File { call, is_done, thread, path, target } => {
                self.nodes[id].at_file(call, is_done, (as_path(path), as_path(target)), (pid, thread))
            }
            Request::Uncontrolled { call, detail, refused } => {
                self.note(id, call, detail, refused);
                Reply::Done {}
            }
        }
    }

    /// Notes that a node writes one of its files through a mapping, without calls. This is reported because such writes
    /// can be neither held nor counted as not durable.
    fn note_mapping(&mut self, id: NodeId, path: &Path) {
        let node = &mut self.nodes[id];
        let Some(file) = node.own_file(path).filter(|_| node.spec.tracks_files) else { return };
        if node.mapped.insert(file.to_owned()) {
            let detail =
                format!("what is stored in the mapping of {} is not held; `msync` is", file.display());
            self.note(id, "mmap", &detail, false);
        }
    }

    /// Notes that a call is not under control; raises the count if it was reported before.
    pub fn note(&mut self, node: NodeId, call: &str, detail: &str, is_refused: bool) {
        let is_it = |known: &&mut Uncontrolled| {
            (known.node, known.is_refused) == (node, is_refused)
                && known.call == call
                && known.detail == detail
        };
        match self.uncontrolled.iter_mut().find(is_it) {
            Some(known) => known.n_times += 1,
            None => {
                let (call, detail) = (call.to_owned(), detail.to_owned());
                self.uncontrolled.push(Uncontrolled { node, call, detail, is_refused, n_times: 1 });
            }
        }
    }

    fn add_child(&mut self, id: NodeId, child: u32) -> Reply {
        if !self.nodes[id].pids.contains(&child) {
            self.nodes[id].pids.push(child);
        }
        Reply::Done {}
    }

    fn add_kicker(&mut self, id: NodeId, slot: u32, descriptor: Option<OwnedFd>) -> Reply {
        let Some(descriptor) = descriptor else { return fail(libc::EINVAL) };
        self.nodes[id].kickers.insert(slot, descriptor);
        Reply::Done {}
    }

    /// Notes for the simulated disk what a program did to a file. Files outside the node's folder do not matter.
    fn note_on_disk(&mut self, id: NodeId, note: impl FnOnce(&mut Disk) -> io::Result<bool>) -> Reply {
        match self.nodes[id].disk.as_mut().map_or(Ok(false), note) {
            Ok(true) => Reply::Done {},
            Ok(false) => fail(libc::ENOENT),
            Err(error) => fail(error.raw_os_error().unwrap_or(libc::EIO)),
        }
    }

    /// Ends a timer that is deleted, or one of whose descriptors is closed.
    fn end_timer(&mut self, id: NodeId, timer: u32, is_deleted: bool) -> Reply {
        let Node { alarms, board, pids, .. } = &mut self.nodes[id];
        match is_deleted {
            true => alarms.free(timer as usize, board),
            false => alarms.close(timer as usize, board, pids),
        }
        Reply::Done {}
    }

    fn add_timer(&mut self, id: NodeId, alarm: Alarm) -> Reply {
        match self.nodes[id].add_timer(alarm) {
            Some(timer) => Reply::Timer { timer },
            None => fail(libc::EAGAIN),
        }
    }

    /// Takes a link of the board that nothing needs.
    fn take_link(&mut self, id: NodeId) -> Option<u32> {
        let node = &mut self.nodes[id];
        node.take_link().or_else(|| {
            let open = OpenSockets::of(&node.pids);
            node.free_links = self.network.free_links(id, &open, node.n_links);
            node.take_link()
        })
    }

    /// Whether another socket has the address. A socket that no process has any more does not count.
    fn is_taken(&mut self, wanted: &Endpoint) -> bool {
        if wanted.addr.port == 0 || !self.network.addresses.is_taken(wanted) {
            return false;
        }
        self.network.sweep(wanted.node, &OpenSockets::of(&self.nodes[wanted.node].pids));
        self.network.addresses.is_taken(wanted)
    }

    /// Gives a socket the address that it wants, or an address with one of its node's ports.
    fn bind(&mut self, inode: u64, wanted: Endpoint) -> Reply {
        let mut addr = wanted.addr;
        if self.is_taken(&wanted) {
            return fail(libc::EADDRINUSE);
        }
        if addr.port == 0 {
            let node = wanted.node;
            let mut ports = (0..PORTS_PER_NODE).map(|_| self.nodes[node].take_port());
            let with = |port: u16| Endpoint { addr: Addr::new(addr.ip, port), ..wanted };
            let free = ports.find(|port| !self.network.addresses.is_taken(&with(*port)));
            let Some(port) = free else { return fail(libc::EADDRINUSE) };
            addr.port = port;
        }
        let Some(link) = self.take_link(wanted.node) else { return fail(libc::ENOBUFS) };
        self.network.addresses.insert(inode, Endpoint { addr, link, ..wanted });
        Reply::Bound { addr, link }
    }

    /// Makes a connection that a guest asks for. `kernel` has the socket's port on the kernel's loopback, and whether
    /// the socket is of IPv6.
    // Six values: those of the request.
    fn connect(
        &mut self,
        id: NodeId,
        inode: u64,
        kernel: (u16, bool),
        (local, target): (Addr, Addr),
    ) -> Reply {
        let (Some(link), Ok((open_port, closed_port))) =
            (self.take_link(id), self.network.doors.ports(kernel.1))
        else {
            return fail(libc::ENOBUFS);
        };
        let node = &mut self.nodes[id];
        let ip = if local.ip.is_any() { local_ip_for(target.ip) } else { local.ip };
        let local = Addr::new(ip, if local.port == 0 { node.take_port() } else { local.port });
        node.n_asked += 1;
        let order = node.n_asked;
        let dial = Dial { dialer: id, order, inode, link, from: local, to: target };
        let conn = self.network.conns.push(Conn::new(dial));
        self.network.dialers.insert(kernel, conn);
        Reply::Connecting { link, local, open_port, closed_port }
    }

    fn accept(&mut self, id: NodeId, listener: u64, inode: u64, kernel_peer: u16) -> Reply {
        let Some(endpoint) = self.network.addresses.get(listener).copied() else {
            return fail(libc::ENOENT);
        };
        let caller = self.network.callers.get(&(kernel_peer, endpoint.is_v6())).copied();
        let (Some(caller), Some(link)) = (caller, self.take_link(id)) else {
            return fail(libc::ENOENT);
        };
        let (local, peer) = match caller {
            Caller::Outside { addr: peer, number } => {
                let local = Addr::new(local_ip_for(peer.ip), endpoint.addr.port);
                if let Some(client) = self.network.clients.get_mut(&number) {
                    client.link = Some(link);
                    client.accepted = Some(Accepted { inode, local, peer });
                }
                (local, peer)
            }
            Caller::Node(conn) => {
                let conn = &mut self.network.conns[conn];
                conn.acceptor_link = Some(link);
                conn.acceptor_inode = Some(inode);
                (conn.target, conn.dialer_addr)
            }
        };
        Reply::Connected { link, local, peer }
    }

    fn resolve(&mut self, addr: Addr, is_v6: bool) -> Reply {
        let Ok(index) = self.network.datagrams.stand_in(addr, is_v6) else { return fail(libc::ENOBUFS) };
        match self.network.datagrams.socket(index).map(|socket| socket.local_addr()) {
            Some(Ok(local)) => Reply::KernelPort { port: local.port() },
            Some(Err(_)) | None => fail(libc::ENOBUFS),
        }
    }

    fn adopt(&self, inode: u64) -> Reply {
        if let Some(endpoint) = self.network.addresses.get(inode) {
            let role = if endpoint.is_listening { SocketRole::Listening } else { SocketRole::Bound };
            let Endpoint { proto, link, addr, .. } = *endpoint;
            return Reply::Adopted { role, proto, link, local: addr, peer: addr };
        }
        let (role, proto) = (SocketRole::Connected, Proto::Tcp);
        for client in self.network.clients.values() {
            if let (Some(Accepted { inode: own, local, peer }), Some(link)) = (client.accepted, client.link)
                && own == inode
            {
                return Reply::Adopted { role, proto, link, local, peer };
            }
        }
        for id in self.network.conns.ids() {
            let conn = &self.network.conns[id];
            let (dialer, target) = (conn.dialer_addr, conn.target);
            if let (true, Some(link)) = (conn.dialer_inode == inode, conn.dialer_link) {
                return Reply::Adopted { role, proto, link, local: dialer, peer: target };
            }
            if let (true, Some(link)) = (conn.acceptor_inode == Some(inode), conn.acceptor_link) {
                return Reply::Adopted { role, proto, link, local: target, peer: dialer };
            }
        }
        fail(libc::ENOENT)
    }

    /// Notes that a process is about to close a descriptor of a socket. Other descriptors of it may exist, also in
    /// other processes.
    fn close(&mut self, node: NodeId, inode: u64) -> Reply {
        if OpenSockets::of(&self.nodes[node].pids).count(inode) > 1 {
            return Reply::Done {};
        }
        for id in self.network.conns.ids().collect::<Vec<_>>() {
            let conn = &mut self.network.conns[id];
            if conn.dialer_inode == inode && matches!(conn.state, ConnState::Asked | ConnState::Opening) {
                conn.reset(id);
            }
        }
        self.network.addresses.remove(inode);
        Reply::Done {}
    }
}

fn as_path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

fn fail(errno: i32) -> Reply {
    Reply::Failed { errno }
}

/// Returns the address from which a guest appears to connect.
fn local_ip_for(target: Ip) -> Ip {
    if target.is_loopback() { target } else { target.kernel_loopback() }
}

/// Finds the connection to which a guest's socket belongs that has just arrived at our listener.
pub(crate) fn arrive(network: &mut Network, socket: TcpStream) -> Option<crate::net::ConnId> {
    let peer = socket.peer_addr().ok()?;
    socket.set_nonblocking(true).ok()?;
    // Small messages must not wait for each other.
    socket.set_nodelay(true).ok()?;
    let id = network.dialers.get(&(peer.port(), peer.is_ipv6())).copied()?;
    let conn = &mut network.conns[id];
    if conn.state != ConnState::Opening {
        return None;
    }
    conn.end(Side::Dialer).attach(socket);
    conn.state = ConnState::Open;
    Some(id)
}

/// Sets the node's board and clock for its start.
pub(crate) fn prepare(node: &Node, now_ns: u64, wall_ns: u64, seed: u64) {
    let board = &node.board;
    board.version.store(wire::VERSION, SeqCst);
    board.now_ns.store(now_ns, SeqCst);
    board.wall_offset_ns.store(wall_ns.wrapping_sub(now_ns), SeqCst);
    board.seed.store(seed, SeqCst);
    board.listening.store(1, SeqCst);
    board.tracks_files.store(u32::from(node.spec.tracks_files), SeqCst);
    board.takes_turns.store(u32::from(node.spec.takes_turns), SeqCst);
}
