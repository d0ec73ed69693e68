//! `specline check`: a specification and its configuration in, a search, its answer out.

mod defines;
mod ending;
mod json;
mod output;
mod text;

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use base::SystemClock;
use check::{Checkpoints, Engine, Model, NoVerdict, Observer, Options, Search, Spill, Verdict};
use diag::{Code, Diagnostic, Diagnostics, SourceMap};
use eval::lower::{Lowered, lower};
use sema::config::{self, BoundConfig, ConfigInput};
use sema::{DiskFiles, LoadOptions, Loaded, Spec};
use value::Atoms;

use crate::args::{CheckArgs, CheckEmitArg, CheckFormatArg, EngineArg, SearchArg, SwitchArg};
use crate::config::{config_of, read_config};
use crate::console::{Console, Stream};
use crate::exit::Ending;
use crate::memory;
use crate::settings::CheckJob;
use crate::signals;

/// How the answer is written.
trait Report: Observer {
    fn diagnostics(&self, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()>;
    fn answer(&self, spec: &Spec, answer: &check::Answer) -> io::Result<()>;
    /// The first failure to write, if there was one.
    fn finish(&self) -> io::Result<()>;
}

pub fn run(job: &CheckJob, console: &Console) -> io::Result<Ending> {
    if let Some(unwritable) = job.args.trace.as_deref().and_then(unwritable) {
        console.draw(Stream::Err, &SourceMap::new(), &unwritable)?;
        return Ok(Ending::Unreadable);
    }
    if let Some(cramped) = cramped(job.n_workers) {
        console.draw(Stream::Err, &SourceMap::new(), &cramped)?;
        return Ok(Ending::Unreadable);
    }
    let interrupted = signals::watched()?;
    let report: Box<dyn Report> = match job.args.format {
        CheckFormatArg::Text => Box::new(text::TextReport::new(console, job, interrupted.clone())),
        CheckFormatArg::Json => Box::new(json::JsonReport::new(console, interrupted.clone())),
    };
    let Loaded { mut spec, mut diagnostics } = load(job);
    let config = if diagnostics.has_errors() { None } else { bind(job, &mut spec, &mut diagnostics) };
    let Some(config) = config.filter(|_| !diagnostics.has_errors()) else {
        report.diagnostics(&spec, &diagnostics)?;
        return Ok(worst(&diagnostics));
    };
    let Lowered { program, diagnostics: lowered } = lower(&spec, &config, Atoms::new());
    diagnostics.extend(lowered);
    report.diagnostics(&spec, &diagnostics)?;
    if diagnostics.has_errors() {
        return Ok(worst(&diagnostics));
    }
    if let Some(CheckEmitArg::Ir) = job.args.emit {
        console.write(Stream::Out, &eval::print::print(&program, &spec))?;
        return Ok(Ending::Ok);
    }
    let clock = SystemClock::start();
    let world = eval::world::Machine { environment: job.variables.clone() };
    let options = options(job, &config, (&interrupted, &clock, &world));
    let answer = check::check(Model { spec: &spec, program: &program }, &options, &*report);
    let written = report.answer(&spec, &answer).and_then(|()| report.finish());
    write_trace(job, &answer, console)?;
    told(written, &answer, console)
}

/// How the run ends once its answer was written, or could not be: that must not hide the answer.
fn told(written: io::Result<()>, answer: &check::Answer, console: &Console) -> io::Result<Ending> {
    let Err(error) = written else { return Ok(ending::of(answer)) };
    if error.kind() == io::ErrorKind::BrokenPipe {
        // Nobody reads any more; a search that ended for that reason has no answer.
        let is_cut = matches!(answer.outcome, Err(NoVerdict::Interrupted));
        return Ok(if is_cut { Ending::Ok } else { ending::of(answer) });
    }
    let headline = format!("cannot write to standard output: {error}");
    let diagnostic = Diagnostic::without_place(Code::CannotWrite, headline).note(text::short(answer));
    console.draw(Stream::Err, &SourceMap::new(), &diagnostic)?;
    Ok(Ending::Unreadable)
}

/// Checks a specification that is bound to its configuration, and writes the answer as for people.
pub fn demonstrate(spec: &Spec, config: &BoundConfig, console: &Console) -> io::Result<Ending> {
    let report = text::TextReport::plain(console);
    let Lowered { program, diagnostics } = lower(spec, config, Atoms::new());
    if diagnostics.has_errors() {
        report.diagnostics(spec, &diagnostics)?;
        return Ok(worst(&diagnostics));
    }
    let interrupted = AtomicBool::new(false);
    let clock = SystemClock::start();
    let world = eval::world::Machine { environment: Vec::new() };
    let options = Options {
        search: Search::BreadthFirst,
        engine: Engine::Auto,
        n_workers: 1,
        check_deadlock: config.check_deadlock.unwrap_or(true),
        depth_max: None,
        states_max: None,
        time_max: None,
        memory_bytes_max: bytes(memory::default_bytes()),
        spill: None,
        violations_max: Some(1),
        seed: 0,
        checkpoints: None,
        interrupted: &interrupted,
        world: &world,
        clock: &clock,
    };
    let answer = check::check(Model { spec, program: &program }, &options, &report);
    report.answer(spec, &answer)?;
    report.finish()?;
    Ok(ending::of(&answer))
}

fn load(job: &CheckJob) -> Loaded {
    sema::load(&job.args.spec, &LoadOptions { library: job.args.libraries.clone() }, &DiskFiles)
}

/// The configuration, with the definitions of the command line in it.
fn bind(job: &CheckJob, spec: &mut Spec, diagnostics: &mut Diagnostics) -> Option<BoundConfig> {
    let Some(path) = config_of(&job.args.spec, job.args.config.as_deref()) else {
        let path = job.args.spec.with_extension("cfg");
        let headline = format!("there is no configuration: `{}` does not exist", path.display());
        diagnostics
            .push(Diagnostic::without_place(Code::CannotRead, headline).help("name one with --config"));
        return None;
    };
    let (source, tree) = match read_config(spec, &path) {
        Ok(read) => read,
        Err(errors) => {
            diagnostics.extend(errors);
            return None;
        }
    };
    let defines = match defines::resolve(spec, &job.args.defines) {
        Ok(defines) => defines,
        Err(errors) => {
            diagnostics.extend(errors);
            return None;
        }
    };
    let bound = config::bind_with(spec, ConfigInput { source, tree: &tree }, &defines);
    diagnostics.extend(bound.diagnostics);
    Some(bound.config)
}

fn worst(diagnostics: &Diagnostics) -> Ending {
    diagnostics.iter().map(|diagnostic| Ending::of(diagnostic, false)).max().unwrap_or(Ending::Ok)
}

fn options<'a>(
    job: &'a CheckJob,
    config: &BoundConfig,
    (interrupted, clock, world): (&'a AtomicBool, &'a SystemClock, &'a eval::world::Machine),
) -> Options<'a> {
    let args = &job.args;
    Options {
        search: match args.search {
            SearchArg::Bfs => Search::BreadthFirst,
            SearchArg::Dfs => Search::DepthFirst,
        },
        engine: match args.engine {
            EngineArg::Auto => Engine::Auto,
            EngineArg::Interpreted => Engine::Interpreted,
            EngineArg::Compiled => Engine::Compiled,
        },
        n_workers: job.n_workers,
        check_deadlock: match args.deadlock {
            Some(SwitchArg::On) => true,
            Some(SwitchArg::Off) => false,
            None => config.check_deadlock.unwrap_or(true),
        },
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
        checkpoints: checkpoints(args),
        interrupted,
        world,
        clock,
    }
}

fn checkpoints(args: &CheckArgs) -> Option<Checkpoints<'_>> {
    let folder = args.resume.as_deref().or(args.checkpoint.as_deref())?;
    Some(Checkpoints { folder, every: args.checkpoint_every, is_resumed: args.resume.is_some() })
}

fn bytes(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// `--trace FILE`. What cannot be written is told, and changes nothing about the answer.
fn write_trace(job: &CheckJob, answer: &check::Answer, console: &Console) -> io::Result<()> {
    let (Some(path), Some(found)) = (&job.args.trace, trace_of(answer)) else { return Ok(()) };
    let about = trace::About {
        spec: Some(job.args.spec.display().to_string()),
        config: job.args.config.as_ref().map(|path| path.display().to_string()),
        tool: Some(format!("specline {}", env!("CARGO_PKG_VERSION"))),
        notes: found.about.notes.clone(),
    };
    match std::fs::write(path, trace::itf::write(&trace::Trace { about, ..found.clone() })) {
        Ok(()) => Ok(()),
        Err(error) => {
            let diagnostic =
                cannot_write(path, &error.to_string()).help("`--format json` has the trace, too");
            console.draw(Stream::Err, &SourceMap::new(), &diagnostic)
        }
    }
}

fn cannot_write(path: &Path, reason: &str) -> Diagnostic {
    Diagnostic::without_place(Code::CannotWrite, format!("cannot write `{}`: {reason}", path.display()))
}

/// A limit on address space that leaves no room for a search.
fn cramped(n_workers: usize) -> Option<Diagnostic> {
    let limit = memory::address_space_max()?;
    let needed = check::address_space_min(n_workers);
    let headline =
        format!("the address space is limited to {} MiB, a search needs {} MiB", limit >> 20, needed >> 20);
    let help = format!("raise the limit, `ulimit -v {}`, or ask for fewer `--workers`", needed >> 10);
    (limit < needed).then(|| Diagnostic::without_place(Code::AddressSpace, headline).help(help))
}

/// What can be known before a long search about a file that cannot be written after it.
fn unwritable(path: &Path) -> Option<Diagnostic> {
    if path.is_dir() {
        return Some(cannot_write(path, "it is a folder"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    (!folder.is_dir()).then(|| cannot_write(path, &format!("there is no folder `{}`", folder.display())))
}

/// The behaviour that an answer comes with.
fn trace_of(answer: &check::Answer) -> Option<&trace::Trace> {
    match &answer.outcome {
        Ok(Verdict::Violated(violation)) => violation.trace.as_ref(),
        Err(
            NoVerdict::Undefined { trace, .. }
            | NoVerdict::Assertion { trace, .. }
            | NoVerdict::Incomplete { trace, .. },
        ) => trace.as_deref(),
        Ok(Verdict::Holds)
        | Err(
            NoVerdict::NoInitialState(_)
            | NoVerdict::Unsupported(_)
            | NoVerdict::Disk(_)
            | NoVerdict::Checkpoint(_)
            | NoVerdict::Limit(_)
            | NoVerdict::Interrupted,
        ) => None,
    }
}
