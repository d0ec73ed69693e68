//! TLC's JSON, as its `-dumpTrace json` writes it: sets and sequences are arrays, records and functions are objects, model
//! values and strings are strings. So a value is known only from what it was written of, and what is read here is
//! [`Written`] JSON that can be compared with a value.

mod keys;
mod read;
mod same;
mod write;

pub use read::{TlcState, TlcStep, TlcTrace, is_tlc, read};
pub use same::Written;
pub use write::{write, write_to};
