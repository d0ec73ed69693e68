//! The command line of `specline test`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{CheckFormatArg, QuietArgs, ReportArgs, SandboxArgs, WorkersArg, parse_workers};
use crate::commands::Run;
use crate::console::Console;
use crate::environment::{Environment, n_workers};
use crate::exit::{Ending, Stop};

#[derive(Args, Debug)]
pub struct TestArgs {
    #[command(flatten)]
    pub quiet: QuietArgs,

    /// The file that lists the models, or the folder of a `specline.toml`
    #[arg(value_name = "PROJECT", default_value = ".")]
    pub project: PathBuf,

    /// Check only models with this in their names; may be repeated
    #[arg(long, value_name = "TEXT")]
    pub only: Vec<String>,

    /// List the models, and check none
    #[arg(long, conflicts_with_all = ["sarif", "junit", "github"])]
    pub list: bool,

    /// Number of models that are checked at once, each with one worker. Default: one for each processor
    #[arg(short, long, alias = "jobs", short_alias = 'j', value_name = "N|auto", value_parser = parse_workers)]
    pub workers: Option<WorkersArg>,

    #[command(flatten)]
    pub sandbox: SandboxArgs,

    /// Format of the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,

    #[command(flatten)]
    pub reports: ReportArgs,
}

/// The models of a project, to be checked.
#[derive(Debug)]
pub struct TestJob {
    pub args: TestArgs,
    /// Number of models that are checked at once.
    pub n_jobs: usize,
}

impl Run for TestArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        super::run(&TestJob { n_jobs: n_workers(self.workers), args: self }, console)
    }
}
