//! The invariants of the Raft, each under its name in the specification.

use super::Raft;
use super::state::{COMMIT, LEADER, LOG_LEN, ROLE, State, TERM, entries, entry, entry_term};

impl Raft {
    pub(super) fn invariants(&self, state: State) -> bool {
        let mut servers = (0..self.n_servers).map(|i| state.server(i));
        servers.all(commit_in_log)
            && (0..self.n_servers).all(|i| (0..i).all(|j| pair_holds(state.server(i), state.server(j))))
    }
}

fn pair_holds(one: u64, other: u64) -> bool {
    one_leader_per_term(one, other) && logs_match(one, other) && committed_agree(one, other)
}

fn commit_in_log(server: u64) -> bool {
    COMMIT.of(server) <= LOG_LEN.of(server)
}

fn one_leader_per_term(one: u64, other: u64) -> bool {
    ROLE.of(one) != LEADER || ROLE.of(other) != LEADER || TERM.of(one) != TERM.of(other)
}

fn logs_match(one: u64, other: u64) -> bool {
    (1..=LOG_LEN.of(one).min(LOG_LEN.of(other))).all(|n| {
        entry_term(entry(n).of(one)) != entry_term(entry(n).of(other))
            || entries(n).of(one) == entries(n).of(other)
    })
}

fn committed_agree(one: u64, other: u64) -> bool {
    let n = COMMIT.of(one).min(COMMIT.of(other));
    entries(n).of(one) == entries(n).of(other)
}
