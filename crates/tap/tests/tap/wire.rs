//! Makes traffic: what members of etcd and servers of ZooKeeper write, and hubs that read it.

use serde_json::Value;
use tap::decode::Side;
use tap::event::TapEvent;
use tap::hub::Hub;
use tap::settings::{Options, read};

pub fn hub(endpoints: &[&str]) -> Hub {
    let endpoints: Vec<String> = endpoints.iter().map(|text| (*text).to_owned()).collect();
    let settings =
        read(&Options { endpoints: &endpoints, ..Options::default() }).expect("these settings can be");
    Hub::new(settings, None)
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("this is JSON")
}

/// Returns events as short lines.
pub fn lines(events: &[TapEvent]) -> Vec<String> {
    let kind = |message: &Value| message["type"].as_str().unwrap_or_default().to_owned();
    let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
    let line = |event: &TapEvent| match event {
        TapEvent::In { node, from, message, .. } => format!("{node} in {} {}", name(from), kind(message)),
        TapEvent::Out { node, to, message, .. } => format!("{node} out {} {}", name(to), kind(message)),
        TapEvent::Restart { node } => format!("{node} restart"),
        TapEvent::Gap { node, why } => format!("{node} gap {why}"),
        TapEvent::Note { why } => format!("note {why}"),
    };
    events.iter().map(line).collect()
}

fn varint(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Writes the fields of a message of protobuf that are numbers.
pub fn numbers(fields: &[(u64, u64)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, value) in fields {
        varint(number << 3, &mut bytes);
        varint(*value, &mut bytes);
    }
    bytes
}

/// Writes a field that consists of bytes.
pub fn field(number: u64, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    varint(number << 3 | 2, &mut bytes);
    varint(content.len() as u64, &mut bytes);
    bytes.extend(content);
    bytes
}

pub fn entry(term: u64, index: u64, data: &[u8]) -> Vec<u8> {
    [numbers(&[(1, 0), (2, term), (3, index)]), field(4, data)].concat()
}

/// Puts a length of 8 bytes before bytes.
pub fn sized(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u64).to_be_bytes()[..], bytes].concat()
}

pub fn chunk(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

/// The request of a member for the messages of another one.
pub fn ask_for_stream(kind: &str, from: u64, to: u64, url: &str) -> Vec<u8> {
    format!(
        "GET /raft/stream/{kind}/{from:x} HTTP/1.1\r\nHost: h\r\nX-Peerurls: {url}\r\nX-Raft-To: {to:x}\r\n\
         X-Server-From: {from:x}\r\nX-Server-Version: 3.4.23\r\n\r\n"
    )
    .into_bytes()
}

pub const STREAM_HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

pub fn message(kind: u64, to: u64, from: u64, more: &[u8]) -> Vec<u8> {
    [&numbers(&[(1, kind), (2, to), (3, from), (4, 2)]), more].concat()
}

/// One frame of each kind of the stream for logs: a whole message with entry 4 after entry 3, and one that continues it with entry 5.
pub fn append_frames(to: u64, from: u64) -> Vec<u8> {
    let whole = message(3, to, from, &[numbers(&[(5, 2), (6, 3)]), field(7, &entry(2, 4, b"a"))].concat());
    let next = [&[1][..], &1_u64.to_be_bytes(), &sized(&entry(2, 5, b"b")), &4_u64.to_be_bytes()].concat();
    [&[2][..], &sized(&whole), &[0], &next].concat()
}

/// A conversation: who wrote which bytes.
pub type Conversation = Vec<(Side, Vec<u8>)>;

/// A connection that member 2 has made to member 1.
pub fn etcd_conversation() -> Conversation {
    let heartbeat = message(8, 2, 1, &numbers(&[(8, 3)]));
    let keep_alive = numbers(&[(1, 8), (2, 0), (3, 0)]);
    vec![
        (Side::Dialer, ask_for_stream("message", 2, 1, "http://127.0.0.1:2")),
        (Side::Acceptor, STREAM_HEAD.to_vec()),
        (Side::Acceptor, chunk(&sized(&heartbeat))),
        (Side::Acceptor, chunk(&[sized(&keep_alive), sized(&message(4, 2, 1, &[]))].concat())),
    ]
}

/// A packet of a quorum of ZooKeeper.
pub fn packet(kind: i32, zxid: i64, data: Option<&[u8]>) -> Vec<u8> {
    let data = match data {
        None => (-1_i32).to_be_bytes().to_vec(),
        Some(data) => [&(data.len() as i32).to_be_bytes()[..], data].concat(),
    };
    [&kind.to_be_bytes()[..], &zxid.to_be_bytes(), &data, &(-1_i32).to_be_bytes()].concat()
}

pub fn zookeeper_conversation() -> Conversation {
    let info = [&2_i64.to_be_bytes()[..], &0x10000_i32.to_be_bytes(), &0_i64.to_be_bytes()].concat();
    let head = [&7_i64.to_be_bytes()[..], &1_i32.to_be_bytes(), &(1_i64 << 32 | 1).to_be_bytes()].concat();
    let transaction = [&head[..], &99_i64.to_be_bytes(), &5_i32.to_be_bytes(), b"rest"].concat();
    let tree = b"\0\0\0\x01some tree \0\0\0\x0aBenWas\0\0\0\x0aBenWasHere";
    vec![
        (Side::Dialer, packet(11, 0, Some(&info))),
        (Side::Acceptor, packet(17, 1 << 32, Some(&0x10000_i32.to_be_bytes()))),
        (Side::Dialer, packet(18, 0, Some(&(-1_i32).to_be_bytes()))),
        (Side::Acceptor, [packet(15, 0, None), tree.to_vec(), packet(10, 1 << 32, None)].concat()),
        (Side::Dialer, packet(3, 1 << 32, None)),
        (Side::Acceptor, packet(2, 1 << 32 | 1, Some(&transaction))),
    ]
}

/// Lets a hub read a conversation on an endpoint in pieces of a size.
pub fn converse(hub: &mut Hub, (id, endpoint): (u64, usize), conversation: &Conversation, piece: usize) {
    hub.open(id, endpoint, true);
    for (side, bytes) in conversation {
        for piece in bytes.chunks(piece) {
            hub.bytes(id, *side, piece);
        }
    }
}
