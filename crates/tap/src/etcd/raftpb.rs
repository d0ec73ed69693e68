//! Messages of etcd's Raft, as `raftpb.Message` of protobuf.

use serde_json::{Map, Value, json};

use crate::decode::base64;
use crate::names::Names;
use crate::protobuf::{Field, Fields};

/// The names of the types of messages, by their numbers.
const TYPES: [&str; 19] = [
    "MsgHup",
    "MsgBeat",
    "MsgProp",
    "MsgApp",
    "MsgAppResp",
    "MsgVote",
    "MsgVoteResp",
    "MsgSnap",
    "MsgHeartbeat",
    "MsgHeartbeatResp",
    "MsgUnreachable",
    "MsgSnapStatus",
    "MsgCheckQuorum",
    "MsgTransferLeader",
    "MsgTimeoutNow",
    "MsgReadIndex",
    "MsgReadIndexResp",
    "MsgPreVote",
    "MsgPreVoteResp",
];
pub const APP: u64 = 3;
const SNAP: u64 = 7;
const HEARTBEAT: u64 = 8;

const ENTRY_TYPES: [&str; 3] = ["EntryNormal", "EntryConfChange", "EntryConfChangeV2"];
const CONF_CHANGE: u64 = 1;
const CONF_CHANGE_TYPES: [&str; 4] =
    ["ConfChangeAddNode", "ConfChangeRemoveNode", "ConfChangeUpdateNode", "ConfChangeAddLearnerNode"];

/// Why bytes are no message that is known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoMessage(pub String);

/// A field that has another type than in raftpb.
fn wrong(of: &str, number: u64) -> NoMessage {
    NoMessage(format!("field {number} of {of} is none of raftpb's: is this another version of etcd?"))
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    pub kind: u64,
    pub term: u64,
    pub index: u64,
    pub data: Vec<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    pub data_len: usize,
    pub index: u64,
    pub term: u64,
    pub voters: Vec<u64>,
    pub learners: Vec<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    pub kind: u64,
    pub to: u64,
    pub from: u64,
    pub term: u64,
    pub log_term: u64,
    pub index: u64,
    pub entries: Vec<Entry>,
    pub commit: u64,
    pub snapshot: Snapshot,
    pub reject: bool,
    pub reject_hint: u64,
    pub context: Vec<u8>,
}

/// Returns an id as etcd writes it.
pub fn hex(id: u64) -> String {
    format!("{id:x}")
}

/// Reads the fields of a message; a field is handed to `read`, which says whether it is one.
fn each(
    of: &str,
    bytes: &[u8],
    mut read: impl FnMut(u64, Field<'_>) -> Result<bool, NoMessage>,
) -> Result<(), NoMessage> {
    for field in Fields::new(bytes) {
        let (number, field) = field.map_err(|why| NoMessage(format!("{of} cannot be read: {}", why.0)))?;
        if !read(number, field)? {
            return Err(wrong(of, number));
        }
    }
    Ok(())
}

impl Entry {
    pub fn read(bytes: &[u8]) -> Result<Entry, NoMessage> {
        let mut entry = Entry::default();
        each("an entry", bytes, |number, field| {
            match (number, field) {
                (1, Field::Varint(kind)) if kind < ENTRY_TYPES.len() as u64 => entry.kind = kind,
                (2, Field::Varint(term)) => entry.term = term,
                (3, Field::Varint(index)) => entry.index = index,
                (4, Field::Bytes(data)) => entry.data = data.to_vec(),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(entry)
    }

    fn json(&self, names: &Names) -> Value {
        let kind = ENTRY_TYPES[self.kind as usize % ENTRY_TYPES.len()];
        let mut entry =
            json!({ "term": self.term, "index": self.index, "type": kind, "data": base64(&self.data) });
        if self.kind == CONF_CHANGE
            && let Ok((kind, node)) = conf_change(&self.data)
        {
            entry["confChange"] = json!({ "type": kind, "node": names.of(&hex(node)) });
        }
        entry
    }
}

/// Reads a change of the members: what happens to which.
fn conf_change(bytes: &[u8]) -> Result<(&'static str, u64), NoMessage> {
    let (mut kind, mut node) = (0, 0);
    each("a change of members", bytes, |number, field| {
        match (number, field) {
            (1, Field::Varint(_)) | (4, Field::Bytes(_)) => {}
            (2, Field::Varint(value)) => kind = value,
            (3, Field::Varint(value)) => node = value,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let name = usize::try_from(kind).ok().and_then(|kind| CONF_CHANGE_TYPES.get(kind));
    Ok((name.ok_or_else(|| wrong("a change of members", 2))?, node))
}

impl Snapshot {
    fn read(bytes: &[u8]) -> Result<Snapshot, NoMessage> {
        let mut snapshot = Snapshot::default();
        each("a snapshot", bytes, |number, field| match (number, field) {
            (1, Field::Bytes(data)) => {
                snapshot.data_len = data.len();
                Ok(true)
            }
            (2, Field::Bytes(metadata)) => snapshot.read_metadata(metadata).map(|()| true),
            _ => Ok(false),
        })?;
        Ok(snapshot)
    }

    fn read_metadata(&mut self, bytes: &[u8]) -> Result<(), NoMessage> {
        each("metadata of a snapshot", bytes, |number, field| {
            match (number, field) {
                (1, Field::Bytes(members)) => self.read_members(members)?,
                (2, Field::Varint(index)) => self.index = index,
                (3, Field::Varint(term)) => self.term = term,
                _ => return Ok(false),
            }
            Ok(true)
        })
    }

    fn read_members(&mut self, bytes: &[u8]) -> Result<(), NoMessage> {
        each("a list of members", bytes, |number, field| {
            match (number, field) {
                (1, Field::Varint(id)) => self.voters.push(id),
                (2, Field::Varint(id)) => self.learners.push(id),
                // Members of a change in two steps, which servers do not make, and whether it ends by itself.
                (3..=5, Field::Varint(_)) => {}
                _ => return Ok(false),
            }
            Ok(true)
        })
    }

    fn json(&self, names: &Names) -> Value {
        let ids = |ids: &[u64]| ids.iter().map(|id| json!(names.of(&hex(*id)))).collect::<Vec<_>>();
        json!({
            "index": self.index, "term": self.term, "voters": ids(&self.voters),
            "learners": ids(&self.learners), "bytes": self.data_len,
        })
    }
}

impl Message {
    pub fn read(bytes: &[u8]) -> Result<Message, NoMessage> {
        let mut message = Message::default();
        each("a message", bytes, |number, field| {
            match (number, field) {
                (1, Field::Varint(kind)) => message.kind = kind,
                (2, Field::Varint(to)) => message.to = to,
                (3, Field::Varint(from)) => message.from = from,
                (4, Field::Varint(term)) => message.term = term,
                (5, Field::Varint(term)) => message.log_term = term,
                (6, Field::Varint(index)) => message.index = index,
                (7, Field::Bytes(entry)) => message.entries.push(Entry::read(entry)?),
                (8, Field::Varint(commit)) => message.commit = commit,
                (9, Field::Bytes(snapshot)) => message.snapshot = Snapshot::read(snapshot)?,
                (10, Field::Varint(reject)) => message.reject = reject != 0,
                (11, Field::Varint(hint)) => message.reject_hint = hint,
                (12, Field::Bytes(context)) => message.context = context.to_vec(),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        match message.name() {
            Some(_) => Ok(message),
            None => Err(NoMessage(format!(
                "type {} is none of raftpb's: is this another version of etcd?",
                message.kind
            ))),
        }
    }

    /// Returns the name of its type.
    fn name(&self) -> Option<&'static str> {
        usize::try_from(self.kind).ok().and_then(|kind| TYPES.get(kind)).copied()
    }

    /// Whether this only keeps a connection open.
    pub fn is_keep_alive(&self) -> bool {
        self.kind == HEARTBEAT && self.from == 0 && self.to == 0
    }

    /// The message as a monitor reads it: with all fields, and names in place of ids that have one.
    pub fn json(&self, names: &Names) -> Value {
        let mut object = Map::new();
        let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
        put("type", json!(self.name()));
        put("to", json!(names.of(&hex(self.to))));
        put("from", json!(names.of(&hex(self.from))));
        put("term", json!(self.term));
        put("logTerm", json!(self.log_term));
        put("index", json!(self.index));
        put("entries", self.entries.iter().map(|entry| entry.json(names)).collect());
        put("commit", json!(self.commit));
        put("reject", json!(self.reject));
        put("rejectHint", json!(self.reject_hint));
        put("context", json!(base64(&self.context)));
        if self.kind == SNAP {
            put("snapshot", self.snapshot.json(names));
        }
        Value::Object(object)
    }
}

#[cfg(test)]
mod tests {
    use super::Message;
    use crate::names::Names;

    #[test]
    fn absent_fields_have_their_defaults() {
        let message = Message::read(&[8, 9, 16, 255, 1, 24, 2]).unwrap();
        let mut names = Names::default();
        names.learn("2", "n2");
        let json: serde_json::Value = serde_json::from_str(
            r#"{"type":"MsgHeartbeatResp","to":"ff","from":"n2","term":0,"logTerm":0,"index":0,"entries":[],"commit":0,"reject":false,"rejectHint":0,"context":""}"#,
        )
        .unwrap();
        assert_eq!(message.json(&names), json);
    }

    #[test]
    fn other_versions_are_told() {
        assert!(Message::read(&[8, 40]).unwrap_err().0.contains("type 40 is none of raftpb's"));
        assert!(Message::read(&[0x68, 1]).unwrap_err().0.contains("field 13 of a message"));
        assert!(Message::read(&[0x3a, 2, 8, 9]).unwrap_err().0.contains("field 1 of an entry"));
        assert!(Message::read(&[0x3a, 2, 8]).unwrap_err().0.contains("it ends within a field"));
    }
}
