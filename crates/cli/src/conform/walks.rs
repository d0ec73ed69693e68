//! `specline conform`: random walks of a specification, each carried out on fresh nodes.

use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::{Clock, FxIndexMap, SystemClock};
use check::Engine;
use conform::{Ending as Came, Obstacle, Replayed, kind_of};
use diag::{Code, render};
use eval::world::Machine;
use serde_json::{Value, json};
use simulate::{Event, Observer, Options, Walks, simulate};
use trace::Trace;

use super::load::{Loaded, MappingFile, load};
use super::session::{Session, Took, with_session};
use super::{json as told_json, keep, page, replay, tell};
use crate::args::{CheckFormatArg, ConformArgs, ModelArgs, SwitchArg};
use crate::check::bytes;
use crate::console::{Console, Stream};
use crate::coverage;
use crate::exit::Ending;
use crate::project;
use crate::settings::ConformJob;
use crate::simulate::{Wishes, unknown_actions, wishes};
use crate::{memory, signals, trace as trace_files};

/// How many steps a walk has, as in the paper.
const DEPTH: u32 = 40;
const TIME: Duration = Duration::from_secs(600);

pub fn run(job: &ConformJob, console: &Console) -> io::Result<Ending> {
    let args = &job.args;
    let mapping = match MappingFile::read(&args.system, console)? {
        Ok(mapping) => mapping,
        Err(ending) => return Ok(ending),
    };
    if args.recheck {
        return recheck(job, &mapping, console);
    }
    let files = match coverage::Files::new(&args.coverage, &args.model, console)? {
        Ok(files) => files,
        Err(ending) => return Ok(ending),
    };
    let loaded = match load((&args.system, &job.place), (&mapping, args.model.clone()), console)? {
        Ok(loaded) => loaded,
        Err(ending) => return Ok(ending),
    };
    let wishes = match wished(args, &loaded, console)? {
        Ok(wishes) => wishes,
        Err(ending) => return Ok(ending),
    };
    let interrupted = signals::watched()?;
    let place = (&job.place, job.variables.as_slice(), &*interrupted);
    let walked = with_session(&loaded, place, args.ahead == SwitchArg::On, |session| {
        walk(job, (&loaded, session), wishes, (&interrupted, console))
    });
    let (found, mut answer) = match walked {
        Ok(walked) => walked,
        Err(why) => return tell::fail(Code::SystemMap, &why, console),
    };
    let ending = coverage::RunEnding::of_walks(&answer.outcome);
    files.take(&loaded.plain.spec, &mut answer.coverage, ending, console)?;
    let is_whole = answer.outcome.is_ok() || found.is_over;
    report(job, (&loaded, &found), is_whole, console)
}

/// Weights and the like, from the command line and the file.
fn wished(args: &ConformArgs, loaded: &Loaded, console: &Console) -> io::Result<Result<Wishes, Ending>> {
    let mut sources = diag::SourceMap::new();
    let read = project::read(&args.model.spec, args.settings.as_deref(), &mut sources).and_then(|project| {
        wishes((args.mode, None, &args.weights), (args.depth, Some(DEPTH)), project.simulate)
    });
    let wishes = match read {
        Ok(wishes) => wishes,
        Err(error) => {
            console.draw(Stream::Err, &sources, &error)?;
            return Ok(Err(Ending::of(&error, false)));
        }
    };
    let unknown = unknown_actions(loaded.plain.model(), &wishes.weights);
    for diagnostic in unknown.iter() {
        console.draw(Stream::Err, &loaded.plain.spec.sources, diagnostic)?;
    }
    Ok(if unknown.has_errors() { Err(Ending::ConfigError) } else { Ok(wishes) })
}

/// Walks that ended alike.
struct Group {
    n_walks: u64,
    /// The walk with the fewest steps.
    walk: u64,
    trace: Trace,
    replayed: Replayed,
    took: Took,
}

/// What walks came to.
#[derive(Default)]
struct Found {
    groups: FxIndexMap<String, Group>,
    n_walks: u64,
    n_agreed: u64,
    n_steps: u64,
    took: Took,
    /// How often each action was carried out and compared.
    actions: FxIndexMap<String, u64>,
    elapsed: Duration,
    last_new: Duration,
    is_over: bool,
    trouble: Option<io::Error>,
}

/// Replays each walk when it was made.
struct Replayer<'r, 's, 'a> {
    job: &'r ConformJob,
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
) -> (Found, simulate::Answer) {
    let (clock, world) = (SystemClock::start(), Machine { environment: job.variables.clone() });
    let args = &job.args;
    let time_max = args.time.or_else(|| args.traces.is_none().then_some(TIME));
    let options = Options {
        mode: wishes.mode,
        walks: Walks::First(args.traces),
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
        counts_evaluations: args.coverage.is_wanted(),
        tells_walks: true,
        interrupted,
        world: &world,
        clock: &clock,
    };
    let state = Mutex::new((session, Found::default()));
    let replayer = Replayer { job, loaded, clock: &clock, over: interrupted, state, console };
    let answer = simulate(loaded.plain.model(), &options, &replayer);
    let (_, mut found) = replayer.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.elapsed = clock.elapsed();
    (found, answer)
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
        let now = self.clock.elapsed();
        if !matches!(replayed.ending, Came::Agreed) {
            let kind = kind_of(&replayed.ending, &tell::last_action(trace, &replayed));
            let group = Group { n_walks: 1, walk: number, trace: trace.clone(), replayed, took };
            if found.add(kind, group) {
                found.last_new = now;
            }
        }
        if let Err(error) = self.show(found) {
            found.trouble.get_or_insert(error);
        }
        let is_quiet = self.job.args.quiet.is_some_and(|quiet| now - found.last_new > quiet);
        let is_late = self.job.args.time.is_some_and(|time| now > time);
        if is_quiet || is_late || found.trouble.is_some() {
            found.is_over = true;
            self.over.store(true, Ordering::Relaxed);
        }
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

impl Found {
    fn count(&mut self, trace: &Trace, (replayed, took): (&Replayed, Took)) {
        self.n_walks += 1;
        self.n_agreed += u64::from(matches!(replayed.ending, Came::Agreed));
        self.n_steps += replayed.n_agreed() as u64;
        self.took.start += took.start;
        self.took.steps += took.steps;
        for state in trace.states.iter().skip(1).take(replayed.n_agreed()) {
            if let Some(step) = &state.step {
                *self.actions.entry(step.name.clone()).or_default() += 1;
            }
        }
    }

    /// Whether it is a new kind.
    fn add(&mut self, kind: String, group: Group) -> bool {
        match self.groups.get_mut(&kind) {
            None => {
                self.groups.insert(kind, group);
                true
            }
            Some(known) => {
                known.n_walks += 1;
                if group.replayed.rows.len() < known.replayed.rows.len() {
                    *known = Group { n_walks: known.n_walks, ..group };
                }
                false
            }
        }
    }

    fn each_s(&self) -> (f64, f64) {
        let n = self.n_walks.max(1) as f64;
        (self.took.steps.as_secs_f64() / n, self.took.start.as_secs_f64() / n)
    }
}

fn report(
    job: &ConformJob,
    (loaded, found): (&Loaded, &Found),
    is_whole: bool,
    console: &Console,
) -> io::Result<Ending> {
    let args = &job.args;
    let mut paths = Vec::new();
    for group in found.groups.values() {
        let kept = args
            .system
            .keep
            .as_ref()
            .map(|folder| keep::keep(folder, &loaded.model, &group.trace, (&group.replayed, group.took)));
        paths.push(kept.transpose()?);
    }
    match args.format {
        CheckFormatArg::Text => text(loaded, found, &paths, console)?,
        CheckFormatArg::Json => console.line(Stream::Out, &answer_json(loaded, found).to_string())?,
    }
    if let Some(path) = &args.html {
        pages(path, found, console)?;
    }
    let is_divergence = |group: &Group| {
        matches!(group.replayed.ending, Came::Diverged(_) | Came::CouldNot(Obstacle::Died { .. }))
    };
    Ok(match (found.groups.values().any(is_divergence), found.groups.is_empty(), found.n_steps) {
        (true, _, _) => Ending::Diverged,
        (false, false, _) => Ending::CouldNot,
        (false, true, _) if !is_whole => Ending::Interrupted,
        (false, true, 0) => Ending::Limit,
        (false, true, _) => Ending::Ok,
    })
}

fn text(
    loaded: &Loaded,
    found: &Found,
    paths: &[Option<std::path::PathBuf>],
    console: &Console,
) -> io::Result<()> {
    for ((number, (kind, group)), path) in (1..).zip(&found.groups).zip(paths) {
        let walks = count(group.n_walks, "walk");
        console
            .line(Stream::Out, &format!("{number}. {kind} ({walks}; the shortest is walk {})", group.walk))?;
        tell::replayed((loaded, &group.trace), &group.replayed, console)?;
        if let Some(path) = path {
            console.line(Stream::Out, &format!("\nkept in {}", path.display()))?;
        }
        console.line(Stream::Out, "")?;
    }
    console.line(Stream::Out, "Actions that were carried out, and agreed")?;
    for name in actions(loaded) {
        let n = found.actions.get(&name).copied().unwrap_or(0);
        let never = if n == 0 { "  never" } else { "" };
        console.line(Stream::Out, &format!("  {n:>8}  {name}{never}"))?;
    }
    let (steps, start) = found.each_s();
    let headline = match found.groups.len() {
        0 if found.n_steps == 0 => "nothing was compared, and nothing is known".to_owned(),
        0 => "the program conforms".to_owned(),
        1 => "the program does not conform: 1 kind of divergence".to_owned(),
        n => format!("the program does not conform: {n} kinds of divergence"),
    };
    let walks = count(found.n_walks, "walk");
    console.line(
        Stream::Out,
        &format!(
            "\n{headline}; {walks}, {} of them to the end, {} compared, {:.1} s\n{steps:.3} s a walk, and {start:.3} s to wait for fresh nodes",
            found.n_agreed,
            count(found.n_steps, "step"),
            found.elapsed.as_secs_f64(),
        ),
    )
}

fn count(n: u64, noun: &str) -> String {
    render::count(usize::try_from(n).unwrap_or(usize::MAX), noun)
}

/// The actions of the specification, in the order of the mapping.
fn actions(loaded: &Loaded) -> Vec<String> {
    let mut names: Vec<String> = loaded.plan.actions.iter().map(|action| action.name.clone()).collect();
    names.dedup();
    names
}

fn answer_json(loaded: &Loaded, found: &Found) -> Value {
    let group = |(kind, group): (&String, &Group)| {
        let mut told = told_json::replayed(&group.trace, &group.replayed, group.took);
        told["group"] = json!(kind);
        told["walks"] = json!(group.n_walks);
        told["walk"] = json!(group.walk);
        told
    };
    let actions = actions(loaded).into_iter().map(|name| {
        let n = found.actions.get(&name).copied().unwrap_or(0);
        (name, json!(n))
    });
    let (steps_s, start_s) = found.each_s();
    json!({
        "kind": "conform",
        "walks": found.n_walks,
        "agreed": found.n_agreed,
        "steps": found.n_steps,
        "elapsed_ms": found.elapsed.as_millis() as u64,
        "walk_s": steps_s,
        "start_s": start_s,
        "actions": actions.collect::<serde_json::Map<String, Value>>(),
        "groups": found.groups.iter().map(group).collect::<Vec<_>>(),
    })
}

/// A page for each kind: the first has the name that was asked for, the others a number.
fn pages(path: &Path, found: &Found, console: &Console) -> io::Result<()> {
    for (number, group) in (1..).zip(found.groups.values()) {
        let path = match number {
            1 => path.to_owned(),
            n => path.with_extension(format!("{n}.html")),
        };
        let wishes = trace::diagram::Wishes::default();
        replay::write(&path, &page::html(&group.trace, &group.replayed, &wishes), console)?;
        console.line(Stream::Err, &format!("{number}. is in {}", path.display()))?;
    }
    Ok(())
}

/// Everything that was kept, carried out again.
fn recheck(job: &ConformJob, mapping: &MappingFile, console: &Console) -> io::Result<Ending> {
    let args = &job.args;
    let folder = args.system.keep.as_deref().unwrap_or(Path::new("."));
    let kept = match keep::all(folder) {
        Ok(kept) => kept,
        Err(error) => {
            let headline = format!("cannot read what is kept in `{}`: {error}", folder.display());
            return tell::fail(Code::CannotRead, &headline, console);
        }
    };
    if kept.is_empty() {
        let headline = format!("nothing is kept in `{}`", folder.display());
        return tell::fail(Code::CannotRead, &headline, console);
    }
    let interrupted = signals::watched()?;
    let (mut n_gone, mut n_there, mut worst) = (0, 0, Ending::Ok);
    for one in &kept {
        let Some(file) = trace_files::file(&one.path, console)? else { return Ok(Ending::Unreadable) };
        let note = &one.note;
        let model = ModelArgs {
            spec: note.spec.clone(),
            config: note.config.clone(),
            libraries: args.model.libraries.clone(),
            defines: note.defines.clone(),
            beside: Vec::new(),
        };
        let machine = (&args.system, &job.place, job.variables.as_slice());
        let outputs = (&*interrupted, console);
        let done =
            replay::carry_out(machine, (mapping, model), (&one.path, &file, 1), outputs, |_, trace, all| {
                all.first().map(|(replayed, _)| {
                    let kind = kind_of(&replayed.ending, &tell::last_action(trace, replayed));
                    (Rechecked::new(kind == note.kind, &replayed.ending), tell::reason(&replayed.ending))
                })
            })?;
        let (rechecked, now) = match done {
            Ok(Some(came)) => came,
            Ok(None) => continue,
            Err(ending) => (Rechecked::Unknown(ending), "it cannot be followed".to_owned()),
        };
        let (word, ending) = match rechecked {
            Rechecked::Gone => ("gone", Ending::Ok),
            Rechecked::StillThere => ("still there", Ending::Diverged),
            Rechecked::Unknown(ending) => ("not known", ending),
        };
        n_gone += usize::from(rechecked == Rechecked::Gone);
        n_there += usize::from(rechecked == Rechecked::StillThere);
        console.line(Stream::Out, &format!("{word}: {} ({now})", note.kind))?;
        worst = worst.max(ending);
    }
    let (all, n_unknown) = (render::count(kept.len(), "trace"), kept.len() - n_gone - n_there);
    let headline = format!("{all}: {n_gone} gone, {n_there} still there, {n_unknown} not known");
    console.line(Stream::Out, &headline)?;
    Ok(worst)
}

/// What has become of something that was kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rechecked {
    StillThere,
    /// The trace was carried out, and ended otherwise.
    Gone,
    /// It was not carried out to an answer.
    Unknown(Ending),
}

impl Rechecked {
    fn new(is_same: bool, came: &Came) -> Rechecked {
        match came {
            Came::CouldNot(Obstacle::Interrupted) => Rechecked::Unknown(Ending::Interrupted),
            _ if is_same => Rechecked::StillThere,
            Came::CouldNot(_) => Rechecked::Unknown(Ending::CouldNot),
            Came::Agreed | Came::Confirmed(_) | Came::Diverged(_) => Rechecked::Gone,
        }
    }
}
