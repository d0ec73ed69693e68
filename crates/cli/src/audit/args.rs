//! The command line of `specline audit`.

use std::time::Duration;

use clap::{Args, ValueEnum};
use eval::world::Machine;
use setup::ModelInput;

use crate::args::{
    CheckFormatArg, DeadlockArgs, KeptTraceArgs, ModelArgs, QuietArgs, ReportArgs, WantedArgs, WorkersArg,
    parse_time, parse_workers,
};
use crate::commands::Run;
use crate::console::Console;
use crate::environment::{Environment, n_workers, world};
use crate::exit::{Ending, Stop};

#[derive(Args, Debug)]
pub struct AuditArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    #[command(flatten)]
    pub wanted: WantedArgs,

    #[command(flatten)]
    pub quiet: QuietArgs,

    /// Make only these changes; several are separated by commas
    #[arg(long, value_enum, value_name = "CLASS", value_delimiter = ',')]
    pub only: Vec<ClassArg>,

    /// List the mutants, and run none
    #[arg(long)]
    pub list: bool,

    /// Run the mutant of this number alone, as --list has it, and tell its behaviour in full
    #[arg(long, value_name = "N", conflicts_with = "list")]
    pub mutant: Option<usize>,

    #[command(flatten)]
    pub kept: KeptTraceArgs,

    /// Tell every mutant, not only those that no property catches
    #[arg(long)]
    pub all: bool,

    /// End after this long: seconds, or a number with `s`, `m` or `h`
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "5m")]
    pub time: Duration,

    /// Search the states of a specification with at most so many, and make random walks through a larger one
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub max_states: u64,

    /// Number of walks for each mutant
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub walks: u64,

    /// Largest number of steps of a walk
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,

    /// Seed of the walks: the same seed gives the same walks
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Number of threads, each with a mutant of its own. Default: one for each processor
    #[arg(short, long, value_name = "N|auto", value_parser = parse_workers)]
    pub workers: Option<WorkersArg>,

    #[command(flatten)]
    pub deadlock: DeadlockArgs,

    /// Memory for states and values: bytes, or a number with `K`, `M` or `G`. Default: three quarters of the machine's
    #[arg(long, value_name = "SIZE", value_parser = setup::memory::parse)]
    pub memory: Option<u64>,

    /// Format of the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,

    #[command(flatten)]
    pub reports: ReportArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassArg {
    /// A conjunct that is no update is left out
    Conjunct,
    /// A comparison holds more often: `<` becomes `<=`, `=` becomes TRUE
    Comparison,
    /// A variable, or a part of it, keeps its value
    Update,
    /// Half is enough where a majority was asked for
    Quorum,
    /// One is enough where all were asked for
    Quantifier,
}

/// An audit, ready to run.
#[derive(Debug)]
pub struct AuditJob {
    pub args: AuditArgs,
    pub model: ModelInput,
    pub n_workers: usize,
    /// Whether progress may overwrite itself.
    pub is_terminal: bool,
    /// The machine as the specification sees it.
    pub world: Machine,
}

impl AuditJob {
    pub fn new(args: AuditArgs, environment: &Environment) -> Result<Self, Stop> {
        Ok(AuditJob {
            model: ModelInput { wanted: args.wanted.wanted(), ..args.model.input() },
            n_workers: n_workers(args.workers),
            is_terminal: environment.stderr_is_terminal && !args.quiet.quiet,
            world: world(args.model.sandbox.is_kept())?,
            args,
        })
    }
}

impl Run for AuditArgs {
    fn run(self, environment: &Environment, console: &Console) -> Result<Ending, Stop> {
        super::run(&AuditJob::new(self, environment)?, console)
    }
}
