//! Datagrams. For every address that one was sent to or from, one of our sockets stands in.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::Ordering::SeqCst;

use base::FxIndexMap;
use wire::{Addr, Ip, Proto};

use super::{Addresses, Endpoint, Held, MessageId, Payload, SocketSnapshot};
use crate::node::{Node, NodeId};

/// The largest datagram.
const DATAGRAM_BYTES_MAX: usize = 65536;

struct Sent {
    from: NodeId,
    link: u32,
    from_addr: Addr,
    to_addr: Addr,
    bytes: Vec<u8>,
}

struct HeldDatagram {
    id: MessageId,
    /// The sender's socket.
    link: u32,
    from_addr: Addr,
    to_addr: Addr,
    bytes: Vec<u8>,
}

/// A datagram that found no receiver. Its sender is told if its socket is connected to that address.
pub(crate) struct Refusal {
    pub node: NodeId,
    pub link: u32,
    /// The port of the kernel's loopback that it was sent to.
    pub port: u16,
}

#[derive(Default)]
pub(crate) struct Datagrams {
    /// The sockets by address and the kernel's family: a socket of IPv6 sends to an IPv4 address through one of its own
    /// family.
    stand_ins: FxIndexMap<(Addr, bool), UdpSocket>,
    n_watched: usize,
    fresh: Vec<Sent>,
    held: Vec<HeldDatagram>,
    refusals: Vec<Refusal>,
    /// Number of datagrams read from each link of each node, and, below, delivered to it.
    n_read: FxIndexMap<(NodeId, u32), u64>,
    n_delivered: FxIndexMap<(NodeId, u32), u64>,
}

impl Datagrams {
    /// Returns the socket that stands in for an address, for guests' sockets of one of the kernel's families.
    pub fn stand_in(&mut self, addr: Addr, is_v6: bool) -> io::Result<usize> {
        if let Some(index) = self.stand_ins.get_index_of(&(addr, is_v6)) {
            return Ok(index);
        }
        let socket = UdpSocket::bind(SocketAddr::from(Addr::new(Ip::loopback(is_v6), 0)))?;
        socket.set_nonblocking(true)?;
        let (index, _) = self.stand_ins.insert_full((addr, is_v6), socket);
        Ok(index)
    }

    /// Returns the sockets that were made since the last call; the stage must wait for them from now on.
    pub fn take_new(&mut self) -> std::ops::Range<usize> {
        let new = self.n_watched..self.stand_ins.len();
        self.n_watched = new.end;
        new
    }

    pub fn socket(&self, index: usize) -> Option<&UdpSocket> {
        self.stand_ins.get_index(index).map(|(_, socket)| socket)
    }

    /// Returns the address for which the socket with this port stands in.
    pub fn stand_in_addr(&self, port: u16, is_v6: bool) -> Option<Addr> {
        let has_port = |socket: &UdpSocket| socket.local_addr().is_ok_and(|local| local.port() == port);
        let mut of_family = self.stand_ins.iter().filter(|((_, v6), _)| *v6 == is_v6);
        of_family.find(|(_, socket)| has_port(socket)).map(|((addr, _), _)| *addr)
    }

    /// Reads all that was sent to a stand-in.
    pub fn read(&mut self, index: usize, addresses: &Addresses) {
        let Some(((to_addr, _), socket)) = self.stand_ins.get_index(index) else { return };
        let mut buffer = vec![0; DATAGRAM_BYTES_MAX];
        while let Ok((n, from)) = socket.recv_from(&mut buffer) {
            let from = Addr::from(from);
            // It is not from a guest, so it is not ours to carry.
            let Some(sender) = addresses.sender(from.port, matches!(from.ip, Ip::V6(_))) else { continue };
            *self.n_read.entry((sender.node, sender.link)).or_default() += 1;
            self.fresh.push(Sent {
                from: sender.node,
                link: sender.link,
                from_addr: seen_as(sender.addr, *to_addr),
                to_addr: *to_addr,
                bytes: buffer[..n].to_vec(),
            });
        }
    }

    /// Numbers the datagrams that were sent since the last call, sender by sender and in the order of each. A datagram
    /// to an address that no node ever had is refused.
    pub fn collect(&mut self, addresses: &Addresses, name: &mut dyn FnMut(NodeId, NodeId) -> u64) {
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.sort_by_key(|sent| (sent.from, sent.to_addr));
        for sent in fresh {
            let Some(to) = addresses.owner(sent.to_addr) else {
                self.refuse(sent.from, sent.link, (sent.from_addr, sent.to_addr), addresses);
                continue;
            };
            let id = MessageId { from: sent.from, to, number: name(sent.from, to) };
            let Sent { link, from_addr, to_addr, bytes, .. } = sent;
            self.held.push(HeldDatagram { id, link, from_addr, to_addr, bytes });
        }
    }

    /// Notes that nobody takes what a socket has sent. A socket that is closed by now need not be told.
    fn refuse(&mut self, node: NodeId, link: u32, (from, to): (Addr, Addr), addresses: &Addresses) {
        let is_it =
            |own: &&Endpoint| own.proto == Proto::Udp && own.link == link && seen_as(own.addr, to) == from;
        let own = addresses.of_node(node).find(is_it);
        let stand_in = own.and_then(|own| self.stand_ins.get(&(to, own.is_v6())));
        if let Some(port) = stand_in.and_then(|socket| Some(socket.local_addr().ok()?.port())) {
            self.refusals.push(Refusal { node, link, port });
        }
    }

    /// Returns the senders to tell since the last call.
    pub fn take_refusals(&mut self) -> Vec<Refusal> {
        std::mem::take(&mut self.refusals)
    }

    pub fn held_messages(&self) -> impl Iterator<Item = Held> {
        self.held.iter().map(HeldDatagram::show)
    }

    pub fn has(&self, id: MessageId) -> bool {
        self.held.iter().any(|held| held.id == id)
    }

    /// Delivers a datagram; it stays held if `is_kept`. Returns whether there was a receiver.
    pub fn deliver(&mut self, id: MessageId, is_kept: bool, addresses: &Addresses) -> io::Result<bool> {
        let Some(at) = self.held.iter().position(|held| held.id == id) else { return Ok(false) };
        let (from_addr, to_addr) = (self.held[at].from_addr, self.held[at].to_addr);
        let receiver = addresses.receiver(to_addr).copied();
        if let Some(receiver) = receiver {
            let index = self.stand_in(from_addr, receiver.is_v6())?;
            if let Some(socket) = self.socket(index) {
                socket.send_to(&self.held[at].bytes, SocketAddr::from(receiver.kernel_addr()))?;
            }
            *self.n_delivered.entry((receiver.node, receiver.link)).or_default() += 1;
        }
        if receiver.is_none() {
            self.refuse(id.from, self.held[at].link, (from_addr, to_addr), addresses);
        }
        if !is_kept {
            self.held.remove(at);
        }
        Ok(receiver.is_some())
    }

    /// Drops a datagram and returns it.
    pub fn drop(&mut self, id: MessageId) -> Option<Held> {
        let at = self.held.iter().position(|held| held.id == id)?;
        Some(self.held.remove(at).show())
    }

    /// Drops all datagrams between some pairs of nodes.
    pub fn lose(&mut self, is_lost: impl Fn(NodeId, NodeId) -> bool) -> Vec<Held> {
        let lost = self.held.extract_if(.., |held| is_lost(held.id.from, held.id.to));
        lost.map(|held| held.show()).collect()
    }

    /// Resets the counts of links that a node has given back.
    pub fn forget_links(&mut self, node: NodeId, is_free: impl Fn(u32) -> bool) {
        let stays = |key: &(NodeId, u32)| key.0 != node || !is_free(key.1);
        self.n_read.retain(|key, _| stays(key));
        self.n_delivered.retain(|key, _| stays(key));
    }

    /// Whether all datagrams of a node were read, and all that were delivered to it have arrived.
    pub fn is_quiet(
        &self,
        id: NodeId,
        node: &Node,
        addresses: &Addresses,
        snapshot: &mut SocketSnapshot<'_>,
    ) -> bool {
        let mut own = addresses.of_node(id).filter(|endpoint| endpoint.proto == Proto::Udp);
        own.all(|endpoint| {
            let Some(link) = node.board.links.get(endpoint.link as usize) else { return true };
            let key = (id, endpoint.link);
            let n_read = self.n_read.get(&key).copied().unwrap_or(0);
            let n_delivered = self.n_delivered.get(&key).copied().unwrap_or(0);
            n_read >= link.sent.load(SeqCst)
                && (n_delivered <= link.received.load(SeqCst)
                    || snapshot
                        .datagram(endpoint.kernel_port, endpoint.is_v6())
                        .is_none_or(|row| row.n_waiting > 0))
        })
    }
}

impl HeldDatagram {
    fn show(&self) -> Held {
        Held { id: self.id, conn: None, payload: Payload::Datagram(self.bytes.clone()) }
    }
}

/// Returns the sender's address as a receiver sees it: a socket that is bound to the wildcard address sends from the
/// loopback of the receiver's family.
fn seen_as(addr: Addr, to: Addr) -> Addr {
    if addr.ip.is_any() { Addr::new(to.ip.kernel_loopback(), addr.port) } else { addr }
}
