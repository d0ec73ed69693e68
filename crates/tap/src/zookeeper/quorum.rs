//! The quorum's port: packets between a leader and those that follow it, one after the other without a length.

use serde_json::{Map, Value, json};

use crate::buffer::{Buffer, Cursor};
use crate::decode::{Decoder, Side, Sink, base64, describe};

use super::jute::{self, Not};
use super::zxid;

/// The names of the types of packets, from 1 on.
const TYPES: [&str; 19] = [
    "REQUEST",
    "PROPOSAL",
    "ACK",
    "COMMIT",
    "PING",
    "REVALIDATE",
    "SYNC",
    "INFORM",
    "COMMITANDACTIVATE",
    "NEWLEADER",
    "FOLLOWERINFO",
    "UPTODATE",
    "DIFF",
    "TRUNC",
    "SNAP",
    "OBSERVERINFO",
    "LEADERINFO",
    "ACKEPOCH",
    "INFORMANDACTIVATE",
];
/// The end of a snapshot on the wire, with its length before it.
const SNAPSHOT_END: &[u8] = b"\0\0\0\x0aBenWasHere";
/// The most bytes of a packet.
const PACKET_BYTES_MAX: usize = 64 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Packets,
    /// A tree of data, of which only the end is looked for.
    Snapshot,
    Dead,
}

/// Decodes a connection between a leader, who accepts it, and a follower or an observer.
#[derive(Debug)]
pub struct QuorumDecoder {
    buffers: [Buffer; 2],
    reading: [Reading; 2],
    has_read: bool,
}

impl QuorumDecoder {
    /// `is_whole` says that the connection is seen from its beginning.
    pub fn new(is_whole: bool) -> QuorumDecoder {
        // A packet has no mark by which its beginning could be found.
        let reading = if is_whole { Reading::Packets } else { Reading::Dead };
        QuorumDecoder { buffers: Default::default(), reading: [reading; 2], has_read: false }
    }

    fn read(&mut self, from: Side, sink: &mut Sink<'_>) {
        let at = from.index();
        loop {
            match self.reading[at] {
                Reading::Dead => return self.buffers[at].clear(),
                Reading::Snapshot => {
                    let rest = self.buffers[at].rest();
                    match rest.windows(SNAPSHOT_END.len()).position(|bytes| bytes == SNAPSHOT_END) {
                        Some(start) => {
                            self.buffers[at].consume(start + SNAPSHOT_END.len());
                            self.reading[at] = Reading::Packets;
                        }
                        None => {
                            let n = rest.len().saturating_sub(SNAPSHOT_END.len() - 1);
                            return self.buffers[at].consume(n);
                        }
                    }
                }
                Reading::Packets => {
                    if !self.packet(from, sink) {
                        return;
                    }
                }
            }
        }
    }

    /// Reads one packet; returns whether there is more to do.
    fn packet(&mut self, from: Side, sink: &mut Sink<'_>) -> bool {
        let buffer = &mut self.buffers[from.index()];
        let mut cursor = Cursor::new(buffer.rest());
        match packet(&mut cursor) {
            Ok(packet) => {
                let n = buffer.len() - cursor.rest().len();
                buffer.consume(n);
                self.has_read = true;
                if let Some(sid) = packet.sid {
                    sink.identify(Side::Dialer, &sid.to_string(), &[]);
                }
                if packet.name == "SNAP" {
                    self.reading[from.index()] = Reading::Snapshot;
                }
                sink.message(from, packet.json);
                true
            }
            Err(Not::Yet) if buffer.len() > PACKET_BYTES_MAX => {
                self.give_up(from, "a packet is too long", sink);
                true
            }
            Err(Not::Yet) => false,
            Err(Not::AtAll(why)) => {
                self.give_up(from, why, sink);
                true
            }
        }
    }

    fn give_up(&mut self, from: Side, why: &str, sink: &mut Sink<'_>) {
        let what = describe(self.buffers[from.index()].rest());
        if self.has_read || what == "TLS" {
            sink.gap(from, format!("this is no traffic of a quorum of ZooKeeper: {why}"));
        } else {
            sink.note(format!("a connection to the quorum's port is none of a server, but {what}: {why}"));
        }
        self.reading = if self.has_read { self.reading } else { [Reading::Dead; 2] };
        self.reading[from.index()] = Reading::Dead;
    }
}

struct Packet {
    name: &'static str,
    /// The server that says who it is.
    sid: Option<i64>,
    json: Value,
}

fn packet(cursor: &mut Cursor<'_>) -> Result<Packet, Not> {
    let kind = cursor.i32()?;
    let name = kind
        .checked_sub(1)
        .and_then(|kind| usize::try_from(kind).ok())
        .and_then(|kind| TYPES.get(kind))
        .copied();
    let name = name.ok_or(Not::AtAll("a packet has a type that does not exist"))?;
    let id = cursor.i64()?;
    let data = jute::buffer(cursor)?;
    jute::vector(cursor, |cursor| Ok((jute::text(cursor)?, jute::buffer(cursor)?)))?;
    let mut object = Map::new();
    object.insert("type".to_owned(), json!(name));
    object.insert("zxid".to_owned(), zxid(id));
    let data = data.unwrap_or_default();
    let mut inner = Cursor::new(data);
    let mut sid = None;
    let read = match name {
        "FOLLOWERINFO" | "OBSERVERINFO" => learner_info(&mut inner).map(|(id, fields)| {
            sid = Some(id);
            fields
        }),
        "ACKEPOCH" => inner.i32().map(|epoch| vec![("currentEpoch", json!(epoch))]).map_err(Not::from),
        "PROPOSAL" | "INFORM" | "INFORMANDACTIVATE" => transaction(&mut inner),
        "REQUEST" => request(&mut inner),
        "NEWLEADER" => Ok(vec![("config", json!(String::from_utf8_lossy(data)))]),
        _ => Ok(Vec::new()),
    };
    match read {
        Ok(fields) => object.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value))),
        Err(_) if data.is_empty() => {}
        Err(_) => return Err(Not::AtAll("the data of a packet is none of its type's")),
    }
    object.insert("data".to_owned(), json!(base64(data)));
    Ok(Packet { name, sid, json: Value::Object(object) })
}

type NamedFields = Vec<(&'static str, Value)>;

fn learner_info(cursor: &mut Cursor<'_>) -> Result<(i64, NamedFields), Not> {
    let sid = cursor.i64()?;
    let version = cursor.i32()?;
    Ok((sid, vec![("sid", json!(sid)), ("protocolVersion", json!(version))]))
}

/// Reads what a transaction begins with.
fn transaction(cursor: &mut Cursor<'_>) -> Result<NamedFields, Not> {
    let session = cursor.i64()?;
    let cxid = cursor.i32()?;
    let id = cursor.i64()?;
    let _time = cursor.i64()?;
    let kind = cursor.i32()?;
    let head =
        json!({ "session": session, "cxid": cxid, "zxid": zxid(id), "type": super::client::operation(kind) });
    Ok(vec![("txn", head)])
}

/// Reads what a client's request begins with that a follower passes on.
fn request(cursor: &mut Cursor<'_>) -> Result<NamedFields, Not> {
    let session = cursor.i64()?;
    let cxid = cursor.i32()?;
    let kind = cursor.i32()?;
    Ok(vec![("request", json!({ "session": session, "cxid": cxid, "type": super::client::operation(kind) }))])
}

impl Decoder for QuorumDecoder {
    fn take(&mut self, from: Side, bytes: &[u8], sink: &mut Sink<'_>) {
        if self.reading[from.index()] != Reading::Dead {
            self.buffers[from.index()].push(bytes);
            self.read(from, sink);
        }
    }

    fn lose(&mut self, from: Side, _: &mut Sink<'_>) {
        self.reading[from.index()] = Reading::Dead;
    }

    fn end(&mut self, from: Side, sink: &mut Sink<'_>) {
        if self.has_read && !self.buffers[from.index()].is_empty() {
            sink.note("the last packet of a connection of the quorum was cut off");
        }
    }
}
