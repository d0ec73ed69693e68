//! `cargo xtask soak`: kills searches that keep checkpoints at random moments and resumes them, again and again; they
//! must end with the recorded counts. It is not part of the tests: it runs as long as it is told. With `--stage`,
//! scripts on the stage are run instead ([`stage`]), with `--monitor` traces go through monitors ([`monitor`]), and with
//! `--etcd` real members of etcd are watched ([`etcd`]). With `--editor` the language server is driven ([`editor`]), with `--guests` programs
//! without libc are on the stage ([`guests`]), with `--members` walks of a specification are carried out on members of etcd ([`members`]).
//!
//! Each round is made from one number, its seed, and prints how to repeat it. The moment of a signal depends on the
//! machine, so a finding need not occur again at once.

pub mod editor;
pub mod etcd;
mod guests;
mod members;
mod monitor;
mod part;
mod round;
mod stage;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use base::{Clock, SystemClock};
use clap::Args;

use crate::bench::models::{self, Model, Set};
use crate::program;
use round::{Round, Tally};

#[derive(Args)]
pub struct Options {
    /// How long: no round begins after this
    #[arg(long, value_name = "N", default_value_t = 60)]
    minutes: u64,

    /// The number that the first round is made from; each further round has the next one
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// How many rounds at most
    #[arg(long, value_name = "N")]
    rounds: Option<u64>,

    /// Only models with this in their names
    #[arg(long, value_name = "NAME")]
    model: Option<String>,

    /// In place of all this: a script on the stage so many times, and as many stages that are killed
    #[arg(long, value_name = "N", conflicts_with_all = ["minutes", "seed", "rounds", "model", "program"])]
    stage: Option<u64>,

    /// In place of all this: so many traces of nodes through the monitors that are derived from specifications
    #[arg(long, value_name = "N", conflicts_with_all = ["minutes", "rounds", "model", "program", "stage"])]
    monitor: Option<u64>,

    /// In place of all this: so many minutes of real members of etcd, with a monitor each
    #[arg(long, value_name = "MINUTES", conflicts_with_all = ["minutes", "rounds", "model", "program", "stage", "monitor"])]
    etcd: Option<u64>,

    /// In place of all this: every request of an editor on every module below these folders, and so many edits of a long one
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["minutes", "rounds", "model", "stage", "monitor", "etcd"])]
    editor: Vec<PathBuf>,

    /// Edits of a long module after which memory must be flat
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "editor")]
    edits: u64,

    /// In place of all this: a script with programs in Go and static ones on the stage so many times, and as many stages that are killed
    #[arg(long, value_name = "N", conflicts_with_all = ["minutes", "seed", "rounds", "model", "program", "stage", "monitor", "etcd"])]
    guests: Option<u64>,

    /// In place of all this: so many random walks on three members of etcd
    #[arg(long, value_name = "N", conflicts_with_all = ["minutes", "rounds", "model", "program", "stage", "monitor", "etcd", "guests"])]
    members: Option<u64>,

    /// The profile of cargo that the program is built with
    #[arg(long, value_name = "PROFILE", default_value = "quick")]
    build: String,

    /// A program that was built before
    #[arg(long, value_name = "FILE", conflicts_with = "build")]
    program: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<bool> {
    if let Some(n_runs) = options.stage {
        return stage::run(n_runs, &options.build);
    }
    if let Some(n_traces) = options.monitor {
        return monitor::run(n_traces, options.seed, &options.build);
    }
    if let Some(minutes) = options.etcd {
        return etcd::run(minutes, options.seed, &options.build);
    }
    if !options.editor.is_empty() {
        let program = match &options.program {
            Some(program) => program.clone(),
            None => program::build(&options.build)?,
        };
        return editor::run(&program, &options.editor, (options.edits, options.seed));
    }
    if let Some(n_runs) = options.guests {
        return guests::run(n_runs, &options.build);
    }
    if let Some(n_walks) = options.members {
        return members::run(n_walks, options.seed, &options.build);
    }
    let program = match &options.program {
        Some(program) => program.clone(),
        None => program::build(&options.build)?,
    };
    let models = models::find(Set::Large, options.model.as_deref())?;
    let clock = SystemClock::start();
    let limit = Duration::from_secs(options.minutes * 60);
    let mut total = Tally::default();
    let mut n_rounds = 0;
    while clock.elapsed() < limit && options.rounds.is_none_or(|max| n_rounds < max) {
        let seed = options.seed + n_rounds;
        let tally = one_round(&program, &models, seed).with_context(|| repeat(options, seed))?;
        total.add(tally);
        n_rounds += 1;
    }
    println!("{n_rounds} rounds in {} s, all with the recorded counts: {total}", clock.elapsed().as_secs());
    Ok(true)
}

fn one_round(program: &std::path::Path, models: &[Model], seed: u64) -> Result<Tally> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut round = Round::new(program, models, seed, folder.path().join("kept"));
    let tally = round.run()?;
    println!("seed {seed}: {}: {tally}", round.title());
    Ok(tally)
}

/// Returns how to run the same round again.
fn repeat(options: &Options, seed: u64) -> String {
    let model = options.model.as_ref().map_or(String::new(), |name| format!(" --model {name}"));
    format!("repeat it with `cargo xtask soak --seed {seed} --rounds 1{model}`")
}
