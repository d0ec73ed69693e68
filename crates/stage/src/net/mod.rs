//! The network between the nodes: every byte that one node sends to another is held here until it is delivered, dropped
//! or lost.
//!
//! A connection between two nodes is two connections of the kernel's loopback, one from each node to here. Messages are
//! numbered when all nodes are at rest, connection by connection, so that the numbers do not depend on which node was
//! faster.

mod addresses;
mod arrived;
mod conn;
mod datagram;
mod framing;
mod http;

pub(crate) use addresses::{Addresses, Endpoint};
pub(crate) use arrived::{Inquiry, Pair, Row, SocketSnapshot};
pub(crate) use conn::{Conn, ConnId, ConnState, Dial, End, Side};
pub(crate) use datagram::{Datagrams, Refusal};
pub use framing::{Answer, Body, Field, First, Framing, Length, Preamble, Records, Rule, Run};

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};

use base::{FxIndexMap, FxIndexSet, Id, IdVec};
use wire::Outcome;

use crate::node::{Node, NodeId};
use crate::sockets::OpenSockets;
use crate::sys::{self, ClosedPort};

/// The content of a held message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Payload {
    /// A message as the rule of the port delimits it.
    Frame(Vec<u8>),
    /// Without a rule, the bytes that were sent until all was at rest: perhaps several messages, or a part of one.
    Bytes(Vec<u8>),
    Datagram(Vec<u8>),
    /// The beginning of a message that is not complete yet, and the length of the whole, if that is known. It has no
    /// number and cannot be delivered.
    Part {
        bytes: Vec<u8>,
        of: Option<u64>,
    },
    /// The beginning of a message that will never be complete, because the connection ended.
    Rest(Vec<u8>),
    /// The sender closed its side of the connection.
    End,
}

/// The name of a message: its number among those from one node to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct MessageId {
    pub from: NodeId,
    pub to: NodeId,
    pub number: u64,
}

/// A message that was sent and has not arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    pub id: MessageId,
    /// The connection that it is on; datagrams have none.
    pub conn: Option<usize>,
    pub payload: Payload,
}

impl Held {
    /// Whether it can be delivered because all of it was sent.
    pub fn is_whole(&self) -> bool {
        !matches!(self.payload, Payload::Part { .. })
    }
}

impl fmt::Display for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Payload::Frame(bytes)
            | Payload::Bytes(bytes)
            | Payload::Datagram(bytes)
            | Payload::Rest(bytes) => {
                write!(f, "{}", bytes.escape_ascii())
            }
            Payload::Part { bytes, of: Some(n) } => {
                write!(f, "{} (a part: {} of {n} bytes)", bytes.escape_ascii(), bytes.len())
            }
            Payload::Part { bytes, of: None } => {
                write!(f, "{} (a part: {} bytes, not known of how many)", bytes.escape_ascii(), bytes.len())
            }
            Payload::End => f.write_str("end of the connection"),
        }
    }
}

/// The listening sockets to which guests are redirected.
pub(crate) struct Doors {
    pub v4: TcpListener,
    /// `None` on a machine without IPv6.
    pub v6: Option<TcpListener>,
    /// A port of each family where nobody listens and nobody will.
    pub closed: [ClosedPort; 2],
}

impl Doors {
    fn open() -> io::Result<Doors> {
        let v4 = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        v4.set_nonblocking(true)?;
        let v6 = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).ok();
        if let Some(v6) = &v6 {
            v6.set_nonblocking(true)?;
        }
        let closed_v4 = sys::closed_port(false)?;
        let closed_v6 = if v6.is_some() { sys::closed_port(true)? } else { sys::closed_port(false)? };
        Ok(Doors { v4, v6, closed: [closed_v4, closed_v6] })
    }

    /// Returns the port to which a guest's socket connects, and the port where it is refused.
    pub fn ports(&self, is_v6: bool) -> io::Result<(u16, u16)> {
        let open = match (&self.v6, is_v6) {
            (Some(v6), true) => v6.local_addr()?.port(),
            (_, _) => self.v4.local_addr()?.port(),
        };
        Ok((open, self.closed[usize::from(is_v6)].port()))
    }
}

pub(crate) struct Network {
    pub doors: Doors,
    pub addresses: Addresses,
    pub conns: IdVec<ConnId, Conn>,
    /// The connection of a guest's socket, by the socket's port on the kernel's loopback and its family.
    pub dialers: FxIndexMap<(u16, bool), ConnId>,
    /// The connection, or the outside client, behind each of our own ports.
    pub callers: FxIndexMap<(u16, bool), Caller>,
    pub datagrams: Datagrams,
    /// Open calls from outside, by their numbers.
    pub clients: FxIndexMap<usize, Client>,
    n_clients: usize,
    /// Pairs of nodes that cannot reach each other, the smaller first.
    cuts: FxIndexSet<(NodeId, NodeId)>,
    /// Pairs whose next connection breaks at the first send, the smaller node first.
    breaks: FxIndexSet<(NodeId, NodeId)>,
    n_messages: FxIndexMap<(NodeId, NodeId), u64>,
    /// The framing of messages, by the port that was connected to.
    pub framing: FxIndexMap<u16, Framing>,
    pub inquiry: Inquiry,
}

/// The origin of a connection that a node accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Caller {
    Node(ConnId),
    /// The stage itself, for a client or an observation.
    Outside {
        addr: wire::Addr,
        number: usize,
    },
}

/// A call from outside to a node, by the stage itself.
pub(crate) struct Client {
    pub node: NodeId,
    pub end: End,
    /// Known once the guest has accepted.
    pub link: Option<u32>,
    /// The guest's socket and its addresses, also known once the guest has accepted.
    pub accepted: Option<Accepted>,
}

/// A socket that a guest has for a client.
#[derive(Clone, Copy)]
pub(crate) struct Accepted {
    pub inode: u64,
    pub local: wire::Addr,
    pub peer: wire::Addr,
}

impl Network {
    pub fn open() -> io::Result<Network> {
        let doors = Doors::open()?;
        let inquiry = Inquiry::open(&doors.v4);
        Ok(Network {
            doors,
            addresses: Addresses::default(),
            conns: IdVec::default(),
            dialers: FxIndexMap::default(),
            callers: FxIndexMap::default(),
            datagrams: Datagrams::default(),
            clients: FxIndexMap::default(),
            n_clients: 0,
            cuts: FxIndexSet::default(),
            breaks: FxIndexSet::default(),
            n_messages: FxIndexMap::default(),
            framing: FxIndexMap::default(),
            inquiry,
        })
    }

    pub fn is_cut(&self, one: NodeId, other: NodeId) -> bool {
        self.cuts.contains(&sort_pair(one, other))
    }

    /// Breaks every connection between the two nodes, as the kernels of both would show it, and keeps new ones from
    /// being made. Returns the messages that were lost.
    pub fn cut(&mut self, one: NodeId, other: NodeId) -> Vec<Held> {
        self.cuts.insert(sort_pair(one, other));
        let mut lost = Vec::new();
        for id in self.conns.ids().collect::<Vec<_>>() {
            if self.conns[id].is_between(one, other) && self.conns[id].state != ConnState::Asked {
                lost.extend(self.conns[id].reset(id));
            }
        }
        lost.extend(self.datagrams.lose(|from, to| sort_pair(from, to) == sort_pair(one, other)));
        lost
    }

    pub fn heal(&mut self, one: NodeId, other: NodeId) {
        self.cuts.shift_remove(&sort_pair(one, other));
    }

    /// Makes the next connection between the two nodes break when the node that asked for it first sends something.
    pub fn break_next(&mut self, one: NodeId, other: NodeId) {
        self.breaks.insert(sort_pair(one, other));
    }

    /// Whether a connection that is about to be made breaks; the one after it does not.
    pub fn take_break(&mut self, dialer: NodeId, acceptor: NodeId) -> bool {
        self.breaks.shift_remove(&sort_pair(dialer, acceptor))
    }

    /// Breaks the connections of a node that is gone, and frees its addresses.
    pub fn forget_node(&mut self, node: NodeId) -> Vec<Held> {
        let mut lost = Vec::new();
        for id in self.conns.ids().collect::<Vec<_>>() {
            if self.conns[id].has(node) {
                match self.conns[id].state {
                    // An attempt of another node finds nobody there.
                    ConnState::Asked if self.conns[id].dialer != node => {}
                    ConnState::Asked | ConnState::Opening | ConnState::Open | ConnState::Over => {
                        lost.extend(self.conns[id].reset(id));
                    }
                }
            }
        }
        for client in self.clients.values_mut().filter(|client| client.node == node) {
            client.end.is_ended = true;
        }
        self.addresses.forget_node(node);
        self.forget_links(node, |_| true);
        lost
    }

    /// Frees the addresses of a node's sockets that no process has any more, and drops their attempts to connect, for
    /// which nobody waits.
    pub fn sweep(&mut self, node: NodeId, open: &OpenSockets) {
        self.addresses.sweep(node, open);
        for id in self.conns.ids().collect::<Vec<_>>() {
            let conn = &mut self.conns[id];
            let is_asking = matches!(conn.state, ConnState::Asked | ConnState::Opening);
            if is_asking && conn.dialer == node && !open.has(conn.dialer_inode) {
                conn.reset(id);
            }
        }
    }

    /// Frees the links of a node that nothing needs, among the first `n_links`.
    pub fn free_links(&mut self, node: NodeId, open: &OpenSockets, n_links: u32) -> Vec<u32> {
        self.sweep(node, open);
        let mut needed: FxIndexSet<u32> =
            self.addresses.of_node(node).map(|endpoint| endpoint.link).collect();
        needed.extend(self.conns.ids().flat_map(|id| self.conns[id].needed_links(node, open)));
        let clients = self.clients.values().filter(|client| client.node == node);
        needed.extend(clients.filter_map(|client| client.link));
        let free: Vec<u32> = (1..n_links).filter(|link| !needed.contains(link)).collect();
        self.forget_links(node, |link| !needed.contains(&link));
        free
    }

    fn forget_links(&mut self, node: NodeId, is_free: impl Fn(u32) -> bool) {
        for id in self.conns.ids().collect::<Vec<_>>() {
            self.conns[id].forget_links(node, &is_free);
        }
        self.datagrams.forget_links(node, &is_free);
    }

    pub fn take_client_number(&mut self) -> usize {
        self.n_clients += 1;
        self.n_clients
    }

    /// Returns the next attempt to connect that can be decided, in the order in which each node made them.
    pub fn next_asked(&self) -> Option<ConnId> {
        let asked = self.conns.ids().filter(|id| self.conns[*id].state == ConnState::Asked);
        let reachable = asked.filter(|id| {
            let conn = &self.conns[*id];
            self.addresses.listener(conn.target).is_none_or(|to| !self.is_cut(conn.dialer, to.node))
                && !self.is_cut_from_owner(conn)
        });
        reachable.min_by_key(|id| (self.conns[*id].dialer, self.conns[*id].order))
    }

    /// Whether a cut separates the dialer from the node that owns the target. A node that is down keeps its address, so
    /// that a cut hides that it is down.
    fn is_cut_from_owner(&self, conn: &Conn) -> bool {
        self.addresses.owner(conn.target).is_some_and(|owner| self.is_cut(conn.dialer, owner))
    }

    /// Numbers everything that was sent since the last call. All nodes must be at rest.
    pub fn collect(&mut self) {
        // The order in which the stage learned of them must not count: it would show which of two nodes is faster.
        let mut ids: Vec<ConnId> = self.conns.ids().collect();
        ids.sort_by_key(|id| (self.conns[*id].dialer, self.conns[*id].order));
        for id in ids {
            let framing = self.framing.get(&self.conns[id].target.port).cloned().unwrap_or_default();
            for side in [Side::Dialer, Side::Acceptor] {
                let Some((from, to)) = self.conns[id].direction(side) else { continue };
                let n_messages = self.n_messages.entry((from, to)).or_default();
                self.conns[id].collect(side, &framing, &mut || next(n_messages));
            }
        }
        self.datagrams
            .collect(&self.addresses, &mut |from, to| next(self.n_messages.entry((from, to)).or_default()));
        let cuts = &self.cuts;
        self.datagrams.lose(|from, to| cuts.contains(&sort_pair(from, to)));
    }

    /// Returns everything that is held, by sender, receiver and number.
    pub fn held_messages(&self) -> Vec<Held> {
        let streams = self.conns.ids().flat_map(|id| self.conns[id].held_messages(id));
        let mut all: Vec<Held> = streams.chain(self.datagrams.held_messages()).collect();
        all.sort_by_key(|held| held.id);
        all
    }

    /// Whether all that a node has sent was read, and all that was delivered to it has arrived.
    pub fn is_quiet(&self, id: NodeId, node: &Node) -> bool {
        let mut snapshot = SocketSnapshot::new(&self.inquiry);
        let mut clients = self.clients.values().filter(|client| client.node == id);
        clients.all(|client| client.end.is_quiet(client.link, node, &mut snapshot))
            && self.conns.ids().all(|conn| self.conns[conn].is_quiet(id, node, &mut snapshot))
            && self.datagrams.is_quiet(id, node, &self.addresses, &mut snapshot)
    }

    /// Tells the outcome of an attempt to the node that asked.
    pub fn decide(&mut self, id: ConnId, outcome: Outcome, node: &mut Node) {
        let conn = &mut self.conns[id];
        conn.state = match outcome {
            Outcome::Accepted | Outcome::Broken => ConnState::Opening,
            Outcome::Pending | Outcome::Refused | Outcome::TimedOut | Outcome::Unreachable => ConnState::Over,
        };
        if let Some(link) = conn.dialer_link.and_then(|link| node.board.links.get(link as usize)) {
            link.outcome.store(outcome.word(), std::sync::atomic::Ordering::SeqCst);
            sys::wake_word(&link.outcome);
        }
        node.wake_polling();
        node.is_settled = false;
    }
}

fn next(count: &mut u64) -> u64 {
    *count += 1;
    *count
}

fn sort_pair(one: NodeId, other: NodeId) -> (NodeId, NodeId) {
    if one.index() <= other.index() { (one, other) } else { (other, one) }
}
