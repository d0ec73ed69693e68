//! Logs of a program against a specification: whether the run that was logged is one that the specification allows.
//!
//! A trace specification reads the log itself and steps along it. [`reads`] says from the text of the specification where it
//! takes the log from and which variable counts its events; the search is that of `check`, depth-first and until something
//! says that the log is explained; [`judge`] makes a verdict of what came of it.
//!
//! Without one, a mapping ([`map`]) says what the events of a log stand for. [`outcome`] has what can come of either,
//! and [`why`] shows it as a page.
//!
//! Not here: files, words for people.

pub mod draft;
mod judge;
mod last;
mod log;
pub mod map;
pub mod outcome;
pub mod plan;
mod reads;
mod search;
mod suggest;
pub mod why;

pub use judge::{Acceptance, Means, Verdict, judge};
pub use last::is_read_by_steps_alone;
pub use log::{LogInput, NoText, Oddity, Skipped, decoded};
pub use reads::{LogSequence, Reads, about_log, end_properties, exit_place, reads, walk};
pub use search::{Options, Trouble, Validation, follow, follow_on_deep_stack};
pub use suggest::{Spoken, suggestion};
