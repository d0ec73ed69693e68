//! The command line of `specline rank`.

use std::path::PathBuf;

use clap::Args;
use eval::world::Machine;
use setup::ModelInput;

use crate::args::{
    CheckFormatArg, CoverageArgs, KeptTraceArgs, ModelArgs, WorkersArg, parse_time, parse_workers,
};
use crate::commands::Run;
use crate::console::Console;
use crate::environment::{Environment, n_workers, world};
use crate::exit::{Ending, Stop};

#[derive(Args, Debug)]
pub struct RankArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    /// Say only what is wrong, below the table; with --run
    #[arg(short, long)]
    pub quiet: bool,

    /// The file with configurations and budgets. Default: `specline.toml` beside SPEC
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,

    /// Number of walks for each pair of a configuration and a budget. Default: 100
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub walks: Option<u64>,

    /// Largest number of steps of a walk. Default: 100
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,

    /// Seed of the walks: the same seed gives the same tables
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Order of the rows: `coverage`, `diversity`, `depth`, `states`, the first first; `-` before one reverses it.
    /// Default: coverage,diversity,depth
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    pub by: Vec<String>,

    /// Check the best N of each configuration in turn, until one has an error
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "3")]
    pub run: Option<usize>,

    /// Time limit for each of these checks: seconds, or a number with `s`, `m` or `h`
    #[arg(long, value_name = "TIME", requires = "run", value_parser = written_time)]
    pub time: Option<String>,

    #[command(flatten)]
    pub kept: KeptTraceArgs,

    #[command(flatten)]
    pub coverage: CoverageArgs,

    /// Number of threads; the tables do not depend on it. Default: one for each processor
    #[arg(short, long, value_name = "N|auto", value_parser = parse_workers)]
    pub workers: Option<WorkersArg>,

    /// Format of the tables
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,
}

/// A time as it was written, if it is one.
fn written_time(text: &str) -> Result<String, String> {
    parse_time(text).map(|_| text.to_owned())
}

/// A ranking, ready to run.
#[derive(Debug)]
pub struct RankJob {
    pub args: RankArgs,
    pub model: ModelInput,
    pub n_workers: usize,
    pub environment: Environment,
    /// The machine as the specification sees it.
    pub world: Machine,
}

impl Run for RankArgs {
    fn run(self, environment: &Environment, console: &Console) -> Result<Ending, Stop> {
        let job = RankJob {
            model: self.model.input(),
            n_workers: n_workers(self.workers),
            environment: *environment,
            world: world(self.model.sandbox.is_wanted())?,
            args: self,
        };
        super::run(&job, console)
    }
}
