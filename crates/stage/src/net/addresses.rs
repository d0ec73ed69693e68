//! Which address belongs to which socket of which node.

use base::{FxIndexMap, Id};
use wire::{Addr, Ip, Proto};

use crate::node::NodeId;
use crate::sockets::OpenSockets;

/// A socket of a guest that has an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Endpoint {
    pub node: NodeId,
    pub proto: Proto,
    /// The address that it seems to have.
    pub addr: Addr,
    /// Its port of the kernel's loopback.
    pub kernel_port: u16,
    pub link: u32,
    pub is_listening: bool,
}

impl Endpoint {
    pub fn is_v6(&self) -> bool {
        matches!(self.addr.ip, Ip::V6(_))
    }

    /// Whether what is sent to `target` reaches this socket.
    fn takes(&self, target: Addr) -> bool {
        let same_family = self.is_v6() == matches!(target.ip, Ip::V6(_));
        self.addr.port == target.port && same_family && (self.addr.ip == target.ip || self.addr.ip.is_any())
    }
}

/// Sockets with addresses, by their inodes, which are the same in every process that shares one.
#[derive(Default)]
pub(crate) struct Addresses {
    endpoints: FxIndexMap<u64, Endpoint>,
    /// Which node an address was last seen to belong to, also while it is down.
    owners: FxIndexMap<Addr, NodeId>,
}

impl Addresses {
    pub fn get(&self, inode: u64) -> Option<&Endpoint> {
        self.endpoints.get(&inode)
    }

    /// Whether a new socket of this kind could not have the address.
    pub fn is_taken(&self, proto: Proto, addr: Addr) -> bool {
        self.endpoints.values().any(|other| {
            other.proto == proto && (other.takes(addr) || addr.ip.is_any() && other.addr.port == addr.port)
        })
    }

    pub fn insert(&mut self, inode: u64, endpoint: Endpoint) {
        self.owners.insert(endpoint.addr, endpoint.node);
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

    /// The first socket on which a node listens for connections to this port, or on any if none is given.
    pub fn listener_of(&self, node: NodeId, port: Option<u16>) -> Option<&Endpoint> {
        let mut of_node =
            self.endpoints.values().filter(|endpoint| endpoint.node == node && endpoint.is_listening);
        of_node.find(|endpoint| port.is_none_or(|port| endpoint.addr.port == port))
    }

    /// The socket that receives datagrams to this address.
    pub fn receiver(&self, target: Addr) -> Option<&Endpoint> {
        self.endpoints.values().find(|endpoint| endpoint.proto == Proto::Udp && endpoint.takes(target))
    }

    /// The socket that sends datagrams from this port of the kernel's loopback.
    pub fn sender(&self, kernel_port: u16, is_v6: bool) -> Option<&Endpoint> {
        let mut senders = self.endpoints.values().filter(|endpoint| endpoint.proto == Proto::Udp);
        senders.find(|endpoint| endpoint.kernel_port == kernel_port && endpoint.is_v6() == is_v6)
    }

    /// The node that has, or had last, this address.
    pub fn owner(&self, target: Addr) -> Option<NodeId> {
        let any = |ip: Ip| match ip {
            Ip::V4(_) => Ip::V4([0; 4]),
            Ip::V6(_) => Ip::V6([0; 16]),
        };
        let exact = self.owners.get(&target);
        exact.or_else(|| self.owners.get(&Addr::new(any(target.ip), target.port))).copied()
    }

    /// Sockets that no process has any more have no address.
    pub fn sweep(&mut self, node: NodeId, open: &OpenSockets) {
        self.endpoints.retain(|inode, endpoint| endpoint.node != node || open.has(*inode));
    }

    pub fn forget_node(&mut self, node: NodeId) {
        self.endpoints.retain(|_, endpoint| endpoint.node != node);
    }

    /// Sockets of a node, for checks of what it has received.
    pub fn of_node(&self, node: NodeId) -> impl Iterator<Item = &Endpoint> {
        self.endpoints.values().filter(move |endpoint| endpoint.node.index() == node.index())
    }
}
