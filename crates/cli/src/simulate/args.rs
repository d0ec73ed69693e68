//! The command line of `specline simulate`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use eval::world::Machine;
use setup::ModelInput;

use crate::args::{
    CheckFormatArg, CoverageArgs, DeadlockArgs, EngineArg, KeptTraceArgs, MinimiseArgs, ModelArgs, QuietArgs,
    WantedArgs, WorkersArg, parse_time, parse_workers,
};
use crate::commands::Run;
use crate::console::Console;
use crate::environment::{Environment, n_workers, world};
use crate::exit::{Ending, Stop};

// Over 20 fields: each is an option of the command line, in the order of its help.
#[derive(Args, Debug)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    #[command(flatten)]
    pub wanted: WantedArgs,

    #[command(flatten)]
    pub quiet: QuietArgs,

    /// End after this many walks; without it, and without --time, only an error or Ctrl-C ends it
    #[arg(long, alias = "traces", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub walks: Option<u64>,

    /// End after this long: seconds, or a number with `s`, `m` or `h`
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time: Option<Duration>,

    /// Make this walk alone, as it is made among others
    #[arg(long, value_name = "N", conflicts_with = "walks")]
    pub walk: Option<u64>,

    /// Largest number of steps of a walk. Default: 100
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,

    /// Seed of the walks: the same seed and number give the same walk
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Choice of steps. Default: uniform
    #[arg(long, value_enum, value_name = "HOW")]
    pub mode: Option<ModeArg>,

    /// Expression that learned and coverage see of a state. Default: VIEW of the configuration, or all variables
    #[arg(long, value_name = "EXPR")]
    pub view: Option<String>,

    /// Weight of an action; the others have 1; may be repeated
    #[arg(long = "weight", value_name = "ACTION=WEIGHT")]
    pub weights: Vec<String>,

    /// The file with weights and other settings. Default: `specline.toml` beside SPEC, if there is one
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,

    /// Number of threads; the walks do not depend on it. Default: one for each processor
    #[arg(short, long, value_name = "N|auto", value_parser = parse_workers)]
    pub workers: Option<WorkersArg>,

    /// Engine that evaluates actions and formulas; the walks do not depend on it
    #[arg(long, value_enum, value_name = "HOW", default_value_t = EngineArg::Auto)]
    pub engine: EngineArg,

    #[command(flatten)]
    pub deadlock: DeadlockArgs,

    #[command(flatten)]
    pub minimise: MinimiseArgs,

    /// Go on after a violation, up to the N-th
    #[arg(long = "continue", value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub go_on: Option<usize>,

    /// Memory for values that are being computed: bytes, or a number with `K`, `M` or `G`
    #[arg(long, value_name = "SIZE", value_parser = setup::memory::parse)]
    pub memory: Option<u64>,

    #[command(flatten)]
    pub coverage: CoverageArgs,

    /// Write every walk to this folder, as ITF JSON
    #[arg(long, value_name = "DIR")]
    pub dump: Option<PathBuf>,

    #[command(flatten)]
    pub kept: KeptTraceArgs,

    /// Format of the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModeArg {
    /// An action at random until one is possible, then one of its successors: as TLC does it
    Uniform,
    /// One of all successors
    Successors,
    /// Q-learning: what was done in a view of the state is done less there
    Learned,
    /// Prefers successors whose action or view was seen less
    Coverage,
}

/// Random walks, ready to run.
#[derive(Debug)]
pub struct SimulateJob {
    pub args: SimulateArgs,
    pub model: ModelInput,
    pub n_workers: usize,
    /// Whether progress may overwrite itself.
    pub is_terminal: bool,
    /// The machine as the specification sees it.
    pub world: Machine,
}

impl SimulateJob {
    pub fn new(args: SimulateArgs, environment: &Environment) -> Result<Self, Stop> {
        Ok(SimulateJob {
            model: ModelInput { wanted: args.wanted.wanted(), ..args.model.input() },
            n_workers: n_workers(args.workers),
            is_terminal: environment.stderr_is_terminal,
            world: world(args.model.sandbox.is_wanted())?,
            args,
        })
    }
}

impl Run for SimulateArgs {
    fn run(self, environment: &Environment, console: &Console) -> Result<Ending, Stop> {
        super::run(&SimulateJob::new(self, environment)?, console)
    }
}
