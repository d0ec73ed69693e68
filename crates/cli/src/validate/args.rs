//! The command line of `specline validate`.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use eval::world::Machine;
use setup::ModelInput;

use crate::args::{
    CheckFormatArg, CoverageArgs, DenyArg, KeptTraceArgs, QuietArgs, ReportArgs, SandboxArgs, SourceArgs,
    WorkersArg, module_parser, parse_time, parse_variable, parse_workers,
};
use crate::commands::Run;
use crate::console::Console;
use crate::environment::{Environment, n_workers, world};
use crate::exit::{Ending, Stop};

// Over 20 fields: each is an option of the command line, in the order of its help.
#[derive(Args, Debug)]
pub struct ValidateArgs {
    /// The trace specification: a module that reads the log and steps along it
    #[arg(long = "spec", value_name = "SPEC", required_unless_present = "root", value_parser = module_parser())]
    pub trace_spec: Option<PathBuf>,

    #[command(flatten)]
    pub mapped: MapArgs,

    /// Whichever of the two was given.
    #[arg(skip)]
    pub spec: PathBuf,

    /// The configuration; without it SPEC's own name with `.cfg`
    #[arg(short, long, value_name = "CONFIG")]
    pub config: Option<PathBuf>,

    #[command(flatten)]
    pub sources: SourceArgs,

    /// The logs, one JSON value a line, each of which is validated on its own; a folder stands for the logs in it
    #[arg(long = "log", value_name = "FILE", required = true, num_args = 1..)]
    pub logs: Vec<PathBuf>,

    /// How many logs are validated at once, and where there are fewer, how many threads judge the steps of each; what is said
    /// of them does not depend on it. Default: one for each processor
    #[arg(short, long, value_name = "N|auto", value_parser = parse_workers)]
    pub workers: Option<WorkersArg>,

    /// The environment variable in which the specification looks for the log's name. Default: the one that it reads
    #[arg(long, value_name = "NAME")]
    pub log_env: Option<String>,

    /// Sets an environment variable for the specification; may be repeated
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = parse_variable)]
    pub variables: Vec<(String, String)>,

    /// Accept the log if this holds in a state, and by nothing else
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub accept: Option<String>,

    /// End the search of each log after this long: seconds, or a number with `s`, `m` or `h`
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time: Option<Duration>,

    /// Memory for states and values: bytes, or a number with `K`, `M` or `G`. Default: three quarters of the machine's
    #[arg(long, value_name = "SIZE", value_parser = setup::memory::parse)]
    pub memory: Option<u64>,

    /// File for the accepting behaviour, or for the longest one that follows the log
    #[command(flatten)]
    pub kept: KeptTraceArgs,

    #[command(flatten)]
    pub quiet: QuietArgs,

    /// Write a page for a browser to this file: each log beside the states that explain it, and what stands in the way
    #[arg(long = "html", alias = "why-html", value_name = "FILE")]
    pub why_html: Option<PathBuf>,

    /// The log is still being written: wait for more, tell as soon as nothing explains it; Ctrl-C ends it. With --map
    #[arg(long)]
    pub live: bool,

    /// Give up when so many states may explain what was read, those that were found not to included. With --map
    #[arg(long, value_name = "N", value_parser = candidates)]
    pub candidates: Option<usize>,

    #[command(flatten)]
    pub coverage: CoverageArgs,

    #[command(flatten)]
    pub reports: ReportArgs,

    /// Treat these as a failure: exit code 20 where everything else is well
    #[arg(long, value_enum, value_name = "WHAT")]
    pub deny: Option<DenyArg>,

    /// Whether a warning was written.
    #[arg(skip)]
    pub has_warned: AtomicBool,

    #[command(flatten)]
    pub sandbox: SandboxArgs,

    /// Format of the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,
}

impl ValidateArgs {
    /// Returns the arguments with the path at which the specification is looked for.
    pub fn settle(mut self) -> ValidateArgs {
        let given = self.trace_spec.take().or_else(|| self.mapped.root.clone());
        self.spec = given.unwrap_or_default();
        self
    }

    pub fn model(&self) -> ModelInput {
        self.sources.input(self.spec.clone(), self.config.clone())
    }
}

/// A specification that knows nothing of logs, and what is to be made of these.
#[derive(Args, Debug)]
pub struct MapArgs {
    /// The specification of what was logged, with --map or --init-map; without them the same as --spec
    #[arg(value_name = "SPEC", conflicts_with = "trace_spec", value_parser = module_parser())]
    pub root: Option<PathBuf>,

    /// Mapping of events to the specification, in TOML. All logs that are named are one run; a folder is one of its own
    #[arg(long, alias = "mapping", value_name = "FILE", group = "mapping", requires = "root", conflicts_with_all = ["log_env", "accept"])]
    pub map: Option<PathBuf>,

    /// Print a first draft of such a file, from the actions of SPEC and the events of the log
    #[arg(long, group = "mapping", requires = "root")]
    pub init_map: bool,
}

fn candidates(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "expected a number, 1 or more".to_owned())
}

/// The arguments of a validation, completed from the environment.
#[derive(Debug)]
pub struct ValidateJob {
    pub args: ValidateArgs,
    /// Number of logs that are validated at once.
    pub n_workers: usize,
    pub is_terminal: bool,
    /// The machine as the specification sees it.
    pub world: Machine,
}

impl ValidateJob {
    /// Returns how many of `n_logs` logs are validated at once.
    pub fn n_at_once(&self, n_logs: usize) -> usize {
        self.n_workers.min(n_logs).max(1)
    }
}

impl Run for ValidateArgs {
    fn run(self, environment: &Environment, console: &Console) -> Result<Ending, Stop> {
        let job = ValidateJob {
            n_workers: n_workers(self.workers),
            is_terminal: environment.stderr_is_terminal && !self.quiet.quiet,
            world: world(self.sandbox.is_wanted())?,
            args: self.settle(),
        };
        super::run(&job, console)
    }
}
