//! The common beginning and end of runs: a model is read, the machine is asked for memory and threads, and an answer
//! becomes an ending.
//!
//! Not here: the command line, and whatever is printed.

pub mod composition;
pub mod config;
mod defines;
mod ending;
pub mod expressions;
pub mod files;
mod input;
pub mod memory;
mod output;
pub mod outputs;
pub mod read_model;
pub mod threads;
mod verdict;
mod wanted;
pub mod words;
pub mod world;

pub use ending::Ending;
pub use input::{ModelInput, Wanted};
pub use output::Output;
pub use verdict::{ending_of, finding_of, trace_of, trace_without_verdict, with_files};
