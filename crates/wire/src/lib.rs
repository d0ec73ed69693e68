//! The protocol between the stage and the library in a guest program.
//!
//! It has two parts: a [`Board`] in shared memory, which says at any moment what time it is and what each thread waits
//! for, and [`Request`]s over a stream socket, each answered at once by a [`Reply`]. This crate does not depend on how
//! the library came into the guest; it opens, maps and sends nothing.

mod addr;
mod board;
mod codec;
mod message;

pub use addr::{Addr, Ip};
pub use board::{
    Board, Call, LINKS_MAX, Link, NEVER_NS, Outcome, Purpose, SLOTS_MAX, Slot, TIMERS_MAX, ThreadState,
    Timer, Wake,
};
pub use codec::{DecodeError, FRAME_BYTES_MAX, NAME_BYTES_MAX, PATH_BYTES_MAX, frame_len};
pub use message::{Family, FileCall, Proto, Reply, Request, SignalForm, SocketRole, Verdict};

/// The version, which changes whenever a message or the board does: both sides must come from one build.
pub const VERSION: u32 = 10;

/// The environment variable with the folder of the running stage: the guest's side finds everything there.
pub const ENV_FOLDER: &str = "SPECLINE_STAGE";
/// The environment variable with the number of the node that a process belongs to.
pub const ENV_NODE: &str = "SPECLINE_NODE";

/// The files in the stage's folder.
pub mod files {
    /// The name of the stage's socket.
    pub const CONTROL: &str = "control";
    /// The name of a named pipe to which guests write a byte when none of their threads runs any more.
    pub const BELL: &str = "bell";
    /// The name of a named pipe whose other end only the stage holds, so that guests notice when it is gone.
    pub const LIFELINE: &str = "lifeline";
    /// The prefix of a node's board, which is followed by the node's number.
    pub const BOARD_PREFIX: &str = "board-";
}
