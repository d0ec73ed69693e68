//! The command line of `specline stage`.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::args::parse_variable;
use crate::commands::Run;
use crate::console::Console;
use crate::environment::{Environment, StagePlace};
use crate::exit::{Ending, Stop};

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub struct StageArgs {
    #[command(subcommand)]
    pub command: Option<StageCommand>,

    /// A folder with a `system.toml`, here or under `systems`
    #[arg(value_name = "SYSTEM", required = true)]
    pub system: Option<PathBuf>,

    /// Carries out the lines of a file; without it, those of standard input
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,

    /// Writes a JSON object for each event
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,

    /// Gives a parameter of the system a value; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_variable)]
    pub parameters: Vec<(String, String)>,

    /// Seed of the nodes' randomness, unless the system names one
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Added to the command of every node
    #[arg(last = true, value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
}

#[derive(Subcommand, Debug)]
pub enum StageCommand {
    /// Install what a system needs, in a folder of its own
    Provision {
        /// A folder with a `system.toml`, here or under `systems`
        #[arg(value_name = "SYSTEM")]
        system: PathBuf,

        /// Gives a parameter of the system a value; may be repeated
        #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_variable)]
        parameters: Vec<(String, String)>,
    },
}

/// A system to be put on the stage.
#[derive(Debug)]
pub struct StageJob {
    pub args: StageArgs,
    /// Whether a person types, who wants to see a prompt.
    pub has_prompt: bool,
    pub place: StagePlace,
}

impl Run for StageArgs {
    fn run(self, environment: &Environment, console: &Console) -> Result<Ending, Stop> {
        let has_prompt = environment.stdout_is_terminal && std::io::stdin().is_terminal();
        super::run(&StageJob { args: self, has_prompt, place: StagePlace::read() }, console)
    }
}
