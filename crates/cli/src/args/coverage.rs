//! Options for counting what a run used: `--coverage` and related ones.

use std::path::PathBuf;

use clap::Args;

/// Options for coverage, and the files for it.
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
