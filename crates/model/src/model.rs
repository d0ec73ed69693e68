//! A specification with its configuration, and the ways to evaluate it.

use eval::ir::Program;
use sema::Spec;

/// A specification that is ready to run.
#[derive(Clone, Copy)]
pub struct Model<'a> {
    pub spec: &'a Spec,
    pub program: &'a Program,
}

/// How actions and formulas are evaluated. The answer is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Engine {
    /// Compiled once there are enough states that it pays.
    #[default]
    Auto,
    Interpreted,
    /// Compiled from the first state on.
    Compiled,
}
