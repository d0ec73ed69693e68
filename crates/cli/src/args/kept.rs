//! Options for the files in which a counterexample is kept.

use std::path::PathBuf;

use clap::Args;

/// Where a counterexample is kept.
#[derive(Args, Debug)]
pub struct KeptTraceArgs {
    /// Write the counterexample to this file, as ITF JSON
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    /// Write the counterexample to this file, as TLC's JSON
    #[arg(long, value_name = "FILE")]
    pub trace_tlc: Option<PathBuf>,

    /// Write the counterexample to this file, as a page for a browser
    #[arg(long, value_name = "FILE")]
    pub trace_html: Option<PathBuf>,

    /// Evaluate this in every state of the counterexample: `EXPR`, or `NAME == EXPR`; may be repeated
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub trace_expr: Vec<String>,
}
