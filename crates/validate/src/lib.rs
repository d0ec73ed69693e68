//! Logs of a program against a specification: whether the run that was logged is one that the specification allows.
//!
//! A trace specification reads the log itself and steps along it. [`reads`] says from the text of the specification where it
//! takes the log from and which variable counts its events; the search is that of `check`, depth-first and until something
//! says that the log is explained; [`judge`] makes a verdict of what came of it.
//!
//! Not here: files, the search, words for people.

mod judge;
mod reads;

pub use judge::{Acceptance, Means, Verdict, judge};
pub use reads::{LogSequence, Reads, reads};
