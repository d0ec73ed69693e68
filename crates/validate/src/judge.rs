//! What the end of a search says about the log.

use check::{Accepted, Answer, PropertyKind, Reached};

/// What says that a log is explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// `TLCSet("exit", TRUE)`
    Exit,
    Postcondition,
    /// A formula that holds in a state.
    Expression,
    /// A temporal property about the run, such as one over `TLCGet("queue")`, that was not violated.
    Property,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Accepted(Acceptance),
    /// No behaviour explains the log.
    Rejected,
    /// The search says something else: a property that is not about the log is violated, or there is no verdict.
    Other,
    /// Nothing says what accepts a log.
    NoAcceptance,
}

/// `has_accept`: there is a formula that is to hold in a state; `has_postcondition`: the configuration has one.
pub fn judge(answer: &Answer, reached: &Reached, has_accept: bool, has_postcondition: bool) -> Verdict {
    match &answer.outcome {
        Ok(check::Verdict::Holds) => held(reached, has_accept, has_postcondition),
        Ok(check::Verdict::Violated(violation)) => match violation.property.kind {
            PropertyKind::Postcondition => Verdict::Rejected,
            PropertyKind::Temporal if reached.run_properties.contains(&violation.property.name) => {
                Verdict::Rejected
            }
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

fn held(reached: &Reached, has_accept: bool, has_postcondition: bool) -> Verdict {
    // What was not reached at all may still violate nothing.
    let is_short = reached.cursor.zip(reached.length).is_some_and(|(cursor, length)| cursor < length);
    let acceptance = match reached.accepted {
        Some(Accepted::Exit) => Acceptance::Exit,
        Some(Accepted::Postcondition) => Acceptance::Postcondition,
        Some(Accepted::Expression) => Acceptance::Expression,
        None if has_accept => return Verdict::Rejected,
        None if has_postcondition => Acceptance::Postcondition,
        None if reached.run_properties.is_empty() => return Verdict::NoAcceptance,
        None if is_short => return Verdict::Rejected,
        None => Acceptance::Property,
    };
    // With a formula of one's own nothing else accepts.
    if has_accept && acceptance != Acceptance::Expression {
        return Verdict::Rejected;
    }
    Verdict::Accepted(acceptance)
}
