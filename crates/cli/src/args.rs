//! The command line as it is written. What follows from it is `settings`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Ties a distributed system to its TLA+ specification.
#[derive(Parser, Debug)]
#[command(name = "specline", version, max_term_width = 100, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// Colours in messages; `auto` asks the terminal and NO_COLOR
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorArg::Auto, global = true)]
    pub color: ColorArg,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Read modules, resolve their names, check arities and levels
    Parse(ParseArgs),
    /// Find what is legal but probably not meant
    Lint(LintArgs),
    /// Print the long form of a message, or list all codes
    Explain(ExplainArgs),
    /// Show what Specline does, on a small specification of its own
    Demo,
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

/// What every command that reads specifications takes.
#[derive(Args, Debug)]
pub struct InputArgs {
    /// TLA+ modules
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// A folder with modules to extend or instantiate; may be repeated
    #[arg(short = 'L', long = "library", value_name = "DIR")]
    pub libraries: Vec<PathBuf>,

    /// How diagnostics are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = FormatArg::Text)]
    pub message_format: FormatArg,

    /// Treat these as a failure
    #[arg(long, value_enum, value_name = "WHAT")]
    pub deny: Option<DenyArg>,
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
