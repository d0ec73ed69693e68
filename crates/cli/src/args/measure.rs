//! What `specline rank` and `specline audit` take.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::common::parse_workers;
use super::{
    CheckFormatArg, CoverageArgs, DeadlockArgs, KeptTraceArgs, ModelArgs, QuietArgs, ReportArgs, WantedArgs,
    WorkersArg, parse_time,
};

#[derive(Args, Debug)]
pub struct RankArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    /// With --check: say only what is wrong, below the table
    #[arg(short, long)]
    pub quiet: bool,

    /// The file with configurations and budgets. Default: `specline.toml` beside SPEC
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,

    /// How many walks each pair of a configuration and a budget is given. Default: 100
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub walks: Option<u64>,

    /// How many steps a walk has at most. Default: 100
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,

    /// What the walks are made from: the same seed gives the same tables
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// In which order: `coverage`, `diversity`, `depth`, `states`, the first first, `-` before one turns it round.
    /// Default: coverage,diversity,depth
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    pub by: Vec<String>,

    /// Check the best N of each configuration in turn, until one has an error
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "3")]
    pub run: Option<usize>,

    /// How long each of these checks may take: seconds, or a number with `s`, `m` or `h`
    #[arg(long, value_name = "TIME", requires = "run", value_parser = written_time)]
    pub time: Option<String>,

    #[command(flatten)]
    pub kept: KeptTraceArgs,

    #[command(flatten)]
    pub coverage: CoverageArgs,

    /// How many threads; the tables do not depend on it. Default: one for each processor
    #[arg(short, long, value_name = "N|auto", value_parser = parse_workers)]
    pub workers: Option<WorkersArg>,

    /// How the tables are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,
}

#[derive(Args, Debug)]
pub struct AuditArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    #[command(flatten)]
    pub wanted: WantedArgs,

    #[command(flatten)]
    pub quiet: QuietArgs,

    /// Make only these changes; several are separated by commas
    #[arg(long, value_enum, value_name = "CLASS", value_delimiter = ',')]
    pub only: Vec<ClassArg>,

    /// List the mutants, and run none
    #[arg(long)]
    pub list: bool,

    /// Run the mutant of this number alone, as --list has it, and tell its behaviour in full
    #[arg(long, value_name = "N", conflicts_with = "list")]
    pub mutant: Option<usize>,

    #[command(flatten)]
    pub kept: KeptTraceArgs,

    /// Tell every mutant, not only those that no property catches
    #[arg(long)]
    pub all: bool,

    /// End after this long: seconds, or a number with `s`, `m` or `h`
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "5m")]
    pub time: Duration,

    /// Search the states of a specification with at most so many, and make random walks through a larger one
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub max_states: u64,

    /// How many walks each mutant is given
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub walks: u64,

    /// How many steps a walk has at most
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,

    /// What the walks are made from: the same seed gives the same walks
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// How many threads, each with a mutant of its own. Default: one for each processor
    #[arg(short, long, value_name = "N|auto", value_parser = parse_workers)]
    pub workers: Option<WorkersArg>,

    #[command(flatten)]
    pub deadlock: DeadlockArgs,

    /// Memory for states and values: bytes, or a number with `K`, `M` or `G`. Default: three quarters of the machine's
    #[arg(long, value_name = "SIZE", value_parser = crate::memory::parse)]
    pub memory: Option<u64>,

    /// How the answer is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,

    #[command(flatten)]
    pub reports: ReportArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassArg {
    /// A conjunct that is no update is left out
    Conjunct,
    /// A comparison holds more often: `<` becomes `<=`, `=` becomes TRUE
    Comparison,
    /// A variable, or a part of it, keeps its value
    Update,
    /// Half is enough where a majority was asked for
    Quorum,
    /// One is enough where all were asked for
    Quantifier,
}

/// A time as it was written, if it is one.
fn written_time(text: &str) -> Result<String, String> {
    parse_time(text).map(|_| text.to_owned())
}
