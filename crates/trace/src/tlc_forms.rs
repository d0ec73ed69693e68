//! A counterexample in the forms of TLC's `-dumpTrace` beside JSON: modules, a graph, and TLC's own binary values.

mod binary;
mod exploration;
mod gzip;
mod module;
mod record;

pub use binary::binary;
pub use exploration::Exploration;
pub use module::{actions, counterexample, dot, explorer, states};

pub(crate) use record::edges;
