//! `raft-node`: a small Raft over TCP that logs every step of the protocol, as an example of a program that
//! is held against its specification. Here the parts are put together: time, sockets, files.

mod args;
mod events;
mod journal;
mod message;
mod network;
mod raft;
mod store;

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Parser;

use crate::args::Args;
use crate::events::{Event, EventLog};
use crate::journal::{Journal, Record, Saved};
use crate::message::{Frame, NodeId};
use crate::network::Input;
use crate::raft::{Effect, Raft, Role, Setup};
use crate::store::{Answer, Store, is_command};

fn main() -> Result<()> {
    let args = Args::parse();
    args.check()?;
    let (inputs, received) = channel();
    let mut node = Node::start(args)?;
    network::listen(node.args.listen_address(), inputs)?;
    loop {
        match received.recv_timeout(node.deadline.saturating_duration_since(now())) {
            Ok(input) => node.take(input)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => bail!("the listener has ended"),
        }
        node.keep_time()?;
    }
}

#[expect(clippy::disallowed_methods, reason = "this is a program under test, not a part of the checker")]
fn now() -> Instant {
    Instant::now()
}

/// A node with its hands in the world.
struct Node {
    args: Args,
    raft: Raft,
    store: Store,
    journal: Journal,
    events: EventLog,
    peers: BTreeMap<NodeId, Sender<Frame>>,
    /// The youngest connection of each peer.
    connections: BTreeMap<NodeId, u64>,
    /// When a leader shows that it is there, and when any other stands for election.
    deadline: Instant,
}

impl Node {
    fn start(args: Args) -> Result<Node> {
        let (journal, durable) = Journal::open(&args.data)?;
        let events = EventLog::open(&args.node, &args.log, durable.event.as_deref())?;
        let peers: BTreeMap<NodeId, Sender<Frame>> = args
            .peers()
            .map(|member| (member.id.clone(), network::peer(&args.node, &member.address)))
            .collect();
        let setup = Setup {
            id: args.node.clone(),
            peers: peers.keys().cloned().collect(),
            batch: args.batch,
            bug: args.bug,
        };
        let mut node = Node {
            deadline: now() + election_timeout(&args),
            raft: Raft::start(setup, durable),
            store: Store::default(),
            connections: BTreeMap::new(),
            args,
            journal,
            events,
            peers,
        };
        node.carry_out()?;
        Ok(node)
    }

    fn take(&mut self, input: Input) -> Result<()> {
        match input {
            Input::Frame { from, connection, frame } => {
                let youngest = self.connections.entry(from.clone()).or_default();
                *youngest = connection.max(*youngest);
                if *youngest == connection {
                    self.events.meet(frame.clock);
                    self.raft.receive(&from, &frame.msg);
                }
            }
            Input::Client { line, answer } => self.serve(&line, answer),
        }
        self.carry_out()
    }

    fn serve(&mut self, line: &str, answer: Answer) {
        let text = if line.trim() == "status" {
            self.raft.status().to_string()
        } else if !is_command(line) {
            "error: put KEY VALUE, get KEY, or status".to_owned()
        } else if self.raft.role() == Role::Leader {
            return self.request(line.trim(), answer);
        } else {
            let address = self.raft.leader().and_then(|leader| self.args.address_of(leader));
            address.map_or("no leader".to_owned(), |address| format!("redirect {address}"))
        };
        // A client that has gone needs no answer.
        drop(answer.send(text));
    }

    fn request(&mut self, command: &str, answer: Answer) {
        let index = self.raft.client_request(command).expect("`serve` has seen a leader");
        self.store.wait(index, self.raft.log()[index - 1].term, answer);
    }

    fn keep_time(&mut self) -> Result<()> {
        if now() < self.deadline {
            return Ok(());
        }
        match self.raft.role() {
            Role::Leader => self.raft.send_heartbeats(),
            Role::Follower | Role::Candidate => self.raft.timeout(),
        }
        self.carry_out()
    }

    /// Carries out the effects of the protocol in their order: nothing is sent that is not on disk.
    fn carry_out(&mut self) -> Result<()> {
        let mut unsaved = None;
        for effect in self.raft.take_effects() {
            match effect {
                Effect::Save(record) => unsaved = Some(record),
                Effect::Log(event) => self.log(&event, unsaved.take())?,
                Effect::Send { to, message } => {
                    self.send(&to, Frame { clock: self.events.clock(), msg: message })
                }
                Effect::Wait => self.deadline = now() + election_timeout(&self.args),
                Effect::Rest => self.deadline = now() + Duration::from_millis(self.args.heartbeat_ms),
            }
        }
        let log = self.raft.log();
        self.store.apply(&log[..self.raft.commit().min(log.len())]);
        if self.raft.role() != Role::Leader {
            self.store.give_up();
        }
        Ok(())
    }

    /// An event, with what it changes on disk.
    fn log(&mut self, event: &Event, record: Option<Record>) -> Result<()> {
        let line = self.events.next_line(event)?;
        if let Some(record) = record {
            self.journal.save(&Saved { record, event: line.clone() })?;
        }
        self.events.write(&line)
    }

    fn send(&self, to: &str, frame: Frame) {
        let peer = self.peers.get(to).expect("the protocol knows peers only");
        peer.send(frame).expect("the thread of a peer lives as long as the process");
    }
}

/// Between once and twice the shortest one, so that two nodes seldom stand at the same time.
fn election_timeout(args: &Args) -> Duration {
    let random = RandomState::new().hash_one(0) % args.election_ms;
    Duration::from_millis(args.election_ms + random)
}
