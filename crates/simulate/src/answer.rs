//! What a simulation says.

use check::{Coverage, NoVerdict, Verdict};
use diag::Diagnostic;

use crate::statistics::Statistics;

/// Everything that comes out of a simulation.
#[derive(Debug)]
pub struct Answer {
    /// `Holds` says no more than that these walks found nothing.
    pub outcome: Result<Verdict, NoVerdict>,
    /// The walk that found what the outcome tells.
    pub walk: Option<u64>,
    pub shortened: Option<Shortened>,
    pub statistics: Statistics,
    /// What of the specification was used, if that was counted.
    pub coverage: Option<Coverage>,
    /// EXCEPTs without effect.
    pub warnings: Vec<Diagnostic>,
}

/// How much shorter a walk was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortened {
    pub n_steps_before: usize,
    pub n_steps: usize,
    /// Nothing of it can be left out: no more was tried because there was no more to try.
    pub is_minimal: bool,
}
