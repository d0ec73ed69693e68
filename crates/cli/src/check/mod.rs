//! `specline check`: a specification and its configuration in, a search, its answer out.

pub mod args;
mod engine;
pub mod expect;
pub mod json;
mod load;
pub mod scope;
pub mod text;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use base::{Clock, SystemClock};
use check::{Checkpoints, Observer, Options, Search, Spill};
use diag::{Code, Diagnostic, Diagnostics, SourceMap};
use eval::lower::{Lowered, lower};
use model::{Engine, Model, NoVerdict, Outcome};
use sema::Spec;
use sema::config::BoundConfig;
use setup::memory::{self, bytes};
use setup::read_model::{self, Read, worst};
use setup::{ending_of, expressions, threads, with_files};
use value::Atoms;

use crate::args::{CheckFormatArg, EngineArg};
use crate::check::args::{CheckArgs, CheckEmitArg, CheckJob, SearchArg};
use crate::console::{Console, Stream};
use crate::environment::RunSetting;
use crate::exit::{Ending, Stop, settle};
use crate::graph::Dumper;
use crate::kept::Keeper;
use crate::reports::Reports;
use crate::reports::search::AskedProperties;
use crate::{coverage, hints, outputs, signals};
use scope::Scope;

/// Reports the answer of a run in one format.
trait Report: Observer {
    fn diagnostics(&self, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()>;
    fn answer(&self, spec: &Spec, search: &EndedSearch<'_>) -> io::Result<()>;
    /// The first failure to write, if there was one.
    fn finish(&self) -> io::Result<()>;
}

/// A search that has ended, with what it was asked to check.
#[derive(Clone, Copy)]
struct EndedSearch<'a> {
    answer: &'a check::Answer,
    scope: &'a Scope,
    /// Lints that may explain the answer.
    hints: &'a [Diagnostic],
    /// Time from the command to the answer.
    elapsed: Duration,
}

pub fn run(job: &CheckJob, console: &Console) -> Result<Ending, Stop> {
    if outputs::clashing(&outputs_of(&job.args), &job.model, job.args.load.as_deref(), console)? {
        return Ok(Ending::BadUsage);
    }
    let mut reports = Reports::new(&job.args.reports, &job.model.spec, &[], console)?;
    let ending = settle(search(job, console, &mut reports))?;
    Ok(reports.finish(ending, console)?)
}

/// The files that a run writes.
fn outputs_of(args: &CheckArgs) -> outputs::OutputFiles<'_> {
    let mut written = args.kept.files();
    written.extend(args.coverage.files());
    written.extend(args.reports.files());
    written.extend(args.dump.dump.as_deref().map(|path| ("--dump", path)));
    written
}

fn search(job: &CheckJob, console: &Console, reports: &mut Reports<'_>) -> Result<Ending, Stop> {
    let whole = SystemClock::start();
    let keeper = Keeper::new(&job.args.kept, &job.model, None, console)?;
    if let Some(path) = &job.args.load {
        return load::run(job, path, &keeper, console);
    }
    let files = coverage::Files::new(&job.args.coverage, &job.model, console)?;
    let dumper = Dumper::new(&job.args.dump, &job.model, console)?;
    if is_refused(job.n_workers, console)? {
        return Ok(Ending::Unreadable);
    }
    let interrupted = signals::watch()?;
    let report = report_of(job, console, &interrupted);
    let Read { spec, config, mut diagnostics } = read(job);
    let Some(config) = config else {
        reports.file(&job.model.spec, &spec.sources, diagnostics.iter());
        report.diagnostics(&spec, &diagnostics)?;
        return Ok(worst(&diagnostics));
    };
    let Lowered { program, diagnostics: lowered } = lower(&spec, &config, Atoms::new());
    diagnostics.extend(lowered);
    report.diagnostics(&spec, &diagnostics)?;
    if diagnostics.has_errors() {
        reports.file(&job.model.spec, &spec.sources, diagnostics.iter());
        return Ok(worst(&diagnostics));
    }
    reports.note(&spec.sources, diagnostics.iter());
    if let Some(CheckEmitArg::Ir) = job.args.emit {
        console.write(Stream::Out, &eval::print::print(&program, &spec))?;
        return Ok(Ending::Ok);
    }
    let clock = SystemClock::start();
    let options =
        options(job, &config, RunSetting { interrupted: &interrupted, clock: &clock, world: &job.world });
    let model = Model { spec: &spec, program: &program };
    if let Some(refusal) = dumper.refusal(model, &options) {
        console.draw(Stream::Err, &spec.sources, &refusal)?;
        return Ok(Ending::of(&refusal, false));
    }
    let mut answer = check::check(model, &options, &*report);
    let ending = coverage::RunEnding::of_search(&answer.outcome);
    let is_counted = files.take(&spec, &mut answer.coverage, ending, console)?;
    let scope = Scope::of(&spec, &config, &program, &options);
    let hints = hints::of(&spec, &config, &answer.outcome);
    let search = EndedSearch { answer: &answer, scope: &scope, hints: &hints, elapsed: whole.elapsed() };
    let written = report.answer(&spec, &search).and_then(|()| report.finish());
    keeper.keep(&answer.outcome, console)?;
    report_engine(job, (&spec, &answer), whole.elapsed(), console)?;
    let is_drawn = dumper.write(model, &options, &answer, console)?;
    reports.note(&spec.sources, &hints);
    let ending = ending_after(written, &answer.outcome, console)?;
    let ending = match job.args.expect {
        None => {
            reports.search(&spec, &AskedProperties::of(&spec, &config, &options), &answer);
            ending
        }
        Some(expected) => {
            reports.add_expectation((&spec, expected), &answer);
            expect::judge(expected, ending, &answer.outcome, console)?
        }
    };
    Ok(with_files(ending, is_counted && is_drawn))
}

/// Reports how actions were evaluated, if that was asked for, or what slowed a long run down. This differs
/// from run to run, so it is not part of the answer.
fn report_engine(
    job: &CheckJob,
    (spec, answer): (&Spec, &check::Answer),
    elapsed: Duration,
    console: &Console,
) -> io::Result<()> {
    let lines = match job.args.engine_report {
        true => engine::lines(spec, &answer.engine),
        false if job.args.quiet.quiet => Vec::new(),
        false => engine::note(&answer.engine, elapsed).into_iter().collect(),
    };
    lines.iter().try_for_each(|line| console.line(Stream::Err, line))
}

/// Returns the writer of the answer for the format that was asked for.
fn report_of<'a>(
    job: &CheckJob,
    console: &'a Console,
    interrupted: &Arc<AtomicBool>,
) -> Box<dyn Report + 'a> {
    match job.args.format {
        CheckFormatArg::Text => Box::new(text::TextReport::new(console, job, interrupted.clone())),
        CheckFormatArg::Json => Box::new(json::JsonReport::new(console, interrupted.clone())),
    }
}

/// Reads the model, with the expressions that a trace is shown with.
fn read(job: &CheckJob) -> Read {
    let Read { mut spec, config, mut diagnostics } = read_model::read(&job.model, &[]);
    let wanted = &job.args.kept.trace_expr;
    let config = config.and_then(|config| expressions::with(&mut spec, config, wanted, &mut diagnostics));
    Read { spec, config, diagnostics }
}

/// Returns whether this machine cannot start `n_workers` workers, and reports why.
fn is_refused(n_workers: usize, console: &Console) -> io::Result<bool> {
    match check_address_space(n_workers).or_else(|| threads::refuse(n_workers)) {
        Some(refusal) => console.draw(Stream::Err, &SourceMap::new(), &refusal).map(|()| true),
        None => Ok(false),
    }
}

/// Returns how the run ends. A failure to write is reported, but it does not hide the answer.
pub fn ending_after(written: io::Result<()>, outcome: &Outcome, console: &Console) -> io::Result<Ending> {
    let Err(error) = written else { return Ok(ending_of(outcome)) };
    if error.kind() == io::ErrorKind::BrokenPipe {
        // The reader is gone. A search that was interrupted for that reason has no answer.
        let is_cut = matches!(outcome, Err(NoVerdict::Interrupted));
        return Ok(if is_cut { Ending::Ok } else { ending_of(outcome) });
    }
    let headline = format!("cannot write to standard output: {error}");
    let diagnostic = Diagnostic::without_place(Code::CannotWrite, headline).note(text::short(outcome));
    console.draw(Stream::Err, &SourceMap::new(), &diagnostic)?;
    Ok(Ending::Unreadable)
}

/// Checks a specification that is bound to its configuration, and writes the answer as text.
pub fn demonstrate(spec: &Spec, config: &BoundConfig, console: &Console) -> io::Result<Ending> {
    let report = text::TextReport::plain(console);
    let Lowered { program, diagnostics } = lower(spec, config, Atoms::new());
    if diagnostics.has_errors() {
        report.diagnostics(spec, &diagnostics)?;
        return Ok(worst(&diagnostics));
    }
    let interrupted = AtomicBool::new(false);
    let clock = SystemClock::start();
    let world = eval::world::Machine::default();
    let options = Options {
        check_deadlock: config.check_deadlock.unwrap_or(true),
        ..Options::new(bytes(memory::default_bytes()), &interrupted, &world, &clock)
    };
    let answer = check::check(Model { spec, program: &program }, &options, &report);
    let scope = Scope::of(spec, config, &program, &options);
    let elapsed = clock.elapsed();
    report.answer(spec, &EndedSearch { answer: &answer, scope: &scope, hints: &[], elapsed })?;
    report.finish()?;
    Ok(ending_of(&answer.outcome))
}

fn options<'a>(
    job: &'a CheckJob,
    config: &BoundConfig,
    RunSetting { interrupted, clock, world }: RunSetting<'a>,
) -> Options<'a> {
    let args = &job.args;
    Options {
        search: match args.search {
            SearchArg::Bfs => Search::BreadthFirst,
            SearchArg::Dfs => Search::DepthFirst,
        },
        engine: engine(args.engine),
        n_workers: job.n_workers,
        n_judges: 0,
        check_deadlock: args.deadlock.wish().or(config.check_deadlock).unwrap_or(true),
        depth_max: args.depth,
        states_max: args.max_states,
        time_max: args.time,
        memory_bytes_max: bytes(args.memory.unwrap_or_else(memory::default_bytes)),
        spill: args.spill.clone().map(|folder| Spill { folder, after_states: args.spill_after }),
        violations_max: match args.go_on {
            None => Some(1),
            Some(0) => None,
            Some(n) => Some(n),
        },
        seed: args.seed,
        counts_evaluations: args.coverage.is_wanted(),
        reports_engine: args.engine_report,
        checkpoints: checkpoints(args),
        interrupted,
        world,
        clock,
    }
}

pub fn engine(arg: EngineArg) -> Engine {
    match arg {
        EngineArg::Auto => Engine::Auto,
        EngineArg::Interpreted => Engine::Interpreted,
        EngineArg::Compiled => Engine::Compiled,
    }
}

fn checkpoints(args: &CheckArgs) -> Option<Checkpoints<'_>> {
    let folder = args.resume.as_deref().or(args.checkpoint.as_deref())?;
    Some(Checkpoints { folder, every: args.checkpoint_every, is_resumed: args.resume.is_some() })
}

pub fn cannot_write(path: &Path, reason: &str) -> Diagnostic {
    Diagnostic::without_place(Code::CannotWrite, format!("cannot write `{}`: {reason}", path.display()))
}

/// Returns an error if the limit on address space leaves no room for a search.
fn check_address_space(n_workers: usize) -> Option<Diagnostic> {
    let limit = memory::address_space_max()?;
    let needed = check::address_space_min(n_workers);
    let headline =
        format!("the address space is limited to {} MiB, a search needs {} MiB", limit >> 20, needed >> 20);
    let help = format!("raise the limit, `ulimit -v {}`, or ask for fewer `--workers`", needed >> 10);
    (limit < needed).then(|| Diagnostic::without_place(Code::AddressSpace, headline).help(help))
}
