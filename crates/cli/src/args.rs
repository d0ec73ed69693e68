//! The command line as it is written. What follows from it is `settings`.

mod common;
mod conform;
mod coverage;
mod measure;
mod sandbox;
mod trace;
mod validate;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use common::{DeadlockArgs, MinimiseArgs, QuietArgs, WantedArgs, WorkersArg};
use common::{module_parser, parse_workers};
pub use conform::{ConformArgs, ReplayArgs, SystemArgs};
pub use coverage::{CoverageArgs, CoverageCommand, CoverageFormatArg, CoverageHtmlArgs, CoverageShowArgs};
pub use measure::{AuditArgs, ClassArg, RankArgs};
pub use sandbox::SandboxArgs;
pub use trace::{
    KeptTraceArgs, TraceCommand, TraceDiffArgs, TraceFormatArg, TraceHtmlArgs, TraceModelArgs,
    TraceSettingsArgs, TraceShowArgs,
};
pub use validate::ValidateArgs;

/// Ties a distributed system to its TLA+ specification.
#[derive(Parser, Debug)]
#[command(name = "specline", version = crate::VERSION, max_term_width = 100, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// Colours in messages; `auto` asks the terminal and NO_COLOR
    #[arg(long, alias = "colour", value_enum, value_name = "WHEN", default_value_t = ColorArg::Auto, global = true)]
    pub color: ColorArg,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Read modules, resolve their names, check arities and levels
    Parse(ParseArgs),
    /// Find what is legal but probably not meant
    Lint(LintArgs),
    /// Explore every state that a specification can reach, and check its properties
    Check(Box<CheckArgs>),
    /// Walk through the states of a specification at random, and check its properties on the way
    Simulate(Box<SimulateArgs>),
    /// Say which bounds are worth exploring, by what random walks within each of them come by
    Rank(Box<RankArgs>),
    /// Say whether the properties could have failed: change the specification, and see what they catch
    Audit(Box<AuditArgs>),
    /// Say whether the run that a log tells of is one that a trace specification allows
    Validate(Box<ValidateArgs>),
    /// Check all models of a project, and say which do not end as they should
    Test(TestArgs),
    /// Show a trace that was kept, or compare two
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Draw a small state graph that was kept, as a page for a browser
    Graph(GraphArgs),
    /// Show what a run has counted, as a page or in the form of another tool
    #[command(subcommand)]
    Coverage(CoverageCommand),
    /// Run real, unmodified processes with their time, network and faults under control
    Stage(StageArgs),
    /// Carry out a trace of a specification on real processes: is what it shows in the program?
    Replay(Box<ReplayArgs>),
    /// Carry out random walks of a specification on real processes, and say where the two differ
    Conform(Box<ConformArgs>),
    /// Take TLC's place: its options, its output and its exit codes; `specline tlc -help` lists the options
    #[command(disable_help_flag = true)]
    Tlc {
        /// A command line of TLC
        #[arg(value_name = "TLC", trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Take the place of `java` in scripts that run the TLA+ tools: TLC and SANY run here, the rest in the real Java
    #[command(disable_help_flag = true)]
    Java {
        /// A command line of Java
        #[arg(value_name = "JAVA", trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Print the long form of a message, or list all codes
    Explain(ExplainArgs),
    /// Show what Specline does, on a small specification of its own
    Demo,
    /// Write what a shell needs to complete commands and options
    Completions {
        /// The shell
        #[arg(value_enum, value_name = "SHELL")]
        shell: clap_complete::Shell,
    },
    /// Write the manual pages of all commands into a folder
    Man {
        /// The folder; it is made if it is not there
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

#[derive(Args, Debug)]
pub struct ParseArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// Write this to standard output in place of the verdicts
    #[arg(long, value_enum, value_name = "WHAT")]
    pub emit: Option<EmitArg>,
}

#[derive(Args, Debug)]
pub struct LintArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// The configuration; without it FILE's own name with `.cfg`, if there is such a file
    #[arg(short, long, value_name = "CONFIG")]
    pub config: Option<PathBuf>,
}

/// What every command takes that runs a specification.
#[derive(Args, Clone, Debug)]
pub struct ModelArgs {
    /// The root module; its `.tla` may be left out
    #[arg(value_name = "SPEC", value_parser = module_parser())]
    pub spec: PathBuf,

    /// The configuration; without it SPEC's own name with `.cfg`, and where there is none `Spec`, or `Init` and `Next`
    #[arg(short, long, value_name = "CONFIG")]
    pub config: Option<PathBuf>,

    /// A folder with modules to extend or instantiate; may be repeated
    #[arg(short = 'L', long = "library", value_name = "DIR")]
    pub libraries: Vec<PathBuf>,

    /// Gives a constant a value, any TLA+ expression; may be repeated
    #[arg(short = 'D', long = "define", value_name = "NAME=EXPR")]
    pub defines: Vec<String>,

    #[command(flatten)]
    pub sandbox: SandboxArgs,

    /// Folders that are searched for modules before the folder of the root
    #[arg(skip)]
    pub ahead: Vec<PathBuf>,

    /// Modules that are loaded beside the root
    #[arg(skip)]
    pub beside: Vec<String>,

    /// Properties of the command line, of commands that take them
    #[arg(skip)]
    pub wanted: WantedArgs,

    /// Nothing is assumed where there is no configuration: TLC's way
    #[arg(skip)]
    pub needs_config: bool,
}

#[derive(Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    #[command(flatten)]
    pub wanted: WantedArgs,

    #[command(flatten)]
    pub quiet: QuietArgs,

    /// How many threads; the answer does not depend on it. Default: one for each processor
    #[arg(short, long, value_name = "N|auto", value_parser = parse_workers)]
    pub workers: Option<WorkersArg>,

    /// In which order states are explored
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = SearchArg::Bfs)]
    pub search: SearchArg,

    /// How actions and formulas are evaluated; the answer does not depend on it
    #[arg(long, value_enum, value_name = "HOW", default_value_t = EngineArg::Auto)]
    pub engine: EngineArg,

    #[command(flatten)]
    pub deadlock: DeadlockArgs,

    /// Do not expand states of this level; an initial state has level 1
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,

    /// End after this many distinct states
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,

    /// End after this long: seconds, or a number with `s`, `m` or `h`
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time: Option<Duration>,

    /// Memory for states and values: bytes, or a number with `K`, `M` or `G`. Default: three quarters of the machine's
    #[arg(long, value_name = "SIZE", value_parser = crate::memory::parse)]
    pub memory: Option<u64>,

    /// A folder, empty or new, from which breadth-first search goes on when half of the memory is full
    #[arg(long, value_name = "DIR")]
    pub spill: Option<PathBuf>,

    /// Go on from there after so many states, for tests
    #[arg(long, hide = true, value_name = "N", requires = "spill")]
    pub spill_after: Option<u64>,

    /// Keep what was found in this folder, now and then and when the search is ended, so that it can go on
    #[arg(long, value_name = "DIR", conflicts_with = "spill")]
    pub checkpoint: Option<PathBuf>,

    /// How often: seconds, or a number with `ms`, `s`, `m` or `h`
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "30m")]
    pub checkpoint_every: Duration,

    /// Go on from the checkpoint in this folder, and keep what is found there
    #[arg(long, value_name = "DIR", conflicts_with_all = ["checkpoint", "spill"])]
    pub resume: Option<PathBuf>,

    /// Go on after a violation, up to the N-th
    #[arg(long = "continue", value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub go_on: Option<usize>,

    /// Seed of random operators
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    #[command(flatten)]
    pub coverage: CoverageArgs,

    /// Do not search: run this trace again, and say whether it still is a behaviour and what it violates
    #[arg(long, value_name = "TRACE", conflicts_with_all = ["checkpoint", "resume", "spill", "coverage", "coverage_html", "coverage_lcov", "coverage_cobertura", "dump", "go_on", "emit", "expect", "sarif", "junit", "github", "depth", "max_states", "search", "workers"])]
    pub load: Option<PathBuf>,

    #[command(flatten)]
    pub dump: DumpArgs,

    #[command(flatten)]
    pub kept: KeptTraceArgs,

    /// How the answer is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,

    /// End with 0 if the search ends like this, and with 27 if it ends in another way
    #[arg(long, value_enum, value_name = "OUTCOME")]
    pub expect: Option<ExpectArg>,

    #[command(flatten)]
    pub reports: ReportArgs,

    /// Write this to standard output, and do not search
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = ["expect", "dump", "coverage", "coverage_html", "coverage_lcov", "coverage_cobertura", "trace", "trace_tlc", "trace_html"])]
    pub emit: Option<CheckEmitArg>,
}

#[derive(Args, Debug)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    #[command(flatten)]
    pub wanted: WantedArgs,

    #[command(flatten)]
    pub quiet: QuietArgs,

    /// End after this many walks; without it, and without --time, only an error or Ctrl-C ends it
    #[arg(long, alias = "traces", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub walks: Option<u64>,

    /// End after this long: seconds, or a number with `s`, `m` or `h`
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time: Option<Duration>,

    /// Make this walk alone, as it is made among others
    #[arg(long, value_name = "N", conflicts_with = "walks")]
    pub walk: Option<u64>,

    /// How many steps a walk has at most. Default: 100
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,

    /// What the walks are made from: the same seed and number give the same walk
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// How steps are chosen. Default: uniform
    #[arg(long, value_enum, value_name = "HOW")]
    pub mode: Option<ModeArg>,

    /// What learned and coverage see of a state: an expression. Default: VIEW of the configuration, or all variables
    #[arg(long, value_name = "EXPR")]
    pub view: Option<String>,

    /// How likely an action is, beside 1 for the others; may be repeated
    #[arg(long = "weight", value_name = "ACTION=WEIGHT")]
    pub weights: Vec<String>,

    /// The file with weights and other settings. Default: `specline.toml` beside SPEC, if there is one
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,

    /// How many threads; the walks do not depend on it. Default: one for each processor
    #[arg(short, long, value_name = "N|auto", value_parser = parse_workers)]
    pub workers: Option<WorkersArg>,

    /// How actions and formulas are evaluated; the walks do not depend on it
    #[arg(long, value_enum, value_name = "HOW", default_value_t = EngineArg::Auto)]
    pub engine: EngineArg,

    #[command(flatten)]
    pub deadlock: DeadlockArgs,

    #[command(flatten)]
    pub minimise: MinimiseArgs,

    /// Go on after a violation, up to the N-th
    #[arg(long = "continue", value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub go_on: Option<usize>,

    /// Memory for values that are being computed: bytes, or a number with `K`, `M` or `G`
    #[arg(long, value_name = "SIZE", value_parser = crate::memory::parse)]
    pub memory: Option<u64>,

    #[command(flatten)]
    pub coverage: CoverageArgs,

    /// Write every walk to this folder, as ITF JSON
    #[arg(long, value_name = "DIR")]
    pub dump: Option<PathBuf>,

    #[command(flatten)]
    pub kept: KeptTraceArgs,

    /// How the answer is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,
}

#[derive(Args, Debug)]
pub struct TestArgs {
    #[command(flatten)]
    pub quiet: QuietArgs,

    /// The file that lists the models, or the folder of a `specline.toml`
    #[arg(value_name = "PROJECT", default_value = ".")]
    pub project: PathBuf,

    /// Only models with this in their names; may be repeated
    #[arg(long, value_name = "TEXT")]
    pub only: Vec<String>,

    /// List the models, and check none
    #[arg(long, conflicts_with_all = ["sarif", "junit", "github"])]
    pub list: bool,

    /// How many models are checked at once, each with one worker. Default: one for each processor
    #[arg(short, long, alias = "jobs", short_alias = 'j', value_name = "N|auto", value_parser = parse_workers)]
    pub workers: Option<WorkersArg>,

    #[command(flatten)]
    pub sandbox: SandboxArgs,

    /// How the answer is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormatArg::Text)]
    pub format: CheckFormatArg,

    #[command(flatten)]
    pub reports: ReportArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModeArg {
    /// An action at random until one is possible, then one of its successors: as TLC does it
    Uniform,
    /// One of all successors
    Successors,
    /// Q-learning: what was done in a view of the state is done less there
    Learned,
    /// Prefers successors whose action or view was seen less
    Coverage,
}

/// How a search ends.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpectArg {
    /// It is complete, and found no error
    Ok,
    /// An invariant, or a property of steps or of initial states, is violated
    Safety,
    /// A property of behaviours is violated
    Liveness,
    /// There is a deadlock
    Deadlock,
    /// An assumption, a postcondition or the like does not hold
    Assumption,
    /// `Assert` fails
    Assert,
    /// Something has no value
    Undefined,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckEmitArg {
    /// What is evaluated: globals, functions, actions and properties as nested lists; docs/ir.md
    Ir,
}

/// `90`, `90s`, `5m`, `2h`, `500ms`
pub fn parse_time(text: &str) -> Result<Duration, String> {
    if let Some(Ok(number)) = text.strip_suffix("ms").map(str::parse) {
        return Ok(Duration::from_millis(number));
    }
    let (number, unit) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) => (number, &text[number.len()..]),
        None => (text, "s"),
    };
    let number: u64 =
        number.parse().map_err(|_| "a number of seconds, minutes (m) or hours (h)".to_owned())?;
    let seconds = match unit {
        "h" => number.saturating_mul(3600),
        "m" => number.saturating_mul(60),
        _ => number,
    };
    Ok(Duration::from_secs(seconds))
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchArg {
    /// Level by level: traces are as short as they can be
    Bfs,
    /// The newest state first
    Dfs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineArg {
    /// Compiled to machine code once there are enough states that it pays
    Auto,
    Interpreted,
    /// Compiled from the first state on
    Compiled,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SwitchArg {
    On,
    Off,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckFormatArg {
    /// For people
    Text,
    /// One JSON object a line, on standard output: docs/check-json.md
    Json,
}

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
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = validate::parse_variable)]
    pub parameters: Vec<(String, String)>,

    /// What the nodes' randomness is made from, unless the system says it
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
        #[arg(long = "set", value_name = "NAME=VALUE", value_parser = validate::parse_variable)]
        parameters: Vec<(String, String)>,
    },
}

/// Where the graph of what was found goes, and what of it.
#[derive(Args, Debug)]
pub struct DumpArgs {
    /// Write the graph of all states that were found to this file
    #[arg(long, value_name = "FILE")]
    pub dump: Option<PathBuf>,

    /// The form of the graph. Default: by the ending of FILE: `.dot` or `.gv`, `.json`, `.graphml`
    #[arg(long, value_enum, value_name = "FORMAT", requires = "dump")]
    pub dump_format: Option<DumpFormatArg>,

    /// No more than the first N states
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "dump", value_parser = clap::value_parser!(u32).range(1..))]
    pub dump_max: u32,

    /// Show only these variables; several are separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "dump")]
    pub dump_variables: Vec<String>,

    /// Only steps of these actions, and the states at their ends; several are separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "dump")]
    pub dump_actions: Vec<String>,

    /// Only states up to this level; an initial state has level 1
    #[arg(long, value_name = "LEVEL", requires = "dump", value_parser = clap::value_parser!(u32).range(1..))]
    pub dump_depth: Option<u32>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DumpFormatArg {
    /// For Graphviz
    Dot,
    /// For programs, and for `specline graph`: docs/graphs.md
    Json,
    /// For graph tools
    Graphml,
}

#[derive(Args, Debug)]
pub struct GraphArgs {
    /// A graph as `check --dump graph.json` writes it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Where the page goes. Default: FILE with the ending `.html`
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// What a run found, for machines that run it.
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

/// What every command that reads specifications takes.
#[derive(Args, Debug)]
pub struct InputArgs {
    #[command(flatten)]
    pub quiet: QuietArgs,

    /// TLA+ modules; their `.tla` may be left out
    #[arg(required = true, value_name = "FILE", value_parser = module_parser())]
    pub files: Vec<PathBuf>,

    /// A folder with modules to extend or instantiate; may be repeated
    #[arg(short = 'L', long = "library", value_name = "DIR")]
    pub libraries: Vec<PathBuf>,

    /// How diagnostics are written
    #[arg(long, alias = "message-format", value_enum, value_name = "FORMAT", default_value_t = FormatArg::Text)]
    pub format: FormatArg,

    /// Treat these as a failure
    #[arg(long, value_enum, value_name = "WHAT")]
    pub deny: Option<DenyArg>,

    #[command(flatten)]
    pub reports: ReportArgs,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// A code such as `SL0301`, or its name, `unknown-name`
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColorArg {
    Auto,
    Always,
    Never,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatArg {
    /// With source lines, for people
    Text,
    /// One line each, for editors
    Concise,
    /// One JSON object a line, on standard output
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmitArg {
    /// The syntax tree of FILE, as nested lists
    Ast,
    /// The same as JSON
    AstJson,
    /// The resolved specification, as nested lists
    Spec,
    /// The same as JSON
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DenyArg {
    Warnings,
}
