//! A counterexample in the forms of TLC's `-dumpTrace` beside JSON: modules, a graph, and TLC's own binary values.

mod binary;
mod exploration;
mod module;
mod record;
mod unpack;

pub use binary::binary;
pub use exploration::Exploration;
pub use module::{actions, counterexample, dot, explorer, states};
pub use unpack::read_binary;

pub(crate) use record::edges;
