//! The messages between nodes, field by field as `Raft.tla` has them.

use serde::{Deserialize, Serialize};

/// The name of a node, as on the command line.
pub type NodeId = String;

/// One command in the log. Positions count from 1, as in the specification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub term: u64,
    /// The line that the client sent.
    pub value: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Message {
    /// A candidate asks for a vote.
    Ask(Ask),
    /// The answer to it.
    Vote(Vote),
    /// A leader sends entries, or none to show that it is there.
    Append(Append),
    /// The answer to that.
    Reply(Reply),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ask {
    pub term: u64,
    pub last_term: u64,
    pub last_index: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    pub term: u64,
    pub granted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Append {
    pub term: u64,
    /// The entries follow this one.
    pub prev_index: usize,
    pub prev_term: u64,
    pub entries: Vec<Entry>,
    /// How far the leader has committed, whether or not the receiver has those entries.
    pub commit: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    pub term: u64,
    pub ok: bool,
    /// Up to where the logs are known to agree; in a refusal, how long the refuser's log is.
    #[serde(rename = "match")]
    pub matched: usize,
}

impl Message {
    pub fn term(&self) -> u64 {
        match self {
            Message::Ask(ask) => ask.term,
            Message::Vote(vote) => vote.term,
            Message::Append(append) => append.term,
            Message::Reply(reply) => reply.term,
        }
    }
}

/// A line between two nodes: a message with the logical clock of the event that sent it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    pub clock: u64,
    pub msg: Message,
}
