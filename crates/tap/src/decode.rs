//! The interface of all decoders of connections.
//!
//! A decoder is a state machine: it is handed the bytes of both sides in the order in which they were seen, in pieces of any size, and says which messages are complete.

use serde_json::Value;

use crate::names::Names;

/// A side of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The side that opened the connection.
    Dialer,
    Acceptor,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::Dialer => Side::Acceptor,
            Side::Acceptor => Side::Dialer,
        }
    }

    pub(crate) fn index(self) -> usize {
        match self {
            Side::Dialer => 0,
            Side::Acceptor => 1,
        }
    }
}

/// Something that a decoder found out.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Who is at this side.
    Named { side: Side, name: String },
    /// A message that `from` sent.
    Message { from: Side, body: Value },
    /// Messages that `from` sent are not known from here on, or one is not.
    Gap { from: Side, why: String },
    /// Something for people, without effect on what can be judged.
    Note(String),
}

/// Where a decoder says what it found out.
#[derive(Debug)]
pub struct Sink<'a> {
    pub names: &'a mut Names,
    pub items: &'a mut Vec<Item>,
    /// The names that are known from the addresses, by [`Side::index`].
    pub known: [Option<String>; 2],
    /// The number of the connection.
    pub number: u64,
}

impl Sink<'_> {
    /// Returns the name of the connection, which tells it from all others.
    pub fn connection(&self) -> String {
        connection_name(self.known[Side::Acceptor.index()].as_deref(), self.number)
    }

    pub fn message(&mut self, from: Side, body: Value) {
        self.items.push(Item::Message { from, body });
    }

    pub fn gap(&mut self, from: Side, why: impl Into<String>) {
        self.items.push(Item::Gap { from, why: why.into() });
    }

    pub fn note(&mut self, why: impl Into<String>) {
        self.items.push(Item::Note(why.into()));
    }

    /// Notes that the node with this id is at a side. Its name is the one that the settings give to the id, or that of one of its addresses.
    pub fn identify(&mut self, side: Side, id: &str, addresses: &[&str]) {
        let of_address = addresses.iter().find_map(|address| self.names.of_address(address));
        let known = self.known[side.index()].as_deref().or(of_address).map(str::to_owned);
        if let Some(name) = known {
            self.names.learn(id, &name);
        }
        let name = self.names.of(id).to_owned();
        self.items.push(Item::Named { side, name });
    }
}

/// Decodes one connection.
pub trait Decoder: Send {
    /// Reads bytes that a side sent.
    fn take(&mut self, from: Side, bytes: &[u8], sink: &mut Sink<'_>);

    /// Bytes of this side were lost; those that come next are later ones. The gap was reported.
    fn lose(&mut self, from: Side, sink: &mut Sink<'_>);

    /// This side sends nothing more.
    fn end(&mut self, from: Side, sink: &mut Sink<'_>);
}

/// Returns the name of a connection to a node.
pub fn connection_name(node: Option<&str>, number: u64) -> String {
    format!("{}#{number}", node.unwrap_or_default())
}

/// Returns bytes as text, in base64.
pub fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// Describes the first bytes of a stream that is none of a protocol's.
pub fn describe(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x16, 3, ..] => "TLS",
        [b'P', b'R', b'I', b' ', b'*', b' ', b'H', b'T', ..] => "HTTP/2",
        _ => "something else",
    }
}
