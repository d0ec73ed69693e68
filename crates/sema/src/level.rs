//! Levels: constant, state, action, temporal.

use base::IdVec;

use crate::spec::{DefId, ExprId};

/// What an expression may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The same in every state.
    Constant,
    /// Depends on one state.
    State,
    /// Depends on a step.
    Action,
    /// Depends on a behaviour.
    Temporal,
}

/// The level of every expression and definition, parameters and bound names taken as constants.
#[derive(Debug, Default)]
pub struct Levels {
    pub exprs: IdVec<ExprId, Level>,
    pub defs: IdVec<DefId, Level>,
}
