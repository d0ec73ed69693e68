//! Counts by line, for tools that know programs: a line has the counts of the outermost expression that starts there.

use std::collections::BTreeMap;

use crate::coverage::report::{Branch, Expression, Report};

/// The lines of one file on which something was counted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    pub by_number: BTreeMap<u32, Line>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// Number of times that the outermost expression that starts here was evaluated.
    pub hits: Option<u64>,
    /// Number of times that each branch that starts here was taken; `None` if it was never asked for.
    pub branches: Vec<Option<u64>>,
}

impl Lines {
    pub fn of(report: &Report, file: &str) -> Lines {
        let mut lines = Lines::default();
        let in_file = |expression: &&Expression| expression.place.file == file;
        // Those that contain others come first.
        for expression in report.expressions.iter().filter(in_file) {
            let line = lines.by_number.entry(expression.place.start.line).or_default();
            line.hits.get_or_insert(expression.evaluated);
        }
        for branch in report.branches.iter().filter(|branch| branch.place.file == file) {
            let line = lines.by_number.entry(branch.place.start.line).or_default();
            line.branches.push(is_evaluated(report, branch).then_some(branch.taken));
            line.hits.get_or_insert(branch.taken);
        }
        lines
    }

    /// Returns the number of lines, and how many of them were used.
    pub fn n_lines(&self) -> (usize, usize) {
        let hit = self.by_number.values().filter(|line| line.hits.is_some_and(|hits| hits > 0));
        (self.by_number.len(), hit.count())
    }

    /// Returns the number of branches, and of those that were taken.
    pub fn n_branches(&self) -> (usize, usize) {
        let branches = || self.by_number.values().flat_map(|line| &line.branches);
        (branches().count(), branches().filter(|taken| taken.is_some_and(|taken| taken > 0)).count())
    }
}

/// Whether the expression that a branch belongs to was ever evaluated.
fn is_evaluated(report: &Report, branch: &Branch) -> bool {
    let is_around = |expression: &&Expression| {
        expression.place != branch.place && expression.place.contains(&branch.place)
    };
    // The last is the innermost. What stands in nothing is a disjunct of the next-state relation itself.
    report.expressions.iter().rfind(is_around).is_none_or(|expression| expression.evaluated > 0)
}
