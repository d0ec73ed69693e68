//! Placeholder until the table of standard operators is filled in.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StdOp {}
