//! `specline conform`: random walks of a specification, each carried out on fresh nodes.

use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ::replay::{Steps, with_steps};
use base::{Clock, SystemClock};
use conform::Ending as Came;
use diag::Code;
use model::{Engine, NoVerdict};
use simulate::{Event, Observer, Options, Walks, simulate};
use trace::Trace;

use super::found::{Found, Group};
use super::load::{Loaded, MappingFile, load};
use super::recheck::recheck;
use super::report::{count, report};
use super::session::{Session, with_session};
use super::shorten::shorten;
use super::{pages, replay, tell};
use crate::args::{CheckFormatArg, ConformArgs};
use crate::check::text::Teller;
use crate::check::{Outcome, bytes, ending, with_files};
use crate::console::{Console, Stream};
use crate::coverage;
use crate::exit::Ending;
use crate::settings::ConformJob;
use crate::simulate::{Wishes, unknown_actions, wishes};
use crate::{memory, outputs, project, signals};

/// How many steps a walk has, as in the paper.
const DEPTH: u32 = 40;
const TIME: Duration = Duration::from_secs(600);
/// Of what is told about the specification.
const WIDTH: usize = 100;

pub fn run(job: &ConformJob, console: &Console) -> io::Result<Ending> {
    let args = &job.args;
    let mapping = match MappingFile::read(&args.system, console)? {
        Ok(mapping) => mapping,
        Err(ending) => return Ok(ending),
    };
    if args.recheck {
        return recheck(job, &mapping, console);
    }
    if let Some(ending) = refused(args, &mapping, console)? {
        return Ok(ending);
    }
    let files = match coverage::Files::new(&args.coverage, &args.model, console)? {
        Ok(files) => files,
        Err(ending) => return Ok(ending),
    };
    let loaded = match load((&args.system, &job.place), (&mapping, args.model.clone()), console)? {
        Ok(loaded) => loaded,
        Err(ending) => return Ok(ending),
    };
    let (wishes, lanes) = match wished(args, &loaded, console)? {
        Ok(wishes) => wishes,
        Err(ending) => return Ok(ending),
    };
    let interrupted = signals::watched()?;
    let place = (&job.place, &job.world, &*interrupted);
    let walked = with_session(&loaded, place, args.ahead.is_on(), |session| {
        walk(job, (&loaded, session), wishes, (&interrupted, console))
    });
    let Walked { mut found, outcome, counted } = match walked {
        Ok(walked) => walked,
        Err(why) => return tell::fail(Code::SystemMap, &why, console),
    };
    if let Some(trouble) = found.trouble {
        return Err(trouble);
    }
    let counted = counted.map(|counted| coverage::report(&loaded.plain.spec, &counted));
    let is_written = match &counted {
        Some(counted) => {
            files.write(std::slice::from_ref(counted), coverage::RunEnding::of_programs(), console)?
        }
        None => true,
    };
    // The walk that was carried out then may have been the last: the answer of the walks does not say so.
    let is_cut_off = matches!(outcome, Err(NoVerdict::Interrupted | NoVerdict::Limit(_)));
    found.is_interrupted = (is_cut_off || interrupted.load(Ordering::Relaxed)) && !found.is_over;
    let told = report((job, &lanes), (&loaded, &found), counted.as_ref(), console)?;
    let told = with_files(told, is_written);
    match &outcome {
        Ok(_) | Err(NoVerdict::Interrupted | NoVerdict::Limit(_)) => Ok(told),
        // The walks ended because the specification has no value somewhere.
        Err(_) => {
            Teller { console, width: WIDTH }.finding(&loaded.plain.spec, &outcome)?;
            Ok(if told == Ending::Diverged { told } else { ending::of(&outcome) })
        }
    }
}

/// How it ends, if its files are refused before anything starts.
fn refused(args: &ConformArgs, mapping: &MappingFile, console: &Console) -> io::Result<Option<Ending>> {
    let mut written: Vec<(&str, PathBuf)> =
        args.coverage.files().into_iter().map(|(name, path)| (name, path.to_owned())).collect();
    if let Some(path) = &args.html {
        written.extend([("--html", path.clone()), ("--html", pages::coverage_of(path))]);
    }
    let mut read = replay::settings_of(&args.system, &args.model.spec, args.settings.as_deref());
    read.push(("the mapping", mapping.path.clone()));
    outputs::refused(&written, (&args.model, &read), console)
}

/// Weights and the like, from the command line and the file; and what it says of the lanes of pages.
fn wished(
    args: &ConformArgs,
    loaded: &Loaded,
    console: &Console,
) -> io::Result<Result<(Wishes, trace::diagram::Wishes), Ending>> {
    let mut sources = diag::SourceMap::new();
    let read = project::read(&args.model.spec, args.settings.as_deref(), &mut sources).and_then(|project| {
        let given = (args.mode, None, args.weights.as_slice());
        let wishes = wishes(given, (args.depth, Some(DEPTH)), project.simulate)?;
        Ok((wishes, project.trace.into()))
    });
    let wishes = match read {
        Ok(wishes) => wishes,
        Err(error) => {
            console.draw(Stream::Err, &sources, &error)?;
            return Ok(Err(Ending::of(&error, false)));
        }
    };
    let unknown = unknown_actions(loaded.plain.model(), &wishes.0.weights);
    for diagnostic in unknown.iter() {
        console.draw(Stream::Err, &loaded.plain.spec.sources, diagnostic)?;
    }
    Ok(if unknown.has_errors() { Err(Ending::ConfigError) } else { Ok(wishes) })
}

/// What came of the walks.
struct Walked {
    found: Found,
    outcome: Outcome,
    /// What of the specification was carried out and agreed, if that is wanted.
    counted: Option<model::Coverage>,
}

/// Replays each walk when it was made.
struct Replayer<'r, 's, 'a> {
    job: &'r ConformJob,
    steps: &'r Steps<'r>,
    loaded: &'r Loaded,
    clock: &'r SystemClock,
    /// Set to end the walks.
    over: &'r AtomicBool,
    state: Mutex<(&'s mut Session<'a>, Found)>,
    console: &'r Console,
}

fn walk(
    job: &ConformJob,
    (loaded, session): (&Loaded, &mut Session<'_>),
    wishes: Wishes,
    (interrupted, console): (&AtomicBool, &Console),
) -> Walked {
    let clock = SystemClock::start();
    let args = &job.args;
    let has_other_end = args.walks.is_some() || args.until_quiet.is_some();
    let time_max = args.time.or_else(|| (!has_other_end).then_some(TIME));
    let options = Options {
        mode: wishes.mode,
        walks: Walks::First(args.walks),
        depth: wishes.depth,
        n_workers: 1,
        engine: Engine::Interpreted,
        check_deadlock: false,
        weights: wishes.weights,
        seed: args.seed,
        time_max,
        memory_bytes_max: bytes(memory::default_bytes()),
        minimises: false,
        violations_max: Some(1),
        // What the specification does wrong, the program is to do as well.
        checks_properties: false,
        estimates_states: false,
        counts_flow: false,
        counts_evaluations: false,
        tells_walks: true,
        interrupted,
        world: &job.world,
        clock: &clock,
    };
    let model = loaded.plain.model();
    let by_name = ::replay::Options {
        check_deadlock: false,
        memory_bytes_max: bytes(memory::default_bytes()),
        seed: args.seed,
        finding: None,
        interrupted,
        world: &job.world,
        clock: &clock,
    };
    let walked = with_steps(model, &by_name, |steps| {
        let state = Mutex::new((session, Found::default()));
        let replayer = Replayer { job, steps, loaded, clock: &clock, over: interrupted, state, console };
        let answer = simulate(model, &options, &replayer);
        let (_, mut found) = replayer.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.elapsed = clock.elapsed();
        (found, answer.outcome)
    });
    match walked {
        Ok(((found, outcome), counted)) => {
            Walked { found, outcome, counted: counted.filter(|_| job.is_counting()) }
        }
        Err(early) => Walked { found: Found::default(), outcome: early.outcome(), counted: None },
    }
}

impl ConformJob {
    /// Whether anybody wants to know what of the specification was carried out.
    fn is_counting(&self) -> bool {
        self.args.coverage.is_wanted() || self.args.html.is_some()
    }
}

impl Observer for Replayer<'_, '_, '_> {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Walk { number, trace } => self.replay(number, trace),
            Event::Progress(_) | Event::Printed(_) | Event::Violation { .. } => {}
        }
    }
}

impl Replayer<'_, '_, '_> {
    fn replay(&self, number: u64, trace: &Trace) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (session, found) = &mut *state;
        if found.is_over || self.over.load(Ordering::Relaxed) {
            return;
        }
        let (replayed, took) = session.run(trace, None);
        if Session::is_over(&replayed) {
            return;
        }
        found.count(trace, (&replayed, took));
        if self.job.is_counting() {
            let mut agreed = trace.clone();
            agreed.states.truncate(replayed.n_agreed() + 1);
            self.steps.count(&agreed);
        }
        if !matches!(replayed.ending, Came::Agreed) {
            let mut group = Group::new(number, trace, (replayed, took));
            if !found.groups.contains_key(&group.kind()) {
                if self.job.args.minimise.is_on() && group.is_divergence() {
                    shorten(session, self.steps, &mut group, &|| self.is_over());
                }
                found.last_new = self.clock.elapsed();
            }
            found.add(group);
        }
        let now = self.clock.elapsed();
        if let Err(error) = self.show(found) {
            found.trouble.get_or_insert(error);
        }
        let is_quiet = self.job.args.until_quiet.is_some_and(|quiet| now - found.last_new > quiet);
        let is_late = self.job.args.time.is_some_and(|time| now > time);
        if is_quiet || is_late || found.trouble.is_some() {
            found.is_over = true;
            self.over.store(true, Ordering::Relaxed);
        }
    }

    /// Whether there is no time to make anything shorter.
    fn is_over(&self) -> bool {
        let is_late = self.job.args.time.is_some_and(|time| self.clock.elapsed() > time);
        is_late || self.over.load(Ordering::Relaxed)
    }

    /// How far it is, for a person.
    fn show(&self, found: &Found) -> io::Result<()> {
        let is_shown = self.job.is_terminal && self.job.args.format == CheckFormatArg::Text;
        let is_time = found.n_walks.is_multiple_of(10) || found.n_walks == 1;
        if !is_shown || !is_time {
            return Ok(());
        }
        let (walks, kinds) = (count(found.n_walks, "walk"), found.groups.len());
        let spec = self.loaded.model.spec.display();
        self.console.line(Stream::Err, &format!("{spec}: {walks}, {kinds} kinds of divergence"))
    }
}
