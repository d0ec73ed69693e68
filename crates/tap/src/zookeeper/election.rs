//! The port of elections: who connects says who it is, and then both send notifications, each with its length before it.

use serde_json::{Value, json};

use crate::buffer::{Buffer, Cursor};
use crate::decode::{Decoder, Side, Sink, describe};

use super::jute::{self, Not};
use super::zxid;

/// The versions of the protocol: the second one allows several addresses for a server.
const VERSIONS: [i64; 2] = [-65536, -65535];
/// The longest notification.
const NOTIFICATION_BYTES_MAX: usize = 1 << 20;
const STATES: [&str; 4] = ["LOOKING", "FOLLOWING", "LEADING", "OBSERVING"];

/// Decodes a connection between two servers that vote.
#[derive(Debug)]
pub struct ElectionDecoder {
    buffers: [Buffer; 2],
    is_dead: [bool; 2],
    has_begun: bool,
}

impl ElectionDecoder {
    /// `is_whole` says that the connection is seen from its beginning.
    pub fn new(is_whole: bool) -> ElectionDecoder {
        ElectionDecoder { buffers: Default::default(), is_dead: [!is_whole; 2], has_begun: false }
    }

    fn read(&mut self, from: Side, sink: &mut Sink<'_>) -> Result<(), Not> {
        let at = from.index();
        loop {
            let buffer = &mut self.buffers[at];
            let mut cursor = Cursor::new(buffer.rest());
            if from == Side::Dialer && !self.has_begun {
                let sid = greeting(&mut cursor)?;
                self.has_begun = true;
                sink.identify(Side::Dialer, &sid.to_string(), &[]);
            } else {
                let read = jute::buffer(&mut cursor)?.ok_or(Not::AtAll("a notification has no length"))?;
                if read.len() > NOTIFICATION_BYTES_MAX {
                    return Err(Not::AtAll("a notification is too long"));
                }
                let body = notification(&mut Cursor::new(read));
                sink.message(from, body.map_err(|_| Not::AtAll("a notification is none"))?);
            }
            let n = buffer.len() - cursor.rest().len();
            buffer.consume(n);
        }
    }
}

fn greeting(cursor: &mut Cursor<'_>) -> Result<i64, Not> {
    let version = cursor.i64()?;
    if !VERSIONS.contains(&version) {
        return Err(Not::AtAll("a server does not say who it is"));
    }
    let sid = cursor.i64()?;
    // Its addresses.
    jute::buffer(cursor)?;
    Ok(sid)
}

fn notification(cursor: &mut Cursor<'_>) -> Result<Value, Not> {
    let state = cursor.i32()?;
    let state = usize::try_from(state).ok().and_then(|state| STATES.get(state));
    let state = state.ok_or(Not::AtAll("a server is in a state that does not exist"))?;
    let leader = cursor.i64()?;
    let id = cursor.i64()?;
    let round = cursor.i64()?;
    let epoch = cursor.i64()?;
    let mut notification = json!({
        "type": "NOTIFICATION", "state": state, "leader": leader, "zxid": zxid(id), "round": round,
        "peerEpoch": epoch,
    });
    // Older servers end here, or after the version.
    if let Ok(version) = cursor.i32() {
        notification["version"] = json!(version);
        if version > 1 {
            notification["config"] = json!(jute::text(cursor)?);
        }
    }
    Ok(notification)
}

impl Decoder for ElectionDecoder {
    fn take(&mut self, from: Side, bytes: &[u8], sink: &mut Sink<'_>) {
        let at = from.index();
        if self.is_dead[at] {
            return;
        }
        self.buffers[at].push(bytes);
        if let Err(Not::AtAll(why)) = self.read(from, sink) {
            self.is_dead[at] = true;
            let what = describe(self.buffers[at].rest());
            if self.has_begun || what == "TLS" {
                sink.gap(from, format!("this is no traffic of an election of ZooKeeper: {why}"));
            } else {
                self.is_dead = [true; 2];
                sink.note(format!(
                    "a connection to the port of elections is none of a server, but {what}: {why}"
                ));
            }
            self.buffers[at].clear();
        }
    }

    fn lose(&mut self, from: Side, _: &mut Sink<'_>) {
        self.is_dead[from.index()] = true;
    }

    fn end(&mut self, from: Side, sink: &mut Sink<'_>) {
        if self.has_begun && !self.buffers[from.index()].is_empty() {
            sink.note("the last notification of a connection was cut off");
        }
    }
}
