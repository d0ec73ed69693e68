//! The command line of `specline coverage`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::commands::Run;
use crate::console::Console;
use crate::environment::Environment;
use crate::exit::{Ending, Stop};

#[derive(Subcommand, Debug)]
pub enum CoverageCommand {
    /// Print what was counted: as text, or in another form
    Show(CoverageShowArgs),
    /// Write what was counted as a page for a browser
    Html(CoverageHtmlArgs),
}

#[derive(Args, Debug)]
pub struct CoverageShowArgs {
    /// File that `--coverage --format json` of check, simulate or rank wrote
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Format of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CoverageFormatArg::Text)]
    pub format: CoverageFormatArg,
}

#[derive(Args, Debug)]
pub struct CoverageHtmlArgs {
    /// File that `--coverage --format json` of check, simulate or rank wrote
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// File for the page. Default: FILE with the ending `.html`
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoverageFormatArg {
    /// For people
    Text,
    /// A tracefile for lcov
    Lcov,
    /// Cobertura XML
    Cobertura,
}

impl Run for CoverageCommand {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        Ok(super::command::run(&self, console)?)
    }
}
