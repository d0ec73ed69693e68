//! A state on its way from the formula that made it to the store.

use eval::interp::VarSet;
use model::ground::Side;
use value::ValueId;

use crate::space::{OrderKey, StateSlot};

/// The formula that made a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Initial,
    /// The action with this index among those of the context.
    Action(usize),
}

impl Origin {
    /// Where in the machine the values of the candidate are.
    pub fn side(self) -> Side {
        match self {
            Origin::Initial => Side::Current,
            Origin::Action(_) => Side::Next,
        }
    }
}

/// An initial state or a successor that was generated, and has not been judged yet.
pub(crate) struct Candidate {
    pub origin: Origin,
    pub key: OrderKey,
    /// The variables that invariants and constraints must look at. The parent satisfied them with the values of the others.
    pub changed: VarSet,
    /// The ids of its values, as far as they are interned.
    pub ids: Vec<ValueId>,
}

/// The result of looking a candidate up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placement {
    /// A constraint cuts it off. TLC: its invariants are checked all the same.
    Outside,
    /// Another candidate took the state, or it was known before.
    Seen,
    /// This candidate takes the state, and is checked.
    Taken(StateSlot),
}

impl Placement {
    /// Whether the invariants of the candidate are to be checked.
    pub fn is_unseen(self) -> bool {
        match self {
            Placement::Outside | Placement::Taken(_) => true,
            Placement::Seen => false,
        }
    }

    /// Where the state is in the store, if this candidate took it.
    pub fn slot(self) -> Option<StateSlot> {
        match self {
            Placement::Taken(slot) => Some(slot),
            Placement::Outside | Placement::Seen => None,
        }
    }
}
