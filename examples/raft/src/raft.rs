//! The protocol alone: inputs come in, effects go out. No time, no sockets, no files.
//!
//! Each method that records an event is one action of `Raft.tla`, and does what that action does.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::args::Bug;
use crate::events::{Details, Event, Kind};
use crate::journal::{Durable, Record};
use crate::message::{Append, Ask, Entry, Message, NodeId, Reply, Vote};

/// Whom a node voted for that has not voted, in its log of events.
pub const NOBODY: &str = "none";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Follower,
    Candidate,
    Leader,
}

/// An effect that the caller must carry out, in this order: first save, then send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Together with the event that is logged next; no event has two.
    Save(Record),
    Log(Box<Event>),
    Send {
        to: NodeId,
        message: Message,
    },
    /// There is a leader or a candidate worth waiting for: start the election timer anew.
    Wait,
    /// The followers have heard of this leader: start the timer of its next sign of life.
    Rest,
}

/// How the cluster is, and which mistake is made on purpose.
#[derive(Debug, Clone)]
pub struct Setup {
    pub id: NodeId,
    pub peers: Vec<NodeId>,
    pub batch: usize,
    pub bug: Option<Bug>,
}

/// How far a follower is, as its leader knows it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Progress {
    next: usize,
    matched: usize,
}

pub struct Raft {
    setup: Setup,
    durable: Durable,
    role: Role,
    commit: usize,
    votes: BTreeSet<NodeId>,
    /// Invariant: one for each peer.
    progress: BTreeMap<NodeId, Progress>,
    /// The last leader heard of: where clients are sent.
    leader: Option<NodeId>,
    effects: Vec<Effect>,
}

impl Raft {
    /// A node that starts, for the first time or again.
    pub fn start(setup: Setup, durable: Durable) -> Raft {
        let fresh = Progress { next: 1, matched: 0 };
        let progress = setup.peers.iter().map(|peer| (peer.clone(), fresh)).collect();
        let mut raft = Raft {
            setup,
            durable,
            role: Role::Follower,
            commit: 0,
            votes: BTreeSet::new(),
            progress,
            leader: None,
            effects: Vec::new(),
        };
        let log = Some(raft.durable.log.clone());
        raft.record(Kind::Start, Details { log, ..Details::default() });
        raft
    }

    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    pub fn role(&self) -> Role {
        self.role
    }

    pub fn commit(&self) -> usize {
        self.commit
    }

    pub fn leader(&self) -> Option<&str> {
        self.leader.as_deref()
    }

    pub fn log(&self) -> &[Entry] {
        &self.durable.log
    }

    /// How the node is now, for whoever asks.
    pub fn status(&self) -> serde_json::Value {
        serde_json::json!({
            "node": self.setup.id, "role": self.role, "term": self.durable.term,
            "votedFor": self.durable.voted_for.as_deref().unwrap_or(NOBODY), "log": self.durable.log, "commit": self.commit,
        })
    }

    /// Nobody was heard of for too long.
    pub fn timeout(&mut self) {
        self.role = Role::Candidate;
        self.leader = None;
        self.votes = BTreeSet::from([self.setup.id.clone()]);
        self.set_vote(self.durable.term + 1, Some(self.setup.id.clone()));
        let ask = Message::Ask(Ask {
            term: self.durable.term,
            last_term: self.last_term(),
            last_index: self.last_index(),
        });
        self.record(Kind::Timeout, Details { msg: Some(ask.clone()), ..Details::default() });
        for to in self.setup.peers.clone() {
            self.effects.push(Effect::Send { to, message: ask.clone() });
        }
        self.effects.push(Effect::Wait);
        self.become_leader_if_elected();
    }

    /// A client's command; `None` if this node is not the leader, else the place of its entry.
    pub fn client_request(&mut self, value: &str) -> Option<usize> {
        if self.role != Role::Leader {
            return None;
        }
        let entry = Entry { term: self.durable.term, value: value.to_owned() };
        self.replace_log(self.last_index(), vec![entry]);
        self.record(Kind::ClientRequest, Details { value: Some(value.to_owned()), ..Details::default() });
        self.send_appends(self.setup.batch);
        self.advance_commit();
        Some(self.last_index())
    }

    /// A sign of life for every follower. Who lacks entries says so in the answer, and is sent them then.
    pub fn send_heartbeats(&mut self) {
        self.send_appends(0);
    }

    pub fn receive(&mut self, from: &str, message: &Message) {
        if !self.progress.contains_key(from) {
            return;
        }
        if message.term() > self.durable.term {
            self.step_down(from, message);
        }
        match message {
            Message::Ask(ask) => self.handle_ask(from, ask),
            Message::Vote(vote) => self.handle_vote(from, vote),
            Message::Append(append) => self.handle_append(from, append),
            Message::Reply(reply) => self.handle_reply(from, reply),
        }
    }

    fn step_down(&mut self, from: &str, message: &Message) {
        if self.role == Role::Leader {
            self.effects.push(Effect::Wait);
        }
        self.role = Role::Follower;
        self.leader = None;
        self.set_vote(message.term(), None);
        self.record(Kind::StepDown, received(from, message.clone()));
    }

    fn handle_ask(&mut self, from: &str, ask: &Ask) {
        let own = (self.last_term(), self.last_index());
        let up_to_date = (ask.last_term, ask.last_index) >= own || self.has(Bug::VoteEarly);
        let voted_for = self.durable.voted_for.as_deref();
        let is_free = voted_for.is_none_or(|voted_for| voted_for == from) || self.has(Bug::VoteTwice);
        let granted = ask.term == self.durable.term && up_to_date && is_free;
        if granted {
            self.set_vote(self.durable.term, Some(from.to_owned()));
            self.effects.push(Effect::Wait);
        }
        let vote = Message::Vote(Vote { term: self.durable.term, granted });
        self.answer(Kind::HandleAsk, received(from, Message::Ask(ask.clone())), vote);
    }

    fn handle_vote(&mut self, from: &str, vote: &Vote) {
        let is_current = vote.term == self.durable.term && self.role == Role::Candidate;
        if is_current && (vote.granted || self.has(Bug::WrongQuorum)) {
            self.votes.insert(from.to_owned());
        }
        let votes = Some(self.votes.iter().cloned().collect());
        self.record(Kind::HandleVote, Details { votes, ..received(from, Message::Vote(vote.clone())) });
        self.become_leader_if_elected();
    }

    fn become_leader_if_elected(&mut self) {
        if self.role != Role::Candidate || !self.is_majority(self.votes.len()) {
            return;
        }
        self.role = Role::Leader;
        self.leader = Some(self.setup.id.clone());
        let fresh = Progress { next: self.last_index() + 1, matched: 0 };
        self.progress.values_mut().for_each(|progress| *progress = fresh);
        let votes = Some(self.votes.iter().cloned().collect());
        self.record(Kind::BecomeLeader, Details { votes, ..Details::default() });
        self.send_heartbeats();
    }

    fn send_appends(&mut self, n_entries_max: usize) {
        for to in self.setup.peers.clone() {
            self.send_append(&to, n_entries_max);
        }
        self.effects.push(Effect::Rest);
    }

    fn send_append(&mut self, to: &str, n_entries_max: usize) {
        let next = self.progress[to].next;
        let entries: Vec<Entry> =
            self.durable.log.iter().skip(next - 1).take(n_entries_max).cloned().collect();
        let append = Message::Append(Append {
            term: self.durable.term,
            prev_index: next - 1,
            prev_term: self.term_at(next - 1).unwrap_or(0),
            entries,
            commit: self.commit,
        });
        let details = Details { to: Some(to.to_owned()), msg: Some(append.clone()), ..Details::default() };
        self.record(Kind::SendAppend, details);
        self.effects.push(Effect::Send { to: to.to_owned(), message: append });
    }

    fn handle_append(&mut self, from: &str, append: &Append) {
        let is_current = append.term == self.durable.term;
        if is_current {
            self.role = Role::Follower;
            self.leader = Some(from.to_owned());
            self.effects.push(Effect::Wait);
        }
        let fits = append.prev_index == 0 || self.term_at(append.prev_index) == Some(append.prev_term);
        let ok = is_current && fits;
        let end = append.prev_index + append.entries.len();
        if ok {
            self.store_entries(append, end);
            let safe = if self.has(Bug::CommitBeyond) { self.last_index() } else { end };
            self.commit = self.commit.max(append.commit.min(safe));
        }
        let is_exact = ok && !self.has(Bug::InaccurateAck);
        let matched = if is_exact { end } else { self.last_index() };
        let reply = Message::Reply(Reply { term: self.durable.term, ok, matched });
        self.answer(Kind::HandleAppend, received(from, Message::Append(append.clone())), reply);
    }

    /// Makes the log agree with this append. What it says already stays, and so does what follows.
    fn store_entries(&mut self, append: &Append, end: usize) {
        let own = self.durable.log.get(append.prev_index..end);
        let agrees = own.is_some_and(|own| own.iter().zip(&append.entries).all(|(a, b)| a.term == b.term));
        if !agrees || self.has(Bug::TruncateEarly) {
            self.replace_log(append.prev_index, append.entries.clone());
        }
    }

    fn handle_reply(&mut self, from: &str, reply: &Reply) {
        let is_current = reply.term == self.durable.term && self.role == Role::Leader;
        let last = self.last_index();
        let is_ack = reply.ok || self.has(Bug::CommitOnNack);
        let progress = self.progress.get_mut(from).expect("`receive` lets peers pass only");
        let before = *progress;
        if is_current && is_ack {
            progress.matched = progress.matched.max(reply.matched.min(last));
            progress.next = progress.matched + 1;
        } else if is_current {
            let back = (progress.next - 1).min(reply.matched + 1);
            progress.next = back.max(progress.matched + 1);
        }
        let Progress { next, matched } = *progress;
        let details = received(from, Message::Reply(reply.clone()));
        let details = Details { next: Some(next), matched: Some(matched), ..details };
        self.record(Kind::HandleReply, details);
        if is_current {
            self.advance_commit();
        }
        // A refusal from which nothing is learnt waits for the next sign of life, or the two go on for ever.
        let sends = if reply.ok { next <= last } else { next < before.next };
        if is_current && sends {
            self.send_append(from, self.setup.batch);
        }
    }

    fn advance_commit(&mut self) {
        let counts = |n: &usize| {
            let has_it = |progress: &&Progress| progress.matched >= *n;
            let is_own = self.term_at(*n) == Some(self.durable.term) || self.has(Bug::CommitOldTerm);
            is_own && self.is_majority(1 + self.progress.values().filter(has_it).count())
        };
        if let Some(commit) = (self.commit + 1..=self.last_index()).rev().find(counts) {
            self.commit = commit;
            self.record(Kind::AdvanceCommit, Details::default());
        }
    }

    fn answer(&mut self, kind: Kind, details: Details, reply: Message) {
        let to = details.from.clone().expect("an answer has somebody to go to");
        self.record(kind, Details { reply: Some(reply.clone()), ..details });
        self.effects.push(Effect::Send { to, message: reply });
    }

    fn record(&mut self, event: Kind, details: Details) {
        let event = Event {
            event,
            term: self.durable.term,
            role: self.role,
            voted_for: self.durable.voted_for.clone().unwrap_or_else(|| NOBODY.to_owned()),
            last: self.last_index(),
            commit: self.commit,
            details,
        };
        self.effects.push(Effect::Log(Box::new(event)));
    }

    fn set_vote(&mut self, term: u64, voted_for: Option<NodeId>) {
        (self.durable.term, self.durable.voted_for) = (term, voted_for.clone());
        if !self.has(Bug::ForgetVote) {
            self.effects.push(Effect::Save(Record::Vote { term, voted_for }));
        }
    }

    fn replace_log(&mut self, keep: usize, entries: Vec<Entry>) {
        self.durable.log.truncate(keep);
        self.durable.log.extend(entries.iter().cloned());
        self.effects.push(Effect::Save(Record::Append { keep, entries }));
    }

    fn has(&self, bug: Bug) -> bool {
        self.setup.bug == Some(bug)
    }

    fn is_majority(&self, n_nodes: usize) -> bool {
        2 * n_nodes > self.setup.peers.len() + 1
    }

    fn last_index(&self) -> usize {
        self.durable.log.len()
    }

    fn last_term(&self) -> u64 {
        self.durable.log.last().map_or(0, |entry| entry.term)
    }

    fn term_at(&self, index: usize) -> Option<u64> {
        self.durable.log.get(index.checked_sub(1)?).map(|entry| entry.term)
    }
}

fn received(from: &str, message: Message) -> Details {
    Details { from: Some(from.to_owned()), msg: Some(message), ..Details::default() }
}
