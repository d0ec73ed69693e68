//! `cargo xtask diff-tlc`: what TLC says about the cases of `suite/`.
//!
//! With `--record`, TLC runs on each case and its answer is written beside it ([`expect`]). TLC is not part of
//! this repository: `SPECLINE_TLC_CLASSPATH` says where it is. Recording knows nothing of our checker; comparing
//! it with what was recorded is a task of its own, which reads the same files.

pub mod case;
pub mod expect;
pub mod messages;
pub mod outcome;
pub mod tlc;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::run;
use case::Case;
use expect::Expectation;
use tlc::Tlc;

#[derive(Args)]
pub struct Options {
    /// Run TLC and write its answers as the expectations.
    #[arg(long)]
    record: bool,

    /// Record only the cases that have no expectation yet.
    #[arg(long, requires = "record")]
    missing: bool,

    /// Folders or single cases (their `.cfg`); all of `suite/` unless given.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Returns whether everything that was asked for could be done.
pub fn run(options: &Options) -> Result<bool> {
    if !options.record {
        bail!(
            "only `--record` exists so far; `cargo test -p cli --test cli suite` compares us with what was recorded"
        );
    }
    let paths = match options.paths.is_empty() {
        true => vec![run::root().join("suite")],
        false => options.paths.clone(),
    };
    let mut cases = case::find(&paths)?;
    if options.missing {
        cases.retain(|case| !case.has_recording());
    }
    let tlc = Tlc::from_environment()?;
    let mut n_failed = 0;
    for case in &cases {
        match record(&tlc, case) {
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

/// Records one case; returns what to tell about it.
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
