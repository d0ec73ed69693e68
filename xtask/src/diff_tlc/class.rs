//! The results of a run, in words that both tools share.

use super::expect::{Outcome, Verdict};
use super::specline::Answer;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Holds,
    /// An invariant is violated.
    Violated,
    /// A property of steps, of initial states, or of behaviours is violated.
    StepViolated,
    Deadlock,
    Assertion,
    Assumption,
    /// An expression had no value. TLC ends with 255 if one of its native operators fails, and with 75 or 76 otherwise;
    /// ours does not distinguish them.
    Undefined,
    /// The module or the configuration is refused.
    Refused,
    /// There is no state: a module with only assumptions, or an initial predicate that nothing satisfies, which TLC
    /// reports as success.
    Empty,
    /// Another exit code.
    Other(i32),
}

impl Class {
    pub fn of_exit(exit: i32) -> Class {
        match exit {
            0 => Class::Holds,
            10 => Class::Assumption,
            11 => Class::Deadlock,
            12 => Class::Violated,
            13 => Class::StepViolated,
            14 => Class::Assertion,
            22 => Class::Empty,
            75 | 76 | 255 => Class::Undefined,
            150 | 151 => Class::Refused,
            other => Class::Other(other),
        }
    }

    /// Whether a trace shows it, of which every state is compared.
    pub fn has_trace(self) -> bool {
        matches!(self, Class::Violated | Class::StepViolated | Class::Deadlock)
    }

    pub fn of_tlc(outcome: &Outcome) -> Class {
        match outcome.verdict {
            Verdict::Ok if outcome.generated == Some(0) => Class::Empty,
            // Some of these end with the code for everything else.
            Verdict::Config | Verdict::Parse => Class::Refused,
            Verdict::Ok
            | Verdict::Invariant
            | Verdict::ActionProperty
            | Verdict::InitProperty
            | Verdict::Temporal
            | Verdict::Deadlock
            | Verdict::Assert
            | Verdict::Assumption
            | Verdict::Postcondition
            | Verdict::InitError
            | Verdict::Error => Class::of_exit(outcome.exit),
        }
    }

    pub fn of_specline(answer: &Answer) -> Class {
        match (Class::of_exit(answer.exit), answer.counts) {
            // The module has only assumptions.
            (Class::Holds, Some([0, ..])) => Class::Empty,
            (class, _) => class,
        }
    }
}
