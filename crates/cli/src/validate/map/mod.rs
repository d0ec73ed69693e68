//! `specline validate SPEC --map FILE`: a specification that knows nothing of logs, and a mapping that says what their events
//! stand for.

mod draft;
mod modules;
mod report;
mod runs;
mod tell;

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use base::SystemClock;
use diag::{Code, Diagnostic, Diagnostics, Span};
use eval::ir::Program;
use eval::lower::{Lowered, lower};
use model::Model;
use sema::Spec;
use setup::ending_of;
use setup::memory::{self, bytes};
use setup::read_model::{self, Read, worst};
use validate::map::{Map, Order};
use validate::outcome::{About, Outcome};
use validate::plan::{Plan, plan};
use validate::{LogInput, Options, Trouble, Validation};
use value::Atoms;

use self::runs::{Bench, INPUT, RunOutputs};
use super::{draw, log, refuse};
use crate::args::CheckFormatArg;
use crate::console::Console;
use crate::coverage::Files;
use crate::exit::{Ending, Stop, settle};
use crate::kept::Keeper;
use crate::reports::Reports;
use crate::validate::args::{ValidateArgs, ValidateJob};

pub use draft::draft;

/// Bytes of packed states, from the last one back, that `--format json` shows of a behaviour without
/// `--trace`.
const JSON_TRACE_BYTES: usize = 1 << 20;
/// A kept behaviour takes at most this share of the memory while it is packed. Written out it takes several
/// times as much.
const KEPT_SHARE: usize = 16;
/// Bytes of packed states, from the last one back, that the text shows of a behaviour that is not kept in a file.
const TOLD_BYTES: usize = 1 << 18;

/// A specification with a mapping in it, ready to follow logs.
struct Mapped {
    spec: Spec,
    program: Program,
    map: Map,
    plan: Plan,
}

pub fn run(job: &ValidateJob, path: &Path, console: &Console) -> Result<Ending, Stop> {
    let args = &job.args;
    if let Some(why) = log::named_twice(&args.logs) {
        return super::refuse_usage(&why, console);
    }
    let runs = match runs(&args.logs) {
        Ok(runs) => runs,
        Err(error) => return Err(refuse(args, &error, console)),
    };
    if runs.len() > 1 && !args.kept.files().is_empty() {
        return super::refuse_usage(
            "a trace can be kept of one run only; `--format json` has those of all",
            console,
        );
    }
    let read = runs.iter().flatten().map(|log| ("a log", log.clone()));
    let read: Vec<_> = read.chain([("the mapping", path.to_owned())]).collect();
    super::check_outputs(args, read, console)?;
    let mut reports = Reports::new(&args.reports, &args.spec, &[], console)?;
    let ending = super::deny_warnings(args, settle(follow_all(job, (&runs, path), &mut reports, console))?);
    Ok(reports.finish(ending, console)?)
}

fn follow_all(
    job: &ValidateJob,
    (runs, path): (&[Vec<PathBuf>], &Path),
    reports: &mut Reports<'_>,
    console: &Console,
) -> Result<Ending, Stop> {
    let (args, model) = (&job.args, job.args.model());
    let keeper = Keeper::new(&args.kept, &model, None, console)?;
    let files = Files::new(&args.coverage, &model, console)?;
    let mapped = prepare(args, path, reports, console)?;
    if let Some(why) = not_live(args, runs, &mapped.map) {
        return super::refuse_usage(why, console);
    }
    let bench = Bench { job, mapped: &mapped, map_path: path, console };
    Ok(bench.follow(runs, RunOutputs { keeper: &keeper, files: &files, reports })?)
}

/// Returns why `--live` is impossible with these arguments.
fn not_live(args: &ValidateArgs, runs: &[Vec<PathBuf>], map: &Map) -> Option<&'static str> {
    let n_files = runs.first().map_or(0, Vec::len);
    match map.order {
        _ if !args.live => None,
        _ if runs.len() > 1 => Some("one run can be followed while it goes on"),
        Order::AsWritten if n_files > 1 => Some(
            "of several files that still grow, `[order]` in the mapping is to say by which fields they are ordered",
        ),
        Order::AsWritten | Order::Fields(_) => None,
        Order::Vector(_) | Order::Messages { .. } => {
            Some("a log that is ordered by vectors or messages is read to its end before it is followed")
        }
    }
}

/// The files of each run: those that are named together, and those of each folder.
fn runs(paths: &[PathBuf]) -> Result<Vec<Vec<PathBuf>>, Box<Diagnostic>> {
    let (folders, files): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(|path| path.is_dir());
    let mut runs = Vec::new();
    if !files.is_empty() {
        runs.push(files.into_iter().cloned().collect());
    }
    for folder in folders {
        runs.push(log::list_files(std::slice::from_ref(folder))?);
    }
    Ok(runs)
}

/// Reads the mapping and puts it into the specification. Reports what is wrong.
fn prepare(
    args: &ValidateArgs,
    path: &Path,
    reports: &mut Reports<'_>,
    console: &Console,
) -> Result<Mapped, Stop> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            let headline = format!("cannot read `{}`: {error}", path.display());
            let error = Diagnostic::without_place(Code::CannotRead, headline);
            return Err(refuse(args, &error, console));
        }
    };
    let map = Map::parse(&text);
    let constants = map.as_ref().map_or(&[][..], |map| &map.constants);
    let constants: Vec<String> =
        constants.iter().map(|(name, value)| format!("{}={}", name.text, value.text)).collect();
    let known = modules::find_used(&text);
    let Read { mut spec, config, mut diagnostics } =
        read_model::read_knowing(&args.model(), &constants, &known);
    let source = spec.sources.add(path.display().to_string(), text.as_str());
    let map = map.map_err(|errors| {
        for error in errors {
            let span = Span::new(source, error.place);
            let told = Diagnostic::new(Code::MapFile, span, error.message);
            diagnostics.push(match error.help {
                Some(help) => told.help(help),
                None => told,
            });
        }
    });
    let mut mapped = None;
    if let (Ok(map), Some(mut config)) = (map, config) {
        match plan(&mut spec, &mut config, &map, source) {
            Err(errors) => diagnostics.extend(errors),
            Ok(plan) => {
                let Lowered { program, diagnostics: further } = lower(&spec, &config, Atoms::new());
                diagnostics.extend(further);
                mapped = Some((program, map, plan));
            }
        }
    }
    show_diagnostics(args, &spec, &diagnostics, console)?;
    match diagnostics.has_errors() {
        true => reports.file(path, &spec.sources, diagnostics.iter()),
        false => reports.note(&spec.sources, diagnostics.iter()),
    }
    match mapped {
        Some((program, map, plan)) if !diagnostics.has_errors() => Ok(Mapped { spec, program, map, plan }),
        Some(_) | None => Err(worst(&diagnostics).into()),
    }
}

fn show_diagnostics(
    args: &ValidateArgs,
    spec: &Spec,
    diagnostics: &Diagnostics,
    console: &Console,
) -> io::Result<()> {
    diagnostics.iter().try_for_each(|error| draw(args, &spec.sources, error, console))
}

fn unreadable(path: &Path, error: &io::Error) -> Box<Diagnostic> {
    let headline = format!("cannot read `{}`: {error}", path.display());
    Box::new(Diagnostic::without_place(Code::CannotRead, headline))
}

/// A run whose files are all there.
fn follow_run(
    job: &ValidateJob,
    mapped: &Mapped,
    (files, n_at_once): (&[PathBuf], usize),
    interrupted: &AtomicBool,
) -> Result<Validation, Trouble> {
    let mut opened: Vec<(String, Option<File>)> = Vec::new();
    for path in files {
        let name = path.display().to_string();
        let file = match name == INPUT {
            true => None,
            false => Some(File::open(path).map_err(|error| unreadable(path, &error))?),
        };
        opened.push((name, file));
    }
    let inputs = || {
        let input = |(name, file): (String, Option<File>)| match file {
            Some(file) => LogInput { name, reader: Box::new(BufReader::new(file)) },
            None => LogInput { name, reader: Box::new(BufReader::new(io::stdin())) },
        };
        opened.into_iter().map(input).collect()
    };
    followed_inputs(job, mapped, (inputs, n_at_once), interrupted)
}

fn followed_inputs<'i>(
    job: &ValidateJob,
    mapped: &Mapped,
    (inputs, n_at_once): (impl FnOnce() -> Vec<LogInput<'i>> + Send, usize),
    interrupted: &AtomicBool,
) -> Result<Validation, Trouble> {
    let clock = SystemClock::start();
    let args = &job.args;
    let keeps_files = !args.kept.files().is_empty() || args.why_html.is_some();
    let keeps_all = keeps_files || args.format == CheckFormatArg::Json;
    let memory_bytes = args.memory.unwrap_or_else(memory::default_bytes) / n_at_once.max(1) as u64;
    let options = Options {
        kept_bytes_max: match keeps_all {
            true if keeps_files => bytes(memory_bytes) / KEPT_SHARE,
            true => JSON_TRACE_BYTES,
            false => TOLD_BYTES,
        },
        keeps_all,
        tells_choices: args.why_html.is_some(),
        counts_evaluations: args.coverage.is_wanted(),
        is_live: args.live,
        candidates_max: args.candidates,
        memory_bytes_max: bytes(memory_bytes),
        time_max: args.time,
        interrupted,
        world: &job.world,
        clock: &clock,
    };
    let model = Model { spec: &mapped.spec, program: &mapped.program };
    validate::follow_on_deep_stack(model, (&mapped.plan, &mapped.map), inputs, &options)
}

fn ending_of_run(followed: &Result<Validation, Trouble>) -> Ending {
    match followed {
        Err(Trouble::Told(error)) => Ending::of(error, false),
        Err(Trouble::Undefined(_)) => Ending::Undefined,
        Err(Trouble::Early(outcome)) => ending_of(outcome),
        Ok(validation) => match &validation.outcome {
            Outcome::Rejected(_) => Ending::Rejected,
            Outcome::Undecided(validate::outcome::Undecided::Interrupted) => Ending::Interrupted,
            Outcome::Undecided(_) => Ending::Limit,
            Outcome::Accepted(followed) => match followed.violations.first() {
                None => Ending::Ok,
                Some(violated) => match violated.about {
                    About::Start | About::Step => Ending::Property,
                    About::InitialState | About::State | About::StateWithin => Ending::Invariant,
                },
            },
        },
    }
}
