//! The answer of a simulation.

use diag::Diagnostic;
use model::{Coverage, Outcome, Tally, Violation};

use crate::statistics::Statistics;

/// The result of a simulation.
#[derive(Debug)]
pub struct Answer {
    /// The verdict. `Holds` only says that these walks found nothing that ended them.
    pub outcome: Outcome,
    /// The walk that found what the outcome reports.
    pub walk: Option<u64>,
    pub shortened: Option<Shortened>,
    /// Violations that did not end the walks.
    pub passed: Option<Passed>,
    pub statistics: Statistics,
    /// The parts of the specification that were used, if that was counted.
    pub coverage: Option<Coverage>,
    /// Warnings about EXCEPTs without effect.
    pub warnings: Vec<Diagnostic>,
}

/// Violations after which walks went on.
#[derive(Debug)]
pub struct Passed {
    pub first: Box<Violation>,
    /// The walk that found the first one, and, below, by how much it was shortened.
    pub walk: u64,
    pub shortened: Option<Shortened>,
    /// Each violated property with the number of its violations, in the order of the first.
    pub tallies: Vec<Tally>,
}

/// The lengths of a walk before and after it was shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortened {
    pub n_steps_before: usize,
    pub n_steps: usize,
    /// Whether nothing of it can be left out: everything was tried.
    pub is_minimal: bool,
}
