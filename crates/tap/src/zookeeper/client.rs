//! The clients' port: a handshake, then requests and their replies, each with its length before it.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use crate::buffer::{Buffer, Cursor};
use crate::decode::{Decoder, Side, Sink, base64, describe};

use super::jute::{self, Not};
use super::zxid;

/// The longest packet that is read.
const PACKET_BYTES_MAX: usize = 64 << 20;
/// The most requests whose replies are awaited.
const REQUESTS_MAX: usize = 100_000;

/// The names of operations by their numbers.
const OPERATIONS: [(i32, &str); 31] = [
    (-11, "closeSession"),
    (-10, "createSession"),
    (-1, "error"),
    (0, "notification"),
    (1, "create"),
    (2, "delete"),
    (3, "exists"),
    (4, "getData"),
    (5, "setData"),
    (6, "getACL"),
    (7, "setACL"),
    (8, "getChildren"),
    (9, "sync"),
    (11, "ping"),
    (12, "getChildren2"),
    (13, "check"),
    (14, "multi"),
    (15, "create2"),
    (16, "reconfig"),
    (17, "checkWatches"),
    (18, "removeWatches"),
    (19, "createContainer"),
    (20, "deleteContainer"),
    (21, "createTTL"),
    (22, "multiRead"),
    (100, "auth"),
    (101, "setWatches"),
    (102, "sasl"),
    (103, "getEphemerals"),
    (104, "getAllChildrenNumber"),
    (105, "setWatches2"),
];

/// Returns the name of an operation, or its number if it has none.
pub(super) fn operation(kind: i32) -> Value {
    match OPERATIONS.iter().find(|(number, _)| *number == kind) {
        Some((_, name)) => json!(name),
        None => json!(kind),
    }
}

/// Decodes a connection of a client.
#[derive(Debug)]
pub struct ClientDecoder {
    buffers: [Buffer; 2],
    has_greeted: [bool; 2],
    /// Requests without a reply: number and operation.
    asked: VecDeque<(i32, i32)>,
    is_dead: bool,
}

impl ClientDecoder {
    /// `is_whole` says that the connection is seen from its beginning.
    pub fn new(is_whole: bool) -> ClientDecoder {
        ClientDecoder {
            buffers: Default::default(),
            has_greeted: [false; 2],
            asked: VecDeque::new(),
            is_dead: !is_whole,
        }
    }

    fn read(&mut self, from: Side, sink: &mut Sink<'_>) -> Result<(), Not> {
        let at = from.index();
        loop {
            let mut cursor = Cursor::new(self.buffers[at].rest());
            let n = usize::try_from(cursor.i32()?).map_err(|_| Not::AtAll("a length is negative"))?;
            if n > PACKET_BYTES_MAX {
                return Err(Not::AtAll("a packet is too long"));
            }
            let packet = cursor.bytes(n)?.to_vec();
            let mut cursor = Cursor::new(&packet);
            let body = match (self.has_greeted[at], from) {
                (false, Side::Dialer) => connect(&mut cursor),
                (false, Side::Acceptor) => connected(&mut cursor),
                (true, Side::Dialer) => self.request(&mut cursor),
                (true, Side::Acceptor) => self.reply(&mut cursor),
            };
            self.has_greeted[at] = true;
            sink.message(from, body.map_err(|_| Not::AtAll("a packet is none of its type's"))?);
            self.buffers[at].consume(n + 4);
        }
    }

    fn request(&mut self, cursor: &mut Cursor<'_>) -> Result<Value, Not> {
        let xid = cursor.i32()?;
        let kind = cursor.i32()?;
        if self.asked.len() < REQUESTS_MAX {
            self.asked.push_back((xid, kind));
        }
        let mut object = named("request", xid, operation(kind));
        object.extend(arguments(kind, cursor)?);
        Ok(Value::Object(object))
    }

    fn reply(&mut self, cursor: &mut Cursor<'_>) -> Result<Value, Not> {
        let xid = cursor.i32()?;
        let id = cursor.i64()?;
        let error = cursor.i32()?;
        // Replies come in the order of the requests, but for what the server says by itself.
        let found = self.asked.iter().position(|(asked, _)| *asked == xid);
        let kind = found.and_then(|at| self.asked.remove(at)).map(|(_, kind)| kind);
        let name = match (xid, kind) {
            (-1, _) => json!("notification"),
            (_, Some(kind)) => operation(kind),
            (_, None) => Value::Null,
        };
        let mut object = named("reply", xid, name);
        object.insert("zxid".to_owned(), zxid(id));
        object.insert("error".to_owned(), json!(error));
        if error == 0 {
            object.extend(results(kind, xid, cursor)?);
        }
        Ok(Value::Object(object))
    }
}

type Object = Map<String, Value>;

fn named(kind: &str, xid: i32, operation: Value) -> Object {
    let mut object = Map::new();
    object.insert("type".to_owned(), json!(kind));
    object.insert("xid".to_owned(), json!(xid));
    object.insert("operation".to_owned(), operation);
    object
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Object {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn connect(cursor: &mut Cursor<'_>) -> Result<Value, Not> {
    let _version = cursor.i32()?;
    let last = cursor.i64()?;
    let timeout = cursor.i32()?;
    let session = cursor.i64()?;
    Ok(json!({ "type": "connect", "lastZxid": zxid(last), "timeout": timeout, "session": session }))
}

fn connected(cursor: &mut Cursor<'_>) -> Result<Value, Not> {
    let _version = cursor.i32()?;
    let timeout = cursor.i32()?;
    let session = cursor.i64()?;
    Ok(json!({ "type": "connected", "timeout": timeout, "session": session }))
}

fn data(cursor: &mut Cursor<'_>) -> Result<Value, Not> {
    Ok(jute::buffer(cursor)?.map_or(Value::Null, |bytes| json!(base64(bytes))))
}

fn arguments(kind: i32, cursor: &mut Cursor<'_>) -> Result<Object, Not> {
    Ok(match kind {
        1 | 15 | 19 | 21 => {
            let (path, data) = (jute::text(cursor)?, data(cursor)?);
            jute::vector(cursor, |cursor| Ok((cursor.i32()?, jute::text(cursor)?, jute::text(cursor)?)))?;
            object([("path", json!(path)), ("data", data), ("flags", json!(cursor.i32()?))])
        }
        2 | 13 => object([("path", json!(jute::text(cursor)?)), ("version", json!(cursor.i32()?))]),
        3 | 4 | 8 | 12 => {
            object([("path", json!(jute::text(cursor)?)), ("watch", json!(jute::boolean(cursor)?))])
        }
        5 => {
            let (path, data) = (jute::text(cursor)?, data(cursor)?);
            object([("path", json!(path)), ("data", data), ("version", json!(cursor.i32()?))])
        }
        9 => object([("path", json!(jute::text(cursor)?))]),
        -11 | 11 => Object::new(),
        _ => object([("body", json!(base64(cursor.rest())))]),
    })
}

/// Reads what a server keeps about a node of its tree.
fn stat(cursor: &mut Cursor<'_>) -> Result<Value, Not> {
    let (created, changed) = (cursor.i64()?, cursor.i64()?);
    let (_ctime, _mtime) = (cursor.i64()?, cursor.i64()?);
    let version = cursor.i32()?;
    let (children_version, _acl_version) = (cursor.i32()?, cursor.i32()?);
    let _owner = cursor.i64()?;
    let (_length, n_children) = (cursor.i32()?, cursor.i32()?);
    let _children_changed = cursor.i64()?;
    Ok(json!({
        "czxid": zxid(created), "mzxid": zxid(changed), "version": version, "cversion": children_version,
        "children": n_children,
    }))
}

fn results(kind: Option<i32>, xid: i32, cursor: &mut Cursor<'_>) -> Result<Object, Not> {
    if xid == -1 {
        let (kind, state) = (cursor.i32()?, cursor.i32()?);
        let path = jute::text(cursor)?;
        return Ok(object([("event", json!(kind)), ("state", json!(state)), ("path", json!(path))]));
    }
    Ok(match kind {
        Some(1 | 9) => object([("path", json!(jute::text(cursor)?))]),
        Some(15 | 19 | 21) => object([("path", json!(jute::text(cursor)?)), ("stat", stat(cursor)?)]),
        Some(3 | 5) => object([("stat", stat(cursor)?)]),
        Some(4) => object([("data", data(cursor)?), ("stat", stat(cursor)?)]),
        Some(8) => object([("children", json!(jute::vector(cursor, jute::text)?))]),
        Some(12) => object([("children", json!(jute::vector(cursor, jute::text)?)), ("stat", stat(cursor)?)]),
        Some(-11 | 2 | 11 | 13) => Object::new(),
        Some(_) | None => object([("body", json!(base64(cursor.rest())))]),
    })
}

impl Decoder for ClientDecoder {
    fn take(&mut self, from: Side, bytes: &[u8], sink: &mut Sink<'_>) {
        if self.is_dead {
            return;
        }
        let at = from.index();
        self.buffers[at].push(bytes);
        let first = self.buffers[Side::Dialer.index()].rest();
        if !self.has_greeted[0] && first.len() >= 4 && first[..4].iter().all(u8::is_ascii_lowercase) {
            let word = String::from_utf8_lossy(&first[..4]).into_owned();
            self.is_dead = true;
            return sink
                .note(format!("a client asked the server for `{word}`: that is no request of a session"));
        }
        if let Err(Not::AtAll(why)) = self.read(from, sink) {
            self.is_dead = true;
            let what = describe(self.buffers[at].rest());
            if self.has_greeted[0] {
                sink.gap(from, format!("this is no traffic of a client of ZooKeeper: {why}"));
            } else {
                sink.note(format!(
                    "a client speaks {what}, which is not read ({why}): its requests can come at any time, and what \
                     it is answered is not judged"
                ));
            }
        }
    }

    fn lose(&mut self, _: Side, _: &mut Sink<'_>) {
        self.is_dead = true;
    }

    fn end(&mut self, _: Side, _: &mut Sink<'_>) {}
}
