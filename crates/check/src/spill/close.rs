//! Closes a level: its new states in order, and the findings to report. `settle` does this for a level in memory, and
//! both must count alike.

use std::collections::VecDeque;
use std::io;

use eval::interp::Machine;

use super::blocks::BlockFile;
use super::folder::Folder;
use super::level::{Frontier, FrontierWriter, Generated};
use super::merge::found_by;
use super::past::{Past, Step};
use super::runs::{EVERYTHING, Merged};
use super::sink::read_values;
use crate::answer::Counts;
use crate::context::Context;
use crate::expand::{Company, Expander, Exploration, Finding};
use crate::run::WorkerRun;
use crate::space::OrderKey;

pub(super) struct Closed {
    pub next: Frontier,
    /// Findings in order, each with whether it is about one of the new states. The last ends the search if `ends`.
    pub findings: Vec<(Finding, bool)>,
    pub ends: bool,
    /// The limit on states was reached.
    pub is_full: bool,
    /// Order key at which the search ended, and the number of states that the parent there had generated.
    end: Option<(OrderKey, u32)>,
    /// Order key of the last new state.
    last: Option<OrderKey>,
}

pub(super) struct Closing<'a> {
    pub context: &'a Context<'a>,
    pub folder: &'a Folder,
    pub past: &'a Past,
    /// The level that was expanded.
    pub frontier: &'a Frontier,
    pub depth: u32,
    /// New states, in runs by where they were found.
    pub new: &'a [BlockFile],
}

impl Closing<'_> {
    /// `n_violations` is how many there were before.
    pub fn run(&self, findings: Vec<Finding>, n_violations: usize) -> io::Result<Closed> {
        let mut report = Report::new(findings, n_violations, self.context.board.options.violations_max);
        let options = self.context.board.options;
        let n_fit = options.states_max.map(|max| max.saturating_sub(self.context.board.counts().distinct));
        let first_number =
            self.frontier.first_number.checked_add(self.frontier.n_states).ok_or_else(too_many)?;
        let mut next = FrontierWriter::new(self.folder, 0, first_number);
        let mut steps = self.past.writer(first_number);
        let mut new = Merged::new(self.new, EVERYTHING)?;
        let (mut n_new, mut last, mut is_full) = (0_u64, None, false);
        while let Some(record) = new.next()? {
            let (key, is_checked) = found_by(record);
            report.before(key);
            is_full = !report.ends && n_fit == Some(n_new);
            if report.ends || is_full {
                break;
            }
            next.push(record.key)?;
            let parent = self.frontier.first_number + key.rank;
            steps.push(Step::Successor { parent, ordinal: key.ordinal })?;
            (n_new, last) = (n_new + 1, Some(key));
            if u64::from(first_number) + n_new >= u64::from(u32::MAX) {
                return Err(too_many());
            }
            if !is_checked && let Some(finding) = self.check(record.key, key)? {
                report.meet(finding, true);
            }
            report.at(key);
        }
        steps.flush()?;
        if !is_full {
            report.rest();
        }
        let end = match is_full {
            true => last.map(|last| (last, last.ordinal + 1)),
            false => report.end(),
        };
        let (findings, ends) = if is_full { (Vec::new(), false) } else { (report.kept, report.ends) };
        Ok(Closed { next: next.finish()?, findings, ends, is_full, end, last })
    }
}

impl Closing<'_> {
    /// Evaluates the invariants for a new state.
    fn check(&self, state: &[u8], key: OrderKey) -> io::Result<Option<Finding>> {
        let context = self.context;
        if context.invariants.is_empty() {
            return Ok(None);
        }
        let run = WorkerRun::new(context, 0);
        let region = context.board.region();
        let mut machine = Machine::new(context.program(), context.shared, &region, &run);
        machine.set_state(read_values(&region, state)?);
        run.expand_read(self.depth, self.frontier.first_number + key.rank, &[]);
        Ok(Expander::new(context, &run, Company::Shared, Exploration::BreadthFirst)
            .check_found(&mut machine, key))
    }
}

fn too_many() -> io::Error {
    io::Error::other("there are more states than have numbers")
}

impl Closed {
    /// The board's counts after this level.
    pub fn count(
        &self,
        context: &Context<'_>,
        parents: &Frontier,
        generated: &Generated,
    ) -> io::Result<Counts> {
        let counts = context.board.counts();
        let n_new = u64::from(self.next.n_states);
        let n_parents = parents.n_states;
        // Where not one state fits, the search ended with the level before.
        if self.is_full && n_new == 0 {
            return Ok(Counts { queue: n_parents.into(), ..counts });
        }
        let n_generated = match self.end {
            Some((key, at_end)) => generated.sum(key.rank)? + u64::from(at_end),
            None => generated.sum(n_parents)?,
        };
        let n_left = self.end.map_or(0, |(key, _)| n_parents.saturating_sub(key.rank + 1));
        // TLC: a new state that ends the search, by itself or by the step to it, is counted and not queued.
        let is_new = self.findings.last().is_some_and(|(finding, _)| self.last == Some(finding.key));
        Ok(Counts {
            generated: counts.generated + n_generated,
            distinct: counts.distinct + n_new,
            queue: u64::from(n_left) + n_new - u64::from(self.ends && is_new),
            ..counts
        })
    }
}

/// Findings, met in the order of a search with one worker together with the new states.
struct Report {
    waiting: VecDeque<Finding>,
    kept: Vec<(Finding, bool)>,
    n_violations: usize,
    violations_max: Option<usize>,
    ends: bool,
}

impl Report {
    fn new(mut findings: Vec<Finding>, n_violations: usize, violations_max: Option<usize>) -> Report {
        findings.sort_by_key(|finding| finding.key);
        let waiting = findings.into();
        Report { waiting, kept: Vec::new(), n_violations, violations_max, ends: false }
    }

    /// A new state with this key comes next.
    fn before(&mut self, key: OrderKey) {
        while !self.ends
            && let Some(finding) = self.waiting.pop_front_if(|finding| finding.key < key)
        {
            self.meet(finding, false);
        }
    }

    /// The new state with this key was met.
    fn at(&mut self, key: OrderKey) {
        while !self.ends
            && let Some(finding) = self.waiting.pop_front_if(|finding| finding.key == key)
        {
            self.meet(finding, true);
        }
    }

    fn rest(&mut self) {
        while !self.ends
            && let Some(finding) = self.waiting.pop_front()
        {
            self.meet(finding, false);
        }
    }

    /// Notes a finding, unless it was made in a state that others had found before.
    fn meet(&mut self, finding: Finding, is_new: bool) {
        if finding.slot.is_some() && !is_new {
            return;
        }
        let is_violation = finding.what.is_violation();
        self.n_violations += usize::from(is_violation);
        self.ends = !is_violation || self.violations_max.is_some_and(|max| self.n_violations >= max);
        self.kept.push((finding, is_new));
    }

    fn end(&self) -> Option<(OrderKey, u32)> {
        let (last, _) = self.kept.last().filter(|_| self.ends)?;
        Some((last.key, last.n_generated))
    }
}
