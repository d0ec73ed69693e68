//! Calls to a node from outside, made by the stage itself: clients and observations.

use std::io;

use wire::Addr;

use super::{Stage, Token};
use crate::Trouble;
use crate::net::{Answer, Caller, Client, End};
use crate::node::NodeId;

/// A client that has asked a node for something and has not closed its connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClientId(usize);

impl Stage {
    /// Sends bytes to a port on which a node listens, and returns what it answers until all is at rest.
    pub fn call(&mut self, id: NodeId, port: Option<u16>, bytes: &[u8]) -> Result<Vec<u8>, Trouble> {
        let client = self.ask(id, port, bytes)?;
        self.hang_up(client)
    }

    /// Sends bytes to a port on which a node listens. The client stays until it hangs up.
    pub fn ask(&mut self, id: NodeId, port: Option<u16>, bytes: &[u8]) -> Result<ClientId, Trouble> {
        let number =
            self.connect_client(id, port).map_err(Trouble::system("a client cannot reach the node"))?;
        self.settle()?;
        if let Some(client) = self.network.clients.get_mut(&number) {
            client.end.send(bytes);
        }
        self.nodes[id].is_settled = false;
        self.settle()?;
        Ok(ClientId(number))
    }

    /// Whether a client has its whole answer, or its connection has ended.
    pub fn is_answered(&self, client: ClientId, answer: &Answer) -> bool {
        self.network
            .clients
            .get(&client.0)
            .is_none_or(|client| client.end.is_ended || client.end.has_answer(answer))
    }

    /// Closes a client's connection, and returns all that it was answered.
    pub fn hang_up(&mut self, client: ClientId) -> Result<Vec<u8>, Trouble> {
        let ClientId(number) = client;
        let Some(client) = self.network.clients.get_mut(&number) else { return Ok(Vec::new()) };
        let (socket, answer) = client.end.hang_up();
        if let Some(socket) = &socket {
            self.epoll.remove(socket);
        }
        drop(socket);
        let node = client.node;
        self.nodes[node].is_settled = false;
        let settled = self.settle();
        self.network.clients.shift_remove(&number);
        settled.map(|()| answer)
    }

    pub(super) fn connect_client(&mut self, id: NodeId, port: Option<u16>) -> io::Result<usize> {
        let endpoint = self.network.addresses.listener_of(id, port).copied();
        let endpoint = endpoint.ok_or(io::ErrorKind::ConnectionRefused)?;
        let own_port = self.nodes[id].take_port();
        let addr = Addr::new(endpoint.neighbour(), own_port);
        let number = self.network.take_client_number();
        let socket = self.dial(endpoint.kernel_addr(), Caller::Outside { addr, number })?;
        self.epoll.add(&socket, Token::Client(number).pack())?;
        let mut end = End::default();
        end.attach(socket);
        let client = Client { node: id, end, link: None, accepted: None };
        self.network.clients.insert(number, client);
        self.nodes[id].is_settled = false;
        Ok(number)
    }
}
