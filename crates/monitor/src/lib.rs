//! Checks a running process against its specification, from the messages that it receives and sends.
//!
//! [`slice`] derives from a specification and a mapping ([`map`]) what one process does. A [`Monitor`] follows what a tap
//! tells ([`input`]) as every state that the process may be in, and raises an [`Alarm`] when a message leaves that no state
//! explains.
//!
//! Not here: files, sockets, and texts for people.

mod at_once;
pub mod behaviours;
pub mod conditions;
mod engine;
pub mod input;
pub mod map;
mod network;
pub mod prove;
mod run;
pub mod slice;
pub mod smt;
pub mod spec_test;

pub use engine::{
    Alarm, Candidate, CannotStart, Missed, Monitor, Nearest, Setting, Stats, Told, Undecided, describe_early,
    differing_fields, node_names,
};
pub use run::MonitorRun;
