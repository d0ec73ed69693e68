//! The answer of a finished search.

use diag::Diagnostic;
use model::{Coverage, Outcome, Tally};

use crate::engine_report::EngineReport;

/// Everything that comes out of a search.
#[derive(Debug)]
pub struct Answer {
    pub outcome: Outcome,
    pub counts: Counts,
    pub memory: Memory,
    /// Number of times that a worker waited for another one that was adding to the same part of a table.
    pub n_waits: usize,
    /// Violated properties with the number of their violations, in the order of the first; only with `violations_max`
    /// above 1.
    pub tallies: Vec<Tally>,
    /// Other remarks: EXCEPTs without effect, symmetry of fewer than two values; an error that ended the search after a
    /// violation.
    pub warnings: Vec<Diagnostic>,
    /// The checkpoint from which the search can go on, when it is not complete.
    pub kept: Option<Kept>,
    /// Coverage of the specification, if it was counted.
    pub coverage: Option<Coverage>,
    /// Report on how the parts of the specification were evaluated.
    pub engine: EngineReport,
}

/// A checkpoint that is there when a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Number of distinct states.
    pub distinct: u64,
}

/// TLC's numbers (contract 4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub generated: u64,
    pub distinct: u64,
    /// Found and not expanded.
    pub queue: u64,
    /// The largest level; an initial state has level 1.
    pub depth: u32,
    pub initial: u64,
}

/// Bytes by what they are for, when the search had most of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The pairs that states are made of.
    pub states: usize,
    /// The parent of each state.
    pub parents: usize,
    /// Memory for the values of variables.
    pub values: usize,
    /// The tables in which states and values are found.
    pub tables: usize,
    /// The level that is expanded, and the one that is being made.
    pub frontier: usize,
    /// The steps between states, where there are temporal properties.
    pub steps: usize,
    pub n_steps: u64,
    /// Memory for each state while behaviours were searched.
    pub behaviours: usize,
}

impl Memory {
    pub fn total(&self) -> usize {
        self.states + self.parents + self.values + self.tables + self.frontier + self.steps + self.behaviours
    }
}
