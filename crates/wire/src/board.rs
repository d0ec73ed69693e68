//! The board: the current state of a node's threads and connections, in memory that both sides map.
//!
//! Every field is an atomic and zero is a valid value of each, so that a fresh file is an empty board and no value that
//! either side writes can be invalid for the other.

use std::sync::atomic::{AtomicU32, AtomicU64};

/// The most threads of one node at once.
pub const SLOTS_MAX: usize = 1024;
/// The most ends of connections and datagram sockets of one node at once.
pub const LINKS_MAX: usize = 4096;
/// The most timers of one node at once.
pub const TIMERS_MAX: usize = 1024;

/// A deadline that never comes.
pub const NEVER_NS: u64 = u64::MAX;

/// One node's board. The stage makes it before the node starts, and only the stage writes the first part.
#[repr(C)]
pub struct Board {
    /// [`crate::VERSION`] of the side that made it.
    pub version: AtomicU32,
    /// Not zero while the stage wants to hear the bell.
    pub listening: AtomicU32,
    /// The node's monotonic clock.
    pub now_ns: AtomicU64,
    /// The offset from it to the time of day.
    pub wall_offset_ns: AtomicU64,
    /// Not zero if of the node's threads only one runs at a time: the others wait until the stage gives them the turn.
    pub takes_turns: AtomicU32,
    /// Not zero if the stage wants to know which writes are made durable.
    pub tracks_files: AtomicU32,
    /// Not zero while the stage wants to be asked before files are touched.
    pub asks_of_files: AtomicU32,
    /// A word that changes when calls on files that were held go on. Guests wait on it.
    pub file_gate: AtomicU32,
    /// Number of datagrams of the node that found no receiver; the stage counts.
    pub n_refusals: AtomicU32,
    /// The seed of the node's random numbers.
    pub seed: AtomicU64,
    /// Number of threads with a slot that are not blocked. Guests count; the stage corrects it for threads that died.
    pub n_running: AtomicU32,
    /// Number of slots that were ever taken; the stage ignores the others.
    pub n_slots: AtomicU32,
    pub slots: [Slot; SLOTS_MAX],
    pub links: [Link; LINKS_MAX],
    pub timers: [Timer; TIMERS_MAX],
}

/// One thread of a guest.
///
/// The thread writes everything but `wake`. It sets `state` last when it blocks, and first when it runs again.
#[repr(C)]
pub struct Slot {
    pub tid: AtomicU32,
    pub pid: AtomicU32,
    /// A [`ThreadState`].
    pub state: AtomicU32,
    /// A [`Call`]: the call that the thread is blocked in.
    pub call: AtomicU32,
    /// A [`Wake`] that the stage writes; the thread waits on this word and sets it back before it waits again.
    pub wake: AtomicU32,
    /// The number of the thread within its process, in the order in which threads were made.
    pub ordinal: AtomicU32,
    /// Not zero once the stage has given a thread that is ready the turn; the thread waits on this word.
    pub turn: AtomicU32,
    /// Number of times that a contending thread has tried in vain since it began to contend.
    pub n_tries: AtomicU32,
    /// The time when the wait ends, on the node's monotonic clock; [`NEVER_NS`] if it does not.
    pub deadline_ns: AtomicU64,
    /// The time when the wait began.
    pub begun_ns: AtomicU64,
    /// A [`Purpose`]: whether the program itself waits, or the language's runtime.
    pub purpose: AtomicU32,
    /// The length of a wait between threads in real time while others run; [`NEVER_NS`] for other waits.
    pub patience_ns: AtomicU64,
}

/// One end of a connection, or one datagram socket.
#[repr(C)]
pub struct Link {
    /// An [`Outcome`] of the attempt to connect, which the stage writes. Guests wait on this word.
    pub outcome: AtomicU32,
    /// Not zero once the guest has seen the end of the stream or an error of the connection.
    pub saw_end: AtomicU32,
    /// The port of the kernel's loopback to which a datagram was sent that found no receiver; zero once the guest's
    /// side has seen it.
    pub refused_port: AtomicU32,
    /// Number of bytes (datagrams) that the guest has given to the kernel.
    pub sent: AtomicU64,
    /// Number of bytes (datagrams) that the guest has taken from the kernel.
    pub received: AtomicU64,
}

/// A timer that a program sets without waiting for it in a call.
#[repr(C)]
pub struct Timer {
    /// The time when it goes off next; [`NEVER_NS`] or zero when it is not set.
    pub deadline_ns: AtomicU64,
    /// The interval at which it goes off again; zero if it does not.
    pub interval_ns: AtomicU64,
    /// The number of times that it went off at once, beyond the first, when it last did; the stage counts.
    pub n_overrun: AtomicU32,
    /// Whether absolute times are of the clock of day.
    pub is_wall: AtomicU32,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $value:literal $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[repr(u32)]
        pub enum $name { $($(#[$variant_doc])* $variant = $value,)* }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            pub const fn word(self) -> u32 {
                self as u32
            }

            /// Returns the meaning of a word, if it has one.
            pub const fn from_word(word: u32) -> Option<$name> {
                match word { $($value => Some($name::$variant),)* _ => None }
            }

            /// Returns the name for people.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

words! {
    /// The state of a thread.
    ThreadState {
        Free = 0 "free",
        Running = 1 "running",
        Blocked = 2 "blocked",
        /// The thread could run, and waits for its turn.
        Ready = 3 "ready",
        /// The thread waits for its turn to try once more for a lock that another thread has.
        Contending = 4 "contending",
    }
}

words! {
    /// The reason why the stage wakes a thread.
    Wake {
        Not = 0 "not",
        /// The deadline has come; the clock shows it.
        Expired = 1 "expired",
        /// A wait between threads has taken as long as it may in real time; the clock did not move.
        Impatient = 2 "impatient",
        /// Something was decided that the thread may be waiting for: it must look again.
        Look = 3 "look",
    }
}

words! {
    /// The purpose of a wait, as far as the guest's side knows it. The clock is never moved for the runtime's waits.
    Purpose {
        Program = 0 "the program",
        Runtime = 1 "the runtime",
        /// A short wait of the runtime, which ends by itself.
        Pause = 2 "a pause of the runtime",
    }
}

words! {
    /// The outcome of an attempt to connect.
    Outcome {
        Pending = 0 "pending",
        Accepted = 1 "accepted",
        Refused = 2 "refused",
        TimedOut = 3 "timed out",
        Unreachable = 4 "unreachable",
        /// The connection is made, and breaks when the guest first sends something.
        Broken = 5 "broken",
    }
}

words! {
    /// The call that a blocked thread is in.
    Call {
        Unknown = 0 "unknown",
        Sleep = 1 "sleep",
        Poll = 2 "poll",
        Select = 3 "select",
        Epoll = 4 "epoll_wait",
        CondWait = 5 "pthread_cond_wait",
        SemWait = 6 "sem_wait",
        MutexLock = 7 "pthread_mutex_lock",
        RwLock = 8 "pthread_rwlock",
        Join = 9 "pthread_join",
        Futex = 10 "futex",
        Connect = 11 "connect",
        Accept = 12 "accept",
        Receive = 13 "recv",
        Send = 14 "send",
        Read = 15 "read",
        Write = 16 "write",
        SigWait = 17 "sigwait",
        WaitPid = 18 "waitpid",
        File = 19 "a call on a file that is held",
        Datagram = 20 "recv of a datagram",
        Timer = 21 "a timer that runs a function",
    }
}

#[cfg(test)]
mod tests {
    use super::{Board, Call, Outcome, Purpose, ThreadState, Wake};

    #[test]
    fn every_word_is_read_back_as_what_it_was() {
        for state in ThreadState::ALL {
            assert_eq!(ThreadState::from_word(state.word()), Some(*state));
        }
        for wake in Wake::ALL {
            assert_eq!(Wake::from_word(wake.word()), Some(*wake));
        }
        for purpose in Purpose::ALL {
            assert_eq!(Purpose::from_word(purpose.word()), Some(*purpose));
        }
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::from_word(outcome.word()), Some(*outcome));
        }
        for call in Call::ALL {
            assert_eq!(Call::from_word(call.word()), Some(*call));
        }
        assert_eq!(Call::from_word(4_000_000_000), None);
    }

    #[test]
    fn a_fresh_file_is_an_empty_board() {
        assert_eq!(ThreadState::from_word(0), Some(ThreadState::Free));
        assert_eq!(Wake::from_word(0), Some(Wake::Not));
        assert_eq!(Outcome::from_word(0), Some(Outcome::Pending));
        assert_eq!(size_of::<Board>() % align_of::<Board>(), 0);
    }
}
