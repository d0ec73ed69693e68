//! Developer tasks: `cargo xtask test`, `bench`, `corpus DIR...`, `diff-tlc`, `scripts DIR...`, `soak`, `tidy`.
//!
//! Everything for users is in `crates/cli`; nothing here is shipped.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a developer's tool speaks to its terminal")]

mod bench;
mod corpus;
mod diff_tlc;
mod packages;
mod program;
mod run;
mod scripts;
mod soak;
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
    /// Measure the program on the models of the bench, beside TLC where there is one.
    Bench(bench::Options),
    /// Run a program and write down what it used; `bench` starts itself so.
    #[command(hide = true)]
    Measure(bench::MeasureOptions),
    /// Read folders of specifications, and list those that get the wrong verdict.
    Corpus(corpus::Options),
    /// Compare TLC and Specline on the suite or on random cases, or record what TLC says.
    DiffTlc(diff_tlc::Options),
    /// Run the scripts of public projects that call Java, with Specline in its place.
    Scripts(scripts::Options),
    /// Kill searches at random moments, go on from their checkpoints, and compare the counts with the recorded ones.
    Soak(soak::Options),
    /// Check the rules of the repository that the compiler does not know.
    Tidy,
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        Task::Test => suite::run(),
        Task::Bench(options) => bench::run(&options),
        Task::Measure(options) => bench::measure(&options),
        Task::Corpus(options) => corpus::run(&options),
        Task::DiffTlc(options) => diff_tlc::run(&options),
        Task::Scripts(options) => scripts::run(&options),
        Task::Soak(options) => soak::run(&options),
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
