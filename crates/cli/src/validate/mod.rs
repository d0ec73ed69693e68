//! `specline validate`: logs and a trace specification in; whether a behaviour explains each log, and if not, how far it can be
//! explained and what stands in the way.

pub mod args;
mod entry;
mod judged;
mod live;
mod log;
mod many;
mod map;
mod prepared;
mod report;
mod tell;
mod why;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ::report::coverage::Report;
use base::{Clock, SystemClock};
use clap::CommandFactory;
use clap::error::ErrorKind;
use diag::{Diagnostic, SourceMap, render};
use setup::read_model::worst;
use trace::diagram::Wishes;
use validate::Verdict;
use validate::why::{WhyPage, WhyRun, why_html};

use self::entry::Summary;
use self::judged::Judged;
use self::log::Surroundings;
use self::many::Bench;
use self::prepared::{Prepared, SearchSetting};
use self::tell::Telling;
use crate::args::{CheckFormatArg, DenyArg};
use crate::check::cannot_write;
use crate::commands::Cli;
use crate::console::{Console, Stream};
use crate::coverage::{Files, RunEnding};
use crate::exit::{Ending, Stop, settle};
use crate::kept::{Keeper, unwritable};
use crate::reports::Reports;
use crate::validate::args::{ValidateArgs, ValidateJob};
use crate::{outputs, project, signals};

pub fn run(job: &ValidateJob, console: &Console) -> Result<Ending, Stop> {
    let (args, console) = (&job.args, &console.outliving_readers());
    if let Some(path) = &args.mapped.map {
        return map::run(job, path, console);
    }
    if args.mapped.init_map {
        return map::draft(job, console);
    }
    if args.live || args.logs.iter().any(|log| log.as_os_str() == "-") {
        let why = "a trace specification reads its log from a file, to the end, before the first step; `--map` follows one that is \
                   read from standard input, or still written";
        return refuse_usage(why, console);
    }
    if let Some(why) = log::named_twice(&args.logs) {
        return refuse_usage(&why, console);
    }
    let logs = match log::list_files(&args.logs) {
        Ok(logs) => logs,
        Err(error) => return Err(refuse(args, &error, console)),
    };
    if logs.len() > 1 && !args.kept.files().is_empty() {
        return refuse_usage(
            "a trace can be kept of one log only; `--format json` has those of all",
            console,
        );
    }
    let read = logs.iter().map(|log| ("a log", log.clone())).collect();
    check_outputs(args, read, console)?;
    let mut reports = Reports::new(&args.reports, &args.spec, &[], console)?;
    let ending = deny_warnings(args, settle(validate_all(job, &logs, &mut reports, console))?);
    Ok(reports.finish(ending, console)?)
}

/// Returns the ending of a call that found no error, if warnings are denied and there were some.
fn deny_warnings(args: &ValidateArgs, ending: Ending) -> Ending {
    match (ending, args.deny) {
        (Ending::Ok, Some(DenyArg::Warnings)) if args.has_warned.load(Ordering::Relaxed) => {
            Ending::WarningsDenied
        }
        _ => ending,
    }
}

/// Checks that no file is written over what is read, and that the page can be written; reports it and stops if not.
fn check_outputs(
    args: &ValidateArgs,
    mut read: Vec<(&'static str, PathBuf)>,
    console: &Console,
) -> Result<(), Stop> {
    let written = outputs_of(args);
    read.extend(outputs::read(&args.model(), &written));
    if let Some(clash) = outputs::clash(&written, &read) {
        console.draw(Stream::Err, &SourceMap::new(), &clash)?;
        return Err(Ending::BadUsage.into());
    }
    match args.why_html.as_deref().and_then(unwritable) {
        Some(unwritable) => Err(refuse(args, &unwritable, console)),
        None => Ok(()),
    }
}

/// The files that a run writes.
fn outputs_of(args: &ValidateArgs) -> outputs::OutputFiles<'_> {
    let mut written = args.kept.files();
    written.extend(args.coverage.files());
    written.extend(args.reports.files());
    written.extend(args.why_html.as_deref().map(|path| ("--html", path)));
    written
}

fn refuse_usage(why: &str, console: &Console) -> Result<Ending, Stop> {
    let error = Cli::command().error(ErrorKind::ArgumentConflict, why);
    console.write(Stream::Err, &error.to_string())?;
    Ok(Ending::BadUsage)
}

fn validate_all(
    job: &ValidateJob,
    logs: &[PathBuf],
    reports: &mut Reports<'_>,
    console: &Console,
) -> Result<Ending, Stop> {
    let (args, model) = (&job.args, job.args.model());
    let clock = SystemClock::start();
    let keeper = Keeper::new(&args.kept, &model, None, console)?;
    let files = Files::new(&args.coverage, &model, console)?;
    let (prepared, diagnostics) = Prepared::read(
        SearchSetting { args, is_alone: logs.len() == 1, n_at_once: job.n_at_once(logs.len()) },
        &model,
    );
    let spec = prepared.as_ref().map_or_else(|spec| &**spec, |prepared| &prepared.spec);
    diagnostics.iter().try_for_each(|error| draw(args, &spec.sources, error, console))?;
    let Ok(prepared) = &prepared else {
        reports.file(&args.spec, &spec.sources, diagnostics.iter());
        return Ok(worst(&diagnostics));
    };
    reports.note(&spec.sources, diagnostics.iter());
    let surroundings = match Surroundings::new(args, &prepared.reads, &job.world) {
        Ok(surroundings) => surroundings,
        Err(error) => return Err(refuse(args, &error, console)),
    };
    let interrupted = signals::watch()?;
    let bench = Bench { job, prepared, surroundings: &surroundings, interrupted, console };
    let telling = Telling { args, spec, console, is_one_of_many: logs.len() > 1 };
    let (mut summary, mut covered, mut shown) = (Summary::default(), Vec::new(), Vec::new());
    // What is to be said of the specification is said once, not for each log.
    let mut known: Vec<Diagnostic> = Vec::new();
    bench.each(logs, |judged| {
        let n_known = known.len();
        for warning in judged.warnings() {
            if !known.contains(warning) {
                known.push(warning.clone());
            }
        }
        let fresh = &known[n_known..];
        fresh.iter().try_for_each(|warning| draw(args, &spec.sources, warning, console))?;
        reports.note(&spec.sources, fresh);
        let entry = judged.entry(spec, &args.spec);
        telling.log(&judged, &entry)?;
        keep(&keeper, &judged, console)?;
        reports.log(&spec.sources, &entry);
        summary.add(&entry);
        let counted = judged.searched.as_ref().ok().and_then(|searched| searched.answer.coverage.as_ref());
        covered.extend(counted.map(|counted| crate::coverage::report(spec, counted)));
        if args.why_html.is_some() {
            shown.push(judged.into_why(prepared.reads.sequence.as_ref(), &args.spec));
        }
        Ok(())
    })?;
    write_page(args, &shown, console)?;
    if !covered.is_empty() {
        tell_coverage(args, &files, &Report::sum(&covered), console)?;
    }
    tell_summary(args, &summary, clock.elapsed(), console)?;
    Ok(summary.ending())
}

/// Writes the summary, if there were several logs.
fn tell_summary(
    args: &ValidateArgs,
    summary: &Summary,
    elapsed: Duration,
    console: &Console,
) -> io::Result<()> {
    match args.format {
        _ if summary.n_logs() < 2 => Ok(()),
        CheckFormatArg::Text if args.quiet.quiet && summary.ending() == Ending::Ok => Ok(()),
        CheckFormatArg::Text => console.write(Stream::Out, &summary.text(elapsed)),
        CheckFormatArg::Json => console.line(Stream::Out, &summary.json(elapsed).to_string()),
    }
}

/// Keeps the accepting behaviour, the longest one, or the one that leads to another finding.
fn keep(keeper: &Keeper<'_>, judged: &Judged, console: &Console) -> io::Result<()> {
    let Ok(searched) = &judged.searched else { return Ok(()) };
    match &searched.reached.trace {
        Some(trace) if searched.verdict != Verdict::Other => {
            keeper.keep_last_states(trace, searched.reached.n_before, console)
        }
        Some(_) | None => keeper.keep(&searched.answer.outcome, console),
    }
}

fn write_page(args: &ValidateArgs, runs: &[WhyRun], console: &Console) -> io::Result<()> {
    let Some(path) = &args.why_html else { return Ok(()) };
    let tool = format!("specline {}", env!("CARGO_PKG_VERSION"));
    let wishes = lanes(args, console)?;
    let page = WhyPage { spec: &args.spec.display().to_string(), tool: &tool, wishes: &wishes, runs };
    match std::fs::write(path, why_html(&page)) {
        Ok(()) => Ok(()),
        Err(error) => console.draw(Stream::Err, &SourceMap::new(), &cannot_write(path, &error.to_string())),
    }
}

/// Reads the lanes from the settings beside the specification. Errors in them are reported, and change nothing about
/// the answer.
fn lanes(args: &ValidateArgs, console: &Console) -> io::Result<Wishes> {
    let mut sources = SourceMap::new();
    match project::read(&args.spec, None, &mut sources) {
        Ok(project) => Ok(project.trace.into()),
        Err(error) => {
            console.draw(Stream::Err, &sources, &error)?;
            Ok(Wishes::default())
        }
    }
}

/// Writes the coverage of the searches of all logs together.
fn tell_coverage(
    args: &ValidateArgs,
    files: &Files<'_>,
    report: &Report,
    console: &Console,
) -> io::Result<()> {
    files.write(std::slice::from_ref(report), RunEnding::of_logs(), console)?;
    if !args.coverage.coverage {
        return Ok(());
    }
    match args.format {
        CheckFormatArg::Text => console.write(Stream::Out, &crate::coverage::text::text(report)),
        CheckFormatArg::Json => console.line(Stream::Out, &crate::coverage::json(report).to_string()),
    }
}

/// Reports why there is no search, and returns the stop that ends the run.
fn refuse(args: &ValidateArgs, error: &Diagnostic, console: &Console) -> Stop {
    match draw(args, &SourceMap::new(), error, console) {
        Ok(()) => Ending::of(error, false).into(),
        Err(error) => error.into(),
    }
}

/// Writes a diagnostic in the format that was asked for.
fn draw(
    args: &ValidateArgs,
    sources: &SourceMap,
    diagnostic: &Diagnostic,
    console: &Console,
) -> io::Result<()> {
    if !diagnostic.is_error() {
        args.has_warned.store(true, Ordering::Relaxed);
    }
    match args.format {
        CheckFormatArg::Text => console.draw(Stream::Err, sources, diagnostic),
        CheckFormatArg::Json => console.line(Stream::Out, &render::json(sources, diagnostic)),
    }
}
