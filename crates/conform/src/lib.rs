//! Specification and program brought together: behaviours of the one carried out on the other, on a stage.
//!
//! A mapping ([`map`]) says which events of the stage an action is, and where the variables of the specification are seen
//! in the program; [`plan`] makes it part of the specification, and finds what is wrong with it before anything starts.
//! [`follow`] carries a behaviour out on a [`Cluster`] and compares after each step; [`Ending`] is what came of it.
//!
//! A [`Session`] carries out behaviours one after the other, each on fresh nodes; [`walk`] makes random walks of the
//! specification, carries them out, and keeps the shortest walk of each kind of ending.
//!
//! Not here: files, and what is printed.

mod ask;
mod cluster;
mod decode;
mod follow;
mod json;
mod kinds;
mod lines;
pub mod map;
mod outcome;
mod plan;
mod session;
mod shorten;
mod walks;
mod words;

pub use ask::Property;
pub use follow::property_of;
pub use kinds::{Kind, WalkResults};
pub use outcome::{Confirmed, Difference, Divergence, Ending, Obstacle, Replayed, Row};
pub use plan::{Plan, plan};
pub use session::{Pair, Session, Side, Surroundings, Took, with_session};
pub use walks::{Progress, WalkOptions, Walked, walk};
pub use words::visible;
