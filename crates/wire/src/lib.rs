//! What the stage and the code beside a guest program say to each other.
//!
//! Two ways: a [`Board`] in shared memory, which says at any moment what time it is and what each thread waits
//! for, and [`Request`]s over a stream socket, each answered at once by a [`Reply`]. Nothing here knows how the
//! code came to be beside the guest; nothing here opens, maps or sends.

mod addr;
mod board;
mod codec;
mod message;

pub use addr::{Addr, Ip};
pub use board::{
    Board, Call, LINKS_MAX, Link, NEVER_NS, Outcome, SLOTS_MAX, Slot, TIMERS_MAX, ThreadState, Timer, Wake,
};
pub use codec::{DecodeError, FRAME_BYTES_MAX, NAME_BYTES_MAX, PATH_BYTES_MAX, frame_len};
pub use message::{Family, FileCall, Proto, Reply, Request, SignalForm, SocketRole, Verdict};

/// Changes whenever a message or the board does: both sides must come from one build.
pub const VERSION: u32 = 7;

/// The environment variable with the folder of the running stage: the guest's side finds everything there.
pub const ENV_FOLDER: &str = "SPECLINE_STAGE";
/// The environment variable with the number of the node that a process belongs to.
pub const ENV_NODE: &str = "SPECLINE_NODE";

/// The files in the stage's folder.
pub mod files {
    /// The stage's socket.
    pub const CONTROL: &str = "control";
    /// A pipe with a name: guests write a byte when nothing of theirs runs any more.
    pub const BELL: &str = "bell";
    /// A pipe with a name: the stage alone holds its other end, so that guests notice when it is gone.
    pub const LIFELINE: &str = "lifeline";
    /// The board of a node: this and its number.
    pub const BOARD_PREFIX: &str = "board-";
}
