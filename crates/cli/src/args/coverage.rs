//! Counting what a run used: `--coverage` and related options, and `specline coverage`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// What is counted, and where that goes.
#[derive(Args, Debug)]
pub struct CoverageArgs {
    /// Count how often each action, branch and expression was used, and tell it; slower, since nothing is compiled then
    #[arg(long)]
    pub coverage: bool,

    /// Count, and write a page for a browser to this file: the annotated source, and what was never reached
    #[arg(long, value_name = "FILE")]
    pub coverage_html: Option<PathBuf>,

    /// Count, and write a tracefile for lcov to this file
    #[arg(long, value_name = "FILE")]
    pub coverage_lcov: Option<PathBuf>,

    /// Count, and write Cobertura XML to this file
    #[arg(long, value_name = "FILE")]
    pub coverage_cobertura: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
pub enum CoverageCommand {
    /// Print what was counted: as text, or in another form
    Show(CoverageShowArgs),
    /// Write what was counted as a page for a browser
    Html(CoverageHtmlArgs),
}

#[derive(Args, Debug)]
pub struct CoverageShowArgs {
    /// What `--coverage --format json` of check, simulate or rank wrote
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// How it is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CoverageFormatArg::Text)]
    pub format: CoverageFormatArg,
}

#[derive(Args, Debug)]
pub struct CoverageHtmlArgs {
    /// What `--coverage --format json` of check, simulate or rank wrote
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Where the page goes. Default: FILE with the ending `.html`
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
