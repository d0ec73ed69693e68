//! Runs the explorers written by hand (`bench/explorers`), which show what the machine can do.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::measure::{self, Usage};
use super::models::{Counts, Model};
use crate::program;

/// The models of the bench that have an explorer, with the constants of their configurations; the counts show whether
/// they are right.
const EXPLORED: &[(&str, &[&str])] = &[
    ("TwoPhaseCommit", &["two-phase", "--rms", "9"]),
    (
        "RaftLog",
        &["raft", "--servers", "3", "--values", "1", "--max-term", "1", "--max-log", "3", "--max-queue", "1"],
    ),
];

pub struct Explorers {
    program: PathBuf,
    seconds_max: u64,
}

impl Explorers {
    pub fn build(seconds_max: u64) -> Result<Explorers> {
        Ok(Explorers { program: program::build_package("explorers", "dist")?, seconds_max })
    }

    /// Runs the explorer of a model; `None` if there is no explorer for it. Fails if the counts are not the recorded
    /// ones.
    pub fn run(&self, model: &Model) -> Result<Option<Usage>> {
        let Some((_, args)) = EXPLORED.iter().find(|(name, _)| *name == model.name) else { return Ok(None) };
        let ended = measure::run(Command::new(&self.program).args(*args), self.seconds_max)?;
        if ended.exit != 0 {
            bail!("the explorer ended with {}: {}", ended.exit, ended.errors.trim());
        }
        let found: Counts = serde_json::from_str(&ended.output).context("the explorer gave no counts")?;
        if found != model.expected {
            bail!("the explorer counts {found:?}, and TLC recorded {:?}", model.expected);
        }
        Ok(Some(ended.usage))
    }
}
