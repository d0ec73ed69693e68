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
    /// A temporal property that was not violated: about the run, such as one over `TLCGet("queue")`, or that the log is read to
    /// its end some time.
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

/// What there is that can accept a log, besides properties about the run.
#[derive(Clone, Debug)]
pub struct Means {
    /// A formula that is to hold in a state. With one nothing else accepts.
    pub has_accept: bool,
    pub has_postcondition: bool,
    /// The specification can end the search itself.
    pub has_exit: bool,
    /// Properties that say that the log is read to its end some time.
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
        Ok(check::Verdict::Holds) => held(reached, means),
        Ok(check::Verdict::Violated(violation)) => match violation.property.kind {
            PropertyKind::Postcondition => Verdict::Rejected,
            PropertyKind::Temporal if reached.run_properties.contains(&violation.property.name) => {
                Verdict::Rejected
            }
            // A behaviour that comes to the end is there all the same where only others do not: then it is a violation.
            PropertyKind::Temporal
                if means.end_properties.contains(&violation.property.name) && !has_ended(reached) =>
            {
                Verdict::Rejected
            }
            // Some let a log end in a deadlock, and others do not: that says nothing.
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

fn held(reached: &Reached, means: &Means) -> Verdict {
    // What was not reached at all may still violate nothing.
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
