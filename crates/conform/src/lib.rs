//! Specification and program brought together: behaviours of the one carried out on the other, on a stage.
//!
//! A mapping ([`map`]) says which events of the stage an action is, and where the variables of the specification are seen
//! in the program; [`plan`] makes it part of the specification, and finds what is wrong with it before anything starts.
//! [`follow`] carries a behaviour out on a [`Cluster`] and compares after each step; [`Ending`] is what came of it.
//!
//! Not here: how behaviours are found, words for people, files.

mod ask;
mod cluster;
mod decode;
mod follow;
mod json;
mod lines;
pub mod map;
mod outcome;
mod plan;

pub use ask::{AskRun, Asker, Frame, Property};
pub use cluster::{Cluster, Making, nodes_of};
pub use decode::Decoder;
pub use follow::{STACK_BYTES, Stagehand, begin_lines, follow, property_of};
pub use json::{Names, word};
pub use outcome::{Confirmed, Difference, Divergence, Ending, Obstacle, Replayed, Row, kind_of};
pub use plan::{Plan, plan};
pub use validate::plan::model_values;
