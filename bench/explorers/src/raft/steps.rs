//! The actions of the Raft, each under its name in the specification.

use super::Raft;
use super::state::{
    ALL_MATCH, ALL_NEXT, CANDIDATE, COMMIT, FOLLOWER, LEADER, LOG_LEN, ROLE, State, TERM, VOTED_FOR, VOTES,
    entries, entry, entry_term, last_term, match_index, message, next_index,
};

type Out = Vec<[u64; 6]>;

impl Raft {
    /// Next.
    pub(super) fn steps(&self, state: State, out: &mut Out) {
        for i in 0..self.n_servers {
            self.timeout(state, i, out);
            self.become_leader(state, i, out);
            self.advance_commit(state, i, out);
            self.client_request(state, i, out);
            for j in (0..self.n_servers).filter(|&j| j != i) {
                self.ask_vote(state, i, j, out);
                self.send_entries(state, i, j, out);
                self.receive(state, i, j, out);
                if state.front(i, j) != 0 {
                    out.push(state.take(i, j).0);
                }
            }
        }
    }

    fn room(&self, state: State, from: usize, to: usize) -> bool {
        state.queue_len(from, to) < self.queue_len_max
    }

    fn is_majority(&self, set: u64) -> bool {
        2 * set.count_ones() as usize > self.n_servers
    }

    fn timeout(&self, state: State, i: usize, out: &mut Out) {
        let server = state.server(i);
        if ROLE.of(server) == LEADER || TERM.of(server) >= self.term_max {
            return;
        }
        let server = TERM.set(server, TERM.of(server) + 1);
        let server = VOTED_FOR.set(ROLE.set(server, CANDIDATE), i as u64 + 1);
        out.push(state.with_server(i, VOTES.set(server, 1 << i)).0);
    }

    fn ask_vote(&self, state: State, i: usize, j: usize, out: &mut Out) {
        let server = state.server(i);
        if ROLE.of(server) != CANDIDATE || VOTES.of(server) >> j & 1 == 1 || !self.room(state, i, j) {
            return;
        }
        let ask = message::TERM.set(message::TYPE.set(0, message::ASK), TERM.of(server));
        let ask = message::LAST_TERM.set(ask, last_term(server));
        out.push(state.put(i, j, message::LAST_INDEX.set(ask, LOG_LEN.of(server))).0);
    }

    fn become_leader(&self, state: State, i: usize, out: &mut Out) {
        let server = state.server(i);
        if ROLE.of(server) != CANDIDATE || !self.is_majority(VOTES.of(server)) {
            return;
        }
        let len = LOG_LEN.of(server);
        let server = ROLE.set(server, LEADER);
        let next = (0..self.n_servers).fold(0, |next, j| next | len << (2 * j));
        out.push(state.with_server(i, ALL_MATCH.set(ALL_NEXT.set(server, next), 0)).0);
    }

    fn client_request(&self, state: State, i: usize, out: &mut Out) {
        let server = state.server(i);
        let len = LOG_LEN.of(server);
        if ROLE.of(server) != LEADER || len >= self.log_len_max {
            return;
        }
        for value in 0..self.n_values {
            let appended = entry(len + 1).set(server, value << 2 | TERM.of(server));
            out.push(state.with_server(i, LOG_LEN.set(appended, len + 1)).0);
        }
    }

    fn send_entries(&self, state: State, i: usize, j: usize, out: &mut Out) {
        let server = state.server(i);
        if ROLE.of(server) != LEADER || !self.room(state, i, j) {
            return;
        }
        let prev = next_index(j).of(server);
        let last = LOG_LEN.of(server).min(prev + 1);
        let append = message::TERM.set(message::TYPE.set(0, message::APPEND), TERM.of(server));
        let mut append = message::PREV_INDEX.set(append, prev);
        if prev > 0 {
            append = message::PREV_TERM.set(append, entry_term(entry(prev).of(server)));
        }
        if last > prev {
            append = message::ENTRY.set(message::N_ENTRIES.set(append, 1), entry(last).of(server));
        }
        out.push(state.put(i, j, message::COMMIT.set(append, COMMIT.of(server).min(last))).0);
    }

    fn advance_commit(&self, state: State, i: usize, out: &mut Out) {
        let server = state.server(i);
        if ROLE.of(server) != LEADER {
            return;
        }
        for n in COMMIT.of(server) + 1..=LOG_LEN.of(server) {
            let agree = (0..self.n_servers).filter(|&j| j == i || match_index(j).of(server) >= n);
            let set = agree.fold(0, |set, j| set | 1 << j);
            if entry_term(entry(n).of(server)) == TERM.of(server) && self.is_majority(set) {
                out.push(state.with_server(i, COMMIT.set(server, n)).0);
            }
        }
    }

    /// StepDown and Receive: of a message from j to i.
    fn receive(&self, state: State, i: usize, j: usize, out: &mut Out) {
        let (front, server) = (state.front(j, i), state.server(i));
        if front == 0 {
            return;
        }
        let term = message::TERM.of(front);
        if term > TERM.of(server) {
            let server = ROLE.set(TERM.set(server, term), FOLLOWER);
            out.push(state.with_server(i, VOTED_FOR.set(server, 0)).0);
            return;
        }
        let rest = state.take(j, i);
        match message::TYPE.of(front) {
            message::ASK if self.room(state, i, j) => out.push(handle_ask(rest, i, j, front).0),
            message::APPEND if self.room(state, i, j) => out.push(handle_append(rest, i, j, front).0),
            message::ANSWER if message::IS_REPLY.of(front) == 1 => {
                out.push(handle_reply(rest, i, j, front).0)
            }
            message::ANSWER => out.push(handle_vote(rest, i, j, front).0),
            _ => {}
        }
    }
}

fn answer(term: u64, ok: bool) -> u64 {
    let answer = message::TERM.set(message::TYPE.set(0, message::ANSWER), term);
    message::OK.set(answer, u64::from(ok))
}

fn handle_ask(rest: State, i: usize, j: usize, ask: u64) -> State {
    let server = rest.server(i);
    let theirs = (message::LAST_TERM.of(ask), message::LAST_INDEX.of(ask));
    let up_to_date = theirs >= (last_term(server), LOG_LEN.of(server));
    let free = [0, j as u64 + 1].contains(&VOTED_FOR.of(server));
    let grant = message::TERM.of(ask) == TERM.of(server) && up_to_date && free;
    let voted = if grant { VOTED_FOR.set(server, j as u64 + 1) } else { server };
    rest.with_server(i, voted).put(i, j, answer(TERM.of(server), grant))
}

fn handle_vote(rest: State, i: usize, j: usize, vote: u64) -> State {
    let server = rest.server(i);
    let counts = message::OK.of(vote) == 1
        && message::TERM.of(vote) == TERM.of(server)
        && ROLE.of(server) == CANDIDATE;
    if counts { rest.with_server(i, VOTES.set(server, VOTES.of(server) | 1 << j)) } else { rest }
}

fn handle_append(rest: State, i: usize, j: usize, append: u64) -> State {
    let mut server = rest.server(i);
    let is_now = message::TERM.of(append) == TERM.of(server);
    let (prev, len) = (message::PREV_INDEX.of(append), LOG_LEN.of(server));
    let fits =
        prev == 0 || (prev <= len && entry_term(entry(prev).of(server)) == message::PREV_TERM.of(append));
    let ok = is_now && fits;
    let known = prev + message::N_ENTRIES.of(append);
    if is_now {
        server = ROLE.set(server, FOLLOWER);
    }
    if ok {
        server = with_entries(server, append, known);
        server = COMMIT.set(server, COMMIT.of(server).max(message::COMMIT.of(append)));
    }
    let reply = message::IS_REPLY.set(answer(TERM.of(server), ok), 1);
    let reply = message::MATCH.set(reply, if ok { known } else { 0 });
    rest.with_server(i, server).put(i, j, reply)
}

/// The log of the server when the entry of the message, if it has one, is at the index `known`.
fn with_entries(server: u64, append: u64, known: u64) -> u64 {
    let new = message::ENTRY.of(append);
    let has_it =
        LOG_LEN.of(server) >= known && (known == 0 || entry_term(entry(known).of(server)) == entry_term(new));
    if message::N_ENTRIES.of(append) == 0 || has_it {
        return server;
    }
    // What follows is cut off, and its bits must not tell two equal states apart.
    let kept = entries(known - 1).of(server);
    let server = entries(super::state::LOG_LEN_MAX).set(server, kept);
    LOG_LEN.set(entry(known).set(server, new), known)
}

fn handle_reply(rest: State, i: usize, j: usize, reply: u64) -> State {
    let server = rest.server(i);
    if message::TERM.of(reply) != TERM.of(server) || ROLE.of(server) != LEADER {
        return rest;
    }
    let changed = if message::OK.of(reply) == 1 {
        let known = message::MATCH.of(reply);
        match_index(j).set(next_index(j).set(server, known), known)
    } else {
        next_index(j).set(server, next_index(j).of(server).saturating_sub(1))
    };
    rest.with_server(i, changed)
}
