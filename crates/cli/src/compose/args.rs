//! Arguments of `specline compose`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{CheckFormatArg, QuietArgs, SourceArgs};

#[derive(Args, Debug)]
pub struct ComposeArgs {
    /// The composition file, such as `zookeeper.toml`; `FILE@NAME` is FILE and NAME
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The composition; without it all are listed
    #[arg(value_name = "NAME")]
    pub name: Option<String>,

    /// Write the composition as one TLA+ module and its `.cfg` into this folder
    #[arg(long, value_name = "DIR", requires = "name")]
    pub emit: Option<PathBuf>,

    #[command(flatten)]
    pub sources: SourceArgs,

    #[command(flatten)]
    pub quiet: QuietArgs,

    /// How the answer is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,
}
