//! TLC's JSON, as its `-dumpTrace json` writes it: sets and sequences are arrays, records and functions are objects,
//! model values and strings are strings. So the text does not determine a value. Reading gives [`Written`] JSON, which
//! can be compared with a value.

mod keys;
mod read;
mod same;
mod write;

pub use read::{TlcState, TlcStep, TlcTrace, is_tlc, read};
pub use same::Written;
pub use write::{write, write_to};
