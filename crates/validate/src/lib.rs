//! Compares logs of a program with a specification: is the logged run one that the specification allows?
//!
//! A trace specification reads the log itself and steps along it. [`reads`] finds out from the text of the
//! specification where it takes the log from and which variable counts its events. The search is that of `check`,
//! depth-first and until something says that the log is explained. [`judge`] derives the verdict.
//!
//! Without a trace specification, a mapping ([`map`]) says what the events of a log stand for. [`outcome`] has the
//! possible results of both ways, and [`why`] shows them as a page.
//!
//! Not here: files, and texts for people.

pub mod draft;
pub mod extend;
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
pub use log::{Json, LogInput, NoText, Oddity, Skipped, Valuer, decode};
pub use reads::{LogSequence, Reads, about_log, end_properties, exit_place, reads, walk};
pub use search::{Options, Trouble, Validation, follow, follow_on_deep_stack};
pub use suggest::{SpecNames, suggestion};
