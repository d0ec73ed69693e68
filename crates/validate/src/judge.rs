//! Derives the verdict about a log from the end of a search.

use check::{Accepted, Answer, Reached};
use model::PropertyKind;

/// The means by which a specification says that a log is explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// `TLCSet("exit", TRUE)`
    Exit,
    Postcondition,
    /// A formula that holds in a state.
    Expression,
    /// A temporal property that was not violated. It is about the run, such as one over `TLCGet("queue")`, or says that
    /// the log is read to its end eventually.
    Property,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Accepted(Acceptance),
    /// No behaviour explains the log.
    Rejected,
    /// The search found something else: a property that is not about the log is violated, or there is no verdict.
    Other,
    /// The specification does not say when a log is accepted.
    NoAcceptance,
}

/// The means of accepting a log that a specification has, besides properties about the run.
#[derive(Clone, Debug)]
pub struct Means {
    /// Whether there is a formula that must hold in a state. If there is one, nothing else accepts.
    pub has_accept: bool,
    pub has_postcondition: bool,
    /// Whether the specification can end the search itself.
    pub has_exit: bool,
    /// Properties which say that the log is read to its end eventually.
    pub end_properties: Vec<String>,
}

impl Means {
    fn is_any(&self, reached: &Reached) -> bool {
        let has_property = !self.end_properties.is_empty() || !reached.run_properties.is_empty();
        self.has_accept || self.has_postcondition || self.has_exit || has_property
    }
}

pub fn judge(answer: &Answer, reached: &Reached, means: &Means) -> Verdict {
    match &answer.outcome {
        Ok(model::Verdict::Holds) => judge_passed_search(reached, means),
        Ok(model::Verdict::Violated(violation)) => match violation.property.kind {
            PropertyKind::Postcondition => Verdict::Rejected,
            PropertyKind::Temporal if reached.run_properties.contains(&violation.property.name) => {
                Verdict::Rejected
            }
            // A behaviour that reaches the end exists even if other behaviours do not reach it: then this is a
            // violation.
            PropertyKind::Temporal
                if means.end_properties.contains(&violation.property.name) && !has_ended(reached) =>
            {
                Verdict::Rejected
            }
            // Some specifications let a log end in a deadlock and others do not, so a deadlock says nothing.
            PropertyKind::Deadlock if !means.is_any(reached) => Verdict::NoAcceptance,
            PropertyKind::Assumption
            | PropertyKind::Invariant
            | PropertyKind::Step
            | PropertyKind::Initial
            | PropertyKind::Temporal
            | PropertyKind::Deadlock
            | PropertyKind::Possible
            | PropertyKind::Periodic => Verdict::Other,
        },
        Err(_) => Verdict::Other,
    }
}

/// Whether a state was found in which no event comes next.
fn has_ended(reached: &Reached) -> bool {
    reached.cursor.zip(reached.length).is_some_and(|(cursor, length)| cursor > length)
}

fn judge_passed_search(reached: &Reached, means: &Means) -> Verdict {
    // A log that was not read to its end may still violate nothing.
    let is_short = reached.cursor.zip(reached.length).is_some_and(|(cursor, length)| cursor < length);
    let acceptance = match reached.accepted {
        Some(Accepted::Exit) => Acceptance::Exit,
        Some(Accepted::Postcondition) => Acceptance::Postcondition,
        Some(Accepted::Expression) => Acceptance::Expression,
        None if means.has_accept => return Verdict::Rejected,
        None if means.has_postcondition => Acceptance::Postcondition,
        None if reached.run_properties.is_empty() && !means.end_properties.is_empty() => {
            match has_ended(reached) {
                true => Acceptance::Property,
                false => return Verdict::Rejected,
            }
        }
        None if reached.run_properties.is_empty() => {
            return if means.has_exit { Verdict::Rejected } else { Verdict::NoAcceptance };
        }
        None if is_short => return Verdict::Rejected,
        None => Acceptance::Property,
    };
    if means.has_accept && acceptance != Acceptance::Expression {
        return Verdict::Rejected;
    }
    Verdict::Accepted(acceptance)
}
