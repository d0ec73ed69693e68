//! The command line of `specline monitor`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};

use crate::args::{CheckFormatArg, ModelArgs, WorkersArg, parse_workers};
use crate::commands::Run;
use crate::console::Console;
use crate::environment::Environment;
use crate::exit::{Ending, Stop};
use crate::tap::args::TapArgs;

/// A process that is watched, or a test of what watches it.
#[derive(Debug)]
pub enum MonitorArgs {
    Watch(Box<WatchArgs>),
    Command(Box<MonitorCommand>),
}

// By hand: with derived code, options of a flattened struct inside a flattened one count as none.
impl Args for MonitorArgs {
    fn augment_args(command: Command) -> Command {
        let command = WatchArgs::augment_args(command);
        MonitorCommand::augment_subcommands(command)
            .subcommand_required(false)
            .arg_required_else_help(true)
            .args_conflicts_with_subcommands(true)
            .subcommand_negates_reqs(true)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for MonitorArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        match matches.subcommand_name() {
            Some(_) => MonitorCommand::from_arg_matches(matches).map(Box::new).map(MonitorArgs::Command),
            None => WatchArgs::from_arg_matches(matches).map(Box::new).map(MonitorArgs::Watch),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(Subcommand, Debug)]
pub enum MonitorCommand {
    /// Turn behaviours of a specification into messages, and see whether the monitor has something against them
    Test(TestMonitorArgs),
}

#[derive(Args, Debug)]
pub struct WatchArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    /// The mapping: what of the specification belongs to one process
    #[arg(long = "map", alias = "mapping", value_name = "FILE")]
    pub mapping: PathBuf,

    /// The node that is watched, one of the specification's
    #[arg(long, value_name = "NODE")]
    pub node: Option<String>,

    /// Show what is derived from the specification, and end
    #[arg(long)]
    pub describe: bool,

    /// Use the conditions of the mapping that nothing shows to hold
    #[arg(long)]
    pub trust: bool,

    /// The messages, one JSON object a line; `-` is standard input
    #[arg(long, value_name = "FILE", default_value = "-", conflicts_with_all = ["relays", "pcap", "endpoints", "settings"])]
    pub input: PathBuf,

    #[command(flatten)]
    pub tap: TapArgs,

    /// Keep the input in this file
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// The process runs already: its state is found from its messages, by `[join]` of the mapping
    #[arg(long)]
    pub join: bool,

    /// Tell counts to Prometheus at this address of the machine itself, such as 127.0.0.1:9100
    #[arg(long, value_name = "ADDRESS")]
    pub metrics: Option<SocketAddr>,

    /// Run this command for each alarm, with the alarm as JSON on its standard input
    #[arg(long, value_name = "COMMAND")]
    pub on_alarm: Option<String>,

    /// Write each alarm as a page for a browser: the file has the latest one
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,

    /// Format of alarms and of the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,
}

#[derive(Args, Debug)]
pub struct TestMonitorArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    /// The mapping: what of the specification belongs to one process
    #[arg(long = "map", alias = "mapping", value_name = "FILE")]
    pub mapping: PathBuf,

    /// Number of behaviours
    #[arg(long, alias = "traces", value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub walks: u64,

    /// Try all behaviours of `--depth` steps, up to `--walks` of them, in place of random ones
    #[arg(long)]
    pub all: bool,

    /// Number of threads; the answer does not depend on it
    #[arg(long, value_name = "N", value_parser = parse_workers)]
    pub workers: Option<WorkersArg>,

    /// Largest number of steps of a behaviour
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,

    /// Use the conditions of the mapping that nothing shows to hold
    #[arg(long)]
    pub trust: bool,

    /// Seed of the behaviours and of the changes: the same seed gives the same answer
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Format of the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,
}

impl Run for MonitorArgs {
    fn run(self, environment: &Environment, console: &Console) -> Result<Ending, Stop> {
        match self {
            MonitorArgs::Watch(args) => super::watch::run(&args, console),
            MonitorArgs::Command(command) => match *command {
                MonitorCommand::Test(args) => super::test::run(&args, environment, console),
            },
        }
    }
}
