//! `cargo xtask bench`: how fast the program is and how much memory it needs, on the models of `suite/large`.
//!
//! Plainly, each model is run to its end and its counts are compared ([`specline`]); where there is a TLC, it runs the
//! same models in turn ([`tlc`]). With `--profile`, instructions are counted and not time ([`profile`]). Nothing here
//! decides whether a figure is good.

mod measure;
mod models;
mod profile;
mod report;
mod specline;
mod table;
mod tlc;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;

use crate::diff_tlc;
use crate::run;
use measure::Usage;
pub use measure::{MeasureOptions, measure};
use models::Model;
use report::{Best, Mean, Report, Row};
use specline::Specline;
use tlc::Tlc;

#[derive(Args)]
pub struct Options {
    /// Only the models with this in their names.
    #[arg(long, value_name = "SUBSTRING")]
    model: Option<String>,

    /// How often each model is run; the least CPU time counts.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,

    /// The time that each run has.
    #[arg(long, value_name = "S", default_value_t = 900)]
    max_seconds: u64,

    /// With which profile of cargo the program is built.
    #[arg(long, value_name = "PROFILE", default_value = "release")]
    build: String,

    /// Write the figures to this file as well.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

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

/// Measures; returns whether every model could be and had the recorded counts.
pub fn run(options: &Options) -> Result<bool> {
    let models = models::find(options.model.as_deref())?;
    match options.profile {
        true => profile::run(options, &models),
        false => run_timed(options, &models),
    }
}

fn run_timed(options: &Options, models: &[Model]) -> Result<bool> {
    let commit = commit()?;
    let specline = Specline::build(&options.build, options.max_seconds)?;
    let tlc = match diff_tlc::tlc::Tlc::is_configured() {
        true => Some(Tlc::from_environment(options.max_seconds)?),
        false => None,
    };
    let tlc_start = tlc.as_ref().map(Tlc::start).transpose()?;
    let mut rows = Vec::new();
    for model in models {
        eprintln!("{} ...", model.name);
        match best_of(options.runs, model, &specline, tlc.as_ref()) {
            Ok(best) => rows.push(Row::new(&model.name, model.expected, &best, tlc_start)),
            Err(error) => eprintln!("{}: NOT MEASURED: {error:#}", model.name),
        }
    }
    let all_measured = rows.len() == models.len();
    let report = Report {
        commit,
        build: options.build.clone(),
        n_runs: options.runs,
        tlc_start_cpu_seconds: tlc_start,
        models: rows,
        mean: Mean::default(),
        mean_of_large: Mean::default(),
    }
    .with_means();
    println!("{}", report.lines().join("\n"));
    if let Some(path) = &options.json {
        write_json(path, &report)?;
    }
    Ok(all_measured)
}

/// Both programs in turn, so that what else the machine does falls on both.
fn best_of(n_runs: u32, model: &Model, specline: &Specline, tlc: Option<&Tlc>) -> Result<Best> {
    let mut best = Best {
        start_bytes: specline.start_bytes(model)?,
        specline: specline.run(model)?,
        tlc: tlc.map(|tlc| tlc.run(model)).transpose()?,
    };
    for _ in 1..n_runs {
        best.specline = better(best.specline, specline.run(model)?);
        if let (Some(tlc), Some(before)) = (tlc, best.tlc) {
            best.tlc = Some(better(before, tlc.run(model)?));
        }
    }
    Ok(best)
}

fn better(one: Usage, other: Usage) -> Usage {
    if other.cpu_seconds < one.cpu_seconds { other } else { one }
}

/// What is measured, as git calls it.
fn commit() -> Result<String> {
    Ok(run::read("git", &["describe", "--always", "--dirty"])?.trim().to_owned())
}

fn write_json(path: &Path, report: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(report).context("cannot write the figures as JSON")?;
    std::fs::write(path, text + "\n").with_context(|| format!("cannot write `{}`", path.display()))
}
