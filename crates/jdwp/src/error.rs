//! The reasons why a machine did not answer a question.

use std::fmt;
use std::io;

/// The reason why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("it does not speak the debugger's protocol")]
    NoHandshake,
    #[error("the connection to its debugger's interface has ended")]
    Closed,
    #[error("it sent a message that is shorter than what it says")]
    Truncated,
    #[error("it sent {n} bytes more than the message has parts for")]
    Leftover { n: usize },
    #[error("it sent a message of {n} bytes; the most that is read is {max}")]
    TooLong { n: u64, max: u64 },
    #[error("it sent a {what} that does not exist: {number}")]
    Unknown { what: &'static str, number: u64 },
    #[error("it answered a question that was not asked: number {id}")]
    NotAsked { id: u32 },
    #[error("it refused `{command}`: {code}")]
    Refused { command: &'static str, code: ErrorCode },
    #[error("it cannot be reached: {0}")]
    Link(#[from] io::Error),
}

impl Error {
    /// Returns the code with which the machine refused, if it did.
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Error::Refused { code, .. } => Some(*code),
            Error::NoHandshake
            | Error::Closed
            | Error::Truncated
            | Error::Leftover { .. }
            | Error::TooLong { .. }
            | Error::Unknown { .. }
            | Error::NotAsked { .. }
            | Error::Link(_) => None,
        }
    }
}

/// The number with which the machine says why it refuses a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ErrorCode(pub u16);

impl ErrorCode {
    pub const INVALID_THREAD: ErrorCode = ErrorCode(10);
    pub const THREAD_NOT_SUSPENDED: ErrorCode = ErrorCode(13);
    pub const INVALID_OBJECT: ErrorCode = ErrorCode(20);
    pub const CLASS_NOT_PREPARED: ErrorCode = ErrorCode(22);
    pub const INVALID_SLOT: ErrorCode = ErrorCode(35);
    pub const NOT_IMPLEMENTED: ErrorCode = ErrorCode(99);
    pub const ABSENT_INFORMATION: ErrorCode = ErrorCode(101);
    pub const VM_DEAD: ErrorCode = ErrorCode(112);
    pub const NATIVE_METHOD: ErrorCode = ErrorCode(511);

    fn text(self) -> Option<&'static str> {
        Some(match self {
            ErrorCode::INVALID_THREAD => "the thread is gone, or is none",
            ErrorCode::THREAD_NOT_SUSPENDED => "the thread does not stand at a point",
            ErrorCode::INVALID_OBJECT => "the object is gone",
            ErrorCode::CLASS_NOT_PREPARED => "the class is not ready yet",
            ErrorCode::INVALID_SLOT => "there is no such local variable there",
            ErrorCode::NOT_IMPLEMENTED => "the machine cannot do this",
            ErrorCode::ABSENT_INFORMATION => {
                "the class was compiled without this information (`javac -g` adds it)"
            }
            ErrorCode::VM_DEAD => "the machine has ended",
            ErrorCode::NATIVE_METHOD => "the method is native",
            ErrorCode(_) => return None,
        })
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            Some(text) => f.write_str(text),
            None => write!(f, "error {}", self.0),
        }
    }
}
