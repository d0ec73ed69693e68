//! `specline rank`: ranks the bounds of a model by how much random walks reach within each of them.
//!
//! A configuration and a budget make a model; each gets the same number of walks and steps. `simulate::rank`
//! sorts their results.

pub mod args;
mod covered;
mod table;
mod wishes;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use base::SystemClock;
use clap::Parser;
use diag::SourceMap;
use eval::lower::{Lowered, lower};
use model::{Engine, Model, NoVerdict, Verdict};
use sema::Spec;
use setup::memory::{self, bytes};
use setup::read_model::{self, Read, worst};
use setup::{ModelInput, threads};
use simulate::{Event, Measure, Mode, Observer, Options, Walks, rank, simulate};
use value::Atoms;

use self::covered::Covered;
use self::table::Tables;
use self::wishes::{Pairing, Wishes};
use crate::args::CheckFormatArg;
use crate::check::args::CheckJob;
use crate::commands::{Cli, Command};
use crate::console::{Console, Stream};
use crate::coverage::command::views;
use crate::coverage::{Files, RunEnding, report};
use crate::exit::{Ending, Stop, settle};
use crate::rank::args::RankJob;
use crate::{check as checking, kept, project, signals};

/// Measures of the walks of each budget, in the order of the budgets.
#[derive(Default)]
struct Measures {
    measures: Vec<Measure>,
    /// Coverage of the walks; empty unless `--coverage` asks for it.
    covered: Covered,
}

pub fn run(job: &RankJob, console: &Console) -> Result<Ending, Stop> {
    if job.args.run.is_none() && job.args.kept.is_wanted() {
        return Err(kept::needs("--run").into());
    }
    let mut sources = SourceMap::new();
    let wishes = project::read(&job.model.spec, job.args.settings.as_deref(), &mut sources)
        .and_then(|project| Wishes::new(&job.args, project.rank));
    let wishes = wishes.map_err(|error| console.refuse(&sources, &error))?;
    if let Some(refused) = threads::refuse(job.n_workers) {
        console.draw(Stream::Err, &sources, &refused)?;
        return Ok(Ending::Unreadable);
    }
    let files = Files::new(&job.args.coverage, &job.model, console)?;
    let interrupted = signals::watch()?;
    let tables = Tables::new(console, job.args.format, &wishes);
    let (mut best, mut reports) = (Vec::new(), Vec::new());
    for pairing in &wishes.pairings {
        let Measures { measures, covered } = measure_all(job, (&wishes, pairing), console, &interrupted)?;
        let order = rank(&measures, &wishes.orders);
        tables.show(pairing, &measures, &order)?;
        if job.args.coverage.coverage {
            tables.show_covered(pairing, &covered, &order)?;
        }
        if job.args.coverage.is_wanted() {
            reports.extend(covered.reports(pairing, &order));
        }
        let n_run = job.args.run.unwrap_or(0);
        best.extend(order.into_iter().take(n_run).map(|index| (pairing, index)));
    }
    files.write(&views(reports), RunEnding::of_bounds(), console)?;
    check_best(job, &best, console)
}

/// Walks within each budget of a configuration. An error says how the run ends.
fn measure_all(
    job: &RankJob,
    (wishes, pairing): (&Wishes, &Pairing),
    console: &Console,
    interrupted: &Arc<AtomicBool>,
) -> Result<Measures, Stop> {
    let mut all = Measures::default();
    for budget in &pairing.budgets {
        let args = model_input(job, pairing);
        let Read { spec, config, mut diagnostics } = read_model::read(&args, &budget.defines);
        let lowered = config.as_ref().map(|config| lower(&spec, config, Atoms::new()));
        let program = lowered.map(|Lowered { program, diagnostics: more }| {
            diagnostics.extend(more);
            program
        });
        let Some(program) = program.filter(|_| !diagnostics.has_errors()) else {
            for diagnostic in diagnostics.iter() {
                console.draw(Stream::Err, &spec.sources, diagnostic)?;
            }
            return Err(worst(&diagnostics).into());
        };
        let answer = walk(job, wishes, Model { spec: &spec, program: &program }, interrupted);
        if let Some(ending) = report_failure(&spec, &answer, console)? {
            return Err(ending.into());
        }
        all.measures.push(Measure::of(&answer));
        let Some(used) = answer.coverage.filter(|_| job.args.coverage.is_wanted()) else { continue };
        if let Err(error) = all.covered.add(report(&spec, &used)) {
            return Err(console.refuse(&SourceMap::new(), &error));
        }
    }
    Ok(all)
}

/// The model of a configuration.
fn model_input(job: &RankJob, pairing: &Pairing) -> ModelInput {
    let args = &job.model;
    let config = pairing.config.as_ref().map(|config| match &job.args.settings {
        Some(settings) => settings.with_file_name("").join(config),
        None => args.spec.with_file_name("").join(config),
    });
    ModelInput {
        spec: args.spec.clone(),
        config: config.or_else(|| args.config.clone()),
        libraries: args.libraries.clone(),
        defines: args.defines.iter().chain(&pairing.defines).cloned().collect(),
        ..ModelInput::default()
    }
}

fn walk(job: &RankJob, wishes: &Wishes, model: Model<'_>, interrupted: &Arc<AtomicBool>) -> simulate::Answer {
    let clock = SystemClock::start();
    let options = Options {
        mode: Mode::Uniform,
        walks: Walks::First(Some(wishes.n_walks)),
        depth: wishes.depth,
        n_workers: job.n_workers,
        // What is compiled does not count.
        engine: Engine::Interpreted,
        // Where it ends is part of what is measured.
        check_deadlock: false,
        weights: Vec::new(),
        seed: job.args.seed,
        time_max: None,
        memory_bytes_max: bytes(memory::default_bytes()),
        minimises: false,
        violations_max: Some(1),
        checks_properties: false,
        estimates_states: true,
        counts_flow: false,
        counts_evaluations: true,
        tells_walks: false,
        interrupted,
        world: &job.world,
        clock: &clock,
    };
    simulate(model, &options, &Unwatched)
}

struct Unwatched;

impl Observer for Unwatched {
    fn event(&self, _event: Event<'_>) {}
}

/// Reports why walks could not be made, and returns how the run ends; `None` if all is well.
fn report_failure(spec: &Spec, answer: &simulate::Answer, console: &Console) -> io::Result<Option<Ending>> {
    match &answer.outcome {
        Ok(Verdict::Holds) => return Ok(None),
        Err(NoVerdict::Interrupted) => console.line(Stream::Err, "Interrupted.")?,
        outcome => checking::text::Teller { console, width: 100 }.finding(spec, outcome)?,
    }
    Ok(Some(setup::ending_of(&answer.outcome)))
}

/// Checks the best pairings in turn, until one has an error.
fn check_best(job: &RankJob, best: &[(&Pairing, usize)], console: &Console) -> Result<Ending, Stop> {
    let mut ending = Ending::Ok;
    for (pairing, index) in best {
        let budget = &pairing.budgets[*index];
        if job.args.format == CheckFormatArg::Text && !job.args.quiet {
            console.line(Stream::Out, &format!("Checking {}, {}:", pairing.name, budget.name))?;
        }
        let check = check_job(job, pairing, &budget.defines)?;
        let checked = settle(checking::run(&check, console))?;
        ending = ending.max(checked);
        if job.args.format == CheckFormatArg::Text && job.args.quiet && checked != Ending::Ok {
            console.line(Stream::Out, &format!("This was {}, {}.", pairing.name, budget.name))?;
        }
        // What ended at a limit has shown nothing: the next may.
        if !matches!(checked, Ending::Ok | Ending::Limit) {
            return Ok(checked);
        }
    }
    Ok(ending)
}

/// Returns the job of `specline check` for the model of a budget.
fn check_job(job: &RankJob, pairing: &Pairing, defines: &[String]) -> Result<CheckJob, Stop> {
    let args = model_input(job, pairing);
    let mut line: Vec<OsString> = vec!["specline".into(), "check".into()];
    let mut option = |name: &str, value: &OsStr| {
        let mut word = OsString::from(format!("--{name}="));
        word.push(value);
        line.push(word);
    };
    if let Some(config) = &args.config {
        option("config", config.as_os_str());
    }
    args.libraries.iter().for_each(|library: &PathBuf| option("library", library.as_os_str()));
    args.defines.iter().chain(defines).for_each(|define| option("define", define.as_ref()));
    option("workers", job.n_workers.to_string().as_ref());
    if let Some(time) = &job.args.time {
        option("time", time.as_ref());
    }
    if job.args.format == CheckFormatArg::Json {
        option("format", "json".as_ref());
    }
    for (name, path) in job.args.kept.files() {
        option(name.trim_start_matches('-'), path.as_os_str());
    }
    job.args.kept.trace_expr.iter().for_each(|text| option("trace-expr", text.as_ref()));
    line.extend(job.args.model.sandbox.option().map(OsString::from));
    line.extend(job.args.quiet.then(|| OsString::from("--quiet")));
    line.extend(["--".into(), args.spec.clone().into_os_string()]);
    let Command::Check(args) = Cli::try_parse_from(line)?.command else {
        unreachable!("the line begins with `specline check`")
    };
    CheckJob::new(*args, &job.environment)
}
