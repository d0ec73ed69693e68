//! The search from disk, level by level.

use std::io;

use model::{Ended, Outcome, Verdict};

use super::candidates::FoundRuns;
use super::close::{Closed, Closing};
use super::level::{Files, Level};
use super::merge::Merge;
use super::{Disk, Past};
use crate::answer::Counts;
use crate::context::Context;
use crate::expand::Finding;
use crate::keep::Parents;
use crate::search::Searcher;
use crate::settle::Settled;

impl<'a> Searcher<'a> {
    /// Goes on where the search in memory had to stop.
    pub fn run_from_disk(&mut self, mut disk: Disk, past: &Past) -> Outcome {
        let outcome = match self.levels(&mut disk, past) {
            Ok(ended) => ended.outcome(),
            Err(error) => Err(super::failed(&error)),
        };
        self.growth.tell_if_cut_off(self.context, &outcome);
        self.conclude(outcome)
    }

    fn levels(&mut self, disk: &mut Disk, past: &Past) -> io::Result<Ended> {
        while disk.frontier.n_states > 0 {
            if let Some(ended) = self.must_end(disk.depth) {
                return Ok(ended);
            }
            self.growth.tell_if_long(self.context);
            let findings = disk.expand(self.context)?;
            if self.context.board.is_over() && findings.is_empty() {
                return self.cut_off(disk);
            }
            let closed = match disk.close(self, past, findings) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return self.cut_off(disk),
                closed => closed?,
            };
            if let Some(ended) = self.settle_on_disk(disk, past, closed)? {
                return Ok(ended);
            }
        }
        Ok(Ended::Verdict(Verdict::Holds))
    }

    /// Counts what was generated: what of it is new is not known, and would take a pass.
    fn cut_off(&self, disk: &Disk) -> io::Result<Ended> {
        let counts = self.context.board.counts();
        let generated = counts.generated + disk.generated.sum(disk.frontier.n_states)?;
        self.context.board.set_counts(Counts { generated, ..counts });
        Ok(self.was_cut_off())
    }

    /// Reports what a level has to tell, and makes the next one the current one.
    fn settle_on_disk(&mut self, disk: &mut Disk, past: &Past, closed: Closed) -> io::Result<Option<Ended>> {
        let context = self.context;
        let counts = closed.count(context, &disk.frontier, &disk.generated)?;
        let depth = if closed.next.n_states > 0 { disk.depth + 1 } else { counts.depth };
        context.board.set_counts(Counts { depth, ..counts });
        let n_findings = closed.findings.len();
        for (index, (finding, is_new)) in closed.findings.into_iter().enumerate() {
            let ends = closed.ends && index + 1 == n_findings;
            if let Err(ended) = self.take_one(disk, past, finding, Reported { is_new, ends })? {
                return Ok(Some(ended));
            }
        }
        if closed.is_full {
            let mut full = Settled { is_full: true, ..Settled::default() };
            return Ok(self.take(&mut full, Parents { states: &[], start: 0 }).err());
        }
        if let Some(ended) = self.was_stopped() {
            return Ok(Some(ended));
        }
        disk.next_level(closed.next, counts.distinct)?;
        Ok(None)
    }

    /// Reports one finding as if its parent, and the state that it is about, were all there is.
    fn take_one(
        &mut self,
        disk: &Disk,
        past: &Past,
        mut finding: Finding,
        reported: Reported,
    ) -> io::Result<Result<(), Ended>> {
        let context = self.context;
        let number = disk.frontier.first_number + finding.key.rank;
        let parent = past.handle(context, number)?;
        let ordinal = finding.key.ordinal;
        let new = parent.filter(|_| reported.is_new);
        finding.stored = new.and_then(|parent| super::past::remake(context, (parent, disk.depth), ordinal));
        finding.key.rank = 0;
        let mut settled = Settled { findings: vec![finding], ends: reported.ends, ..Settled::default() };
        Ok(self.take(&mut settled, Parents { states: parent.as_slice(), start: number }))
    }
}

/// How a finding is reported.
#[derive(Clone, Copy)]
struct Reported {
    /// Whether it is about a new state.
    is_new: bool,
    /// Whether it ends the search.
    ends: bool,
}

impl Disk {
    /// Expands the level. What is to be reported, with what was found before the search went to disk.
    fn expand<'a>(&mut self, context: &'a Context<'a>) -> io::Result<Vec<Finding>> {
        let mut findings = std::mem::take(&mut self.findings);
        let files = Files {
            folder: &self.folder,
            filter: &self.visited.filter,
            frontier: &self.frontier,
            found: &self.found,
            generated: &self.generated,
        };
        findings.extend(Level::new(context, files, self.depth, self.budget.found_bytes_max).expand()?);
        Ok(findings)
    }

    /// The next level, and what is to be reported.
    fn close(&mut self, searcher: &Searcher<'_>, past: &Past, findings: Vec<Finding>) -> io::Result<Closed> {
        let context = searcher.context;
        let found = std::mem::take(&mut self.found).into_runs();
        // What is to be reported is worth the rest of the pass.
        let has_findings = !findings.is_empty();
        let is_over = || {
            context.board.tick(context.space);
            !has_findings && context.board.is_over()
        };
        let merge = Merge {
            folder: &self.folder,
            visited: &self.visited,
            found: &found,
            is_derived: context.identity().is_derived(),
            bytes_max: self.budget.new_bytes_max,
            is_over: &is_over,
        };
        let new = merge.run(context.board.options.n_workers.max(1))?;
        drop(found);
        let closing = Closing {
            context,
            folder: &self.folder,
            past,
            frontier: &self.frontier,
            depth: self.depth,
            new: &new,
        };
        closing.run(findings, searcher.n_violations())
    }

    fn next_level(&mut self, frontier: super::Frontier, n_states: u64) -> io::Result<()> {
        self.frontier = frontier;
        self.found = FoundRuns::default();
        self.generated.clear()?;
        self.depth += 1;
        self.visited.grow_filter(n_states)
    }
}
