//! The command lines of `specline replay` and `specline conform`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use eval::world::Machine;
use setup::ModelInput;

use crate::args::{
    CheckFormatArg, CoverageArgs, MinimiseArgs, ModelArgs, QuietArgs, SandboxArgs, SourceArgs, SwitchArg,
    module_parser, parse_time, parse_variable,
};
use crate::commands::Run;
use crate::console::Console;
use crate::environment::{Environment, StagePlace, world};
use crate::exit::{Ending, Stop};
use crate::simulate::args::ModeArg;

/// The program that a specification is held against.
#[derive(Args, Debug)]
pub struct SystemArgs {
    /// A folder with a `system.toml` and a `mapping.toml`, here or under `systems`
    #[arg(long, value_name = "SYSTEM")]
    pub system: PathBuf,

    /// The mapping. Default: `mapping.toml` in the folder of the system
    #[arg(long = "map", alias = "mapping", value_name = "FILE")]
    pub mapping: Option<PathBuf>,

    /// Gives a parameter of the system a value; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_variable)]
    pub parameters: Vec<(String, String)>,

    /// Folder for what is found, for --recheck
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,

    /// Added to the command of every node
    #[arg(last = true, value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
}

#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// A trace as ITF JSON, or as TLC writes it
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,

    #[command(flatten)]
    pub system: SystemArgs,

    /// The root module. Default: the one that the mapping names
    #[arg(long, value_name = "SPEC", value_parser = module_parser())]
    pub spec: Option<PathBuf>,

    /// The configuration. Default: the one that the mapping names
    #[arg(short, long, value_name = "CONFIG")]
    pub config: Option<PathBuf>,

    #[command(flatten)]
    pub sources: SourceArgs,

    #[command(flatten)]
    pub sandbox: SandboxArgs,

    #[command(flatten)]
    pub quiet: QuietArgs,

    /// Replay it so many times, each on fresh nodes: they must all end alike
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub times: u32,

    /// Write what happened to this file, as a page for a browser: specification and program side by side
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Format of the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,
}

/// Whether nodes are started before they are needed.
#[derive(Args, Debug)]
pub struct AheadArgs {
    /// Whether the nodes of the next walk are started while one is carried out. `--no-ahead` means `off`
    #[arg(long, value_enum, value_name = "SWITCH", default_value_t = SwitchArg::On, overrides_with_all = ["ahead", "no_ahead"])]
    ahead: SwitchArg,

    /// Another spelling of `--ahead off`
    #[arg(long, hide = true, overrides_with_all = ["ahead", "no_ahead"])]
    no_ahead: bool,
}

impl AheadArgs {
    pub fn is_on(&self) -> bool {
        !self.no_ahead && self.ahead == SwitchArg::On
    }
}

#[derive(Args, Debug)]
pub struct ConformArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    #[command(flatten)]
    pub system: SystemArgs,

    /// Replay what was kept, in place of new walks: is it still there?
    #[arg(long, requires = "keep", conflicts_with_all = ["time", "until_quiet", "walks", "html", "config", "defines"])]
    pub recheck: bool,

    /// End after this long: seconds, or a number with `s`, `m` or `h`. Default: 10m, without --walks and --until-quiet
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time: Option<Duration>,

    /// End after this long without anything new
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub until_quiet: Option<Duration>,

    #[command(flatten)]
    pub quiet: QuietArgs,

    /// End after this many walks
    #[arg(long, alias = "traces", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub walks: Option<u64>,

    #[command(flatten)]
    pub ahead: AheadArgs,

    #[command(flatten)]
    pub minimise: MinimiseArgs,

    /// Largest number of steps of a walk. Default: 40
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,

    /// Seed of the walks: the same seed and number give the same walk
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Choice of steps. Default: uniform
    #[arg(long, value_enum, value_name = "HOW")]
    pub mode: Option<ModeArg>,

    /// Weight of an action; the others have 1; may be repeated
    #[arg(long = "weight", value_name = "ACTION=WEIGHT")]
    pub weights: Vec<String>,

    /// The file with weights and other settings. Default: `specline.toml` beside SPEC, if there is one
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,

    #[command(flatten)]
    pub coverage: CoverageArgs,

    /// Write what was found to this file, as a page for a browser, and to pages beside it, to which it leads
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Format of the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,
}

/// A trace to be carried out on a program.
#[derive(Debug)]
pub struct ReplayJob {
    pub args: ReplayArgs,
    /// The machine as the specification sees it.
    pub world: Machine,
    pub place: StagePlace,
}

impl Run for ReplayArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        let world = world(self.sandbox.is_wanted())?;
        let place = StagePlace::read().in_memory();
        super::replay::run(&ReplayJob { args: self, world, place }, console)
    }
}

/// Random walks to be carried out on a program.
#[derive(Debug)]
pub struct ConformJob {
    pub args: ConformArgs,
    pub model: ModelInput,
    pub is_terminal: bool,
    /// The machine as the specification sees it.
    pub world: Machine,
    pub place: StagePlace,
}

impl Run for ConformArgs {
    fn run(self, environment: &Environment, console: &Console) -> Result<Ending, Stop> {
        let world = world(self.model.sandbox.is_wanted())?;
        let is_terminal = environment.stderr_is_terminal && !self.quiet.quiet;
        let place = StagePlace::read().in_memory();
        super::walks::run(
            &ConformJob { model: self.model.input(), args: self, is_terminal, world, place },
            console,
        )
    }
}
