//! Levels: constant, state, action, temporal. Computes the level of every expression and definition, and
//! reports every expression whose level is too high for its place.
//!
//! An expression's level is known only up to the parameters it mentions, and so is what may be passed to
//! them. Each definition is read once, after those it uses (`order`; a recursive group until nothing
//! changes). Reading goes down with a [`checker::Ctx`]: how high a level may be here, whether it counts towards
//! the level of the whole, inside which operator parameters' arguments it stands. It leaves [`facts`] about
//! each parameter; an application (`apply`) checks its arguments against them. No sets travel up the tree,
//! so the work is about linear in the size of the specification.
//!
//! The rules are those of SANY. We differ in two ways, both nearer to the meaning: an INSTANCE has been
//! carried out, so what it defines has the level of the substituted body (SANY keeps a replaced variable
//! at state level), and a name bound by `\AA` or `\EE` is of state level (SANY: constant).
//!
//! Not here: names, arities, and the demands of a configuration on an invariant or property.

mod apply;
mod checker;
mod culprit;
mod except;
mod explain;
mod facts;
mod instance;
mod operator;
mod order;
mod rules;
#[cfg(test)]
mod tests;
mod theorem;
mod walk;

use std::fmt;

use base::IdVec;
use diag::Diagnostics;

use crate::spec::{DefId, ExprId, Spec};
use checker::Checker;
use facts::Facts;

/// The things that an expression may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Has the same value in every state.
    Constant,
    /// Depends on one state.
    State,
    /// Depends on a step.
    Action,
    /// Depends on a behaviour.
    Temporal,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Constant => "constant",
            Level::State => "state",
            Level::Action => "action",
            Level::Temporal => "temporal",
        })
    }
}

/// The level of every expression and definition, with parameters and bound names taken as constants.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    pub exprs: IdVec<ExprId, Level>,
    pub defs: IdVec<DefId, Level>,
    /// Further facts, needed when something is added later.
    facts: Facts,
}

/// Fills `spec.levels` and reports everything whose level is too high.
pub fn check(spec: &mut Spec) -> Diagnostics {
    spec.levels = Levels::default();
    check_added(spec, &[])
}

/// Does the same as [`check`] for everything that was added to `spec` since the last check: definitions (instantiated
/// ones too), instances, modules, and `exprs`, which belong to no definition.
pub fn check_added(spec: &mut Spec, exprs: &[ExprId]) -> Diagnostics {
    let levels = std::mem::take(&mut spec.levels);
    let mut checker = Checker::new(spec, levels);
    checker.check_new(exprs);
    let (levels, diagnostics) = checker.finish();
    spec.levels = levels;
    diagnostics
}
