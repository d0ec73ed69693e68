//! `cargo xtask bench`: measures the speed and the memory of the program, on the models of `bench/models`.
//!
//! Without options, each model is run to its end and its counts are compared ([`specline`]). If there is a TLC, it runs
//! the same models in turn ([`tlc`]), and so do the explorers written by hand, if there is one ([`explorers`]). Then
//! come start-up, two workers and instructions. With `--simulate`, random walks are measured ([`simulation`]), with
//! `--live`, temporal properties ([`live`]), with `--stage`, the stage ([`stage`]), with `--conform`, walks on real
//! programs ([`conform`]), with `--zookeeper`, the searches of REMIX ([`zookeeper`]), with `--log`, a long log ([`log`]), with `--validate`, a log of real nodes ([`validation`]), with `--monitor`,
//! monitors of real members of etcd ([`monitor`]), with `--public`, specifications of other
//! people ([`public`]);
//! with `--profile`, only instructions are counted, and shown by place ([`profile`]). Nothing here decides whether a
//! figure is good.

mod conform;
mod explorers;
mod live;
mod log;
mod measure;
pub mod models;
mod monitor;
mod profile;
mod public;
mod report;
mod simulation;
mod specline;
mod stage;
mod startup;
mod table;
mod tlc;
mod validation;
mod workers;
mod zookeeper;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;

use crate::diff_tlc;
use crate::program;
use crate::run;
use crate::soak::editor;
use explorers::Explorers;
use measure::Usage;
pub use measure::{MeasureOptions, measure};
use models::{Model, Set};
use report::{Best, Mean, Report, Row};
use specline::Specline;
use tlc::Tlc;
use workers::TwoWorkers;

/// The least number of runs with two workers: a comparison of two times of two seconds each says nothing if either was
/// measured once.
const TWO_WORKERS_RUNS_MIN: u32 = 3;

/// The model on which two workers and instructions are measured.
const EXAMPLE: &str = "RaftLog";

#[derive(Args)]
pub struct Options {
    /// Only the models with this in their names.
    #[arg(long, value_name = "SUBSTRING")]
    model: Option<String>,

    /// The models of `suite/large` in place of those of `bench/models`: more and smaller ones.
    #[arg(long)]
    large: bool,

    /// How often each model is run; the least CPU time counts.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,

    /// The time that each run has.
    #[arg(long, value_name = "S", default_value_t = 900)]
    max_seconds: u64,

    /// With which profile of cargo the program is built: `release` is what users build, `dist` what packagers do.
    #[arg(long, value_name = "PROFILE", default_value = "dist")]
    build: String,

    /// Write the figures to this file as well.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Measure random walks, so many for each model, beside TLC's `-simulate`, and nothing else.
    #[arg(long, value_name = "WALKS", conflicts_with = "profile")]
    simulate: Option<u64>,

    /// Measure temporal properties, on the models of `bench/live`, and nothing else.
    #[arg(long, conflicts_with_all = ["profile", "simulate", "large"])]
    live: bool,

    /// Measure the stage: what an event costs, and how long three nodes take to start; and nothing else.
    #[arg(long, conflicts_with_all = ["profile", "simulate", "large", "live", "model"])]
    stage: bool,

    /// Measure random walks on real programs, so many on each (50), from PyPI, and nothing else.
    #[arg(long, value_name = "WALKS", num_args = 0..=1, default_missing_value = "50", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["profile", "simulate", "large", "live", "model", "stage", "log", "validate"])]
    conform: Option<u64>,

    /// Write a log of so many events and validate it by a mapping (`bench/logs`), and nothing else.
    #[arg(long, value_name = "EVENTS", conflicts_with_all = ["profile", "simulate", "large", "live", "model", "stage"])]
    log: Option<u64>,

    /// Measure the validation of a log that three nodes of `examples/raft` write in so many seconds, and nothing else.
    #[arg(long, value_name = "S", conflicts_with_all = ["profile", "simulate", "large", "live", "model", "stage", "log"])]
    validate: Option<u64>,

    /// Measure monitors on what three members of etcd said in so many seconds, and nothing else.
    #[arg(long, value_name = "S", conflicts_with_all = ["profile", "simulate", "large", "live", "model", "stage", "log", "validate"])]
    monitor: Option<u64>,

    /// Measure the searches of REMIX on the compositions of `specs/zookeeper`, and nothing else.
    #[arg(long, conflicts_with_all = ["profile", "simulate", "large", "live", "stage", "conform", "log", "validate"])]
    zookeeper: bool,

    /// Measure the language server: so many keystrokes in a module of 2,000 lines, and nothing else.
    #[arg(long, value_name = "EDITS", num_args = 0..=1, default_missing_value = "1000", conflicts_with_all = ["profile", "simulate", "large", "live", "model", "stage", "conform", "log", "validate"])]
    editor: Option<u64>,

    #[command(flatten)]
    public: public::PublicOptions,

    /// Count instructions under valgrind, and show where they go.
    #[arg(long, conflicts_with = "runs")]
    profile: bool,

    /// Count until so many states are found.
    #[arg(long, value_name = "N", default_value_t = 20_000, requires = "profile")]
    max_states: u64,

    /// How many functions and lines are listed.
    #[arg(long, value_name = "N", default_value_t = 20, requires = "profile")]
    top: usize,

    /// Compare with what `--profile --json FILE` wrote, of another commit perhaps.
    #[arg(long, value_name = "FILE", requires = "profile")]
    baseline: Option<PathBuf>,
}

/// Measures; returns whether every model could be measured and had the recorded counts.
pub fn run(options: &Options) -> Result<bool> {
    if options.stage {
        return run_stage(options);
    }
    if let Some(n_edits) = options.editor {
        return editor::edit(&program::build(&options.build)?, n_edits, 1);
    }
    if let Some(n_walks) = options.conform {
        return run_conform(options, n_walks);
    }
    if let Some(n_events) = options.log {
        return run_log(options, n_events);
    }
    if let Some(seconds) = options.validate {
        return run_validation(options, seconds);
    }
    if let Some(seconds) = options.monitor {
        return run_monitors(options, seconds);
    }
    if options.zookeeper {
        return run_zookeeper(options);
    }
    if let Some(checkouts) = &options.public.public {
        return public::run(options, checkouts);
    }
    let set = match (options.large, options.live) {
        (true, _) => Set::Large,
        (false, true) => Set::Live,
        (false, false) => Set::Bench,
    };
    let models = models::find(set, options.model.as_deref())?;
    if options.live {
        return run_live(options, &models);
    }
    match (options.profile, options.simulate) {
        (true, _) => profile::run(options, &models),
        (false, Some(n_walks)) => run_walks(options, &models, n_walks),
        (false, None) => run_timed(options, &models),
    }
}

fn run_stage(options: &Options) -> Result<bool> {
    let figures = stage::measure(&options.build, options.runs)?;
    println!("{}", figures.lines().join("\n"));
    if let Some(path) = &options.json {
        write_json(path, &figures)?;
    }
    Ok(true)
}

fn run_conform(options: &Options, n_walks: u64) -> Result<bool> {
    let figures = conform::measure(&options.build, n_walks)?;
    println!("{}", figures.lines().join("\n"));
    if let Some(path) = &options.json {
        write_json(path, &figures)?;
    }
    Ok(true)
}

fn run_log(options: &Options, n_events: u64) -> Result<bool> {
    let specline = Specline::build(&options.build, options.max_seconds)?;
    let figures = log::measure(&specline, n_events)?;
    println!("{}", figures.lines().join("\n"));
    if let Some(path) = &options.json {
        write_json(path, &figures)?;
    }
    Ok(true)
}

fn run_validation(options: &Options, seconds: u64) -> Result<bool> {
    let figures = validation::measure(&options.build, seconds, (options.runs, options.max_seconds))?;
    println!("{}", figures.lines().join("\n"));
    if let Some(path) = &options.json {
        write_json(path, &figures)?;
    }
    Ok(true)
}

fn run_monitors(options: &Options, seconds: u64) -> Result<bool> {
    let figures = monitor::measure(&options.build, seconds, (options.runs, options.max_seconds))?;
    println!("{}", figures.lines().join("\n"));
    if let Some(path) = &options.json {
        write_json(path, &figures)?;
    }
    Ok(true)
}

fn run_live(options: &Options, models: &[Model]) -> Result<bool> {
    let specline = Specline::build(&options.build, options.max_seconds)?;
    let tlc = opt_tlc(options)?;
    let rows = live::measure((&specline, tlc.as_ref()), models, options.runs)?;
    println!("{}", live::lines(&rows).join("\n"));
    if let Some(path) = &options.json {
        write_json(path, &rows)?;
    }
    Ok(true)
}

fn run_zookeeper(options: &Options) -> Result<bool> {
    let specline = Specline::build(&options.build, options.max_seconds)?;
    let figures = zookeeper::measure(&specline, options.model.as_deref())?;
    println!("{}", figures.lines().join("\n"));
    if let Some(path) = &options.json {
        write_json(path, &figures)?;
    }
    Ok(figures.is_complete)
}

/// Returns TLC, or `None` if there is none.
fn opt_tlc(options: &Options) -> Result<Option<Tlc>> {
    match diff_tlc::tlc::Tlc::is_configured() {
        true => Tlc::from_environment(options.max_seconds).map(Some),
        false => Ok(None),
    }
}

fn run_walks(options: &Options, models: &[Model], n_walks: u64) -> Result<bool> {
    let specline = Specline::build(&options.build, options.max_seconds)?;
    let tlc = opt_tlc(options)?;
    let rows = simulation::measure((&specline, tlc.as_ref()), models, (n_walks, options.runs))?;
    println!("{}", simulation::lines(&rows).join("\n"));
    if let Some(path) = &options.json {
        write_json(path, &rows)?;
    }
    Ok(true)
}

fn run_timed(options: &Options, models: &[Model]) -> Result<bool> {
    let commit = commit()?;
    let programs = Programs::new(options)?;
    let tlc_start = programs.tlc.as_ref().map(Tlc::start).transpose()?;
    let mut rows = Vec::new();
    for model in models {
        eprintln!("{} ...", model.name);
        match programs.best_of(options.runs, model) {
            Ok(best) => rows.push(Row::new(&model.name, model.expected, &best, tlc_start)),
            Err(error) => eprintln!("{}: NOT MEASURED: {error:#}", model.name),
        }
    }
    let all_measured = rows.len() == models.len();
    let example = models.iter().find(|model| model.name == EXAMPLE);
    let report = Report {
        commit,
        build: options.build.clone(),
        n_runs: options.runs,
        tlc_start_cpu_seconds: tlc_start,
        models: rows,
        mean: Mean::default(),
        mean_of_large: Mean::default(),
        least: Mean::default(),
        start_up: startup::measure(&programs.specline)?,
        two_workers: example.map(|model| programs.two_workers(options.runs, model)).transpose()?,
        instructions: example.map(|model| profile::brief(&programs.specline, model)).transpose()?.flatten(),
    }
    .with_means();
    println!("{}", report.lines().join("\n"));
    if let Some(path) = &options.json {
        write_json(path, &report)?;
    }
    Ok(all_measured)
}

/// All programs that are run.
struct Programs {
    specline: Specline,
    explorers: Explorers,
    tlc: Option<Tlc>,
}

impl Programs {
    fn new(options: &Options) -> Result<Programs> {
        Ok(Programs {
            specline: Specline::build(&options.build, options.max_seconds)?,
            explorers: Explorers::build(options.max_seconds)?,
            tlc: opt_tlc(options)?,
        })
    }

    /// Runs all programs in turn, so that the other load of the machine affects all of them.
    fn best_of(&self, n_runs: u32, model: &Model) -> Result<Best> {
        let mut best = self.once(model)?;
        for _ in 1..n_runs {
            let again = self.once(model)?;
            best.specline = better(best.specline, again.specline);
            best.tlc = best.tlc.zip(again.tlc).map(|(one, other)| better(one, other));
            best.explorer = best.explorer.zip(again.explorer).map(|(one, other)| better(one, other));
        }
        Ok(best)
    }

    fn once(&self, model: &Model) -> Result<Best> {
        Ok(Best {
            start_bytes: self.specline.start_bytes(model)?,
            specline: self.specline.run(model)?,
            tlc: self.tlc.as_ref().map(|tlc| tlc.run(model)).transpose()?,
            explorer: self.explorers.run(model)?,
        })
    }

    fn two_workers(&self, n_runs: u32, model: &Model) -> Result<TwoWorkers> {
        eprintln!("two workers on {} ...", model.name);
        workers::compare(&self.specline, model, n_runs.max(TWO_WORKERS_RUNS_MIN))
    }
}

fn better(one: Usage, other: Usage) -> Usage {
    if other.cpu_seconds < one.cpu_seconds { other } else { one }
}

/// Returns the name that git gives to the measured commit.
fn commit() -> Result<String> {
    Ok(run::read("git", &["describe", "--always", "--dirty"])?.trim().to_owned())
}

fn write_json(path: &Path, report: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(report).context("cannot write the figures as JSON")?;
    std::fs::write(path, text + "\n").with_context(|| format!("cannot write `{}`", path.display()))
}
