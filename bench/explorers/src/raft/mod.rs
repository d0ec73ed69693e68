//! `suite/protocols/RaftLog.tla`, a state in six words: one for each of at most three servers, and three for the six
//! queues between them. The layout is in [`state`], the actions in [`steps`], the invariants in [`invariants`].

mod invariants;
mod state;
mod steps;

use crate::Model;
use state::State;

/// The constants of the specification, within what the layout has room for.
#[derive(Clone, Copy, Debug)]
pub struct Raft {
    n_servers: usize,
    n_values: u64,
    term_max: u64,
    log_len_max: u64,
    queue_len_max: u32,
}

/// The constants, as a configuration gives them.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub n_servers: usize,
    pub n_values: u64,
    pub term_max: u64,
    pub log_len_max: u64,
    pub queue_len_max: u32,
}

impl Raft {
    /// `None` when a bound is beyond the layout.
    pub fn new(bounds: Bounds) -> Option<Raft> {
        let Bounds { n_servers, n_values, term_max, log_len_max, queue_len_max } = bounds;
        let fits = n_servers <= state::N_SERVERS_MAX
            && n_values <= state::N_VALUES_MAX
            && term_max <= state::TERM_MAX
            && log_len_max <= state::LOG_LEN_MAX
            && queue_len_max <= state::QUEUE_LEN_MAX;
        fits.then_some(Raft { n_servers, n_values, term_max, log_len_max, queue_len_max })
    }
}

impl Model for Raft {
    type State = [u64; 6];

    fn initial(&self) -> [u64; 6] {
        State::default().0
    }

    fn successors(&self, state: [u64; 6], out: &mut Vec<[u64; 6]>) {
        self.steps(State(state), out);
    }

    fn holds(&self, state: [u64; 6]) -> bool {
        self.invariants(State(state))
    }
}
