//! `specline replay`: one trace, carried out on real processes.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use base::SystemClock;
use conform::{Ending as Came, Obstacle, Property, Replayed, Session, Took, property_of, with_session};
use diag::{Code, Diagnostic, SourceMap};
use eval::world::Machine;
use retrace::{Options, Retraced, retrace};
use setup::memory::{self, bytes};
use setup::{ModelInput, with_files};
use trace::diagram::Wishes;
use trace::given::{Given, TraceFile};
use trace::{Finding, Trace};

use super::load::{Loaded, MappingFile, load};
use super::{facts, json, keep, page, tell};
use crate::args::CheckFormatArg;
use crate::check::cannot_write;
use crate::conform::args::{ReplayArgs, ReplayJob, SystemArgs};
use crate::console::{Console, Stream};
use crate::environment::StagePlace;
use crate::exit::{Ending, Stop};
use crate::replayed::{break_diagnostic_of, foreign};
use crate::{outputs, project, signals, stage, trace as trace_files};

pub fn run(job: &ReplayJob, console: &Console) -> Result<Ending, Stop> {
    let args = &job.args;
    let Some(file) = trace_files::file(&args.trace, console)? else { return Ok(Ending::Unreadable) };
    let mapping = MappingFile::read(&args.system, console)?;
    let Some(model) = model(args, &mapping) else {
        let headline = "neither the command line nor the mapping names a specification";
        return Err(tell::fail(Code::SystemMap, headline, console));
    };
    let wishes = wishes(job, (&mapping, &model), console)?;
    let interrupted = signals::watch()?;
    let task = ReplayTask {
        system: &args.system,
        place: &job.place,
        world: &job.world,
        mapping: &mapping,
        path: &args.trace,
        file: &file,
        times: args.times,
        interrupted: &interrupted,
        console,
    };
    Ok(task.carry_out(model, |carried| finish(job, &wishes, carried, console))??)
}

/// The specification: what the command line says, or the mapping.
fn model(args: &ReplayArgs, mapping: &MappingFile) -> Option<ModelInput> {
    let named = |text: &Option<conform::map::Text>| text.as_ref().map(|text| mapping.beside(text));
    let spec = args.spec.clone().or_else(|| named(&mapping.mapping.spec))?;
    let own_config = if args.spec.is_none() { named(&mapping.mapping.config) } else { None };
    let config = args.config.clone().or(own_config);
    Some(args.sources.input(spec, config))
}

/// The files beside specification and mapping that a run on a system reads.
pub fn settings_of(
    system: &SystemArgs,
    spec: &Path,
    settings: Option<&Path>,
) -> Vec<(&'static str, PathBuf)> {
    let settings = settings.map_or_else(|| project::beside(spec), Path::to_path_buf);
    vec![("the system", stage::folder_of(&system.system).join("system.toml")), ("the settings", settings)]
}

/// Returns how the page is to look. Reports before anything starts if there can be none.
fn wishes(
    job: &ReplayJob,
    (mapping, model): (&MappingFile, &ModelInput),
    console: &Console,
) -> Result<Wishes, Stop> {
    let args = &job.args;
    let Some(html) = &args.html else { return Ok(Wishes::default()) };
    let mut read = settings_of(&args.system, &model.spec, None);
    read.extend([("the trace", args.trace.clone()), ("the mapping", mapping.path.clone())]);
    outputs::check(&[("--html", html)], (model, &read), console)?;
    let mut sources = SourceMap::new();
    let read = project::read(&model.spec, None, &mut sources);
    read.map(|project| project.trace.into()).map_err(|error| console.refuse(&sources, &error))
}

/// A trace of a file, to be carried out `times` times, with everything that this needs.
pub struct ReplayTask<'a> {
    pub system: &'a SystemArgs,
    pub place: &'a StagePlace,
    /// The machine as the specification sees it.
    pub world: &'a Machine,
    pub mapping: &'a MappingFile,
    pub path: &'a Path,
    pub file: &'a TraceFile,
    pub times: u32,
    pub interrupted: &'a AtomicBool,
    pub console: &'a Console,
}

/// A trace that was carried out, each time with the result.
#[derive(Clone, Copy)]
pub struct Carried<'a> {
    pub loaded: &'a Loaded,
    pub trace: &'a Trace,
    pub runs: &'a [(Replayed, Took)],
}

impl ReplayTask<'_> {
    /// Carries out the trace, and hands the results to `report`.
    pub fn carry_out<T>(&self, model: ModelInput, report: impl FnOnce(Carried<'_>) -> T) -> Result<T, Stop> {
        let &ReplayTask { system, place, world, mapping, file, times, interrupted, console, .. } = self;
        let loaded = load((system, place), (mapping, model), console)?;
        let (trace, property) = match self.behaviour(&loaded) {
            Ok(behaviour) => behaviour,
            Err(_) if interrupted.load(Ordering::Relaxed) => return Err(Ending::Interrupted.into()),
            Err(diagnostic) => {
                console.draw(Stream::Err, &SourceMap::new(), &diagnostic)?;
                let ending = if diagnostic.code == Code::TraceNoBehaviour {
                    Ending::NoBehaviour
                } else if diagnostic.code == Code::ReplayImpossible {
                    Ending::CouldNot
                } else {
                    Ending::of(&diagnostic, false)
                };
                return Err(ending.into());
            }
        };
        let claim = property.is_none().then(|| setup::finding_of(file).and_then(claim_of)).flatten();
        let all = |session: &mut Session<'_>| {
            let mut all = Vec::new();
            for _ in 0..times {
                all.push(judge_claim(session.run(&trace, property.as_ref()), claim.as_deref()));
                if interrupted.load(Ordering::Relaxed) {
                    break;
                }
            }
            all
        };
        match with_session(&loaded.pair, place.surroundings(world, interrupted), times > 1, all) {
            Ok(runs) => Ok(report(Carried { loaded: &loaded, trace: &trace, runs: &runs })),
            Err(why) => Err(tell::fail(Code::SystemMap, &why, console)),
        }
    }

    /// Returns the trace as the specification has it, with the action of each step, and the property that it violates.
    fn behaviour(&self, loaded: &Loaded) -> Result<(Trace, Option<Property>), Box<Diagnostic>> {
        let &ReplayTask { path, file, world, interrupted, .. } = self;
        let given = Given::from(file);
        let model = loaded.pair.plain.model();
        let names: Vec<&str> =
            model.program.variables.iter().map(|&name| model.spec.names.text(name)).collect();
        if let Some(foreign) = foreign(path, &given, &names).filter(|_| model.program.alias.is_none()) {
            return Err(Box::new(foreign));
        }
        let clock = SystemClock::start();
        let options = Options {
            check_deadlock: false,
            memory_bytes_max: bytes(memory::default_bytes()),
            seed: 0,
            finding: setup::finding_of(file),
            interrupted,
            world,
            clock: &clock,
        };
        let again = retrace(model, &options, &given).map_err(|_| {
            let headline =
                format!("`{}` cannot be followed: the specification has no value there", path.display());
            Box::new(Diagnostic::without_place(Code::ReplayImpossible, headline))
        })?;
        if let Some(broken) = &again.broken {
            let told = break_diagnostic_of((path, &loaded.model.spec), broken);
            return Err(Box::new(
                told.help("is the trace of this specification, with this configuration and these constants?"),
            ));
        }
        if again.cut.is_some() {
            let headline = format!("`{}` says too little: it can mean many behaviours", path.display());
            return Err(Box::new(Diagnostic::without_place(Code::TraceNoBehaviour, headline)));
        }
        let property = violated_property(&again);
        Ok((again.trace, property))
    }
}

/// Returns why a replay cannot confirm a trace that is said to violate something: it violates no property of
/// its last state or step.
fn claim_of(finding: &Finding) -> Option<String> {
    let why = match finding {
        Finding::Invariant { name } | Finding::ActionProperty { name } => format!(
            "the trace is said to violate `{name}`, and with this configuration its last state or step does not"
        ),
        Finding::InitialProperty { .. }
        | Finding::TemporalProperty { .. }
        | Finding::Postcondition { .. } => {
            "what the trace violates is no property of its last state or step".to_owned()
        }
        Finding::Deadlock => "that nothing can happen any more cannot be seen in a program".to_owned(),
        Finding::Assertion { .. } | Finding::EvaluationError { .. } => {
            "what the trace shows is about the specification, and not about values of variables".to_owned()
        }
        Finding::Example { .. } | Finding::Unstated => return None,
    };
    Some(why)
}

/// Judges a trace that is said to violate something: it is not enough that the program agrees with it.
fn judge_claim((replayed, took): (Replayed, Took), claim: Option<&str>) -> (Replayed, Took) {
    let ending = match (replayed.ending, claim) {
        (Came::Agreed, Some(why)) => Came::CouldNot(Obstacle::Unconfirmed(why.to_owned())),
        (ending, _) => ending,
    };
    (Replayed { ending, ..replayed }, took)
}

/// Returns the property that the last state or step of the behaviour violates.
fn violated_property(again: &Retraced) -> Option<Property> {
    let last = again.trace.states.len().checked_sub(1)?;
    let is_last = again.findings.first().is_some_and(|found| found.state == last);
    property_of(&again.trace.finding).filter(|_| is_last)
}

fn finish(job: &ReplayJob, wishes: &Wishes, carried: Carried<'_>, console: &Console) -> io::Result<Ending> {
    let args = &job.args;
    let Carried { loaded, trace, runs: all } = carried;
    let Some((first, took)) = all.first() else { return Ok(Ending::Ok) };
    let verdicts: Vec<&str> = all.iter().map(|(replayed, _)| json::verdict(&replayed.ending)).collect();
    let n_alike = verdicts.iter().filter(|verdict| **verdict == verdicts[0]).count();
    let is_agreed = n_alike == args.times as usize && matches!(first.ending, Came::Agreed);
    match args.format {
        CheckFormatArg::Text if args.quiet.quiet && is_agreed => {
            console.write(Stream::Out, &tell::uncontrolled_text_of(first))?;
        }
        CheckFormatArg::Text => {
            tell::tell_replay((loaded, trace), first, console)?;
            if let Some(diagnostic) = tell::diagnostic(&first.ending) {
                console.line(Stream::Out, "")?;
                console.draw(Stream::Out, &SourceMap::new(), &diagnostic)?;
            }
            times(all, n_alike, console)?;
            if all.len() < args.times as usize {
                let told = format!("interrupted: {} of {} runs were begun", all.len(), args.times);
                console.line(Stream::Out, &told)?;
            }
        }
        CheckFormatArg::Json => {
            let mut told = json::replay_json(trace, first, *took);
            told["kind"] = "replay".into();
            told["times"] = all.len().into();
            told["alike"] = n_alike.into();
            told["interrupted"] = (all.len() < args.times as usize).into();
            console.line(Stream::Out, &told.to_string())?;
        }
    }
    let mut is_written = true;
    if let Some(path) = &args.html {
        let facts = facts::facts((&args.system, loaded), None, &job.world.environment);
        is_written &= write(path, &page::html((trace, first), wishes, &facts), console)?;
    }
    if let (Some(folder), Came::Confirmed(_)) = (&args.system.keep, &first.ending) {
        match keep::keep(folder, &loaded.model, trace, (first, *took)) {
            Ok(path) => console.line(Stream::Err, &format!("kept in {}", path.display()))?,
            Err(unwritable) => {
                console.draw(Stream::Err, &SourceMap::new(), &unwritable)?;
                is_written = false;
            }
        }
    }
    let ending = match all.last() {
        Some(_) if all.len() < args.times as usize => Ending::Interrupted,
        Some(_) | None if n_alike < all.len() => Ending::CouldNot,
        Some(_) | None => ending_of(&first.ending),
    };
    Ok(with_files(ending, is_written))
}

fn times(all: &[(Replayed, Took)], n_alike: usize, console: &Console) -> io::Result<()> {
    let total = |part: fn(&Took) -> std::time::Duration| {
        all.iter().map(|(_, took)| part(took)).sum::<std::time::Duration>().as_secs_f64() / all.len() as f64
    };
    let (start, steps) = (total(|took| took.start), total(|took| took.steps));
    let each = format!("{steps:.2} s, and {start:.2} s to start the nodes");
    if all.len() == 1 {
        return console.line(Stream::Out, &each);
    }
    console.line(Stream::Out, &format!("{n_alike} of {} runs ended so; {each}, each", all.len()))?;
    let first = all.first().map(|(replayed, _)| json::verdict(&replayed.ending));
    for (number, (replayed, _)) in (1..).zip(all) {
        let verdict = json::verdict(&replayed.ending);
        if Some(verdict) != first {
            let why = replayed.ending.reason();
            console.line(Stream::Out, &format!("run {number}: {verdict}: {why}"))?;
        }
    }
    Ok(())
}

pub fn ending_of(came: &Came) -> Ending {
    match came {
        Came::Agreed | Came::Confirmed(_) => Ending::Ok,
        Came::Diverged(_) => Ending::Diverged,
        Came::CouldNot(Obstacle::Interrupted) => Ending::Interrupted,
        Came::CouldNot(_) => Ending::CouldNot,
    }
}

/// Writes a file, and returns whether it could. A failure is reported, and does not change the answer.
pub fn write(path: &Path, text: &str, console: &Console) -> io::Result<bool> {
    match std::fs::write(path, text) {
        Ok(()) => Ok(true),
        Err(error) => {
            console.draw(Stream::Err, &SourceMap::new(), &cannot_write(path, &error.to_string()))?;
            Ok(false)
        }
    }
}
