//! Runs a behaviour of a file again: does the specification still allow it, and what does it violate?
//!
//! [`retrace`] follows a trace state by state ([`follow`]): each must be an initial state or a successor of the one before.
//! A file may say less than a state is, so all states that it can mean are followed side by side. Then the behaviour is
//! judged ([`judge`]) as a search would judge it, or the first step that is none is explained ([`near`]).
//!
//! [`Steps`] goes the other way: from what steps are called to behaviours.
//!
//! Not here: files and their forms (`trace::given`), words for people, the search for behaviours.

mod answer;
mod follow;
mod judge;
mod near;
mod path;
mod run;
mod steps;
mod walk;

pub use answer::{BadState, Break, BreakKind, Cut, Near, Retraced};
pub use steps::{Steps, with_steps};
pub use walk::{Options, retrace};
