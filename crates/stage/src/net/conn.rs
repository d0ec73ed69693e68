//! One connection between two nodes: two streams of the kernel, and the messages held between them.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::Ordering::SeqCst;

use base::{Id, define_id};
use wire::Addr;

use super::{Answer, First, Framing, Held, MessageId, Pair, Payload, Preamble, Row, Rule, SocketSnapshot};
use crate::node::{DoorKind, Node, NodeId};
use crate::sockets::OpenSockets;
use crate::sys;

define_id! {
    /// A connection of a stage.
    ConnId
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConnState {
    /// A guest asks for it, and nothing is decided.
    Asked,
    /// It was decided that it is made; the guest's side has not made it yet.
    Opening,
    Open,
    Over,
}

/// The two ends of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Dialer = 0,
    Acceptor = 1,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::Dialer => Side::Acceptor,
            Side::Acceptor => Side::Dialer,
        }
    }
}

/// The stream between one guest and us.
#[derive(Default)]
pub(crate) struct End {
    pub socket: Option<TcpStream>,
    /// The addresses of the guest's end and of ours on the kernel's loopback; forgotten when nothing can be in transit
    /// any more.
    pair: Option<Pair>,
    is_reset: bool,
    pub n_read: u64,
    n_written: u64,
    /// Bytes that were read and not yet divided into messages.
    unframed: Vec<u8>,
    /// The length of the message that begins there, if that is known.
    first_len: Option<u64>,
    /// Whether the preamble before the first message has passed.
    has_begun: bool,
    /// Whether bytes without a length, or chunks, go on there.
    is_in_run: bool,
    /// Messages that were found together and have no number yet.
    divided: VecDeque<Vec<u8>>,
    /// Whether the guest has closed its side, or broken the connection.
    pub is_ended: bool,
    has_announced_end: bool,
    /// Whether we have told the guest that the other side closed.
    was_told_end: bool,
    /// Messages from this guest to the other.
    held: VecDeque<(u64, Payload)>,
    /// Bytes that were delivered but that the kernel has not accepted, because the guest does not read.
    outbox: VecDeque<u8>,
}

pub(crate) struct Conn {
    pub dialer: NodeId,
    pub dialer_addr: Addr,
    pub target: Addr,
    pub dialer_inode: u64,
    /// Unknown once the link was given to another connection.
    pub dialer_link: Option<u32>,
    /// The number of this attempt among those of its dialer.
    pub order: u64,
    /// The node that listened at the target: the acceptor, or the node that never learns of a connection which is to
    /// break.
    pub peer: Option<NodeId>,
    pub acceptor: Option<NodeId>,
    /// Known once the guest has accepted.
    pub acceptor_link: Option<u32>,
    pub acceptor_inode: Option<u64>,
    pub state: ConnState,
    pub ends: [End; 2],
}

/// The wish of a guest for a connection.
pub(crate) struct Dial {
    pub dialer: NodeId,
    /// Its number among the connections that the node asked for.
    pub order: u64,
    pub inode: u64,
    pub link: u32,
    pub from: Addr,
    pub to: Addr,
}

impl Conn {
    /// Creates a connection that a guest asks for.
    pub fn new(dial: Dial) -> Conn {
        Conn {
            dialer: dial.dialer,
            dialer_addr: dial.from,
            target: dial.to,
            dialer_inode: dial.inode,
            dialer_link: Some(dial.link),
            order: dial.order,
            peer: None,
            acceptor: None,
            acceptor_link: None,
            acceptor_inode: None,
            state: ConnState::Asked,
            ends: [End::default(), End::default()],
        }
    }

    pub fn has(&self, node: NodeId) -> bool {
        self.dialer == node || self.peer == Some(node)
    }

    pub fn is_between(&self, one: NodeId, other: NodeId) -> bool {
        self.has(one) && self.has(other) && one != other
    }

    /// Returns the node that sends on this side, and the node that it sends to.
    pub fn direction(&self, side: Side) -> Option<(NodeId, NodeId)> {
        match side {
            Side::Dialer => Some((self.dialer, self.acceptor?)),
            Side::Acceptor => Some((self.acceptor?, self.dialer)),
        }
    }

    /// Returns the links of a node's ends that it still needs: until the connection is over, or as long as it has the
    /// socket.
    pub fn needed_links(&self, node: NodeId, open: &OpenSockets) -> impl Iterator<Item = u32> {
        let is_open = |inode: Option<u64>| inode.is_some_and(|inode| open.has(inode));
        let is_over = self.state == ConnState::Over;
        let ends = [
            (Some(self.dialer), Some(self.dialer_inode), self.dialer_link),
            (self.acceptor, self.acceptor_inode, self.acceptor_link),
        ];
        let needed = ends
            .into_iter()
            .filter(move |(owner, inode, _)| *owner == Some(node) && (!is_over || is_open(*inode)));
        needed.filter_map(|(_, _, link)| link)
    }

    /// Forgets links of a node that were given to others.
    pub fn forget_links(&mut self, node: NodeId, is_free: impl Fn(u32) -> bool) {
        if self.dialer == node && self.dialer_link.is_some_and(&is_free) {
            self.dialer_link = None;
        }
        if self.acceptor == Some(node) && self.acceptor_link.is_some_and(&is_free) {
            self.acceptor_link = None;
        }
    }

    pub fn end(&mut self, side: Side) -> &mut End {
        &mut self.ends[side as usize]
    }

    /// Reads all that the guest has sent; returns whether the stream goes on.
    pub fn read(&mut self, side: Side) -> bool {
        self.end(side).read()
    }

    /// Divides the bytes into messages and numbers them.
    pub fn collect(&mut self, side: Side, framing: &Framing, name: &mut dyn FnMut() -> u64) {
        let is_over = self.state == ConnState::Over;
        let end = self.end(side);
        if is_over {
            // All nodes are at rest, and the addresses may be reused from now on.
            end.pair = None;
        }
        let preamble = match side {
            Side::Dialer => &framing.preamble,
            Side::Acceptor => &framing.reply_preamble,
        };
        while let Some(frame) = end.next_frame(&framing.rule, preamble) {
            end.held.push_back((name(), frame));
        }
        if end.is_ended && !end.has_announced_end {
            if !end.unframed.is_empty() {
                end.held.push_back((name(), Payload::Rest(std::mem::take(&mut end.unframed))));
            }
            end.has_announced_end = true;
            end.held.push_back((name(), Payload::End));
        }
    }

    pub fn held_messages(&self, id: ConnId) -> impl Iterator<Item = Held> {
        [Side::Dialer, Side::Acceptor].into_iter().flat_map(move |side| {
            let direction = self.direction(side);
            let end = &self.ends[side as usize];
            let whole = end.held.iter().cloned();
            whole.chain(end.part().map(|part| (0, part))).filter_map(move |(number, payload)| {
                let (from, to) = direction?;
                Some(Held { id: MessageId { from, to, number }, conn: Some(id.index()), payload })
            })
        })
    }

    /// Returns the side on which this message is held, and the number of messages before it.
    pub fn find(&self, id: MessageId) -> Option<(Side, usize)> {
        [Side::Dialer, Side::Acceptor].into_iter().find_map(|side| {
            let held = &self.ends[side as usize].held;
            let at = held.iter().position(|(number, _)| *number == id.number)?;
            (self.direction(side) == Some((id.from, id.to))).then_some((side, at))
        })
    }

    /// Whether a message is the end of its side, which can neither be lost nor come twice.
    pub fn is_end(&self, side: Side, at: usize) -> bool {
        self.ends[side as usize].held.get(at).is_some_and(|(_, payload)| *payload == Payload::End)
    }

    /// Removes a message and returns it.
    pub fn take(&mut self, side: Side, at: usize) -> Option<Payload> {
        self.end(side).held.remove(at).map(|(_, payload)| payload)
    }

    /// Delivers a message of a side to the other side. It stays held if `is_kept`.
    pub fn deliver(&mut self, side: Side, at: usize, is_kept: bool) {
        let payload = match is_kept {
            true => self.end(side).held.get(at).map(|(_, payload)| payload.clone()),
            false => self.take(side, at),
        };
        let to = self.end(side.other());
        match &payload {
            Some(
                Payload::Frame(bytes)
                | Payload::Bytes(bytes)
                | Payload::Datagram(bytes)
                | Payload::Rest(bytes),
            ) => {
                to.outbox.extend(bytes);
                to.flush();
            }
            Some(Payload::End) => {
                to.was_told_end = true;
                if let Some(socket) = &to.socket {
                    sys::shutdown_write(socket);
                }
            }
            Some(Payload::Part { .. }) | None => {}
        }
        self.close_if_over();
    }

    /// Closes our sockets if both guests have closed and both know that the other has.
    fn close_if_over(&mut self) {
        if self.ends.iter().all(|end| end.is_ended && end.was_told_end && end.outbox.is_empty()) {
            self.ends.iter_mut().for_each(|end| end.socket = None);
            self.state = ConnState::Over;
        }
    }

    /// Breaks the connection for both sides, and returns the held messages, which are lost.
    pub fn reset(&mut self, id: ConnId) -> Vec<Held> {
        let lost = self.held_messages(id).collect();
        for end in &mut self.ends {
            if let Some(socket) = end.socket.take() {
                // If the option cannot be set, the guest sees an orderly end instead of a reset.
                let _ = sys::reset_on_close(&socket);
                end.was_told_end = true;
                end.is_reset = true;
            }
            end.held.clear();
            end.outbox.clear();
            end.unframed.clear();
            end.is_ended = true;
            end.has_announced_end = true;
        }
        self.state = ConnState::Over;
        lost
    }

    pub fn flush(&mut self, side: Side) {
        self.end(side).flush();
    }

    /// Whether nothing is in transit between this node and us.
    pub fn is_quiet(&self, id: NodeId, node: &Node, snapshot: &mut SocketSnapshot<'_>) -> bool {
        let sides = [
            (Side::Dialer, Some(self.dialer), self.dialer_link),
            (Side::Acceptor, self.acceptor, self.acceptor_link),
        ];
        // The thread that is to connect may wait for its turn. One that has connected was heard of before this is asked.
        let is_opening =
            self.state == ConnState::Opening && self.dialer == id && !node.has_thread_before_turn();
        !is_opening
            && sides.into_iter().all(|(side, owner, link)| {
                owner != Some(id) || self.ends[side as usize].is_quiet(link, node, snapshot)
            })
    }
}

impl End {
    /// Attaches the stream to the guest.
    pub fn attach(&mut self, socket: TcpStream) {
        if let (Ok(ours), Ok(guest)) = (socket.local_addr(), socket.peer_addr()) {
            self.pair = Some(Pair { guest, ours });
        }
        self.socket = Some(socket);
    }

    /// Takes the next message from the bytes that were read.
    fn next_frame(&mut self, rule: &Rule, preamble: &Preamble) -> Option<Payload> {
        if let Some(next) = self.divided.pop_front() {
            return Some(Payload::Frame(next));
        }
        if self.unframed.is_empty() {
            return None;
        }
        let preamble = preamble.first(&self.unframed).filter(|_| !self.has_begun);
        let first = match (preamble, rule) {
            (Some(preamble), _) => preamble,
            (None, Rule::None) => {
                return Some(Payload::Bytes(std::mem::take(&mut self.unframed)));
            }
            (None, Rule::Line | Rule::Length(_) | Rule::Varint | Rule::Records(_) | Rule::Http(_)) => {
                rule.first(&self.unframed, self.is_in_run)
            }
        };
        match first {
            First::Whole(len) => {
                self.has_begun = true;
                let was_in_run = self.is_in_run;
                self.is_in_run = preamble.is_none() && rule.has_run_after(&self.unframed[..len], was_in_run);
                let rest = self.unframed.split_off(len);
                let whole = std::mem::replace(&mut self.unframed, rest);
                self.divided.extend(rule.divide(whole, was_in_run));
                self.divided.pop_front().map(Payload::Frame)
            }
            First::Part(len) => {
                self.first_len = len;
                None
            }
        }
    }

    /// Returns the beginning of a message that is not complete yet.
    fn part(&self) -> Option<Payload> {
        let of = self.first_len;
        (!self.unframed.is_empty()).then(|| Payload::Part { bytes: self.unframed.clone(), of })
    }

    /// Reads all that the guest has sent; returns whether the stream goes on.
    pub fn read(&mut self) -> bool {
        let Some(socket) = &mut self.socket else { return false };
        let mut buffer = [0; 65536];
        loop {
            match socket.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => {
                    self.n_read += n as u64;
                    self.unframed.extend_from_slice(&buffer[..n]);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return true,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        self.is_ended = true;
        false
    }

    /// Whether what was read is a whole answer.
    pub fn has_answer(&self, answer: &Answer) -> bool {
        answer.split(&self.unframed).len() >= answer.n_messages
    }

    /// Sends bytes to the guest.
    pub fn send(&mut self, bytes: &[u8]) {
        self.outbox.extend(bytes);
        self.flush();
    }

    /// Takes what was read since the last call.
    pub fn take_read(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.unframed)
    }

    /// Closes our side. Returns our socket, which the caller closes, and all that the guest has sent. The caller must
    /// still wait until the guest has learned of it.
    pub fn hang_up(&mut self) -> (Option<TcpStream>, Vec<u8>) {
        self.is_ended = true;
        self.was_told_end = true;
        (self.socket.take(), std::mem::take(&mut self.unframed))
    }

    /// Writes as much to the kernel as it accepts.
    fn flush(&mut self) {
        let Some(socket) = &mut self.socket else {
            self.outbox.clear();
            return;
        };
        while !self.outbox.is_empty() {
            match socket.write(self.outbox.make_contiguous()) {
                Ok(n) => {
                    self.n_written += n as u64;
                    self.outbox.drain(..n);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Either the guest does not read, and this is tried again later; or the connection is gone, which
                // reading will show.
                Err(_) => return,
            }
        }
    }

    /// Whether nothing is in transit. `link` is the guest's end, unknown before it has accepted.
    pub fn is_quiet(&self, link: Option<u32>, node: &Node, snapshot: &mut SocketSnapshot<'_>) -> bool {
        if node.entered_by == DoorKind::Syscalls {
            return self.is_quiet_by_kernel(snapshot);
        }
        let Some(link) = link.and_then(|link| node.board.links.get(link as usize)) else {
            return self.has_arrived(0, snapshot);
        };
        if !self.is_ended && self.n_read < link.sent.load(SeqCst) {
            return false;
        }
        let n_seen = link.received.load(SeqCst);
        let saw_end = link.saw_end.load(SeqCst) != 0;
        if saw_end || n_seen >= self.n_written && !self.was_told_end {
            return true;
        }
        self.has_arrived(n_seen, snapshot)
    }

    /// Whether nothing is in transit, by what the kernel says of both sockets: of a guest whose calls are heard nobody
    /// counts what it sends and takes.
    fn is_quiet_by_kernel(&self, snapshot: &mut SocketSnapshot<'_>) -> bool {
        let is_read = || match self.socket.as_ref().map(|socket| socket.peek(&mut [0])) {
            Some(Err(error)) => error.kind() == io::ErrorKind::WouldBlock,
            Some(Ok(_)) => false,
            None => true,
        };
        if !self.is_ended && !is_read() {
            return false;
        }
        let Some(pair) = self.pair else { return true };
        let is_left = |row: &Row| row.n_leaving > 0;
        if self.socket.is_some() && snapshot.stream(pair.turned()).as_ref().is_some_and(is_left) {
            return false;
        }
        match snapshot.stream(pair) {
            // The guest has closed it, or it was reset.
            None => true,
            Some(row) if self.is_reset => !row.is_established(),
            Some(row) => {
                let has_sent = self.is_ended || !is_left(&row);
                has_sent && !row.is_half_open() && (!self.was_told_end || !row.is_established())
            }
        }
    }

    /// Whether the guest's kernel socket has all that was delivered, even if the guest has not taken it.
    fn has_arrived(&self, n_seen: u64, snapshot: &mut SocketSnapshot<'_>) -> bool {
        let Some(pair) = self.pair else { return true };
        match snapshot.stream(pair) {
            // The guest has closed it, or it was reset.
            None => true,
            Some(row) if self.is_reset => !row.is_established(),
            Some(row) => {
                let has_all = n_seen + row.n_waiting >= self.n_written;
                has_all && !row.is_half_open() && (!self.was_told_end || !row.is_established())
            }
        }
    }
}
