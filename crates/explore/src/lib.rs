//! A specification looked at by hand: expressions evaluated where one stands, and the steps that lead on from there.
//!
//! | module | contents |
//! | --- | --- |
//! | [`Session`] | expressions and definitions as they are typed, in a state or without one |
//! | [`Explorer`] | initial states, successors with what they are called, invariants |
//! | [`StandingState`], [`Path`] | a state to stand in, and the states passed on the way there |
//!
//! Not here: the command line, files, and any way to draw a state. Whoever shows steps, a terminal or a page, asks this crate.

mod path;
mod run;
mod session;
mod standing;
mod steps;

pub use path::Path;
pub use run::Settings;
pub use session::{Answer, Definition, Position, Refused, RefusedKind, Session, Typed};
pub use standing::StandingState;
pub use steps::{Explorer, InvariantResult, Reach, Reached, with_explorer};
