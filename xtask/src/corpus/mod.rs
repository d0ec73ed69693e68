//! `cargo xtask corpus DIR...`: folders of specifications, each judged, each verdict compared.
//!
//! What is expected of a file is said by the folder's own convention ([`layout`]), by a list of verdicts
//! (`--expect`), or else it must be accepted. [`judge`] alone knows the front end.

mod expect;
mod judge;
mod layout;
mod manifest;
mod report;
mod snippets;
mod workers;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

#[derive(Args)]
pub struct Options {
    /// Folders of specifications, or single files.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,

    /// Where else modules are looked for; may be given several times.
    #[arg(long, short = 'L', value_name = "DIR")]
    library: Vec<PathBuf>,

    /// Verdicts to compare with: lines of a path, a tab and an exit code (0 is acceptance). A relative
    /// path counts from the list's own folder.
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,

    /// How many files are read at once; as many as there are processors unless given.
    #[arg(long, short, value_name = "N")]
    jobs: Option<usize>,

    /// List the slowest files.
    #[arg(long)]
    timings: bool,
}

/// One thing to be judged.
#[derive(Debug)]
struct Case {
    /// What reports call it.
    name: String,
    subject: Subject,
    expected: Expected,
}

#[derive(Debug)]
enum Subject {
    /// A module file, with everything that it needs.
    Module(PathBuf),
    /// A configuration of a module.
    Config { config: PathBuf, module: PathBuf },
    /// A text of which only the grammar is judged.
    Syntax(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Accepted,
    Rejected,
}

/// What is to be judged, and what could not even be found.
#[derive(Debug, Default)]
struct Plan {
    cases: Vec<Case>,
    /// Complaints about the corpus itself: listed files that are not there, lists that cannot be read.
    problems: Vec<String>,
    /// Files that are known and not judged.
    n_passed_over: usize,
}

/// Judges everything and prints what is wrong; returns whether nothing is.
pub fn run(options: &Options) -> Result<bool> {
    let expectations = match &options.expect {
        Some(path) => expect::Expectations::read(path)?,
        None => expect::Expectations::default(),
    };
    for folder in &options.folders {
        if !folder.exists() {
            bail!("`{}` is not there", folder.display());
        }
    }
    let plan = layout::plan(&options.folders, &expectations);
    let n_jobs = options.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let results = workers::judge_all(&plan.cases, &options.library, n_jobs.max(1));
    Ok(report::print(&plan, &results, options.timings))
}
