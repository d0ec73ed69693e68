//! The two searches over one core: what is expanded next, and what becomes of what was found.

use std::sync::atomic::Ordering;

use diag::Diagnostic;
use eval::interp::Machine;
use model::{
    Ended, Limit, NoVerdict, Outcome, Phase, Property, PropertyKind, Tally, Verdict, Violation, What, words,
};
use value::{Region, ValueId};

use crate::aim::Pursuit;
use crate::answer::{Counts, Kept};
use crate::bfs::Expanded;
use crate::checkpoint::{Barrier, First, Keeper};
use crate::context::Context;
use crate::crew::Crew;
use crate::expand::{Expander, Finding, Harvest, StepJudge};
use crate::explain::{self, At};
use crate::growth::GrowthWatch;
use crate::judges::{self, Failed, Judged, Judges, Origin};
use crate::keep::{Frontier, Level, OnStack, Parents, Stack, can_go_on};
use crate::live::{self, Liveness};
use crate::observe::Event;
use crate::options::Search;
use crate::periodic;
use crate::rebuild::{self, Target};
use crate::run::WorkerRun;
use crate::settle::{Block, Settled, settle};
use crate::space::Handle;
use crate::spill::{self, Begun, Folder, Spilled};
use crate::{bfs, dfs};

pub(crate) struct Searcher<'a> {
    pub context: &'a Context<'a>,
    /// Folder in which the search goes on when memory is full.
    folder: Option<Folder>,
    pub record: Record,
    /// Keeper of the checkpoints: see `keep`.
    pub keeper: Option<Keeper>,
    pub barrier: Option<Barrier>,
    pub first_kept: Option<First>,
    /// The checkpoint that is there after a search that is not complete.
    pub kept: Option<Kept>,
    /// Progress towards the aim, if there is one.
    pub pursuit: Pursuit,
    pub(crate) growth: GrowthWatch,
}

/// The findings of a search so far.
#[derive(Default)]
pub(crate) struct Record {
    pub tallies: Vec<Tally>,
    pub n_violations: usize,
    /// The first violation, when the search goes on after it.
    pub first: Option<Box<Violation>>,
    /// An error that ended the search after a violation.
    pub later: Option<Box<Diagnostic>>,
    pub warnings: Vec<Diagnostic>,
}

/// How far a search in memory came.
pub(crate) enum Explored {
    Ended(Outcome),
    /// The rest is to be explored from disk.
    Spilled(Box<Spilled>),
}

impl From<Ended> for Explored {
    fn from(ended: Ended) -> Self {
        Explored::Ended(ended.outcome())
    }
}

impl<'a> Searcher<'a> {
    pub fn new(context: &'a Context<'a>, folder: Option<Folder>, keeper: Option<Keeper>) -> Self {
        Searcher { folder, keeper, ..Searcher::going_on(context, Record::default()) }
    }

    /// A search that found something before, with other tables.
    pub fn going_on(context: &'a Context<'a>, record: Record) -> Self {
        Searcher {
            context,
            folder: None,
            record,
            keeper: None,
            barrier: None,
            first_kept: None,
            kept: None,
            pursuit: Pursuit::default(),
            growth: GrowthWatch::default(),
        }
    }

    pub fn into_record(self) -> Record {
        self.record
    }

    pub fn n_violations(&self) -> usize {
        self.record.n_violations
    }

    pub fn run(&mut self) -> Explored {
        match self.explore() {
            Explored::Ended(outcome) => {
                let outcome = self.check_behaviours(outcome);
                let outcome = self.keep_unfinished(outcome);
                Explored::Ended(self.conclude(outcome))
            }
            Explored::Spilled(spilled) => Explored::Spilled(spilled),
        }
    }

    /// TLC: temporal properties are looked at when nothing else was found.
    fn check_behaviours(&mut self, outcome: Outcome) -> Outcome {
        let Some(liveness) = self.context.liveness else { return outcome };
        let outcome = match outcome {
            Ok(Verdict::Holds) => self.judge_behaviours(liveness),
            Ok(Verdict::Violated(_)) | Err(_) => outcome,
        };
        if let Err(NoVerdict::Limit(_) | NoVerdict::Interrupted) = outcome {
            self.record.warnings.extend(live::warn_unchecked(self.context.model));
        }
        outcome
    }

    fn judge_behaviours(&mut self, liveness: &Liveness) -> Outcome {
        let board = self.context.board;
        let (counts, n_steps, elapsed) = (board.counts(), liveness.n_steps(), board.elapsed());
        board.observer.event(Event::Temporal { counts, n_steps, elapsed });
        let judgement = live::check(self.context, liveness)?;
        self.record.warnings.extend(judgement.warnings);
        let Some(violation) = judgement.violation else { return Ok(Verdict::Holds) };
        self.record.n_violations += 1;
        self.tally(&violation.property);
        if self.record.first.is_none() {
            return Ok(Verdict::Violated(violation));
        }
        board.observer.event(Event::Violation(&violation));
        Ok(Verdict::Holds)
    }

    /// Returns the answer in the end, with what was found on the way.
    pub fn conclude(&mut self, outcome: Outcome) -> Outcome {
        let Some(mut first) = self.record.first.take() else { return outcome };
        let cut = match outcome {
            Ok(Verdict::Holds) => None,
            Ok(violated @ Verdict::Violated(_)) => return Ok(violated),
            Err(NoVerdict::Limit(_)) => Some("after this the search ended at a limit: it is not complete"),
            Err(NoVerdict::Interrupted) => Some("after this the search was interrupted: it is not complete"),
            Err(
                NoVerdict::Undefined { error, .. }
                | NoVerdict::Assertion { error, .. }
                | NoVerdict::Incomplete { error, .. }
                | NoVerdict::NoInitialState(error)
                | NoVerdict::Disk(error)
                | NoVerdict::Checkpoint(error)
                | NoVerdict::Unsupported(error),
            ) => {
                self.record.later = Some(error);
                Some("after this the search ended with an error: it is not complete")
            }
        };
        if let Some(cut) = cut {
            first.diagnostic.notes.push(cut.to_owned());
        }
        Ok(Verdict::Violated(first))
    }

    fn explore(&mut self) -> Explored {
        let frontier = match self.begin() {
            Ok(frontier) => frontier,
            Err(ended) => return ended.into(),
        };
        self.context.board.started.store(true, Ordering::Relaxed);
        match frontier {
            Frontier::Level(level) => self.breadth_first(level),
            Frontier::Stack(stack) => Explored::Ended(self.depth_first(stack)),
        }
    }

    fn begin(&mut self) -> Result<Frontier, Ended> {
        if self.keeper.as_ref().is_some_and(Keeper::is_resumed) {
            return self.resume();
        }
        self.context.board.observer.event(Event::Prepared);
        let level = self.initial()?;
        Ok(match self.context.board.options.search {
            Search::BreadthFirst => {
                let level = Level::first(level, self.context.board.counts());
                self.stand_at(&level);
                Frontier::Level(level)
            }
            Search::DepthFirst => {
                self.pursuit = Pursuit::begin(self.context, &level);
                Frontier::Stack(Stack::new(level))
            }
        })
    }

    fn initial(&mut self) -> Result<Vec<Handle>, Ended> {
        let context = self.context;
        let region = context.board.region();
        let run = WorkerRun::new(context, 0);
        let mut machine = Machine::new(context.program(), context.shared, &region, &run);
        let mut expander = Expander::in_passing(context, &run);
        expander.initial(&mut machine);
        let harvest = expander.finish();
        let mut settled =
            settle((context, &Crew::alone()), &mut Block::whole(context, &[]), vec![harvest], 0);
        let counts = context.board.counts();
        // TLC: states that a constraint cuts off are on the first level too.
        let depth = u32::from(counts.generated > 0);
        context.board.set_counts(Counts { depth, initial: counts.distinct, ..counts });
        self.take(&mut settled, Parents { states: &[], start: 0 })?;
        // What was cut off must never look complete.
        if let Some(ended) = self.was_stopped() {
            return Err(ended);
        }
        if settled.level.is_empty() && counts.generated == 0 {
            return Err(words::no_initial_state(context.model).into());
        }
        self.keep_states(&settled, Parents { states: &[], start: 0 })?;
        context.board.observer.event(Event::Initial { counts: context.board.counts() });
        Ok(settled.level)
    }

    fn breadth_first(&mut self, level: Level) -> Explored {
        std::thread::scope(|scope| {
            let crew = Crew::start(scope, self.context.board.options.n_workers);
            let explored = self.go_through_levels(&crew, level);
            if let Explored::Ended(Err(NoVerdict::Limit(_) | NoVerdict::Interrupted)) = explored {
                self.growth.tell(self.context);
            }
            explored
        })
    }

    fn go_through_levels(&mut self, crew: &Crew<'a>, mut level: Level) -> Explored {
        let context = self.context;
        while !level.states.is_empty() {
            if let Some(ended) = self.must_end(level.depth) {
                return ended.into();
            }
            self.growth.look(context, &level.states, level.depth);
            context.code.prepare(context, &level.states);
            if let Err(explored) = self.expand_piece(crew, &mut level) {
                return explored;
            }
        }
        let is_complete = context.board.counts().queue == 0;
        assert!(is_complete || context.board.exit.load(Ordering::Relaxed), "a verdict is about all states");
        Explored::Ended(Ok(Verdict::Holds))
    }

    /// Writes everything to disk.
    fn spill(&mut self, begun: Begun<'_>) -> Explored {
        let folder = self.folder.take().expect("a search that is to spill has a folder");
        match spill::export(self.context, folder, begun) {
            Ok(spilled) => Explored::Spilled(Box::new(spilled)),
            Err(error) => Explored::Ended(Err(spill::failed(&error))),
        }
    }

    /// Expands what is left of a level; only a part of that if a checkpoint is due.
    fn expand_piece(&mut self, crew: &Crew<'a>, level: &mut Level) -> Result<(), Explored> {
        let context = self.context;
        let Expanded { harvests, n_complete, is_to_spill } = bfs::expand_level(context, crew, level.task());
        if is_to_spill {
            let begun = Begun { level: &level.states, depth: level.depth, n_expanded: n_complete, harvests };
            return Err(self.spill(begun));
        }
        let (n_next, last_new) = (level.next.len(), level.last_new);
        let mut block = Block { parents: &level.states, n_complete, n_next, last_new };
        let mut settled = settle((context, crew), &mut block, harvests, self.record.n_violations);
        let last_new = block.last_new;
        if !settled.level.is_empty() {
            let counts = context.board.counts();
            context.board.set_counts(Counts { depth: level.depth + 1, ..counts });
        }
        self.take(&mut settled, level.parents())?;
        self.answers_of_run().map_err(Ended::from)?;
        // Registers know of states that are left out: then the search stands where it stood before.
        let is_cut_off = n_complete < level.states.len() && context.board.is_over();
        if !(is_cut_off && context.board.are_registers_used()) {
            self.keep_states(&settled, level.parents())?;
            level.advance(n_complete, settled.level, last_new);
            level.begin_next_if_done(context.board.counts());
            self.stand_at(level);
        }
        if let Some(ended) = self.was_stopped() {
            return Err(ended.into());
        }
        Ok(self.keep_if_due()?)
    }

    fn depth_first(&mut self, stack: Stack) -> Outcome {
        let judges = Judges::new(self.context);
        let outcome = std::thread::scope(|scope| {
            let listed = judges::are_possible(self.context).then_some(&judges);
            let _at_work = listed.map(|judges| judges.start(scope));
            self.go_through_stack(stack, listed)
        });
        self.growth.tell_if_cut_off(self.context, &outcome);
        outcome
    }

    /// Those who judge the steps, if there are any, have the first word.
    fn go_through_stack(&mut self, mut stack: Stack, judges: Option<&Judges<'a>>) -> Outcome {
        let mut region = self.context.board.region();
        let outcome = self.pop_all(&mut stack, &mut region, judges);
        match judges.map(|judges| judges.finish(&mut region)) {
            None | Some(Judged::AllHold) => outcome,
            Some(Judged::Failed(failed)) => self.take_failed(*failed),
            Some(Judged::CutOff) => outcome.and_then(|_| self.was_cut_off().outcome()),
        }
    }

    /// A step failed, as it would have when it was taken.
    fn take_failed(&mut self, failed: Failed) -> Outcome {
        let board = self.context.board;
        board.set_counts(failed.counts());
        // What asked for an end was found later.
        board.exit.store(false, Ordering::Relaxed);
        self.pursuit = failed.origin.pursuit;
        let Failed { origin, owed, what } = failed;
        let finding =
            Finding { key: owed.key, slot: None, stored: None, n_generated: owed.n_generated, what };
        let mut settled = Settled { findings: vec![finding], ends: true, ..Settled::default() };
        let parents = Parents { states: &[origin.parent], start: origin.number };
        self.take(&mut settled, parents).err().map_or(Err(NoVerdict::Interrupted), Ended::outcome)
    }

    fn pop_all(&mut self, stack: &mut Stack, region: &mut Region, judges: Option<&Judges<'a>>) -> Outcome {
        let context = self.context;
        let mut n_states_next = 1;
        while let Some(top) = stack.pop() {
            if context.board.options.depth_max.is_some_and(|max| top.depth >= max) {
                stack.is_cut = true;
                continue;
            }
            if context.space.len() >= n_states_next {
                n_states_next = 2 * n_states_next.max(context.space.len() / 2);
                context.code.prepare(context, &[top.handle]);
            }
            self.growth.look(context, &[top.handle], top.depth);
            if stack.len().is_multiple_of(64) {
                context.board.tick(context.space);
                periodic::look(context, &WorkerRun::new(context, 0));
            }
            if let Err(ended) = self.expand_top(stack, region, (top, judges)) {
                return ended.outcome();
            }
            if judges.is_some_and(Judges::have_ended) {
                return Ok(Verdict::Holds);
            }
        }
        if !stack.is_cut {
            return Ok(Verdict::Holds);
        }
        self.stand_on(stack, context.board.counts())?;
        Err(NoVerdict::Limit(Limit::Depth(context.board.options.depth_max.unwrap_or(0))))
    }

    fn expand_top(
        &mut self,
        stack: &mut Stack,
        region: &mut Region,
        (top, judges): (OnStack, Option<&Judges<'a>>),
    ) -> Result<(), Ended> {
        let context = self.context;
        let before = self.before();
        let parents = Parents { states: &[top.handle], start: top.number };
        let origin = judges.map(|_| self.origin(top, stack.len()));
        let judge = if judges.is_some() { StepJudge::Others } else { StepJudge::Worker };
        let expanded = dfs::expand_one(context, region, (top.handle, top.depth), judge);
        let Expanded { mut harvests, n_complete, .. } = expanded;
        let listed = judges.zip(origin);
        if listed.is_some_and(|(judges, origin)| have_failed(judges, &origin, &mut harvests, region)) {
            return Err(Ended::Verdict(Verdict::Holds));
        }
        let mut block = Block { n_complete, ..Block::whole(context, parents.states) };
        let n_violations = self.record.n_violations;
        let mut settled = settle((context, &Crew::alone()), &mut block, harvests, n_violations);
        let counts = context.board.counts();
        let deepest = if settled.level.is_empty() { 0 } else { top.depth + 1 };
        let queue = counts.queue + stack.len() as u64;
        context.board.set_counts(Counts { depth: counts.depth.max(deepest), queue, ..counts });
        let taken = self.take(&mut settled, parents);
        if n_complete == 0 || matches!(&taken, Err(Ended::NoVerdict(reason)) if can_go_on(reason)) {
            self.stand_before(stack, top, before)?;
            return Err(taken.err().unwrap_or_else(|| self.was_cut_off()));
        }
        taken?;
        self.answers_of_run()?;
        self.keep_states(&settled, parents)?;
        if self.pursuit.is_there(context, &settled.level, top.depth + 1) {
            return Err(Ended::Verdict(Verdict::Holds));
        }
        stack.push_all(&settled.level, top.depth + 1);
        if let Some(ended) = self.was_stopped() {
            self.stand_on(stack, context.board.counts())?;
            return Err(ended);
        }
        if context.board.is_checkpoint_due() {
            self.stand_on(stack, context.board.counts())?;
        }
        self.keep_if_due()
    }

    /// The error of a temporal property that asked about the run and had no value.
    fn answers_of_run(&self) -> Result<(), NoVerdict> {
        self.context.liveness.map_or(Ok(()), |liveness| liveness.trouble(self.context))
    }

    /// Where the steps of a state are taken.
    fn origin(&self, top: OnStack, n_stacked: usize) -> Origin {
        let OnStack { handle: parent, number, depth } = top;
        let (counts, pursuit) = (self.context.board.counts(), self.pursuit);
        let mut values = vec![ValueId::from_bits(0); self.context.space.n_variables()];
        self.context.space.state(parent, &mut values);
        let n_waiting = n_stacked as u64;
        Origin { parent, values: values.into(), number, depth, counts, n_waiting, pursuit }
    }

    /// Before a level: whether it is too deep.
    pub fn must_end(&self, depth: u32) -> Option<Ended> {
        let max = self.context.board.options.depth_max?;
        (depth >= max).then_some(Ended::NoVerdict(NoVerdict::Limit(Limit::Depth(max))))
    }

    /// After a level: whether the user, the clock or the specification ended it early.
    pub fn was_stopped(&self) -> Option<Ended> {
        let board = self.context.board;
        if let Some(outcome) = periodic::take_outcome(self.context) {
            return Some(outcome.into());
        }
        if board.options.interrupted.load(Ordering::Relaxed) {
            return Some(NoVerdict::Interrupted.into());
        }
        if board.limits.time_over.load(Ordering::Relaxed) {
            return Some(NoVerdict::Limit(Limit::Time).into());
        }
        if board.limits.memory_over.load(Ordering::Relaxed) {
            return Some(NoVerdict::Limit(Limit::Memory).into());
        }
        // TLC: a success, with states left.
        board.exit.load(Ordering::Relaxed).then_some(Ended::Verdict(Verdict::Holds))
    }

    /// How a search ends that was cut off in the middle of something.
    pub fn was_cut_off(&self) -> Ended {
        self.was_stopped().unwrap_or(Ended::NoVerdict(NoVerdict::Interrupted))
    }

    /// Reports what a level has to tell; how the search ends, if it does not go on.
    pub fn take(&mut self, settled: &mut Settled, parents: Parents<'_>) -> Result<(), Ended> {
        let n_findings = settled.findings.len();
        for (index, finding) in std::mem::take(&mut settled.findings).into_iter().enumerate() {
            let ends = settled.ends && index + 1 == n_findings;
            // What was found before the search was cut off counts.
            if finding.what.is_interruption() {
                return Err(self.was_cut_off());
            }
            let target = self.target(&finding, parents.states);
            if !finding.what.is_violation() {
                return Err(self.no_verdict(finding.what, target, parents.states.is_empty()).into());
            }
            let step = parents
                .states
                .get(finding.key.rank as usize)
                .map(|&parent| Target::Successor { parent: Some(parent), ordinal: finding.key.ordinal });
            let is_shown = self.record.first.is_none() || self.context.board.observer.wants_traces();
            let violation = match is_shown {
                true => self.violation(&finding.what, target, step),
                false => {
                    let model = self.context.model;
                    words::violation(model, &finding.what, words::no_states(model), None)
                }
            };
            self.record.n_violations += 1;
            self.tally(&violation.property);
            if ends {
                let first = self.record.first.take().unwrap_or_else(|| Box::new(violation));
                return Err(Ended::Verdict(Verdict::Violated(first)));
            }
            self.context.board.observer.event(Event::Violation(&violation));
            if self.record.first.is_none() {
                self.record.first = Some(Box::new(violation));
                self.first_kept = self.kept_first(&finding, parents, &settled.level);
            }
        }
        if settled.is_full {
            let max = self.context.board.options.states_max.unwrap_or(0);
            return Err(NoVerdict::Limit(Limit::States(max)).into());
        }
        Ok(())
    }

    fn tally(&mut self, property: &Property) {
        match self.record.tallies.iter_mut().find(|tally| tally.property == *property) {
            Some(tally) => tally.n_violations += 1,
            None => self.record.tallies.push(Tally { property: property.clone(), n_violations: 1 }),
        }
    }

    /// The last state of the trace that shows a finding.
    fn target(&self, finding: &Finding, parents: &[Handle]) -> Option<Target> {
        let parent = parents.get(finding.key.rank as usize).copied();
        let ordinal = finding.key.ordinal;
        match &finding.what {
            What::Deadlock | What::Full => parent.map(Target::Stored),
            What::Fault(Phase::Next | Phase::Init | Phase::View, _) => parent.map(Target::Stored),
            What::Fault(..)
            | What::Invariant(_)
            | What::StepProperty(_)
            | What::InitialProperty(_)
            | What::Incomplete => {
                Some(finding.stored.map_or(Target::Successor { parent, ordinal }, Target::Stored))
            }
        }
    }

    /// A trace that does not say what it shows.
    fn trace(&self, target: Option<Target>) -> trace::Trace {
        match target {
            Some(target) => rebuild::trace(self.context, &WorkerRun::new(self.context, 0), target),
            None => words::no_states(self.context.model),
        }
    }

    /// `step` is the step that leads to `target`.
    pub fn violation(&self, what: &What, target: Option<Target>, step: Option<Target>) -> Violation {
        let context = self.context;
        let (kind, root) = words::property(context.program(), what);
        let trace = self.trace(target);
        let is_step = kind == PropertyKind::Step;
        let shown_at = if is_step { step } else { target };
        let explained = root.zip(shown_at).and_then(|(root, target)| {
            explain::failure(context, &WorkerRun::new(context, 0), root, At { target, is_step })
        });
        let mut violation = words::violation(context.model, what, trace, explained);
        if let (What::Deadlock, Some(target)) = (what, target) {
            let run = WorkerRun::new(context, 0);
            violation.diagnostic = explain::deadlock(context, &run, target, violation.diagnostic);
        }
        violation
    }

    /// `initial`: it came up among the initial states.
    fn no_verdict(&self, what: What, target: Option<Target>, initial: bool) -> NoVerdict {
        words::no_verdict(self.context.model, what, initial, self.trace(target))
    }
}

/// Lists the steps of a state. What was found after them counts only if they are right: whether they are not is asked
/// for where something was found.
fn have_failed(judges: &Judges<'_>, origin: &Origin, harvests: &mut [Harvest], region: &mut Region) -> bool {
    let owed = harvests.iter_mut().flat_map(|harvest| std::mem::take(&mut harvest.owed)).collect();
    judges.list(origin, owed, region);
    let has_found = harvests.iter().any(|harvest| !harvest.findings.is_empty());
    has_found && judges.judge_all(region)
}
