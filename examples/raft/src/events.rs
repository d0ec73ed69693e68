//! The log of events: a JSON object a line, in the order in which they happened at this node.
//!
//! `clock` is a Lamport clock: sorted by `clock`, then `node`, the lines of all nodes are in an order that
//! could have happened. A line is written by one system call, so that a crash leaves no half of it.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::message::{Entry, Message, NodeId};
use crate::raft::Role;

/// The steps of the protocol. README.md has the action of `Raft.tla` for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Start,
    Timeout,
    StepDown,
    HandleAsk,
    HandleVote,
    BecomeLeader,
    ClientRequest,
    SendAppend,
    HandleAppend,
    HandleReply,
    AdvanceCommit,
}

/// A step, and how the node is after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    pub event: Kind,
    pub term: u64,
    pub role: Role,
    /// `none` for nobody: readers of JSON for TLA+ have no value for `null`.
    pub voted_for: NodeId,
    /// How long the log is.
    pub last: usize,
    pub commit: usize,
    #[serde(flatten)]
    pub details: Details,
}

/// What only some kinds have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<NodeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<NodeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub msg: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub votes: Option<Vec<NodeId>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<usize>,
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub matched: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<Vec<Entry>>,
}

#[derive(Serialize)]
struct Line<'a> {
    node: &'a str,
    seq: u64,
    clock: u64,
    #[serde(flatten)]
    event: &'a Event,
}

/// What a line says about the next one.
#[derive(Default, Deserialize)]
struct Position {
    seq: u64,
    clock: u64,
}

pub struct EventLog {
    node: NodeId,
    file: File,
    last: Position,
}

impl EventLog {
    /// Goes on where the file ends.
    pub fn open(node: &str, path: &Path) -> Result<EventLog> {
        let last = last_position(path).with_context(|| format!("cannot go on with `{}`", path.display()))?;
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.with_context(|| format!("cannot open `{}`", path.display()))?;
        Ok(EventLog { node: node.to_owned(), file, last })
    }

    /// A message with this clock is about to be handled.
    pub fn meet(&mut self, clock: u64) {
        self.last.clock = self.last.clock.max(clock);
    }

    /// The clock of the last event.
    pub fn clock(&self) -> u64 {
        self.last.clock
    }

    pub fn write(&mut self, event: &Event) -> Result<()> {
        self.last = Position { seq: self.last.seq + 1, clock: self.last.clock + 1 };
        let line = Line { node: &self.node, seq: self.last.seq, clock: self.last.clock, event };
        let mut bytes = serde_json::to_vec(&line)?;
        bytes.push(b'\n');
        self.file.write_all(&bytes)?;
        Ok(())
    }
}

fn last_position(path: &Path) -> Result<Position> {
    if !path.exists() {
        return Ok(Position::default());
    }
    let text = std::fs::read_to_string(path)?;
    let last = text.lines().next_back();
    last.map_or_else(|| Ok(Position::default()), |line| Ok(serde_json::from_str(line)?))
}
