//! The command line of `specline check`.

use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, ValueEnum};
use eval::world::Machine;
use setup::ModelInput;

use crate::args::{
    CheckFormatArg, CoverageArgs, DeadlockArgs, EngineArg, KeptTraceArgs, ModelArgs, QuietArgs, ReportArgs,
    WantedArgs, WorkersArg, parse_time, parse_workers,
};
use crate::commands::{Cli, Run};
use crate::console::Console;
use crate::environment::{Environment, n_workers, world};
use crate::exit::{Ending, Stop};
use crate::graph::DumpArgs;

// Over 20 fields: each is an option of the command line, in the order of its help.
#[derive(Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    #[command(flatten)]
    pub wanted: WantedArgs,

    #[command(flatten)]
    pub quiet: QuietArgs,

    /// Number of threads; the answer does not depend on it. Default: one for each processor
    #[arg(short, long, value_name = "N|auto", value_parser = parse_workers)]
    pub workers: Option<WorkersArg>,

    /// Order in which states are explored
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = SearchArg::Bfs)]
    pub search: SearchArg,

    /// Engine that evaluates actions and formulas; the answer does not depend on it
    #[arg(long, value_enum, value_name = "HOW", default_value_t = EngineArg::Auto)]
    pub engine: EngineArg,

    /// Tell how each action was evaluated, how often and about how long, and which parts were not compiled and why
    #[arg(long)]
    pub engine_report: bool,

    #[command(flatten)]
    pub deadlock: DeadlockArgs,

    /// Do not expand states of this level; an initial state has level 1
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,

    /// End after this many distinct states
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,

    /// End after this long: seconds, or a number with `s`, `m` or `h`
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time: Option<Duration>,

    /// Memory for states and values: bytes, or a number with `K`, `M` or `G`. Default: three quarters of the machine's
    #[arg(long, value_name = "SIZE", value_parser = setup::memory::parse)]
    pub memory: Option<u64>,

    /// A folder, empty or new, from which breadth-first search goes on when half of the memory is full
    #[arg(long, value_name = "DIR")]
    pub spill: Option<PathBuf>,

    /// Go on from there after so many states, for tests
    #[arg(long, hide = true, value_name = "N", requires = "spill")]
    pub spill_after: Option<u64>,

    /// Keep what was found in this folder, now and then and when the search is ended, so that it can go on
    #[arg(long, value_name = "DIR", conflicts_with = "spill")]
    pub checkpoint: Option<PathBuf>,

    /// Time between checkpoints: seconds, or a number with `ms`, `s`, `m` or `h`
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "30m")]
    pub checkpoint_every: Duration,

    /// Go on from the checkpoint in this folder, and keep what is found there
    #[arg(long, value_name = "DIR", conflicts_with_all = ["checkpoint", "spill"])]
    pub resume: Option<PathBuf>,

    /// Go on after a violation, up to the N-th
    #[arg(long = "continue", value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub go_on: Option<usize>,

    /// Seed of random operators
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    #[command(flatten)]
    pub coverage: CoverageArgs,

    /// Do not search: run this trace again, and say whether it still is a behaviour and what it violates
    #[arg(long, value_name = "TRACE", conflicts_with_all = ["checkpoint", "resume", "spill", "coverage", "coverage_html", "coverage_lcov", "coverage_cobertura", "dump", "go_on", "emit", "expect", "sarif", "junit", "github", "depth", "max_states", "search", "workers"])]
    pub load: Option<PathBuf>,

    #[command(flatten)]
    pub dump: DumpArgs,

    #[command(flatten)]
    pub kept: KeptTraceArgs,

    /// Format of the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,

    /// End with 0 if the search ends like this, and with 27 if it ends in another way
    #[arg(long, value_enum, value_name = "OUTCOME")]
    pub expect: Option<ExpectArg>,

    #[command(flatten)]
    pub reports: ReportArgs,

    /// Write this to standard output, and do not search
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = ["expect", "dump", "coverage", "coverage_html", "coverage_lcov", "coverage_cobertura", "trace", "trace_tlc", "trace_html"])]
    pub emit: Option<CheckEmitArg>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchArg {
    /// Level by level: traces are as short as they can be
    Bfs,
    /// The newest state first
    Dfs,
}

/// How a search ends.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpectArg {
    /// It is complete, and found no error
    Ok,
    /// An invariant, or a property of steps or of initial states, is violated
    Safety,
    /// A property of behaviours is violated
    Liveness,
    /// There is a deadlock
    Deadlock,
    /// An assumption, a postcondition or the like does not hold
    Assumption,
    /// `Assert` fails
    Assert,
    /// Something has no value
    Undefined,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckEmitArg {
    /// The program that is evaluated: globals, functions, actions and properties as nested lists; docs/ir.md
    Ir,
}

/// A search, ready to run.
#[derive(Debug)]
pub struct CheckJob {
    pub args: CheckArgs,
    pub model: ModelInput,
    pub n_workers: usize,
    /// Whether progress may overwrite itself.
    pub is_terminal: bool,
    /// The machine as the specification sees it.
    pub world: Machine,
}

impl CheckJob {
    pub fn new(args: CheckArgs, environment: &Environment) -> Result<Self, Stop> {
        if args.spill.is_some() && args.search == SearchArg::Dfs {
            let reason = "--spill goes with breadth-first search: depth-first search must know at once what was visited";
            return Err(Cli::command().error(ErrorKind::ArgumentConflict, reason).into());
        }
        Ok(CheckJob {
            model: ModelInput { wanted: args.wanted.wanted(), ..args.model.input() },
            n_workers: n_workers(args.workers),
            is_terminal: environment.stderr_is_terminal,
            world: world(args.model.sandbox.is_wanted())?,
            args,
        })
    }
}

impl Run for CheckArgs {
    fn run(self, environment: &Environment, console: &Console) -> Result<Ending, Stop> {
        super::run(&CheckJob::new(self, environment)?, console)
    }
}
