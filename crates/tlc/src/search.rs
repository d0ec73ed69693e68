//! A search: `specline check` with TLC's options and TLC's output.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::{Clock, SystemClock};
use check::{Answer, Checkpoints, Counts, Event, Observer, Options, Progress, Search, Spill};
use diag::{Code as Own, Diagnostic};
use model::{Engine, Limit, Model, NoVerdict, Outcome, Phase, PropertyKind, Verdict, Violation};
use setup::memory::{self, bytes};
use setup::words::grouped;
use setup::{Ending, Output, with_files};

use super::code::{self, Code};
use super::constants::Constants;
use super::options::{Dump, Options as Wishes};
use super::outcome::{self, Teller};
use super::voice::Voice;
use super::{coverage, moment, place, te_spec, trace_files};

/// Time between two reports of progress to a tool. TLC's sixty seconds are long for a user who watches.
const TOOL_INTERVAL: Duration = Duration::from_secs(10);

/// The setting of a search besides the model.
pub struct Setting<'a> {
    pub wishes: &'a Wishes,
    pub n_workers: usize,
    pub check_deadlock: bool,
    pub interrupted: Arc<AtomicBool>,
    pub clock: &'a SystemClock,
    pub world: &'a eval::world::Machine,
    pub folder: Option<PathBuf>,
    pub constants: &'a Constants,
}

pub fn run(teller: Teller<'_>, setting: &Setting<'_>) -> io::Result<Ending> {
    let voice = teller.voice;
    let report = Report {
        teller,
        output: Output::new(Arc::clone(&setting.interrupted)),
        is_temporal: AtomicBool::new(false),
        has_initial: AtomicBool::new(false),
        folder: setting.folder.as_deref(),
    };
    let options = options(teller.model, setting);
    if setting.wishes.checkpoint_every.is_some() && !keeps_checkpoints(teller.model, setting) {
        voice.aside(
            "`-checkpoint` has no effect: a search with temporal properties keeps nothing to continue from",
        )?;
    }
    let dump = possible_dump(teller, setting)?;
    let answer = check::check(teller.model, &options, &report);
    report.output.finish()?;
    let is_passed_over = setting.wishes.goes_on && is_passed_over(&answer);
    report.answer(&answer, is_passed_over)?;
    files(teller, setting, &answer.outcome)?;
    let is_dumped = dump.map_or(Ok(true), |dump| super::dump::write(teller, dump, &options, &answer))?;
    report.coverage(&answer)?;
    if is_passed_over || has_summary(&answer) {
        summary(voice, answer.counts, setting.clock.elapsed())?;
    }
    let ending = match promote(teller, &answer) {
        Some((_, _, ending)) => ending,
        None if is_passed_over => Ending::Ok,
        None => outcome::exit(teller.model, &answer.outcome),
    };
    Ok(with_files(ending, is_dumped))
}

/// Returns the dump that is asked for. If there can be none, the reason is reported, and the search continues
/// without it.
pub fn possible_dump<'s>(teller: Teller<'_>, setting: &Setting<'s>) -> io::Result<Option<&'s Dump>> {
    let Some(dump) = setting.wishes.dump.as_ref() else { return Ok(None) };
    let options = options(teller.model, setting);
    let Some(refused) = check::no_graph(teller.model, &options) else { return Ok(Some(dump)) };
    teller.voice.aside(&format!("`-dump` has no effect: {}", refused.headline))?;
    Ok(None)
}

/// Writes the files that a counterexample is kept in.
pub fn files(teller: Teller<'_>, setting: &Setting<'_>, outcome: &Outcome) -> io::Result<()> {
    trace_files::write(teller, &setting.wishes.trace_files, setting.constants, outcome)?;
    te_spec::write(teller, setting.wishes, setting.constants, outcome);
    Ok(())
}

pub fn options<'a>(model: Model<'_>, setting: &'a Setting<'_>) -> Options<'a> {
    let wishes = setting.wishes;
    let checkpoints = checkpoints(setting).filter(|_| keeps_checkpoints(model, setting));
    let may_spill = checkpoints.is_none() && model.program.temporal.is_empty() && !wishes.is_depth_first;
    Options {
        search: if wishes.is_depth_first { Search::DepthFirst } else { Search::BreadthFirst },
        engine: Engine::Auto,
        n_workers: setting.n_workers,
        n_judges: 0,
        check_deadlock: setting.check_deadlock,
        depth_max: None,
        states_max: None,
        time_max: wishes.time_max,
        memory_bytes_max: bytes(memory::default_bytes()),
        spill: setting
            .folder
            .clone()
            .filter(|_| may_spill)
            .map(|folder| Spill { folder, after_states: None }),
        violations_max: if wishes.goes_on { None } else { Some(1) },
        seed: wishes.seed.unwrap_or_default().cast_unsigned(),
        counts_evaluations: wishes.counts_coverage,
        reports_engine: false,
        checkpoints,
        interrupted: &setting.interrupted,
        world: setting.world,
        clock: setting.clock,
    }
}

/// Whether the search can keep checkpoints. The properties are worth more than a checkpoint that few runs are long enough for;
/// but where a checkpoint is to be continued from, its absence is an error.
fn keeps_checkpoints(model: Model<'_>, setting: &Setting<'_>) -> bool {
    model.program.temporal.is_empty() || setting.wishes.recover.is_some()
}

fn checkpoints<'a>(setting: &'a Setting<'_>) -> Option<Checkpoints<'a>> {
    /// TLC's default.
    const EVERY: Duration = Duration::from_secs(30 * 60);
    let wishes = setting.wishes;
    if let Some(folder) = &wishes.recover {
        let every = wishes.checkpoint_every.unwrap_or(EVERY);
        return Some(Checkpoints { folder, every, is_resumed: true });
    }
    let every = wishes.checkpoint_every?;
    let folder = setting.folder.as_deref()?;
    Some(Checkpoints { folder, every, is_resumed: false })
}

/// Whether the violation was passed over. TLC: with `-continue`, a search that continued after violations is
/// a success.
pub fn is_passed_over(answer: &Answer) -> bool {
    let Ok(Verdict::Violated(violation)) = &answer.outcome else { return false };
    match violation.property.kind {
        PropertyKind::Invariant | PropertyKind::Step | PropertyKind::Initial | PropertyKind::Deadlock => true,
        PropertyKind::Assumption
        | PropertyKind::Temporal
        | PropertyKind::Postcondition
        | PropertyKind::Possible
        | PropertyKind::Periodic => false,
    }
}

/// Whether there is a summary. TLC: not if the run ends before the first state.
pub fn has_summary(answer: &Answer) -> bool {
    match &answer.outcome {
        Ok(Verdict::Violated(violation)) => {
            violation.property.kind != PropertyKind::Assumption && !is_initial(violation)
        }
        Err(NoVerdict::Undefined { phase, .. }) => {
            !matches!(phase, Phase::Assumption | Phase::Preparation | Phase::Configuration)
        }
        Err(NoVerdict::Unsupported(_) | NoVerdict::Checkpoint(_) | NoVerdict::Disk(_)) => false,
        Err(NoVerdict::Interrupted | NoVerdict::Incomplete { initial: true, .. }) => false,
        Ok(Verdict::Holds) | Err(_) => true,
    }
}

/// Whether an initial state is the violation. TLC: then nothing more is said.
fn is_initial(violation: &Violation) -> bool {
    let is_first = violation.trace.as_ref().is_some_and(|trace| trace.states.len() == 1);
    is_first && matches!(violation.property.kind, PropertyKind::Invariant | PropertyKind::Initial)
}

fn summary(voice: &Voice<'_>, counts: Counts, elapsed: Duration) -> io::Result<()> {
    let Counts { generated, distinct, queue, depth, .. } = counts;
    // Tools read the last counts where they read the others.
    if voice.is_tool {
        progress(voice, counts, Some(elapsed))?;
    }
    let text = format!(
        "{generated} states generated, {distinct} distinct states found, {queue} states left on queue."
    );
    voice.say(code::STATS, &text)?;
    voice.say(code::SEARCH_DEPTH, &format!("The depth of the complete state graph search is {depth}."))
}

pub fn progress_interval(voice: &Voice<'_>) -> Duration {
    if voice.is_tool { TOOL_INTERVAL } else { Duration::from_secs(60) }
}

fn progress(voice: &Voice<'_>, counts: Counts, elapsed: Option<Duration>) -> io::Result<()> {
    let rate = |n: u64, unit: &str| match elapsed {
        Some(elapsed) => {
            let minutes = elapsed.as_secs_f64().max(0.001) / 60.0;
            format!(" ({} {unit}/min)", grouped((n as f64 / minutes) as u64))
        }
        None => String::new(),
    };
    let Counts { generated, distinct, queue, depth, .. } = counts;
    let text = format!(
        "Progress({}) at {}: {} states generated{}, {} distinct states found{}, {} states left on queue.",
        depth.max(1),
        moment::now(),
        grouped(generated),
        rate(generated, "s"),
        grouped(distinct),
        rate(distinct, "ds"),
        grouped(queue),
    );
    voice.say(code::PROGRESS, &text)
}

/// Reports the warnings, except those that the options turn into errors.
pub fn tell_warnings(teller: Teller<'_>, answer: &Answer) -> io::Result<()> {
    let voice = teller.voice;
    let told = answer.warnings.iter().filter_map(|it| warning(teller, it));
    told.filter(|(code, _)| !voice.is_error(*code)).try_for_each(|(code, text)| voice.warn(code, &text))
}

/// Returns the first warning that the options turn into an error, with TLC's ending for it. It counts only in
/// a run without another error.
pub fn promote(teller: Teller<'_>, answer: &Answer) -> Option<(Code, String, Ending)> {
    let is_success = match &answer.outcome {
        Ok(Verdict::Holds) | Err(NoVerdict::NoInitialState(_) | NoVerdict::Limit(Limit::Depth(_))) => true,
        Ok(Verdict::Violated(_)) | Err(_) => false,
    };
    let mut told = answer.warnings.iter().filter_map(|it| warning(teller, it));
    let (code, text) = told.find(|(code, _)| is_success && teller.voice.is_error(*code))?;
    // TLC: the first is an error of evaluation, the others ask for something that is not supported.
    let ending = if code == code::EXCEPT_UNKNOWN_FIELD { Ending::Undefined } else { Ending::Unreadable };
    Some((code, text, ending))
}

/// A warning with TLC's number, if it has one.
fn warning(teller: Teller<'_>, warning: &Diagnostic) -> Option<(Code, String)> {
    if warning.code == Own::LostUpdate {
        let place = warning.primary.as_ref().map(|label| place::of(teller.model.spec, label.span));
        let place = place.unwrap_or_default();
        let text = format!("The EXCEPT was applied to non-existing fields of the value at\n{place}");
        return Some((code::EXCEPT_UNKNOWN_FIELD, text));
    }
    if warning.code == Own::LiveSymmetric {
        return Some((code::LIVENESS_SYMMETRY, LIVENESS_SYMMETRY.to_owned()));
    }
    let is_small = warning.code == Own::EmptySymmetry;
    is_small.then(|| (code::SYMMETRY_TOO_SMALL, super::words::sentence(&warning.headline)))
}

struct Report<'a> {
    teller: Teller<'a>,
    output: Output,
    is_temporal: AtomicBool,
    has_initial: AtomicBool,
    folder: Option<&'a Path>,
}

impl Report<'_> {
    fn report_event(&self, event: Event<'_>) -> io::Result<()> {
        let voice = self.teller.voice;
        match event {
            Event::Prepared => voice.say(code::COMPUTING_INIT, COMPUTING_INIT),
            Event::Initial { counts } => self.initial(counts),
            Event::Progress(Progress { counts, elapsed, .. }) => progress(voice, counts, Some(elapsed)),
            Event::Temporal { counts, .. } => {
                self.is_temporal.store(true, Ordering::Relaxed);
                progress(voice, counts, None)?;
                let text = format!(
                    "Checking temporal properties for the complete state space with {} total distinct states at ({})",
                    counts.distinct,
                    moment::now()
                );
                voice.say(code::CHECKING_TEMPORAL, &text)
            }
            // TLC says nothing of it.
            Event::Growing(_) => Ok(()),
            Event::Printed(line) => voice.print(line),
            Event::Violation(violation) => self.teller.violation(violation),
            Event::Checkpoint { .. } => {
                let folder = self.folder.map_or_else(String::new, |folder| folder.display().to_string());
                voice.say(code::CHECKPOINT_START, &format!("Checkpointing of run {folder}"))?;
                voice.say(code::CHECKPOINT_END, &format!("Checkpointing completed at ({})", moment::now()))
            }
            Event::Resumed { counts, .. } => {
                let Counts { distinct, queue, .. } = counts;
                let text =
                    format!("Recovery completed. {distinct} states examined. {queue} states on queue.");
                voice.say(code::RECOVER_END, &text)
            }
        }
    }

    fn initial(&self, counts: Counts) -> io::Result<()> {
        self.has_initial.store(true, Ordering::Relaxed);
        let Counts { generated, distinct, .. } = counts;
        let s = if generated == 1 { "" } else { "s" };
        let now = moment::now();
        let voice = self.teller.voice;
        if generated == distinct {
            let text = format!(
                "Finished computing initial states: {generated} distinct state{s} generated at {now}."
            );
            return voice.say(code::INIT_GENERATED, &text);
        }
        let text = format!(
            "Finished computing initial states: {generated} state{s} generated, with {distinct} of them distinct at {now}."
        );
        voice.say(code::INIT_GENERATED_SOME_DISTINCT, &text)
    }

    fn answer(&self, answer: &Answer, is_passed_over: bool) -> io::Result<()> {
        let voice = self.teller.voice;
        tell_warnings(self.teller, answer)?;
        if let Err(NoVerdict::NoInitialState(_)) = answer.outcome
            && !self.has_initial.load(Ordering::Relaxed)
        {
            self.initial(Counts::default())?;
        }
        if !is_passed_over {
            self.teller.tell(&answer.outcome)?;
        }
        if self.is_temporal.load(Ordering::Relaxed) {
            let text = format!("Finished checking temporal properties in 00s at {}", moment::now());
            voice.say(code::CHECKING_TEMPORAL_END, &text)?;
        }
        if let Some((code, text, _)) = promote(self.teller, answer) {
            return voice.error(code, &text);
        }
        let is_success = matches!(answer.outcome, Ok(Verdict::Holds) | Err(NoVerdict::NoInitialState(_)));
        if is_success || is_passed_over { voice.say(code::SUCCESS, SUCCESS) } else { Ok(()) }
    }

    fn coverage(&self, answer: &Answer) -> io::Result<()> {
        match &answer.coverage {
            Some(found) => coverage::tell(self.teller, found, answer.counts),
            None => Ok(()),
        }
    }
}

impl Observer for Report<'_> {
    fn event(&self, event: Event<'_>) {
        self.output.keep(self.report_event(event));
    }

    fn progress_interval(&self) -> Duration {
        progress_interval(self.teller.voice)
    }
}

pub const COMPUTING_INIT: &str = "Computing initial states...";
/// TLC's message of success. The probability is 0, since states are compared themselves and not by
/// fingerprints.
pub const SUCCESS: &str = "Model checking completed. No error has been found.
  Estimates of the probability that TLC did not check all reachable states
  because two distinct states had the same fingerprint:
  calculated (optimistic):  val = 0.0";

const LIVENESS_SYMMETRY: &str = "Declaring symmetry during liveness checking is dangerous. \
It might cause TLC to miss violations of the stated liveness properties. \
Please check liveness without symmetry defined.";
