//! Connections with their decoders. A hub is told what was seen of each connection, in order, and says what each node has received and sent.

use std::collections::BTreeMap;

use crate::decode::{Decoder, Item, Side, Sink, connection_name};
use crate::event::TapEvent;
use crate::settings::Settings;

/// How many are told of that have no name.
const STRANGERS_MAX: usize = 100;

/// A connection, by the number that whoever sees it gives to it.
pub type ConnectionId = u64;

struct Connection {
    endpoint: usize,
    decoder: Box<dyn Decoder>,
    /// Who is at the sides, by [`Side::index`].
    names: [Option<String>; 2],
    has_ended: [bool; 2],
    /// The node that was started again since this connection was made: what it still says here comes from before.
    outlived: Option<String>,
}

/// The last thing that is known of a node's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    /// Something was seen of it.
    Seen,
    /// It does not run, and that was not reported yet.
    Down,
}

/// All connections of a tap.
pub struct Hub {
    settings: Settings,
    connections: BTreeMap<ConnectionId, Connection>,
    lives: BTreeMap<String, Life>,
    /// The nodes that there are.
    nodes: Vec<String>,
    /// Those who said who they are, and are none of them.
    strangers: Vec<String>,
    /// The node whose events are wanted; those of all nodes if there is none.
    only: Option<String>,
    events: Vec<TapEvent>,
}

impl Hub {
    pub fn new(settings: Settings, only: Option<String>) -> Hub {
        let mut nodes = settings.names.all();
        nodes.extend(settings.endpoints.iter().map(|endpoint| endpoint.node.clone()));
        nodes.extend(settings.endpoints.iter().filter_map(|endpoint| endpoint.peer.clone()));
        nodes.extend(only.clone());
        nodes.sort();
        nodes.dedup();
        let (connections, lives) = (BTreeMap::new(), BTreeMap::new());
        Hub { settings, connections, lives, nodes, strangers: Vec::new(), only, events: Vec::new() }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns what was reported since this was asked last.
    pub fn drain(&mut self) -> Vec<TapEvent> {
        std::mem::take(&mut self.events)
    }

    /// Reports something that people should know.
    pub fn note(&mut self, why: impl Into<String>) {
        self.events.push(TapEvent::Note { why: why.into() });
    }

    /// A connection to an endpoint was made, or is seen for the first time (`is_whole` is false).
    pub fn open(&mut self, id: ConnectionId, endpoint: usize, is_whole: bool) {
        let Some(of) = self.settings.endpoints.get(endpoint) else { return };
        let dialer = if of.protocol.is_for_clients() { Some("client".to_owned()) } else { of.peer.clone() };
        let (node, decoder) = (of.node.clone(), of.protocol.decoder(is_whole));
        let names = [dialer, Some(node.clone())];
        self.comes_back(&node);
        let has_ended = [false; 2];
        self.connections.insert(id, Connection { endpoint, decoder, names, has_ended, outlived: None });
        if !is_whole {
            for side in [Side::Dialer, Side::Acceptor] {
                self.gap(id, side, "a connection is not known from its beginning");
            }
        }
    }

    pub fn bytes(&mut self, id: ConnectionId, from: Side, bytes: &[u8]) {
        self.decode(id, |decoder, sink| decoder.take(from, bytes, sink));
    }

    /// Bytes of a side were lost.
    pub fn lose(&mut self, id: ConnectionId, from: Side, why: &str) {
        self.gap(id, from, why);
        self.decode(id, |decoder, sink| decoder.lose(from, sink));
    }

    /// A side sends nothing more.
    pub fn end(&mut self, id: ConnectionId, from: Side) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        if !std::mem::replace(&mut connection.has_ended[from.index()], true) {
            self.decode(id, |decoder, sink| decoder.end(from, sink));
        }
    }

    pub fn close(&mut self, id: ConnectionId) {
        self.end(id, Side::Dialer);
        self.end(id, Side::Acceptor);
        self.connections.remove(&id);
    }

    /// A connection to an endpoint was refused.
    pub fn refuse(&mut self, endpoint: usize) {
        let Some(of) = self.settings.endpoints.get(endpoint).filter(|of| of.tells_restarts) else { return };
        // Of a process that was never seen nothing is known that could be lost.
        if let Some(life) = self.lives.get_mut(&of.node) {
            *life = Life::Down;
        }
    }

    /// Reports that a node was started again, when it is seen again.
    fn comes_back(&mut self, node: &str) {
        if self.lives.insert(node.to_owned(), Life::Seen) != Some(Life::Down) {
            return;
        }
        for connection in self.connections.values_mut() {
            for side in [Side::Dialer, Side::Acceptor] {
                let is_there = connection.names[side.index()].as_deref() == Some(node);
                if is_there && !connection.has_ended[side.index()] {
                    connection.outlived = Some(node.to_owned());
                }
            }
        }
        self.report(TapEvent::Restart { node: node.to_owned() });
    }

    fn decode(&mut self, id: ConnectionId, act: impl FnOnce(&mut dyn Decoder, &mut Sink<'_>)) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        let mut items = Vec::new();
        let known = connection.names.clone();
        let mut sink = Sink { names: &mut self.settings.names, items: &mut items, known, number: id };
        act(connection.decoder.as_mut(), &mut sink);
        for item in items {
            match item {
                Item::Named { side, name } => self.name(id, side, name),
                Item::Message { from, body } => self.message(id, from, body),
                Item::Gap { from, why } => self.gap(id, from, &why),
                Item::Note(why) => self.note(why),
            }
        }
    }

    fn name(&mut self, id: ConnectionId, side: Side, name: String) {
        if self.is_node(&name) {
            // One that was down has connected to another one.
            self.comes_back(&name);
        } else if self.strangers.len() < STRANGERS_MAX && !self.strangers.contains(&name) {
            self.note(format!(
                "`{name}` is none of the nodes that have a name: what it sends and receives is shown at the other end alone; give \
                 it a name in `[names]` of the settings"
            ));
            self.strangers.push(name.clone());
        }
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.names[side.index()].get_or_insert(name);
        }
    }

    fn is_node(&self, name: &str) -> bool {
        self.nodes.iter().any(|node| node == name)
    }

    fn label(&self, id: ConnectionId) -> String {
        let connection = self.connections.get(&id);
        let endpoint = connection.and_then(|connection| self.settings.endpoints.get(connection.endpoint));
        connection_name(endpoint.map(|endpoint| endpoint.node.as_str()), id)
    }

    fn message(&mut self, id: ConnectionId, from: Side, message: serde_json::Value) {
        let Some(connection) = self.connections.get(&id) else { return };
        let sender = connection.names[from.index()].clone();
        let receiver = connection.names[from.other().index()].clone();
        if connection.outlived.is_some() && connection.names[from.index()] == connection.outlived {
            let why = "a message from before the last restart came late";
            return self.gap(id, from, why);
        }
        let connection = self.label(id);
        let wanted = |node: &Option<String>| node.clone().filter(|node| self.is_wanted(node));
        match (wanted(&sender), wanted(&receiver)) {
            (None, None) => {}
            (Some(node), None) => self.report(TapEvent::Out { node, to: receiver, connection, message }),
            (None, Some(node)) => self.report(TapEvent::In { node, from: sender, connection, message }),
            (Some(from), Some(to)) => {
                let (node, copy) = (from.clone(), message.clone());
                let out = TapEvent::Out { node, to: receiver, connection: connection.clone(), message: copy };
                self.report(out);
                self.report(TapEvent::In { node: to, from: Some(from), connection, message });
            }
        }
    }

    fn is_wanted(&self, node: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == node) && self.is_node(node)
    }

    /// Reports that messages of a side are not known, to both ends. Who is not known may be anybody.
    fn gap(&mut self, id: ConnectionId, from: Side, why: &str) {
        let Some(connection) = self.connections.get(&id) else { return };
        let [dialer, acceptor] = connection.names.clone();
        let direction = match from {
            Side::Dialer => "to",
            Side::Acceptor => "from",
        };
        let place =
            format!("connection {}, {direction} `{}`", self.label(id), acceptor.as_deref().unwrap_or("?"));
        let nodes: Vec<String> = match dialer {
            Some(dialer) => self
                .nodes
                .iter()
                .filter(|node| **node == dialer || Some(*node) == acceptor.as_ref())
                .cloned()
                .collect(),
            None => self.nodes.clone(),
        };
        for node in nodes {
            self.report(TapEvent::Gap { node, why: format!("{place}: {why}") });
        }
    }

    fn report(&mut self, event: TapEvent) {
        if event.node().is_none_or(|node| self.is_wanted(node)) {
            self.events.push(event);
        }
    }
}
