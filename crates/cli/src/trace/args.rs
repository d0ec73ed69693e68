//! The command line of `specline trace`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use setup::ModelInput;

use crate::args::{CheckFormatArg, SandboxArgs, module_parser};
use crate::commands::Run;
use crate::console::Console;
use crate::environment::{Environment, variables};
use crate::exit::{Ending, Stop};

#[derive(Subcommand, Debug)]
pub enum TraceCommand {
    /// Print a trace: what each step changed, or another form
    Show(TraceShowArgs),
    /// Write a trace as a page for a browser
    Html(TraceHtmlArgs),
    /// Say where two traces part, and what differs there
    Diff(TraceDiffArgs),
}

#[derive(Args, Debug)]
pub struct TraceShowArgs {
    /// A trace in ITF JSON, as `check --trace`, Apalache and Quint write it, or in TLC's JSON
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Show all variables of every state, not only what changed
    #[arg(long)]
    pub full: bool,

    /// Format of the trace
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TraceFormatArg::Text)]
    pub format: TraceFormatArg,

    #[command(flatten)]
    pub settings: TraceSettingsArgs,

    #[command(flatten)]
    pub model: TraceModelArgs,
}

#[derive(Args, Debug)]
pub struct TraceHtmlArgs {
    /// A trace in ITF JSON, as `check --trace`, Apalache and Quint write it, or in TLC's JSON
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// File for the page. Default: FILE with the ending `.html`
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub settings: TraceSettingsArgs,

    #[command(flatten)]
    pub model: TraceModelArgs,
}

#[derive(Args, Debug)]
pub struct TraceSettingsArgs {
    /// The file that says what is a process and what is a message. Default: `specline.toml` beside FILE, if there is one
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
}

/// The specification that a trace is of.
#[derive(Args, Debug)]
pub struct TraceModelArgs {
    /// The specification that the trace is of: TLC's JSON needs it, where it could be several values
    #[arg(long, value_name = "SPEC", value_parser = module_parser())]
    pub spec: Option<PathBuf>,

    /// Configuration of SPEC. Default: SPEC's own name with `.cfg`
    #[arg(short, long, value_name = "CONFIG", requires = "spec")]
    pub config: Option<PathBuf>,

    /// A folder with modules to extend or instantiate; may be repeated
    #[arg(short = 'L', long = "library", value_name = "DIR", requires = "spec")]
    pub libraries: Vec<PathBuf>,

    /// Gives a constant a value, any TLA+ expression; may be repeated
    #[arg(short = 'D', long = "define", value_name = "NAME=EXPR", requires = "spec")]
    pub defines: Vec<String>,

    /// Evaluate this in every state: `EXPR`, or `NAME == EXPR`; may be repeated
    #[arg(long, alias = "trace-expr", value_name = "EXPR", requires = "spec", allow_hyphen_values = true)]
    pub expr: Vec<String>,

    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

impl TraceModelArgs {
    /// The model, if a specification was named.
    pub fn model(&self) -> Option<ModelInput> {
        Some(ModelInput {
            spec: self.spec.clone()?,
            config: self.config.clone(),
            libraries: self.libraries.clone(),
            defines: self.defines.clone(),
            ..ModelInput::default()
        })
    }
}

#[derive(Args, Debug)]
pub struct TraceDiffArgs {
    /// A trace in ITF JSON, or in TLC's
    #[arg(value_name = "A")]
    pub first: PathBuf,

    /// The other
    #[arg(value_name = "B")]
    pub second: PathBuf,

    /// Format of the differences
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,

    #[command(flatten)]
    pub model: TraceModelArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceFormatArg {
    /// Step by step, for people
    Text,
    /// State by state, as TLC prints it
    Tlc,
    /// TLC's JSON, as its `-dumpTrace json` writes it
    TlcJson,
    /// The Informal Trace Format
    Itf,
    /// One JSON object with the changes of each step: docs/traces.md
    Json,
    /// A sequence diagram for Mermaid
    Mermaid,
    /// A sequence diagram for PlantUML
    Plantuml,
    /// A log with vector clocks for ShiViz
    Shiviz,
}

/// Something to do with traces.
#[derive(Debug)]
pub struct TraceJob {
    pub command: TraceCommand,
    /// The environment, for specifications that ask for it.
    pub variables: Vec<(String, String)>,
}

impl Run for TraceCommand {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        super::run(&TraceJob { command: self, variables: variables() }, console)
    }
}
