//! `cargo xtask bench --public CHECKOUTS`: measures specifications that people wrote for their own systems.
//!
//! The models are those of `bench/public` and of the folders given with `--models` ([`list`]). They are laid over
//! checkouts of the repositories that the specifications come from ([`checkouts`]), and run beside TLC ([`measure`]),
//! with several workers ([`workers`]), or by random walks. A model whose checkout is missing or at another commit, and
//! one with other counts than TLC's, is reported, the others are measured, and the task fails at its end.

mod checkouts;
mod list;
mod measure;
mod report;
mod workers;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use tempfile::TempDir;

use super::specline::Specline;
use super::tlc::Tlc;
use super::{Options, commit, opt_tlc, simulation, write_json};
use crate::run;
use checkouts::PublicModel;
use list::ListedModel;
use measure::EarlierTlc;
use report::PublicReport;

/// The models that this repository has.
const OWN_MODELS: &str = "bench/public";

#[derive(Args)]
pub struct PublicOptions {
    /// Measure public specifications, whose repositories are checked out in this folder, and nothing else.
    #[arg(long, value_name = "CHECKOUTS", conflicts_with_all = ["profile", "large", "live", "stage", "conform", "log", "validate"])]
    pub public: Option<PathBuf>,

    /// A folder with `models.tsv` and a folder for each model in it, besides `bench/public`; may be repeated.
    #[arg(long, value_name = "DIR", requires = "public")]
    models: Vec<PathBuf>,

    /// Compare so many workers with one, by wall time, and do not run TLC.
    #[arg(long, value_name = "N", requires = "public", conflicts_with = "simulate", value_parser = clap::value_parser!(u32).range(2..))]
    workers: Option<u32>,

    /// Measure this program instead of building one.
    #[arg(long, value_name = "PATH", requires = "public")]
    program: Option<PathBuf>,

    /// Take TLC's times from what `--json` wrote earlier on the same machine, for the models in it.
    #[arg(long, value_name = "FILE", requires = "public", conflicts_with_all = ["simulate", "workers"])]
    reuse_tlc: Option<PathBuf>,
}

/// Measures; returns whether every model could be measured and had the recorded counts.
pub fn run(options: &Options, checkouts: &Path) -> Result<bool> {
    let listed = find(&options.public.models, options.model.as_deref())?;
    let models = LaidOut::new(&listed, checkouts)?;
    let specline = match &options.public.program {
        Some(program) => Specline::existing(program, options.max_seconds)?,
        None => Specline::build(&options.build, options.max_seconds)?,
    };
    let n_measured = match (options.public.workers, options.simulate) {
        (Some(n_workers), _) => run_workers(options, &specline, &models, n_workers)?,
        (None, Some(n_walks)) => run_walks(options, &specline, &models, n_walks)?,
        (None, None) => run_searches(options, &specline, &models)?,
    };
    Ok(models.n_missing == 0 && n_measured == models.n_wanted(options))
}

/// Returns the models of all lists with `substring` in their names, in any case.
fn find(folders: &[PathBuf], substring: Option<&str>) -> Result<Vec<ListedModel>> {
    let wanted = substring.unwrap_or("").to_lowercase();
    let mut models = list::read(&run::root().join(OWN_MODELS))?;
    for folder in folders {
        models.extend(list::read(folder)?);
    }
    models.retain(|model| model.name.to_lowercase().contains(&wanted));
    if models.is_empty() {
        bail!("no public model has `{wanted}` in its name");
    }
    Ok(models)
}

/// The models that are ready to run, in a folder that lives as long as this does.
struct LaidOut {
    models: Vec<PublicModel>,
    n_missing: usize,
    _scratch: TempDir,
}

impl LaidOut {
    fn new(listed: &[ListedModel], checkouts: &Path) -> Result<LaidOut> {
        let scratch = tempfile::tempdir().context("cannot make a folder for the models")?;
        let checkouts = std::path::absolute(checkouts).context("cannot find the checkouts")?;
        let mut models = Vec::new();
        for model in listed {
            match checkouts::lay_out(model, &checkouts, scratch.path()) {
                Ok(laid) => models.push(laid),
                Err(error) => eprintln!("{}: NOT MEASURED: {error:#}", model.name),
            }
        }
        Ok(LaidOut { n_missing: listed.len() - models.len(), models, _scratch: scratch })
    }

    /// Returns the models whose searches go to their ends.
    fn whole_searches(&self) -> impl Iterator<Item = &PublicModel> {
        self.models.iter().filter(|model| model.is_whole_search())
    }

    /// Returns how many models the options ask for: walks and several workers say nothing of a search that ends early.
    fn n_wanted(&self, options: &Options) -> usize {
        match options.public.workers.is_some() || options.simulate.is_some() {
            true => self.whole_searches().count(),
            false => self.models.len(),
        }
    }
}

/// Runs `measure` on each model; reports those that cannot be measured, and returns the rows of the others.
fn rows_of<'m, R>(
    models: impl Iterator<Item = &'m PublicModel>,
    mut measure: impl FnMut(&PublicModel) -> Result<R>,
) -> Vec<R> {
    let mut rows = Vec::new();
    for model in models {
        let name = &model.model.name;
        eprintln!("{name} ...");
        match measure(model) {
            Ok(row) => rows.push(row),
            Err(error) => eprintln!("{name}: NOT MEASURED: {error:#}"),
        }
    }
    rows
}

fn run_searches(options: &Options, specline: &Specline, models: &LaidOut) -> Result<usize> {
    let earlier = options.public.reuse_tlc.as_deref().map(EarlierTlc::read).transpose()?;
    let tlc = opt_tlc(options)?;
    let programs = measure::Programs::new(specline, tlc.as_ref(), earlier.as_ref())?;
    let rows = rows_of(models.models.iter(), |model| programs.measure(model, options.runs));
    let n_measured = rows.len();
    let report = PublicReport::new(commit()?, &specline.program, options.runs, programs.tlc_start(), rows);
    println!("{}", report.lines().join("\n"));
    if let Some(path) = &options.json {
        write_json(path, &report)?;
    }
    Ok(n_measured)
}

fn run_workers(options: &Options, specline: &Specline, models: &LaidOut, n_workers: u32) -> Result<usize> {
    let rows = rows_of(models.whole_searches(), |model| {
        workers::compare(specline, &model.model, n_workers, options.runs)
    });
    println!("{}", workers::lines(&rows, n_workers).join("\n"));
    if let Some(path) = &options.json {
        write_json(path, &rows)?;
    }
    Ok(rows.len())
}

fn run_walks(options: &Options, specline: &Specline, models: &LaidOut, n_walks: u64) -> Result<usize> {
    let tlc = opt_tlc(options)?;
    let start = tlc.as_ref().map(Tlc::start).transpose()?;
    let rows = rows_of(models.whole_searches(), |model| {
        simulation::measure_model((specline, tlc.as_ref()), &model.model, (n_walks, options.runs), start)
    });
    println!("{}", simulation::lines(&rows).join("\n"));
    if let Some(path) = &options.json {
        write_json(path, &rows)?;
    }
    Ok(rows.len())
}
