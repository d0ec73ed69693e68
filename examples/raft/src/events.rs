//! The log of events: a JSON object a line, in the order in which they happened at this node.
//!
//! `clock` is a Lamport clock: sorted by `clock`, then `node`, the lines of all nodes are in an order that
//! could have happened. A line is written by one system call, so that a crash leaves no half of it.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
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

/// The fields that only some kinds of events have.
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

/// The position that a line gives to the next one.
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
    /// Goes on where the file ends. `saved` is the last event of which the journal knows: it is added if a
    /// crash has kept it from being written here.
    pub fn open(node: &str, path: &Path, saved: Option<&str>) -> Result<EventLog> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = file.with_context(|| format!("cannot open `{}`", path.display()))?;
        let last = recover(&mut file).with_context(|| format!("cannot go on with `{}`", path.display()))?;
        let mut events = EventLog { node: node.to_owned(), file, last };
        if let Some(line) = saved {
            let position: Position = serde_json::from_str(line)?;
            if position.seq > events.last.seq {
                events.write(line)?;
                events.last = position;
            }
        }
        Ok(events)
    }

    /// A message with this clock is about to be handled.
    pub fn meet(&mut self, clock: u64) {
        self.last.clock = self.last.clock.max(clock);
    }

    /// The clock of the last event.
    pub fn clock(&self) -> u64 {
        self.last.clock
    }

    /// The line of the next event, which is to be written at once.
    pub fn next_line(&mut self, event: &Event) -> Result<String> {
        self.last = Position { seq: self.last.seq + 1, clock: self.last.clock + 1 };
        let line = Line { node: &self.node, seq: self.last.seq, clock: self.last.clock, event };
        Ok(serde_json::to_string(&line)?)
    }

    pub fn write(&mut self, line: &str) -> Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())?;
        Ok(())
    }
}

/// Where the last whole line is. What follows it, a crash has torn: nobody has heard of that event.
fn recover(file: &mut File) -> Result<Position> {
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    file.set_len(whole.len() as u64)?;
    let last = whole.lines().next_back();
    last.map_or_else(|| Ok(Position::default()), |line| Ok(serde_json::from_str(line)?))
}
