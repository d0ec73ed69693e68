//! Options for reports to machines that run tests.

use std::path::PathBuf;

use clap::Args;

/// Reports on a run for machines.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// Write what was found to this file, as SARIF
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Write what passed and what failed to this file, as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Write annotations for GitHub Actions to standard error
    #[arg(long)]
    pub github: bool,
}

impl ReportArgs {
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.sarif, &self.junit].into_iter().flatten()
    }
}
