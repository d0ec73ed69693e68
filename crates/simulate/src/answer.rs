//! What a simulation says.

use check::{Coverage, NoVerdict, Tally, Verdict, Violation};
use diag::Diagnostic;

use crate::statistics::Statistics;

/// Everything that comes out of a simulation.
#[derive(Debug)]
pub struct Answer {
    /// `Holds` says no more than that these walks found nothing that ended them.
    pub outcome: Result<Verdict, NoVerdict>,
    /// The walk that found what the outcome tells.
    pub walk: Option<u64>,
    pub shortened: Option<Shortened>,
    /// What was found and did not end the walks.
    pub passed: Option<Passed>,
    pub statistics: Statistics,
    /// What of the specification was used, if that was counted.
    pub coverage: Option<Coverage>,
    /// EXCEPTs without effect.
    pub warnings: Vec<Diagnostic>,
}

/// Violations after which walks went on.
#[derive(Debug)]
pub struct Passed {
    pub first: Box<Violation>,
    /// The walk that found the first, and how much shorter it was made.
    pub walk: u64,
    pub shortened: Option<Shortened>,
    /// Each violated property and how often, in the order of the first.
    pub tallies: Vec<Tally>,
}

/// How much shorter a walk was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortened {
    pub n_steps_before: usize,
    pub n_steps: usize,
    /// Nothing of it can be left out: no more was tried because there was no more to try.
    pub is_minimal: bool,
}
