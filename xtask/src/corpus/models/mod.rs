//! Runs the models of a corpus: those that `manifest.json` lists with their results, and the tests of the community's
//! modules.
//!
//! [`plan`] knows the layouts, [`specline`] runs the program, [`judge`] compares, [`report`] has the table. A model
//! waits when the program itself says that it lacks something that the model needs; nothing here knows a model by name.

mod judge;
mod plan;
mod report;
mod specline;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Result;

pub use judge::{Finding, Waiting};
pub use plan::Planned;
use specline::Specline;

/// The most models at once. A model needs a processor and memory: more at once would make each of them slower.
const MODELS_AT_ONCE_MAX: usize = 2;

/// The settings for the models of a corpus.
#[derive(Debug)]
pub struct Settings {
    pub library: Vec<PathBuf>,
    /// The models to run: those whose paths contain one of these texts; all if there are none.
    pub selected: Vec<String>,
    pub profile: String,
    /// The value of `--engine`.
    pub engine: String,
    /// The time that each model has.
    pub limit: Duration,
    pub n_jobs: usize,
}

/// One model, and the expected result.
#[derive(Debug)]
pub struct Model {
    /// The name in reports.
    pub name: String,
    pub module: PathBuf,
    pub config: PathBuf,
    pub library: Vec<PathBuf>,
    pub place: RunFolder,
    pub environment: &'static [(&'static str, &'static str)],
    pub task: Task,
    pub expected: Expected,
}

/// The way in which a model is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    Check,
    Simulate { n_walks: u64 },
}

/// The content of the folder in which a model runs. The folder is new, so that the model does not write into the
/// corpus.
#[derive(Debug, PartialEq, Eq)]
pub enum RunFolder {
    /// Links to the content of this folder, from which models read files by name.
    Links { to: PathBuf },
    /// A copy of the files of this folder, under its name, and with empty folders.
    Copy { of: PathBuf, and_empty: &'static [&'static str] },
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    pub exit: u8,
    /// The counts of a run that explored everything, as far as they are recorded.
    pub distinct: Option<u64>,
    pub generated: Option<u64>,
    pub depth: Option<u64>,
}

/// Runs every model of these folders; returns the report, and whether nothing is wrong.
pub fn run(folders: &[PathBuf], settings: &Settings) -> Result<(Vec<String>, bool)> {
    let planned = plan::plan(folders, &settings.selected);
    if planned.is_empty() {
        return Ok((Vec::new(), true));
    }
    let specline = Specline::build(&settings.profile)?;
    let results = run_all(&specline, &planned.models, settings);
    Ok(report::report(&planned, &results))
}

/// Runs the models, two at a time, and prints how each went when it ends.
fn run_all(specline: &Specline, models: &[Model], settings: &Settings) -> Vec<judge::JudgedModel> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut judged = Vec::new();
        while let Some((at, model)) = take(&next, models) {
            let ran = specline.run(model, settings);
            let result = judge::judge(model, ran);
            println!("{}", report::line(model, &result));
            judged.push((at, result));
        }
        judged
    };
    let n_jobs = settings.n_jobs.clamp(1, MODELS_AT_ONCE_MAX);
    let mut judged: Vec<(usize, judge::JudgedModel)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..n_jobs).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|worker| worker.join().expect("running a model does not panic"));
        joined.flatten().collect()
    });
    judged.sort_by_key(|(at, _)| *at);
    judged.into_iter().map(|(_, judged)| judged).collect()
}

fn take<'m>(next: &AtomicUsize, models: &'m [Model]) -> Option<(usize, &'m Model)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    models.get(at).map(|model| (at, model))
}
