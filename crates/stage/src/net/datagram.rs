//! Datagrams. For every address that one was sent to or from there is a socket of ours that stands in for it.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::Ordering::SeqCst;

use base::FxIndexMap;
use wire::{Addr, Ip, Proto};

use super::{Addresses, Arrived, Endpoint, Held, MessageId, Payload};
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

/// A datagram found nobody: its sender is told, if it is connected there.
pub(crate) struct Refusal {
    pub node: NodeId,
    pub link: u32,
    /// The port of the kernel's loopback to which it was sent.
    pub port: u16,
}

#[derive(Default)]
pub(crate) struct Datagrams {
    /// By address and the kernel's family: a socket of IPv6 sends to an IPv4 address through one of its own.
    stand_ins: FxIndexMap<(Addr, bool), UdpSocket>,
    n_watched: usize,
    fresh: Vec<Sent>,
    held: Vec<HeldDatagram>,
    refusals: Vec<Refusal>,
    /// How many were read from each link of each node, and how many were delivered to it.
    n_read: FxIndexMap<(NodeId, u32), u64>,
    n_delivered: FxIndexMap<(NodeId, u32), u64>,
}

impl Datagrams {
    /// The socket that stands in for an address, for guests' sockets of a family of the kernel's.
    pub fn stand_in(&mut self, addr: Addr, is_v6: bool) -> io::Result<usize> {
        if let Some(index) = self.stand_ins.get_index_of(&(addr, is_v6)) {
            return Ok(index);
        }
        let socket = UdpSocket::bind(SocketAddr::from(Addr::new(Ip::loopback(is_v6), 0)))?;
        socket.set_nonblocking(true)?;
        let (index, _) = self.stand_ins.insert_full((addr, is_v6), socket);
        Ok(index)
    }

    /// Sockets that were made since the last time, and must be waited for from now on.
    pub fn take_new(&mut self) -> std::ops::Range<usize> {
        let new = self.n_watched..self.stand_ins.len();
        self.n_watched = new.end;
        new
    }

    pub fn socket(&self, index: usize) -> Option<&UdpSocket> {
        self.stand_ins.get_index(index).map(|(_, socket)| socket)
    }

    /// The address that the stand-in with this port stands for.
    pub fn whence(&self, port: u16, is_v6: bool) -> Option<Addr> {
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
            // Not from a guest: not ours to carry.
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

    /// Names what was sent since the last time, sender by sender and in the order of each. What is for an address
    /// that no node ever had goes nowhere.
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

    /// Nobody is there to take what a socket has sent; one that is closed by now needs no word of it.
    fn refuse(&mut self, node: NodeId, link: u32, (from, to): (Addr, Addr), addresses: &Addresses) {
        let is_it =
            |own: &&Endpoint| own.proto == Proto::Udp && own.link == link && seen_as(own.addr, to) == from;
        let own = addresses.of_node(node).find(is_it);
        let stand_in = own.and_then(|own| self.stand_ins.get(&(to, own.is_v6())));
        if let Some(port) = stand_in.and_then(|socket| Some(socket.local_addr().ok()?.port())) {
            self.refusals.push(Refusal { node, link, port });
        }
    }

    /// Whom to tell since the last time.
    pub fn take_refusals(&mut self) -> Vec<Refusal> {
        std::mem::take(&mut self.refusals)
    }

    pub fn held(&self) -> impl Iterator<Item = Held> {
        self.held.iter().map(HeldDatagram::show)
    }

    pub fn has(&self, id: MessageId) -> bool {
        self.held.iter().any(|held| held.id == id)
    }

    /// Delivers a datagram; it stays held if `is_kept`. Whether there was somebody to take it.
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

    /// Drops one; gives it.
    pub fn drop(&mut self, id: MessageId) -> Option<Held> {
        let at = self.held.iter().position(|held| held.id == id)?;
        Some(self.held.remove(at).show())
    }

    /// Drops all between some pairs of nodes.
    pub fn lose(&mut self, is_lost: impl Fn(NodeId, NodeId) -> bool) -> Vec<Held> {
        let lost = self.held.extract_if(.., |held| is_lost(held.id.from, held.id.to));
        lost.map(|held| held.show()).collect()
    }

    /// Links of a node were given back: their counts begin anew.
    pub fn forget_links(&mut self, node: NodeId, is_free: impl Fn(u32) -> bool) {
        let stays = |key: &(NodeId, u32)| key.0 != node || !is_free(key.1);
        self.n_read.retain(|key, _| stays(key));
        self.n_delivered.retain(|key, _| stays(key));
    }

    /// Whether all that a node has sent was read, and all that was delivered to it has arrived.
    pub fn is_quiet(
        &self,
        id: NodeId,
        node: &Node,
        addresses: &Addresses,
        arrived: &mut Arrived<'_>,
    ) -> bool {
        let mut own = addresses.of_node(id).filter(|endpoint| endpoint.proto == Proto::Udp);
        own.all(|endpoint| {
            let Some(link) = node.board.links.get(endpoint.link as usize) else { return true };
            let key = (id, endpoint.link);
            let n_read = self.n_read.get(&key).copied().unwrap_or(0);
            let n_delivered = self.n_delivered.get(&key).copied().unwrap_or(0);
            n_read >= link.sent.load(SeqCst)
                && (n_delivered <= link.received.load(SeqCst)
                    || arrived
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

/// The address that a receiver sees: a socket that is bound to every address sends from the loopback of the receiver's.
fn seen_as(addr: Addr, to: Addr) -> Addr {
    if addr.ip.is_any() { Addr::new(to.ip.kernel_loopback(), addr.port) } else { addr }
}
