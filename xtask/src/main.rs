//! Developer tasks: `cargo xtask test`, `cargo xtask corpus DIR...`, `cargo xtask diff-tlc`, `cargo xtask tidy`.
//!
//! What users need is in `crates/cli`; nothing here is shipped.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a developer's tool speaks to its terminal")]

mod corpus;
mod diff_tlc;
mod packages;
mod run;
mod suite;
mod tidy;
mod walk;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Developer tasks of Specline", disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what the tests need and is missing, then run all of them.
    Test,
    /// Read folders of specifications, and list those that get the wrong verdict.
    Corpus(corpus::Options),
    /// Record what TLC says about the suite.
    DiffTlc(diff_tlc::Options),
    /// Check the rules of the repository that the compiler does not know.
    Tidy,
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        Task::Test => suite::run(),
        Task::Corpus(options) => corpus::run(&options),
        Task::DiffTlc(options) => diff_tlc::run(&options),
        Task::Tidy => tidy::run(),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
