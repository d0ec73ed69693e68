//! `cargo xtask diff-tlc`: runs TLC and Specline on the same specifications.
//!
//! Without options, both run on the cases of `suite/` and are compared ([`compare`]); with `--random`, on generated
//! expressions and specifications ([`random`]); with `--record`, only TLC runs, and its answer is written beside the
//! case ([`expect`]). TLC is not part of this repository: `SPECLINE_TLC_CLASSPATH` says where it is.

pub mod case;
mod class;
mod compare;
pub mod expect;
pub mod messages;
pub mod outcome;
mod random;
mod specline;
pub mod tlc;
pub mod warm;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::run;
use case::Case;
use expect::Expectation;
use specline::Specline;
use tlc::Tlc;
use warm::WarmTlc;

#[derive(Args)]
pub struct Options {
    /// Run TLC and write its answers as the expectations.
    #[arg(long)]
    record: bool,

    /// Record only the cases that have no expectation yet.
    #[arg(long, requires = "record")]
    missing: bool,

    /// Compare only the cases with this in their names.
    #[arg(long, value_name = "SUBSTRING")]
    case: Option<String>,

    /// Compare on so many random cases.
    #[arg(long, value_name = "N", conflicts_with_all = ["record", "case", "paths"])]
    random: Option<u64>,

    /// One kind of random cases; so many of each unless given.
    #[arg(long, value_enum, requires = "random")]
    kind: Option<random::Kind>,

    /// Compare the engines of our own program with each other on random specifications, without TLC.
    #[arg(long, requires_all = ["random", "program"], conflicts_with_all = ["kind", "engine"])]
    engines: bool,

    /// The first random case; the others follow.
    #[arg(long, value_name = "S", default_value_t = 1, requires = "random")]
    seed: u64,

    /// A folder for the smallest cases in which the tools differ.
    #[arg(long, value_name = "DIR", requires = "random")]
    out: Option<PathBuf>,

    /// End after so many differences.
    #[arg(long, value_name = "N", default_value_t = 10, requires = "random")]
    max_differences: usize,

    /// How our program evaluates: `auto`, `interpreted` or `compiled`.
    #[arg(long, value_name = "ENGINE", default_value = "auto", conflicts_with = "record")]
    engine: String,

    /// A program that is built already; otherwise one is built with the profile `quick`.
    #[arg(long, value_name = "FILE", conflicts_with = "record")]
    program: Option<PathBuf>,

    /// Folders or single cases (their `.cfg`); all of `suite/` unless given.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl Options {
    fn specline(&self) -> Result<Specline> {
        match &self.program {
            Some(program) => Specline::at(program, &self.engine),
            None => Specline::build(&self.engine),
        }
    }
}

/// Runs the task; returns whether the tools agree, or everything could be recorded.
pub fn run(options: &Options) -> Result<bool> {
    let asked = options.random.map(|n_cases| random::RandomOptions {
        n_cases,
        seed: options.seed,
        kind: options.kind,
        out: options.out.clone(),
        n_differences_max: options.max_differences,
    });
    if let (Some(asked), true, Some(program)) = (&asked, options.engines, &options.program) {
        return random::engines::run(asked, program);
    }
    let tlc = Tlc::from_environment()?;
    if let Some(asked) = asked {
        let specline = options.specline()?;
        let tools = random::Tools { warm: WarmTlc::new(tlc)?, specline };
        return random::run(&asked, tools);
    }
    let paths = match options.paths.is_empty() {
        true => vec![run::root().join("suite")],
        false => options.paths.clone(),
    };
    let mut cases = case::find(&paths)?;
    match options.record {
        true => {
            cases.retain(|case| !options.missing || !case.has_recording());
            record_all(&tlc, &cases)
        }
        false => {
            cases.retain(|case| options.case.as_ref().is_none_or(|part| case.name().contains(part)));
            compare::run(&tlc, &options.specline()?, &cases)
        }
    }
}

fn record_all(tlc: &Tlc, cases: &[Case]) -> Result<bool> {
    let mut n_failed = 0;
    for case in cases {
        match record(tlc, case) {
            Ok(line) => println!("{}: {line}", case.name()),
            Err(error) => {
                n_failed += 1;
                println!("{}: NOT RECORDED: {error:#}", case.name());
            }
        }
    }
    println!("{} recorded, {n_failed} failed", cases.len() - n_failed);
    Ok(n_failed == 0)
}

/// Records one case; returns a summary of it.
fn record(tlc: &Tlc, case: &Case) -> Result<String> {
    let run = tlc.run(case)?;
    let expectation = Expectation {
        tlc: tlc.version(&run.messages)?,
        spec: case.spec.clone(),
        flags: case.run.flags.clone(),
        outcome: outcome::read(&run)?,
    };
    case.write(&expectation)?;
    Ok(expectation.outcome.summary())
}
