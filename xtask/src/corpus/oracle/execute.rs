//! Runs a model with either tool, in a copy of its folder.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::{Corpus, OracleModel};
use crate::diff_tlc::messages::Printed;
use crate::diff_tlc::tlc::Tlc;
use crate::diff_tlc::warm::{self, WarmTlc};
use crate::run;

/// The options with which both tools are always run here.
const OPTIONS: &[&str] = &[
    "-workers",
    "1",
    "-fp",
    "0",
    "-seed",
    "1",
    "-noGenerateSpecTE",
    "-checkpoint",
    "0",
    "-metadir",
    "states",
];

pub struct Programs {
    pub specline: PathBuf,
    pub tlc: Option<Oracle>,
    pub limit: Duration,
}

/// The answer of a tool about a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Ended(Ending),
    /// It did not end within its time, or was killed.
    TooSlow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    pub exit: i32,
    pub generated: Option<u64>,
    pub distinct: Option<u64>,
    pub depth: Option<u64>,
}

impl Answer {
    pub fn exit(self) -> Option<i32> {
        match self {
            Answer::Ended(ending) => Some(ending.exit),
            Answer::TooSlow => None,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Answer::Ended(ending) = self else { return write!(f, "not done in time") };
        let count = |count: Option<u64>| count.map_or("-".to_owned(), |count| count.to_string());
        let (generated, distinct) = (count(ending.generated), count(ending.distinct));
        write!(
            f,
            "exit {}, {generated} generated, {distinct} distinct, depth {}",
            ending.exit,
            count(ending.depth)
        )
    }
}

/// TLC, either in a new process for each model, or in one that stays if there are thousands of small models.
pub enum Oracle {
    Cold(Tlc),
    Warm(WarmTlc),
}

impl Oracle {
    pub fn new(tlc: Tlc, corpus: Corpus) -> Result<Oracle> {
        Ok(match corpus {
            Corpus::TestModels => Oracle::Cold(tlc),
            Corpus::ValidationSuite => Oracle::Warm(WarmTlc::new(tlc)?),
        })
    }

    /// Asks TLC. In a process that stays, TLC's memory of earlier models may change its answer: if the answer is not
    /// `found`, a new process is asked again.
    pub fn ask(&mut self, model: &OracleModel, found: Answer, limit: Duration) -> Result<Answer> {
        match self {
            Oracle::Cold(tlc) => ask_cold(tlc, model, limit),
            Oracle::Warm(warm) => {
                let place = copy_of(&model.folder)?;
                let module = format!("{}.tla", model.module);
                let answer = match warm.run(place.path(), &module, &model.config)? {
                    warm::Ending::Ended(run) => Answer::Ended(read(run.exit, &texts(&run.messages))),
                    warm::Ending::GivenUp(_) => Answer::TooSlow,
                };
                if answer == found { Ok(answer) } else { ask_cold(warm.cold(), model, limit) }
            }
        }
    }
}

fn ask_cold(tlc: &Tlc, model: &OracleModel, limit: Duration) -> Result<Answer> {
    let mut command = Command::new("java");
    command
        .args(["-XX:+UseSerialGC", "-Xmx2g"])
        .args(model.properties.iter().map(|property| format!("-D{property}")))
        .args(["-cp", tlc.classpath(), "tlc2.TLC"]);
    ask(command, model, limit)
}

fn texts(printed: &[Printed]) -> String {
    let messages = printed.iter().filter_map(|printed| match printed {
        Printed::Message(message) => Some(message.text.as_str()),
        Printed::Line(_) => None,
    });
    messages.collect::<Vec<_>>().join("\n")
}

impl Programs {
    pub fn ask_specline(&self, model: &OracleModel) -> Result<Answer> {
        let mut command = Command::new(&self.specline);
        command.arg("tlc").args(model.properties.iter().map(|property| format!("-D{property}")));
        ask(command, model, self.limit)
    }
}

fn ask(mut command: Command, model: &OracleModel, limit: Duration) -> Result<Answer> {
    let place = copy_of(&model.folder)?;
    command
        .args(OPTIONS)
        .args(["-config", &model.config])
        .args(&model.flags)
        .arg(&model.module)
        .current_dir(place.path());
    Ok(match run::run_within(limit, &mut command)? {
        Some(ended) => Answer::Ended(read(ended.exit, &ended.output)),
        None => Answer::TooSlow,
    })
}

/// Makes a new folder with the files of `folder`: models write files, and must not write them into the corpus.
fn copy_of(folder: &Path) -> Result<TempDir> {
    let place = tempfile::tempdir().context("cannot make a folder to run in")?;
    run::copy_files(folder, place.path())?;
    Ok(place)
}

/// Reads the last counts that a tool printed.
fn read(exit: i32, output: &str) -> Ending {
    let counts =
        output.lines().rfind(|line| line.contains("generated") && line.contains("distinct states found"));
    let mut counts = counts.map(numbers).unwrap_or_default().into_iter();
    let depth = output.lines().rfind(|line| line.contains("depth of the complete state graph search is"));
    Ending {
        exit,
        generated: counts.next(),
        distinct: counts.next(),
        depth: depth.and_then(|line| numbers(line).first().copied()),
    }
}

/// Returns the whole numbers of a line, without their separators. A time such as `(2026-11-17 10:00:00)` ends with a
/// colon in TLC's lines about progress; digits before the colon are not counts.
fn numbers(line: &str) -> Vec<u64> {
    let line = line.rsplit(": ").next().unwrap_or(line);
    line.split(|c: char| !c.is_ascii_digit() && c != ',')
        .filter_map(|word| word.replace(',', "").parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Ending, read};

    #[test]
    fn the_last_counts_are_those_of_the_run() {
        let text = "Progress(2) at 2026-11-17 10:00:00: 5 states generated, 3 distinct states found, 1 states left on queue.\n\
                    1,204 states generated, 30 distinct states found, 0 states left on queue.\n\
                    The depth of the complete state graph search is 4.\n";
        let ending = Ending { exit: 0, generated: Some(1204), distinct: Some(30), depth: Some(4) };
        assert_eq!(read(0, text), ending);
        let first = text.lines().next().unwrap();
        assert_eq!(read(12, first), Ending { exit: 12, generated: Some(5), distinct: Some(3), depth: None });
    }

    #[test]
    fn a_run_may_have_no_counts() {
        let none = Ending { exit: 150, generated: None, distinct: None, depth: None };
        assert_eq!(read(150, "Parsing failed.\n"), none);
    }
}
