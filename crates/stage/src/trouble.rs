//! The reasons why an event could not be carried out.

use std::io;

use crate::node::ThreadReport;

/// A reason why an event could not be carried out. None says anything about the system under test, except that a node
/// ended or never rests.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    #[error("there is no node `{0}`")]
    NoSuchNode(String),
    #[error("`{node}` is running already")]
    Running { node: String },
    #[error("`{node}` is not running")]
    NotRunning { node: String },
    #[error("`{node}` cannot be started: {error}")]
    CannotStart { node: String, error: io::Error },
    #[error("`{node}` cannot be entered: {reason}")]
    CannotEnter { node: String, reason: String },
    #[error("`{node}` does not come to rest within {limit_ms} ms")]
    NeverIdle { node: String, limit_ms: u128, threads: Vec<ThreadReport> },
    #[error("no thread of `{node}` waits for a time")]
    NoDeadline { node: String },
    #[error("what `{node}` syncs is not remembered: `track_files` is not set")]
    FilesNotTracked { node: String },
    #[error("no thread of `{node}` is held at a file")]
    NothingHeld { node: String },
    #[error("no thread of `{node}` is held at `{point}`: {why}")]
    NobodyAt { node: String, point: String, why: String },
    #[error("no thread of `{node}` has come from `{from}` to `{to}`: {why}")]
    NotReached { node: String, from: String, to: String, why: String },
    #[error("`{node}` has no point in its code there: {what}")]
    WrongPoint { node: String, what: String },
    #[error("`{node}` cannot be asked by its debugger's interface: {error}")]
    Debugger { node: String, error: jdwp::Error },
    #[error(
        "`{node}` has no debugger's interface: points in the code need a Java machine that runs, started by its `command`"
    )]
    NoAgent { node: String },
    #[error(
        "the machine of `{node}` has ended before its program began; the debugger's interface was refused: {said}"
    )]
    AgentRefused { node: String, said: String },
    #[error("no such message is held")]
    NoSuchMessage,
    #[error(
        "of the next message from `{from}` to `{to}` only a part was sent: `held` shows it, and whether its length is \
         one that messages have"
    )]
    NotWhole { from: String, to: String },
    #[error(
        "message {number} from `{from}` to `{to}` is on a connection, which keeps its order and loses nothing: that needs \
         `unsafe_stream = true`"
    )]
    OnStream { number: u64, from: String, to: String },
    #[error("the end of a connection can neither be lost nor come twice")]
    EndOfStream,
    #[error("{what}: {error}")]
    System { what: &'static str, error: io::Error },
}

impl Trouble {
    /// Returns a function for `map_err` that turns an error of the operating system into `Trouble`.
    pub(crate) fn system(what: &'static str) -> impl FnOnce(io::Error) -> Trouble {
        move |error| Trouble::System { what, error }
    }
}
