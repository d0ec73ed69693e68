//! The addresses of guests' sockets: which address belongs to which socket of which node.

use base::{FxIndexMap, FxIndexSet, Id};
use wire::{Addr, Family, Ip, Proto};

use crate::node::NodeId;
use crate::sockets::OpenSockets;

/// A socket of a guest that has an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Endpoint {
    pub node: NodeId,
    pub proto: Proto,
    pub family: Family,
    /// The address that it appears to have.
    pub addr: Addr,
    /// Its port on the kernel's loopback.
    pub kernel_port: u16,
    pub link: u32,
    pub is_listening: bool,
    /// Whether other sockets of its node that say so too may have the same address. The first of them receives
    /// everything.
    pub shares: bool,
}

impl Endpoint {
    /// Whether the kernel's socket is of IPv6. The address that it appears to have may still be of IPv4.
    pub fn is_v6(&self) -> bool {
        self.family.is_v6()
    }

    /// Returns the address of the kernel's socket.
    pub fn kernel_addr(&self) -> Addr {
        Addr::new(Ip::loopback(self.is_v6()), self.kernel_port)
    }

    /// Returns the address on this host from which a client connects: of IPv4, if the socket accepts that.
    pub fn neighbour(&self) -> Ip {
        let is_v4 = match self.addr.ip {
            Ip::V4(_) => true,
            Ip::V6(_) => self.addr.ip.is_any() && self.family == Family::Both,
        };
        Ip::loopback(!is_v4)
    }

    /// Whether data sent to `target` reaches this socket.
    fn takes(&self, target: Addr) -> bool {
        self.name().takes(target)
    }

    fn name(&self) -> Name {
        Name { addr: self.addr, family: self.family }
    }
}

/// The address of a socket, with the family that says what the address includes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Name {
    addr: Addr,
    family: Family,
}

impl Name {
    /// Whether data sent to `target` arrives here. The wildcard address of IPv6 may include the addresses of IPv4.
    fn takes(&self, target: Addr) -> bool {
        let is_in_any = match (self.addr.ip, target.ip) {
            (Ip::V4(_), Ip::V4(_)) | (Ip::V6(_), Ip::V6(_)) => true,
            (Ip::V6(_), Ip::V4(_)) => self.family == Family::Both,
            (Ip::V4(_), Ip::V6(_)) => false,
        };
        self.addr.port == target.port && (self.addr.ip == target.ip || self.addr.ip.is_any() && is_in_any)
    }

    /// Whether two sockets cannot both have their addresses.
    fn clashes(&self, other: Name) -> bool {
        self.takes(other.addr) || other.takes(self.addr)
    }
}

/// Sockets with addresses, by their inodes. Every process that shares a socket sees the same inode.
#[derive(Default)]
pub(crate) struct Addresses {
    endpoints: FxIndexMap<u64, Endpoint>,
    /// The node that an address was last seen to belong to, also while the node is down.
    owners: FxIndexMap<Name, NodeId>,
    /// Ports of nodes that are for the stage alone.
    hidden: FxIndexSet<(NodeId, u16)>,
}

impl Addresses {
    /// Leaves a port out when the first one is looked for on which a node listens.
    pub fn hide(&mut self, node: NodeId, port: u16) {
        self.hidden.insert((node, port));
    }

    pub fn get(&self, inode: u64) -> Option<&Endpoint> {
        self.endpoints.get(&inode)
    }

    /// Whether another socket has the address that this one wants.
    pub fn is_taken(&self, wanted: &Endpoint) -> bool {
        let shares = |other: &Endpoint| other.shares && wanted.shares && other.node == wanted.node;
        let mut others =
            self.endpoints.values().filter(|other| other.proto == wanted.proto && !shares(other));
        others.any(|other| other.name().clashes(wanted.name()))
    }

    pub fn insert(&mut self, inode: u64, endpoint: Endpoint) {
        self.owners.insert(endpoint.name(), endpoint.node);
        self.endpoints.insert(inode, endpoint);
    }

    pub fn listen(&mut self, inode: u64) {
        if let Some(endpoint) = self.endpoints.get_mut(&inode) {
            endpoint.is_listening = true;
        }
    }

    pub fn remove(&mut self, inode: u64) -> Option<Endpoint> {
        self.endpoints.shift_remove(&inode)
    }

    pub fn listener(&self, target: Addr) -> Option<&Endpoint> {
        self.endpoints.values().find(|endpoint| endpoint.is_listening && endpoint.takes(target))
    }

    /// Returns the socket on which a node listens at this port, or at the first port on which it listens if none is
    /// given. If there are several, one that accepts IPv4.
    pub fn listener_of(&self, node: NodeId, port: Option<u16>) -> Option<&Endpoint> {
        let of_node =
            || self.endpoints.values().filter(|endpoint| endpoint.node == node && endpoint.is_listening);
        let port = port.or_else(|| {
            let seen = |endpoint: &&Endpoint| !self.hidden.contains(&(node, endpoint.addr.port));
            of_node().find(seen).map(|first| first.addr.port)
        })?;
        let there = of_node().filter(|endpoint| endpoint.addr.port == port);
        there.min_by_key(|endpoint| matches!(endpoint.neighbour(), Ip::V6(_)))
    }

    /// Returns the socket that receives datagrams to this address.
    pub fn receiver(&self, target: Addr) -> Option<&Endpoint> {
        self.endpoints.values().find(|endpoint| endpoint.proto == Proto::Udp && endpoint.takes(target))
    }

    /// Returns the socket that sends datagrams from this port of the kernel's loopback.
    pub fn sender(&self, kernel_port: u16, is_v6: bool) -> Option<&Endpoint> {
        let mut senders = self.endpoints.values().filter(|endpoint| endpoint.proto == Proto::Udp);
        senders.find(|endpoint| endpoint.kernel_port == kernel_port && endpoint.is_v6() == is_v6)
    }

    /// Returns the node that has, or had last, this address.
    pub fn owner(&self, target: Addr) -> Option<NodeId> {
        let exact = self.owners.iter().find(|(name, _)| name.addr == target);
        exact.or_else(|| self.owners.iter().find(|(name, _)| name.takes(target))).map(|(_, node)| *node)
    }

    /// Removes the addresses of a node's sockets that no process has any more.
    pub fn sweep(&mut self, node: NodeId, open: &OpenSockets) {
        self.endpoints.retain(|inode, endpoint| endpoint.node != node || open.has(*inode));
    }

    pub fn forget_node(&mut self, node: NodeId) {
        self.endpoints.retain(|_, endpoint| endpoint.node != node);
    }

    /// Returns the sockets of a node, for checks of what it has received.
    pub fn of_node(&self, node: NodeId) -> impl Iterator<Item = &Endpoint> {
        self.endpoints.values().filter(move |endpoint| endpoint.node.index() == node.index())
    }
}
