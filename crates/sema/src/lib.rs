//! From trees to meaning: modules loaded, names resolved, arities and levels checked, INSTANCE carried out.

pub mod level;
pub mod spec;
pub mod spec_walk;
pub mod std_ops;

pub use spec::Spec;
