//! The results of expanding states: new states, findings, and why a check has no answer.

use eval::interp::{Evaluated, Fault};
use model::{Phase, What};
use value::ValueId;

use crate::credit::Credit;
use crate::generated::Generated;
use crate::judges::Owed;
use crate::space::{Handle, OrderKey, StateSlot};

/// The results of one worker, to be put in order when the level is finished.
#[derive(Default)]
pub(crate) struct Harvest {
    pub generated: Generated,
    /// Slots that nobody had before, or candidates for them.
    pub found: Vec<StateSlot>,
    /// The order key of each of `found`, where states are compared by something other than their variables.
    pub keys: Vec<OrderKey>,
    /// The values of each of `found`, where states are compared by something other than their variables.
    pub concrete: Vec<ValueId>,
    pub findings: Vec<Finding>,
    /// Steps that somebody else judges.
    pub owed: Vec<Owed>,
    /// Actions and the successors that they made, where that is counted.
    pub credits: Vec<Credit>,
}

/// Something to report.
#[derive(Debug)]
pub(crate) struct Finding {
    pub key: OrderKey,
    /// The new state that it is about: then the least key of that state counts.
    pub slot: Option<StateSlot>,
    /// The state that was found with this key and stored, once the level is settled.
    pub stored: Option<Handle>,
    /// Number of states that the parent had generated.
    pub n_generated: u32,
    pub what: What,
}

/// Why a check has no answer.
pub(crate) enum Broken {
    Fault(Phase, Box<Fault>),
    Full,
}

impl From<Broken> for What {
    fn from(broken: Broken) -> What {
        match broken {
            Broken::Fault(phase, fault) => What::Fault(phase, fault),
            Broken::Full => What::Full,
        }
    }
}

pub(crate) type Checked<T> = Result<T, Broken>;

pub(crate) fn in_phase<T>(phase: Phase, result: Evaluated<T>) -> Checked<T> {
    result.map_err(|fault| Broken::Fault(phase, fault))
}
