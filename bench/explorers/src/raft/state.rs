//! How a state of the Raft is packed.
//!
//! A server is a word: term, role, votedFor, the length of its log, commit, votes, nextIndex and matchIndex for each
//! server, then the entries. A queue is half a word, with its front in the low bits; a message is never zero.

pub const N_SERVERS_MAX: usize = 3;
pub const N_VALUES_MAX: u64 = 2;
pub const TERM_MAX: u64 = 3;
pub const LOG_LEN_MAX: u64 = 3;
pub const QUEUE_LEN_MAX: u32 = 2;

pub const FOLLOWER: u64 = 0;
pub const CANDIDATE: u64 = 1;
pub const LEADER: u64 = 2;

/// The words of the servers, and then those of the queues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State(pub [u64; 6]);

/// Some bits of a word.
#[derive(Clone, Copy)]
pub struct Field {
    shift: u32,
    n_bits: u32,
}

const fn field(shift: u32, n_bits: u32) -> Field {
    Field { shift, n_bits }
}

pub const TERM: Field = field(0, 2);
pub const ROLE: Field = field(2, 2);
/// Zero for None, else the server's number plus one.
pub const VOTED_FOR: Field = field(4, 2);
pub const LOG_LEN: Field = field(6, 2);
pub const COMMIT: Field = field(8, 2);
/// A set of servers.
pub const VOTES: Field = field(10, 3);
/// Less one, of all servers.
pub const ALL_NEXT: Field = field(13, 6);
pub const ALL_MATCH: Field = field(19, 6);
const ENTRIES: u32 = 25;
const ENTRY_N_BITS: u32 = 3;

pub const fn next_index(server: usize) -> Field {
    field(ALL_NEXT.shift + 2 * server as u32, 2)
}

pub const fn match_index(server: usize) -> Field {
    field(ALL_MATCH.shift + 2 * server as u32, 2)
}

/// The entry at an index from one on: its term, and above it its value.
pub const fn entry(index: u64) -> Field {
    field(ENTRIES + ENTRY_N_BITS * (index as u32 - 1), ENTRY_N_BITS)
}

/// The first entries of a log, so many.
pub const fn entries(n: u64) -> Field {
    field(ENTRIES, ENTRY_N_BITS * n as u32)
}

pub const fn entry_term(entry: u64) -> u64 {
    entry & TERM_MAX
}

impl Field {
    pub const fn of(self, word: u64) -> u64 {
        word >> self.shift & ((1 << self.n_bits) - 1)
    }

    pub const fn set(self, word: u64, value: u64) -> u64 {
        let mask = ((1 << self.n_bits) - 1) << self.shift;
        word & !mask | value << self.shift
    }
}

/// The term of the last entry, or zero.
pub const fn last_term(server: u64) -> u64 {
    match LOG_LEN.of(server) {
        0 => 0,
        len => entry_term(entry(len).of(server)),
    }
}

/// Which queue leads from one server to another.
const QUEUE: [[usize; N_SERVERS_MAX]; N_SERVERS_MAX] = [[0, 0, 1], [2, 0, 3], [4, 5, 0]];

const MESSAGE_N_BITS: u32 = 16;

impl State {
    pub fn server(&self, server: usize) -> u64 {
        self.0[server]
    }

    pub fn with_server(mut self, server: usize, word: u64) -> State {
        self.0[server] = word;
        self
    }

    fn queue(&self, from: usize, to: usize) -> u32 {
        let index = QUEUE[from][to];
        (self.0[N_SERVERS_MAX + index / 2] >> (32 * (index % 2))) as u32
    }

    fn with_queue(mut self, from: usize, to: usize, queue: u32) -> State {
        let index = QUEUE[from][to];
        let word = &mut self.0[N_SERVERS_MAX + index / 2];
        let shift = 32 * (index % 2);
        *word = *word & !(u64::from(u32::MAX) << shift) | u64::from(queue) << shift;
        self
    }

    pub fn queue_len(&self, from: usize, to: usize) -> u32 {
        (u32::BITS - self.queue(from, to).leading_zeros()).div_ceil(MESSAGE_N_BITS)
    }

    /// The message at the front; zero if there is none.
    pub fn front(&self, from: usize, to: usize) -> u64 {
        u64::from(self.queue(from, to) & ((1 << MESSAGE_N_BITS) - 1))
    }

    pub fn take(self, from: usize, to: usize) -> State {
        let queue = self.queue(from, to);
        self.with_queue(from, to, queue >> MESSAGE_N_BITS)
    }

    pub fn put(self, from: usize, to: usize, message: u64) -> State {
        let queue = self.queue(from, to);
        let shift = MESSAGE_N_BITS * self.queue_len(from, to);
        self.with_queue(from, to, queue | (message as u32) << shift)
    }
}

/// The fields of messages. The type comes last and is not zero, so that a message in a queue has a high bit.
pub mod message {
    use super::{Field, field};

    pub const TYPE: Field = field(14, 2);
    pub const TERM: Field = field(0, 2);
    pub const LAST_TERM: Field = field(2, 2);
    pub const LAST_INDEX: Field = field(4, 2);
    /// Of a vote, and of a reply. An answer of either kind is of the type `ANSWER`.
    pub const OK: Field = field(2, 1);
    pub const MATCH: Field = field(3, 2);
    pub const IS_REPLY: Field = field(5, 1);
    pub const PREV_INDEX: Field = field(2, 2);
    pub const PREV_TERM: Field = field(4, 2);
    pub const N_ENTRIES: Field = field(6, 1);
    pub const ENTRY: Field = field(7, 3);
    pub const COMMIT: Field = field(10, 2);

    pub const ASK: u64 = 1;
    pub const APPEND: u64 = 2;
    pub const ANSWER: u64 = 3;
}
