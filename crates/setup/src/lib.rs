//! The common beginning and end of runs: reads a model, finds out how much memory and how many threads the
//! machine has, and turns an answer into an ending.
//!
//! Not here: the command line, and printing.

pub mod composition;
pub mod config;
mod defines;
mod ending;
pub mod expressions;
pub mod files;
mod fresh;
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
pub use input::{ModelInput, Translations, WantedProperties};
pub use output::Output;
pub use verdict::{ending_of, finding_of, trace_of, trace_without_verdict, with_files};
