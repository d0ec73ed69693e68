//! The table of commands.
//!
//! To add one, write its arguments with clap in a module of its own, implement [`Run`] for them, and add a line to the
//! table: the comment there is what `specline --help` says of it.

use clap::{Parser, Subcommand, ValueEnum};

use crate::audit::args::AuditArgs;
use crate::check::args::CheckArgs;
use crate::compose::args::ComposeArgs;
use crate::conform::args::{ConformArgs, ReplayArgs};
use crate::console::Console;
use crate::coverage::args::CoverageCommand;
use crate::demo::DemoArgs;
use crate::environment::Environment;
use crate::eval::args::EvalArgs;
use crate::exit::{Ending, Stop};
use crate::explain::ExplainArgs;
use crate::explore::ExploreArgs;
use crate::fmt::FmtArgs;
use crate::graph::GraphArgs;
use crate::init::InitArgs;
use crate::java::args::JavaArgs;
use crate::lint::LintArgs;
use crate::lsp::LspArgs;
use crate::manual::{CompletionsArgs, ManArgs};
use crate::monitor::args::MonitorArgs;
use crate::new::NewCommand;
use crate::parse::ParseArgs;
use crate::pcal::PcalArgs;
use crate::rank::args::RankArgs;
use crate::simulate::args::SimulateArgs;
use crate::stage::args::StageArgs;
use crate::tap::args::TapCommand;
use crate::test::args::TestArgs;
use crate::tlc::TlcArgs;
use crate::trace::args::TraceCommand;
use crate::validate::args::ValidateArgs;

/// A command with its arguments.
pub trait Run {
    /// Runs the command, reports the result, and returns how it ended.
    fn run(self, environment: &Environment, console: &Console) -> Result<Ending, Stop>;
}

impl<R: Run> Run for Box<R> {
    fn run(self, environment: &Environment, console: &Console) -> Result<Ending, Stop> {
        (*self).run(environment, console)
    }
}

/// Defines the enum of the commands, and runs the one that was given.
macro_rules! commands {
    ($($(#[$about:meta])* $name:ident($args:ty),)*) => {
        #[derive(Subcommand, Debug)]
        pub enum Command {
            $($(#[$about])* $name($args),)*
        }

        impl Run for Command {
            fn run(self, environment: &Environment, console: &Console) -> Result<Ending, Stop> {
                match self {
                    $(Command::$name(args) => args.run(environment, console),)*
                }
            }
        }
    };
}

commands! {
    /// Read modules, resolve their names, check arities and levels
    Parse(ParseArgs),
    /// Find what is legal but probably not meant
    Lint(LintArgs),
    /// Format modules: one style, junction lists aligned, nothing else changed
    Fmt(FmtArgs),
    /// Translate the PlusCal algorithms in modules to TLA+
    Pcal(PcalArgs),
    /// Evaluate an expression, or several at a prompt: constant ones, or in a state of a trace
    Eval(Box<EvalArgs>),
    /// Go through a specification step by step: the actions that are enabled, and what each would change
    Explore(Box<ExploreArgs>),
    /// Explore every state that a specification can reach, and check its properties
    Check(Box<CheckArgs>),
    /// Walk through the states of a specification at random, and check its properties on the way
    Simulate(Box<SimulateArgs>),
    /// Say which bounds are worth exploring, by what random walks reach within each
    Rank(Box<RankArgs>),
    /// Say whether the properties could have failed: change the specification, and see what they catch
    Audit(Box<AuditArgs>),
    /// Compose a specification of modules at several grains, and say whether the coarse ones preserve interaction
    Compose(Box<ComposeArgs>),
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
    /// Check a running process against its specification, from the messages that it receives and sends
    Monitor(Box<MonitorArgs>),
    /// Show the messages that processes send each other, by relays between them or from captured packets
    Tap(TapCommand),
    /// Serve an editor by the Language Server Protocol: messages while you type, definitions, renaming, checks of models
    Lsp(LspArgs),
    /// Take TLC's place: its options, its output and its exit codes; `specline tlc -help` lists the options
    #[command(disable_help_flag = true)]
    Tlc(TlcArgs),
    /// Take the place of `java` in scripts that run the TLA+ tools: TLC and SANY run here, the rest in the real Java
    #[command(disable_help_flag = true)]
    Java(JavaArgs),
    /// Write a small specification to start from, with its configuration, its models and a file for CI
    Init(InitArgs),
    /// Write what a specification of a system begins with, or a system for it: both run as they are
    #[command(subcommand)]
    New(NewCommand),
    /// Print the long form of a message, or list all codes
    Explain(ExplainArgs),
    /// Show what Specline does, on a small specification of its own
    Demo(DemoArgs),
    /// Write what a shell needs to complete commands and options
    Completions(CompletionsArgs),
    /// Write the manual pages of all commands into a folder
    Man(ManArgs),
}

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

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColorArg {
    Auto,
    Always,
    Never,
}
