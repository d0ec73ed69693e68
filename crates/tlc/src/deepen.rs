//! `-dfid N`: searches to level 2, 3 and so on up to N, each from the start, told as TLC tells iterative deepening.
//!
//! Each search is breadth-first. What is found is the same: TLC goes through all states of at most this level, in an order that
//! it draws, and a violation is found at the least level that has one. How many states TLC generates until then depends on that
//! order; without a violation both generate the same, except that TLC does not go again below states that it is done with.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use base::Clock;
use check::{Answer, Counts, Event, Observer, Options, Progress, Search};
use model::{Limit, NoVerdict, PropertyKind, Verdict, Violation};
use setup::{Ending, Output, with_files};

use super::options::Dump;
use super::outcome::{self, Teller};
use super::search::{self, SUCCESS, Setting};
use super::voice::Voice;
use super::{code, moment};

/// The least level to which anything is expanded.
const FIRST: u32 = 2;

pub fn run(teller: Teller<'_>, setting: &Setting<'_>, level_max: u32) -> io::Result<Ending> {
    let voice = teller.voice;
    if !teller.model.program.temporal.is_empty() {
        let text = "Iterative deepening (-dfid) does not check temporal properties. Leave -dfid out, or the properties \
                    (-lncheck off).";
        voice.trouble(text)?;
        return Ok(Ending::Unreadable);
    }
    if level_max < FIRST {
        voice.trouble("Iterative deepening needs at least two levels: -dfid 2.")?;
        return Ok(Ending::Unreadable);
    }
    let dump = search::possible_dump(teller, setting)?;
    let report = Report {
        teller,
        output: Output::new(Arc::clone(&setting.interrupted)),
        level: AtomicU32::new(FIRST),
        has_initial: AtomicBool::new(false),
        n_initial: AtomicU64::new(0),
        is_past_initial: AtomicBool::new(false),
        ended_by: OnceLock::new(),
    };
    Deepening { teller, setting, dump, report: &report, generated: 0, distinct: 0 }.levels(level_max)
}

struct Deepening<'a> {
    teller: Teller<'a>,
    setting: &'a Setting<'a>,
    dump: Option<&'a Dump>,
    report: &'a Report<'a>,
    /// By all searches so far, the initial states counted once.
    generated: u64,
    distinct: u64,
}

impl Deepening<'_> {
    fn levels(mut self, level_max: u32) -> io::Result<Ending> {
        for level in FIRST..=level_max {
            if level > FIRST {
                self.starting(level)?;
            }
            let answer = self.search(level)?;
            let dumped = |ending: Ending| self.dump(level, &answer, ending);
            if let Some((code, text, ending)) = search::promote(self.teller, &answer) {
                self.teller.voice.error(code, &text)?;
                self.summary(&answer)?;
                return dumped(ending);
            }
            if let Some(violation) = self.report.ended_by.get() {
                return self.end_told(&answer, violation).and_then(dumped);
            }
            if !may_go_on(&answer, self.setting.wishes.goes_on) {
                return self.end(&answer, false).and_then(dumped);
            }
            let is_complete = answer.counts.queue == 0;
            // TLC: that all is done is seen when the next level is begun.
            if is_complete && level < level_max {
                return self.end(&answer, true).and_then(dumped);
            }
            if is_complete || level == level_max {
                return self.end_at_limit(&answer, is_complete).and_then(dumped);
            }
        }
        unreachable!("the last level returns")
    }

    /// One search from the start.
    fn search(&mut self, level: u32) -> io::Result<Answer> {
        self.report.level.store(level, Ordering::Relaxed);
        self.report.is_past_initial.store(false, Ordering::Relaxed);
        let mut options = self.options(level);
        let elapsed = self.setting.clock.elapsed();
        options.time_max = options.time_max.map(|max| max.saturating_sub(elapsed));
        let answer = check::check(self.teller.model, &options, self.report);
        self.report.output.finish()?;
        let Counts { generated, distinct, .. } = answer.counts;
        let n_initial = self.report.n_initial.load(Ordering::Relaxed);
        let again = if level == FIRST { 0 } else { n_initial };
        self.generated += generated.saturating_sub(again);
        self.distinct = distinct;
        Ok(answer)
    }

    fn options(&self, level: u32) -> Options<'_> {
        let mut options = search::options(self.teller.model, self.setting);
        (options.search, options.depth_max) = (Search::BreadthFirst, Some(level));
        options
    }

    /// The states of the last search, written where they were asked for; how the run ends then.
    fn dump(&self, level: u32, answer: &Answer, ending: Ending) -> io::Result<Ending> {
        let Some(dump) = self.dump else { return Ok(ending) };
        let is_dumped = super::dump::write(self.teller, dump, &self.options(level), answer)?;
        Ok(with_files(ending, is_dumped))
    }

    fn starting(&self, level: u32) -> io::Result<()> {
        starting(self.teller.voice, level, (self.generated, self.distinct))
    }

    fn end(&self, answer: &Answer, is_success: bool) -> io::Result<Ending> {
        let (voice, outcome) = (self.teller.voice, &answer.outcome);
        if is_success {
            voice.say(code::SUCCESS, SUCCESS)?;
        } else {
            self.teller.tell(outcome)?;
            search::files(self.teller, self.setting, outcome)?;
        }
        self.summary(answer)?;
        Ok(if is_success { Ending::Ok } else { outcome::exit_of_deepening(self.teller.model, outcome) })
    }

    /// An end by what was told while the search went on.
    fn end_told(&self, answer: &Answer, violation: &Violation) -> io::Result<Ending> {
        let outcome = Ok(Verdict::Violated(Box::new(violation.clone())));
        search::files(self.teller, self.setting, &outcome)?;
        self.summary(answer)?;
        Ok(outcome::exit_of_deepening(self.teller.model, &outcome))
    }

    /// TLC: no word about what was not looked at, and success.
    fn end_at_limit(&self, answer: &Answer, is_complete: bool) -> io::Result<Ending> {
        if !is_complete {
            let n_states = answer.counts.queue;
            let text = format!("-dfid: {n_states} states of the last level were not expanded");
            self.teller.voice.aside(&text)?;
        }
        self.summary(answer)?;
        Ok(Ending::Ok)
    }

    fn summary(&self, answer: &Answer) -> io::Result<()> {
        let voice = self.teller.voice;
        search::tell_warnings(self.teller, answer)?;
        if !search::has_summary(answer) {
            return Ok(());
        }
        if let Some(found) = &answer.coverage {
            super::coverage::tell(self.teller, found, answer.counts)?;
        }
        if voice.is_tool {
            progress(voice, self.generated, self.distinct)?;
        }
        let text = format!("{} states generated, {} distinct states found.", self.generated, self.distinct);
        voice.say(code::STATS_DEEPENING, &text)
    }
}

fn starting(voice: &Voice<'_>, level: u32, (generated, distinct): (u64, u64)) -> io::Result<()> {
    let text =
        format!("Starting level {level}: {generated} states generated, {distinct} distinct states found.");
    voice.say(code::STARTING_LEVEL, &text)
}

fn progress(voice: &Voice<'_>, generated: u64, distinct: u64) -> io::Result<()> {
    let text = match voice.is_tool {
        true => format!(
            "Progress(-1) at {}: {generated} states generated, {distinct} distinct states found, \
             -1 states left on queue.",
            moment::now()
        ),
        false => format!("Progress: {generated} states generated, {distinct} distinct states found."),
    };
    voice.say(code::PROGRESS_DEEPENING, &text)
}

/// Whether what a search came to is no reason to stop.
fn may_go_on(answer: &Answer, goes_on: bool) -> bool {
    match &answer.outcome {
        Ok(Verdict::Holds) | Err(NoVerdict::Limit(Limit::Depth(_)) | NoVerdict::NoInitialState(_)) => true,
        Ok(Verdict::Violated(_)) => goes_on && search::is_passed_over(answer),
        Err(_) => false,
    }
}

struct Report<'a> {
    teller: Teller<'a>,
    output: Output,
    level: AtomicU32,
    has_initial: AtomicBool,
    /// How many initial states each search generates.
    n_initial: AtomicU64,
    /// Whether this search is done with its initial states.
    is_past_initial: AtomicBool,
    /// The violation that ends it even with `-continue`.
    ended_by: OnceLock<Violation>,
}

impl Report<'_> {
    fn report_event(&self, event: Event<'_>) -> io::Result<()> {
        let voice = self.teller.voice;
        match event {
            Event::Initial { counts } => self.initial(counts),
            Event::Progress(Progress { counts, .. }) => progress(voice, counts.generated, counts.distinct),
            Event::Printed(_) if self.is_again() => Ok(()),
            Event::Printed(line) => voice.print(line),
            Event::Violation(violation) if self.is_new(violation) => self.violation(violation),
            Event::Prepared
            | Event::Violation(_)
            | Event::Temporal { .. }
            | Event::Growing(_)
            | Event::Checkpoint { .. }
            | Event::Resumed { .. } => Ok(()),
        }
    }

    /// TLC: assumptions and the initial predicate are evaluated once.
    fn is_again(&self) -> bool {
        self.level.load(Ordering::Relaxed) > FIRST && !self.is_past_initial.load(Ordering::Relaxed)
    }

    /// TLC: `-continue` goes on after invariants and properties of steps alone.
    fn violation(&self, violation: &Violation) -> io::Result<()> {
        let kind = violation.property.kind;
        if matches!(kind, PropertyKind::Deadlock | PropertyKind::Initial) {
            // The first one counts.
            let _ = self.ended_by.set(violation.clone());
        }
        self.teller.violation(violation)
    }

    /// The first search alone tells of the initial states.
    fn initial(&self, counts: Counts) -> io::Result<()> {
        self.is_past_initial.store(true, Ordering::Relaxed);
        if self.has_initial.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        let Counts { generated, distinct, .. } = counts;
        self.n_initial.store(generated, Ordering::Relaxed);
        let text = format!(
            "Finished computing initial states: {generated} states generated, with {distinct} of them distinct."
        );
        self.teller.voice.say(code::INIT_GENERATED_DEEPENING, &text)?;
        starting(self.teller.voice, FIRST, (generated, distinct))
    }

    /// Whether the search before did not come so far: one level less for states, one more for deadlock, which shows only where
    /// a state is expanded.
    fn is_new(&self, violation: &Violation) -> bool {
        let level = self.level.load(Ordering::Relaxed) as usize;
        let n_states = violation.trace.as_ref().map_or(level, |trace| trace.states.len());
        let is_deadlock = violation.property.kind == PropertyKind::Deadlock;
        level == FIRST as usize || n_states + usize::from(is_deadlock) >= level
    }
}

impl Observer for Report<'_> {
    fn event(&self, event: Event<'_>) {
        self.output.keep(self.report_event(event));
    }

    fn progress_interval(&self) -> Duration {
        search::progress_interval(self.teller.voice)
    }
}
