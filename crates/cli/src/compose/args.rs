//! Arguments of `specline compose`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::{CheckFormatArg, QuietArgs, SourceArgs, parse_time};

#[derive(Args, Debug)]
pub struct ComposeArgs {
    /// The composition file, such as `zookeeper.toml`; `FILE@NAME` is FILE and NAME
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The composition; without it all are listed
    #[arg(value_name = "NAME")]
    pub name: Option<String>,

    /// Write the composition as one TLA+ module and its `.cfg` into this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["target", "changed", "advise"])]
    pub emit: Option<PathBuf>,

    /// Say whether the coarser grains of NAME preserve interaction with this module; may be repeated
    #[arg(long, value_name = "MODULE")]
    pub target: Vec<String>,

    /// Files of a change: the modules that stand for them are the targets; may be repeated
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub changed: Vec<PathBuf>,

    /// The composition that NAME is compared with; without it NAME with the other modules at their finest grains
    #[arg(long, value_name = "NAME")]
    pub against: Option<String>,

    /// Judge the text alone, and explore nothing
    #[arg(long)]
    pub text_only: bool,

    /// Compare all behaviours while neither side has more states than this, and random walks beyond that
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: u64,

    /// How long the exploration may take; half of it for all behaviours, the rest for random walks
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = parse_time)]
    pub time: Duration,

    /// How many random walks of each side are matched against the other
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub walks: u64,

    /// How long random walks are
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub depth: u32,

    /// The seed of random walks
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Write the differences as a page for a browser
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Propose the finest composition with the targets at their finest grains that can be checked within the budget
    #[arg(long)]
    pub advise: bool,

    /// How long a check may take, for --advise
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_time)]
    pub budget: Duration,

    #[command(flatten)]
    pub sources: SourceArgs,

    #[command(flatten)]
    pub quiet: QuietArgs,

    /// How the answer is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,
}
