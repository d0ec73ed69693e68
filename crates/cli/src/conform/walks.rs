//! `specline conform`: random walks of a specification, each carried out on fresh nodes.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use conform::{WalkOptions, WalkResults, Walked, walk, with_session};
use diag::Code;
use model::NoVerdict;
use setup::memory::{self, bytes};
use setup::{ending_of, with_files};

use super::load::{Loaded, MappingFile, load};
use super::recheck::recheck;
use super::report::{WalkFindings, count, report};
use super::{pages, replay, tell};
use crate::args::CheckFormatArg;
use crate::check::text::Teller;
use crate::conform::args::{ConformArgs, ConformJob};
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};
use crate::simulate::{GivenWishes, Wishes, unknown_actions, wishes};
use crate::{coverage, outputs, project, signals};

/// Number of steps of a walk, as in the paper.
const DEPTH: u32 = 40;
const TIME: Duration = Duration::from_secs(600);
/// The width of diagnostics about the specification, in characters.
const WIDTH: usize = 100;

pub fn run(job: &ConformJob, console: &Console) -> Result<Ending, Stop> {
    let args = &job.args;
    let mapping = MappingFile::read(&args.system, console)?;
    if args.recheck {
        return recheck(job, &mapping, console);
    }
    check_outputs(job, &mapping, console)?;
    let files = coverage::Files::new(&args.coverage, &job.model, console)?;
    let loaded = load((&args.system, &job.place), (&mapping, job.model.clone()), console)?;
    let (wishes, lanes) = read_wishes(args, &loaded, console)?;
    let interrupted = signals::watch()?;
    let options = walk_options(job, wishes, &interrupted);
    let progress = |results: &WalkResults| show_progress(job, results, console);
    let surroundings = job.place.surroundings(&job.world, &interrupted);
    let walked = with_session(&loaded.pair, surroundings, args.ahead.is_on(), |session| {
        walk(&loaded.pair, session, &options, &progress)
    });
    let Walked { results: mut found, outcome, counted } = match walked {
        Ok(walked) => walked,
        Err(why) => return Err(tell::fail(Code::SystemMap, &why, console)),
    };
    if let Some(trouble) = found.trouble {
        return Err(trouble.into());
    }
    let counted = counted.map(|counted| coverage::report(&loaded.pair.plain.spec, &counted));
    let is_written = match &counted {
        Some(counted) => {
            files.write(std::slice::from_ref(counted), coverage::RunEnding::of_programs(), console)?
        }
        None => true,
    };
    // The walk that was carried out then may have been the last: the answer of the walks does not say so.
    let is_cut_off = matches!(outcome, Err(NoVerdict::Interrupted | NoVerdict::Limit(_)));
    found.is_interrupted = (is_cut_off || interrupted.load(Ordering::Relaxed)) && !found.is_over;
    let findings = WalkFindings { loaded: &loaded, found: &found, counted: counted.as_ref() };
    let told = report(job, &lanes, findings, console)?;
    let told = with_files(told, is_written);
    match &outcome {
        Ok(_) | Err(NoVerdict::Interrupted | NoVerdict::Limit(_)) => Ok(told),
        // The walks ended because the specification has no value somewhere.
        Err(_) => {
            Teller { console, width: WIDTH }.finding(&loaded.pair.plain.spec, &outcome)?;
            Ok(if told == Ending::Diverged { told } else { ending_of(&outcome) })
        }
    }
}

/// Checks before anything starts that every file can be written; reports it and stops if one cannot.
fn check_outputs(job: &ConformJob, mapping: &MappingFile, console: &Console) -> Result<(), Stop> {
    let args = &job.args;
    let mut written: Vec<(&str, PathBuf)> =
        args.coverage.files().into_iter().map(|(name, path)| (name, path.to_owned())).collect();
    if let Some(path) = &args.html {
        written.extend([("--html", path.clone()), ("--html", pages::coverage_of(path))]);
    }
    let mut read = replay::settings_of(&args.system, &job.model.spec, args.settings.as_deref());
    read.push(("the mapping", mapping.path.clone()));
    outputs::check(&written, (&job.model, &read), console)
}

/// Reads weights and other options from the command line and the settings file, and how the file wants pages
/// drawn.
fn read_wishes(
    args: &ConformArgs,
    loaded: &Loaded,
    console: &Console,
) -> Result<(Wishes, trace::diagram::Wishes), Stop> {
    let mut sources = diag::SourceMap::new();
    let read = project::read(&args.model.spec, args.settings.as_deref(), &mut sources).and_then(|project| {
        let given = GivenWishes {
            mode: args.mode,
            view: None,
            weights: &args.weights,
            depth: args.depth,
            own_depth: Some(DEPTH),
        };
        let wishes = wishes(given, project.simulate)?;
        Ok((wishes, project.trace.into()))
    });
    let wishes = match read {
        Ok(wishes) => wishes,
        Err(error) => {
            return Err(console.refuse(&sources, &error));
        }
    };
    let unknown = unknown_actions(loaded.pair.plain.model(), &wishes.0.weights);
    for diagnostic in unknown.iter() {
        console.draw(Stream::Err, &loaded.pair.plain.spec.sources, diagnostic)?;
    }
    if unknown.has_errors() { Err(Ending::ConfigError.into()) } else { Ok(wishes) }
}

fn walk_options<'a>(job: &'a ConformJob, wishes: Wishes, interrupted: &'a AtomicBool) -> WalkOptions<'a> {
    let args = &job.args;
    let has_other_end = args.walks.is_some() || args.until_quiet.is_some();
    WalkOptions {
        mode: wishes.mode,
        depth: wishes.depth,
        weights: wishes.weights,
        seed: args.seed,
        n_walks: args.walks,
        time_max: args.time.or_else(|| (!has_other_end).then_some(TIME)),
        time: args.time,
        until_quiet: args.until_quiet,
        shortens: args.minimise.is_on(),
        // Whether anybody wants to know what of the specification was carried out.
        counts: args.coverage.is_wanted() || args.html.is_some(),
        memory_bytes_max: bytes(memory::default_bytes()),
        world: &job.world,
        interrupted,
    }
}

/// Shows how far it is, for a person.
fn show_progress(job: &ConformJob, results: &WalkResults, console: &Console) -> io::Result<()> {
    let is_shown = job.is_terminal && job.args.format == CheckFormatArg::Text;
    let is_time = results.n_walks.is_multiple_of(10) || results.n_walks == 1;
    if !is_shown || !is_time {
        return Ok(());
    }
    let (walks, kinds) = (count(results.n_walks, "walk"), results.kinds.len());
    let spec = job.model.spec.display();
    console.line(Stream::Err, &format!("{spec}: {walks}, {kinds} kinds of divergence"))
}
