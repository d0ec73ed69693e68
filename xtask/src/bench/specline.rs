//! Runs the program on a model, with one worker or with several.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::measure::{self, Measurement, Usage};
use super::models::{Counts, Model};
use super::simulation::DEPTH;
use crate::program;

/// The exit code when a limit ended the search.
const EXIT_LIMIT: i32 = 21;

pub struct Specline {
    pub program: PathBuf,
    seconds_max: u64,
}

impl Specline {
    pub fn build(profile: &str, seconds_max: u64) -> Result<Specline> {
        Ok(Specline { program: program::build(profile)?, seconds_max })
    }

    /// Returns a program that is built already.
    pub fn existing(program: &Path, seconds_max: u64) -> Result<Specline> {
        let program = std::path::absolute(program).context("cannot find the program")?;
        if !program.is_file() {
            bail!("there is no program at `{}`", program.display());
        }
        Ok(Specline { program, seconds_max })
    }

    /// Searches all states; fails if the counts are not those that TLC recorded.
    pub fn run(&self, model: &Model) -> Result<Usage> {
        self.run_with(1, model)
    }

    /// Searches all states with `n_workers` workers; fails if the counts are not those that TLC recorded.
    pub fn run_with(&self, n_workers: u32, model: &Model) -> Result<Usage> {
        Ok(self.run_and_read(n_workers, model)?.usage)
    }

    /// Searches all states with `n_workers` workers and returns the output too; fails if the counts are not those that
    /// TLC recorded.
    pub fn run_and_read(&self, n_workers: u32, model: &Model) -> Result<Measurement> {
        let ended = measure::run(&check_with(&self.program, n_workers, model), self.seconds_max)?;
        if ended.exit != 0 {
            bail!("specline ended with {}: {}", ended.exit, ended.errors.trim());
        }
        let found = counts(&ended.output)?;
        if found != model.expected {
            bail!("specline counts {found:?}, and TLC recorded {:?}", model.expected);
        }
        Ok(ended)
    }

    /// Searches with `n_workers` workers and returns the exit code, the counts and what was used. After a violation, the
    /// depth is the number of states of the trace.
    pub fn search(&self, n_workers: u32, model: &Model) -> Result<(i32, Counts, Usage)> {
        let ended = measure::run(&check_with(&self.program, n_workers, model), self.seconds_max)?;
        let answer = answer(&ended.output)
            .with_context(|| format!("specline ended with {}: {}", ended.exit, ended.errors.trim()))?;
        let mut counts = counts_of(&answer)?;
        if let Some(states) = answer["trace"]["states"].as_array() {
            counts.depth = states.len() as u64;
        }
        Ok((ended.exit, counts, ended.usage))
    }

    /// Returns the command that makes `n_walks` walks with one worker.
    pub fn simulate(&self, model: &Model, n_walks: u64) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("simulate").arg(model.case.module()).arg("--config").arg(model.case.config());
        command.args(["--traces", &n_walks.to_string(), "--depth", &DEPTH.to_string()]);
        command.args(["--workers", "1", "--format", "json"]);
        command
    }

    pub fn seconds_max(&self) -> u64 {
        self.seconds_max
    }

    /// Returns the resident memory once the model is read and the first state exists.
    pub fn start_bytes(&self, model: &Model) -> Result<u64> {
        let mut command = check(&self.program, model);
        command.args(["--max-states", "1"]);
        let ended = measure::run(&command, self.seconds_max)?;
        if ended.exit != EXIT_LIMIT {
            bail!("specline ended with {} after one state: {}", ended.exit, ended.errors.trim());
        }
        Ok(ended.usage.peak_bytes)
    }
}

/// Returns the command that checks a model with one worker.
pub fn check(program: &Path, model: &Model) -> Command {
    check_with(program, 1, model)
}

fn check_with(program: &Path, n_workers: u32, model: &Model) -> Command {
    let mut command = Command::new(program);
    command.arg("check").arg(model.case.module()).arg("--config").arg(model.case.config());
    command.args(["--workers", &n_workers.to_string(), "--format", "json"]);
    command
}

/// Returns the counts of the answer.
pub fn counts(output: &str) -> Result<Counts> {
    counts_of(&answer(output)?)
}

/// Returns the event with the verdict.
pub fn answer(output: &str) -> Result<Value> {
    let events = output.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let answer = events.into_iter().find(|event| event["kind"] == "answer");
    answer.context("the program gave no answer")
}

/// Returns the counts that the verdict comes with.
pub fn counts_of(answer: &Value) -> Result<Counts> {
    serde_json::from_value(answer["counts"].clone()).context("the answer has no counts")
}

#[cfg(test)]
mod tests {
    use super::{Counts, counts};

    #[test]
    fn counts_are_those_of_the_answer() {
        let output = r#"{"kind":"start","schema":1}
{"kind":"initial","counts":{"generated":1,"distinct":1,"queue":1,"depth":1,"initial":1}}
{"kind":"answer","verdict":"holds","counts":{"generated":9,"distinct":5,"queue":0,"depth":3,"initial":1}}"#;
        assert_eq!(counts(output).unwrap(), Counts { generated: 9, distinct: 5, depth: 3 });
        assert!(counts("{\"kind\":\"start\"}\n").is_err());
    }
}
