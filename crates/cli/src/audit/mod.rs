//! `specline audit`: could these checks have failed? Mutants of a specification in, what no property catches out.

pub mod args;
mod json;
pub mod text;

use std::io;

use audit::{Class, Mutant, Observer, Options, Refusal, Report, Subject, Tallied, audit, mutants};
use base::SystemClock;
use clap::CommandFactory;
use clap::error::ErrorKind;
use diag::Diagnostics;
use model::NoVerdict;
use sema::Spec;
use sema::config::BoundConfig;
use setup::memory::{self, bytes};
use setup::read_model::{self, Read, worst};
use setup::{ending_of, expressions};
use value::Atoms;

use crate::args::CheckFormatArg;
use crate::audit::args::{AuditJob, ClassArg};
use crate::commands::Cli;
use crate::console::Console;
use crate::environment::RunSetting;
use crate::exit::{Ending, Stop, settle};
use crate::kept::{self, Keeper};
use crate::reports::Reports;
use crate::{outputs, signals};

/// Writes the answer in one format.
trait Writer: Observer {
    fn diagnostics(&self, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()>;
    fn list(&self, spec: &Spec, mutants: &[Mutant]) -> io::Result<()>;
    fn report(&self, spec: &Spec, report: &Report) -> io::Result<()>;
    /// Reports that the unchanged specification does not hold, which an audit requires.
    fn tell_refusal(&self, spec: &Spec, outcome: &model::Outcome) -> io::Result<()>;
    /// The first failure to write, if there was one.
    fn finish(&self) -> io::Result<()>;
}

pub fn run(job: &AuditJob, console: &Console) -> Result<Ending, Stop> {
    let model = &job.model;
    let read = outputs::read(model, &job.args.reports.files());
    let mut reports = Reports::new(&job.args.reports, &model.spec, &read, console)?;
    let ending = settle(audit_model(job, console, &mut reports))?;
    Ok(reports.finish(ending, console)?)
}

fn audit_model(job: &AuditJob, console: &Console, reports: &mut Reports<'_>) -> Result<Ending, Stop> {
    if job.args.mutant.is_none() && job.args.kept.is_wanted() {
        return Ok(crate::usage(&kept::needs("--mutant")));
    }
    let keeper = Keeper::new(&job.args.kept, &job.model, None, console)?;
    let interrupted = signals::watch()?;
    let writer: Box<dyn Writer> = match job.args.format {
        CheckFormatArg::Text => Box::new(text::TextWriter::new(console, job, interrupted.clone())),
        CheckFormatArg::Json => Box::new(json::JsonWriter::new(console, interrupted.clone())),
    };
    let Read { mut spec, config, mut diagnostics } = read_model::read(&job.model, &[]);
    let wanted = &job.args.kept.trace_expr;
    let config = config.and_then(|config| expressions::with(&mut spec, config, wanted, &mut diagnostics));
    writer.diagnostics(&spec, &diagnostics)?;
    let Some(config) = config else {
        reports.file(&job.model.spec, &spec.sources, diagnostics.iter());
        return Ok(worst(&diagnostics));
    };
    reports.note(&spec.sources, diagnostics.iter());
    if job.args.list {
        writer.list(&spec, &mutants(&spec, &config, &classes(&job.args.only)))?;
        writer.finish()?;
        return Ok(Ending::Ok);
    }
    if let Some(error) = job.args.mutant.and_then(|number| no_such_mutant(job, (&spec, &config), number)) {
        return Ok(crate::usage(&error));
    }
    let clock = SystemClock::start();
    let options =
        options(job, &config, RunSetting { interrupted: &interrupted, clock: &clock, world: &job.world });
    let subject = Subject { spec: &spec, config: &config, atoms: Atoms::new() };
    let ending = match audit(subject, &options, &*writer) {
        Ok(report) => {
            reports.audit(&spec, &report);
            writer.report(&spec, &report)?;
            if let Some(trace) = report.judged.iter().find_map(|judged| text::behaviour(&judged.verdict)) {
                keeper.keep_trace(trace, console)?;
            }
            of(&report)
        }
        Err(Refusal::Unreadable(diagnostics)) => {
            reports.file(&job.model.spec, &spec.sources, diagnostics.iter());
            writer.diagnostics(&spec, &diagnostics)?;
            worst(&diagnostics)
        }
        Err(Refusal::Base(outcome)) => {
            reports.add_refusal(&spec, &outcome);
            writer.tell_refusal(&spec, &outcome)?;
            ending_of(&outcome)
        }
    };
    writer.finish()?;
    Ok(ending)
}

/// Returns an error if there is no mutant with this number.
fn no_such_mutant(
    job: &AuditJob,
    (spec, config): (&Spec, &BoundConfig),
    number: usize,
) -> Option<clap::Error> {
    let mutants = mutants(spec, config, &classes(&job.args.only));
    let is_there = mutants.iter().any(|mutant| mutant.number == number);
    let reason = format!("there is no mutant {number}: `--list` has those that there are");
    (!is_there).then(|| Cli::command().error(ErrorKind::InvalidValue, reason))
}

fn options<'a>(
    job: &'a AuditJob,
    config: &BoundConfig,
    RunSetting { interrupted, clock, world }: RunSetting<'a>,
) -> Options<'a> {
    let args = &job.args;
    Options {
        classes: classes(&args.only),
        number: args.mutant,
        n_workers: job.n_workers,
        check_deadlock: args.deadlock.wish().or(config.check_deadlock).unwrap_or(true),
        states_max: args.max_states,
        n_walks: args.walks,
        depth: args.depth,
        seed: args.seed,
        time_max: Some(args.time),
        memory_bytes_max: bytes(args.memory.unwrap_or_else(memory::default_bytes)),
        interrupted,
        world,
        clock,
    }
}

/// Returns the classes that were named, or all of them.
fn classes(only: &[ClassArg]) -> Vec<Class> {
    let class = |arg: &ClassArg| match arg {
        ClassArg::Conjunct => Class::Conjunct,
        ClassArg::Comparison => Class::Comparison,
        ClassArg::Update => Class::Update,
        ClassArg::Quorum => Class::Quorum,
        ClassArg::Quantifier => Class::Quantifier,
    };
    if only.is_empty() { Class::ALL.to_vec() } else { only.iter().map(class).collect() }
}

/// Returns how the run ends: a finding counts more than a part that was not done.
fn of(report: &Report) -> Ending {
    let cannot_fail = report.properties.iter().any(Tallied::cannot_fail) || !report.idle.is_empty();
    if report.is_interrupted {
        Ending::Interrupted
    } else if report.n_missed() > 0 || cannot_fail {
        Ending::Missed
    // A mutant that no property caught is no success as long as it may behave otherwise.
    } else if report.n_undecided() + report.n_unknown() > 0 {
        Ending::Limit
    } else {
        Ending::Ok
    }
}

/// A failed run in a few words.
fn reason(reason: &NoVerdict) -> String {
    match reason {
        NoVerdict::Assertion { .. } => "`Assert` fails".to_owned(),
        NoVerdict::Undefined { error, .. }
        | NoVerdict::Incomplete { error, .. }
        | NoVerdict::NoInitialState(error)
        | NoVerdict::Unsupported(error)
        | NoVerdict::Disk(error)
        | NoVerdict::Checkpoint(error) => error.headline.clone(),
        NoVerdict::Limit(_) | NoVerdict::Interrupted => "not complete".to_owned(),
    }
}
