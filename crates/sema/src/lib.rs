//! From trees to meaning: modules loaded, names resolved, arities and levels checked, INSTANCE carried out.

pub mod config;
pub mod level;
pub mod spec;
pub mod spec_walk;
pub mod std_ops;
pub mod unfold;

pub use spec::Spec;
